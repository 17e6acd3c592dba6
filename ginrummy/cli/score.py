"""The command ``score``."""

from collections.abc import Iterator
from typing import Any

import click

from ginrummy.cli.batch import answer_arguments, answer_records, show_rules, wants_records
from ginrummy.cli.options import (
    HelpToStreams,
    Reader,
    Refusal,
    make_output,
    output_options,
    request_rules,
    rules_options,
)
from ginrummy.cli.status import Status
from ginrummy.cli.streams import Streams
from ginrummy.errors import ImpossibleError, UnreadableError
from ginrummy.records import json_text, read_card, read_cards, read_flag, read_meld_list, result_json, shown
from ginrummy.render import result_text
from ginrummy.scoring import score_knock


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
}
"""The keys of a record and the options, each with what reads its value."""

USAGE = 'give two hands, as in: ginrummy score "KNOCKER\'S TEN CARDS" "DEFENDER\'S TEN CARDS"; or pipe records in; --help tells more'


def as_values(value: Any) -> dict[str, Any]:
    """A record as the keys of an object."""
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        return dict(zip(("knocker", "defender"), split_hands(value), strict=True))
    raise UnreadableError(
        f'{shown(value)}: a record is a text KNOCKER / DEFENDER or an object {{"knocker":…,"defender":…}}'
    )


def split_hands(text: str) -> list[str]:
    """The two hands of ``KNOCKER / DEFENDER``."""
    hands = text.split("/")
    if len(hands) != 2:
        raise ImpossibleError(f"{len(hands)} hand{'s' * (len(hands) > 1)}: two are wanted, KNOCKER / DEFENDER")
    return hands


@click.command("score", cls=HelpToStreams, short_help="Score a hand: who gets how many points, and why.")
@click.argument("hands", nargs=-1, metavar="[KNOCKER DEFENDER]")
@click.option("--knocker-melds", metavar="MELDS", help="The knocker's spread, / between melds (arrangement = player).")
@click.option("--defender-melds", metavar="MELDS", help="The defender's own melds (arrangement = player).")
@click.option("--upcard", metavar="CARD", help="The 21st card, where the rules need it.")
@click.option("--pile-top", metavar="CARD", help="The card on the pile at the knock, where the rules need it; or none.")
@click.option("--big-gin", is_flag=True, help="The knocker goes out with eleven melded cards.")
@click.option("--strict", is_flag=True, help="Stop at the first bad record.")
@rules_options
@output_options("text", "json")
@click.pass_obj
def command(streams: Streams, /, hands: tuple[str, ...], **options: Any) -> Status:
    """Score one hand: KNOCKER's ten cards against DEFENDER's ten.

    Melds and layoffs are found for both sides. Without hands, or with -, records are read from standard input: a line
    KNOCKER / DEFENDER, or JSON.

    \b
    Examples:
      ginrummy score "7S 8S 9S KC KH KD KS AD 2C 4C" "5H 6H 7H QS QD QC 10S 2D 4D JH"
      ginrummy score --rules oklahoma --upcard 7S "789s KSHDC AD 24C" "567h QSDC 10s 24d Jh"
      ginrummy score --knocker-melds "567s/567c/567d" "As 567s 567d 567c" "34s 8s 567h 4d 8d 4c 8c"
      echo "789s KSHDC AD 24C / 567h QSDC 10s 24d Jh" | ginrummy score --json
    """
    output = make_output(
        streams, options.pop("form"), options.pop("as_json"), options.pop("cards"), options.pop("color")
    )
    strict = options.pop("strict")
    options["set"] = options.pop("settings")
    if options.pop("show_rules") or options["rules"] == "list":
        show_rules(streams, output, options)
        return Status.OK

    def answer(values: dict[str, Any], line: int | None) -> Iterator[str]:
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

    if wants_records(streams, hands, USAGE):
        return answer_records(streams, options, READERS, as_values, answer, strict=strict)
    if len(hands) == 1 and "/" in hands[0]:
        hands = tuple(hands[0].split("/"))
    if len(hands) != 2:
        raise Refusal(
            f'{len(hands)} hand{"s" * (len(hands) > 1)}: two are wanted, each in quotes: "KNOCKER" "DEFENDER"'
        )
    return answer_arguments(streams, options | {"knocker": hands[0], "defender": hands[1]}, READERS, answer)
