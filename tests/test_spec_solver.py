"""The exact solver against a slow reference, and against the published cases."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import Meld, Spread

import ginrummy
from ginrummy.kernel import solver, spreads

CASES = Path(__file__).parent / "cases"
SEEDS = st.integers(0, 2**32)


def published(stem: str) -> list[dict[str, Any]]:
    """The records of one file of cases."""
    text = (CASES / f"{stem}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def mask_of(cards: Iterable[int]) -> int:
    """The int that the library takes for a set of cards."""
    return sum(1 << card for card in cards)


def the_cards(names_of_cards: list[str]) -> ginrummy.Cards:
    """The cards of a list of names, as the records give them."""
    return ginrummy.Cards([ginrummy.parse_card(text) for text in names_of_cards])


def cards_in(mask: int) -> list[int]:
    """The cards of such an int, ascending."""
    return [card for card in range(64) if mask >> card & 1]


def spread_of(melds: Iterable[ginrummy.Meld]) -> Spread:
    """The melds of the library in the form the reference uses."""
    return tuple(sorted(tuple(meld.cards) for meld in melds))


def kernel_spread(sets: int, runs: int) -> Spread:
    """A pair of masks read back as melds: a rank is one set, touching cards are one run."""
    melds: list[Meld] = []
    for rank in range(13):
        same = tuple(card for card in cards_in(sets) if card % 13 == rank)
        if same:
            melds.append(same)
    run: list[int] = []
    for card in cards_in(runs):
        if run and (card != run[-1] + 1 or card % 13 == 0):
            melds.append(tuple(run))
            run = []
        run.append(card)
    if run:
        melds.append(tuple(run))
    return tuple(sorted(melds))


def masks_of(spread: Spread) -> tuple[int, int]:
    """The kernel's pair of masks for a spread of the reference."""
    runs = [meld for meld in spread if reference.is_run(meld)]
    sets = [meld for meld in spread if not reference.is_run(meld)]
    return mask_of(reference.used(tuple(sets))), mask_of(reference.used(tuple(runs)))


def meld_objects(spread: Spread) -> list[ginrummy.Meld]:
    """The library's melds for a spread of the reference."""
    return [ginrummy.Meld("run" if reference.is_run(meld) else "set", ginrummy.Cards(list(meld))) for meld in spread]


def names(cards: Iterable[int]) -> str:
    """For messages: a failing hand should be readable."""
    return " ".join(reference.name(card) for card in cards)


@st.composite
def hands(draw: st.DrawFn, low: int, high: int) -> list[int]:
    """Hands of low to high cards, half of them from a few ranks or a suit, so that melds abound."""
    ranks = draw(st.sampled_from([range(13), range(4), range(3, 8), range(8, 13)]))
    suits = draw(st.sampled_from([(0, 1, 2, 3), (0, 3), (1,), (0, 1, 2)]))
    pool = [suit * 13 + rank for suit in suits for rank in ranks]
    if len(pool) < high:
        pool = sorted({*pool, *range(26)})
    size = draw(st.integers(low, high))
    return sorted(draw(st.sets(st.sampled_from(pool), min_size=size, max_size=size)))


# --- the published cases ------------------------------------------------------------------------


def test_published_deadwood() -> None:
    """Source 001's hands, and those that public programs get wrong."""
    wrong = []
    for case in published("deadwood"):
        hand = the_cards(case["hand"])
        best = ginrummy.best_arrangement(hand)
        if not ginrummy.deadwood(hand) == best.deadwood == case["deadwood"]:
            wrong.append((case["id"], ginrummy.deadwood(hand), best.deadwood, case["deadwood"]))
    assert wrong == []


def test_published_discards() -> None:
    """All best discards, not one of them; all eleven in melds leave deadwood 0."""
    wrong = []
    for case in published("discard"):
        hand = the_cards(case["hand"])
        best = ginrummy.best_discards(hand)
        listed = dict(ginrummy.discards(hand))
        given_up = min(listed.values())
        names_of_best = sorted(map(ginrummy.card_name, best))
        if (
            names_of_best != sorted(case["best_discards"])
            or given_up != case["deadwood"]
            or (ginrummy.deadwood(hand) == 0) != case["big_gin"]
        ):
            wrong.append((case["id"], names_of_best, given_up, case))
    assert wrong == []


