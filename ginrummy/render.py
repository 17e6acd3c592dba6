"""Plain text for people: hands, spreads and the arithmetic of a score."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ginrummy.analysis import Analysis
from ginrummy.cards import NAMES, RANKS, SUITS, SYMBOL_NAMES, SYMBOLS, card_points, cards_in
from ginrummy.melds import Arrangement
from ginrummy.rules import Rules, presets, variants
from ginrummy.scoring import HandResult

if TYPE_CHECKING:
    from ginrummy.simulation import SimulationResult

RED = "\x1b[31m"
PLAIN = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Style:
    """How cards look."""

    symbols: bool = True
    """Suits as symbols; else letters."""
    color: bool = False
    """Red suits in red."""

    def paint(self, text: str, suit: int) -> str:
        """A text about a suit, in its colour."""
        return f"{RED}{text}{PLAIN}" if self.color and suit in (1, 2) else text

    def card(self, card: int) -> str:
        """One card."""
        return self.paint((SYMBOL_NAMES if self.symbols else NAMES)[card], card // 13)

    def cards(self, cards: Iterable[int]) -> str:
        """Cards in the order given."""
        return " ".join(self.card(card) for card in cards)

    def by_suit(self, mask: int) -> str:
        """Many cards in little room: the ranks of each suit after the suit."""
        parts = []
        for suit, sign in enumerate(SYMBOLS if self.symbols else SUITS):
            ranks = " ".join(RANKS[card % 13] for card in cards_in(mask & 0x1FFF << 13 * suit))
            if ranks:
                parts.append(self.paint(f"{sign} {ranks}", suit))
        return (" · " if self.symbols else ", ").join(parts)

    def melds(self, arrangement: Arrangement) -> str:
        """Melds with a bar between them."""
        return " | ".join(self.cards(meld.cards) for meld in arrangement.melds) or "none"


def by_points(mask: int) -> list[int]:
    """Loose cards as people look at them: the dearest first."""
    return sorted(cards_in(mask), key=lambda card: (-card_points(card), card))


def plural(number: int, what: str) -> str:
    """``1 card``, ``2 cards``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _sum(cards: list[int]) -> str:
    """The points of loose cards as a sum: ``18 = 10 + 5 + 2 + 1``."""
    points = [card_points(card) for card in cards]
    return f"{sum(points)} = {' + '.join(map(str, points))}" if len(points) > 1 else str(sum(points))


def _row(label: str, text: str) -> str:
    return f"{label:<10} {text}".rstrip()


def _knock_text(analysis: Analysis) -> str:
    limit = analysis.knock_limit
    if analysis.knock == "big-gin":
        return "big gin: all eleven cards are melded"
    if analysis.knock == "gin":
        return "gin"
    if limit is None:
        return "depends on the upcard: give --upcard"
    if analysis.knock == "knock":
        return f"yes, with {analysis.deadwood} (limit {limit})"
    return (
        f"no, {analysis.deadwood} is above the limit of {limit}"
        if limit
        else f"no, only gin may go out (deadwood {analysis.deadwood})"
    )


def _count_row(label: str, mask: int, style: Style) -> str:
    number = mask.bit_count()
    return _row(label, f"{plural(number, 'card')}: {style.by_suit(mask)}" if number else "none")


def analysis_text(analysis: Analysis, style: Style) -> list[str]:
    """The lines that answer ``analyze-hand``."""
    loose = by_points(analysis.arrangement.loose)
    lines = [_row("Melds", style.melds(analysis.arrangement)), _row("Loose", style.cards(loose) or "none")]
    best = None if analysis.knock == "big-gin" or not analysis.discards else analysis.discards[0]
    after = "" if best is None else f" after discarding {style.card(best.card)}"
    lines.append(_row("Deadwood", f"{_sum(loose)}{after}"))
    if analysis.whole:
        lines.append(_row("Knock", _knock_text(analysis)))
    if analysis.outs is not None:
        lines.append(_count_row("Outs", analysis.outs, style))
    if analysis.improving is not None:
        lines.append(_count_row("Improving", analysis.improving, style))
    if analysis.offer is not None:
        offer = analysis.offer
        then = f"deadwood {offer.deadwood_if_taken} after discarding {style.card(offer.discard)}"
        advice = f"take it: {then}" if offer.take else f"leave it and draw: taking it gives {then}"
        lines.append(_row("Offer", f"{style.card(offer.card)}, {advice}"))
    if analysis.discards is not None:
        lines.append(_row("Discard", "deadwood  outs"))
        for discard in analysis.discards:
            gap = " " * (10 - len(NAMES[discard.card]))
            lines.append(
                f"  {style.card(discard.card)}{gap}{discard.deadwood:>7}{len(discard.outs):>6}  {discard.knock or ''}".rstrip()
            )
    if analysis.defence is not None:
        defence = analysis.defence
        for layoff in defence.layoffs:
            lines.append(_row("Lay off", f"{style.card(layoff.card)} onto {style.cards(layoff.onto.cards)}"))
        if not defence.layoffs:
            lines.append(_row("Lay off", "nothing"))
        left = by_points(defence.arrangement.loose)
        lines.append(
            _row(
                "Then",
                f"{style.melds(defence.arrangement)}, loose {style.cards(left) or 'none'}, deadwood {defence.deadwood}",
            )
        )
    for number, arrangement in enumerate(analysis.arrangements or (), 1):
        lines.append(
            _row(
                f"Layout {number}",
                f"{style.melds(arrangement)}, loose {style.cards(by_points(arrangement.loose)) or 'none'}",
            )
        )
    return lines


