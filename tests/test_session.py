"""Whole sessions by a player who knows nothing but what the screen offers: every preset and variant, every width, plain words."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from ginrummy.cli.main import run_with
from ginrummy.cli.streams import Streams
from ginrummy.game import Game
from ginrummy.hand import Hand
from ginrummy.players import LevelPlayer
from ginrummy.render import Style
from ginrummy.rules import load_rules, presets
from ginrummy.session.console import Console, fitted, in_words, visible
from ginrummy.session.screen import table_lines
from ginrummy.store import Store
from ginrummy.store.database import FILE

GAMES = [
    *presets(),
    "classic+oklahoma",
    "race+straight",
    "romme+old-bonuses",
    "duel+big-gin",
    "race+no-big-gin",
    "oklahoma+spades",
    "quick+hollywood",
    "quick+partnership",
    "quick+partnership+hollywood",
    "romme+cutthroat",
    "duel+cutthroat+best-of=3",
    "quick+best-of=3",
]


Choose = Callable[[str, list[str], str], "str | None"]
"""What is typed at a prompt, from what is offered and what was shown since the last one; None ends the input."""

CARD = re.compile(r"\b(?:10|[A2-9JQK])[SHDC]\b")


class Screen:
    """A player in front of a terminal of which only what it offers is used."""

    def __init__(self, choose: Choose, columns: int = 80) -> None:
        self.choose = choose
        self.columns = columns
        self.out = io.StringIO()
        self.prompts: list[tuple[str, str]] = []
        """Each prompt with what was shown before it, since the last one."""
        self._shown = 0

    def read(self, prompt: str, offered: list[str], toolbar: Callable[[int], str], who: int) -> str:
        """What the player types."""
        text = self.out.getvalue()
        self.prompts.append((prompt, text[self._shown :]))
        self._shown = len(text)
        assert len(prompt) <= self.columns
        assert len(toolbar(self.columns)) <= self.columns
        typed = self.choose(prompt, offered, self.prompts[-1][1])
        if typed is None:
            raise EOFError
        return typed

    def play(self, *args: str, **variables: str) -> int:
        """A session at a terminal; its status."""
        streams = Streams(
            stdin=io.BytesIO(),
            stdout=self.out,
            stderr=self.out,
            stdin_is_terminal=True,
            stdout_is_terminal=True,
            environ=os.environ | variables,
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("COLUMNS", str(self.columns))
            patch.setenv("LINES", "24")
            patch.setattr("ginrummy.session.terminal.TerminalReader", lambda: self)
            patch.setattr("ginrummy.session.pipe.PipeReader", lambda *args, **more: self)
            return run_with(["play", "--delay", "0", "--color", "never", "--cards", "ascii", *args], streams)

    @property
    def text(self) -> str:
        """All that was shown."""
        return self.out.getvalue()


def chooser(name: str) -> Choose:
    """Goes out when that is offered, else anything offered; one game."""
    random = Random(name)

    def choose(prompt: str, offered: list[str], shown: str) -> str | None:
        if "next" in offered:
            return None
        for wanted in ("big gin", "gin", "yes"):
            if wanted in offered:
                return wanted
        knocks = [text for text in offered if text.startswith("knock")]
        if knocks or not offered:
            return random.choice(knocks or [""])
        # The dearest loose card of the hand as it is shown, melds in brackets left out; else anything.
        loose = CARD.findall(re.sub(r"\[[^]]*\]", "", shown.rpartition("\nPile ")[2].partition("\n")[2]))
        return next((card for card in loose if card in offered and random.random() < 0.9), random.choice(offered))

    return choose


@pytest.fixture
def data(tmp_path: Path) -> list[str]:
    """The options of somebody who is not asked anything."""
    return ["--data", str(tmp_path), "--no-hints", "--level", "normal"]


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("columns", [80, 40])
def test_whole_games_by_what_the_screen_offers(rules: str, columns: int, data: list[str], tmp_path: Path) -> None:
    """To the end; every line fits, and what lies between two prompts fits the screen at 80 columns."""
    screen = Screen(chooser(rules), columns)
    assert screen.play(*data, "--rules", rules, "--seed", "4", "--target", "40") == 0
    with Store.open(tmp_path) as store:
        (info,) = store.games()
    assert info.status in ("won", "lost", "drawn")
    assert info.setup.counted
    assert f"Seed {info.seed}." in screen.text
    assert [line for line in screen.text.splitlines() if len(line) > columns] == []
    if columns == 80 and not any(word in rules for word in ("hollywood", "partnership", "cutthroat")):
        for prompt, shown in screen.prompts:
            if "next" not in prompt:
                assert shown.count("\n") <= 23, shown


@pytest.mark.parametrize("rules", ["quick", "oklahoma+spades", "romme", "quick+hollywood", "quick+partnership"])
def test_plain_is_words_alone(rules: str, tmp_path: Path) -> None:
    """No colour, no suit symbol, no bracket, bar, star or sign of arithmetic, in a whole game with its help and hints."""
    random = Random(rules)
    play_on = chooser(rules)
    extra = ["rules", "help", "hand", "score", "pile", "hint", "coach on", "coach off", "level", "stats"]

    def choose(prompt: str, offered: list[str], shown: str) -> str | None:
        if extra and "yes" not in offered and random.random() < 0.7:
            return extra.pop()
        return play_on(prompt, offered, shown)

    screen = Screen(choose)
    data = ["--data", str(tmp_path), "--level", "easy", "--rules", rules, "--seed", "4", "--coach"]
    with Store.open(tmp_path) as store:
        store.write_note("coach offered", True)
    assert screen.play(*data, "--plain", "--color", "always", "--cards", "unicode") == 0
    assert not extra
    text = screen.text + "".join(prompt for prompt, _ in screen.prompts)
    assert sorted(set(re.findall(r"[^A-Za-z0-9 .,;:?'%\n-]", text))) == []
    assert " of spades" in text


# --- questions ----------------------------------------------------------------------------------


def answers(*lines: str | None) -> Choose:
    """Types these lines, then ends the input."""
    left: Iterator[str | None] = iter(lines)
    return lambda prompt, offered, shown: next(left, None)


def asked(screen: Screen) -> list[str]:
    """The first words of the prompts."""
    return [prompt.split()[0].rstrip(":,>") for prompt, _ in screen.prompts]


def test_three_short_questions(tmp_path: Path) -> None:
    """Level, rules, target; a new user is offered the coach, once."""
    data = ["--data", str(tmp_path), "--seed", "1"]
    screen = Screen(answers("h", "poker", "?", "race", "0", "70", "no"))
    assert screen.play(*data) == 0
    assert asked(screen)[:7] == ["Level", "Rules", "Rules", "Rules", "Points", "Points", "A"]
    assert "Gin Rummy, race, to 70, against hard. " in screen.text
    assert "Unknown rules 'poker'" in screen.text
    assert "Presets:" in screen.text
    # The answers of the last time are those of Enter; a game under way is mentioned.
    screen = Screen(answers("", "", "", "quit"))
    assert screen.play(*data) == 0
    assert asked(screen) == ["Level", "Rules", "Points", "take"]
    assert "Gin Rummy, race, to 70, against hard. " in screen.text
    assert screen.text.startswith("Game 1 is under way: ginrummy play --resume goes on; --list shows all.")
    screen = Screen(answers("normal", "classic", "", "quit"))
    assert screen.play(*data) == 0
    assert "Gin Rummy, classic, to 100, against normal. " in screen.text
    assert screen.text.startswith("2 games are under way")
    screen = Screen(answers("", "race", "", "quit"))
    assert screen.play(*data, "--set", "gin_bonus=20") == 0
    assert "Gin Rummy, race gin_bonus=20, to 100, against easy. " in screen.text
    screen = Screen(answers("quit"))
    assert screen.play(*data, "--level", "hard", "--rules", "duel") == 0
    assert asked(screen) == ["take"]


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("word", ["quit", None])
def test_one_can_leave_at_every_question(at: int, word: str | None, tmp_path: Path) -> None:
    lines = ["easy", "race", "50"][:at]
    screen = Screen(answers(*lines, *([word] if word else [])))
    assert screen.play("--data", str(tmp_path)) == 0
    assert screen.text.endswith("Bye.\n")
    with Store.open(tmp_path) as store:
        assert store.games() == []


def test_two_people_are_asked_again_for_rules_that_want_more(tmp_path: Path) -> None:
    screen = Screen(answers("quick+partnership", "quick", "", None))
    assert screen.play("--data", str(tmp_path), "--opponent", "human") == 0
    assert asked(screen)[:3] == ["Rules", "Rules", "Points"]
    assert "One keyboard is for two: partnership and cutthroat are played against computers." in screen.text


def test_the_coach_can_be_accepted(tmp_path: Path) -> None:
    screen = Screen(answers("easy", "classic", "100", "yes", "coach off", "quit"))
    assert screen.play("--data", str(tmp_path), "--seed", "1") == 0
    assert "The coach is off." in screen.text
    screen = Screen(answers("quit"))
    with Store.open(tmp_path) as store:
        assert store.games()[0].setup.options["coach"] is True


@pytest.mark.parametrize("args", [["--rules", "duel"], ["--rules", "classic", "--no-hints"]])
def test_without_hints_there_is_no_help_in_playing(args: list[str], tmp_path: Path) -> None:
    screen = Screen(answers("hint", "coach", "help", "quit"))
    assert screen.play("--data", str(tmp_path), "--level", "easy", "--seed", "1", *args, "--coach") == 0
    assert screen.text.count("No hint here: ") == 1
    assert screen.text.count("No coach here: ") == 1
    assert screen.text.count("There is no coach: ") == 1
    assert "  hint:" not in screen.text
    assert "There is no undo" in screen.text


# --- what cannot be taken back -------------------------------------------------------------------


def test_a_knock_shows_what_it_will_count(data: list[str]) -> None:
    """And is final only with yes; any other command does not knock, and is done."""
    seen: list[str] = []
    play_on = chooser("knock")

    def choose(prompt: str, offered: list[str], shown: str) -> str | None:
        if prompt.startswith("Knock? "):
            seen.append(shown)
            return ["no", "hand", "knock"][len(seen) - 1]
        if "next" in offered or len(seen) == 3:
            return None
        if seen and "gin" not in offered:
            return next(text for text in offered if text.startswith("knock"))
        return play_on(prompt, offered, shown)

    screen = Screen(choose)
    assert screen.play(*data, "--rules", "race", "--seed", "4") == 0
    assert len(seen) == 3
    assert "It counts what Computer's deadwood, after laying off, is above " in screen.text
    assert "it is an undercut: the difference and 25 for Computer." in screen.text
    assert re.search(r"^You lay out \S.* \| \S.*; loose .*, deadwood \d+\.$", screen.text, re.MULTILINE)


def test_no_confirm_asks_nothing(data: list[str]) -> None:
    screen = Screen(chooser("free"))
    assert screen.play(*data, "--rules", "quick", "--seed", "4", "--no-confirm") == 0
    assert not any("Knock?" in prompt for prompt, _ in screen.prompts)
    assert re.search(r"^(Knock|Gin|Undercut): .* for You$", screen.text, re.MULTILINE)


def test_resign_counts_as_lost_and_new_as_nothing(tmp_path: Path) -> None:
    data = ["--data", str(tmp_path), "--level", "easy", "--rules", "duel", "--seed", "1"]
    screen = Screen(answers("resign", "no", "resign", "yes", "n", "new", "no", "new", "yes", "stats", "quit"))
    assert screen.play(*data) == 0
    with Store.open(tmp_path) as store:
        assert [info.status for info in store.games()] == ["resigned", "abandoned", "running"]
        assert [info.number for info in store.games()] == [0, 1, 2]
    assert "You have given the game up." in screen.text
    assert "Games: 1 played, 0 won, 1 lost (1 resigned)" in screen.text
    screen = Screen(lambda prompt, offered, shown: None)
    assert screen.play("--data", str(tmp_path), "--stats", "--json") == 0
    assert json.loads(screen.text)["resigned"] == 1


def test_between_two_games(tmp_path: Path) -> None:
    """The next game is one key away; the level can be changed for it, and the sheet looked at."""
    data = ["--data", str(tmp_path), "--level", "easy", "--rules", "duel", "--seed", "1"]
    lines = ["resign", "yes", "score", "stats", "rules", "help", "hint", "nonsense", "level hard", "", "quit"]
    screen = Screen(answers(*lines))
    assert screen.play(*data) == 0
    assert "There is no hint between two games." in screen.text
    assert "'nonsense' is no answer here" in screen.text
    assert "Gin Rummy, duel, to 100, against hard." in screen.text
    screen = Screen(answers("resign", "yes", "quit"))
    assert screen.play(*data) == 0
    assert screen.text.endswith("Bye.\n")


def test_the_computers_turn_in_two_steps(data: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A pause before each thing it does, and each is told; none for what the player does."""
    pauses = 0

    def pause(self: Console) -> None:
        nonlocal pauses
        pauses += 1

    monkeypatch.setattr(Console, "pause", pause)
    screen = Screen(chooser("steps"))
    assert screen.play(*data, "--rules", "quick", "--seed", "4") == 0
    with Store.open(tmp_path) as store:
        steps = store.load(1)[1]
    assert pauses == sum(step.seat == 1 for step in steps)
    assert len(re.findall(r"^Computer (?:takes|draws|throws|passes|knocks|has)\b", screen.text, re.MULTILINE)) == pauses


