"""Why one move is better than another, in words: facts of the position, nothing that the view does not show."""

from dataclasses import dataclass
from typing import Final

from ginrummy.cards import DECK, cards_in, rank_of, suit_of
from ginrummy.hand import Action
from ginrummy.kernel import solver
from ginrummy.kernel.view import DISCARDING, View
from ginrummy.kernel.worth import gin_outs
from ginrummy.melds import best_arrangement
from ginrummy.render import Style, plural

NOTHING_PLAIN: Final = "over the hands the opponent may hold it comes out ahead, for no single reason"


def unseen(view: View) -> int:
    """The cards that may be in the stock or, unknown, in the opponent's hand."""
    return DECK & ~(view.hand | view.piled | view.known)


def close(card: int, other: int) -> bool:
    """Whether two cards may go into one meld at once: of one rank, or next to each other in a suit."""
    return rank_of(card) == rank_of(other) or (suit_of(card) == suit_of(other) and abs(card - other) == 1)


def fed(view: View, card: int) -> list[int]:
    """The cards the opponent took and holds that a discard would join."""
    return [other for other in cards_in(view.known) if close(card, other)]


def turned_down(view: View, card: int) -> list[int]:
    """The cards the opponent threw or let lie that are close to a card."""
    return [other for other in cards_in(view.thrown | view.refused) if close(card, other)]


def useless(view: View, card: int) -> bool:
    """Whether no two cards the opponent may hold make a meld with a card."""
    theirs = unseen(view) | view.known
    return not solver.pairs_beside(card, theirs, theirs) and not fed(view, card)


def gin_cards(view: View, kept: int) -> int:
    """How many unseen cards make gin of ten cards."""
    return gin_outs(kept, unseen(view))


@dataclass(frozen=True, slots=True)
class Throw:
    """What a discard does to the hand."""

    card: int
    deadwood: int
    """Points left."""
    outs: int
    """How many unseen cards would join a meld of what is left."""
    broken: tuple[int, ...]
    """The meld it breaks up."""
    two_way: bool
    """Whether the card could still go into a set as well as into a run."""


def throw(view: View, card: int) -> Throw:
    """What throwing a card does to a hand of eleven."""
    kept = view.hand ^ 1 << card
    deadwood = solver.deadwood(kept)
    broken: tuple[int, ...] = ()
    if deadwood > solver.deadwood(view.hand):
        for meld in best_arrangement(view.hand).melds:
            if card in cards_in(meld.cards):
                broken = tuple(cards_in(meld.cards))
    live = unseen(view)
    both = bool(solver.two_way(view.hand, live) >> card & 1)
    return Throw(card, deadwood, int(solver.outs(kept, live)).bit_count(), broken, both)


def made(view: View) -> tuple[tuple[int, ...], int]:
    """What taking the top of the pile gives: the meld it would lie in (none: empty), and the deadwood after a discard."""
    top = view.pile[-1]
    eleven = view.hand | 1 << top
    left = solver.least_after_discard(eleven, 1 << top)
    for card in cards_in(solver.best_discards(eleven, 1 << top)):
        for meld in best_arrangement(eleven ^ 1 << card).melds:
            if top in cards_in(meld.cards):
                return tuple(cards_in(meld.cards)), left
    return (), left


def named(view: View, action: Action, style: Style) -> str:
    """A move as a request: ``throw K♦``, ``take 7♦``."""
    if action.kind == "take":
        return f"take {style.card(view.pile[-1])}"
    if action.card is None:
        return action.kind.replace("-", " ")
    if action.kind == "discard":
        return f"throw {style.card(action.card)}"
    return f"{'gin' if _left(view, action.card) == 0 else 'knock'} with {style.card(action.card)}"


def instead(view: View, worse: Action, better: Action, style: Style) -> str:
    """The better move as a request, where the other was a knock: to wait."""
    text = named(view, better, style)
    return f"wait and {text}" if worse.kind == "knock" and better.kind == "discard" else text


def doing(view: View, action: Action, style: Style) -> str:
    """A move as a doing: ``throwing K♦``."""
    if action.kind == "discard" and _may_knock(view, action.card):
        return f"throwing {style.card(action.card or 0)} without a knock"
    words = {"throw": "throwing", "take": "taking", "draw": "drawing", "pass": "passing", "knock": "knocking"}
    first, _, rest = named(view, action, style).partition(" ")
    return f"{words.get(first, first)} {rest}".rstrip()


def _left(view: View, card: int) -> int:
    return solver.deadwood(view.hand ^ 1 << card)


def _may_knock(view: View, card: int | None) -> bool:
    return card is not None and _left(view, card) <= view.limit


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def reason(view: View, action: Action, style: Style, undercut: float | None = None) -> str:
    """What there is to be said about a move by itself."""
    if view.phase != DISCARDING:
        return _draw_reason(view, action, style)
    if action.kind == "big-gin":
        return f"all eleven cards are melded: {view.terms.big_gin} points and their deadwood"
    assert action.card is not None
    found = throw(view, action.card)
    if action.kind == "knock":
        if found.deadwood == 0:
            return f"{view.terms.gin} points and their deadwood, nothing is laid off"
        risk = "" if undercut is None else f", undercut {_percent(undercut)} of the time"
        return f"ends the hand with deadwood {found.deadwood}{risk}"
    helped = f"{plural(found.outs, 'card')} {'helps' if found.outs == 1 else 'help'}"
    parts = [f"leaves deadwood {found.deadwood}, {helped}"]
    near = fed(view, action.card)
    if found.broken:
        parts.append(f"breaks up {style.cards(found.broken)}")
    elif near:
        parts.append(f"feeds the {style.card(near[0])} they took")
    elif found.two_way:
        parts.append("gives up a set or a run")
    elif useless(view, action.card):
        parts.append("of no use to them")
    elif turned_down(view, action.card):
        parts.append(f"they did not want {style.card(turned_down(view, action.card)[-1])}")
    return "; ".join(parts)


