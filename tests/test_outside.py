"""Players from outside play whole hands, and whatever they do wrong is named, ends in time and leaves nothing behind."""

from __future__ import annotations

import gc
import json
import os
import re
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ginrummy.cards import NAMES
from ginrummy.errors import GinRummyError, IllegalError, UnreadableError
from ginrummy.hand import Action, Event, Hand, HandEnd, Phase
from ginrummy.kernel.rng import Streams, shuffled
from ginrummy.kernel.view import View
from ginrummy.notation import Cards, parse_card
from ginrummy.players import LevelPlayer, Player, wire
from ginrummy.players.outside import LONGEST, MOST_UNSENT, ExecPlayer, ModulePlayer
from ginrummy.players.registry import is_outside, make_player, play_hand
from ginrummy.players.wire import PlayerFailed
from ginrummy.rules import load_rules, presets

PAGE = (Path(__file__).resolve().parent.parent / "man" / "ginrummy-bots.7").read_text(encoding="utf-8")
PROC = Path("/proc/self/fd")
SOON = 5.0
"""Seconds within which a failed or closed player must be gone; it takes a hundredth of that, but machines are busy."""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="exec: needs the pipes of Linux or macOS")


def section(title: str) -> str:
    """A section of the man page without escapes."""
    found = re.search(rf"^\.SH {title}\n(.*?)(?=^\.SH |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1].replace("\\-", "-").replace("\\(bu", "*")


def examples(title: str) -> list[str]:
    """The example blocks of a section."""
    return re.findall(r"^\.EX\n(.*?)^\.EE$", section(title), re.MULTILINE | re.DOTALL)


def tags(title: str) -> set[str]:
    """The words of the tags of a section's paragraphs."""
    lines = re.findall(r"^\.TP\n\.[BIR]+ (.*)", section(title), re.MULTILINE)
    return {word for line in lines for word in re.split(r'[ ,"]+', line) if word}


def keys_in(value: Any) -> set[str]:
    """The keys of all objects in a JSON value."""
    if isinstance(value, list):
        return set().union(*map(keys_in, value))
    return set(value).union(*map(keys_in, value.values())) if isinstance(value, dict) else set()


def deal(seed: int = 1, rules: str = "race") -> Hand:
    """A fresh hand; seat 1 answers first."""
    return Hand.deal(load_rules(rules), seed=seed, dealer=0)


def alive(pid: int) -> bool:
    """Whether a process runs: one that waits to be buried by whoever inherited it does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    try:
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for(what: Callable[[], object]) -> None:
    """Wait until something is so."""
    until = time.monotonic() + SOON
    while not what():
        assert time.monotonic() < until
        time.sleep(0.005)


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """No child, not even a dead one, no thread, no open file, no alarm."""
    threads, files = threading.active_count(), len(list(PROC.iterdir())) if PROC.exists() else 0
    yield
    gc.collect()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    assert threading.active_count() == threads
    assert (len(list(PROC.iterdir())) if PROC.exists() else 0) == files
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert sys.gettrace() is None or "coverage" in str(type(sys.gettrace()))


Bot = Callable[..., ExecPlayer]


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[Bot]:
    """Makes a player of a script."""
    made: list[ExecPlayer] = []

    def make(code: str, move_time: float = 5.0) -> ExecPlayer:
        script = tmp_path / f"bot {len(made)}.py"
        script.write_text("import json, os, subprocess, sys, time\n" + code, encoding="utf-8")
        made.append(ExecPlayer(shlex.join([sys.executable, "-I", "-S", str(script)]), move_time))
        return made[-1]

    yield make
    for player in made:
        player.close()


def failure(player: Player, view: View) -> str:
    """How the player fails when it is asked; that it fails in time, and goes on failing."""
    began = time.monotonic()
    with pytest.raises(PlayerFailed) as caught:
        player.decide(view)
    assert time.monotonic() - began < SOON
    assert isinstance(caught.value, GinRummyError)
    text = player.text if isinstance(player, ExecPlayer | ModulePlayer) else ""
    assert caught.value.player == text
    assert str(caught.value).startswith(f"player '{text[:20]}")
    assert "\n" not in str(caught.value)
    with pytest.raises(PlayerFailed) as again:
        player.decide(view)
    assert again.value.reason == caught.value.reason
    return caught.value.reason


# What is told


@pytest.mark.parametrize("rules", [*presets(), "race+straight", "oklahoma+spades"])
def test_legal_actions_of_a_view_are_those_of_the_hand(rules: str) -> None:
    for game in range(6):
        streams = Streams(11, game, 0)
        hand = Hand(load_rules(rules), shuffled(streams.deal), dealer=game % 2)
        players = LevelPlayer("random" if game % 3 else "easy", streams.first), LevelPlayer("easy", streams.second)
        while not hand.is_terminal:
            view = hand.view(hand.turn)
            legal = hand.legal_actions()
            assert wire.legal_actions(view) == legal
            asked = wire.question(view)
            assert asked["legal"] == [str(action) for action in legal]
            for action in legal:
                for value in (str(action), {"action": str(action)}, action):
                    assert wire.read_answer(value, view) == action
                assert wire.parse_answer(json.dumps(str(action).lower()).encode(), view) == action
            if hand.phase is Phase.DISCARDING:
                cards = {entry["card"]: entry["knock"] for entry in asked["discards"]}
                assert [f"knock {card}" for card, knock in cards.items() if knock] == [
                    str(action) for action in legal if action.kind == "knock"
                ]
                assert {str(action) for action in legal if action.kind == "discard"} == set(cards)
            else:
                assert ("deadwood_if_taken" in asked) == ("take" in asked["legal"])
            hand.apply(players[hand.turn].decide(view))


def drawn(cards: str, card: str, rules: str) -> Hand:
    """A hand in which seat 1 holds ten cards and has drawn another one after both passed."""
    held, eleventh = list(Cards(cards)), parse_card(card)
    rest = [other for other in range(52) if other not in (*held, eleventh)]
    deck = [*(one for pair in zip(held, rest, strict=False) for one in pair), rest[10], eleventh, *rest[11:]]
    hand = Hand(load_rules(rules), deck, dealer=0)
    for action in ("pass", "pass", "draw"):
        hand.apply(wire.read_answer(action, hand.view(hand.turn)))
    return hand


def test_big_gin_is_offered_where_there_is_big_gin() -> None:
    view = drawn("A2345678910H", "JH", "race").view(1)
    asked = wire.question(view)
    assert (asked["legal"][-1], asked["deadwood"], asked["drawn"]) == ("big-gin", 0, "JH")
    assert wire.read_answer("big-gin", view) == Action("big-gin")
    view = drawn("A2345678910H", "JH", "race+no-big-gin").view(1)
    assert wire.question(view)["rules"]["big_gin_bonus"] == "none"
    with pytest.raises(IllegalError, match="'big-gin': legal are AH,"):
        wire.read_answer("big-gin", view)


class Listening:
    """A player that keeps all a program would be sent."""

    def __init__(self, level: LevelPlayer) -> None:
        self.level = level
        self.lines: list[dict[str, Any]] = []
        self.seat, self.scores = 0, (0, 0)

    def begin(self, seat: int, view: View, seed: int) -> None:
        self.seat, self.scores = seat, (view.score, view.opponent_score)
        self.lines.append(wire.start(view, seed))

    def observe(self, event: Event) -> None:
        self.lines.append(wire.happened(event, self.seat))

    def decide(self, view: View) -> Action:
        self.lines.append(wire.question(view))
        return self.level.decide(view)

    def end(self, how: HandEnd) -> None:
        self.lines.append(wire.end(how, self.seat, self.scores))


def listened(deck: list[int], seed: int = 0) -> list[dict[str, Any]]:
    """What seat 1 is told in a hand of a deck."""
    streams = Streams(seed, 0, 0)
    player = Listening(LevelPlayer("easy", streams.second))
    hand = Hand(load_rules("classic"), deck, dealer=0, scores=(10, 20))
    play_hand(hand, (LevelPlayer("easy", streams.first), player), (streams.first, streams.second))
    assert player.lines[-1]["event"] == "end"
    return player.lines


def test_nothing_hidden_is_told() -> None:
    """The opponent's cards and the stock can be exchanged, and a seat is told the same."""
    for game in range(50):
        deck = shuffled(Streams(2, game, 0).deal)
        other = list(deck)
        # All but the cards of seat 1, the upcard, and the card that seat 1 will draw.
        places = [*range(1, 20, 2), *range(22, 52)]
        for place, from_place in zip(places, reversed(places), strict=True):
            other[place] = deck[from_place]
        told = []
        for cards in (deck, other):
            hand = Hand(load_rules("classic"), cards, dealer=0)
            lines = [wire.start(hand.view(1), 5), wire.question(hand.view(1))]
            for text in ("pass", "pass", "draw", NAMES[deck[0]], "draw"):
                hand.apply(wire.read_answer(text, hand.view(hand.turn)))
                if hand.turn == 1:
                    lines.append(wire.question(hand.view(1)))
            lines += [wire.happened(event, 1) for event in hand.events]
            told.append(lines)
        assert told[0] == told[1]
        assert ("card" in told[0][-1], told[0][-3]["card"]) == (False, NAMES[deck[21]])


def test_hand_is_told_from_beginning_to_end() -> None:
    ends = set()
    for game in range(40):
        lines = listened(shuffled(Streams(3, game, 0).deal))
        assert all(line["schema"] == 1 for line in lines)
        assert [line.get("event") for line in lines].count("start") == 1
        how = lines[-1]
        ends.add(how["result"])
        for line in lines:
            if line.get("by") == "opponent" and line["event"] in ("draw", "knock"):
                assert "card" not in line
            elif "by" in line and line["event"] not in ("pass", "big-gin"):
                assert line["card"] in NAMES
        if how["result"] == "dead":
            assert {"you", "opponent"}.isdisjoint(how)
            assert how["score"] == [20, 10]
        else:
            gained = [how["points"], 0] if how["winner"] == "you" else [0, how["points"]]
            assert how["score"] == [20 + gained[0], 10 + gained[1]]
            assert not how[how["knocker"]]["layoffs"]
            assert sum(map(len, how["you"]["melds"])) + len(how["you"]["deadwood_cards"]) + len(
                how["you"]["layoffs"]
            ) in (10, 11)
    assert ends >= {"knock", "gin"}


def test_man_page_names_every_key() -> None:
    """Those of questions as tags and no other; all of news somewhere."""
    lines = [line for game in range(20) for line in listened(shuffled(Streams(3, game, 0).deal))]
    questions = [line for line in lines if "legal" in line]
    assert tags("QUESTIONS") == set().union(*questions) - {"schema"}
    assert keys_in(questions) - {"schema"} <= set(re.findall(r"\w+", section("QUESTIONS")))
    news = [line for line in lines if "event" in line]
    assert {line["event"] for line in news} <= tags("NEWS")
    described = section("NEWS") + section("QUESTIONS")
    assert keys_in(news) - {"schema"} <= set(re.findall(r"\w+", described))
    assert f"{LONGEST} bytes" in section("ANSWERS")


# What is answered


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (b"take", "not JSON: 'take'"),
        (b"", "not JSON: ''"),
        (b'"take', "not JSON"),
        (b'"t\xffke"', "not JSON"),
        (b"[" * 60000, "not JSON"),
        (b"9" * 6000, "not JSON"),
        (b"7", "no action"),
        (b"null", "no action"),
        (b'["take"]', "no action"),
        (b"{}", "no action"),
        (b'{"action": null}', "no action"),
        (b'{"action": ["take"]}', "no action"),
        (b'{"action": "draw"}', "illegal action 'draw': legal are take, pass$"),
        (b'{"action": "knock 7S"}', "illegal action 'knock 7S'"),
        (b'"7S"', "illegal action '7S'"),
        (b'""', "illegal action ''"),
        (b'"' + b"x" * 5000 + b'"', "illegal action 'x+…x+': legal"),
        (rb'"\u001b[31m"', r"illegal action '\\x1b\[31m'"),
        (rb'"\ud800"', "illegal action"),
        (b'{"action": "take", "melds": "7S 8S 9S"}', "illegal melds with take: only a knock"),
    ],
)
def test_wrong_answers_are_named(line: bytes, wrong: str) -> None:
    with pytest.raises(GinRummyError, match=wrong) as caught:
        wire.parse_answer(line, deal().view(1))
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("action", [Action("knock", 99), Action("discard", -1), Action("big-gin", 3), Action("draw")])
def test_actions_of_a_class_are_checked(action: Action) -> None:
    with pytest.raises(IllegalError, match="legal are take, pass"):
        wire.read_answer(action, deal().view(1))


