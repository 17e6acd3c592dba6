"""The command ``play``."""

from typing import Any

import click

from ginrummy.cli.batch import show_rules
from ginrummy.cli.catalog import SHORT_HELP
from ginrummy.cli.options import HelpToStreams, Refusal, make_output, output_options, request_rules, rules_options
from ginrummy.cli.simulate import read_seed
from ginrummy.cli.status import Status
from ginrummy.cli.streams import Streams

LEVELS = ("easy", "normal", "hard", "expert")
"""The levels one can play against."""


@click.command("play", cls=HelpToStreams, short_help=SHORT_HELP["play"])
@click.option(
    "--level", type=click.Choice(LEVELS), default="easy", show_default=True, help="How strong the computer is."
)
@click.option("--seed", metavar="N", help="Where chance begins, 0 to 2^63-1; drawn and shown without it.")
@click.option(
    "--delay",
    metavar="SECONDS",
    default="0.45",
    show_default=True,
    help="Pause before each step of the computer; 0: none.",
)
@rules_options
@output_options("text", "json")
@click.pass_obj
def command(streams: Streams, /, **options: Any) -> Status:
    """Play a game against the computer.

    In a terminal type help to see what can be done; on a pipe the same commands are read, a line each.

    \b
    Examples:
      ginrummy play
      ginrummy play --rules oklahoma --seed 7
      printf 'pass\\ndraw\\nquit\\n' | ginrummy play --seed 1
    """
    output = make_output(
        streams, options.pop("form"), options.pop("as_json"), options.pop("cards"), options.pop("color")
    )
    options["set"] = options.pop("settings")
    if options.pop("show_rules") or options["rules"] == "list":
        show_rules(streams, output, options)
        return Status.OK
    if output.form != "text":
        raise Refusal("--json goes with --show-rules or --rules list here: a game is text")
    rules = request_rules(options)
    seed = read_seed(options["seed"])
    delay = read_delay(options["delay"])
    if streams.stdin is None:
        raise Refusal("standard input is closed: nobody can type")
    # Only now: a terminal session needs prompt_toolkit, nothing else does.
    from ginrummy.game import Game
    from ginrummy.session.loop import Quit, Session, side_names

    typed = streams.stdin_is_terminal
    if typed and streams.stdout_is_terminal and streams.environ.get("TERM") != "dumb":
        from ginrummy.session.terminal import TerminalReader

        reader: Any = TerminalReader()
    else:
        from ginrummy.session.pipe import PipeReader

        reader = PipeReader(streams.stdin, streams.out, echo=not typed)
    session = Session(
        Game(rules, seed=seed, names=side_names(rules)),
        options["level"],
        reader,
        streams.out,
        output.style,
        delay if typed else 0.0,
    )
    try:
        session.run()
    except (Quit, EOFError):
        streams.out("Bye.")
    except KeyboardInterrupt:
        streams.out("Bye.")
        return Status.INTERRUPTED
    except OSError as error:
        streams.warn(f"standard input: {error.strerror or error}")
        return Status.FAILED
    return Status.OK


def read_delay(text: str) -> float:
    """Seconds from 0 to 10."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 10:
        raise Refusal(f"--delay: {text!r}: allowed are 0 to 10 seconds")
    return seconds
