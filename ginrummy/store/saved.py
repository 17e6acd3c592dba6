"""A game under way: what is done in it is written down before anybody hears of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self

from ginrummy.errors import IllegalError, quoted_path
from ginrummy.game import Game, Table
from ginrummy.game_log import Progress, Step, action_text, read_rng, replay, rng_text
from ginrummy.hand import Action, HandEnd
from ginrummy.kernel.rng import Rng
from ginrummy.store.database import Database, StoreError, StoreUnavailable
from ginrummy.store.lock import GameLock, OpenElsewhere
from ginrummy.store.signals import undisturbed

Status = Literal["running", "won", "lost", "drawn", "resigned", "abandoned"]

PLAYER: Final = 0
"""The player, and the side, whose games are won and lost."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What belongs to a game besides rules and seed, and stays as it was when the game is resumed."""

    opponent: str
    """The level, or the text of ``--opponent``."""
    names: tuple[str, ...]
    """By player."""
    counted: bool = True
    """Whether it goes into the statistics: games of a person at a terminal against a level do."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What else was chosen (hints, confirming and so on): anything that JSON can hold."""


class OpenGame(Progress):
    """A game that is played but saved nowhere."""

    def __init__(self, game: Game, setup: Setup) -> None:
        super().__init__(game)
        self.setup: Final = setup
        self.id: int | None = None
        """Its number in the store."""
        self.trouble: StoreError | None = None
        """Why the last action could not be saved; None: everything is saved, or nothing is meant to be."""
        self._rngs: dict[tuple[int, int], Rng] = {}
        """By hand and seat; only those of this deal that somebody asked for."""

    def rng(self, table: Table, seat: int) -> Rng:
        """The random choices of a seat in a hand of this deal: for the player that holds the seat.

        Always the same stream; after a resume it goes on where it was.
        """
        if (table.number, seat) not in self._rngs:
            numbers = [other.number for other in self.tables()]
            self._rngs = {(hand, other): rng for (hand, other), rng in self._rngs.items() if hand in numbers}
            streams = self.game.streams(table)
            self._rngs[table.number, seat] = streams.second if seat else streams.first
        return self._rngs[table.number, seat]

    def play(self, table: Table, action: Action) -> None:
        """Do what the seat to act at a table decided (see ``act``), and save it: it is on the disk when this returns.

        Where it cannot be saved, ``trouble`` says why and the game goes on: all that is missing is written with the next
        action for which it is possible. Ctrl-C waits until it returns.
        """
        with undisturbed():
            self.act(table, action)

    def resign(self, player: int = PLAYER) -> None:
        """End the game as lost by the side of a player."""

    def abandon(self) -> None:
        """End the game without a result."""

    def leave_out(self) -> None:
        """Keep the game out of the statistics from now on."""

    def close(self) -> None:
        """Leave the game; one that is under way can be resumed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class SavedGame(OpenGame):
    """A game of the store, open in this session and no other. Made by ``Store.new_game`` and ``Store.resume``."""

    def __init__(self, database: Database, game: Game, setup: Setup, number: int, lock: GameLock) -> None:
        super().__init__(game, setup)
        self.id: int = number
        self._database = database
        self._lock = lock
        self._steps = 0
        """How many are written."""
        self._pending: list[Step] = []
        self._ended: list[tuple[object, ...]] = []
        """Rows of hands that are to be written."""

    @classmethod
    def create(cls, database: Database, game: Game, setup: Setup) -> Self:
        """Enter a game in which nothing has been done yet."""
        rules = game.rules
        now = _now()
        lock = None
        try:
            with database.writing():
                number = database.run(
                    "INSERT INTO games (status, counted, rules, settings, rule_values, seed, number, opponent, names, sides, "
                    "options, started, updated) VALUES ('running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    int(setup.counted),
                    rules.name,
                    json.dumps(dict(rules.settings)),
                    json.dumps(rules.values()),
                    game.seed,
                    game.number,
                    setup.opponent,
                    json.dumps(setup.names),
                    json.dumps(game.match.names),
                    json.dumps(dict(setup.options)),
                    now,
                    now,
                ).lastrowid
                assert number is not None
                # Before anybody else can see the game.
                lock = GameLock(database.folder, number)
            return cls(database, game, setup, number, lock)
        except OpenElsewhere:
            raise StoreUnavailable(
                f"game {number} of a store that is gone from {quoted_path(database.folder)} is still being played"
            ) from None
        except BaseException:
            if lock is not None:
                lock.release()
            raise

    def restore(self, steps: list[Step]) -> None:
        """Play what was written down; nothing else has been done on the game yet. StoreError where it does not go."""
        try:
            for _ in replay(self, steps):
                pass
        except IllegalError as error:
            raise StoreError(beyond(self.id, self._database.path, str(error))) from None
        self._steps = len(steps)
        under_way = [table.number for table in self._tables]
        for step in steps:
            if step.chance is not None and step.hand in under_way:
                try:
                    self._rngs[step.hand, step.seat] = read_rng(step.chance)
                except ValueError as error:
                    raise StoreError(beyond(self.id, self._database.path, str(error))) from None

    @property
    def behind(self) -> int:
        """How many actions could not be written yet."""
        return len(self._pending)

    def play(self, table: Table, action: Action) -> None:
        with undisturbed():
            self._play(table, action)

    def _play(self, table: Table, action: Action) -> None:
        hand = self.hand(table)
        seat = hand.turn
        self.act(table, action)
        rng = self._rngs.get((table.number, seat))
        self._pending.append(Step(table.number, seat, action_text(action), None if rng is None else rng_text(rng)))
        if hand.end is not None:
            self._ended.append(self._hand_row(table, hand.end))
        match = self.game.match
        over: Status = "drawn" if match.winner is None else "won" if match.winner == PLAYER else "lost"
        self._save(over if match.finished else None, match.winner)

    def resign(self, player: int = PLAYER) -> None:
        side = self.game.side(player)
        # Of three players the other two have not lost; nobody has won.
        winner = 1 - side if len(self.game.match.names) == 2 else None
        self._save("resigned" if side == PLAYER else "won", winner)

    def abandon(self) -> None:
        self._save("abandoned", None)

    def leave_out(self) -> None:
        with self._database.writing():
            self._database.run("UPDATE games SET counted = 0 WHERE id = ?", self.id)

    def _hand_row(self, table: Table, end: HandEnd) -> tuple[object, ...]:
        def player(seat: int | None) -> int | None:
            return None if seat is None else table.players[seat]

        shown = end.showdown
        return (
            self.id,
            table.number,
            *table.players,
            player(table.dealer),
            player(end.winner),
            end.result,
            end.points,
            player(end.knocker),
            None if shown is None else shown.knocker.deadwood,
            None if shown is None else shown.defender.deadwood,
        )

    def _save(self, ending: Status | None, winner: int | None) -> None:
        """Write all that is missing, and how the game ended; ``winner`` is a side."""
        database, match = self._database, self.game.match
        try:
            with undisturbed(), database.writing():
                self._write_steps()
                database.run(
                    "UPDATE games SET updated = ?, points = ?, games_won = ? WHERE id = ?",
                    _now(),
                    json.dumps(self.game.sheet.totals),
                    json.dumps(match.games_won),
                    self.id,
                )
                if ending is not None:
                    totals = [line.total for line in self.game.sheet.final()] if match.finished else None
                    database.run(
                        "UPDATE games SET status = ?, winner = ?, totals = ?, finished = "
                        "(SELECT coalesce(max(finished), 0) + 1 FROM games) WHERE id = ? AND status = 'running'",
                        ending,
                        winner,
                        json.dumps(totals),
                        self.id,
                    )
        except StoreError as error:
            self.trouble = error
            return
        self.trouble = None
        self._steps += len(self._pending)
        self._pending.clear()
        self._ended.clear()
        if ending is not None:
            self._lock.release()

    def _write_steps(self) -> None:
        # What the last attempt wrote although it was interrupted is not written twice.
        stored: int | None = self._database.value(
            "SELECT (SELECT coalesce(max(ordinal) + 1, 0) FROM actions WHERE game = id) FROM games WHERE id = ?",
            self.id,
        )
        if stored is None:
            raise StoreError(f"game {self.id} was forgotten by another session: it is played on without saving")
        if not self._steps <= stored <= self._steps + len(self._pending):
            raise StoreError(self._database.damaged(f"game {self.id} has {stored} actions, not {self._steps}"))
        for ordinal, step in enumerate(self._pending, self._steps):
            if ordinal >= stored:
                row = (self.id, ordinal, step.hand, step.seat, step.action, step.chance)
                self._database.run("INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?)", *row)
        for ended in self._ended:
            self._database.run("INSERT OR IGNORE INTO hands VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *ended)

    def close(self) -> None:
        self._lock.release()


def beyond(number: int, path: Path, why: str) -> str:
    """The message for a game that this version cannot go on with."""
    return (
        f"game {number} in {quoted_path(path)} cannot be gone on with ({why}): "
        f"it is left as it is; --forget {number} deletes it"
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
