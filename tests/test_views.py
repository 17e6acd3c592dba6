"""Players see a view, never the state: whatever is hidden may change, and neither the view nor the move does."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random
from time import monotonic

import pytest

from ginrummy.cards import DECK, cards_in, mask_of
from ginrummy.hand import Hand, terms_of
from ginrummy.kernel import compiled, levels
from ginrummy.kernel.rng import Rng, Streams, shuffled
from ginrummy.kernel.table import play_hand
from ginrummy.kernel.view import DRAW, TAKE, View
from ginrummy.players import LEVELS, LevelPlayer
from ginrummy.rules import load_rules

RULES = ("classic", "romme", "oklahoma", "race", "duel", "oklahoma+spades+big-gin")
DEALS = 120 if compiled else 20
FEWEST, SECONDS = 100, 3.0
"""A level that thinks long looks at so many positions at least, and at no more after so many seconds."""

SAMPLE = Hand.deal(load_rules("race"), seed=1, dealer=0).view(0)
FIELDS = [
    name for name in dir(SAMPLE) if not name.startswith("_") and name != "terms" and not callable(getattr(SAMPLE, name))
]
"""All that a view has to tell, whatever will be added to it."""


def told(view: View) -> dict[str, object]:
    """The fields of a view."""
    return {name: getattr(view, name) for name in FIELDS}


def rearranged(hand: Hand, seat: int, random: Random) -> Hand:
    """The hand as it might be for all that a seat has seen: the cards it does not know lie elsewhere."""
    other = copy.copy(hand)
    opponent = 1 - seat
    known = hand.view(seat).known
    hidden = [*cards_in(hand._hands[opponent] & ~known), *hand._stock]
    random.shuffle(hidden)
    held = len(hidden) - len(hand._stock)
    other._hands = list(hand._hands)
    other._hands[opponent] = known | mask_of(hidden[:held])
    other._stock = hidden[held:]
    # What the opponent drew from the stock is hidden as well, even where it has been thrown since.
    other.events = [
        replace(event, card=random.randrange(52)) if event.seat == opponent and event.kind == "draw" else event
        for event in hand.events
    ]
    return other


@cache
def positions() -> list[tuple[View, View]]:
    """Views of the seat to act, each with one of the same position after everything hidden was rearranged."""
    random = Random("views")
    found = []
    for number in range(DEALS):
        hand = Hand.deal(load_rules(RULES[number % len(RULES)]), seed=11, number=number, dealer=number % 2)
        # Random throws make long hands; the others look like hands that people play.
        players = [
            LevelPlayer(random.choice(("random", "eaai-simple", "easy")), Rng(1, 2, number, seat)) for seat in (0, 1)
        ]
        while not hand.is_terminal:
            found.append((hand.view(hand.turn), rearranged(hand, hand.turn, random).view(hand.turn)))
            hand.apply(players[hand.turn].decide(hand.view(hand.turn)))
    random.shuffle(found)
    return found


def test_there_are_enough_positions() -> None:
    """Of every phase, with cards known, refused and thrown."""
    views = [view for view, _ in positions()]
    assert len(views) >= (3000 if compiled else 400)
    assert {view.phase for view in views} == {0, 1, 2}
    for name in ("known", "refused", "thrown", "shown", "in_row", "turns"):
        assert sum(bool(getattr(view, name)) for view in views) > len(views) // 20


def test_the_test_would_notice() -> None:
    """The cards it rearranges do move."""
    random = Random(1)
    hand = Hand.deal(load_rules(), seed=1, dealer=0)
    moved = rearranged(hand, 1, random)
    assert moved.cards(1) == hand.cards(1)
    assert moved.cards(0) != hand.cards(0)
    assert moved._stock != hand._stock
    assert moved.cards(0) | moved.cards(1) | mask_of(moved._stock) | mask_of(moved.pile) == DECK


def test_a_view_shows_nothing_that_is_hidden() -> None:
    for view, other in positions():
        assert told(view) == told(other)


def test_a_waiting_seat_is_shown_nothing_either() -> None:
    random = Random("waiting")
    for number in range(DEALS // 4):
        hand = Hand.deal(load_rules(), seed=12, number=number, dealer=0)
        player = LevelPlayer("easy", Rng(1, 2, 3, number))
        while not hand.is_terminal:
            waiting = 1 - hand.turn
            assert told(hand.view(waiting)) == told(rearranged(hand, waiting, random).view(waiting))
            hand.apply(player.decide(hand.view(hand.turn)))


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_makes_the_same_move(level: str) -> None:
    """With a stream of random choices begun alike."""
    end = monotonic() + SECONDS
    for at, (view, other) in enumerate(positions()):
        if at >= FEWEST and monotonic() > end:
            break
        before = told(view)
        moves = [LevelPlayer(level, Rng(7, 8, 9, at)).decide(each) for each in (view, other)]
        assert moves[0] == moves[1]
        assert told(view) == before, "a player has written into its view"


# --- the same in the kernel's play, which hands out its own views -------------------------------


def seen_by(seat: int, dealer: int, trace: list[int]) -> Iterator[tuple[str, int]]:
    """What a seat sees of a trace: its own moves ("mine"), those of the other, and the cards it draws itself."""
    turn = 1 - dealer
    codes = iter(trace)
    for code in codes:
        yield ("mine" if turn == seat else "theirs"), code
        if code == DRAW:
            card = next(codes)
            if turn == seat:
                yield "drawn", card
        elif code not in (TAKE, DRAW):
            turn = 1 - turn


def play(pair: tuple[str, str], deck: list[int], number: int, rules: str) -> list[int]:
    """The trace of a deal played in the kernel."""
    streams = Streams(13, number, 0)
    trace: list[int] = []
    one, two = (levels.NAMES.index(name) for name in pair)
    play_hand(terms_of(load_rules(rules)), deck, number % 2, one, two, streams.first, streams.second, 10, 20, trace)
    return trace


@pytest.mark.parametrize("pair", list(product(levels.NAMES, repeat=2)), ids=" v ".join)
def test_in_the_kernel_moves_differ_only_after_something_seen_differs(pair: tuple[str, str]) -> None:
    """The first thing that is different, as a seat sees it, is never its own move."""
    random = Random("kernel")
    end = monotonic() + SECONDS
    different = 0
    for number in range(DEALS):
        if number >= 10 and monotonic() > end:
            break
        seat = random.randrange(2)
        dealer = number % 2
        rules = RULES[number % len(RULES)]
        deck = shuffled(Streams(13, number, 0).deal)
        # Places 0, 2, … are the non-dealer's cards, 1, 3, … the dealer's, 20 is the upcard.
        hidden = [*range(0 if seat == dealer else 1, 20, 2), *range(21, 52)]
        moved = [deck[at] for at in hidden]
        random.shuffle(moved)
        other = list(deck)
        for at, card in zip(hidden, moved, strict=True):
            other[at] = card
        one, two = (list(seen_by(seat, dealer, play(pair, each, number, rules))) for each in (deck, other))
        for mine, theirs in zip(one, two, strict=False):
            if mine != theirs:
                different += 1
                assert mine[0] != "mine", (number, mine, theirs)
                break
    assert different, "nothing was tested"


@pytest.mark.parametrize("level", levels.NAMES)
def test_in_the_kernel_the_order_of_the_stock_shows_only_when_it_is_drawn(level: str) -> None:
    """Up to the first card drawn that is another one, all moves of both seats are the same."""
    random = Random("stock")
    end = monotonic() + SECONDS
    for number in range(DEALS):
        if number >= 10 and monotonic() > end:
            break
        deck = shuffled(Streams(13, number, 0).deal)
        kept = random.randrange(12)
        rest = deck[21 + kept :]
        random.shuffle(rest)
        one, two = (play((level, level), each, number, "race") for each in (deck, deck[: 21 + kept] + rest))
        at = next((at for at, (mine, theirs) in enumerate(zip(one, two, strict=False)) if mine != theirs), None)
        if at is not None:
            assert one[at - 1] == two[at - 1] == DRAW
            assert sum(code == DRAW for code in one[:at]) > kept
