"""A game looked at again when it is over: what each decision of a player cost, and what luck did."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from ginrummy.game import HANDS_A_GAME, Table
from ginrummy.game_log import Progress, Step, replay
from ginrummy.hand import Action, Hand
from ginrummy.judgement import Effort, Price, draw_luck, effort, one_game, price, standing
from ginrummy.kernel.view import View


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player did at one moment."""

    game: int
    """Which game of the match, from 1."""
    hand: int
    """Which hand of that game, from 1."""
    turn: int
    """Which turn of the player in that hand, from 1."""
    view: View
    action: Action
    price: Price


@dataclass
class Sum:
    """Points added up, each with a standard error of its own."""

    points: float = 0.0
    variance: float = 0.0
    number: int = 0
    """How many were added."""

    def add(self, points: float, stderr: float) -> None:
        """One more."""
        self.points += points
        self.variance += stderr * stderr
        self.number += 1

    @property
    def stderr(self) -> float:
        """Standard error of the sum."""
        return math.sqrt(self.variance)


@dataclass
class Hindsight:
    """All that is to be said of a player's game."""

    decisions: list[Decision] = field(default_factory=list)
    """Where there was a choice."""
    hands: int = 0
    """How many hands the player sat at."""
    points: int = 0
    """Points the player's seat won in them, less those it lost."""
    cost: Sum = field(default_factory=Sum)
    """What the decisions gave away: the points they bring less than the moves that looked best, of all decisions, costly or
    not."""
    deals: Sum = field(default_factory=Sum)
    """What the positions at the player's first decisions were worth, by hand."""
    draws: Sum = field(default_factory=Sum)
    """How much better the cards drawn from the stock were than the average card, as the one who drew could tell."""
    their_draws: Sum = field(default_factory=Sum)
    """The same of the other seat, in its points."""

    def costly(self) -> list[Decision]:
        """The decisions that cost points, the worst first."""
        found = [decision for decision in self.decisions if decision.price.costly]
        return sorted(found, key=lambda decision: -max(decision.price.points, 0.0))


def look_back(progress: Progress, steps: Iterable[Step], player: int = 0, how: Effort | None = None) -> Hindsight:
    """Judge a game from its log. ``progress`` stands at its beginning. IllegalError where the log cannot be played."""
    how = how or effort(patient=True)
    rules = progress.game.rules
    by_game = one_game(rules)
    found = Hindsight()
    decided: set[int] = set()
    """The hands in which the player has had a decision."""
    before: dict[int, View] = {}
    """By seat, the view before the card that was just drawn."""
    played: list[tuple[Hand, int]] = []
    for table, hand, action in replay(progress, steps):
        if player not in table.players:
            continue
        mine = table.players.index(player)
        seat = hand.turn
        view = hand.view(seat)
        earlier = before.pop(seat, None)
        if earlier is not None:
            luck = draw_luck(earlier, view.drawn, how.draw)
            (found.draws if seat == mine else found.their_draws).add(*luck)
        if action.kind == "draw":
            before[seat] = view
        if seat == mine:
            if table.number not in decided:
                decided.add(table.number)
                found.deals.add(*standing(view, how.draw))
            if len(hand.legal_actions()) > 1:
                paid = price(view, action, how, by_game=by_game)
                found.decisions.append(Decision(*_place(table, rules.partnership), view.turns + 1, view, action, paid))
                found.cost.add(paid.points, paid.stderr)
        if not played or played[-1][0] is not hand:
            played.append((hand, mine))
    found.points = sum(hand.returns()[mine] - hand.returns()[1 - mine] for hand, mine in played)
    found.hands = len(played)
    return found


def _place(table: Table, two_tables: bool) -> tuple[int, int]:
    """Which game, and which hand of it."""
    game, number = divmod(table.number, HANDS_A_GAME)
    return game + 1, (number // 2 if two_tables else number) + 1
