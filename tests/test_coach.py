"""Hints, costs and lessons: obvious positions, honesty, and the time they take."""

from __future__ import annotations

import time

import pytest

from ginrummy.cards import cards_in, mask_of
from ginrummy.hand import Action, Hand
from ginrummy.judgement import FULL, LITTLE, Price, moves, position_rng, price, weigh
from ginrummy.kernel import compiled
from ginrummy.kernel.view import DISCARDING, DRAWING, TOOK, View
from ginrummy.melds import parse_melds
from ginrummy.notation import parse_card, parse_cards
from ginrummy.players import LevelPlayer
from ginrummy.reasons import NOTHING_PLAIN, contrast, fed, named, reason, throw
from ginrummy.render import Style
from ginrummy.rules import Rules, load_rules
from ginrummy.session import coach
from ginrummy.session.coach import Coach
from ginrummy.session.lessons import MOST

PLAIN = Style(symbols=False)
RACE = load_rules("race")


def mask(text: str) -> int:
    return int(parse_cards(text))


def card(text: str) -> int:
    return parse_card(text)


def position(
    held: str,
    *,
    pile: str = "KS",
    turns: int = 2,
    known: str = "",
    thrown: str = "",
    rules: Rules = RACE,
    stock: int = 24,
) -> View:
    """A view in the middle of a hand; with eleven cards one is to be thrown."""
    hand = Hand.deal(rules, seed=1, dealer=0)
    template = hand.view(1)
    pile_cards = [card(text) for text in pile.split()]
    view = View(template.terms, mask(held), pile_cards[0], template.limit, 1, False, 0, 0)
    view.pile = pile_cards
    view.piled = mask(pile)
    view.turns = turns
    view.stock = stock
    view.known = mask(known) if known else 0
    view.thrown = mask(thrown) if thrown else 0
    # What the opponent took, each time throwing a card that has been seen.
    threw = [card(text) for text in thrown.split()] or pile_cards
    taken = cards_in(view.known)
    view.story = [(TOOK + one) * 64 + threw[at % len(threw)] for at, one in enumerate(taken)]
    view.phase = DISCARDING if len(cards_in(view.hand)) == 11 else DRAWING
    return view


GIN = "3C 3D 3H 9S 10S JS 5D 6D 7D 8D KH"
BROKEN = "3C 3D 3H 9S 10S JS 5D 7H KH QC AD"


# --- hints --------------------------------------------------------------------------------------


def test_gin_comes_first_and_says_what_it_brings() -> None:
    lines = coach.hint_lines(position(GIN, pile="2S"), PLAIN)
    assert lines[0] == "1. Gin with KH: 25 points and their deadwood, nothing is laid off."


def test_a_hint_ranks_the_moves_with_difference_and_reason() -> None:
    lines = coach.hint_lines(position(BROKEN, pile="2S"), PLAIN)
    assert 2 <= len(lines) <= 6
    assert "less" not in lines[0].split(":")[0]
    assert all(
        ("points (+- " in line and "less: " in line) or "as good: " in line for line in lines[1:] if line[0].isdigit()
    )
    assert [line[:2] for line in lines[:3]] == ["1.", "2.", "3."]


def test_a_card_that_makes_a_meld_is_taken() -> None:
    lines = coach.hint_lines(position("3C 3D 3H 9S 10S 5D 7H KH QC AD", pile="2S JS"), PLAIN)
    assert lines[0].startswith("1. Take JS: makes 9S 10S JS: deadwood 52 to ")


def test_a_forced_move_needs_no_samples() -> None:
    hand = Hand.deal(RACE, seed=1, dealer=0)
    hand.apply(Action("pass"))
    hand.apply(Action("pass"))
    view = hand.view(1)
    assert len(coach.hint_lines(view, PLAIN)) == 1
    assert coach.cost(view, Action("draw")) is None


def test_the_same_position_gives_the_same_hint() -> None:
    view = position(BROKEN, pile="2S")
    assert coach.hint_lines(view, PLAIN) == coach.hint_lines(position(BROKEN, pile="2S"), PLAIN)
    assert price(view, Action("discard", card("3C"))) == price(view, Action("discard", card("3C")))


def test_positions_have_chances_of_their_own() -> None:
    one, other = position_rng(position(BROKEN, pile="2S")), position_rng(position(BROKEN, pile="2S", turns=3))
    assert (one.a, one.b) != (other.a, other.b)


def hidden_exchanged(hand: Hand, seat: int) -> Hand:
    """The same hand with everything the seat cannot see dealt anew."""
    other = Hand.deal(RACE, seed=1, dealer=hand.dealer)
    other.__dict__.update(hand.__dict__)
    unseen = [*cards_in(hand.cards(1 - seat)), *hand._stock]
    unseen = unseen[7:] + unseen[:7]
    other._hands = list(hand._hands)
    other._hands[1 - seat] = mask_of(unseen[:10])
    other._stock = unseen[10:]
    return other


