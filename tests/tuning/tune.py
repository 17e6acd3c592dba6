"""Tune the weights of ``hard`` against a pool and write them where the kernel reads them.

    python tests/tuning/tune.py --seconds 1200

The pool plays mirrored games to 100: the baseline, which counts most, ``easy``, ``normal``, the weights as they are now,
earlier versions, and variants that knock at once, low and late, or only gin. Every generation draws weights around the
mean so far, in pairs on opposite sides of it, plays all of them on the same deals, new ones each generation, and moves
the mean toward the best quarter. At the end the result is written only where it beats the present weights over the pool
on deals of another seed. The same seed and number of generations give the same result. A compiled kernel is needed.
"""

import argparse
import math
import random
import re
import time
from pathlib import Path

from ginrummy.kernel import compiled, hard, levels, weights
from ginrummy.kernel.contest import GAMES, WINS, Contest
from ginrummy.kernel.terms import ALTERNATE, Terms
from ginrummy.kernel.weights import FIELDS, Weights

TERMS = Terms(
    limit=10,
    gin=25,
    undercut=25,
    big_gin=-1,
    upcard_factor=1,
    pile_factor=1,
    target=100,
    next_dealer=ALTERNATE,
    by_player=False,
)

# The first version that was tuned, against the baseline alone; and the same hands judged by guessed weights.
FIRST = (
    64,
    31,
    -27,
    10,
    0,
    1,
    44,
    19,
    5,
    -30,
    24,
    16,
    3,
    0,
    -1,
    3,
    0,
    0,
    0,
    48,
    60,
    49,
    7,
    -13,
    -19,
    -9,
    -14,
    -29,
    -16,
)
GUESSED = (64, 8, 100, 8, 0, 4, 6, 10, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 40, 40, 40, 16, 8, 8, 4, 4, 4)
SECOND = (
    64,
    34,
    2,
    16,
    58,
    -8,
    75,
    17,
    -5,
    -100,
    28,
    14,
    6,
    1,
    -4,
    0,
    0,
    0,
    0,
    68,
    68,
    59,
    -19,
    -24,
    -27,
    -15,
    -17,
    -31,
    0,
)

KNOCKS = FIELDS.index("knock0")
SPREAD = {
    "points": 0,
    "outs": 12,
    "gain": 2,
    "danger_turn": 10,
    "danger": 7,
    "near": 3,
    "known": 3,
    "take": 25,
    "take_turn": 6,
}
SPREAD |= {"knock_outs": 4, "knock_stock": 1, "low": 12, "danger_high": 8}
"""How far from the mean the first generation is drawn: 4 where nothing is said, 8 for the knocks."""


def knocking(base: tuple[int, ...], knocks: tuple[int, ...], outs: int = 0) -> tuple[int, ...]:
    """Weights that knock by turn alone (and by the cards that would make gin)."""
    values = list(base)
    for name in FIELDS:
        if name.startswith("knock_"):
            values[FIELDS.index(name)] = 0
    values[FIELDS.index("knock_outs")] = outs
    values[KNOCKS:] = knocks
    return tuple(values)


def pool(now: tuple[int, ...]) -> list[tuple[int, float]]:
    """The opponents as levels with their shares. Fills the kernel's list of variants."""
    low = (40, 40, 40, 40, 16, 8, 8, 4, 4, 4)
    later = (40, 40, 40, 34, 30, 26, 24, 20, 16, 12)
    variants = [
        now,
        FIRST,
        SECOND,
        knocking(FIRST, (40,) * 10),
        knocking(FIRST, low),
        knocking(SECOND, (0,) * 10),
        knocking(GUESSED, low),
        knocking(now, later, 6),
    ]
    hard.VARIANTS[:] = [Weights(values) for values in variants]
    shares = [(levels.EAAI_SIMPLE, 0.56), (levels.EASY, 0.04), (levels.NORMAL, 0.04)]
    return shares + [(levels.VARIANT + number, 0.045) for number in range(len(variants))]


def rate(level: int, opponent: int, seed: int, first: int, groups: int) -> float:
    """The share of games won, every deal played from both seats."""
    run = Contest(TERMS, False, seed, level, opponent)
    for group in range(first, first + groups):
        run.group(group, True, True)
    return run.tally[WINS] / run.tally[GAMES]


