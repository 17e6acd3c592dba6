"""One game: deals one after the other, the player's lines, the computers' moves, the sheet."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from ginrummy.errors import GinRummyError, quoted
from ginrummy.game import Table
from ginrummy.hand import Action, Hand, Phase
from ginrummy.players import LevelPlayer, Player
from ginrummy.players.registry import Listener
from ginrummy.players.wire import told
from ginrummy.render import rules_text
from ginrummy.rules import load_rules
from ginrummy.session import report, screen
from ginrummy.session.commands import HELPING, command_of, gin_cards, help_lines, offers, parse, prompt_words
from ginrummy.session.console import Console, listed
from ginrummy.store import OpenGame

if TYPE_CHECKING:
    from ginrummy.session.coach import Coach

HUMAN: Final = 0
"""The player who typed the command; two people are players 0 and 1."""

YES: Final = ("yes", "y", "knock", "k", "gin", "g", "anyway")
NO: Final = ("", "no", "n", "rethink")


class Quit(Exception):
    """The player leaves."""


class NewGame(Exception):
    """The player wants another game; this one counts for nobody."""


class Resigned(Exception):
    """The player gives the game up."""

    def __init__(self, player: int) -> None:
        super().__init__(player)
        self.player = player


@dataclass
class Options:
    """What the player chose besides rules and opponent."""

    hints: bool = True
    """Whether hint, coach and the pointing out of gin are wanted; rules can forbid them."""
    confirm: bool = True
    """Whether what cannot be taken back is shown and asked about first."""
    coach: bool = False
    """Whether the coach speaks."""
    manual_layoff: bool = False
    """Whether the player lays off by hand, where the rules leave it to players."""


@dataclass
class Session:
    """One game, or match, at this terminal."""

    saved: OpenGame
    console: Console
    options: Options
    outside: Mapping[int, Player] = field(default_factory=dict)
    """Players that stay for the whole game, by their numbers; the others are of the level."""
    people: frozenset[int] = frozenset({HUMAN})
    """The players who sit at this keyboard."""
    more: Mapping[str, Callable[[str], None]] = field(default_factory=dict)
    """Commands that reach beyond the game, by name; each is given what follows its name."""
    _helper: "Coach | None" = field(default=None, init=False)
    _ahead: str | None = field(default=None, init=False)
    """A line that was typed where a question stood, and is no answer to it."""
    _trouble: str = field(default="", init=False)
    """What was last said about saving."""
    _fresh: bool = field(default=False, init=False)
    """Whether the head of the hand has just been shown."""

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays, by player."""
        return self.saved.setup.names

    @property
    def hints(self) -> bool:
        """Whether hints may be given."""
        return self.options.hints and self.saved.game.rules.hints

    def run(self) -> None:
        """Play to the end. Quit, NewGame, Resigned, EOFError and KeyboardInterrupt pass through."""
        game, say_all = self.saved.game, self.console.say_all
        while not game.finished:
            tables = self.saved.tables()
            hands = [self.saved.hand(table) for table in tables]
            sheet = game.sheet
            if not sheet.rows and not any(hand.events for hand in hands):
                say_all(report.start_lines(game, tables, self.names, self.console.style))
            for table, hand in zip(tables, hands, strict=True):
                if hand.end is None:
                    self._play(table, hand)
            say_all(report.row_lines(sheet, sheet.rows[-1], self.console.style))
            if sheet.finished:
                say_all(report.final_lines(game))

    # One hand

    def _play(self, table: Table, hand: Hand) -> None:
        """Play one hand: at the player's own table step by step, elsewhere at once."""
        console = self.console
        names = [self.names[player] for player in table.players]
        console.say("")
        console.say_all(report.deal_lines(self.saved.game, table, hand, self.names))
        self._fresh = True
        if hand.events and self.people & {*table.players}:
            console.say_all(screen.recent_lines(hand, self._own_seat(table, hand), names, console.style))
        others = {seat: self._player(table, hand, seat) for seat in (0, 1) if table.players[seat] not in self.people}
        while hand.end is None:
            seat = hand.turn
            if seat not in others:
                self._person(table, hand, seat, others)
                continue
            with console.patient():
                while hand.end is None and hand.turn in others:
                    self._computer(table, hand, others, shown=len(others) == 1)
        for player in others.values():
            if isinstance(player, Listener):
                player.end(hand.end)
        console.say_all(report.end_lines(hand.end, names, console.style))

    def _own_seat(self, table: Table, hand: Hand) -> int:
        """The seat of the person who plays; of two the one who is to act."""
        seats = [seat for seat in (0, 1) if table.players[seat] in self.people]
        return hand.turn if hand.turn in seats else seats[0]

    def _player(self, table: Table, hand: Hand, seat: int) -> Player:
        """Who decides for a seat; one that stays is told what has happened so far."""
        player = self.outside.get(table.players[seat])
        if player is None:
            return LevelPlayer(self.saved.setup.opponent, self.saved.rng(table, seat))
        if isinstance(player, Listener):
            game = self.saved.game
            streams = game.streams(table)
            player.begin(seat, game.deal(table).view(seat), int((streams.second if seat else streams.first).word()))
        for event in hand.events:
            player.observe(told(event, seat))
        return player

    def _answered(self, table: Table, hand: Hand, action: Action) -> Action:
        """An action; a knock waits where a person who lays off by hand is to defend."""
        wanted = self.options.manual_layoff and hand.rules.arrangement == "player" and action.kind == "knock"
        return replace(action, by_hand=True) if wanted and table.players[1 - hand.turn] in self.people else action

    def _do(self, table: Table, hand: Hand, action: Action, others: Mapping[int, Player]) -> None:
        """Do an action, save it, and tell of it."""
        self.saved.play(table, action)
        for seat, player in others.items():
            if action.kind != "defend":
                player.observe(told(hand.events[-1], seat))
        trouble = "" if self.saved.trouble is None else str(self.saved.trouble)
        if trouble and trouble != self._trouble:
            self.console.say(f"Not saved: {trouble}.")
        elif self._trouble and not trouble:
            self.console.say("All is saved again.")
        self._trouble = trouble

    def _computer(self, table: Table, hand: Hand, others: Mapping[int, Player], *, shown: bool) -> None:
        """One step of a computer's turn."""
        seat = hand.turn
        if shown:
            self.console.pause()
        offered = len(hand.events) < 2
        self._do(table, hand, self._answered(table, hand, others[seat].decide(hand.view(seat))), others)
        if shown:
            name = self.names[table.players[seat]]
            event = told(hand.events[-1], 1 - seat) if hand.rules.knock_card == "down" else hand.events[-1]
            self.console.say(screen.event_line(event, name, offered, hand.rules, self.console.style))

    # The player's turn

    def _person(self, table: Table, hand: Hand, seat: int, others: Mapping[int, Player]) -> None:
        """A decision of a person; of two at one keyboard a whole turn that the other does not see."""
        if len(self.people) == 1:
            self._decide(table, hand, seat, others)
            return
        names = [self.names[player] for player in table.players]
        start = len(hand.events)
        with self._covered(table.players[seat]):
            if self.console.typed:
                self.console.say_all(screen.recent_lines(hand, seat, names, self.console.style))
            while hand.end is None and hand.turn == seat:
                self._decide(table, hand, seat, others)
        if self.console.typed:
            for at, event in enumerate(hand.events[start:], start):
                seen = told(event, 1 - seat) if hand.rules.knock_card == "down" else event
                self.console.say(screen.event_line(seen, names[seat], at < 2, hand.rules, self.console.style))

    @contextmanager
    def _covered(self, player: int) -> Iterator[None]:
        """The turn of one of two people: begun when that person says so, and out of sight afterwards."""
        if not self.console.typed:
            yield
            return
        while True:
            line = self.console.read(f"{self.names[player]}, press Enter when nobody else looks", [], who=player)
            if not line.strip():
                break
            if line.strip().lower() in ("quit", "q", "exit"):
                raise Quit
            self.console.say("Only Enter and quit count here: the other's cards are covered.")
        with self.console.private():
            yield

    def _decide(self, table: Table, hand: Hand, seat: int, others: Mapping[int, Player]) -> None:
        console = self.console
        if hand.phase is Phase.DEFENDING:
            self._lay_off(table, hand, seat, others)
            return
        if not self._fresh:
            console.say("")
        self._show(table, hand, seat)
        legal = offers(hand, self.hints)
        if self.hints and ("big gin" in legal or gin_cards(hand)):
            console.say(f"You have {'big gin' if 'big gin' in legal else 'gin'}.")
        if self.hints and self.options.coach:
            console.say_all(self._coach().lesson_lines(hand.view(seat), console.style))
        who = table.players[seat]
        while True:
            line = self._line(prompt_words(legal), legal, lambda width: self._toolbar(table, hand, seat, width), who)
            if not line.strip():
                continue
            try:
                typed = parse(line, hand)
                if typed.action is not None:
                    hand.check(typed.action)
            except GinRummyError as error:
                console.complain(error)
                continue
            if typed.action is None:
                assert typed.command is not None
                self._command(typed.command, typed.rest, table, hand, seat)
            elif self._agreed(hand, typed.action, who, [self.names[player] for player in table.players]):
                self._do(table, hand, self._answered(table, hand, typed.action), others)
                card = hand.events[-1].card
                if card is not None and typed.action.kind in ("draw", "take"):
                    me = screen.verb(self.names[who], typed.action.kind)
                    console.say(screen.sentence(f"{me} the {console.style.card(card)}."))
                return

    def _lay_off(self, table: Table, hand: Hand, seat: int, others: Mapping[int, Player]) -> None:
        """The defence of a person who lays off by hand."""
        from ginrummy.session.layoff import Defence, lay_off_by_hand

        assert hand.knock is not None
        who = table.players[seat]
        knocker = screen.sentence(screen.verb(self.names[table.players[1 - seat]], "lay"))
        self.console.say(f"{knocker} out with deadwood {hand.knock.knocker.deadwood}. Lay off what you like:")

        def command(line: str) -> bool:
            typed = command_of(line)
            if typed is None or typed.command is None or typed.command in (*HELPING, "hand", "pile"):
                return False
            self._command(typed.command, typed.rest, table, hand, seat)
            return True

        action = lay_off_by_hand(
            Defence(int(hand.cards(seat)), hand.knock.knocker.melds),
            lambda prompt, offered: self._line(
                prompt, offered, lambda width: self._toolbar(table, hand, seat, width), who
            ),
            self.console.say_all,
            command,
            self.console.style,
        )
        self._do(table, hand, action, others)

    def _line(self, prompt: str, offered: list[str], toolbar: Callable[[int], str], who: int) -> str:
        if self._ahead is not None:
            line, self._ahead = self._ahead, None
            return line
        return self.console.read(prompt, offered, toolbar, who)

    def _ask(self, prompt: str, offered: list[str], who: int) -> bool:
        """Whether a question is answered with yes. A line that is no answer means no, and is read as a command next."""
        line = self.console.read(prompt, offered, who=who)
        word = line.strip().lower()
        if word not in YES + NO:
            self._ahead = line
        return word in YES

    def _agreed(self, hand: Hand, action: Action, who: int, names: list[str]) -> bool:
        """Whether an action is still wanted once the player has seen what it costs or counts."""
        console = self.console
        if self.hints and self.options.coach:
            cost = self._coach().cost(hand.view(hand.turn), action)
            if cost is not None:
                console.say_all(cost.lines(console.style))
                if not self._ask("Play it anyway? yes, rethink", ["yes", "rethink"], who):
                    return False
        if not self.options.confirm or action.kind not in ("knock", "big-gin"):
            return True
        kept = int(hand.cards(hand.turn)) ^ (0 if action.card is None else 1 << action.card)
        console.say_all(screen.knock_lines(kept, action.melds, hand, names, console.style))
        return self._ask(f"{'Big gin' if action.card is None else 'Knock'}? yes, no", ["yes", "no"], who)

    def _show(self, table: Table, hand: Hand, seat: int) -> None:
        """The table."""
        opponent = self.names[table.players[1 - seat]]
        if not self._fresh:
            self.console.say(report.standing_line(self.saved.game, table, self.names))
        self._fresh = False
        self.console.say_all(screen.table_lines(hand.view(seat), self.console.style, opponent))

    def _toolbar(self, table: Table, hand: Hand, seat: int, width: int) -> str:
        """The line at the bottom: what matters most first, as much as goes in."""
        sheet = self.saved.game.sheet
        parts = [f"deadwood {screen.least_deadwood(hand.view(seat))}", listed(sheet.names, sheet.totals)]
        parts += [f"to {hand.rules.target}", f"knock {screen.limit_text(hand.limit)}", f"stock {hand.stock_count}"]
        text = parts[0]
        for part in parts[1:]:
            if width and len(text) + len(part) + 3 > width:
                break
            text += f" | {part}"
        return text

    # Commands

    def _command(self, command: str, rest: str, table: Table, hand: Hand, seat: int) -> None:
        console, style = self.console, self.console.style
        me, opponent = self.names[table.players[seat]], self.names[table.players[1 - seat]]
        if command in HELPING and not self.hints:
            why = "you have turned hints off" if hand.rules.hints else f"{hand.rules.name} leaves every decision to you"
            console.say(f"No {command} here: {why}.")
        elif command == "help":
            console.say_all(help_lines(hand, style, self.hints))
        elif command == "hand":
            self._show(table, hand, seat)
        elif command == "score":
            console.say_all(report.score_lines(self.saved.game, style))
        elif command == "pile":
            console.say_all(screen.pile_lines(hand.view(seat), style, me, opponent))
        elif command == "rules":
            console.say_all(rules_text(hand.rules, load_rules()))
        elif command == "hint":
            console.say_all(self._coach().hint_lines(hand.view(seat), style))
        elif command == "coach":
            self._turn_coach(rest, hand, seat)
        elif command == "quit":
            raise Quit
        elif command in ("new", "resign"):
            self._give_up(command, table.players[seat])
        else:
            self.more[command](rest)

    def _turn_coach(self, rest: str, hand: Hand, seat: int) -> None:
        if rest.lower() not in ("", "on", "off"):
            self.console.say(f"Coach takes on or off, not {quoted(rest)}.")
            return
        self.options.coach = rest.lower() == "on" or (not rest and not self.options.coach)
        self.console.say(f"The coach is {'on' if self.options.coach else 'off'}.")
        if self.options.coach:
            self.console.say_all(self._coach().lesson_lines(hand.view(seat), self.console.style))

    def _give_up(self, command: str, player: int) -> None:
        if self.options.confirm:
            what = {
                "new": "Leave this game for good and start another? It counts for nobody. yes, no",
                "resign": "Give this game up? It counts as lost. yes, no",
            }[command]
            if not self._ask(what, ["yes", "no"], player):
                return
        if command == "new":
            raise NewGame
        raise Resigned(player)

    def _coach(self) -> "Coach":
        """The coach of this game."""
        if self._helper is None:
            # Only when asked: it tries out many hands, and loads what it needs for that.
            from ginrummy.session.coach import Coach

            self._helper = Coach.of(self.saved.game.rules)
        return self._helper