def _draw_reason(view: View, action: Action, style: Style) -> str:
    if not (view.may_take and view.pile):
        return "there is nothing to take"
    meld, left = made(view)
    now = solver.deadwood(view.hand)
    if action.kind == "take":
        if not meld:
            return f"makes no meld, deadwood {now} to {left}; they see what you collect"
        what = "gin" if left == 0 else f"deadwood {now} to {left}"
        return f"makes {style.cards(meld)}: {what}"
    improving = int(solver.improving(view.hand, unseen(view))).bit_count()
    number = unseen(view).bit_count()
    text = f"{improving} of {number} unseen cards improve the hand"
    return text if action.kind == "draw" else f"leave it: {text}"


def contrast(view: View, worse: Action, better: Action, style: Style, undercut: float | None = None) -> str:
    """Why a move is worse than another."""
    if view.phase != DISCARDING:
        return _draw_contrast(view, worse, style)
    if better.kind == "big-gin":
        return f"big gin brings {view.terms.big_gin} points and their whole deadwood"
    if worse.kind == "big-gin":
        return NOTHING_PLAIN
    assert worse.card is not None
    assert better.card is not None
    bad, good = throw(view, worse.card), throw(view, better.card)
    if better.kind == "knock":
        if good.deadwood == 0:
            return f"gin brings {view.terms.gin} points and their whole deadwood, and nothing is laid off"
        if worse.kind == "knock":
            return f"it knocks with {bad.deadwood} instead of {good.deadwood}"
        risk = "" if undercut is None else f", which is undercut only {_percent(undercut)} of the time"
        late = ", and few cards are left to draw" if view.stock <= 6 else ""
        return f"you can knock with {good.deadwood}{risk}{late}; waiting lets them catch up"
    if worse.kind == "knock":
        # They play on with ten cards; what speaks for that is the undercut, gin, or an undercut of their own.
        parts = []
        if undercut is not None and undercut >= 0.1:
            parts.append(f"with {bad.deadwood} it is undercut {_percent(undercut)} of the time")
        gins = gin_cards(view, view.hand ^ 1 << better.card)
        if gins:
            parts.append(
                f"{plural(gins, 'card')} {'makes' if gins == 1 else 'make'} gin, which brings {view.terms.gin}"
            )
        if undercut is not None and undercut < 0.1:
            parts.append("and they may knock into your low hand, for an undercut")
        return ", ".join(parts) or NOTHING_PLAIN
    return _throw_contrast(view, bad, good, style)


def _draw_contrast(view: View, worse: Action, style: Style) -> str:
    meld, left = made(view)
    now = solver.deadwood(view.hand)
    top = style.card(view.pile[-1])
    if worse.kind == "take":
        if not meld:
            return f"{top} makes no meld, and shows what you collect"
        return f"{top} only brings deadwood {now} to {left} and shows what you collect; an unseen card may do more"
    if not meld:
        more = f"with {top} {_helping(view)} cards would help next, not {_outs(view, view.hand)}"
        parts = [f"{top} makes no meld but lowers deadwood {now} to {left}"] if left < now else []
        parts += [more] if _helping(view) > _outs(view, view.hand) else []
        return ", and ".join(parts) or NOTHING_PLAIN
    if left == 0:
        return f"{top} makes {style.cards(meld)}, and that is gin"
    return f"{top} makes {style.cards(meld)}: deadwood {now} to {left}"


def _outs(view: View, kept: int) -> int:
    return int(solver.outs(kept, unseen(view))).bit_count()


def _helping(view: View) -> int:
    """The outs of the hand with the top of the pile in place of the dearest card it can spare."""
    bit = 1 << view.pile[-1]
    best = cards_in(solver.best_discards(view.hand | bit, bit))
    return max(_outs(view, (view.hand | bit) ^ 1 << card) for card in best)


def _throw_contrast(view: View, bad: Throw, good: Throw, style: Style) -> str:
    parts = []
    if bad.broken and not good.broken:
        parts.append(f"it breaks up {style.cards(bad.broken)} and leaves deadwood {bad.deadwood}, not {good.deadwood}")
    elif bad.deadwood > good.deadwood:
        parts.append(f"it leaves deadwood {bad.deadwood}, not {good.deadwood}")
    if bad.outs < good.outs:
        parts.append(f"{plural(bad.outs, 'card')} would help next, not {good.outs}")
    near = fed(view, bad.card)
    if len(near) > len(fed(view, good.card)):
        parts.append(f"it goes with the {style.card(near[0])} they took")
    if bad.two_way and not good.two_way and not bad.broken:
        parts.append(f"{style.card(bad.card)} can still go into a set or into a run")
    if len(parts) < 2 and useless(view, good.card) and not useless(view, bad.card):
        parts.append(f"{style.card(good.card)} is of no use to them")
    wanted = turned_down(view, good.card)
    if len(parts) < 2 and wanted and not turned_down(view, bad.card):
        parts.append(f"{style.card(good.card)} is safer: they did not want {style.card(wanted[-1])}")
    return "; ".join(parts[:3]) or NOTHING_PLAIN
