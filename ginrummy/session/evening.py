"""Game after game: what happens around the games of a session, and what is remembered of them."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from ginrummy.errors import GinRummyError, RulesError, quoted
from ginrummy.game import Game, player_count
from ginrummy.kernel.rng import Rng
from ginrummy.players import Player
from ginrummy.players.registry import is_outside, make_player
from ginrummy.record_book import rules_label, statistics_text
from ginrummy.render import rules_text
from ginrummy.rules import Rules, load_rules
from ginrummy.session import report
from ginrummy.session.commands import command_of, session_help
from ginrummy.session.console import Console
from ginrummy.session.loop import HUMAN, NewGame, Options, Quit, Resigned, Session
from ginrummy.session.screen import YOU
from ginrummy.store import OpenGame, Setup, Store, StoreError

LEVELS: Final = ("easy", "normal", "hard", "expert")
"""The levels one can play against."""

PEOPLE: Final = "human"
"""The text of an opponent at the same keyboard."""


def opponent_name(opponent: str) -> str:
    """What an opponent is called."""
    return "Opponent" if is_outside(opponent) else "Computer"


def check_table(rules: Rules, opponent: str) -> None:
    """That the opponent goes with the rules; RulesError says why not."""
    if opponent == PEOPLE and (rules.partnership or rules.cutthroat):
        raise RulesError("one keyboard is for two: partnership and cutthroat are played against computers")


def check_opponent(opponent: str) -> None:
    """That an outside player can be had, before a game with it is entered. Errors as in ``make_player``."""
    if is_outside(opponent):
        _close(make_player(opponent, Rng(1, 0, 0, 0)))


def _close(player: Player) -> None:
    """Let an outside player end."""
    close = getattr(player, "close", None)
    if close is not None:
        close()


@dataclass
class Evening:
    """A session: one game, then another as long as the player likes."""

    console: Console
    store: Store | None
    """None: nothing is saved."""
    rules: Rules
    opponent: str
    """Of the next game: a level, ``human``, or an outside player."""
    names: tuple[str, ...]
    """The name of the player, or of two people at one keyboard."""
    seeds: Callable[[int], tuple[int, int]]
    """The seed of a game that begins, and which game of the seed it is, from how many began before it."""
    options: Options = field(default_factory=Options)
    counted: bool = True
    """Whether games may go into the statistics."""
    _begun: int = field(default=0, init=False)
    _saved: OpenGame | None = field(default=None, init=False)
    """The game that was begun or resumed last."""
    _over: bool = field(default=True, init=False)
    """Whether it is over."""

    def run(self, resumed: OpenGame | None = None) -> None:
        """Play until the player has enough. Quit, EOFError, KeyboardInterrupt and PlayerFailed pass through."""
        saved = resumed
        while True:
            if saved is None:
                saved = self._begin()
            self._saved, self._over = saved, False
            with saved, ExitStack() as stack:
                again = self._game(saved, stack, goes_on=saved is resumed)
            self._over = True
            if not (again or self._another(saved)):
                return
            saved = None

    def farewell(self) -> None:
        """What is said to a player who leaves."""
        saved = self._saved
        if saved is not None and not self._over:
            if saved.id is None or saved.trouble is not None:
                self.console.say("This game is not saved.")
            else:
                self.console.say("The game is saved: ginrummy play --resume goes on with it.")
        self.console.say("Bye.")

    def _begin(self) -> OpenGame:
        """The next game, entered in the store where there is one."""
        seed, number = self.seeds(self._begun)
        self._begun += 1
        rules = self.rules
        if self.opponent == PEOPLE:
            players = sides = self.names
        else:
            opponent = opponent_name(self.opponent)
            players = report.player_names(rules, self.names[0], opponent)
            sides = report.side_names(rules, players, opponent)
        options = self.options
        kept = {
            "hints": options.hints,
            "confirm": options.confirm,
            "coach": options.coach,
            "manual_layoff": options.manual_layoff,
        }
        setup = Setup(self.opponent, players, self.counted and self.opponent in LEVELS, kept)
        game = Game(rules, seed=seed, number=number, names=sides)
        if self.store is not None:
            try:
                return self.store.new_game(game, setup)
            except StoreError as error:
                self.console.say(f"This game is not saved: {error}.")
                self.store = None
        return OpenGame(game, setup)

    def _game(self, saved: OpenGame, stack: ExitStack, *, goes_on: bool) -> bool:
        """Play a game. Whether another is to follow at once."""
        say = self.console.say
        opponent = saved.setup.opponent
        rules = saved.game.rules
        best = f", best of {rules.best_of} games" if rules.best_of > 1 else ""
        settings = {key: value for key, value in rules.settings.items() if key != "target"}
        named = f"{rules_label(rules.name, settings)}, to {rules.target}{best}"
        against = "two people at one keyboard" if opponent == PEOPLE else f"against {opponent}"
        if goes_on:
            say(f"Game {saved.id} goes on: {named}, {against}. help tells what to type.")
        else:
            say(f"Gin Rummy, {named}, {against}. help tells what to type.")
        if self.options.coach and not (self.options.hints and rules.hints):
            say(
                "There is no coach: "
                + ("hints are off." if rules.hints else f"{rules.name} leaves every decision to you.")
            )
        session = Session(
            saved,
            self.console,
            self.options,
            self._outside(saved, stack),
            frozenset((0, 1) if opponent == PEOPLE else (HUMAN,)),
            {"stats": self._stats, "level": self._level},
        )
        try:
            session.run()
        except NewGame:
            saved.abandon()
            say(f"This game counts for nobody. {self._seed(saved)}")
            return True
        except Resigned as resigned:
            saved.resign(resigned.player)
            name = saved.setup.names[resigned.player]
            say(f"{'You have' if name == YOU else f'{name} has'} given the game up.")
        say(self._seed(saved))
        return False

    def _seed(self, saved: OpenGame) -> str:
        game = saved.game
        number = f", game {game.number}" if game.number else ""
        kept = f" In the store it is game {saved.id}." if saved.id is not None else ""
        return f"Seed {game.seed}{number}.{kept}"

    def _outside(self, saved: OpenGame, stack: ExitStack) -> Mapping[int, Player]:
        """The players from outside, made for one game each; they are closed with the stack."""
        opponent = saved.setup.opponent
        found: dict[int, Player] = {}
        if not is_outside(opponent):
            return found
        for number in range(1, player_count(saved.game.rules)):
            player = make_player(opponent, Rng(1, number, 0, 0))
            found[number] = player
            stack.callback(_close, player)
        return found

    # Between the games

    def _another(self, saved: OpenGame) -> bool:
        """Whether another game is wanted."""
        console = self.console
        reviewed = self.options.hints and saved.game.rules.hints and saved.id is not None
        words = ["next", *(["review"] if reviewed else []), "quit"]
        while True:
            line = console.read(f"Enter or n: next game, {', '.join(words[1:])}", words).strip()
            word = line.lower()
            if word in ("", "n", "next", "new", "y", "yes"):
                return True
            if word in ("no",):
                return False
            if word == "review" and reviewed:
                self._review(saved.id)
                continue
            typed = command_of(line)
            if typed is None:
                console.say(f"{quoted(line)} is no answer here: Enter starts the next game, quit leaves.")
            elif typed.command == "quit":
                raise Quit
            else:
                self._between(typed.command or "", typed.rest, saved)

    def _between(self, command: str, rest: str, saved: OpenGame) -> None:
        """A command while no game is under way."""
        console = self.console
        if command == "stats":
            self._stats(rest)
        elif command == "level":
            self._level(rest)
        elif command == "score":
            console.say_all([*report.score_lines(saved.game, console.style)])
            if saved.game.finished:
                console.say_all(report.final_lines(saved.game))
        elif command == "rules":
            console.say_all(rules_text(self.rules, load_rules()))
        elif command == "help":
            console.say("Enter or n starts the next game, review looks back on this one, quit leaves.")
            console.say_all(session_help(self.options.hints and self.rules.hints, console.style))
        else:
            console.say(f"There is no {command} between two games.")

    def _review(self, number: int | None) -> None:
        try:
            from ginrummy.session.review import review
        except ImportError:
            self.console.say("No review is available.")
            return
        if self.store is not None:
            try:
                self.console.say_all(review(self.store, number, self.console.style))
            except GinRummyError as error:
                self.console.complain(error)

    def _stats(self, rest: str) -> None:
        if self.store is None:
            self.console.say("Nothing is saved, so there are no statistics.")
            return
        try:
            self.console.say_all(statistics_text(self.store.statistics()))
        except StoreError as error:
            self.console.complain(error)

    def _level(self, rest: str) -> None:
        word = rest.lower()
        if self.opponent not in LEVELS:
            self.console.say("There is no level: no computer plays here.")
        elif not word:
            self.console.say(f"The next game is against {self.opponent}. Levels: {', '.join(LEVELS)}.")
        elif word not in LEVELS:
            self.console.say(f"{quoted(rest)} is no level: there are {', '.join(LEVELS)}.")
        else:
            self.opponent = word
            self.console.say(f"From the next game on the computer plays {word}; this one is played out as it began.")
