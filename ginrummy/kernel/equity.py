"""What actions are worth: played out many times against the same made-up hands, ``hard`` in both seats."""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.hard import ranked_throws
from ginrummy.kernel.opponents import Opponents
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.rollout import Weighing, chance_after, play_points
from ginrummy.kernel.strategy import Strategy
from ginrummy.kernel.view import View
from ginrummy.kernel.weights import HARD

_PLAYER: Final[Strategy] = Weighing(HARD)


def evaluate(view: View, actions: list[int], samples: i64, rng: Rng) -> list[list[int]]:
    """For each action its points in each sample, negative where the opponent scores. All actions meet the same samples."""
    opponents: Opponents = Opponents(view, samples, rng)
    found: list[list[int]] = [[] for _ in actions]
    done: i64 = 0
    while done < samples:
        opponents.next(rng)
        for i in range(len(actions)):
            points: i64 = play_points(view, actions[i], opponents.hand, opponents.stock, _PLAYER, _PLAYER, rng)
            found[i].append(int(points))
        done += 1
    return found


def chances(view: View, points: list[int]) -> list[int]:
    """The chance to win the game, in ten-thousandths, after each of some results of the hand."""
    return [int(chance_after(view, each)) for each in points]


def throws(view: View) -> list[int]:
    """The discards in the order in which ``hard`` likes them."""
    return ranked_throws(view, HARD)[0]
