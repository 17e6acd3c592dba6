"""Reading records, and how a run ends: the same for every command, tried with two of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ginrummy.cli import Outcome, run

HAND = "3C 3D 3H 9S 10S JS KH 5D 2C AS"  # deadwood 18
GIN = "7S 8S 9S KC KH KD AD AC AH AS"
LIST = HAND.split()
RECORD = json.dumps({"hand": HAND})
KNOCKER = "7S 8S 9S KC KH KD KS AD 2C 4C"
DEFENDER = "5H 6H 7H QS QD QC 10S 2D 4D JH"
SHOWDOWN = json.dumps({"knocker": KNOCKER, "defender": DEFENDER})
WAIT = 60  # seconds; only a program that hangs needs them


def analyze(text: str | bytes, *options: str) -> Outcome:
    """`analyze-hand --json` over piped input."""
    return run(["analyze-hand", "--json", *options], text if isinstance(text, bytes) else text.encode())


def answers(done: Outcome) -> list[dict[str, Any]]:
    """The objects on stdout, one a line."""
    assert done.stdout == "" or done.stdout.endswith("\n")
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def lines(done: Outcome) -> list[int]:
    """The input lines that were answered."""
    return [answer["line"] for answer in answers(done)]


def assert_rejected(done: Outcome, *bad: int) -> None:
    """Some records answered, some reported by their line, and no traceback."""
    assert done.status == 1
    assert "Traceback" not in done.stderr
    for line in bad:
        assert f"line {line}" in done.stderr.lower()
    for line in lines(done):
        assert line not in bad


# --- forms of records ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        HAND,
        HAND.lower().replace(" ", ", "),
        "3cdh 9sTsJs ♥K 5♦ 2C AS",
        json.dumps(HAND),
        json.dumps(LIST),
        json.dumps({"hand": HAND}),
        json.dumps({"hand": LIST}),
        json.dumps([{"hand": HAND}]),
        json.dumps([HAND]),
        json.dumps([LIST]),
        json.dumps({"hand": HAND}, indent=2),
        json.dumps({"hand": LIST}, indent=2),
        json.dumps(LIST, indent=2),
        json.dumps([{"hand": HAND}], indent=2),
        '{"hand": "' + HAND + '"\n}',
        "{\n\n" + '  "hand":\n' + f'   "{HAND}"' + "\n\n}",
        "[\n" + f' "{HAND}"\n' + "]",
        '{"hand": "3\\u2663 3D 3H 9S 10S JS KH 5D 2C AS"}',
    ],
)
@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n\n"])
def test_every_form_of_one_record(record: str, end: str) -> None:
    """Text, JSON text, list of cards, object, array of records, over one line or several."""
    text = record.replace("\n", "\r\n") if end == "\r\n" else record
    done = analyze(text + end)
    assert (done.status, done.stderr) == (0, "")
    (answer,) = answers(done)
    assert answer["deadwood"] == 18
    assert answer["schema"] == 1


def test_many_records_of_all_forms() -> None:
    """One stream may mix them; `line` is where each began; # and blank lines count."""
    text = "\n".join(
        [
            "# two players",  # 1
            HAND,  # 2
            "",  # 3
            RECORD,  # 4
            "   ",  # 5
            json.dumps(LIST),  # 6
            json.dumps({"hand": LIST}, indent=1),  # 7 to 20
            json.dumps(GIN),  # 21
            "#" + HAND,  # 22
            json.dumps([HAND, {"hand": GIN}, LIST]),  # 23
            GIN,  # 24
        ]
    )
    done = analyze(text)
    assert (done.status, done.stderr) == (0, "")
    assert lines(done) == [2, 4, 6, 7, 21, 23, 23, 23, 24]
    assert [each["deadwood"] for each in answers(done)] == [18, 18, 18, 18, 0, 18, 0, 18, 0]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("first", [HAND, RECORD, "# a note", ""])
