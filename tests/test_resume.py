"""Nothing is lost: sessions that end in every way, also by ``kill -9``, go on at exactly the same place."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from zlib import crc32

import pytest

from ginrummy.cli import run
from ginrummy.game import Game
from ginrummy.game_log import Step
from ginrummy.rules import load_rules
from ginrummy.store import Setup, Store
from ginrummy.store.database import FILE

KILLS = int(os.environ.get("GINRUMMY_KILLS", "100"))
"""How many sessions are killed."""


class Script:
    """A reader that answers from what is offered, always the same in the same position."""

    def __init__(self, told: Callable[[], object] = lambda: None, lines: int | None = None) -> None:
        self.told = told
        """Called before each line is given: all lines before it have been answered then."""
        self.left = lines

    def read(self, prompt: str, offered: list[str], toolbar: Callable[[int], str], who: int) -> str:
        """A line. The end of input when the game is over, or after so many lines."""
        self.told()
        if "next" in offered or self.left == 0:
            raise EOFError
        if self.left is not None:
            self.left -= 1
        knocks = [text for text in offered if text.startswith("knock")]
        choice = knocks or offered
        return choice[crc32(f"{offered} {toolbar(0)}".encode()) % len(choice)]


def session(script: Script, *args: str) -> tuple[int, str]:
    """A session whose lines come from a script: its status and all it wrote."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ginrummy.session.pipe.PipeReader", lambda *args, **more: script)
        done = run(["play", *args], b"")
    return done.status, done.stdout + done.stderr


def steps_of(folder: Path, number: int = 1) -> list[Step]:
    """What a game's log holds."""
    with Store.open(folder) as store:
        return store.load(number)[1]


def own(steps: list[Step]) -> int:
    """How many actions of the player's a log holds; in these games the player is always in seat 0."""
    return sum(step.seat == 0 for step in steps)


def running(folder: Path) -> bool:
    """Whether the game of a folder is under way."""
    with Store.open(folder) as store:
        return bool(store.games("running"))


# --- kill -9 ------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_killed_session_loses_and_repeats_nothing(tmp_path: Path) -> None:
    """Killed at random moments and resumed until the game is over: the log is that of a game nobody disturbed."""
    random = Random("kill")
    kills = games = 0
    while kills < KILLS:
        folder, calm = tmp_path / str(games), tmp_path / f"calm {games}"
        args = ["--rules", ("quick", "duel", "romme")[games % 3], "--seed", str(games)]
        args += ["--level", ("easy", "normal", "hard")[games % 3]]
        games += 1
        assert session(Script(), *args, "--data", str(calm))[0] == 0
        wanted = steps_of(calm)
        assert session(Script(lines=0), *args, "--data", str(folder))[0] == 0
        while running(folder):
            before = own(steps_of(folder))
            reader, writer = os.pipe()
            child = os.fork()
            if child == 0:
                try:
                    script = Script(lambda to=writer: os.write(to, b"."))
                    os._exit(session(script, "--data", str(folder), "--resume")[0])
                finally:
                    os._exit(99)
            os.close(writer)
            # Some before the first line, some after many.
            asked = len(os.read(reader, 1)) if random.random() < 0.8 else 0
            time.sleep(random.random() ** 2 * 0.06)
            os.kill(child, signal.SIGKILL)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            assert status in (0, -signal.SIGKILL)
            kills += status != 0
            with os.fdopen(reader, "rb") as acks:
                asked += len(acks.read())
            steps = steps_of(folder)
            # A beginning of the game that was to be, with all that was answered, and at most the line that was not yet.
            assert steps == wanted[: len(steps)]
            assert max(0, asked - 1) <= own(steps) - before <= asked
        assert steps_of(folder) == wanted
    assert kills >= KILLS


