"""The strategy ``easy``: how a beginner plays who knows the rules.

Takes the top of the pile when it makes a meld, throws what leaves the least deadwood (of equals the last of its sorted
hand: it does not think of pairs that could become melds), and knocks as soon as it may without a thought for an undercut. Gin it never misses.
"""

from mypy_extensions import i64

from ginrummy.kernel.eaai_simple import in_some_meld
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.solver import POINTS, best_discards, deadwood
from ginrummy.kernel.spreads import count
from ginrummy.kernel.view import BIG_GIN, DISCARDING, DRAW, DRAWING, KNOCK, PASS, TAKE, View


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
    if view.terms.big_gin >= view.terms.gin and deadwood(view.hand) == 0:
        return BIG_GIN
    forbidden: i64 = 0
    if view.taken >= 0:
        forbidden = 1
        forbidden <<= view.taken
    thrown: i64 = best_discards(view.hand, forbidden)
    while thrown & (thrown - 1):
        thrown &= thrown - 1
    number: i64 = count(thrown - 1)
    return KNOCK + number if deadwood(view.hand ^ thrown) <= view.limit else number
