"""``simulate``: what it writes, that a seed fixes it, and that its figures are those of the hands it played."""

from __future__ import annotations

import json
import math
import os
import resource
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import ginrummy.kernel
from ginrummy.cards import NAMES
from ginrummy.cli import Outcome, run
from ginrummy.hand import Action, Hand
from ginrummy.kernel.contest import first_dealer
from ginrummy.kernel.rng import Streams
from ginrummy.players import LEVELS
from ginrummy.rules import load_rules
from ginrummy.simulation import Plan, simulate

BASELINE = ["--players", "eaai-simple,eaai-simple", "--rules", "race+no-big-gin"]
MANY = 2000 if ginrummy.kernel.compiled else 60

KEYS = [
    *("schema", "rules", "seed", "unit", "games", "hands", "players", "mirror", "wins", "win_rate", "ci95"),
    *("points_per_hand", "points_stderr", "results", "mean_turns"),
]


def done(*args: str) -> dict[str, Any]:
    """The result of a run in process."""
    outcome = run(["simulate", "--json", *args])
    assert outcome.status == 0, outcome.stderr
    assert outcome.stdout.count("\n") == 1
    result: dict[str, Any] = json.loads(outcome.stdout)
    return result


def recorded(folder: Path, *args: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The result of a run and its recorded hands."""
    file = folder / "hands.jsonl"
    file.unlink(missing_ok=True)
    result = done(*args, "--record", str(file))
    return result, [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


# --- the result ---------------------------------------------------------------------------------


def test_a_result_has_the_keys_of_the_specification() -> None:
    result = done("-n", "20", "--seed", "42", "--players", "easy,random", "--rules", "race")
    assert list(result) == KEYS
    assert (result["schema"], result["rules"], result["seed"]) == (1, "race", 42)
    assert (result["unit"], result["games"], result["players"]) == ("game", 20, ["easy", "random"])
    assert list(result["results"]) == ["knock", "gin", "big-gin", "undercut", "dead"]
    assert isinstance(result["results"]["dead"], int)
    assert all(len(result["results"][name]) == 2 for name in ("knock", "gin", "big-gin", "undercut"))
    assert sum(result["wins"]) == 20
    assert result["ci95"][0] <= result["win_rate"] <= result["ci95"][1]
    by_result = result["results"]
    assert sum(sum(by) if isinstance(by, list) else by for by in by_result.values()) == result["hands"]


def test_settings_are_named() -> None:
    result = done("-n", "2", "--seed", "1", "--set", "gin_bonus=30", "--target", "50")
    assert result["set"] == {"gin_bonus": 30, "target": 50}


def test_the_unit_hand_counts_hands() -> None:
    result = done("-n", "200", "--unit", "hand", "--seed", "5", "--players", "easy,eaai-simple")
    assert (result["unit"], result["games"], result["hands"]) == ("hand", 200, 200)
    results = result["results"]
    for player in (0, 1):
        won = sum(results[name][player] for name in ("knock", "gin", "big-gin", "undercut"))
        assert result["wins"][player] == won
    assert sum(result["wins"]) + results["dead"] == 200


def test_text_says_the_same() -> None:
    args = ["simulate", "-n", "200", "--seed", "5", "--players", "easy,eaai-simple"]
    text, result = run(args), done(*args[1:])
    assert (text.status, text.stdout.splitlines()[0]) == (0, "200 games, mirrored deals, rules classic, seed 5")
    low, high = result["ci95"]
    rate = f"easy wins {100 * result['win_rate']:.1f} % of the games (95 %: {100 * low:.1f} to {100 * high:.1f})"
    assert rate in text.stdout
    assert f"{result['hands']:,} hands" in text.stdout
    assert "Points a hand" in text.stdout
    bins = [line.split() for line in text.stdout.partition("Points a hand\n")[2].splitlines()]
    counted = sum(int(cell.replace(",", "")) for line in bins for cell in line[1:] if cell.strip("#"))
    assert counted + result["results"]["dead"] == result["hands"]
    assert max(len(line) for line in text.stdout.splitlines()) <= 90
    assert " a second" in text.stderr


def test_timing_goes_to_stderr_and_progress_nowhere_but_to_a_terminal() -> None:
    outcome = run(["simulate", "-n", "200", "--seed", "5", "--json"])
    assert "second" not in outcome.stdout
    assert outcome.stderr.endswith(" a second\n")
    assert "\r" not in outcome.stderr


# --- what the figures are worth -----------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_the_baseline_against_itself(seed: int) -> None:
    """Half the games within the interval, about 10 hands a game, 12 to 13 turns a hand (strength.md)."""
    result = done("-n", str(MANY), "--seed", str(seed), *BASELINE)
    low, high = result["ci95"]
    assert low <= 0.5 <= high
    assert 9.5 <= result["hands"] / result["games"] <= 11
    assert 12 <= result["mean_turns"] <= 13
    assert abs(result["points_per_hand"]) < 3 * result["points_stderr"]


def test_intervals_cover_what_they_say() -> None:
    """Of the intervals of many small runs of equal players, about 95 % hold one half."""
    plans = [Plan(load_rules("race"), ("eaai-simple", "eaai-simple"), seed, 60, "hand") for seed in range(400)]
    held = 0
    for plan in plans[: 400 if ginrummy.kernel.compiled else 40]:
        result = simulate(plan)
        mean = sum(result.wins) / result.games / 2
        held += result.interval[0] <= mean <= result.interval[1]
    share = held / (400 if ginrummy.kernel.compiled else 40)
    assert 0.90 <= share <= 1.0


def wilson(rate: float, size: float) -> tuple[float, float]:
    """Wilson's interval, from its formula."""
    z = 1.959963984540054
    root = z * math.sqrt(rate * (1 - rate) / size + z**2 / (4 * size**2))
    low, high = ((rate + z**2 / (2 * size) + sign * root) / (1 + z**2 / size) for sign in (-1, 1))
    return low, high


@pytest.mark.parametrize("rules", ["race", "classic", "oklahoma+spades"])
def test_all_figures_come_out_of_the_recorded_hands(rules: str, tmp_path: Path) -> None:
    """Reckoned again, plainly."""
    players = ["easy", "eaai-simple"]
    result, hands = recorded(tmp_path, "-n", "60", "--seed", "9", "--rules", rules, "--players", ",".join(players))
    target = load_rules(rules).target
    games: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for hand in hands:
        games.setdefault((hand["game"], hand["turn"]), []).append(hand)
    assert len(games) == result["games"] == 60
    assert len(hands) == result["hands"]
    wins = [0, 0]
    by_result: dict[str, Any] = {name: [0, 0] for name in ("knock", "gin", "big-gin", "undercut")} | {"dead": 0}
    points: dict[int, list[int]] = {}
    pairs: dict[int, int] = {}
    for (game, turn), played in games.items():
        totals = [0, 0]
        for number, hand in enumerate(played):
            assert max(totals) < target, "a hand after the end"
            assert hand["hand"] == number
            assert hand["scores"] == (totals[::-1] if turn else totals)
            scored = points.setdefault(game, [])
            if hand["winner"] is None:
                assert (hand["result"], hand["points"]) == ("dead", 0)
                by_result["dead"] += 1
                scored.append(0)
                continue
            player = hand["winner"] ^ turn
            assert hand["players"][hand["winner"]] == players[player]
            by_result[hand["result"]][player] += 1
            totals[player] += hand["points"]
            scored.append(hand["points"] if player == 0 else -hand["points"])
        assert max(totals) >= target
        won = 0 if totals[0] >= target else 1
        wins[won] += 1
        pairs[game] = pairs.get(game, 0) + (won == 0)
    assert (wins, by_result) == (result["wins"], result["results"])
    everything = [one for scored in points.values() for one in scored]
    mean = sum(everything) / len(everything)
    assert result["points_per_hand"] == pytest.approx(mean, abs=1e-6)
    n = len(points)
    spread = sum((sum(scored) - mean * len(scored)) ** 2 for scored in points.values()) * n / (n - 1)
    assert result["points_stderr"] == pytest.approx(math.sqrt(spread) / len(everything), abs=1e-6)
    turns = sum(1 for hand in hands for act in hand["actions"] if act.partition(" ")[0] not in ("take", "draw", "pass"))
    assert result["mean_turns"] == pytest.approx(turns / len(hands), abs=1e-6)
    rate = wins[0] / 60
    variance = sum((won / 2 - rate) ** 2 for won in pairs.values()) / (n - 1)
    assert result["ci95"] == pytest.approx(wilson(rate, rate * (1 - rate) / (variance / n)), abs=1e-6)


def test_without_mirroring_the_interval_is_wilsons() -> None:
    result = done("-n", "101", "--no-mirror", "--seed", "3", "--players", "easy,random")
    assert result["games"] == 101
    assert result["mirror"] is False
    assert result["ci95"] == pytest.approx(wilson(result["win_rate"], 101), abs=1e-6)


# --- mirrored deals -----------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["game", "hand"])
def test_every_deal_is_played_twice_with_seats_swapped(unit: str, tmp_path: Path) -> None:
    _, hands = recorded(tmp_path, "-n", "20", "--unit", unit, "--seed", "4", "--players", "easy,eaai-simple")
    first = {(hand["game"], hand["hand"]): hand for hand in hands if not hand["turn"]}
    second = {(hand["game"], hand["hand"]): hand for hand in hands if hand["turn"]}
    assert {game for game, _ in first} == {game for game, _ in second} == set(range(10))
    for key in first.keys() & second.keys():
        assert first[key]["deck"] == second[key]["deck"]
        assert first[key]["players"] == ["easy", "eaai-simple"] == second[key]["players"][::-1]
        if key[1] == 0:
            assert first[key]["dealer"] == second[key]["dealer"]


def test_the_same_player_twice_is_exactly_even_in_mirrored_hands() -> None:
    """Where a player chooses nothing by chance, one hand is played in the same way from both seats."""
    result = done("-n", "400", "--unit", "hand", "--seed", "6", "--players", "hard,hard")
    assert result["wins"][0] == result["wins"][1]
    assert result["points_per_hand"] == 0


def test_an_odd_number_is_raised_with_a_note() -> None:
    outcome = run(["simulate", "-n", "7", "--seed", "1", "--json"])
    assert json.loads(outcome.stdout)["games"] == 8
    assert "ginrummy simulate: mirrored deals come in pairs: playing 8" in outcome.stderr
    outcome = run(["simulate", "-n", "7", "--seed", "1", "--json", "--no-mirror"])
    assert json.loads(outcome.stdout)["games"] == 7
    assert "pairs" not in outcome.stderr


# --- seeds --------------------------------------------------------------------------------------


def start(*args: str, kernel: str = "", hashes: str = "0", **more: Any) -> subprocess.CompletedProcess[str]:
    """A process of its own."""
    environ = os.environ | {"GINRUMMY_KERNEL": kernel, "PYTHONHASHSEED": hashes, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-m", "ginrummy", *args],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=environ,
        timeout=120,
        check=False,
        **more,
    )


@pytest.mark.parametrize("rules", ["romme", "oklahoma+spades"])
def test_a_seed_gives_the_same_bytes_under_any_hash_seed_and_kernel(rules: str, tmp_path: Path) -> None:
    kinds = ("compiled", "python") if ginrummy.kernel.compiled else ("python",)
    found = set()
    for kernel in kinds:
        for hashes in ("0", "4242"):
            file = tmp_path / f"{kernel}{hashes}"
            done = start(
                *("simulate", "-n", "10", "--seed", "8", "--players", "easy,eaai-simple", "--rules", rules),
                *("--json", "--record", str(file)),
                kernel=kernel,
                hashes=hashes,
            )
            assert done.returncode == 0, done.stderr
            found.add((done.stdout, file.read_text(encoding="utf-8")))
    assert len(found) == 1


def test_a_game_does_not_depend_on_how_many_are_played(tmp_path: Path) -> None:
    args = ["--seed", "3", "--players", "easy,eaai-simple", "--rules", "race"]
    few, many = (recorded(tmp_path, "-n", number, *args)[1] for number in ("6", "60"))
    assert few == many[: len(few)]


def test_seeds_differ_and_the_largest_is_one() -> None:
    results = [done("-n", "10", "--seed", seed)["hands"] for seed in ("0", "1", "2", "3", str(2**63 - 1))]
    assert len(set(results)) > 1


def test_a_seed_that_is_drawn_is_shown_and_can_be_given_again() -> None:
    first = run(["simulate", "-n", "10", "--json"])
    seed = json.loads(first.stdout)["seed"]
    assert run(["simulate", "-n", "10", "--json", "--seed", str(seed)]).stdout == first.stdout
    assert json.loads(run(["simulate", "-n", "10", "--json"]).stdout)["seed"] != seed


# --- recorded hands -----------------------------------------------------------------------------


def replayed(line: dict[str, Any], rules: str) -> Hand:
    """A recorded hand, played again by hand."""
    numbers = {name: card for card, name in enumerate(NAMES)}
    deck = [numbers[name] for name in line["deck"]]
    hand = Hand(load_rules(rules), deck, dealer=line["dealer"], scores=line["scores"])
    for text in line["actions"]:
        word, _, rest = text.partition(" ")
        if word == "knock":
            hand.apply(Action("knock", numbers[rest]))
        elif word in numbers:
            hand.apply(Action("discard", numbers[word]))
        else:
            hand.apply(Action(word))
            if word == "draw":
                assert hand.events[-1].card == numbers[rest]
    return hand


@pytest.mark.parametrize("rules", ["race", "duel", "oklahoma+spades+big-gin"])
def test_a_recorded_hand_plays_again_to_the_same_result(rules: str, tmp_path: Path) -> None:
    _, hands = recorded(tmp_path, "-n", "20", "--seed", "2", "--rules", rules, "--players", "easy,eaai-simple")
    for line in hands:
        assert (line["schema"], line["rules"], line["seed"]) == (1, rules, 2)
        end = replayed(line, rules).end
        assert end is not None
        assert (end.winner, end.result, end.points) == (line["winner"], line["result"], line["points"])


def test_dealers_follow_the_rules(tmp_path: Path) -> None:
    for rules in ("classic", "race", "duel"):
        _, hands = recorded(tmp_path, "-n", "10", "--seed", "2", "--rules", rules, "--players", "easy,random")
        agreed = load_rules(rules)
        for before, after in pairwise(hands):
            if after["hand"] == 0:
                lot = Streams(2, after["game"], 0).lot
                assert after["dealer"] == first_dealer(lot, agreed.first_dealer == "cut")
            elif before["winner"] is None:
                assert after["dealer"] == before["dealer"]
            else:
                right = {"loser": 1 - before["winner"], "winner": before["winner"], "alternate": 1 - before["dealer"]}
                assert after["dealer"] == right[agreed.next_dealer]


# --- errors -------------------------------------------------------------------------------------


def refused(*args: str) -> str:
    """The message of a run that did not begin."""
    outcome: Outcome = run(["simulate", "-n", "2", *args])
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "Traceback" not in outcome.stderr
    return outcome.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--players", "easy,expertt"], [*LEVELS, "expertt"]),
        (["--players", "easy"], ["1 player", "two are wanted"]),
        (["--players", ""], ["--players", "unknown player ''", *LEVELS]),
        (["--player", "easy"], ["1 player"]),
        (["--players", "easy,easy", "--player", "easy"], ["choose one"]),
        (["-n", "0"], ["-n", "from 1 to"]),
        (["-n", "-4"], ["-n", "from 1 to"]),
        (["-n", "many"], ["-n", "'many'", "from 1 to"]),
        (["-n", "1e3"], ["-n", "from 1 to"]),
        (["-n", "9" * 5000], ["-n", "from 1 to"]),
        (["--seed", "-1"], ["--seed", str(2**63 - 1)]),
        (["--seed", str(2**63)], ["--seed", str(2**63 - 1)]),
        (["--seed", "٣"], ["--seed", "from 0 to"]),
        (["--seed", ""], ["--seed", "from 0 to"]),
        (["--unit", "match"], ["'game'", "'hand'"]),
        (["--rules", "chicago"], ["classic", "romme"]),
        (["--set", "gin_bonus=1001"], ["gin_bonus", "0 to 1000"]),
        (["--target", "0"], ["target", "1 to 10000"]),
        (["--json", "--format", "text"], ["choose one"]),
        (["--frobnicate"], ["--frobnicate"]),
    ],
)
def test_wrong_options_are_named_with_what_is_allowed(args: list[str], words: list[str]) -> None:
    message = refused(*args)
    assert [word for word in words if word not in message] == []


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text("precious", encoding="utf-8")
    assert "is there already" in refused("--record", str(file))
    assert file.read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("name", ["missing/hands.jsonl", "", ".", "nul\0"])
