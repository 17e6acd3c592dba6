"""A game as the list of what was done in it: written down as text and played again.

The seed fixes the deals, so the list is the whole game. What the computer did stands in it too: a later version may
decide otherwise, and that must not change a game that is under way.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ginrummy.errors import GinRummyError, IllegalError, quoted
from ginrummy.game import Game, Table
from ginrummy.hand import Action, Hand, read_defence
from ginrummy.kernel.rng import Rng
from ginrummy.melds import parse_melds
from ginrummy.notation import card_name, parse_card


@dataclass(frozen=True, slots=True)
class Step:
    """One action as it is written down."""

    hand: int
    """The number of the hand among the deals of the game (``Table.number``)."""
    seat: int
    """Who acted."""
    action: str
    """What was done, as ``action_text`` writes it."""
    chance: str | None = None
    """Where the seat's random choices stood after it (``rng_text``); None: at the beginning of the hand still."""


def action_text(action: Action) -> str:
    """An action as text, a knocker's own spread included.

    >>> from ginrummy.melds import parse_melds
    >>> action_text(Action("knock", 12, parse_melds("2H 3H 4H / 9S 9H 9D")))
    'knock KS with 9S 9H 9D / 2H 3H 4H'
    """
    text = f"{action} by hand" if action.by_hand else str(action)
    if action.melds is None:
        return text
    laid = "".join(f"; {card_name(layoff.card)} onto {layoff.onto}" for layoff in action.layoffs)
    return f"{text} with {' / '.join(str(meld) for meld in action.melds)}".rstrip() + laid


def read_action(text: str) -> Action:
    """The action of a text that ``action_text`` wrote; GinRummyError for any other.

    >>> read_action("7S") == Action("discard", 6), read_action("big-gin")
    (True, Action(kind='big-gin', card=None, melds=None))
    """
    plain, named, spread = text.partition(" with")
    if plain.startswith("knock "):
        card = parse_card(plain.removeprefix("knock ").removesuffix(" by hand"))
        return Action("knock", card, parse_melds(spread) if named else None, plain.endswith(" by hand"))
    if plain == "defend":
        return read_defence(spread) if named else Action("defend")
    for kind in ("take", "draw", "pass", "big-gin"):
        if text == kind:
            return Action(kind)
    return Action("discard", parse_card(text))


def rng_text(rng: Rng) -> str:
    """Where a stream of random numbers stands."""
    return f"{rng.a:08x}{rng.b:08x}{rng.c:08x}{rng.d:08x}"


def read_rng(text: str) -> Rng:
    """The stream that goes on from there. ValueError for a text that ``rng_text`` did not write."""
    if len(text) != 32:
        raise ValueError(f"{quoted(text)}: 32 hexadecimal digits are wanted")
    a, b, c, d = (int(text[at : at + 8], 16) for at in range(0, 32, 8))
    return Rng(a, b, c, d)


class Progress:
    """A game with the deal that is being played.

    >>> from ginrummy.rules import load_rules
    >>> progress = Progress(Game(load_rules("race"), seed=1))
    >>> (table,) = progress.tables()
    >>> progress.act(table, Action("pass"))
    >>> [event.kind for event in progress.hand(table).events]
    ['pass']
    """

    def __init__(self, game: Game) -> None:
        """``game`` is between two deals."""
        self.game: Final = game
        self._tables: list[Table] = []
        self._hands: dict[int, Hand] = {}
        """By number, those of the deal under way."""

    def tables(self) -> list[Table]:
        """The tables of the deal under way, or of the next one. IllegalError when the game is over."""
        if not self._tables:
            self._tables = self.game.tables()
            self._hands = {}
        return list(self._tables)

    def hand(self, table: Table) -> Hand:
        """The hand of a table of this deal, dealt when it is first asked for."""
        if table not in self.tables():
            raise IllegalError("the hand is of another deal")
        if table.number not in self._hands:
            self._hands[table.number] = self.game.deal(table)
        return self._hands[table.number]

    def act(self, table: Table, action: Action) -> None:
        """Do what the seat to act at a table decided. The last action of a deal enters its results on the sheet.

        IllegalError leaves everything as it was.
        """
        self.hand(table).apply(action)
        ends = [self._hands[other.number].end for other in self._tables if other.number in self._hands]
        if len(ends) == len(self._tables) and None not in ends:
            pairs = zip(self._tables, ends, strict=True)
            self.game.enter(*[self.game.entry(other, end) for other, end in pairs if end is not None])
            self._tables = []


def replay(progress: Progress, steps: Iterable[Step]) -> Iterator[tuple[Table, Hand, Action]]:
    """Play a log. Each action is given out just before it is done, with the hand as the position it was done in.

    IllegalError names the action that cannot be.
    """
    for number, step in enumerate(steps, 1):
        try:
            table = next((table for table in progress.tables() if table.number == step.hand), None)
            if table is None:
                raise IllegalError(f"hand {step.hand} is not under way")
            hand = progress.hand(table)
            if step.seat != hand.turn:
                raise IllegalError(f"it is the turn of seat {hand.turn}, not of seat {step.seat}")
            action = read_action(step.action)
            hand.check(action)
            yield table, hand, action
            progress.act(table, action)
        except GinRummyError as error:
            raise IllegalError(f"action {number}, {quoted(step.action)}: {error}") from None
