"""The command ``analyze-hand``."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from ginrummy.analysis import analyze
from ginrummy.cli.batch import answer_arguments, answer_records, show_rules, wants_records
from ginrummy.cli.catalog import SHORT_HELP
from ginrummy.cli.options import HelpToStreams, Reader, make_output, output_options, request_rules, rules_options
from ginrummy.cli.status import Status
from ginrummy.cli.streams import Streams
from ginrummy.errors import UnreadableError
from ginrummy.records import (
    ANALYSIS_COLUMNS,
    analysis_json,
    csv_text,
    json_text,
    read_card,
    read_cards,
    read_flag,
    read_meld_list,
    read_number,
    shown,
)
from ginrummy.render import analysis_text

READERS: dict[str, Reader] = {
    "hand": read_cards,
    "partial": read_flag,
    "upcard": read_card,
    "pile_top": read_card,
    "taken": read_card,
    "seen": read_cards,
    "opponent": read_cards,
    "stock": partial(read_number, low=0, high=31),
    "against": read_meld_list,
    "all": read_flag,
}
"""The keys of a record and the options, each with what reads its value."""

USAGE = "give a hand, as in: ginrummy analyze-hand 3C 3D 3H 9S 10S JS KH 5D 2C AS; or pipe hands in; --help tells more"


def as_values(value: Any) -> dict[str, Any]:
    """A record as the keys of an object."""
    if isinstance(value, dict):
        return value
    if isinstance(value, str | list):
        return {"hand": value}
    raise UnreadableError(f"{shown(value)}: a record is a hand (a text or a list of cards) or an object")


@click.command("analyze-hand", cls=HelpToStreams, short_help=SHORT_HELP["analyze-hand"])
@click.argument("hand", nargs=-1)
@click.option("--partial", is_flag=True, help="Allow a hand of 1 to 11 cards.")
@click.option("--upcard", metavar="CARD", help="The 21st card: sets oklahoma's limit.")
@click.option("--pile-top", metavar="CARD", help="The card on offer: take it or draw? (10 cards)")
@click.option("--taken", metavar="CARD", help="The card taken from the pile, not to be discarded (11 cards).")
@click.option("--seen", metavar="CARDS", help="Cards seen in the pile: no outs any more.")
@click.option("--opponent", metavar="CARDS", help="Cards known in the opponent's hand.")
@click.option("--stock", metavar="N", help="Cards left in the stock, 0 to 31.")
@click.option("--against", metavar="MELDS", help="A knocker's melds, / between them: the best layoffs.")
@click.option("--all", "all_", is_flag=True, help="Every least-deadwood arrangement.")
@click.option("--strict", is_flag=True, help="Stop at the first bad record.")
@rules_options
@output_options("text", "json", "csv")
@click.pass_obj
def command(streams: Streams, /, hand: tuple[str, ...], **options: Any) -> Status:
    """Tell everything about a HAND of 10 cards, or 11 after drawing.

    All arguments together are one hand. Without one, or with -, records are read from standard input: hands as lines of
    text, or JSON.

    \b
    Examples:
      ginrummy analyze-hand 3C 3D 3H 9S 10S JS KH 5D 2C AS
      ginrummy analyze-hand "789s KSHDC AD 24C 10S"
      ginrummy analyze-hand --partial 7H 7S 8H
      ginrummy analyze-hand --pile-top 6C "5C 7C 9S 10S JS KH KD 2D AS 3H"
      ginrummy analyze-hand --against "7S 8S 9S / KS KH KD" 10S 2D 4D JH 5H 6H 7H QS QD QC
      jq -c '.hands[]' game.json | ginrummy analyze-hand --json
    """
    output = make_output(
        streams, options.pop("form"), options.pop("as_json"), options.pop("cards"), options.pop("color")
    )
    strict = options.pop("strict")
    options["set"] = options.pop("settings")
    options["all"] = options.pop("all_")
    if options.pop("show_rules") or options["rules"] == "list":
        show_rules(streams, output, options)
        return Status.OK

    headed: list[bool] = []

    def answer(values: dict[str, Any], line: int | None) -> Iterator[str]:
        if "hand" not in values:
            raise UnreadableError('no hand: the key "hand" is missing')
        found = analyze(
            values["hand"],
            request_rules(values),
            partial=values.get("partial", False),
            upcard=values.get("upcard"),
            pile_top=values.get("pile_top"),
            taken=values.get("taken"),
            seen=values.get("seen", 0),
            opponent=values.get("opponent", 0),
            against=values.get("against"),
            every=values.get("all", False),
        )
        if output.form != "text":
            result = analysis_json(found, line)
            if output.form == "json":
                yield json_text(result)
                return
            if not headed:
                headed.append(True)
                yield csv_text(ANALYSIS_COLUMNS)
            yield csv_text(result.get(key) for key in ANALYSIS_COLUMNS)
            return
        if line is not None:
            yield f"line {line}: {output.style.cards(found.hand)}"
        yield from analysis_text(found, output.style)
        if values.get("stock", 31) <= 2 and found.discards is not None:
            yield f"Stock      {values['stock']} left: a discard without a knock ends the hand, nobody scores"
        if line is not None:
            yield ""

    if wants_records(streams, hand, USAGE):
        return answer_records(streams, options, READERS, as_values, answer, strict=strict)
    return answer_arguments(streams, options | {"hand": " ".join(hand)}, READERS, answer)
