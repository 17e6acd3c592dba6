"""One deal on stacked decks: each rule of play at the moment where it counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from reference import card as number
from reference import cards

from ginrummy.cards import cards_in, mask_of
from ginrummy.errors import IllegalError, ImpossibleError
from ginrummy.hand import Action, Hand, HandEnd, Phase, terms_of
from ginrummy.melds import Meld, parse_melds
from ginrummy.notation import Cards
from ginrummy.rules import Rules, load_rules

PLAIN = "AS 3S 5S 7S 9S JS KS AH 3H 5H"
OTHER = "2D 4D 6D 8D 10D QD 2C 4C 6C 8C"
GIN = "AS 2S 3S 4S 5H 6H 7H KH KD KC"


def stacked(first: str, second: str, upcard: str, stock: str = "") -> list[int]:
    """A deck that gives the non-dealer and the dealer these hands, then the upcard and the stock, its top first."""
    pairs = zip(cards(first), cards(second), strict=True)
    deck = [one for pair in pairs for one in pair] + [number(upcard)] + cards(stock)
    return deck + [one for one in range(52) if one not in deck]


def dealt(rules: str, first: str, second: str, upcard: str, stock: str = "") -> Hand:
    """A hand that seat 1 deals: seat 0 begins."""
    return Hand(load_rules(rules), stacked(first, second, upcard, stock), dealer=1)


def act(hand: Hand, *steps: str) -> Hand:
    """Do some actions, as players write them."""
    for step in steps:
        word, _, rest = step.partition(" ")
        if rest:
            hand.apply(Action("knock", number(rest)))
        elif word in ("take", "draw", "pass", "big-gin"):
            hand.apply(Action(word))  # type: ignore[arg-type]
        else:
            hand.apply(Action("discard", number(word)))
    return hand


def offered(hand: Hand) -> list[str]:
    """The legal actions as text."""
    return [str(action) for action in hand.legal_actions()]


def end_of(hand: Hand) -> HandEnd:
    """How it ended."""
    assert hand.end is not None
    return hand.end


def refused(hand: Hand, action: Action, words: str) -> None:
    """The action is refused by a message with these words, and changes nothing."""
    before = {name: list(value) if isinstance(value, list) else value for name, value in vars(hand).items()}
    with pytest.raises(IllegalError, match=words):
        hand.apply(action)
    assert vars(hand) == before


def test_cards_are_dealt_one_at_a_time_beginning_with_the_non_dealer() -> None:
    """Ten each, the 21st is the upcard, 31 are left."""
    hand = Hand(load_rules(), range(52), dealer=0)
    assert (hand.turn, hand.upcard, hand.pile, hand.stock_count) == (1, 20, (20,), 31)
    assert (cards_in(hand.cards(1)), cards_in(hand.cards(0))) == (list(range(0, 20, 2)), list(range(1, 20, 2)))


@pytest.mark.parametrize("deck", [range(51), [*range(51), 0], [*range(51), 52], [-1, *range(51)], []])
def test_a_deck_is_the_52_cards(deck: list[int]) -> None:
    with pytest.raises(ImpossibleError, match="52 cards"):
        Hand(load_rules(), deck, dealer=0)


def test_a_dealer_is_one_of_the_two_seats() -> None:
    with pytest.raises(ImpossibleError, match="seat 0 or 1"):
        Hand(load_rules(), range(52), dealer=2)


# --- the opening --------------------------------------------------------------------------------


def test_the_non_dealer_may_take_the_upcard() -> None:
    hand = dealt("classic", PLAIN, OTHER, "KD")
    assert (hand.turn, hand.phase, offered(hand)) == (0, Phase.OFFER, ["take", "pass"])
    act(hand, "take")
    assert (hand.turn, hand.pile, number("KD") in cards_in(hand.cards(0))) == (0, (), True)


def test_then_the_dealer_may() -> None:
    hand = act(dealt("classic", PLAIN, OTHER, "KD"), "pass")
    assert (hand.turn, hand.phase, offered(hand)) == (1, Phase.OFFER, ["take", "pass"])
    act(hand, "take", "8C")
    assert (hand.turn, hand.phase, offered(hand)) == (0, Phase.DRAWING, ["take", "draw"])


def test_after_two_passes_the_non_dealer_draws_from_the_stock() -> None:
    hand = act(dealt("classic", PLAIN, OTHER, "KD", "QS"), "pass", "pass")
    assert (hand.turn, hand.phase, offered(hand)) == (0, Phase.DRAWING, ["draw"])
    refused(hand, Action("take"), "both passed")
    refused(hand, Action("pass"), "only the first card")
    refused(hand, Action("discard", number("AS")), "draw first")
    act(hand, "draw", "QS")
    # From then on the pile is open again.
    assert (hand.turn, offered(hand)) == (1, ["take", "draw"])


def test_at_the_offer_there_is_nothing_else_to_do() -> None:
    hand = dealt("classic", PLAIN, OTHER, "KD")
    for action in (Action("draw"), Action("discard", number("AS")), Action("knock", number("AS")), Action("big-gin")):
        refused(hand, action, "the KD is on offer: take it or pass")


# --- a turn -------------------------------------------------------------------------------------


def test_the_card_taken_may_not_be_thrown_in_the_same_turn() -> None:
    hand = act(dealt("classic", PLAIN, OTHER, "KD"), "take")
    assert "KD" not in offered(hand)
    refused(hand, Action("discard", number("KD")), "KD was just taken from the pile")
    act(hand, "AS", "draw", "8C", "draw", "KD")
    assert hand.pile[-1] == number("KD")


def test_nor_be_the_knock_card() -> None:
    hand = act(dealt("classic", GIN, OTHER, "8H"), "take")
    assert "knock 8H" not in offered(hand)
    refused(hand, Action("knock", number("8H")), "8H was just taken")


def test_a_card_drawn_from_the_stock_may_be_thrown_or_knocked_with() -> None:
    hand = act(dealt("classic", GIN, OTHER, "9D", "8S"), "pass", "pass", "draw")
    assert {"8S", "knock 8S"} <= set(offered(hand))
    assert end_of(act(hand, "knock 8S")).result == "gin"


def test_a_card_one_does_not_hold_cannot_be_thrown() -> None:
    hand = act(dealt("classic", PLAIN, OTHER, "KD"), "take")
    refused(hand, Action("discard", number("2D")), "you do not hold 2D")
    refused(hand, Action("knock", number("2D")), "you do not hold 2D")
    refused(hand, Action("discard", 52), "you do not hold that card")
    refused(hand, Action("discard", -1), "you do not hold that card")
    refused(hand, Action("discard"), "discard names a card")
    refused(hand, Action("draw", 3), "draw names no card")
    refused(hand, Action("draw"), "you have drawn")
    refused(hand, Action("fold"), "unknown action 'fold'")  # type: ignore[arg-type]


def test_nothing_can_be_done_when_the_hand_is_over() -> None:
    hand = act(dealt("classic", GIN, OTHER, "9D", "8S"), "pass", "pass", "draw", "knock 8S")
    assert (hand.phase, hand.is_terminal, offered(hand)) == (Phase.OVER, True, [])
    for action in (Action("take"), Action("draw"), Action("discard", 0), Action("knock", 0), Action("big-gin")):
        refused(hand, action, "the hand is over")


# --- going out ----------------------------------------------------------------------------------


def test_gin_may_be_played_on() -> None:
    hand = act(dealt("classic", GIN, OTHER, "9D", "8S"), "pass", "pass", "draw", "8S")
    assert not hand.is_terminal


def test_a_knock_is_legal_in_the_very_first_turn() -> None:
    hand = act(dealt("race", "AS 2S 3S 5H 6H 7H KH KD KC 4D", OTHER.replace("4D", "9D"), "KS"), "take")
    end = end_of(act(hand, "knock 4D"))
    assert (end.winner, end.knocker, end.result) == (0, 0, "gin")
    assert hand.returns() == (end.points, 0)


@pytest.mark.parametrize(("rules", "allowed"), [("classic", 10), ("race+straight", 0)])
def test_the_limit(rules: str, allowed: int) -> None:
    first = "AS 2S 3S 5H 6H 7H KH KD 9C AD"
    hand = act(dealt(rules, first, "2D 4D 6D 8D 10D QD 2C 4C 6C 8C", "QC", "KC"), "pass", "pass", "draw")
    knocks = [text for text in offered(hand) if text.startswith("knock")]
    assert knocks == (["knock AD", "knock 9C"] if allowed else [])
    if allowed:
        refused(hand, Action("knock", number("KH")), "leaves deadwood 30: the limit is 10")
    else:
        refused(hand, Action("knock", number("9C")), "leaves deadwood 1: only gin may knock")


@pytest.mark.parametrize(("upcard", "limit"), [("AH", 0), ("2H", 2), ("9H", 9), ("10H", 10), ("JH", 10), ("KS", 10)])
def test_the_limit_of_oklahoma_is_the_upcard(upcard: str, limit: int) -> None:
    """An ace: gin only; it stays when the card has gone."""
    hand = Hand(
        load_rules("oklahoma"), stacked("2S 3S 5S 6S 8S 9S JS QS 3D 4D", OTHER.replace("4D", "7C"), upcard), dealer=1
    )
    assert hand.limit == limit
    act(hand, "take", "3D", "draw", "QD")
    assert hand.limit == hand.view(0).limit == hand.view(1).limit == limit


def test_an_ace_lets_only_gin_out() -> None:
    hand = act(dealt("oklahoma", "AS 2S 3S 5H 6H 7H KH KD 9C AD", OTHER, "AC", "KC"), "pass", "pass", "draw")
    assert not any(text.startswith("knock") for text in offered(hand))
    refused(hand, Action("knock", number("9C")), "only gin may knock")
    act(hand, "9C", "draw", "8C", "draw")
    hand._hands[0] = mask_of(cards("AS 2S 3S 5H 6H 7H KH KD KC KS QD"))
    assert [text for text in offered(hand) if text.startswith("knock")] == ["knock QD"]


def test_big_gin_where_the_rules_have_it() -> None:
    first = "AS 2S 3S 4S 5H 6H 7H KH KD KC"
    for rules, there in (("race", True), ("race+no-big-gin", False), ("classic", False), ("classic+big-gin", True)):
        hand = act(dealt(rules, first, OTHER, "9D", "KS"), "pass", "pass", "draw")
        assert ("big-gin" in offered(hand)) == there
        # Nobody has to: gin and a discard go as well.
        assert "knock AS" in offered(hand)
        if there:
            end = end_of(act(hand, "big-gin"))
            assert (end.result, end.winner, end.points) == ("big-gin", 0, 60 + 31)
            assert len(cards_in(hand.cards(0))) == 11
        else:
            refused(hand, Action("big-gin"), "has no big gin")
    hand = act(dealt("race", first, OTHER, "9D", "8S"), "pass", "pass", "draw")
    assert "big-gin" not in offered(hand)
    refused(hand, Action("big-gin"), "all eleven cards")


KNOCKER = "7S 8S 9S KC KH KD KS AD 2C 4C"
DEFENDER = "5H 6H 7H QS QD QC 10S 2D 4D JH"


@pytest.mark.parametrize(
    ("rules", "upcard", "knock_card", "points"),
    [
        ("classic", "3C", "JD", 9),
        ("oklahoma", "9D", "JD", 9),
        ("oklahoma", "JS", "JD", 18),
        ("classic+spades", "JS", "JD", 18),
        ("classic+spades", "JC", "3S", 9),
        ("oklahoma+spades", "JS", "JD", 36),
        ("oklahoma+spades", "9D", "JD", 9),
    ],
)
def test_doubling(rules: str, upcard: str, knock_card: str, points: int) -> None:
    """The upcard's suit, and the card that shows under the knock card."""
    hand = act(dealt(rules, KNOCKER, DEFENDER, upcard, knock_card), "pass", "pass", "draw", f"knock {knock_card}")
    end = end_of(hand)
    assert (end.result, end.winner, end.points) == ("knock", 0, points)
    assert hand.returns() == (points, 0)
    assert hand.pile == (number(upcard), number(knock_card))


