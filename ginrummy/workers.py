"""Other processes and machines that play chunks of a simulation: a pool here, or a dask cluster."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager

from ginrummy.errors import GinRummyError, quoted


class WorkersFailed(GinRummyError):
    """Workers cannot be had, or were lost."""


def processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def _begin() -> None:
    # An interrupt at the terminal reaches every process; only the one that waits for the results acts on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def pool(jobs: int) -> Iterator[Executor]:
    """An executor of ``jobs`` processes. However it is left, no process stays."""
    # Spawned, not forked: the same on every system, and nothing of this process is shared.
    executor = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    executor.shutdown()


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor of a dask cluster, and how many workers it has. WorkersFailed where there is none."""
    try:
        from distributed import Client
    except ImportError:
        raise WorkersFailed("dask is not installed: pip install 'ginrummy[cluster]'") from None
    try:
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise WorkersFailed(f"no dask scheduler at {quoted(address)}: {error}") from None
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise WorkersFailed(f"the dask scheduler at {quoted(address)} has no workers")
        # A chunk depends on nothing but its arguments, so one that was lost with its worker is played again: the same hands.
        yield client.get_executor(pure=False, retries=3), threads
    finally:
        client.close()
