"""A look back at a game that is over, in words: what decisions cost, the worst first, and luck and skill apart."""

from typing import Final

from ginrummy.game import Game
from ginrummy.game_log import Progress
from ginrummy.hindsight import Decision, Hindsight, Sum, look_back
from ginrummy.kernel import compiled
from ginrummy.kernel.view import DISCARDING, View
from ginrummy.melds import best_arrangement
from ginrummy.reasons import contrast, instead, named
from ginrummy.render import Style, by_points, plural
from ginrummy.session.coach import points_text, price_text
from ginrummy.store import GameInfo, NoGameError, Store

MOST: Final = 10
"""So many costly decisions are shown."""


def review(store: Store, number: int | None, style: Style) -> list[str]:
    """The review of a game; None: of the one finished last. NoGameError where there is none, or it is not over."""
    if number is None:
        over = store.games("won", "lost", "drawn", "resigned")
        if not over:
            raise NoGameError("no game is finished yet")
        number = max(over, key=lambda info: (info.updated, info.id)).id
    info, steps = store.load(number)
    if info.status == "running":
        raise NoGameError(f"game {number} is under way: it can be reviewed when it is over")
    game = Game(info.rules(), seed=info.seed, number=info.number, names=info.sides)
    return review_lines(info, look_back(Progress(game), steps), style)


def review_lines(info: GameInfo, found: Hindsight, style: Style) -> list[str]:
    """What there is to be said of a game."""
    points = " : ".join(map(str, info.points))
    lines = [f"Game {info.id}, {info.rules_name}, against {info.setup.opponent}: {info.status}, {points}."]
    if not found.decisions:
        return [*lines, "You had nothing to decide in it."]
    worst = found.costly()
    decided = plural(len(found.decisions), "decision")
    cost = "were" if len(worst) != 1 else "was"
    lines.append(f"{len(worst) or 'None'} of your {decided} {cost} costly{', the worst first:' if worst else '.'}")
    for place, decision in enumerate(worst[:MOST], 1):
        lines += decision_lines(place, decision, style, many=info.rules().best_of > 1)
    if len(worst) > MOST:
        lines.append(f"And {len(worst) - MOST} that cost less.")
    lines += summary_lines(found)
    if not compiled:
        lines.append("Rough: without the compiled kernel only a few hands were tried for each decision.")
    return lines


def decision_lines(place: int, decision: Decision, style: Style, *, many: bool = False) -> list[str]:
    """One costly decision: the moves and the price, the position, the reason."""
    view, paid = decision.view, decision.price
    game = f"game {decision.game}, " if many else ""
    where = f"{game}hand {decision.hand}, turn {decision.turn}"
    return [
        f"{place}. {where[:1].upper()}{where[1:]}: {named(view, paid.action, style)}; "
        f"better {instead(view, paid.action, paid.better, style)}. Price {price_text(paid)}.",
        f"   {position_text(view, style)}",
        f"   Why: {contrast(view, paid.action, paid.better, style, paid.undercut)}.",
    ]


def position_text(view: View, style: Style) -> str:
    """What the player saw, in one line."""
    layout = best_arrangement(view.hand)
    melds = [style.cards(meld.cards) for meld in layout.melds]
    loose = [style.cards(by_points(layout.loose))] if layout.loose else []
    parts = [" | ".join([*melds, *loose])]
    if view.pile:
        parts.append(f"pile {style.card(view.pile[-1])}")
    parts.append(f"stock {view.stock}")
    if view.phase == DISCARDING and view.drawn >= 0:
        parts.append(f"{'taken' if view.taken >= 0 else 'drawn'} {style.card(view.drawn)}")
    if view.known:
        parts.append(f"they hold {style.cards(_cards(view.known))}")
    return ", ".join(parts)


def _cards(mask: int) -> list[int]:
    return [card for card in range(52) if mask >> card & 1]


def _signed(total: Sum) -> str:
    return f"{total.points:+.1f} (+- {total.stderr:.1f})"


def summary_lines(found: Hindsight) -> list[str]:
    """Skill and luck in numbers."""
    cost = found.cost
    decided = plural(len(found.decisions), "decision")
    if cost.points > 0:
        each = f"{cost.points / max(1, found.hands):.1f} a hand"
        skill = f"your {decided} gave away {points_text(cost.points, cost.stderr)}, {each}"
    else:
        worse = points_text(-cost.points, cost.stderr)
        skill = f"your {decided} gave away nothing: what seemed better would have cost {worse}"
    return [
        f"Skill: {skill}.",
        f"Luck, in points: your deals {_signed(found.deals)}, your {plural(found.draws.number, 'draw')} "
        f"{_signed(found.draws)}, their {plural(found.their_draws.number, 'draw')} {_signed(found.their_draws)} for them.",
        f"You won {found.points:+d} points in {plural(found.hands, 'hand')}. "
        "A deal is measured against an even hand, a draw against the average card.",
    ]
