"""``play`` in a real terminal: the keys of a whole hand, every way to leave, and the terminal as it was before."""

from __future__ import annotations

import os
import re
import signal
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pexpect = pytest.importorskip("pexpect")

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")
PROMPT = re.compile(r"[a-zA-Z]>")


@contextmanager
def terminal(*args: str, term: str = "xterm-256color") -> Iterator[Any]:
    """A session in a terminal of its own."""
    environ = os.environ | {
        "TERM": term,
        "PYTHONIOENCODING": "utf-8",
        "PROMPT_TOOLKIT_NO_CPR": "1",
        "LC_ALL": "C.UTF-8",
    }
    environ.pop("NO_COLOR", None)
    child = pexpect.spawn(
        sys.executable,
        ["-m", "ginrummy", "play", "--seed", "1", "--delay", "0", "--cards", "ascii", *args],
        env=environ,
        encoding="utf-8",
        dimensions=(30, 100),
        timeout=8,
    )
    child.said = ""
    # The settings before the program has touched them: a terminal as it comes.
    child.before_start = termios.tcgetattr(child.child_fd)
    try:
        yield child
    finally:
        child.close(force=True)


def wait(child: Any, text: str) -> str:
    """What the program writes up to and including a text."""
    child.expect_exact(text)
    return ESCAPES.sub("", f"{child.before}{child.after}")


def enter(child: Any, line: str) -> None:
    """Type a line as soon as the prompt is there."""
    child.expect(PROMPT)
    child.send(line + "\r")


def left(child: Any) -> int:
    """The status after the program has ended, with the terminal as it was."""
    child.expect(pexpect.EOF)
    child.said = ESCAPES.sub("", child.before)
    after = termios.tcgetattr(child.child_fd)
    child.wait()
    assert after == child.before_start
    status: int = child.exitstatus if child.exitstatus is not None else -child.signalstatus
    return status


def test_a_whole_hand() -> None:
    """Passing and drawing, throwing what was drawn, until the computer knocks."""
    with terminal() as child:
        assert "Gin Rummy, classic, to 100, against easy. Seed 1." in wait(child, "deadwood 51")
        enter(child, "pass")
        for _ in range(40):
            found = child.expect([r"You draw the (\w+)\.", r"draw>", r"pass>", r"Score: you (\d+), computer (\d+)\."])
            if found == 0:
                drawn = child.match[1]
                child.expect(r"a card[^>]*>")
                child.send(drawn + "\r")
            elif found == 3:
                break
            else:
                child.send("draw\r" if found == 1 else "pass\r")
        else:
            pytest.fail("the hand does not end")
        assert child.match[1] == "0"
        assert int(child.match[2]) > 0
        wait(child, "Hand 2.")
        enter(child, "quit")
        assert left(child) == 0
        assert "Bye." in child.said


def test_ctrl_d_leaves_with_status_0() -> None:
    with terminal() as child:
        child.expect(PROMPT)
        child.send("\x04")
        assert left(child) == 0
        assert child.said.rstrip().endswith("Bye.")
        assert "Traceback" not in child.said


def test_ctrl_c_leaves_with_status_130() -> None:
    with terminal() as child:
        child.expect(PROMPT)
        child.send("half a line\x03")
        assert left(child) == 130
        assert child.said.rstrip().endswith("Bye.")
        assert "Traceback" not in child.said


def test_ctrl_c_while_the_computer_thinks() -> None:
    """It comes as a signal then: nobody reads keys."""
    with terminal("--delay", "10") as child:
        enter(child, "pass")
        time.sleep(0.5)
        child.send("\x03")
        assert left(child) == 130
        assert "Traceback" not in child.said


def test_sigterm_leaves_the_terminal_as_it_was() -> None:
    with terminal() as child:
        child.expect(PROMPT)
        child.kill(signal.SIGTERM)
        assert left(child) == 143
        assert "Traceback" not in child.said
        assert "Exception" not in child.said


def test_tab_completes() -> None:
    with terminal() as child:
        child.expect(PROMPT)
        child.send("ta\t")
        child.expect("ke")
        child.send("\r")
        wait(child, "You take the QS.")
        enter(child, "quit")
        assert left(child) == 0


def test_a_terminal_that_can_do_nothing() -> None:
    """TERM=dumb: plain lines, no escapes, the same commands."""
    with terminal(term="dumb") as child:
        enter(child, "take")
        wait(child, "You take the QS.")
        enter(child, "foo")
        wait(child, "is no command")
        enter(child, "KS")
        wait(child, "The computer ")
        enter(child, "quit")
        assert left(child) == 0
    with terminal(term="dumb") as child:
        child.expect(PROMPT)
        assert "\x1b" not in child.before
        child.send("\x04")
        assert left(child) == 0
    with terminal(term="dumb") as child:
        child.expect(PROMPT)
        child.send("\x03")
        assert left(child) == 130