def test_an_empty_pile_doubles_nothing() -> None:
    """The upcard, a spade, has been taken; in oklahoma it still counts as the upcard."""
    for rules, points in (("classic+spades", 9), ("oklahoma+spades", 18)):
        hand = act(dealt(rules, KNOCKER.replace("9S", "6D"), DEFENDER, "9S"), "take", "knock 6D")
        assert end_of(hand).points == points


@pytest.mark.parametrize(
    ("threes", "points", "result"), [("7D", 25, "undercut"), ("6D", 26, "undercut"), ("8D", 1, "knock")]
)
def test_undercut_by_less_and_by_as_much(threes: str, points: int, result: str) -> None:
    defender = f"5H 6H 7H QS QD QC 9H 9D 9C {threes}"
    hand = act(dealt("classic", KNOCKER, defender, "3C", "JD"), "pass", "pass", "draw", "knock JD")
    end = end_of(hand)
    assert (end.result, end.points, end.knocker, end.winner) == (result, points, 0, 1 if result == "undercut" else 0)
    assert hand.returns() == ((0, points) if result == "undercut" else (points, 0))


# --- spreads of the knocker's own ---------------------------------------------------------------

TWO_WAYS = "7S 7H 7D 8D 9D AC 2C 3C AS 2S"


def two_ways(rules: str) -> Hand:
    """Sevens or a run of diamonds."""
    hand = dealt(rules, TWO_WAYS.replace("2S", "10D"), "4S 5S 6S 4H 5H 6H KC QC JC JH", "QS", "KD")
    return act(hand, "pass", "pass", "draw")