def result_text(result: HandResult, style: Style) -> list[str]:
    """The spread and the arithmetic of one hand, a line each."""
    lines = spread_text(result, style, "Knocker", "Defender")
    lines.append(_row(RESULT_NAMES[result.result], points_text(result, f"the {result.winner}")))
    return lines


def spread_text(result: HandResult, style: Style, knocker: str, defender_name: str) -> list[str]:
    """Both spreads and the layoffs of a hand."""

    def side(label: str, arrangement: Arrangement, loose: int) -> list[str]:
        cards = by_points(loose)
        return [
            _row(label, style.melds(arrangement)),
            _row("", f"loose {style.cards(cards)}, deadwood {_sum(cards)}" if cards else "nothing loose, deadwood 0"),
        ]

    defender = result.defender
    laid = sum(1 << layoff.card for layoff in defender.layoffs)
    lines = side(knocker, result.knocker, result.knocker.loose)
    lines += side(defender_name, defender.arrangement, defender.arrangement.loose | laid)
    for layoff in defender.layoffs:
        lines.append(_row("Lays off", f"{style.card(layoff.card)} onto {style.cards(layoff.onto.cards)}"))
    if defender.layoffs:
        points = sum(card_points(layoff.card) for layoff in defender.layoffs)
        lines.append(_row("", f"deadwood {defender.deadwood + points} - {points} = {defender.deadwood}"))
    return lines


RESULT_NAMES = {"knock": "Knock", "gin": "Gin", "big-gin": "Big gin", "undercut": "Undercut"}


def points_text(result: HandResult, winner: str) -> str:
    """The arithmetic of a result: ``16 - 7 = 9 points for the knocker``."""
    knocker, defender = result.knocker.deadwood, result.defender.deadwood
    if result.result == "knock":
        terms = f"{defender} - {knocker}"
    elif result.result == "undercut":
        terms = f"{knocker} - {defender} + {result.bonus} (undercut bonus)"
    else:
        terms = f"{defender} + {result.bonus} ({'gin' if result.result == 'gin' else 'big gin'} bonus)"
    if result.multiplier != 1:
        terms = f"({terms}) x {result.multiplier}"
    return f"{terms} = {plural(result.points, 'point')} for {winner}"


def simulation_text(result: "SimulationResult") -> list[str]:
    """The figures of a simulation as a table, with a histogram of points a hand."""
    from ginrummy.kernel.contest import BINS

    plan = result.plan
    first, second = plan.players
    low, high = result.interval
    unit = plan.unit
    width = max(10, len(first), len(second))
    error = "" if result.points_stderr is None else f" +- {1.96 * result.points_stderr:.2f}"
    rules = plan.rules.name + "".join(f", {key}={value}" for key, value in plan.rules.settings.items())
    lines = [
        f"{result.games:,} {unit}s{', mirrored deals' if plan.mirror else ''}, rules {rules}, seed {plan.seed}",
        "",
        f"{'':<16}{first:>{width}}{second:>{width + 2}}",
        f"{unit.capitalize() + 's won':<16}{result.wins[0]:>{width},}{result.wins[1]:>{width + 2},}",
    ]
    for name, (one, other) in result.results.items():
        lines.append(f"{'  by ' + name.replace('-', ' '):<16}{one:>{width},}{other:>{width + 2},}")
    lines += [
        "",
        f"{first} wins {100 * result.win_rate:.1f} % of the {unit}s (95 %: {100 * low:.1f} to {100 * high:.1f})",
        f"{result.points_per_hand:+.2f}{error} points a hand in its favour, {result.mean_turns:.1f} turns a hand",
        f"{result.hands:,} hands, {result.hands / result.games:.1f} a game, {result.dead:,} dead",
        "",
        "Points a hand",
    ]
    most = max([max(one, other) for _, one, other in result.histogram], default=0)
    for least, one, other in result.histogram:
        bars = ["#" * round(20 * number / most) for number in (one, other)]
        span = f"{least}-{least + 9}" if least < 10 * (BINS - 1) else f"{least}+"
        lines.append(f"{span:>9}{one:>9,} {bars[0]:<20} {other:>9,} {bars[1]}".rstrip())
    return lines


def rules_text(rules: Rules, classic: Rules) -> list[str]:
    """Rules as a TOML file that reads back, each key that differs from classic with a comment."""
    usual = classic.values()
    values = rules.values()
    lines = []
    for line in rules.to_toml().splitlines():
        key = line.partition(" =")[0]
        differs = key in values and values[key] != usual[key]
        lines.append(f"{line:<32}# classic: {str(usual[key]).lower()}" if differs else line)
    return lines


def rules_list_text() -> list[str]:
    """The names of presets and variants with a line about each."""

    def table(entries: dict[str, str]) -> list[str]:
        return [f"  {name:<14} {about}" for name, about in entries.items()]

    return ["Presets:", *table(presets()), "Variants, added with +NAME:", *table(variants())]
