"""Plain text for people: hands, spreads and the arithmetic of a score."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ginrummy.analysis import Advice, Analysis, Discard, NextDraw, Offer
from ginrummy.cards import NAMES, RANKS, SUITS, SYMBOL_NAMES, SYMBOLS, card_points, cards_in
from ginrummy.melds import Arrangement, Defence
from ginrummy.rules import Rules, presets, variants
from ginrummy.scoring import HandResult

if TYPE_CHECKING:
    from ginrummy.advice import Choice
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


def _chance_text(number: int, unseen: int) -> str:
    return f"{number} of {unseen} ({100 * number / unseen:.1f} %)"


def _next_draw_text(draw: NextDraw) -> str:
    if not draw.unseen:
        return "no card is unseen"
    gin = f"gin {_chance_text(draw.gin, draw.unseen)}"
    return gin if draw.knock is None else f"may knock {_chance_text(draw.knock, draw.unseen)}, {gin}"


def _advice_text(advice: Advice, style: Style) -> str:
    card = "" if advice.discard is None else style.card(advice.discard)
    what = {
        "big-gin": "big gin",
        "gin": f"gin, discarding {card}",
        "knock": f"knock now, discarding {card}",
        "discard": f"discard {card}",
    }[advice.action]
    return f"{what}: {advice.reason}"


def _offer_text(offer: Offer, style: Style) -> str:
    then = f"deadwood {offer.deadwood_if_taken} after discarding {style.card(offer.discard)}"
    what = f"take it: {then}" if offer.take else f"leave it and draw: taking it gives {then}"
    meld = f" ({style.cards(offer.meld)})" if offer.take and offer.meld is not None else ""
    return f"{style.card(offer.card)}, {what}; {offer.reason}{meld}"


def _discard_rows(discards: Iterable[Discard], style: Style) -> Iterator[str]:
    yield _row("Discard", "deadwood  outs  danger")
    for discard in discards:
        gap = " " * (10 - len(NAMES[discard.card]))
        figures = f"{discard.deadwood:>7}{len(discard.outs):>6}{discard.danger:>8.2f}"
        yield f"  {style.card(discard.card)}{gap}{figures}  {discard.knock or ''}".rstrip()


def _defence_rows(defence: Defence, style: Style) -> Iterator[str]:
    for layoff in defence.layoffs:
        yield _row("Lay off", f"{style.card(layoff.card)} onto {style.cards(layoff.onto.cards)}")
    if not defence.layoffs:
        yield _row("Lay off", "nothing")
    left = by_points(defence.arrangement.loose)
    loose = f"loose {style.cards(left) or 'none'}, deadwood {defence.deadwood}"
    yield _row("Then", f"{style.melds(defence.arrangement)}, {loose}")


MOST_LINES = 20
"""An answer is no longer than this, where every layout is asked for too."""


def _layout_rows(layouts: Sequence[Arrangement], style: Style, room: int) -> Iterator[str]:
    shown = len(layouts) if len(layouts) <= room else max(0, room - 1)
    for number, layout in enumerate(layouts[:shown], 1):
        yield _row(f"Layout {number}", f"{style.melds(layout)}, loose {style.cards(by_points(layout.loose)) or 'none'}")
    if shown < len(layouts):
        yield _row("Layouts", f"{len(layouts) - shown} more: --json shows all")


def analysis_text(analysis: Analysis, style: Style) -> list[str]:
    """The lines that answer ``analyze-hand``: the melds, then what to do and why."""
    layout, after = analysis.arrangement, ""
    if analysis.advice is not None and analysis.advice.discard is not None:
        after = f" after discarding {style.card(analysis.advice.discard)}"
        layout = next(d.arrangement for d in analysis.discards or () if d.card == analysis.advice.discard)
    loose = by_points(layout.loose)
    lines = [
        _row("Melds", style.melds(layout)),
        _row("Loose", style.cards(loose) or "none"),
        _row("Deadwood", f"{_sum(loose)}{after}"),
    ]
    if analysis.whole:
        lines.append(_row("Knock", _knock_text(analysis)))
    if analysis.advice is not None:
        lines.append(_row("Advice", _advice_text(analysis.advice, style)))
    if analysis.offer is not None:
        lines.append(_row("Offer", _offer_text(analysis.offer, style)))
    if analysis.outs is not None:
        lines.append(_count_row("Outs", analysis.outs, style))
        for draw in (analysis.draws or ())[:6]:
            allowed = f", {draw.knock.replace('-', ' ')}" if draw.knock else ""
            lines.append(_row(f"  to {draw.deadwood}", f"{style.by_suit(draw.cards)}{allowed}"))
    if analysis.improving is not None:
        lines.append(_count_row("Improving", analysis.improving, style))
    if analysis.next_draw is not None:
        lines.append(_row("Next draw", _next_draw_text(analysis.next_draw)))
    if analysis.two_way:
        lines.append(_row("Two ways", f"{style.cards(analysis.two_way)}: into a set or into a run"))
    if analysis.discards is not None:
        lines += _discard_rows(analysis.discards, style)
    if analysis.defence is not None:
        lines += _defence_rows(analysis.defence, style)
    lines += _layout_rows(analysis.arrangements or (), style, MOST_LINES - len(lines))
    return lines


def rollouts_text(choices: "Sequence[Choice]", number: int, seed: int, style: Style) -> list[str]:
    """What the best choices are worth."""
    lines = [_row("Played out", f"{number:,} times each, seed {seed}")]
    for choice in choices[:5]:
        card = "" if choice.action.card is None else f" {style.card(choice.action.card)}"
        word = {"discard": "throw", "big-gin": "big gin"}.get(choice.action.kind, choice.action.kind)
        less = f", {choice.behind:.1f} +-{1.96 * choice.behind_stderr:.1f} less" if choice.behind_stderr else ""
        lines.append(
            f"  {word}{card}: {choice.points:+.1f} +-{1.96 * choice.points_stderr:.1f} points{less}, "
            f"wins {100 * choice.chance:.1f} % of games"
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
    low, high = result.interval
    unit = plan.unit
    first = plan.players[0]
    width = max(10, *map(len, plan.players))
    error = "" if result.points_stderr is None else f" +- {1.96 * result.points_stderr:.2f}"
    rules = plan.rules.name + "".join(f", {key}={value}" for key, value in plan.rules.settings.items())
    how = ", mirrored deals" if plan.mirror else ""
    lines = [
        f"{result.games:,} {unit}s{how}, rules {rules}, seed {plan.seed}" + (" (partial)" if result.partial else ""),
        "",
        " " * 16 + "  ".join(f"{player:>{width}}" for player in plan.players),
        f"{unit.capitalize() + 's won':<16}" + "  ".join(f"{number:>{width},}" for number in result.wins),
    ]
    for name, by in result.results.items():
        lines.append(f"{'  by ' + name.replace('-', ' '):<16}" + "  ".join(f"{number:>{width},}" for number in by))
    lines += [
        "",
        f"{first} wins {100 * result.win_rate:.1f} % of the {unit}s (95 %: {100 * low:.1f} to {100 * high:.1f})",
        f"{result.points_per_hand:+.2f}{error} points a hand in its favour, {result.mean_turns:.1f} turns a hand",
        f"{result.hands:,} hands, {result.hands / result.games:.1f} a game, {result.dead:,} dead",
        "",
        "Points a hand" if len(plan.players) == 2 else f"Points a hand, {first} and the others",
    ]
    most = max([max(one, other) for _, one, other in result.histogram], default=0)
    for least, one, other in result.histogram:
        bars = ["#" * round(20 * number / most) for number in (one, other)]
        span = f"{least}-{least + 9}" if least < 10 * (BINS - 1) else f"{least}+"
        lines.append(f"{span:>9}{one:>9,} {bars[0]:<20} {other:>9,} {bars[1]}".rstrip())
    return lines


def table_text(results: "list[SimulationResult]", players: list[str]) -> list[str]:
    """All against all: what each player wins of its games against each other, in percent, with half the interval."""
    plan = results[0].plan
    rates: dict[tuple[str, str], str] = {}
    for result in results:
        one, other = result.plan.players
        low, high = result.interval
        half = 50 * (high - low)
        rates[one, other] = f"{100 * result.win_rate:.1f} +-{half:.1f}"
        rates[other, one] = f"{100 * result.wins[1] / result.games:.1f} +-{half:.1f}"
    width = max(11, *map(len, players)) + 2
    left = max(map(len, players))
    how = ", mirrored deals" if plan.mirror else ""
    lines = [
        f"{plan.number:,} {plan.unit}s a pair{how}, rules {plan.rules.name}, seed {plan.seed}",
        f"Percent of the {plan.unit}s that the player on the left wins (95 %)",
        "",
        " " * left + "".join(f"{player:>{width}}" for player in players),
    ]
    for one in players:
        cells = "".join(f"{rates.get((one, other), '-' if one == other else ''):>{width}}" for other in players)
        lines.append(f"{one:<{left}}{cells}")
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
