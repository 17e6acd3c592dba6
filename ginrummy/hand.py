"""One deal as a state machine, for people, tests and outside players. The kernel's table is the same thing at full speed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, get_args

from ginrummy.cards import DECK, cards_in, mask_of
from ginrummy.errors import GinRummyError, IllegalError, ImpossibleError, quoted
from ginrummy.kernel import solver, table, view
from ginrummy.kernel.rng import Streams, shuffled
from ginrummy.kernel.terms import ALTERNATE, LOSER, UPCARD, WINNER, Terms
from ginrummy.kernel.view import View
from ginrummy.melds import Defence, Layoff, Meld, arrange, parse_melds, read_melds, spread_of, union
from ginrummy.notation import Cards, card_name, parse_card
from ginrummy.rules import Rules
from ginrummy.scoring import HandResult, Result, outcome, score_knock

ActionKind = Literal["take", "draw", "pass", "discard", "knock", "big-gin", "defend"]

_CODES = {"take": view.TAKE, "draw": view.DRAW, "pass": view.PASS, "big-gin": view.BIG_GIN}
_KINDS: dict[int, ActionKind] = {view.TAKE: "take", view.DRAW: "draw", view.PASS: "pass", view.BIG_GIN: "big-gin"}


@dataclass(frozen=True, slots=True)
class Action:
    """Something a player can do.

    >>> str(Action("knock", 12)), Action.from_code(Action("knock", 12).code)
    ('knock KS', Action(kind='knock', card=12, melds=None))
    """

    kind: ActionKind
    card: int | None = None
    """The card thrown by a discard or a knock."""
    melds: tuple[Meld, ...] | None = None
    """A player's own spread, under rules with ``arrangement = player``; None: the best one."""
    by_hand: bool = field(default=False, repr=False)
    """Of a knock: whether the defender lays off by hand then (``defend``), under the same rules. Against gin nobody does."""
    layoffs: tuple[Layoff, ...] = field(default=(), repr=False)
    """Of a defence with melds of one's own: what is laid off, in this order."""

    @property
    def code(self) -> int:
        """The kernel's number for it (without the spread)."""
        if self.kind == "discard" or self.kind == "knock":
            assert self.card is not None
            return self.card if self.kind == "discard" else view.KNOCK + self.card
        return _CODES[self.kind]

    @classmethod
    def from_code(cls, code: int) -> "Action":
        """The action of a kernel's number."""
        if code >= view.KNOCK:
            return cls("knock", code - view.KNOCK)
        return cls(_KINDS[code]) if code in _KINDS else cls("discard", code)

    def __str__(self) -> str:
        if self.card is None:
            return self.kind
        return card_name(self.card) if self.kind == "discard" else f"knock {card_name(self.card)}"


def read_defence(text: str) -> Action:
    """A defence by hand from melds with ``/`` between them, then layoffs, each after a ``;``. GinRummyError for what is none.

    >>> [str(layoff.onto) for layoff in read_defence("5H 6H 7H / QS QD QC; 10S onto 7S 8S 9S").layoffs]
    ['7S 8S 9S']
    """
    melds, *laid = text.split(";")
    layoffs = []
    for part in laid:
        card, _, onto = part.partition(" onto ")
        layoffs += [Layoff(parse_card(card), meld) for meld in parse_melds(onto)[:1]]
    return Action("defend", None, parse_melds(melds), layoffs=tuple(layoffs))


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""

    seat: int
    """Who did it."""
    kind: ActionKind
    card: int | None
    """The card moved; the card of a draw is for the seat's own eyes."""


class Phase(Enum):
    """Where a hand stands."""

    OFFER = view.OFFER
    """The upcard is on offer."""
    DRAWING = view.DRAWING
    """A card is to be drawn or taken."""
    DISCARDING = view.DISCARDING
    """A card is to be thrown, with or without a knock."""
    OVER = 3
    DEFENDING = 4
    """A knock waits for the defender's own layoffs."""


@dataclass(frozen=True, slots=True)
class HandEnd:
    """How a hand ended."""

    winner: int | None
    """The seat that scores; None after a dead hand."""
    result: Result | Literal["dead"]
    points: int
    """What the winner scores, doubling included."""
    knocker: int | None
    """The seat that knocked."""
    showdown: HandResult | None
    """Both spreads and the arithmetic; None after a dead hand."""