def test_a_knock_may_name_its_spread_where_the_rules_allow_it() -> None:
    hand = drawn("7S 7H 7D 7C 8C 9C AS 2S 3S AH", "KD", "classic")
    view = hand.view(1)
    for melds in (
        "7C 8C 9C / 7S 7H 7D / AS 2S 3S",
        [["7C", "8C", "9C"], ["7S", "7H", "7D"], ["AS", "2S", "3S"]],
        ["789c", "7shd", "A23s"],
    ):
        action = wire.read_answer({"action": "knock KD", "melds": melds}, view)
        assert action.melds is not None
        assert [str(meld) for meld in action.melds] == ["AS 2S 3S", "7S 7H 7D", "7C 8C 9C"]
        assert wire.read_answer(action, view) == action
        hand.check(action)
        with pytest.raises(IllegalError, match="illegal melds with knock KD: these rules lay out melds automatically"):
            wire.read_answer(
                {"action": "knock KD", "melds": melds},
                drawn("7S 7H 7D 7C 8C 9C AS 2S 3S AH", "KD", "race").view(1),
            )
    hand.apply(action)
    assert hand.is_terminal


@pytest.mark.parametrize(
    ("melds", "wrong"),
    [
        ("7C 7S 7H 7D / AS 2S 3S", "deadwood 18 is too much to knock: the limit is 10"),
        ("JS QS KS", "JS QS KS not among the cards kept"),
        ("7S 8S", "is no meld"),
        ("7S 7H 7D / 7D 8D 9D", "7D twice"),
        ("nonsense", "nonsense"),
        ([["AS", "2S", "3S"], ["AS", "2S", "3S"]], "in two melds"),
        ([["AS", "2S", 3]], "expected str"),
        ([7], "is no meld"),
        (7, "melds are a text"),
        ({}, "melds are a text"),
    ],
)
def test_wrong_spreads_are_named(melds: object, wrong: str) -> None:
    view = drawn("7S 7H 7D 7C 8C 9C AS 2S 3S AH", "KD", "classic").view(1)
    with pytest.raises(IllegalError, match=f"illegal melds with knock KD: .*{wrong}"):
        wire.read_answer({"action": "knock KD", "melds": melds}, view)


