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
    from ginrummy.kernel.solver import deadwood
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
    from ginrummy.rules import Rules, load_rules
    from ginrummy.scoring import HandResult, score_knock

_HOMES = {
    "analysis": ("Analysis", "Discard", "Offer", "analyze"),
    "cards": ("DECK", "card_points", "cards_in", "mask_of"),
    "errors": ("GinRummyError", "IllegalError", "ImpossibleError", "RulesError", "UnreadableError"),
    "kernel.solver": ("deadwood",),
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
    "notation": ("Cards", "card_name", "card_symbol", "parse_card", "parse_cards"),
    "rules": ("Rules", "load_rules"),
    "scoring": ("HandResult", "score_knock"),
}
_HOME = {name: module for module, members in _HOMES.items() for name in members}

__all__ = [
    "DECK",
    "Analysis",
    "Arrangement",
    "Cards",
    "Defence",
    "Discard",
    "GinRummyError",
    "HandResult",
    "IllegalError",
    "ImpossibleError",
    "Layoff",
    "Meld",
    "Offer",
    "Rules",
    "RulesError",
    "UnreadableError",
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
    "lay_off",
    "load_rules",
    "mask_of",
    "outs",
    "parse_card",
    "parse_cards",
    "parse_melds",
    "score_knock",
]


def __getattr__(name: str) -> object:
    # Loaded at first use, so that a command pays only for what it needs.
    if name not in _HOME:
        raise AttributeError(f"module 'ginrummy' has no attribute {name!r}")
    value: object = getattr(import_module(f"ginrummy.{_HOME[name]}"), name)
    globals()[name] = value
    return value