def test_bom_and_line_ends(newline: str, bom: bytes, first: str) -> None:
    """A BOM is no part of the first record, whatever that is."""
    done = analyze(bom + newline.join([first, HAND, RECORD]).encode())
    assert (done.status, done.stderr) == (0, "")
    assert lines(done)[-2:] == [2, 3]
    assert len(lines(done)) == (3 if first in (HAND, RECORD) else 2)


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x85"])
def test_only_lf_ends_a_line(odd: str) -> None:
    """What `str.splitlines` takes for a line end does not shift the numbers."""
    done = analyze(f"# a{odd}b\n{HAND}\n7S{odd}8S\n{GIN}\n")
    assert_rejected(done, 3)
    assert lines(done) == [2, 4]


def test_long_input_is_answered_in_order() -> None:
    """Thousands of records, each with its own line."""
    done = analyze(f"{HAND}\n{RECORD}\n" * 1000)
    assert done.status == 0
    assert lines(done) == list(range(1, 2001))


def test_record_keys_win_over_options() -> None:
    """Keys are the option names with underscores."""
    done = analyze(
        json.dumps({"hand": HAND, "rules": "race"})
        + "\n"
        + json.dumps({"hand": HAND, "upcard": "AD"})
        + "\n"
        + json.dumps({"hand": "7H 7S 8H", "partial": True})
        + "\n"
        + HAND,
        "--rules",
        "oklahoma",
        "--upcard",
        "4D",
    )
    assert (done.status, done.stderr) == (0, "")
    one, two, three, four = answers(done)
    assert (one["rules"], one["knock_limit"]) == ("race", 10)
    assert (two["rules"], two["knock_limit"]) == ("oklahoma", 0)
    assert three["deadwood"] == 22
    assert four["knock_limit"] == 4


def test_arguments_win_over_stdin() -> None:
    """And say so by having no line."""
    (answer,) = answers(run(["analyze-hand", "--json", *LIST], RECORD.encode()))
    assert answer["deadwood"] == 18
    assert "line" not in answer


def test_a_dash_reads_stdin() -> None:
    """For both commands."""
    assert lines(run(["analyze-hand", "--json", "-"], HAND.encode())) == [1]
    assert lines(run(["score", "--json", "-"], SHOWDOWN.encode())) == [1]


@pytest.mark.parametrize("command", ["analyze-hand", "score"])
def test_nothing_given_is_usage(command: str) -> None:
    """At a terminal it does not wait."""
    done = run([command])
    assert done.status == 2
    assert done.stdout == ""
    assert command in done.stderr


def test_score_records() -> None:
    """A line `KNOCKER / DEFENDER`, objects, arrays of objects."""
    text = "\n".join(
        [
            f"{KNOCKER} / {DEFENDER}",
            SHOWDOWN,
            json.dumps({"knocker": KNOCKER.split(), "defender": DEFENDER.split()}, indent=2),
        ]
    )
    done = run(["score", "--json"], text.encode())
    assert (done.status, done.stderr) == (0, "")
    assert lines(done) == [1, 2, 3]
    assert [each["points"] for each in answers(done)] == [9, 9, 9]


# --- bad records --------------------------------------------------------------------------------


