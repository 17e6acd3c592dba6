"""Melds, arrangements and layoffs as objects: the readable side of the kernel's masks."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ginrummy.cards import DECK, NAMES, cards_in, rank_of, suit_of
from ginrummy.errors import ImpossibleError, UnreadableError
from ginrummy.kernel import solver, spreads
from ginrummy.notation import Cards, names, parse_placed


@dataclass(frozen=True, slots=True)
class Meld:
    """A set (three or four of a rank) or a run (three or more in sequence of one suit)."""

    kind: Literal["set", "run"]
    """``set`` or ``run``."""
    cards: Cards
    """Its cards."""

    def __str__(self) -> str:
        return str(self.cards)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A way to lay out some cards."""

    melds: tuple[Meld, ...]
    """In the order of their lowest cards."""
    loose: Cards
    """The cards in no meld."""

    @property
    def deadwood(self) -> int:
        """Points of the loose cards."""
        return self.loose.points

    @property
    def cards(self) -> Cards:
        """All its cards."""
        return Cards(self.loose | union(self.melds))


@dataclass(frozen=True, slots=True)
class Layoff:
    """One card laid off."""

    card: int
    """The card's number."""
    onto: Meld
    """The knocker's meld as it was laid out, also where the card continues a chain."""


@dataclass(frozen=True, slots=True)
class Defence:
    """What a defender lays out and lays off against a spread."""

    arrangement: Arrangement
    """The defender's own melds and what stays loose after laying off."""
    layoffs: tuple[Layoff, ...]
    """By card."""

    @property
    def deadwood(self) -> int:
        """Points left after laying off."""
        return self.arrangement.deadwood


def union(melds: Iterable[Meld]) -> int:
    """The mask of all cards of some melds."""
    mask = 0
    for meld in melds:
        mask |= meld.cards
    return mask


def read_meld(cards: int) -> Meld:
    """The meld some cards make; UnreadableError if they make none.

    >>> read_meld(Cards("4S 5S 6S"))
    Meld(kind='run', cards=Cards('4S 5S 6S'))
    """
    numbers = cards_in(cards)
    if len(numbers) >= 3:
        if len({rank_of(card) for card in numbers}) == 1:
            return Meld("set", Cards(cards))
        if suit_of(numbers[0]) == suit_of(numbers[-1]) and numbers[-1] - numbers[0] == len(numbers) - 1:
            return Meld("run", Cards(cards))
    raise UnreadableError(
        f"{names(numbers) or 'nothing'} is no meld: a meld is three or four of a rank, or three or more in sequence of one suit"
    )


def read_melds(groups: Iterable[int]) -> tuple[Meld, ...]:
    """Melds that share no card, in order; runs of one suit that touch are joined to one (rules.md no. 2)."""
    taken = 0
    sets = runs = 0
    for group in groups:
        meld = read_meld(group)
        if taken & group:
            raise ImpossibleError(f"{names(cards_in(taken & group))} in two melds: a card is in one meld at most")
        taken |= group
        if meld.kind == "set":
            sets |= group
        else:
            runs |= group
    return _melds(sets, runs)


def parse_melds(text: str) -> tuple[Meld, ...]:
    """Melds from a text with ``/`` between them.

    >>> [str(meld) for meld in parse_melds("KC KH KD / 7S 8S 9S")]
    ['7S 8S 9S', 'KH KD KC']
    """
    groups: list[int] = []
    place: dict[int, int] = {}
    start = 0
    for part in text.split("/"):
        # Blanks in place of what came before keep the places of an error those of the whole text.
        group = 0
        for card, at in parse_placed(" " * start + part):
            if card in place:
                raise ImpossibleError(
                    f"{NAMES[card]} twice, at positions {place[card]} and {at}: a card is in one meld at most"
                )
            place[card] = at
            group |= 1 << card
        if group:
            groups.append(group)
        start += len(part) + 1
    return read_melds(groups)


def spread_of(melds: Iterable[Meld]) -> tuple[int, int]:
    """The kernel's pair (sets, runs) of some melds."""
    sets = runs = 0
    for meld in melds:
        if meld.kind == "set":
            sets |= meld.cards
        else:
            runs |= meld.cards
    return sets, runs


def _melds(sets: int, runs: int) -> tuple[Meld, ...]:
    return tuple(Meld("set" if mask & sets else "run", Cards(mask)) for mask in spreads.melds(sets, runs))


def arrange(cards: int, sets: int, runs: int) -> Arrangement:
    """The arrangement of some cards under a spread of the kernel."""
    return Arrangement(_melds(sets, runs), Cards(cards & ~sets & ~runs))


def best_arrangement(cards: int) -> Arrangement:
    """The least-deadwood arrangement a knocker lays out: the one on which least can be laid off (rules.md no. 8).

    >>> best_arrangement(Cards("7S 7H 7D 8D 9D")).deadwood
    14
    """
    return arrange(cards, *spreads.knock_spread(_checked(cards)))