@pytest.mark.parametrize("seed", [3, 4])
def test_nothing_hidden_changes_a_hint(seed: int) -> None:
    """While nothing of the opponent's hand has been seen, any other hand and stock gives the same answers."""
    hand = Hand.deal(RACE, seed=seed, dealer=0)
    other = hidden_exchanged(hand, 1)
    assert other.cards(0) != hand.cards(0)
    here, there = hand.view(1), other.view(1)
    assert coach.hint_lines(here, PLAIN) == coach.hint_lines(there, PLAIN)
    assert coach.lesson_lines(here, PLAIN) == coach.lesson_lines(there, PLAIN)
    for action in hand.legal_actions():
        assert price(here, action) == price(there, action)


# --- costs --------------------------------------------------------------------------------------


@pytest.mark.skipif(not compiled, reason="too few samples to be sure")
@pytest.mark.parametrize(
    ("held", "worse", "says"),
    [
        (GIN, "KH", "gin brings 25 points"),
        (BROKEN, "3C", "it breaks up 3H 3D 3C"),
        ("3C 3D 3H QS QH KS 5D 7D KH AC AD", "7D", "it goes with the 8D they took"),
    ],
)
def test_blunders_cost_and_say_why(held: str, worse: str, says: str) -> None:
    view = position(held, pile="2S KC 10C JC", turns=5, known="8D 9D 6S", thrown="KC 10C JC")
    found = coach.cost(view, Action("discard", card(worse)))
    assert found is not None
    first, second = found.lines(PLAIN)
    assert " costs about " in first
    assert "points (+- " in first
    assert "% of the game" in first
    assert says in second


def test_the_best_move_costs_nothing() -> None:
    view = position(GIN, pile="2S")
    assert coach.cost(view, Action("knock", card("KH"))) is None
    view = position(BROKEN, pile="2S")
    assert coach.cost(view, weigh(view)[0].action) is None or not compiled


@pytest.mark.skipif(not compiled, reason="too few samples to be sure")
def test_a_knock_with_a_spread_is_judged_as_a_knock() -> None:
    view = position(GIN, pile="2S")
    spread = parse_melds("3C 3D 3H / 9S 10S JS / 5D 6D 7D 8D")
    assert coach.cost(view, Action("knock", card("KH"), spread)) is None


def test_a_price_is_only_told_when_it_is_sure() -> None:
    def paid(
        points: float, stderr: float, chance: float = 0.01, chance_stderr: float = 0.01, game: bool = True
    ) -> bool:
        this, that = Action("draw"), Action("take")
        return Price(this, that, points, stderr, chance, chance_stderr, 600, None, game).costly

    assert paid(4.0, 1.0)
    assert not paid(4.0, 2.1)
    assert not paid(1.4, 0.1)
    assert paid(1.0, 0.1, 0.05, 0.02)
    assert not paid(1.0, 0.1, 0.05, 0.03)
    assert not paid(4.0, 1.0, -0.02), "points that do not help to win the game"
    assert paid(4.0, 1.0, -0.02, game=False)
    assert not paid(1.0, 0.1, 0.05, 0.02, game=False)


def test_every_move_of_a_hand_has_a_price_and_a_reason() -> None:
    """Nothing a player may do leaves the coach without words."""
    rules = load_rules("romme")
    for seed in range(2 if compiled else 1):
        hand = Hand.deal(rules, seed=seed, dealer=seed)
        players = [LevelPlayer("hard", position_rng(hand.view(seat))) for seat in (0, 1)]
        while not hand.is_terminal:
            view = hand.view(hand.turn)
            best = weigh(view, LITTLE)[0].action
            for action in hand.legal_actions():
                for text in (reason(view, action, PLAIN, 0.1), named(view, action, PLAIN)):
                    assert text
                    assert "None" not in text
                if action != best:
                    assert contrast(view, action, best, PLAIN, 0.2)
                    assert contrast(view, best, action, PLAIN, 0.02)
            hand.apply(players[hand.turn].decide(view))


@pytest.mark.skipif(not compiled, reason="times of the compiled kernel")
def test_hints_and_costs_are_quick() -> None:
    view = position("2C 5D 3H 9S 10S JS 7D 7H KH QC AD", pile="2S", turns=0)
    start = time.process_time()
    coach.hint_lines(view, PLAIN)
    middle = time.process_time()
    coach.cost(view, Action("discard", card("AD")))
    assert middle - start < 0.5
    assert time.process_time() - middle < 0.5


