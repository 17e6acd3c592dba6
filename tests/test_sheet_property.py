"""Random sheets under every preset and variant against a second computation, kept as simple as it can be."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ginrummy.cli import run

# --- the rules once more, as numbers ------------------------------------------------------------


@dataclass
class House:
    """Rules, and what a sheet under them has come to."""

    limit: int = 10
    gin: int = 25
    undercut: int = 25
    big_gin: int | None = None
    doubles: bool = False
    target: int = 100
    game: int = 0
    box: int = 0
    shutout: str = "none"
    by_hands: bool = False
    kind: str = "plain"
    columns: int = 1
    games: int = 1


def house(preset: str, variants: list[str], target: int) -> House:
    """The numbers of rules.md, written down again."""
    found = {
        "classic": House(game=100, box=20, shutout="game-bonus"),
        "romme": House(game=100, box=25, shutout="total", by_hands=True, big_gin=31),
        "oklahoma": House(big_gin=31, doubles=True, target=150),
        "race": House(big_gin=31),
        "duel": House(),
        "quick": House(big_gin=31, target=50),
        "pagat": House(game=100, box=20, shutout="game-bonus", gin=20, undercut=10),
    }[preset]
    for variant in variants:
        match variant:
            case "oklahoma" | "spades":
                found.doubles = True
                if variant == "oklahoma":
                    found.limit = 10  # no upcard is given
            case "straight":
                found.limit = 0
            case "old-bonuses":
                found.gin, found.undercut = 20, 10
            case "big-gin":
                found.big_gin = 31
            case "no-big-gin":
                found.big_gin = None
            case "hollywood":
                found.columns = 3
            case "partnership":
                found.kind, found.target = "partnership", 125
            case "cutthroat":
                found.kind = "cutthroat"
            case best:
                found.games = int(best.partition("=")[2])
    if target:
        found.target = target
    return found


# --- a sheet once more --------------------------------------------------------------------------

Hand = tuple[int | None, int]
"""Who won and the points."""


def split_games(rules: House, deals: list[Hand]) -> list[list[Hand]]:
    """The deals of each game of a match."""
    games: list[list[Hand]] = []
    for deal in deals:
        if not games or over(rules, games[-1]):
            games.append([])
        games[-1].append(deal)
    return games


def columns_of(rules: House, deals: list[Hand]) -> list[list[tuple[int, int]]]:
    """The entries of each column, in order."""
    columns: list[list[tuple[int, int]]] = [[] for _ in range(rules.columns)]
    for winner, points in deals:
        if winner is None:
            continue
        is_in = [any(who == winner for who, _ in column) for column in columns]
        is_open = [reached(rules, column) is None for column in columns]
        fresh = [at for at in range(rules.columns) if is_open[at] and not is_in[at]][:1]
        for at in range(rules.columns):
            if is_open[at] and (is_in[at] or at in fresh):
                columns[at].append((winner, points))
    return columns


def sum_of(column: list[tuple[int, int]], player: int) -> int:
    """A player's points in a column."""
    return sum(points for who, points in column if who == player)


def reached(rules: House, column: list[tuple[int, int]]) -> int | None:
    """Who has the target in a column."""
    return next((who for who in range(3) if sum_of(column, who) >= rules.target), None)


def over(rules: House, deals: list[Hand]) -> bool:
    """Whether a game is over."""
    return all(reached(rules, column) is not None for column in columns_of(rules, deals))


def ends(rules: House, column: list[tuple[int, int]], players: int) -> tuple[list[list[int]], dict[int, int]]:
    """Points, boxes, box points, game bonus, shutout of everybody in a closed column; the margins by loser."""
    winner = reached(rules, column)
    assert winner is not None
    table = []
    for player in range(players):
        won = len([1 for who, _ in column if who == player])
        table.append([sum_of(column, player), won, won * rules.box, rules.game if player == winner else 0, 0])
    points, _, boxes, bonus, _ = table[winner]
    more = {"none": 0, "game-bonus": bonus, "total": points + boxes + bonus}[rules.shutout]
    blank = {loser: table[loser][1 if rules.by_hands else 0] == 0 for loser in range(players) if loser != winner}
    mine = points + boxes + bonus
    margins = {loser: mine + more * out - sum(table[loser][i] for i in (0, 2)) for loser, out in blank.items()}
    if all(blank.values()):
        table[winner][4] = more
    return table, margins


