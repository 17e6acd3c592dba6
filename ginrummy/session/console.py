"""What a session shows and reads: lines fitted to the terminal, in words alone where asked, and pauses."""

import re
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Final, Protocol

from ginrummy.cards import NAMES, RANKS
from ginrummy.melds import Arrangement
from ginrummy.render import Style

NARROWEST: Final = 20
"""Columns below which lines are left to the terminal."""

_ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")

_RANK_WORDS: Final = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_SUIT_WORDS: Final = ("spades", "hearts", "diamonds", "clubs")

_CARD_NAME: Final = re.compile(r"(?<![\w'])(10[SHDC]|[A2-9JQK][SHDC])(?![\w'])")

_SIGNS: Final = (
    (re.compile(r"\) x (\d)"), r", all times \1"),
    (re.compile(r" ?\+- ?(?=\d)"), " plus or minus "),
    (re.compile(r" - (?=\d)"), " minus "),
    (re.compile(r" \+ (?=\d)"), " plus "),
    (re.compile(r" x (?=\d)"), " times "),
    (re.compile(r" = "), " is "),
    (re.compile(r" : "), " to "),
    (re.compile(r" \| "), "; "),
    (re.compile(r" ?\+ ?"), " plus "),
    (re.compile(r"_"), " "),
    (re.compile(r"(?<![\w.])-(?=\d)"), "minus "),
    (re.compile(r"[()\[\]*#\"]"), ""),
)
"""What signs are in words, in the order they are replaced."""


@dataclass(frozen=True, slots=True)
class WordStyle(Style):
    """Cards in words: nothing that a screen reader would have to spell."""

    def card(self, card: int) -> str:
        rank = RANKS[card % 13]
        return f"{_RANK_WORDS.get(rank, rank)} of {_SUIT_WORDS[card // 13]}"

    def cards(self, cards: Iterable[int]) -> str:
        return ", ".join(self.card(card) for card in cards)

    def by_suit(self, mask: int) -> str:
        return self.cards(card for card in range(52) if mask >> card & 1)

    def melds(self, arrangement: Arrangement) -> str:
        return "; ".join(self.cards(meld.cards) for meld in arrangement.melds) or "none"


def in_words(text: str) -> str:
    """A line without signs that are no words.

    >>> in_words("(16 - 7) x 2 = 18 points for you")
    '16 minus 7, all times 2 is 18 points for you'
    """
    for sign, word in _SIGNS:
        text = sign.sub(word, text)
    return " ".join(text.split())


def visible(text: str) -> int:
    """Columns of a text without its colours."""
    return len(_ESCAPE.sub("", text))


def fitted(text: str, width: int) -> list[str]:
    """A line in lines of so many columns, broken between words; what is continued is indented.

    >>> fitted("[2C 3C 4C] KS KH   deadwood 20", 20)
    ['[2C 3C 4C] KS KH', '  deadwood 20']
    """
    if width < NARROWEST or visible(text) <= width:
        return [text]
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    lines = []
    line = ""
    # What stands in brackets stays together, where a line can hold it.
    for part in re.findall(r" *(?:\[[^\]]*\]|[^ ]+)", text):
        pieces = [part] if visible(part) <= width - len(indent) else re.findall(r" *[^ ]+", part)
        for piece in pieces:
            if line and visible(line + piece) > width:
                lines.append(line)
                line = indent + piece.lstrip()
            else:
                line += piece
    return [*lines, line]


class Reader(Protocol):
    """Where a player's lines come from."""

    def read(self, prompt: str, offered: list[str], toolbar: Callable[[int], str], who: int) -> str:
        """The next line of a player, whose history is nobody else's. EOFError at the end of input, KeyboardInterrupt for Ctrl-C.

        ``toolbar`` gives the line at the bottom for so many columns.
        """


@dataclass
class Console:
    """The screen and keyboard of a session, or the two ends of a pipe."""

    write: Callable[[str], None]
    """Writes a line."""
    reader: Reader
    style: Style
    plain: bool = False
    """Words alone."""
    typed: bool = False
    """Whether somebody sits at a terminal; else lines come from a pipe."""
    clears: bool = False
    """Whether the terminal can do more than write lines."""
    delay: float = 0.0
    """Seconds before each of a computer's steps."""
    hurry: bool = field(default=False, init=False)
    """Whether Ctrl-C has cut the computer's pauses short."""

    def width(self) -> int:
        """Columns a line may have; 0: any number."""
        return shutil.get_terminal_size().columns if self.typed and not self.plain else 0

    def height(self) -> int:
        """Lines of the terminal."""
        return shutil.get_terminal_size().lines

    def say(self, text: str) -> None:
        """Show a line."""
        if self.plain:
            text = in_words(text)
        for line in fitted(text, self.width()):
            self.write(line)

    def say_all(self, lines: Iterable[str]) -> None:
        """Show lines."""
        for line in lines:
            self.say(line)

    def complain(self, error: object) -> None:
        """Show why something cannot be done, in one sentence."""
        text = str(error)
        if self.plain:
            # Names of cards in words too, but not inside the quotes of what was typed.
            text = _CARD_NAME.sub(lambda found: WordStyle().card(NAMES.index(found[1])), text)
        self.say(f"{text[:1].upper()}{text[1:]}.")

    def read(
        self, prompt: str, offered: list[str], toolbar: Callable[[int], str] = lambda width: "", who: int = 0
    ) -> str:
        """The next line. EOFError at the end of input, KeyboardInterrupt for Ctrl-C."""
        text = in_words(prompt) + ": " if self.plain else prompt + "> "
        return self.reader.read(text, offered, toolbar, who)

    def pause(self) -> None:
        """Wait before a step of the computer."""
        until = time.monotonic() + self.delay
        while not self.hurry and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, 0.02))

    @contextmanager
    def patient(self) -> Iterator[None]:
        """A turn that Ctrl-C does not break off: it only ends the pauses."""
        if threading.current_thread() is not threading.main_thread():
            # Handlers run in the main thread only.
            yield
            return

        def hurry(number: int, frame: FrameType | None) -> None:
            self.hurry = True

        before = signal.signal(signal.SIGINT, hurry)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
            self.hurry = False

    @contextmanager
    def private(self) -> Iterator[None]:
        """What is shown inside is gone afterwards: on a screen of its own that no scrollback keeps, where there is one."""
        if not (self.typed and self.clears):
            try:
                yield
            finally:
                if self.typed:
                    # A terminal that can only write lines: out of sight at least.
                    for _ in range(self.height()):
                        self.write("")
            return
        _raw("\x1b[?1049h\x1b[H\x1b[2J")
        try:
            yield
        finally:
            _raw("\x1b[H\x1b[2J\x1b[?1049l")


def _raw(text: str) -> None:
    """Write to the terminal itself, if it is there."""
    if sys.stdout is not None:
        sys.stdout.write(text)
        sys.stdout.flush()


def listed(names: Iterable[str], numbers: Iterable[int]) -> str:
    """``You 24, Computer 12``."""
    return ", ".join(f"{name} {number}" for name, number in zip(names, numbers, strict=True))
