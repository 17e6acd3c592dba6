"""The command line, also to be called in process."""

import io
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run of the program left behind."""

    status: int
    """Exit status."""
    stdout: str
    stderr: str


def run(args: list[str], stdin: bytes | None = None, environ: Mapping[str, str] | None = None) -> Outcome:
    """Run a command line in process. ``stdin`` None is a terminal where nothing was piped.

    >>> run(["score", "--json"], b"not a hand").status
    2
    """
    from ginrummy.cli.main import run_with
    from ginrummy.cli.streams import Streams

    out, err = io.StringIO(), io.StringIO()
    streams = Streams(
        stdin=io.BytesIO(stdin or b""), stdout=out, stderr=err, stdin_is_terminal=stdin is None, environ=environ or {}
    )
    status = run_with(args, streams)
    return Outcome(status, out.getvalue(), err.getvalue())
