"""The command ``score``."""

import io
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ginrummy.cli.batch import (
    Answer,
    Answerer,
    answer_arguments,
    answer_records,
    read_jobs,
    show_rules,
    wants_records,
)
from ginrummy.cli.catalog import SHORT_HELP
from ginrummy.cli.completion import complete_card
from ginrummy.cli.options import (
    HelpToStreams,
    Output,
    Reader,
    Refusal,
    make_output,
    option_name,
    output_options,
    read_request,
    request_rules,
    rules_options,
    schema_option,
)
from ginrummy.cli.reading import BadRecord, numbered_lines
from ginrummy.cli.status import Status
from ginrummy.cli.streams import Streams
from ginrummy.errors import GinRummyError, ImpossibleError, UnreadableError, quoted, quoted_path
from ginrummy.records import json_text, read_card, read_cards, read_flag, read_meld_list, result_json, shown
from ginrummy.render import result_text
from ginrummy.rules import Rules
from ginrummy.scoring import score_knock

if TYPE_CHECKING:
    from ginrummy.sheet import Match


def _by_sheet_lines(name: str) -> Reader:
    """A reader of ``sheet_lines``, which is loaded only when there is a sheet."""

    def read(value: Any) -> Any:
        return getattr(import_module("ginrummy.sheet_lines"), name)(value)

    return read


def read_hands(value: Any) -> list[Any]:
    """The hands of a sheet, each still as it was written."""
    if not isinstance(value, list):
        raise UnreadableError(f"{shown(value)}: hands are a list")
    return value


def read_totals(value: Any) -> dict[str, Any]:
    """The totals of a sheet, still as they were written."""
    if not isinstance(value, dict):
        raise UnreadableError(f'{shown(value)}: totals are {{"Anna":{{"points":104,"hands_won":5}},…}}')
    return value


def read_pile_top(value: Any) -> int:
    """A card, or -1 for the word ``none``: an empty pile."""
    return -1 if value == "none" else read_card(value)


READERS: dict[str, Reader] = {
    "knocker": read_cards,
    "defender": read_cards,
    "knocker_melds": read_meld_list,
    "defender_melds": read_meld_list,
    "upcard": read_card,
    "pile_top": read_pile_top,
    "big_gin": read_flag,
    "hands": read_hands,
    "totals": read_totals,
    "players": _by_sheet_lines("read_names"),
    "teams": _by_sheet_lines("read_teams"),
    "dealer": _by_sheet_lines("read_name"),
}
"""The keys of a record and the options, each with what reads its value."""

SHEETS = ("hands", "totals")
"""A record with one of these keys is a sheet."""
PLAYERS = {"players": "--names", "teams": "--teams", "dealer": "--dealer"}
"""Who sits at the table of a sheet: keys and options."""

USAGE = 'give two hands, as in: ginrummy score "KNOCKER\'S TEN CARDS" "DEFENDER\'S TEN CARDS"; or pipe records in; or --sheet FILE; --help tells more'


def as_values(value: Any) -> dict[str, Any]:
    """A record as the keys of an object."""
    if isinstance(value, dict):
        if not any(value.get(key) is not None for key in SHEETS):
            for key in PLAYERS:
                if value.get(key) is not None:
                    raise UnreadableError(f'"{key}" goes with a sheet: the keys "hands" or "totals"')
        return value
    if isinstance(value, str):
        return dict(zip(("knocker", "defender"), split_hands(value), strict=True))
    raise UnreadableError(
        f'{shown(value)}: a record is a text KNOCKER / DEFENDER or an object {{"knocker":…,"defender":…}} or {{"hands":[…]}}'
    )


def split_hands(text: str) -> list[str]:
    """The two hands of ``KNOCKER / DEFENDER``."""
    hands = text.split("/")
    if len(hands) != 2:
        raise ImpossibleError(f"{len(hands)} hand{'s' * (len(hands) > 1)}: two are wanted, KNOCKER / DEFENDER")
    return hands


def score_sheet(values: dict[str, Any], rules: Rules) -> "Match":
    """The sheet of a record."""
    from ginrummy.sheet_lines import json_lines, score_lines, score_totals

    players, teams = values.get("players"), values.get("teams")
    if "totals" in values:
        if "hands" in values:
            raise UnreadableError("hands and totals: a sheet has one of them")
        return score_totals(rules, values["totals"], players=players, teams=teams)
    lines = json_lines(values["hands"], tables=rules.partnership)
    return score_lines(rules, lines, players=players, teams=teams, dealer=values.get("dealer"))


def score_text(data: bytes, values: dict[str, Any], rules: Rules) -> "Match":
    """The sheet of a text, a hand a line."""
    from ginrummy.sheet_lines import score_lines, text_lines

    lines = []
    for number, line in numbered_lines(io.BytesIO(data)):
        if isinstance(line, BadRecord):
            raise UnreadableError(f"line {line.line}, column {line.column}: {line.problem}")
        lines.append((number, line))
    return score_lines(
        rules,
        text_lines(lines, tables=rules.partnership),
        players=values.get("players"),
        teams=values.get("teams"),
        dealer=values.get("dealer"),
    )


