"""Every kind of game, played by a person who takes only what is offered, and simulated; the sheets come out the same.

A few games under each of the rules here. `GINRUMMY_GAMES=2000 pytest tests/test_formats.py -k scored_again` simulates as
many under each and takes some minutes.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from random import Random
from typing import Any, BinaryIO, cast

import pytest

from ginrummy.cards import NAMES
from ginrummy.cli import run
from ginrummy.cli.main import run_with
from ginrummy.cli.streams import Streams
from ginrummy.game import Game
from ginrummy.hand import Hand
from ginrummy.rules import Rules, load_rules, presets
from ginrummy.session.commands import offers

FORMATS = ["hollywood", "partnership", "cutthroat", "partnership+hollywood", "best-of=3"]
VARIANTS = ["oklahoma", "straight", "old-bonuses", "big-gin", "no-big-gin", "spades"]
RULES = [
    *presets(),
    *(f"classic+{variant}" for variant in VARIANTS),
    *(f"{preset}+{form}" for preset in presets() for form in FORMATS),
    "oklahoma+spades+cutthroat+best-of=3",
    "oklahoma+spades+partnership+hollywood+best-of=3",
]

# --- played -------------------------------------------------------------------------------------


class Table:
    """A session of the program with a player who takes only what is offered: goes out when it can, else anything."""

    def __init__(self, rules: str, folder: Path) -> None:
        self.random = Random(rules)
        self.hands: dict[int, Hand] = {}
        """By their numbers among the deals."""
        self.read_at: list[int] = []
        """How many lines had been written before each line that was read."""
        self._out = io.StringIO()
        streams = Streams(
            stdin=cast(BinaryIO, self), stdout=self._out, stderr=io.StringIO(), environ={"GINRUMMY_DATA": str(folder)}
        )
        deal = Hand.deal

        def dealt(*args: Any, number: int, **more: Any) -> Hand:
            return self.hands.setdefault(number, deal(*args, number=number, **more))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Hand, "deal", dealt)
            args = ["play", "--rules", rules, "--seed", str(PLAYED), "--cards", "ascii", "--level", "easy"]
            self.status = run_with(args, streams)

    def readline(self, limit: int = -1) -> bytes:
        """What the program reads; nothing more when the game is over."""
        self.read_at.append(len(self.said))
        hand = next((hand for hand in self.hands.values() if hand.end is None), None)
        if hand is None:
            return b""
        assert hand.turn == 0
        offered = offers(hand)
        likely = [text for text in offered if text in ("big gin", "gin") or text.startswith("knock")]
        return f"{likely[0] if likely else self.random.choice(offered)}\n".encode()

    @property
    def said(self) -> list[str]:
        """The lines of the output so far."""
        return self._out.getvalue().splitlines()


PLAYED = 5
"""The seed of the games played."""


@pytest.mark.parametrize("rules", RULES)
def test_a_whole_game_can_be_played_by_what_is_offered(rules: str, tmp_path: Path) -> None:
    agreed = load_rules(rules)
    table = Table(rules, tmp_path)
    assert table.status == 0
    # The hands that were dealt are those of the game, one after the other, and with the last of them it is over.
    game = Game(agreed, seed=PLAYED)
    hands = list(table.hands.values())
    while not game.finished:
        deal = game.tables()
        played = [hands.pop(0) for _ in deal]
        assert [(hand.dealer, hand.scores) for hand in played] == [(one.dealer, one.scores) for one in deal]
        ends = [hand.end for hand in played if hand.end is not None]
        game.enter(*[game.entry(one, end) for one, end in zip(deal, ends, strict=True)])
    assert hands == []
    said = table.said
    won = [sheet.winner for sheet in game.match.games]
    assert sum(line.endswith("won the game.") for line in said) == len(won) - won.count(None)
    # How the first side is called there: you, or you and your partner.
    for sheet in game.match.games:
        (first, *_) = [line for line in said if re.match(rf"You(?: and \w+)?: .* = {sheet.final()[0].total}$", line)]
        assert first.partition(": ")[2].startswith(f"{sheet.final()[0].points} point")
    margins = [
        sheet.margin(loser)
        for sheet in game.match.games
        if sheet.winner is not None
        for loser in range(len(sheet.names))
        if loser != sheet.winner
    ]
    assert [int(line.split()[-1]) for line in said if line.startswith("Margin ")] == margins
    if agreed.best_of > 1:
        assert 2 <= len(game.match.games) <= 3
        assert sum(line.startswith("The match goes to ") for line in said) == 1
    heads = [at for at, line in enumerate(said) if line.startswith(("Hand ", "At the other table "))]
    assert len(heads) == len(table.hands)
    if agreed.cutthroat:
        # The others play at once while the one who types looks on: nothing is asked then.
        out = [at for at in heads if " plays " in said[at]]
        assert len(out) == sum(row.dealer == 0 for sheet in game.match.games for row in sheet.rows)
        for at in out:
            # Until the next hand, or the end of the game, after which another one is offered.
            following = next(n for n in range(at + 1, len(said)) if n in heads or said[n].endswith("won the game."))
            assert not [one for one in table.read_at if at < one < following]


# --- simulated, and scored again ----------------------------------------------------------------

GAMES = int(os.environ.get("GINRUMMY_GAMES", "12"))
"""A multiple of the number of players, or raised to one."""
TEAMS = [["A", "C"], ["B", "D"]]
AT_ONCE = 100
"""Games that are scored by one call."""


def sides_of(rules: Rules) -> list[str]:
    """The names of the sides on the sheet."""
    return ["A+C", "B+D"] if rules.partnership else ["A", "B", "C"][: 3 if rules.cutthroat else 2]


def name_of(rules: Rules, line: dict[str, Any], seat: int) -> str:
    """Who has a seat, as the sheet names them: the places follow the seats, whoever is mirrored into them."""
    side: int = line["seats"][seat]
    return TEAMS[side][line["hand"] % 2] if rules.partnership else "ABC"[side]


def laid_open(line: dict[str, Any]) -> tuple[int, list[list[str]], list[str], bool]:
    """Who knocked, both hands, the pile under the knock card, and whether it was big gin: from deck and actions alone."""
    deck, dealer = line["deck"], line["dealer"]
    hands = [deck[0:20:2], deck[1:20:2]]
    if dealer == 0:
        hands.reverse()
    pile, stock = [deck[20]], deck[21:]
    seat = 1 - dealer
    for action in line["actions"]:
        word, _, card = action.partition(" ")
        if word == "pass":
            seat = 1 - seat
        elif word == "take":
            hands[seat].append(pile.pop())
        elif word == "draw":
            assert stock.pop(0) == card
            hands[seat].append(card)
        elif word == "big-gin":
            return seat, hands, pile, True
        else:
            thrown = card if word == "knock" else word
            hands[seat].remove(thrown)
            if word == "knock":
                return seat, hands, pile, False
            pile.append(thrown)
            seat = 1 - seat
    raise AssertionError("nobody knocked")


def as_hand(rules: Rules, line: dict[str, Any]) -> dict[str, Any]:
    """A recorded hand as a hand of a sheet, in cards where these tell all."""
    if line["result"] == "dead":
        assert (line["winner"], line["points"]) == (None, 0)
        return {"dead": True}
    knocker, hands, pile, big = laid_open(line)
    any_spread = rules.arrangement == "player" and line["players"][knocker] == "eaai-simple"
    nobody_knows = rules.cutthroat and rules.best_of > 1 and line["result"] == "undercut"
    if any_spread or nobody_knows:
        # The baseline lays out any of its best spreads, and the record does not say which. A sheet does not know who
        # deals first in the second game of a match, and so not who undercuts.
        return {"winner": name_of(rules, line, line["winner"]), "points": line["points"]}
    found = {
        "knocker": name_of(rules, line, knocker),
        "hand": hands[knocker],
        "opponent_hand": hands[1 - knocker],
        "upcard": line["deck"][20],
        "pile_top": pile[-1] if pile else "none",
    }
    return found | {"big_gin": True} if big else found


def as_text(rules: Rules, line: dict[str, Any]) -> str:
    """A recorded hand as a line of a sheet, points as they are."""
    return "dead" if line["winner"] is None else f"{name_of(rules, line, line['winner'])} {line['points']}"


def deals_of(rules: Rules, lines: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The recorded hands of a game, those that belong together in one list."""
    step = 2 if rules.partnership else 1
    return [lines[at : at + step] for at in range(0, len(lines), step)]


