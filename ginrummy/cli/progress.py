"""A line on a terminal that says how far a run is."""

import time

from ginrummy.cli.streams import Streams


class Progress:
    """Games done and planned, and how long the rest will take, twice a second."""

    def __init__(self, streams: Streams, unit: str) -> None:
        self._streams = streams
        self._unit = unit
        self._began = self._shown = time.monotonic()
        self._width = 0

    def __call__(self, done: int, planned: int) -> None:
        now = time.monotonic()
        if now - self._shown < 0.5 or not done:
            return
        self._shown = now
        left = (now - self._began) * (planned - done) / done
        text = f"{done:,} of {planned:,} {self._unit}s, {left:.0f} s left"
        self._streams.status(text.ljust(self._width))
        self._width = len(text)

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            self._streams.status(" " * self._width)
