"""One answer after another: arguments or standard input in, results out, bad records reported and passed over."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ginrummy.cli.options import Output, Reader, Refusal, option_name, read_request, request_rules
from ginrummy.cli.reading import BadRecord, read_records
from ginrummy.cli.status import Status
from ginrummy.cli.streams import Streams
from ginrummy.errors import GinRummyError
from ginrummy.records import SCHEMA, json_text, rules_json
from ginrummy.render import rules_list_text, rules_text
from ginrummy.rules import load_rules, presets, variants

Answer = Callable[[dict[str, Any], int | None], Iterator[str]]
"""A request and its line to the lines that answer it."""


def show_rules(streams: Streams, output: Output, options: Mapping[str, Any]) -> None:
    """``--rules list`` or ``--show-rules``."""
    if options.get("rules") == "list":
        if output.form == "json":
            streams.out(json_text({"schema": SCHEMA, "presets": presets(), "variants": variants()}))
        else:
            streams.out("\n".join(rules_list_text()))
        return
    rules, classic = request_rules(options), load_rules()
    streams.out(
        json_text(rules_json(rules, classic)) if output.form == "json" else "\n".join(rules_text(rules, classic))
    )


def answer_arguments(streams: Streams, values: dict[str, Any], readers: Mapping[str, Reader], answer: Answer) -> Status:
    """Answer the one request given as arguments and options."""
    try:
        lines = list(answer(read_request(values, readers, option_name), None))
    except GinRummyError as error:
        raise Refusal(str(error)) from None
    for line in lines:
        streams.out(line)
    return Status.OK


def answer_records(
    streams: Streams,
    options: dict[str, Any],
    readers: Mapping[str, Reader],
    as_values: Callable[[Any], dict[str, Any]],
    answer: Answer,
    *,
    strict: bool,
) -> Status:
    """Answer the records of standard input one by one; the keys of a record win over options."""
    if streams.stdin is None:
        raise Refusal("standard input is closed")
    try:
        defaults = read_request(options, readers, option_name)
    except GinRummyError as error:
        raise Refusal(str(error)) from None
    done = bad = 0
    try:
        for record in read_records(streams.stdin):
            problem = None
            if isinstance(record, BadRecord):
                where = f"line {record.line}" + (f", column {record.column}" if record.column else "")
                problem = f"{where}: {record.problem}"
            else:
                try:
                    values = read_request(as_values(record.value), readers, str)
                    lines = list(answer(defaults | values, record.line))
                except GinRummyError as error:
                    problem = f"line {record.line}{record.label}: {error}"
                else:
                    for line in lines:
                        streams.out(line)
                    done += 1
            if problem is not None:
                bad += 1
                streams.warn(problem)
                if strict:
                    break
    except OSError as error:
        streams.warn(f"standard input: {error.strerror or error}")
        bad += 1
    if not done:
        if not bad:
            streams.warn("nothing on standard input: give a hand as an argument, or a record a line")
        return Status.USAGE
    return Status.FAILED if bad else Status.OK


def wants_records(streams: Streams, arguments: tuple[str, ...], usage: str) -> bool:
    """Whether records are to be read from standard input; Refusal where there is nothing to work on."""
    if arguments:
        return arguments == ("-",)
    if streams.stdin is None or streams.stdin_is_terminal:
        raise Refusal(usage)
    return True