def test_a_pause_is_as_long_as_said_and_ctrl_c_ends_it() -> None:
    console = Console(print, Screen(lambda *_: None), Style(), delay=0.1)
    began = time.monotonic()
    console.pause()
    assert 0.1 <= time.monotonic() - began < 1
    with console.patient():
        signal.raise_signal(signal.SIGINT)
        began = time.monotonic()
        console.pause()
        assert time.monotonic() - began < 0.05
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_costly_move_can_be_thought_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The coach speaks before it is final; rethink, or any other command, leaves all as it was."""

    class Price:
        def lines(self, style: Style) -> list[str]:
            return ["That costs a lot."]

    monkeypatch.setattr("ginrummy.session.coach.Coach.cost", lambda self, view, action: Price())
    with Store.open(tmp_path) as store:
        store.write_note("coach offered", True)
    data = ["--data", str(tmp_path), "--level", "easy", "--rules", "classic", "--seed", "1", "--coach"]
    screen = Screen(answers("take", "rethink", "take", "hand", "take", "", "take", "yes", "quit"))
    assert screen.play(*data) == 0
    assert screen.text.count("That costs a lot.") == 4
    assert screen.text.count("You take the QS.") == 1
    assert sum(prompt.startswith("Play it anyway?") for prompt, _ in screen.prompts) == 4
    screen = Screen(answers("take", "quit"))
    assert screen.play(*data, "--no-hints") == 0
    assert "That costs a lot." not in screen.text


def test_trouble_with_saving_is_told_and_the_game_goes_on(data: list[str], tmp_path: Path) -> None:
    """Here somebody deletes the game behind its back."""

    def choose(prompt: str, offered: list[str], shown: str) -> str | None:
        if len(screen.prompts) == 3:
            with sqlite3.connect(tmp_path / FILE) as database:
                database.execute("DELETE FROM actions")
                database.execute("DELETE FROM games")
            database.close()
        return None if len(screen.prompts) == 8 else play_on(prompt, offered, shown)

    play_on = chooser("trouble")
    screen = Screen(choose)
    assert screen.play(*data, "--rules", "classic", "--seed", "1") == 0
    assert screen.text.count("Not saved: game 1 was forgotten by another session") == 1
    assert screen.text.endswith("This game is not saved.\nBye.\n")


def test_a_game_can_be_looked_back_on(tmp_path: Path) -> None:
    """At once, and later."""
    with Store.open(tmp_path) as store:
        store.write_note("coach offered", True)
    play_on = chooser("back")
    reviewed: list[str] = []

    def choose(prompt: str, offered: list[str], shown: str) -> str | None:
        if "next" in offered:
            reviewed.append(shown)
            return "review" if len(reviewed) == 1 else None
        return play_on(prompt, offered, shown)

    data = ["--data", str(tmp_path), "--rules", "quick", "--seed", "4", "--target", "1", "--level", "easy"]
    screen = Screen(choose)
    assert screen.play(*data) == 0
    assert "decisions" in reviewed[1]
    later = Screen(answers())
    assert later.play("--data", str(tmp_path), "--review") == 0
    assert "decisions" in later.text
    assert Screen(answers()).play("--data", str(tmp_path), "--review", "1") == 0
    assert Screen(answers()).play("--data", str(tmp_path), "--review", "9") == 2


# --- a name, a friend, a program ------------------------------------------------------------------


def test_a_name(data: list[str]) -> None:
    screen = Screen(chooser("name"))
    assert screen.play(*data, "--rules", "quick", "--seed", "4", "--name", "Anna Maria") == 0
    assert "Anna Maria 0, Computer 0, to 50." in screen.text
    assert "You 0" not in screen.text
    assert re.search(r"^Anna Maria: \d+ points", screen.text, re.MULTILINE)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--name", "Computer"], "somebody else"),
        (["--name", "A,B"], "no comma"),
        (["--name", ""], "1 to 20"),
        (["--name", "x" * 21], "1 to 20"),
        (["--name", "a\x1b[31m"], "1 to 20"),
        (["--opponent", "human", "--name", "Anna,anna"], "somebody else"),
        (["--opponent", "human", "--name", "A,B,C"], "3 names for 2"),
        (["--opponent", "friend"], "cpu"),
        (["--opponent", "exec:"], "names nothing"),
        (["--opponent", "exec:no-such-program"], "there is no program"),
        (["--opponent", "module:no_such_module:Bot"], "there is no module"),
        (["--opponent", "human", "--rules", "+cutthroat"], "is for two"),
    ],
)
def test_who_cannot_play(args: list[str], words: str, tmp_path: Path) -> None:
    screen = Screen(lambda prompt, offered, shown: None)
    assert screen.play("--data", str(tmp_path), *args) == 2
    assert words in screen.text
    assert not (tmp_path / FILE).exists()


def test_two_people_at_one_keyboard(data: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Each turn begins covered; what is shown of a hand stands on a screen of its own that is wiped; nobody's game counts."""
    play_on = chooser("friends")

    def choose(prompt: str, offered: list[str], shown: str) -> str | None:
        # What the program wrote to the terminal besides its lines, in the order of the lines.
        wiped = capsys.readouterr().out
        if wiped:
            screen.out.write(f"<{'shut' if wiped.endswith('l') else 'open'}>\n")
        return play_on(prompt, offered, shown)

    screen = Screen(choose)
    assert screen.play(*data, "--opponent", "human", "--name", "Anna,Ben", "--rules", "quick", "--seed", "4") == 0
    covers = [prompt for prompt, _ in screen.prompts if "press Enter when nobody else looks" in prompt]
    assert {cover.partition(",")[0] for cover in covers} == {"Anna", "Ben"}
    with Store.open(tmp_path) as store:
        (info,) = store.games()
    assert not info.setup.counted
    assert info.setup.names == ("Anna", "Ben")
    hands = re.compile(r"deadwood (?:at best )?\d+$")
    for prompt, shown in screen.prompts:
        if "press Enter" in prompt and "Sheet" not in shown:
            public = shown.rpartition("<shut>")[2] if "<shut>" in shown else shown
            assert not [line for line in public.splitlines() if hands.search(line)], shown


