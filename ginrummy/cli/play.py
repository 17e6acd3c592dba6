"""The command ``play``."""

import os
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ginrummy.cli.batch import show_rules
from ginrummy.cli.catalog import SHORT_HELP
from ginrummy.cli.options import (
    HelpToStreams,
    Output,
    Refusal,
    make_output,
    output_options,
    request_rules,
    rules_options,
)
from ginrummy.cli.status import Status
from ginrummy.cli.streams import Streams
from ginrummy.errors import GinRummyError
from ginrummy.records import read_number

if TYPE_CHECKING:
    from ginrummy.session.console import Console
    from ginrummy.session.evening import Evening
    from ginrummy.store import OpenGame, Store

LEVELS = ("easy", "normal", "hard", "expert")
"""The levels one can play against."""

LONGEST_NAME = 20
"""Letters of a player's name."""


@click.command("play", cls=HelpToStreams, short_help=SHORT_HELP["play"])
@click.option(
    "--level", type=click.Choice(LEVELS), default="easy", show_default=True, help="How strong the computer is."
)
@click.option(
    "--opponent",
    metavar="WHO",
    default="cpu",
    show_default=True,
    help="cpu, human (at the same keyboard), exec:COMMAND or module:CLASS.",
)
@click.option("--seed", metavar="N", help="Where chance begins, 0 to 2^63-1; drawn without it.")
@click.option(
    "--delay",
    metavar="SECONDS",
    default="0.45",
    show_default=True,
    help="Pause before each step of the computer; 0: none.",
)
@click.option("--coach", is_flag=True, help="Be led step by step, with reasons.")
@click.option("--hints/--no-hints", default=None, help="Allow hint and coach, and point out gin.")
@click.option("--confirm/--no-confirm", default=None, help="Show what a knock will count before it is final.")
@click.option("--manual-layoff", is_flag=True, help="Lay off by hand, where the rules leave it to players.")
@click.option("--name", metavar="NAME", help="Your name; of two people NAME,NAME.")
@click.option("--plain", is_flag=True, help="Linear words only: for screen readers.")
@click.option("--data", metavar="DIR", help="Folder of the saved games.")
@click.option("--resume", metavar="[ID]", is_flag=False, flag_value="", help="Go on with a game, the last one played.")
@click.option("--list", "list_", is_flag=True, help="List saved and finished games.")
@click.option("--stats", is_flag=True, help="Show your statistics.")
@click.option("--review", metavar="[ID]", is_flag=False, flag_value="", help="Look back on a game: what cost points.")
@click.option("--export", metavar="ID", help="Write the hands of a game as simulate --record does.")
@click.option("--forget", metavar="ID|all", help="Delete a game, or all.")
@rules_options
@output_options("text", "json")
@click.pass_context
def command(context: click.Context, /, **options: Any) -> Status:
    """Play a game against the computer.

    In a terminal type help to see what can be done; on a pipe the same commands are read, a line each.
    Every action is saved at once: whatever ends a session, --resume goes on at the same place.

    \b
    Examples:
      ginrummy play
      ginrummy play --rules oklahoma --seed 7
      printf 'pass\\ndraw\\nquit\\n' | ginrummy play --seed 1
    """
    streams: Streams = context.obj
    output = make_output(
        streams, options.pop("form"), options.pop("as_json"), options.pop("cards"), options.pop("color")
    )
    options["set"] = options.pop("settings")
    if options.pop("show_rules") or options["rules"] == "list":
        show_rules(streams, output, options)
        return Status.OK
    looked = [(name, options[key]) for name, key in _looks() if options[key] not in (None, False)]
    if looked:
        return _look(streams, output, options, looked)
    if output.form != "text":
        raise Refusal("--json goes with --list, --stats, --show-rules or --rules list here: a game is text")
    given = {name for name in options if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    return _play(streams, output, options, given)


def _looks() -> list[tuple[str, str]]:
    """The options that look at saved games, each with its key."""
    return [("list", "list_"), *((name, name) for name in ("stats", "review", "export", "forget"))]


def _look(streams: Streams, output: Output, options: dict[str, Any], looked: list[tuple[str, Any]]) -> Status:
    if len(looked) > 1 or options["resume"] is not None:
        names = [name for name, _ in looked] + ["resume"] * (options["resume"] is not None)
        raise Refusal(f"{' and '.join('--' + name for name in names)}: choose one")
    (what, value), *_ = looked
    if output.form != "text" and what not in ("list", "stats", "export"):
        raise Refusal(f"--json goes with --list or --stats, not with --{what}")
    from ginrummy.cli.games import look
    from ginrummy.store import Store, data_folder

    with Store.open(data_folder(options["data"], streams.environ)) as store:
        return look(streams, output, store, what, value if isinstance(value, str) else "")


def _play(streams: Streams, output: Output, options: dict[str, Any], given: set[str]) -> Status:
    rules = request_rules(options)
    seed = None if options["seed"] is None else read_seed(options["seed"])
    delay = read_delay(options["delay"])
    opponent = read_opponent(options["opponent"], options["level"])
    names = read_names(options["name"], opponent == "human")
    if streams.stdin is None:
        raise Refusal("standard input is closed: nobody can type")
    # Only now: a session needs prompt_toolkit and sqlite3, nothing else does.
    from ginrummy.players.wire import PlayerFailed
    from ginrummy.session.evening import Evening, check_opponent, check_table
    from ginrummy.session.loop import Options, Quit

    check_table(rules, opponent)
    try:
        check_opponent(opponent)
    except PlayerFailed as error:
        streams.warn(str(error))
        return Status.FAILED
    console = _console(streams, output, options["plain"], delay)
    chosen = Options()
    for key in ("hints", "confirm", "coach", "manual_layoff"):
        if key in given:
            setattr(chosen, key, options[key])
    if "confirm" not in given:
        # On a pipe nobody is there to be asked, and a line is a command.
        chosen.confirm = console.typed
    store = _open_store(streams, options, console)
    evening = Evening(
        console,
        store,
        rules,
        opponent,
        names,
        lambda begun: (drawn_seed(), 0) if seed is None else (seed, begun),
        chosen,
        console.typed,
    )
    try:
        resumed = None
        if options["resume"] is not None:
            resumed = _resume(options["resume"], store, evening, given)
        elif console.typed:
            _ask(evening, given)
        evening.run(resumed)
    except (Quit, EOFError):
        evening.farewell()
    except KeyboardInterrupt:
        evening.farewell()
        return Status.INTERRUPTED
    except PlayerFailed as error:
        evening.farewell()
        streams.warn(str(error))
        return Status.FAILED
    except OSError as error:
        streams.warn(f"standard input: {error.strerror or error}")
        return Status.FAILED
    finally:
        if store is not None:
            store.close()
    return Status.OK


def _console(streams: Streams, output: Output, plain: bool, delay: float) -> "Console":
    """The screen and keyboard, or the pipe."""
    from ginrummy.session.console import Console, WordStyle

    assert streams.stdin is not None
    typed = streams.stdin_is_terminal
    able = typed and streams.stdout_is_terminal and streams.environ.get("TERM") != "dumb"
    if able and not plain:
        from ginrummy.session.terminal import TerminalReader

        reader: Any = TerminalReader()
    else:
        from ginrummy.session.pipe import PipeReader

        reader = PipeReader(streams.stdin, streams.out, echo=not typed)
    style = WordStyle(symbols=False, color=False) if plain else output.style
    return Console(streams.out, reader, style, plain=plain, typed=typed, clears=able, delay=delay if typed else 0.0)


def _open_store(streams: Streams, options: dict[str, Any], console: "Console") -> "Store | None":
    """The saved games; None, after saying so, where nothing can be saved."""
    from ginrummy.store import Store, StoreError, data_folder

    try:
        return Store.open(data_folder(options["data"], streams.environ), sync=console.typed)
    except StoreError as error:
        if options["resume"] is not None:
            raise
        streams.warn(str(error))
        console.say("Nothing can be saved: this game is played without.")
        return None


def _resume(text: str, store: "Store | None", evening: "Evening", given: set[str]) -> "OpenGame":
    """The game to go on with; what was chosen when it began holds, but for what is given now."""
    from ginrummy.cli.games import game_number

    assert store is not None
    saved = store.resume(game_number("--resume", text))
    if saved.setup.counted and not evening.counted:
        # Begun by a person, gone on with by whatever writes into the pipe.
        saved.leave_out()
    for key, value in saved.setup.options.items():
        if key in ("hints", "coach", "manual_layoff") and key not in given:
            setattr(evening.options, key, bool(value))
    if not given & {"rules", "set", "settings", "target"}:
        evening.rules = saved.game.rules
    level, evening.names = evening.opponent, saved.setup.names[: len(evening.names)]
    if not given & {"level", "opponent"}:
        evening.opponent = saved.setup.opponent
    elif level != saved.setup.opponent:
        evening.console.say(
            f"This game is played out against {saved.setup.opponent}; {level} plays from the next one on."
        )
    if evening.opponent == "human" and len(evening.names) < 2:
        evening.names = saved.setup.names
    return saved


def _ask(evening: "Evening", given: set[str]) -> None:
    """What the options leave open is asked; a new user is offered the coach."""
    from ginrummy.session.start import ask_start, offer_coach, remember, remembered, under_way_line

    store = evening.store
    line = None if store is None else under_way_line(store)
    if line is not None:
        evening.console.say(line)
    asked = {"level", "rules", "target"} - given
    if "rules" in given or "target" in evening.rules.settings:
        # Rules that are named have a target of their own.
        asked.discard("target")
    if "opponent" in given:
        asked.discard("level")
    level, rules = evening.opponent, evening.rules
    if store is not None and asked == {"level", "rules", "target"} and not rules.settings:
        level, rules = remembered(store, level, rules)
    settings = evening.rules.settings
    evening.opponent, evening.rules = ask_start(evening.console, level, rules, asked, settings)
    if store is not None and asked:
        remember(store, evening.opponent, evening.rules)
    wanted = evening.options.hints and evening.rules.hints and evening.opponent in LEVELS
    if wanted and not evening.options.coach and "coach" not in given and store is not None:
        evening.options.coach = offer_coach(evening.console, store)


def read_seed(text: str) -> int:
    """The seed given."""
    try:
        return read_number(text, 0, 2**63 - 1)
    except GinRummyError as error:
        raise Refusal(f"--seed: {error}") from None


def drawn_seed() -> int:
    """A seed nobody can guess."""
    return int.from_bytes(os.urandom(8), "big") >> 1


def read_delay(text: str) -> float:
    """Seconds from 0 to 10."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 10:
        raise Refusal(f"--delay: {text!r}: allowed are 0 to 10 seconds")
    return seconds


def read_opponent(text: str, level: str) -> str:
    """Who plays: a level, ``human``, or the text of an outside player."""
    if text == "cpu":
        return level
    if text == "human" or text.startswith(("exec:", "module:")):
        return text
    raise Refusal(f"--opponent: {text!r}: there are cpu (see --level), human, exec:COMMAND, module:CLASS")


def read_names(text: str | None, two: bool) -> tuple[str, ...]:
    """The name of the player, or of two people at one keyboard."""
    usual = ("Player 1", "Player 2") if two else ("You",)
    if text is None:
        return usual
    names = tuple(" ".join(part.split()) for part in text.split(",")) if two else (" ".join(text.split()),)
    names += usual[len(names) :]
    taken = {"computer", "opponent", "partner"}
    for at, name in enumerate(names):
        if not (0 < len(name) <= LONGEST_NAME and name.isprintable()) or "," in name or '"' in name:
            raise Refusal(f"--name: {name!r}: a name has 1 to {LONGEST_NAME} letters, no comma and no quotes")
        if name.lower().rstrip(" 12") in taken or name.lower() in (other.lower() for other in names[:at]):
            raise Refusal(f"--name: {name!r}: somebody else at the table has that name")
    if len(names) > len(usual):
        raise Refusal(f"--name: {len(names)} names for {len(usual)} people")
    return names
