"""Lines of a pipe."""

from collections.abc import Callable
from typing import BinaryIO, Final

LONGEST: Final = 10_000
"""Bytes of a line that are looked at: what is longer is no command, and might have no end."""


class PipeReader:
    """Lines of a pipe, each shown after its prompt so that the output reads like a session."""

    def __init__(self, stdin: BinaryIO, say: Callable[[str], None]) -> None:
        self._stdin = stdin
        self._say = say

    def read(self, prompt: str, offered: list[str], toolbar: str) -> str:
        """The next line. EOFError at the end of input."""
        raw = part = self._stdin.readline(LONGEST)
        while part and not part.endswith(b"\n"):
            part = self._stdin.readline(LONGEST)
        if not raw:
            raise EOFError
        line = raw.decode("utf-8", "backslashreplace").rstrip("\r\n")
        self._say(f"{prompt}{line if line.isprintable() else ascii(line)[1:-1]}")
        return line