def test_a_knocker_may_name_a_spread_of_more_deadwood_as_long_as_it_is_within_the_limit() -> None:
    hand = act(dealt("classic", "AS 2S 3S AH AD KS KH KC KD 4C", OTHER.replace("4C", "9D"), "QS", "JD"), "pass", "pass")
    act(hand, "draw")
    refused(hand, Action("knock", number("JD"), parse_melds("KS KH KC / AS 2S 3S")), "deadwood 16 is too much")
    hand.apply(Action("knock", number("JD"), parse_melds("KS KH KC KD / AS AH AD")))
    showdown = end_of(hand).showdown
    assert showdown is not None
    assert ([str(meld) for meld in showdown.knocker.melds], showdown.knocker.deadwood) == (
        ["AS AH AD", "KS KH KD KC"],
        9,
    )


@pytest.mark.parametrize(
    ("melds", "words"),
    [
        ((Meld("run", Cards("7D 9D 10D")),), "no meld"),
        ((Meld("set", Cards("7S 7H")),), "no meld"),
        ((Meld("set", Cards("7S 7H 7D")), Meld("run", Cards("7D 8D 9D"))), "in two melds"),
        ((Meld("set", Cards("QS QC QH")),), "not in the knocker's hand"),
        ((), "too much to knock"),
    ],
)
def test_a_spread_that_is_none_is_refused(melds: tuple[Meld, ...], words: str) -> None:
    refused(two_ways("classic"), Action("knock", number("KD"), melds), words)