def sheet_lines(match: "Match", output: Output, line: int | None) -> list[str]:
    """A sheet as it is written."""
    from ginrummy.sheet_text import match_json, match_text

    return [json_text(match_json(match, line))] if output.form == "json" else match_text(match)


def holds_json(data: bytes) -> bool:
    """Whether a sheet's first line that says anything begins a JSON value."""
    for line in data.removeprefix(b"\xef\xbb\xbf").splitlines():
        if line.strip() and not line.lstrip().startswith(b"#"):
            return line.lstrip().startswith((b"{", b"["))
    return False


def added_line(text: str) -> str:
    """The line that --add adds; Refusal for what is no line."""
    import unicodedata

    line = text.strip()
    strange = next(
        (sign for sign in line if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") and sign != "\t"), None
    )
    if strange is not None:
        raise Refusal(
            f"--add: {quoted(text)}: one line is wanted, without control characters such as U+{ord(strange):04X}"
        )
    if not line:
        raise Refusal("--add: an empty line: give a hand, as in 'Anna knock 7 16'")
    return line


def read_sheet(streams: Streams, path: str) -> bytes:
    """What a file holds, or standard input for ``-``."""
    try:
        if path == "-":
            if streams.stdin is None:
                raise Refusal("standard input is closed")
            return streams.stdin.read()
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise Refusal(f"{quoted_path(path)}: there is no such file; --add LINE begins a new sheet") from None
    except (OSError, ValueError) as error:
        raise Refusal(f"{quoted_path(path)}: {getattr(error, 'strerror', None) or error}") from None


@click.command("score", cls=HelpToStreams, short_help=SHORT_HELP["score"])
@click.argument("hands", nargs=-1, metavar="[KNOCKER DEFENDER]")
@click.option("--knocker-melds", metavar="MELDS", help="The knocker's spread, / between melds (arrangement = player).")
@click.option("--defender-melds", metavar="MELDS", help="The defender's own melds (arrangement = player).")
@click.option("--upcard", metavar="CARD", shell_complete=complete_card, help="The 21st card, where the rules need it.")
@click.option(
    "--pile-top",
    metavar="CARD",
    shell_complete=complete_card,
    help="The card on the pile at the knock, where the rules need it; or none.",
)
@click.option("--big-gin", is_flag=True, help="The knocker goes out with eleven melded cards.")
@click.option("--sheet", metavar="FILE", help="Score a whole sheet, a hand a line; - is standard input.")
@click.option("--add", metavar="LINE", help="Add a line to the sheet if it is valid, then show it.")
@click.option("--names", "players", metavar="A,B", help="The sheet's players in order; three for cutthroat.")
@click.option("--teams", metavar="A+C,B+D", help="The two teams of a partnership.")
@click.option("--dealer", metavar="NAME", help="Who deals the first hand of the sheet.")
@click.option(
    "--jobs",
    metavar="N",
    default="1",
    show_default=True,
    help="Processes that score records, or auto: one a processor.",
)
@click.option("--strict", is_flag=True, help="Stop at the first bad record.")
@rules_options
@output_options("text", "json")
@schema_option("result", "record")
@click.pass_obj
def command(streams: Streams, /, hands: tuple[str, ...], **options: Any) -> Status:
    """Score one hand, KNOCKER's ten cards against DEFENDER's ten, or a sheet of hands.

    Melds and layoffs are found for both sides. Without hands, or with -, records are read from standard input: a line
    KNOCKER / DEFENDER, or JSON.

    A line of a sheet is NAME knock K D, NAME gin D, NAME big-gin D, NAME undercut K D, NAME POINTS, or dead; K is the
    knocker's deadwood, D the opponent's after laying off.

    \b
    Examples:
      ginrummy score "7S 8S 9S KC KH KD KS AD 2C 4C" "5H 6H 7H QS QD QC 10S 2D 4D JH"
      ginrummy score --rules oklahoma --upcard 7S "789s KSHDC AD 24C" "567h QSDC 10s 24d Jh"
      ginrummy score --knocker-melds "567s/567c/567d" "As 567s 567d 567c" "34s 8s 567h 4d 8d 4c 8c"
      echo "789s KSHDC AD 24C / 567h QSDC 10s 24d Jh" | ginrummy score --json
      printf 'Anna knock 7 16\\nBen gin 30\\n' | ginrummy score --rules romme --sheet -
    """
    output = make_output(
        streams, options.pop("form"), options.pop("as_json"), options.pop("cards"), options.pop("color")
    )
    strict = options.pop("strict")
    jobs = read_jobs(options.pop("jobs"))
    options["set"] = options.pop("settings")
    if options.pop("show_rules") or options["rules"] == "list":
        show_rules(streams, output, options)
        return Status.OK

    for key, option in PLAYERS.items():
        if options[key] is not None:
            try:
                READERS[key](options[key])
            except GinRummyError as error:
                raise Refusal(f"{option}: {error}") from None
    path, add = options.pop("sheet"), options.pop("add")
    if path is not None or add is not None:
        return answer_sheet(streams, output, options, hands, path, add, strict=strict)

    answer = answer_by(output)
    if wants_records(streams, hands, USAGE):
        return answer_records(
            streams, options, READERS, as_values, answer, strict=strict, jobs=jobs, module=__name__, output=output
        )
    for key, option in PLAYERS.items():
        if options[key] is not None:
            raise Refusal(f"{option} goes with --sheet or records of sheets")
    if len(hands) == 1 and "/" in hands[0]:
        hands = tuple(hands[0].split("/"))
    if len(hands) != 2:
        raise Refusal(
            f'{len(hands)} hand{"s" * (len(hands) > 1)}: two are wanted, each in quotes: "KNOCKER" "DEFENDER"'
        )
    return answer_arguments(streams, options | {"knocker": hands[0], "defender": hands[1]}, READERS, answer)


def answer_by(output: Output) -> Answer:
    """What answers a request: one hand or a sheet."""

    def answer(values: dict[str, Any], line: int | None) -> Iterator[str]:
        if "hands" in values or "totals" in values:
            yield from answer_record(values, line, output)
            return
        for key in ("knocker", "defender"):
            if key not in values:
                raise UnreadableError(f'no {key}: the key "{key}" is missing')
        rules = request_rules(values)
        pile_top = values.get("pile_top")
        found = score_knock(
            values["knocker"],
            values["defender"],
            rules,
            upcard=values.get("upcard"),
            pile_top=None if pile_top == -1 else pile_top,
            pile_empty=pile_top == -1,
            big_gin=values.get("big_gin", False),
            knocker_melds=values.get("knocker_melds"),
            defender_melds=values.get("defender_melds"),
        )
        if output.form == "json":
            yield json_text(result_json(found, rules, line))
            return
        if line is not None:
            yield f"line {line}:"
        yield from result_text(found, output.style)
        if line is not None:
            yield ""

    return answer


def answerer(options: dict[str, Any], output: Output) -> Answerer:
    """What answers records, built anew in another process."""
    return Answerer(options, READERS, as_values, answer_by(output))


def answer_record(values: dict[str, Any], line: int | None, output: Output) -> Iterator[str]:
    """The answer to a record that is a sheet."""
    for key in READERS:
        if key not in (*SHEETS, *PLAYERS) and values.get(key, False) is not False:
            raise UnreadableError(f"{key} goes with one hand: in a sheet it is a key of the hand")
    match = score_sheet(values, request_rules(values))
    if output.form != "json" and line is not None:
        yield f"line {line}:"
    yield from sheet_lines(match, output, line)
    if output.form != "json" and line is not None:
        yield ""


def answer_sheet(
    streams: Streams,
    output: Output,
    options: dict[str, Any],
    hands: tuple[str, ...],
    path: str | None,
    add: str | None,
    *,
    strict: bool,
) -> Status:
    """``--sheet`` and ``--add``."""
    if path is None:
        raise Refusal("--add goes with --sheet FILE, the file it is added to")
    if hands:
        raise Refusal("--sheet goes without hands: they are the lines of the sheet")
    for key in READERS:
        if key not in (*SHEETS, *PLAYERS) and options.get(key):
            raise Refusal(f"{option_name(key)} goes with one hand: in a sheet it belongs to a line, as in upcard=7S")
    try:
        values = read_request(options, READERS, option_name)
        rules = request_rules(values)
    except GinRummyError as error:
        raise Refusal(str(error)) from None

    def check(data: bytes) -> "Match":
        if holds_json(data):
            raise UnreadableError("JSON: --add adds lines to a sheet of text")
        return score_text(data, values, rules)

    where = "" if path == "-" else f"{quoted_path(path)}: "
    try:
        if add is None:
            data = read_sheet(streams, path)
            if holds_json(data):
                return answer_records(
                    replace(streams, stdin=io.BytesIO(data)),
                    options,
                    READERS,
                    as_values,
                    answer_by(output),
                    strict=strict,
                )
            match = score_text(data, values, rules)
        else:
            if path == "-":
                raise Refusal("--add goes with a file: standard input cannot be written")
            from ginrummy.sheet_file import add_line

            match = add_line(path, added_line(add), check)
    except GinRummyError as error:
        raise Refusal(f"{where}{error}{'' if add is None else '; nothing was added'}") from None
    except (OSError, ValueError) as error:
        raise Refusal(f"{where}{getattr(error, 'strerror', None) or error}") from None
    for line in sheet_lines(match, output, None):
        streams.out(line)
    return Status.OK