BAD = {
    "not json": '{"hand": }',
    "not closed on its line": '{"hand": "7S"',
    "a quote not closed": '"7S 8S',
    "an array not closed": '["7S",',
    "no hand": "{}",
    "not a card": "7S 8S 9x",
    "too few": "7S 8S 9S",
    "too many": HAND + " 4D 4H",
    "empty text": '""',
    "unknown key": json.dumps({"hand": HAND, "hnad": 1}),
    "key twice": f'{{"hand": "{HAND}", "hand": "{HAND}"}}',
    "key twice, nested": '{"hand": {"a": 1, "a": 2}}',
    "NaN": f'{{"hand": "{HAND}", "stock": NaN}}',
    "Infinity": f'{{"hand": "{HAND}", "stock": Infinity}}',
    "minus infinity": f'{{"hand": "{HAND}", "stock": -Infinity}}',
    "NaN alone": "NaN",
    "too great": f'{{"hand": "{HAND}", "stock": 99}}',
    "negative": f'{{"hand": "{HAND}", "stock": -1}}',
    "overflow": f'{{"hand": "{HAND}", "stock": 1e999}}',
    "thousands of digits": f'{{"hand": "{HAND}", "stock": {"9" * 6000}}}',
    "fraction": f'{{"hand": "{HAND}", "stock": 2.5}}',
    "text for a number": f'{{"hand": "{HAND}", "stock": "x"}}',
    "list for a number": f'{{"hand": "{HAND}", "turn": [1]}}',
    "number for a hand": '{"hand": 7}',
    "null for a hand": '{"hand": null}',
    "object for a hand": '{"hand": {}}',
    "numbers for cards": '{"hand": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}',
    "lists for cards": '{"hand": [["7S"]]}',
    "number for a card": f'{{"hand": "{HAND}", "upcard": 5}}',
    "two upcards": f'{{"hand": "{HAND}", "upcard": "4D 4H"}}',
    "unknown rules": f'{{"hand": "{HAND}", "rules": "clasic"}}',
    "number for rules": f'{{"hand": "{HAND}", "rules": 5}}',
    "text for a truth value": f'{{"hand": "{HAND}", "all": "perhaps"}}',
    "array of numbers": "[1, 2]",
    "array of null": "[null]",
    "a card twice": HAND.replace("AS", "KH"),
    "a card in two places": json.dumps({"hand": HAND, "seen": "4D KH"}),
    "number": "123",
    "null": "null",
    "deep arrays": "[" * 100_000,
    "deep arrays, closed": "[" * 100_000 + "]" * 100_000,
    "deep objects": '{"hand":' * 100_000 + "1" + "}" * 100_000,
    "NUL": "\x00",
    "NUL in a hand": HAND[:5] + "\x00" + HAND[5:],
    "NUL in JSON": '{"hand": "7S\x00"}',
    "escaped NUL": '{"hand": "7S\\u0000"}',
    "half a surrogate": '{"hand": "\\ud800"}',
    "half a surrogate as a key": f'{{"hand": "{HAND}", "\\udfff": 1}}',
    "escape sequence": '{"hand": "\\u001b[31m7S"}',
    "U+2028": HAND[:5] + "\u2028" + HAND[6:],
    "a very long line": "7S " * 50_000,
    "only a brace": "}",
    "trailing comma": f'{{"hand": "{HAND}",}}',
    "single quotes": "{'hand': '7S'}",
    "comment": "{} // a note",
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_bad_record_between_good_ones(bad: str) -> None:
    """It is reported with its line, and those before and after are answered."""
    done = analyze(f"{HAND}\n{RECORD}\n{bad}\n{RECORD}\n{json.dumps(LIST)}\n{HAND}\n")
    assert_rejected(done, 3)
    assert lines(done) == [1, 2, 4, 5, 6]
    assert len(done.stderr) < 2000, "a message is not as long as the input"
    assert "\x1b" not in done.stderr
    assert "\x00" not in done.stderr


@pytest.mark.parametrize("bad", [b"\xff\xfe", b'{"hand": "7S \xc3("}', b"\xed\xa0\x80", b"7S\xe2"])
def test_bytes_that_are_no_utf8(bad: bytes) -> None:
    """Only that record is lost."""
    done = analyze(b"\n".join([HAND.encode(), bad, RECORD.encode(), bad, HAND.encode()]))
    assert_rejected(done, 2, 4)
    assert lines(done) == [1, 3, 5]


@pytest.mark.parametrize("following", [HAND, RECORD, json.dumps(LIST), json.dumps(HAND)])
def test_reading_goes_on_after_a_value_that_is_not_complete(following: str) -> None:
    """A line that can begin a record ends what was open before; its line is where it began."""
    done = analyze(f'{HAND}\n{{"hand":\n  "7S 8S\n{following}\n{HAND}\n')
    assert_rejected(done, 2)
    assert lines(done) == [1, 4, 5]


def test_records_of_an_array_have_their_own_lines() -> None:
    """`line` is where the record began, not the array."""
    done = analyze(f'[\n  "{HAND}",\n  "7x",\n\n  {{"hand":\n   "{GIN}"}}\n]\n{HAND}\n')
    assert_rejected(done, 3)
    assert lines(done) == [2, 5, 8]


def test_one_bad_record_in_an_array() -> None:
    """The others of the array are answered."""
    done = analyze(json.dumps([{"hand": HAND}, {"hand": "7x"}, {"hand": GIN}]) + f"\n{HAND}")
    assert_rejected(done)
    assert "line 1" in done.stderr.lower()
    assert lines(done) == [1, 1, 2]
    assert [each["deadwood"] for each in answers(done)] == [18, 0, 18]


def test_messages_name_what_is_wrong_and_what_is_accepted() -> None:
    """The key that is unknown and those there are; both places of a card; the number of cards."""
    done = analyze(
        f'{HAND}\n{{"hand": "{HAND}", "hnad": 1}}\n' + json.dumps({"hand": HAND, "opponent": "KH 4D"}) + "\n7S 8S 9S\n"
    )
    assert_rejected(done, 2, 3, 4)
    one, two, three = [part for part in done.stderr.splitlines() if "line" in part.lower()][:3]
    assert "hnad" in one
    assert "upcard" in done.stderr
    assert "opponent" in two
    assert "hand" in two
    assert "KH" in two or "K♥" in two
    assert "3" in three
    assert "10" in three
    assert "11" in three


def test_nothing_but_bad_records() -> None:
    """All rejected: not a success."""
    done = analyze("7x\n{}\n")
    assert done.status in (1, 2)
    assert done.stdout == ""
    assert "line 1" in done.stderr.lower()
    assert "line 2" in done.stderr.lower()


def test_strict_stops_at_the_first() -> None:
    """What came before is answered, what comes after is not read."""
    done = analyze(f"{HAND}\n7x\n{HAND}\n8x\n", "--strict")
    assert_rejected(done, 2)
    assert lines(done) == [1]
    assert "line 4" not in done.stderr.lower()


def test_strict_with_good_records_only() -> None:
    """It changes nothing then."""
    done = analyze(f"{HAND}\n{HAND}\n", "--strict")
    assert done.status == 0
    assert lines(done) == [1, 2]


def test_bad_score_records() -> None:
    """The same reader."""
    above = json.dumps({"knocker": "7S 8S 9S KC KH QD KS AD 2C 4C", "defender": DEFENDER})
    both = json.dumps({"knocker": KNOCKER, "defender": DEFENDER.replace("10S", "7S")})
    done = run(
        ["score", "--json"],
        "\n".join([SHOWDOWN, above, "{", both, KNOCKER, '{"knocker": 1}', SHOWDOWN]).encode(),
    )
    assert_rejected(done, 2, 3, 4, 5, 6)
    assert lines(done) == [1, 7]
    assert "knocker" in done.stderr
    assert "defender" in done.stderr


RECORDISH = st.text(
    st.one_of(st.sampled_from('{}[]",:/\n\r #0123456789SHDCAKQJhand♠\\u'), st.characters()),
    max_size=60,
)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=60), RECORDISH.map(lambda t: t.encode("utf-8", "replace"))))
def test_no_input_ends_in_a_traceback(noise: bytes) -> None:
    """And whatever it was, a good record after it on a line of its own is answered."""
    assume(not noise.startswith((b"\xff\xfe", b"\xfe\xff")))  # the whole file is UTF-16 then
    done = analyze(noise + b"\n" + RECORD.encode() + b"\n")
    assert done.status in (0, 1)
    assert "Traceback" not in done.stderr
    assert lines(done)[-1] == noise.count(b"\n") + 2
    for line in done.stdout.split("\n"):
        assert line == "" or json.loads(line)["schema"] == 1


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.sampled_from([HAND, LIST, DEFENDER, "4D", "4D 5H", "8S 9S 10S", "race", "list", "-"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=2)),
    max_leaves=5,
)
KEYS = {
    "analyze-hand": "hand partial upcard pile_top taken seen opponent stock turn score against all",
    "score": "knocker defender knocker_melds defender_melds upcard pile_top big_gin",
}


