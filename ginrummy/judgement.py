"""What a decision was worth: moves tried on many hands the opponent may hold, few samples for all, more for the close ones.

All comparisons are on common samples. The price of a move is measured on samples that had no part in choosing the move it
is compared with: the luckiest of a dozen moves always looks better than it is.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from ginrummy.advice import mean, sensible
from ginrummy.hand import Action
from ginrummy.kernel import compiled, equity
from ginrummy.kernel.hard import decide_with, ranked_throws
from ginrummy.kernel.opponents import Opponents
from ginrummy.kernel.rng import Rng, branch
from ginrummy.kernel.rollout import AtOnce, Weighing, play_points
from ginrummy.kernel.view import DISCARDING, DRAW, KNOCK, View
from ginrummy.kernel.weights import HARD
from ginrummy.rules import Rules

LEAST_POINTS: Final = 1.5
"""A move that costs no more is as good as the best."""

LEAST_CHANCE: Final = 0.02
"""The same in games."""

SURE: Final = 2.0
"""Standard errors by which a difference has to exceed nothing."""

MODEL_POINTS: Final = 1.0
"""What the made-up hands get wrong however many there are, in points: a standard error that is added to that of the samples
where it has to be decided whether a move was wrong. ``expert`` doubts itself as much."""

MODEL_CHANCE: Final = 0.01
"""The same in games."""


THROW_SPREAD: Final = 3.5
"""Standard deviation of what discards are worth around what ``hard`` thinks of them, in points (from expert.py, a point
being about half a percent of a game)."""

OTHER_SPREAD: Final = 11.0
"""The same for knocking or not, taking or drawing."""

PRIOR: Final = 0.005
"""Points for each unit in which ``hard`` values discards."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How many samples a decision is given. Numbers of samples are multiples of 12: after so many the kinds of opponent
    come round again."""

    throws: int
    """So many discards are tried, in the order in which ``hard`` likes them."""
    rounds: tuple[tuple[int, int], ...]
    """Rounds of a hint: the moves still in, and samples for each of them."""
    screening: tuple[tuple[int, int], ...]
    """Rounds in which the move is found that another is compared with."""
    pair: tuple[int, ...]
    """Samples for the two of them, until it is clear."""
    trust: float
    """The move that ``hard`` would choose stays the first unless it is so many standard errors behind."""
    draw: int
    """Samples for the worth of a deal, and for that of a card drawn."""


FULL: Final = Effort(11, ((14, 72), (5, 120), (3, 360)), ((14, 48), (5, 96), (3, 96)), (240, 480, 780), 1.0, 960)
LITTLE: Final = Effort(4, ((6, 12), (3, 24)), ((6, 12),), (12, 36), 2.0, 24)
"""For the interpreted kernel, which takes a hundred times as long."""

PATIENT: Final = Effort(4, ((6, 12), (3, 24)), ((6, 12), (3, 36)), (24, 96), 2.0, 24)
"""For the interpreted kernel where nobody waits for the next move."""


def effort(*, patient: bool = False) -> Effort:
    """What the running kernel can do in the time a person waits for a move, or for the review of a game."""
    if compiled:
        return FULL
    return PATIENT if patient else LITTLE


def one_game(rules: Rules) -> bool:
    """Whether the points of a hand all go to its winner in one race to the target, so that the chance to win is known."""
    return not (rules.hollywood or rules.partnership or rules.cutthroat)


def position_rng(view: View) -> Rng:
    """The chances of a position: the same position is always judged on the same samples."""
    terms = view.terms
    seen = (
        *(view.hand, view.upcard, view.limit, view.factor, view.dealer, view.score, view.opponent_score, view.phase),
        *(view.may_take, tuple(view.pile), view.stock, view.drawn, view.taken, view.turns, view.known, view.refused),
        *(view.thrown, view.shown, view.in_row, terms.gin, terms.undercut, terms.big_gin, terms.pile_factor),
        *(terms.target, terms.by_player),
    )
    words = blake2b(repr(seen).encode(), digest_size=16).digest()
    return Rng(*(int.from_bytes(words[at : at + 4], "little") for at in range(0, 16, 4)))


def moves(view: View, throws: int, also: int | None = None) -> list[int]:
    """The moves that are tried, as the kernel's numbers."""
    found = sensible(view)
    likely = [code for code in found if code < 52][:throws]
    codes = [code for code in found if code >= 52 or code in likely]
    return codes if also is None or also in codes else [*codes, also]


_ME: Final = Weighing(HARD)
_KNOCKER: Final = AtOnce()
_WAITER: Final = Weighing(HARD)


