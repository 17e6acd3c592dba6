"""What can be typed: one table that parsing, help and completion share."""

import re
from dataclasses import dataclass
from typing import Final

from ginrummy.cards import NAMES, cards_in
from ginrummy.errors import GinRummyError, IllegalError, UnreadableError, quoted
from ginrummy.hand import Action, ActionKind, Hand, Phase
from ginrummy.kernel import solver
from ginrummy.melds import parse_melds
from ginrummy.notation import parse_card
from ginrummy.render import Style
from ginrummy.session.console import WordStyle


@dataclass(frozen=True, slots=True)
class Word:
    """One command."""

    name: str
    short: tuple[str, ...]
    help: str
    takes_card: bool = False
    action: ActionKind | None = None
    """The action of the game it stands for; None: a command of the session."""
    takes_word: bool = False
    """Whether a command of the session may be followed by a word."""


WORDS: Final = (
    Word("take", ("t",), "take the top of the pile", action="take"),
    Word("pass", ("p",), "let the upcard lie", action="pass"),
    Word("draw", ("d",), "draw from the stock", action="draw"),
    Word("discard", ("throw",), "throw a card; the card alone does", takes_card=True, action="discard"),
    Word("knock", ("k",), "throw a card and knock", takes_card=True, action="knock"),
    Word("gin", ("g",), "knock with no deadwood", takes_card=True, action="knock"),
    Word("big gin", ("big-gin", "bg"), "lay out all eleven cards", action="big-gin"),
    Word("hand", ("h",), "show the table again"),
    Word("score", ("s",), "show the score sheet"),
    Word("pile", (), "show what is known of the pile"),
    Word("hint", (), "rank the moves, with reasons"),
    Word("coach", (), "turn the coach on or off", takes_word=True),
    Word("rules", (), "show the rules in force"),
    Word("stats", (), "show your statistics"),
    Word("level", (), "show the level, or choose that of the next game", takes_word=True),
    Word("new", (), "start another game; this one counts for nobody"),
    Word("resign", (), "give this game up; it counts as lost"),
    Word("help", ("?",), "list what can be done now"),
    Word("quit", ("q", "exit"), "leave; the game is kept"),
)
"""Every command."""

HELPING: Final = ("hint", "coach")
"""Commands that rules and options can forbid."""

_BY_NAME: Final = {name: word for word in WORDS for name in (word.name, *word.short)}


@dataclass(frozen=True, slots=True)
class Typed:
    """What a line means: an action, or a command of the session."""

    action: Action | None = None
    command: str | None = None
    rest: str = ""
    """What follows the word of a command."""


def command_of(line: str) -> Typed | None:
    """The command of the session that a line is, wherever it is typed; None for anything else."""
    first, _, rest = " ".join(line.split()).partition(" ")
    word = _BY_NAME.get(first.lower())
    if word is None or word.action is not None or (rest and not word.takes_word):
        return None
    return Typed(command=word.name, rest=rest)


def parse(line: str, hand: Hand) -> Typed:
    """What a line means at this point of a hand. GinRummyError says what is wrong with it."""
    text = " ".join(line.split())
    lowered = text.lower()
    word = _BY_NAME.get(lowered)
    rest = ""
    if word is None:
        first, _, rest = text.partition(" ")
        word = _BY_NAME.get(first.lower())
        if word is not None and not word.takes_card and not word.takes_word:
            raise UnreadableError(f"{word.name} stands alone: leave out {quoted(rest)}")
    if word is None:
        return Typed(Action("discard", _card(text)))
    if word.action is None:
        return Typed(command=word.name, rest=rest)
    if word.name == "gin":
        return Typed(_gin(hand, rest))
    if not word.takes_card:
        return Typed(Action(word.action))
    cards, *named = re.split(r"\s*\bwith\b\s*", rest, maxsplit=1, flags=re.IGNORECASE)
    if not cards:
        _check_any(hand, word.action)
        raise UnreadableError(f"{word.name} which card? Write {word.name} {_example(hand, word.action)}")
    if named == [""]:
        raise UnreadableError("with which melds? Write them with / between them, as in with 7S 8S 9S / KS KH KD")
    melds = parse_melds(named[0]) if named else None
    return Typed(Action(word.action, _card(cards), melds))


def _card(text: str) -> int:
    try:
        return parse_card(text)
    except GinRummyError as error:
        if len(text) > 2 and text.isalpha():
            raise UnreadableError(f"{quoted(text)} is no command: help lists what can be typed now") from None
        raise UnreadableError(f"{error} (help lists what can be typed now)") from None


