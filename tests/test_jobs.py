"""``simulate --jobs``: the same bytes for any number of processes, and none of them is left, however a run ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

import ginrummy.kernel

HAND = "7S 8S 9S KC KH KD AS 2D 5C JH"
RUNS = {
    "games": ["-n", "40", "--players", "easy,eaai-simple"],
    "hands": ["-n", "300", "--unit", "hand", "--rules", "oklahoma+spades", "--players", "eaai-simple,random"],
    "teams": ["-n", "10", "--rules", "romme+partnership+hollywood", "--players", "easy,eaai-simple"],
    "three": ["-n", "12", "--rules", "duel+cutthroat", "--players", "easy,eaai-simple,random"],
    "all": ["-n", "20", "--rules", "race+best-of=3", "--players", "easy,eaai-simple,random", "--no-mirror"],
    "given": ["-n", "300", "--players", "eaai-simple,easy", HAND],
}
KERNELS = ["compiled", "python"] if ginrummy.kernel.compiled else ["python"]
BOT = f"exec:{sys.executable} -c 'import time; time.sleep(1000)'"
ENDLESS = ["-n", "100000000", "--players", "easy,eaai-simple"]
SLOW = ["-n", "100", "--player", BOT, "--player", "easy", "--move-time", "500"]


def finished(*args: str, kernel: str = "", hashes: str = "0") -> subprocess.CompletedProcess[str]:
    """A run that is waited for."""
    environ = os.environ | {"GINRUMMY_KERNEL": kernel, "PYTHONHASHSEED": hashes}
    return subprocess.run(
        [sys.executable, "-m", "ginrummy", "simulate", *args],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=environ,
        timeout=120,
        check=False,
    )


# --- the same bytes -----------------------------------------------------------------------------


def bytes_of(folder: Path, *args: str, kernel: str = "", hashes: str = "0") -> tuple[str, str]:
    """Output and recorded hands of a run."""
    file = folder / str(uuid4())
    done = finished("--seed", "17", "--json", "--record", str(file), *args, kernel=kernel, hashes=hashes)
    assert done.returncode == 0, done.stderr
    return done.stdout, file.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", RUNS)
def test_any_number_of_jobs_gives_the_same_bytes(kind: str, tmp_path: Path) -> None:
    one = bytes_of(tmp_path, *RUNS[kind])
    assert one == bytes_of(tmp_path, *RUNS[kind], "--jobs", "2", hashes="4242")
    if kind == "games":
        assert one == bytes_of(tmp_path, *RUNS[kind], "--jobs", "auto")
        assert one == bytes_of(tmp_path, *RUNS[kind], "--jobs", "5", kernel=KERNELS[-1], hashes="7")


def test_an_outside_player_may_play_in_any_process(tmp_path: Path) -> None:
    """What it leaves to chance it draws from the seed it is given with each hand."""
    (tmp_path / "any_bot.py").write_text(
        "from random import Random\n"
        "class Any:\n"
        "    def begin(self, seat, view, seed): self.random = Random(seed)\n"
        "    def end(self, how): pass\n"
        "    def observe(self, event): pass\n"
        "    def decide(self, view):\n"
        "        from ginrummy.kernel.random_player import legal_actions\n"
        "        from ginrummy.hand import Action\n"
        "        return Action.from_code(self.random.choice(legal_actions(view)))\n",
        encoding="utf-8",
    )
    args = ["-n", "40", "--unit", "hand", "--player", "module:any_bot:Any", "--player", "easy"]
    before = os.environ["PYTHONPATH"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{before}")
        assert bytes_of(tmp_path, *args) == bytes_of(tmp_path, *args, "--jobs", "2", hashes="3")


# --- what goes wrong in a worker ----------------------------------------------------------------


def test_a_player_that_fails_ends_the_run() -> None:
    args = ["-n", "20", "--seed", "1", "--player", "exec:false", "--player", "easy"]
    alone, shared = finished(*args), finished(*args, "--jobs", "2")
    assert (shared.returncode, shared.stdout) == (1, "")
    assert shared.stderr == alone.stderr
    assert "player 'exec:false': exited with status 1 (game 0, hand 0, seed 1)" in shared.stderr


def test_a_game_without_an_end_is_told() -> None:
    args = ["-n", "2", "--seed", "1", "--rules", "race+straight", "--target", "10000", "--players", "random,random"]
    done = finished(*args, "--jobs", "2")
    assert (done.returncode, done.stdout) == (1, "")
    assert "game 0 has no winner" in done.stderr


# --- no process is left -------------------------------------------------------------------------

PROC = Path("/proc")


class Started:
    """A run, and all processes that come of it: they carry a mark in their environment."""

    def __init__(self, *args: str) -> None:
        self.mark = f"GINRUMMY_TEST={uuid4()}"
        key, _, value = self.mark.partition("=")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ginrummy", "simulate", "--seed", "1", "--json", *args],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=os.environ | {key: value},
            start_new_session=True,
        )

    def alive(self, *words: str) -> list[int]:
        """The processes of the run, zombies not counted, whose command line has all the words."""
        found = []
        for folder in PROC.iterdir():
            try:
                if not folder.name.isdigit() or self.mark.encode() not in (folder / "environ").read_bytes():
                    continue
                command = (folder / "cmdline").read_bytes().decode()
            except OSError:
                continue
            if command and all(word in command for word in words):
                found.append(int(folder.name))
        return found

    def workers(self) -> list[int]:
        """The processes that play."""
        return self.alive("spawn_main")

    def wait_for(self, condition: Callable[[], bool], seconds: float = 30) -> None:
        """Until something is so."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, self.alive()
            time.sleep(0.02)

    def end(self) -> tuple[int, str, str]:
        """Status, output and messages; nothing is left after a moment."""
        out, err = self.process.communicate(timeout=30)
        assert "Traceback" not in err
        self.wait_for(lambda: not self.alive(), seconds=10)
        return self.process.returncode, out, err


