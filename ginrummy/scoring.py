"""A finished hand to its result: who scores how much, and why (rules.md no. 9 and 10)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ginrummy.cards import DECK, cards_in, check_cards
from ginrummy.errors import IllegalError, ImpossibleError
from ginrummy.kernel import solver
from ginrummy.kernel.spreads import defender_spread
from ginrummy.melds import (
    Arrangement,
    Defence,
    Meld,
    arrange,
    best_arrangement,
    lay_off,
    lay_off_loose,
    read_melds,
    spread_of,
    union,
)
from ginrummy.notation import card_name, names
from ginrummy.rules import Rules

Result = Literal["knock", "gin", "big-gin", "undercut"]
Side = Literal["knocker", "defender"]


@dataclass(frozen=True, slots=True)
class HandResult:
    """The result of a hand that ended with a knock."""

    result: Result
    """What ended the hand."""
    winner: Side
    """Who scores."""
    difference: int
    """Points between the deadwoods; after gin the defender's whole deadwood."""
    bonus: int
    """Gin, big gin or undercut bonus."""
    multiplier: int
    """Factor on the sum of both."""
    knocker: Arrangement
    """What the knocker laid out."""
    defender: Defence
    """What the defender laid out and laid off."""
    deadwood_before: int
    """The defender's deadwood before laying off: the least, or that of the melds named."""

    @property
    def points(self) -> int:
        """What the winner scores."""
        return (self.difference + self.bonus) * self.multiplier


def outcome(knocker: int, defender: int, rules: Rules, *, big_gin: bool = False) -> tuple[Result, Side, int, int]:
    """Result, winner, difference and bonus from the two deadwoods (the defender's after laying off).

    >>> from ginrummy.rules import load_rules
    >>> outcome(7, 6, load_rules("romme"))
    ('undercut', 'defender', 1, 25)
    """
    if big_gin:
        return "big-gin", "knocker", defender, rules.big_gin_bonus or 0
    if knocker == 0:
        return "gin", "knocker", defender, rules.gin_bonus
    if defender > knocker:
        return "knock", "knocker", defender - knocker, 0
    return "undercut", "defender", knocker - defender, rules.undercut_bonus


def _named_arrangement(cards: int, melds: Iterable[Meld], whose: str) -> Arrangement:
    """The arrangement of some cards in melds a player named."""
    named = read_melds(meld.cards for meld in melds)
    foreign = union(named) & ~cards
    if foreign:
        raise IllegalError(f"{names(cards_in(foreign))} in {whose}'s melds but not in {whose}'s hand")
    return arrange(cards, *spread_of(named))


def check_hands(knocker: int, defender: int, *, big_gin: bool) -> None:
    """That the two hands can be the hands at a knock; ImpossibleError otherwise."""
    wanted = 11 if big_gin else 10
    held = knocker.bit_count()
    if held != wanted:
        if held == 11:
            raise ImpossibleError("the knocker has 11 cards: leave out the knock card, or say big gin (--big-gin)")
        raise ImpossibleError(f"the knocker has {held} cards: {wanted} are wanted{' for big gin' if big_gin else ''}")
    if defender.bit_count() != 10:
        raise ImpossibleError(f"the defender has {defender.bit_count()} cards: 10 are wanted")
    if knocker & defender:
        raise ImpossibleError(
            f"{names(cards_in(knocker & defender))} in knocker and in defender: each card is there once"
        )


def score_knock(
    knocker: int,
    defender: int,
    rules: Rules,
    *,
    upcard: int | None = None,
    pile_top: int | None = None,
    pile_empty: bool = False,
    big_gin: bool = False,
    knocker_melds: Iterable[Meld] | None = None,
    defender_melds: Iterable[Meld] | None = None,
) -> HandResult:
    """Score a knock: the knocker's ten cards (eleven for big gin) against the defender's ten.

    ``upcard`` and ``pile_top`` are card numbers, wanted where the rules need them (``pile_empty``: nothing lay on the pile).
    Named melds are for rules with ``arrangement = player``. Raises ImpossibleError for cards that cannot be,
    IllegalError for what the rules do not allow.

    >>> from ginrummy import load_rules, parse_cards
    >>> knocker, defender = parse_cards("789S KSHDC AD 24C"), parse_cards("567H QSDC 10S 24D JH")
    >>> result = score_knock(knocker, defender, load_rules("classic"))
    >>> result.winner, result.points, result.deadwood_before, result.defender.deadwood
    ('knocker', 9, 26, 16)
    """
    if not (0 <= knocker <= DECK and 0 <= defender <= DECK):
        raise ImpossibleError("a set of cards has the bits 0 to 51")
    if big_gin and rules.big_gin_bonus is None:
        raise IllegalError(f"there is no big gin under {rules.name}: add +big-gin or set big_gin_bonus")
    check_cards(upcard, pile_top)
    check_hands(knocker, defender, big_gin=big_gin)
    if upcard is None and rules.needs_upcard:
        raise IllegalError(f"{rules.name} needs the upcard: give --upcard CARD")
    if rules.spade_pile_factor != 1 and pile_top is None and not pile_empty:
        raise IllegalError(
            f"{rules.name} needs the card that showed on the pile: give --pile-top CARD, or none for an empty pile"
        )
    if pile_top is not None and (knocker | defender) >> pile_top & 1:
        raise ImpossibleError(f"{card_name(pile_top)} on the pile and in a hand: each card is there once")
    if rules.arrangement != "player" and (knocker_melds is not None or defender_melds is not None):
        raise IllegalError(f"{rules.name} arranges melds automatically: leave the melds out, or set arrangement=player")
    spread = (
        best_arrangement(knocker)
        if knocker_melds is None
        else _named_arrangement(knocker, knocker_melds, "the knocker")
    )
    limit = rules.limit(upcard) or 0
    if big_gin and spread.deadwood:
        raise IllegalError(f"no big gin: {spread.loose} in no meld")
    if spread.deadwood > limit:
        what = f"the limit is {limit}" if limit else "only gin may knock"
        raise IllegalError(f"deadwood {spread.deadwood} is too much to knock: {what}")
    before = solver.deadwood(defender)
    own = None if defender_melds is None else _named_arrangement(defender, defender_melds, "the defender")
    if spread.deadwood == 0:
        defence = Defence(own or arrange(defender, *defender_spread(defender)), ())
    elif own is None:
        defence = lay_off(defender, spread.melds)
    else:
        defence = lay_off_loose(own, spread.melds)
    if own is not None:
        before = own.deadwood
    result, winner, difference, bonus = outcome(spread.deadwood, defence.deadwood, rules, big_gin=big_gin)
    return HandResult(result, winner, difference, bonus, rules.multiplier(upcard, pile_top), spread, defence, before)
