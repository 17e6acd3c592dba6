"""What the strategies ``normal`` and ``hard`` weigh, as whole numbers. The tuner in ``tests/tuning`` writes the last lines.

A hand's worth is reckoned in 64ths of a point of deadwood.
"""

from typing import Final

from mypy_extensions import i64

FIELDS: Final = (
    "points",
    "points_turn",
    "outs",
    "gain",
    "danger_turn",
    "near",
    "danger",
    "known",
    "thrown",
    "take",
    "take_turn",
    "knock_outs",
    "knock_known",
    "knock_stock",
    "knock_need",
    "knock_lead",
    "danger_high",
    "low",
    "low_turn",
    "knock0",
    "knock1",
    "knock2",
    "knock3",
    "knock4",
    "knock5",
    "knock6",
    "knock7",
    "knock8",
    "knock9",
)


class Weights:
    """One strategy's numbers, in the order of FIELDS."""

    def __init__(self, values: tuple[int, ...]) -> None:
        self.points: Final[i64] = values[0]
        """A point of deadwood, in 64ths."""
        self.points_turn: Final[i64] = values[1]
        """What is added to it with every turn."""
        self.outs: Final[i64] = values[2]
        """A live card that would join a meld."""
        self.gain: Final[i64] = values[3]
        """Each point of deadwood it would take away."""
        self.danger_turn: Final[i64] = values[4]
        """What is added to ``danger`` with every turn, in eighths."""
        self.near: Final[i64] = values[5]
        """A live card that would make a pair or two thirds of a run."""
        self.danger: Final[i64] = values[6]
        """Two unseen cards that would make a meld with the card thrown, in 64ths of this."""
        self.known: Final[i64] = values[7]
        """How much likelier a card the opponent took is to be in its hand than an unseen one, in quarters."""
        self.thrown: Final[i64] = values[8]
        """What a card is safer for each neighbour that the opponent threw or let lie."""
        self.take: Final[i64] = values[9]
        """What a hand must gain before a card is taken from the pile."""
        self.take_turn: Final[i64] = values[10]
        """What is added to it with every turn."""
        self.knock_outs: Final[i64] = values[11]
        """Deadwood that a knock must have less for each card that would make gin, in quarters."""
        self.knock_known: Final[i64] = values[12]
        """Deadwood it must have less for each card the opponent took, in quarters."""
        self.knock_stock: Final[i64] = values[13]
        """Deadwood it may have more, in quarters, for each card by which the stock has fallen below twelve."""
        self.knock_need: Final[i64] = values[14]
        """Deadwood it may have more where a few points win the game, in quarters."""
        self.knock_lead: Final[i64] = values[15]
        """Deadwood it may have more for each ten points that the opponent is ahead, in quarters."""
        self.danger_high: Final[i64] = values[16]
        """What is taken from ``danger`` for each point of a card above five and with every turn, in 64ths."""
        self.low: Final[i64] = values[17]
        """Each point by which the deadwood is below ten: who is knocked against may undercut."""
        self.low_turn: Final[i64] = values[18]
        """What is added to it with every turn."""
        self.knock: Final = values[19:29]
        """Most deadwood of a knock by own turns ended, nine and more alike, in quarters."""


NORMAL: Final = Weights(
    (64, 8, 60, 10, 0, 0, 0, 0, 0, -1000000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 40, 40, 28, 16, 12, 8, 4, 4, 4)
)
"""The one for ``normal``: nothing about the opponent, and not tuned."""

# Written by tests/tuning/tune.py: do not edit below.
HARD: Final = Weights(
    (
        64,
        16,
        39,
        12,
        83,
        -11,
        64,
        15,
        3,
        -169,
        48,
        25,
        8,
        1,
        -14,
        1,
        -21,
        29,
        16,
        99,
        80,
        73,
        -33,
        36,
        -34,
        -20,
        -79,
        -44,
        1,
    )
)
