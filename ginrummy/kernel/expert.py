"""The strategy ``expert``: plays the promising actions to the end against many hands the opponent may hold.

The opponent's hands are drawn by what it did (belief.py), the same ones for every action. One's own seat goes on like
``hard``; the opponent is taken for one who knocks at once or for one who waits for gin, the more often for the latter the
worse its discards fit the former. What counts is the chance to win the game (chance.py). Even so chance and wrong guesses
weigh more than the differences between good actions: what was counted is drawn toward what ``hard`` thinks.
"""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.hard import decide_with, ranked_throws
from ginrummy.kernel.opponents import Opponents
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.rollout import AtOnce, Weighing, play_out
from ginrummy.kernel.solver import deadwood, least_after_discard, meldable
from ginrummy.kernel.strategy import Strategy
from ginrummy.kernel.view import BIG_GIN, DISCARDING, DRAW, DRAWING, KNOCK, PASS, TAKE, View
from ginrummy.kernel.weights import HARD

SAMPLES: Final = 400
"""Hands tried a decision."""

THROWS: Final = 4
"""So many discards are compared."""

ROUND: Final = 16
"""After every so many samples the actions that have fallen behind are given up."""

GIVE_UP: Final = 9
"""Quarters of a standard error behind the leader at which an action is given up."""

THROW_SPREAD: Final = 200 * 200
"""Variance of what discards are worth around what ``hard`` thinks of them (7/25 for each of its 64ths of a point), in
ten-thousandths of a game. These and the following were found by playing on from positions with the opponent's real hand."""

THROW_ERROR: Final = 60 * 60
"""Variance of what the made-up hands get wrong about discards, however many there are."""

OTHER_SPREAD: Final = 500 * 500
"""The spread for knocking or not, taking or drawing."""

OTHER_ERROR: Final = 500 * 500
"""The error of these: the deadwood of the opponent is hard to guess."""

OTHER_PRIOR: Final = -500
"""What it is worth on the average not to do as ``hard`` does."""

_ME: Final[Strategy] = Weighing(HARD)
_KNOCKER: Final[Strategy] = AtOnce()
_WAITER: Final[Strategy] = Weighing(HARD)


def candidates(view: View, chosen: i64) -> tuple[list[int], list[int]]:
    """The actions worth comparing, the heuristic's choice first; and what each is expected to be worth more than that one."""
    found: list[int] = [int(chosen)]
    priors: list[int] = [0]
    if view.phase != DISCARDING:
        if view.may_take and view.pile:
            top: i64 = 1
            top <<= view.pile[-1]
            if chosen == TAKE or meldable(view.hand | top) & top:
                found.append(int(DRAW if view.phase == DRAWING else PASS) if chosen == TAKE else TAKE)
                priors.append(OTHER_PRIOR)
        return found, priors
    throws: list[int]
    values: list[int]
    throws, values = ranked_throws(view, HARD)
    most: i64 = values[0]
    knock: i64 = -1
    least: i64 = view.limit + 1
    n: i64 = 0
    while n < len(throws):
        number: i64 = throws[n]
        if n < THROWS and number != chosen:
            found.append(int(number))
            priors.append(int((values[n] - most) * 7 // 25) if chosen < KNOCK else OTHER_PRIOR)
        card: i64 = 1
        card <<= number
        left: i64 = deadwood(view.hand ^ card)
        if left < least:
            least = left
            knock = number
        n += 1
    if knock >= 0 and KNOCK + knock != chosen:
        found.append(int(KNOCK + knock))
        priors.append(OTHER_PRIOR)
    return found, priors


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


def gains(values: list[int], others: list[int], done: i64) -> tuple[i64, i64]:
    """The sum of the differences of the first ``done`` values, and of their squares."""
    total: i64 = 0
    squares: i64 = 0
    i: i64 = 0
    while i < done:
        gain: i64 = values[i] - others[i]
        total += gain
        squares += gain * gain
        i += 1
    return total, squares


def ahead(values: list[int], others: list[int], done: i64, errors: i64) -> bool:
    """Whether the mean of ``values`` exceeds that of ``others`` by so many quarters of a standard error of the difference."""
    total: i64
    squares: i64
    total, squares = gains(values, others, done)
    return total > 0 and 16 * total * total > errors * errors * (squares - total * total // done)


def estimate(values: list[int], others: list[int], prior: i64, throws: bool) -> i64:
    """By how much the first action is better, in ten-thousandths of a game: the measured difference, drawn toward the
    expected one the more the less certain it is."""
    done: i64 = len(values)
    total: i64
    squares: i64
    total, squares = gains(values, others, done)
    error: i64 = (squares - total * total // done) // (done * done) + (THROW_ERROR if throws else OTHER_ERROR)
    spread: i64 = THROW_SPREAD if throws else OTHER_SPREAD
    return (total * spread // done + prior * error) // (spread + error)


def compare(view: View, actions: list[int], priors: list[int], rng: Rng, samples: i64) -> i64:
    """The place of the best action."""
    opponents: Opponents = Opponents(view, samples, rng)
    n: i64 = len(actions)
    values: list[list[int]] = []
    alive: list[bool] = [True] * n
    i: i64 = 0
    while i < n:
        values.append([])
        i += 1
    best: i64 = 0
    done: i64 = 0
    while done < samples:
        opponents.next(rng)
        you: Strategy = _WAITER if opponents.waits else _KNOCKER
        i = 0
        while i < n:
            if alive[i]:
                values[i].append(int(play_out(view, actions[i], opponents.hand, opponents.stock, _ME, you, rng)))
            i += 1
        done += 1
        if done % ROUND != 0 and done != samples:
            continue
        best = 0
        most: i64 = 0
        i = 1
        while i < n:
            if alive[i]:
                value: i64 = estimate(values[i], values[0], priors[i], actions[0] < 52 and actions[i] < 52)
                if value > most:
                    best = i
                    most = value
            i += 1
        left: i64 = 0
        i = 1
        while i < n:
            if alive[i] and i != best:
                if ahead(values[best], values[i], done, GIVE_UP):
                    alive[i] = False
                else:
                    left += 1
            i += 1
        if left == 0 and (best == 0 or ahead(values[best], values[0], done, GIVE_UP)):
            break
    return best


def decide(view: View, rng: Rng, samples: i64) -> i64:
    """One action."""
    chosen: i64 = decide_with(view, HARD)
    if certain(view, chosen):
        return chosen
    actions: list[int]
    priors: list[int]
    actions, priors = candidates(view, chosen)
    if len(actions) == 1:
        return chosen
    return actions[compare(view, actions, priors, rng, samples)]