# Programs that play


def test_the_man_pages_bot_has_ten_lines_and_plays(bot: Bot) -> None:
    code = examples("EXAMPLE")[0]
    assert len(code.splitlines()) == 10
    finished = []
    for _ in range(2):
        results = []
        with bot("\n" + code) as player:
            for game in range(30):
                streams = Streams(4, game, 0)
                seats: list[Player] = [LevelPlayer("easy", streams.first), LevelPlayer("easy", streams.second)]
                seats[game % 2] = player
                rules = load_rules([*presets()][game % len(presets())])
                hand = Hand.deal(rules, seed=4, game=game, dealer=game // 2 % 2)
                how = play_hand(hand, seats, (streams.first, streams.second))
                results.append((how.winner, how.result, how.points))
        finished.append(results)
    assert finished[0] == finished[1]
    assert {result for _, result, _ in finished[0]} >= {"knock", "undercut"}


def test_a_program_gets_what_is_described(bot: Bot, tmp_path: Path) -> None:
    """News in order, then the question; its input ends at the end, and it has time to write what it has to."""
    record = tmp_path / "record"
    code = f"""
lines = []
for line in sys.stdin:
    lines.append(json.loads(line))
    if "legal" in lines[-1]:
        print(json.dumps(lines[-1]["legal"][-1]), end="\\r\\n\\n", flush=True)
json.dump(lines, open({str(record)!r}, "w"))
"""
    streams = Streams(1, 0, 0)
    copy = Streams(1, 0, 0)
    hand = deal()
    with bot(code) as player:
        play_hand(hand, (LevelPlayer("easy", streams.first), player), (streams.first, streams.second))
    lines = json.loads(record.read_text())
    assert lines[0]["event"] == "start"
    assert lines[0]["seed"] == copy.second.word()
    assert lines[0]["hand"] == lines[1]["hand"]
    assert [(line["by"], line["event"]) for line in lines if "by" in line] == [
        ("you" if event.seat == 1 else "opponent", event.kind) for event in hand.events
    ]
    assert lines[-1]["event"] == "end"


def test_standard_error_does_not_disturb(bot: Bot) -> None:
    """A megabyte of it, while the program is asked."""
    with bot("sys.stdin.readline(); sys.stderr.write('x' * 2**20); print('\"pass\"', flush=True)") as player:
        assert player.decide(deal().view(1)) == Action("pass")


# Programs that fail

READ = "sys.stdin.readline()\n"
FAILURES = {
    "hangs": ("time.sleep(60)", r"timed out after 0\.2 s$"),
    "hangs in a line": (
        READ + "print('{\"act', end='', flush=True); time.sleep(60)",
        "^timed out after 1 s in the middle of a line: '{\"act'",
    ),
    "forgets to flush": (READ + "print('\"pass\"'); time.sleep(60)", "timed out"),
    "exits": (READ + "sys.exit(3)", "exited with status 3$"),
    "exits at once": ("sys.exit(0)", "exited with status 0$"),
    "crashes": ("raise RuntimeError('o\\x1bps')", r"exited with status 1; its last words: 'RuntimeError: o\\x1bps'"),
    "is killed": (READ + "os.kill(os.getpid(), 11)", r"killed by signal 11 \(SIGSEGV\)"),
    "talks": (READ + "print('Hello!', flush=True); time.sleep(60)", "not JSON: 'Hello!': an answer is a line like"),
    "lies": (READ + 'print(\'{"action": "knock 7S"}\', flush=True)', "illegal action 'knock 7S': legal are take, pass"),
    "is not UTF-8": (READ + "os.write(1, b'\"\\xff\"\\n')", "not JSON"),
    "closes its output": (READ + "os.close(1); time.sleep(60)", "closed its output"),
    "floods a line": (READ + "while True: os.write(1, b'x' * 65536)", f"line longer than {LONGEST} bytes: 'xxx"),
    "floods lines": (READ + "while True: os.write(1, b'\"pass\"\\n' * 99)", "more than one line for an answer"),
    "floods blank lines": ("while True: os.write(1, b'\\n' * 65536)", "timed out"),
    "floods errors": ("while True: os.write(2, b'x\\n' * 9999)", "^timed out after 1 s; its last words: 'x'"),
    "floods everything": (
        "os.set_blocking(1, False)\nwhile True:\n try: os.write(2, b'y' * 65536); os.write(1, b'x' * 65536)\n except OSError: pass",
        "wrote without being asked|line longer",
    ),
    "stops": ("import signal\nos.kill(os.getpid(), signal.SIGSTOP)", "timed out"),
    "ignores signals": (
        "import signal\nsignal.signal(15, signal.SIG_IGN); signal.signal(2, signal.SIG_IGN); time.sleep(60)",
        "timed",
    ),
    "leaves a child in its place": (
        READ + "subprocess.Popen(['sleep', '60']); sys.exit(0)",
        "exited with status 0",
    ),
}


@pytest.mark.parametrize("what", FAILURES)
def test_a_program_that(what: str, bot: Bot) -> None:
    code, reason = FAILURES[what]
    # The start of the interpreter counts: only where the time is to run out it is short.
    player = bot(code, 0.2 if reason.startswith("timed") else 1 if "time" in reason else 30)
    assert re.search(reason, failure(player, deal().view(1)))


def test_a_program_that_writes_unasked(bot: Bot, tmp_path: Path) -> None:
    code = f"os.write(1, b'\"pass\"\\n'); open({str(tmp_path / 'done')!r}, 'w'); time.sleep(60)"
    player = bot(code)
    player.begin(1, deal().view(1), 0)
    wait_for((tmp_path / "done").exists)
    assert failure(player, deal().view(1)) == "wrote without being asked: '\"pass\"'"


def test_a_program_that_closes_its_input(bot: Bot, tmp_path: Path) -> None:
    player = bot(f"os.close(0); open({str(tmp_path / 'done')!r}, 'w'); time.sleep(60)")
    player.begin(1, deal().view(1), 0)
    wait_for((tmp_path / "done").exists)
    assert failure(player, deal().view(1)) == "closed its input"


def test_a_program_that_died_between_hands(bot: Bot, tmp_path: Path) -> None:
    """News never fail because of it; the next question tells."""
    player = bot(f"print('\"pass\"', flush=True); sys.stderr.write('bye'); open({str(tmp_path / 'done')!r}, 'w')")
    hand = deal()
    assert player.decide(hand.view(1)) == Action("pass")
    wait_for((tmp_path / "done").exists)
    for _ in range(3):
        player.begin(1, hand.view(1), 0)
        player.observe(Event(0, "pass", None))
        time.sleep(0.05)
    assert failure(player, hand.view(1)) == "exited with status 0; its last words: 'bye'"


def test_a_program_that_never_reads(bot: Bot) -> None:
    """More than a pipe holds does not block, and more than is kept is a failure."""
    player = bot("time.sleep(60)", 0.2)
    player.begin(1, deal().view(1), 0)
    began = time.monotonic()
    for _ in range(3000):
        player.observe(Event(0, "draw", None))
    assert failure(player, deal().view(1)) == "timed out after 0.2 s"
    player = bot("time.sleep(60)")
    player.begin(1, deal().view(1), 0)
    with pytest.raises(PlayerFailed, match="does not read its input"):
        list(map(player.observe, [Event(0, "draw", None)] * (MOST_UNSENT // 40)))
    assert time.monotonic() - began < SOON


@pytest.mark.parametrize("how", ["fails", "is closed", "is killed", "is forgotten", "is interrupted"])
def test_no_process_is_left_when_a_player(how: str, tmp_path: Path) -> None:
    """Nor any that it has started in its group, whatever they ignore."""
    family = tmp_path / "family"
    script = tmp_path / "bot.py"
    script.write_text(f"""
import os, signal, subprocess, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "60"])
open({str(family)!r} + "~", "w").write(f"{{os.getpid()}} {{child.pid}}")
os.rename({str(family)!r} + "~", {str(family)!r})
while True:
    time.sleep(60)
""")
    player = ExecPlayer(shlex.join([sys.executable, "-I", "-S", str(script)]), 0.1 if how == "fails" else 60)
    player.begin(1, deal().view(1), 0)
    wait_for(family.exists)
    pids = [int(pid) for pid in family.read_text().split()]
    assert all(map(alive, pids))
    began = time.monotonic()
    if how == "fails":
        failure(player, deal().view(1))
    elif how == "is closed":
        player.close()
        player.close()
        with pytest.raises(PlayerFailed, match="it has been closed"):
            player.decide(deal().view(1))
    elif how == "is killed":
        with pytest.raises(RuntimeError), player:
            raise RuntimeError
    elif how == "is forgotten":
        del player
        gc.collect()
    else:
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            player.decide(deal().view(1))
        timer.join()
    assert time.monotonic() - began < SOON
    wait_for(lambda: not any(map(alive, pids)))


def test_a_player_that_was_never_used_starts_nothing(tmp_path: Path) -> None:
    with ExecPlayer("sleep 60", 5) as player:
        player.close()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("exec:", "names no command"),
        ("exec:   ", "names no command"),
        ("exec:python3 'bot.py", "no closing quotation: quote as in a shell"),
        ("exec:./no-such-bot --fast", "there is no program './no-such-bot'"),
        ("exec:/", "there is no program '/'"),
        ("module:", "write it as in module:package.module:Class"),
        ("module:bot", "write it as"),
        ("module:bot:", "write it as"),
        ("module:../bot:Bot", "write it as"),
        ("module:no_such_bot:Bot", "there is no module no_such_bot"),
        ("module:json.no_such_bot:Bot", "there is no module json.no_such_bot"),
        ("module:json:NoSuchBot", "the module has no NoSuchBot"),
        ("module:json:JSONDecoder", r"has no method decide\(view\)"),
        ("grandmaster", r"unknown player 'grandmaster': there are random, .*, exec:COMMAND, module:CLASS"),
    ],
)
def test_texts_that_name_no_player(text: str, wrong: str) -> None:
    with pytest.raises(UnreadableError, match=wrong):
        make_player(text, Streams(1, 0, 0).first)


def test_texts_that_name_players() -> None:
    assert [is_outside(text) for text in ("easy", "exec:x", "module:x:Y", "executive")] == [False, True, True, False]
    player = make_player("exec:cat", Streams(1, 0, 0).first, move_time=2.5)
    assert isinstance(player, ExecPlayer)
    assert (player.text, player.move_time) == ("exec:cat", 2.5)
    for seconds in (0, -1, float("nan"), float("inf")):
        with pytest.raises(UnreadableError, match="seconds a move: allowed is more than 0"):
            make_player("exec:cat", Streams(1, 0, 0).first, move_time=seconds)


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    script = tmp_path / "bot"
    script.write_bytes(b"\x7fELF no program")
    script.chmod(0o755)
    player = ExecPlayer(str(script), 5)
    assert "cannot be started: Exec format error" in failure(player, deal().view(1))


def test_failures_survive_pickling() -> None:
    """They come back from other processes."""
    import pickle

    error = pickle.loads(pickle.dumps(PlayerFailed("exec:x", "timed out after 5 s")))
    assert (str(error), error.player) == ("player 'exec:x': timed out after 5 s", "exec:x")


# Classes


Module = Callable[..., ModulePlayer]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Module]:
    """Makes a player of the class ``Bot`` of some code in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path, made = list(sys.path), set(sys.modules)
    number = iter(range(99))

    def make(code: str, move_time: float = 5.0, member: str = "Bot") -> ModulePlayer:
        name = f"bot_{next(number)}_of_{tmp_path.name}"
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
        return ModulePlayer(f"{name}:{member}", move_time)

    yield make
    assert sys.path == path
    for name in set(sys.modules) - made:
        if name.startswith("bot_"):
            del sys.modules[name]


def bot_code(body: str, rest: str = "") -> str:
    """A module whose class decides so."""
    return f"import sys, time\n{rest}\nclass Bot:\n    def decide(self, view):\n        {body}\n"


def test_the_man_pages_class_plays(module: Module) -> None:
    (code,) = examples("PYTHON CLASSES")
    with module(code, member="First") as player:
        for game in range(20):
            streams = Streams(5, game, 0)
            hand = Hand.deal(load_rules("duel"), seed=5, game=game, dealer=0)
            play_hand(hand, (player, LevelPlayer("easy", streams.second)), (streams.first, streams.second))
            assert hand.is_terminal


def test_a_class_can_change_nothing_but_its_own_copies(module: Module) -> None:
    """A vandal's hands go as those of a player that only looks."""
    code = """
from ginrummy.players.wire import legal_actions
class Bot:
    def begin(self, seat, view, seed):
        self.spoil(view)
    def decide(self, view):
        action = legal_actions(view)[-1]
        self.spoil(view)
        return action
    def observe(self, event):
        assert event.kind != "draw" or event.seat == 0 or event.card is None
        if VANDAL:
            object.__setattr__(event, "card", 7)
    def end(self, how):
        if VANDAL:
            object.__setattr__(how, "points", 500)
            object.__setattr__(how, "winner", 0)
            if how.showdown:
                object.__setattr__(how.showdown, "multiplier", 9)
    def spoil(self, view):
        if VANDAL:
            view.pile.clear(); view.pairs.append(3)
            view.hand = view.piled = view.known = view.refused = view.thrown = view.shown = 1
            view.phase = view.stock = view.turns = view.in_row = view.drawn = view.taken = 1
            for thing, name in ((view.terms, "gin"), (view.terms, "limit"), (view, "limit"), (view, "score")):
                try:
                    setattr(thing, name, 1000)
                except AttributeError:
                    pass
"""
    outcomes = []
    for vandal in (False, True):
        player = module(f"VANDAL = {vandal}\n{code}")
        results = []
        for game in range(20):
            streams = Streams(6, game, 0)
            hand = Hand.deal(load_rules("race"), seed=6, game=game, dealer=game % 2)
            view = hand.view(0)
            seats = player, LevelPlayer("easy", streams.second)
            how = play_hand(hand, seats, (streams.first, streams.second))
            results.append((how, hand.events, hand.pile, hand.returns(), hand.view(1).terms.gin, view.pile))
        outcomes.append(results)
    assert outcomes[0] == outcomes[1]


def test_a_copied_view_is_the_same_view() -> None:
    """Every attribute, those added later too; and no list is shared."""

    def attributes(thing: object) -> dict[str, object]:
        names = getattr(type(thing), "__mypyc_attrs__", None) or vars(thing)
        return {name: getattr(thing, name) for name in names}

    streams = Streams(8, 0, 0)
    hand = Hand.deal(load_rules("oklahoma"), seed=8, dealer=0, scores=(3, 4))
    players = LevelPlayer("easy", streams.first), LevelPlayer("easy", streams.second)
    while not hand.is_terminal:
        for seat in (0, 1):
            view = hand.view(seat)
            own = wire.copied(view)
            one, other = attributes(view), attributes(own)
            assert attributes(one.pop("terms")) == attributes(other.pop("terms"))
            assert one == other
            assert own.pile is not view.pile
            assert own.pairs is not view.pairs
            assert own.terms is not view.terms
        hand.apply(players[hand.turn].decide(hand.view(hand.turn)))


CLASS_FAILURES = {
    "raises": ("return 1 // 0", r"decide raised ZeroDivisionError: \w+ .*by zero \(bot_\w+\.py line 7\)$"),
    "raises what has no text": ("raise Odd", r"decide raised Odd: its message cannot be shown"),
    "raises many lines": ("raise ValueError('a\\nb' * 999)", r"decide raised ValueError: a\\nba\\nb.*b \(bot_"),
    "fails an assertion": ("assert not view.hand", r"decide raised AssertionError \("),
    "exits": ("sys.exit('bye')", "decide raised SystemExit: bye"),
    "reads what is not for it": ("return input()", "decide raised RuntimeError: input"),
    "recurses": ("return self.decide(view)", "decide raised RecursionError"),
    "says nothing": ("return None", "no action: an answer is a text"),
    "lies": ("return 'big-gin'", "illegal action 'big-gin': legal are take, pass"),
    "hangs": ("while True: pass", "timed out after 0.2 s"),
    "sleeps": ("time.sleep(60)", "timed out after 0.2 s"),
    "is late and lies about it": (
        "\n        try: time.sleep(60)\n        except BaseException: return 'pass'",
        "timed out after 0.2 s",
    ),
    "is late and raises": (
        "\n        try: time.sleep(60)\n        except BaseException: 1 // 0",
        "timed out after 0.2 s",
    ),
    "hangs on": (
        "\n        while True:\n            try: time.sleep(60)\n            except BaseException: pass",
        "timed out after 0.2 s",
    ),
}


@pytest.mark.parametrize("what", CLASS_FAILURES)
def test_a_class_that(what: str, module: Module) -> None:
    body, reason = CLASS_FAILURES[what]
    odd = "class Odd(Exception):\n    def __str__(self): return 1 // 0\n"
    player = module(bot_code(body, odd), 0.2)
    assert re.search(reason, failure(player, deal().view(1)))


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("1 // 0", "import raised ZeroDivisionError"),
        ("def", r"import raised SyntaxError: .*line 1"),
        ("import no_such_thing", "import raised ModuleNotFoundError: No module named 'no_such_thing'"),
        ("raise SystemExit(3)", "import raised SystemExit: 3"),
        ("class Bot:\n    def __init__(self): 1 // 0", "making it raised ZeroDivisionError"),
        ("class Bot:\n    def __init__(self, more): pass", "making it raised TypeError"),
    ],
)
def test_a_class_that_cannot_be_made(code: str, reason: str, module: Module) -> None:
    with pytest.raises(PlayerFailed, match=reason):
        module(code)


