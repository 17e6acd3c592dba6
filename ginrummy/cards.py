"""Cards as numbers: 0-51 is suit * 13 + rank (suits S H D C, ranks ace to king); a set of cards is an int with bit n for card n."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from ginrummy.errors import ImpossibleError

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("S", "H", "D", "C")
SYMBOLS: Final = ("♠", "♥", "♦", "♣")

NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The ASCII name of each card, by number: ``10H``."""

SYMBOL_NAMES: Final = tuple(rank + symbol for symbol in SYMBOLS for rank in RANKS)
"""The name of each card with its suit as a symbol: ``10♥``."""

DECK: Final = (1 << 52) - 1
"""All 52 cards."""


def rank_of(card: int) -> int:
    """0 for the ace up to 12 for the king."""
    return card % 13


def suit_of(card: int) -> int:
    """0 spades, 1 hearts, 2 diamonds, 3 clubs."""
    return card // 13


def card_points(card: int) -> int:
    """Points a loose card counts: ace 1, 2 to 10 their number, pictures 10 (rules: all sources).

    >>> card_points(0), card_points(9), card_points(12)
    (1, 10, 10)
    """
    return min(10, card % 13 + 1)


def check_cards(*cards: int | None) -> None:
    """That card numbers, where they are given, are 0 to 51; ImpossibleError otherwise."""
    for card in cards:
        if card is not None and not 0 <= card < 52:
            raise ImpossibleError(f"a card number is 0 to 51, not {card}")


def cards_in(mask: int) -> list[int]:
    """The numbers of the cards in a mask, ascending.

    >>> cards_in(0b1001)
    [0, 3]
    """
    mask = int(mask)
    # Suit by suit, from what was found before: a hundred thousand hands a second ask for this.
    return [
        *_cards_of_suit(mask & 0x1FFF),
        *_cards_of_suit(mask & 0x1FFF << 13),
        *_cards_of_suit(mask & 0x1FFF << 26),
        *_cards_of_suit(mask & 0x1FFF << 39),
    ]


@cache
def _cards_of_suit(mask: int) -> tuple[int, ...]:
    return tuple(card for card in range(52) if mask >> card & 1)


def mask_of(cards: Iterable[int]) -> int:
    """The mask of some card numbers.

    >>> mask_of([0, 3])
    9
    """
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask
