"""Random play under random rules against a second account of the table, kept in plain lists."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import reference
from hypothesis import HealthCheck, settings
from hypothesis import Phase as Stage
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ginrummy.cards import cards_in, mask_of
from ginrummy.errors import IllegalError
from ginrummy.hand import Action, Hand, Phase
from ginrummy.kernel import compiled
from ginrummy.melds import Meld, parse_melds
from ginrummy.notation import Cards
from ginrummy.rules import load_rules
from ginrummy.scoring import score_knock

RULES = st.fixed_dictionaries(
    {
        "knock_limit": st.one_of(st.integers(0, 10), st.just(10), st.just("upcard")),
        "gin_bonus": st.integers(0, 1000),
        "undercut_bonus": st.integers(0, 1000),
        "big_gin_bonus": st.one_of(st.just("none"), st.integers(0, 1000)),
        "spade_upcard_factor": st.sampled_from([1, 2]),
        "spade_pile_factor": st.sampled_from([1, 2]),
        "target": st.integers(1, 10000),
        "game_bonus": st.integers(0, 1000),
        "box_bonus": st.integers(0, 1000),
        "shutout": st.sampled_from(["none", "game-bonus", "points", "points-and-bonus", "total"]),
        "shutout_when": st.sampled_from(["no-points", "no-hands"]),
        "first_dealer": st.sampled_from(["cut", "random"]),
        "next_dealer": st.sampled_from(["loser", "winner", "alternate"]),
        "knock_card": st.sampled_from(["down", "up"]),
        "arrangement": st.sampled_from(["automatic", "player"]),
        "hints": st.sampled_from(["yes", "no"]),
        "partnership_bonus": st.integers(0, 1000),
        "best_of": st.sampled_from([1, 3, 99]),
    }
)
"""Every key of the rules; the forms of a game, for one deal alike, are left as they are."""

NO_MELD = Meld("run", Cards("AS 2S 4S"))
CONCEIVABLE = [
    *(Action(kind) for kind in ("take", "draw", "pass", "discard", "knock", "big-gin")),
    *(Action(kind, 7) for kind in ("take", "draw", "pass", "big-gin")),
    *(Action(kind, card) for kind in ("discard", "knock") for card in range(-1, 53)),
    Action("discard", 5, ()),
    Action("big-gin", None, ()),
    Action("fold"),  # type: ignore[arg-type]
]


def twin(hand: Hand) -> Hand:
    """A copy that can be played on without touching the first."""
    other = copy.copy(hand)
    for name, value in vars(hand).items():
        if isinstance(value, list):
            setattr(other, name, list(value))
    return other


def everything(hand: Hand) -> dict[str, Any]:
    """All that a hand is, to be compared."""
    return {name: list(value) if isinstance(value, list) else value for name, value in vars(hand).items()}


def takes(hand: Hand, action: Action) -> bool:
    """Whether a copy takes an action; one that refuses it stays as it was, down to the last field."""
    other = twin(hand)
    before = everything(other)
    try:
        other.apply(action)
    except IllegalError:
        assert everything(other) == before
        return False
    assert len(other.events) == len(hand.events) + 1
    return True


def deck_of(random: Random, rich: int) -> list[int]:
    """A deck: as it comes, or with hands full of melds, or with hands a card short of gin."""
    if not rich:
        return random.sample(range(52), 52)
    first = reference.rich_hand(random, 10)
    second = reference.rich_hand(random, 10, without=first)
    random.shuffle(first)
    random.shuffle(second)
    rest = [card for card in range(52) if card not in (*first, *second)]
    random.shuffle(rest)
    if rich == 2:
        # What improves a hand lies on top: gin and big gin come soon.
        wanted = set(reference.outs(first)) | set(reference.outs(second))
        rest.sort(key=lambda card: card not in wanted)
    dealt = [card for pair in zip(first, second, strict=True) for card in pair]
    return dealt + rest


class Table(RuleBasedStateMachine):
    """A hand, and what the rules say it must be."""

    @initialize(chosen=RULES, seed=st.integers(0, 2**32), rich=st.integers(0, 2), dealer=st.integers(0, 1))
    def deal(self, chosen: dict[str, Any], seed: int, rich: int, dealer: int) -> None:
        """A deck and rules for it."""
        self.agreed = load_rules("classic", settings=chosen)
        self.random = Random(seed)
        deck = deck_of(self.random, rich)
        self.hand = Hand(self.agreed, deck, dealer=dealer, scores=(3, 4))
        self.dealer, self.turn, self.upcard = dealer, 1 - dealer, deck[20]
        self.held: list[list[int]] = [[], []]
        self.held[1 - dealer], self.held[dealer] = deck[0:20:2], deck[1:20:2]
        self.pile, self.stock = [deck[20]], deck[21:]
        self.passes = self.in_row = 0
        self.taken: int | None = None
        self.opening = True
        self.over = False
        points = min(self.upcard % 13 + 1, 10)
        upcard_limit = 0 if points == 1 else points
        self.limit = upcard_limit if chosen["knock_limit"] == "upcard" else chosen["knock_limit"]

    def allowed(self) -> set[tuple[str, int | None]]:
        """The legal actions, by the words of the rules."""
        if self.over:
            return set()
        held = self.held[self.turn]
        if len(held) == 10:
            if self.opening and self.passes == 2:
                return {("draw", None)}
            return {("take", None), ("pass" if self.opening else "draw", None)}
        throwable = [card for card in held if card != self.taken]
        found: set[tuple[str, int | None]] = {("discard", card) for card in throwable}
        for card in throwable:
            if reference.deadwood(other for other in held if other != card) <= self.limit:
                found.add(("knock", card))
        if self.agreed.big_gin_bonus is not None and reference.deadwood(held) == 0:
            found.add(("big-gin", None))
        return found

    def follow(self, action: Action) -> None:
        """Do an action to the table and to the account of it."""
        before = twin(self.hand)
        self.hand.apply(action)
        seat, held, card = self.turn, self.held[self.turn], action.card
        if action.kind == "pass":
            self.passes += 1
            self.turn = 1 - seat
        elif action.kind in ("take", "draw"):
            self.opening = False
            self.taken = self.pile.pop() if action.kind == "take" else None
            self.in_row = self.in_row + 1 if action.kind == "take" else 0
            held.append(self.stock.pop(0) if self.taken is None else self.taken)
        elif action.kind == "discard":
            assert card is not None
            held.remove(card)
            self.pile.append(card)
            self.turn = 1 - seat
            self.taken = None
            self.over = len(self.stock) <= 2 or self.in_row >= 50
            if self.over:
                end = self.hand.end
                assert end is not None
                assert (end.winner, end.result, end.points, end.knocker, end.showdown) == (None, "dead", 0, None, None)
                assert self.hand.returns() == (0, 0)
        else:
            self.showdown(seat, action, before)

    def showdown(self, seat: int, action: Action, before: Hand) -> None:
        """What a knock must have come to."""
        top = self.pile[-1] if self.pile else None
        kept = [card for card in self.held[seat] if card != action.card]
        shown = score_knock(
            mask_of(kept),
            mask_of(self.held[1 - seat]),
            self.agreed,
            upcard=self.upcard,
            pile_top=top,
            pile_empty=top is None,
            big_gin=action.kind == "big-gin",
            knocker_melds=action.melds,
        )
        factor = self.agreed.spade_upcard_factor if self.upcard < 13 else 1
        if top is not None and top < 13:
            factor *= self.agreed.spade_pile_factor
        spread = tuple(tuple(cards_in(meld.cards)) for meld in shown.knocker.melds)
        if action.kind == "big-gin":
            assert self.agreed.big_gin_bonus is not None
            points = (reference.deadwood(self.held[1 - seat]) + self.agreed.big_gin_bonus) * factor
            right = ("big-gin", "knocker", points)
        else:
            bonuses = reference.Bonuses(self.agreed.gin_bonus, self.agreed.undercut_bonus, factor)
            told = reference.score(
                kept, self.held[1 - seat], bonuses, spread=spread if action.melds is not None else None
            )
            right = (told.result, told.winner, told.points)
        end = self.hand.end
        assert end is not None
        assert end.showdown == shown
        winner = seat if right[1] == "knocker" else 1 - seat
        assert (end.knocker, end.winner, end.result, end.points) == (seat, winner, right[0], right[2])
        assert self.hand.returns() == ((right[2], 0) if winner == 0 else (0, right[2]))
        self.held[seat] = kept
        if action.card is not None:
            self.pile.append(action.card)
        self.over = True

    @rule(chosen=RULES, seed=st.integers(0, 2**32), rich=st.integers(0, 2), dealer=st.integers(0, 1))
    @precondition(lambda self: self.over)
    def deal_again(self, chosen: dict[str, Any], seed: int, rich: int, dealer: int) -> None:
        """The next deal, when a hand is over."""
        self.deal(chosen, seed, rich, dealer)

    @rule(data=st.data())
    @precondition(lambda self: not self.over)
    def play(self, data: st.DataObject) -> None:
        """One legal action."""
        self.follow(data.draw(st.sampled_from(self.hand.legal_actions())))

    @rule(turns=st.integers(1, 55), habit=st.sampled_from(["take", "draw", "any", "best"]))
    @precondition(lambda self: not self.over)
    def play_on(self, turns: int, habit: str) -> None:
        """Some turns after one habit, without a knock: so the cap and the end of the stock are reached too."""
        for _ in range(turns):
            if self.over:
                break
            legal = self.hand.legal_actions()
            if len(self.held[self.turn]) == 10:
                wanted = [action for action in legal if action.kind == habit]
                self.follow(self.random.choice(wanted or legal))
            else:
                throws = [action for action in legal if action.kind == "discard"]
                if habit == "best":
                    best = reference.best_discards(self.held[self.turn], self.taken)
                    throws = [action for action in throws if action.card in best]
                self.follow(self.random.choice(throws))

    @rule(data=st.data())
    @precondition(lambda self: not self.over and any(a.kind in ("knock", "big-gin") for a in self.hand.legal_actions()))
    def knock(self, data: st.DataObject) -> None:
        """Out, as soon as that is allowed; where players arrange, with any spread that is low enough."""
        action = data.draw(
            st.sampled_from([a for a in self.hand.legal_actions() if a.kind in ("knock", "big-gin")]), "out"
        )
        if action.kind == "knock" and self.agreed.arrangement == "player" and data.draw(st.booleans(), "by hand"):
            kept = [card for card in self.held[self.turn] if card != action.card]
            low: list[tuple[Meld, ...]] = []
            high: list[tuple[Meld, ...]] = []
            for spread in reference.arrangements(kept):
                melds = tuple(Meld("run" if reference.is_run(meld) else "set", Cards(mask_of(meld))) for meld in spread)
                (low if reference.deadwood_of(kept, spread) <= self.limit else high).append(melds)
            for melds in high[:20]:
                assert not takes(self.hand, Action("knock", action.card, melds))
            assert not takes(self.hand, Action("knock", action.card, (NO_MELD,)))
            action = Action("knock", action.card, data.draw(st.sampled_from(low), "spread"))
        self.follow(action)

    @invariant()
    def every_card_is_there_once(self) -> None:
        hand = self.hand
        assert sorted([*cards_in(hand._hands[0]), *cards_in(hand._hands[1]), *hand._pile, *hand._stock]) == list(
            range(52)
        )
        assert [sorted(held) for held in self.held] == [cards_in(hand.cards(0)), cards_in(hand.cards(1))]
        assert (list(hand.pile), hand._stock, hand.stock_count) == (self.pile, self.stock, len(self.stock))

    @invariant()
    def just_the_legal_actions_are_taken(self) -> None:
        legal = self.hand.legal_actions()
        allowed = self.allowed()
        assert {(action.kind, action.card) for action in legal} == allowed
        assert len(legal) == len(allowed)
        assert self.hand.is_terminal == self.over == (self.hand.phase is Phase.OVER)
        assert self.hand.limit == self.limit
        if not self.over:
            assert self.hand.turn == self.turn
            assert self.hand.returns() == (0, 0)
        for action in CONCEIVABLE:
            ok = action.melds is None and (action.kind, action.card) in allowed
            assert takes(self.hand, action) == ok, action
        if self.agreed.arrangement != "player":
            for action in legal:
                if action.kind == "knock":
                    assert not takes(self.hand, Action("knock", action.card, parse_melds("")))

    @invariant()
    def views_say_what_is_so(self) -> None:
        for seat in (0, 1):
            view = self.hand.view(seat)
            assert cards_in(view.hand) == sorted(self.held[seat])
            assert (view.pile, view.piled, view.stock) == (self.pile, mask_of(self.pile), len(self.stock))
            assert (view.upcard, view.limit, view.dealer) == (self.upcard, self.limit, seat == self.dealer)
            assert (view.score, view.opponent_score) == ((3, 4) if seat == 0 else (4, 3))
            assert not view.known & ~mask_of(self.held[1 - seat])
            assert not view.shown & ~mask_of(self.held[seat])
            assert view.in_row == self.in_row
            if not self.over and seat == self.turn:
                assert view.taken == (-1 if self.taken is None else self.taken)


TestTable = Table.TestCase
TestTable.settings = settings(
    max_examples=60 if compiled else 8,
    stateful_step_count=30,
    deadline=None,
    # Shrinking a whole hand takes minutes and explains little more than the hand does.
    phases=[Stage.explicit, Stage.reuse, Stage.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
