"""What every strategy is to the loop that plays a hand."""

from mypy_extensions import i64

from ginrummy.kernel.rng import Rng
from ginrummy.kernel.view import View


class Strategy:
    """Decides for a seat from its view alone."""

    def decide(self, view: View, rng: Rng) -> i64:
        """One action. Random choices come from ``rng``."""
        raise NotImplementedError

    def choose_spread(self, found: list[tuple[i64, i64]], best: tuple[i64, i64], rng: Rng) -> tuple[i64, i64]:
        """The spread to lay out where the rules leave it to the player: as a rule the best one."""
        return best
