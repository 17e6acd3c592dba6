"""The store: nothing that was acknowledged is lost, nothing that is there is harmed."""

from __future__ import annotations

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from ginrummy import rules as rules_module
from ginrummy.errors import IllegalError
from ginrummy.game import Game, Table, player_count
from ginrummy.game_log import Progress, Step, action_text, read_action, read_rng, replay, rng_text
from ginrummy.hand import Action, Hand
from ginrummy.kernel.rng import Rng
from ginrummy.melds import best_arrangement, parse_melds
from ginrummy.notation import parse_card
from ginrummy.players import LevelPlayer
from ginrummy.record_book import statistics_json
from ginrummy.replay import replay as replay_record
from ginrummy.rules import load_rules
from ginrummy.simulation import Plan, simulate
from ginrummy.simulation_records import hand_record_json
from ginrummy.store import (
    NoGameError,
    OpenElsewhere,
    OpenGame,
    SavedGame,
    Setup,
    Store,
    StoreError,
    StoreUnavailable,
    data_folder,
)
from ginrummy.store import lock as lock_module
from ginrummy.store.database import FILE, VERSION
from ginrummy.store.lock import GameLock

SETUP = Setup("easy", ("Anna", "Computer"), options={"hints": False})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path, wait=0.05, sync=False) as opened:
        yield opened


def begin(store: Store, rules: str = "race", seed: int = 1, setup: Setup = SETUP) -> SavedGame:
    return store.new_game(Game(load_rules(rules), seed=seed), setup)


def now(progress: Progress) -> tuple[Table, Hand]:
    """The first table of the deal whose hand goes on."""
    return next((table, progress.hand(table)) for table in progress.tables() if progress.hand(table).end is None)


def decide(open_game: OpenGame, level: str) -> Action:
    """What a player of that level in the seat to act does."""
    table, hand = now(open_game)
    return LevelPlayer(level, open_game.rng(table, hand.turn)).decide(hand.view(hand.turn))


def act(open_game: OpenGame, action: Action) -> None:
    open_game.play(now(open_game)[0], action)


def play(open_game: OpenGame, most: int = 10**6, levels: tuple[str, str] = ("eaai-simple", "easy")) -> None:
    for _ in range(most):
        if open_game.game.finished:
            break
        act(open_game, decide(open_game, levels[now(open_game)[1].turn]))


def place(progress: Progress) -> list[Any]:
    """All there is to see of where a game stands."""
    game = progress.game
    tables = [] if game.finished else progress.tables()
    found: list[Any] = [[(sheet.rows, sheet.dealers) for sheet in game.match.games], game.finished]
    for table in tables:
        hand = progress.hand(table)
        found += [table, hand.events, hand.phase, hand.turn, hand.pile, hand.stock_count, hand.end]
        for seat in (0, 1):
            view = hand.view(seat)
            names = [name for name in dir(view) if not (name.startswith("_") or name in ("copy", "terms"))]
            found += [hand.cards(seat), {name: getattr(view, name) for name in names}]
    return found


# The log


@pytest.mark.parametrize(
    "action",
    [
        *(Action("take"), Action("draw"), Action("pass"), Action("big-gin"), Action("discard", 9), Action("knock", 51)),
        Action("knock", 51, parse_melds("2H 3H 4H / 9S 9H 9D 9C")),
        Action("knock", 51, ()),
    ],
    ids=str,
)
def test_an_action_reads_back(action: Action) -> None:
    assert read_action(action_text(action)) == action


def test_a_stream_of_chance_goes_on_where_it_was() -> None:
    rng = Rng(1, 2, 3, 0xFFFFFFFF)
    rng.word()
    again = read_rng(rng_text(rng))
    assert [again.word() for _ in range(9)] == [rng.word() for _ in range(9)]


