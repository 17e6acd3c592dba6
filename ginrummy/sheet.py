"""Games on paper: hands entered one by one, points, columns, boxes, bonuses, shutouts, who deals next, matches."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from ginrummy.errors import IllegalError, ImpossibleError
from ginrummy.notation import card_name
from ginrummy.rules import Rules
from ginrummy.scoring import HandResult, outcome

EntryResult = Literal["knock", "gin", "big-gin", "undercut", "points", "dead"]

MOST_DEADWOOD: Final = 100
"""Ten cards of ten points."""
MOST_POINTS: Final = 10_000
"""More than any hand brings; a bound for points that are taken as they are."""
HOLLYWOOD_COLUMNS: Final = 3


# One hand


@dataclass(frozen=True, slots=True)
class Entry:
    """One hand as it is entered. Sides are numbers: players, or the two teams of a partnership."""

    winner: int | None
    """The side that scores; None after a dead hand."""
    result: EntryResult
    points: int
    """What the winner scores, doubling included."""
    difference: int = 0
    bonus: int = 0
    multiplier: int = 1
    deadwood: tuple[int, int] | None = None
    """The knocker's and the other's, after laying off; None where only points are known."""
    loser: int | None = None
    """The other side at the table, where it is known."""
    players: tuple[str | None, str | None] = (None, None)
    """In a partnership: the players who won and lost at this table, where they are known."""


DEAD: Final = Entry(None, "dead", 0)
"""A hand nobody scored."""


def points_entry(rules: Rules, winner: int, points: int, *, loser: int | None = None) -> Entry:
    """A hand of which only the points are known. IllegalError for points no hand can have."""
    # Nothing scores nothing unless a bonus is 0: a knock wins by one point at least.
    least = 0 if 0 in (rules.undercut_bonus, rules.gin_bonus, rules.big_gin_bonus) else 1
    if not least <= points <= MOST_POINTS:
        more = "; a hand nobody scored is 'dead'" if points == 0 else ""
        raise IllegalError(f"{points} points: allowed is {least} to {MOST_POINTS}{more}")
    return Entry(winner, "points", points, loser=loser)


def check_deadwood(rules: Rules, knocker: int, other: int, *, upcard: int | None = None) -> None:
    """That a knock with these deadwoods (after laying off) can be; IllegalError says what would be right."""
    limit = rules.limit(upcard)
    most = 10 if limit is None else limit
    if not 0 <= knocker <= most:
        why = f" with the {card_name(upcard)} as upcard" if rules.knock_limit == "upcard" and upcard is not None else ""
        what = f"the limit is {most}{why}" if most else f"only gin ends a hand{why}"
        raise IllegalError(f"a knock with {knocker}: {what}")
    if not 0 <= other <= MOST_DEADWOOD:
        raise IllegalError(f"deadwood {other}: ten cards have 0 to {MOST_DEADWOOD} points")


def factor(
    rules: Rules,
    *,
    upcard: int | None = None,
    pile_top: int | None = None,
    pile_empty: bool = False,
    double: bool = False,
) -> int:
    """What the hand's points are multiplied by. ``double`` stands for a card that is not given: the pile's, else the upcard.

    >>> from ginrummy.rules import load_rules
    >>> factor(load_rules("oklahoma+spades"), upcard=5, double=True), factor(load_rules("oklahoma"), double=True)
    (4, 2)
    """
    known = rules.multiplier(upcard, pile_top)
    if not double:
        return known
    if rules.spade_upcard_factor == rules.spade_pile_factor == 1:
        raise IllegalError(
            f"nothing is doubled under {rules.name}: leave the mark out, or add +oklahoma or +spades to the rules"
        )
    if rules.spade_pile_factor != 1 and pile_top is None and not pile_empty:
        return known * rules.spade_pile_factor
    if rules.spade_upcard_factor != 1 and upcard is None:
        return known * rules.spade_upcard_factor
    if known == 1:
        card = upcard if upcard is not None and rules.spade_upcard_factor != 1 else pile_top
        shown = "an empty pile" if card is None else f"the {card_name(card)}"
        raise IllegalError(f"{shown} doubles nothing, only a spade does: leave the mark out")
    return known


def knock_entry(
    rules: Rules,
    knocker: int,
    other: int | None,
    deadwood: tuple[int, int],
    *,
    big_gin: bool = False,
    upcard: int | None = None,
    multiplier: int = 1,
) -> Entry:
    """A knock, gin or big gin from the deadwoods after laying off, the knocker's first. IllegalError if it cannot be.

    ``other`` is the side that did not knock; None where it is not known, which an undercut cannot do without.

    >>> from ginrummy.rules import load_rules
    >>> knock_entry(load_rules("romme"), 0, 1, (7, 16)).points, knock_entry(load_rules("romme"), 0, 1, (7, 6)).winner
    (9, 1)
    """
    if big_gin and rules.big_gin_bonus is None:
        raise IllegalError(f"there is no big gin under {rules.name}: add +big-gin or set big_gin_bonus")
    check_deadwood(rules, *deadwood, upcard=upcard)
    result, side, difference, bonus = outcome(*deadwood, rules, big_gin=big_gin)
    winner, loser = (knocker, other) if side == "knocker" else (other, knocker)
    if winner is None:
        raise IllegalError("an undercut, and who else plays is not known: name the winner")
    return Entry(winner, result, (difference + bonus) * multiplier, difference, bonus, multiplier, deadwood, loser)


def result_entry(result: HandResult, knocker: int, other: int) -> Entry:
    """A hand that was scored card by card."""
    winner, loser = (knocker, other) if result.winner == "knocker" else (other, knocker)
    deadwood = result.knocker.deadwood, result.defender.deadwood
    return Entry(
        winner, result.result, result.points, result.difference, result.bonus, result.multiplier, deadwood, loser
    )


# The end of a game


@dataclass(frozen=True, slots=True)
class FinalLine:
    """What one player has when the game is over, in points but for the boxes."""

    points: int
    """Points of the hands won."""
    boxes: int
    """How many hands were won."""
    box_points: int
    game_bonus: int
    shutout: int
    """What doubling added."""

    @property
    def total(self) -> int:
        """Everything added up."""
        return self.points + self.box_points + self.game_bonus + self.shutout


def final_lines(
    rules: Rules, points: Sequence[int], boxes: Sequence[int], winner: int, *, against: int | None = None
) -> list[FinalLine]:
    """The final line of each side of a game that ``winner`` won.

    A shutout counts here when all the others were shut out, or the one it is reckoned ``against``.

    >>> from ginrummy.rules import load_rules
    >>> [line.total for line in final_lines(load_rules("romme"), [104, 62], [5, 3], 0)]
    [329, 137]
    """
    lines = []
    others = [seat for seat in range(len(points)) if seat != winner] if against is None else [against]
    empty = all((points if rules.shutout_when == "no-points" else boxes)[seat] == 0 for seat in others)
    for seat in range(len(points)):
        box_points = boxes[seat] * rules.box_bonus
        bonus = rules.game_bonus if seat == winner else 0
        doubled = 0
        if seat == winner and empty:
            doubled = {
                "none": 0,
                "game-bonus": bonus,
                "points": points[seat],
                "points-and-bonus": points[seat] + bonus,
                "total": points[seat] + bonus + box_points,
            }[rules.shutout]
        lines.append(FinalLine(points[seat], boxes[seat], box_points, bonus, doubled))
    return lines


def margin(lines: Sequence[FinalLine], winner: int, loser: int) -> int:
    """The winner's total minus the loser's."""
    return lines[winner].total - lines[loser].total


def dealer_after(rules: Rules, dealer: int, winner: int | None) -> int:
    """The side that deals after ``dealer``'s hand. After a dead hand the same; of three players always the loser.

    >>> from ginrummy.rules import load_rules
    >>> dealer_after(load_rules("race"), 0, 0), dealer_after(load_rules("duel"), 0, 0)
    (1, 0)
    """
    if winner is None:
        return dealer
    if rules.cutthroat:
        return 3 - dealer - winner
    return {"loser": 1 - winner, "winner": winner, "alternate": 1 - dealer}[rules.next_dealer]


# Sheets


@dataclass(slots=True)
class Column:
    """One column of a sheet; all but Hollywood have just one."""

    points: list[int]
    """Points by side."""
    boxes: list[int]
    """Entries by side: the hands won that count here."""
    winner: int | None = None
    """The side that reached the target and closed the column."""

    @property
    def closed(self) -> bool:
        """Whether nothing can be entered any more."""
        return self.winner is not None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a sheet: a hand, or the two hands of a partnership's deal, and how things stand after it."""

    number: int
    """Which hand of the game, dead ones counted, from 1."""
    winner: int | None
    """The side that scored."""
    result: EntryResult
    """``points`` for a deal of a partnership: it has two results."""
    points: int
    totals: tuple[int, ...]
    """Points by side, the columns added up."""
    hands: tuple[Entry, ...]
    """What was entered, a hand for each table."""
    dealer: int | None
    """Who dealt (of three players: and sat out), where that is known and there is one table."""
    entered: tuple[int, ...]
    """The numbers of the columns the points went into, from 0."""
    columns: tuple[tuple[int, ...], ...]
    """Points by side in each column."""
    bonus: int = 0
    """What the team got because both partners won their hands."""


