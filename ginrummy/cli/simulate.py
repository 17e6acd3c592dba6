"""The command ``simulate``."""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import combinations
from typing import Any, TextIO

import click

from ginrummy.cli.batch import answer_arguments, answer_records, show_rules
from ginrummy.cli.catalog import SHORT_HELP
from ginrummy.cli.completion import complete_players
from ginrummy.cli.options import (
    HelpToStreams,
    Output,
    Reader,
    Refusal,
    make_output,
    output_options,
    request_rules,
    rules_options,
    schema_option,
)
from ginrummy.cli.progress import Progress
from ginrummy.cli.status import Status
from ginrummy.cli.streams import OutputError, Streams
from ginrummy.errors import GinRummyError, UnreadableError, quoted, quoted_path
from ginrummy.players import LEVELS
from ginrummy.players.registry import MOVE_TIME, check_player, slowness
from ginrummy.players.wire import PlayerFailed
from ginrummy.records import csv_text, json_text, read_card, read_cards, read_number, shown
from ginrummy.render import simulation_text, table_text
from ginrummy.simulation import (
    EndlessGame,
    Given,
    HandRecord,
    Plan,
    SimulationResult,
    WorkersFailed,
    check_plan,
    simulate,
)
from ginrummy.simulation_records import SIMULATION_COLUMNS, hand_record_json, simulation_json

MOST = 10**9
DEFAULT_PLAYERS = "normal,easy"


class Interrupted(Exception):
    """Ctrl-C has ended a run whose partial result has been written."""


class Failed(Exception):
    """A run that began cannot be ended: a player or a worker failed, or there is no end."""


def read_dealer(value: Any) -> int:
    """0 for ``first``, 1 for ``second``."""
    if value not in ("first", "second"):
        raise UnreadableError(f"{shown(value)}: allowed is first or second")
    return int(value == "second")


READERS: dict[str, Reader] = {
    "hand": read_cards,
    "opponent": read_cards,
    "upcard": read_card,
    "dealer": read_dealer,
}
"""The keys of a record, each with what reads its value."""


def read_option(name: str, text: str, low: int, high: int) -> int:
    """A number option; Refusal names it."""
    try:
        return read_number(text, low, high)
    except GinRummyError as error:
        raise Refusal(f"{name}: {error}") from None


def read_seed(text: str | None) -> int:
    """The seed given, or one that is drawn."""
    return secrets.randbelow(2**63) if text is None else read_option("--seed", text, 0, 2**63 - 1)


def read_players(text: str | None, each: tuple[str, ...]) -> list[str]:
    """The players of ``--players A,B`` or of ``--player`` given several times."""
    if text is not None and each:
        raise Refusal("--players and --player: choose one")
    names = list(each) or [name.strip() for name in (DEFAULT_PLAYERS if text is None else text).split(",")]
    for name in names:
        try:
            check_player(name)
        except GinRummyError as error:
            raise Refusal(f"{'--player' if each else '--players'}: {error}") from None
    if len(names) < 2:
        raise Refusal("--players: 1 player: at least two are wanted, as in normal,easy")
    return names


