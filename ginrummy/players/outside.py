"""Players from outside: a program that is asked over pipes, and a class of somebody's module.

Nothing they do may hang, corrupt or outlive the run: every failure is a PlayerFailed, and after it the program is gone.
"""

import contextlib
import copy
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from importlib import import_module
from types import FrameType, TracebackType
from typing import Any, Final, Self

from ginrummy.errors import GinRummyError, UnreadableError, quoted
from ginrummy.hand import Action, Event, HandEnd
from ginrummy.kernel.view import View
from ginrummy.players import wire
from ginrummy.players.wire import PlayerFailed

LONGEST: Final = 65536
"""Bytes an answer's line may have."""

MOST_UNSENT: Final = 1 << 20
"""Bytes kept for a program that does not read."""

LAST_WORDS: Final = 4096
"""Bytes kept of what a program wrote to standard error."""

GRACE: Final = 0.5
"""Seconds a program has to end by itself once its input has ended."""

LOADING: Final = 30.0
"""Seconds a module has at least to be imported and its class to be made."""

AGAIN: Final = 0.05
"""Seconds between two alarms for a class that went on after the first."""


class OutsidePlayer:
    """What both kinds share. Close it when it is no longer needed, or use it in a ``with`` statement."""

    def __init__(self, text: str, move_time: float) -> None:
        self.text = text
        """The text that names the player."""
        self.move_time = move_time
        """Seconds for a decision."""
        self._failure: PlayerFailed | None = None
        self._seat: int | None = None
        self._scores = (0, 0)
        if not 0 < move_time <= 86400:
            raise UnreadableError(f"{move_time:g} seconds a move: allowed is more than 0 up to 86400")

    def begin(self, seat: int, view: View, seed: int) -> None:
        """A hand begins; what is observed before is not passed on."""
        self._seat = seat
        self._scores = (view.score, view.opponent_score)

    def observe(self, event: Event) -> None:
        """Something happened."""

    def decide(self, view: View) -> Action:
        """The player's action, checked to be legal. PlayerFailed where there is none."""
        raise NotImplementedError

    def end(self, how: HandEnd) -> None:
        """The hand is over."""

    def close(self) -> None:
        """Let the player end. May be called again."""

    def kill(self) -> None:
        """End the player at once."""
        self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.kill()

    def _fail(self, reason: str) -> PlayerFailed:
        """The failure to raise; the player is gone from now on."""
        self._failure = PlayerFailed(self.text, reason)
        self.kill()
        return self._failure

    def _check(self) -> None:
        if self._failure is not None:
            raise PlayerFailed(self.text, self._failure.reason)


# Programs


class ExecPlayer(OutsidePlayer):
    """A program that is told what its seat may know on standard input and answers on standard output, line by line.

    It is started when it is first told something, without a shell, in a process group of its own.
    UnreadableError for a command that cannot be read or whose program does not exist.
    """

    def __init__(self, command: str, move_time: float) -> None:
        super().__init__(f"exec:{command}", move_time)
        self._process: _Process | None = None
        self._closed = False
        self._bury: weakref.finalize[[], ExecPlayer] | None = None
        if sys.platform == "win32":
            raise UnreadableError("exec: players need the pipes of Linux or macOS: use a module: player here")
        try:
            self._args = shlex.split(command)
        except ValueError as error:
            raise UnreadableError(f"{quoted(self.text, limit=80)}: {str(error).lower()}: quote as in a shell") from None
        if not self._args:
            raise UnreadableError("exec: names no command: write it as in exec:'python3 bot.py'")
        if shutil.which(self._args[0]) is None:
            raise UnreadableError(
                f"{quoted(self.text, limit=80)}: there is no program {quoted(self._args[0])}: name one on PATH, or its path"
            )

    def begin(self, seat: int, view: View, seed: int) -> None:
        super().begin(seat, view, seed)
        self._send(wire.start(view, seed), now=True)

    def observe(self, event: Event) -> None:
        # Sent together with what comes next: every write wakes the program up.
        if self._seat is not None:
            self._send(wire.happened(event, self._seat), now=False)

    def decide(self, view: View) -> Action:
        try:
            answer = self._running().ask(wire.line_of(wire.question(view)), self.move_time)
            return wire.parse_answer(answer, view)
        except PlayerFailed:
            raise
        except (_Trouble, GinRummyError) as error:
            raise self._fail(str(error)) from None
        except BaseException:
            self.kill()
            raise

    def end(self, how: HandEnd) -> None:
        if self._seat is not None:
            self._send(wire.end(how, self._seat, self._scores), now=True)

    def close(self) -> None:
        """End the program's input, give it a moment to end, and kill what is left of its process group."""
        self._end(GRACE)

    def kill(self) -> None:
        """Kill the program and its process group at once."""
        self._end(0)

    def _end(self, grace: float) -> None:
        self._closed = True
        if self._process is not None and self._bury is not None and self._bury.alive:
            try:
                if grace:
                    self._process.farewell(grace)
            finally:
                self._bury()

    def _send(self, message: dict[str, Any], *, now: bool) -> None:
        try:
            self._running().post(wire.line_of(message), now=now)
        except _Trouble as error:
            raise self._fail(str(error)) from None

    def _running(self) -> "_Process":
        self._check()
        if self._closed:
            raise PlayerFailed(self.text, "it has been closed")
        if self._process is None:
            self._process = _Process(self._args)
            # Also when nobody closes the player, at the latest when the program ends.
            self._bury = weakref.finalize(self, self._process.kill)
        return self._process

    def _fail(self, reason: str) -> PlayerFailed:
        self.kill()
        words = "" if self._process is None else self._process.last_words()
        return super()._fail(reason + (f"; its last words: {quoted(words, limit=300)}" if words else ""))


