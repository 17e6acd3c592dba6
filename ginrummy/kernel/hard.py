"""The strategy ``hard``: all of it is one sum of weights (weights.py), tuned against many opponents.

A discard is judged by what it leaves, one draw ahead (worth.py), less what it may do for the opponent (danger.py). A card
is taken from the pile when the best hand with it is worth enough more than the hand without. It knocks by a limit of its own for every
turn: high while the opponent's hand must still be bad, later below zero, which is to wait for gin and let the others
knock, for an undercut brings more than a low knock.
"""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.danger import danger
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.solver import POINTS, deadwood, meldable
from ginrummy.kernel.spreads import count
from ginrummy.kernel.view import BIG_GIN, DISCARDING, DRAW, DRAWING, KNOCK, PASS, TAKE, View
from ginrummy.kernel.weights import HARD, Weights
from ginrummy.kernel.worth import DECK, gin_outs, worth

VARIANTS: Final[list[Weights]] = []
"""Other weights to play with: the tuner's, empty otherwise."""


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
    if view.terms.big_gin >= view.terms.gin and deadwood(hand) == 0:
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


def throwable(eleven: i64, forbidden: i64, now: i64) -> i64:
    """The cards worth thinking about throwing: a meld is broken only where that costs nothing, or nothing else is left."""
    melded: i64 = meldable(eleven)
    rest: i64 = eleven & ~forbidden
    loose: i64 = rest & ~melded
    if now == 0 or loose == 0:
        return rest
    held: i64 = rest & melded
    while held:
        card: i64 = held & -held
        held ^= card
        if deadwood(eleven ^ card) <= now:
            loose |= card
    return loose


def throw_value(view: View, eleven: i64, card: i64, w: Weights, turn: i64) -> i64:
    """What there is to be said for throwing a card (a mask); gin comes before everything."""
    unseen: i64 = DECK & ~(eleven | view.piled | view.known)
    left: i64 = deadwood(eleven ^ card)
    if left == 0:
        return 100000000
    return worth(eleven ^ card, left, unseen, turn, w) - danger(
        card, unseen, view.known, view.thrown | view.refused, turn, w
    )


def best_throw(view: View, eleven: i64, forbidden: i64, w: Weights, turn: i64) -> tuple[i64, i64]:
    """The best card to throw (a mask), and its value."""
    best: i64 = 0
    most: i64 = -1000000000
    rest: i64 = throwable(eleven, forbidden, deadwood(eleven))
    while rest:
        card: i64 = rest & -rest
        rest ^= card
        value: i64 = throw_value(view, eleven, card, w, turn)
        if value > most:
            most = value
            best = card
    return best, most


def ranked_throws(view: View, w: Weights) -> tuple[list[int], list[int]]:
    """The cards to throw after a draw, as numbers, the best first; and the value of each."""
    forbidden: i64 = 0
    if view.taken >= 0:
        forbidden = 1
        forbidden <<= view.taken
    turn: i64 = view.turns if view.turns < 12 else 12
    found: list[int] = []
    values: list[int] = []
    rest: i64 = throwable(view.hand, forbidden, deadwood(view.hand))
    while rest:
        card: i64 = rest & -rest
        rest ^= card
        value: i64 = throw_value(view, view.hand, card, w, turn)
        at: i64 = len(found)
        while at > 0 and values[at - 1] < value:
            at -= 1
        values.insert(at, int(value))
        found.insert(at, int(count(card - 1)))
    return found, values


def decide(view: View, rng: Rng) -> i64:
    """One action."""
    return decide_with(view, HARD)
