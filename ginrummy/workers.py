"""Other processes and machines that play chunks of a simulation: a pool here, or a dask cluster."""

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Final

from ginrummy.errors import quoted
from ginrummy.simulation import WorkerEnded, WorkersFailed

CONNECT: Final = 5
"""Seconds in which a scheduler has to answer."""

GRACE: Final = 2.0
"""Seconds a process has to end what it does before it is killed."""


def processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def _end(number: int, frame: FrameType | None) -> None:
    """SIGTERM in a process of the pool: outside players are closed on the way out."""
    raise WorkerEnded


def _watch() -> None:
    """End this process with the one that started it, however that ended: nobody would send work any more."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _begin() -> None:
    # An interrupt at the terminal reaches every process; only the one that waits for the results acts on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, daemon=True).start()
    # Last: until then SIGTERM ends the process without a word.
    signal.signal(signal.SIGTERM, _end)


@contextmanager
def pool(jobs: int) -> Iterator[Executor]:
    """An executor of ``jobs`` processes. However it is left, no process stays."""
    others = {process.pid for process in multiprocessing.active_children()}
    # Spawned, not forked: the same on every system, and nothing of this process is shared.
    executor = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        mine = [process for process in multiprocessing.active_children() if process.pid not in others]
        for process in mine:
            process.terminate()
        for process in mine:
            process.join(GRACE)
            process.kill()
        raise
    executor.shutdown()


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor of a dask cluster, and how many workers it has. WorkersFailed where there is none."""
    try:
        from distributed import Client
        from distributed.comm import resolve_address
    except ImportError:
        raise WorkersFailed("dask is not installed: pip install 'ginrummy[cluster]'") from None
    # What goes wrong is told once, by us; dask would also log each connection that it loses.
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        # A client made with a wrong address would be there, half, until it has waited for a scheduler at its end.
        resolve_address(address)
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, OverflowError, TimeoutError) as error:
        raise WorkersFailed(f"no dask scheduler at {quoted(address)}: {error}") from None
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise WorkersFailed(f"the dask scheduler at {quoted(address)} has no workers")
        # A chunk depends on nothing but its arguments: the scheduler has one that was lost with its worker played again,
        # and the hands are the same. No retries beyond that: what fails, as an outside player does, fails for all.
        yield client.get_executor(pure=False), threads
    finally:
        client.close()
