"""The games of a player, in one SQLite file: what is under way, what is over, and the record book made of it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from ginrummy.errors import GinRummyError, IllegalError
from ginrummy.game import Game
from ginrummy.game_log import Step
from ginrummy.record_book import FinishedGame, FinishedHand, Statistics, reckon
from ginrummy.rules import Rules, load_rules
from ginrummy.store.database import VARIABLE, Database, StoreError, StoreUnavailable, data_folder
from ginrummy.store.lock import GameLock, OpenElsewhere
from ginrummy.store.saved import PLAYER, OpenGame, SavedGame, Setup, Status, beyond

__all__ = [
    "PLAYER",
    "VARIABLE",
    "GameInfo",
    "NoGameError",
    "OpenElsewhere",
    "OpenGame",
    "SavedGame",
    "Setup",
    "Status",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "data_folder",
]

WAIT: Final = 5.0
"""Seconds to wait for another session that writes; it writes for milliseconds."""


class NoGameError(GinRummyError):
    """There is no such game, or none that can be gone on with."""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What a list tells of a game."""

    id: int
    status: Status
    setup: Setup
    rules_name: str
    """The text its rules were named by."""
    settings: dict[str, Any]
    """What was set besides."""
    values: dict[str, Any]
    """Every key of its rules."""
    seed: int
    """Not to be shown while the game is under way."""
    number: int
    """Which game of the seed."""
    started: str
    """Date and time, UTC."""
    updated: str
    """Date and time of the last action, UTC."""
    sides: tuple[str, ...]
    """The names of the sides of its sheet."""
    points: tuple[int, ...]
    """By side, of the deals that are over; in a match of the game under way or played last. Empty before any action."""
    games_won: tuple[int, ...]
    """By side; more than one only in a match. Empty before any action."""
    hands: int
    """How many hands are over."""
    actions: int
    """How many actions are written down."""
    winner: int | None
    """The side."""
    totals: tuple[int, ...] | None
    """By side with all bonuses, in a match of its last game; None for a game that was not played to its end."""

    def rules(self) -> Rules:
        """Its rules as they were when it began, whatever the preset says today.

        RulesError where this version does not know them.
        """
        return replace(load_rules(settings=self.values), name=self.rules_name, settings=self.settings)


