"""What actions are worth: played out many times against the same made-up hands, ``hard`` in both seats."""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.belief import Belief
from ginrummy.kernel.hard import ranked_throws
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.rollout import Weighing, chance_after, play_points
from ginrummy.kernel.strategy import Strategy
from ginrummy.kernel.view import View
from ginrummy.kernel.weights import HARD

_PLAYER: Final[Strategy] = Weighing(HARD)


def evaluate(view: View, actions: list[int], samples: i64, rng: Rng) -> list[list[int]]:
    """For each action its points in each sample, negative where the opponent scores. All actions meet the same samples."""
    belief: Belief = Belief(view)
    found: list[list[int]] = [[] for _ in actions]
    done: i64 = 0
    while done < samples:
        # The longer a hand goes on, the more often it is one of a player who waits for gin.
        hand: i64 = belief.draw(rng, done * 5 % 12 < 3 + min(view.turns // 2, 3))
        stock: list[int] = belief.stock(hand, rng)
        for i in range(len(actions)):
            found[i].append(int(play_points(view, actions[i], hand, stock, _PLAYER, _PLAYER, rng)))
        done += 1
    return found


def chances(view: View, points: list[int]) -> list[int]:
    """The chance to win the game, in ten-thousandths, after each of some results of the hand."""
    return [int(chance_after(view, each)) for each in points]


def throws(view: View) -> list[int]:
    """The discards in the order in which ``hard`` likes them."""
    return ranked_throws(view, HARD)[0]
