"""What a hand can do: deadwood, knock, outs, the best discards, whether to take a card, what can be laid off."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

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
    danger: float
    """With how many pairs of cards in the opponent's hand the card makes a meld, on average over the hands it may hold."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do with eleven cards, by rules of thumb."""

    action: Literal["discard", "knock", "gin", "big-gin"]
    """What to do."""
    discard: int | None
    """The card to throw; None for big gin."""
    reason: str
    """Why, in words without cards."""


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
    knock: Knock | None
    """What the hand would then allow."""
    meld: Cards | None
    """The meld it would lie in."""
    reason: str
    """Why to take it or not, in words without cards."""


class Draw(NamedTuple):
    """Outs that leave the same deadwood."""

    deadwood: int
    """Least deadwood in points after drawing one of them and discarding."""
    knock: Knock | None
    """What the hand then allows."""
    cards: Cards
    """The outs."""


class NextDraw(NamedTuple):
    """What the next card from the stock may bring: each unseen card is equally likely."""

    unseen: int
    """How many cards are unseen."""
    knock: int | None
    """After how many of them the hand may knock, gin included; None where the upcard that sets the limit is not known."""
    gin: int
    """After how many of them the hand is gin, big gin included."""


class Analysis(NamedTuple):
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
    draws: tuple[Draw, ...] | None
    """The outs by what they bring, the best first (up to ten cards)."""
    two_way: Cards | None
    """Cards that one more card at most brings into a set, and one more at most into a run (up to ten cards)."""
    next_draw: NextDraw | None
    """What the next card from the stock may bring (ten cards)."""
    discards: tuple[Discard, ...] | None
    """Eleven cards: every permitted discard, best first."""
    advice: Advice | None
    """Eleven cards: what to do."""
    offer: Offer | None
    defence: Defence | None
    """The best layoffs on the spread given."""
    arrangements: tuple[Arrangement, ...] | None
    """Every least-deadwood arrangement, where asked for."""


def _knock(deadwood: int, limit: int | None) -> Knock | None:
    if deadwood == 0:
        return "gin"
    return "knock" if limit is not None and deadwood <= limit else None


def _cards(mask: int) -> Cards:
    # Masks of the kernel need no check.
    return int.__new__(Cards, mask)


def _draws(
    hand: int, unseen: int, rules: Rules, limit: int | None, whole: bool
) -> tuple[Cards, tuple[Draw, ...], NextDraw | None]:
    """What a card more brings: the improving cards, the outs by what they bring, and the next draw as a whole."""
    improving, within, gins, groups = solver.draws(hand, unseen, -1 if limit is None else limit)
    draws: list[Draw] = []
    for after, cards in groups:
        knock: Knock | None = None
        if whole:
            big = after < 0 and rules.big_gin_bonus is not None
            knock = "big-gin" if big else _knock(after if after > 0 else 0, limit)
        if after == 0 and draws and knock == draws[0].knock:
            cards |= draws.pop().cards
        draws.append(Draw(after if after > 0 else 0, knock, _cards(cards)))
    if not whole:
        return _cards(improving), tuple(draws), None
    knocking = None if limit is None else int(within | gins).bit_count()
    return _cards(improving), tuple(draws), NextDraw(unseen.bit_count(), knocking, int(gins).bit_count())


def _offer(hand: int, deadwood: int, card: int, limit: int | None, whole: bool) -> Offer:
    eleven = hand | 1 << card
    best = solver.best_discards(eleven, 1 << card)
    discard = max(cards_in(best), key=lambda thrown: (card_points(thrown), -thrown))
    ten = eleven ^ 1 << discard
    after = solver.deadwood(ten)
    melded = solver.deadwood(ten & ~(1 << card)) > after - card_points(card)
    knock = _knock(after, limit) if whole else None
    meld: Cards | None = None
    if melded:
        # In some least arrangement it lies in a meld, but perhaps not in the one a knocker would choose.
        lying = [meld.cards for layout in arrangements(ten) for meld in layout.melds if card in meld.cards]
        meld = lying[0] if lying else None
    if not melded:
        reason = "it lies in no meld and only shows what you collect"
    elif after >= deadwood:
        reason = "it lies in a meld, but the deadwood does not fall"
    else:
        then = {"gin": ", gin", "knock": ", and you may knock"}.get(knock or "", "")
        reason = f"it lies in a meld and the deadwood falls by {deadwood - after}{then}"
    return Offer(card, melded and after < deadwood, after, discard, knock, meld, reason)


def _danger(card: int, unseen: int, opponent: int) -> float:
    """How many pairs in the opponent's hand make a meld with a card: those known there count 1, those that may be there
    with the chance that they are, every unseen card being as likely as another."""
    hidden, free = unseen.bit_count(), max(0, 10 - opponent.bit_count())
    one = min(1.0, free / hidden) if hidden else 0.0
    both = one * min(1.0, (free - 1) / (hidden - 1)) if hidden > 1 and free else 0.0
    sure, likely, possible = (
        int(solver.pairs_beside(card, *places))
        for places in ((opponent, opponent), (opponent, unseen), (unseen, unseen))
    )
    return sure + one * likely + both * possible


def _discards(
    hand: int, rules: Rules, limit: int | None, unseen: int, taken: int | None, opponent: int
) -> tuple[Discard, ...]:
    found = []
    for card in cards_in(hand):
        if card == taken:
            continue
        ten = hand ^ 1 << card
        spread = best_arrangement(ten)
        found.append(
            Discard(
                card,
                spread.deadwood,
                _knock(spread.deadwood, limit),
                spread,
                Cards(solver.outs(ten, unseen)),
                _danger(card, unseen, opponent),
            )
        )
    found.sort(key=lambda d: (d.deadwood, -len(d.outs), -card_points(d.card), d.card))
    return tuple(found)


