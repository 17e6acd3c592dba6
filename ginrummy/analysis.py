"""What a hand can do: deadwood, knock, outs, the best discards, whether to take a card, what can be laid off."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ginrummy.cards import DECK, NAMES, card_points, cards_in, check_cards
from ginrummy.errors import IllegalError, ImpossibleError
from ginrummy.kernel import solver
from ginrummy.melds import Arrangement, Defence, Meld, arrangements, best_arrangement, lay_off, union
from ginrummy.notation import Cards, names
from ginrummy.rules import Rules

Knock = Literal["knock", "gin", "big-gin"]


@dataclass(frozen=True, slots=True)
class Discard:
    """One discard of an eleven-card hand."""

    card: int
    """The card thrown."""
    deadwood: int
    """Least deadwood in points of the ten cards kept."""
    knock: Knock | None
    """What the ten cards allow."""
    arrangement: Arrangement
    """The ten cards laid out."""
    outs: Cards
    """Unseen cards that would join a meld of the ten."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The card on the pile: take it, or draw?"""

    card: int
    """The card on offer."""
    take: bool
    """Whether taking it makes or extends a meld and lowers deadwood."""
    deadwood_if_taken: int
    """Least deadwood in points after taking it and discarding another card."""
    discard: int
    """The discard that leaves it: of several the one of most points, then the lowest card."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything about one hand; None where something does not apply."""

    hand: Cards
    rules: Rules
    deadwood: int
    """Least deadwood in points; of eleven cards after the best discard, 0 for big gin."""
    arrangement: Arrangement
    """The melds (of eleven cards: after the best discard; all eleven for big gin)."""
    whole: bool
    """Whether the hand is one at the table, of 10 or 11 cards."""
    knock: Knock | None
    """What the hand allows (of eleven cards: after the best discard)."""
    knock_limit: int | None
    """The limit in force; None where the upcard that sets it is not known."""
    outs: Cards | None
    """Unseen cards that would join a meld (up to ten cards)."""
    improving: Cards | None
    """Unseen cards after which, one discarded, deadwood is lower than now (up to ten cards)."""
    discards: tuple[Discard, ...] | None
    """Eleven cards: every permitted discard, best first."""
    offer: Offer | None
    defence: Defence | None
    """The best layoffs on the spread given."""
    arrangements: tuple[Arrangement, ...] | None
    """Every least-deadwood arrangement, where asked for."""


def _knock(deadwood: int, limit: int | None) -> Knock | None:
    if deadwood == 0:
        return "gin"
    return "knock" if limit is not None and deadwood <= limit else None


def _offer(hand: int, deadwood: int, card: int) -> Offer:
    eleven = hand | 1 << card
    best = solver.best_discards(eleven, 1 << card)
    discard = max(cards_in(best), key=lambda thrown: (card_points(thrown), -thrown))
    after = solver.deadwood(eleven ^ 1 << discard)
    melded = solver.deadwood((eleven ^ 1 << discard) & ~(1 << card)) > after - card_points(card)
    return Offer(card, melded and after < deadwood, after, discard)


def _discards(hand: int, rules: Rules, limit: int | None, unseen: int, taken: int | None) -> tuple[Discard, ...]:
    found = []
    for card in cards_in(hand):
        if card == taken:
            continue
        ten = hand ^ 1 << card
        spread = best_arrangement(ten)
        found.append(
            Discard(card, spread.deadwood, _knock(spread.deadwood, limit), spread, Cards(solver.outs(ten, unseen)))
        )
    found.sort(key=lambda d: (d.deadwood, -len(d.outs), -card_points(d.card), d.card))
    return tuple(found)


def _check(places: Iterable[tuple[str, int]], apart: Iterable[tuple[str, str]]) -> None:
    """That no card is in two places that exclude each other; ImpossibleError names both."""
    cards = dict(places)
    for one, other in apart:
        both = cards[one] & cards[other]
        if both:
            raise ImpossibleError(f"{names(cards_in(both))} in {one} and in {other}: each card is in one place")