def test_published_showdowns() -> None:
    """Joint layoffs and the score; where a spread is named, it is the one laid out."""
    wrong = []
    for case in published("showdown"):
        knocker = the_cards(case["knocker"])
        defender = the_cards(case["defender"])
        named = case.get("knocker_melds")
        rules = ginrummy.load_rules(case["rules"])
        melds = ginrummy.parse_melds(named) if named else None
        if "error" in case["expect"]:
            with pytest.raises(ginrummy.IllegalError):
                ginrummy.score_knock(knocker, defender, rules, knocker_melds=melds)
            continue
        got = ginrummy.score_knock(knocker, defender, rules, knocker_melds=melds)
        have = {
            "result": got.result,
            "winner": got.winner,
            "points": got.points,
            "knocker_deadwood": got.knocker.deadwood,
            "defender_deadwood": got.defender.deadwood,
        }
        if have != case["expect"]:
            wrong.append((case["id"], have, case["expect"]))
    assert wrong == []


def test_the_reference_agrees_with_the_published_cases() -> None:
    """A reference that is wrong would prove nothing."""
    for case in published("deadwood"):
        assert reference.deadwood(map(reference.card, case["hand"])) == case["deadwood"], case
    for case in published("discard"):
        hand = [reference.card(text) for text in case["hand"]]
        best = {reference.card(text) for text in case["best_discards"]}
        assert set(reference.best_discards(hand)) == best, case


# --- one hand -----------------------------------------------------------------------------------


@settings(max_examples=400, deadline=None)
@given(hands(0, 12))
def test_deadwood_of_hands_of_any_size(hand: list[int]) -> None:
    """Partial hands too: the library takes any number of cards."""
    right = reference.deadwood(hand)
    assert ginrummy.deadwood(mask_of(hand)) == right, names(hand)
    assert solver.deadwood(mask_of(hand)) == right, names(hand)


@pytest.mark.parametrize("size", [3, 7, 10, 11])
def test_deadwood_of_hands_rich_in_melds(size: int) -> None:
    """Seeded hands in which sets and runs compete for the same cards."""
    random = Random(size)
    for _ in range(1000):
        hand = reference.rich_hand(random, size)
        assert solver.deadwood(mask_of(hand)) == reference.deadwood(hand), names(hand)


def same_arrangements(hand: list[int]) -> None:
    """Every least arrangement once, the knocker's of rule 8 first, whatever layer is asked."""
    mask = mask_of(hand)
    right = sorted(reference.least_spreads(hand))
    first = reference.knock_spread(hand)
    found = ginrummy.arrangements(mask)
    assert sorted(spread_of(each.melds) for each in found) == right, names(hand)
    assert spread_of(found[0].melds) == first, names(hand)
    best = ginrummy.best_arrangement(mask)
    assert spread_of(best.melds) == first, names(hand)
    for each in found:
        loose = mask & ~mask_of(reference.used(spread_of(each.melds)))
        assert each.loose == loose
        assert each.deadwood == reference.total(cards_in(loose))
    assert sorted(kernel_spread(*pair) for pair in spreads.spreads(mask)) == right, names(hand)
    assert kernel_spread(*spreads.knock_spread(mask)) == first, names(hand)


@settings(max_examples=300, deadline=None)
@given(hands(3, 11))
def test_arrangements(hand: list[int]) -> None:
    """Hypothesis finds the small hand on which two arrangements differ."""
    same_arrangements(hand)


@pytest.mark.parametrize("size", [6, 10, 11])
def test_arrangements_of_hands_rich_in_melds(size: int) -> None:
    """Ties are what these hands are made for."""
    random = Random(100 + size)
    for _ in range(800):
        same_arrangements(reference.rich_hand(random, size))


def test_arrangements_of_hands_with_many_ties() -> None:
    """Hands with three or more least arrangements, where the whole comparison of rule 8 counts."""
    random = Random(8)
    found = 0
    while found < 150:
        hand = reference.rich_hand(random, 10)
        if len(reference.least_spreads(hand)) >= 3:
            same_arrangements(hand)
            found += 1


@pytest.mark.parametrize(
    "text",
    [
        "AS 2S 5S 2H 3H 5H AD 2D 3D 5D",
        "AS 3S 5S 2H 3H 4H 5H 2D 3D 5D",
        "2S 3S 5S 3H 5H 6H 2D 3D 4D 5D",
        "3S 5S 4H 5H 2D 3D 4D 5D 2C 3C",
        "4H 5H 6H 8H 9H 10H QH KH 9D 9C",
        "2S 3S 4S 5S JS QS 3H 5H 3D 5C",
        "AS 2S 3S 5S 2H 3D AC 2C 4C 5C",
        "AS 2S 3S 5S 2H 4H 6H AD 2D 5D 4C",
    ],
)
def test_arrangements_where_the_points_of_the_layoffs_decide(text: str) -> None:
    """As many cards could be laid off on each: rare enough that no random hand would test it."""
    hand = reference.cards(text)
    spreads_of_hand = reference.least_spreads(hand)
    open_cards = [reference.could_be_laid_off(spread, hand) for spread in spreads_of_hand]
    fewest = min(map(len, open_cards))
    points = [reference.total(cards) for cards in open_cards if len(cards) == fewest]
    assert points.count(min(points)) == 1 < len(points)
    same_arrangements(hand)


