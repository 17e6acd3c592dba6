"""A game between two players: hands until the target, dealt from a seed."""

from dataclasses import dataclass

from ginrummy.errors import IllegalError, ImpossibleError
from ginrummy.hand import Hand, HandEnd
from ginrummy.kernel.contest import cut_cards
from ginrummy.kernel.rng import Rng, Streams
from ginrummy.rules import Rules
from ginrummy.sheet import DEAD, Entry, FinalLine, Sheet, dealer_after, result_entry


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One hand that is over."""

    dealer: int
    end: HandEnd
    totals: tuple[int, int]
    """Points of both seats after it."""


def entry_of(end: HandEnd) -> Entry:
    """A hand's end as it goes on a sheet whose sides are the seats."""
    if end.knocker is None or end.showdown is None:
        return DEAD
    return result_entry(end.showdown, end.knocker, 1 - end.knocker)


class Game:
    """A game to the target between seats 0 and 1.

    Game ``number`` of a seed always has the same first dealer and the same deals.

    >>> from ginrummy.rules import load_rules
    >>> game = Game(load_rules("race"), seed=1)
    >>> game.dealer in (0, 1), game.next_hand().dealer == game.dealer
    (True, True)
    """

    def __init__(self, rules: Rules, *, seed: int, number: int = 0) -> None:
        if rules.partnership or rules.cutthroat:
            raise ImpossibleError(f"{rules.name} is not for two players")
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
        self.sheet = Sheet(rules, dealer=self.dealer)
        """What is written down; its sides are the seats."""

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
        first, second = self.sheet.totals
        return first, second

    @property
    def winner(self) -> int | None:
        """The seat that has won the game (see Sheet.winner)."""
        return self.sheet.winner

    @property
    def boxes(self) -> tuple[int, int]:
        """Boxes of each seat: its hands won, under hollywood once for every column they were entered in."""
        first, second = self.sheet.boxes
        return first, second

    def streams(self) -> Streams:
        """The chances of the hand under way, or of the next one: the deal and the players' own."""
        return Streams(self.seed, self.number, len(self.played))

    def next_hand(self) -> Hand:
        """Deal the next hand. IllegalError while one is under way or when the game is over."""
        if self.hand is not None:
            raise IllegalError("a hand is under way")
        if self.sheet.finished:
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
        self.sheet.add(entry_of(end))
        played = PlayedHand(self.dealer, end, self.totals)
        self.played.append(played)
        self.dealer = dealer_after(self.rules, self.dealer, end.winner)
        self.hand = None
        return played

    def final(self) -> list[FinalLine]:
        """The final lines of both seats. IllegalError while the game is not over."""
        return self.sheet.final()
