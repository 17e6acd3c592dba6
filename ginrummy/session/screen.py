"""The table as one player sees it: only what that player's view holds."""

from collections.abc import Sequence

from ginrummy.cards import cards_in
from ginrummy.hand import Event, Hand
from ginrummy.kernel import solver
from ginrummy.kernel.view import DISCARDING, View
from ginrummy.melds import Arrangement, Meld, arrange, best_arrangement
from ginrummy.render import Style, by_points, plural
from ginrummy.rules import Rules
from ginrummy.session.console import WordStyle

YOU = "You"
"""The player, unless a name is given."""


def verb(name: str, word: str) -> str:
    """``you deal``, ``Computer deals``."""
    return f"you {word}" if name == YOU else f"{name} {word}s"


def sentence(text: str) -> str:
    """A text that begins with a capital, unless it is somebody's name."""
    return text[:1].upper() + text[1:] if text.startswith("you ") else text


def hand_lines(view: View, style: Style) -> list[str]:
    """A hand by its best melds, each in brackets, then the loose cards; the card just drawn is starred."""
    arrangement = best_arrangement(view.hand)
    points = least_deadwood(view)
    # Eleven cards: what counts is what is left when one has been thrown.
    word = "deadwood at best" if view.phase == DISCARDING else "deadwood"
    if isinstance(style, WordStyle):
        lines = [f"Drawn: {style.card(int(view.drawn))}."] if view.drawn >= 0 else []
        if arrangement.melds:
            lines.append(f"Melds: {style.melds(arrangement)}.")
        if arrangement.loose:
            lines.append(f"Loose: {style.cards(by_points(arrangement.loose))}.")
        return [*lines, f"{word.capitalize()} {points}."]

    def card(number: int) -> str:
        return style.card(number) + ("*" if number == view.drawn else "")

    melds = ["[" + " ".join(card(number) for number in meld.cards) + "]" for meld in arrangement.melds]
    loose = [card(number) for number in by_points(arrangement.loose)]
    return [f"{' '.join(melds + loose)}   {word} {points}"]


def least_deadwood(view: View) -> int:
    """Deadwood in points, of eleven cards after the best permitted discard."""
    if view.phase != DISCARDING or int(view.hand).bit_count() < 11:
        return solver.deadwood(view.hand)
    return min(solver.deadwood(view.hand ^ 1 << card) for card in cards_in(view.hand) if card != view.taken)


def table_lines(view: View, style: Style, opponent: str) -> list[str]:
    """The table from one seat: pile, stock, what the opponent is known to hold, the hand."""
    pile = f"Pile {style.card(view.pile[-1])}" if view.pile else "Pile empty"
    lines = [f"{pile}, stock {plural(int(view.stock), 'card')}, knock {limit_text(int(view.limit))}"]
    if view.known:
        lines.append(f"{verb(opponent, 'hold')} {style.cards(cards_in(view.known))}")
    return lines + hand_lines(view, style)


def pile_lines(view: View, style: Style, me: str, opponent: str) -> list[str]:
    """What may be known of the pile: its top, and which cards taken from it are still held."""
    top = style.card(view.pile[-1]) if view.pile else "nothing"
    lines = [f"On top of the pile: {top}. The cards below are out of play."]
    for whose, mask in ((opponent, view.known), (me, view.shown)):
        if mask:
            lines.append(f"Taken from it and still in hand, {whose}: {style.cards(cards_in(mask))}")
    return lines


def limit_text(limit: int) -> str:
    """The knock limit in words."""
    return f"at {limit} or less" if limit else "with gin only"


def event_line(event: Event, name: str, offered: bool, rules: Rules, style: Style) -> str:
    """What somebody did, as the others see it. ``offered``: the first card of the hand was on offer."""
    card = "" if event.card is None else style.card(event.card)
    up = rules.knock_card == "up"
    text = {
        "take": f"{verb(name, 'take')} the {card}{' on offer' if offered else ''}",
        "pass": "you pass" if name == YOU else f"{name} passes",
        "draw": f"{verb(name, 'draw')} from the stock",
        "discard": f"{verb(name, 'throw')} the {card}",
        "knock": f"{verb(name, 'knock')}{f' with the {card}' if up else ''}",
        "big-gin": "you have big gin" if name == YOU else f"{name} has big gin",
        "defend": f"{verb(name, 'lay')} off",
    }[event.kind]
    return sentence(text) + "."


def recent_lines(hand: Hand, seat: int, names: Sequence[str], style: Style) -> list[str]:
    """What has happened since a seat last ended a turn, for who comes back to a game."""
    own = [at for at, event in enumerate(hand.events) if event.seat == seat and event.kind in ("discard", "pass")]
    start = own[-1] if own else 0
    lines = []
    for at, event in enumerate(hand.events[start:], start):
        if event.kind == "defend":
            continue
        offered = at < 2 and all(earlier.kind == "pass" for earlier in hand.events[:at])
        line = event_line(event, names[event.seat], offered, hand.rules, style)
        if event.seat == seat and event.kind == "draw" and event.card is not None:
            line = f"{sentence(verb(names[seat], 'draw'))} the {style.card(event.card)}."
        lines.append(line)
    return lines


def knock_lines(kept: int, melds: Sequence[Meld] | None, hand: Hand, names: Sequence[str], style: Style) -> list[str]:
    """What a knock with these ten cards (eleven: big gin) will count, before it is final."""
    seat, rules = hand.turn, hand.rules
    opponent = names[1 - seat]
    laid = best_arrangement(kept) if melds is None else spread_with(kept, melds)
    loose = by_points(laid.loose)
    counted = f"loose {style.cards(loose)}, deadwood {laid.deadwood}" if loose else "nothing loose"
    lines = [f"{sentence(verb(names[seat], 'lay'))} out {style.melds(laid)}; {counted}."]
    top = hand.pile[-1] if hand.pile else None
    factor = rules.multiplier(hand.upcard, top)
    doubled = f", all of it times {factor}" if factor != 1 else ""
    whose = "your" if opponent == YOU else f"{opponent}'s"
    if laid.deadwood == 0:
        big = kept.bit_count() == 11
        bonus = rules.big_gin_bonus if big else rules.gin_bonus
        name = "Big gin" if big else "Gin"
        return [*lines, f"{name} counts {bonus} and {whose} whole deadwood{doubled}; nothing is laid off."]
    lines.append(
        f"It counts what {whose} deadwood, after laying off, is above {laid.deadwood}{doubled}. "
        f"Where it is {laid.deadwood} or less, it is an undercut: the difference and {rules.undercut_bonus} for {opponent}."
    )
    return lines


def spread_with(kept: int, melds: Sequence[Meld]) -> Arrangement:
    """Ten cards with melds that a player named."""
    sets = sum(meld.cards for meld in melds if meld.kind == "set")
    runs = sum(meld.cards for meld in melds if meld.kind == "run")
    return arrange(kept, sets, runs)
