"""``play``: whole games by whoever takes only what is offered, every command, and nothing shown that is hidden."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from math import prod
from pathlib import Path
from random import Random
from threading import Timer
from typing import BinaryIO, cast

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from ginrummy.cards import NAMES, cards_in
from ginrummy.cli import Outcome, run
from ginrummy.cli.main import run_with
from ginrummy.cli.streams import Streams
from ginrummy.errors import GinRummyError
from ginrummy.game import Game
from ginrummy.hand import Hand, HandEnd, Phase
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.solver import best_discards
from ginrummy.melds import best_arrangement
from ginrummy.players import LevelPlayer
from ginrummy.render import Style
from ginrummy.rules import load_rules, presets
from ginrummy.session.commands import WORDS, help_lines, offers, parse
from ginrummy.session.start import NOTE
from ginrummy.session.terminal import Offered, TerminalReader
from ginrummy.store import Store

RULES = [*presets(), "classic+spades", "oklahoma+spades", "race+straight", "duel+big-gin"]
CARD = re.compile(r"\b(?:10|[A2-9JQK])[SHDC]\b")
HUMAN, COMPUTER = 0, 1


class Sitting:
    """A session of the program with a player who types what a function chooses; None ends the input."""

    def __init__(self, rules: str, seed: int, choose: Callable[[Sitting], str | None]) -> None:
        self.choose = choose
        self.dealt: list[Hand] = []
        """Every hand so far, the one under way last."""
        self.prompts: list[str] = []
        self._out = io.StringIO()
        streams = Streams(
            stdin=cast(BinaryIO, self),
            stdout=self._out,
            stderr=io.StringIO(),
            stdout_is_terminal=False,
            environ=dict(os.environ),
        )
        deal = Hand.deal
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Hand, "deal", lambda *args, **more: self._dealt(deal(*args, **more)))
            args = ["play", "--rules", rules, "--seed", str(seed), "--cards", "ascii"]
            self.status = run_with(args, streams)

    def _dealt(self, hand: Hand) -> Hand:
        self.dealt.append(hand)
        return hand

    def readline(self, limit: int = -1) -> bytes:
        """What the program reads."""
        if self.hand.end is not None:
            # The game is over: no other is wanted.
            return b""
        assert self.offered
        typed = self.choose(self)
        return b"" if typed is None else f"{typed}\n".encode()

    @property
    def hand(self) -> Hand:
        """The hand under way."""
        return self.dealt[-1]

    @property
    def offered(self) -> list[str]:
        """What can be typed now."""
        return offers(self.hand)

    @property
    def said(self) -> list[str]:
        """The lines of the output so far."""
        return self._out.getvalue().splitlines()

    @property
    def ends(self) -> list[HandEnd]:
        """How the hands ended that have."""
        return [hand.end for hand in self.dealt if hand.end is not None]


def sensible(random: Random) -> Callable[[Sitting], str]:
    """Takes only what is offered: goes out when it can, else anything."""

    def choose(sitting: Sitting) -> str:
        offered = sitting.offered
        for wanted in ("big gin", "gin"):
            if wanted in offered:
                return wanted
        knocks = [text for text in offered if text.startswith("knock")]
        return random.choice(knocks or offered)

    return choose


def skilful() -> Callable[[Sitting], str]:
    """As good as the computer: makes melds, and is undercut now and then."""
    player = LevelPlayer("easy", Rng(1, 2, 3, 4))

    def choose(sitting: Sitting) -> str:
        typed = str(player.decide(sitting.hand.view(HUMAN)))
        assert typed.replace("-", " ") in sitting.offered
        return typed

    return choose


@pytest.mark.parametrize("rules", RULES)
def test_whole_games_by_whoever_takes_what_is_offered(rules: str) -> None:
    """To the target, and the sheet at the end is that of the hands."""
    sitting = Sitting(rules, 3, sensible(Random(rules)))
    assert sitting.status == 0
    agreed, said = load_rules(rules), sitting.said
    totals, boxes = [0, 0], [0, 0]
    shown = iter(line.lower() for line in said)
    for hand in sitting.dealt:
        assert max(totals) < agreed.target
        assert hand.end is not None
        won = hand.end.winner
        if won is not None:
            totals[won] += hand.returns()[won]
            boxes[won] += 1
            arithmetic = f"= {hand.end.points} point{'s' * (hand.end.points != 1)} for {('you', 'computer')[won]}"
            assert any(line.endswith(arithmetic) for line in shown)
        else:
            assert any(line.startswith("the hand is dead: nobody scores") for line in shown)
        assert next(shown) == f"score: you {totals[0]}, computer {totals[1]}."
    assert max(totals) >= agreed.target
    assert sum(line.startswith("Hand ") for line in said) == len(sitting.dealt)
    winner = 0 if totals[0] >= agreed.target else 1
    assert ("You have won the game.", "Computer won the game.")[winner] in said
    final = []
    for name, points, won in zip(("You", "Computer"), totals, boxes, strict=True):
        line = next(line for line in reversed(said) if line.startswith(f"{name}: "))
        terms, _, total = line.removeprefix(f"{name}: ").partition(" = ")
        assert terms.startswith(f"{points} point")
        assert not agreed.box_bonus or f"{won} x {agreed.box_bonus} for hands won" in terms
        numbers = [[int(number) for number in re.findall(r"\d+", term)] for term in terms.split(" + ")]
        assert sum(map(prod, numbers)) == int(total)
        final.append(int(total))
    assert f"Margin {final[winner] - final[1 - winner]}" in said


def test_both_spreads_layoffs_and_the_arithmetic_are_shown_after_a_hand() -> None:
    kinds: dict[str, str] = {}
    for seed in range(30):
        sitting = Sitting("classic", seed, skilful())
        for name in ("Knock: ", "Gin: ", "Undercut: ", "Lays off"):
            for line in sitting.said:
                if line.startswith(name):
                    kinds.setdefault(name, line)
        # Every hand that was scored shows two spreads.
        scored = sum(end.winner is not None for end in sitting.ends)
        spreads = re.findall(r"loose,? [\w ]*,? ?deadwood \d+(?: = [\d + ]+)?$", "\n".join(sitting.said), re.MULTILINE)
        assert len(spreads) == 2 * scored
    assert re.fullmatch(r"Knock: \d+ - \d+ = \d+ points? for (?:You|Computer)", kinds["Knock: "])
    assert re.fullmatch(r"Gin: \d+ \+ 25 \(gin bonus\) = \d+ points for (?:You|Computer)", kinds["Gin: "])
    undercut = r"Undercut: \d+ - \d+ \+ 25 \(undercut bonus\) = \d+ points for (?:You|Computer)"
    assert re.fullmatch(undercut, kinds["Undercut: "])
    assert re.fullmatch(r"Lays off +\w+ onto [\w ]+", kinds["Lays off"])


# --- nothing hidden is shown --------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["classic", "duel"])
def test_the_computers_cards_are_not_shown_before_the_showdown(rules: str) -> None:
    """Every card named in the output of a hand under way is one that the player has seen."""
    random = Random(f"hidden {rules}")
    play_on = sensible(random)
    checked = 0

    def choose(sitting: Sitting) -> str:
        nonlocal checked
        hand = sitting.hand
        view = hand.view(HUMAN)
        seen = {NAMES[card] for card in cards_in(view.hand | view.known | view.thrown | view.piled)}
        seen |= {NAMES[event.card] for event in hand.events if event.seat == HUMAN and event.card is not None}
        # From the deal of this hand on: what went before was laid open.
        said = sitting.said
        heads = [at for at, line in enumerate(said) if line.startswith("Hand ")]
        for line in said[heads[-1] :]:
            if line.startswith("Cards are typed"):
                continue
            assert {*CARD.findall(line)} <= seen, line
        hidden = {NAMES[card] for card in cards_in(hand.cards(COMPUTER) & ~view.known)}
        for line in (*help_lines(hand, Style(symbols=False))[:-2], *sitting.offered):
            assert not {*CARD.findall(line)} & hidden, line
        checked += 1
        turn = random.random()
        return "hand" if turn < 0.1 else "pile" if turn < 0.2 else "help" if turn < 0.3 else play_on(sitting)

    for seed in range(8):
        assert Sitting(rules, seed, choose).status == 0
    assert checked > 300


def test_the_card_the_computer_draws_is_not_shown() -> None:
    said = Sitting("classic", 5, sensible(Random(5))).said
    draws = [line for line in said if re.match(r"(?:The c|C)omputer draws", line)]
    assert draws
    assert {line.partition(" draws ")[2] for line in draws} == {"from the stock."}


def test_the_knock_card_shows_only_where_it_lies_face_up() -> None:
    for rules, pattern in (("race", r".*omputer knocks\."), ("duel", r".*omputer knocks with the \w+\.")):
        lines = []
        for seed in range(3):
            sitting = Sitting(rules, seed, lambda at: "pass" if "pass" in at.offered else at.offered[-1])
            lines += [line for line in sitting.said if "omputer knocks" in line]
        assert lines
        assert all(re.fullmatch(pattern, line) for line in lines)


def test_gin_is_not_pointed_out_where_the_rules_have_no_hints() -> None:
    found = 0
    for seed in range(8):
        for rules in ("race+no-big-gin", "duel"):
            said = Sitting(rules, seed, skilful()).said
            told = any(re.match(r"gin\b.*> ", line) for line in said), "You have gin." in said
            if rules == "duel":
                assert told == (False, False)
            else:
                assert told[0] == told[1]
                found += told[0]
    assert found


# --- commands -----------------------------------------------------------------------------------


def play(*lines: str, args: tuple[str, ...] = ("--seed", "1", "--cards", "ascii")) -> Outcome:
    """A session on a pipe."""
    return run(["play", *args], "".join(line + "\n" for line in lines).encode())


KEPT = "The game is saved: ginrummy play --resume goes on with it."


def answers(outcome: Outcome) -> list[str]:
    """The output after the table was first shown, each typed line with the lines that answer it."""
    return outcome.stdout.splitlines()


def answer_to(*lines: str) -> list[str]:
    """What the last of some commands is answered with."""
    before, after = (answers(play(*some)) for some in (lines[:-1], lines))
    assert after[: len(before) - 2] == before[:-2]
    assert after[-2:] == [KEPT, "Bye."]
    typed = after[len(before) - 2]
    assert typed.endswith(f"> {lines[-1]}")
    return after[len(before) - 1 : -2]


def test_end_of_input_leaves_with_status_0() -> None:
    outcome = run(["play", "--seed", "1"], b"")
    assert (outcome.status, outcome.stderr) == (0, "")
    assert outcome.stdout.endswith("Bye.\n")
    assert run(["play", "--seed", "1"], b"take").status == 0


@pytest.mark.parametrize("word", ["quit", "q", "exit", "QUIT", "  quit  "])
def test_quit_leaves(word: str) -> None:
    outcome = play(word, "take")
    assert outcome.status == 0
    assert outcome.stdout.endswith(f"> {word}\n{KEPT}\nBye.\n")


def test_a_seed_is_drawn_and_shown_when_the_game_is_over() -> None:
    """Not before: with it anybody could look at the deals to come."""
    begun, over = run(["play"], b"").stdout, run(["play"], b"resign\n").stdout
    assert "Seed" not in begun
    seed = re.search(r"^Seed (\d+)\.", over, re.MULTILINE)
    assert seed
    again = run(["play", "--seed", seed[1]], b"resign\n").stdout
    assert again.partition("Seed")[0] == over.partition("Seed")[0]


def test_the_start_shows_who_deals_and_the_table() -> None:
    lines = answers(play())
    assert lines[0] == "Gin Rummy, classic, to 100, against easy. help tells what to type."
    assert re.fullmatch(r"Cut: You \w+, Computer \w+: (?:you deal|Computer deals)\.", lines[1])
    assert "Hand 1. Computer deals. You 0, Computer 0, to 100." in lines
    assert "Pile QS, stock 31 cards, knock at 10 or less" in lines
    assert "[2C 3C 4C] KS KH 10D 9D 8S 3H AD   deadwood 51" in lines
    lines = answers(run(["play", "--seed", "1", "--rules", "race"], b""))
    assert lines[1].startswith("By lot ")
    tie = next(seed for seed in range(1000) if len(Game(load_rules(), seed=seed).cuts()) > 1)
    lines = answers(run(["play", "--seed", str(tie)], b""))
    assert lines[1].endswith(": again.")
    assert lines[2].startswith("Cut: ")


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        (["help"], "You can now:"),
        (["?"], "You can now:"),
        (["hand"], "You 0, Computer 0, to 100; Computer dealt"),
        (["h"], "You 0, Computer 0, to 100; Computer dealt"),
        (["stats"], "No game is finished yet"),
        (["level"], "The next game is against easy."),
        (["level hard"], "From the next game on the computer plays hard"),
        (["level best"], "'best' is no level: there are easy, normal, hard, expert."),
        (["coach off"], "The coach is off."),
        (["coach please"], "Coach takes on or off"),
        (["hint"], "1. "),
        (["score"], "Nobody has scored yet."),
        (["s"], "Nobody has scored yet."),
        (["pile"], "On top of the pile: QS. The cards below are out of play."),
        (["rules"], "# classic"),
        (["take"], "You take the QS."),
        (["t"], "You take the QS."),
        (["TAKE"], "You take the QS."),
        (["pass"], "computer "),
        (["p"], "computer "),
        (["pass", "draw"], "You draw the "),
        (["pass", "d"], "You draw the "),
        (["take", "KS"], "computer "),
        (["take", "throw KS"], "computer "),
        (["take", "discard ♠k"], "computer "),
    ],
)
def test_commands(typed: list[str], first: str) -> None:
    assert answer_to(*typed)[0].lower().startswith(first.lower())


def test_help_lists_what_is_legal_now() -> None:
    at_offer = answer_to("help")
    assert [line.partition(":")[0].strip() for line in at_offer[1:3]] == ["take (t)", "pass (p)"]
    assert "At any time:" in at_offer
    holding = answer_to("take", "help")
    assert holding[1] == "  CARD: throw it, one of 8S KS 3H KH AD 9D 10D 2C 3C 4C"
    for word in WORDS:
        if word.action is None:
            assert any(line.startswith(f"  {word.name}") for line in holding)
    assert not any(word in line for line in holding for word in ("  take", "  pass", "  draw", "knock CARD"))


@pytest.mark.parametrize(
    ("before", "typed", "words"),
    [
        ([], "draw", "the QS is on offer: take it or pass"),
        ([], "KS", "the QS is on offer: take it or pass"),
        ([], "knock KS", "the QS is on offer: take it or pass"),
        ([], "knock", "the QS is on offer: take it or pass"),
        ([], "gin", "the QS is on offer: take it or pass"),
        ([], "big gin", "the QS is on offer: take it or pass"),
        (["take"], "take", "you have drawn: throw a card or knock"),
        (["take"], "pass", "you have drawn: throw a card or knock"),
        (["take"], "draw", "you have drawn: throw a card or knock"),
        (["take"], "QS", "the QS was just taken from the pile: throw another card"),
        (["take"], "knock QS", "the QS was just taken"),
        (["take"], "AC", "you do not hold AC"),
        (["take"], "discard AC", "you do not hold AC"),
        (["take"], "knock KS", "leaves deadwood 51: the limit is 10"),
        (["take"], "knock", "the best you can throw leaves deadwood 51: the limit is 10"),
        (["take"], "discard", "discard which card? Write discard 8S"),
        (["take"], "gin", "this is not gin"),
        (["take"], "gin KS", "this is not gin"),
        (["take"], "big gin", "classic has no big gin"),
        (["take"], "bg", "classic has no big gin"),
        (["take"], "KS KH", "2 cards, one is wanted"),
        (["take"], "knock KS with 2C 3C", "no meld"),
        (["take"], "discard KS with 2C 3C 4C", "only a knock names a spread"),
        (["take"], "take QS", "take stands alone: leave out 'QS'"),
        ([], "help me", "help stands alone"),
        ([], "foo", "'foo' is no command: help lists what can be typed now"),
        ([], "7x", "'x' is not part of a card"),
        ([], "-", "no cards, one is wanted"),
        ([], "🃏", "help lists what can be typed now"),
        ([], "draw\tKS", "draw stands alone"),
        ([], "x" * 5000, "help lists what can be typed now"),
    ],
)
def test_what_cannot_be_done_gets_one_line_and_changes_nothing(before: list[str], typed: str, words: str) -> None:
    lines = answers(play(*before, typed, "hand"))
    without = answers(play(*before, "hand"))
    at = next(at for at, (one, other) in enumerate(zip(lines, without, strict=False)) if one != other)
    # The line typed, one line of answer, and then all as if nothing had been typed.
    rest = lines[at + 2 :]
    assert rest == without[at:]
    assert words.lower() in lines[at + 1].lower()
    assert lines[at + 1].endswith(".")
    assert len(lines[at + 1]) < 160
    assert lines[at + 1][0] == lines[at + 1][0].upper()


def test_blank_lines_are_passed_over() -> None:
    lines = answers(play("", "   ", "\t", "hand"))
    assert lines[-6:] == [lines[-6], *answers(play("hand"))[-5:]]


@pytest.mark.parametrize("line", [b"\xff\xfe", b"\x00", b"\x1b[31m", "♠♠".encode(), b"\r", b"'\"", b"%s{0}"])
def test_bytes_of_any_kind_are_no_commands(line: bytes) -> None:
    outcome = run(["play", "--seed", "1"], line + b"\nquit\n")
    assert (outcome.status, outcome.stderr) == (0, "")
    assert outcome.stdout.endswith("Bye.\n")
    assert "\x1b" not in outcome.stdout
    assert "\x00" not in outcome.stdout


def test_a_line_without_an_end_is_not_kept() -> None:
    outcome = run(["play", "--seed", "1"], b"x" * 3_000_000 + b"\ntake\nquit\n")
    assert "You take the" in outcome.stdout
    assert len(outcome.stdout) < 20_000


def test_rubbish_never_ends_a_session(tmp_path: Path) -> None:
    """Words, cards and noise in any order; each line is answered, and the same again gives the same."""
    random = Random("rubbish")
    words = [word.name for word in WORDS if word.name != "quit"] + [short for word in WORDS for short in word.short]
    words = [word for word in words if word not in ("q", "exit")]
    pool = [*words, *NAMES, "with", "/", "789s", "♠", "🂡", "0", "-1", "knock", "gin"]
    lines = [" ".join(random.choices(pool, k=random.randint(1, 4))) for _ in range(400)]
    outcome, again = (play(*lines, args=("--seed", "1", "--data", str(tmp_path / name))) for name in "ab")
    assert (outcome.status, outcome.stderr) == (0, "")
    assert again == outcome
    assert outcome.stdout.count("> ") >= 400


def hand_at(rules: str, seed: int, wanted: Callable[[Hand], bool]) -> Iterator[Hand]:
    """Positions of seat 0 in hands between players who throw away their highest cards."""
    for number in range(seed, seed + 300):
        hand = Hand.deal(load_rules(rules), seed=77, number=number, dealer=1)
        random = Random(number)
        while not hand.is_terminal:
            if hand.turn == HUMAN and wanted(hand):
                yield hand
                break
            legal = [action for action in hand.legal_actions() if action.kind in ("take", "draw", "pass", "discard")]
            if hand.phase is Phase.DISCARDING:
                taken = 0 if hand._taken is None else 1 << hand._taken
                best = cards_in(best_discards(hand._hands[hand.turn], taken))
                legal = [action for action in legal if action.card in best]
            hand.apply(random.choice(legal))


def test_everything_offered_can_be_typed_and_nothing_else_is_offered() -> None:
    """In positions with knocks and gin too: the offers are the legal actions, gin besides."""
    checked = 0
    for rules in ("classic", "race", "duel"):
        for hand in hand_at(rules, 0, lambda hand: any(a.kind == "knock" for a in hand.legal_actions())):
            legal = hand.legal_actions()
            read = [parse(text, hand).action for text in offers(hand) if text != "gin"]
            assert sorted(map(str, read)) == sorted(map(str, legal))
            for text in offers(hand):
                action = parse(text, hand).action
                assert action is not None
                hand.check(action)
            checked += 1
    assert checked > 100


def test_gin_says_which_cards_go_with_it() -> None:
    for hand in hand_at("classic", 0, lambda hand: "gin" in offers(hand)):
        action = parse("gin", hand).action
        assert action is not None
        held = hand.cards(HUMAN)
        other = next(card for card in cards_in(held) if parse_fails(f"gin {NAMES[card]}", hand))
        with pytest.raises(GinRummyError, match=r"gin goes with|just taken|leaves deadwood"):
            parse(f"gin {NAMES[other]}", hand)
        assert parse(f"gin {action}".replace("knock ", ""), hand).action == action
        hand.apply(action)
        assert hand.end is not None
        assert hand.end.result == "gin"
        return
    pytest.fail("no gin in 300 hands")


def parse_fails(text: str, hand: Hand) -> bool:
    """Whether a line is refused."""
    try:
        parse(text, hand)
    except GinRummyError:
        return True
    return False


def test_a_knocker_may_name_the_spread() -> None:
    for hand in hand_at("classic", 0, lambda hand: any(a.kind == "knock" for a in hand.legal_actions())):
        text = next(str(action) for action in hand.legal_actions() if action.kind == "knock")
        assert parse_fails(f"{text} with", hand)
        action = parse(text, hand).action
        assert action is not None
        assert action.card is not None
        best = best_arrangement(hand.cards(HUMAN) ^ 1 << action.card)
        spread = " / ".join(map(str, best.melds))
        with_spread = parse(f"{text} with {spread}", hand).action
        assert with_spread is not None
        hand.apply(with_spread)
        assert hand.end is not None
        assert hand.end.showdown is not None
        assert hand.end.showdown.knocker == best
        return
    pytest.fail("no knock in 300 hands")


# --- options ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--level", "godlike"], ["'godlike'", "easy"]),
        (["--seed", "x"], ["--seed", "from 0 to"]),
        (["--seed", str(2**63)], ["--seed", str(2**63 - 1)]),
        (["--delay", "soon"], ["--delay", "0 to 10"]),
        (["--delay", "nan"], ["--delay", "0 to 10"]),
        (["--delay", "11"], ["--delay", "0 to 10"]),
        (["--delay", "-1"], ["--delay", "0 to 10"]),
        (["--rules", "poker"], ["classic", "romme"]),
        (["--target", "0"], ["1 to 10000"]),
        (["--json"], ["a game is text"]),
        (["extra"], ["extra"]),
    ],
)
def test_wrong_options_are_named_with_what_is_allowed(args: list[str], words: list[str]) -> None:
    outcome = run(["play", *args], b"quit\n")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert [word for word in words if word not in outcome.stderr] == []


def test_rules_can_be_looked_at_without_a_game() -> None:
    assert "Presets:" in run(["play", "--rules", "list"], b"").stdout
    assert "undercut_bonus" in run(["play", "--rules", "duel", "--show-rules"], b"").stdout


def test_the_largest_seed_is_one() -> None:
    assert run(["play", "--seed", str(2**63 - 1)], b"").status == 0


def test_suits_are_symbols_where_the_output_has_them() -> None:
    assert "♠" in run(["play", "--seed", "1"], b"").stdout
    assert "♠" not in run(["play", "--seed", "1", "--cards", "ascii"], b"").stdout
    assert "\x1b[31m" in run(["play", "--seed", "1", "--color", "always"], b"").stdout


# --- a whole hand on a pipe ---------------------------------------------------------------------


def commands_of_a_hand(seed: int) -> list[str]:
    """The lines a player types from the deal to the showdown of the first hand of a seed."""
    typed: list[str] = []
    play_on = sensible(Random(seed))

    def choose(sitting: Sitting) -> str | None:
        if len(sitting.dealt) > 1:
            return None
        typed.append(play_on(sitting))
        return typed[-1]

    Sitting("classic", seed, choose)
    return typed


def test_a_whole_hand_by_printf() -> None:
    """As in the README: the shell's own printf, a pipe, and the module as a program."""
    lines = commands_of_a_hand(1)
    assert len(lines) > 5
    command = "printf '" + "".join(rf"{line}\n" for line in lines) + f"' | '{sys.executable}' -m ginrummy play --seed 1"
    command += " --target 1000"
    done = subprocess.run(
        ["sh", "-c", command + " --cards ascii"], capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^(Knock|Gin|Undercut): .* = \d+ points? for (You|Computer)$", done.stdout, re.MULTILINE)
    assert "score: you " in done.stdout.lower()
    assert "Hand 2." in done.stdout
    assert done.stdout.endswith("Bye.\n")
    assert done.stdout == play(*lines, args=("--seed", "1", "--cards", "ascii", "--target", "1000")).stdout


# --- prompt_toolkit -----------------------------------------------------------------------------


def test_completion_offers_only_what_is_legal_and_the_commands() -> None:
    completer = Offered()
    always = [word.name for word in WORDS if word.action is None]

    def completed(text: str) -> list[str]:
        return [found.text for found in completer.get_completions(Document(text), CompleteEvent())]

    for hand in hand_at("classic", 0, lambda hand: any(a.kind == "knock" for a in hand.legal_actions())):
        completer.offered = offers(hand)
        assert completed("") == [*offers(hand), *always]
        assert completed("knock ") == [text for text in offers(hand) if text.startswith("knock")]
        assert completed("KNOCK 1") == [text for text in offers(hand) if text.startswith("knock 1")]
        assert completed("he") == ["help"]
        assert completed("  he") == ["help"]
        assert completed("draw") == []
        assert completed("zz") == []


@pytest.fixture
def keyboard() -> Iterator[PipeInput]:
    """A keyboard for prompt_toolkit."""
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        yield keys


def read(offered: list[str]) -> str:
    """One line by the reader of a terminal."""
    return TerminalReader().read("> ", offered, lambda width: "toolbar", 0)


def test_a_line_is_read_from_the_keyboard(keyboard: PipeInput) -> None:
    keyboard.send_text("knock KS\r")
    assert read(["take", "pass"]) == "knock KS"


def test_tab_completes(keyboard: PipeInput) -> None:
    for typed, right in (("ta", "take"), ("dr", "dr")):
        # Completion runs beside the keys: Enter comes when it has had its time.
        enter = Timer(0.3, keyboard.send_text, ["\r"])
        enter.start()
        keyboard.send_text(typed + "\t")
        assert read(["take", "pass"]) == right
        enter.join()


def test_ctrl_d_is_the_end_of_input_and_ctrl_c_an_interrupt(keyboard: PipeInput) -> None:
    keyboard.send_text("\x04")
    with pytest.raises(EOFError):
        read(["take"])
    keyboard.send_text("half a line\x03")
    with pytest.raises(KeyboardInterrupt):
        read(["take"])


def test_a_whole_game_at_the_keyboard(keyboard: PipeInput, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session with the real reader; what is offered is typed at it key by key."""
    play_on = Random("keys")
    original = TerminalReader.read

    def typed(self: TerminalReader, prompt: str, offered: list[str], toolbar: Callable[[int], str], who: int) -> str:
        knocks = [text for text in offered if text.startswith("knock")]
        keyboard.send_text(("quit" if "next" in offered else play_on.choice(knocks or offered)) + "\r")
        return original(self, prompt, offered, toolbar, who)

    monkeypatch.setattr(TerminalReader, "read", typed)
    status, out = at_keyboard("--rules", "quick", "--level", "normal", "--seed", "2", "--delay", "0")
    assert status == 0
    assert "\nMargin " in out


def at_keyboard(*args: str) -> tuple[int, str]:
    """A session at the keyboard of prompt_toolkit: its status and all it wrote."""
    out = io.StringIO()
    streams = Streams(
        stdin=io.BytesIO(),
        stdout=out,
        stderr=out,
        stdin_is_terminal=True,
        stdout_is_terminal=True,
        environ=dict(os.environ),
    )
    return run_with(["play", *args], streams), out.getvalue()


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0)])
def test_leaving_at_the_keyboard(key: str, status: int, keyboard: PipeInput) -> None:
    for options in ([], ["--level", "easy", "--rules", "duel"]):
        keyboard.send_text(key)
        left, out = at_keyboard("--seed", "2", *options)
        assert left == status
        assert out.endswith("Bye.\n")


EVERYWHERE = ["help", "hand", "score", "pile", "hint", "coach on", "coach off", "rules", "stats", "level", "level hard"]
"""Commands that can be typed at any time."""


def test_every_command_in_every_phase_at_the_keyboard(keyboard: PipeInput, tmp_path: Path) -> None:
    """On offer, holding eleven cards, drawing, at a question, and between two games."""
    lines = [*EVERYWHERE, "draw", "take", *EVERYWHERE, "take", "knock", "gin", "big gin", "QS", "KS", *EVERYWHERE, "p"]
    lines += ["new", "no", "resign", "no", "resign", "yes", "score", "stats", "level easy", "help", "pile", "n", "quit"]
    with Store.open(tmp_path) as store:
        store.write_note(NOTE, True)
    keyboard.send_text("".join(f"{line}\r" for line in lines))
    options = ["--level", "easy", "--rules", "classic", "--delay", "0", "--cards", "ascii", "--color", "never"]
    status, out = at_keyboard("--seed", "1", "--data", str(tmp_path), *options)
    assert status == 0
    phases = re.split(r"^You take the QS\.\n|^Computer throws the \w+\.\n", out, flags=re.MULTILINE)
    assert len(phases) == 3
    for phase in phases:
        for words in (
            "You can now:",
            "knock at 10 or less",
            "Nobody has scored yet.",
            "On top of the pile: ",
            "1. ",
            "The coach is on.",
            "The coach is off.",
            "undercut_bonus",
            "No game is finished yet",
            "The next game is against",
            "From the next game on the computer plays hard",
        ):
            assert words in phase
    assert "The QS is on offer: take it or pass." in phases[0]
    for words in (
        "You have drawn",
        "The best you can throw",
        "This is not gin",
        "classic has no big gin",
        "just taken",
    ):
        assert words.lower() in phases[1].lower()
    assert "Only the first card on offer can be passed" in phases[2]
    assert "You have given the game up." in phases[2]
    assert "There is no pile between two games." in phases[2]
    assert phases[2].count("Gin Rummy, classic, to 100, against easy.") == 1
    assert out.endswith(f"{KEPT}\nBye.\n")
