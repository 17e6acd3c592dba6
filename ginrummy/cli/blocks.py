"""Records shared out among processes: blocks of whole lines go out, their answers come back and are written in order.

What comes slowly never leaves this process: a block is sent only where much input is waiting, and when input pauses
everything that is in is answered before more of it is awaited.
"""

import multiprocessing
import re
import select
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from importlib import import_module
from io import BytesIO, UnsupportedOperation
from multiprocessing.connection import Connection, wait
from typing import Any, BinaryIO, Final, NamedTuple

from ginrummy.cli.batch import Answerer, Answers
from ginrummy.cli.options import Output
from ginrummy.cli.reading import RecordReader

FIRST: Final = 1 << 13
"""Bytes that are read before other processes are started: their answers need not wait for that."""
BLOCK: Final = 1 << 16
"""Bytes that are read at once."""
LEAST: Final = 1 << 14
"""Fewer bytes are not worth sending."""

# A line that begins with one of these begins a record, whatever came before it: see RecordReader.
_SURE: Final = rb"[!-\\^-|~]"
_SURE_LINE: Final = re.compile(rb"^" + _SURE, re.MULTILINE)


class Work(NamedTuple):
    """What another process needs to build a command's Answerer."""

    module: str
    options: tuple[tuple[str, Any], ...]
    output: Output


class _Stopped(Exception):
    """``--strict`` has met a bad record, or a process was lost."""


Told = list[tuple[bool, str, int]]
"""Answers to some records: whether good, the text, and of answers in a row how many they are."""


def answer_block(answerer: Answerer, block: bytes, first: int) -> Told:
    """The answers to the records in some lines, of which the first has the number ``first``."""
    lines = BytesIO(block).readlines()
    reader = RecordReader(first)
    found: Told = []
    row: list[str] = []
    for records in (reader.read(lines), reader.end(first + len(lines))):
        for record in records:
            good, text = answerer(record)
            if good:
                row.append(text)
                continue
            if row:
                found.append((True, "\n".join(row), len(row)))
                row = []
            found.append((False, text, 1))
    if row:
        found.append((True, "\n".join(row), len(row)))
    return found


def serve(link: "Connection[Any, Any]", work: Work) -> None:
    """What another process does: blocks in, answers out, until nobody sends any more."""
    # An interrupt at the terminal reaches every process; only the one that writes the answers acts on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answerer = import_module(work.module).answerer(dict(work.options), work.output)
    with suppress(EOFError, OSError):
        link.send([])  # ready
        while True:
            link.send(answer_block(answerer, *link.recv()))


class Worker:
    """Another process, with one block at most. Not a pool of the standard library: there an answer that breaks off,
    because its process was killed, is awaited for ever."""

    def __init__(self, work: Work) -> None:
        # Spawned, not forked: the same on every system, and nothing of this process is shared.
        context = multiprocessing.get_context("spawn")
        self._link, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, work), daemon=True)
        masked = hasattr(signal, "pthread_sigmask")
        if masked:
            # An interrupt while it starts would end it with a traceback.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            if masked:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()

    def send(self, block: bytes, first: int) -> None:
        """A block to answer."""
        self._link.send((block, first))

    def receive(self) -> Told:
        """The answers. EOFError or OSError where the process is lost."""
        found: Told = self._link.recv()
        return found

    @property
    def link(self) -> "Connection[Any, Any]":
        """What becomes ready when there is an answer."""
        return self._link

    def close(self) -> None:
        """End the process, whatever it does."""
        self._link.close()
        self._process.terminate()
        self._process.join()


def _is_waiting(stream: BinaryIO) -> bool:
    """Whether more input, or its end, is there already."""
    try:
        return bool(select.select([stream], [], [], 0)[0])
    except UnsupportedOperation:
        return True  # not a file: it has all of it
    except (OSError, ValueError):
        return False


def _last_record(data: bytes, begin: int) -> int:
    """Where from ``begin`` on the last line begins that surely begins a record; 0 if none does."""
    end = len(data)
    while (at := data.rfind(b"\n", begin, end)) >= 0:
        if _SURE_LINE.match(data, at + 1):
            return at + 1
        end = at
    return 0