# --- random sheets ------------------------------------------------------------------------------

PLAIN = [
    "oklahoma",
    "straight",
    "old-bonuses",
    "big-gin",
    "no-big-gin",
    "spades",
    "hollywood",
    "best-of=3",
    "best-of=5",
]
KINDS = ["", "partnership", "cutthroat"]


@dataclass
class Drawn:
    """A sheet: its rules, its lines, and what was meant by them."""

    options: list[str]
    rules: House
    names: list[str]
    lines: list[str]
    deals: list[Hand]


@st.composite
def hands(draw: st.DrawFn, rules: House, sides: list[list[str]], seated: list[int]) -> tuple[str, Hand]:
    """One hand between two sides, as a line, and what it comes to."""
    winner = draw(st.sampled_from(seated))
    (loser,) = (side for side in seated if side != winner)
    name, other = draw(st.sampled_from(sides[winner])), draw(st.sampled_from(sides[loser]))
    kinds = ["gin", "points", "dead", "gin", "points"]
    kinds += ["big-gin"] if rules.big_gin is not None else []
    kinds += ["knock", "undercut", "undercut by other", "knock 0"] if rules.limit else []
    kind = draw(st.sampled_from(kinds))
    double = draw(st.booleans()) and rules.doubles
    mark, factor = (" *", 2) if double else ("", 1)
    high = draw(st.integers(0, 98))
    if kind == "dead":
        return "dead", (None, 0)
    if kind == "points":
        points = draw(st.integers(1, 120))
        return f"{name} {points}", (winner, points)
    if kind == "gin":
        return f"{name} gin {high}{mark}", (winner, (high + rules.gin) * factor)
    if kind == "knock 0":
        # Not against 0: of three players the line would have to say who undercut.
        return f"{name} knock 0 {high}{mark}", (winner, (high + rules.gin) * factor)
    if kind == "big-gin":
        return f"{name} big-gin {high}{mark}", (winner, (high + (rules.big_gin or 0)) * factor)
    low = draw(st.integers(1, rules.limit))
    if kind == "knock":
        return f"{name} knock {low} {low + 1 + high % 80}{mark}", (winner, (1 + high % 80) * factor)
    own = high % (low + 1)
    value = (winner, (low - own + rules.undercut) * factor)
    if kind == "undercut" or rules.kind == "cutthroat":
        return f"{name} undercut {low} {own}{mark}", value
    return f"{other} knock {low} {own}{mark}", value


@st.composite
def sheets(draw: st.DrawFn, preset: str) -> Drawn:
    """A sheet that is right, up to the end of its game or match."""
    kind = draw(st.sampled_from(KINDS))
    variants = draw(st.lists(st.sampled_from(PLAIN), unique=True, max_size=4)) + ([kind] if kind else [])
    clash = [
        ("oklahoma", "straight"),
        ("big-gin", "no-big-gin"),
        ("best-of=3", "best-of=5"),
        ("hollywood", "cutthroat"),
    ]
    for one, other in clash:
        if one in variants and other in variants:
            variants.remove(one)
    target = draw(st.sampled_from([0, 0, 1, 30, 250]))
    rules = house(preset, variants, target)
    names = draw(st.permutations(["Ann", "Ben", "Cem", "Dora"]))[: 3 if kind == "cutthroat" else 2]
    options = ["--rules", "+".join([preset, *variants])] + (["--target", str(target)] if target else [])
    sides = [[name] for name in names]
    if kind == "partnership":
        sides = [["Ann", "Cem"], ["Ben", "Dora"]]
        names = ["Ann+Cem", "Ben+Dora"]
        options += ["--teams", "Ann+Cem,Ben+Dora"]
    else:
        options += ["--names", ",".join(names)]
    lines: list[str] = []
    deals: list[Hand] = []
    dealer = draw(st.integers(0, 2))
    if kind == "cutthroat" and draw(st.booleans()):
        options += ["--dealer", names[dealer]]
    for _ in range(draw(st.integers(0, 25))):
        games = split_games(rules, deals)
        if games and over(rules, games[-1]):
            if finished(rules, games, len(names)):
                break
            dealer = draw(st.integers(0, 2))
        if kind == "partnership":
            # The players of the two tables are different ones.
            one = draw(hands(rules, [["Ann"], ["Ben"]], [0, 1]))
            two = draw(hands(rules, [["Cem"], ["Dora"]], [0, 1]))
            lines.append(f"{one[0]} / {two[0]}")
            net = sum(points if who == 0 else -points for who, points in (one[1], two[1]))
            both = one[1][0] == two[1][0] is not None
            deals.append((None if net == 0 else int(net < 0), abs(net) + (25 if both and net else 0)))
            continue
        seated = [side for side in range(3) if side != dealer] if kind == "cutthroat" else [0, 1]
        line, deal = draw(hands(rules, sides, seated))
        lines.append(line)
        deals.append(deal)
        if kind == "cutthroat" and deal[0] is not None:
            (dealer,) = (side for side in seated if side != deal[0])
    return Drawn(options, rules, names, lines, deals)