@pytest.mark.parametrize(
    ("text", "spread"),
    [
        # Fewest cards to lay off: the run of four could grow up to the king, the run of three not
        # at all, as its next card is in the set.
        ("AS 2S 3S 4S 4H 4D 4C KD QH JC", "AS 2S 3S / 4S 4H 4D 4C"),
        # Two touching runs of a suit are one run, not two.
        ("AS 2S 3S 4S 5S 6S KD QH 9C 8D", "AS 2S 3S 4S 5S 6S"),
        # No way round the corner.
        ("QS KS AS QH KH AH 5D 6D 8C 9C", ""),
        ("", ""),
    ],
)
def test_spreads_known_by_hand(text: str, spread: str) -> None:
    """A few that need no reference."""
    best = ginrummy.best_arrangement(ginrummy.Cards(text))
    right = sorted(tuple(reference.cards(meld)) for meld in spread.split("/") if meld)
    assert list(spread_of(best.melds)) == right
    melds = [(meld.kind, str(meld.cards)) for meld in best.melds]
    for kind, cards in melds:
        assert kind == ("run" if len({card[-1] for card in cards.split()}) == 1 else "set")


def test_a_card_lies_in_one_meld_only() -> None:
    """Source 001: 7S 7H 7D 8D 9D, the 7D in the set or in the run, not both: 14 are left."""
    hand = ginrummy.Cards("7S 7H 7D 8D 9D")
    assert ginrummy.deadwood(hand) == 14
    assert [spread_of(each.melds) for each in ginrummy.arrangements(hand)] == [(tuple(reference.cards("7D 8D 9D")),)]


# --- discards, outs -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_discards(seed: int) -> None:
    """Each discard with its least deadwood, and a card taken from the pile that may not go."""
    random = Random(200 + seed)
    for at in range(300):
        hand = reference.rich_hand(random, 11) if at % 3 else sorted(random.sample(range(52), 11))
        taken = random.choice([None, *hand])
        mask = mask_of(hand)
        right = reference.discards(hand, taken)
        best = reference.best_discards(hand, taken)
        assert list(ginrummy.discards(mask, taken)) == list(right.items()), names(hand)
        assert list(ginrummy.best_discards(mask, taken)) == best, names(hand)
        forbidden = 0 if taken is None else 1 << taken
        assert cards_in(solver.best_discards(mask, forbidden)) == best, names(hand)


@pytest.mark.parametrize("size", [3, 10])
def test_outs_and_improving_cards(size: int) -> None:
    """Over all cards not in the hand, and over those that may still come."""
    random = Random(300 + size)
    for _ in range(60):
        hand = reference.rich_hand(random, size)
        unseen = sorted(random.sample(range(52), 30))
        mask = mask_of(hand)
        outs = reference.outs(hand)
        better = reference.improving(hand)
        assert list(ginrummy.outs(mask)) == outs, names(hand)
        assert list(ginrummy.improving(mask)) == better, names(hand)
        coming = [card for card in unseen if card not in hand]
        some = mask_of(coming)
        assert list(ginrummy.outs(mask, some)) == [card for card in outs if card in coming]
        assert list(ginrummy.improving(mask, some)) == [card for card in better if card in coming]
        assert cards_in(solver.outs(mask, some)) == [card for card in outs if card in coming]
        assert cards_in(solver.improving(mask, some)) == [card for card in better if card in coming]


def test_the_outs_of_source_003() -> None:
    """7H 7S 8H: exactly 6H 9H 7D 7C."""
    assert str(ginrummy.outs(ginrummy.Cards("7H 7S 8H"))) == "6H 9H 7D 7C"


def test_a_taken_card_is_never_discarded() -> None:
    """Rule 5: not even where it alone would leave gin."""
    hand = ginrummy.Cards("AS 2S 3S 4H 5H 6H 7D 7C 7S 7H KD")
    king = ginrummy.parse_card("KD")
    assert list(ginrummy.best_discards(hand)) == [king]
    assert king not in dict(ginrummy.discards(hand, taken=king))
    assert king not in ginrummy.best_discards(hand, taken=king)


# --- laying off ---------------------------------------------------------------------------------