@pytest.mark.parametrize("command", KEYS)
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_no_object_ends_in_a_traceback(command: str, data: st.DataObject) -> None:
    """Right keys with values of any kind: each is answered or reported with its line."""
    names = st.sampled_from([*KEYS[command].split(), "rules", "set", "target"])
    good = {"hand": HAND} if command == "analyze-hand" else {"knocker": KNOCKER}
    some = data.draw(st.dictionaries(names, VALUES, max_size=3))
    done = run([command, "--json"], json.dumps({**good, **some}).encode())
    assert "Traceback" not in done.stderr
    if done.status == 0:
        assert lines(done) == [1]
        assert done.stderr == ""
    else:
        assert done.stdout == ""
        assert "line 1" in done.stderr.lower()


# --- usage --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        ["frobnicate"],
        ["analyze-hand", "--frobnicate", HAND],
        ["analyze-hand", "--format", "xml", HAND],
        ["analyze-hand", "--cards", "emoji", HAND],
        ["analyze-hand", "--color", "perhaps", HAND],
        ["analyze-hand", "--target", "0", HAND],
        ["analyze-hand", "--target", "x", HAND],
        ["analyze-hand", "--stock", "-1", HAND],
        ["analyze-hand", "--stock", "99", HAND],
        ["analyze-hand", "--upcard", "7x", HAND],
        ["analyze-hand", "--upcard", "7S 8S", HAND],
        ["analyze-hand", "--score", "10", HAND],
        ["analyze-hand", "--score", "a-b", HAND],
        ["analyze-hand", "--rules", "clasic", HAND],
        ["analyze-hand", "7S 8S"],
        ["analyze-hand", "7S 8S 9x"],
        ["analyze-hand", "\ud800"],
        ["score", KNOCKER],
        ["score", KNOCKER, DEFENDER, HAND],
        ["score", "--upcard", "", KNOCKER, DEFENDER],
    ],
)
def test_usage_errors(args: list[str]) -> None:
    """Status 2, a reason on stderr, nothing on stdout."""
    done = run(args)
    assert done.status == 2
    assert done.stdout == ""
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("args", [["--help"], ["analyze-hand", "--help"], ["score", "--help"], ["--version"]])
def test_help_and_version(args: list[str]) -> None:
    """On stdout, status 0."""
    done = run(args)
    assert done.status == 0
    assert done.stdout
    assert done.stderr == ""