class _Trouble(Exception):
    """What went wrong with a process."""


class _Process:
    """A program and the three pipes to it. None of them is ever waited for without a limit."""

    def __init__(self, args: list[str]) -> None:
        try:
            self._child = subprocess.Popen(
                args,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise _Trouble(f"cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self._owner = os.getpid()
        self._unsent = bytearray()
        self._received = bytearray()
        self._errors = bytearray()
        self._deaf = False
        self._ended = False
        self._selector = selectors.DefaultSelector()
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        self._in, self._out, self._err = self._child.stdin, self._child.stdout, self._child.stderr
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe.fileno(), False)
        self._selector.register(self._out, selectors.EVENT_READ, self._read)
        self._selector.register(self._err, selectors.EVENT_READ, self._read_errors)

    def post(self, line: bytes, *, now: bool) -> None:
        """Tell something that needs no answer."""
        if self._deaf:
            return  # the next question brings it to light
        self._unsent += line
        if len(self._unsent) > MOST_UNSENT:
            raise _Trouble("does not read its input")
        if now:
            self._write()

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a question and get the one line that answers it."""
        deadline = time.monotonic() + seconds
        self._read()
        if self._received.strip():
            raise _Trouble(f"wrote without being asked: {self._shown()}")
        self._received.clear()
        self._unsent += line
        self._write()
        while True:
            answer = self._answer()
            if answer is not None:
                return answer
            if self._deaf or self._ended:
                raise _Trouble(self._ending())
            left = deadline - time.monotonic()
            if left <= 0:
                begun = f" in the middle of a line: {self._shown()}" if self._received.strip() else ""
                raise _Trouble(f"timed out after {seconds:g} s{begun}")
            # Now and then it is checked whether the program still lives: a child of it may keep the pipes open.
            if not self._wait(min(left, 0.2)) and self._exit_status() is not None:
                self._read()
                self._ended = True

    def _answer(self) -> bytes | None:
        """The line received, if it is there whole and alone."""
        # Blank lines say nothing.
        self._received = self._received.lstrip()
        line, newline, rest = self._received.partition(b"\n")
        if len(line) > LONGEST:
            raise _Trouble(f"line longer than {LONGEST} bytes: {self._shown()}")
        if not newline or self._deaf:
            return None
        if self._unsent:
            raise _Trouble(f"wrote without being asked: {self._shown()}")
        if rest.strip():
            raise _Trouble(f"more than one line for an answer: {self._shown()}")
        self._received.clear()
        return bytes(line)

    def _shown(self) -> str:
        """The beginning of what was received."""
        return quoted(bytes(self._received[:200]).decode("utf-8", "replace").strip(), limit=80)

    def _wait(self, seconds: float) -> bool:
        """Read and write what can be, waiting at most so long for it. Whether there was anything."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            key.data()
        return bool(ready)

    def _write(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: os.write(self._in.fileno(), self._unsent[:LONGEST])]
        except BlockingIOError:
            if self._in not in self._selector.get_map():
                self._selector.register(self._in, selectors.EVENT_WRITE, self._write)
            return
        except OSError:
            self._deaf = True
            self._unsent.clear()
        if self._in in self._selector.get_map():
            self._selector.unregister(self._in)

    def _read(self) -> None:
        data = self._chunk(self._out)
        self._ended = self._ended or data == b""
        self._received += data or b""

    def _read_errors(self) -> None:
        self._errors += self._chunk(self._err) or b""
        del self._errors[:-LAST_WORDS]

    def _chunk(self, pipe: Any) -> bytes | None:
        """What a pipe holds; None: nothing now, empty: nothing any more."""
        if pipe not in self._selector.get_map():
            return b""
        try:
            data = os.read(pipe.fileno(), LONGEST)
        except BlockingIOError:
            return None
        if not data:
            self._selector.unregister(pipe)
        return data

    def _exit_status(self) -> int | None:
        """How the program ended, as Popen.returncode, without making its process group's number free for others."""
        if not hasattr(os, "waitid"):
            return self._child.poll()
        if self._child.returncode is None:
            try:
                found = os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return self._child.poll()  # SIGCHLD is ignored here: nobody knows how it ended
            if found is None:
                return None
            return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
        return self._child.returncode

    def _ending(self) -> str:
        """Why there will be no answer."""
        until = time.monotonic() + GRACE
        while (status := self._exit_status()) is None and time.monotonic() < until:
            time.sleep(0.002)
        if status is None:
            return "closed its input" if self._deaf else "closed its output"
        if status >= 0:
            return f"exited with status {status}"
        try:
            return f"killed by signal {-status} ({signal.Signals(-status).name})"
        except ValueError:
            return f"killed by signal {-status}"

    def last_words(self) -> str:
        """The last line it wrote to standard error."""
        lines = self._errors.decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def farewell(self, seconds: float) -> None:
        """End its input and wait a little for it to end; what it still says is not kept."""
        until = time.monotonic() + seconds
        self._write()
        if self._in in self._selector.get_map():
            self._selector.unregister(self._in)
        self._in.close()
        while not self._ended and (left := until - time.monotonic()) > 0:
            if not self._wait(min(left, 0.05)) and self._exit_status() is not None:
                break
            self._received.clear()

    def kill(self) -> None:
        """Kill its whole process group and bury it."""
        # A copy of this process made by fork has the pipes, but the program is not its to kill.
        if os.getpid() == self._owner:
            self._kill_group()
            until = time.monotonic() + GRACE
            while self._exit_status() is None and time.monotonic() < until:
                time.sleep(0.001)
            if self._child.returncode is None:
                # Again, for what was just being born. The group's number is nobody else's until the program is buried.
                self._kill_group()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(timeout=GRACE)
            for _ in range(16):  # more than a pipe holds
                self._read_errors()
        self._selector.close()
        for pipe in (self._in, self._out, self._err):
            with contextlib.suppress(OSError):
                pipe.close()

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)


