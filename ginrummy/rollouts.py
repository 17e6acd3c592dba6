"""A hand that is typed as a position to be played out: what every sensible choice is worth."""

from ginrummy.advice import Choice, rank
from ginrummy.cards import DECK, cards_in
from ginrummy.errors import IllegalError, ImpossibleError
from ginrummy.hand import terms_of
from ginrummy.kernel.rng import Streams
from ginrummy.kernel.view import DISCARDING, DRAWING, NOTHING, OFFER, TOOK, View
from ginrummy.rules import Rules

MOST_STOCK = 31


def position(
    hand: int,
    rules: Rules,
    *,
    upcard: int | None = None,
    pile_top: int | None = None,
    taken: int | None = None,
    seen: int = 0,
    opponent: int = 0,
    stock: int | None = None,
    turn: int | None = None,
    score: tuple[int, int] = (0, 0),
) -> View:
    """The view of a seat that holds 10 cards and is to draw, or 11 and is to throw.

    ``turn`` is this seat's turn, from 1. The order of the pile and who threw what are not known: the opponent is taken to have
    thrown every other card seen, and the cards it is known to hold to have been taken from the pile. A stock that is not
    given is what the other cards leave.

    IllegalError where the rules need the upcard, ImpossibleError for scores that end the game.
    """
    if upcard is None and rules.needs_upcard:
        raise IllegalError(f"{rules.name} needs the upcard to play a hand out: give --upcard CARD")
    if max(score) >= rules.target:
        raise ImpossibleError(f"a score of {score[0]}-{score[1]} ends a game to {rules.target}")
    top = 0 if pile_top is None else 1 << pile_top
    piled = (seen | top) & ~hand
    if upcard is not None and not (hand | opponent | piled) >> upcard & 1:
        piled |= 1 << upcard
    pile = [*cards_in(piled & ~top), *cards_in(top)]
    view = View(
        terms_of(rules),
        hand,
        next(iter([*pile, *cards_in(DECK & ~hand)])) if upcard is None else upcard,
        rules.limit(upcard) or 0,
        rules.multiplier(upcard, None),
        False,
        *score,
    )
    view.pile, view.piled, view.known = pile, piled, opponent
    left = 52 - hand.bit_count() - 10 - len(pile)
    view.stock = max(1, min(MOST_STOCK, left)) if stock is None else stock
    thrown = cards_in(piled & ~(0 if upcard is None else 1 << upcard))[::2] if turn is None or turn > 1 else []
    view.turns = len(thrown) if turn is None else turn - 1
    view.thrown = sum(1 << card for card in thrown)
    known = cards_in(opponent)
    view.story = [((TOOK + known[at]) if at < len(known) else NOTHING) * 64 + card for at, card in enumerate(thrown)]
    if hand.bit_count() == 11:
        view.phase = DISCARDING
        view.taken = -1 if taken is None else taken
        view.drawn = view.taken
    elif upcard is not None and pile_top == upcard and not view.turns and pile == [upcard]:
        view.phase = OFFER
    else:
        view.phase = DRAWING
        view.may_take = pile_top is not None
    return view


def roll_out(view: View, samples: int, seed: int) -> list[Choice]:
    """Every sensible choice of a position, best first, each played out so many times against the same made-up hands."""
    return rank(view, samples, Streams(seed, 0, 0).first)


def read_score(text: str) -> tuple[int, int]:
    """Two numbers of points, as in ``40-62``. ValueError for anything else."""
    one, dash, other = text.partition("-")
    if not (dash and one.isascii() and one.isdigit() and other.isascii() and other.isdigit() and len(text) < 12):
        raise ValueError(text)
    return int(one), int(other)
