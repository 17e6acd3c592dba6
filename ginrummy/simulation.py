"""Many hands or games: played in chunks, counted, and turned into figures with intervals.

A plan's groups (mirrored games, or single ones) do not depend on each other, and every number of a tally is a sum, so the
result is the same for any chunks, processes and machines.
"""

import math
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, Literal, Self

from ginrummy.cards import DECK, NAMES, cards_in
from ginrummy.errors import GinRummyError, ImpossibleError
from ginrummy.game import Game, player_count
from ginrummy.hand import Action, Event, Hand, terms_of
from ginrummy.kernel import contest, spreads, table
from ginrummy.kernel.rng import Rng, Streams, shuffled
from ginrummy.kernel.view import DRAW
from ginrummy.melds import arrange
from ginrummy.players import Player, level_number
from ginrummy.players.registry import MOVE_TIME, is_outside, make_player, play_hand
from ginrummy.players.wire import PlayerFailed
from ginrummy.rules import Rules
from ginrummy.sheet import DEAD, Entry, EntryResult

Unit = Literal["game", "hand"]
RESULTS: Final[tuple[EntryResult, ...]] = ("knock", "gin", "big-gin", "undercut")
KIND_NAMES: Final[dict[int, EntryResult]] = {table.DEAD: "dead", **dict(enumerate(RESULTS, 1))}

CHUNK_SECONDS: Final = 0.2
"""How long a chunk should take: short enough to stop within a second, long enough to be worth sending."""


ENDLESS: Final = "these players cannot end a game under these rules; play single hands"


class EndlessGame(GinRummyError):
    """A game that nobody will ever win."""


class WorkersFailed(GinRummyError):
    """Workers cannot be had, or were lost."""


class WorkerEnded(SystemExit):
    """Raised in a process of a pool that is told to end; one that has nothing to do ends quietly by it."""


@dataclass(frozen=True, slots=True)
class Given:
    """What is known of a hand that is to be played out many times."""

    hand: int
    """The first player's ten cards."""
    opponent: int = 0
    """The second player's ten cards; 0: dealt anew each time."""
    upcard: int | None = None
    dealer: int | None = None
    """0 the first player, 1 the second; None: by turns."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played."""

    rules: Rules
    players: tuple[str, ...]
    """Strategies: two, in a partnership for the teams; three under cutthroat."""
    seed: int
    """0 to 2**63 - 1; everything follows from it."""
    number: int
    """Games or hands, as ``unit`` says; with mirroring a multiple of the number of players."""
    unit: Unit = "game"
    mirror: bool = True
    """Whether every deal is played once for each player in each place."""
    given: Given | None = None
    """Cards that are not left to chance; the unit is the hand then, and nothing is mirrored."""
    move_time: float = MOVE_TIME
    """Seconds an outside player has for a decision."""

    @property
    def groups(self) -> int:
        """What is independent of each other: mirrored games or hands together, or single ones."""
        return self.number // len(self.players) if self.mirror else self.number


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hand stands in a run."""

    game: int
    turn: int
    """How many places the players had moved on: 0, and in mirrored deals 1 (of three also 2)."""
    number: int
    """The hand's number among the deals of the game."""
    seats: tuple[int, int]
    """Which player had seat 0 and seat 1."""
    dealer: int
    """The dealer's seat."""


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One hand as it was played."""

    place: Place
    scores: tuple[int, int]
    """Points of both seats before the hand."""
    winner: int | None
    """The seat that scored."""
    result: EntryResult
    points: int
    deck: tuple[int, ...]
    """The 52 cards as they were dealt."""
    actions: tuple[str, ...]
    """What was done in turn, beginning with the non-dealer's answer to the upcard."""


