"""Opponents made up for a view, one after the other: some knock at once, some wait for gin, as often as what the real one did
fits either."""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.belief import Belief
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.view import View

LOOKS: Final = 8
"""Hands looked at to judge what kind of player the opponent is."""

MOST_WAITERS: Final = 8
"""Most samples of twelve with an opponent who waits for gin."""


def share_of_waiters(knocker: Belief, rng: Rng) -> i64:
    """How many of twelve samples take the opponent for one who waits: the more, the worse what it did fits a player who
    throws what leaves the least deadwood and knocks at once."""
    cost: i64 = 0
    i: i64 = 0
    while i < LOOKS:
        knocker.draw(rng)
        cost += knocker.cost
        i += 1
    # Costs of the baseline and of ``hard`` as measured: 9 and 14 a turn.
    waiters: i64 = 1 + (2 * cost - LOOKS * (23 * knocker.turns + 12)) // (LOOKS * 10)
    return 0 if waiters < 0 else (MOST_WAITERS if waiters > MOST_WAITERS else waiters)


class Opponents:
    """Hands and stocks, drawn one after the other."""

    def __init__(self, view: View, samples: i64, rng: Rng) -> None:
        """For so many of them."""
        self.knocker: Final = Belief(view, False, samples, rng)
        self.waiter: Final = Belief(view, True, samples, rng)
        self.waiters: Final[i64] = share_of_waiters(self.knocker, rng)
        """How many of twelve wait for gin."""
        self.done: i64 = 0
        self.waits: bool = False
        """Whether the opponent drawn last is one who waits."""
        self.hand: i64 = 0
        """Its hand."""
        self.stock: list[int] = []
        """The stock that goes with it."""

    def next(self, rng: Rng) -> None:
        """Draw another."""
        self.waits = self.done * 5 % 12 < self.waiters
        belief: Belief = self.waiter if self.waits else self.knocker
        self.hand = belief.draw(rng)
        self.stock = belief.stock(rng)
        self.done += 1
