"""A game between two players: hands until the target, dealt from a seed."""

from dataclasses import dataclass

from ginrummy.errors import IllegalError
from ginrummy.hand import Hand, HandEnd, terms_of
from ginrummy.kernel.contest import cut_cards
from ginrummy.kernel.rng import Rng, Streams
from ginrummy.rules import Rules
from ginrummy.sheet import FinalLine, final_lines


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One hand that is over."""

    dealer: int
    end: HandEnd
    totals: tuple[int, int]
    """Points of both seats after it."""


class Game:
    """A game to the target between seats 0 and 1.

    Game ``number`` of a seed always has the same first dealer and the same deals.

    >>> from ginrummy.rules import load_rules
    >>> game = Game(load_rules("race"), seed=1)
    >>> game.dealer in (0, 1), game.next_hand().dealer == game.dealer
    (True, True)
    """

    def __init__(self, rules: Rules, *, seed: int, number: int = 0) -> None:
        self.rules = rules
        self.seed = seed
        self.number = number
        self.played: list[PlayedHand] = []
        """The hands that are over, in order."""
        self.hand: Hand | None = None
        """The hand under way."""
        self.cuts: list[tuple[int, int]] = []
        """The cards cut for the first deal, by seat, ties included; empty where the first dealer is drawn by lot."""
        self.dealer = self._first_dealer(Streams(seed, number, 0).lot)
        """Who deals the hand under way, or the next one."""
        self._terms = terms_of(rules)

    def _first_dealer(self, lot: Rng) -> int:
        if self.rules.first_dealer == "random":
            return lot.below(2)
        self.cuts.append(cut_cards(lot))
        while self.cuts[-1][0] % 13 == self.cuts[-1][1] % 13:
            self.cuts.append(cut_cards(lot))
        return 0 if self.cuts[-1][0] % 13 < self.cuts[-1][1] % 13 else 1

    @property
    def totals(self) -> tuple[int, int]:
        """Points of both seats so far."""
        return self.played[-1].totals if self.played else (0, 0)

    @property
    def winner(self) -> int | None:
        """The seat that has reached the target."""
        return next((seat for seat in (0, 1) if self.totals[seat] >= self.rules.target), None)

    @property
    def boxes(self) -> tuple[int, int]:
        """Hands won by each seat."""
        won = [played.end.winner for played in self.played]
        return won.count(0), won.count(1)

    def streams(self) -> Streams:
        """The chances of the hand under way, or of the next one: the deal and the players' own."""
        return Streams(self.seed, self.number, len(self.played))

    def next_hand(self) -> Hand:
        """Deal the next hand. IllegalError while one is under way or when the game is over."""
        if self.hand is not None:
            raise IllegalError("a hand is under way")
        if self.winner is not None:
            raise IllegalError("the game is over")
        self.hand = Hand.deal(
            self.rules,
            seed=self.seed,
            game=self.number,
            number=len(self.played),
            dealer=self.dealer,
            scores=self.totals,
        )
        return self.hand

    def close_hand(self) -> PlayedHand:
        """Enter the hand that has ended and settle who deals next."""
        if self.hand is None or self.hand.end is None:
            raise IllegalError("no hand has ended")
        end = self.hand.end
        won = self.hand.returns()
        played = PlayedHand(self.dealer, end, (self.totals[0] + won[0], self.totals[1] + won[1]))
        self.played.append(played)
        self.dealer = self._terms.dealer_after(self.dealer, -1 if end.winner is None else end.winner)
        self.hand = None
        return played

    def final(self) -> list[FinalLine]:
        """The final lines of both seats. IllegalError while nobody has reached the target."""
        if self.winner is None:
            raise IllegalError("the game is not over")
        return final_lines(self.rules, self.totals, self.boxes, self.winner)
