"""Help that teaches: ranked moves, what a move would cost, and the tips of a first game at the moment they apply."""

from dataclasses import dataclass, field
from typing import Final

from ginrummy.hand import Action
from ginrummy.judgement import Price, one_game, price, weigh
from ginrummy.kernel import compiled
from ginrummy.kernel.view import View
from ginrummy.reasons import contrast, doing, instead, named, reason
from ginrummy.render import Style
from ginrummy.rules import Rules
from ginrummy.session.lessons import tip

MOVES: Final = 5
"""So many moves a hint shows."""


def points_text(points: float, stderr: float) -> str:
    """``4.2 points (+- 0.8)``: a difference with its standard error."""
    return f"{points:.1f} points (+- {stderr:.1f})"


def hint_lines(view: View, style: Style) -> list[str]:
    """The best moves of a position, each with what it brings less than the first and with a reason."""
    found = weigh(view)
    lines = []
    for number, move in enumerate(found[:MOVES], 1):
        less = f", {points_text(move.behind, move.stderr)} less" if move.behind >= 0.05 else ", as good"
        less = "" if number == 1 else less
        what = named(view, move.action, style)
        lines.append(
            f"{number}. {what[:1].upper()}{what[1:]}{less}: {reason(view, move.action, style, move.undercut)}."
        )
    if not compiled and len(found) > 1:
        lines.append("Rough: without the compiled kernel only a few hands were tried.")
    return lines


@dataclass(frozen=True, slots=True)
class Cost:
    """A move that costs something, with what would be better."""

    view: View
    price: Price

    def lines(self, style: Style) -> list[str]:
        """What it costs, what is better and why."""
        paid = self.price
        what = doing(self.view, paid.action, style)
        return [
            f"{what[:1].upper()}{what[1:]} costs about {price_text(paid)}.",
            f"Better {instead(self.view, paid.action, paid.better, style)}: "
            f"{contrast(self.view, paid.action, paid.better, style, paid.undercut)}.",
        ]


def price_text(paid: Price) -> str:
    """What a move costs, in points and games."""
    parts = []
    if paid.points > 0:
        parts.append(points_text(paid.points, paid.stderr))
    if paid.by_game and paid.chance >= 0.005:
        parts.append(f"{100 * paid.chance:.0f} % of the game")
    return ", ".join(parts)


def cost(view: View, action: Action, *, by_game: bool = True) -> Cost | None:
    """What a move costs; None where it is as good as any. ``by_game`` as in ``judgement.price``."""
    paid = price(view, action, by_game=by_game)
    return Cost(view, paid) if paid.costly else None


def lesson_lines(view: View, style: Style) -> list[str]:
    """The tip for a moment, as one who has been told nothing hears it. ``Coach`` does not repeat itself."""
    return Coach().lesson_lines(view, style)


@dataclass
class Coach:
    """One who remembers what was told."""

    by_game: bool = True
    """Whether the chance to win the game means something (``one_game``)."""
    said: dict[str, int] = field(default_factory=dict)
    """By tip, at which moment it was told last."""
    counts: dict[str, int] = field(default_factory=dict)
    """By tip, how often it was told."""
    moment: int = 0
    """How many moments there were."""

    @classmethod
    def of(cls, rules: Rules) -> "Coach":
        """A coach for games under some rules."""
        return cls(by_game=one_game(rules))

    def hint_lines(self, view: View, style: Style) -> list[str]:
        """See ``hint_lines``."""
        return hint_lines(view, style)

    def cost(self, view: View, action: Action) -> Cost | None:
        """See ``cost``."""
        return cost(view, action, by_game=self.by_game)

    def lesson_lines(self, view: View, style: Style) -> list[str]:
        """What is to be learned from a moment: one tip at most, and none more than twice. Ask once a moment."""
        self.moment += 1
        text = tip(view, style, self.said, self.counts, self.moment)
        return [] if text is None else [text]