def _check_any(hand: Hand, kind: ActionKind) -> None:
    """That some card can be thrown, or knocked with, now; IllegalError says why none can."""
    if hand.phase is not Phase.DISCARDING:
        hand.check(Action(kind, cards_in(hand.cards(hand.turn))[0]))
    if not any(action.kind == kind for action in hand.legal_actions()):
        least = min(_after(hand, action) for action in hand.legal_actions() if action.kind == "discard")
        what = f"the limit is {hand.limit}" if hand.limit else "only gin may knock"
        raise IllegalError(f"the best you can throw leaves deadwood {least}: {what}")


def _after(hand: Hand, action: Action) -> int:
    """Deadwood in points that a discard or a knock leaves."""
    assert action.card is not None
    return solver.deadwood(int(hand.cards(hand.turn)) ^ 1 << action.card)


def _example(hand: Hand, kind: ActionKind) -> str:
    cards = [action.card for action in hand.legal_actions() if action.kind == kind and action.card is not None]
    return NAMES[cards[0]] if cards else "KD"


def _gin(hand: Hand, rest: str) -> Action:
    """The knock that is gin; which card goes need not be said."""
    card = _card(rest) if rest else None
    _check_any(hand, "discard")
    free = gin_cards(hand)
    if not free:
        raise IllegalError("this is not gin: with gin every card kept lies in a meld")
    action = Action("knock", free[0] if card is None else card)
    hand.check(action)
    if card is not None and card not in free:
        raise IllegalError(
            f"throwing {NAMES[card]} leaves deadwood: gin goes with {' or '.join(NAMES[one] for one in free)}"
        )
    return action


def gin_cards(hand: Hand) -> list[int]:
    """The cards whose knock is gin now."""
    knocks = [action for action in hand.legal_actions() if action.kind == "knock"]
    return [action.card for action in knocks if action.card is not None and _after(hand, action) == 0]


def offers(hand: Hand, hints: bool = True) -> list[str]:
    """What the seat to act can type now to play, as full words. Gin is not pointed out without hints."""
    found = [str(action) for action in hand.legal_actions() if action.kind != "big-gin"]
    if not (hints and hand.rules.hints):
        return found
    if gin_cards(hand):
        found.insert(0, "gin")
    if any(action.kind == "big-gin" for action in hand.legal_actions()):
        found.insert(0, "big gin")
    return found


def prompt_words(legal: list[str]) -> str:
    """Offers in short: cards and knocks each as one."""
    words = [text for text in legal if text not in NAMES and not text.startswith("knock")]
    if any(text in NAMES for text in legal):
        words.append("a card")
    if any(text.startswith("knock") for text in legal):
        words.append("knock CARD")
    return ", ".join(words)


def help_lines(hand: Hand, style: Style, hints: bool = True) -> list[str]:
    """What can be done now, then the commands of the session."""
    legal = offers(hand, hints)
    cards = [parse_card(text) for text in legal if text in NAMES]
    knocks = [parse_card(text.split()[1]) for text in legal if text.startswith("knock")]
    lines = ["You can now:"]
    for word in WORDS:
        short = _short(word, style)
        if word.name in legal:
            lines.append(f"  {word.name}{short}: {word.help}")
        elif word.name == "discard" and cards:
            lines.append(f"  CARD: throw it, one of {style.cards(cards)}")
        elif word.name == "knock" and knocks:
            lines.append(f"  knock CARD{short}: {word.help}, one of {style.cards(knocks)}")
            if hand.rules.arrangement == "player":
                lines.append("  knock CARD with MELD / MELD: knock and lay out these melds")
    return lines + session_help(hints and hand.rules.hints, style)


def _short(word: Word, style: Style) -> str:
    """The other forms of a word."""
    if not word.short:
        return ""
    return f", or {' or '.join(word.short)}" if isinstance(style, WordStyle) else f" ({', '.join(word.short)})"


def session_help(hints: bool, style: Style) -> list[str]:
    """The commands of the session."""
    lines = ["At any time:"]
    for word in WORDS:
        if word.action is None and (hints or word.name not in HELPING):
            lines.append(f"  {word.name}{_short(word, style)}: {word.help}")
    marks = "" if isinstance(style, WordStyle) else " In your hand [ ] holds a meld and * marks the card just drawn."
    lines.append(f"Cards are typed like 7S, s7, 10h or TH.{marks}")
    lines.append("There is no undo: what a move has shown you cannot be taken back.")
    return lines