def test_a_program_as_opponent(tmp_path: Path) -> None:
    """It plays, it is told what it may know, and the game does not count; after a resume it is told the hand again."""
    (tmp_path / "quiet_bot.py").write_text(
        "class Bot:\n"
        "    def decide(self, view):\n"
        "        if view.phase == 0:\n            return 'pass'\n"
        "        if view.phase == 1:\n            return 'draw'\n"
        "        from ginrummy.cards import NAMES\n"
        "        return NAMES[view.drawn]\n"
    )
    args = ["--data", str(tmp_path), "--opponent", "module:quiet_bot:Bot", "--rules", "quick", "--no-hints"]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        screen = Screen(chooser("bot"))
        assert screen.play(*args, "--seed", "4") == 0
        assert "against module:quiet_bot:Bot" in screen.text
        assert "Opponent draws from the stock." in screen.text
    with Store.open(tmp_path) as store:
        (info,) = store.games()
    assert not info.setup.counted
    assert info.status == "won"


def test_a_program_that_dies_ends_the_session_not_the_game(tmp_path: Path) -> None:
    screen = Screen(chooser("dead bot"))
    args = ["--data", str(tmp_path), "--opponent", "exec:false", "--rules", "quick", "--no-hints", "--seed", "4"]
    assert screen.play(*args) == 1
    assert "player 'exec:false': exited with status 1" in screen.text
    with Store.open(tmp_path) as store:
        (info,) = store.games()
    assert info.status == "running"


