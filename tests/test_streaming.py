"""Long streams: memory, pauses, several processes, odd lines, places of faults, and every way to end."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import Pipe
from pathlib import Path
from random import Random
from typing import IO, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ginrummy.cards import NAMES
from ginrummy.cli import analyze_hand, blocks, run
from ginrummy.cli.reading import BadRecord, RecordReader, read_records

HAND = "3C 3D 3H 9S 10S JS KH 5D 2C AS"
RECORD = json.dumps({"hand": HAND})
SHOWDOWN = "7S 8S 9S KC KH KD KS AD 2C 4C / 5H 6H 7H QS QD QC 10S 2D 4D JH"
WAIT = 60


def many(number: int) -> bytes:
    """Hands of all forms, some of them bad."""
    random = Random("streams")
    found = []
    for at in range(number):
        hand = [NAMES[card] for card in random.sample(range(52), 10)]
        form = at % 7
        if form == 6 and at % 5 == 0:
            found.append(random.choice(["7x", '{"hand":', '["7S",', '{"hand":"7S","hand":"7S"}', "{}", '"\udce9"']))
        elif form == 5:
            found.append(json.dumps({"hand": hand}, indent=1))
        elif form == 4:
            found.append(" ".join(hand))
        elif form == 3:
            found.append(json.dumps([hand, " ".join(hand)]))
        else:
            found.append(json.dumps({"hand": hand}))
    return "\n".join(found).encode("utf-8", "surrogateescape")


# --- reading ------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *("{", "}", "[", "]", '"', ",", ":", " ", "\t", "\n", "\n", "\n ", "\n}", "\n]", "#", "7S 8S", '"hand"', '"7S"'),
        *("\r\n", "\x85", "\u2028", "\x00", "1", "NaN", '{"a":1}', '["7S"]', '{"a":1,"a":2}', '{"a":\n', "\udcff", "\udcc3"),
    ]
)  # fmt: skip
INPUTS = st.lists(PIECES, max_size=40).map(lambda parts: "".join(parts).encode("utf-8", "surrogateescape"))


def split(data: bytes, places: list[int]) -> Iterator[bytes]:
    """Lines in portions."""
    lines = io.BytesIO(data).readlines()
    at = 0
    for place in [*sorted({place % (len(lines) + 1) for place in places}), len(lines)]:
        yield b"".join(lines[at:place])
        at = place


@settings(max_examples=150, deadline=None)
@given(INPUTS, st.lists(st.integers(0, 50), max_size=4))
def test_a_stream_in_portions_is_the_same_stream(data: bytes, places: list[int]) -> None:
    """A reader goes on where it was."""
    whole = list(read_records(io.BytesIO(data)))
    reader = RecordReader()
    parts = [record for part in split(data, places) for record in reader.read(io.BytesIO(part))]
    assert [*parts, *reader.end()] == whole


class Here(blocks.Worker):
    """Another process in name only."""

    def __init__(self, work: blocks.Work) -> None:
        self._answerer = analyze_hand.answerer(dict(work.options), work.output)
        self._link, self._other = Pipe()
        self._told: blocks.Told = []
        self._other.send(1)

    def send(self, block: bytes, first: int) -> None:
        """Answered at once; a byte says so."""
        self._told = blocks.answer_block(self._answerer, block, first)
        self._other.send(1)

    def receive(self) -> blocks.Told:
        """What it has answered."""
        self._link.recv()
        return self._told

    def close(self) -> None:
        """Nothing to end."""
        self._link.close()
        self._other.close()


@settings(max_examples=150, deadline=None)
@given(st.lists(INPUTS | st.just(f"{RECORD}\n".encode()), max_size=4).map(b"".join), st.booleans())
def test_jobs_change_nothing(data: bytes, strict: bool) -> None:
    """Wherever blocks begin and end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "Worker", Here)
        patch.setattr(blocks, "FIRST", 3)
        patch.setattr(blocks, "BLOCK", 7)
        patch.setattr(blocks, "LEAST", 1)
        options = ["--strict"] if strict else []
        one = run(["analyze-hand", "--json", "--partial", *options], data)
        assert run(["analyze-hand", "--json", "--partial", "--jobs", "2", *options], data) == one


