"""Random numbers that are the same everywhere: xoshiro128** on 32-bit words, begun from a hash of seed, game and hand."""

from hashlib import blake2b
from struct import Struct
from typing import Final

from mypy_extensions import i64

WORD: Final = 0xFFFFFFFF

_WORDS: Final = Struct("<8I").unpack_from
_DECK: Final = list(range(52))


class Rng:
    """One stream of random numbers."""

    def __init__(self, a: i64, b: i64, c: i64, d: i64) -> None:
        """From four 32-bit words; all zero, the only state that would never change, is not taken."""
        self.a: i64 = a if a | b | c | d else 1
        self.b: i64 = b
        self.c: i64 = c
        self.d: i64 = d

    def word(self) -> i64:
        """The next 32 bits."""
        b: i64 = self.b
        five: i64 = b * 5 & WORD
        found: i64 = ((five << 7 | five >> 25) & WORD) * 9 & WORD
        shifted: i64 = b << 9 & WORD
        self.c ^= self.a
        self.d ^= b
        self.b = b ^ self.c
        self.a ^= self.d
        self.c ^= shifted
        self.d = (self.d << 11 | self.d >> 21) & WORD
        return found

    def below(self, n: i64) -> i64:
        """A number from 0 to n - 1, each equally likely (n at most 65,536)."""
        product: i64 = self.word() * n
        if product & WORD < n:
            # The lowest products would come once too often: draw again.
            uneven: i64 = (WORD + 1 - n) % n
            while product & WORD < uneven:
                product = self.word() * n
        return product >> 32

    def pick(self, cards: i64) -> i64:
        """One card of a mask, as a mask, each equally likely."""
        n: i64 = 0
        rest: i64 = cards
        while rest:
            rest &= rest - 1
            n += 1
        skip: i64 = self.below(n)
        while skip:
            cards &= cards - 1
            skip -= 1
        return cards & -cards


class Streams:
    """What chance decides in one hand: the deal, each player's own choices, and who deals first."""

    def __init__(self, seed: int, game: int, hand: int) -> None:
        w: tuple[int, ...] = _WORDS(blake2b(f"{seed}:{game}:{hand}".encode()).digest())
        self.deal: Final = Rng(w[0], w[1], w[2], w[3])
        root: Rng = Rng(w[4], w[5], w[6], w[7])
        self.first: Final = branch(root)
        """The choices of the first of the hand's two players, whatever the seat."""
        self.second: Final = branch(root)
        self.lot: Final = branch(root)
        """For whatever is drawn before the deal."""


def branch(root: Rng) -> Rng:
    """A stream of its own, begun from the next four words of another."""
    return Rng(root.word(), root.word(), root.word(), root.word())


def shuffle(cards: list[int], rng: Rng) -> None:
    """Put cards in random order."""
    last: i64 = len(cards) - 1
    while last > 0:
        other: i64 = rng.below(last + 1)
        card: int = cards[last]
        cards[last] = cards[other]
        cards[other] = card
        last -= 1


def shuffled(rng: Rng) -> list[int]:
    """The 52 cards in random order."""
    deck: list[int] = _DECK[:]
    shuffle(deck, rng)
    return deck