LATE: Final = 11
"""With so few cards in the stock about ten turns each are over: the opponent's deadwood is low."""
HIGH: Final = 9
"""A knock with so much is undercut often when it comes late."""
THIN: Final = 4
"""With so few cards in the stock a hand that is not ended soon is dead."""
DELAY: Final = 5
"""Points that a turn's delay of a knock costs, as a rule of thumb: the opponent melds, or goes out first."""


def _advice(hand: int, rules: Rules, best: Discard, unseen: int, stock: int | None) -> Advice:
    """Knock, or go on? Early a knock wins most; gin is worth waiting for where it is near; late, high knocks are undercut."""
    if best.knock is None:
        return Advice(
            "discard", best.card, "it leaves the least deadwood, then the most outs, then feeds the opponent least"
        )
    if best.knock == "gin":
        return Advice("gin", best.card, "the gin bonus, and no undercut")
    left = 31 if stock is None else stock
    if left <= THIN:
        return Advice("knock", best.card, "the stock is nearly gone, and a dead hand scores nothing")
    ways = int(solver.draws(hand ^ 1 << best.card, unseen, 0)[2]).bit_count()
    hidden = unseen.bit_count()
    if ways * rules.gin_bonus >= DELAY * hidden:
        return Advice(
            "discard", best.card, f"wait: {ways} of {hidden} unseen cards make gin, worth more than a turn costs"
        )
    if left <= LATE and best.deadwood >= HIGH:
        return Advice("discard", best.card, "wait: so late a knock this high is likely to be undercut")
    near = f"only {ways} of {hidden} unseen cards make" if ways else "no unseen card makes"
    return Advice("knock", best.card, f"to wait lets the opponent catch up, and {near} gin")


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
    stock: int | None = None,
    every: bool = False,
) -> Analysis:
    """Analyse a hand of 10 cards, or 11 after drawing (``partial``: 1 to 11).

    ``seen`` are cards in the pile, ``opponent`` cards known in the opponent's hand (masks); ``against`` a knocker's melds;
    ``stock`` the number of cards left in the stock; ``every`` asks for all arrangements. ImpossibleError for cards that cannot be, IllegalError for what does not apply.

    >>> from ginrummy.rules import load_rules
    >>> analyze(Cards("3C 3D 3H 9S 10S JS KH 5D 2C AS"), load_rules()).deadwood
    18
    """
    cards = Cards(hand)
    hand = int(cards)
    if seen or opponent:
        seen, opponent = int(Cards(seen)), int(Cards(opponent))
    size = hand.bit_count()
    if not partial and size not in (10, 11):
        raise ImpossibleError(f"{size} cards: a hand has 10, or 11 after drawing; --partial takes 1 to 11")
    if partial and not 1 <= size <= 11:
        raise ImpossibleError(f"{size} cards: a partial hand has 1 to 11")
    check_cards(upcard, pile_top, taken)
    spread = None if against is None else tuple(against)
    spread_cards = union(spread or ())
    top = 0 if pile_top is None else 1 << pile_top
    if seen | opponent | spread_cards | top:
        _check(
            (("hand", hand), ("pile_top", top), ("seen", seen), ("opponent", opponent), ("against", spread_cards)),
            APART,
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
    outs: Cards | None = None
    improving: Cards | None = None
    two_way: Cards | None = None
    draws: tuple[Draw, ...] | None = None
    next_draw: NextDraw | None = None
    discards: tuple[Discard, ...] | None = None
    advice: Advice | None = None
    knock: Knock | None = None
    if size == 11:
        discards = _discards(hand, rules, limit, unseen, taken, opponent)
        # Of discards that are equal but for their card the one is advised that feeds the opponent least.
        best = min(discards, key=lambda d: (d.deadwood, -len(d.outs), d.danger, -card_points(d.card), d.card))
        if rules.big_gin_bonus is not None and solver.deadwood(hand) == 0:
            arrangement, knock = best_arrangement(hand), "big-gin"
            advice = Advice("big-gin", None, "all eleven cards are melded: the big gin bonus, and no undercut")
        else:
            arrangement, knock = discards[0].arrangement, discards[0].knock
            advice = _advice(hand, rules, best, unseen, stock)
        deadwood = arrangement.deadwood
    else:
        arrangement = best_arrangement(hand)
        deadwood = solver.deadwood(hand)
        knock = _knock(deadwood, limit) if size == 10 else None
        outs = _cards(solver.outs(hand, unseen))
        two_way = _cards(solver.two_way(hand, unseen))
        improving, draws, next_draw = _draws(hand, unseen, rules, limit, size == 10)
    defence = None
    if spread is not None:
        # Nothing is laid off on gin: all the knocker's cards are in melds then.
        defence = lay_off(hand, spread if spread_cards.bit_count() < 10 else ())
    return Analysis(
        hand=cards,
        rules=rules,
        deadwood=deadwood,
        arrangement=arrangement,
        whole=size >= 10,
        knock=knock,
        knock_limit=limit,
        outs=outs,
        improving=improving,
        draws=draws,
        two_way=two_way,
        next_draw=next_draw,
        discards=discards,
        advice=advice,
        offer=None if pile_top is None else _offer(hand, deadwood, pile_top, limit, size == 10),
        defence=defence,
        arrangements=tuple(arrangements(arrangement.cards)) if every else None,
    )
