"""Hands the opponent may hold, drawn at random from what a view tells.

Cards dealt uniformly from the unseen ones make a bad opponent: real hands improve with time. So more cards than it needs
are drawn and the best ten kept, and most hands that would have acted differently are thrown back: a hand that could have
knocked, one that would have taken a card it let lie, one that would have thrown another card.
"""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.rng import Rng
from ginrummy.kernel.solver import best_discards, deadwood, least_after_discard, meldable
from ginrummy.kernel.spreads import count
from ginrummy.kernel.view import View
from ginrummy.kernel.worth import DECK

TRIES: Final = 8
"""So many hands are looked at before the last one is taken as it is."""

KNOCKER: Final = bytes((0, 1, 2, 3, 3, 4, 4, 4, 4, 4, 3))
"""Cards drawn beyond the ten for a player who knocks at once, by turns ended: so chosen that the hands come out as good
as those found in play."""

WAITER: Final = bytes((0, 1, 3, 5, 6, 7, 7, 7, 7, 7, 5))
"""The same for one who waits for gin."""

LOOKS: Final = 4
"""So many of the latest cards thrown and let lie are looked at."""


class Belief:
    """Draws opponent's hands and stocks for one view."""

    def __init__(self, view: View) -> None:
        self.known: Final[i64] = view.known
        self.limit: Final[i64] = view.limit
        unseen: i64 = DECK & ~(view.hand | view.piled | view.known)
        self.cards: Final[list[int]] = []
        number: i64 = 0
        while number < 52:
            if unseen >> number & 1:
                self.cards.append(int(number))
            number += 1
        self.wanted: Final[i64] = 10 - count(view.known)
        self.turns: Final[i64] = count(view.thrown)
        """Turns the opponent has ended."""
        self.most: Final[i64] = len(self.cards) - self.wanted
        self.looks: i64 = 3
        self.thrown: Final[list[int]] = []
        self.refused: Final[list[int]] = []
        i: i64 = len(view.pile) - 1
        while i >= 0:
            card: i64 = 1
            card <<= view.pile[i]
            if view.thrown & card:
                if len(self.thrown) < LOOKS:
                    self.thrown.append(int(card))
            elif view.refused & card and len(self.refused) < LOOKS:
                self.refused.append(int(card))
            i -= 1

    def likely(self, hand: i64, rng: Rng, waits: bool) -> bool:
        """Whether a hand passes as one the opponent would hold after what it did."""
        low: bool = self.turns > 0 and deadwood(hand) <= self.limit
        if low and (not waits or rng.below(8) >= 2 * self.turns):
            return False
        for refused in self.refused:
            if meldable(hand | refused) & refused and rng.below(4):
                return False
        i: i64 = 0
        while i < len(self.thrown):
            # Deadwood that the discard cost when it was made, the hand having changed a little since.
            if deadwood(hand) > least_after_discard(hand | self.thrown[i], 0) + i and rng.below(4):
                return False
            i += 1
        return True

    def draw(self, rng: Rng, waits: bool) -> i64:
        """One hand of ten; the other unseen cards are left in random order as ``stock``."""
        cards: list[int] = self.cards
        n: i64 = len(cards)
        turn: i64 = self.turns if self.turns < len(KNOCKER) else len(KNOCKER) - 1
        extra: i64 = WAITER[turn] if waits else KNOCKER[turn]
        if extra > self.most:
            extra = self.most
        drawn: i64 = self.wanted + extra
        tries: i64 = 0
        hand: i64 = 0
        while tries < TRIES:
            tries += 1
            hand = self.known
            i: i64 = 0
            card: i64
            while i < drawn:
                other: i64 = i + rng.below(n - i)
                swapped: int = cards[i]
                cards[i] = cards[other]
                cards[other] = swapped
                card = 1
                card <<= cards[i]
                hand |= card
                i += 1
            i = 0
            while i < extra:
                worst: i64 = best_discards(hand, self.known)
                if worst == 0:
                    worst = best_discards(hand, 0)
                # Of equals any one; the dearest cards of a suit come last.
                hand ^= rng.pick(worst)
                i += 1
            if self.likely(hand, rng, waits):
                break
        return hand

    def stock(self, hand: i64, rng: Rng) -> list[int]:
        """The cards that are neither seen nor in ``hand``, in random order."""
        left: list[int] = []
        for number in self.cards:
            if not hand >> number & 1:
                left.append(number)
        last: i64 = len(left) - 1
        while last > 0:
            other: i64 = rng.below(last + 1)
            card: int = left[last]
            left[last] = left[other]
            left[other] = card
            last -= 1
        return left
