"""``play`` in a real terminal: the keys of a whole hand, every way to leave, and the terminal as it was before."""

from __future__ import annotations

import os
import re
import resource
import signal
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ginrummy.kernel import compiled
from ginrummy.session.start import NOTE
from ginrummy.store import Store, data_folder

pexpect = pytest.importorskip("pexpect")

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")
PROMPT = re.compile(r"[a-zA-Z]>")
PROMPT_OF_A_QUESTION = re.compile(r"\)>")


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


def test_ctrl_d_at_a_question() -> None:
    with terminal() as child:
        child.expect("Level: ")
        child.expect(PROMPT_OF_A_QUESTION)
        child.send("hard\r")
        child.expect("Rules ")
        child.send("\x04")
        assert left(child) == 0
        assert child.said.rstrip().endswith("Bye.")


def test_a_knock_is_asked_about_and_another_game_is_one_key_away() -> None:
    """A game to one point, played by drawing and throwing, until it is over; Enter starts the next one."""
    with terminal(*SURE, "--color", "never", "--target", "1") as child:
        enter(child, "pass")
        wait(child, "omputer ")
        for _ in range(400):
            if child.expect([r"draw>", r"pass>", "next game"]) == 2:
                break
            child.send("draw\r" if child.match[0] == "draw>" else "pass\r")
            if child.match[0] == "draw>":
                child.expect(r"You draw the (\w+)\.")
                drawn = child.match[1]
                child.expect(r"a card[^>]*>")
                child.send(drawn + "\r")
            wait(child, "omputer ")
        child.expect(r"quit>")
        child.send("\r")
        assert "Hand 1." in wait(child, "deadwood")
        child.expect(PROMPT)
        child.send("\x04")
        assert left(child) == 0


def test_a_closed_terminal_loses_nothing() -> None:
    """SIGHUP, as when the window is closed."""
    with terminal(*SURE) as child:
        enter(child, "take")
        wait(child, "You take the QS.")
        child.expect(PROMPT)
        child.kill(signal.SIGHUP)
        child.expect(pexpect.EOF)
        child.wait()
    with terminal("--resume") as child:
        wait(child, "goes on: classic")
        assert "QS*" in wait(child, "deadwood at best 51")
        child.expect(PROMPT)
        child.send("\x04")
        assert left(child) == 0


def test_forty_columns_and_a_resize() -> None:
    """The table is fitted to the columns there are; after a resize the next one to the new ones, and the toolbar at once."""
    with terminal(*SURE, "--color", "never", size=(24, 40)) as child:
        narrow = wait(child, "deadwood 51")
        lines = [line for line in narrow.split("\n") if "[2C 3C 4C]" in line]
        assert lines
        assert all(len(line) <= 40 for line in narrow.split("\n"))
        child.expect(PROMPT)
        child.setwinsize(30, 120)
        time.sleep(0.3)
        child.send("hand\r")
        wide = wait(child, "deadwood 51")
        assert "[2C 3C 4C] KS KH 10D 9D 8S 3H AD   deadwood 51" in wide
        child.expect(PROMPT)
        child.send("\x04")
        assert left(child) == 0


def test_the_toolbar_keeps_deadwood_and_score_in_view() -> None:
    """As much of it as goes in; after a resize at once more. The terminal has to say where its cursor is."""
    with terminal(*SURE, "--color", "never", size=(24, 40), PROMPT_TOOLKIT_NO_CPR="0") as child:
        child.expect_exact("\x1b[6n")
        child.send("\x1b[12;1R")
        wait(child, "deadwood 51 | You 0, Computer 0")
        child.setwinsize(30, 120)
        for _ in range(2):
            # It is asked again, since the lines may lie elsewhere now.
            if child.expect_exact(["\x1b[6n", "stock 31"]):
                break
            child.send("\x1b[12;1R")
        child.send("\x04")
        assert left(child) == 0


def test_colour_is_only_where_it_is_welcome() -> None:
    for variables, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        with terminal(*SURE, **variables) as child:
            child.expect(PROMPT)
            assert ("\x1b[31m" in child.before) is coloured
            child.send("\x04")
            assert left(child) == 0


def test_letters_where_the_encoding_has_no_suits() -> None:
    """LANG=C with no other word about the encoding."""
    ascii_only = {
        "LC_ALL": "C",
        "LANG": "C",
        "PYTHONIOENCODING": "ascii",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    }
    with terminal(*SURE, "--cards", "auto", **ascii_only) as child:
        child.expect("KS")
        child.expect(PROMPT)
        child.send("h\r")
        child.expect("KS")
        child.expect(PROMPT)
        child.send("\x04")
        assert left(child) == 0


def test_plain_draws_nothing_again() -> None:
    """Lines only: no escape sequence at all, typed lines echoed by the terminal itself."""
    with terminal(*SURE, "--plain") as child:
        child.expect("take, pass:")
        assert "\x1b" not in child.before
        child.send("take\r")
        child.expect("You take the queen of spades")
        child.expect("a card:")
        assert "\x1b" not in child.before
        child.send("\x04")
        assert left(child) == 0
        assert "\x1b" not in child.said


def test_two_people_see_nothing_of_each_other() -> None:
    """A hand is shown on the alternate screen, which has no scrollback, and is wiped before it is left."""
    with terminal("--rules", "classic", "--opponent", "human", "--color", "never") as child:
        everything = ""
        for pattern, keys in (
            ("else looks>", "\r"),
            ("pass>", "pass\r"),
            (r"passes\.", ""),
            ("else looks>", "\r"),
            ("pass>", "\x04"),
        ):
            child.expect(pattern)
            everything += child.before + child.after
            child.send(keys)
        child.expect(pexpect.EOF)
        everything += child.before
        assert termios.tcgetattr(child.child_fd) == child.before_start
        shown = re.split(r"\x1b\[\?1049h(.*?)\x1b\[H\x1b\[2J\x1b\[\?1049l", everything, flags=re.DOTALL)
        public, private = "".join(shown[::2]), "".join(shown[1::2])
        assert "deadwood" in private
        assert "deadwood" not in public
        assert "\x1b[?1049" not in public


def test_the_first_prompt_comes_soon() -> None:
    """Under 0.35 seconds of work from the command on; what other programs do on the machine meanwhile is not its fault."""
    spent = []
    for _ in range(3):
        with terminal(*SURE) as child:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            child.expect(PROMPT)
            child.send("\x04")
            assert left(child) == 0
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) < 0.35 or not compiled
