"""The file of the store: opened, checked, brought up to date, written in transactions. Its errors name path and remedy."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ginrummy.errors import GinRummyError, quoted_path

FILE: Final = "games.sqlite3"

VARIABLE: Final = "GINRUMMY_DATA"
"""The environment variable that names another folder."""

APPLICATION: Final = 0x47696E52
"""What tells the file from other SQLite files: "GinR"."""

UPGRADES: Final = (
    """
    CREATE TABLE games (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        status TEXT NOT NULL CHECK (status IN ('running', 'won', 'lost', 'drawn', 'resigned', 'abandoned')),
        counted INTEGER NOT NULL,
        rules TEXT NOT NULL,
        settings TEXT NOT NULL,
        rule_values TEXT NOT NULL,
        seed INTEGER NOT NULL,
        number INTEGER NOT NULL,
        opponent TEXT NOT NULL,
        names TEXT NOT NULL,
        sides TEXT NOT NULL,
        options TEXT NOT NULL,
        started TEXT NOT NULL,
        updated TEXT NOT NULL,
        points TEXT NOT NULL DEFAULT '[]',
        games_won TEXT NOT NULL DEFAULT '[]',
        winner INTEGER,
        totals TEXT,
        finished INTEGER UNIQUE
    );
    CREATE TABLE actions (
        game INTEGER NOT NULL REFERENCES games (id),
        ordinal INTEGER NOT NULL,
        hand INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        action TEXT NOT NULL,
        chance TEXT,
        PRIMARY KEY (game, ordinal)
    ) WITHOUT ROWID;
    CREATE TABLE hands (
        game INTEGER NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        first INTEGER NOT NULL,
        second INTEGER NOT NULL,
        dealer INTEGER NOT NULL,
        winner INTEGER,
        result TEXT NOT NULL,
        points INTEGER NOT NULL,
        knocker INTEGER,
        knocker_deadwood INTEGER,
        defender_deadwood INTEGER,
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID;
    CREATE TABLE notes (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
)
"""What makes each version out of the one before. What has been released is never changed: a new version is a new entry."""

VERSION: Final = len(UPGRADES)

COLUMNS: Final = {
    "games": "id, status, counted, rules, settings, rule_values, seed, number, opponent, names, sides, options, "
    "started, updated, points, games_won, winner, totals, finished",
    "actions": "game, ordinal, hand, seat, action, chance",
    "hands": "game, number, first, second, dealer, winner, result, points, knocker, knocker_deadwood, defender_deadwood",
    "notes": "key, value",
}

_OUTSIDE: Final = {
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOLFS,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
}
"""What lies with the folder, the disk or another program, not with the content of the file."""


class StoreError(GinRummyError):
    """The store cannot be used as it is: damaged, of a newer version, or something else altogether. It is left alone."""


class StoreUnavailable(StoreError):
    """Nothing can be read or written there now: a game can be played, but is not saved."""


def data_folder(given: str | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of the store: the one given, else that of GINRUMMY_DATA, else the user's own for program data.

    StoreUnavailable where the user has no home.
    """
    if given or environ.get(VARIABLE):
        return Path(given or environ[VARIABLE])
    # Only here: nothing else needs it, and most calls name a folder or have none to name.
    from platformdirs import user_data_dir

    folder = Path(user_data_dir("ginrummy", appauthor=False))
    try:
        homeless = folder.is_relative_to(Path.home()) and not Path.home().is_dir()
    except RuntimeError:
        homeless = not folder.is_absolute()
    # A home that is missing is not made: it is missing for a reason, as with the accounts of services.
    if homeless:
        raise StoreUnavailable("there is no home folder to keep games in: name a folder with --data")
    return folder


class Database:
    """One connection to the file."""

    def __init__(self, folder: Path, *, wait: float, sync: bool) -> None:
        """Open the file of a folder, or make it. Arguments and errors as for ``Store.open``."""
        self.folder: Final = folder
        self.path: Final = folder / FILE
        self._sync = sync
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(
                f"the games in {quoted_path(folder)} cannot be reached: {error.strerror or error}"
            ) from None
        with self.errors():
            self._connection = sqlite3.connect(self.path, timeout=wait, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self) -> None:
        # Nothing is written before it is clear that the file is ours and of a version known here.
        with self.reading():
            version = self._version()
        if version < VERSION:
            with self.writing():
                # Looked at again, now that nobody else can write: two new sessions may get here at once.
                for upgrade in UPGRADES[self._version() :]:
                    for statement in upgrade.split(";"):
                        self.run(statement)
                self.run(f"PRAGMA user_version = {VERSION}")
                self.run(f"PRAGMA application_id = {APPLICATION}")
        for table, columns in COLUMNS.items():
            self.run(f"SELECT {columns} FROM {table} LIMIT 0")
        self._use_wal()
        self.run(f"PRAGMA synchronous = {'FULL' if self._sync else 'NORMAL'}")
        # What is forgotten is overwritten, not only let go of.
        self.run("PRAGMA secure_delete = ON")

    def _version(self) -> int:
        """The version of the schema, 0 for an empty file. StoreError for a file that is not ours or too new.

        In a transaction: another session may be making the file.
        """
        version: int = self.value("PRAGMA user_version")
        ours = self.value("PRAGMA application_id") == APPLICATION
        if not ours and (version or self.value("SELECT count(*) FROM sqlite_master")):
            raise StoreError(
                f"{quoted_path(self.path)} is a database of another program: it is left as it is; "
                "move it away, or name another folder with --data"
            )
        if version > VERSION:
            raise StoreError(
                f"{quoted_path(self.path)} was written by a newer ginrummy (version {version}, this one knows {VERSION}): "
                "it is left as it is; update ginrummy, or name another folder with --data"
            )
        return version

    def _use_wal(self) -> None:
        if self.value("PRAGMA journal_mode") == "wal":
            return
        try:
            self.run("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            # Another session reads at this moment. Without it the file is as safe, readers only wait for those who write;
            # the next session tries again.
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise

    def close(self) -> None:
        """Close the connection."""
        with self.errors():
            self._connection.close()

    def run(self, statement: str, *values: object) -> sqlite3.Cursor:
        """One statement, inside ``errors``, ``reading`` or ``writing``."""
        return self._connection.execute(statement, values)

    def value(self, statement: str, *values: object) -> Any:
        """The first column of the first row; None without a row."""
        row = self.run(statement, *values).fetchone()
        return None if row is None else row[0]

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn the errors of SQLite, and of content that nobody here wrote, into those of the store."""
        try:
            yield
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code == sqlite3.SQLITE_BUSY:
                raise StoreUnavailable(
                    f"the games in {quoted_path(self.path)} cannot be reached: another program keeps them locked"
                ) from None
            if code in _OUTSIDE:
                raise StoreUnavailable(f"the games in {quoted_path(self.path)} cannot be reached: {error}") from None
            raise StoreError(self.damaged(str(error))) from None
        except OSError as error:
            raise StoreUnavailable(
                f"the games in {quoted_path(self.folder)} cannot be reached: {error.strerror or error}"
            ) from None

    def damaged(self, what: str) -> str:
        """The message for content that cannot be."""
        return (
            f"{quoted_path(self.path)} is damaged ({what}): it is left as it is; "
            "move it away, or name another folder with --data"
        )

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Several reads of one and the same state."""
        with self._transaction("BEGIN"):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All that is run inside is on the disk afterwards, or none of it."""
        with self._transaction("BEGIN IMMEDIATE"):
            yield

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        with self.errors():
            if self._connection.in_transaction:
                # Ctrl-C came just after the begin of one.
                self._connection.rollback()
            try:
                self.run(begin)
                yield
                self.run("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.rollback()
                raise