def test_the_version_names_the_kernel() -> None:
    """Compiled or interpreted: the first thing to know about a slow run."""
    assert "kernel: " in run(["--version"]).stdout


# --- real processes -----------------------------------------------------------------------------


def start(*args: str, **more: Any) -> subprocess.Popen[bytes]:
    """A real `python -m ginrummy` with pipes on all sides."""
    pipes: dict[str, Any] = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
    }
    return subprocess.Popen([sys.executable, "-m", "ginrummy", *args], **{**pipes, **more})


def next_line(stream: IO[bytes] | None) -> bytes:
    """One line, or a failure when none comes: a test must not wait for ever."""
    assert stream is not None
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(stream.readline()), daemon=True)
    reader.start()
    reader.join(WAIT)
    assert got, "no answer while stdin is open"
    return got[0]


@pytest.mark.parametrize(("command", "record"), [("analyze-hand", HAND), ("analyze-hand", RECORD), ("score", SHOWDOWN)])
def test_each_record_is_answered_before_the_next_is_waited_for(command: str, record: str) -> None:
    """A program may ask, read the answer and ask again."""
    with start(command, "--json") as process:
        assert process.stdin is not None
        for number in (1, 2, 3):
            process.stdin.write(record.encode() + b"\n")
            process.stdin.flush()
            assert json.loads(next_line(process.stdout))["line"] == number
        rest, errors = process.communicate(timeout=WAIT)
    assert (rest, errors, process.returncode) == (b"", b"", 0)


