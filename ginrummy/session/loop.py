"""The session: hands one after the other, the player's lines, the computer's moves."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ginrummy.cards import NAMES, cards_in
from ginrummy.errors import GinRummyError
from ginrummy.game import Game
from ginrummy.hand import Action, Hand, Phase
from ginrummy.players import LevelPlayer, Player
from ginrummy.render import Style, rules_text
from ginrummy.rules import load_rules
from ginrummy.session import screen
from ginrummy.session.commands import help_lines, offers, parse

HUMAN = 0
COMPUTER = 1


class Reader(Protocol):
    """Where the player's lines come from."""

    def read(self, prompt: str, offered: list[str], toolbar: str) -> str:
        """The next line. EOFError at the end of input, KeyboardInterrupt for Ctrl-C."""


class Quit(Exception):
    """The player leaves."""


@dataclass
class Session:
    """One game at the table of this terminal."""

    game: Game
    level: str
    reader: Reader
    say: Callable[[str], None]
    style: Style
    delay: float = 0.0
    """Seconds before each of the computer's two steps."""

    names: tuple[str, str] = (screen.YOU, "Computer")

    def run(self) -> None:
        """Play the game to its end. Quit, EOFError and KeyboardInterrupt pass through."""
        self._welcome()
        while self.game.winner is None:
            self._play_hand()
        for line in screen.final_lines(self.game.rules, self.game.final(), self.names, self.game.winner):
            self.say(line)

    def _welcome(self) -> None:
        rules = self.game.rules
        self.say(
            f"Gin Rummy, {rules.name}, to {rules.target}, against {self.level}. Seed {self.game.seed}. help tells what to type."
        )
        for mine, other in self.game.cuts:
            deals = (
                "again" if mine % 13 == other % 13 else "you deal" if mine % 13 < other % 13 else "the computer deals"
            )
            self.say(f"Cut: you {self.style.card(mine)}, computer {self.style.card(other)}: {deals}.")
        if not self.game.cuts:
            self.say(f"By lot {'you deal' if self.game.dealer == HUMAN else 'the computer deals'}.")

    def _play_hand(self) -> None:
        hand = self.game.next_hand()
        computer: Player = LevelPlayer(self.level, self.game.streams().second)
        self.say("")
        for line in screen.deal_lines(len(self.game.played) + 1, hand, self.game.totals, self.names, HUMAN):
            self.say(line)
        while not hand.is_terminal:
            if hand.turn == COMPUTER:
                self._computer_moves(hand, computer)
            else:
                self._human_moves(hand)
        assert hand.end is not None
        for line in screen.end_lines(hand.end, self.names, self.style):
            self.say(line)
        played = self.game.close_hand()
        self.say(f"Score: you {played.totals[HUMAN]}, computer {played.totals[COMPUTER]}.")

    def _computer_moves(self, hand: Hand, computer: Player) -> None:
        if self.delay:
            time.sleep(self.delay)
        action = computer.decide(hand.view(COMPUTER))
        offered = hand.phase is Phase.OFFER
        hand.apply(action)
        card = hand.events[-1].card
        shown = "" if card is None else self.style.card(card)
        texts = {
            "take": f"The computer takes the {shown}{' on offer' if offered else ''}.",
            "pass": "The computer passes.",
            "draw": "The computer draws from the stock.",
            "discard": f"The computer throws the {shown}.",
            "knock": f"The computer knocks{f' with the {shown}' if hand.rules.knock_card == 'up' else ''}.",
            "big-gin": "The computer has big gin.",
        }
        self.say(texts[action.kind])

    def _human_moves(self, hand: Hand) -> None:
        for line in screen.table_lines(hand.view(HUMAN), self.style, self.names[COMPUTER]):
            self.say(line)
        legal = offers(hand)
        if hand.rules.hints and ("gin" in legal or "big gin" in legal):
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
            self._command(typed.command, hand)

    def _prompt(self, legal: list[str]) -> str:
        words = [text for text in legal if text not in NAMES and not text.startswith("knock")]
        if any(text in NAMES for text in legal):
            words.append("a card")
        if any(text.startswith("knock") for text in legal):
            words.append("knock CARD")
        return f"{', '.join(words)}> "

    def _toolbar(self, hand: Hand) -> str:
        view = hand.view(HUMAN)
        mine, other = self.game.totals
        return f"you {mine}, computer {other}, to {hand.rules.target} | knock {screen.limit_text(hand.limit)} | stock {view.stock}"

    def _echo(self, action: Action, hand: Hand) -> None:
        if action.kind == "draw":
            card = hand.events[-1].card
            assert card is not None
            self.say(f"You draw the {self.style.card(card)}.")
        elif action.kind == "take":
            assert hand.events[-1].card is not None
            self.say(f"You take the {self.style.card(hand.events[-1].card)}.")

    def _command(self, command: str, hand: Hand) -> None:
        if command == "quit":
            raise Quit
        if command == "help":
            lines = help_lines(hand)
        elif command == "hand":
            lines = screen.table_lines(hand.view(HUMAN), self.style, self.names[COMPUTER])
        elif command == "score":
            lines = self._score_lines()
        elif command == "pile":
            lines = self._pile_lines(hand)
        else:
            lines = rules_text(hand.rules, load_rules())
        for line in lines:
            self.say(line)

    def _score_lines(self) -> list[str]:
        lines = [
            f"Hand {number}: {'dead' if played.end.winner is None else f'{self.names[played.end.winner]} {played.end.points} ({played.end.result})'}"
            f", {played.totals[HUMAN]} to {played.totals[COMPUTER]}"
            for number, played in enumerate(self.game.played, 1)
        ]
        return lines or ["Nobody has scored yet."]

    def _pile_lines(self, hand: Hand) -> list[str]:
        view = hand.view(HUMAN)
        top = self.style.card(view.pile[-1]) if view.pile else "nothing"
        lines = [f"On top of the pile: {top}. The cards below are out of play."]
        for whose, mask in (("the computer", view.known), ("you", view.shown)):
            if mask:
                lines.append(f"Taken from it and still in hand, {whose}: {self.style.cards(cards_in(mask))}")
        return lines
