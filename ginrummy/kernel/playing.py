"""The rest of a hand from any position, at full speed: whole hands and rollouts alike run through here."""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.rng import Rng
from ginrummy.kernel.solver import deadwood, total_points
from ginrummy.kernel.spreads import defence, knock_spread, spreads
from ginrummy.kernel.strategy import Strategy
from ginrummy.kernel.terms import Terms
from ginrummy.kernel.view import BIG_GIN, DISCARDING, DRAW, DRAWING, KNOCK, NOTHING, PASS, TAKE, TOOK, View, pair_of

DEAD: Final = 0
KNOCKED: Final = 1
GIN: Final = 2
BIG: Final = 3
UNDERCUT: Final = 4

LAST_CARDS: Final = 2
"""A discard without a knock with no more cards than this in the stock ends the hand."""

CAP: Final = 50
"""So many draws in a row from the pile end the hand after the discard."""


def settle(terms: Terms, knocker: i64, defender: i64, sets: i64, runs: i64, big: bool) -> tuple[i64, i64]:
    """How a knock ends: its kind and the points before doubling, negative when the defender scores them."""
    if big:
        return BIG, terms.big_gin + deadwood(defender)
    mine: i64 = total_points(knocker & ~sets & ~runs)
    if mine == 0:
        return GIN, terms.gin + deadwood(defender)
    theirs: i64 = defence(sets, runs, defender)
    if theirs > mine:
        return KNOCKED, theirs - mine
    return UNDERCUT, theirs - mine - terms.undercut


def play_on(
    terms: Terms,
    view0: View,
    view1: View,
    deck: list[int],
    next_card: i64,
    seat: i64,
    passes: i64,
    first: i64,
    strategy0: Strategy,
    strategy1: Strategy,
    rng0: Rng,
    rng1: Rng,
    trace: list[int] | None,
) -> tuple[i64, i64, i64, i64]:
    """Play a hand to its end. ``seat`` is to act, with the action ``first`` unless that is negative; the stock is
    ``deck`` from ``next_card`` on; ``passes`` counts those at the opening offer. Both views share one pile.

    Returns winner (seat, -1: nobody), kind, points, and turns (discards and knocks). ``trace`` receives every action, and
    after each DRAW the card drawn.
    """
    pile: list[int] = view0.pile
    turns: i64 = 0
    while True:
        me: View = view0 if seat == 0 else view1
        you: View = view1 if seat == 0 else view0
        strategy: Strategy = strategy0 if seat == 0 else strategy1
        rng: Rng = rng0 if seat == 0 else rng1
        action: i64
        if first >= 0:
            action = first
            first = -1
        else:
            action = strategy.decide(me, rng)
        if trace is not None:
            trace.append(int(action))
        card: i64 = 1
        if action == PASS:
            you.refused |= me.piled
            passes += 1
            seat = 1 - seat
            if passes == 2:
                me.phase = DRAWING
                you.phase = DRAWING
                you.may_take = False
            continue
        if action == TAKE:
            top: i64 = pile.pop()
            card <<= top
            me.hand |= card
            me.drawn = top
            me.taken = top
            me.piled ^= card
            you.piled ^= card
            me.shown |= card
            you.offered = TOOK + top
            you.known |= card
            me.in_row += 1
            you.in_row = me.in_row
            me.phase = DISCARDING
            continue
        if action == DRAW:
            drawn: i64 = deck[next_card]
            next_card += 1
            if trace is not None:
                trace.append(int(drawn))
            if me.may_take and pile:
                lying: i64 = 1
                lying <<= pile[-1]
                you.refused |= lying
                you.offered = pile[-1]
            else:
                you.offered = NOTHING
            card <<= drawn
            me.hand |= card
            me.drawn = drawn
            me.taken = -1
            me.stock -= 1
            you.stock -= 1
            me.in_row = 0
            you.in_row = 0
            me.may_take = True
            me.phase = DISCARDING
            continue
        turns += 1
        if action >= BIG_GIN:
            sets: i64 = 0
            runs: i64 = 0
            if action != BIG_GIN:
                card <<= action - KNOCK
                me.hand ^= card
            sets, runs = knock_spread(me.hand)
            if terms.by_player and action != BIG_GIN:
                sets, runs = strategy.choose_spread(spreads(me.hand), (sets, runs), rng)
            kind: i64
            points: i64
            kind, points = settle(terms, me.hand, you.hand, sets, runs, action == BIG_GIN)
            points *= me.factor
            if pile and pile[-1] < 13:
                points *= terms.pile_factor
            if points < 0 or kind == UNDERCUT:
                return 1 - seat, kind, -points, turns
            return seat, kind, points, turns
        card <<= action
        me.hand ^= card
        me.shown &= ~card
        you.known &= ~card
        you.thrown |= card
        you.story.append(int(you.offered * 64 + action))
        me.pairs.append(int(pair_of(me.drawn, action)))
        me.turns += 1
        me.drawn = -1
        me.taken = -1
        pile.append(int(action))
        me.piled |= card
        you.piled |= card
        if me.stock <= LAST_CARDS or me.in_row >= CAP:
            return -1, DEAD, 0, turns
        me.phase = DRAWING
        you.phase = DRAWING
        seat = 1 - seat
