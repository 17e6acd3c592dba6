"""Lines typed at a terminal: completion of what is legal, history, a toolbar."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from ginrummy.session.commands import WORDS


class Offered(Completer):
    """Completes to what is legal now, and to the commands of the session."""

    def __init__(self) -> None:
        self.offered: list[str] = []

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The offers that begin with what is typed, in any case."""
        typed = document.text_before_cursor.lstrip()
        words = [*self.offered, *(word.name for word in WORDS if word.action is None)]
        for word in words:
            if word.lower().startswith(typed.lower()):
                yield Completion(word, start_position=-len(typed))


class TerminalReader:
    """Lines typed at a terminal."""

    def __init__(self) -> None:
        self._completer = Offered()
        self._sessions: dict[int, PromptSession[str]] = {}

    def read(self, prompt: str, offered: list[str], toolbar: Callable[[int], str], who: int) -> str:
        """The next line. EOFError for Ctrl-D, KeyboardInterrupt for Ctrl-C."""
        self._completer.offered = offered
        if who not in self._sessions:
            # One for each person: what one has typed the other does not find with the arrow keys.
            self._sessions[who] = PromptSession(completer=self._completer, complete_while_typing=False)
        with settings_kept():
            return self._sessions[who].prompt(
                prompt, bottom_toolbar=lambda: toolbar(get_app().output.get_size().columns) or None
            )


@contextmanager
def settings_kept() -> Iterator[None]:
    """The terminal's settings as they were, also where SIGTERM comes while prompt_toolkit is changing them."""
    stdin = sys.__stdin__
    if sys.platform == "win32" or stdin is None or stdin.closed or not stdin.isatty():
        yield
        return
    import termios

    before = termios.tcgetattr(stdin.fileno())
    try:
        yield
    finally:
        # A terminal that has gone has no settings.
        with suppress(termios.error):
            termios.tcsetattr(stdin.fileno(), termios.TCSANOW, before)
