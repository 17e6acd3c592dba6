"""Laying off by hand: at the table, in the log, in records, and in a session that is broken off in the middle."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from ginrummy.cards import DECK, NAMES, cards_in
from ginrummy.cli import run
from ginrummy.errors import GinRummyError, IllegalError
from ginrummy.game_log import action_text, read_action
from ginrummy.hand import Action, Hand, Phase
from ginrummy.melds import Layoff, parse_melds
from ginrummy.notation import Cards, parse_card
from ginrummy.render import Style
from ginrummy.rules import load_rules
from ginrummy.session.layoff import Defence
from ginrummy.session.screen import knock_lines
from ginrummy.store import Store

KNOCKER = Cards("7S 8S 9S KC KH KD KS AD 2C 4C")
DEFENDER = Cards("5H 6H 7H QS QD QC 10S JS 4D JH")
SPREAD = parse_melds("7S 8S 9S / KC KH KD KS")


def knocked(rules: str = "classic", *, by_hand: bool = True) -> Hand:
    """A hand in which seat 1 has knocked with 7 against 10S JS 4D JH besides two melds."""
    others = cards_in(DECK & ~KNOCKER & ~DEFENDER)
    dealt = [card for pair in zip(cards_in(KNOCKER), cards_in(DEFENDER), strict=True) for card in pair]
    hand = Hand(load_rules(rules), [*dealt, *others], dealer=0)
    for kind in ("pass", "pass", "draw"):
        hand.apply(Action(kind))  # type: ignore[arg-type]
    hand.apply(Action("knock", hand.events[-1].card, by_hand=by_hand))
    return hand


def layoff(card: str, onto: str = "7S 8S 9S") -> Layoff:
    return Layoff(parse_card(card), parse_melds(onto)[0])


def defend(*laid: Layoff, melds: str = "5H 6H 7H / QS QD QC") -> Action:
    return Action("defend", None, parse_melds(melds), layoffs=laid)


def test_a_knock_waits_for_the_defender() -> None:
    hand = knocked()
    assert (hand.phase, hand.turn, hand.end) == (Phase.DEFENDING, 0, None)
    assert list(map(str, hand.legal_actions())) == ["defend"]
    for action in (Action("draw"), Action("discard", 0), Action("knock", 0)):
        with pytest.raises(IllegalError, match="waits for what you lay off"):
            hand.check(action)
    with pytest.raises(IllegalError, match="nothing is to be laid off"):
        Hand.deal(load_rules(), seed=1, dealer=0).check(Action("defend"))


def test_the_best_defence_is_the_one_of_a_knock_that_does_not_wait() -> None:
    hand = knocked()
    hand.apply(Action("defend"))
    assert hand.end == knocked(by_hand=False).end
    assert hand.is_terminal


@pytest.mark.parametrize(
    ("action", "deadwood", "before", "result", "points"),
    [
        (defend(layoff("10S"), layoff("JS")), 14, 34, "knock", 7),
        (defend(layoff("10S")), 24, 34, "knock", 17),
        (defend(), 34, 34, "knock", 27),
        (defend(melds="5H 6H 7H"), 64, 64, "knock", 57),
        (defend(melds=""), 82, 82, "knock", 75),
        (defend(layoff("10S"), layoff("JS"), layoff("QS"), melds="5H 6H 7H"), 34, 64, "knock", 27),
    ],
)
def test_what_is_laid_off_counts(action: Action, deadwood: int, before: int, result: str, points: int) -> None:
    """In a chain, in part, not at all, with a meld broken for it, or with no meld laid out."""
    hand = knocked()
    hand.apply(action)
    assert hand.end is not None
    assert hand.end.showdown is not None
    assert hand.end.showdown.defender.deadwood == deadwood
    assert hand.end.showdown.deadwood_before == before
    assert (hand.end.result, hand.end.winner, hand.end.points) == (result, 1, points)
    assert hand.end.showdown.points == points


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (defend(layoff("JS")), "JS does not go onto 7S 8S 9S"),
        (defend(layoff("JS"), layoff("10S")), "JS does not go onto"),
        (defend(layoff("10S"), layoff("10S")), "10S is not among your loose cards"),
        (defend(layoff("QS")), "QS is not among your loose cards"),
        (defend(layoff("AC")), "AC is not among your loose cards"),
        (defend(layoff("4D", "4S 5S 6S")), "is no meld of the knocker's"),
        (defend(melds="5H 6H 7H / 10S JS QS / 7D 8D 9D"), "you do not hold 7D 8D 9D"),
        (Action("defend", None, None, layoffs=(layoff("10S"),)), "melds of one's own"),
        (Action("defend", 5), "names no card"),
    ],
)
def test_what_cannot_be_laid_off_changes_nothing(action: Action, words: str) -> None:
    hand = knocked()
    with pytest.raises(IllegalError, match=words):
        hand.apply(action)
    assert (hand.phase, hand.end, len(hand.events)) == (Phase.DEFENDING, None, 4)


def test_only_where_players_arrange() -> None:
    with pytest.raises(IllegalError, match="race lays out melds automatically"):
        knocked("race")


def test_the_text_of_a_defence_reads_back() -> None:
    for action in (defend(layoff("10S"), layoff("JS")), defend(), defend(melds=""), Action("defend")):
        assert read_action(action_text(action)) == action
    knock = Action("knock", 12, parse_melds("7S 8S 9S"), by_hand=True)
    assert read_action(action_text(knock)) == knock
    assert read_action("knock KS by hand") == Action("knock", 12, by_hand=True)


def test_a_draft_of_a_defence() -> None:
    """Targets by number or cards, chains, two targets, own melds, and what does not go."""
    draft = Defence(int(DEFENDER), SPREAD)
    assert [NAMES[card] for card in draft.possible] == ["10S"]
    draft.lay(parse_card("10S"), "")
    assert [NAMES[card] for card in draft.possible] == ["JS"]
    draft.lay(parse_card("JS"), "7s 10s")
    assert [NAMES[card] for card in draft.possible] == ["QS"]
    assert draft.arrangement.deadwood == 14
    for card, target, words in (
        ("10S", "", "laid off already"),
        ("AC", "", "you do not hold AC"),
        ("4D", "", "does not go onto any meld"),
        ("QS", "2", "does not go there"),
        ("QS", "3", "numbered 1 to 2"),
    ):
        with pytest.raises(GinRummyError, match=words):
            draft.lay(parse_card(card), target)
    draft.name("5H 6H 7H")
    draft.lay(parse_card("QS"), "1")
    assert draft.arrangement.deadwood == 34
    hand = knocked()
    hand.apply(draft.action)
    assert hand.end is not None
    assert hand.end.points == 27
    two = Defence(int(Cards("6S 5H")), parse_melds("7S 8S 9S / 6H 6D 6C"))
    with pytest.raises(IllegalError, match="6S goes onto two melds: write 6S onto 1 or 2"):
        two.lay(parse_card("6S"), "")
    two.lay(parse_card("6S"), "2")
    assert str(two.layoffs[0].onto) == "6H 6D 6C"


def test_a_knock_with_a_spread_of_ones_own_shows_what_it_counts() -> None:
    """Before it is final: the deadwood of the melds that are named, not of the best ones."""
    lines = knock_lines(int(KNOCKER), parse_melds("7S 8S 9S / KC KH KD"), knocked(), ["You", "Computer"], Style(False))
    assert "7S 8S 9S | KH KD KC; loose KS 4C 2C AD, deadwood 17." in lines[0]
    assert "above 17." in lines[1]


# --- in a session -------------------------------------------------------------------------------


class Table:
    """A player who draws and throws, lays off by hand what fits, and can stop in the middle of it."""

    def __init__(self, *, stop: bool = False) -> None:
        self.stop = stop
        self.random = Random("lay off")
        self.asked = 0

    def read(self, prompt: str, offered: list[str], toolbar: Callable[[int], str], who: int) -> str:
        if "next" in offered or (self.stop and "done" in offered):
            raise EOFError
        if "done" in offered:
            self.asked += 1
            cards = [text for text in offered if text in NAMES]
            return self.random.choice(cards) if cards else "done"
        if "take" in offered:
            return offered[1]
        return self.random.choice([text for text in offered if not text.startswith("knock")])


def session(table: Table, *args: str) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ginrummy.session.pipe.PipeReader", lambda *more, **named: table)
        done = run(["play", "--cards", "ascii", *args], b"")
    assert done.status == 0, done.stderr
    return done.stdout


def test_a_game_laid_off_by_hand(tmp_path: Path) -> None:
    """Each knock of the computer asks; the record of the game can be replayed move by move."""
    data = ["--data", str(tmp_path)]
    table = Table()
    said = session(table, *data, "--manual-layoff", "--seed", "3", "--level", "easy", "--target", "300", "--no-hints")
    assert table.asked > 5
    assert "Computer lays out with deadwood " in said
    assert "  1: " in said
    assert "Lays off " in said
    with Store.open(tmp_path) as store:
        texts = [step.action for step in store.load(1)[1]]
    assert sum(text.endswith(" by hand") for text in texts) >= 5
    assert any("onto" in text for text in texts)
    exported = run(["play", *data, "--export", "1"], b"").stdout
    assert any("onto" in action for line in exported.splitlines() for action in json.loads(line)["actions"])
    (tmp_path / "hands.jsonl").write_text(exported, encoding="utf-8")
    checked = run(["simulate", "--replay", str(tmp_path / "hands.jsonl")], b"")
    assert checked.status == 0, checked.stderr


def test_a_session_left_before_laying_off_asks_again(tmp_path: Path) -> None:
    """The knock is written down, so that it is the same; what was not final is not."""
    data = ["--data", str(tmp_path)]
    left = session(Table(stop=True), *data, "--manual-layoff", "--seed", "3", "--level", "easy", "--no-hints")
    back = session(Table(stop=True), *data, "--resume")
    spread = left.rpartition("Lay off what you like:\n")[2]
    assert spread.count("\n") > 3
    assert back.rpartition("Lay off what you like:\n")[2] == spread
    assert "Computer knocks." in back


def test_every_word_of_laying_off(tmp_path: Path) -> None:
    typed = iter(["help", "score", "hint", "back", "7x", "melds 2S", "melds", "AC onto 9", "lay", "", "auto"])

    class Talker(Table):
        def read(self, prompt: str, offered: list[str], toolbar: Callable[[int], str], who: int) -> str:
            if "done" in offered:
                line = next(typed, None)
                if line is None:
                    raise EOFError
                return line
            return super().read(prompt, offered, toolbar, who)

    said = session(Talker(), "--data", str(tmp_path), "--manual-layoff", "--seed", "3", "--level", "easy")
    for words in ("You can now:", "Nothing is laid off yet.", "Lay off which card?", "2S is no meld"):
        assert words in said
    assert next(typed, None) is None
    assert os.listdir(tmp_path)


def test_without_the_option_or_under_other_rules_it_is_automatic(tmp_path: Path) -> None:
    for args in (["--rules", "classic"], ["--rules", "race", "--manual-layoff"]):
        table = Table()
        session(table, "--data", str(tmp_path), "--seed", "3", "--level", "easy", "--no-hints", *args)
        assert table.asked == 0
