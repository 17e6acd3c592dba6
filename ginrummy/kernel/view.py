"""What one seat may know, and the actions it may answer with. Strategies see nothing else."""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.terms import Terms

# Actions: 0-51 discards that card, KNOCK + card knocks with it.
TAKE: Final = 60
"""Take the top of the discard pile."""
DRAW: Final = 61
"""Draw the top of the stock."""
PASS: Final = 62
"""Let the upcard lie at the opening offer."""
BIG_GIN: Final = 63
"""Go out with eleven melded cards."""
KNOCK: Final = 64

OFFER: Final = 0
"""Phase: the upcard is on offer (TAKE or PASS)."""
DRAWING: Final = 1
"""Phase: take or draw."""
DISCARDING: Final = 2
"""Phase: discard, knock or big gin."""

NOTHING: Final = 52
"""In place of a card: none was on offer."""

TOOK: Final = 64
"""Added to a card that was taken."""


class View:
    """One seat's knowledge. Cards are numbers (-1: none), sets of cards masks, points whole."""

    def __init__(
        self,
        terms: Terms,
        hand: i64,
        upcard: i64,
        limit: i64,
        factor: i64,
        dealer: bool,
        score: i64,
        opponent_score: i64,
    ) -> None:
        self.terms: Final = terms
        self.limit: Final = limit
        """Most deadwood a knock may have in this hand."""
        self.factor: Final = factor
        """What the hand's points are multiplied with because of the upcard."""
        self.dealer: Final = dealer
        """Whether this seat deals."""
        self.score: Final = score
        """Points of this seat in the game before the hand."""
        self.opponent_score: Final = opponent_score
        self.upcard: Final = upcard
        """The 21st card."""
        self.hand: i64 = hand
        """This seat's cards."""
        self.phase: i64 = OFFER
        self.may_take: bool = True
        """Whether the top of the pile may be taken (not after two passes)."""
        self.pile: list[int] = [int(upcard)]
        """The discard pile, its top last."""
        self.piled: i64 = 1
        """The cards of the pile as a mask."""
        self.piled <<= upcard
        self.stock: i64 = 31
        """How many cards are left in the stock."""
        self.drawn: i64 = -1
        """The card drawn this turn."""
        self.taken: i64 = -1
        """The card drawn this turn if it came from the pile: it may not be thrown."""
        self.turns: i64 = 0
        """How many turns this seat has ended."""
        self.known: i64 = 0
        """Cards the opponent took from the pile and has not thrown."""
        self.refused: i64 = 0
        """Cards the opponent let lie."""
        self.thrown: i64 = 0
        """Cards the opponent threw."""
        self.shown: i64 = 0
        """Cards of this hand that the opponent saw it take."""
        self.in_row: i64 = 0
        """Draws in a row from the pile, both seats together."""
        self.offered: i64 = NOTHING
        """What the opponent found on the pile this turn, or NOTHING; plus TOOK where it took it."""
        self.story: list[int] = []
        """For each turn the opponent ended: ``offered`` * 64 + the card thrown."""
        self.pairs: list[int] = []
        """For each turn ended: the card drawn and the card thrown, as smaller * 52 + larger."""

    @property
    def top(self) -> i64:
        """The top of the pile, or -1."""
        return self.pile[-1] if self.pile else -1


def copy_of(view: View) -> View:
    """The same knowledge in an object of its own, pile included, without what has been told of earlier turns."""
    twin: View = View(
        view.terms,
        view.hand,
        view.upcard,
        view.limit,
        view.factor,
        view.dealer,
        view.score,
        view.opponent_score,
    )
    twin.phase = view.phase
    twin.may_take = view.may_take
    twin.pile = view.pile[:]
    twin.piled = view.piled
    twin.stock = view.stock
    twin.drawn = view.drawn
    twin.taken = view.taken
    twin.turns = view.turns
    twin.known = view.known
    twin.refused = view.refused
    twin.thrown = view.thrown
    twin.shown = view.shown
    twin.in_row = view.in_row
    return twin


def pair_of(one: i64, other: i64) -> i64:
    """Two cards in either order as one number."""
    return one * 52 + other if one < other else other * 52 + one