def test_other_methods_of_a_class_fail_like_decide(module: Module) -> None:
    player = module("class Bot:\n    def decide(self, view): return 'pass'\n    def observe(self, event): 1 // 0\n")
    player.observe(Event(0, "pass", None))  # not before a hand has begun
    player.begin(1, deal().view(1), 0)
    with pytest.raises(PlayerFailed, match="observe raised ZeroDivisionError"):
        player.observe(Event(0, "pass", None))
    failure(player, deal().view(1))


def test_what_a_class_prints_is_no_result(module: Module, capsys: pytest.CaptureFixture[str]) -> None:
    player = module("print('hello')\n" + bot_code("print('thinking'); return 'pass'"))
    player.decide(deal().view(1))
    assert capsys.readouterr() == ("", "hello\nthinking\n")


def test_an_interrupt_passes_through_a_class(module: Module) -> None:
    player = module(bot_code("import signal; signal.raise_signal(2); return 'pass'"))
    with pytest.raises(KeyboardInterrupt):
        player.decide(deal().view(1))


def test_time_of_a_class_in_another_thread_is_looked_at_afterwards(module: Module) -> None:
    player = module(bot_code("time.sleep(0.1); return 'pass'"), 0.05)
    reasons: list[str] = []
    thread = threading.Thread(target=lambda: reasons.append(failure(player, deal().view(1))))
    thread.start()
    thread.join()
    assert reasons == ["timed out after 0.05 s"]


def test_an_alarm_set_before_still_rings(module: Module) -> None:
    player = module(bot_code("time.sleep(0.05); return 'pass'"))
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        player.decide(deal().view(1))
        wait_for(lambda: rung)
        signal.setitimer(signal.ITIMER_REAL, 60)
        player.decide(deal().view(1))
        assert 50 < signal.getitimer(signal.ITIMER_REAL)[0] < 60
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung == [signal.SIGALRM]
