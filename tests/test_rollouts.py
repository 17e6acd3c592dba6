"""``analyze-hand --rollouts``: the same as simulating from the same position, and the same for the same seed."""

import json
from typing import Any

import pytest

from ginrummy.cli import run
from ginrummy.kernel import compiled
from ginrummy.notation import parse_card, parse_cards
from ginrummy.rollouts import position, roll_out
from ginrummy.rules import load_rules

TEN = "7S 8S 9S KC KH KD AS 2D 5C JH"
ELEVEN = "789s KSHDC AD 2C 4C 9H"
MANY = 6000 if compiled else 60


def analyzed(*args: str) -> dict[str, Any]:
    outcome = run(["analyze-hand", "--json", *args])
    assert outcome.status == 0, outcome.stderr
    found: dict[str, Any] = json.loads(outcome.stdout)
    return found


def test_equity_agrees_with_simulate_from_the_same_position() -> None:
    """The upcard on offer to the non-dealer: the better of both answers against whole hands of ``hard``."""
    rules = load_rules("race")
    view = position(int(parse_cards(TEN)), rules, upcard=parse_card("3D"), pile_top=parse_card("3D"))
    best = roll_out(view, MANY, 1)[0]
    record = json.dumps({"hand": TEN, "upcard": "3D", "dealer": "second"}).encode()
    args = ["simulate", "-n", str(MANY), "--players", "hard,hard", "--rules", "race", "--seed", "4", "--json", "-"]
    result = json.loads(run(args, record).stdout)
    error = (best.points_stderr**2 + result["points_stderr"] ** 2) ** 0.5
    assert abs(best.points - result["points_per_hand"]) < 4 * error


def test_choices_of_eleven_cards() -> None:
    found = analyzed("--rollouts", "200", "--seed", "1", "--score", "40-62", ELEVEN)
    choices = found["choices"]
    assert choices[0]["action"] == "knock"
    assert choices[0]["behind"] == 0
    assert [choice["equity"] for choice in choices] == sorted((c["equity"] for c in choices), reverse=True)
    thrown = {choice["card"]: choice["equity"] for choice in choices if choice["action"] == "discard"}
    assert {each["card"]: each["equity"] for each in found["discards"] if "equity" in each} == thrown
    assert len(thrown) >= 4
    assert all(0 < choice["win_chance"] < 1 for choice in choices)
    assert (found["rollouts"], found["seed"]) == (200, 1)


def test_the_score_moves_the_chance_but_not_the_points() -> None:
    ahead, behind = (analyzed("--rollouts", "60", "--seed", "1", "--score", s, ELEVEN) for s in ("80-10", "10-80"))
    assert ahead["choices"][0]["win_chance"] > behind["choices"][0]["win_chance"] + 0.2


def test_the_same_seed_gives_the_same_bytes_in_any_number_of_processes() -> None:
    records = "\n".join([ELEVEN, TEN] * 3).encode()
    args = ["analyze-hand", "--json", "--rollouts", "20", "--seed", "7"]
    one, two = run(args, records), run([*args, "--jobs", "2"], records)
    assert (one.status, one.stderr) == (0, "")
    assert one.stdout == two.stdout


def test_a_seed_is_drawn_and_shown() -> None:
    found = analyzed("--rollouts", "5", ELEVEN)
    assert analyzed("--rollouts", "5", "--seed", str(found["seed"]), ELEVEN) == found


def test_text_is_short_and_names_the_seed() -> None:
    outcome = run(["analyze-hand", "--rollouts", "50", "--seed", "1", ELEVEN])
    assert "Played out 50 times each, seed 1" in outcome.stdout
    assert len(outcome.stdout.splitlines()) <= 20
    assert "  knock 9♥: +" in outcome.stdout


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--partial", "7H"], "10 cards, before drawing, or 11"),
        (["--score", "100-3", TEN], "ends a game to 100"),
        (["--score", "x", TEN], "40-62"),
        (["--turn", "0", TEN], "from 1 to 100"),
        (["--rules", "oklahoma", TEN], "--upcard"),
    ],
)
def test_what_cannot_be_played_out(args: list[str], says: str) -> None:
    outcome = run(["analyze-hand", "--rollouts", "5", *args])
    assert (outcome.status, outcome.stdout) == (2, "")
    assert says in outcome.stderr
