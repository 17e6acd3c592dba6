"""Many hands or games between built-in strategies: played in chunks, counted, and turned into figures with intervals."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from ginrummy.cards import NAMES
from ginrummy.errors import ImpossibleError
from ginrummy.hand import Action, terms_of
from ginrummy.kernel import contest, table
from ginrummy.kernel.view import DRAW
from ginrummy.players import level_number
from ginrummy.rules import Rules

Unit = Literal["game", "hand"]
RESULTS: Final = ("knock", "gin", "big-gin", "undercut")
KIND_NAMES: Final = {table.DEAD: "dead"} | dict(enumerate(RESULTS, 1))

CHUNK: Final = {"game": 20, "hand": 200}
"""Groups played between two looks at the clock: a few milliseconds compiled."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played."""

    rules: Rules
    players: tuple[str, str]
    seed: int
    """0 to 2**63 - 1; everything follows from it."""
    number: int
    """Games or hands, as ``unit`` says; even with mirroring."""
    unit: Unit = "game"
    mirror: bool = True
    """Whether every deal is played twice with seats swapped."""

    @property
    def groups(self) -> int:
        """What is independent of each other: mirrored pairs, or single games or hands."""
        return self.number // 2 if self.mirror else self.number


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One hand as it was played."""

    game: int
    swapped: bool
    """Whether the first player had seat 1."""
    number: int
    """Which hand of the game."""
    dealer: int
    """The dealer's seat."""
    winner: int | None
    """The seat that scored."""
    result: str
    points: int
    actions: tuple[str, ...]
    """What was done in turn, beginning with the non-dealer's answer to the upcard."""


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """What was counted, from the first player's side."""

    plan: Plan
    tally: tuple[int, ...]

    @property
    def games(self) -> int:
        return self.tally[contest.GAMES]

    @property
    def hands(self) -> int:
        return self.tally[contest.HANDS]

    @property
    def wins(self) -> tuple[int, int]:
        """Games won, or hands where the unit is the hand, by player."""
        return self.tally[contest.WINS], self.tally[contest.WINS + 1]

    @property
    def win_rate(self) -> float:
        """The first player's share of the games (hands: dead ones counted as not won)."""
        return self.wins[0] / self.games

    @property
    def dead(self) -> int:
        return self.tally[contest.DEAD_HANDS]

    @property
    def results(self) -> dict[str, tuple[int, int]]:
        """How often each kind of end was won by each player."""
        at = contest.RESULTS
        return {name: (self.tally[at + 2 * i], self.tally[at + 2 * i + 1]) for i, name in enumerate(RESULTS)}

    @property
    def mean_turns(self) -> float:
        """Turns a hand, both players together."""
        return self.tally[contest.TURNS] / self.hands

    @property
    def points_per_hand(self) -> float:
        """Points a hand in the first player's favour."""
        return self.tally[contest.POINTS] / self.hands

    @property
    def points_stderr(self) -> float | None:
        """Standard error of the points a hand, the groups taken as independent; None with a single group."""
        groups = self.tally[contest.GROUPS]
        if groups < 2:
            return None
        mean = self.points_per_hand
        squares = (
            self.tally[contest.GROUP_POINTS_SQUARED]
            - 2 * mean * self.tally[contest.GROUP_POINTS_HANDS]
            + mean * mean * self.tally[contest.GROUP_HANDS_SQUARED]
        )
        return math.sqrt(max(0.0, squares) * groups / (groups - 1)) / self.hands

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the win rate: Wilson's, on as many independent games as the groups' variance is worth."""
        rate, size = self.win_rate, float(self.games)
        groups = self.tally[contest.GROUPS]
        if self.plan.mirror and groups > 1 and 0 < rate < 1:
            mean = self.wins[0] / groups
            variance = (self.tally[contest.GROUP_WINS_SQUARED] - groups * mean * mean) / (groups - 1) / 4
            if variance > 0:
                size = groups * rate * (1 - rate) / variance
        z = 1.959963984540054
        middle = (rate + z * z / (2 * size)) / (1 + z * z / size)
        half = z * math.sqrt(rate * (1 - rate) / size + z * z / (4 * size * size)) / (1 + z * z / size)
        return max(0.0, middle - half), min(1.0, middle + half)

    @property
    def histogram(self) -> list[tuple[int, int, int]]:
        """Hands won by points: (least points of ten, by the first player, by the second), up to the last that occurs."""
        bins = self.tally[contest.HISTOGRAM :]
        rows = [(10 * i, bins[contest.BINS + i], bins[contest.BINS - 1 - i]) for i in range(contest.BINS)]
        while rows and rows[-1][1] == rows[-1][2] == 0:
            rows.pop()
        return rows


def play_groups(plan: Plan, first: int, count: int, *, record: bool = False) -> tuple[list[int], list[HandRecord]]:
    """Play ``count`` groups from ``first`` on: their tally, and their hands where asked for."""
    run = contest.Contest(
        terms_of(plan.rules),
        plan.rules.first_dealer == "cut",
        plan.seed,
        level_number(plan.players[0]),
        level_number(plan.players[1]),
    )
    if record:
        run.traces = []
    try:
        for group in range(first, first + count):
            run.group(group, plan.unit == "game", plan.mirror)
    except ValueError as error:
        raise ImpossibleError(
            f"{error}: these players cannot end a game under these rules; play single hands"
        ) from None
    return run.tally, [_record(*traced) for traced in run.traces or ()]


def simulate(
    plan: Plan,
    *,
    progress: Callable[[int, int], None] | None = None,
    record: Callable[[HandRecord], None] | None = None,
) -> SimulationResult:
    """Play a plan. ``progress`` is told games (or hands) done and planned now and then, ``record`` every hand in order.

    >>> from ginrummy.rules import load_rules
    >>> simulate(Plan(load_rules("race"), ("easy", "random"), seed=1, number=2, unit="hand")).hands
    2
    """
    tally = [0] * contest.SIZE
    for first, count in chunks(plan):
        part, records = play_groups(plan, first, count, record=record is not None)
        tally = [one + other for one, other in zip(tally, part, strict=True)]
        if record is not None:
            for entry in records:
                record(entry)
        if progress is not None:
            progress(tally[contest.GAMES], plan.number)
    return SimulationResult(plan, tuple(tally))


def chunks(plan: Plan) -> Iterator[tuple[int, int]]:
    """The plan's groups in parts, as (first, count)."""
    size = CHUNK[plan.unit]
    for first in range(0, plan.groups, size):
        yield first, min(size, plan.groups - first)


def _record(
    game: int, swapped: int, number: int, dealer: int, winner: int, kind: int, points: int, trace: list[int]
) -> HandRecord:
    actions = []
    codes = iter(trace)
    for code in codes:
        actions.append(str(Action.from_code(code)))
        if code == DRAW:
            actions[-1] += f" {NAMES[next(codes)]}"
    return HandRecord(
        game, bool(swapped), number, dealer, None if winner < 0 else winner, KIND_NAMES[kind], points, tuple(actions)
    )
