"""What an outside player is told, one JSON object a line, and what its answers mean. ginrummy-bots(7) describes it."""

import json
from collections.abc import Iterable
from typing import Any, Final

from ginrummy.cards import NAMES, card_points, cards_in
from ginrummy.errors import GinRummyError, IllegalError, UnreadableError, quoted
from ginrummy.hand import Action, Event, HandEnd
from ginrummy.kernel import solver
from ginrummy.kernel.terms import ALTERNATE, LOSER, UPCARD, WINNER, Terms
from ginrummy.kernel.view import DISCARDING, DRAWING, OFFER, View
from ginrummy.melds import Arrangement, Layoff, Meld, parse_melds, read_melds, union
from ginrummy.notation import parse_card, parse_cards

SCHEMA: Final = 1
_PHASES: Final = {OFFER: "offer", DRAWING: "draw", DISCARDING: "discard"}
_NEXT_DEALERS: Final = {LOSER: "loser", WINNER: "winner", ALTERNATE: "alternate"}
_SIDES: Final = ("opponent", "you")


class PlayerFailed(GinRummyError):
    """A player from outside broke down, broke the rules or kept the table waiting."""

    def __init__(self, player: str, reason: str) -> None:
        super().__init__(player, reason)
        self.player = player
        """The text that names the player."""
        self.reason = reason
        """What happened."""

    def __str__(self) -> str:
        return f"player {quoted(self.player, limit=80)}: {self.reason}"


def legal_actions(view: View) -> list[Action]:
    """What the seat of a view may do when it is to act, without a knocker's other spreads.

    >>> from ginrummy.hand import Hand
    >>> from ginrummy.rules import load_rules
    >>> [str(action) for action in legal_actions(Hand.deal(load_rules("race"), seed=1, dealer=0).view(1))]
    ['take', 'pass']
    """
    if view.phase != DISCARDING:
        other = Action("pass" if view.phase == OFFER else "draw")
        return [Action("take"), other] if view.may_take and view.pile else [other]
    held = view.hand
    throwable = _throwable(view)
    actions = [Action("discard", card) for card in throwable]
    actions += [Action("knock", card) for card in throwable if solver.deadwood(held ^ 1 << card) <= view.limit]
    if view.terms.big_gin >= 0 and solver.deadwood(held) == 0:
        actions.append(Action("big-gin"))
    return actions


def _throwable(view: View) -> list[int]:
    return [card for card in cards_in(view.hand) if card != view.taken]


# What is told


