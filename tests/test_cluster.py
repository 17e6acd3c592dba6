"""``simulate --dask``: a real scheduler and two workers on this machine, the same bytes as alone, also when one dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from socket import socket

import pytest

pytest.importorskip("distributed")

WAIT = 30.0
"""Seconds in which a process has to be ready."""
PLAN = ["-n", "60", "--seed", "23", "--rules", "romme+hollywood", "--players", "easy,eaai-simple"]


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self.workers: list[subprocess.Popen[bytes]] = []
        with socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")

    def _start(self, kind: str, *args: str) -> subprocess.Popen[bytes]:
        log = self._stack.enter_context((self._folder / f"{kind}{len(self.workers)}.log").open("wb"))
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{kind}", *args],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=self._folder,
            start_new_session=True,
        )
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process

    def add_worker(self) -> None:
        """One more process that plays, a hand at a time."""
        args = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self._folder)]
        self.workers.append(self._start("worker", self.address, "--name", str(len(self.workers)), *args))

    def wait(self, workers: int) -> None:
        """Until so many workers have come."""
        from distributed import Client

        client = Client(self.address, timeout=WAIT, set_as_default=False)
        try:
            if workers:
                client.wait_for_workers(workers, timeout=WAIT)
        finally:
            client.close()

    def close(self) -> None:
        """End them all."""
        self._stack.close()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler with two workers."""
    found = Cluster(tmp_path)
    try:
        found.add_worker()
        found.add_worker()
        found.wait(2)
        yield found
    finally:
        found.close()


def command(*args: str) -> list[str]:
    """The program, with options."""
    return [sys.executable, "-m", "ginrummy", "simulate", *args]


def simulated(*args: str) -> subprocess.CompletedProcess[str]:
    """A run that is waited for."""
    return subprocess.run(
        command(*args), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=120, check=False
    )


def test_a_cluster_gives_the_bytes_of_one_process(cluster: Cluster, tmp_path: Path) -> None:
    outputs = []
    for number, how in enumerate((["--dask", cluster.address], ["--jobs", "1"])):
        file = tmp_path / f"hands{number}"
        done = simulated(*PLAN, *how, "--json", "--record", str(file))
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        outputs.append((done.stdout, file.read_bytes()))
    assert outputs[0] == outputs[1]
    # What fails on a worker is told as at home, and at once.
    failing = ["-n", "40", "--seed", "1", "--player", "exec:false", "--player", "easy"]
    done = simulated(*failing, "--dask", cluster.address)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == simulated(*failing).stderr
    endless = ["-n", "2", "--seed", "1", "--rules", "race+straight", "--target", "10000", "--players", "random,random"]
    done = simulated(*endless, "--dask", cluster.address)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("ginrummy simulate: game 0 has no winner")


def test_a_worker_that_dies_changes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    plan = ["--seed", "23", "--players", "easy,eaai-simple", "--json", "-n"]
    file = tmp_path / "hands"
    # So many that the run is not over before its worker dies; fewer where hands take longer.
    from ginrummy.kernel import compiled

    number = "2000" if compiled else "300"
    process = subprocess.Popen(
        command(*plan, number, "--dask", cluster.address, "--record", str(file)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    partial = Path(f"{file}.partial")
    end = time.monotonic() + WAIT
    while not (partial.exists() and partial.stat().st_size):
        assert time.monotonic() < end
        time.sleep(0.02)
    os.kill(cluster.workers[0].pid, signal.SIGKILL)
    assert process.poll() is None, "over before its worker died"
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "Traceback" not in err
    alone = simulated(*plan, number, "--record", str(tmp_path / "alone"))
    assert out == alone.stdout
    assert file.read_bytes() == (tmp_path / "alone").read_bytes()


def test_an_interrupt_shows_what_was_played(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "hands"
    process = subprocess.Popen(
        command("-n", "10000000", "--seed", "1", "--json", "--dask", cluster.address, "--record", str(file)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    partial = Path(f"{file}.partial")
    end = time.monotonic() + WAIT
    while not (partial.exists() and partial.stat().st_size):
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=WAIT)
    assert process.returncode == 130
    assert json.loads(out)["partial"] is True
    assert "Traceback" not in err


def test_no_cluster_is_told(tmp_path: Path) -> None:
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    for address in ("", "xyz://127.0.0.1:1", nobody):
        done = simulated("-n", "2", "--dask", address)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"ginrummy simulate: no dask scheduler at '{address}': ")
        assert done.stderr.count("\n") == 1
    idle = Cluster(tmp_path)
    try:
        idle.wait(0)
        done = simulated("-n", "2", "--dask", idle.address)
    finally:
        idle.close()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"ginrummy simulate: the dask scheduler at '{idle.address}' has no workers\n"