def test_melds_are_not_named_where_they_are_laid_out_automatically() -> None:
    refused(two_ways("race"), Action("knock", number("KD"), ()), "automatically")
    refused(two_ways("classic"), Action("discard", number("KD"), ()), "only a knock names a spread")


# --- dead hands ---------------------------------------------------------------------------------


def until_stock(hand: Hand, left: int, throw: Callable[[Hand], int]) -> None:
    """Draw and throw until so many cards are left in the stock."""
    while hand.stock_count > left:
        hand.apply(Action("draw"))
        if hand.stock_count > left:
            hand.apply(Action("discard", throw(hand)))


def highest(hand: Hand) -> int:
    """The card of the highest rank."""
    return max(cards_in(hand.cards(hand.turn)), key=lambda card: (card % 13, card))


def test_a_discard_with_two_cards_in_the_stock_ends_the_hand() -> None:
    hand = act(dealt("classic", PLAIN, OTHER, "KD"), "pass", "pass")
    until_stock(hand, 2, highest)
    assert (hand.phase, hand.is_terminal) == (Phase.DISCARDING, False)
    seat = hand.turn
    hand.apply(Action("discard", highest(hand)))
    end = end_of(hand)
    assert (end.winner, end.result, end.points, end.knocker, end.showdown) == (None, "dead", 0, None, None)
    assert (hand.returns(), hand.legal_actions(), hand.stock_count) == ((0, 0), [], 2)
    assert hand.events[-1].seat == seat


def test_with_three_cards_it_does_not() -> None:
    hand = act(dealt("classic", PLAIN, OTHER, "KD"), "pass", "pass")
    until_stock(hand, 3, highest)
    hand.apply(Action("discard", highest(hand)))
    assert not hand.is_terminal


def test_a_pile_card_taken_with_two_left_ends_it_too() -> None:
    """Whoever throws then, wherever the card came from; the stock comes to three before."""
    hand = act(dealt("classic", PLAIN, OTHER, "KD"), "pass", "pass")
    until_stock(hand, 3, highest)
    hand.apply(Action("discard", highest(hand)))
    hand.apply(Action("take"))
    hand.apply(Action("discard", next(a.card for a in hand.legal_actions() if a.kind == "discard")))
    assert not hand.is_terminal  # three are still there
    act(hand, "draw")
    hand.apply(Action("discard", highest(hand)))
    assert end_of(hand).result == "dead"


def test_a_knock_in_the_last_turn_counts() -> None:
    first = "AS 2S 3S 5H 6H 7H KH KD KC AD"
    hand = act(dealt("classic", first, "2D 4D 6D 8D 10D QD 2C 4C 6C 8C", "QC"), "pass", "pass")
    knocker = hand.turn

    def throw(hand: Hand) -> int:
        # The one with the melds throws what was drawn, the other one anything: both keep what they have.
        return cards_in(hand.cards(hand.turn) & ~mask_of(cards(first)))[0] if hand.turn == knocker else highest(hand)

    until_stock(hand, 2, throw)
    assert hand.turn == knocker
    hand.apply(Action("knock", throw(hand)))
    end = end_of(hand)
    assert (end.result, end.knocker, end.winner) == ("knock", knocker, knocker)
    assert end.points > 0