def same_defence(spread: Spread, hand: list[int]) -> None:
    """The whole answer of rule 9, from the library and from the kernel."""
    right = reference.best_defence(spread, hand)
    what = f"{[names(meld) for meld in spread]} v {names(hand)}"
    got = ginrummy.lay_off(mask_of(hand), meld_objects(spread))
    laid = sorted((each.card, tuple(each.onto.cards)) for each in got.layoffs)
    assert got.deadwood == right.deadwood, what
    assert spread_of(got.arrangement.melds) == right.melds, what
    assert tuple(laid) == right.laid, what
    sets, runs = masks_of(spread)
    assert spreads.defence(sets, runs, mask_of(hand)) == right.deadwood, what


@pytest.mark.parametrize("seed", range(3))
def test_joint_layoffs(seed: int) -> None:
    """Hands dealt so that there is much to lay off, on the spread the knocker would choose."""
    random = Random(400 + seed)
    for _ in range(500):
        knocker, defender = reference.knock_pair(random)
        same_defence(reference.knock_spread(knocker), defender)


@settings(max_examples=200, deadline=None)
@given(hands(3, 10), SEEDS, st.integers(0, 10))
def test_layoffs_on_any_spread(knocker: list[int], seed: int, size: int) -> None:
    """Any spread a hand allows, also one that no least arrangement has, and defenders of any size.

    Two runs of a suit with one card between them are the trap here: it fits on either.
    """
    random = Random(seed)
    spread = random.choice(reference.arrangements(knocker))
    same_defence(spread, reference.rich_hand(random, size, without=knocker))


@pytest.mark.parametrize(
    ("spread", "hand", "laid", "left"),
    [
        # A chain: each card names the meld the knocker laid out, not the run as it has grown.
        ("4S 5S 6S", "7S 8S KD", "7S on 4S 5S 6S, 8S on 4S 5S 6S", 10),
        # Down to the ace and no further, and not round it.
        ("2H 3H 4H", "AH KH", "AH on 2H 3H 4H", 10),
        # A gap stops the chain.
        ("4S 5S 6S", "8S 9S", "", 17),
        # Between two runs: the smallest (card, meld) of what is equal otherwise.
        ("5S 6S 7S / 9S 10S JS", "8S QS", "8S on 5S 6S 7S, QS on 9S 10S JS", 0),
        # The fourth card of a set.
        ("7S 7H 7D", "7C 8C", "7C on 7S 7H 7D", 8),
        # Own run first: fewest layoffs among equals, although all three could be laid off.
        ("4S 5S 6S", "7S 8S 9S", "", 0),
        # The own set of sevens is broken: one seven goes into a run, one begins the chain.
        ("4S 5S 6S", "7S 8S 5H 6H 7H 7D", "7S on 4S 5S 6S, 8S on 4S 5S 6S", 7),
    ],
)
def test_layoffs_known_by_hand(spread: str, hand: str, laid: str, left: int) -> None:
    """A few that need no reference."""
    got = ginrummy.lay_off(ginrummy.Cards(hand), ginrummy.parse_melds(spread))
    text = ", ".join(f"{ginrummy.card_name(each.card)} on {each.onto.cards}" for each in got.layoffs)
    assert (text, got.deadwood) == (laid, left)


# --- the result of a knock ----------------------------------------------------------------------


BONUSES = {
    "classic": reference.Bonuses(),
    "pagat": reference.Bonuses(gin=20, undercut=10),
    "race": reference.Bonuses(),
}


@pytest.mark.parametrize("name", BONUSES)
def test_result_of_a_knock(name: str) -> None:
    """Points, bonus and both deadwoods, for knocks as rich in layoffs as above."""
    random = Random(f"knock {name}")
    rules = ginrummy.load_rules(name)
    for _ in range(300):
        knocker, defender = reference.knock_pair(random)
        right = reference.score(knocker, defender, BONUSES[name])
        got = ginrummy.score_knock(mask_of(knocker), mask_of(defender), rules)
        have = reference.Score(
            got.result,
            got.winner,
            got.points,
            got.difference,
            got.bonus,
            got.knocker.deadwood,
            got.deadwood_before,
            got.defender.deadwood,
        )
        assert have == right, f"{names(knocker)} v {names(defender)}"
        assert got.multiplier == 1


@pytest.mark.parametrize("name", ["classic", "race"])
def test_a_knock_above_the_limit_is_illegal(name: str) -> None:
    """One point too many; the limit itself is allowed."""
    rules = ginrummy.load_rules(name)
    defender = ginrummy.Cards("KS QH JD 9S 7S 5H 3D 8S 6H AC")
    ten = ginrummy.Cards("2H 3H 4H 7C 8C 9C JC QC KC 10D")
    assert ginrummy.score_knock(ten, defender, rules).knocker.deadwood == 10
    eleven = ginrummy.Cards("2H 3H 4H 7C 8C 9C AS 3S 6S AD")
    with pytest.raises(ginrummy.IllegalError, match="11"):
        ginrummy.score_knock(eleven, defender, rules)
