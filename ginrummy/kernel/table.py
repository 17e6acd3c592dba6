"""A whole hand between two strategies, at full speed. ``ginrummy/hand.py`` is the same thing for people; a test ties them."""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.levels import choose_spread, decide
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.solver import deadwood, total_points
from ginrummy.kernel.spreads import defence, knock_spread, spreads
from ginrummy.kernel.terms import Terms
from ginrummy.kernel.view import BIG_GIN, DISCARDING, DRAW, DRAWING, KNOCK, PASS, TAKE, View, pair_of

DEAD: Final = 0
KNOCKED: Final = 1
GIN: Final = 2
BIG: Final = 3
UNDERCUT: Final = 4

LAST_CARDS: Final = 2
"""A discard without a knock with no more cards than this in the stock ends the hand."""

CAP: Final = 50
"""So many draws in a row from the pile end the hand after the discard."""


def seat_view(terms: Terms, deck: list[int], seat: i64, dealer: i64, score: i64, opponent_score: i64) -> View:
    """A seat's view after the deal."""
    hand: i64 = 0
    at: i64 = 0 if seat != dealer else 1
    while at < 20:
        card: i64 = 1
        card <<= deck[at]
        hand |= card
        at += 2
    upcard: i64 = deck[20]
    factor: i64 = terms.upcard_factor if upcard < 13 else 1
    return View(terms, hand, upcard, terms.knock_limit(upcard), factor, seat == dealer, score, opponent_score)


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


def play_hand(
    terms: Terms,
    deck: list[int],
    dealer: i64,
    level0: i64,
    level1: i64,
    rng0: Rng,
    rng1: Rng,
    score0: i64,
    score1: i64,
    trace: list[int] | None,
) -> tuple[i64, i64, i64, i64]:
    """Play one hand: the deck is dealt from its first card, beginning with the non-dealer; its 21st card is the upcard.

    Returns winner (seat, -1: nobody), kind, points, and turns (discards and knocks). ``trace`` receives every action, and
    after each DRAW the card drawn.
    """
    view0: View = seat_view(terms, deck, 0, dealer, score0, score1)
    view1: View = seat_view(terms, deck, 1, dealer, score1, score0)
    pile: list[int] = view0.pile
    view1.pile = pile  # the pile lies open: one list serves both
    next_card: i64 = 21
    seat: i64 = 1 - dealer
    passes: i64 = 0
    turns: i64 = 0
    while True:
        me: View = view0 if seat == 0 else view1
        you: View = view1 if seat == 0 else view0
        level: i64 = level0 if seat == 0 else level1
        rng: Rng = rng0 if seat == 0 else rng1
        action: i64 = decide(level, me, rng)
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
                sets, runs = choose_spread(level, spreads(me.hand), (sets, runs), rng)
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
