"""What the moves of a position are worth: rollouts with common random numbers, as means with standard errors."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ginrummy.hand import Action
from ginrummy.kernel import equity, solver
from ginrummy.kernel.random_player import legal_actions
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.view import BIG_GIN, DISCARDING, KNOCK, View


@dataclass(frozen=True, slots=True)
class Choice:
    """One move and what it is worth."""

    action: Action
    points: float
    """Mean points of the hand, negative when the opponent scores more."""
    points_stderr: float
    """Standard error of the points."""
    chance: float
    """Chance to win the game, 0 to 1."""
    chance_stderr: float
    behind: float
    """Points less than the best choice, on the same samples; 0 for the best."""
    behind_stderr: float
    """Standard error of that difference."""


def sensible(view: View) -> list[int]:
    """The moves worth comparing, as the kernel's numbers: every discard, the knock that keeps least deadwood, big gin."""
    legal = legal_actions(view)
    if view.phase != DISCARDING:
        return legal
    knocks = [action for action in legal if action >= KNOCK]
    best = min(knocks, key=lambda action: (_after(view, action - KNOCK), action), default=None)
    throws = [action for action in equity.throws(view) if action in legal]
    return [*([BIG_GIN] if BIG_GIN in legal else []), *([] if best is None else [best]), *throws]


def _after(view: View, card: int) -> int:
    return solver.deadwood(view.hand ^ 1 << card)


def rank(view: View, samples: int, rng: Rng, actions: Iterable[int] | None = None) -> list[Choice]:
    """The moves of a position, best first by points. ``actions`` are the kernel's numbers; None: all that are sensible.

    >>> from ginrummy.hand import Hand
    >>> from ginrummy.kernel.rng import Streams
    >>> from ginrummy.rules import load_rules
    >>> choices = rank(Hand.deal(load_rules("race"), seed=1, dealer=0).view(1), 20, Streams(1, 0, 0).first)
    >>> sorted(choice.action.kind for choice in choices), choices[0].behind
    (['pass', 'take'], 0.0)
    """
    codes = sensible(view) if actions is None else list(actions)
    points = equity.evaluate(view, codes, samples, rng)
    order = sorted(range(len(codes)), key=lambda i: (-sum(points[i]), i))
    best = points[order[0]]
    found = []
    for i in order:
        chances = [each / 10_000 for each in equity.chances(view, points[i])]
        behind = [one - other for one, other in zip(best, points[i], strict=True)]
        found.append(Choice(Action.from_code(codes[i]), *mean(points[i]), *mean(chances), *mean(behind)))
    return found


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Mean and its standard error; zeros for no values, no error for one."""
    n = len(values)
    if n < 2:
        return (values[0] if values else 0.0), 0.0
    middle = sum(values) / n
    return middle, math.sqrt(sum((value - middle) ** 2 for value in values) / (n - 1) / n)
