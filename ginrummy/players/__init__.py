"""Players: what decides for a seat. A player is given views of its seat and nothing else."""

from typing import Final, Protocol

from ginrummy.errors import UnreadableError, quoted
from ginrummy.hand import Action, Event
from ginrummy.kernel import levels, spreads
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.view import View
from ginrummy.melds import arrange

LEVELS = levels.NAMES
"""The names of the built-in strategies. ``expert:SAMPLES`` says how many hands the last one tries a decision."""

MOST_SAMPLES: Final = 10_000


class Player(Protocol):
    """Anything that can hold a seat."""

    def decide(self, view: View) -> Action:
        """The action to take in a position where this player is to act."""

    def observe(self, event: Event) -> None:
        """Something happened at the table; the card of the opponent's draw is left out."""


class LevelPlayer:
    """A built-in strategy with a stream of random choices of its own.

    >>> from ginrummy.hand import Hand
    >>> from ginrummy.kernel.rng import Streams
    >>> from ginrummy.rules import load_rules
    >>> hand = Hand.deal(load_rules("race"), seed=3, dealer=0)
    >>> LevelPlayer("easy", Streams(3, 0, 0).first).decide(hand.view(1)).kind
    'pass'
    """

    def __init__(self, level: str, rng: Rng) -> None:
        self.level = level
        self._number = level_number(level)
        self._rng = rng

    def decide(self, view: View) -> Action:
        """The action the strategy takes."""
        action = Action.from_code(levels.decide(self._number, view, self._rng))
        if action.kind != "knock" or action.card is None or not view.terms.by_player:
            return action
        kept = view.hand ^ 1 << action.card
        best = spreads.knock_spread(kept)
        chosen = levels.choose_spread(self._number, spreads.spreads(kept), best, self._rng)
        return action if chosen == best else Action("knock", action.card, arrange(kept, *chosen).melds)

    def observe(self, event: Event) -> None:
        """Nothing to remember: a view tells all."""


def level_number(level: str) -> int:
    """The kernel's number of a strategy. UnreadableError names those there are.

    >>> level_number("hard"), level_number("expert:40")
    (4, 40005)
    """
    name, colon, samples = level.partition(":")
    if name == "expert" and colon:
        number = int(samples) if samples.isascii() and samples.isdigit() and len(samples) < 8 else 0
        if not 1 <= number <= MOST_SAMPLES:
            raise UnreadableError(f"{quoted(level)}: expert takes 1 to {MOST_SAMPLES:,} samples, as in expert:40")
        return levels.EXPERT + levels.SAMPLED * number
    if level not in LEVELS:
        raise UnreadableError(f"unknown player {quoted(level)}: there are {', '.join(LEVELS)}")
    return LEVELS.index(level)