def over_pool(values: tuple[int, ...], opponents: list[tuple[int, float]], seed: int, first: int, groups: int) -> float:
    """The mean over the pool by shares; who counts more plays more."""
    slot = len(opponents) - 3
    del hard.VARIANTS[slot:]
    hard.VARIANTS.append(Weights(values))
    return sum(
        share * rate(levels.VARIANT + slot, level, seed, first, max(1, round(groups * share)))
        for level, share in opponents
    )


def spread_of(name: str) -> float:
    """How far from the mean a weight is drawn at first."""
    return float(SPREAD.get(name, 8 if name[-1].isdigit() else 4))


def search(
    start: tuple[int, ...],
    opponents: list[tuple[int, float]],
    *,
    seed: int,
    generations: int,
    size: int,
    groups: int,
    seconds: float,
) -> tuple[int, ...]:
    """The mean after the last generation, or once the time is over."""
    lot = random.Random(seed)
    mean = [float(value) for value in start]
    spread = [spread_of(name) for name in FIELDS]
    best_of = size // 4
    share = [math.log(best_of + 0.5) - math.log(place + 1) for place in range(best_of)]
    began = time.monotonic()
    for generation in range(generations):
        if time.monotonic() - began > seconds:
            break
        drawn = []
        for _ in range(size // 2):
            step = [lot.gauss(0, 1) * width for width in spread]
            drawn += [tuple(round(m + side * s) for m, s in zip(mean, step, strict=True)) for side in (1, -1)]
        scores = [over_pool(values, opponents, seed, generation * groups, groups) for values in drawn]
        best = [drawn[i] for i in sorted(range(size), key=lambda i: -scores[i])[:best_of]]
        for i, name in enumerate(FIELDS):
            column = [values[i] for values in best]
            width = math.sqrt(sum(s * (x - mean[i]) ** 2 for s, x in zip(share, column, strict=True)) / sum(share))
            middle = sum(s * x for s, x in zip(share, column, strict=True)) / sum(share)
            mean[i] = 0.4 * mean[i] + 0.6 * middle
            if spread_of(name):
                spread[i] = max(0.3, 0.85 * spread[i] + 0.15 * width)
        if generation % 5 == 4:
            print(f"{generation + 1:4}  {sum(scores) / size:.4f}  {tuple(map(round, mean))}", flush=True)
    return tuple(map(round, mean))


def values_of(found: Weights) -> tuple[int, ...]:
    """A strategy's numbers in the order of FIELDS."""
    return (*(getattr(found, name) for name in FIELDS[:KNOCKS]), *found.knock)


def write(values: tuple[int, ...]) -> None:
    """Put the weights into the kernel's source; it must be compiled again afterwards."""
    path = Path(__file__).parents[2] / "ginrummy" / "kernel" / "weights.py"
    text = path.read_text()
    path.write_text(
        re.sub(r"(?s)(\nHARD: Final = Weights\(\n?\s*)\([^)]*\)", lambda found: found[1] + repr(values), text)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--generations", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--size", type=int, default=20, help="weights tried a generation")
    parser.add_argument("--groups", type=int, default=800, help="pairs of games each of them plays a generation")
    parser.add_argument(
        "--check", type=int, default=10000, help="pairs of games that decide whether the result is written"
    )
    chosen = parser.parse_args()
    if not compiled:
        raise SystemExit("the interpreted kernel is far too slow for this: install with a C compiler")
    now = values_of(weights.HARD)
    opponents = pool(now)
    found = search(
        now,
        opponents,
        seed=chosen.seed,
        generations=chosen.generations,
        size=chosen.size,
        groups=chosen.groups,
        seconds=chosen.seconds,
    )
    before = over_pool(now, opponents, chosen.seed + 1, 0, chosen.check)
    after = over_pool(found, opponents, chosen.seed + 1, 0, chosen.check)
    print(f"before {before:.4f}, after {after:.4f}: {found}")
    if after > before:
        write(found)
        print("written; compile the kernel again")


if __name__ == "__main__":
    main()