def test_a_log_that_cannot_be_is_refused() -> None:
    rules = load_rules("race")
    (table,) = Game(rules, seed=1).tables()
    first, second = 1 - table.dealer, table.dealer
    for steps, why in (
        ([Step(0, first, "draw")], r"action 1, 'draw': the \w+ is on offer"),
        ([Step(0, second, "pass")], f"action 1, 'pass': it is the turn of seat {first}, not of seat {second}"),
        ([Step(1, first, "pass")], "action 1, 'pass': hand 1 is not under way"),
        ([Step(0, first, "pass"), Step(0, second, "fold")], "action 2, 'fold': "),
        ([Step(0, first, "pass"), Step(0, second, "")], "action 2, ''"),
    ):
        with pytest.raises(IllegalError, match=why):
            list(replay(Progress(Game(rules, seed=1)), steps))


# Round trips


@pytest.mark.parametrize(
    "rules", ["classic", "oklahoma+spades", "quick+hollywood", "race+partnership", "duel+cutthroat", "quick+best-of=3"]
)
def test_every_place_of_a_game_is_restored(store: Store, rules: str) -> None:
    """The position, both views and the next decision of players that play by chance are the same after each resume."""
    settings = {"target": 40}
    names = tuple(["Anna", "Ben", "Cem", "Dora"][: player_count(load_rules(rules))])
    setup = Setup("easy", names)
    kept = OpenGame(Game(load_rules(rules, settings=settings), seed=5), setup)
    store.new_game(Game(load_rules(rules, settings=settings), seed=5), setup).close()
    for _ in range(200):
        _, hand = now(kept)
        # What draws on chance in every decision is good for moves, not for getting anywhere.
        usual = ("eaai-simple", "easy")[hand.turn]
        level = {0: "random", 4: "expert:2"}.get(len(hand.events) % 8, usual)
        with store.resume() as saved:
            assert saved.setup == setup
            assert place(saved) == place(kept)
            action = decide(kept, level)
            assert decide(saved, level) == action
            act(saved, action)
            act(kept, action)
            assert place(saved) == place(kept)
            if kept.game.finished:
                break
    else:
        with store.resume() as saved:
            play(saved)
            play(kept)
            assert place(saved) == place(kept)
    (info,) = store.games()
    match = kept.game.match
    assert info.status == ("drawn" if match.winner is None else "lost" if match.winner else "won")
    assert info.points == kept.game.sheet.totals
    assert info.games_won == match.games_won
    assert info.totals == tuple(line.total for line in kept.game.sheet.final())
    assert info.hands == sum(len(row.hands) for sheet in match.games for row in sheet.rows)


def test_a_player_object_may_live_through_a_hand(store: Store) -> None:
    """The session makes its player once a hand: the stream is the same object."""
    saved = begin(store, "classic")
    table, _ = now(saved)
    assert saved.rng(table, 1) is saved.rng(table, 1)
    assert rng_text(saved.rng(table, 1)) == rng_text(saved.game.streams(table).second)
    assert rng_text(saved.rng(table, 0)) == rng_text(saved.game.streams(table).first)


def test_a_hand_of_an_earlier_deal_is_refused(store: Store) -> None:
    saved = begin(store)
    table, hand = now(saved)
    while hand.end is None:
        act(saved, decide(saved, "easy"))
    with pytest.raises(IllegalError, match="of another deal"):
        saved.play(table, Action("draw"))
    assert saved.trouble is None


def test_an_illegal_action_leaves_no_trace(store: Store) -> None:
    saved = begin(store)
    table, hand = now(saved)
    with pytest.raises(IllegalError):
        saved.play(table, Action("draw"))
    assert (hand.events, saved.behind, store.load(1)[1]) == ([], 0, [])


def test_what_a_list_tells(store: Store) -> None:
    saved = begin(store, "romme+straight")
    play(saved, 5)
    (info,) = store.games()
    assert (info.id, info.status, info.setup, info.rules_name) == (1, "running", SETUP, "romme+straight")
    assert (info.seed, info.number, info.actions, info.hands, info.points) == (1, 0, 5, 0, (0, 0))
    assert (info.sides, info.games_won) == (("player 1", "player 2"), (0, 0))
    assert info.winner is None
    assert info.totals is None
    assert info.rules() == load_rules("romme+straight")
    assert store.games("won", "lost") == []


