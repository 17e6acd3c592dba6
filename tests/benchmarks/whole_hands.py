"""Whole hands a second: eaai-simple against itself in the kernel, beside OpenSpiel's simple bot against itself.

OpenSpiel's bot keeps to the same ideas as the baseline: takes what melds, throws what leaves least deadwood, knocks at
once. Its hands begin with a clone of the root state and are played in two ways: step by step from Python, as its examples
do, and by its own loop in C++, the fastest way it has.
"""

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

from timing import alternate, rates, ratios

from ginrummy.kernel import compiled
from ginrummy.rules import load_rules
from ginrummy.simulation import Plan, play_groups

MINE = "eaai-simple, kernel"
COUNTS = {MINE: 20_000 if compiled else 500, "OpenSpiel, from Python": 400, "OpenSpiel, its own loop": 400}
REPEATS = 9


def others(pyspiel: Any) -> list[Callable[[], object]]:
    """The two ways in which OpenSpiel plays its hands."""
    game = pyspiel.load_game("gin_rummy")
    root = game.new_initial_state()
    bots = [pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), seat) for seat in (0, 1)]

    def hand(random: Random) -> None:
        state = root.clone()
        for bot in bots:
            bot.restart()
        while not state.is_terminal():
            if state.is_chance_node():
                # Every card left is as likely as the other.
                state.apply_action(random.choice(state.legal_actions()))
            else:
                state.apply_action(bots[state.current_player()].step(state))

    def stepwise() -> None:
        random = Random(1)
        for _ in range(COUNTS["OpenSpiel, from Python"]):
            hand(random)

    return [
        stepwise,
        lambda: [pyspiel.evaluate_bots(root.clone(), bots, seed) for seed in range(COUNTS["OpenSpiel, its own loop"])],
    ]


plan = Plan(load_rules("race+no-big-gin"), ("eaai-simple", "eaai-simple"), 1, COUNTS[MINE], "hand", mirror=False)
tasks: dict[str, Callable[[], object]] = {MINE: lambda: play_groups(plan, 0, COUNTS[MINE])}
print(f"whole hands, knock at once against itself, a second: min / median / max of {REPEATS} repeats")
print("kernel:", "compiled" if compiled else "python")
try:
    pyspiel = import_module("pyspiel")
except ImportError:
    print("OpenSpiel is not installed: nothing to compare with (pip install open_spiel)")
else:
    tasks |= zip([*COUNTS][1:], others(pyspiel), strict=True)
seconds = alternate(tasks, REPEATS)
for name in tasks:
    print(rates(name, COUNTS[name], seconds[name]))
each = {name: [one / COUNTS[name] for one in seconds[name]] for name in tasks}
for name in [*tasks][1:]:
    print(ratios("times as fast as " + name.partition(", ")[2], each[name], each[MINE]))
