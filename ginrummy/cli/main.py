"""The program: its commands, loaded only when they are called, and what becomes of every way to end."""

import signal
import sys
from importlib import import_module
from types import FrameType
from typing import Never

import click

from ginrummy import __version__
from ginrummy.cli.catalog import COMMANDS, SHORT_HELP
from ginrummy.cli.completion import SHELLS, print_script
from ginrummy.cli.options import HelpToStreams, Refusal
from ginrummy.cli.status import Status
from ginrummy.cli.streams import OutputClosed, OutputError, Streams
from ginrummy.errors import GinRummyError, quoted


class Terminated(SystemExit):
    """SIGTERM has come. A SystemExit, since an event loop lets no other exception through to the end of the program."""


class NoCommand(click.UsageError):
    """No arguments at all: the help is the message."""


class Commands(HelpToStreams, click.Group):
    """The commands of the table, imported when they are asked for."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # Not left to click, whose versions differ in where the help goes and with what status.
        if not args and not ctx.resilient_parsing:
            raise NoCommand(ctx.get_help())
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"no command {quoted(args[0])}: there are {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # From the catalog: a page of help need not load every command.
        with formatter.section("Commands"):
            formatter.write_dl(list(SHORT_HELP.items()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        if isinstance(ctx.obj, Streams):
            ctx.obj.name = f"ginrummy {cmd_name}"
        command: click.Command = import_module(module).command
        return command


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from ginrummy.kernel import compiled

        streams: Streams = ctx.obj
        streams.out(f"ginrummy {__version__}, kernel: {'compiled' if compiled else 'python'}")
        ctx.exit()


@click.command(cls=Commands, context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit."
)
@click.option(
    "--completion",
    type=click.Choice(SHELLS),
    is_eager=True,
    expose_value=False,
    callback=print_script,
    help="Print a script that completes words in that shell, and exit.",
)
def cli() -> None:
    """Gin Rummy: exact hand analysis and scoring under five rule systems.

    \b
    Examples:
      ginrummy analyze-hand 3C 3D 3H 9S 10S JS KH 5D 2C AS
      ginrummy score "7S 8S 9S KC KH KD KS AD 2C 4C" "5H 6H 7H QS QD QC 10S 2D 4D JH"
    """


def run_with(args: list[str], streams: Streams) -> int:
    """Run one command line on some streams. Returns the exit status; never raises for any input."""
    try:
        result = cli.main(args, prog_name="ginrummy", standalone_mode=False, obj=streams)
    except (Refusal, GinRummyError) as error:
        streams.warn(str(error))
        return Status.USAGE
    except NoCommand as error:
        streams.say(error.message)
        return Status.USAGE
    except click.UsageError as error:
        streams.warn(error.format_message())
        if error.ctx is not None:
            streams.say(f"{error.ctx.command_path} --help tells what is allowed")
        return Status.USAGE
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return Status.INTERRUPTED
    except Terminated:
        return Status.TERMINATED
    except OutputClosed:
        _forget_output()
        return Status.OK
    except OutputError as error:
        streams.warn(str(error))
        _forget_output()
        return Status.FAILED
    return int(result) if isinstance(result, int) else Status.OK


def _forget_output() -> None:
    """Keep the interpreter from writing what is left in the buffer when it ends: it would only fail again."""
    sys.stdout = None


def _terminate(number: int, frame: FrameType | None) -> Never:
    raise Terminated


def main() -> Never:
    """The console script."""
    try:
        signal.signal(signal.SIGTERM, _terminate)
        status = run_with(sys.argv[1:], Streams.real())
    except Terminated:
        status = Status.TERMINATED
    except KeyboardInterrupt:
        status = Status.INTERRUPTED
    sys.exit(status)
