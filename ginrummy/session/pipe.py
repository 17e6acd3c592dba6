"""Lines of a pipe, or of a terminal that can do no more."""

from collections.abc import Callable
from typing import BinaryIO, Final

LONGEST: Final = 10_000
"""Bytes of a line that are looked at: what is longer is no command, and might have no end."""


class PipeReader:
    """Plain lines. Those of a pipe are shown after their prompt, so that the output reads like a session."""

    def __init__(self, stdin: BinaryIO, say: Callable[[str], None], *, echo: bool = True) -> None:
        """``echo`` False: what is typed shows by itself, and the prompt has to come first."""
        self._stdin = stdin
        self._say = say
        self._echo = echo

    def read(self, prompt: str, offered: list[str], toolbar: Callable[[int], str], who: int) -> str:
        """The next line. EOFError at the end of input."""
        if not self._echo:
            self._say(prompt)
        raw = part = self._stdin.readline(LONGEST)
        while part and not part.endswith(b"\n"):
            part = self._stdin.readline(LONGEST)
        if not raw:
            raise EOFError
        line = raw.decode("utf-8", "backslashreplace").rstrip("\r\n")
        if self._echo:
            self._say(f"{prompt}{line if line.isprintable() else ascii(line)[1:-1]}")
        return line