def terms_of(rules: Rules) -> Terms:
    """The rules as the kernel's numbers."""
    return Terms(
        limit=UPCARD if rules.knock_limit == "upcard" else rules.knock_limit,
        gin=rules.gin_bonus,
        undercut=rules.undercut_bonus,
        big_gin=-1 if rules.big_gin_bonus is None else rules.big_gin_bonus,
        upcard_factor=rules.spade_upcard_factor,
        pile_factor=rules.spade_pile_factor,
        target=rules.target,
        next_dealer={"loser": LOSER, "winner": WINNER, "alternate": ALTERNATE}[rules.next_dealer],
        by_player=rules.arrangement == "player",
    )


class Hand:
    """One deal between seats 0 and 1.

    >>> from ginrummy.rules import load_rules
    >>> hand = Hand.deal(load_rules("race"), seed=1, dealer=0)
    >>> hand.turn, [str(action) for action in hand.legal_actions()]
    (1, ['take', 'pass'])
    >>> hand.apply(Action("take"))
    >>> len(hand.view(1).pile), hand.phase
    (0, <Phase.DISCARDING: 2>)
    """

    def __init__(self, rules: Rules, deck: Iterable[int], *, dealer: int, scores: Sequence[int] = (0, 0)) -> None:
        """Deal a deck (52 card numbers, the first dealt first). ``scores`` are the points in the game so far, by seat.

        ImpossibleError for a deck that is not the 52 cards, or a dealer that is not 0 or 1.
        """
        cards = list(deck)
        if len(cards) != 52 or any(not 0 <= card < 52 for card in cards) or mask_of(cards) != DECK:
            raise ImpossibleError("a deck has each of the 52 cards once")
        if dealer not in (0, 1):
            raise ImpossibleError("the dealer is seat 0 or 1")
        self.rules = rules
        self.dealer = dealer
        self.scores = (scores[0], scores[1])
        self.upcard = cards[20]
        """The 21st card."""
        self.events: list[Event] = []
        """What has happened, in order."""
        self.phase = Phase.OFFER
        self.turn = 1 - dealer
        """The seat to act."""
        self.end: HandEnd | None = None
        """How the hand ended, once it has."""
        self.knock: HandResult | None = None
        """The knock that the defender is to lay off against by hand, as it would end with the best defence."""
        self._hands = [0, 0]
        self._hands[1 - dealer] = mask_of(cards[0:20:2])
        self._hands[dealer] = mask_of(cards[1:20:2])
        self._pile = [self.upcard]
        self._stock = cards[21:]
        self._drawn: int | None = None
        self._taken: int | None = None
        self._forced = False
        self._in_row = 0
        self._terms = terms_of(rules)

    @classmethod
    def deal(
        cls, rules: Rules, *, seed: int, game: int = 0, number: int = 0, dealer: int, scores: Sequence[int] = (0, 0)
    ) -> "Hand":
        """The deal of hand ``number`` of game ``game`` of a seed: the same cards whatever anybody plays."""
        return cls(rules, shuffled(Streams(seed, game, number).deal), dealer=dealer, scores=scores)

    @property
    def is_terminal(self) -> bool:
        """Whether the hand is over."""
        return self.end is not None

    @property
    def limit(self) -> int:
        """Most deadwood in points a knock may have."""
        return self.rules.limit(self.upcard) or 0

    @property
    def pile(self) -> tuple[int, ...]:
        """The discard pile, its top last."""
        return tuple(self._pile)

    @property
    def stock_count(self) -> int:
        """How many cards the stock has."""
        return len(self._stock)

    def cards(self, seat: int) -> Cards:
        """The cards a seat holds. For tables and tests: a player looks at its view."""
        return Cards(self._hands[seat])

    def returns(self) -> tuple[int, int]:
        """What each seat scored; zeros while the hand goes on and where it is dead."""
        if self.end is None or self.end.winner is None:
            return 0, 0
        return (self.end.points, 0) if self.end.winner == 0 else (0, self.end.points)

    def legal_actions(self) -> list[Action]:
        """What the seat to act may do, without other spreads than the best; empty when the hand is over."""
        if self.phase is Phase.OVER:
            return []
        if self.phase is Phase.DEFENDING:
            return [Action("defend")]
        if self.phase is not Phase.DISCARDING:
            other = Action("pass" if self.phase is Phase.OFFER else "draw")
            return [other] if self._forced or not self._pile else [Action("take"), other]
        held = self._hands[self.turn]
        throwable = [card for card in cards_in(held) if card != self._taken]
        actions = [Action("discard", card) for card in throwable]
        actions += [Action("knock", card) for card in throwable if solver.deadwood(held ^ 1 << card) <= self.limit]
        if self.rules.big_gin_bonus is not None and solver.deadwood(held) == 0:
            actions.append(Action("big-gin"))
        return actions

    def check(self, action: Action) -> None:
        """That an action is legal now; IllegalError says why it is not."""
        kind, card = action.kind, action.card
        if self.phase is Phase.OVER:
            raise IllegalError("the hand is over")
        if kind not in get_args(ActionKind):
            raise IllegalError(f"unknown action {quoted(str(kind))}: there are {', '.join(get_args(ActionKind))}")
        if (card is None) == (kind in ("discard", "knock")):
            raise IllegalError(f"{kind} names {'a card' if card is None else 'no card'}")
        named = action.melds is not None or action.by_hand or bool(action.layoffs)
        if named and kind not in ("knock", "defend"):
            raise IllegalError("only a knock names a spread")
        if named and self.rules.arrangement != "player":
            raise IllegalError(f"{self.rules.name} lays out melds automatically")
        if (kind == "defend") != (self.phase is Phase.DEFENDING):
            raise IllegalError(
                "nothing is to be laid off now" if kind == "defend" else "the knock waits for what you lay off"
            )
        if kind == "defend":
            self._defended(action)
            return
        if self.phase is Phase.OFFER and kind not in ("take", "pass"):
            raise IllegalError(f"the {card_name(self.upcard)} is on offer: take it or pass")
        if self.phase is Phase.DRAWING:
            if kind == "pass":
                raise IllegalError("only the first card on offer can be passed: draw or take")
            if kind not in ("take", "draw"):
                raise IllegalError("draw first" if self._forced else "draw a card or take the top of the pile first")
            if kind == "take" and self._forced:
                raise IllegalError("both passed: the first card comes from the stock")
        if self.phase is Phase.DISCARDING:
            held = self._hands[self.turn]
            if kind in ("take", "draw", "pass"):
                raise IllegalError("you have drawn: throw a card or knock")
            if kind == "big-gin":
                if self.rules.big_gin_bonus is None:
                    raise IllegalError(f"{self.rules.name} has no big gin")
                if solver.deadwood(held):
                    raise IllegalError("big gin needs all eleven cards in melds")
                return
            assert card is not None
            if not (0 <= card < 52 and held >> card & 1):
                raise IllegalError(f"you do not hold {card_name(card) if 0 <= card < 52 else 'that card'}")
            if card == self._taken:
                raise IllegalError(f"the {card_name(card)} was just taken from the pile: throw another card")
            if kind == "knock":
                left = solver.deadwood(held ^ 1 << card)
                if left > self.limit:
                    what = f"the limit is {self.limit}" if self.limit else "only gin may knock"
                    raise IllegalError(f"throwing {card_name(card)} leaves deadwood {left}: {what}")
                if action.melds is not None:
                    self._showdown(action)

    def apply(self, action: Action) -> None:
        """Do what the seat to act decided. IllegalError leaves everything as it was."""
        self.check(action)
        seat, kind, card = self.turn, action.kind, action.card
        end = None
        if kind in ("knock", "big-gin"):
            end = self._showdown(action)
        elif kind == "defend":
            end = self._defended(action)
        if kind == "take":
            card = self._pile.pop()
            self._draw(card, taken=True)
        elif kind == "draw":
            card = self._stock.pop(0)
            self._draw(card, taken=False)
        self.events.append(Event(seat, kind, card))
        if kind == "pass":
            self._passed()
        elif kind == "discard":
            assert card is not None
            self._throw(card)
        elif end is not None:
            if card is not None:
                self._hands[seat] ^= 1 << card
                self._pile.append(card)
            if action.by_hand and end.result in ("knock", "undercut"):
                self.knock = end.showdown
                self.phase = Phase.DEFENDING
                self.turn = 1 - seat
            else:
                self._finish(end)

    def _draw(self, card: int, *, taken: bool) -> None:
        self._hands[self.turn] |= 1 << card
        self._drawn = card
        self._taken = card if taken else None
        self._in_row = self._in_row + 1 if taken else 0
        self._forced = False
        self.phase = Phase.DISCARDING

    def _passed(self) -> None:
        self.turn = 1 - self.turn
        if self.turn != self.dealer:
            # Both have passed: the non-dealer begins with the stock.
            self.phase = Phase.DRAWING
            self._forced = True

    def _throw(self, card: int) -> None:
        self._hands[self.turn] ^= 1 << card
        self._pile.append(card)
        self._drawn = self._taken = None
        self.phase = Phase.DRAWING
        if len(self._stock) <= table.LAST_CARDS or self._in_row >= table.CAP:
            self._finish(HandEnd(None, "dead", 0, None, None))
        self.turn = 1 - self.turn

    def _showdown(self, action: Action) -> HandEnd:
        knocker = self.turn
        kept = self._hands[knocker] ^ (0 if action.card is None else 1 << action.card)
        melds = action.melds
        if melds is not None:
            try:
                melds = read_melds(meld.cards for meld in melds)
            except GinRummyError as error:
                raise IllegalError(str(error)) from None
        shown = score_knock(
            kept,
            self._hands[1 - knocker],
            self.rules,
            upcard=self.upcard,
            pile_top=self._pile[-1] if self._pile else None,
            pile_empty=not self._pile,
            big_gin=action.kind == "big-gin",
            knocker_melds=melds,
        )
        winner = knocker if shown.winner == "knocker" else 1 - knocker
        return HandEnd(winner, shown.result, shown.points, knocker, shown)

    def _defended(self, action: Action) -> HandEnd:
        """How the knock ends that waits, with what the defender lays out and lays off."""
        shown, seat = self.knock, self.turn
        assert shown is not None
        defence = shown.defender
        before = shown.deadwood_before
        if action.melds is not None:
            try:
                own = read_melds(meld.cards for meld in action.melds)
            except GinRummyError as error:
                raise IllegalError(str(error)) from None
            held = self._hands[seat]
            if union(own) & ~held:
                raise IllegalError(f"you do not hold {Cards(union(own) & ~held)}")
            loose = held & ~union(own)
            before = Cards(loose).points
            defence = Defence(
                arrange(held & ~self._laid(action.layoffs, loose, shown.knocker.melds), *spread_of(own)),
                action.layoffs,
            )
        elif action.layoffs:
            raise IllegalError("layoffs go with melds of one's own")
        result, side, difference, bonus = outcome(shown.knocker.deadwood, defence.deadwood, self.rules)
        ended = HandResult(result, side, difference, bonus, shown.multiplier, shown.knocker, defence, before)
        return HandEnd(1 - seat if side == "knocker" else seat, result, ended.points, 1 - seat, ended)

    def _laid(self, layoffs: Sequence[Layoff], loose: int, spread: Sequence[Meld]) -> int:
        """The cards laid off, each checked to fit where the ones before it lie."""
        laid = 0
        grown = {meld: int(meld.cards) for meld in spread}
        for layoff in layoffs:
            card = 1 << layoff.card
            name = card_name(layoff.card)
            if layoff.onto not in grown:
                raise IllegalError(f"{layoff.onto} is no meld of the knocker's")
            if not card & loose & ~laid:
                raise IllegalError(f"{name} is not among your loose cards")
            try:
                read_melds([grown[layoff.onto] | card])
            except GinRummyError:
                raise IllegalError(f"{name} does not go onto {Cards(grown[layoff.onto])}") from None
            grown[layoff.onto] |= card
            laid |= card
        return laid

    def _finish(self, end: HandEnd) -> None:
        self.end = end
        self.phase = Phase.OVER

    def view(self, seat: int) -> View:
        """What a seat may know, as a fresh object: put together from what happened in the open and the seat's own cards."""
        seen = View(
            self._terms,
            self._hands[seat],
            self.upcard,
            self.limit,
            self.rules.multiplier(self.upcard, None),
            seat == self.dealer,
            self.scores[seat],
            self.scores[1 - seat],
        )
        seen.phase = view.DISCARDING if self.phase in (Phase.OVER, Phase.DEFENDING) else self.phase.value
        seen.may_take = not self._forced
        seen.stock = len(self._stock)
        seen.in_row = self._in_row
        seen.pile = list(self._pile)
        seen.piled = mask_of(self._pile)
        if seat == self.turn and self._drawn is not None:
            seen.drawn = self._drawn
            seen.taken = -1 if self._taken is None else self._taken
        drawn = -1
        top = self.upcard
        passes = 0
        for event in self.events:
            mine = event.seat == seat
            bit = 0 if event.card is None else 1 << event.card
            if event.kind == "pass":
                passes += 1
            if event.kind == "take":
                drawn = event.card if event.card is not None else -1
                if mine:
                    seen.shown |= bit
                else:
                    seen.known |= bit
                    seen.offered = view.TOOK + drawn
            if event.kind == "draw":
                drawn = event.card if event.card is not None else -1
                if not mine:
                    seen.offered = top if passes < 2 else view.NOTHING
            if not mine and (event.kind == "pass" or (event.kind == "draw" and passes < 2)):
                seen.refused |= 1 << top
            if event.kind == "draw":
                passes = 0
            if event.kind in ("discard", "knock"):
                assert event.card is not None
                top = event.card
                if mine:
                    seen.shown &= ~bit
                    seen.pairs.append(view.pair_of(drawn, event.card))
                    seen.turns += 1
                else:
                    seen.known &= ~bit
                    seen.thrown |= bit
                    seen.story.append(seen.offered * 64 + event.card)
        return seen