def test_rules_stay_as_they_were(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version may change a preset, not a game under way."""
    rules = load_rules("race", settings=["big_gin_bonus=none", "hints=no"])
    store.new_game(Game(rules, seed=1), SETUP).close()
    monkeypatch.setitem(rules_module._table()["preset"]["race"], "gin_bonus", 7)
    assert load_rules("race").gin_bonus == 7
    with store.resume() as saved:
        assert saved.game.rules == rules
        assert (saved.game.rules.name, saved.game.rules.settings) == ("race", {"big_gin_bonus": None, "hints": False})


def test_a_newer_strategy_does_not_change_what_was_played(store: Store) -> None:
    """What a computer did is taken from the log, whatever it would do today."""
    with begin(store) as saved:
        for _ in range(12):
            action = decide(saved, "easy")
            others = [one for one in now(saved)[1].legal_actions() if one != action and one.kind != "knock"]
            act(saved, others[-1] if others else action)
        expected = place(saved)
    with store.resume() as saved:
        assert place(saved) == expected


# Endings


def test_won_and_lost_games_are_over(store: Store) -> None:
    for seed in range(8):
        with begin(store, "quick", seed) as saved:
            play(saved)
            winner = saved.game.match.winner
            lines = saved.game.sheet.final()
        info = store.games()[-1]
        assert info.winner == winner
        assert info.status == ("won" if winner == 0 else "lost")
        assert info.totals == tuple(line.total for line in lines)
        with pytest.raises(NoGameError, match=f"game {info.id} is over: it was {info.status}"):
            store.resume(info.id)
    assert {info.status for info in store.games()} == {"won", "lost"}
    with pytest.raises(NoGameError, match="no game is under way"):
        store.resume()


def test_resigned_and_abandoned(store: Store) -> None:
    for end in (SavedGame.resign, SavedGame.abandon, lambda saved: saved.resign(1)):
        saved = begin(store)
        play(saved, 3)
        end(saved)
    assert [(info.status, info.winner) for info in store.games()] == [("resigned", 1), ("abandoned", None), ("won", 0)]
    with pytest.raises(NoGameError):
        store.resume()


def test_the_game_played_last_is_resumed(store: Store) -> None:
    one, two = begin(store, seed=1), begin(store, seed=2)
    one.close()
    two.close()
    with store.resume() as saved:
        assert saved.id == 2
        # While that one is open, the other is the last one.
        with store.resume() as other:
            assert other.id == 1
            with pytest.raises(OpenElsewhere, match="all games under way are open in other sessions"):
                store.resume()
    with pytest.raises(NoGameError, match="there is no game 3"):
        store.resume(3)


def test_forget(store: Store, tmp_path: Path) -> None:
    setup = Setup("easy", ("Zebulon", "Computer"))
    with begin(store, setup=setup) as saved:
        play(saved, 30)
        with pytest.raises(OpenElsewhere):
            store.forget(1)
    begin(store).close()
    store.forget(1)
    assert [info.id for info in store.games()] == [2]
    assert not any(b"Zebulon" in path.read_bytes() for path in tmp_path.iterdir())
    with pytest.raises(NoGameError, match="there is no game 1"):
        store.forget(1)
    with begin(store) as saved:
        assert saved.id == 3, "a number is never given twice"
        assert store.forget_all() == ([2], [3])
    assert store.forget_all() == ([3], [])
    assert sorted(path.name for path in tmp_path.glob("*.lock")) == []


def test_a_game_that_was_forgotten_meanwhile(store: Store, tmp_path: Path) -> None:
    """Only by somebody who takes the lock away by hand; the game goes on unsaved."""
    saved = begin(store)
    next(tmp_path.glob("*.lock")).unlink()
    store.forget(1)
    play(saved, 1)
    assert "was forgotten by another session" in str(saved.trouble)


def test_notes(store: Store, tmp_path: Path) -> None:
    assert store.note("coach offered") is None
    store.write_note("coach offered", True)
    store.write_note("coach offered", {"again": False})
    with Store.open(tmp_path) as other:
        assert other.note("coach offered") == {"again": False}


@pytest.mark.parametrize("rules", ["race", "quick+hollywood", "quick+best-of=3"])
def test_export_is_what_simulate_records(store: Store, rules: str) -> None:
    recorded: list[dict[str, Any]] = []
    plan = Plan(load_rules(rules), ("eaai-simple", "easy"), 3, 1, "game", mirror=False)
    simulate(plan, record=lambda record: recorded.append(hand_record_json(plan, record)))
    with store.new_game(Game(load_rules(rules), seed=3), SETUP) as saved:
        play(saved, 40)
        with pytest.raises(NoGameError, match="under way"):
            store.export(1)
        play(saved)
    exported = store.export(1)
    assert [record.pop("players") for record in exported] == [["human", "easy"]] * len(recorded)
    for record in recorded:
        record.pop("players")
    assert exported == recorded


@pytest.mark.parametrize(("rules", "hands"), [("race", 3), ("race+partnership", 3), ("race+cutthroat", 4)])
def test_an_export_replays(store: Store, rules: str, hands: int) -> None:
    """With the hand under way left out."""
    names = tuple(["Anna", "Ben", "Cem", "Dora"][: player_count(load_rules(rules))])
    with begin(store, rules, setup=Setup("easy", names)) as saved:
        while store.games()[0].hands < hands:
            act(saved, decide(saved, "easy"))
        act(saved, decide(saved, "easy"))
        saved.resign()
    exported = store.export(1)
    assert len(exported) == hands
    assert {tuple(record["players"]) for record in exported} <= {("human", "easy"), ("easy", "easy")}
    for record in exported:
        assert replay_record(record) is None


def test_export_keeps_a_knockers_own_spread(store: Store) -> None:
    with begin(store, "classic", seed=2) as saved:
        while store.games()[0].hands < 3:
            action = decide(saved, "easy")
            if action.kind == "knock" and action.card is not None:
                hand = now(saved)[1]
                melds = best_arrangement(hand.cards(hand.turn) ^ 1 << action.card).melds
                action = Action("knock", action.card, melds)
            act(saved, action)
        saved.resign()
    exported = store.export(1)
    assert all(" with " in record["actions"][-1] for record in exported)
    for record in exported:
        hand = Hand(load_rules("classic"), [parse_card(text) for text in record["deck"]], dealer=record["dealer"])
        for text in record["actions"]:
            hand.apply(read_action("draw" if text.startswith("draw ") else text))
        assert hand.end is not None
        expected = (record["winner"], record["result"], record["points"])
        assert (hand.end.winner, hand.end.result, hand.end.points) == expected


def test_statistics_of_the_store(store: Store) -> None:
    """Counted and finished games only; the numbers are those of the games themselves."""
    hands = 0
    for seed in range(5):
        with begin(store, "quick", seed) as saved:
            play(saved)
            hands += len(saved.game.sheet.rows)
    begin(store, "quick", 1, Setup("exec:bot", ("Anna", "bot"), counted=False)).resign()
    begin(store).abandon()
    begin(store).close()
    begin(store, "duel").resign()
    book = statistics_json(store.statistics())
    statuses = [info.status for info in store.games()]
    assert (book["games"], book["won"], book["lost"]) == (6, statuses.count("won"), statuses.count("lost") + 1)
    assert (book["resigned"], book["hands"]) == (1, hands)
    assert [(group["rules"], group["level"], group["games"]) for group in book["by_rules_and_level"]] == [
        ("quick", "easy", 5),
        ("duel", "easy", 1),
    ]


def test_statistics_leave_out_the_other_table(store: Store) -> None:
    """In a partnership the player's own hands count; the game is the team's."""
    with begin(store, "race+partnership", setup=Setup("easy", ("Anna", "Ben", "Cem", "Dora"))) as saved:
        play(saved)
    assert store.games()[0].hands == 2 * len(saved.game.sheet.rows)
    page = store.statistics().total
    assert (page.games, page.hands) == (1, len(saved.game.sheet.rows))
    own = [row.hands[0] for row in saved.game.sheet.rows]
    assert page.points == [sum(hand.points for hand in own if hand.winner == side) for side in (0, 1)]


def test_streaks_go_by_the_order_games_are_finished(store: Store) -> None:
    one, two = begin(store), begin(store)
    two.resign(1)
    one.resign()
    assert store.statistics().total.streak == -1


# Several at once, and violent ends

PLAYER = """
import sys, time
from pathlib import Path
from ginrummy.game import Game, Table, player_count
from ginrummy.players import LevelPlayer
from ginrummy.rules import load_rules
from ginrummy.store import NoGameError, Setup, Store

store, left, seed = Store.open(Path(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])
while left:
    try:
        if sys.argv[4] == "new":
            raise NoGameError
        saved = store.resume()
    except NoGameError:
        saved = store.new_game(Game(load_rules("quick"), seed=seed), Setup("easy", ("a", "b")))
        seed += 1
    at = store.load(saved.id)[0].actions
    while left and not saved.game.finished:
        (table,) = saved.tables()
        hand = saved.hand(table)
        seat = hand.turn
        action = LevelPlayer("eaai-simple", saved.rng(table, seat)).decide(hand.view(seat))
        saved.play(table, action)
        if saved.trouble:
            raise saved.trouble
        print(saved.id, at, seat, action, flush=True)
        at += 1
        left -= 1
    saved.close()
"""


def start(folder: Path, actions: int, seed: int, mode: str, out: IO[str] | int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PLAYER, str(folder), str(actions), str(seed), mode]
    return subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, text=True)


def acknowledged(output: str) -> dict[tuple[int, int], str]:
    """By game and ordinal: seat and action of each line that is whole."""
    found = {}
    for line in output.splitlines(keepends=True):
        if line.endswith("\n"):
            game, at, rest = line.rstrip("\n").split(" ", 2)
            assert (int(game), int(at)) not in found, "acknowledged twice"
            found[int(game), int(at)] = rest
    return found


def stored(folder: Path) -> dict[tuple[int, int], str]:
    with Store.open(folder) as store:
        return {
            (info.id, at): f"{step.seat} {step.action}".partition(" with")[0]
            for info in store.games()
            for at, step in enumerate(store.load(info.id)[1])
        }


def test_killed_at_any_moment(tmp_path: Path) -> None:
    """Every action that was acknowledged is there, once and in its place; at most one more."""
    folder = tmp_path / "games"
    known: dict[tuple[int, int], str] = {}
    chance = random.Random(1)
    began = time.monotonic()
    for kill in range(30):
        lines = tmp_path / "lines"
        with lines.open("w") as out:
            process = start(folder, 10**6, 100 * kill, "resume", out)
            while kill % 3 and not lines.stat().st_size and process.poll() is None:
                time.sleep(0.001)
            # Also while it starts.
            time.sleep(chance.random() * (0.03 if kill % 3 else 0.25))
            process.kill()
            _, errors = process.communicate()
        assert errors == ""
        found = acknowledged(lines.read_text())
        there = stored(folder)
        assert known.items() <= there.items(), "what was there once is changed or gone"
        assert found.items() <= there.items(), "acknowledged and lost"
        assert not found.keys() & known.keys(), "played twice"
        assert len(there) - len(known) - len(found) in (0, 1)
        known = there
        if time.monotonic() - began > 30:
            break
    assert len(known) >= 20, "two kills of three come after an action"
    with Store.open(folder) as store:
        for info in store.games():
            list(replay(Progress(Game(info.rules(), seed=info.seed)), store.load(info.id)[1]))


def test_sessions_at_once_do_not_hurt_each_other(tmp_path: Path) -> None:
    """From the very first moment: they even make the store together."""
    processes = [start(tmp_path, 100, 1000 * number, "new", subprocess.PIPE) for number in range(3)]
    found: dict[tuple[int, int], str] = {}
    for process in processes:
        output, errors = process.communicate(timeout=30)
        assert (process.returncode, errors) == (0, "")
        lines = acknowledged(output)
        assert not lines.keys() & found.keys()
        found |= lines
    assert len(found) == 300
    assert found == stored(tmp_path)


def test_a_game_is_open_in_one_session(tmp_path: Path) -> None:
    with Store.open(tmp_path) as one, Store.open(tmp_path) as two:
        saved = begin(one)
        with pytest.raises(OpenElsewhere, match="game 1 is open in another session"):
            two.resume(1)
        with pytest.raises(OpenElsewhere, match="game 1 is open in another session"):
            two.resume()
        saved.close()
        saved.close()
        with two.resume(1) as again:
            assert again.id == 1
            with pytest.raises(OpenElsewhere):
                one.resume(1)


def test_a_lock_file_that_its_holder_takes_away_at_that_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no lock: nobody else would see it."""
    holder = GameLock(tmp_path, 1)
    usual = lock_module._lock

    def late(file: int) -> None:
        holder.release()
        usual(file)

    monkeypatch.setattr(lock_module, "_lock", late)
    lock = GameLock(tmp_path, 1)
    with pytest.raises(OpenElsewhere):
        GameLock(tmp_path, 1)
    lock.release()
    assert list(tmp_path.iterdir()) == []


# What can be wrong with a file


def damage_text(path: Path) -> None:
    path.write_text("these are my games\n" * 100)


def damage_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def damage_few(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:50])


