"""Standard input to records: JSON values or lines of text, each with the line where it began, one at a time.

A line's first character decides: ``{``, ``[`` or ``"`` begins a JSON value, anything else is a text. Lines that begin with
a blank, ``}`` or ``]`` go on with a value that is not complete. Nothing is kept but the record being read.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, Never

from ginrummy.errors import GinRummyError, quoted
from ginrummy.notation import parse_card

DEPTH: Final = 32
"""Deeper nesting than this is refused: a record needs four."""

_BEGINS_JSON: Final = ("{", "[", '"')
_CONTINUES: Final = (" ", "\t", "}", "]")
_STRUCTURE: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}"]')


@dataclass(frozen=True, slots=True)
class Record:
    """One record."""

    line: int
    """The input line where it began, from 1."""
    value: Any
    """A text (a hand), a list (a hand, card by card) or an object."""
    label: str = ""
    """Which one of an array it is: ``, record 2``."""


@dataclass(frozen=True, slots=True)
class BadRecord:
    """Something that is no record."""

    line: int
    problem: str
    column: int | None = None
    """The place in the line, in characters from 1, where it is known."""


class _Refused(Exception):
    """A value that is JSON but not of the kind that is read."""


def _no_constant(text: str) -> Never:
    raise _Refused(f"{text} is not a JSON number")


def _int(text: str) -> int:
    if len(text) > 19:
        raise _Refused(f"a number of {len(text)} digits is out of range")
    return int(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        met: set[str] = set()
        for key, _ in pairs:
            if key in met:
                raise _Refused(f"key {quoted(key)} twice in one object")
            met.add(key)
    return found


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_int=_int, parse_constant=_no_constant)


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
    except _Refused as error:
        yield BadRecord(line, str(error))
    except RecursionError:
        yield BadRecord(line, f"nested more than {DEPTH} deep")
    else:
        if not isinstance(value, list) or (value and _is_card(value[0])):
            yield Record(line, value)
            return
        places = _element_lines(text, line) if "\n" in text else [line] * len(value)
        for number, (element, place) in enumerate(zip(value, places, strict=True), 1):
            yield Record(place, element, f", record {number}")


def _element_lines(text: str, line: int) -> list[int]:
    """The lines where the elements of an array begin."""
    places: list[int] = []
    at = text.index("[") + 1
    counted = 0
    while True:
        while text[at] in " \t\r\n,":
            at += 1
        if text[at] == "]":
            return places
        line += text.count("\n", counted, at)
        counted = at
        places.append(line)
        _, at = _DECODER.raw_decode(text, at)


def numbered_lines(stream: BinaryIO) -> Iterator[tuple[int, str | BadRecord]]:
    """The lines of a stream with their numbers, without their ends, a byte order mark and what is not UTF-8."""
    for number, raw in enumerate(iter(stream.readline, b""), 1):
        raw = raw.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                yield number, BadRecord(1, "this is UTF-16: convert it to UTF-8 first", 1)
                return
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        try:
            yield number, raw.decode()
        except UnicodeDecodeError as error:
            column = len(raw[: error.start].decode()) + 1
            yield number, BadRecord(number, f"byte 0x{raw[error.start]:02X} is not UTF-8", column)


def read_records(stream: BinaryIO) -> Iterator[Record | BadRecord]:
    """The records of a stream, each as soon as its last line is in."""
    began = 0
    value: list[str] = []
    depth = 0
    skipping = False
    for number, line in numbered_lines(stream):
        if isinstance(line, BadRecord):
            if value:
                # What is left of the value is passed over, as after any other fault in it.
                yield BadRecord(began, f"the JSON value that begins here does not end before line {number}")
                value, skipping = [], True
            yield line
            continue
        blank = not line.strip()
        if value or skipping:
            if blank or line.startswith(_CONTINUES):
                if skipping:
                    continue
                value.append(line)
                after = _depth_after(line, depth)
                if after:
                    depth = after
                    continue
                yield from _decode("\n".join(value), began)
                skipping = after is None
                value = []
                continue
            if value:
                yield BadRecord(
                    began,
                    f"the JSON value that begins here is not complete where line {number} begins another record: "
                    "write a value on one line (as jq -c does), or indent its lines",
                )
            value, skipping = [], False
        if blank or line.startswith("#"):
            continue
        text = line.lstrip()
        if not text.startswith(_BEGINS_JSON):
            yield Record(number, line)
            continue
        try:
            simple = _DECODER.decode(line)
        except (ValueError, RecursionError, _Refused):
            simple = None
        if isinstance(simple, dict | str):
            yield Record(number, simple)
            continue
        after = _depth_after(line, 0)
        if after and simple is None:
            began, value, depth = number, [line], after
        else:
            for record in _decode(line, number):
                # After a value whose brackets are closed, an indented line begins a record of its own.
                skipping = after is None and isinstance(record, BadRecord)
                yield record
    if value:
        yield BadRecord(began, "the JSON value that begins here is not complete at the end of the input")