class Sheet:
    """The sheet of one game: hands go in, everything else follows.

    >>> from ginrummy.rules import load_rules
    >>> rules = load_rules("romme")
    >>> sheet = Sheet(rules, ("Anna", "Ben"))
    >>> for knocker, deadwood in ((0, (6, 31)), (1, (4, 4)), (1, (0, 37)), (0, (0, 41))):
    ...     row = sheet.add(knock_entry(rules, knocker, 1 - knocker, deadwood))
    >>> row.totals, sheet.winner, [line.total for line in sheet.final()], sheet.margin(1)
    ((116, 62), 0, [291, 87], 204)
    """

    def __init__(
        self,
        rules: Rules,
        names: Sequence[str] = ("player 1", "player 2"),
        *,
        dealer: int | Sequence[int] | None = None,
    ) -> None:
        """An empty sheet. ``names`` are the sides: two players or teams, three players under cutthroat.

        ``dealer`` is who deals the first hand, in a partnership the team that deals at each table; None: not known.
        """
        wanted = 3 if rules.cutthroat else 2
        if len(names) != wanted:
            raise ImpossibleError(f"{len(names)} names: {rules.name} wants {wanted}")
        self.rules = rules
        self.names = tuple(names)
        self.rows: list[Row] = []
        self.columns = [Column([0] * wanted, [0] * wanted) for _ in range(HOLLYWOOD_COLUMNS if rules.hollywood else 1)]
        tables = 2 if rules.partnership else 1
        first = [dealer] * tables if dealer is None or isinstance(dealer, int) else list(dealer)
        if len(first) != tables or any(side is not None and not 0 <= side < wanted for side in first):
            raise ImpossibleError(f"the dealer is one of the sides 0 to {wanted - 1}, at each table")
        # Who may be dealing next at each table. A paper rarely says who dealt first, but the hands often tell.
        self._dealers = [set(range(wanted)) if side is None else {side} for side in first]

    @classmethod
    def from_totals(
        cls, rules: Rules, names: Sequence[str], points: Sequence[int], hands_won: Sequence[int]
    ) -> "Sheet":
        """A sheet of which only points and hands won are known. ImpossibleError where they do not go together."""
        sheet = cls(rules, names)
        if rules.hollywood:
            raise ImpossibleError("totals do not tell the three columns of hollywood: give the hands")
        least = 0 if 0 in (rules.undercut_bonus, rules.gin_bonus, rules.big_gin_bonus) else 1
        for name, scored, won in zip(names, points, hands_won, strict=True):
            if not won * least <= scored <= won * MOST_POINTS:
                raise ImpossibleError(f"{name} has {scored} points and {won} hands won: these do not go together")
        over = [side for side, scored in enumerate(points) if scored >= rules.target]
        if len(over) > 1:
            both = " and ".join(names[side] for side in over)
            raise ImpossibleError(f"{both} both have {rules.target} points: the game ends when one has them")
        sheet.columns[0] = Column(list(points), list(hands_won), over[0] if over else None)
        sheet._dealers = [set(range(len(names))) for _ in sheet._dealers]
        return sheet

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by side, the columns added up."""
        return tuple(sum(column.points[side] for column in self.columns) for side in range(len(self.names)))

    @property
    def boxes(self) -> tuple[int, ...]:
        """Boxes by side, the columns added up."""
        return tuple(sum(column.boxes[side] for column in self.columns) for side in range(len(self.names)))

    @property
    def finished(self) -> bool:
        """Whether the game is over: every column is closed."""
        return all(column.closed for column in self.columns)

    @property
    def winner(self) -> int | None:
        """Who won the game; None while it goes on, and where the columns of hollywood add up to the same."""
        if not self.finished:
            return None
        if len(self.columns) == 1:
            return self.columns[0].winner
        totals = [line.total for line in self.final()]
        best = max(totals)
        return totals.index(best) if totals.count(best) == 1 else None

    @property
    def dealers(self) -> tuple[int | None, ...]:
        """Who deals next at each table; None where that is not known."""
        return tuple(next(iter(sides)) if len(sides) == 1 else None for sides in self._dealers)

    @property
    def next_dealer(self) -> int | None:
        """Who deals the next hand; None where that is not known or the game is over."""
        return None if self.finished else self.dealers[0]

    @property
    def seated(self) -> tuple[int, ...]:
        """Who plays the next hand: of three players those who do not deal; empty where that is not known."""
        if not self.rules.cutthroat:
            return (0, 1)
        return () if self.dealers[0] is None else tuple(side for side in range(3) if side != self.dealers[0])

    def add(self, *hands: Entry) -> Row:
        """Enter a hand, or a partnership's deal as one hand from each table.

        IllegalError when the game is over or somebody scores who sits out; the sheet is left as it was.
        """
        if self.finished:
            raise IllegalError(f"the game ended with hand {len(self.rows)}: nothing can follow")
        if len(hands) != len(self._dealers):
            raise IllegalError(
                "a deal of a partnership is two hands, one from each table, with / between them"
                if self.rules.partnership
                else f"{len(hands)} hands at one table: enter them one by one"
            )
        for hand in hands:
            if hand.winner is not None and not 0 <= hand.winner < len(self.names):
                raise ImpossibleError(f"side {hand.winner}: the sides are 0 to {len(self.names) - 1}")
        dealers = list(self._dealers)
        if self.rules.cutthroat:
            dealers[0] = self._who_dealt(hands[0])
        if self.rules.partnership:
            winner, points, bonus = self._deal_of_teams(hands)
            result: EntryResult = "dead" if all(hand.result == "dead" for hand in hands) else "points"
        else:
            winner, points, bonus, result = hands[0].winner, hands[0].points, 0, hands[0].result
        entered = () if winner is None else tuple(self._columns_for(winner))
        for number in entered:
            assert winner is not None
            column = self.columns[number]
            column.points[winner] += points
            column.boxes[winner] += 1
            if column.points[winner] >= self.rules.target:
                column.winner = winner
        dealt = next(iter(dealers[0])) if len(dealers) == len(dealers[0]) == 1 else None
        self._dealers = [
            {dealer_after(self.rules, dealer, hand.winner) for dealer in sides}
            for sides, hand in zip(dealers, hands, strict=True)
        ]
        columns = tuple(tuple(column.points) for column in self.columns)
        row = Row(len(self.rows) + 1, winner, result, points, self.totals, hands, dealt, entered, columns, bonus)
        self.rows.append(row)
        return row

    def check_plays(self, side: int) -> None:
        """That a side can play the next hand; IllegalError for the one of three players who deals it and sits out."""
        if self.rules.cutthroat and self._dealers[0] == {side}:
            others = " and ".join(name for other, name in enumerate(self.names) if other != side)
            raise IllegalError(f"{self.names[side]} deals hand {len(self.rows) + 1} and sits out: {others} play it")

    def _who_dealt(self, hand: Entry) -> set[int]:
        """Those of three players who can have dealt a hand: they sat out."""
        playing = {side for side in (hand.winner, hand.loser) if side is not None}
        for side in playing:
            self.check_plays(side)
        possible = self._dealers[0] - playing
        if not possible:
            names = " and ".join(self.names[side] for side in sorted(playing))
            raise IllegalError(f"hand {len(self.rows) + 1} is not between {names}: one of them deals it and sits out")
        return possible

    def _deal_of_teams(self, hands: Sequence[Entry]) -> tuple[int | None, int, int]:
        """The team that scores a deal, its points, and the bonus among them."""
        net = sum(hand.points if hand.winner == 0 else -hand.points for hand in hands if hand.winner is not None)
        if net == 0:
            return None, 0, 0
        winner = 0 if net > 0 else 1
        bonus = self.rules.partnership_bonus if all(hand.winner == winner for hand in hands) else 0
        return winner, abs(net) + bonus, bonus

    def _columns_for(self, winner: int) -> list[int]:
        """Where a hand won is entered: every open column the winner is in, and the first open one it is not in."""
        entered = []
        new = True
        for number, column in enumerate(self.columns):
            if column.closed or (column.boxes[winner] == 0 and not new):
                continue
            if column.boxes[winner] == 0:
                new = False
            entered.append(number)
        return entered

    def column_final(self, number: int) -> list[FinalLine]:
        """The final lines of one closed column."""
        column = self.columns[number]
        if column.winner is None:
            raise IllegalError("the column is not closed")
        return final_lines(self.rules, column.points, column.boxes, column.winner)

    def final(self) -> list[FinalLine]:
        """The final line of each side, the columns added up. IllegalError while the game is not over."""
        if not self.finished:
            raise IllegalError("the game is not over")
        columns = [self.column_final(number) for number in range(len(self.columns))]
        return [
            FinalLine(
                sum(line.points for line in lines),
                sum(line.boxes for line in lines),
                sum(line.box_points for line in lines),
                sum(line.game_bonus for line in lines),
                sum(line.shutout for line in lines),
            )
            for lines in zip(*columns, strict=True)
        ]

    def margin(self, loser: int) -> int:
        """The winner's total minus another's, a shutout reckoned against this one alone; 0 where nobody won."""
        winner = self.winner
        if winner is None:
            if not self.finished:
                raise IllegalError("the game is not over")
            return 0
        if self.rules.cutthroat:
            column = self.columns[0]
            return margin(final_lines(self.rules, column.points, column.boxes, winner, against=loser), winner, loser)
        return margin(self.final(), winner, loser)


class Match:
    """Games one after another until somebody has won most of them; a single game where the rules have no match.

    A game of hollywood that nobody won counts for nobody, and another is played.

    >>> from ginrummy.rules import load_rules
    >>> rules = load_rules("quick+best-of=3")
    >>> match = Match(rules, ("Anna", "Ben"))
    >>> for winner in (0, 1, 0):
    ...     row = match.add(points_entry(rules, winner, 60))
    >>> match.games_won, match.winner, len(match.games)
    ((2, 1), 0, 3)
    """

    def __init__(self, rules: Rules, names: Sequence[str], *, dealer: int | Sequence[int] | None = None) -> None:
        """An empty match; ``dealer`` deals the first hand of its first game. Later games draw the dealer anew."""
        self.rules = rules
        self.names = tuple(names)
        self.games = [Sheet(rules, names, dealer=dealer)]
        """The sheets of the games, the last perhaps still open."""

    @property
    def hands(self) -> int:
        """How many hands have been entered."""
        return sum(len(game.rows) for game in self.games)

    @property
    def games_won(self) -> tuple[int, ...]:
        """Games won by side."""
        winners = [game.winner for game in self.games]
        return tuple(winners.count(side) for side in range(len(self.names)))

    @property
    def winner(self) -> int | None:
        """Who has won the match (of a single game: the game)."""
        won = self.games_won
        return next((side for side, number in enumerate(won) if 2 * number > self.rules.best_of), None)

    @property
    def finished(self) -> bool:
        """Whether nothing more is played."""
        return self.winner is not None if self.rules.best_of > 1 else self.games[0].finished

    def sheet(self) -> Sheet:
        """The sheet that takes the next hand: that of a new game, not among ``games`` yet, where the last one is over.

        IllegalError when all is over.
        """
        if not self.finished:
            last = self.games[-1]
            return Sheet(self.rules, self.names) if last.finished else last
        what = "match" if self.rules.best_of > 1 else "game"
        raise IllegalError(f"the {what} ended with hand {self.hands}: nothing can follow")

    def add(self, *hands: Entry) -> Row:
        """Enter a hand (see Sheet.add)."""
        sheet = self.sheet()
        row = sheet.add(*hands)
        if sheet is not self.games[-1]:
            self.games.append(sheet)
        return row
