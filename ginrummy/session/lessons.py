"""The tips of a first game, each with its reason, told in the moment they apply."""

from collections.abc import Callable
from typing import Final

from ginrummy.advice import sensible
from ginrummy.cards import card_points, cards_in, rank_of
from ginrummy.judgement import Weighed, weigh
from ginrummy.kernel import equity, solver
from ginrummy.kernel.view import BIG_GIN, DISCARDING, KNOCK, OFFER, View
from ginrummy.melds import best_arrangement
from ginrummy.reasons import close, fed, gin_cards, made, turned_down, unseen
from ginrummy.render import Style, plural

EARLY: Final = 4
"""Turns ended in which a hand is young."""

LATE: Final = 8
"""From so many turns on both hands are nearly done."""

LOW_STOCK: Final = 8
"""So few cards in the stock are few."""

AGAIN: Final = 12
"""So many moments later a tip may be told a second time."""

MOST: Final = 2
"""A tip is told no more often."""

ONCE: Final = ("goal",)
"""These are told but once."""


class Moment:
    """A position with what several tips ask about."""

    def __init__(self, view: View, style: Style) -> None:
        self.view = view
        self.style = style
        self.discarding = view.phase == DISCARDING
        knocks = [code for code in sensible(view) if code >= KNOCK] if self.discarding else []
        self.big_gin = self.discarding and BIG_GIN in sensible(view)
        self.knock = knocks[0] - KNOCK if knocks else None
        """The card to knock with."""
        self.left = None if self.knock is None else int(solver.deadwood(view.hand ^ 1 << self.knock))
        """The deadwood of that knock."""
        self.liked = equity.throws(view)[:3] if self.discarding and not knocks else []
        """The discards that are worth a thought: no tip names another one."""
        self._best: Weighed | None = None

    @property
    def knocking(self) -> bool:
        """Whether to knock is the best move."""
        if self._best is None:
            self._best = weigh(self.view)[0]
        return self._best.action.kind == "knock"

    def loose(self) -> list[int]:
        """The cards in no meld of the best arrangement."""
        return cards_in(best_arrangement(self.view.hand).loose)