@dataclass(slots=True)
class Tally:
    """What was counted. Sums only; lists are by player."""

    players: int
    games: int = 0
    hands: int = 0
    wins: list[int] = field(default_factory=list)
    results: dict[str, list[int]] = field(default_factory=dict)
    """How often each kind of end was won."""
    dead: int = 0
    turns: int = 0
    points: int = 0
    """From the first player's side."""
    groups: int = 0
    group_wins_squared: int = 0
    group_points_squared: int = 0
    group_points_hands: int = 0
    group_hands_squared: int = 0
    histogram: list[list[int]] = field(default_factory=list)
    """Hands won by the first player and by others, ten points to a row."""

    def __post_init__(self) -> None:
        self.wins = self.wins or [0] * self.players
        self.results = self.results or {name: [0] * self.players for name in RESULTS}
        self.histogram = self.histogram or [[0, 0] for _ in range(contest.BINS)]

    def add(self, other: "Tally") -> None:
        """Count what another tally counted as well."""
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wins = _sum(self.wins, other.wins)
        self.results = {name: _sum(self.results[name], other.results[name]) for name in RESULTS}
        self.histogram = [_sum(mine, theirs) for mine, theirs in zip(self.histogram, other.histogram, strict=True)]

    def count_hand(self, winner: int | None, seats: tuple[int, int], kind: str, points: int, turns: int) -> None:
        """Count one hand; ``winner`` is a player, ``seats`` are those who played."""
        self.hands += 1
        self.turns += turns
        if winner is None:
            self.dead += 1
            return
        self.results[kind][winner] += 1
        self.histogram[min(points // 10, contest.BINS - 1)][0 if winner == 0 else 1] += 1
        self.points += points if winner == 0 else -points if 0 in seats else 0

    def close_group(self, wins: int, points: int, hands: int) -> None:
        """Count a group: the first player's wins and points in it, and its hands."""
        self.groups += 1
        self.group_wins_squared += wins * wins
        self.group_points_squared += points * points
        self.group_points_hands += points * hands
        self.group_hands_squared += hands * hands

    @classmethod
    def from_kernel(cls, sums: list[int]) -> "Tally":
        """The tally of the kernel's contest between two players."""
        found = cls(2, sums[contest.GAMES], sums[contest.HANDS], sums[contest.WINS : contest.WINS + 2])
        for place, name in enumerate(RESULTS):
            found.results[name] = sums[contest.RESULTS + 2 * place : contest.RESULTS + 2 * place + 2]
        found.dead = sums[contest.DEAD_HANDS]
        found.turns = sums[contest.TURNS]
        found.points = sums[contest.POINTS]
        found.groups = sums[contest.GROUPS]
        found.group_wins_squared = sums[contest.GROUP_WINS_SQUARED]
        found.group_points_squared = sums[contest.GROUP_POINTS_SQUARED]
        found.group_points_hands = sums[contest.GROUP_POINTS_HANDS]
        found.group_hands_squared = sums[contest.GROUP_HANDS_SQUARED]
        middle = contest.HISTOGRAM + contest.BINS
        found.histogram = [[sums[middle + i], sums[middle - 1 - i]] for i in range(contest.BINS)]
        return found


_SUMS: Final = (
    "games",
    "hands",
    "dead",
    "turns",
    "points",
    "groups",
    "group_wins_squared",
    "group_points_squared",
    "group_points_hands",
    "group_hands_squared",
)


def _sum(mine: list[int], theirs: list[int]) -> list[int]:
    return [one + other for one, other in zip(mine, theirs, strict=True)]


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """What was counted, from the first player's side."""

    plan: Plan
    tally: Tally
    partial: bool = False
    """Whether it was interrupted before the plan was done."""

    @property
    def games(self) -> int:
        """Games played, or hands where the unit is the hand."""
        return self.tally.games

    @property
    def hands(self) -> int:
        """Hands played."""
        return self.tally.hands

    @property
    def wins(self) -> tuple[int, ...]:
        """Games won, or hands where the unit is the hand, by player."""
        return tuple(self.tally.wins)

    @property
    def win_rate(self) -> float:
        """The first player's share of the games (hands: dead ones counted as not won)."""
        return self.tally.wins[0] / self.tally.games

    @property
    def dead(self) -> int:
        """Hands nobody scored."""
        return self.tally.dead

    @property
    def results(self) -> dict[str, tuple[int, ...]]:
        """How often each kind of end was won by each player."""
        return {name: tuple(by) for name, by in self.tally.results.items()}

    @property
    def mean_turns(self) -> float:
        """Turns a hand, both players together."""
        return self.tally.turns / self.tally.hands

    @property
    def points_per_hand(self) -> float:
        """Points a hand in the first player's favour."""
        return self.tally.points / self.tally.hands

    @property
    def points_stderr(self) -> float | None:
        """Standard error of the points a hand, the groups taken as independent; None with a single group."""
        tally = self.tally
        if tally.groups < 2:
            return None
        mean = self.points_per_hand
        squares = (
            tally.group_points_squared - 2 * mean * tally.group_points_hands + mean * mean * tally.group_hands_squared
        )
        return math.sqrt(max(0.0, squares) * tally.groups / (tally.groups - 1)) / tally.hands

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the win rate: Wilson's, on as many independent games as the groups' variance is worth."""
        rate, size = self.win_rate, float(self.games)
        groups = self.tally.groups
        if self.plan.mirror and groups > 1 and 0 < rate < 1:
            each = self.games / groups
            mean = self.tally.wins[0] / groups
            variance = (self.tally.group_wins_squared - groups * mean * mean) / (groups - 1) / each**2
            if variance > 0:
                size = groups * rate * (1 - rate) / variance
        z = 1.959963984540054
        middle = (rate + z * z / (2 * size)) / (1 + z * z / size)
        half = z * math.sqrt(rate * (1 - rate) / size + z * z / (4 * size * size)) / (1 + z * z / size)
        return max(0.0, middle - half), min(1.0, middle + half)

    @property
    def histogram(self) -> list[tuple[int, int, int]]:
        """Hands won by points: (least points of ten, by the first player, by others), up to the last that occurs."""
        rows = [(10 * i, one, other) for i, (one, other) in enumerate(self.tally.histogram)]
        while rows and rows[-1][1] == rows[-1][2] == 0:
            rows.pop()
        return rows


class Cast:
    """The players of a plan: what plays a hand between any two of them. Close it when done."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._terms = terms_of(plan.rules)
        self._outside: dict[int, Player] = {}
        self._levels: list[int] = []
        if not any(map(is_outside, plan.players)):
            self._levels = [level_number(text) for text in plan.players]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        for player in self._outside.values():
            player.close()  # type: ignore[attr-defined]
        self._outside.clear()

    def play(
        self, place: Place, deck: list[int], streams: Streams, scores: tuple[int, int], record: bool
    ) -> tuple[int | None, HandRecord | None, EntryResult, int, int]:
        """Play one hand. Returns the player who scored, the hand's record, its kind, points and turns."""
        one, other = place.seats
        # Choices belong to a player, not to a seat: the lower-numbered one has the first stream.
        rngs = (streams.first, streams.second) if one < other else (streams.second, streams.first)
        if self._levels:
            trace: list[int] | None = [] if record else None
            levels = self._levels
            winner, kind, points, turns = table.play_hand(
                self._terms, deck, place.dealer, levels[one], levels[other], *rngs, *scores, trace
            )
            end = None if winner < 0 else winner, KIND_NAMES[kind], points
            actions = _actions(trace or [])
        else:
            hand = Hand(self._plan.rules, deck, dealer=place.dealer, scores=scores)
            try:
                how = play_hand(
                    hand, [self._player(player, rng) for player, rng in zip(place.seats, rngs, strict=True)], rngs
                )
            except PlayerFailed as error:
                where = f"game {place.game}, hand {place.number}, seed {self._plan.seed}"
                raise PlayerFailed(error.player, f"{error.reason} ({where})") from None
            end = how.winner, how.result, how.points
            turns = sum(event.kind in ("discard", "knock", "big-gin") for event in hand.events)
            actions = hand_actions(hand) if record else ()
        won, result, points = end
        kept = HandRecord(place, scores, won, result, points, tuple(deck), actions) if record else None
        return None if won is None else place.seats[won], kept, result, points, turns

    def _player(self, number: int, rng: Rng) -> Player:
        text = self._plan.players[number]
        if not is_outside(text):
            return make_player(text, rng)
        if number not in self._outside:
            self._outside[number] = make_player(text, rng, move_time=self._plan.move_time)
        return self._outside[number]


def play_groups(
    plan: Plan, first: int, count: int, record: bool = False, cast: Cast | None = None
) -> tuple[Tally, list[HandRecord]]:
    """Play ``count`` groups from ``first`` on: their tally, and their hands where asked for."""
    rules = plan.rules
    plain = plan.unit == "hand" or not (rules.hollywood or rules.partnership or rules.cutthroat or rules.best_of > 1)
    if plain and plan.given is None and not any(map(is_outside, plan.players)):
        return _play_plain(plan, first, count, record)
    if cast is None:
        with Cast(plan) as cast:
            return play_groups(plan, first, count, record, cast)
    tally, records = Tally(len(plan.players)), list[HandRecord]()
    for group in range(first, first + count):
        wins, points, hands = tally.wins[0], tally.points, tally.hands
        for turn in range(len(plan.players) if plan.mirror and plan.given is None else 1):
            play = _play_single if plan.unit == "hand" else _play_game
            play(plan, group, turn, tally, records if record else None, cast)
        tally.close_group(tally.wins[0] - wins, tally.points - points, tally.hands - hands)
    return tally, records


def _play_plain(plan: Plan, first: int, count: int, record: bool) -> tuple[Tally, list[HandRecord]]:
    """Games between two levels at one table, or single hands: all of it inside the kernel."""
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
        raise EndlessGame(f"{error}: {ENDLESS}") from None
    records = []
    for game, turn, number, dealer, score0, score1, winner, kind, points, trace in run.traces or ():
        place = Place(game, turn, number, (1, 0) if turn else (0, 1), dealer)
        deck = tuple(shuffled(Streams(plan.seed, game, number).deal))
        won = None if winner < 0 else winner
        records.append(HandRecord(place, (score0, score1), won, KIND_NAMES[kind], points, deck, _actions(trace)))
    return Tally.from_kernel(run.tally), records


def _play_game(plan: Plan, group: int, turn: int, tally: Tally, records: list[HandRecord] | None, cast: Cast) -> None:
    """One game of any kind; the players have moved on by ``turn`` places."""
    count = len(plan.players)
    game = Game(plan.rules, seed=plan.seed, number=group)
    while not game.finished:
        if len(game.sheet.rows) >= contest.MOST_HANDS:
            raise EndlessGame(f"game {group} has no winner after {contest.MOST_HANDS} hands: {ENDLESS}")
        entries = []
        for seated in game.tables():
            sides = [game.side(player) for player in seated.players]
            seats = ((sides[0] - turn) % count, (sides[1] - turn) % count)
            place = Place(group, turn, seated.number, seats, seated.dealer)
            streams = game.streams(seated)
            winner, kept, result, points, turns = cast.play(
                place, shuffled(streams.deal), streams, seated.scores, records is not None
            )
            if records is not None and kept is not None:
                records.append(kept)
            tally.count_hand(winner, seats, result, points, turns)
            won = None if winner is None else seats.index(winner)
            entries.append(DEAD if won is None else Entry(sides[won], result, points, loser=sides[1 - won]))
        game.enter(*entries)
    tally.games += 1
    if game.match.winner is not None:
        tally.wins[(game.match.winner - turn) % count] += 1


def _play_single(plan: Plan, group: int, turn: int, tally: Tally, records: list[HandRecord] | None, cast: Cast) -> None:
    """One hand by itself, perhaps with cards that are given; those are the first player's, in seat 0."""
    streams = Streams(plan.seed, group, 0)
    deck = shuffled(streams.deal)
    dealer = group % 2
    if plan.given is not None:
        dealer = dealer if plan.given.dealer is None else plan.given.dealer
        deck = given_deck(deck, plan.given, dealer)
    place = Place(group, turn, 0, (1, 0) if turn else (0, 1), dealer)
    winner, kept, result, points, turns = cast.play(place, deck, streams, (0, 0), records is not None)
    if records is not None and kept is not None:
        records.append(kept)
    tally.count_hand(winner, place.seats, result, points, turns)
    tally.games += 1
    if winner is not None:
        tally.wins[winner] += 1


def given_deck(deck: list[int], given: Given, dealer: int) -> list[int]:
    """A shuffled deck rearranged so that seat 0 is dealt the given hand, and the rest as far as it is given."""
    fixed = given.hand | given.opponent | (0 if given.upcard is None else 1 << given.upcard)
    free = iter([card for card in deck if not fixed >> card & 1])
    mine = cards_in(given.hand)
    theirs = cards_in(given.opponent) if given.opponent else [next(free) for _ in range(10)]
    first, second = (theirs, mine) if dealer == 0 else (mine, theirs)
    dealt = [card for pair in zip(first, second, strict=True) for card in pair]
    return [*dealt, next(free) if given.upcard is None else given.upcard, *free]


def check_given(given: Given) -> None:
    """That given cards can be dealt; ImpossibleError otherwise."""
    for where, cards in (("", given.hand), ("opponent: ", given.opponent)):
        number = cards.bit_count()
        if number != 10 and (number or not where):
            raise ImpossibleError(f"{where}{number} card{'s' * (number != 1)}: a hand has 10")
    upcard = 0 if given.upcard is None else 1 << given.upcard
    for one, other, both in (
        ("hand", "opponent", given.hand & given.opponent),
        ("hand", "upcard", given.hand & upcard),
        ("opponent", "upcard", given.opponent & upcard),
    ):
        if both & DECK:
            names = " ".join(NAMES[card] for card in cards_in(both))
            raise ImpossibleError(f"{names} in {one} and in {other}: each card is in one place")


def check_plan(plan: Plan) -> None:
    """That a plan can be played; GinRummyError says what would be right."""
    if plan.unit == "hand" or plan.given is not None:
        wanted = 2
    else:
        wanted = min(player_count(plan.rules), 3) if plan.rules.cutthroat else 2
    if len(plan.players) != wanted:
        raise ImpossibleError(f"{len(plan.players)} players: {plan.rules.name} wants {wanted} for a {plan.unit}")
    if plan.given is not None:
        check_given(plan.given)


def simulate(
    plan: Plan,
    *,
    executor: Executor | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    record: Callable[[HandRecord], None] | None = None,
) -> SimulationResult:
    """Play a plan, in this process or by an executor's workers. The result is the same for either.

    ``progress`` is told games (or hands) done and planned now and then, ``record`` every hand in order. An interrupt
    (KeyboardInterrupt) ends it with what is done, marked as partial; before anything is done it passes through.

    >>> from ginrummy.rules import load_rules
    >>> simulate(Plan(load_rules("race"), ("easy", "random"), seed=1, number=2, unit="hand")).hands
    2
    """
    check_plan(plan)
    tally = Tally(len(plan.players))
    try:
        with Cast(plan) as cast:
            for part, records in _chunks(plan, executor, workers, record is not None, cast):
                # What is counted and what is recorded are the same hands, whenever an interrupt comes.
                with _uninterrupted():
                    tally.add(part)
                    if record is not None:
                        for entry in records:
                            record(entry)
                if progress is not None:
                    progress(tally.games, plan.number)
    except KeyboardInterrupt:
        if not tally.games:
            raise
        return SimulationResult(plan, tally, partial=True)
    return SimulationResult(plan, tally)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Signals that end the program wait until the block is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    numbers = [number for number in (signal.SIGINT, signal.SIGTERM) if callable(signal.getsignal(number))]
    before = {number: signal.signal(number, lambda number, frame: came.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if came:
        signal.raise_signal(came[0])


def _chunks(
    plan: Plan, executor: Executor | None, workers: int, record: bool, cast: Cast
) -> Iterator[tuple[Tally, list[HandRecord]]]:
    """The results of all groups in order, a chunk at a time. Chunks grow until one takes long enough."""
    size, first = 1, 0
    if executor is None:
        while first < plan.groups:
            count = min(size, plan.groups - first)
            began = time.monotonic()
            yield play_groups(plan, first, count, record, cast)
            first += count
            size = _next_size(size, time.monotonic() - began)
        return
    waiting: deque[Future[tuple[float, Tally, list[HandRecord]]]] = deque()
    try:
        while first < plan.groups or waiting:
            # Two chunks a worker keep everyone busy; more would only fill memory.
            while first < plan.groups and len(waiting) < 2 * workers:
                count = min(size, plan.groups - first)
                waiting.append(executor.submit(_timed_groups, plan, first, count, record))
                first += count
            seconds, tally, records = _received(waiting.popleft())
            size = _next_size(size, seconds)
            yield tally, records
    finally:
        for future in waiting:
            future.cancel()


def _received(future: "Future[tuple[float, Tally, list[HandRecord]]]") -> tuple[float, Tally, list[HandRecord]]:
    """What a worker sends. WorkersFailed where it was lost, or cannot play at all."""
    try:
        return future.result()
    except GinRummyError:
        raise
    except Exception as error:
        # Executors differ in what they raise; nothing of a plan that was checked fails by itself.
        raise WorkersFailed(f"a worker was lost: {type(error).__name__}: {error}") from error


def _timed_groups(plan: Plan, first: int, count: int, record: bool) -> tuple[float, Tally, list[HandRecord]]:
    began = time.monotonic()
    try:
        tally, records = play_groups(plan, first, count, record)
    except WorkerEnded:
        # The players have been closed. Raised on, it would only be sent home as a result.
        os._exit(128 + signal.SIGTERM)
    return time.monotonic() - began, tally, records


def _next_size(size: int, seconds: float) -> int:
    """Groups for the next chunk, from how long one of ``size`` took."""
    if seconds < CHUNK_SECONDS / 2:
        return size * 2
    return max(1, size // 2) if seconds > 2 * CHUNK_SECONDS else size


def _actions(trace: list[int]) -> tuple[str, ...]:
    """The kernel's trace as texts, drawn cards named."""
    actions = []
    codes = iter(trace)
    for code in codes:
        actions.append(str(Action.from_code(code)))
        if code == DRAW:
            actions[-1] += f" {NAMES[next(codes)]}"
    return tuple(actions)


def hand_actions(hand: Hand) -> tuple[str, ...]:
    """What was done in a hand, as texts. A knocker's spread is named where it is not the one that is laid out by itself.

    >>> from ginrummy.rules import load_rules
    >>> hand = Hand.deal(load_rules("race"), seed=1, dealer=0)
    >>> hand.apply(Action("take"))
    >>> hand_actions(hand)
    ('take',)
    """
    texts = [event_text(event) for event in hand.events]
    end = hand.end
    if end is not None and end.showdown is not None and end.knocker is not None and end.result != "big-gin":
        kept = int(hand.cards(end.knocker))
        laid = end.showdown.knocker.melds
        if set(laid) != set(arrange(kept, *spreads.knock_spread(kept)).melds):
            texts[-1] += " with " + " / ".join(map(str, laid))
    return tuple(texts)


def event_text(event: Event) -> str:
    """An event of a hand as ``_actions`` writes it."""
    if event.kind == "draw" and event.card is not None:
        return f"draw {NAMES[event.card]}"
    return str(Action(event.kind, event.card if event.kind in ("discard", "knock") else None))