def winner_of(rules: House, deals: list[Hand], players: int) -> int | None:
    """Who has won a game that is over: in three columns the greater sum."""
    columns = columns_of(rules, deals)
    if rules.columns == 1:
        return reached(rules, columns[0])
    tables = [ends(rules, column, players)[0] for column in columns]
    totals = [sum(sum(table[player]) - table[player][1] for table in tables) for player in range(players)]
    return None if totals[0] == totals[1] else totals.index(max(totals))


def wins(rules: House, games: list[list[Hand]], players: int) -> list[int]:
    """Games won."""
    won = [winner_of(rules, game, players) for game in games if over(rules, game)]
    return [won.count(player) for player in range(players)]


def finished(rules: House, games: list[list[Hand]], players: int) -> bool:
    """Whether the match, or the single game, is over."""
    if rules.games == 1:
        return over(rules, games[0])
    return max(wins(rules, games, players)) > rules.games // 2


def check_game(rules: House, deals: list[Hand], names: list[str], got: dict[str, Any]) -> None:
    """One game's sheet against the second computation."""
    for number, (row, (winner, points)) in enumerate(zip(got["rows"], deals, strict=True), 1):
        columns = columns_of(rules, deals[:number])
        assert row["hand"] == number
        assert row["winner"] == (None if winner is None else names[winner])
        assert row["points"] == points
        assert row["totals"] == [sum(sum_of(column, player) for column in columns) for player in range(len(names))]
    columns = columns_of(rules, deals)
    if rules.columns > 1:
        for column, shown in zip(columns, got["columns"], strict=True):
            assert shown["totals"] == [sum_of(column, player) for player in range(len(names))]
            assert shown["closed"] == (reached(rules, column) is not None)
            if shown["closed"]:
                table, margins = ends(rules, column, len(names))
                assert [list(line.values())[1:6] for line in shown["final"]] == table
                assert [shown["margin"]] == list(margins.values())
    assert got["finished"] == over(rules, deals)
    if not got["finished"]:
        assert not {"final", "winner", "margin", "finished_after"} & set(got)
        return
    tables = [ends(rules, column, len(names))[0] for column in columns]
    lines = [[sum(table[player][i] for table in tables) for i in range(5)] for player in range(len(names))]
    assert [line["player"] for line in got["final"]] == names
    assert [list(line.values())[1:6] for line in got["final"]] == lines
    totals = [line[0] + line[2] + line[3] + line[4] for line in lines]
    assert [line["total"] for line in got["final"]] == totals
    winner = winner_of(rules, deals, len(names))
    assert got["winner"] == (None if winner is None else names[winner])
    assert got["finished_after"] == len(deals)
    if rules.kind == "cutthroat":
        assert got["margin"] == {names[loser]: by for loser, by in ends(rules, columns[0], 3)[1].items()}
    else:
        assert got["margin"] == max(totals) - min(totals)


