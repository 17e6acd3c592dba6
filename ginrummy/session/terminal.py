"""Lines typed at a terminal: completion of what is legal, history, a toolbar."""

from collections.abc import Iterable

from prompt_toolkit import PromptSession
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
        self._session: PromptSession[str] = PromptSession(completer=self._completer, complete_while_typing=False)

    def read(self, prompt: str, offered: list[str], toolbar: str) -> str:
        """The next line. EOFError for Ctrl-D, KeyboardInterrupt for Ctrl-C."""
        self._completer.offered = offered
        return self._session.prompt(prompt, bottom_toolbar=toolbar)
