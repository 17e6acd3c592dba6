"""``simulate --replay``: recorded hands play again, and whatever was changed in a record is found where it is."""

from __future__ import annotations

import copy
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ginrummy.cli import Outcome, run
from ginrummy.errors import GinRummyError
from ginrummy.replay import KEYS, replay

HAND = "7S 8S 9S KC KH KD AS 2D 5C JH"
RUNS = {
    "games": ["-n", "20", "--rules", "classic", "--players", "eaai-simple,easy"],
    "hands": ["-n", "40", "--unit", "hand", "--rules", "oklahoma+spades+big-gin", "--players", "easy,random"],
    "hollywood": ["-n", "4", "--rules", "romme+hollywood", "--players", "eaai-simple,random"],
    "teams": ["-n", "4", "--rules", "duel+partnership", "--set", "gin_bonus=40", "--players", "easy,eaai-simple"],
    "three": ["-n", "6", "--rules", "pagat+cutthroat+best-of=3", "--players", "easy,random,eaai-simple"],
    "given": ["-n", "40", "--rules", "race", "--players", "eaai-simple,easy", HAND],
}

BOT = """
from random import Random

from ginrummy.hand import Action
from ginrummy.kernel.spreads import spreads
from ginrummy.kernel.solver import deadwood
from ginrummy.cards import cards_in
from ginrummy.melds import arrange


class Spreader:
    '''Knocks as soon as it may, with any of its best spreads.'''

    def __init__(self):
        self.random = Random(1)

    def decide(self, view):
        if view.phase == 0:
            return Action("pass")
        if view.phase == 1:
            return Action("draw")
        kept = min((view.hand ^ 1 << card for card in cards_in(view.hand) if card != view.taken), key=deadwood)
        card = (view.hand ^ kept).bit_length() - 1
        if deadwood(kept) > view.limit:
            return Action("discard", card)
        return Action("knock", card, arrange(kept, *self.random.choice(spreads(kept))).melds)

    def observe(self, event):
        pass
"""


def record(folder: Path, *args: str) -> Path:
    """A file of recorded hands."""
    path = folder / "hands.jsonl"
    outcome = run(["simulate", "--seed", "21", "--record", str(path), *args])
    assert outcome.status == 0, outcome.stderr
    return path


def again(path: Path, *args: str) -> Outcome:
    """The hands of a file, played again."""
    return run(["simulate", "--replay", str(path), *args])


@pytest.mark.parametrize("kind", RUNS)
def test_every_recorded_hand_plays_again(kind: str, tmp_path: Path) -> None:
    path = record(tmp_path, *RUNS[kind])
    number = len(path.read_text(encoding="utf-8").splitlines())
    outcome = again(path)
    assert (outcome.status, outcome.stderr) == (0, "")
    assert outcome.stdout == f"{number} hands played again, all the same\n"
    assert json.loads(again(path, "--json").stdout) == {"schema": 1, "hands": number, "same": True}


def test_a_spread_that_a_player_chose_stands_in_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spreading_bot.py").write_text(BOT, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    args = ["--unit", "hand", "-n", "300", "--player", "module:spreading_bot:Spreader", "--player", "eaai-simple"]
    path = record(tmp_path, *args)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    chosen = [(at, line) for at, line in enumerate(lines, 1) if " with " in line["actions"][-1]]
    knockers = {line["players"][line["winner"] ^ (line["result"] == "undercut")] for _, line in chosen}
    assert knockers == {"module:spreading_bot:Spreader", "eaai-simple"}
    assert again(path).status == 0
    # Without it, the hand is laid out as by itself; with another, that one.
    for at, line in chosen[:3]:
        plain, _, spread = line["actions"][-1].partition(" with ")
        melds = spread.split(" / ")
        for other in (f"{plain} with {' / '.join(reversed(melds))}", f"{plain} with {' / '.join(melds[:-1])}"):
            lines[at - 1] = line | {"actions": [*line["actions"][:-1], other]}
            path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
            outcome = again(path)
            assert outcome.status == (0 if len(other) == len(line["actions"][-1]) else 1), outcome.stdout
        lines[at - 1] = line


