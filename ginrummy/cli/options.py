"""Options that commands share, and how a request is put together from options and a record."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import click

import ginrummy
from ginrummy.cli.completion import complete_rules
from ginrummy.cli.streams import Streams
from ginrummy.errors import GinRummyError, RulesError, UnreadableError, quoted
from ginrummy.records import read_number, shown
from ginrummy.render import Style
from ginrummy.rules import Rules, load_rules

Command = TypeVar("Command", bound=Callable[..., Any])
Reader = Callable[[Any], Any]


class Refusal(Exception):
    """A command that cannot begin: its message, status 2."""


class HelpToStreams(click.Command):
    """A command whose --help goes where its results go."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _help
        return option


def _help(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        streams: Streams = ctx.obj
        streams.out(ctx.get_help())
        ctx.exit()


@dataclass(frozen=True, slots=True)
class Output:
    """How a command writes its results."""

    form: str
    """``text``, ``json`` or ``csv``."""
    style: Style


def rules_options(command: Command) -> Command:
    """``--rules``, ``--set``, ``--target`` and ``--show-rules``."""
    for option in (
        click.option("--show-rules", is_flag=True, help="Print the rules in force and what differs from classic."),
        click.option("--target", metavar="N", help="Points that end the game, 1 to 10000."),
        click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change one rule; repeatable."),
        click.option("--rules", metavar="RULES", default="classic", show_default=True, shell_complete=complete_rules,
                     help="NAME[+VARIANT...] or a TOML file; 'list' shows the names."),
    ):  # fmt: skip
        command = option(command)
    return command


def schema_option(*kinds: str) -> Callable[[Command], Command]:
    """``--json-schema`` with what a command reads and writes; the first of them is printed where none is named."""

    def show(ctx: click.Context, param: click.Parameter, kind: str | None) -> None:
        if kind is None or ctx.resilient_parsing:
            return
        streams: Streams = ctx.obj
        path = os.path.join(os.path.dirname(ginrummy.__file__), "schemas", f"{ctx.command.name}-{kind}.json")
        with open(path, encoding="utf-8") as file:
            streams.out(file.read().rstrip("\n"))
        ctx.exit()

    return click.option(
        "--json-schema",
        type=click.Choice(kinds),
        metavar=f"[{'|'.join(kinds)}]",
        is_flag=False,
        flag_value=kinds[0],
        is_eager=True,
        expose_value=False,
        callback=show,
        help=f"Print the JSON Schema of a {kinds[0]}, or of another kind, and exit.",
    )


def output_options(*forms: str) -> Callable[[Command], Command]:
    """``--format`` with the forms a command knows, ``--json``, ``--cards`` and ``--color``."""

    def decorate(command: Command) -> Command:
        for option in reversed(_output_options(forms)):
            command = option(command)
        return command

    return decorate


def _output_options(forms: tuple[str, ...]) -> list[Callable[[Command], Command]]:
    return [
        click.option("--format", "form", type=click.Choice(forms), help="How results are written; default text."),
        click.option("--json", "as_json", is_flag=True, help="Short for --format json."),
        click.option("--cards", "cards", type=click.Choice(["auto", "unicode", "ascii"]), default="auto",
                     help="Suits as symbols or letters; auto: as the output can show."),
        click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Red suits in red; auto: on a terminal."),
    ]  # fmt: skip


def make_output(streams: Streams, form: str | None, as_json: bool, cards: str, color: str) -> Output:
    """How to write, from the options and the terminal."""
    if as_json and form not in (None, "json"):
        raise Refusal(f"--json and --format {form}: choose one")
    symbols = cards == "unicode" or (cards == "auto" and streams.encodes("♠♥♦♣·"))
    return Output(
        "json" if as_json else form or "text",
        Style(symbols, color == "always" or (color == "auto" and streams.may_color)),
    )


@lru_cache(maxsize=256)
def _cached_rules(text: str, settings: tuple[tuple[str, Any], ...], target: int | None) -> Rules:
    return load_rules(text, settings=dict(settings), target=target)


def request_rules(values: Mapping[str, Any]) -> Rules:
    """The rules a request names by its keys ``rules``, ``set`` and ``target``."""
    text = values.get("rules", "classic")
    if not isinstance(text, str):
        raise UnreadableError(f'rules: {shown(text)}: rules are a text, as in "romme+hollywood"')
    settings = values.get("set", {})
    if isinstance(settings, list | tuple):
        pairs = {}
        for entry in settings:
            if not isinstance(entry, str) or "=" not in entry:
                raise RulesError(f"set: {shown(entry)}: a setting is KEY=VALUE, as in target=150")
            key, _, value = entry.partition("=")
            pairs[key.strip()] = value
        settings = pairs
    if settings != {} and (
        not isinstance(settings, dict) or any(isinstance(value, dict | list) for value in settings.values())
    ):
        raise UnreadableError(f"set: {shown(settings)}: settings are an object of keys and values")
    target = values.get("target")
    try:
        number = None if target is None else read_number(target, 1, 10000)
    except GinRummyError as error:
        raise UnreadableError(f"target: {error}") from None
    if settings and any(isinstance(value, bool | float) for value in settings.values()):
        # 1 and True are one key to a cache, but not to the rules.
        return load_rules(text, settings=settings, target=number)
    return _cached_rules(text, tuple(settings.items()), number)


RULE_KEYS = ("rules", "set", "target")
"""The keys of a record that choose its rules."""


def read_request(
    given: Mapping[str, Any], readers: Mapping[str, Reader], named: Callable[[str], str]
) -> dict[str, Any]:
    """The values of a request by key. A null counts as not given. Errors begin with the key as ``named`` says it."""
    found = {}
    for key, value in given.items():
        if value is None:
            continue
        if key in RULE_KEYS:
            found[key] = value
            continue
        reader = readers.get(key)
        if reader is None:
            unknown = UnreadableError(f"unknown key {quoted(key)}: the keys are {', '.join([*readers, *RULE_KEYS])}")
            unknown.key = key
            raise unknown
        try:
            found[key] = reader(value)
        except GinRummyError as error:
            refused = type(error)(f"{named(key)}: {error}")
            refused.key = key
            raise refused from None
    return found


def option_name(key: str) -> str:
    """The option or argument that a key of a record is also given by."""
    return key if key in ("hand", "knocker", "defender") else "--" + key.replace("_", "-")
