"""The strategies by number: one call for all of them."""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel import eaai_simple, easy, expert, hard, normal, random_player
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.strategy import Strategy
from ginrummy.kernel.view import View

NAMES: Final = ("random", "eaai-simple", "easy", "normal", "hard", "expert")
"""The strategies' names; the place is the number."""

RANDOM: Final = 0
EAAI_SIMPLE: Final = 1
EASY: Final = 2
NORMAL: Final = 3
HARD: Final = 4
EXPERT: Final = 5
VARIANT: Final = 100
"""From here on: ``hard`` with the weights of that place in ``hard.VARIANTS``, which the tuner fills."""
SAMPLED: Final = 1000
"""A level number is one of the above plus SAMPLED times the number of samples; none: as many as is usual."""


def decide(level: i64, view: View, rng: Rng) -> i64:
    """What a strategy does with a view: an action. Its random choices come from ``rng``."""
    if level % SAMPLED == EXPERT:
        samples: i64 = level // SAMPLED
        return expert.decide(view, rng, samples if samples else expert.SAMPLES)
    if level >= VARIANT:
        return hard.decide_with(view, hard.VARIANTS[level - VARIANT])
    if level == HARD:
        return hard.decide(view, rng)
    if level == NORMAL:
        return normal.decide(view, rng)
    if level == EASY:
        return easy.decide(view, rng)
    if level == EAAI_SIMPLE:
        return eaai_simple.decide(view, rng)
    return random_player.decide(view, rng)


def choose_spread(level: i64, found: list[tuple[i64, i64]], best: tuple[i64, i64], rng: Rng) -> tuple[i64, i64]:
    """The spread a strategy lays out where the rules leave it to the player: the baseline any of least deadwood."""
    if level == EAAI_SIMPLE and len(found) > 1:
        return found[rng.below(len(found))]
    return best


class Level(Strategy):
    """One of the strategies, by its number."""

    def __init__(self, level: i64) -> None:
        self.level: Final = level

    def decide(self, view: View, rng: Rng) -> i64:
        return decide(self.level, view, rng)

    def choose_spread(self, found: list[tuple[i64, i64]], best: tuple[i64, i64], rng: Rng) -> tuple[i64, i64]:
        return choose_spread(self.level, found, best, rng)


def strategy(level: i64) -> Strategy:
    """A strategy as the loop that plays a hand wants it."""
    return Level(level)
