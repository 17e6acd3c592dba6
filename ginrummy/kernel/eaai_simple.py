"""The strategy ``eaai-simple``: the baseline of the EAAI-2021 Gin Rummy research challenge, rebuilt from its rules.

Takes the face-up card exactly when it is in some meld of hand and card; throws at random among the cards that leave the
least deadwood, never repeating a pair of drawn and thrown card; knocks as soon as it may. It does not know big gin.
"""

from mypy_extensions import i64

from ginrummy.kernel.rng import Rng
from ginrummy.kernel.solver import best_discards, deadwood, meldable, number_of
from ginrummy.kernel.view import DISCARDING, DRAW, DRAWING, KNOCK, PASS, TAKE, View


def in_some_meld(cards: i64, number: i64) -> bool:
    """Whether a card is in any meld that can be made of the cards (itself among them)."""
    card: i64 = 1
    card <<= number
    return meldable(cards) & card != 0


def repeated(view: View) -> i64:
    """The cards that were already thrown this hand after drawing the card just drawn, or the other way round."""
    found: i64 = 0
    for pair in view.pairs:
        lower: i64 = pair // 52
        higher: i64 = pair % 52
        card: i64 = 1
        if lower == view.drawn:
            card <<= higher
            found |= card
        elif higher == view.drawn:
            card <<= lower
            found |= card
    return found


def decide(view: View, rng: Rng) -> i64:
    """One action."""
    if view.phase != DISCARDING:
        if view.may_take and view.pile:
            top: i64 = view.pile[-1]
            card: i64 = 1
            card <<= top
            if in_some_meld(view.hand | card, top):
                return TAKE
        return DRAW if view.phase == DRAWING else PASS
    forbidden: i64 = 0
    if view.taken >= 0:
        forbidden = 1
        forbidden <<= view.taken
    best: i64 = best_discards(view.hand, forbidden | repeated(view))
    if best == 0:
        # Every pair has been seen: the rule against repeating cannot hold.
        best = best_discards(view.hand, forbidden)
    thrown: i64 = rng.pick(best)
    number: i64 = number_of(thrown)
    return KNOCK + number if deadwood(view.hand ^ thrown) <= view.limit else number
