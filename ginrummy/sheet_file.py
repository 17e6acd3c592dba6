"""A sheet as a file that is written to: a line is added whole or not at all, whoever else adds at the same time."""

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Checked = TypeVar("Checked")


def add_line(path: str, line: str, check: Callable[[bytes], Checked]) -> Checked:
    """Add a line to a file, which is made where there is none; ``check`` is given what the file would then hold.

    What ``check`` raises is passed on and the file left as it was. The new text is written beside the file, brought to
    the disk and put in its place in one step, under a lock of the file: a crash at any moment leaves the old file or the
    new one. Raises OSError.
    """
    path = os.path.realpath(path)
    if not os.path.exists(path):
        check(_with_line(b"", line))  # nothing is made for a line that is refused
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        with open(descriptor, "rb") as file:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode):
                raise OSError(0, "not a regular file")
            _lock(descriptor)
            try:
                now = os.stat(path)
            except FileNotFoundError:
                continue
            if (now.st_dev, now.st_ino) != (about.st_dev, about.st_ino):
                continue  # somebody has put a new file in its place while we waited for the lock of the old one
            text = _with_line(file.read(), line)
            checked = check(text)
            _replace(path, text, stat.S_IMODE(now.st_mode))
            return checked


def _with_line(text: bytes, line: str) -> bytes:
    """A file's text with a line more, the ends of its lines as they are."""
    end = b"\r\n" if b"\r\n" in text else b"\n"
    if text and not text.endswith(b"\n"):
        text += end
    return text + line.encode() + end


def _lock(descriptor: int) -> None:
    try:
        import fcntl
    except ImportError:  # no such locks on this system: the file is still never half written
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)


def _replace(path: str, text: bytes, mode: int) -> None:
    folder, name = os.path.split(path)
    # One name is enough: whoever writes it holds the lock. What a crash left there is written anew.
    beside = os.path.join(folder, f".{name}.new")
    with suppress(FileNotFoundError):
        os.unlink(beside)
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text)
            file.flush()
            os.chmod(beside, mode)
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    # The name's change is on the disk only when the folder is.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
