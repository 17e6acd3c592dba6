"""Standard streams and what is known of the terminal, as one object that tests replace."""

import io
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, TextIO


class OutputError(Exception):
    """Standard output cannot be written."""


class OutputClosed(Exception):
    """Whoever read standard output has gone: nothing to do but end quietly."""


@dataclass(slots=True)
class Streams:
    """Where a command reads and writes."""

    stdin: BinaryIO | None
    """Bytes of standard input; None where it is closed."""
    stdout: TextIO | None
    """None where it is closed."""
    stderr: TextIO | None
    stdin_is_terminal: bool = False
    stdout_is_terminal: bool = False
    stderr_is_terminal: bool = False
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    name: str = "ginrummy"
    """The command that is running, for its messages."""

    @classmethod
    def real(cls) -> "Streams":
        """The process's own streams. What an encoding cannot say is written as an escape, never an error."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        return cls(
            stdin=None if sys.stdin is None else sys.stdin.buffer,
            stdout=sys.stdout,
            stderr=sys.stderr,
            stdin_is_terminal=sys.stdin is not None and sys.stdin.isatty(),
            stdout_is_terminal=sys.stdout is not None and sys.stdout.isatty(),
            stderr_is_terminal=sys.stderr is not None and sys.stderr.isatty(),
        )

    def out(self, text: str) -> None:
        """Write a result and a line's end, at once."""
        if self.stdout is None:
            raise OutputError("standard output is closed")
        try:
            self.stdout.write(text + "\n")
            self.stdout.flush()
        except BrokenPipeError:
            raise OutputClosed from None
        except OSError as error:
            raise OutputError(f"standard output: {error.strerror or error}") from None

    def say(self, text: str) -> None:
        """Write a message to standard error, if anybody listens."""
        if self.stderr is None:
            return
        try:
            self.stderr.write(text + "\n")
            self.stderr.flush()
        except (OSError, ValueError):
            pass

    def status(self, text: str) -> None:
        """Write over the current line of a terminal's standard error."""
        if self.stderr is not None:
            try:
                self.stderr.write("\r" + text + "\r")
                self.stderr.flush()
            except (OSError, ValueError):
                pass

    def warn(self, text: str) -> None:
        """Write a message that begins with the command's name."""
        self.say(f"{self.name}: {text}")

    def encodes(self, text: str) -> bool:
        """Whether the output's encoding has the characters."""
        try:
            text.encode(getattr(self.stdout, "encoding", None) or "utf-8")
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    @property
    def may_color(self) -> bool:
        """Whether colour is welcome on the output by what its surroundings say."""
        return self.stdout_is_terminal and not self.environ.get("NO_COLOR") and self.environ.get("TERM") != "dumb"
