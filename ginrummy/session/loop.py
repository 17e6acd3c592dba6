"""The session: deals one after the other, the player's lines, the computers' moves, the sheet."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from ginrummy.cards import NAMES, cards_in
from ginrummy.errors import GinRummyError
from ginrummy.game import Game, Table
from ginrummy.hand import Action, Hand, HandEnd, Phase
from ginrummy.players import LevelPlayer, Player
from ginrummy.render import Style, rules_text
from ginrummy.rules import Rules, load_rules
from ginrummy.session import screen
from ginrummy.session.commands import gin_cards, help_lines, offers, parse

HUMAN: Final = 0
"""The player who types; always in seat 0."""


class Reader(Protocol):
    """Where the player's lines come from."""

    def read(self, prompt: str, offered: list[str], toolbar: str) -> str:
        """The next line. EOFError at the end of input, KeyboardInterrupt for Ctrl-C."""


class Quit(Exception):
    """The player leaves."""


def player_names(rules: Rules) -> tuple[str, ...]:
    """Who plays, by player."""
    if rules.partnership:
        return (screen.YOU, "Computer 1", "Partner", "Computer 2")
    return (screen.YOU, "Computer 1", "Computer 2") if rules.cutthroat else (screen.YOU, "Computer")


def side_names(rules: Rules) -> tuple[str, ...]:
    """The sides of the sheet."""
    names = player_names(rules)
    return (f"{names[0]} and {names[2].lower()}", "Computers") if rules.partnership else names


@dataclass
class Session:
    """One game, or match, at this terminal."""

    game: Game
    level: str
    reader: Reader
    say: Callable[[str], None]
    style: Style
    delay: float = 0.0
    """Seconds before each of a computer's two steps."""
    names: tuple[str, ...] = field(init=False)
    """By player."""

    def __post_init__(self) -> None:
        self.names = player_names(self.game.rules)

    def run(self) -> None:
        """Play to the end. Quit, EOFError and KeyboardInterrupt pass through."""
        rules = self.game.rules
        best = f", best of {rules.best_of} games" if rules.best_of > 1 else ""
        self.say(
            f"Gin Rummy, {rules.name}, to {rules.target}{best}, against {self.level}. "
            f"Seed {self.game.seed}. help tells what to type."
        )
        games = 0
        while not self.game.finished:
            tables = self.game.tables()
            if len(self.game.match.games) > games:
                games = len(self.game.match.games)
                self._say_all(screen.start_lines(self.game, tables, self.names, self.style))
            ends = [self._play(table) for table in tables]
            row = self.game.enter(*[self.game.entry(table, end) for table, end in zip(tables, ends, strict=True)])
            self._say_all(screen.row_lines(self.game.sheet, row))
            if self.game.sheet.finished:
                self._say_all(screen.final_lines(self.game))

    def _say_all(self, lines: list[str]) -> None:
        for line in lines:
            self.say(line)

    def _play(self, table: Table) -> HandEnd:
        """Play one hand: at the player's own table step by step, elsewhere at once."""
        hand = self.game.deal(table)
        streams = self.game.streams(table)
        others: list[Player] = [LevelPlayer(self.level, streams.first), LevelPlayer(self.level, streams.second)]
        names = [self.names[player] for player in table.players]
        here = HUMAN in table.players
        self.say("")
        self._say_all(screen.deal_lines(self.game, table, hand, self.names))
        while hand.end is None:
            if here and table.players[hand.turn] == HUMAN:
                self._human_moves(hand, names[1])
            elif here:
                self._computer_moves(hand, others[hand.turn], names[hand.turn])
            else:
                hand.apply(others[hand.turn].decide(hand.view(hand.turn)))
        self._say_all(screen.end_lines(hand.end, names, self.style))
        return hand.end

    def _computer_moves(self, hand: Hand, computer: Player, name: str) -> None:
        if self.delay:
            time.sleep(self.delay)
        seat = hand.turn
        action = computer.decide(hand.view(seat))
        offered = hand.phase is Phase.OFFER
        hand.apply(action)
        card = hand.events[-1].card
        shown = "" if card is None else self.style.card(card)
        texts = {
            "take": f"takes the {shown}{' on offer' if offered else ''}",
            "pass": "passes",
            "draw": "draws from the stock",
            "discard": f"throws the {shown}",
            "knock": f"knocks{f' with the {shown}' if hand.rules.knock_card == 'up' else ''}",
            "big-gin": "has big gin",
        }
        self.say(f"{name} {texts[action.kind]}.")

    def _human_moves(self, hand: Hand, opponent: str) -> None:
        seat = hand.turn
        self._say_all(screen.table_lines(hand.view(seat), self.style, opponent))
        legal = offers(hand)
        if hand.rules.hints and ("big gin" in legal or gin_cards(hand)):
            self.say(f"You have {'big gin' if 'big gin' in legal else 'gin'}.")
        while True:
            line = self.reader.read(self._prompt(legal), legal, self._toolbar(hand))
            if not line.strip():
                continue
            try:
                typed = parse(line, hand)
                if typed.action is not None:
                    hand.apply(typed.action)
                    self._echo(typed.action, hand)
                    return
            except GinRummyError as error:
                self.say(str(error)[:1].upper() + str(error)[1:] + ".")
                continue
            assert typed.command is not None
            self._command(typed.command, hand, opponent)

    def _prompt(self, legal: list[str]) -> str:
        words = [text for text in legal if text not in NAMES and not text.startswith("knock")]
        if any(text in NAMES for text in legal):
            words.append("a card")
        if any(text.startswith("knock") for text in legal):
            words.append("knock CARD")
        return f"{', '.join(words)}> "

    def _toolbar(self, hand: Hand) -> str:
        sheet = self.game.sheet
        points = ", ".join(f"{name} {total}" for name, total in zip(sheet.names, sheet.totals, strict=True))
        return f"{points}, to {hand.rules.target} | knock {screen.limit_text(hand.limit)} | stock {hand.stock_count}"

    def _echo(self, action: Action, hand: Hand) -> None:
        card = hand.events[-1].card
        if card is not None and action.kind in ("draw", "take"):
            self.say(f"You {action.kind} the {self.style.card(card)}.")

    def _command(self, command: str, hand: Hand, opponent: str) -> None:
        if command == "quit":
            raise Quit
        if command == "help":
            self._say_all(help_lines(hand))
        elif command == "hand":
            self._say_all(screen.table_lines(hand.view(hand.turn), self.style, opponent))
        elif command == "score":
            self._say_all(screen.score_lines(self.game))
        elif command == "pile":
            self._say_all(self._pile_lines(hand, opponent))
        else:
            self._say_all(rules_text(hand.rules, load_rules()))

    def _pile_lines(self, hand: Hand, opponent: str) -> list[str]:
        view = hand.view(hand.turn)
        top = self.style.card(view.pile[-1]) if view.pile else "nothing"
        lines = [f"On top of the pile: {top}. The cards below are out of play."]
        for whose, mask in ((opponent, view.known), (screen.YOU, view.shown)):
            if mask:
                lines.append(f"Taken from it and still in hand, {whose}: {self.style.cards(cards_in(mask))}")
        return lines
