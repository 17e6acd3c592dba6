"""Lines typed at a terminal: completion of what is legal, history, a toolbar."""

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application, get_app
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
        session = self._sessions[who]
        with settings_kept(), ended_between_keys(session.app) as begin:
            return session.prompt(
                prompt,
                bottom_toolbar=lambda: toolbar(get_app().output.get_size().columns) or None,
                pre_run=begin,
            )


@contextmanager
def ended_between_keys(app: Application[str]) -> Iterator[Callable[[], None]]:
    """SIGTERM ends the prompt first, and comes then: an exception out of the middle of the event loop would be shown as a failure of it.

    Gives what the prompt is to call when it begins.
    """
    usual = signal.getsignal(signal.SIGTERM)
    if not callable(usual) or threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    came: list[int] = []

    def leave() -> None:
        # It may have ended by itself meanwhile.
        with suppress(Exception):
            app.exit(exception=EOFError())

    def stop(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if app.loop is not None:
            # From here the loop would not notice before the next key.
            app.loop.call_soon_threadsafe(leave)

    def begin() -> None:
        if came:
            leave()

    signal.signal(signal.SIGTERM, stop)
    try:
        yield begin
    finally:
        signal.signal(signal.SIGTERM, usual)
        if came:
            signal.raise_signal(signal.SIGTERM)


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
