"""What ``simulate`` writes as JSON: its result, and a line for every hand."""

from typing import Any

from ginrummy.cards import NAMES
from ginrummy.records import cards_json, head_json
from ginrummy.simulation import HandRecord, Plan, SimulationResult

SIMULATION_COLUMNS = (
    *("schema", "line", "rules", "seed", "unit", "games", "hands", "players", "mirror", "partial"),
    *("win_rate", "points_per_hand", "points_stderr", "mean_turns"),
)
"""The scalar keys of a result, and the players, in the order of the columns of CSV."""


def simulation_json(result: SimulationResult, line: int | None = None) -> dict[str, Any]:
    """The result of ``simulate``."""
    plan = result.plan
    return (
        head_json(plan.rules, line)
        | _given_json(plan)
        | {
            "seed": plan.seed,
            "unit": plan.unit,
            "games": result.games,
            "hands": result.hands,
            "players": list(plan.players),
            "mirror": plan.mirror,
            **({"partial": True} if result.partial else {}),
            "wins": list(result.wins),
            "win_rate": round(result.win_rate, 6),
            "ci95": [round(end, 6) for end in result.interval],
            "points_per_hand": round(result.points_per_hand, 6),
            "points_stderr": None if result.points_stderr is None else round(result.points_stderr, 6),
            "results": {name: list(by) for name, by in result.results.items()} | {"dead": result.dead},
            "mean_turns": round(result.mean_turns, 6),
        }
    )


def _given_json(plan: Plan) -> dict[str, Any]:
    """What was given of the hands that were played out."""
    given = plan.given
    if given is None:
        return {}
    found: dict[str, Any] = {"hand": cards_json(given.hand)}
    if given.opponent:
        found["opponent"] = cards_json(given.opponent)
    if given.upcard is not None:
        found["upcard"] = NAMES[given.upcard]
    if given.dealer is not None:
        found["dealer"] = ("first", "second")[given.dealer]
    return found


def hand_record_json(plan: Plan, record: HandRecord) -> dict[str, Any]:
    """A simulated hand as ``--record`` writes it: everything that is needed to play it again."""
    place = record.place
    return head_json(plan.rules, None) | {
        "seed": plan.seed,
        "game": place.game,
        "hand": place.number,
        "turn": place.turn,
        "players": [plan.players[player] for player in place.seats],
        "seats": list(place.seats),
        "dealer": place.dealer,
        "scores": list(record.scores),
        "deck": [NAMES[card] for card in record.deck],
        "actions": list(record.actions),
        "winner": record.winner,
        "result": record.result,
        "points": record.points,
    }
