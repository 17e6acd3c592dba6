"""The strategy ``expert``: plays the promising actions to the end against many hands the opponent may hold.

The opponent's hands are drawn by what it did (belief.py), the same ones for every action; one's own seat goes on like
``hard``, the opponent's knocks at once or waits, in turns. What counts is the chance to win the game. The choice of ``hard`` stands unless
another is better by more than chance explains.
"""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.belief import Belief
from ginrummy.kernel.hard import decide_with, ranked_throws
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.rollout import AtOnce, Weighing, play_out
from ginrummy.kernel.solver import deadwood, meldable
from ginrummy.kernel.spreads import count
from ginrummy.kernel.strategy import Strategy
from ginrummy.kernel.view import BIG_GIN, DISCARDING, DRAW, DRAWING, KNOCK, PASS, TAKE, View
from ginrummy.kernel.weights import HARD

SAMPLES: Final = 160
"""Hands tried a decision."""

THROWS: Final = 4
"""So many discards are compared."""

ROUND: Final = 16
"""After every so many samples the actions that have fallen behind are given up."""

_ME: Final[Strategy] = Weighing(HARD)
_KNOCKER: Final[Strategy] = AtOnce()
_WAITER: Final[Strategy] = Weighing(HARD)


def candidates(view: View, chosen: i64) -> list[int]:
    """The actions worth comparing, the heuristic's choice first."""
    found: list[int] = [int(chosen)]
    if view.phase != DISCARDING:
        if view.may_take and view.pile:
            top: i64 = 1
            top <<= view.pile[-1]
            if chosen == TAKE or meldable(view.hand | top) & top:
                found.append(int(DRAW if view.phase == DRAWING else PASS) if chosen == TAKE else TAKE)
        return found
    throws: list[int] = ranked_throws(view, HARD)
    knock: i64 = -1
    least: i64 = view.limit + 1
    n: i64 = 0
    for number in throws:
        if n < THROWS and number != chosen:
            found.append(number)
        n += 1
        card: i64 = 1
        card <<= number
        left: i64 = deadwood(view.hand ^ card)
        if left < least:
            least = left
            knock = number
    if knock >= 0 and KNOCK + knock != chosen:
        found.append(int(KNOCK + knock))
    return found


def decide(view: View, rng: Rng, samples: i64) -> i64:
    """One action."""
    chosen: i64 = decide_with(view, HARD)
    if chosen == BIG_GIN:
        return chosen
    if chosen >= KNOCK:
        kept: i64 = 1
        kept <<= chosen - KNOCK
        if deadwood(view.hand ^ kept) == 0:
            return chosen
    actions: list[int] = candidates(view, chosen)
    n: i64 = len(actions)
    if n == 1:
        return chosen
    belief: Belief = Belief(view)
    totals: list[int] = [0] * n
    squares: list[int] = [0] * n
    alive: list[bool] = [True] * n
    done: i64 = 0
    while done < samples:
        hand: i64 = belief.draw(rng, done % 3 == 2)
        stock: list[int] = belief.stock(hand, rng)
        you: Strategy = _WAITER if done % 3 == 2 else _KNOCKER
        base: i64 = play_out(view, actions[0], hand, stock, _ME, you, rng)
        i: i64 = 1
        while i < n:
            if alive[i]:
                gain: i64 = play_out(view, actions[i], hand, stock, _ME, you, rng) - base
                totals[i] += int(gain)
                squares[i] += int(gain * gain)
            i += 1
        done += 1
        if done % ROUND == 0:
            left: i64 = 0
            i = 1
            while i < n:
                if alive[i]:
                    total: i64 = totals[i]
                    # Two standard errors below the heuristic's choice, and hopeless.
                    if total < 0 and total * total > 4 * (squares[i] - total * total // done):
                        alive[i] = False
                    else:
                        left += 1
                i += 1
            if left == 0:
                break
    best: i64 = 0
    most: i64 = 0
    i = 1
    while i < n:
        if alive[i]:
            total = totals[i]
            if total > most and total * total > 2 * (squares[i] - total * total // done):
                most = total
                best = i
        i += 1
    return actions[best]
