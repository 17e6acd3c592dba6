"""Standard input to records: JSON values or lines of text, each with the line where it began, one at a time.

A line's first character decides: ``{``, ``[`` or ``"`` begins a JSON value, anything else is a text. Lines that begin with
a blank, ``}`` or ``]`` go on with a value that is not complete. Nothing is kept but the record being read.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, Never

from ginrummy.errors import GinRummyError, quoted
from ginrummy.notation import parse_card

DEPTH: Final = 32
"""Deeper nesting than this is refused: a record needs four."""

_BEGINS_JSON: Final = ("{", "[", '"')
_CONTINUES: Final = (" ", "\t", "}", "]")
_STRUCTURE: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}"]')
_TOKEN: Final = re.compile(
    r'"(?:[^"\\]++|\\.)*+"|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?|NaN|-?Infinity|[^\s]'
)
DIGITS: Final = 19
"""A whole number of more digits is out of every range."""


class Record(NamedTuple):
    """One record."""

    line: int
    """The input line where it began, from 1."""
    value: Any
    """A text (a hand), a list (a hand, card by card) or an object."""
    text: str
    """The JSON value, or array of records, that it was read from."""
    number: int = 0
    """Which one of an array it is, from 1; else 0."""

    def where(self, key: str | None = None) -> str:
        """Its place for a message; with a key of an object the key's, looked for only now that something is wrong."""
        what = f"line {self.line}"
        if key is not None and isinstance(self.value, dict):
            start = _starts(self.text)[self.number - 1] if self.number else 0
            at = _keys(self.text, start).get(key)
            if at is not None:
                what = _place(self.text, at, self.line - self.text.count("\n", 0, start))
        return f"{what}, record {self.number}" if self.number else what


class BadRecord(NamedTuple):
    """Something that is no record."""

    line: int
    problem: str
    column: int | None = None
    """The place in the line, in characters from 1, where it is known."""
    text: str = ""
    """Of a line that is not UTF-8 what can be read of it."""
    last: bool = False
    """Whether nothing that comes after it can be read."""


class _Refused(Exception):
    """A value that is JSON but not of the kind that is read."""


def _no_constant(text: str) -> Never:
    raise _Refused


def _int(text: str) -> int:
    if len(text) > DIGITS:
        raise _Refused
    return int(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused
    return found


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_int=_int, parse_constant=_no_constant)


def _place(text: str, at: int, line: int) -> str:
    """Line and column of a place in a value that began at ``line``."""
    return f"line {line + text.count(chr(10), 0, at)}, column {at - text.rfind(chr(10), 0, at)}"


def _fault(text: str) -> tuple[int, str]:
    """Where a value is not of the kind that is read, and why: looked for only once it has been refused."""
    inside: list[set[str] | None] = []
    key_next = False
    for match in _TOKEN.finditer(text):
        token, at = match.group(), match.start()
        if token in "[{":
            if len(inside) == DEPTH:
                return at, f"nested more than {DEPTH} deep"
            inside.append(set() if token == "{" else None)
        elif token in "]}":
            if inside:
                inside.pop()
        elif token[0] == '"':
            met = inside[-1] if inside else None
            if met is not None and key_next:
                key = json.loads(token)
                if key in met:
                    return at, f"key {quoted(key)} twice in one object"
                met.add(key)
        elif token in ("NaN", "Infinity", "-Infinity"):
            return at, f"{token} is not a JSON number"
        elif len(token) > DIGITS and token.removeprefix("-").isdecimal():
            return at, f"a number of {len(token.removeprefix('-'))} digits is out of range"
        key_next = token == "{" or (token == "," and bool(inside) and inside[-1] is not None)
    return 0, "not a value that is read"


def _starts(text: str) -> list[int]:
    """Where the elements of an array begin."""
    depth = 0
    found = []
    expected = False
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in "]}":
            depth -= 1
        elif expected:
            found.append(match.start())
        if token in "[{":
            depth += 1
        expected = depth == 1 and token in "[,"
    return found


def _keys(text: str, start: int) -> dict[str, int]:
    """Where the keys of the object stand that begins at a place."""
    depth = 0
    found = {}
    before = ""
    for match in _TOKEN.finditer(text, start):
        token = match.group()
        if token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
            if not depth:
                break
        elif depth == 1 and token[0] == '"' and before in "{,":
            found[json.loads(token)] = match.start()
        before = token
    return found


def _is_card(value: object) -> bool:
    try:
        return isinstance(value, str) and parse_card(value) >= 0
    except GinRummyError:
        return False


def _depth_after(text: str, depth: int) -> int | None:
    """How many brackets are open after a line, or None where no further line can mend it."""
    for match in _STRUCTURE.finditer(text):
        sign = match.group()
        if sign in "[{":
            depth += 1
            if depth > DEPTH:
                return None
        elif sign in "]}":
            depth -= 1
            if depth <= 0:
                return 0
        elif sign == '"':
            return None
    return depth