def play_takes(hand: Hand, draws: int) -> None:
    """So many draws from the pile in a row; the last card taken is still in hand."""
    for draw in range(draws):
        if draw:
            throw = min(a.card for a in hand.legal_actions() if a.kind == "discard" and a.card is not None)
            hand.apply(Action("discard", throw))
        hand.apply(Action("take"))


def test_the_discard_after_the_fiftieth_draw_in_a_row_from_the_pile_ends_the_hand() -> None:
    """The upcard counts."""
    hand = dealt("classic", PLAIN, OTHER, "KD")
    play_takes(hand, 49)
    act(hand, str(offered(hand)[0]))
    assert not hand.is_terminal
    act(hand, "take")
    assert hand.view(0).in_row == hand.view(1).in_row == 50
    act(hand, offered(hand)[0])
    assert (end_of(hand).result, hand.returns(), hand.stock_count) == ("dead", (0, 0), 31)


def test_a_draw_from_the_stock_begins_the_count_anew() -> None:
    hand = dealt("classic", PLAIN, OTHER, "KD")
    play_takes(hand, 49)
    act(hand, offered(hand)[0], "draw")
    assert hand.view(0).in_row == 0
    act(hand, offered(hand)[0])
    play_takes(hand, 50)
    assert not hand.is_terminal


def test_a_knock_comes_before_the_cap() -> None:
    first = "AS 2S 3S 5H 6H 7H KH KD KC AD"
    hand = act(dealt("classic", first, OTHER, "QC"), "pass")
    spare = number("AD")
    for _ in range(25):
        # The dealer takes and throws its lowest, the other takes that and throws the spare card: nothing is broken up.
        act(hand, "take")
        theirs = min(a.card for a in hand.legal_actions() if a.kind == "discard" and a.card is not None)
        hand.apply(Action("discard", theirs))
        if hand.is_terminal:
            break
        act(hand, "take")
        if hand.view(0).in_row == 50:
            break
        hand.apply(Action("discard", spare))
        spare = theirs
    assert hand.view(0).in_row == 50
    assert not hand.is_terminal
    hand.apply(Action("knock", spare))
    assert end_of(hand).result in ("knock", "undercut")


# --- what happened, and what a seat knows of it -------------------------------------------------


def test_events_tell_what_happened() -> None:
    hand = act(dealt("classic", PLAIN, OTHER, "KD", "QS JD"), "pass", "pass", "draw", "AS", "take", "8C", "draw", "JD")
    told = [(event.seat, event.kind, event.card) for event in hand.events]
    assert told == [
        (0, "pass", None),
        (1, "pass", None),
        (0, "draw", number("QS")),
        (0, "discard", number("AS")),
        (1, "take", number("AS")),
        (1, "discard", number("8C")),
        (0, "draw", number("JD")),
        (0, "discard", number("JD")),
    ]


def test_a_view_remembers_what_was_in_the_open() -> None:
    hand = act(dealt("classic", PLAIN, OTHER, "KD", "QS JD"), "pass", "pass", "draw", "AS", "take", "8C", "draw", "JD")
    mine, theirs = hand.view(0), hand.view(1)
    assert (mine.known, theirs.shown) == (mask_of(cards("AS")), mask_of(cards("AS")))
    assert (mine.thrown, theirs.thrown) == (mask_of(cards("8C")), mask_of(cards("AS JD")))
    assert (mine.refused, theirs.refused) == (mask_of(cards("KD")), mask_of(cards("KD 8C")))
    assert (mine.turns, theirs.turns, mine.in_row) == (2, 1, 0)
    assert mine.pile == theirs.pile == cards("KD 8C JD")
    # What is drawn is for the own eyes only.
    act(hand, "draw")
    assert (hand.view(0).drawn, hand.view(1).drawn != -1) == (-1, True)


def test_terms_are_the_rules_in_numbers() -> None:
    rules: Rules = load_rules("oklahoma+spades")
    terms = terms_of(rules)
    assert (terms.gin, terms.undercut, terms.big_gin, terms.target) == (25, 25, 31, 150)
    assert (terms.upcard_factor, terms.pile_factor, terms.by_player) == (2, 2, False)
    assert [terms.knock_limit(card) for card in (0, 1, 8, 9, 12, 13)] == [0, 2, 9, 10, 10, 0]