def check(drawn: Drawn, count: int) -> dict[str, Any]:
    """The answer to the first lines of a sheet, checked."""
    done = run(["score", "--json", *drawn.options, "--sheet", "-"], "\n".join(drawn.lines[:count]).encode())
    assert (done.status, done.stderr) == (0, "")
    got: dict[str, Any] = json.loads(done.stdout)
    rules, names = drawn.rules, drawn.names
    assert (got["players"], got["target"]) == (names, rules.target)
    games = split_games(rules, drawn.deals[:count])
    if rules.games == 1:
        check_game(rules, games[0] if games else [], names, got)
        return got
    shown = [game for game in got["games"] if game["rows"]]
    for game, sheet in zip(games, shown, strict=True):
        check_game(rules, game, names, sheet)
    won = wins(rules, games, len(names))
    assert got["games_won"] == won
    assert got["finished"] == (max(won) > rules.games // 2)
    assert got.get("winner") == (names[won.index(max(won))] if got["finished"] else None)
    return got


def rows_of(got: dict[str, Any]) -> list[dict[str, Any]]:
    """All rows, whatever game they belong to."""
    return [row for game in got.get("games", [got]) for row in game["rows"]]


@pytest.mark.parametrize("preset", ["classic", "romme", "oklahoma", "race", "duel", "quick", "pagat"])
@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_two_computations_agree(preset: str, data: st.DataObject) -> None:
    """Totals, boxes, bonuses, columns, margins, games; a part of a sheet has the rows of the whole; text never fails."""
    drawn = data.draw(sheets(preset))
    rows = rows_of(check(drawn, len(drawn.lines)))
    count = data.draw(st.integers(0, len(drawn.lines)))
    assert rows_of(check(drawn, count)) == rows[:count]
    done = run(["score", *drawn.options, "--sheet", "-"], "\n".join(drawn.lines).encode())
    assert (done.status, done.stderr) == (0, "")
    if drawn.lines and finished(drawn.rules, split_games(drawn.rules, drawn.deals), len(drawn.names)):
        more = run(["score", *drawn.options, "--sheet", "-"], "\n".join([*drawn.lines, "dead / dead"]).encode())
        assert more.status == 2
        assert f"line {len(drawn.lines) + 1}: " in more.stderr


WORDS = [
    "A",
    "B",
    " ",
    " ",
    "\n",
    '"',
    "\\",
    "/",
    "*",
    "#",
    "9",
    "0",
    "knock",
    "gin",
    "undercut",
    "upcard=",
    "7S",
    "dead",
    "{",
    "[",
]
LINEISH = st.lists(st.one_of(st.sampled_from(WORDS), st.characters()), max_size=25).map("".join)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["", "+partnership", "+cutthroat", "oklahoma+spades", "race+best-of=3"]), LINEISH)
def test_no_text_ends_in_a_traceback(rules: str, text: str) -> None:
    """It is a sheet, or a message and status 2 (1 where some records were answered)."""
    done = run(["score", "--rules", rules, "--sheet", "-"], text.encode("utf-8", "surrogatepass"))
    assert done.status in (0, 1, 2)
    assert "Traceback" not in done.stderr
    assert (done.status == 0) == (done.stderr == "")


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 120),
        st.floats(),
        st.text(max_size=3),
        st.sampled_from(["A", "B", "C", "A 9", "B gin 3", "7S", "none"]),
        st.sampled_from(["7S 8S 9S KC KH KD KS AD 2C 4C", "5H 6H 7H QS QD QC 10S 2D 4D JH"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=2)),
    max_leaves=5,
)
HAND_KEYS = [
    "winner",
    "points",
    "knocker",
    "deadwood",
    "opponent_deadwood",
    "gin",
    "big_gin",
    "dead",
    "hand",
    "opponent_hand",
    "knocker_melds",
    "defender_melds",
    "upcard",
    "pile_top",
    "double",
    "tables",
]
HANDS = st.one_of(VALUES, st.dictionaries(st.sampled_from(HAND_KEYS), VALUES, max_size=5))
RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "hands": st.one_of(VALUES, st.lists(HANDS, max_size=3)),
        "totals": st.one_of(
            VALUES,
            st.dictionaries(st.sampled_from("ABC"), st.fixed_dictionaries({"points": VALUES, "hands_won": VALUES})),
        ),
        "players": st.one_of(VALUES, st.just(["A", "B"]), st.just(["A", "B", "C"])),
        "teams": st.one_of(VALUES, st.just([["A", "C"], ["B", "D"]])),
        "dealer": VALUES,
        "rules": st.sampled_from(["", "+partnership", "+cutthroat", "oklahoma+spades", "+hollywood", "race+best-of=3"]),
    },
)


@settings(max_examples=400, deadline=None)
@given(RECORDS)
def test_no_record_ends_in_a_traceback(value: dict[str, Any]) -> None:
    """Each is answered, or reported with its line; one after it is answered all the same."""
    good = {"hands": [], "players": ["A", "B"]}
    done = run(["score", "--json"], (json.dumps(value) + "\n" + json.dumps(good)).encode())
    assert done.status in (0, 1)
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["line"] == 2
    assert done.status == 0 or re.search(r"line 1\b", done.stderr)