class Store:
    """The games of a folder.

    >>> from tempfile import TemporaryDirectory
    >>> from ginrummy.hand import Action
    >>> with TemporaryDirectory() as folder, Store.open(Path(folder)) as store:
    ...     with store.new_game(Game(load_rules("race"), seed=1), Setup("easy", ("Anna", "Computer"))) as saved:
    ...         (table,) = saved.tables()
    ...         saved.play(table, Action("pass"))
    ...     with store.resume() as saved:
    ...         (table,) = saved.tables()
    ...         print(saved.id, [event.kind for event in saved.hand(table).events])
    1 ['pass']
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, folder: Path, *, wait: float = WAIT, sync: bool = True) -> Self:
        """The store of a folder (``data_folder``), made if there is none.

        ``wait``: seconds to wait while another program writes. ``sync``: whether each action waits for the disk, so that
        not even a power cut takes it back: some 5 ms, nothing at the pace of a person. Without it a killed process still
        loses nothing: for sessions on a pipe, which are faster.

        StoreUnavailable where nothing can be written; StoreError for a file that is damaged, of a newer version or of
        another program, which is left as it is.
        """
        return cls(Database(folder, wait=wait, sync=sync))

    def close(self) -> None:
        """Close it. Games that are open can no longer be written."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Games under way

    def new_game(self, game: Game, setup: Setup) -> SavedGame:
        """Enter a game in which nothing has been done yet. Errors as in ``open``.

        Without a store ``OpenGame`` is played in the same way.
        """
        return SavedGame.create(self._database, game, setup)

    def resume(self, number: int | None = None) -> SavedGame:
        """Go on with a game under way: the one played last that is not open in another session, or that number.

        NoGameError where there is none, OpenElsewhere where another session has it (or all of them) open.
        """
        if number is not None:
            return self._resume(number)
        running = sorted(self.games("running"), key=lambda info: (info.updated, info.id), reverse=True)
        for info in running:
            try:
                return self._resume(info.id)
            except OpenElsewhere as error:
                busy = error
        if running:
            raise busy if len(running) == 1 else OpenElsewhere("all games under way are open in other sessions")
        raise NoGameError("no game is under way")

    def _resume(self, number: int) -> SavedGame:
        lock = self._lock(number)
        try:
            # Only now: until it was locked, another session may have gone on with it.
            info, steps = self.load(number)
            if info.status != "running":
                raise NoGameError(f"game {number} is over: it was {info.status}")
            game = self._game(info)
            saved = SavedGame(self._database, game, info.setup, number, lock)
            saved.restore(steps)
        except BaseException:
            lock.release()
            raise
        return saved

    def _lock(self, number: int) -> GameLock:
        with self._database.errors():
            if self._database.value("SELECT 1 FROM games WHERE id = ?", number) is None:
                raise NoGameError(f"there is no game {number}")
            return GameLock(self._database.folder, number)

    # All games

    def games(self, *statuses: Status) -> list[GameInfo]:
        """The games with these statuses, or all of them, in the order they began."""
        where = f"WHERE status IN ({', '.join('?' * len(statuses))})" if statuses else ""
        with self._database.reading():
            return [self._info(row) for row in self._database.run(f"{_INFO} {where} ORDER BY id", *statuses)]

    def load(self, number: int) -> tuple[GameInfo, list[Step]]:
        """A game and what was done in it. NoGameError where there is none of that number."""
        database = self._database
        with database.reading():
            row = database.run(f"{_INFO} WHERE id = ?", number).fetchone()
            if row is None:
                raise NoGameError(f"there is no game {number}")
            found = database.run(
                "SELECT ordinal, hand, seat, action, chance FROM actions WHERE game = ? ORDER BY ordinal", number
            ).fetchall()
        if [ordinal for ordinal, *_ in found] != list(range(len(found))):
            raise StoreError(database.damaged(f"actions of game {number} are missing"))
        return self._info(row), [Step(hand, seat, str(action), chance) for _, hand, seat, action, chance in found]

    def _info(self, row: tuple[Any, ...]) -> GameInfo:
        number, status, counted, rules, settings, values, seed, game, opponent, names, sides, options, *rest = row
        started, updated, points, games_won, winner, totals, hands, actions = rest
        try:
            ended = json.loads(totals or "null")
            return GameInfo(
                id=number,
                status=status,
                setup=Setup(str(opponent), _texts(names), bool(counted), dict(json.loads(options))),
                rules_name=str(rules),
                settings=dict(json.loads(settings)),
                values=dict(json.loads(values)),
                seed=int(seed),
                number=int(game),
                started=str(started),
                updated=str(updated),
                sides=_texts(sides),
                points=_numbers(json.loads(points)),
                games_won=_numbers(json.loads(games_won)),
                hands=hands,
                actions=actions,
                winner=winner,
                totals=None if ended is None else _numbers(ended),
            )
        except (ValueError, TypeError) as error:
            raise StoreError(self._database.damaged(f"game {number}: {error}")) from None

    def export(self, number: int) -> list[dict[str, Any]]:
        """The hands of a game that is over, each with the keys that ``simulate --record`` writes.

        NoGameError for a game under way: its deck is nobody's to look at.
        """
        info, steps = self.load(number)
        if info.status == "running":
            raise NoGameError(f"game {number} is under way: its hands can be looked at when it is over")
        # Only here: a game is played without what simulates.
        from ginrummy.store.export import HUMAN, hand_records

        try:
            return hand_records(self._game(info), (HUMAN, *[info.setup.opponent] * (len(info.setup.names) - 1)), steps)
        except IllegalError as error:
            raise StoreError(beyond(number, self._database.path, str(error))) from None

    def _game(self, info: GameInfo) -> Game:
        """The game of an entry, before its first deal. StoreError where this version cannot have it."""
        try:
            return Game(info.rules(), seed=info.seed, number=info.number, names=info.sides)
        except GinRummyError as error:
            raise StoreError(beyond(info.id, self._database.path, str(error))) from None

    def forget(self, number: int) -> None:
        """Delete a game. NoGameError where there is none, OpenElsewhere where a session has it open."""
        database = self._database
        lock = self._lock(number)
        try:
            with database.writing():
                for table in ("actions", "hands"):
                    database.run(f"DELETE FROM {table} WHERE game = ?", number)
                database.run("DELETE FROM games WHERE id = ?", number)
            with database.errors():
                # The log of the database holds the old pages still; a reader that needs them may keep it a while.
                database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            lock.release()

    def forget_all(self) -> tuple[list[int], list[int]]:
        """Delete all games but those a session has open: the numbers of those gone and of those kept."""
        gone: list[int] = []
        kept: list[int] = []
        with self._database.errors():
            numbers = [number for (number,) in self._database.run("SELECT id FROM games ORDER BY id").fetchall()]
        for number in numbers:
            try:
                self.forget(number)
                gone.append(number)
            except OpenElsewhere:
                kept.append(number)
            except NoGameError:
                pass  # another session was faster
        return gone, kept

    # What else is remembered

    def statistics(self) -> Statistics:
        """The record book of all finished games that count."""
        finished = "counted = 1 AND status IN ('won', 'lost', 'drawn', 'resigned')"
        database = self._database
        with database.reading():
            games = database.run(
                f"SELECT id, rules, settings, opponent, status FROM games WHERE {finished} ORDER BY finished"
            ).fetchall()
            hands = database.run(
                "SELECT game, number, winner, result, points, knocker, defender_deadwood FROM hands "
                f"WHERE ? IN (first, second) AND game IN (SELECT id FROM games WHERE {finished}) ORDER BY game, number",
                PLAYER,
            ).fetchall()
        try:
            return reckon(
                [
                    FinishedGame(number, rules, dict(json.loads(settings)), opponent, status)
                    for number, rules, settings, opponent, status in games
                ],
                [FinishedHand(*row) for row in hands],
            )
        except (ValueError, TypeError) as error:
            raise StoreError(database.damaged(str(error))) from None

    def note(self, key: str) -> Any:
        """What was noted under a key (whether the coach was offered, say); None: nothing."""
        with self._database.errors():
            text = self._database.value("SELECT value FROM notes WHERE key = ?", key)
        try:
            return None if text is None else json.loads(text)
        except (ValueError, TypeError) as error:
            raise StoreError(self._database.damaged(f"note {key}: {error}")) from None

    def write_note(self, key: str, value: object) -> None:
        """Note something that JSON can hold."""
        with self._database.writing():
            self._database.run(
                "INSERT INTO notes VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                key,
                json.dumps(value),
            )


def _texts(text: str) -> tuple[str, ...]:
    return tuple(str(item) for item in json.loads(text))


def _numbers(items: Iterable[Any]) -> tuple[int, ...]:
    return tuple(int(item) for item in items)


_INFO: Final = (
    "SELECT id, status, counted, rules, settings, rule_values, seed, number, opponent, names, sides, options, started, "
    "updated, points, games_won, winner, totals, (SELECT count(*) FROM hands WHERE game = id), "
    "(SELECT count(*) FROM actions WHERE game = id) FROM games"
)