def damage_header(path: Path) -> None:
    path.write_bytes(b"\0" * 100 + path.read_bytes()[100:])


def damage_schema(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE actions RENAME COLUMN action TO deed")
    connection.close()


def newer(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()


def other_program(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    connection.close()


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (damage_text, "damaged"),
        (damage_half, "damaged"),
        (damage_few, "damaged"),
        (damage_header, "damaged"),
        (damage_schema, "damaged"),
        (newer, r"newer ginrummy \(version 2, this one knows 1\)"),
        (other_program, "database of another program"),
    ],
)
def test_a_file_that_cannot_be_used_is_reported_and_kept(
    tmp_path: Path, damage: Callable[[Path], None], what: str
) -> None:
    with Store.open(tmp_path, sync=False) as store, begin(store) as saved:
        play(saved, 300)
    path = tmp_path / FILE
    damage(path)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=rf"games.sqlite3' (is|was) .*{what}.*it is left as it is.*--data") as caught:
        Store.open(tmp_path)
    assert not isinstance(caught.value, StoreUnavailable)
    assert path.read_bytes() == before
    assert [other.name for other in tmp_path.iterdir() if other != path] == []


def test_damage_inside_is_found_when_it_is_met(tmp_path: Path) -> None:
    with Store.open(tmp_path, sync=False) as store, begin(store) as saved:
        play(saved, 600)
    path = tmp_path / FILE
    content = bytearray(path.read_bytes())
    size = 4096
    for page in range(6, len(content) // size):
        content[page * size : page * size + 200] = b"\xff" * 200
    path.write_bytes(content)
    with Store.open(tmp_path) as store, pytest.raises(StoreError, match="is damaged"):
        store.load(1)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("UPDATE actions SET action = 'fold' WHERE ordinal = 3", "cannot be gone on with .*action 4, 'fold'"),
        ("UPDATE actions SET seat = 1 - seat WHERE ordinal = 3", "cannot be gone on with .*the turn of seat"),
        ("DELETE FROM actions WHERE ordinal = 3", "actions of game 1 are missing"),
        ("UPDATE actions SET chance = 'luck' WHERE ordinal = 19", "cannot be gone on with .*'luck'"),
        ("UPDATE games SET names = '7'", "is damaged"),
        ("UPDATE games SET rule_values = 'classic'", "is damaged"),
        ("UPDATE games SET rule_values = '{\"jokers\": 2}'", "cannot be gone on with .*unknown key 'jokers'"),
        ("UPDATE games SET options = x'ff'", "is damaged"),
        ("UPDATE actions SET action = x'ff'", "cannot be gone on with"),
    ],
)
def test_a_game_that_cannot_be_is_reported_and_kept(store: Store, tmp_path: Path, change: str, why: str) -> None:
    with begin(store) as saved:
        play(saved, 20, ("random", "random"))
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute(change)
        before = list(connection.iterdump())
    with pytest.raises(StoreError, match=why):
        store.resume(1)
    assert list(connection.iterdump()) == before
    connection.close()
    store.forget(1)
    assert store.games() == []


