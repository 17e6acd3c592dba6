"""The command ``simulate``."""

import contextlib
import os
import secrets
import time
from pathlib import Path
from typing import Any, TextIO

import click

from ginrummy.cli.batch import show_rules
from ginrummy.cli.catalog import SHORT_HELP
from ginrummy.cli.options import HelpToStreams, Refusal, make_output, output_options, request_rules, rules_options
from ginrummy.cli.status import Status
from ginrummy.cli.streams import OutputError, Streams
from ginrummy.errors import GinRummyError, quoted_path
from ginrummy.players import LEVELS, level_number
from ginrummy.records import json_text, read_number
from ginrummy.render import simulation_text
from ginrummy.simulation import Plan, simulate
from ginrummy.simulation_records import hand_record_json, simulation_json

MOST = 10**9


class Progress:
    """A line on a terminal's standard error that says how far it is and how long it will take."""

    def __init__(self, streams: Streams, unit: str) -> None:
        self.streams = streams
        self.unit = unit
        self.began = self.shown = time.monotonic()
        self.width = 0

    def __call__(self, done: int, planned: int) -> None:
        now = time.monotonic()
        if now - self.shown < 0.5:
            return
        self.shown = now
        left = (now - self.began) * (planned - done) / done
        text = f"{done:,} of {planned:,} {self.unit}s, {left:.0f} s left"
        self.streams.status(text.ljust(self.width))
        self.width = len(text)

    def clear(self) -> None:
        """Take the line away."""
        if self.width:
            self.streams.status(" " * self.width)
            self.streams.status("")


def read_players(text: str | None, each: tuple[str, ...]) -> tuple[str, str]:
    """The two players of ``--players A,B`` or ``--player`` twice."""
    if text is not None and each:
        raise Refusal("--players and --player: choose one")
    names = tuple(each) or tuple(name.strip() for name in ("easy,easy" if text is None else text).split(","))
    if len(names) != 2:
        raise Refusal(
            f"--players: {len(names)} player{'s' * (len(names) != 1)}: two are wanted, as in easy,eaai-simple"
        )
    for name in names:
        try:
            level_number(name)
        except GinRummyError as error:
            raise Refusal(f"--players: {error}") from None
    return names[0], names[1]


def read_option(name: str, text: str, low: int, high: int) -> int:
    """A number option; Refusal names it."""
    try:
        # A seed may have more digits than the numbers of records.
        return read_number(int(text) if text.isascii() and text.isdigit() and len(text) < 20 else text, low, high)
    except GinRummyError as error:
        raise Refusal(f"{name}: {error}") from None


@click.command("simulate", cls=HelpToStreams, short_help=SHORT_HELP["simulate"])
@click.option("-n", "number", metavar="N", default="1000", show_default=True, help="How many games (or hands).")
@click.option("--unit", type=click.Choice(["game", "hand"]), default="game", show_default=True, help="What is counted.")
@click.option("--players", metavar="A,B", help=f"The two players, of {', '.join(LEVELS)}.  [default: easy,easy]")
@click.option("--player", metavar="P", multiple=True, help="One player; given twice instead of --players.")
@click.option("--mirror/--no-mirror", default=True, show_default=True, help="Play every deal twice, seats swapped.")
@click.option("--seed", metavar="N", help="Where chance begins, 0 to 2^63-1; drawn and shown without it.")
@click.option("--record", metavar="FILE", help="Write every hand to FILE, a JSON line each.")
@rules_options
@output_options("text", "json")
@click.pass_obj
def command(streams: Streams, /, **options: Any) -> Status:
    """Play many games, or single hands, between two strategies and show who wins how often, with 95 % intervals.

    A seed fixes everything: the same seed gives the same result on every machine.

    \b
    Examples:
      ginrummy simulate -n 2000 --players easy,eaai-simple --seed 1
      ginrummy simulate --unit hand -n 10000 --players eaai-simple,random --rules oklahoma --seed 7
      ginrummy simulate -n 100 --players easy,easy --seed 3 --record hands.jsonl --json
    """
    output = make_output(
        streams, options.pop("form"), options.pop("as_json"), options.pop("cards"), options.pop("color")
    )
    options["set"] = options.pop("settings")
    if options.pop("show_rules") or options["rules"] == "list":
        show_rules(streams, output, options)
        return Status.OK
    players = read_players(options["players"], options["player"])
    number = read_option("-n", options["number"], 1, MOST)
    if options["mirror"] and number % 2:
        number += 1
        streams.warn(f"mirrored deals come in pairs: playing {number}")
    seed = options["seed"]
    seed = secrets.randbelow(2**63) if seed is None else read_option("--seed", seed, 0, 2**63 - 1)
    rules = request_rules(options)
    for kind in ("hollywood", "partnership", "cutthroat"):
        if getattr(rules, kind):
            raise Refusal(f"{rules.name}: {kind} cannot be simulated yet: choose rules for two players at one table")
    if rules.best_of != 1:
        raise Refusal(f"{rules.name}: a match cannot be simulated yet: leave best-of out and count the games")
    plan = Plan(rules, players, seed, number, options["unit"], options["mirror"])
    progress = Progress(streams, plan.unit) if streams.stderr_is_terminal else None
    began = time.monotonic()
    file = None if options["record"] is None else open_record(options["record"])
    try:
        result = simulate(plan, progress=progress, record=None if file is None else recorder(plan, file))
        if file is not None:
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise OutputError(f"{quoted_path(options['record'])}: {error.strerror or error}") from None
    finally:
        if progress is not None:
            progress.clear()
        if file is not None:
            close(file)
    seconds = time.monotonic() - began
    if output.form == "json":
        streams.out(json_text(simulation_json(result)))
    else:
        streams.out("\n".join(simulation_text(result)))
    if seconds > 0:
        streams.say(f"{result.hands:,} hands in {seconds:.1f} s, {result.hands / seconds:,.0f} a second")
    return Status.OK


def open_record(path: str) -> TextIO:
    """The file for ``--record``, new: one that is there is never overwritten."""
    try:
        return Path(path).open("x", encoding="utf-8")
    except FileExistsError:
        raise Refusal(f"--record: {quoted_path(path)} is there already: name a new file") from None
    except (OSError, ValueError) as error:
        raise Refusal(f"--record: {quoted_path(path)}: {getattr(error, 'strerror', None) or error}") from None


def recorder(plan: Plan, file: TextIO) -> Any:
    """What writes each hand to the file."""
    return lambda record: file.write(json_text(hand_record_json(plan, record)) + "\n")


def close(file: TextIO) -> None:
    """Close a file whose last words may have failed already."""
    with contextlib.suppress(OSError):
        file.close()