APART = (
    ("hand", "pile_top"),
    ("hand", "seen"),
    ("hand", "opponent"),
    ("hand", "against"),
    ("opponent", "pile_top"),
    ("opponent", "seen"),
    ("against", "pile_top"),
    ("against", "seen"),
)
"""Places of which no two can hold the same card."""


def analyze(
    hand: int,
    rules: Rules,
    *,
    partial: bool = False,
    upcard: int | None = None,
    pile_top: int | None = None,
    taken: int | None = None,
    seen: int = 0,
    opponent: int = 0,
    against: Iterable[Meld] | None = None,
    every: bool = False,
) -> Analysis:
    """Analyse a hand of 10 cards, or 11 after drawing (``partial``: 1 to 11).

    ``seen`` are cards in the pile, ``opponent`` cards known in the opponent's hand (masks); ``against`` a knocker's melds;
    ``every`` asks for all arrangements. ImpossibleError for cards that cannot be, IllegalError for what does not apply.

    >>> from ginrummy.rules import load_rules
    >>> analyze(Cards("3C 3D 3H 9S 10S JS KH 5D 2C AS"), load_rules()).deadwood
    18
    """
    cards, seen, opponent = Cards(hand), int(Cards(seen)), int(Cards(opponent))
    check_cards(upcard, pile_top, taken)
    size = len(cards)
    if not partial and size not in (10, 11):
        raise ImpossibleError(f"{size} cards: a hand has 10, or 11 after drawing; --partial takes 1 to 11")
    if partial and not 1 <= size <= 11:
        raise ImpossibleError(f"{size} cards: a partial hand has 1 to 11")
    spread = None if against is None else tuple(against)
    spread_cards = union(spread or ())
    top = 0 if pile_top is None else 1 << pile_top
    _check(
        (("hand", hand), ("pile_top", top), ("seen", seen), ("opponent", opponent), ("against", spread_cards)), APART
    )
    if opponent.bit_count() > 11:
        raise ImpossibleError(f"{opponent.bit_count()} cards in opponent: a hand has at most 11")
    if taken is not None:
        if size != 11:
            raise IllegalError(f"taken goes with 11 cards, after drawing; the hand has {size}")
        if not hand >> taken & 1:
            raise ImpossibleError(f"{NAMES[taken]} was taken but is not in the hand")
    if size == 11 and pile_top is not None:
        raise IllegalError("pile_top goes with 10 cards, before drawing; the hand has 11")
    if spread is not None:
        if size == 11:
            raise IllegalError("against goes with a defender's 10 cards; the hand has 11")
        if spread_cards.bit_count() > 11:
            raise ImpossibleError(f"{spread_cards.bit_count()} cards in against: a knocker has at most 11")
    limit = rules.limit(upcard)
    # The upcard lay open before anybody drew, so it cannot come from the stock any more.
    unseen = DECK & ~(hand | seen | opponent | spread_cards | top | (0 if upcard is None else 1 << upcard))
    discards: tuple[Discard, ...] | None = None
    outs: Cards | None = None
    improving: Cards | None = None
    knock: Knock | None = None
    if size == 11:
        discards = _discards(hand, rules, limit, unseen, taken)
        if rules.big_gin_bonus is not None and solver.deadwood(hand) == 0:
            arrangement, knock = best_arrangement(hand), "big-gin"
        else:
            arrangement, knock = discards[0].arrangement, discards[0].knock
    else:
        arrangement = best_arrangement(hand)
        knock = _knock(arrangement.deadwood, limit) if size == 10 else None
        outs = Cards(solver.outs(hand, unseen))
        improving = Cards(solver.improving(hand, unseen))
    defence = None
    if spread is not None:
        # Nothing is laid off on gin: all the knocker's cards are in melds then.
        defence = lay_off(hand, spread if spread_cards.bit_count() < 10 else ())
    return Analysis(
        hand=cards,
        rules=rules,
        deadwood=arrangement.deadwood,
        arrangement=arrangement,
        whole=size >= 10,
        knock=knock,
        knock_limit=limit,
        outs=outs,
        improving=improving,
        discards=discards,
        offer=None if pile_top is None else _offer(hand, arrangement.deadwood, pile_top),
        defence=defence,
        arrangements=tuple(arrangements(arrangement.cards)) if every else None,
    )
