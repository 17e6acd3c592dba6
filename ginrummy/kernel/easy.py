"""The strategy ``easy``: how a beginner plays who knows the rules.

Takes the top of the pile when it makes a meld, throws what leaves the least deadwood (of equals the dearest, then the one
with the fewest neighbours), and knocks as soon as it may without a thought for an undercut. Gin it never misses.
"""

from mypy_extensions import i64

from ginrummy.kernel.eaai_simple import in_some_meld
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.solver import POINTS, RANK, best_discards, deadwood
from ginrummy.kernel.spreads import count
from ginrummy.kernel.view import BIG_GIN, DISCARDING, DRAW, DRAWING, KNOCK, PASS, TAKE, View


def neighbours(cards: i64, number: i64) -> i64:
    """How many other cards of a hand could be in a meld with this one: same rank, or at most two away in its suit."""
    four: i64 = RANK
    four <<= number % 13
    found: i64 = count(cards & four) - 1
    away: i64 = -2
    while away <= 2:
        rank: i64 = number % 13 + away
        if away != 0 and 0 <= rank <= 12 and cards >> (number + away) & 1:
            found += 1
        away += 1
    return found


def decide(view: View, rng: Rng) -> i64:
    """One action."""
    card: i64 = 1
    if view.phase != DISCARDING:
        if view.may_take and view.pile:
            top: i64 = view.pile[-1]
            card = 1
            card <<= top
            if in_some_meld(view.hand | card, top) and deadwood(view.hand | card) < deadwood(view.hand) + POINTS[top]:
                return TAKE
        return DRAW if view.phase == DRAWING else PASS
    if view.terms.big_gin >= 0 and deadwood(view.hand) == 0:
        return BIG_GIN
    forbidden: i64 = 0
    if view.taken >= 0:
        forbidden = 1
        forbidden <<= view.taken
    equals: i64 = best_discards(view.hand, forbidden)
    best: i64 = -1
    worth: i64 = -1
    number: i64 = 0
    while equals >> number:
        if equals >> number & 1:
            value: i64 = POINTS[number] * 16 - neighbours(view.hand, number)
            if value > worth:
                best = number
                worth = value
        number += 1
    card = 1
    card <<= best
    return KNOCK + best if deadwood(view.hand ^ card) <= view.limit else best
