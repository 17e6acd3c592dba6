"""Whatever comes in, a command ends with a status of its own: no traceback, no half answer, no message without end.

A small budget by default. For hours:

    GINRUMMY_FUZZ=120 pytest tests/test_fuzz.py

gives the number of minutes; hypothesis shows what it finds in its smallest form, with the line that repeats it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from ginrummy.cards import NAMES
from ginrummy.cli import Outcome, run
from ginrummy.cli.analyze_hand import READERS as ANALYSIS_KEYS
from ginrummy.cli.score import READERS as SCORE_KEYS
from ginrummy.cli.status import Status

MINUTES = float(os.environ.get("GINRUMMY_FUZZ", "0"))
EXAMPLES = 25
"""In the small budget, for each target."""

HAND_KEYS = ("winner", "points", "knocker", "deadwood", "opponent_deadwood", "gin", "big_gin", "dead", "hand", "double")
KEYS = sorted({*ANALYSIS_KEYS, *SCORE_KEYS, *HAND_KEYS, "rules", "set", "target", "dealer", "opponent_hand", "tables"})

# --- what comes in ------------------------------------------------------------------------------

cards = st.sampled_from(NAMES)
strange = st.sampled_from(
    [
        "7",
        "s7",
        "♠",
        "♠789",
        "789s",
        "5hdc",
        "DD",
        "🂡",
        "🃏",
        "joker",
        "С7",
        "\ufe0f",
        "10 h",
        "7-9s",
        "1S",
        "0",
        "\x00",
        "/",
        ",",
        "·",
        "\u2028",
        "\x85",
        "\x1b[31m",
        "\ud800",
        "#",
        "-",
        "dead",
        "Anna",
        "upcard=6S",
        "*",
        "knock",
        "",
        "",
    ]
)
hands = st.lists(cards, min_size=10, max_size=11, unique=True)
words = st.one_of(cards, strange, st.text(max_size=6), st.integers(-2, 200).map(str))
rules = st.sampled_from(
    [
        "classic",
        "romme",
        "oklahoma",
        "race",
        "duel",
        "quick+straight",
        "+hollywood",
        "+partnership",
        "+cutthroat",
        "+best-of=3",
        "+spades",
        "nobody",
        "+",
        "list",
        "/dev/null",
        "classic+classic",
    ]
)
texts = st.one_of(
    hands.map(" ".join),
    st.tuples(hands, hands).map(lambda two: " ".join(two[0]) + " / " + " ".join(two[1])),
    st.lists(words, max_size=14).map(" ".join),
    st.text(max_size=40),
)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-1, 40), st.floats(), texts, cards, rules, st.just(10**400)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=5), inner, max_size=5),
    max_leaves=12,
)  # fmt: skip
good = st.fixed_dictionaries(
    {},
    optional={
        "hand": hands,
        "knocker": hands,
        "defender": hands,
        "hands": st.lists(
            st.fixed_dictionaries({"winner": st.sampled_from(["A", "B"]), "points": st.integers(0, 99)}), max_size=9
        ),
        "upcard": cards,
        "pile_top": cards,
        "seen": st.lists(cards, max_size=5, unique=True),
        "opponent": st.lists(cards, max_size=3, unique=True),
        "against": st.lists(st.lists(cards, min_size=3, max_size=4), max_size=3),
        "all": st.booleans(),
        "partial": st.booleans(),
        "rules": rules,
        "dealer": st.sampled_from(["first", "second", "A"]),
    },
)
with_surprises = st.tuples(good, st.dictionaries(st.sampled_from(KEYS), values, max_size=2)).map(
    lambda two: two[0] | two[1]
)


def as_json(value: Any, indent: int | None) -> str:
    """A value as some program may write it, NaN and numbers of any length included."""
    with suppress(ValueError):
        return json.dumps(value, indent=indent, ensure_ascii=indent is None)
    return "[" + "9" * 5000 + "]"  # Python writes no number of so many digits


json_texts = st.builds(as_json, values | with_surprises | good, st.sampled_from([None, None, 1]))
bad_json = st.tuples(
    json_texts, st.integers(0, 400), st.sampled_from(["", "}", '"', ",", "[", "\n", "\n  ", "\x00"])
).map(lambda three: three[0][: three[1]] + three[2] + three[0][three[1] + 1 :])
lines = st.lists(json_texts | bad_json | texts | good.map(json.dumps), max_size=6)
ends = st.sampled_from(["\n", "\r\n", "\n\n", "\n# note\n"])
streams = st.one_of(
    st.tuples(lines, ends).map(lambda two: two[1].join(two[0]).encode("utf-8", "surrogatepass")),
    st.tuples(lines, st.binary(max_size=8)).map(
        lambda two: two[1].join(line.encode("utf-8", "surrogatepass") for line in two[0])
    ),
    st.binary(max_size=300),
)

options = st.lists(
    st.one_of(
        st.sampled_from(["--json", "--strict", "--all", "--partial", "--big-gin", "--show-rules", "--help", "-"]).map(
            lambda flag: [flag]
        ),
        st.tuples(st.just("--rules"), rules).map(list),
        st.tuples(st.just("--set"), st.sampled_from(["gin_bonus=20", "knock_limit=0", "best_of=2", "x=1", "="])).map(list),
        st.tuples(st.sampled_from(["--upcard", "--pile-top", "--seen", "--opponent", "--taken"]), words).map(list),
        st.tuples(st.sampled_from(["--stock", "--target", "--jobs", "-n", "--seed"]), st.sampled_from(["1", "0", "x", ""])).map(list),
        st.tuples(st.sampled_from(["--against", "--knocker-melds", "--defender-melds"]), texts).map(list),
        st.tuples(st.sampled_from(["--names", "--teams", "--dealer"]), texts).map(list),
        st.tuples(st.sampled_from(["--sheet", "--replay"]), st.sampled_from(["-", "", "none.txt", ".", "/dev/null"])).map(list),
        st.tuples(st.just("--format"), st.sampled_from(["text", "json", "csv", "xml"])).map(list),
        st.tuples(st.just("--cards"), st.sampled_from(["auto", "unicode", "ascii"])).map(list),
        st.tuples(st.just("--players"), st.sampled_from(["easy,easy", "random,easy,normal", "easy", "nobody,easy", ","])).map(list),
        st.lists(words, max_size=3),
    ),
    max_size=4,
).map(lambda groups: [word for group in groups for word in group])  # fmt: skip

session = st.lists(
    st.sampled_from(["draw", "take", "pass", "knock", "help", "hand", "hint", "quit", "1", "yes", "no", ""])
    | words
    | texts,
    max_size=12,
).map(lambda typed: "\n".join(typed).encode("utf-8", "surrogatepass"))

# --- what must come out -------------------------------------------------------------------------


def check(args: list[str], stdin: bytes | None) -> Outcome:
    """Run a command line; nothing that is written or returned may look like an accident."""
    done = run(args, stdin)
    assert done.status in tuple(Status), done.status
    assert "Traceback" not in done.stderr
    assert "\x00" not in done.stderr
    for line in done.stderr.split("\n"):
        assert len(line) < 1500, "a message is not as long as the input"
    if done.status == 0 and stdin is not None and "analyze-hand" in args:
        assert not done.stderr
    return done


def check_records(command: str, form: str, extra: list[str], stdin: bytes) -> None:
    """Records piped in: JSON results are objects with a line, in order."""
    done = check([command, "--format", form, *extra], stdin)
    if form == "json":
        places = [json.loads(line)["line"] for line in done.stdout.split("\n") if line]
        assert places == sorted(places)


TARGETS: dict[str, tuple[Callable[..., object], tuple[st.SearchStrategy[Any], ...]]] = {
    "analyze-hand, records": (
        lambda form, stdin: check_records("analyze-hand", form, [], stdin),
        (st.sampled_from(["json", "text", "csv"]), streams),
    ),
    "analyze-hand, partial records": (
        lambda stdin: check_records("analyze-hand", "json", ["--partial", "--rules", "race+oklahoma", "--all"], stdin),
        (streams,),
    ),
    "score, records": (
        lambda form, stdin: check_records("score", form, [], stdin),
        (st.sampled_from(["json", "text"]), streams),
    ),
    "score, sheets": (
        lambda chosen, stdin: check(["score", "--rules", chosen, "--sheet", "-"], stdin),
        (rules, streams),
    ),
    "simulate, records": (
        lambda stdin: check_records("simulate", "json", ["-n", "2", "--players", "easy,random", "-"], stdin),
        (streams,),
    ),
    "analyze-hand, arguments": (
        lambda args, stdin: check(["analyze-hand", *args], stdin),
        (options, st.none() | streams),
    ),
    "score, arguments": (lambda args, stdin: check(["score", *args], stdin), (options, st.none() | streams)),
    "simulate, arguments": (
        lambda args, stdin: check(["simulate", "-n", "2", *args], stdin),
        (options, st.none() | streams),
    ),
    "play": (
        lambda chosen, stdin: check(["play", "--rules", chosen, "--seed", "1", "--delay", "0"], stdin),
        (rules, session),
    ),
}


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_that_comes_in_is_an_accident(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every target for its share of the budget."""
    monkeypatch.chdir(tmp_path)
    for variable in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    target, strategies = TARGETS[name]
    until = time.monotonic() + 60 * MINUTES / len(TARGETS)

    @settings(
        max_examples=500 if MINUTES else EXAMPLES,
        deadline=None,
        database=None,
        derandomize=not MINUTES,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.tuples(*strategies))
    def explore(given: tuple[Any, ...]) -> None:
        target(*given)

    while True:
        # A new seed each time: hypothesis remembers all it has tried within one run.
        (seed(SystemRandom().getrandbits(64))(explore) if MINUTES else explore)()
        if time.monotonic() >= until:
            break


CASES: dict[str, tuple[list[str], bytes]] = {
    "a number out of range with a NUL behind it": (["analyze-hand", "--json"], b"[10000000000000000000\x000]"),
    "the same inside an object": (["simulate", "-n", "2", "-"], b'{"against": [10000000000000000000\x000]}'),
    "a name with a NUL that might want quotes": (["score", "--sheet", "-"], b"0 \x00 0"),
}
"""What was found, each in its smallest form."""


@pytest.mark.parametrize("case", CASES)
def test_what_was_found_stays_mended(case: str) -> None:
    """A message and a status."""
    done = check(*CASES[case])
    assert done.status == Status.USAGE
    assert "line 1" in done.stderr
