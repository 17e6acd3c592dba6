"""A whole hand between two strategies, at full speed. ``ginrummy/hand.py`` is the same thing for people; a test ties them."""

from mypy_extensions import i64

from ginrummy.kernel.levels import strategy
from ginrummy.kernel.playing import BIG, CAP, DEAD, GIN, KNOCKED, LAST_CARDS, UNDERCUT, play_on, settle
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.terms import Terms
from ginrummy.kernel.view import View

__all__ = ["BIG", "CAP", "DEAD", "GIN", "KNOCKED", "LAST_CARDS", "UNDERCUT", "play_hand", "seat_view", "settle"]


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
    view1.pile = view0.pile  # the pile lies open: one list serves both
    return play_on(
        terms, view0, view1, deck, 21, 1 - dealer, 0, -1, strategy(level0), strategy(level1), rng0, rng1, trace
    )