def _decode(text: str, line: int) -> Iterator[Record | BadRecord]:
    """The records of one whole JSON value that began at ``line``."""
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = "" if error.lineno == 1 else f" in line {line + error.lineno - 1}, column {error.colno}"
        yield BadRecord(line, f"not JSON{where}: {error.msg}", error.colno if error.lineno == 1 else None)
    except (_Refused, RecursionError):
        at, problem = _fault(text)
        if "\n" in text[:at]:
            yield BadRecord(line, f"{problem}, in {_place(text, at, line)}")
        else:
            yield BadRecord(line, problem, at + 1)
    else:
        if not isinstance(value, list) or (value and _is_card(value[0])):
            yield Record(line, value, text)
            return
        places = [line] * len(value)
        if "\n" in text:
            places = []
            counted = 0
            for start in _starts(text):
                line += text.count("\n", counted, start)
                counted = start
                places.append(line)
        for number, (element, place) in enumerate(zip(value, places, strict=True), 1):
            yield Record(place, element, text, number)


def numbered_lines(stream: Iterable[bytes], first: int = 1) -> Iterator[tuple[int, str | BadRecord]]:
    """The lines of a stream with their numbers, without their ends, a byte order mark and what is not UTF-8."""
    for number, raw in enumerate(stream, first):
        raw = raw.rstrip(b"\n").removesuffix(b"\r")
        if number == 1:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                yield number, BadRecord(1, "this is UTF-16: convert it to UTF-8 first", 1, last=True)
                return
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        try:
            yield number, raw.decode()
        except UnicodeDecodeError as error:
            column = len(raw[: error.start].decode()) + 1
            yield (
                number,
                BadRecord(number, f"byte 0x{raw[error.start]:02X} is not UTF-8", column, raw.decode(errors="replace")),
            )


class RecordReader:
    """Lines to records. Lines may come in several portions; a value may begin in one and end in another."""

    def __init__(self, first: int = 1) -> None:
        self.line = first
        """The number of the next line."""
        self.over = False
        """Whether nothing more can be read."""
        self._began = 0
        self._value: list[str] = []
        self._depth = 0
        self._skipping = False

    @property
    def between(self) -> bool:
        """Whether no value is open, so that the next line begins a record, whatever it is."""
        return not self._value and not self._skipping

    def read(self, lines: Iterable[bytes]) -> Iterator[Record | BadRecord]:
        """The records of some lines, each as soon as its last line is in."""
        raw_decode = _DECODER.raw_decode
        for number, line in numbered_lines(lines, self.line):
            self.line = number + 1
            text = line.text if isinstance(line, BadRecord) else line
            blank = not text or text.isspace()
            if self._value or self._skipping:
                if blank or text.startswith(_CONTINUES):
                    yield from self._more(number, line)
                    continue
                yield from self.end(number)
            if isinstance(line, BadRecord):
                yield line
                if line.last:
                    self.over = True
                    return
                # The lines that go on with a value of which one line is lost are lost too.
                self._skipping = text.startswith(_BEGINS_JSON) and _depth_after(text, 0) != 0
                continue
            if blank or line.startswith("#"):
                continue
            if not line.startswith(_BEGINS_JSON) and not line.lstrip().startswith(_BEGINS_JSON):
                yield Record(number, line, line)
                continue
            try:
                value, end = raw_decode(line)
            except (ValueError, RecursionError, _Refused):
                pass
            else:
                if end == len(line) and (isinstance(value, dict | str)):
                    yield Record(number, value, line)
                    continue
            after = _depth_after(line, 0)
            if after:
                self._began, self._value, self._depth = number, [line], after
                continue
            for record in _decode(line, number):
                # After a value whose brackets are closed, an indented line begins a record of its own.
                self._skipping = after is None and isinstance(record, BadRecord)
                yield record

    def _more(self, number: int, line: str | BadRecord) -> Iterator[Record | BadRecord]:
        """A line that goes on with an open value."""
        if isinstance(line, BadRecord):
            if self._value:
                # What is left of the value is passed over, as after any other fault in it.
                yield BadRecord(self._began, f"the JSON value that begins here does not end before line {number}")
                self._value, self._skipping = [], True
            yield line
        elif not self._skipping:
            self._value.append(line)
            after = _depth_after(line, self._depth)
            if after:
                self._depth = after
                return
            whole, self._value = "\n".join(self._value), []
            self._skipping = after is None
            yield from _decode(whole, self._began)

    def end(self, following: int | None = None) -> Iterator[BadRecord]:
        """What is wrong with a value that is still open where another line begins a record, or at the end of the input."""
        if self._value:
            yield BadRecord(
                self._began,
                "the JSON value that begins here is not complete at the end of the input"
                if following is None
                else f"the JSON value that begins here is not complete where line {following} begins another record: "
                "write a value on one line (as jq -c does), or indent its lines",
            )
        self._value, self._skipping = [], False


def read_records(stream: Iterable[bytes]) -> Iterator[Record | BadRecord]:
    """The records of a stream."""
    reader = RecordReader()
    yield from reader.read(stream)
    yield from reader.end()