def test_many_records_with_real_jobs() -> None:
    """Order, messages and status of thousands of records, in all forms, for both commands."""
    data = many(3000)
    for command in (["analyze-hand", "--format", "csv"], ["analyze-hand", "--json"], ["score", "--json"]):
        text = data if command[0] == "analyze-hand" else f"{SHOWDOWN}\n7x\n".encode() * 500
        one = run(command, text)
        assert one.status == 1
        assert run([*command, "--jobs", "2"], text) == one


def test_jobs_of_what_kind() -> None:
    """A number or auto; never more than there is to do."""
    for jobs in ("0", "x", "", "-1", "2000"):
        assert run(["analyze-hand", "--jobs", jobs], RECORD.encode()).status == 2
    assert run(["analyze-hand", "--json", "--jobs", "auto"], RECORD.encode()).status == 0
    assert run(["analyze-hand", "--json", "--jobs", "2", HAND]).status == 0


# --- where a fault is ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        (f'{{"hand":"{HAND}","hand":"{HAND}"}}', "line 1, column 42", "'hand' twice"),
        (f'{{"hand":"{HAND}",\n  "stock":1,\n   "stock":2}}', "line 3, column 4", "'stock' twice"),
        ('{"hand":[{"a":1,"b":{"a":1},"a":2}]}', "line 1, column 29", "'a' twice"),
        ('{"h\\u0061nd":"7S","hand":"7S"}', "line 1, column 19", "'hand' twice"),
        (f'{{"hnad":1,"hand":"{HAND}"}}', "line 1, column 2", "unknown key 'hnad'"),
        (f'[{{"hand":"{HAND}"}},\n {{"hand":"{HAND}",\n  "hnad":[1,{{"hnad":2}}]}}]', "line 3, column 3, record 2", "unknown key"),
        ('["7x",{"hand":"7S 8S 9x"}]', "line 1, column 8, record 2", "'9x' at position 7"),
        (f'{{"hand":"{HAND}","stock":NaN}}', "line 1, column 50", "NaN is not"),
        (f'{{"hand":"{HAND}","stock":\n -Infinity}}', "line 2, column 2", "-Infinity is not"),
        (f'{{"hand":"{HAND}","stock":{"9" * 5000}}}', "line 1, column 50", "5000 digits"),
        (f'{{"hand":"{HAND}","stock":{"9" * 5000}.5}}', "line 1, column 42", "stock"),
        ('{"hand":' + "[" * 5000 + "]" * 5000 + "}", "line 1, column 40", "nested more than 32 deep"),
        ("[" * 33 + "1" + "]" * 33, "line 1", ""),
        ('{"hand":"7S",}', "line 1, column 14", "not JSON"),
        (b'{"hand":"7S \xff"}', "line 1, column 13", "0xFF is not UTF-8"),
        ("7S 8S\x00", "line 1: ", "position 4"),
        (f'{{"upcard":"4\u2028D","hand":"{HAND}"}}', "line 1, column 2", "upcard"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_and_column(text: str | bytes, place: str, what: str, newline: str) -> None:
    """Of every fault, and the next record is read."""
    data = (text if isinstance(text, bytes) else text.encode()).replace(b"\n", newline.encode())
    done = run(["analyze-hand", "--json"], b"\xef\xbb\xbf" + data + newline.encode() + RECORD.encode())
    assert done.status == 1
    assert place in done.stderr
    assert what in done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["line"] == data.count(b"\n") + 2


def test_a_bad_byte_in_an_indented_value_costs_one_record() -> None:
    """On its first line, too: what follows belongs to it."""
    data = b'{"a": "\xff",\n  "hand": 1\n}\n' + f"{HAND}\n".encode()
    done = run(["analyze-hand", "--json"], data)
    assert (done.status, done.stderr.count("\n")) == (1, 1)
    assert json.loads(done.stdout)["line"] == 4


@pytest.mark.parametrize("head", [b"", b'{"hand":"', b"[", b'{"hand":["7S",', b"#"])
def test_a_line_of_ten_megabytes(head: bytes) -> None:
    """Refused in a moment, with a short message; the next record is read."""
    began = time.perf_counter()
    done = run(["analyze-hand", "--json"], head + b"7S " * 3_500_000 + b"\n" + RECORD.encode())
    assert time.perf_counter() - began < 10
    assert json.loads(done.stdout)["line"] == 2
    assert len(done.stderr) < 400


def test_a_value_over_very_many_lines() -> None:
    """Its lines are looked at once each, with several jobs too."""
    value = json.dumps([HAND] * 8_000, indent=1).encode()
    began = time.perf_counter()
    one = run(["analyze-hand", "--json"], value)
    assert one.status == 0
    assert run(["analyze-hand", "--json", "--jobs", "2"], value) == one
    assert one.stdout.count("\n") == 8_000
    assert time.perf_counter() - began < 30


# --- processes ----------------------------------------------------------------------------------


def start(*args: str, **more: Any) -> subprocess.Popen[bytes]:
    """A real `python -m ginrummy` with pipes on all sides."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-m", "ginrummy", *args], **(pipes | more))


def within(seconds: float, task: Callable[[], Any]) -> Any:
    """What a task returns; a failure when it takes too long: a test must not wait for ever."""
    got: list[Any] = []
    thread = threading.Thread(target=lambda: got.append(task()), daemon=True)
    thread.start()
    thread.join(seconds)
    assert got, "no answer"
    return got[0]


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []


def alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc here")


def feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write without waiting for it to be read."""
    stdin = process.stdin

    def write() -> None:
        assert stdin is not None
        with suppress(OSError):
            stdin.write(data)
            stdin.flush()

    threading.Thread(target=write, daemon=True).start()


def lines_of(stream: IO[bytes] | None, number: int) -> list[bytes]:
    """So many lines."""
    assert stream is not None
    return [stream.readline() for _ in range(number)]


@pytest.mark.parametrize("command", ["analyze-hand", "score"])
def test_no_answer_waits_for_input_that_has_not_come(command: str) -> None:
    """Neither after one record nor after thousands that other processes have."""
    record = RECORD if command == "analyze-hand" else SHOWDOWN
    with start(command, "--json", "--jobs", "2") as process:
        answered = 0
        for number in (1, 1, 4000, 1, 2):
            feed(process, f"{record}\n".encode() * number)
            got = within(WAIT, lambda count=number: lines_of(process.stdout, count))
            answered += number
            assert json.loads(got[-1])["line"] == answered
        _, errors = process.communicate(timeout=WAIT)
    assert (errors, process.returncode) == (b"", 0)


def test_the_first_answer_comes_at_once() -> None:
    """Whatever comes behind it: within 0.15 s of the start on an idle machine, here relative to Python's own."""

    def seconds(*command: str) -> float:
        began = time.perf_counter()
        with subprocess.Popen([sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{RECORD}\n".encode() * 2)
            process.stdin.flush()
            assert process.stdout.readline()
            taken = time.perf_counter() - began
            process.communicate()
        return taken

    python = min(seconds("-c", "print(input())") for _ in range(3))
    for jobs in ("1", "2"):
        first = min(seconds("-m", "ginrummy", "analyze-hand", "--json", "--jobs", jobs) for _ in range(3))
        assert first - python < 0.15 + 4 * python


def peak(number: int, *options: str) -> int:
    """Most kilobytes that a run over so many hands held at a time."""
    script = (
        "import resource, sys; from ginrummy.cli.main import run_with; from ginrummy.cli.streams import Streams\n"
        f"status = run_with(['analyze-hand', '--json', *{options!r}], Streams.real())\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=f"{RECORD}\n".encode() * number, capture_output=True, check=True
    )
    assert done.stdout.count(b"\n") == number
    return int(done.stderr)


@pytest.mark.parametrize("options", [(), ("--jobs", "2")])
def test_memory_does_not_grow(options: tuple[str, ...]) -> None:
    """Within ten megabytes."""
    # With jobs the pool itself is part of every run that has more than a few kilobytes.
    small = peak(1000 if not options else 10_000, *options)
    unit = 1024 if sys.platform == "darwin" else 1
    assert peak(40_000, *options) - small < 10_000 * unit


@needs_proc
@pytest.mark.parametrize(("which", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_all_processes(which: signal.Signals, status: int) -> None:
    """In the middle of much input."""
    with start("analyze-hand", "--json", "--jobs", "2") as process:
        feed(process, f"{RECORD}\n".encode() * 60_000)
        within(WAIT, lambda: lines_of(process.stdout, 2000))
        others = children(process.pid)
        assert len(others) >= 2
        process.send_signal(which)
        stdin, process.stdin = process.stdin, None  # still being written to
        _, errors = process.communicate(timeout=WAIT)
        assert stdin is not None
        with suppress(OSError):
            stdin.close()
    assert process.returncode == status
    assert errors.strip() == b""
    until = time.monotonic() + 10
    while any(map(alive, others)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(alive, others))


@needs_proc
def test_a_process_that_is_lost_is_told() -> None:
    """Status 1, and what came before it stays answered."""
    with start("analyze-hand", "--json", "--jobs", "2") as process:
        feed(process, f"{RECORD}\n".encode() * 60_000)
        within(WAIT, lambda: lines_of(process.stdout, 2000))
        for child in children(process.pid):
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)
        stdin, process.stdin = process.stdin, None  # still being written to
        _, errors = process.communicate(timeout=WAIT)
        assert stdin is not None
        with suppress(OSError):
            stdin.close()
    assert process.returncode == 1
    assert b"a process of --jobs was lost" in errors
    assert b"Traceback" not in errors


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_reader_that_goes(jobs: str, tmp_path: Path) -> None:
    """`| head -1` is no error."""
    file = tmp_path / "hands"
    file.write_bytes(f"{RECORD}\n".encode() * 20_000)
    script = f'"{sys.executable}" -m ginrummy analyze-hand --json --jobs {jobs} < "{file}" | head -1; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, timeout=WAIT, check=False)
    first, status = done.stdout.splitlines()
    assert (json.loads(first)["line"], status, done.stderr) == (1, b"0", b"")


@pytest.mark.parametrize(
    ("script", "status", "message"),
    [
        ("{} --jobs 1 < {file} > /dev/full", 1, "standard output"),
        ("{} --jobs 2 < {file} > /dev/full", 1, "standard output"),
        ("{} < {file} >&-", 1, "standard output is closed"),
        ("{} <&-", 2, "give a hand"),
        ("{} - <&-", 2, "standard input is closed"),
        ("{} < {file} 2>&- > /dev/null", 0, ""),
        ("{} < /dev/null", 2, "nothing on standard input"),
        ("{} --jobs 2 < /dev/null", 2, "nothing on standard input"),
    ],
)
def test_streams_that_do_not_work(script: str, status: int, message: str, tmp_path: Path) -> None:
    """A message, the right status, no traceback."""
    if "/dev/full" in script and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    file = tmp_path / "hands"
    file.write_bytes(f"{RECORD}\n".encode() * 3000)
    command = script.replace("{}", f'"{sys.executable}" -m ginrummy analyze-hand --json').replace("{file}", f'"{file}"')
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, timeout=WAIT, check=False)
    errors = done.stderr.decode()
    assert (done.returncode, message in errors) == (status, True), errors
    assert "Traceback" not in errors
    assert "Exception ignored" not in errors


def test_bad_records_are_named_tuples() -> None:
    """Readers of other commands rely on their fields."""
    (bad,) = read_records(io.BytesIO(b'{"a":1,"a":2}'))
    assert bad == BadRecord(1, "key 'a' twice in one object", 8)