def test_a_bad_record_is_reported_before_the_next_is_waited_for() -> None:
    """Messages do not wait for the end of the input either."""
    with start("analyze-hand", "--json") as process:
        assert process.stdin is not None
        process.stdin.write(b"7x\n")
        process.stdin.flush()
        assert b"line 1" in next_line(process.stderr)
        process.stdin.write(HAND.encode() + b"\n")
        process.stdin.flush()
        assert json.loads(next_line(process.stdout))["line"] == 2
        process.communicate(timeout=WAIT)
    assert process.returncode == 1


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    """`| head -1`: status 0 and nothing on stderr."""
    file = tmp_path / "many.jsonl"
    file.write_text(f"{RECORD}\n" * 20_000, encoding="utf-8")
    with (
        file.open("rb") as source,
        start("analyze-hand", "--json", stdin=source) as process,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["line"] == 1
        process.stdout.close()
        errors = process.stderr.read()
        assert (process.wait(WAIT), errors) == (0, b"")


def test_output_that_cannot_be_written() -> None:
    """A full disk is status 1, with a message."""
    full = Path(os.devnull).with_name("full")
    with (
        full.open("wb") as disk,
        start("analyze-hand", "--json", HAND, stdout=disk, stdin=subprocess.DEVNULL) as process,
    ):
        _, errors = process.communicate(timeout=WAIT)
    assert process.returncode == 1
    assert errors
    assert b"Traceback" not in errors
    assert b"Exception ignored" not in errors


@pytest.mark.parametrize(("which", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals(which: signal.Signals, status: int) -> None:
    """130 and 143, as a shell sees them, without a traceback."""
    with start("analyze-hand", "--json") as process:
        assert process.stdin is not None
        process.stdin.write(HAND.encode() + b"\n")
        process.stdin.flush()
        next_line(process.stdout)
        process.send_signal(which)
        process.wait(WAIT)  # with stdin still open: it ends of the signal, not of the input
        _, errors = process.communicate(timeout=WAIT)
    assert process.returncode in (status, -which)
    assert b"Traceback" not in errors


def ended(*args: str, **more: Any) -> tuple[int, bytes, bytes]:
    """Status, stdout and stderr of a run without input."""
    with start(*args, stdin=subprocess.DEVNULL, **more) as process:
        text, errors = process.communicate(timeout=WAIT)
    return process.returncode, text, errors


def test_an_ascii_terminal() -> None:
    """Output whose encoding has no suit symbols gets letters; messages never fail to print."""
    plain = {**os.environ, "PYTHONIOENCODING": "ascii"}
    status, text, errors = ended("analyze-hand", HAND, env=plain)
    assert (status, errors) == (0, b"")
    assert b"10S" in text
    assert text.isascii()
    status, text, errors = ended("analyze-hand", "6\u0421 ♠", env=plain)
    assert (status, text) == (2, b"")
    assert b"Traceback" not in errors
    assert b"U+0421" in errors


def test_stdin_that_is_closed() -> None:
    """No file descriptor 0 at all."""
    script = f'"{sys.executable}" -m ginrummy analyze-hand <&-'
    done = subprocess.run(["sh", "-c", script], capture_output=True, timeout=WAIT, check=False)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_what_is_loaded() -> None:
    """A command that answers in milliseconds must not spend them on what it does not use."""
    script = (
        "import sys; from ginrummy.cli import run\n"
        f"assert run(['analyze-hand', '--json', '{HAND}']).status == 0\n"
        "assert run(['--help']).status == 0\n"
        "print(*{'prompt_toolkit', 'multiprocessing', 'sqlite3'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=WAIT, check=False)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [], b"")