def arrangements(cards: int) -> list[Arrangement]:
    """Every least-deadwood arrangement, the best first, the others by their melds.

    >>> [str(a.melds[0]) for a in arrangements(Cards("7S 7H 7D 8D 6D"))]
    ['7S 7H 7D', '6D 7D 8D']
    """
    best = spreads.knock_spread(_checked(cards))
    others = sorted(
        (spread for spread in spreads.spreads(cards) if spread != best),
        key=lambda spread: [cards_in(mask) for mask in spreads.melds(*spread)],
    )
    return [arrange(cards, *spread) for spread in [best, *others]]


def discards(cards: int, taken: int | None = None) -> list[tuple[int, int]]:
    """Each card that may be discarded with the deadwood in points it leaves, by card; ``taken``, from the pile, may not."""
    return [(card, solver.deadwood(cards ^ 1 << card)) for card in cards_in(_checked(cards)) if card != taken]


def best_discards(cards: int, taken: int | None = None) -> Cards:
    """The discards that leave the least deadwood.

    >>> best_discards(Cards("3C 3D 3H 9S 10S JS KH 5D 2C AS QD"))
    Cards('KH QD')
    """
    return Cards(solver.best_discards(_checked(cards), 0 if taken is None else 1 << taken))


def outs(cards: int, unseen: int | None = None) -> Cards:
    """The unseen cards (default: all not held) that would join a meld: deadwood with the card, nothing discarded, is less
    than deadwood plus the card's points.

    >>> outs(Cards("7H 7S 8H"))
    Cards('6H 9H 7D 7C')
    """
    return Cards(solver.outs(_checked(cards), DECK & ~cards if unseen is None else unseen & ~cards))


def improving(cards: int, unseen: int | None = None) -> Cards:
    """The unseen cards (default: all not held) after which, one discarded, deadwood is lower than now."""
    return Cards(solver.improving(_checked(cards), DECK & ~cards if unseen is None else unseen & ~cards))


def lay_off(hand: int, spread: Iterable[Meld]) -> Defence:
    """The best defence of a hand against a knocker's melds: own melds and layoffs chosen together (rules.md no. 9).

    >>> defence = lay_off(Cards("5H 6H 7H QS QD QC 10S 2D 4D JH"), parse_melds("7S 8S 9S / KS KH KD KC"))
    >>> defence.deadwood, [(layoff.card, str(layoff.onto)) for layoff in defence.layoffs]
    (16, [(9, '7S 8S 9S')])
    """
    melds = tuple(spread)
    options = []
    for laid, own_sets, own_runs in spreads.best_layoffs(*spread_of(melds), _checked(hand)):
        options.append((_assign(laid, melds), laid, own_sets, own_runs))
    pairs, laid, own_sets, own_runs = min(options, key=lambda option: [(c, cards_in(m.cards)) for c, m in option[0]])
    return Defence(arrange(hand & ~laid, own_sets, own_runs), tuple(Layoff(card, meld) for card, meld in pairs))


def lay_off_loose(arrangement: Arrangement, spread: Iterable[Meld]) -> Defence:
    """The best layoffs when the defender's own melds are given: only loose cards are laid off."""
    melds = tuple(spread)
    choices = spreads.layoff_choices(*spread_of(melds), arrangement.loose)
    most = max(Cards(laid).points for laid in choices)
    options = [(_assign(laid, melds), laid) for laid in choices if Cards(laid).points == most]
    pairs, laid = min(options, key=lambda option: (len(option[0]), [(c, cards_in(m.cards)) for c, m in option[0]]))
    left = Arrangement(arrangement.melds, arrangement.loose - Cards(laid))
    return Defence(left, tuple(Layoff(card, meld) for card, meld in pairs))


def _assign(laid: int, melds: tuple[Meld, ...]) -> list[tuple[int, Meld]]:
    """Which meld each laid card goes on: the smallest list of (card, meld) that can be laid in some order."""

    def fits(pairs: list[tuple[int, Meld]]) -> bool:
        for meld in melds:
            added = mask_on(pairs, meld)
            if added and meld.kind == "run" and not is_run(meld.cards | added):
                return False
        return True

    def mask_on(pairs: list[tuple[int, Meld]], meld: Meld) -> int:
        return sum(1 << card for card, onto in pairs if onto is meld)

    def choose(cards: list[int], pairs: list[tuple[int, Meld]]) -> list[tuple[int, Meld]] | None:
        if not cards:
            return pairs if fits(pairs) else None
        card = cards[0]
        for meld in melds:
            first = next(iter(meld.cards))
            near = rank_of(card) == rank_of(first) if meld.kind == "set" else suit_of(card) == suit_of(first)
            if near and (found := choose(cards[1:], [*pairs, (card, meld)])) is not None:
                return found
        return None

    def is_run(mask: int) -> bool:
        low = mask & -mask
        return mask // low & (mask // low + 1) == 0

    found = choose(cards_in(laid), [])
    assert found is not None, "the kernel only lays off what can be laid"
    return found


def _checked(cards: int) -> int:
    if not 0 <= cards <= DECK:
        raise ImpossibleError("a set of cards has the bits 0 to 51")
    return cards
