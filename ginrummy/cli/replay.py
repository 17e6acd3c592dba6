"""``simulate --replay``: recorded hands played again."""

from typing import Any

from ginrummy.cli.options import Output, Refusal
from ginrummy.cli.reading import BadRecord, read_records
from ginrummy.cli.status import Status
from ginrummy.cli.streams import Streams
from ginrummy.errors import GinRummyError, quoted_path
from ginrummy.records import SCHEMA, json_text
from ginrummy.render import plural
from ginrummy.replay import replay


def replay_file(streams: Streams, output: Output, path: str, *, strict: bool) -> Status:
    """Play every hand of a file again; the first difference, or unreadable line with ``strict``, ends it with status 1."""
    hands = bad = 0
    found: dict[str, Any] = {}
    try:
        with open(path, "rb") as file:
            for record in read_records(file):
                problem = ""
                try:
                    if isinstance(record, BadRecord):
                        problem = record.problem
                    elif not isinstance(record.value, dict):
                        problem = "no record of a hand"
                    else:
                        difference = replay(record.value)
                        hands += 1
                        if difference is not None:
                            where = f"game {record.value['game']}, hand {record.value['hand']}"
                            found = {"line": record.line, "where": where, "difference": str(difference)}
                            break
                except GinRummyError as error:
                    problem = str(error)
                if problem:
                    bad += 1
                    streams.warn(f"line {record.line}: {problem}")
                    if strict:
                        break
    except (OSError, ValueError) as error:
        raise Refusal(f"--replay: {quoted_path(path)}: {getattr(error, 'strerror', None) or error}") from None
    if output.form == "text":
        same = f"{plural(hands, 'hand')} played again, all the same"
        streams.out(f"line {found['line']}, {found['where']}, {found['difference']}" if found else same)
    else:
        streams.out(json_text({"schema": SCHEMA, "hands": hands, "same": not found, **found}))
    if not hands:
        return Status.USAGE
    return Status.FAILED if found or bad else Status.OK