# --- lines --------------------------------------------------------------------------------------


def test_the_table_of_eleven_cards_fits_forty_columns() -> None:
    """Whatever the hand: broken between cards, melds kept together."""
    for number in range(200):
        hand = Hand.deal(load_rules(), seed=9, number=number, dealer=0)
        hand.apply(hand.legal_actions()[0])
        for style in (Style(), Style(symbols=False), Style(color=True)):
            for line in table_lines(hand.view(1), style, "Computer"):
                parts = fitted(line, 40)
                assert all(visible(part) <= 40 for part in parts)
                assert " ".join(" ".join(parts).split()) == " ".join(line.split())
                assert all(part.count("[") == part.count("]") for part in parts if "\x1b" not in part)


def test_signs_become_words() -> None:
    assert in_words("(16 - 7) x 2 = 18 points for You") == "16 minus 7, all times 2 is 18 points for You"
    assert in_words("30 + 25 (gin bonus) = 55") == "30 plus 25 gin bonus is 55"
    assert in_words("about 2.5 points (+- 0.3) less") == "about 2.5 points plus or minus 0.3 less"


def test_a_move_of_hard_takes_under_five_milliseconds() -> None:
    """On average, over whole hands as a session plays them."""
    from ginrummy.kernel import compiled

    spent = moves = 0.0
    for number in range(6):
        game = Game(load_rules(), seed=11, number=number)
        (table,) = game.tables()
        hand, streams = game.deal(table), game.streams(table)
        players = [LevelPlayer("hard", rng) for rng in (streams.first, streams.second)]
        while hand.end is None:
            view = hand.view(hand.turn)
            began = time.perf_counter()
            action = players[hand.turn].decide(view)
            spent += time.perf_counter() - began
            moves += 1
            hand.apply(action)
    assert spent / moves < (0.005 if compiled else 0.5)