class _Sharing:
    """The state of sharing out: what was sent and what was answered here."""

    def __init__(self, jobs: int, work: Work, answerer: Answerer, answers: Answers, stack: ExitStack) -> None:
        self._jobs = jobs
        self._work = work
        self._answerer = answerer
        self._answers = answers
        self._stack = stack
        self._starting: list[Worker] = []
        self._idle: list[Worker] = []
        # Who has which block, the blocks that are not answered on the output, and the answers that are back early.
        self._busy: dict[Worker, int] = {}
        self._owed: deque[int] = deque()
        self._back: dict[int, Told] = {}
        self._started = False
        self.reader = RecordReader()

    def _show(self, good: bool, text: str, number: int = 1) -> None:
        if not self._answers.show(good, text, number):
            raise _Stopped

    def _told(self, workers: Iterable[Worker], seconds: float | None) -> Iterator[tuple[Worker, Told]]:
        """What those of some workers say that have something to say within a time."""
        talking = {worker.link: worker for worker in workers}
        for link in wait(list(talking), seconds):
            worker = talking[link]  # type: ignore[index]
            try:
                yield worker, worker.receive()
            except (EOFError, OSError):
                self._answers.show(False, "a process of --jobs was lost: what follows is not answered")
                raise _Stopped from None

    def _receive(self) -> None:
        """Wait until some process has answered, and write what is next."""
        for worker, told in self._told(self._busy, None):
            self._back[self._busy.pop(worker)] = told
            self._idle.append(worker)
        while self._owed and self._owed[0] in self._back:
            for each in self._back.pop(self._owed.popleft()):
                self._show(*each)

    def collect(self) -> None:
        """Write all answers that other processes still owe."""
        while self._owed:
            self._receive()

    def here(self, block: bytes) -> None:
        """Answer lines in this process."""
        self.collect()
        for record in self.reader.read(BytesIO(block)):
            self._show(*self._answerer(record))

    def end(self, following: int | None) -> None:
        """No line continues a value that is open."""
        if not self.reader.between:
            self.collect()
            for record in self.reader.end(following):
                self._show(*self._answerer(record))

    def away(self, block: bytes) -> None:
        """Let another process answer lines that begin and end between records."""
        if not self._started:
            self._started = True
            for _ in range(self._jobs):
                worker = Worker(self._work)
                self._stack.callback(worker.close)
                self._starting.append(worker)
        for worker, _ready in self._told(self._starting, 0):
            self._starting.remove(worker)
            self._idle.append(worker)
        if not self._idle and not self._owed:
            # They are still starting: nobody else has anything to do.
            self.here(block)
            return
        # Early answers are few: none is earlier than all that others still work at.
        while not self._idle or len(self._owed) > 3 * self._jobs:
            self._receive()
        worker = self._idle.pop()
        with suppress(OSError):  # it is lost, as will be seen
            worker.send(block, self.reader.line)
        self._busy[worker] = self.reader.line
        self._owed.append(self.reader.line)
        self.reader.line += block.count(b"\n")


def answer_blocks(stdin: BinaryIO, jobs: int, work: Work, answerer: Answerer, answers: Answers) -> None:
    """Answer all records of a stream, in order."""
    with suppress(_Stopped), ExitStack() as stack:
        sharing = _Sharing(jobs, work, answerer, answers, stack)
        reader = sharing.reader
        rest = b""
        while not reader.over:
            if not _is_waiting(stdin):
                whole = rest.rfind(b"\n") + 1
                sharing.here(rest[:whole])
                rest = rest[whole:]
            # read1 exists on every binary stream that is buffered, as standard input is.
            data: bytes = stdin.read1(FIRST if reader.line == 1 else BLOCK)  # type: ignore[attr-defined]
            if not data:
                break
            begin = max(0, len(rest) - 1)
            rest += data
            cut = 0 if reader.line == 1 else _last_record(rest, begin)
            if not cut:
                # The beginning, or one long value: it is taken apart here, line by line.
                cut = rest.rfind(b"\n", begin) + 1
                sharing.here(rest[:cut])
            else:
                start = 0
                if not reader.between:
                    sure = _SURE_LINE.search(rest)
                    start = sure.start() if sure else cut
                    sharing.here(rest[:start])
                    sharing.end(reader.line)
                if cut - start >= LEAST:
                    sharing.away(rest[start:cut])
                elif cut > start:
                    sharing.here(rest[start:cut])
            rest = rest[cut:]
        sharing.here(rest)
        sharing.end(None)
        sharing.collect()
