"""What a player sees, as lines of text: only what the player's view holds."""

from collections.abc import Sequence

from ginrummy.cards import cards_in
from ginrummy.hand import Hand, HandEnd
from ginrummy.kernel.view import DISCARDING, View
from ginrummy.melds import best_arrangement
from ginrummy.render import RESULT_NAMES, Style, by_points, plural, points_text, spread_text
from ginrummy.rules import Rules
from ginrummy.sheet import FinalLine

YOU = "You"


def hand_line(view: View, style: Style) -> str:
    """A hand by its best melds, each in brackets, then the loose cards; the card just drawn is starred."""

    def card(number: int) -> str:
        return style.card(number) + ("*" if number == view.drawn else "")

    arrangement = best_arrangement(view.hand)
    melds = ["[" + " ".join(card(number) for number in meld.cards) + "]" for meld in arrangement.melds]
    loose = [card(number) for number in by_points(arrangement.loose)]
    # Eleven cards: what counts is what is left when one has been thrown.
    points = deadwood_after(view) if view.phase == DISCARDING else arrangement.deadwood
    word = "deadwood at best" if view.phase == DISCARDING else "deadwood"
    return f"{' '.join(melds + loose)}   {word} {points}"


def deadwood_after(view: View) -> int:
    """Least deadwood in points after the best permitted discard."""
    return min(best_arrangement(view.hand ^ 1 << card).deadwood for card in cards_in(view.hand) if card != view.taken)


def table_lines(view: View, style: Style, opponent: str) -> list[str]:
    """The table from one seat: pile, stock, what the opponent is known to hold, the hand."""
    pile = f"Pile {style.card(view.pile[-1])}" if view.pile else "Pile empty"
    lines = [f"{pile}, stock {plural(view.stock, 'card')}, knock {limit_text(view.limit)}"]
    if view.known:
        lines.append(f"{opponent} holds {style.cards(cards_in(view.known))}")
    lines.append(hand_line(view, style))
    return lines


def limit_text(limit: int) -> str:
    """The knock limit in words."""
    return f"at {limit} or less" if limit else "with gin only"


def deal_lines(number: int, hand: Hand, totals: Sequence[int], names: Sequence[str], seat: int) -> list[str]:
    """The head of a hand: who deals, and the score."""
    other = 1 - seat
    deals = "You deal" if hand.dealer == seat else f"{names[other]} deals"
    target = hand.rules.target
    lines = [f"Hand {number}. {deals}. {names[seat]} {totals[seat]}, {names[other]} {totals[other]}, to {target}."]
    factor = hand.rules.multiplier(hand.upcard, None)
    if factor != 1:
        lines.append(f"A spade upcard: the points of this hand count {'double' if factor == 2 else f'{factor} times'}.")
    return lines


def end_lines(end: HandEnd, names: Sequence[str], style: Style) -> list[str]:
    """Both spreads, layoffs and arithmetic of a hand that is over."""
    if end.showdown is None or end.knocker is None or end.winner is None:
        return ["The hand is dead: nobody scores, the same dealer deals again."]
    knocker, defender = names[end.knocker], names[1 - end.knocker]
    lines = spread_text(end.showdown, style, knocker, defender)
    lines.append(f"{RESULT_NAMES[end.result]}: {points_text(end.showdown, names[end.winner])}")
    return lines


def final_lines(rules: Rules, lines: Sequence[FinalLine], names: Sequence[str], winner: int) -> list[str]:
    """The sheet of a game that is over."""
    found = [f"{names[winner]} won the game." if names[winner] != YOU else "You have won the game."]
    for name, line in zip(names, lines, strict=True):
        parts = [f"{plural(line.points, 'point')}"]
        if rules.box_bonus:
            parts.append(f"{line.boxes} x {rules.box_bonus} for hands won")
        if line.game_bonus:
            parts.append(f"{line.game_bonus} for the game")
        if line.shutout:
            parts.append(f"{line.shutout} for the shutout")
        found.append(f"{name}: {' + '.join(parts)} = {line.total}")
    found.append(f"Margin {lines[winner].total - lines[1 - winner].total}")
    return found
