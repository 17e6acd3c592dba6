"""Gin Rummy: exact melds, deadwood and layoffs, scoring under five rule systems and their variants.

Cards are numbers 0-51, sets of cards ints with bit n for card n; ``Cards`` is such an int that reads and looks like cards.

>>> import ginrummy
>>> ginrummy.deadwood(ginrummy.Cards("3C 3D 3H 9S 10S JS KH 5D 2C AS"))
18
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from ginrummy.analysis import Analysis, Discard, Offer, analyze
    from ginrummy.cards import DECK, card_points, cards_in, mask_of
    from ginrummy.errors import GinRummyError, IllegalError, ImpossibleError, RulesError, UnreadableError
    from ginrummy.game import Game, Table
    from ginrummy.hand import Action, Event, Hand, HandEnd, Phase
    from ginrummy.kernel.solver import deadwood
    from ginrummy.kernel.view import View
    from ginrummy.melds import (
        Arrangement,
        Defence,
        Layoff,
        Meld,
        arrangements,
        best_arrangement,
        best_discards,
        discards,
        improving,
        lay_off,
        outs,
        parse_melds,
    )
    from ginrummy.notation import Cards, card_name, card_symbol, parse_card, parse_cards
    from ginrummy.players import LEVELS, LevelPlayer, Player
    from ginrummy.players.registry import make_player, play_hand
    from ginrummy.players.wire import PlayerFailed
    from ginrummy.rules import Rules, load_rules
    from ginrummy.scoring import HandResult, score_knock
    from ginrummy.sheet import Entry, Match, Row, Sheet, knock_entry, points_entry
    from ginrummy.simulation import Given, Plan, SimulationResult, simulate

_HOMES = {
    "analysis": (
        "Analysis",
        "Discard",
        "Offer",
        "analyze",
    ),
    "cards": (
        "DECK",
        "card_points",
        "cards_in",
        "mask_of",
    ),
    "errors": (
        "GinRummyError",
        "IllegalError",
        "ImpossibleError",
        "RulesError",
        "UnreadableError",
    ),
    "game": (
        "Game",
        "Table",
    ),
    "hand": (
        "Action",
        "Event",
        "Hand",
        "HandEnd",
        "Phase",
    ),
    "kernel.solver": ("deadwood",),
    "kernel.view": ("View",),
    "melds": (
        "Arrangement",
        "Defence",
        "Layoff",
        "Meld",
        "arrangements",
        "best_arrangement",
        "best_discards",
        "discards",
        "improving",
        "lay_off",
        "outs",
        "parse_melds",
    ),
    "notation": (
        "Cards",
        "card_name",
        "card_symbol",
        "parse_card",
        "parse_cards",
    ),
    "players": (
        "LEVELS",
        "LevelPlayer",
        "Player",
    ),
    "players.registry": (
        "make_player",
        "play_hand",
    ),
    "players.wire": ("PlayerFailed",),
    "rules": (
        "Rules",
        "load_rules",
    ),
    "scoring": (
        "HandResult",
        "score_knock",
    ),
    "sheet": (
        "Entry",
        "Match",
        "Row",
        "Sheet",
        "knock_entry",
        "points_entry",
    ),
    "simulation": (
        "Given",
        "Plan",
        "SimulationResult",
        "simulate",
    ),
}
_HOME = {name: module for module, members in _HOMES.items() for name in members}

__all__ = [
    "DECK",
    "LEVELS",
    "Action",
    "Analysis",
    "Arrangement",
    "Cards",
    "Defence",
    "Discard",
    "Entry",
    "Event",
    "Game",
    "GinRummyError",
    "Given",
    "Hand",
    "HandEnd",
    "HandResult",
    "IllegalError",
    "ImpossibleError",
    "Layoff",
    "LevelPlayer",
    "Match",
    "Meld",
    "Offer",
    "Phase",
    "Plan",
    "Player",
    "PlayerFailed",
    "Row",
    "Rules",
    "RulesError",
    "Sheet",
    "SimulationResult",
    "Table",
    "UnreadableError",
    "View",
    "analyze",
    "arrangements",
    "best_arrangement",
    "best_discards",
    "card_name",
    "card_points",
    "card_symbol",
    "cards_in",
    "deadwood",
    "discards",
    "improving",
    "knock_entry",
    "lay_off",
    "load_rules",
    "make_player",
    "mask_of",
    "outs",
    "parse_card",
    "parse_cards",
    "parse_melds",
    "play_hand",
    "points_entry",
    "score_knock",
    "simulate",
]


def __getattr__(name: str) -> object:
    # Loaded at first use, so that a command pays only for what it needs.
    if name not in _HOME:
        raise AttributeError(f"module 'ginrummy' has no attribute {name!r}")
    value: object = getattr(import_module(f"ginrummy.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
