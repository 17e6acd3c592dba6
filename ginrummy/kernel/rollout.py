"""Playing a position to the end of the hand with an opponent's hand and a stock that were made up."""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel import easy
from ginrummy.kernel.chance import chance
from ginrummy.kernel.hard import decide_with
from ginrummy.kernel.playing import play_on
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.spreads import count
from ginrummy.kernel.strategy import Strategy
from ginrummy.kernel.view import DISCARDING, DRAWING, OFFER, View, copy_of
from ginrummy.kernel.weights import Weights


class Weighing(Strategy):
    """Plays like ``hard`` with weights of its own."""

    def __init__(self, weights: Weights) -> None:
        self.weights: Final = weights

    def decide(self, view: View, rng: Rng) -> i64:
        return decide_with(view, self.weights)


class AtOnce(Strategy):
    """Plays like ``easy``: knocks as soon as it may."""

    def decide(self, view: View, rng: Rng) -> i64:
        return easy.decide(view, rng)


def across(view: View, mine: View, hand: i64) -> View:
    """The view from the other side of the table, as far as it can be told; it shares the pile of ``mine``."""
    other: View = View(
        view.terms, hand, view.upcard, view.limit, view.factor, not view.dealer, view.opponent_score, view.score
    )
    upcard: i64 = 1
    upcard <<= view.upcard
    other.phase = OFFER if view.phase == OFFER else DRAWING
    other.pile = mine.pile
    other.piled = view.piled
    other.stock = view.stock
    other.turns = count(view.thrown)
    other.known = view.shown
    other.refused = view.thrown & view.piled
    if view.phase != DISCARDING and view.pile:
        top: i64 = 1
        top <<= view.pile[-1]
        other.refused &= ~top
    other.thrown = (view.piled | view.known) & ~view.thrown & ~upcard
    other.shown = view.known
    other.in_row = view.in_row
    return other


def play_points(view: View, action: i64, hand: i64, stock: list[int], me: Strategy, you: Strategy, rng: Rng) -> i64:
    """Points of the rest of the hand after an action, negative when the opponent scores them."""
    mine: View = copy_of(view)
    theirs: View = across(view, mine, hand)
    winner: i64
    points: i64
    passes: i64 = 1 if view.phase == OFFER and view.dealer else 0
    winner, _, points, _ = play_on(view.terms, mine, theirs, stock, 0, 0, passes, action, me, you, rng, rng, None)
    return points if winner == 0 else -points


def chance_after(view: View, points: i64) -> i64:
    """The chance to win the game, in ten-thousandths, when the hand brings so many points."""
    need: i64 = view.terms.target - view.score
    other_need: i64 = view.terms.target - view.opponent_score
    if points > 0:
        need -= points
    else:
        other_need += points
    return chance(need, other_need)


def play_out(view: View, action: i64, hand: i64, stock: list[int], me: Strategy, you: Strategy, rng: Rng) -> i64:
    """The chance to win the game, in ten-thousandths, after an action and the rest of the hand."""
    return chance_after(view, play_points(view, action, hand, stock, me, you, rng))
