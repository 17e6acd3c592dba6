"""The chance to win the game from the points both still need, so that hands are played for the game and not for points."""

from typing import Final

from mypy_extensions import i64

MOST: Final = 100
"""Needs are reckoned up to so many points; beyond that both are scaled down."""

CERTAIN: Final = 10000
"""The number that stands for a won game."""

POINTS_WON: Final = (3, 7, 13, 17, 26, 28, 32, 36, 43, 47, 54, 64, 75)
"""What hands bring, and below how often of a thousand: the mean of ``hard`` against itself, ``normal`` and the baseline."""

OFTEN: Final = (74, 73, 45, 44, 173, 173, 140, 119, 55, 33, 43, 17, 11)


def _table() -> list[int]:
    """Chances in ten-thousandths, by own need * (MOST + 1) + the opponent's need."""
    size: i64 = MOST + 1
    table: list[int] = [0] * (size * size)
    all_weights: i64 = 0
    points: list[int] = list(POINTS_WON)
    weights: list[int] = list(OFTEN)
    for weight in weights:
        all_weights += 2 * weight
    mine: i64 = 1
    while mine < size:
        table[mine * size] = 0
        table[mine] = CERTAIN
        theirs: i64 = 1
        while theirs <= mine:
            found: i64 = 0
            i: i64 = 0
            while i < len(points):
                after: i64 = mine - points[i]
                found += weights[i] * (CERTAIN if after <= 0 else table[after * size + theirs])
                after = theirs - points[i]
                found += weights[i] * (0 if after <= 0 else table[mine * size + after])
                i += 1
            table[mine * size + theirs] = int(found // all_weights)
            table[theirs * size + mine] = int(CERTAIN - found // all_weights)
            theirs += 1
        mine += 1
    return table


_CHANCES: Final[list[int]] = []
"""Filled when first needed: commands that play no hands need not wait for it."""


def chance(mine: i64, theirs: i64) -> i64:
    """The chance to win in ten-thousandths when one needs ``mine`` more points and the opponent ``theirs``."""
    if mine <= 0:
        return CERTAIN
    if theirs <= 0:
        return 0
    if not _CHANCES:
        _CHANCES.extend(_table())
    larger: i64 = mine if mine > theirs else theirs
    if larger > MOST:
        mine = (mine * MOST + larger - 1) // larger
        theirs = (theirs * MOST + larger - 1) // larger
    return _CHANCES[mine * (MOST + 1) + theirs]
