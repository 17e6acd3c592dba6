"""A game looked at again: blunders are found, good play is left alone, luck is measured apart."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from ginrummy.cards import cards_in
from ginrummy.game import Game
from ginrummy.game_log import Progress, Step, action_text
from ginrummy.hand import Action, Hand
from ginrummy.hindsight import Hindsight, Sum, look_back
from ginrummy.judgement import FULL, LITTLE, draw_luck, standing
from ginrummy.kernel import compiled, solver
from ginrummy.players import LevelPlayer
from ginrummy.render import Style
from ginrummy.rules import Rules, load_rules
from ginrummy.session.review import review, summary_lines
from ginrummy.store import NoGameError, OpenGame, Setup, Store

PLAIN = Style(symbols=False)
QUICK = replace(FULL, draw=24) if compiled else LITTLE


def play(saved: OpenGame, mine: str, theirs: str, *, most: int = 10_000) -> list[Step]:
    """Play a game between levels, player 0 against all others; the steps."""
    steps: list[Step] = []
    while not saved.game.finished and len(steps) < most:
        for table in saved.tables():
            hand = saved.hand(table)
            while hand.end is None and len(steps) < most:
                seat = hand.turn
                level = mine if table.players[seat] == 0 else theirs
                action = LevelPlayer(level, saved.rng(table, seat)).decide(hand.view(seat))
                steps.append(Step(table.number, seat, action_text(action)))
                saved.play(table, action)
    return steps


def setup(rules: Rules) -> Setup:
    count = 4 if rules.partnership else 3 if rules.cutthroat else 2
    return Setup("easy", ("You", "Computer", "Partner", "Computer 2")[:count])


def looked_back(rules: Rules, seed: int, mine: str, theirs: str) -> Hindsight:
    steps = play(OpenGame(Game(rules, seed=seed), setup(rules)), mine, theirs)
    return look_back(Progress(Game(rules, seed=seed)), steps, how=QUICK)


SHORT = load_rules("race", target=40 if compiled else 5)


def test_blunders_are_found_worst_first() -> None:
    found = looked_back(SHORT, 3, "random", "easy")
    worst = found.costly()
    assert worst
    assert [d.price.points for d in worst] == sorted((d.price.points for d in worst), reverse=True)
    if compiled:
        assert len(worst) >= 0.2 * len(found.decisions)
        assert worst[0].price.points > 8
        assert found.cost.points / len(found.decisions) > 2
    for decision in worst:
        assert decision.price.better != decision.action
        assert decision.price.costly


@pytest.mark.skipif(not compiled, reason="too few samples to tell good from bad")
def test_good_play_is_left_alone() -> None:
    found = looked_back(SHORT, 1, "hard", "easy")
    assert len(found.costly()) <= 0.125 * len(found.decisions)
    assert found.cost.points / len(found.decisions) < 0.75


def test_the_same_game_gets_the_same_review() -> None:
    rules = load_rules("race", target=1)
    one, other = (looked_back(rules, 5, "normal", "easy") for _ in range(2))
    assert [d.price for d in one.decisions] == [d.price for d in other.decisions]
    assert one.draws == other.draws


def test_points_are_those_of_the_game() -> None:
    rules = load_rules("race", target=1)
    game = Game(rules, seed=6)
    steps = play(OpenGame(game, setup(rules)), "easy", "easy")
    found = look_back(Progress(Game(rules, seed=6)), steps, how=LITTLE)
    assert found.points == game.sheet.totals[0] - game.sheet.totals[1]
    assert found.hands == len(game.sheet.rows)
    assert found.draws.number == sum(step.seat == 0 and step.action == "draw" for step in steps)
    assert found.their_draws.number == sum(step.seat == 1 and step.action == "draw" for step in steps)


LONG = pytest.mark.skipif(not compiled, reason="many hands take long on the interpreted kernel")


@pytest.mark.parametrize(
    "name",
    [
        "race+partnership",
        "race+cutthroat",
        pytest.param("classic+hollywood", marks=LONG),
        pytest.param("classic+best-of=3", marks=LONG),
    ],
)
def test_every_kind_of_game_can_be_looked_at(name: str) -> None:
    rules = load_rules(name, target=1)
    steps = play(OpenGame(Game(rules, seed=2), setup(rules)), "easy", "easy")
    found = look_back(Progress(Game(rules, seed=2)), steps, how=LITTLE)
    assert found.decisions
    assert all(d.hand >= 1 and 1 <= d.game <= rules.best_of for d in found.decisions)
    assert {d.price.by_game for d in found.decisions} == {name == "classic+best-of=3"}


# --- luck ---------------------------------------------------------------------------------------


def test_luck_is_nothing_on_average() -> None:
    """Over all cards that can be drawn, each as often as the made-up hands have it on top of the stock."""
    hand = Hand.deal(load_rules("race"), seed=4, dealer=0)
    hand.apply(Action("pass"))
    hand.apply(Action("pass"))
    view = hand.view(1)
    unseen = [card for card in range(52) if not (view.hand | view.piled) >> card & 1]
    luck = [draw_luck(view, card, 480 if compiled else 12) for card in unseen]
    average = sum(points for points, _ in luck) / len(luck)
    # The samples are common to all cards: their errors do not cancel.
    error = sum(stderr for _, stderr in luck) / len(luck)
    assert abs(average) < 3 * error


@pytest.mark.skipif(not compiled, reason="needs samples")
def test_good_cards_are_good_luck() -> None:
    hand = Hand.deal(load_rules("race"), seed=4, dealer=0)
    hand.apply(Action("pass"))
    hand.apply(Action("pass"))
    view = hand.view(1)
    unseen = [card for card in range(52) if not (view.hand | view.piled) >> card & 1]
    luck = {card: draw_luck(view, card, 960)[0] for card in unseen}
    outs = cards_in(solver.outs(view.hand, sum(1 << card for card in unseen)))
    others = [card for card in unseen if card not in outs]
    assert sum(luck[card] for card in outs) / len(outs) > sum(luck[card] for card in others) / len(others) + 3


def test_a_position_has_a_worth_with_an_error() -> None:
    view = Hand.deal(load_rules("race"), seed=4, dealer=0).view(1)
    worth, error = standing(view, 24)
    assert error > 0
    assert (worth, error) == standing(view, 24)


def test_sums_add_their_errors() -> None:
    total = Sum()
    total.add(1.0, 3.0)
    total.add(-4.0, 4.0)
    assert (total.points, total.stderr, total.number) == (-3.0, 5.0, 2)
    assert math.isclose(total.variance, 25)


# --- words --------------------------------------------------------------------------------------


def test_a_stored_game_is_reviewed_in_words(tmp_path: Path) -> None:
    rules = load_rules("race", target=1)
    with Store.open(tmp_path, sync=False) as store:
        with pytest.raises(NoGameError, match="no game is finished"):
            review(store, None, PLAIN)
        for seed in (8, 3):
            with store.new_game(Game(rules, seed=seed), setup(rules)) as saved:
                play(saved, "random", "easy")
        lines = review(store, None, PLAIN)
        assert lines[0].startswith("Game 2, race, against easy: ")
        assert lines == review(store, 2, PLAIN)
        assert review(store, 1, PLAIN)[0].startswith("Game 1, race")
        text = "\n".join(lines)
        assert "costly" in lines[1]
        assert "Skill: your " in text
        assert "Luck, in points: your deals " in text
        if compiled:
            assert lines[2].startswith("1. Hand ")
            assert "; better " in lines[2]
            assert "Price " in lines[2]
            assert ", stock " in lines[3]
            assert lines[4].startswith("   Why: ")
        else:
            assert lines[-1].startswith("Rough: ")
        with pytest.raises(NoGameError, match="there is no game 7"):
            review(store, 7, PLAIN)


def test_a_game_under_way_is_nobodys_to_review(tmp_path: Path) -> None:
    rules = load_rules("race")
    with Store.open(tmp_path, sync=False) as store:
        with store.new_game(Game(rules, seed=8), setup(rules)) as saved:
            play(saved, "easy", "easy", most=3)
        with pytest.raises(NoGameError, match="under way"):
            review(store, 1, PLAIN)
        with store.resume(1) as saved:
            saved.resign()
        assert review(store, None, PLAIN)[0].startswith("Game 1, race, against easy: resigned, 0 : 0")


def test_a_game_without_a_decision_has_no_figures(tmp_path: Path) -> None:
    rules = load_rules("race")
    with Store.open(tmp_path, sync=False) as store:
        with store.new_game(Game(rules, seed=8), setup(rules)) as saved:
            saved.resign()
        assert review(store, 1, PLAIN)[-1] == "You had nothing to decide in it."


def test_better_than_the_reckoning_is_no_negative_gift() -> None:
    found = Hindsight()
    found.cost.add(-3.0, 1.0)
    skill = summary_lines(found)[0]
    assert skill == "Skill: your 0 decisions gave away nothing: what seemed better would have cost 3.0 points (+- 1.0)."