def read_seconds(name: str, text: str, most: float) -> float:
    """A number of seconds, more than 0."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= most:
        raise Refusal(f"{name}: {quoted(text)}: allowed are more than 0 up to {most:g} seconds")
    return seconds


@click.command("simulate", cls=HelpToStreams, short_help=SHORT_HELP["simulate"])
@click.argument("hand", nargs=-1)
@click.option("-n", "number", metavar="N", default="1000", show_default=True, help="How many games (or hands).")
@click.option("--unit", type=click.Choice(["game", "hand"]), default="game", show_default=True, help="What is counted.")
@click.option(
    "--players",
    metavar="A,B",
    shell_complete=complete_players,
    help=f"The players: {', '.join(LEVELS)}[:SAMPLES], exec:COMMAND, module:CLASS; more than two: all against all."
    f"  [default: {DEFAULT_PLAYERS}]",
)
@click.option(
    "--player", metavar="P", multiple=True, help="One player, for texts with commas; repeated instead of --players."
)
@click.option("--mirror/--no-mirror", default=True, show_default=True, help="Play every deal again with seats swapped.")
@click.option("--seed", metavar="N", help="Where chance begins, 0 to 2^63-1; drawn and shown without it.")
@click.option(
    "--jobs", metavar="N", default="1", show_default=True, help="Processes that play, or auto: one a processor."
)
@click.option("--dask", metavar="ADDRESS", help="Let the workers of a dask scheduler play.")
@click.option("--move-time", metavar="SECONDS", default=f"{MOVE_TIME:g}", show_default=True,
              help="What an outside player has for a move.")  # fmt: skip
@click.option("--record", metavar="FILE", help="Write every hand to FILE, a JSON line each.")
@click.option(
    "--replay", metavar="FILE", help="Play recorded hands again, move by move, and report the first difference."
)
@click.option("--strict", is_flag=True, help="Stop at the first bad record.")
@rules_options
@output_options("text", "json", "csv")
@schema_option("result", "record", "hand")
@click.pass_obj
def command(streams: Streams, /, hand: tuple[str, ...], **options: Any) -> Status:
    """Play many games, or single hands, between strategies and show who wins how often, with 95 % intervals.

    A seed fixes everything: the same seed gives the same result on every machine, for any number of jobs. With HAND, the
    first player's ten cards, the hand is played out N times, what is not given being dealt anew; with - such hands are
    read from standard input.

    \b
    Examples:
      ginrummy simulate -n 2000 --players easy,eaai-simple --seed 1
      ginrummy simulate -n 10000 --unit hand --players eaai-simple,random --rules oklahoma --seed 7
      ginrummy simulate -n 200 --players easy,eaai-simple,random --seed 5
      ginrummy simulate -n 100 --seed 3 --record hands.jsonl --json
      ginrummy simulate -n 500 --seed 2 "7S 8S 9S KC KH KD AS 2D 5C JH"
    """
    output = make_output(
        streams, options.pop("form"), options.pop("as_json"), options.pop("cards"), options.pop("color")
    )
    options["set"] = options.pop("settings")
    if options.pop("show_rules") or options["rules"] == "list":
        show_rules(streams, output, options)
        return Status.OK
    if options["replay"] is not None:
        from ginrummy.cli.replay import replay_file

        return replay_file(streams, output, options["replay"], strict=options["strict"])
    run = Run(streams, output, options, hand)
    try:
        with run:
            if not hand:
                return run.games()
            keep = {key: options[key] for key in ("rules", "set", "target")}
            if hand == ("-",):
                return answer_records(streams, keep, READERS, as_values, run.given, strict=options["strict"])
            return answer_arguments(streams, keep | {"hand": " ".join(hand)}, READERS, run.given)
    except Interrupted:
        return Status.INTERRUPTED
    except Failed as error:
        streams.warn(str(error))
        return Status.FAILED


def as_values(value: Any) -> dict[str, Any]:
    """A record as the keys of an object."""
    if isinstance(value, dict):
        return value
    if isinstance(value, str | list):
        return {"hand": value}
    raise UnreadableError(f"{shown(value)}: a record is a hand (a text or a list of cards) or an object")


class Run:
    """Everything that is to be played by one call: options read, workers and the record file open."""

    def __init__(self, streams: Streams, output: Output, options: dict[str, Any], hand: tuple[str, ...]) -> None:
        self.streams = streams
        self.output = output
        self.options = options
        self.players = read_players(options["players"], options["player"])
        for note in filter(None, map(slowness, self.players)):
            streams.warn(note)
        self.number = read_option("-n", options["number"], 1, MOST)
        self.seed = read_seed(options["seed"])
        self.move_time = read_seconds("--move-time", options["move_time"], 86400)
        jobs = options["jobs"]
        self.jobs = 0 if jobs == "auto" else read_option("--jobs", jobs, 1, 1024)
        if options["dask"] is not None and jobs != "1":
            raise Refusal("--dask and --jobs: choose one")
        self.headed = False
        self._executor: Any = None
        self._workers = 1
        self._file: TextIO | None = None
        self._stack = ExitStack()

    def __enter__(self) -> "Run":
        with ExitStack() as stack:
            if self.options["record"] is not None:
                self._file = stack.enter_context(record_file(self.options["record"], self.streams))
            if self.options["dask"] is not None:
                from ginrummy.workers import cluster

                self._executor, self._workers = stack.enter_context(cluster(self.options["dask"]))
            elif self.jobs != 1:
                from ginrummy.workers import pool, processors

                self._workers = self.jobs or processors()
                if self._workers > 1:
                    self._executor = stack.enter_context(pool(self._workers))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *failure: Any) -> None:
        self._stack.__exit__(*failure)

    def games(self) -> Status:
        """Games or hands between the players, all against all where there are more than sit at a table."""
        rules = request_rules(self.options)
        seats = 3 if rules.cutthroat and self.options["unit"] == "game" else 2
        if len(self.players) < seats:
            raise Refusal(f"--players: {len(self.players)} players: {rules.name} wants {seats}")
        mirror = self.options["mirror"]
        number = self.number
        if mirror and number % seats:
            number += seats - number % seats
            what = "pairs" if seats == 2 else "threes"
            self.streams.warn(f"mirrored deals come in {what}: playing {number}")
        results = []
        for players in combinations(self.players, seats):
            plan = Plan(rules, players, self.seed, number, self.options["unit"], mirror, None, self.move_time)
            results.append(self.play(plan))
            if self.output.form != "text":
                for line in self.lines(results[-1], None):
                    self.streams.out(line)
            if results[-1].partial:
                break
        if self.output.form == "text" and (len(results) == 1 or seats > 2):
            self.streams.out("\n\n".join("\n".join(simulation_text(result)) for result in results))
        elif self.output.form == "text":
            self.streams.out("\n".join(table_text(results, self.players)))
        if results[-1].partial:
            raise Interrupted
        return Status.OK

    def given(self, values: dict[str, Any], line: int | None) -> Iterator[str]:
        """One hand played out many times."""
        if "hand" not in values:
            raise UnreadableError('no hand: the key "hand" is missing')
        if len(self.players) != 2:
            raise Refusal(f"--players: {len(self.players)} players: a hand is played out between two")
        given = Given(values["hand"], values.get("opponent", 0), values.get("upcard"), values.get("dealer"))
        players = (self.players[0], self.players[1])
        plan = Plan(request_rules(values), players, self.seed, self.number, "hand", False, given, self.move_time)
        check_plan(plan)
        result = self.play(plan)
        lines = list(self.lines(result, line))
        if result.partial:
            # Nobody waits for the lines of an answer that ends with an error.
            self.streams.out("\n".join(lines))
            raise Interrupted
        yield from lines
        if self.output.form == "text" and line is not None:
            yield ""

    def play(self, plan: Plan) -> SimulationResult:
        """Play one plan, with progress on a terminal and the time it took on standard error."""
        progress = Progress(self.streams, plan.unit) if self.streams.stderr_is_terminal else None
        file = self._file
        began = time.monotonic()

        def record(played: HandRecord) -> None:
            assert file is not None
            try:
                file.write(json_text(hand_record_json(plan, played)) + "\n")
            except OSError as error:
                raise OutputError(f"{quoted_path(self.options['record'])}: {error.strerror or error}") from None

        try:
            result = simulate(
                plan,
                executor=self._executor,
                workers=self._workers,
                progress=progress,
                record=None if file is None else record,
            )
        except (EndlessGame, PlayerFailed, WorkersFailed) as error:
            raise Failed(str(error)) from None
        finally:
            if progress is not None:
                progress.clear()
        seconds = time.monotonic() - began
        if seconds > 0:
            self.streams.say(f"{result.hands:,} hands in {seconds:.1f} s, {result.hands / seconds:,.0f} a second")
        if result.partial:
            self.streams.warn(
                f"interrupted after {result.games:,} of {plan.number:,} {plan.unit}s: the result is partial"
            )
        return result

    def lines(self, result: SimulationResult, line: int | None) -> Iterator[str]:
        """A result as it is written."""
        if self.output.form == "text":
            yield from simulation_text(result)
            return
        found = simulation_json(result, line)
        if self.output.form == "json":
            yield json_text(found)
            return
        if not self.headed:
            self.headed = True
            yield csv_text(SIMULATION_COLUMNS)
        yield csv_text(
            ",".join(value) if isinstance(value := found.get(key), list) else value for key in SIMULATION_COLUMNS
        )


@contextmanager
def record_file(path: str, streams: Streams) -> Iterator[TextIO]:
    """The file for ``--record``: new, and under its name only when everything is in it."""
    partial = path + ".partial"
    if path in ("", "-"):
        raise Refusal(f"--record: {quoted(path)} names no file")
    if os.path.lexists(path):
        raise Refusal(f"--record: {quoted_path(path)} is there already: name a new file")
    try:
        file = open(partial, "x", encoding="utf-8")  # noqa: SIM115 (closed below, whatever happens)
    except FileExistsError:
        raise Refusal(
            f"--record: {quoted_path(partial)} is there already, from a run that goes on or was interrupted: "
            "name another file, or remove it"
        ) from None
    except (OSError, ValueError) as error:
        raise Refusal(f"--record: {quoted_path(path)}: {getattr(error, 'strerror', None) or error}") from None
    try:
        yield file
        file.flush()
        os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as error:
        raise OutputError(f"{quoted_path(path)}: {error.strerror or error}") from None
    except BaseException:
        with suppress(OSError):
            file.close()
        with suppress(OSError):
            if os.path.getsize(partial):
                streams.warn(f"what was recorded until now is in {quoted_path(partial)}")
            else:
                os.unlink(partial)
        raise
    finally:
        with suppress(OSError):
            file.close()
