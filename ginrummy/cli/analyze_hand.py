"""The command ``analyze-hand``."""

import os
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ginrummy.analysis import Analysis, analyze
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
    make_output,
    output_options,
    request_rules,
    rules_options,
    schema_option,
)
from ginrummy.cli.status import Status
from ginrummy.cli.streams import Streams
from ginrummy.errors import IllegalError, UnreadableError
from ginrummy.records import (
    ANALYSIS_COLUMNS,
    add_rollouts,
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
from ginrummy.render import MOST_LINES, analysis_text, rollouts_text

if TYPE_CHECKING:
    from ginrummy.advice import Choice


def read_score(value: Any) -> tuple[int, int]:
    """The points of both players in the game: a text as in ``40-62``, or a list of two numbers."""
    parts = value.split("-") if isinstance(value, str) else value
    if not isinstance(parts, list) or len(parts) != 2:
        raise UnreadableError(f'{shown(value)}: a score is a text as in "40-62", one\'s own points first')
    return read_number(parts[0], 0, 9999), read_number(parts[1], 0, 9999)


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
    "turn": partial(read_number, low=1, high=100),
    "score": read_score,
    "rollouts": partial(read_number, low=1, high=1_000_000),
    "seed": partial(read_number, low=0, high=2**63 - 1),
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
@click.argument("hand", nargs=-1, shell_complete=complete_card)
@click.option("--partial", is_flag=True, help="Allow a hand of 1 to 11 cards.")
@click.option("--upcard", metavar="CARD", shell_complete=complete_card, help="The 21st card: sets oklahoma's limit.")
@click.option(
    "--pile-top", metavar="CARD", shell_complete=complete_card, help="The card on offer: take it or draw? (10 cards)"
)
@click.option(
    "--taken",
    metavar="CARD",
    shell_complete=complete_card,
    help="The card taken from the pile, not to be discarded (11 cards).",
)
@click.option("--seen", metavar="CARDS", shell_complete=complete_card, help="Cards seen in the pile: no outs any more.")
@click.option("--opponent", metavar="CARDS", shell_complete=complete_card, help="Cards known in the opponent's hand.")
@click.option("--stock", metavar="N", help="Cards left in the stock, 0 to 31.")
@click.option("--against", metavar="MELDS", help="A knocker's melds, / between them: the best layoffs.")
@click.option("--all", "all_", is_flag=True, help="Every least-deadwood arrangement.")
@click.option(
    "--rollouts", metavar="N", help="Play every sensible choice out N times: points and chance to win the game."
)
@click.option("--score", metavar="A-B", help="Points in the game, one's own first, for the chance to win it.")
@click.option("--turn", metavar="N", help="Which turn of one's own this is, for the opponent's likely hands.")
@click.option("--seed", metavar="N", help="Where chance begins in rollouts; drawn and shown without it.")
@click.option("--jobs", metavar="N", default="1", show_default=True,
              help="Processes that answer records, or auto: one a processor.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Stop at the first bad record.")
@rules_options
@output_options("text", "json", "csv")
@schema_option("result", "record")
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
      ginrummy analyze-hand --rollouts 1000 --score 40-62 --seed 1 "789s KSHDC AD 2C 4C 9H"
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

    jobs = read_jobs(options.pop("jobs"))
    if options["seed"] is None:
        # Every process that answers records has to know it.
        options["seed"] = int.from_bytes(os.urandom(8)) >> 1
    head = csv_text(ANALYSIS_COLUMNS) if output.form == "csv" else None
    if not wants_records(streams, hand, USAGE):
        return answer_arguments(streams, options | {"hand": " ".join(hand)}, READERS, answer_by(output), head=head)
    return answer_records(
        streams,
        options,
        READERS,
        as_values,
        answer_by(output),
        strict=strict,
        head=head,
        jobs=jobs,
        module=__name__,
        output=output,
    )


def roll_out_request(values: dict[str, Any], found: Analysis) -> "list[Choice]":
    """The choices of a hand, played out."""
    # Only now: the players are not needed otherwise.
    from ginrummy.rollouts import position, roll_out

    if not found.whole:
        raise IllegalError("rollouts go with 10 cards, before drawing, or 11, after it")
    given = {
        key: values[key]
        for key in ("upcard", "pile_top", "taken", "seen", "opponent", "stock", "turn", "score")
        if key in values
    }
    return roll_out(position(int(found.hand), found.rules, **given), values["rollouts"], values["seed"])


def answer_by(output: Output) -> Answer:
    """What answers a request."""

    def answer(values: dict[str, Any], line: int | None) -> list[str]:
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
            stock=values.get("stock"),
            every=values.get("all", False),
        )
        rolled = roll_out_request(values, found) if "rollouts" in values else None
        if output.form != "text":
            result = analysis_json(found, line)
            if rolled is not None:
                add_rollouts(result, rolled, values["rollouts"], values["seed"])
            if output.form == "csv":
                return [csv_text(result.get(key) for key in ANALYSIS_COLUMNS)]
            return [json_text(result)]
        lines = analysis_text(found, output.style)
        if rolled is not None:
            worth = rollouts_text(rolled, values["rollouts"], values["seed"], output.style)
            # What is thrown last of all gives way: one screen is enough.
            lines = [*lines[: MOST_LINES - len(worth)], *worth]
        if values.get("stock", 31) <= 2 and found.discards is not None:
            lines.append(f"Stock      {values['stock']} left: a discard without a knock ends the hand, nobody scores")
        return lines if line is None else [f"line {line}: {output.style.cards(found.hand)}", *lines, ""]

    return answer


def answerer(options: dict[str, Any], output: Output) -> Answerer:
    """What answers records, built anew in another process."""
    return Answerer(options, READERS, as_values, answer_by(output))
