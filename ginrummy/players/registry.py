"""Players by the texts that name them, and a hand played out between any two of them."""

from collections.abc import Sequence
from typing import Final, Protocol, runtime_checkable

from ginrummy.errors import UnreadableError, quoted
from ginrummy.hand import Hand, HandEnd
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.view import View
from ginrummy.players import LevelPlayer, Player, level_number
from ginrummy.players.wire import told

MOVE_TIME: Final = 5.0
"""Seconds an outside player has for a decision where nothing else is said."""

PREFIXES: Final = ("exec:", "module:")
"""How the texts of outside players begin."""


@runtime_checkable
class Listener(Protocol):
    """A player that stays for many hands and is told where each begins and ends."""

    def begin(self, seat: int, view: View, seed: int) -> None:
        """A hand begins; the player sits at ``seat``, and ``seed`` is for what it leaves to chance."""

    def end(self, how: HandEnd) -> None:
        """The hand is over."""


def is_outside(text: str) -> bool:
    """Whether a text names a player from outside, which has to be closed and may fail.

    >>> is_outside("exec:./bot"), is_outside("easy")
    (True, False)
    """
    return text.startswith(PREFIXES)


def check_player(text: str) -> None:
    """That a text names a player; UnreadableError names those there are. An outside player is not started."""
    if is_outside(text):
        if not text.partition(":")[2].strip():
            raise UnreadableError(f"{quoted(text)} names nothing: write {text.partition(':')[0]}:NAME")
        return
    try:
        level_number(text)
    except UnreadableError as error:
        raise UnreadableError(f"{error}, exec:COMMAND, module:CLASS") from None


def slowness(text: str) -> str | None:
    """What to say of a player that will be slow here; None of all others."""
    from ginrummy.kernel import compiled

    if compiled or not text.startswith("expert"):
        return None
    return f"{text} is slow on the interpreted kernel, seconds a move: fewer samples help, as in expert:20"


def make_player(text: str, rng: Rng, *, move_time: float = MOVE_TIME) -> Player:
    """The player of a text: a level, ``exec:COMMAND`` or ``module:CLASS``.

    ``rng`` is what a level draws its random choices from; an outside player gets a seed with every hand instead (``play_hand``)
    and must be closed. ``move_time`` is in seconds. UnreadableError for a text that names nothing, PlayerFailed for a class
    that breaks while it is imported or made.

    >>> from ginrummy.kernel.rng import Streams
    >>> make_player("easy", Streams(1, 0, 0).first).level
    'easy'
    """
    check_player(text)
    if not is_outside(text):
        return LevelPlayer(text, rng)
    # Only now: processes and signals cost time to load.
    from ginrummy.players.outside import ExecPlayer, ModulePlayer

    kind, _, rest = text.partition(":")
    return ExecPlayer(rest, move_time) if kind == "exec" else ModulePlayer(rest, move_time)


def play_hand(hand: Hand, players: Sequence[Player], chances: Sequence[Rng]) -> HandEnd:
    """Play a hand to its end between the players of seats 0 and 1, telling each what its seat may know.

    A player that stays for many hands is given one word of its seat's stream in ``chances`` as a seed, so that what it does in a
    hand need not depend on which hands it played before. PlayerFailed when an outside player fails.

    >>> from ginrummy.kernel.rng import Streams
    >>> from ginrummy.rules import load_rules
    >>> chances = Streams(1, 0, 0).first, Streams(1, 0, 0).second
    >>> seats = [make_player("easy", rng) for rng in chances]
    >>> play_hand(Hand.deal(load_rules("race"), seed=1, dealer=0), seats, chances).result in ("knock", "gin", "undercut")
    True
    """
    for seat, player in enumerate(players):
        if isinstance(player, Listener):
            player.begin(seat, hand.view(seat), chances[seat].word())
    while hand.end is None:
        hand.apply(players[hand.turn].decide(hand.view(hand.turn)))
        for seat, player in enumerate(players):
            player.observe(told(hand.events[-1], seat))
    for player in players:
        if isinstance(player, Listener):
            player.end(hand.end)
    return hand.end
