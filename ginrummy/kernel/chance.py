"""The chance to win the game from the points both still need, so that hands are played for the game and not for points."""

from typing import Final

from mypy_extensions import i64

MOST: Final = 100
"""Needs are reckoned up to so many points; beyond that both are scaled down."""

CERTAIN: Final = 10000
"""The number that stands for a won game."""

OUTCOMES: Final = ((4, 75), (8, 75), (14, 72), (18, 68), (24, 50), (28, 60), (33, 55), (38, 45), (44, 30), (52, 30), (62, 20), (75, 8))
"""How often a hand between even players brings so many points, in relation; measured between the strategies here."""


def _table() -> list[int]:
    """Chances in ten-thousandths, by own need * (MOST + 1) + the opponent's need."""
    size: i64 = MOST + 1
    table: list[int] = [0] * (size * size)
    all_weights: i64 = 0
    points: list[int] = [pair[0] for pair in OUTCOMES]
    weights: list[int] = [pair[1] for pair in OUTCOMES]
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


_CHANCES: Final = _table()


def chance(mine: i64, theirs: i64) -> i64:
    """The chance to win in ten-thousandths when one needs ``mine`` more points and the opponent ``theirs``."""
    if mine <= 0:
        return CERTAIN
    if theirs <= 0:
        return 0
    larger: i64 = mine if mine > theirs else theirs
    if larger > MOST:
        mine = (mine * MOST + larger - 1) // larger
        theirs = (theirs * MOST + larger - 1) // larger
    return _CHANCES[mine * (MOST + 1) + theirs]
