"""The strategy ``expert``: plays the promising actions to the end against many hands the opponent may hold.

The opponent's hands are drawn by what it did (belief.py), the same ones for every action; one's own seat goes on like
``hard``. The opponent is taken for one who knocks at once or for one who waits for gin, the longer the hand the more
often for the latter. What counts is the chance to win the game. The choice of ``hard`` stands unless another is better by
more than chance explains.
"""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.belief import Belief
from ginrummy.kernel.hard import decide_with, ranked_throws
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.rollout import AtOnce, Weighing, play_out
from ginrummy.kernel.solver import deadwood, least_after_discard, meldable
from ginrummy.kernel.strategy import Strategy
from ginrummy.kernel.view import BIG_GIN, DISCARDING, DRAW, DRAWING, KNOCK, PASS, TAKE, View
from ginrummy.kernel.weights import HARD

SAMPLES: Final = 160
"""Hands tried a decision."""

THROWS: Final = 4
"""So many discards are compared."""

ROUND: Final = 16
"""After every so many samples the actions that have fallen behind are given up."""

GIVE_UP: Final = 9
"""Quarters of a standard error behind the leader at which an action is given up."""

ENOUGH: Final = 4
"""Quarters of a standard error by which the leader must be better than the choice of ``hard``."""

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


def certain(view: View, action: i64) -> bool:
    """Whether an action is gin or takes the card for it, which is never declined."""
    if action == TAKE:
        top: i64 = 1
        top <<= view.pile[-1]
        return least_after_discard(view.hand | top, top) == 0
    if action < KNOCK:
        return action == BIG_GIN
    thrown: i64 = 1
    thrown <<= action - KNOCK
    return deadwood(view.hand ^ thrown) == 0


def ahead(values: list[int], others: list[int], done: i64, errors: i64) -> bool:
    """Whether the mean of ``values`` exceeds that of ``others`` by so many quarters of a standard error of the difference."""
    total: i64 = 0
    squares: i64 = 0
    i: i64 = 0
    while i < done:
        gain: i64 = values[i] - others[i]
        total += gain
        squares += gain * gain
        i += 1
    return total > 0 and 16 * total * total > errors * errors * (squares - total * total // done)


def compare(view: View, actions: list[int], rng: Rng, samples: i64) -> i64:
    """The place of the best action; the first one's unless another is better by more than chance explains."""
    belief: Belief = Belief(view)
    waiters: i64 = 3 + view.turns // 2
    if waiters > 6:
        waiters = 6
    n: i64 = len(actions)
    values: list[list[int]] = []
    totals: list[int] = [0] * n
    alive: list[bool] = [True] * n
    left: i64 = n
    i: i64 = 0
    while i < n:
        values.append([])
        i += 1
    best: i64 = 0
    done: i64 = 0
    while done < samples and left > 1:
        waits: bool = done * 5 % 12 < waiters
        hand: i64 = belief.draw(rng, waits)
        stock: list[int] = belief.stock(hand, rng)
        i = 0
        while i < n:
            if alive[i]:
                value: int = int(play_out(view, actions[i], hand, stock, _ME, _WAITER if waits else _KNOCKER, rng))
                values[i].append(value)
                totals[i] += value
            i += 1
        done += 1
        if done % ROUND == 0:
            best = leader(totals, alive)
            i = 0
            while i < n:
                if alive[i] and i != best and ahead(values[best], values[i], done, GIVE_UP):
                    alive[i] = False
                    left -= 1
                i += 1
    best = leader(totals, alive)
    if best != 0 and alive[0] and not ahead(values[best], values[0], done, ENOUGH):
        best = 0
    return best


def leader(totals: list[int], alive: list[bool]) -> i64:
    """The place of the largest total among those that are still compared, the first of equals."""
    best: i64 = -1
    most: i64 = -1
    i: i64 = 0
    while i < len(totals):
        if alive[i] and totals[i] > most:
            most = totals[i]
            best = i
        i += 1
    return best


def decide(view: View, rng: Rng, samples: i64) -> i64:
    """One action."""
    chosen: i64 = decide_with(view, HARD)
    if certain(view, chosen):
        return chosen
    actions: list[int] = candidates(view, chosen)
    if len(actions) == 1:
        return chosen
    return actions[compare(view, actions, rng, samples)]