# Where nothing can be written


def test_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable, match=r"file.*cannot be reached: (Not a directory|File exists)"):
        Store.open(tmp_path / "file" / "games")
    with pytest.raises(StoreUnavailable):
        Store.open(tmp_path / "file")


def test_a_folder_in_its_place(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(StoreUnavailable, match="unable to open"):
        Store.open(tmp_path)


NOBODY = """
import os, sys
from pathlib import Path
from ginrummy.game import Game, Table, player_count
from ginrummy.rules import load_rules
from ginrummy.store import Setup, Store, StoreUnavailable
from ginrummy.record_book import statistics_json
import ginrummy.store.saved, ginrummy.kernel.spreads
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
for folder in sys.argv[1:]:
    try:
        Store.open(Path(folder)).new_game(Game(load_rules("race"), seed=1), Setup("easy", ("a", "b")))
        print("written")
    except StoreUnavailable as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such rights there")
def test_without_the_right_to_write(tmp_path: Path) -> None:
    """An empty folder, and one with a store, of somebody else."""
    empty, full = tmp_path / "empty", tmp_path / "full"
    empty.mkdir()
    Store.open(full).close()
    before = (full / FILE).read_bytes()
    # The way there is open to everybody.
    for folder in [*tmp_path.parents[:2], tmp_path]:
        folder.chmod(0o755)
    (full / FILE).chmod(0o444)
    empty.chmod(0o555)
    full.chmod(0o555)
    done = subprocess.run(
        [sys.executable, "-c", NOBODY, str(empty), str(full), str(empty / "new")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all("cannot be reached: " in line for line in lines), lines
    assert (full / FILE).read_bytes() == before
    full.chmod(0o755)
    empty.chmod(0o755)


@contextmanager
def no_room(folder: Path) -> Iterator[None]:
    """No file of the folder may grow any more, as on a disk that is full."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = max(path.stat().st_size for path in folder.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


def test_a_full_disk(store: Store, tmp_path: Path) -> None:
    """The game goes on; when there is room again, all that is missing is written with the next action."""
    saved = begin(store)
    play(saved, 40)
    with no_room(tmp_path):
        play(saved, 10)
        failed = saved.behind
        assert failed >= 8
        assert isinstance(saved.trouble, StoreUnavailable)
        with pytest.raises(StoreUnavailable, match="cannot be reached: "):
            begin(store)
    assert store.load(1)[0].actions == 50 - failed
    play(saved, 1)
    assert saved.behind == 0
    assert not saved.trouble
    expected = place(saved)
    saved.close()
    assert store.load(1)[0].actions == 51
    with store.resume() as again:
        assert place(again) == expected


def test_a_store_that_is_locked(store: Store, tmp_path: Path) -> None:
    saved = begin(store)
    play(saved, 2)
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    play(saved, 1)
    assert "another program keeps them locked" in str(saved.trouble)
    assert saved.behind == 1
    assert store.load(1)[0].actions == 2, "reading goes on meanwhile"
    other.execute("ROLLBACK")
    other.close()
    play(saved, 1)
    assert [step.action for step in store.load(1)[1]] == _texts(1, 4)


def _texts(seed: int, count: int) -> list[str]:
    texts: list[str] = []

    class Noted(OpenGame):
        def play(self, table: Table, action: Action) -> None:
            super().play(table, action)
            texts.append(action_text(action))

    play(Noted(Game(load_rules("race"), seed=seed), SETUP), count)
    return texts


def test_interrupted_before_and_after_the_commit(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C inside ``record``: the action is written once, now or with the next one."""
    saved = begin(store)
    play(saved, 2)
    with monkeypatch.context() as patch:
        patch.setattr(saved, "_write_steps", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            play(saved, 1)
    assert store.load(1)[0].actions == 2
    writing = saved._database.writing

    @contextmanager
    def interrupted() -> Iterator[None]:
        with writing():
            yield
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(saved._database, "writing", interrupted)
        with pytest.raises(KeyboardInterrupt):
            play(saved, 1)
    assert store.load(1)[0].actions == 4
    play(saved, 1)
    assert [step.action for step in store.load(1)[1]] == _texts(1, 5)


def _interrupt() -> None:
    raise KeyboardInterrupt


def test_interrupted_after_the_commit_of_a_hand_and_of_a_game(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = begin(store, "quick")
    writing = saved._database.writing

    @contextmanager
    def interrupted() -> Iterator[None]:
        with writing():
            yield
        raise KeyboardInterrupt

    monkeypatch.setattr(saved._database, "writing", interrupted)
    while not saved.game.finished:
        with pytest.raises(KeyboardInterrupt):
            play(saved, 1)
    monkeypatch.undo()
    saved.abandon()
    (info,) = store.games()
    assert info.status in ("won", "lost"), "what is over is not abandoned"
    assert info.hands == len(saved.game.sheet.rows)
    assert store.export(1)[-1]["result"] == saved.game.sheet.rows[-1].result


def test_ctrl_c_waits_until_an_action_is_saved(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it comes; it is not lost either."""
    saved = begin(store)
    for moment in ("act", "_write_steps", "act"):
        usual = getattr(saved, moment)

        def late(*args: Any, usual: Any = usual) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            usual(*args)
            os.kill(os.getpid(), signal.SIGINT)

        with monkeypatch.context() as patch:
            patch.setattr(saved, moment, late)
            with pytest.raises(KeyboardInterrupt):
                play(saved, 1)
        assert saved.behind == 0
    assert [step.action for step in store.load(1)[1]] == _texts(1, 3)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# The folder


def test_which_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert data_folder("here", {"GINRUMMY_DATA": "there"}) == Path("here")
    assert data_folder(None, {"GINRUMMY_DATA": "there"}) == Path("there")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = data_folder(None, {"GINRUMMY_DATA": ""})
    assert folder.is_relative_to(tmp_path)
    assert folder.name == "ginrummy"
    assert list(tmp_path.iterdir()) == []


def test_no_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is not made: somebody without a home plays without saving, or names a folder."""
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "missing"))
    with pytest.raises(StoreUnavailable, match=r"no home folder .*--data"):
        data_folder(None, {})
    assert not (tmp_path / "missing").exists()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert data_folder(None, {}) == tmp_path / "data" / "ginrummy"


def test_the_files_are_for_their_owner(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a" / "b"):
        assert (tmp_path / "a" / "b").stat().st_mode & 0o077 == 0


def test_an_empty_file_is_a_new_store(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    with Store.open(tmp_path) as store:
        assert store.games() == []
    assert os.listdir(tmp_path) == [FILE]
