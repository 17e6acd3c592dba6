"""Recorded hands played again: are the moves, the cards and the result the same?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ginrummy.errors import GinRummyError, UnreadableError
from ginrummy.hand import Hand, read_defence
from ginrummy.kernel.rng import Streams
from ginrummy.melds import parse_melds
from ginrummy.notation import parse_card
from ginrummy.players import LevelPlayer, level_number
from ginrummy.rules import load_rules
from ginrummy.simulation import event_text

KEYS: Final = {
    "rules": str,
    "seed": int,
    "game": int,
    "hand": int,
    "players": list,
    "seats": list,
    "dealer": int,
    "scores": list,
    "deck": list,
    "actions": list,
    "result": str,
    "points": int,
}
"""The keys that are needed, with the kind of their values."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that is not as it was recorded."""

    move: int | None
    """Which action, from 1; None for the result."""
    recorded: str
    played: str

    def __str__(self) -> str:
        where = "the result" if self.move is None else f"move {self.move}"
        return f"{where}: recorded is {self.recorded}, played {self.played}"


def replay(record: Mapping[str, Any]) -> Difference | None:
    """Play a recorded hand again: levels decide anew, what others did is only checked against the rules.

    Returns the first difference. UnreadableError for what is no record of a hand.
    """
    for key, kind in KEYS.items():
        if not isinstance(record.get(key), kind) or isinstance(record.get(key), bool):
            raise UnreadableError(f"no record of a hand: the key {key!r} is missing or of the wrong kind")
    settings = record.get("set") or {}
    if not isinstance(settings, dict):
        raise UnreadableError("no record of a hand: set is an object of keys and values")
    rules = load_rules(record["rules"], settings=settings)
    deck = [parse_card(text) for text in _texts(record["deck"], "deck")]
    seats = record["seats"]
    if sorted(map(str, seats)) not in (["0", "1"], ["0", "2"], ["1", "2"]) or len(record["players"]) != 2:
        raise UnreadableError("no record of a hand: seats are two of the players 0, 1, 2, and players their names")
    scores = record["scores"]
    if len(scores) != 2 or not all(isinstance(score, int) for score in scores):
        raise UnreadableError("no record of a hand: scores are two numbers")
    hand = Hand(rules, deck, dealer=record["dealer"], scores=scores)
    streams = Streams(record["seed"], record["game"], record["hand"])
    rngs = (streams.first, streams.second) if seats[0] < seats[1] else (streams.second, streams.first)
    players: list[LevelPlayer | None] = []
    for text, rng in zip(_texts(record["players"], "players"), rngs, strict=True):
        try:
            level_number(text)
        except GinRummyError:
            players.append(None)
        else:
            players.append(LevelPlayer(text, rng))
    for move, recorded in enumerate(_texts(record["actions"], "actions"), 1):
        player = None if hand.is_terminal else players[hand.turn]
        plain, named, spread = recorded.partition(" with")
        by_hand = plain.endswith(" by hand")
        plain = plain.removesuffix(" by hand")
        legal = {str(action): action for action in hand.legal_actions()}
        action = legal.get("draw" if plain.startswith("draw ") else plain)
        if player is not None:
            action = player.decide(hand.view(hand.turn))
        if action is None:
            return Difference(move, recorded, "not possible: " + (", ".join(legal) or "the hand is over"))
        melds = None
        try:
            if plain == "defend":
                action = read_defence(spread) if named else action
            elif named:
                melds = parse_melds(spread)
            if player is None and melds is not None:
                action = replace(action, melds=melds)
            if by_hand and action.kind == "knock":
                action = replace(action, by_hand=True)
            hand.apply(action)
        except GinRummyError as error:
            return Difference(move, recorded, f"not possible: {error}")
        played = event_text(hand.events[-1])
        if played != plain:
            return Difference(move, recorded, played)
        shown = hand.knock if hand.end is None else hand.end.showdown
        laid = None if shown is None else shown.knocker.melds
        if melds is not None and (laid is None or set(laid) != set(melds)):
            return Difference(move, recorded, f"{played} with {' / '.join(map(str, laid or ()))}")
    end = hand.end
    played = "unfinished" if end is None else f"{end.result} {end.points} {_seat(end.winner)}"
    recorded = f"{record['result']} {record['points']} {_seat(record.get('winner'))}"
    return None if played == recorded else Difference(None, recorded, played)


def _seat(winner: object) -> str:
    return "for nobody" if winner is None else f"for seat {winner}"


def _texts(values: list[Any], key: str) -> list[str]:
    if not all(isinstance(value, str) for value in values):
        raise UnreadableError(f"no record of a hand: {key} is a list of texts")
    return values
