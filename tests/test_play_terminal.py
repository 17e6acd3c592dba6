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

from ginrummy.session.start import NOTE
from ginrummy.store import Store, data_folder

pexpect = pytest.importorskip("pexpect")

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")
PROMPT = re.compile(r"[a-zA-Z]>")


@pytest.fixture(scope="module", autouse=True)
def known_user() -> None:
    """Somebody who has been offered the coach before."""
    with Store.open(data_folder()) as store:
        store.write_note(NOTE, True)


SIZE = (24, 80)
SURE = ("--level", "easy", "--rules", "classic")
"""What is not asked then."""


@contextmanager
def terminal(*args: str, term: str = "xterm-256color", size: tuple[int, int] = SIZE, **variables: str) -> Iterator[Any]:
    """A session in a terminal of its own."""
    environ = os.environ | {
        "TERM": term,
        "PYTHONIOENCODING": "utf-8",
        "PROMPT_TOOLKIT_NO_CPR": "1",
        "LC_ALL": "C.UTF-8",
    }
    environ.pop("NO_COLOR", None)
    environ |= variables
    child = pexpect.spawn(
        sys.executable,
        ["-m", "ginrummy", "play", "--seed", "1", "--delay", "0", "--cards", "ascii", *args],
        env=environ,
        encoding="utf-8",
        dimensions=size,
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
    with terminal(*SURE, "--color", "never") as child:
        assert "Gin Rummy, classic, to 100, against easy." in wait(child, "deadwood 51")
        enter(child, "pass")
        wait(child, "omputer ")
        for _ in range(40):
            # Each pattern is awaited once: a prompt is drawn again while it is typed at.
            if child.expect([r"draw>", r"Score: You (\d+), Computer (\d+)\."]):
                break
            child.send("draw\r")
            child.expect(r"You draw the (\w+)\.")
            drawn = child.match[1]
            child.expect(r"a card[^>]*>")
            child.send(drawn + "\r")
            wait(child, "omputer ")
        else:
            pytest.fail("the hand does not end")
        assert child.match[1] == "0"
        assert int(child.match[2]) > 0
        wait(child, "Hand 2.")
        enter(child, "quit")
        assert left(child) == 0
        assert "Bye." in child.said


def test_ctrl_d_leaves_with_status_0() -> None:
    with terminal(*SURE) as child:
        child.expect(PROMPT)
        child.send("\x04")
        assert left(child) == 0
        assert child.said.rstrip().endswith("Bye.")
        assert "Traceback" not in child.said


def test_ctrl_c_leaves_with_status_130() -> None:
    with terminal(*SURE) as child:
        child.expect(PROMPT)
        child.send("half a line\x03")
        assert left(child) == 130
        assert child.said.rstrip().endswith("Bye.")
        assert "Traceback" not in child.said


def test_ctrl_c_while_the_computer_thinks() -> None:
    """It comes as a signal then: it ends the pauses, the turn is played out, and nothing is lost."""
    with terminal(*SURE, "--delay", "10") as child:
        enter(child, "pass")
        time.sleep(0.5)
        child.send("\x03")
        began = time.monotonic()
        enter(child, "draw")
        assert time.monotonic() - began < 5
        wait(child, "You draw the")
        child.expect(PROMPT)
        child.send("\x03")
        assert left(child) == 130
        assert "Traceback" not in child.said


def test_sigterm_leaves_the_terminal_as_it_was() -> None:
    with terminal(*SURE) as child:
        child.expect(PROMPT)
        child.kill(signal.SIGTERM)
        assert left(child) == 143
        assert "Traceback" not in child.said
        assert "Exception" not in child.said


def test_tab_completes() -> None:
    with terminal(*SURE) as child:
        child.expect(PROMPT)
        child.send("ta\t")
        child.expect("ke")
        child.send("\r")
        wait(child, "You take the QS.")
        enter(child, "quit")
        assert left(child) == 0


def test_a_terminal_that_can_do_nothing() -> None:
    """TERM=dumb: plain lines, no escapes, the same commands."""
    with terminal(*SURE, term="dumb") as child:
        enter(child, "take")
        wait(child, "You take the QS.")
        enter(child, "foo")
        wait(child, "is no command")
        enter(child, "KS")
        wait(child, "omputer ")
        enter(child, "quit")
        assert left(child) == 0
    with terminal(*SURE, term="dumb") as child:
        child.expect(PROMPT)
        assert "\x1b" not in child.before
        child.send("\x04")
        assert left(child) == 0
    with terminal(*SURE, term="dumb") as child:
        child.expect(PROMPT)
        child.send("\x03")
        assert left(child) == 130