@contextmanager
def started(*args: str) -> Iterator[Started]:
    """A run that plays, at least in two processes."""
    if not PROC.exists():
        pytest.skip("processes are looked for in /proc")
    run = Started("--jobs", "2", *args)
    try:
        bots = 2 if BOT in args else 0
        run.wait_for(lambda: len(run.workers()) == 2 and len(run.alive("time.sleep(1000)")) >= bots)
        time.sleep(0.5)
        yield run
    finally:
        run.process.kill()
        for number in run.alive():
            os.kill(number, signal.SIGKILL)
        run.process.communicate()


@pytest.mark.parametrize("whom", ["the program", "everybody"])
def test_ctrl_c(whom: str) -> None:
    """A terminal sends it to all processes, a script to the one it started."""
    with started(*ENDLESS) as run:
        # Something has to be done by then, or there is nothing to show.
        time.sleep(1)
        if whom == "everybody":
            os.killpg(run.process.pid, signal.SIGINT)
        else:
            run.process.send_signal(signal.SIGINT)
        status, out, err = run.end()
    assert status == 130
    assert json.loads(out)["partial"] is True
    assert "the result is partial" in err


def test_sigterm() -> None:
    with started(*ENDLESS) as run:
        run.process.terminate()
        assert run.end() == (143, "", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_programs_that_play_are_ended_too(number: signal.Signals) -> None:
    """Even those that never look whether anybody is left."""
    with started(*SLOW) as run:
        run.process.send_signal(number)
        if number == signal.SIGKILL:
            # Nobody is left to end a program that does not read; the workers still end.
            run.process.communicate()
            run.wait_for(lambda: not run.workers(), seconds=10)
            return
        status, out, _ = run.end()
        assert (status, out) == (130 if number == signal.SIGINT else 143, "")


def test_workers_end_with_a_program_that_was_killed() -> None:
    with started(*ENDLESS) as run:
        run.process.kill()
        run.process.communicate()
        run.wait_for(lambda: not run.alive(), seconds=10)


@pytest.mark.parametrize("args", [ENDLESS, SLOW])
def test_a_worker_that_is_killed_ends_the_run_with_a_message(args: list[str]) -> None:
    with started(*args) as run:
        os.kill(run.workers()[0], signal.SIGKILL)
        if args is SLOW:
            # The bot of the one that was killed is nobody's; it is not what this is about.
            out, err = run.process.communicate(timeout=30)
            status = run.process.returncode
        else:
            status, out, err = run.end()
    assert (status, out) == (1, "")
    assert err.startswith("ginrummy simulate: a worker was lost: ")


# --- memory -------------------------------------------------------------------------------------

PEAK = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-m", "ginrummy", "simulate", *sys.argv[1:]], check=True, capture_output=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_number_of_hands(tmp_path: Path) -> None:
    few, many = ("400", "8000") if ginrummy.kernel.compiled else ("40", "400")
    peaks = []
    for number in (few, many):
        args = ["-n", number, "--unit", "hand", "--jobs", "2", "--record", str(tmp_path / number), "--seed", "1"]
        done = subprocess.run([sys.executable, "-c", PEAK, *args], capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout))
    # In kilobytes; a recorded hand takes one on the disk and several in memory.
    assert peaks[1] - peaks[0] < 16_000
