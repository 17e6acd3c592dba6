"""One session a game: a lock that the system lets go of when its process ends, however it ends."""

import contextlib
import os
import sys
from pathlib import Path

from ginrummy.errors import GinRummyError

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class OpenElsewhere(GinRummyError):
    """The game is open in another session."""


class GameLock:
    """The lock of one game, held from the beginning until ``release``."""

    def __init__(self, folder: Path, game: int) -> None:
        """OpenElsewhere where another session holds it; OSError where locks cannot be had."""
        self._path = folder / f"game-{game}.lock"
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _lock(file)
                if self._is(file):
                    break
            except (BlockingIOError, PermissionError):
                os.close(file)
                raise OpenElsewhere(f"game {game} is open in another session") from None
            except BaseException:
                os.close(file)
                raise
            # Its last holder took the file away after we opened it: this one nobody else would see.
            os.close(file)
        self._file: int | None = file

    def _is(self, file: int) -> bool:
        """Whether the open file is the one that stands in the folder."""
        try:
            return os.path.samestat(os.fstat(file), self._path.stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let go of it; a second time does nothing."""
        if self._file is None:
            return
        file, self._file = self._file, None
        # First away, then open: nobody can lock it in between. Windows takes no open file away; it stays, and does no harm.
        with contextlib.suppress(OSError):
            self._path.unlink()
        os.close(file)