def line_of(message: dict[str, Any]) -> bytes:
    """A message as one line."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def question(view: View) -> dict[str, Any]:
    """A position in which the seat of a view is to act: all it may know, and the actions it may answer with."""
    legal = legal_actions(view)
    asked = {
        "schema": SCHEMA,
        "phase": _PHASES[view.phase],
        "hand": _names(view.hand),
        "drawn": _name(view.drawn),
        "taken": _name(view.taken),
        "upcard": _name(view.upcard),
        "pile": [NAMES[card] for card in view.pile],
        "stock": view.stock,
        "opponent": {
            "cards": 10,
            "took": _names(view.known),
            "let_lie": _names(view.refused),
            "threw": _names(view.thrown),
        },
        "shown": _names(view.shown),
        "turns": view.turns,
        "pile_draws": view.in_row,
        "pairs": [[NAMES[pair // 52], NAMES[pair % 52]] for pair in view.pairs],
    } | _table(view)
    if view.phase == DISCARDING:
        left = {card: solver.deadwood(view.hand ^ 1 << card) for card in _throwable(view)}
        asked["deadwood"] = 0 if legal[-1].kind == "big-gin" else min(left.values())
        asked["discards"] = [
            {"card": NAMES[card], "deadwood": points, "knock": _knock(points, view.limit)}
            for card, points in left.items()
        ]
    else:
        asked["deadwood"] = solver.deadwood(view.hand)
        if legal[0].kind == "take":
            eleven = view.hand | 1 << view.pile[-1]
            asked["deadwood_if_taken"] = min(solver.deadwood(eleven ^ 1 << card) for card in cards_in(view.hand))
    asked["legal"] = [str(action) for action in legal]
    return asked


def start(view: View, seed: int) -> dict[str, Any]:
    """A hand begins; ``seed`` is for whatever the player leaves to chance in it."""
    return {
        "schema": SCHEMA,
        "event": "start",
        "seed": seed,
        "hand": _names(view.hand),
        "upcard": _name(view.upcard),
    } | _table(view)


def told(event: Event, seat: int) -> Event:
    """What a seat is told of an event: not which card the opponent drew, nor which lies face down after a knock."""
    hidden = event.seat != seat and event.kind in ("draw", "knock")
    return Event(event.seat, event.kind, None if hidden else event.card)


def happened(event: Event, seat: int) -> dict[str, Any]:
    """Something a seat saw happen."""
    seen = told(event, seat)
    message = {"schema": SCHEMA, "event": seen.kind, "by": _SIDES[seen.seat == seat]}
    return message if seen.card is None else message | {"card": NAMES[seen.card]}


def end(how: HandEnd, seat: int, scores: tuple[int, int]) -> dict[str, Any]:
    """How a hand ended, with both spreads after a knock; ``scores`` were the seat's and the opponent's before it."""
    mine, other = scores
    if how.winner is not None:
        mine, other = (mine + how.points, other) if how.winner == seat else (mine, other + how.points)
    message = {
        "schema": SCHEMA,
        "event": "end",
        "result": how.result,
        "winner": None if how.winner is None else _SIDES[how.winner == seat],
        "points": how.points,
        "score": [mine, other],
    }
    if how.showdown is not None:
        spreads = [
            _spread(how.showdown.knocker, ()),
            _spread(how.showdown.defender.arrangement, how.showdown.defender.layoffs),
        ]
        own, others = spreads if how.knocker == seat else spreads[::-1]
        message |= {"knocker": _SIDES[how.knocker == seat], "you": own, "opponent": others}
    return message


def _spread(shown: Arrangement, layoffs: Iterable[Layoff]) -> dict[str, Any]:
    return {
        "melds": [_names(meld.cards) for meld in shown.melds],
        "layoffs": [{"card": NAMES[layoff.card], "onto": _names(layoff.onto.cards)} for layoff in layoffs],
        "deadwood_cards": _names(shown.loose),
        "deadwood": shown.deadwood,
    }


def _table(view: View) -> dict[str, Any]:
    """What stays the same during a hand."""
    terms = view.terms
    return {
        "dealer": _SIDES[view.dealer],
        "score": [view.score, view.opponent_score],
        "knock_limit": view.limit,
        "multiplier": view.factor,
        "rules": {
            "knock_limit": "upcard" if terms.limit == UPCARD else terms.limit,
            "gin_bonus": terms.gin,
            "undercut_bonus": terms.undercut,
            "big_gin_bonus": "none" if terms.big_gin < 0 else terms.big_gin,
            "spade_upcard_factor": terms.upcard_factor,
            "spade_pile_factor": terms.pile_factor,
            "target": terms.target,
            "next_dealer": _NEXT_DEALERS[terms.next_dealer],
            "arrangement": "player" if terms.by_player else "automatic",
        },
    }


def _names(cards: int) -> list[str]:
    return [NAMES[card] for card in cards_in(cards)]


def _name(card: int) -> str | None:
    return None if card < 0 else NAMES[card]


def _knock(deadwood: int, limit: int) -> str | None:
    return None if deadwood > limit else "knock" if deadwood else "gin"


def copied(view: View) -> View:
    """A view that shares nothing with another one but what cannot be changed."""
    terms = view.terms
    own = View(
        Terms(
            limit=terms.limit,
            gin=terms.gin,
            undercut=terms.undercut,
            big_gin=terms.big_gin,
            upcard_factor=terms.upcard_factor,
            pile_factor=terms.pile_factor,
            target=terms.target,
            next_dealer=terms.next_dealer,
            by_player=terms.by_player,
        ),
        view.hand,
        view.upcard,
        view.limit,
        view.factor,
        view.dealer,
        view.score,
        view.opponent_score,
    )
    own.phase = view.phase
    own.may_take = view.may_take
    own.pile = list(view.pile)
    own.piled = view.piled
    own.stock = view.stock
    own.drawn = view.drawn
    own.taken = view.taken
    own.turns = view.turns
    own.known = view.known
    own.refused = view.refused
    own.thrown = view.thrown
    own.shown = view.shown
    own.in_row = view.in_row
    own.offered = view.offered
    own.story = list(view.story)
    own.pairs = list(view.pairs)
    return own


# What is answered


def parse_answer(line: bytes, view: View) -> Action:
    """The action of an answer's line. UnreadableError where it says nothing, IllegalError where it may not be done.

    >>> from ginrummy.hand import Hand
    >>> from ginrummy.rules import load_rules
    >>> parse_answer(b'{"action": "take"}', Hand.deal(load_rules("race"), seed=1, dealer=0).view(1))
    Action(kind='take', card=None, melds=None)
    """
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        shown = quoted(line[:1000].decode("utf-8", "replace"), limit=80)
        raise UnreadableError(f'not JSON: {shown}: an answer is a line like {{"action": "draw"}}') from None
    return read_answer(value, view)


def read_answer(value: object, view: View) -> Action:
    """The action of an answer: a text, an object with the key ``action``, or an Action. Errors as parse_answer."""
    melds: object = None
    if isinstance(value, dict):
        melds = value.get("melds")
        value = value.get("action")
    legal = legal_actions(view)
    if isinstance(value, Action):
        wanted, melds = (value.kind, value.card), value.melds
        shown = f"{wanted[0]} {wanted[1]}".removesuffix(" None")
        found = [action for action in legal if (action.kind, action.card) == wanted]
    elif isinstance(value, str):
        shown = value
        found = [action for action in legal if str(action) == _standard(value)]
    else:
        raise UnreadableError('no action: an answer is a text, or an object like {"action": "draw"}')
    if not found:
        raise IllegalError(f"illegal action {quoted(shown)}: legal are {', '.join(map(str, legal))}")
    if melds is None:
        return found[0]
    try:
        return Action(found[0].kind, found[0].card, _checked_melds(melds, found[0], view))
    except (GinRummyError, TypeError, AttributeError) as error:
        raise IllegalError(f"illegal melds with {found[0]}: {error}") from None


def _standard(text: str) -> str:
    """An action's text with its card as this program writes it."""
    words = text[:100].lower().split()
    knock = ["knock"] if words[:1] == ["knock"] else []
    try:
        return " ".join([*knock, NAMES[parse_card(" ".join(words[len(knock) :]))]])
    except GinRummyError:
        return " ".join(words)


def _checked_melds(value: object, action: Action, view: View) -> tuple[Meld, ...]:
    """A knocker's own spread."""
    if action.kind != "knock" or action.card is None:
        raise IllegalError("only a knock names a spread")
    if not view.terms.by_player:
        raise IllegalError("these rules lay out melds automatically")
    if isinstance(value, str):
        melds = parse_melds(value)
    elif isinstance(value, list | tuple):
        melds = read_melds(_group(group) for group in value)
    else:
        raise UnreadableError("melds are a text with / between them, or a list of lists of cards")
    kept = view.hand ^ 1 << action.card
    if union(melds) & ~kept:
        raise IllegalError(f"{' '.join(_names(union(melds) & ~kept))} not among the cards kept")
    points = sum(card_points(card) for card in cards_in(kept & ~union(melds)))
    if points > view.limit:
        raise IllegalError(f"deadwood {points} is too much to knock: the limit is {view.limit}")
    return melds


def _group(value: object) -> int:
    if isinstance(value, Meld):
        return parse_cards(" ".join(NAMES[card] for card in value.cards))
    return parse_cards(value if isinstance(value, str) else " ".join(value) if isinstance(value, list) else "")
