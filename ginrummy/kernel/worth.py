"""What a hand is worth: its deadwood, and the live cards that would improve it."""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.solver import POINTS, RANK, SUIT, best_discards, deadwood, meldable
from ginrummy.kernel.spreads import count
from ginrummy.kernel.weights import Weights

DECK: Final = (1 << 52) - 1
ACES: Final = RANK
KINGS: Final = RANK << 12
NOT_KINGS: Final = DECK ^ KINGS
NOT_ACES: Final = DECK ^ ACES


def pairs(cards: i64) -> i64:
    """The ranks held twice or more, as thirteen bits."""
    s: i64 = cards & SUIT
    h: i64 = cards >> 13 & SUIT
    d: i64 = cards >> 26 & SUIT
    c: i64 = cards >> 39 & SUIT
    return s & h | d & c | (s | h) & (d | c)


def joining(cards: i64) -> i64:
    """The cards outside a hand that would make a meld with some of its cards."""
    up: i64 = (cards & NOT_KINGS) << 1
    down: i64 = (cards & NOT_ACES) >> 1
    up2: i64 = (up & NOT_KINGS) << 1
    down2: i64 = (down & NOT_ACES) >> 1
    return (pairs(cards) * RANK | up & up2 | down & down2 | up & down) & ~cards


def beside(cards: i64) -> i64:
    """The cards outside a hand that are of the same rank as one of its cards, or at most two away in its suit."""
    up: i64 = (cards & NOT_KINGS) << 1
    down: i64 = (cards & NOT_ACES) >> 1
    ranks: i64 = (cards | cards >> 13 | cards >> 26 | cards >> 39) & SUIT
    return (ranks * RANK | up | down | (up & NOT_KINGS) << 1 | (down & NOT_ACES) >> 1) & ~cards


def makes_gin(eleven: i64, left: i64) -> bool:
    """Whether eleven cards with ``left`` points of deadwood are gin after one discard."""
    if left == 0:
        return True
    if left > 10:
        return False
    loose: i64 = eleven & ~meldable(eleven)
    if loose & (loose - 1):
        return False
    if loose:
        return deadwood(eleven ^ loose) == 0
    best: i64 = best_discards(eleven, 0)
    return deadwood(eleven ^ (best & -best)) == 0


def worth(cards: i64, left: i64, live: i64, turn: i64, w: Weights) -> i64:
    """What ten cards with ``left`` points of deadwood are worth when the cards ``live`` may still come."""
    value: i64 = -left * (w.points + w.points_turn * turn)
    if left < 10:
        value += (10 - left) * (w.low + w.low_turn * turn)
    outs: i64 = joining(cards) & live
    while outs:
        card: i64 = outs & -outs
        outs ^= card
        after: i64 = deadwood(cards | card)
        number: i64 = count(card - 1)
        gain: i64 = left + POINTS[number] - after
        if gain > 0:
            value += w.outs + w.gain * gain
    return value + w.near * count(beside(cards & ~meldable(cards)) & live)


def gin_outs(cards: i64, live: i64) -> i64:
    """How many live cards would make gin of ten."""
    n: i64 = 0
    outs: i64 = joining(cards) & live
    while outs:
        card: i64 = outs & -outs
        outs ^= card
        if makes_gin(cards | card, deadwood(cards | card)):
            n += 1
    return n