def evaluate(view: View, codes: Sequence[int], number: int, rng: Rng) -> list[list[int]]:
    """For each move its points on the same made-up hands, as ``expert`` tries them: against one who knocks at once or one
    who waits for gin, the later the more often the latter."""
    opponents = Opponents(view, number, rng)
    found: list[list[int]] = [[] for _ in codes]
    for _ in range(number):
        opponents.next(rng)
        you = _WAITER if opponents.waits else _KNOCKER
        for points, code in zip(found, codes, strict=True):
            points.append(play_points(view, code, opponents.hand, opponents.stock, _ME, you, rng))
    return found


@dataclass
class Samples:
    """The results of some moves of a position, round after round on the same hands."""

    view: View
    rng: Rng
    points: dict[int, list[int]] = field(default_factory=dict)
    """By move; those given up early have fewer, all begin with the same hands."""

    def add(self, codes: Iterable[int], number: int) -> None:
        """Try moves on so many hands more."""
        each = list(codes)
        for code, found in zip(each, evaluate(self.view, each, number, branch(self.rng)), strict=True):
            self.points.setdefault(code, []).extend(found)

    def average(self, code: int) -> float:
        """Mean points of a move."""
        return sum(self.points[code]) / len(self.points[code])

    def behind(self, code: int, best: int) -> tuple[float, float]:
        """Points that a move brings less than another, on the hands both were tried on, and the standard error."""
        return mean([one - other for one, other in zip(self.points[best], self.points[code], strict=False)])

    def chance_behind(self, code: int, best: int) -> tuple[float, float]:
        """The same in games won."""
        one, other = (equity.chances(self.view, self.points[each]) for each in (best, code))
        return mean([(mine - theirs) / 10_000 for mine, theirs in zip(one, other, strict=False)])

    def undercut(self, code: int) -> float | None:
        """How often a knock is undercut; None for any other move."""
        if code < KNOCK:
            return None
        return sum(points < 0 for points in self.points[code]) / len(self.points[code])

    def expected(self, code: int, usual: int, throws: dict[int, int]) -> float:
        """By how many points a move is expected to be better than the usual one: what was counted, drawn toward what
        ``hard`` thinks (``throws``: its values of the discards) the more the fewer samples there are."""
        behind, stderr = self.behind(code, usual)
        both = code in throws and usual in throws
        prior = (throws[code] - throws[usual]) * PRIOR if both else 0.0
        spread, error = (THROW_SPREAD if both else OTHER_SPREAD) ** 2, stderr * stderr + MODEL_POINTS**2
        return (-behind * spread + prior * error) / (spread + error)

    def knockout(self, codes: list[int], rounds: Iterable[tuple[int, int]], keep: Sequence[int] = ()) -> list[int]:
        """Try moves in rounds, each with the best of the one before and those to keep; the moves of the last round, the
        best first."""
        left = codes
        for most, number in rounds:
            left = sorted(left, key=lambda code: (-self.average(code) if code in self.points else 0, codes.index(code)))
            left = [code for place, code in enumerate(left) if place < most or code in keep]
            if len(left) == 1 and self.points:
                break
            self.add(left, number)
        return sorted(left, key=lambda code: (-self.average(code), codes.index(code)))


@dataclass(frozen=True, slots=True)
class Weighed:
    """One move of a position."""

    action: Action
    behind: float
    """Points less than the first move brings, 0 for itself; below 0 where the first was not left for so little."""
    stderr: float
    """Standard error of that."""
    undercut: float | None
    """A knock: how often it is undercut."""


def weigh(view: View, how: Effort | None = None) -> list[Weighed]:
    """The moves of a position, the best first by points. The same view always gets the same answer.

    >>> from ginrummy.hand import Hand
    >>> from ginrummy.rules import load_rules
    >>> weighed = weigh(Hand.deal(load_rules("race"), seed=1, dealer=0).view(1), LITTLE)
    >>> sorted(move.action.kind for move in weighed), weighed[0].behind
    (['pass', 'take'], 0.0)
    """
    how = how or effort()
    codes = moves(view, how.throws)
    samples = Samples(view, position_rng(view))
    if len(codes) == 1:
        return [Weighed(Action.from_code(codes[0]), 0.0, 0.0, None)]
    usual = int(decide_with(view, HARD))
    last = samples.knockout(codes, how.rounds, keep=[usual])
    best = last[0]
    if usual in last:
        behind, stderr = samples.behind(usual, best)
        # What experience says is left only for a reason, as ``expert`` does it.
        if behind <= how.trust * stderr:
            best = usual
            last = [best, *(code for code in last if code != best)]
    given_up = sorted((code for code in codes if code not in last), key=lambda code: samples.behind(code, best)[0])
    return [
        Weighed(Action.from_code(code), *samples.behind(code, best), samples.undercut(code))
        for code in [*last, *given_up]
    ]


