"""The hands that the benchmarks work on: the same ones every time."""

import sys
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parents[1]))
from reference import knock_pair, rich_hand

DECK = range(52)


def random_hands(count: int, size: int) -> list[list[int]]:
    """Deals as they come: two in three have no meld at all."""
    random = Random(f"random {size}")
    return [sorted(random.sample(DECK, size)) for _ in range(count)]


def rich_hands(count: int, size: int) -> list[list[int]]:
    """Hands full of sets and runs that compete for cards: the worst that a solver meets."""
    random = Random(f"rich {size}")
    return [rich_hand(random, size) for _ in range(count)]


def knock_pairs(count: int) -> list[tuple[list[int], list[int]]]:
    """A knocker's hand that may knock and a defender's with much to lay off."""
    random = Random("knocks")
    return [knock_pair(random) for _ in range(count)]


def mask_of(cards: list[int]) -> int:
    """A hand as the kernel knows it."""
    return sum(1 << card for card in cards)