def test_the_worst_discards_are_tried_when_they_are_played() -> None:
    view = position(BROKEN, pile="2S")
    assert card("3C") not in moves(view, LITTLE.throws)
    assert card("3C") in moves(view, LITTLE.throws, also=card("3C"))
    assert len(moves(view, FULL.throws)) >= 2


# --- reasons ------------------------------------------------------------------------------------


def test_feeding_is_seen() -> None:
    view = position("2C 5D 3H 9S 10S JS 7D 9D KH QC AD", pile="2S", known="8D")
    assert fed(view, card("7D")) == fed(view, card("9D")) == [card("8D")]
    assert not fed(view, card("10S"))
    assert "feeds the 8D they took" in reason(view, Action("discard", card("7D")), PLAIN)
    said = contrast(view, Action("discard", card("9D")), Action("discard", card("KH")), PLAIN)
    assert "it goes with the 8D they took" in said


def test_a_broken_meld_is_named() -> None:
    view = position(BROKEN, pile="2S")
    assert throw(view, card("10S")).broken == tuple(cards_in(mask("9S 10S JS")))
    assert throw(view, card("KH")).broken == ()


def test_no_reason_is_made_up() -> None:
    """Two cards of which nothing can be told apart."""
    view = position("2C 5D 3H 9S 10S JS 7D 7H KH QC AD", pile="2S")
    assert contrast(view, Action("discard", card("QC")), Action("discard", card("KH")), PLAIN) == NOTHING_PLAIN


def test_an_undercut_is_told_in_percent() -> None:
    view = position("3C 3D 3H 9S 10S JS 5D 2D AH AD KH", pile="2S", turns=9)
    said = reason(view, Action("knock", card("KH")), PLAIN, 0.41)
    assert said == "ends the hand with deadwood 9, undercut 41 % of the time"


# --- lessons ------------------------------------------------------------------------------------


def first_tip(view: View) -> str:
    return " ".join(coach.lesson_lines(view, PLAIN))


@pytest.mark.parametrize(
    ("view", "says"),
    [
        (position(GIN, pile="2S"), "This is gin"),
        (position("2C 5D 3H 9S 10S JS 7D 9D KH QC AD", pile="2S", known="8D"), "Do not feed it: your 7D 9D would fit"),
        (position("3C 3D 3H 9S 10S JS 5D 7H KH AD", pile="2S 6C"), "Take from the pile only what makes a meld"),
        (position("3C 3D 3H 9S 10S 5D 7H KH AD 2C", pile="2S JS"), "The JS makes 9S 10S JS"),
        (position("3C 3D 3H 9S 10S JS 5D 6D KH 8C AD", pile="2S"), "the KH has no partner"),
        (position("3C 3D 3H 9S 10S JS JD 5H KH 7C AD", pile="JH JC 2S", turns=5), "becomes a set"),
        (position("3C 3D 3H 9S 10S JS 5D 7H KH QC AD", pile="2S", turns=0), "One card has to go"),
    ],
)
def test_the_tip_of_the_moment(view: View, says: str) -> None:
    assert says in first_tip(view)


@pytest.mark.skipif(not compiled, reason="what is best is a matter of samples")
def test_knocking_is_taught() -> None:
    early = position("3C 3D 3H 9S 10S JS 4D 2D KH AH AD", pile="2S", turns=0)
    assert "Early that is mostly right" in first_tip(early)
    low = position("3C 3D 3H 9S 10S JS 4D 2D KH AH AD", pile="QS 6C", turns=12, stock=4)
    assert "left in the stock" in first_tip(low)


@pytest.mark.parametrize("rules", ["classic", "classic+straight"])
def test_tips_are_told_twice_at_most(rules: str) -> None:
    game = load_rules(rules)
    one = Coach.of(game)
    told: list[str] = []
    for seed in range(4 if compiled else 2):
        hand = Hand.deal(game, seed=seed, dealer=seed % 2)
        players = [LevelPlayer("normal", position_rng(hand.view(seat))) for seat in (0, 1)]
        while not hand.is_terminal:
            view = hand.view(hand.turn)
            if hand.turn == 0:
                lines = one.lesson_lines(view, PLAIN)
                assert len(lines) <= 1
                told += lines
            hand.apply(players[hand.turn].decide(view))
    assert len(told) >= 8
    assert max(one.counts.values()) <= MOST
    assert len(told) == sum(one.counts.values())
    if rules.endswith("straight"):
        assert not any("knock with" in line for line in told)


def test_the_chance_to_win_is_left_out_where_it_means_nothing() -> None:
    assert Coach.of(RACE).by_game
    assert not Coach.of(load_rules("classic+hollywood")).by_game
    paid = Price(Action("draw"), Action("take"), 4.0, 1.0, 0.05, 0.01, 600, None, False)
    assert coach.price_text(paid) == "4.0 points (+- 1.0)"
