"""Ctrl-C kept waiting while a game changes: in memory and on the disk it has changed then, or not at all."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

INTERRUPTIONS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Signals that come inside, and have a handler in Python, come when it is left."""
    if threading.current_thread() is not threading.main_thread():
        # Handlers run in the main thread only.
        yield
        return
    came: list[int] = []

    def wait(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    usual = {number: signal.getsignal(number) for number in INTERRUPTIONS}
    usual = {number: handler for number, handler in usual.items() if callable(handler)}
    try:
        for number in usual:
            signal.signal(number, wait)
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)