def test_a_killed_program_goes_on(tmp_path: Path) -> None:
    """The real thing once: a process with a pipe, killed between two lines."""
    command = [sys.executable, "-m", "ginrummy", "play", "--cards", "ascii", "--data", str(tmp_path)]
    with subprocess.Popen([*command, "--seed", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b"take\nhand\n")
        child.stdin.flush()
        while not child.stdout.readline().startswith(b"a card> hand"):
            pass
        child.kill()
    done = subprocess.run([*command, "--resume"], input=b"hand\n", capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode().splitlines()
    assert "You take the QS on offer." in lines
    assert "[2C 3C 4C] QS* KS KH 10D 9D 8S 3H AD   deadwood at best 51" in lines


# --- every place --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules", ["quick", "quick+partnership", "duel+cutthroat", "quick+hollywood", "quick+best-of=3"]
)
def test_a_game_left_after_every_line_is_the_same_game(rules: str, tmp_path: Path) -> None:
    """One line a session: what was done, chance included, is that of a game played in one go."""
    args = ["--rules", rules, "--seed", "5", "--level", "normal"]
    assert session(Script(), *args, "--data", str(tmp_path / "whole"))[0] == 0
    wanted = steps_of(tmp_path / "whole")
    folder = tmp_path / "parts"
    status, said = session(Script(lines=1), *args, "--data", str(folder))
    sessions = 1
    while "goes on with it" in said and sessions < 40:
        status, said = session(Script(lines=1), "--data", str(folder), "--resume")
        assert status == 0
        assert said.startswith("Game 1 goes on: ")
        sessions += 1
    if "goes on with it" in said:
        assert session(Script(), "--data", str(folder), "--resume")[0] == 0
    assert steps_of(folder) == wanted


def test_the_table_is_shown_as_it_was_left(tmp_path: Path) -> None:
    lines = ["pass", "draw"]
    data = ["--data", str(tmp_path), "--cards", "ascii"]
    left = run(["play", "--seed", "1", *data], "\n".join([*lines, "hand"]).encode()).stdout.splitlines()
    back = run(["play", "--resume", *data], b"hand").stdout.splitlines()
    assert back[-5:] == left[-5:]
    assert "You draw the JC." in back


def test_leaving_says_that_the_game_is_kept_or_not(tmp_path: Path) -> None:
    kept = run(["play", "--data", str(tmp_path)], b"quit\n").stdout
    assert "The game is saved: ginrummy play --resume goes on with it." in kept
    (tmp_path / "file").touch()
    lost = run(["play", "--data", str(tmp_path / "file" / "folder")], b"quit\n")
    assert "This game is not saved." in lost.stdout
    assert lost.status == 0


def test_what_cannot_be_resumed_is_said(tmp_path: Path) -> None:
    data = ["--data", str(tmp_path)]
    for text, words in (("", "no game is under way"), ("7", "there is no game 7"), ("x", "the number of a game")):
        done = run(["play", *data, "--resume", *([text] if text else [])], b"")
        assert (done.status, done.stdout) == (2, "")
        assert words in done.stderr
    run(["play", *data], b"resign\n")
    done = run(["play", *data, "--resume", "1"], b"")
    assert done.status == 2
    assert "game 1 is over" in done.stderr


def test_the_level_of_a_game_under_way_stays(tmp_path: Path) -> None:
    data = ["--data", str(tmp_path)]
    run(["play", *data, "--level", "hard", "--seed", "1"], b"take\n")
    done = run(["play", *data, "--resume", "--level", "easy"], b"resign\nn\n").stdout
    assert "Game 1 goes on: classic, to 100, against hard." in done
    assert "This game is played out against hard; easy plays from the next one on." in done
    assert "Gin Rummy, classic, to 100, against easy." in done


# --- two sessions, and stores that cannot be used ------------------------------------------------


def test_two_sessions_at_once(tmp_path: Path) -> None:
    """A game is open in one session; the other can play another one meanwhile."""
    data = ["--data", str(tmp_path), "--seed", "1"]
    run(["play", *data], b"take\n")
    with Store.open(tmp_path) as store, store.resume():
        refused = run(["play", *data, "--resume"], b"")
        assert refused.status == 2
        assert "open in another session" in refused.stderr
        assert run(["play", *data], b"pass\n").status == 0
        kept = run(["play", *data, "--forget", "all"], b"")
        assert (kept.status, kept.stdout) == (1, "1 game forgotten.\n")
        assert "other sessions have them open: 1" in kept.stderr
    assert "You take the Q♠ on offer." in run(["play", *data, "--resume"], b"").stdout


def damaged(path: Path) -> None:
    path.write_bytes(b"no database at all\n" * 100)


def newer(path: Path) -> None:
    Store.open(path.parent).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()


@pytest.mark.parametrize(("spoil", "words"), [(damaged, "damaged"), (newer, "newer"), (foreign, "another program")])
def test_a_store_that_cannot_be_used_is_reported_and_kept(
    spoil: Callable[[Path], None], words: str, tmp_path: Path
) -> None:
    """One can play, without saving; everything that needs the store refuses."""
    path = tmp_path / FILE
    spoil(path)
    before = path.read_bytes()
    done = run(["play", "--data", str(tmp_path), "--seed", "1"], b"take\nquit\n")
    assert done.status == 0
    assert words in done.stderr
    assert "Nothing can be saved: this game is played without." in done.stdout
    assert "You take the Q♠." in done.stdout
    for option in (["--resume"], ["--list"], ["--stats"], ["--export", "1"], ["--forget", "all"], ["--review"]):
        refused = run(["play", "--data", str(tmp_path), *option], b"")
        assert (refused.status, refused.stdout) == (2, "")
        assert words in refused.stderr
    assert path.read_bytes() == before


def test_without_a_home_one_plays_without_saving(tmp_path: Path) -> None:
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("XDG", "GINRUMMY"))}
    environ |= {"HOME": str(tmp_path / "gone"), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "ginrummy", "play", "--seed", "1"],
        input=b"take\nstats\n",
        env=environ,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert b"there is no home folder" in done.stderr
    assert b"You take the" in done.stdout
    assert b"Nothing is saved, so there are no statistics." in done.stdout
    assert not (tmp_path / "gone").exists()


