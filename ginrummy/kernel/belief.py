"""Hands the opponent may hold, drawn at random from what a view tells.

Cards dealt uniformly from the unseen ones make a bad opponent: real hands improve with time. Every way the opponent's
hand can have come about is equally likely beforehand: the hand now, and at each of its turns the card it drew. How likely
it would then have done what it did makes the difference: what it threw, took, let lie, and that it did not knock. A walk
from one such past to the next (Metropolis) visits each as often as that says.
"""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.rng import WORD, Rng, shuffle
from ginrummy.kernel.solver import best_discards, deadwood, meldable
from ginrummy.kernel.spreads import count
from ginrummy.kernel.view import NOTHING, TOOK, View
from ginrummy.kernel.worth import DECK

FIRST_STEPS: Final = 400
"""Steps before the first hand is used; no more than between all those that are wanted."""

STEPS: Final = 12
"""Steps from one hand to the next."""

KNOCKER: Final = bytes((0, 1, 2, 3, 3, 4, 4, 4, 4, 4, 3))
"""Cards dealt beyond the ten, the best of which are kept, to begin the walk; by turns ended."""

WAITER: Final = bytes((0, 1, 3, 5, 6, 7, 7, 7, 7, 7, 5))
"""The same for one who waits for gin."""

WORST: Final = 160
"""The greatest cost that is told apart from larger ones."""


def _odds() -> list[int]:
    """Of 2**32 chances, how many accept a step by its cost: half for every eight."""
    found: list[int] = [WORD + 1]
    for _ in range(WORST):
        found.append(found[-1] * 3938502376 >> 32)
    return found


ODDS: Final = _odds()

WORSE: Final = bytes((8, 24, 25, 30, 37, 43, 54, 66, 70, 76, 84, 92, 100))
"""For one who waits for gin: the cost of a discard that leaves so many points more than necessary, as in play of ``hard``."""

TIES: Final = bytes((0, 0, 8, 13, 16, 19, 21, 22, 24, 25, 27, 28))
"""The cost of having chosen one of so many equals."""


