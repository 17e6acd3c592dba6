"""The JSON Schemas that are shipped: what the program writes and reads fits them, and what it refuses does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import reference
from jsonschema import Draft202012Validator

import ginrummy
from ginrummy.cards import NAMES
from ginrummy.cli import run

FOLDER = Path(ginrummy.__file__).parent / "schemas"
KINDS = {
    "analyze-hand": ["result", "record"],
    "score": ["result", "record"],
    "simulate": ["result", "record", "hand"],
}
HAND = "3C 3D 3H 9S 10S JS KH 5D 2C AS"
KNOCKER = "7S 8S 9S KC KH KD KS AD 2C 4C"
DEFENDER = "5H 6H 7H QS QD QC 10S 2D 4D JH"


def validator(command: str, kind: str) -> Draft202012Validator:
    """What the program prints, ready to check values."""
    done = run([command, "--json-schema", kind])
    assert (done.status, done.stderr) == (0, "")
    return Draft202012Validator(json.loads(done.stdout))


def results(*args: str, stdin: bytes | None = None) -> list[Any]:
    """The objects that a run writes."""
    done = run([args[0], "--json", *args[1:]], stdin)
    assert done.status == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(("command", "kind"), [(command, kind) for command in KINDS for kind in KINDS[command]])
def test_each_is_a_schema_and_a_file(command: str, kind: str) -> None:
    """Valid by the schema of schemas; printed as it is shipped; without a kind, that of a result."""
    shipped = (FOLDER / f"{command}-{kind}.json").read_text(encoding="utf-8")
    Draft202012Validator.check_schema(json.loads(shipped))
    assert run([command, "--json-schema", kind]).stdout == shipped
    assert run([command, "--json-schema"]).stdout == (FOLDER / f"{command}-result.json").read_text(encoding="utf-8")
    assert run([command, "--json-schema", "nonsense"]).status == 2


def test_no_other_file_is_shipped() -> None:
    """Each of them can be printed."""
    assert {path.name for path in FOLDER.iterdir()} == {
        f"{command}-{kind}.json" for command, kinds in KINDS.items() for kind in kinds
    }


def analysis_runs() -> Iterator[list[Any]]:
    """Hands of both sizes under several rules, with everything that can be asked for."""
    random = Random("schema")
    for number in range(30):
        size = (10, 11, 10, 5)[number % 4]
        hand = [NAMES[card] for card in reference.rich_hand(random, size)]
        rest = [name for name in NAMES if name not in hand]
        random.shuffle(rest)
        options = ["--partial", "--all", "--rules", random.choice(["classic", "race", "oklahoma", "+straight"])]
        if size < 11:
            options += ["--pile-top", rest[0]]
        yield results("analyze-hand", *options, "--upcard", rest[1], "--seen", " ".join(rest[1:4]), *hand)
    yield results("analyze-hand", "--against", "456S / QSHD", "--set", "gin_bonus=20", HAND)
    yield results("analyze-hand", "--rules", "oklahoma", HAND)
    yield results("analyze-hand", stdin=f"{HAND}\n{HAND}\n".encode())
    yield results("analyze-hand", "--rules", "race", "789S KSHD A2345H")
    everything = " ".join(name for name in NAMES if name not in HAND.split())
    yield results("analyze-hand", "--seen", everything, HAND)


SHEETS = {
    "classic": "Anna knock 7 16\ndead\nAnna 9\nBen gin 80",
    "+hollywood": "Anna 100\nAnna 100\nBen 100",
    "+cutthroat": "Anna 9\nBen 9\nCem 120",
    "+best-of=3": "Anna 100\nBen 100\nAnna 100",
    "race": "Anna big-gin 30\nBen knock 7 6",
}


def score_runs() -> Iterator[list[Any]]:
    """Hands and sheets of every kind."""
    yield results("score", KNOCKER, DEFENDER)
    yield results("score", stdin=f"{KNOCKER} / {DEFENDER}".encode())
    yield results("score", "--rules", "race", "--big-gin", "789S KSHD A2345H", "456S QSHD JSHD 10C")
    for rules, sheet in SHEETS.items():
        yield results("score", "--rules", rules, "--sheet", "-", stdin=sheet.encode())
        yield results("score", "--rules", rules, stdin=json.dumps({"hands": sheet.splitlines()}).encode())
    teams = ["--rules", "+partnership", "--teams", "Anna+Cem,Ben+Dora", "--sheet", "-"]
    yield results("score", *teams, stdin=b"Anna 9 / dead\nBen gin 90 / Cem knock 3 5")
    yield results("score", "--rules", "romme", stdin=json.dumps({"totals": TOTALS}).encode())


TOTALS = {"Anna": {"points": 104, "hands_won": 5}, "Ben": {"points": 62, "hands_won": 3}}


def simulation_runs() -> Iterator[list[Any]]:
    """Games, hands, given hands."""
    yield results("simulate", "-n", "4", "--seed", "1", "--players", "easy,random")
    yield results(
        "simulate", "-n", "3", "--unit", "hand", "--no-mirror", "--rules", "race+oklahoma", "--players", "easy,easy"
    )
    yield results("simulate", "-n", "2", "--players", "easy,easy,random", "--rules", "+cutthroat")
    given = {"hand": KNOCKER, "opponent": DEFENDER.replace("10S", "10C"), "upcard": "AS", "dealer": "first"}
    yield results("simulate", "-n", "2", "--players", "easy,easy", "-", stdin=json.dumps(given).encode())


@pytest.mark.parametrize(
    ("command", "runs"), [("analyze-hand", analysis_runs), ("score", score_runs), ("simulate", simulation_runs)]
)
def test_results_fit(command: str, runs: Any) -> None:
    """All of them; and every key that is written is one that the schema knows."""
    schema = validator(command, "result")
    written: set[str] = set()
    for found in runs():
        for result in found:
            schema.validate(result)
            written |= set(result)
    known = json.dumps(schema.schema)
    assert [key for key in written if f'"{key}"' not in known] == []


def test_recorded_hands_fit(tmp_path: Path) -> None:
    """As --record writes them."""
    schema = validator("simulate", "hand")
    file = tmp_path / "hands.jsonl"
    results("simulate", "-n", "4", "--seed", "3", "--players", "easy,random", "--rules", "race", "--record", str(file))
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines
    for line in lines:
        schema.validate(json.loads(line))


GOOD: dict[str, list[Any]] = {
    "analyze-hand": [
        HAND,
        HAND.split(),
        {"hand": HAND},
        [HAND, {"hand": HAND.split(), "upcard": None}],
        {"hand": HAND, "stock": "12", "all": True, "seen": ["4D"], "set": {"gin_bonus": 20}, "target": 150},
        {"hand": HAND, "against": [["4S", "5S", "6S"], "QS QH QD"], "set": ["big_gin_bonus=none"]},
    ],
    "score": [
        f"{KNOCKER} / {DEFENDER}",
        {"knocker": KNOCKER, "defender": DEFENDER.split(), "rules": "romme", "big_gin": False},
        {"hands": SHEETS["classic"].splitlines()},
        {"hands": [{"winner": "Anna", "points": 9}, {"dead": True}], "players": ["Anna", "Ben"]},
        {"hands": [{"knocker": "A", "gin": True, "opponent_deadwood": 30}], "players": "A,B", "dealer": "B"},
        {"hands": [{"knocker": "A", "hand": KNOCKER, "opponent_hand": DEFENDER}], "players": "A,B"},
        {"totals": TOTALS, "rules": "romme"},
        {
            "rules": "+partnership",
            "teams": [["A", "C"], ["B", "D"]],
            "hands": ["A 9 / dead", {"tables": [{"winner": "A", "points": 1}, {"dead": True}]}],
        },
    ],
    "simulate": [HAND, HAND.split(), {"hand": HAND, "dealer": "second"}, {"hand": HAND, "opponent": ["4S", "5S", "6S", "7H", "8H", "9H", "JC", "QC", "KC", "2D"], "upcard": "4D"}],
}  # fmt: skip

BAD: dict[str, list[Any]] = {
    "analyze-hand": [
        7,
        None,
        {},
        {"hand": 7},
        {"hand": HAND, "hnad": 1},
        {"hand": HAND, "stock": 32},
        {"hand": HAND, "all": 1},
        {"hand": HAND, "upcard": ["4D"]},
        [{"seen": "4D"}],
    ],
    "score": [
        7,
        {},
        {"knocker": KNOCKER},
        {"knocker": KNOCKER, "defender": DEFENDER, "dealer": "A"},
        {"hands": [7]},
        {"hands": ["A 9"], "upcard": "4D"},
        {"totals": {"A": {"points": 1}}},
        {"hands": {"A": 9}},
    ],
    "simulate": [7, {}, {"hand": HAND, "dealer": "north"}, {"hand": HAND, "seen": "4D"}],
}


@pytest.mark.parametrize("command", KINDS)
def test_what_is_read_fits_and_what_is_refused_does_not(command: str) -> None:
    """Records of every form, with the program as the judge."""
    schema = validator(command, "record")
    options = ["-n", "2", "--players", "easy,easy", "-"] if command == "simulate" else []
    for value in GOOD[command]:
        schema.validate(value)
        done = run([command, "--json", *options], json.dumps(value).encode())
        assert done.status == 0, (value, done.stderr)
    for value in BAD[command]:
        assert not schema.is_valid(value), value
        assert run([command, "--json", *options], json.dumps(value).encode()).status == 2, value