# --- looking at games ---------------------------------------------------------------------------


def test_list_export_and_forget(tmp_path: Path) -> None:
    data = ["--data", str(tmp_path)]
    assert run(["play", *data, "--list"], b"").stdout == "No game is saved.\n"
    assert session(Script(), *data, "--rules", "quick", "--seed", "3", "--level", "hard")[0] == 0
    run(["play", *data, "--seed", "4"], b"take\n")
    listed = run(["play", *data, "--list"], b"").stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["1", "2"]
    assert "seed 3" in listed[0]
    assert "running" in listed[1]
    assert "seed" not in listed[1]
    games = [json.loads(line) for line in run(["play", *data, "--list", "--json"], b"").stdout.splitlines()]
    assert [game["id"] for game in games] == [1, 2]
    assert games[0]["seed"] == 3
    assert games[0]["status"] in ("won", "lost")
    assert "seed" not in games[1]
    assert not any(game["counted"] for game in games)
    exported = run(["play", *data, "--export", "1"], b"")
    hands = [json.loads(line) for line in exported.stdout.splitlines()]
    assert len(hands) == games[0]["hands"]
    record = tmp_path / "hands.jsonl"
    record.write_text(exported.stdout, encoding="utf-8")
    checked = run(["simulate", "--replay", str(record)], b"")
    assert checked.status == 0, checked.stderr
    refused = run(["play", *data, "--export", "2"], b"")
    assert refused.status == 2
    assert "under way" in refused.stderr
    assert run(["play", *data, "--forget", "1"], b"").stdout == "Game 1 is forgotten.\n"
    assert run(["play", *data, "--forget", "1"], b"").status == 2
    assert run(["play", *data, "--forget", "all"], b"").stdout == "1 game forgotten.\n"
    assert run(["play", *data, "--list"], b"").stdout == "No game is saved.\n"


def test_a_pipe_leaves_the_statistics_alone(tmp_path: Path) -> None:
    data = ["--data", str(tmp_path)]
    assert session(Script(), *data, "--rules", "quick", "--seed", "3")[0] == 0
    run(["play", *data], b"resign\n")
    assert "No game is finished yet" in run(["play", *data, "--stats"], b"").stdout
    assert json.loads(run(["play", *data, "--stats", "--json"], b"").stdout)["games"] == 0


def test_a_game_of_a_person_that_a_pipe_goes_on_with_no_longer_counts(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.new_game(Game(load_rules("quick"), seed=1), Setup("easy", ("You", "Computer"))).close()
    run(["play", "--data", str(tmp_path), "--resume"], b"resign\n")
    with Store.open(tmp_path) as store:
        assert [(info.status, info.setup.counted) for info in store.games()] == [("resigned", False)]
        assert store.statistics().total.games == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--list", "--stats"], "choose one"),
        (["--list", "--resume"], "choose one"),
        (["--forget", "x"], "the number of a game"),
        (["--forget", "9"], "there is no game 9"),
        (["--export", "-1"], "the number of a game"),
        (["--forget", "1", "--json"], "--json goes with"),
    ],
)
def test_wrong_ways_to_look(args: list[str], words: str, tmp_path: Path) -> None:
    done = run(["play", "--data", str(tmp_path), *args], b"")
    assert (done.status, done.stdout) == (2, "")
    assert words in done.stderr
