"""What ``simulate`` writes as JSON: its result, and a line for every hand."""

from typing import Any

from ginrummy.cards import NAMES
from ginrummy.kernel.rng import Streams, shuffled
from ginrummy.records import head_json
from ginrummy.simulation import HandRecord, Plan, SimulationResult


def simulation_json(result: SimulationResult) -> dict[str, Any]:
    """The result of ``simulate``."""
    plan = result.plan
    return head_json(plan.rules, None) | {
        "seed": plan.seed,
        "unit": plan.unit,
        "games": result.games,
        "hands": result.hands,
        "players": list(plan.players),
        "mirror": plan.mirror,
        "wins": list(result.wins),
        "win_rate": round(result.win_rate, 6),
        "ci95": [round(end, 6) for end in result.interval],
        "points_per_hand": round(result.points_per_hand, 6),
        "points_stderr": None if result.points_stderr is None else round(result.points_stderr, 6),
        "results": {name: list(by) for name, by in result.results.items()} | {"dead": result.dead},
        "mean_turns": round(result.mean_turns, 6),
    }


def hand_record_json(plan: Plan, record: HandRecord) -> dict[str, Any]:
    """A simulated hand as ``--record`` writes it: everything that is needed to play it again."""
    return head_json(plan.rules, None) | {
        "seed": plan.seed,
        "game": record.game,
        "hand": record.number,
        "swapped": record.swapped,
        "players": list(reversed(plan.players)) if record.swapped else list(plan.players),
        "dealer": record.dealer,
        "deck": [NAMES[card] for card in shuffled(Streams(plan.seed, record.game, record.number).deal)],
        "actions": list(record.actions),
        "winner": record.winner,
        "result": record.result,
        "points": record.points,
    }
