"""``simulate HAND``: a hand that is given is played out many times, from an argument or from records."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ginrummy.cli import Outcome, run

HAND = "7S 8S 9S KC KH KD AS 2D 5C JH"
CARDS = ["AS", "7S", "8S", "9S", "JH", "KH", "2D", "KD", "5C", "KC"]
OTHER = "7H 8H 9H QS QD QC 10S 2S 4D JD"


def simulate(*args: str, stdin: bytes | None = None) -> Outcome:
    """A run of a few hands."""
    return run(["simulate", "-n", "8", "--seed", "3", "--players", "easy,eaai-simple", *args], stdin)


def played(folder: Path, *args: str, stdin: bytes | None = None) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The results and the recorded hands of a run."""
    file = folder / "hands.jsonl"
    file.unlink(missing_ok=True)
    outcome = simulate("--json", "--record", str(file), *args, stdin=stdin)
    assert outcome.status == 0, outcome.stderr
    lines = file.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in outcome.stdout.splitlines()], [json.loads(line) for line in lines]


def held(hand: dict[str, Any], seat: int) -> set[str]:
    """The ten cards dealt to a seat."""
    first = 0 if seat != hand["dealer"] else 1
    return set(hand["deck"][first:20:2])


def test_a_hand_in_arguments(tmp_path: Path) -> None:
    (result,), hands = played(tmp_path, "-n", "50", HAND)
    assert result["hand"] == CARDS
    assert (result["unit"], result["games"], result["hands"], result["mirror"]) == ("hand", 50, 50, False)
    assert not {"line", "opponent", "upcard", "dealer"} & result.keys()
    assert len(hands) == 50
    assert all(held(hand, 0) == set(CARDS) for hand in hands)
    assert all(hand["players"] == ["easy", "eaai-simple"] for hand in hands)
    # The dealer alternates, and all else is dealt anew, evenly enough.
    assert [hand["dealer"] for hand in hands] == [0, 1] * 25
    assert len({hand["deck"][20] for hand in hands}) > 20
    assert len({tuple(hand["deck"]) for hand in hands}) == 50
    theirs = Counter(card for hand in hands for card in held(hand, 1))
    assert set(theirs).isdisjoint(CARDS)
    assert len(theirs) == 42
    assert max(theirs.values()) < 25
    # Cards as several arguments, in any spelling, are the same hand.
    assert played(tmp_path, "-n", "50", "789s", "kCkHkD", "As", "2D", "5c-JH")[0] == [result]


def test_how_good_a_hand_is_depends_on_the_hand() -> None:
    rates = []
    for hand in (HAND, "2S 4H 6D 8C 10S QH KD AC 5S 7H"):
        outcome = simulate("-n", "400", "--json", hand)
        rates.append(json.loads(outcome.stdout)["win_rate"])
    assert rates[0] > 0.8 > 0.5 > rates[1]


def test_records_with_all_that_can_be_given(tmp_path: Path) -> None:
    record = {"hand": HAND, "opponent": OTHER.split(), "upcard": "3C", "dealer": "second"}
    (result,), hands = played(tmp_path, "-", stdin=json.dumps(record).encode())
    assert result["line"] == 1
    assert (set(result["opponent"]), result["upcard"], result["dealer"]) == (set(OTHER.split()), "3C", "second")
    for hand in hands:
        assert (held(hand, 0), held(hand, 1)) == (set(CARDS), set(OTHER.split()))
        assert (hand["deck"][20], hand["dealer"]) == ("3C", 1)
    assert len({tuple(hand["deck"]) for hand in hands}) == 8
    (result,), hands = played(tmp_path, "-", stdin=json.dumps({"hand": HAND, "dealer": "first"}).encode())
    assert {hand["dealer"] for hand in hands} == {0}
    # What is null is not given.
    (result,), _ = played(tmp_path, "-", stdin=json.dumps({"hand": HAND, "upcard": None, "dealer": None}).encode())
    assert "upcard" not in result


def test_records_of_all_forms_and_rules_of_their_own(tmp_path: Path) -> None:
    records = [
        "# three times the same hand",
        HAND,
        json.dumps(CARDS),
        json.dumps({"hand": CARDS}),
        json.dumps({"hand": HAND, "rules": "romme", "set": {"gin_bonus": 40}, "target": 50}),
        json.dumps({"hand": HAND, "rules": "race+cutthroat"}),
    ]
    results, hands = played(tmp_path, "-", stdin="\n".join(records).encode())
    assert [result["line"] for result in results] == [2, 3, 4, 5, 6]
    assert len(hands) == 5 * 8
    for result in results[:3]:
        assert {**result, "line": 2} == results[0]
    assert (results[3]["rules"], results[3]["set"]) == ("romme", {"gin_bonus": 40, "target": 50})
    # Single hands are played by two, whoever would sit out.
    assert results[4]["rules"] == "race+cutthroat"


