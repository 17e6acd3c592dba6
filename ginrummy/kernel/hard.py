"""The strategy ``hard``."""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.danger import danger
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.solver import POINTS, deadwood, meldable
from ginrummy.kernel.spreads import count
from ginrummy.kernel.view import BIG_GIN, DISCARDING, DRAW, DRAWING, KNOCK, PASS, TAKE, View
from ginrummy.kernel.weights import Weights
from ginrummy.kernel.worth import DECK, gin_outs, worth

VARIANTS: Final[list[Weights]] = []


def most_knock(view: View, kept: i64, w: Weights) -> i64:
    """The most deadwood to knock with, in quarters of a point."""
    turn: i64 = view.turns if view.turns < 9 else 9
    most: i64 = w.knock[turn]
    if view.stock < 12:
        most += w.knock_stock * (12 - view.stock)
    most -= w.knock_known * count(view.known)
    need: i64 = view.terms.target - view.score
    if need <= 15 * view.factor:
        most += w.knock_need
    most += w.knock_lead * (view.opponent_score - view.score) // 10
    if w.knock_outs and most > 0:
        most -= w.knock_outs * gin_outs(kept, DECK & ~(view.hand | view.piled | view.known))
    return most


def decide_with(view: View, w: Weights) -> i64:
    """One action."""
    hand: i64 = view.hand
    turn: i64 = view.turns if view.turns < 12 else 12
    if view.phase != DISCARDING:
        if view.may_take and view.pile:
            top: i64 = view.pile[-1]
            card: i64 = 1
            card <<= top
            eleven: i64 = hand | card
            now: i64 = deadwood(hand)
            if deadwood(eleven) < now + POINTS[top]:
                live: i64 = DECK & ~(hand | view.piled | view.known)
                thrown: i64
                value: i64
                thrown, value = best_throw(view, eleven, card, w, turn)
                left: i64 = deadwood(eleven ^ thrown)
                if left == 0 or (left < now and value > worth(hand, now, live, turn, w) + w.take + w.take_turn * turn):
                    return TAKE
        return DRAW if view.phase == DRAWING else PASS
    all11: i64 = deadwood(hand)
    if view.terms.big_gin >= 0 and all11 == 0:
        return BIG_GIN
    forbidden: i64 = 0
    if view.taken >= 0:
        forbidden = 1
        forbidden <<= view.taken
    thrown, value = best_throw(view, hand, forbidden, w, turn)
    number: i64 = count(thrown - 1)
    left = deadwood(hand ^ thrown)
    if left == 0:
        return KNOCK + number
    if left <= view.limit and 4 * left <= most_knock(view, hand ^ thrown, w):
        return KNOCK + number
    return number


def best_throw(view: View, eleven: i64, forbidden: i64, w: Weights, turn: i64) -> tuple[i64, i64]:
    """The best card to throw (a mask), and what it leaves is worth; a card that leaves gin before all others."""
    unseen: i64 = DECK & ~(eleven | view.piled | view.known)
    turned_down: i64 = view.thrown | view.refused
    now: i64 = deadwood(eleven)
    melded: i64 = meldable(eleven)
    best: i64 = 0
    most: i64 = -1000000000
    rest: i64 = eleven & ~forbidden
    if now > 0 and rest & ~melded:
        loose: i64 = rest & ~melded
        # A meld is broken only where that costs nothing, or nothing else is there to throw.
        held: i64 = rest & melded
        rest = loose
        while held:
            card: i64 = held & -held
            held ^= card
            if deadwood(eleven ^ card) <= now:
                rest |= card
    while rest:
        card = rest & -rest
        rest ^= card
        kept: i64 = eleven ^ card
        left: i64 = deadwood(kept)
        if left == 0:
            value: i64 = 100000000
        else:
            value = worth(kept, left, unseen, turn, w) - danger(card, unseen, view.known, turned_down, turn, w)
        if value > most:
            most = value
            best = card
    return best, most


HARD: Final = Weights((64, 31, -27, 10, 0, 1, 44, 19, 5, -30, 24, 16, 3, 0, -1, 3, 48, 60, 49, 7, -13, -19, -9, -14, -29, -16))


def decide(view: View, rng: Rng) -> i64:
    """One action."""
    return decide_with(view, HARD)
