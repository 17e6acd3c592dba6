"""Exit statuses."""

from enum import IntEnum


class Status(IntEnum):
    """What the program's exit status says."""

    OK = 0
    """Done."""
    FAILED = 1
    """The work ran, but part of it failed."""
    USAGE = 2
    """Wrong usage, or nothing could be read."""
    INTERRUPTED = 130
    """Ctrl-C."""
    TERMINATED = 143
    """SIGTERM."""
