"""What a discard might do for the opponent, from what it took, threw and let lie."""

from mypy_extensions import i64

from ginrummy.kernel.solver import POINTS, RANK
from ginrummy.kernel.spreads import count
from ginrummy.kernel.weights import Weights
from ginrummy.kernel.worth import NOT_ACES, NOT_KINGS


def danger(card: i64, unseen: i64, known: i64, turned_down: i64, turn: i64, w: Weights) -> i64:
    """How much there is to be said against throwing a card (a mask).

    ``unseen`` cards may be the opponent's, ``known`` ones are, ``turned_down`` were thrown by it or let lie.
    """
    four: i64 = RANK
    number: i64 = count(card - 1)
    four <<= number % 13
    four ^= card
    many: i64 = w.known
    a: i64 = 4 * count(unseen & four) + many * count(known & four)
    # Pairs of different cards, in sixteenths; a card with itself makes none.
    value: i64 = (a * a - 16 * count(unseen & four) - many * many * count(known & four)) // 2
    up: i64 = (card & NOT_KINGS) << 1
    down: i64 = (card & NOT_ACES) >> 1
    up2: i64 = (up & NOT_KINGS) << 1
    down2: i64 = (down & NOT_ACES) >> 1
    one: i64 = 4 if unseen & up else (many if known & up else 0)
    other: i64 = 4 if unseen & down else (many if known & down else 0)
    value += one * other
    if one:
        value += one * (4 if unseen & up2 else (many if known & up2 else 0))
    if other:
        value += other * (4 if unseen & down2 else (many if known & down2 else 0))
    scale: i64 = 64 * w.danger + (8 * w.danger_turn - w.danger_high * (POINTS[number] - 5)) * turn
    return (value * scale >> 10) - w.thrown * count(turned_down & (four | up | down))
