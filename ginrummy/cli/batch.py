"""One answer after another: arguments or standard input in, results out, bad records reported and passed over."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ginrummy.cli.options import Output, Reader, Refusal, option_name, read_request, request_rules
from ginrummy.cli.reading import BadRecord, Record, read_records
from ginrummy.cli.status import Status
from ginrummy.cli.streams import Streams
from ginrummy.errors import GinRummyError
from ginrummy.records import SCHEMA, json_text, read_number, rules_json
from ginrummy.render import rules_list_text, rules_text
from ginrummy.rules import load_rules, presets, variants

Answer = Callable[[dict[str, Any], int | None], Iterable[str]]
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


def answer_arguments(
    streams: Streams,
    values: dict[str, Any],
    readers: Mapping[str, Reader],
    answer: Answer,
    *,
    head: str | None = None,
) -> Status:
    """Answer the one request given as arguments and options; ``head`` comes before the answer."""
    try:
        lines = list(answer(read_request(values, readers, option_name), None))
    except GinRummyError as error:
        raise Refusal(str(error)) from None
    for line in [head, *lines] if head is not None else lines:
        streams.out(line)
    return Status.OK


class Answerer:
    """Records to their answers: what a command does with each, once its options are read."""

    def __init__(
        self,
        options: Mapping[str, Any],
        readers: Mapping[str, Reader],
        as_values: Callable[[Any], dict[str, Any]],
        answer: Answer,
    ) -> None:
        self._readers = readers
        self._as_values = as_values
        self._answer = answer
        try:
            self._defaults = read_request(options, readers, option_name)
        except GinRummyError as error:
            raise Refusal(str(error)) from None

    def __call__(self, record: Record | BadRecord) -> tuple[bool, str]:
        """Whether a record could be answered, and the answer, or what is wrong with it. The keys of a record win over
        options."""
        if isinstance(record, BadRecord):
            column = f", column {record.column}" if record.column else ""
            return False, f"line {record.line}{column}: {record.problem}"
        try:
            values = read_request(self._as_values(record.value), self._readers, str)
            return True, "\n".join(self._answer(self._defaults | values, record.line))
        except GinRummyError as error:
            return False, f"{record.where(error.key)}: {error}"


class Answers:
    """Answers on their way out, counted."""

    def __init__(self, streams: Streams, head: str | None, strict: bool) -> None:
        self._streams = streams
        self._head = head
        self._strict = strict
        self.done = 0
        """Records answered."""
        self.bad = 0
        """Records rejected."""

    def show(self, good: bool, text: str, number: int = 1) -> bool:
        """Write the answer to a record, or to several in a row; whether to go on."""
        if good:
            if self._head is not None:
                self._streams.out(self._head)
                self._head = None
            self._streams.out(text)
            self.done += number
            return True
        self._streams.warn(text)
        self.bad += 1
        return not self._strict


def read_jobs(text: str) -> int:
    """How many processes ``--jobs`` asks for."""
    if text == "auto":
        from ginrummy.workers import processors

        return processors()
    try:
        return read_number(text, 1, 1024)
    except GinRummyError as error:
        raise Refusal(f"--jobs: {error}, or auto") from None


def answer_records(
    streams: Streams,
    options: dict[str, Any],
    readers: Mapping[str, Reader],
    as_values: Callable[[Any], dict[str, Any]],
    answer: Answer,
    *,
    strict: bool,
    head: str | None = None,
    jobs: int = 1,
    module: str = "",
    output: Output | None = None,
) -> Status:
    """Answer the records of standard input one by one; ``head`` comes before the first answer.

    With several jobs other processes share the work: each builds the command's Answerer by ``module``'s function
    ``answerer`` from the options and the output.
    """
    if streams.stdin is None:
        raise Refusal("standard input is closed")
    answerer = Answerer(options, readers, as_values, answer)
    answers = Answers(streams, head, strict)
    try:
        if jobs > 1 and output is not None:
            from ginrummy.cli.blocks import Work, answer_blocks

            answer_blocks(streams.stdin, jobs, Work(module, tuple(options.items()), output), answerer, answers)
        else:
            for record in read_records(streams.stdin):
                if not answers.show(*answerer(record)):
                    break
    except OSError as error:
        streams.warn(f"standard input: {error.strerror or error}")
        answers.bad += 1
    if not answers.done:
        if not answers.bad:
            streams.warn("nothing on standard input: give a hand as an argument, or a record a line")
        return Status.USAGE
    return Status.FAILED if answers.bad else Status.OK


def wants_records(streams: Streams, arguments: tuple[str, ...], usage: str) -> bool:
    """Whether records are to be read from standard input; Refusal where there is nothing to work on."""
    if arguments:
        return arguments == ("-",)
    if streams.stdin is None or streams.stdin_is_terminal:
        raise Refusal(usage)
    return True
