"""Timing of several things side by side, so that a noisy machine slows all of them alike."""

from collections.abc import Callable
from statistics import median
from time import perf_counter


def alternate(tasks: dict[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    """Seconds that each task took, in turn, after one round that does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for repeat in range(repeats + 1):
        for name, task in tasks.items():
            began = perf_counter()
            task()
            if repeat:
                seconds[name].append(perf_counter() - began)
    return seconds


def spread(values: list[float], form: str = ",.0f") -> str:
    """Least, median and greatest."""
    return " / ".join(format(value, form) for value in (min(values), median(values), max(values)))


def rates(name: str, count: int, seconds: list[float]) -> str:
    """One line: how many a second."""
    return f"{name:<34} {spread([count / each for each in seconds])}"


def ratios(name: str, slow: list[float], fast: list[float]) -> str:
    """One line: how many times as fast, each repeat with the one beside it."""
    return f"{name:<34} {spread([a / b for a, b in zip(slow, fast, strict=True)], '.2f')}"