def test_the_forms_of_output() -> None:
    stdin = f"{HAND}\n{OTHER}\n".encode()
    rows = simulate("--format", "csv", "-", stdin=stdin).stdout.splitlines()
    assert len(rows) == 3
    assert rows[0].startswith("schema,line,rules,seed,unit,games")
    assert [row.split(",")[1] for row in rows[1:]] == ["1", "2"]
    text = simulate("-", stdin=stdin).stdout
    assert text.count("8 hands, rules classic, seed 3") == 2
    assert "mirrored" not in text


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["7S 8S"], "2 cards: a hand has 10"),
        (["7S"], "1 card: a hand has 10"),
        ([HAND, "3C"], "11 cards: a hand has 10"),
        (["7S 8S 9S KC KH KD AS 2D 5C 7S"], "7S"),
        (["7S 8S 9S KC KH KD AS 2D 5C"], "9 cards: a hand has 10"),
        (["seven of spades"], "position 1"),
        ([HAND, "--players", "easy,easy,easy"], "3 players: a hand is played out between two"),
        ([HAND, "--rules", "chicago"], "unknown rules 'chicago'"),
        ([""], "0 cards: a hand has 10"),
    ],
)
def test_wrong_hands_in_arguments(args: list[str], words: str) -> None:
    outcome = simulate(*args)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert words in outcome.stderr


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"hand": "7S 8S"}, "2 cards: a hand has 10"),
        ({"opponent": OTHER}, 'no hand: the key "hand" is missing'),
        ({"hand": HAND, "opponent": "7H"}, "opponent: 1 card: a hand has 10"),
        ({"hand": HAND, "opponent": HAND}, "in hand and in opponent: each card is in one place"),
        ({"hand": HAND, "upcard": "7S"}, "7S in hand and in upcard"),
        ({"hand": HAND, "opponent": OTHER, "upcard": "10S"}, "10S in opponent and in upcard"),
        ({"hand": HAND, "upcard": "7S 8S"}, "upcard: '7S 8S': 2 cards, one is wanted"),
        ({"hand": HAND, "dealer": "third"}, "dealer: 'third': allowed is first or second"),
        ({"hand": HAND, "dealer": 1}, "dealer: 1: allowed is first or second"),
        ({"hand": HAND, "seed": 1}, "unknown key 'seed': the keys are hand, opponent, upcard, dealer, rules"),
        ({"hand": HAND, "rules": "chicago"}, "unknown rules 'chicago'"),
        ({"hand": 7}, "hand: 7"),
        (7, "7"),
    ],
)
def test_wrong_records_are_reported_and_the_others_answered(record: object, words: str) -> None:
    stdin = f"{HAND}\n{json.dumps(record)}\n{OTHER}\n".encode()
    outcome = simulate("--json", "-", stdin=stdin)
    assert outcome.status == 1
    assert [json.loads(line)["line"] for line in outcome.stdout.splitlines()] == [1, 3]
    (problem,) = [line for line in outcome.stderr.splitlines() if line.startswith("ginrummy simulate: ")]
    assert re.match(r"ginrummy simulate: line 2(?:, column \d+)?: ", problem)
    assert words in problem
    outcome = simulate("--json", "--strict", "-", stdin=stdin)
    assert outcome.status == 1
    assert [json.loads(line)["line"] for line in outcome.stdout.splitlines()] == [1]


def test_standard_input_is_read_only_when_asked_for() -> None:
    assert json.loads(simulate("--json", stdin=f"{OTHER}\n".encode()).stdout)["unit"] == "game"
    outcome = simulate("-", stdin=b"")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "nothing on standard input" in outcome.stderr


@pytest.mark.parametrize("stdin", [None, f"{HAND}\n{OTHER}\n".encode()])
def test_a_player_that_fails_ends_the_run(stdin: bytes | None) -> None:
    """With status 1, whatever else might be answered."""
    outcome = run(
        ["simulate", "-n", "8", "--seed", "3", "--player", "exec:false", "--player", "easy", "-" if stdin else HAND],
        stdin,
    )
    assert (outcome.status, outcome.stdout) == (1, "")
    assert outcome.stderr == ("ginrummy simulate: player 'exec:false': exited with status 1 (game 0, hand 0, seed 3)\n")


def test_a_result_is_written_before_the_next_record_is_waited_for() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ginrummy", "simulate", "-n", "8", "--players", "easy,easy", "--json", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for number in (1, 2):
        process.stdin.write(f"{HAND}\n".encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["line"] == number
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130


def test_an_interrupt_while_records_are_answered_shows_the_partial_result() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ginrummy", "simulate", "-n", "100000000", "--players", "easy,easy", "--json", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(f"{HAND}\n{OTHER}\n".encode())
    process.stdin.flush()
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    (result,) = map(json.loads, out.splitlines())
    assert (result["line"], result["partial"]) == (1, True)
    assert b"Traceback" not in err