# Classes


class ModulePlayer(OutsidePlayer):
    """A class of a module, ``package.module:Class``, made without arguments; its ``decide`` is given copies of views.

    It runs inside this program, and is trusted not to look further than its views. What it prints goes to standard error. In the main thread an alarm
    ends what takes too long; where there is none, or in another thread, the time is looked at afterwards.
    UnreadableError for a name that names nothing, PlayerFailed where importing or making it fails.
    """

    def __init__(self, name: str, move_time: float) -> None:
        super().__init__(f"module:{name}", move_time)
        module, _, member = name.rpartition(":" if ":" in name else ".")
        if not all(part.isidentifier() for part in (*module.split("."), member)):
            raise UnreadableError(f"{quoted(self.text, limit=80)}: write it as in module:package.module:Class")
        found = self._call("import raised", max(move_time, LOADING), _load, module, member)
        if isinstance(found, _Missing):
            raise UnreadableError(f"{quoted(self.text, limit=80)}: {found}")
        self._player = self._call("making it raised", max(move_time, LOADING), found)
        if not callable(getattr(self._player, "decide", None)):
            raise UnreadableError(f"{quoted(self.text, limit=80)}: the class has no method decide(view)")

    def begin(self, seat: int, view: View, seed: int) -> None:
        super().begin(seat, view, seed)
        self._tell("begin", seat, wire.copied(view), seed)

    def observe(self, event: Event) -> None:
        if self._seat is not None:
            self._tell("observe", wire.told(event, self._seat))

    def decide(self, view: View) -> Action:
        answer = self._call("decide raised", self.move_time, self._player.decide, wire.copied(view))
        try:
            return wire.read_answer(answer, view)
        except GinRummyError as error:
            raise self._fail(str(error)) from None

    def end(self, how: HandEnd) -> None:
        if self._seat is not None:
            self._tell("end", copy.deepcopy(how))

    def _tell(self, what: str, *args: object) -> None:
        """Call a method that the class need not have."""
        method = getattr(self._player, what, None)
        if callable(method):
            self._call(f"{what} raised", self.move_time, method, *args)

    def _call(self, what: str, seconds: float, function: Callable[..., Any], *args: object) -> Any:
        self._check()
        try:
            with _away_from_streams():
                return _limited(seconds, function, *args)
        except _Overtime:
            reason = f"timed out after {seconds:g} s"
        except (Exception, SystemExit) as error:
            reason = f"{what} {_described(error)}"
        raise self._fail(reason)