# --- what was changed is found ------------------------------------------------------------------


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Some recorded games."""
    path = record(tmp_path_factory.mktemp("games"), *RUNS["games"])
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def found(lines: list[dict[str, Any]], at: int, change: Callable[[dict[str, Any]], object], folder: Path) -> str:
    """What is said of records of which one was changed."""
    lines = copy.deepcopy(lines)
    change(lines[at])
    path = folder / "changed.jsonl"
    path.write_text("# changed\n\n" + "".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    outcome = again(path)
    assert (outcome.status, outcome.stderr) == (1, "")
    told = json.loads(again(path, "--json").stdout)
    assert (told["same"], told["line"], told["hands"]) == (False, at + 3, at + 1)
    assert outcome.stdout == f"line {told['line']}, {told['where']}, {told['difference']}\n"
    assert told["where"] == f"game {lines[at]['game']}, hand {lines[at]['hand']}"
    return str(told["difference"])


def test_a_changed_action_is_found(games: list[dict[str, Any]], tmp_path: Path) -> None:
    random = Random("changed")
    for _ in range(40):
        at = random.randrange(20)
        actions = games[at]["actions"]
        move = random.randrange(len(actions))
        was = actions[move]
        other = random.choice([one for one in ("take", "pass", "draw 7S", "KD", "knock 3C", "gin", "") if one != was])
        said = found(games, at, lambda line, move=move, other=other: line["actions"].__setitem__(move, other), tmp_path)
        # Levels decide anew, so what is played is what was there before.
        assert said == f"move {move + 1}: recorded is {other}, played {was}"


def test_a_changed_card_is_found_where_it_is_drawn(games: list[dict[str, Any]], tmp_path: Path) -> None:
    at = next(at for at, line in enumerate(games) if sum("draw" in action for action in line["actions"]) > 3)
    draws = [move for move, action in enumerate(games[at]["actions"]) if action.startswith("draw ")]

    def swap(line: dict[str, Any]) -> None:
        deck = line["deck"]
        deck[21], deck[-1] = deck[-1], deck[21]

    last = games[at]["deck"][-1]
    was = games[at]["actions"][draws[0]]
    assert found(games, at, swap, tmp_path) == f"move {draws[0] + 1}: recorded is {was}, played draw {last}"


def test_a_changed_result_is_found(games: list[dict[str, Any]], tmp_path: Path) -> None:
    at = next(at for at, line in enumerate(games) if at > 10 and line["result"] == "knock")
    line = games[at]
    played = f"{line['result']} {line['points']} for seat {line['winner']}"
    for change, recorded in (
        ({"points": line["points"] + 1}, f"knock {line['points'] + 1} for seat {line['winner']}"),
        ({"result": "gin"}, f"gin {line['points']} for seat {line['winner']}"),
        ({"winner": 1 - line["winner"]}, f"knock {line['points']} for seat {1 - line['winner']}"),
        ({"winner": None, "result": "dead", "points": 0}, "dead 0 for nobody"),
    ):
        said = found(games, at, lambda line, change=change: line.update(change), tmp_path)
        assert said == f"the result: recorded is {recorded}, played {played}"


def test_a_hand_that_was_cut_or_goes_on_is_found(games: list[dict[str, Any]], tmp_path: Path) -> None:
    number = len(games[3]["actions"])
    assert found(games, 3, lambda line: line["actions"].pop(), tmp_path).endswith(", played unfinished")
    said = found(games, 3, lambda line: line["actions"].append("draw 7S"), tmp_path)
    assert said == f"move {number + 1}: recorded is draw 7S, played not possible: the hand is over"


def test_another_seed_player_or_dealer_is_found(games: list[dict[str, Any]], tmp_path: Path) -> None:
    """Not in every hand: some would have been played in the same way."""
    for change in ({"players": ["random", "random"]}, {"dealer": 1}, {"rules": "race+straight"}):
        at = next(
            at
            for at, line in enumerate(games)
            if line["dealer"] == 0 and line["result"] == "knock" and replay({**line, **change}) is not None
        )
        assert at < 20
        found(games, at, lambda line, change=change: line.update(change), tmp_path)


# --- what is no record --------------------------------------------------------------------------


def said_of(data: bytes, folder: Path, *args: str) -> Outcome:
    path = folder / "file"
    path.write_bytes(data)
    outcome = again(path, *args)
    assert "Traceback" not in outcome.stderr
    return outcome


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ""),
        (b"\n\n# nothing\n", ""),
        (b"7S 8S\n", "line 1: no record of a hand"),
        (b'"7S"\n', "line 1: no record of a hand"),
        (b"{}\n", "line 1: no record of a hand: the key 'rules' is missing"),
        (b"[]\n", ""),
        (b'{"rules":\n', "line 1: "),
        (b"\xff\xfe{\x00}\x00", "UTF-16"),
        (b"\x00\x01\x02\x80\n", "line 1: "),
        (b"{" * 100_000, "line 1: "),
    ],
)
def test_files_that_hold_no_record(data: bytes, words: str, tmp_path: Path) -> None:
    outcome = said_of(data, tmp_path)
    assert outcome.status == 2
    assert words in outcome.stderr
    assert outcome.stdout == "0 hands played again, all the same\n"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path, Path("nul\0")):
        outcome = again(path)
        assert (outcome.status, outcome.stdout) == (2, "")
        assert outcome.stderr.startswith("ginrummy simulate: --replay: ")


def test_bad_lines_are_reported_and_passed_over(games: list[dict[str, Any]], tmp_path: Path) -> None:
    good = [json.dumps(line).encode() for line in games[:4]]
    data = b"\n".join([good[0], b"oops", good[1], b"\xff", good[2], b'{"rules":1}', good[3]]) + b"\n"
    outcome = said_of(data, tmp_path)
    assert (outcome.status, outcome.stdout) == (1, "4 hands played again, all the same\n")
    assert re.findall(r"line (\d+):", outcome.stderr) == ["2", "4", "6"]
    outcome = said_of(data, tmp_path, "--strict")
    assert (outcome.status, outcome.stdout) == (1, "1 hand played again, all the same\n")
    assert re.findall(r"line (\d+):", outcome.stderr) == ["2"]


JUNK = [
    *(None, True, False, 0, 1, 2, -1, 3.5, 52, 2**63, -(2**63), 10**18, "", "7S", "easy", "classic", "\x00", "é"),
    *([], [0], [0, 1], [1, 1], [0, 1, 2], ["0", "1"], ["7S"], ["7S"] * 52, [None, None], [[0], [1]], {}, {"a": 1}),
    *([True, False], ["easy", "exec:cat"], ["knock 7S with"], ["knock 7S with 7S 8S"], ["draw"], ["x" * 999]),
]


def test_rubbish_in_a_record_never_breaks_anything(games: list[dict[str, Any]]) -> None:
    """Any value under any key: a difference or an error of the library, nothing else."""
    outcomes = set()
    for key in [*KEYS, "winner", "set", "turn", "schema"]:
        for value in JUNK:
            for line in games[:2]:
                try:
                    outcomes.add(type(replay({**line, key: value})).__name__)
                except GinRummyError:
                    outcomes.add("GinRummyError")
    assert outcomes == {"Difference", "NoneType", "GinRummyError"}


def test_nothing_is_started_that_a_record_names(games: list[dict[str, Any]], tmp_path: Path) -> None:
    mark = tmp_path / "started"
    bot = f"exec:{sys.executable} -c \"open({str(mark)!r}, 'w')\""
    assert replay({**games[0], "players": [bot, bot]}) is None
    assert replay({**games[0], "players": ["module:no_such_module:Bot"] * 2}) is None
    assert not os.path.exists(mark)
