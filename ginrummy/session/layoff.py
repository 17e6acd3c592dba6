"""Laying off by hand: card by card onto the knocker's melds, until the defender is done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ginrummy.cards import NAMES, cards_in, mask_of
from ginrummy.errors import GinRummyError, IllegalError, UnreadableError, quoted
from ginrummy.hand import Action
from ginrummy.melds import (
    Arrangement,
    Layoff,
    Meld,
    arrange,
    best_arrangement,
    parse_melds,
    read_melds,
    spread_of,
    union,
)
from ginrummy.notation import Cards, parse_card, parse_cards
from ginrummy.render import Style, by_points
from ginrummy.session.console import WordStyle

HELP = (
    "CARD: lay it off, with onto and a meld's number or cards where it fits two",
    "melds MELD / MELD: lay out these melds of your own; melds alone: the best of what is left",
    "back: take the last card back",
    "auto: the best layoffs are made for you",
    "done (or pass): that is all",
)


@dataclass
class Defence:
    """What a defender has laid out and laid off so far. Nothing of it is final before ``done``."""

    held: int
    """The ten cards."""
    spread: Sequence[Meld]
    """The knocker's melds."""
    named: tuple[Meld, ...] | None = None
    """Melds of the defender's own, where they were named."""
    layoffs: list[Layoff] = field(default_factory=list)

    @property
    def left(self) -> int:
        """The cards that are not laid off."""
        return self.held & ~mask_of(layoff.card for layoff in self.layoffs)

    @property
    def arrangement(self) -> Arrangement:
        """The defender's own cards as they lie now."""
        if self.named is None:
            return best_arrangement(self.left)
        return arrange(self.left, *spread_of(self.named))

    def grown(self, meld: Meld) -> Cards:
        """A meld of the knocker's with what has been laid onto it."""
        return Cards(meld.cards | mask_of(layoff.card for layoff in self.layoffs if layoff.onto == meld))

    def fitting(self, card: int) -> list[Meld]:
        """The melds that a card goes onto now."""
        return [meld for meld in self.spread if fits(self.grown(meld) | 1 << card)]

    @property
    def possible(self) -> list[int]:
        """The cards that can be laid off now; one of a named meld cannot."""
        free = self.left & ~union(self.named or ())
        return [card for card in cards_in(free) if self.fitting(card)]

    def lay(self, card: int, target: str) -> None:
        """Lay off a card. IllegalError says why it does not go."""
        name = NAMES[card]
        if not self.left >> card & 1:
            laid = self.held >> card & 1
            raise IllegalError(f"{name} is laid off already" if laid else f"you do not hold {name}")
        if card in cards_in(union(self.named or ())):
            raise IllegalError(f"{name} lies in a meld that you named")
        melds = self.fitting(card)
        if target:
            melds = [meld for meld in self._targets(target) if meld in melds]
        if not melds:
            raise IllegalError(f"{name} does not go {'there' if target else 'onto any meld'}")
        if len(melds) > 1:
            numbers = " or ".join(str(self.spread.index(meld) + 1) for meld in melds)
            raise IllegalError(f"{name} goes onto two melds: write {name} onto {numbers}")
        self.layoffs.append(Layoff(card, melds[0]))

    def _targets(self, text: str) -> list[Meld]:
        """The melds of the knocker's that a text can mean: a number, or some of their cards."""
        if text.isascii() and text.isdigit() and len(text) == 1:
            if not 1 <= int(text) <= len(self.spread):
                raise UnreadableError(f"the melds are numbered 1 to {len(self.spread)}, not {quoted(text)}")
            return [self.spread[int(text) - 1]]
        cards = mask_of(parse_cards(text))
        return [meld for meld in self.spread if not cards & ~self.grown(meld)]

    def name(self, text: str) -> None:
        """Lay out melds of one's own; an empty text: the best of what is left."""
        if not text:
            self.named = None
            return
        melds = parse_melds(text)
        if union(melds) & ~self.left:
            raise IllegalError(f"{Cards(union(melds) & ~self.left)} not among the cards you have left")
        self.named = melds

    @property
    def action(self) -> Action:
        """The defence as it stands."""
        return Action("defend", None, self.arrangement.melds, layoffs=tuple(self.layoffs))


def fits(cards: int) -> bool:
    """Whether some cards are one meld."""
    try:
        read_melds([cards])
    except GinRummyError:
        return False
    return True


def defence_lines(defence: Defence, style: Style) -> list[str]:
    """The knocker's melds, numbered, with what lies on them, and the defender's cards."""
    lines = [
        f"{'Meld ' if isinstance(style, WordStyle) else '  '}{number}: {style.cards(cards_in(defence.grown(meld)))}"
        for number, meld in enumerate(defence.spread, 1)
    ]
    own = defence.arrangement
    loose = by_points(own.loose)
    lines.append(f"Your melds: {style.melds(own)}")
    lines.append(f"Your loose cards: {style.cards(loose) or 'none'}, deadwood {own.deadwood}")
    return lines


def lay_off_by_hand(
    defence: Defence,
    read: Callable[[str, list[str]], str],
    say_all: Callable[[Sequence[str]], None],
    command: Callable[[str], bool],
    style: Style,
) -> Action:
    """Ask for layoffs until the defender is done.

    ``command`` does what a line says that is a command of the session, and tells whether it was one.
    """
    say_all(defence_lines(defence, style))
    while True:
        offered = [NAMES[card] for card in defence.possible]
        words = [*(["a card"] if offered else []), *(["back"] if defence.layoffs else []), "auto", "done"]
        line = " ".join(read(", ".join(words), [*offered, *words[-2:]]).split())
        word, _, rest = line.partition(" ")
        if not line:
            continue
        if word.lower() in ("done", "pass", "p") and not rest:
            return defence.action
        if line.lower() == "auto":
            return Action("defend")
        if line.lower() in ("help", "?"):
            say_all(["You can now:", *(f"  {text}" for text in HELP)])
            continue
        if command(line):
            continue
        try:
            if line.lower() == "back":
                if not defence.layoffs:
                    raise IllegalError("nothing is laid off yet")
                defence.layoffs.pop()
            elif word.lower() == "melds":
                defence.name(rest)
            else:
                card, target = _card_and_target(line)
                defence.lay(card, target)
        except GinRummyError as error:
            text = str(error)
            say_all([f"{text[:1].upper()}{text[1:]}."])
            continue
        say_all(defence_lines(defence, style))


def _card_and_target(line: str) -> tuple[int, str]:
    """``10S``, ``10S onto 1``, ``lay off 10S on 7S 8S 9S``."""
    words = line.split()
    if [word.lower() for word in words[:2]] in (["lay", "off"],):
        words = words[2:]
    elif words[0].lower() in ("lay", "layoff"):
        words = words[1:]
    if not words:
        raise UnreadableError("lay off which card?")
    target = [word for word in words[1:] if word.lower() not in ("on", "onto", "to")]
    return parse_card(words[0]), " ".join(target)