def first_dealer(rules: Rules, line: dict[str, Any]) -> str | None:
    """Who dealt a hand, for the head of a sheet; in a partnership there are two of them."""
    if rules.partnership:
        return None
    if rules.cutthroat:
        return "ABC"[3 - sum(line["seats"])]
    return "AB"[line["seats"][line["dealer"]]]


def as_record(text: str, rules: Rules, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """A recorded game as a record for ``score``."""
    deals = [[as_hand(rules, line) for line in deal] for deal in deals_of(rules, lines)]
    if rules.partnership:
        return {"rules": text, "teams": TEAMS, "hands": [{"tables": deal} for deal in deals]}
    record = {"rules": text, "players": sides_of(rules), "hands": [hand for deal in deals for hand in deal]}
    # The first dealer of a match is that of its first game.
    return record | {"dealer": first_dealer(rules, lines[0])}


def recorded_games(path: Path) -> Iterator[list[dict[str, Any]]]:
    """The recorded hands, game by game."""
    with path.open(encoding="utf-8") as file:
        for _, lines in groupby(map(json.loads, file), lambda line: (line["game"], line["turn"])):
            yield list(lines)


def check_dealers(rules: Rules, lines: list[dict[str, Any]]) -> None:
    """Who deals after each hand of a game: reckoned for each table, plainly."""
    for before, after in zip(deals_of(rules, lines), deals_of(rules, lines)[1:], strict=False):
        if after[0]["hand"] >> 20 != before[0]["hand"] >> 20:
            continue  # another game of the match: drawn anew
        for one, other in zip(before, after, strict=True):
            loser = None if one["winner"] is None else one["seats"][1 - one["winner"]]
            if rules.cutthroat:
                out = 3 - sum(one["seats"])
                assert 3 - sum(other["seats"]) == (out if loser is None else loser)
                continue
            assert other["seats"] == one["seats"]
            if one["winner"] is None:
                assert other["dealer"] == one["dealer"]
            else:
                right = {"loser": 1 - one["winner"], "winner": one["winner"], "alternate": 1 - one["dealer"]}
                assert other["dealer"] == right[rules.next_dealer]


def check_sheet(rules: Rules, lines: list[dict[str, Any]], found: dict[str, Any]) -> int | None:
    """That a sheet which was scored is that of a recorded game. Returns the side that won."""
    sides = sides_of(rules)
    assert found["finished"] is True
    games = found["games"] if rules.best_of > 1 else [found]
    rows = [(row, number) for number, sheet in enumerate(games) for row in sheet["rows"]]
    deals = deals_of(rules, lines)
    assert len(rows) == len(deals)
    totals, game = [0] * len(sides), -1
    for (row, number), deal in zip(rows, deals, strict=True):
        if number != game:
            totals, game = [0] * len(sides), number
        for line in deal:
            assert line["hand"] >> 20 == number
            if not rules.hollywood:
                assert line["scores"] == [totals[side] for side in line["seats"]]
        if not rules.partnership:
            (line,) = deal
            winner = None if line["winner"] is None else sides[line["seats"][line["winner"]]]
            assert (row["winner"], row["points"]) == (winner, line["points"])
            assert row["result"] in (line["result"], "points")
        else:
            net = [0, 0]
            for line in deal:
                if line["winner"] is not None:
                    net[line["seats"][line["winner"]]] += line["points"]
            both = {line["seats"][line["winner"]] if line["winner"] is not None else None for line in deal}
            extra = rules.partnership_bonus if len(both) == 1 and None not in both else 0
            won = None if net[0] == net[1] else int(net[1] > net[0])
            assert row["winner"] == (None if won is None else sides[won])
            assert row["points"] == (0 if won is None else abs(net[0] - net[1]) + extra)
        totals = row["totals"]
    return None if found["winner"] is None else sides.index(found["winner"])


@pytest.mark.parametrize("text", RULES)
def test_simulated_games_are_scored_again(text: str, tmp_path: Path) -> None:
    """By ``score``, card by card where the cards tell all: rows, totals, winners, ends and all sums agree."""
    rules = load_rules(text)
    path = tmp_path / "hands.jsonl"
    players = ["easy", "eaai-simple", "random"][: 3 if rules.cutthroat else 2]
    outcome = run(
        [
            *("simulate", "-n", str(GAMES), "--seed", "11", "--rules", text, "--players", ",".join(players)),
            *("--json", "--record", str(path)),
        ]
    )
    assert outcome.status == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    wins = [0] * len(players)
    by_result: dict[str, Any] = {name: [0] * len(players) for name in ("knock", "gin", "big-gin", "undercut")}
    played = dead = points = hands = in_cards = 0
    games = recorded_games(path)
    while batch := list(islice(games, AT_ONCE)):
        records = [as_record(text, rules, lines) for lines in batch]
        given = "".join(json.dumps(record) + "\n" for record in records).encode()
        scored = run(["score", "--json", "-"], given)
        assert (scored.status, scored.stderr) == (0, "")
        for lines, found in zip(batch, map(json.loads, scored.stdout.splitlines()), strict=True):
            won = check_sheet(rules, lines, found)
            check_dealers(rules, lines)
            played += 1
            if won is not None:
                wins[won] += 1
            for line in lines:
                hands += 1
                if line["winner"] is None:
                    dead += 1
                    continue
                side = line["seats"][line["winner"]]
                by_result[line["result"]][side] += 1
                points += line["points"] if side == 0 else -line["points"] if 0 in line["seats"] else 0
        in_cards += given.count(b'"opponent_hand"')
        if played <= AT_ONCE:
            check_text(text, rules, batch[0], json.loads(scored.stdout.splitlines()[0]))
    assert played == result["games"] >= GAMES
    assert wins == result["wins"]
    assert by_result | {"dead": dead} == result["results"]
    assert hands == result["hands"]
    assert result["points_per_hand"] == pytest.approx(points / hands, abs=1e-6)
    assert in_cards > hands / 4


def check_text(text: str, rules: Rules, lines: list[dict[str, Any]], found: dict[str, Any]) -> None:
    """That ``score --sheet -`` says the same of a game as its record does."""
    sheet = "\n".join(" / ".join(as_text(rules, line) for line in deal) for deal in deals_of(rules, lines))
    dealer = first_dealer(rules, lines[0])
    who = ["--teams", "A+C,B+D"] if dealer is None else ["--names", ",".join(sides_of(rules)), "--dealer", dealer]
    outcome = run(["score", "--json", "--rules", text, "--sheet", "-", *who], sheet.encode())
    assert (outcome.status, outcome.stderr) == (0, "")
    again = json.loads(outcome.stdout)
    for one, other in zip(again.get("games", [again]), found.get("games", [found]), strict=True):
        for key in ("finished", "winner", "finished_after", "final", "margin", "columns"):
            assert one.get(key) == other.get(key)
        assert [row["totals"] for row in one["rows"]] == [row["totals"] for row in other["rows"]]


def test_every_card_has_its_name_in_a_record(tmp_path: Path) -> None:
    """What the tests above build on: the record tells the whole deal."""
    path = tmp_path / "hands.jsonl"
    assert run(["simulate", "-n", "2", "--seed", "1", "--players", "easy,random", "--record", str(path)]).status == 0
    for lines in recorded_games(path):
        for line in lines:
            assert sorted(line["deck"]) == sorted(NAMES)