class Belief:
    """Draws opponent's hands and stocks for one view, the opponent being one who knocks at once or one who waits for gin."""

    def __init__(self, view: View, waits: bool, samples: i64, rng: Rng) -> None:
        self.waits: Final = waits
        self.known: Final[i64] = view.known
        self.limit: Final[i64] = view.limit
        self.story: Final[list[int]] = view.story
        self.turns: Final[i64] = len(view.story)
        unseen: i64 = DECK & ~(view.hand | view.piled | view.known)
        self.wanted: Final[i64] = 10 - count(view.known)
        self.cards: Final[list[int]] = []
        """The unseen cards as masks; the first ``wanted`` are in the opponent's hand."""
        while unseen:
            card: i64 = unseen & -unseen
            unseen ^= card
            self.cards.append(int(card))
        self.draws: Final[list[int]] = []
        """The card drawn or taken at each turn, as a mask."""
        self.held: Final[list[int]] = []
        """Cards that the opponent had taken before each turn and still held: not to be drawn any more."""
        self.cost: i64 = 0
        self.begin(rng)
        steps: i64 = samples * STEPS
        if steps > FIRST_STEPS:
            steps = FIRST_STEPS
        while steps > 0 and self.turns > 0:
            self.step(rng)
            steps -= 1

    def begin(self, rng: Rng) -> None:
        """Deal some hand, with some past."""
        cards: list[int] = self.cards
        n: i64 = len(cards)
        late: i64 = self.turns if self.turns < len(KNOCKER) else len(KNOCKER) - 1
        extra: i64 = WAITER[late] if self.waits else KNOCKER[late]
        if extra > n - self.wanted:
            extra = n - self.wanted
        i: i64 = 0
        while i < n:
            self.swap(i, i + rng.below(n - i))
            i += 1
        hand: i64 = self.known
        i = 0
        while i < self.wanted + extra:
            hand |= cards[i]
            i += 1
        while extra > 0:
            hand ^= rng.pick(best_discards(hand, self.known))
            extra -= 1
        place: i64 = 0
        i = 0
        while i < n:
            if hand & cards[i]:
                self.swap(i, place)
                place += 1
            i += 1
        held: i64 = 0
        for told in self.story:
            self.draws.append(0)
            self.held.append(int(held))
            if told // 64 >= TOOK:
                taken: i64 = 1
                taken <<= told // 64 - TOOK
                held |= taken
            thrown: i64 = 1
            thrown <<= told % 64
            held &= ~thrown
        turn: i64 = self.turns - 1
        while turn >= 0:
            event: i64 = self.story[turn]
            thrown = 1
            thrown <<= event % 64
            hand |= thrown
            drawn: i64 = 1
            if event // 64 >= TOOK:
                drawn <<= event // 64 - TOOK
            else:
                drawn = rng.pick(hand & ~self.held[turn])
            self.draws[turn] = int(drawn)
            hand &= ~drawn
            turn -= 1
        self.cost = self.costs()

    def swap(self, one: i64, other: i64) -> None:
        """Exchange two of the unseen cards."""
        card: int = self.cards[one]
        self.cards[one] = self.cards[other]
        self.cards[other] = card

    def hand(self) -> i64:
        """The opponent's ten cards."""
        found: i64 = self.known
        i: i64 = 0
        while i < self.wanted:
            found |= self.cards[i]
            i += 1
        return found

    def costs(self) -> i64:
        """How unlikely it is that the opponent did what it did: each eight halve the chance."""
        cost: i64 = 0
        hand: i64 = self.hand()
        turn: i64 = self.turns - 1
        while turn >= 0:
            event: i64 = self.story[turn]
            thrown: i64 = 1
            thrown <<= event % 64
            left: i64 = deadwood(hand)
            eleven: i64 = hand | thrown
            seen: i64 = event // 64
            card: i64 = 0
            if seen != NOTHING:
                card = 1
                card <<= seen % TOOK
            took: bool = seen >= TOOK
            best: i64 = best_discards(eleven, card if took else 0)
            least: i64 = left if best & thrown else deadwood(eleven ^ (best & -best))
            hand = eleven & ~self.draws[turn]
            melds: bool = meldable(hand | card) & card != 0
            if self.waits:
                worse: i64 = left - least
                cost += WORSE[worse if worse < len(WORSE) else len(WORSE) - 1]
                if least <= self.limit:
                    cost += 8 if turn < 3 else 2
                if took and not melds:
                    cost += 56
                elif melds and not took:
                    cost += 21
            else:
                if left > least:
                    cost += 24 + 3 * (left - least)
                else:
                    cost += TIES[count(best)]
                if least <= self.limit:
                    cost += 56
                if took and not melds:
                    cost += 56
                elif melds and not took:
                    cost += 48
            turn -= 1
        return cost

    def step(self, rng: Rng) -> None:
        """Another hand, or another past of the hand, if chance accepts it."""
        n: i64 = len(self.cards)
        if self.wanted == 0 or self.wanted == n:
            return
        before: i64 = self.cost
        if rng.below(3):
            i: i64 = rng.below(self.wanted)
            j: i64 = self.wanted + rng.below(n - self.wanted)
            one: int = self.cards[i]
            other: int = self.cards[j]
            self.swap(i, j)
            self.rename(one, other, self.turns - 1)
            self.cost = self.costs()
            if not self.accepts(before, rng):
                self.swap(i, j)
                self.rename(other, one, self.turns - 1)
                self.cost = before
            return
        turn: i64 = rng.below(self.turns)
        if self.story[turn] // 64 >= TOOK:
            return
        hand: i64 = self.hand()
        at: i64 = self.turns - 1
        thrown: i64 = 1
        while at > turn:
            thrown = 1
            thrown <<= self.story[at] % 64
            hand = (hand | thrown) & ~self.draws[at]
            at -= 1
        thrown = 1
        thrown <<= self.story[turn] % 64
        one = self.draws[turn]
        other = int(rng.pick((hand | thrown) & ~self.held[turn]))
        if one == other:
            return
        self.rename(one, other, turn)
        self.cost = self.costs()
        if not self.accepts(before, rng):
            self.rename(one, other, turn)
            self.cost = before

    def rename(self, one: int, other: int, last: i64) -> None:
        """Let the two cards change places among the draws up to a turn."""
        i: i64 = 0
        while i <= last:
            drawn: int = self.draws[i]
            if drawn == one:
                self.draws[i] = other
            elif drawn == other:
                self.draws[i] = one
            i += 1

    def accepts(self, before: i64, rng: Rng) -> bool:
        """Whether chance accepts the change of the cost."""
        more: i64 = self.cost - before
        if more <= 0:
            return True
        return more < WORST and rng.word() < ODDS[more]

    def draw(self, rng: Rng) -> i64:
        """One hand of ten."""
        if self.turns == 0:
            # Nothing was done yet that could tell hands apart.
            n: i64 = len(self.cards)
            i: i64 = 0
            while i < self.wanted:
                self.swap(i, i + rng.below(n - i))
                i += 1
            return self.hand()
        steps: i64 = STEPS
        while steps > 0:
            self.step(rng)
            steps -= 1
        return self.hand()

    def stock(self, rng: Rng) -> list[int]:
        """The other unseen cards by number, in random order."""
        left: list[int] = []
        i: i64 = self.wanted
        while i < len(self.cards):
            card: i64 = self.cards[i]
            left.append(int(count(card - 1)))
            i += 1
        shuffle(left, rng)
        return left
