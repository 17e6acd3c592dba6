"""Games and matches as they are played: who sits where, who deals which hand, and what each result enters on the sheet.

Players are numbered. In a partnership players 0 and 2 are the first team and meet 1 and 3 at two tables; of three players
(cutthroat) the dealer sits out. Every deal follows from the seed, whatever anybody plays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ginrummy.errors import IllegalError
from ginrummy.hand import Hand, HandEnd
from ginrummy.kernel.contest import cut_cards, first_dealer
from ginrummy.kernel.rng import Rng, Streams
from ginrummy.rules import Rules
from ginrummy.sheet import DEAD, Entry, Match, Row, Sheet, result_entry

HANDS_A_GAME: Final = 1 << 20
"""Room for the hands of one game of a match in the numbering of its deals."""


def player_count(rules: Rules) -> int:
    """How many players sit at the table or tables."""
    return 4 if rules.partnership else 3 if rules.cutthroat else 2


@dataclass(frozen=True, slots=True)
class Table:
    """One hand that is to be played."""

    players: tuple[int, int]
    """Who has seat 0 and seat 1."""
    dealer: int
    """The seat that answers the upcard last: the dealer's, or of three players that of the one farther from the dealer."""
    number: int
    """The hand's number among the deals of the seed."""
    scores: tuple[int, int]
    """Points of both seats' sides before it."""


class Game:
    """A game, or a match of several, from a seed.

    Game ``number`` of a seed always has the same first dealers and the same deals.

    >>> from ginrummy.rules import load_rules
    >>> game = Game(load_rules("race+partnership"), seed=1)
    >>> [table.players for table in game.tables()]
    [(0, 1), (2, 3)]
    """

    def __init__(self, rules: Rules, *, seed: int, number: int = 0, names: Sequence[str] | None = None) -> None:
        """``names`` are those of the sides: two players or teams, or three players."""
        self.rules = rules
        self.seed = seed
        self.number = number
        sides = 3 if rules.cutthroat else 2
        self.match = Match(
            rules, names or [f"player {side + 1}" for side in range(sides)], dealer=self._first_dealers(0)
        )

    def _start(self, game: int) -> int:
        """The number of the first deal of a game of the match."""
        return game * HANDS_A_GAME

    def _lots(self, game: int) -> list[Rng]:
        """What the first dealer of a game is drawn with, for each table."""
        first = self._start(game)
        tables = 2 if self.rules.partnership else 1
        return [Streams(self.seed, self.number, first + table).lot for table in range(tables)]

    def _first_dealers(self, game: int) -> list[int]:
        if self.rules.cutthroat:
            return [self._lots(game)[0].below(3)]
        return [first_dealer(lot, self.rules.first_dealer == "cut") for lot in self._lots(game)]

    def cuts(self) -> list[tuple[int, int]]:
        """The cards cut at the first table for the game under way, by side, ties included; empty where lots are drawn."""
        if self.rules.first_dealer != "cut" or self.rules.cutthroat:
            return []
        lot = self._lots(len(self.match.games) - 1)[0]
        cards = [cut_cards(lot)]
        while cards[-1][0] % 13 == cards[-1][1] % 13:
            cards.append(cut_cards(lot))
        return cards

    @property
    def sheet(self) -> Sheet:
        """The sheet of the game under way, or of the last one."""
        return self.match.games[-1]

    @property
    def finished(self) -> bool:
        """Whether the game (the match) is over."""
        return self.match.finished

    def side(self, player: int) -> int:
        """A player's side: in a partnership the team."""
        return player % 2 if self.rules.partnership else player

    def tables(self) -> list[Table]:
        """The hands of the next deal. IllegalError when all is over."""
        if self.match.finished:
            raise IllegalError("the game is over")
        if self.sheet.finished:
            self.match.begin_game(self._first_dealers(len(self.match.games)))
        sheet = self.sheet
        number = self._start(len(self.match.games) - 1)
        points = self._points()
        if self.rules.partnership:
            found = []
            for table, dealer in enumerate(sheet.dealers):
                assert dealer is not None
                found.append(Table((2 * table, 2 * table + 1), dealer, number + 2 * len(sheet.rows) + table, points))
            return found
        dealer = sheet.dealers[0]
        assert dealer is not None
        number += len(sheet.rows)
        if not self.rules.cutthroat:
            return [Table((0, 1), dealer, number, points)]
        # The next one after the dealer answers the upcard first.
        first, last = (dealer + 1) % 3, (dealer + 2) % 3
        seats = (min(first, last), max(first, last))
        totals = sheet.totals
        return [Table(seats, seats.index(last), number, (totals[seats[0]], totals[seats[1]]))]

    def _points(self) -> tuple[int, int]:
        """What both sides have toward the target: under hollywood in the first column that is open."""
        column = next(column for column in self.sheet.columns if not column.closed)
        return column.points[0], column.points[1]

    def streams(self, table: Table) -> Streams:
        """The chances of a hand: its deal, and choices for seat 0 and seat 1."""
        return Streams(self.seed, self.number, table.number)

    def deal(self, table: Table) -> Hand:
        """The hand of a table, dealt."""
        return Hand.deal(
            self.rules,
            seed=self.seed,
            game=self.number,
            number=table.number,
            dealer=table.dealer,
            scores=table.scores,
        )

    def entry(self, table: Table, end: HandEnd) -> Entry:
        """What a hand that is over enters on the sheet."""
        if end.showdown is None or end.knocker is None:
            return DEAD
        sides = [self.side(player) for player in table.players]
        return result_entry(end.showdown, sides[end.knocker], sides[1 - end.knocker])

    def enter(self, *entries: Entry) -> Row:
        """Enter the results of a deal, a hand for each table."""
        return self.match.add(*entries)