@dataclass(frozen=True, slots=True)
class Price:
    """What a move costs against the best one."""

    action: Action
    """The move."""
    better: Action
    """The move it is compared with; itself where none seems better."""
    points: float
    """Points it brings less, on samples of their own: below 0 where the first impression was wrong."""
    stderr: float
    """Standard error of that."""
    chance: float
    """Games it wins less, 0 to 1."""
    chance_stderr: float
    samples: int
    """How many hands both were tried on."""
    undercut: float | None
    """Where one of the two is a knock: how often it is undercut."""
    by_game: bool
    """Whether the chance to win the game means something."""

    @property
    def costly(self) -> bool:
        """Whether the difference is more than nothing, and surely so: in points that help to win the game, or in games."""
        points = self.points > max(LEAST_POINTS, SURE * math.hypot(self.stderr, MODEL_POINTS))
        if not self.by_game:
            return points
        chance = self.chance > max(LEAST_CHANCE, SURE * math.hypot(self.chance_stderr, MODEL_CHANCE))
        return chance or (points and self.chance >= 0)


def price(view: View, action: Action, how: Effort | None = None, *, by_game: bool = True) -> Price:
    """What a move costs. ``by_game``: whether the chance to win the game is known (``one_game``)."""
    how = how or effort()
    code = action.code
    codes = moves(view, how.throws, also=code)
    fine = Price(action, action, 0.0, 0.0, 0.0, 0.0, 0, None, by_game)
    if len(codes) == 1:
        return fine
    root = position_rng(view)
    first, second = branch(root), branch(root)
    screen = Samples(view, first)
    usual = int(decide_with(view, HARD))
    usual = usual if usual in codes else codes[0]
    last = screen.knockout(codes, how.screening, keep=[code, usual])
    throws: dict[int, int] = {}
    if view.phase == DISCARDING:
        cards, values = ranked_throws(view, HARD)
        throws = dict(zip(cards, values, strict=True))
    hopes = {each: screen.expected(each, usual, throws) for each in last}
    rival = max(last, key=lambda each: hopes[each])
    if hopes[code] >= hopes[rival]:
        return fine
    samples = Samples(view, second)
    for number in how.pair:
        samples.add([rival, code], number)
        points, stderr = samples.behind(code, rival)
        chance, chance_stderr = samples.chance_behind(code, rival)
        small = points + SURE * stderr < LEAST_POINTS and chance + SURE * chance_stderr < LEAST_CHANCE
        if small or points > 2 * SURE * stderr:
            break
    knock = next((each for each in (code, rival) if each >= KNOCK), None)
    return Price(
        action,
        Action.from_code(rival),
        points,
        stderr,
        chance,
        chance_stderr,
        len(samples.points[code]),
        None if knock is None else samples.undercut(knock),
        by_game,
    )


def _third(view: View) -> Rng:
    """Chances beside those that served to find and to price the moves of a position."""
    root = position_rng(view)
    branch(root)
    branch(root)
    return branch(root)


def standing(view: View, number: int) -> tuple[float, float]:
    """Points a position is worth to the seat to act, ``hard`` in both seats, and the standard error."""
    return mean(equity.evaluate(view, [int(decide_with(view, HARD))], number, _third(view))[0])


def draw_luck(view: View, card: int, number: int) -> tuple[float, float]:
    """Points by which a card drawn from the stock is better than the average card, ``hard`` in both seats, and the standard
    error. ``view`` is that before the draw.

    On the same made-up hands the card lies on top of the stock, or what came there by chance: the average of this over all
    cards is nothing, whatever the made-up hands get wrong.
    """
    rng = _third(view)
    opponents = Opponents(view, number, rng)
    chance: list[int] = []
    drawn: list[int | None] = []
    for _ in range(number):
        opponents.next(rng)
        hand, stock = opponents.hand, opponents.stock
        chance.append(play_points(view, DRAW, hand, stock, _ME, _ME, rng))
        if hand >> card & 1:
            drawn.append(None)
            continue
        place = stock.index(card)
        stock[0], stock[place] = stock[place], stock[0]
        drawn.append(play_points(view, DRAW, hand, stock, _ME, _ME, rng))
    found = [points for points in drawn if points is not None]
    if not found:
        return 0.0, 0.0
    middle = sum(found) / len(found)
    share = len(found) / number
    # A mean over those samples in which the opponent does not hold the card, less a mean over all of them.
    return mean(
        [
            middle - average + (0.0 if points is None else (points - middle) / share)
            for points, average in zip(drawn, chance, strict=True)
        ]
    )
