"""Faults that were there once, each with the input that showed it."""

import io
import json
import subprocess
import sys
from pathlib import Path

import click
import pytest

from ginrummy import Cards, Meld, analyze, load_rules, parse_cards, score_knock
from ginrummy.cli import Outcome, run
from ginrummy.cli.main import run_with
from ginrummy.cli.options import _cached_rules
from ginrummy.cli.streams import Streams
from ginrummy.errors import ImpossibleError, RulesError, UnreadableError
from ginrummy.kernel import contest
from ginrummy.render import simulation_text
from ginrummy.simulation import Plan, SimulationResult, Tally

HAND = "3C 3D 3H 9S 10S JS KH 5D 2C AS"


def analysed(text: str | bytes, *options: str) -> Outcome:
    return run(["analyze-hand", "--json", *options], text if isinstance(text, bytes) else text.encode())


def lines_of(outcome: Outcome) -> list[int]:
    return [json.loads(line)["line"] for line in outcome.stdout.splitlines()]


@pytest.mark.parametrize("seed", [9_999_999_999, 2**63 - 1])
def test_a_seed_of_any_length_that_is_shown_is_taken(seed: int) -> None:
    outcome = run(["simulate", "-n", "2", "--json", "--seed", str(seed)])
    assert (outcome.status, json.loads(outcome.stdout)["seed"]) == (0, seed)


def test_a_seed_too_large_is_refused() -> None:
    assert run(["simulate", "-n", "2", "--seed", str(2**63)]).status == 2


