"""The rules as the kernel needs them: numbers only."""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.solver import POINTS

UPCARD: Final = -1
"""The knock limit that the upcard sets."""

LOSER: Final = 0
WINNER: Final = 1
ALTERNATE: Final = 2


class Terms:
    """What a hand and a game are played for."""

    def __init__(
        self,
        limit: i64,
        gin: i64,
        undercut: i64,
        big_gin: i64,
        upcard_factor: i64,
        pile_factor: i64,
        target: i64,
        next_dealer: i64,
        by_player: bool,
    ) -> None:
        self.limit: Final = limit
        """0-10, or UPCARD."""
        self.gin: Final = gin
        self.undercut: Final = undercut
        self.big_gin: Final = big_gin
        """The bonus; -1: there is no big gin."""
        self.upcard_factor: Final = upcard_factor
        self.pile_factor: Final = pile_factor
        self.target: Final = target
        self.next_dealer: Final = next_dealer
        """LOSER, WINNER or ALTERNATE."""
        self.by_player: Final = by_player
        """Whether a knocker may choose among spreads."""

    def knock_limit(self, upcard: i64) -> i64:
        """Most deadwood in points a knock may have in a hand with this upcard."""
        if self.limit != UPCARD:
            return self.limit
        points: i64 = POINTS[upcard]
        return 0 if points == 1 else points

    def dealer_after(self, dealer: i64, winner: i64) -> i64:
        """The seat that deals next; ``winner`` -1 after a dead hand, which the same dealer deals again."""
        if winner < 0:
            return dealer
        if self.next_dealer == LOSER:
            return 1 - winner
        if self.next_dealer == WINNER:
            return winner
        return 1 - dealer
