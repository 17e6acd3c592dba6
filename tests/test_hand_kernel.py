"""The kernel's table and hand.py are one game: every action, card, view and score agrees over thousands of deals."""

import itertools

import pytest

from ginrummy.hand import Hand, terms_of
from ginrummy.kernel import compiled, contest, table
from ginrummy.kernel.rng import Rng, Streams, shuffled
from ginrummy.kernel.view import DRAW
from ginrummy.players import LEVELS, LevelPlayer, level_number
from ginrummy.rules import load_rules, presets

DEALS = {True: 5000, False: 200}[compiled]
VARIANT_DEALS = DEALS // 5
KINDS = {table.DEAD: "dead", table.KNOCKED: "knock", table.GIN: "gin", table.BIG: "big-gin", table.UNDERCUT: "undercut"}
RULES = [*presets(), "classic+spades", "oklahoma+spades", "race+straight", "romme+old-bonuses"]
QUICK = [level for level in LEVELS if level != "expert"]
PAIRS = [pair for pair in itertools.product(QUICK, repeat=2) if pair != ("random", "random")]
PAIRS += [("expert:2", "hard"), ("easy", "expert:2")]


def by_hand(rules_text: str, seed: int, game: int, pair: tuple[str, str]) -> tuple[list[int], tuple[int, str, int]]:
    """Play one deal through hand.py: the trace as the kernel writes it, and the result."""
    streams = Streams(seed, game, 0)
    hand = Hand(load_rules(rules_text), shuffled(streams.deal), dealer=game % 2, scores=(game % 90, game % 70))
    players = (LevelPlayer(pair[0], streams.first), LevelPlayer(pair[1], streams.second))
    trace: list[int] = []
    while not hand.is_terminal:
        seat = hand.turn
        action = players[seat].decide(hand.view(seat))
        hand.apply(action)
        trace.append(action.code)
        if action.code == DRAW:
            card = hand.events[-1].card
            assert card is not None
            trace.append(card)
    assert hand.end is not None
    return trace, (-1 if hand.end.winner is None else hand.end.winner, hand.end.result, hand.end.points)


@pytest.mark.parametrize("rules_text", RULES)
def test_kernel_and_hand_agree(rules_text: str) -> None:
    terms = terms_of(load_rules(rules_text))
    for game in range(DEALS if rules_text in presets() else VARIANT_DEALS):
        pair = PAIRS[game % len(PAIRS)]
        streams = Streams(7, game, 0)
        trace: list[int] = []
        winner, kind, points, turns = table.play_hand(
            terms,
            shuffled(streams.deal),
            game % 2,
            level_number(pair[0]),
            level_number(pair[1]),
            streams.first,
            streams.second,
            game % 90,
            game % 70,
            trace,
        )
        assert (trace, (winner, KINDS[kind], points)) == by_hand(rules_text, 7, game, pair), (game, pair)
        assert turns > 0


def test_cut_is_repeated_after_a_tie_and_the_lower_card_deals() -> None:
    dealers = set()
    for game in range(200):
        lot = Streams(5, game, 0).lot
        cards = [contest.cut_cards(lot)]
        while cards[-1][0] % 13 == cards[-1][1] % 13:
            cards.append(contest.cut_cards(lot))
        lower = 0 if cards[-1][0] % 13 < cards[-1][1] % 13 else 1
        assert all(one != other for one, other in cards)
        assert contest.first_dealer(Streams(5, game, 0).lot, True) == lower
        dealers.add(lower)
    assert dealers == {0, 1}


def test_random_numbers_are_the_published_ones() -> None:
    # Test values of the reference implementation of xoshiro128** from the state 1, 2, 3, 4.
    rng = Rng(1, 2, 3, 4)
    first = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804]
    assert [rng.word() for _ in first] == first


def test_streams_of_one_hand_are_reached_without_the_others() -> None:
    assert shuffled(Streams(1, 2, 3).deal) == shuffled(Streams(1, 2, 3).deal)
    decks = {tuple(shuffled(Streams(1, game, number).deal)) for game in range(20) for number in range(20)}
    assert len(decks) == 400
    assert all(sorted(deck) == list(range(52)) for deck in decks)