def test_a_file_that_cannot_be_made_is_refused(name: str, tmp_path: Path) -> None:
    assert "--record" in refused("--record", f"{tmp_path}/{name}" if name else "")


def test_a_file_that_cannot_be_written_is_an_error_after_the_work(tmp_path: Path) -> None:
    done = start(
        *("simulate", "-n", "200", "--seed", "1", "--record", str(tmp_path / "hands")),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    assert done.returncode == 1
    assert "hands" in done.stderr
    assert "Traceback" not in done.stderr


def test_players_who_cannot_end_a_game_are_named() -> None:
    options = ["--rules", "race+straight", "--target", "10000", "--players", "random,random"]
    outcome = run(["simulate", "-n", "2", "--seed", "1", *options])
    assert (outcome.status, outcome.stdout) == (1, "")
    assert "play single hands" in outcome.stderr


def interrupted(*args: str, number: signal.Signals, file: Path) -> tuple[int, str, str]:
    """Status, output and messages of a run that is sent a signal when it has recorded something."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ginrummy", "simulate", "--record", str(file), "--json", *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    partial = Path(f"{file}.partial")
    for _ in range(600):
        if partial.exists() and partial.stat().st_size:
            break
        time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert not file.exists()
    return process.returncode, out, err


HAND = "7S 8S 9S KC KH KD AS 2D 5C JH"


@pytest.mark.parametrize(
    "args", [[], ["--rules", "romme+hollywood"], [HAND], ["--players", "easy,random,eaai-simple"], ["--jobs", "2"]]
)
def test_an_interrupt_shows_what_was_played_until_then(args: list[str], tmp_path: Path) -> None:
    """And the file that is left holds just these hands."""
    file = tmp_path / "hands.jsonl"
    status, out, err = interrupted("-n", "1000000", *args, number=signal.SIGINT, file=file)
    assert status == 130
    result = json.loads(out)
    assert result["partial"] is True
    assert 0 < result["games"] < 1_000_000
    assert "the result is partial" in err
    assert f"{file}.partial" in err
    assert "Traceback" not in err
    hands = [json.loads(line) for line in Path(f"{file}.partial").read_text(encoding="utf-8").splitlines()]
    assert len(hands) == result["hands"]
    # Nobody's hand is left out, nobody's is in it twice.
    assert len({(hand["game"], hand["turn"], hand["hand"]) for hand in hands}) == len(hands)
    wins = sum(1 for hand in hands if hand["winner"] is not None and hand["seats"][hand["winner"]] == 0)
    assert wins == sum(result["results"][name][0] for name in ("knock", "gin", "big-gin", "undercut"))


def test_sigterm_ends_it_quietly(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    status, out, err = interrupted("-n", "1000000", number=signal.SIGTERM, file=file)
    assert (status, out) == (143, "")
    assert err == f"ginrummy simulate: what was recorded until now is in '{file}.partial'\n"
    assert all(json.loads(line) for line in Path(f"{file}.partial").read_text(encoding="utf-8").splitlines())


def test_a_reader_that_has_gone_is_no_error() -> None:
    process = subprocess.Popen(
        ["sh", "-c", f"'{sys.executable}' -m ginrummy simulate -n 2 --seed 1; echo $? >&2"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read().decode()
    process.stderr.close()
    process.wait(timeout=30)
    assert errors.splitlines()[-1] == "0"
    assert "Traceback" not in errors