def _alone(view: View, card: int) -> bool:
    """Whether a card has no partner: none of its rank, none within two in its suit."""
    return not any(
        other != card and (rank_of(other) == rank_of(card) or (other // 13 == card // 13 and abs(other - card) <= 2))
        for other in cards_in(view.hand)
    )


def _offer(m: Moment) -> str | None:
    if m.view.phase != OFFER:
        return None
    top = m.style.card(m.view.pile[-1])
    meld, left = made(m.view)
    if meld:
        return (
            f"The {top} is on offer and makes {m.style.cards(meld)} with your cards: deadwood {left} after a discard. "
            "A card that makes a meld is worth taking."
        )
    return (
        f"The {top} on offer makes no meld with your cards. Taking it would show what you collect and seldom brings "
        "more than a card from the stock: passing loses nothing."
    )


def _draw(m: Moment) -> str | None:
    if m.discarding or not (m.view.may_take and m.view.pile) or m.view.phase == OFFER:
        return None
    top = m.style.card(m.view.pile[-1])
    meld, _ = made(m.view)
    if meld:
        return (
            f"The {top} makes {m.style.cards(meld)}. What you take is seen, but a meld is worth that: "
            "cards in melds no longer count against you."
        )
    return (
        f"Take from the pile only what makes a meld. The {top} makes none, and would tell the opponent what you "
        "collect; the stock tells nothing."
    )


def _gin(m: Moment) -> str | None:
    if m.big_gin:
        return f"All eleven cards are melded: big gin brings {m.view.terms.big_gin} points and the opponent's deadwood."
    if m.left != 0:
        return None
    return (
        f"This is gin: no deadwood. It brings {m.view.terms.gin} points besides the opponent's deadwood, "
        "and nothing can be laid off on it."
    )


def _goal(m: Moment) -> str | None:
    if not m.discarding or m.view.turns:
        return None
    left = int(solver.least_after_discard(m.view.hand, 0 if m.view.taken < 0 else 1 << m.view.taken))
    limit = f"at {m.view.limit} or less you may knock" if m.view.limit else "only with none of it you may go out"
    return (
        "One card has to go. Sets and runs of three or more are safe; all else is deadwood and counts against you: "
        f"now {left} at best, and {limit}."
    )


def _feed(m: Moment) -> str | None:
    if not m.discarding or not m.view.known:
        return None
    for card in reversed(cards_in(m.view.known)):
        mine = [other for other in m.loose() if close(card, other) and other != m.view.taken]
        if mine:
            return (
                f"The opponent took the {m.style.card(card)}, so it made something. Do not feed it: "
                f"your {m.style.cards(mine)} would fit, and {'is' if len(mine) == 1 else 'are'} dangerous to throw."
            )
    return None


def _watch(m: Moment) -> str | None:
    if not m.discarding or not m.view.known:
        return None
    return (
        f"The opponent took the {m.style.cards(cards_in(m.view.known))}: watch what it takes. Hold back the same "
        "rank and the neighbours in the suit; they are what it waits for."
    )


def _safe(m: Moment) -> str | None:
    for card in m.liked:
        wanted = turned_down(m.view, card)
        if wanted and not fed(m.view, card) and card in m.loose():
            return (
                f"A card thrown or let lie is a sign too: the opponent did not want the {m.style.card(wanted[-1])}, "
                f"so your {m.style.card(card)} is safer to throw than a card from nowhere."
            )
    return None


def _high(m: Moment) -> str | None:
    if m.view.turns > EARLY:
        return None
    for card in m.liked:
        if card_points(card) == 10 and card in m.loose() and _alone(m.view, card):
            return (
                f"Throw high loose cards early: the {m.style.card(card)} has no partner, "
                "and costs you 10 points if the opponent knocks."
            )
    return None


def _two_way(m: Moment) -> str | None:
    if not m.discarding:
        return None
    loose = m.loose()
    both = [card for card in cards_in(solver.two_way(m.view.hand, unseen(m.view))) if card in loose]
    # Not a card that is among the best to throw all the same.
    card = next((card for card in both if card not in m.liked and card_points(card) < 10), None)
    if card is None or m.knock is not None:
        return None
    return (
        f"Keep cards that go two ways: the {m.style.card(card)} can end in a set or in a run, "
        "so more of the unseen cards help it than help a pair."
    )


def _dead_pair(m: Moment) -> str | None:
    if not m.discarding or m.knock is not None:
        return None
    for card in m.loose():
        same = [other for other in range(rank_of(card), 52, 13) if other != card]
        mine = [other for other in same if m.view.hand >> other & 1]
        if len(mine) == 1 and not any(unseen(m.view) >> other & 1 for other in same):
            return (
                f"Remember what is gone: no other card of the rank of {m.style.cards([card, *mine])} can come any more, "
                "so this pair never becomes a set. Let it go."
            )
    return None


def _middle(m: Moment) -> str | None:
    if m.view.turns > LATE:
        return None
    loose = m.loose() if m.liked else []
    middle = next((card for card in loose if 4 <= rank_of(card) <= 8 and card not in m.liked), None)
    edge = next((card for card in loose if rank_of(card) == 12 and card in m.liked), None)
    if middle is None or edge is None:
        return None
    return (
        f"Middle cards make more runs: your {m.style.card(middle)} fits three of them, "
        f"the {m.style.card(edge)} only one."
    )


def _low(m: Moment) -> str | None:
    low = [card for card in m.loose() if card_points(card) <= 3 and card not in m.liked] if m.liked else []
    if not low:
        return None
    return (
        f"Low cards cost little: keep the {m.style.card(low[0])} when the choice is close. "
        f"{'It helps to get under the limit for a knock' if m.view.limit else 'It costs next to nothing if they go out'}."
    )


def _shed(m: Moment) -> str | None:
    if m.knock is not None or not m.liked or m.view.turns < 5:
        return None
    left = int(solver.least_after_discard(m.view.hand, 0 if m.view.taken < 0 else 1 << m.view.taken))
    if left < 25 or card_points(m.liked[0]) < 8:
        return None
    return (
        f"By now the opponent may be close to a knock, and you hold {left}: without progress, "
        "throwing the highest loose cards limits what it wins."
    )


def _goes_out(m: Moment) -> bool:
    return m.knock is not None and bool(m.left) and m.view.limit > 0


def _stock(m: Moment) -> str | None:
    if not _goes_out(m) or m.view.stock > LOW_STOCK or not m.knocking:
        return None
    return (
        f"Only {plural(m.view.stock, 'card')} are left in the stock, and with two the hand is dead and brings nothing: "
        f"a safe knock with {m.left} is better than a gin that never comes."
    )


def _early(m: Moment) -> str | None:
    if not _goes_out(m) or m.view.turns > EARLY or not m.knocking:
        return None
    return (
        f"You can knock with {m.left}. Early that is mostly right: the opponent still holds a lot, "
        "and every turn you wait lets it catch up."
    )


def _knock(m: Moment) -> str | None:
    if not _goes_out(m) or not m.knocking:
        return None
    return (
        f"You can knock with {m.left}, and the reckoning is for it. Most hands are won by a knock; "
        "gin is a bonus, no plan."
    )


def _wait_for_gin(m: Moment) -> str | None:
    if not _goes_out(m) or m.knocking:
        return None
    assert m.knock is not None
    ways = gin_cards(m.view, m.view.hand ^ 1 << m.knock)
    if ways < 2 or m.left is None or m.left > 5:
        return None
    return (
        f"You could knock with {m.left}, but gin brings {m.view.terms.gin} and allows no layoffs: "
        f"{plural(ways, 'card')} would make it, so one more draw can pay."
    )


def _late(m: Moment) -> str | None:
    if not _goes_out(m) or m.view.turns < EARLY or (m.left or 0) < 5 or m.knocking:
        return None
    return (
        f"Think before a late knock: with {m.left} the opponent may well have as little, a tie counts for it too, "
        f"and an undercut brings it {m.view.terms.undercut}."
    )


def _layoffs(m: Moment) -> str | None:
    if not _goes_out(m):
        return None
    assert m.knock is not None
    kept = m.view.hand ^ 1 << m.knock
    live = unseen(m.view) | int(m.view.known)
    for meld in best_arrangement(kept).melds:
        cards = cards_in(meld.cards)
        if meld.kind == "set":
            ends = [card for card in range(rank_of(cards[0]), 52, 13) if card not in cards]
        else:
            ends = [cards[0] - 1] if rank_of(cards[0]) > 0 else []
            ends += [cards[-1] + 1] if rank_of(cards[-1]) < 12 else []
        ends = [card for card in ends if live >> card & 1]
        if ends:
            return (
                f"Before a knock reckon with layoffs: the opponent may put {m.style.cards(ends)} "
                f"onto your {m.style.cards(cards)}, and what it lays off no longer counts against it."
            )
    return None


TIPS: Final[dict[str, Callable[[Moment], str | None]]] = {
    "gin": _gin,
    "offer": _offer,
    "stock": _stock,
    "early": _early,
    "wait": _wait_for_gin,
    "late": _late,
    "layoffs": _layoffs,
    "knock": _knock,
    "goal": _goal,
    "feed": _feed,
    "watch": _watch,
    "draw": _draw,
    "dead pair": _dead_pair,
    "high": _high,
    "two ways": _two_way,
    "safe": _safe,
    "middle": _middle,
    "shed": _shed,
    "low": _low,
}
"""By urgency: the first that applies and has not been told lately is told."""


def tip(view: View, style: Style, said: dict[str, int], counts: dict[str, int], moment: int) -> str | None:
    """The tip for a moment, entered in ``said`` (when it was told last) and ``counts`` (how often)."""
    here = Moment(view, style)
    for name, find in TIPS.items():
        if counts.get(name, 0) >= (1 if name in ONCE else MOST) or (name in said and moment - said[name] < AGAIN):
            continue
        text = find(here)
        if text is not None:
            said[name] = moment
            counts[name] = counts.get(name, 0) + 1
            return text
    return None