@contextlib.contextmanager
def _away_from_streams() -> Iterator[None]:
    """Keep what a class prints out of the results, and the records on standard input from it."""
    stdin, sys.stdin = sys.stdin, None
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        sys.stdin = stdin


class _Missing(str):
    """What a name does not name."""


def _load(module: str, member: str) -> Any:
    """The class; a _Missing where there is none."""
    here = os.getcwd()
    sys.path.append(here)
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        return _Missing(f"there is no module {error.name} among the installed ones or in the current folder")
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(here)
    return getattr(found, member, _Missing(f"the module has no {member}"))


def _described(error: BaseException) -> str:
    """Type, message and place of an error, in one line."""
    try:
        message = str(error)
    except Exception:
        message = "its message cannot be shown"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" ({os.path.basename(trace.tb_frame.f_code.co_filename)} line {trace.tb_lineno})"
    return f"{type(error).__name__}{message and ': '}{message and quoted(message, limit=300)[1:-1]}{place}"


class _Overtime(BaseException):
    """The time is over. Not an Exception, so that a class does not catch it with what it expects."""


def _limited(seconds: float, function: Callable[..., Any], *args: object) -> Any:
    """Call a function that has so many seconds; _Overtime where it takes longer."""
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        return _Alarm().call(seconds, function, *args)
    began = time.monotonic()
    result = function(*args)
    if time.monotonic() - began > seconds:
        raise _Overtime
    return result


class _Alarm:
    """SIGALRM, raised in whatever a called function is at, until it ends."""

    def __init__(self) -> None:
        self._armed = True
        self._rings = 0

    def call(self, seconds: float, function: Callable[..., Any], *args: object) -> Any:
        """Call the function; whoever used the alarm before gets it back."""
        began = time.monotonic()
        trace = sys.gettrace()
        handler = signal.signal(signal.SIGALRM, self._ring)
        left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
        try:
            try:
                result = function(*args)
            except Exception:
                if self._rings:
                    raise _Overtime from None
                raise
            finally:
                self._armed = False
        finally:
            # It may have rung just before the line above; not again so soon.
            self._armed = False
            if self._rings:
                sys.settrace(trace)
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL if handler is None else handler)
            if left:
                signal.setitimer(signal.ITIMER_REAL, max(left - time.monotonic() + began, 1e-6), interval)
        if self._rings:
            raise _Overtime
        return result

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if not self._armed:
            return
        self._rings += 1
        if self._rings > 1:
            # It caught the first one. In a loop that catches everything only what is raised in the except clause gets out.
            sys.settrace(_nothing)
            while frame is not None and frame.f_code is not _Alarm.call.__code__:
                frame.f_trace = _overtime
                frame = frame.f_back
        raise _Overtime


def _nothing(frame: FrameType, event: str, arg: object) -> None:
    return None


def _overtime(frame: FrameType, event: str, arg: object) -> Any:
    if event == "line":
        raise _Overtime
    return _overtime