@pytest.mark.parametrize("args", [["foo"], ["analyze-hand", "--nope"], ["analyze-hand", "--upcard"], []])
def test_usage_errors_do_not_hang_on_the_version_of_click(args: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(click.exceptions, "NoArgsIsHelpError", raising=False)  # as in click 8.1
    outcome = run(args)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert outcome.stderr


@pytest.mark.parametrize(
    "melds",
    [
        [Meld("set", Cards("7S 7H 7D")), Meld("run", Cards("7S 8S 9S")), Meld("run", Cards("AS 2S 3S"))],
        [Meld("set", Cards("7S 7H 7D 8S 9S AS 2S 3S"))],
    ],
)
def test_a_spread_of_meld_objects_that_is_none_is_refused(melds: list[Meld]) -> None:
    knocker = parse_cards("7S 7H 7D 8S 9S AS 2S 3S 4H 5H")
    defender = parse_cards("KS KH QD QC JS 10D 9C 8C 6C 4C")
    with pytest.raises((ImpossibleError, UnreadableError)):
        score_knock(knocker, defender, load_rules(), knocker_melds=melds)


def test_an_indented_hand_after_a_bad_line_of_json_is_answered() -> None:
    outcome = analysed(f'{{"hand":"{HAND}","hand":"{HAND}"}}\n  {HAND}\n')
    assert (outcome.status, lines_of(outcome)) == (1, [2])


def test_what_follows_a_line_that_is_not_utf8_in_a_value_is_passed_over() -> None:
    outcome = analysed(b'{\n  "hand": "\xff",\n  "all": true\n}\n' + HAND.encode())
    assert (outcome.status, lines_of(outcome)) == (1, [5])
    assert [line.split(": ")[1] for line in outcome.stderr.splitlines()] == ["line 1", "line 2, column 12"]


def test_a_key_twice_among_very_many_is_found_at_once() -> None:
    keys = ",".join(f'"k{n}":1' for n in range(200_000))
    assert "'k199999' twice" in analysed(f'{{{keys},"k199999":1}}\n').stderr


def test_a_bad_key_in_a_table_of_a_rules_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("target = 50\n[more]\ngin_bonus = 20\n")
    with pytest.raises(RulesError, match=r"line 2: unknown key 'more'"):
        load_rules(str(path))


@pytest.mark.skipif(sys.platform == "win32", reason="has no /dev/zero")
def test_a_rules_file_without_end_is_refused() -> None:
    with pytest.raises(RulesError, match="no rules file"):
        load_rules("/dev/zero")


def test_no_value_is_called_none_where_it_may_not_be() -> None:
    with pytest.raises(RulesError, match="target is none: "):
        load_rules(settings={"target": None})


@pytest.mark.parametrize("extra", ["", ',"set":{"hints":true}'])
def test_a_bad_target_is_named_whatever_else_is_set(extra: str) -> None:
    assert "line 1: target: 'x': " in analysed(f'{{"hand":"{HAND}","target":"x"{extra}}}').stderr


@pytest.mark.parametrize("settings", ['""', "0", "false"])
def test_an_empty_value_that_is_no_object_is_no_settings(settings: str) -> None:
    assert analysed(f'{{"hand":"{HAND}","set":{settings}}}').status == 2


def test_rules_of_many_records_are_not_all_kept() -> None:
    records = "".join(f'{{"hand":"{HAND}","target":{n}}}\n' for n in range(1, 600))
    assert analysed(records).status == 0
    assert _cached_rules.cache_info().currsize <= 256


def test_the_last_row_of_the_histogram_is_open_above() -> None:
    tally = [0] * contest.SIZE
    tally[contest.GAMES] = tally[contest.HANDS] = tally[contest.WINS] = tally[contest.GROUPS] = 1
    tally[contest.HISTOGRAM + 2 * contest.BINS - 1] = 1
    plan = Plan(load_rules(), ("easy", "easy"), 1, 1, "hand", mirror=False)
    text = simulation_text(SimulationResult(plan, Tally.from_kernel(tally)))
    assert text[-1].split()[0] == f"{10 * (contest.BINS - 1)}+"
    assert text[-2].split()[0].count("-") == 1


def test_card_numbers_that_are_none_are_refused() -> None:
    hand = parse_cards(HAND)
    for options in ({"upcard": 99}, {"pile_top": -1}, {"taken": 60}, {"seen": 1 << 60}, {"opponent": -1}):
        with pytest.raises(ImpossibleError):
            analyze(hand, load_rules(), **options)
    knocker, defender = parse_cards("789S KSHDC AD 24C"), parse_cards("567H QSDC 10S 24D JH")
    with pytest.raises(ImpossibleError):
        score_knock(knocker, defender, load_rules("oklahoma"), upcard=99)
    assert -1 not in hand
    assert 99 not in hand


def test_no_rank_that_has_a_suit_is_said_to_have_none() -> None:
    with pytest.raises(UnreadableError, match="not clear: put blanks"):
        parse_cards("5hdc7s")
    with pytest.raises(UnreadableError, match="8 has no suit of its own"):
        parse_cards("7s8")


def test_symbols_are_read_where_the_locale_knows_only_ascii() -> None:
    apart = "♠3 4♠ 5s".encode().decode("ascii", "surrogateescape")
    assert parse_cards(apart) == Cards("3S 4S 5S")
    with pytest.raises(UnreadableError, match="at position 4: byte 0xFF is not UTF-8"):
        parse_cards("3S \udcff")


def test_symbols_in_an_argument_are_read_in_the_c_locale() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ginrummy", "analyze-hand", "--partial", "♠345"],
        env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONPATH": str(Path(__file__).parent.parent)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_stream_that_is_closed_is_no_traceback() -> None:
    err = io.StringIO()
    assert run_with(["analyze-hand", HAND], Streams(stdin=None, stdout=None, stderr=err)) == 1
    assert err.getvalue() == "ginrummy analyze-hand: standard output is closed\n"


def test_an_unknown_command_is_told_those_there_are() -> None:
    outcome = run(["analyse-hand"])
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "no command 'analyse-hand': there are analyze-hand, play, score, simulate" in outcome.stderr


def test_refusals_of_plain_play_have_cards_in_words() -> None:
    outcome = run(["play", "--seed", "3", "--plain"], b"d\n")
    assert "The 10 of hearts is on offer: take it or pass." in outcome.stdout
