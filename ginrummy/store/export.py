"""Games of the store as records of their hands, which ``simulate --replay`` can check."""

from collections.abc import Iterable
from typing import Any

from ginrummy.game import Game, Table
from ginrummy.game_log import Progress, Step, action_text, replay
from ginrummy.hand import Hand
from ginrummy.kernel.rng import shuffled
from ginrummy.simulation import HandRecord, Place, Plan, event_text
from ginrummy.simulation_records import hand_record_json

HUMAN = "human"
"""How a record names a person."""


def hand_records(game: Game, players: tuple[str, ...], steps: Iterable[Step]) -> list[dict[str, Any]]:
    """The hands of a log that are over, each with the keys that ``simulate --record`` writes.

    ``players`` are texts by player. IllegalError for a log that cannot be.
    """
    hands: dict[int, tuple[Table, Hand, list[str]]] = {}
    for table, hand, action in replay(Progress(game), steps):
        hands.setdefault(table.number, (table, hand, []))[2].append(action_text(action))
    plan = Plan(game.rules, players, game.seed, 1, "game", mirror=False)
    records = []
    for table, hand, texts in hands.values():
        if hand.end is None:
            continue
        sides = [game.side(player) for player in table.players]
        # A draw is told with its card, which only the event holds; only the text holds spreads and layoffs by hand.
        actions = [
            event_text(event) if event.kind == "draw" else text for text, event in zip(texts, hand.events, strict=True)
        ]
        record = HandRecord(
            Place(game.number, 0, table.number, (sides[0], sides[1]), table.dealer),
            table.scores,
            hand.end.winner,
            hand.end.result,
            hand.end.points,
            tuple(shuffled(game.streams(table).deal)),
            tuple(actions),
        )
        names = [players[player] for player in table.players]
        records.append(hand_record_json(plan, record) | {"players": names})
    return records
