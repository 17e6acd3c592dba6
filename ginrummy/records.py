"""Values of records to cards, melds and numbers; results to the objects that are written as JSON.

The values of options come through the same readers: there they are texts.
"""

from collections.abc import Iterable, Mapping, Sequence
from json import JSONEncoder
from typing import TYPE_CHECKING, Any

from ginrummy.analysis import Analysis, Discard
from ginrummy.cards import NAMES
from ginrummy.errors import GinRummyError, ImpossibleError, UnreadableError, quoted
from ginrummy.melds import Arrangement, Defence, Meld, parse_melds, read_melds
from ginrummy.notation import parse_card, parse_cards
from ginrummy.rules import Rules
from ginrummy.scoring import HandResult

if TYPE_CHECKING:
    from ginrummy.advice import Choice

SCHEMA = 1

_BITS = {name: 1 << card for card, name in enumerate(NAMES)}

json_text = JSONEncoder(separators=(",", ":")).encode
"""A result as one line of JSON."""


def shown(value: object) -> str:
    """A JSON value for a message, shortened."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return (
        {None: "null", True: "true", False: "false"}[value]
        if value is None or isinstance(value, bool)
        else quoted(repr(value))[1:-1]
    )


def read_card(value: object) -> int:
    """One card from a text."""
    if not isinstance(value, str):
        raise UnreadableError(f'{shown(value)}: a card is a text, as in "10H"')
    return parse_card(value)


def read_cards(value: object) -> int:
    """A mask from a text or a list of texts, one card each."""
    if isinstance(value, str):
        return parse_cards(value)
    if not isinstance(value, list):
        raise UnreadableError(f"{shown(value)}: cards are a text or a list of texts")
    try:
        # As programs write them. The sum of different powers of two has as many bits as there are of them.
        mask = sum([_BITS[text] for text in value])
        if mask.bit_count() == len(value):
            return mask
    except (KeyError, TypeError):
        pass
    mask = 0
    for item, text in enumerate(value, 1):
        try:
            card = read_card(text)
        except UnreadableError as error:
            raise UnreadableError(f"item {item}: {error}") from None
        if mask >> card & 1:
            raise ImpossibleError(f"{NAMES[card]} twice, the second time as item {item}: each card is there once")
        mask |= 1 << card
    return mask


def read_meld_list(value: object) -> tuple[Meld, ...]:
    """Melds from a text with ``/`` between them, or a list with a list (or text) of cards for each."""
    if isinstance(value, str):
        return parse_melds(value)
    if not isinstance(value, list):
        raise UnreadableError(f"{shown(value)}: melds are a text with / between them, or a list of lists of cards")
    groups = []
    for number, group in enumerate(value, 1):
        try:
            groups.append(read_cards(group))
        except GinRummyError as error:
            raise type(error)(f"meld {number}: {error}") from None
    return read_melds(groups)


def read_number(value: object, low: int, high: int) -> int:
    """A whole number in a range, from a number or a text of digits."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise UnreadableError(f"{shown(value)}: allowed is a whole number from {low} to {high}")
    return value


def read_flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise UnreadableError(f"{shown(value)}: allowed is true or false")
    return value


class _NamesOfSuit(dict[int, tuple[str, ...]]):
    """The names of one suit's cards by their mask, each found once."""

    def __missing__(self, mask: int) -> tuple[str, ...]:
        lowest = mask & -mask
        found = self[mask] = (NAMES[lowest.bit_length() - 1], *self[mask ^ lowest])
        return found


_OF_SUIT = _NamesOfSuit({0: ()})


def cards_json(mask: int) -> list[str]:
    """The names of the cards of a mask, by card."""
    mask = int(mask)  # of a Cards every operation would be a call
    return [
        *_OF_SUIT[mask & 0x1FFF],
        *_OF_SUIT[mask & 0x1FFF << 13],
        *_OF_SUIT[mask & 0x1FFF << 26],
        *_OF_SUIT[mask & 0x1FFF << 39],
    ]


def melds_json(arrangement: Arrangement) -> list[dict[str, Any]]:
    """The melds of an arrangement as JSON objects."""
    return [{"kind": meld.kind, "cards": cards_json(meld.cards)} for meld in arrangement.melds]


def layoffs_json(defence: Defence) -> list[dict[str, Any]]:
    """The layoffs of a defence as JSON objects."""
    return [{"card": NAMES[layoff.card], "onto": cards_json(layoff.onto.cards)} for layoff in defence.layoffs]


def head_json(rules: Rules, line: int | None) -> dict[str, Any]:
    """What every result begins with: schema, the line of its record, and the rules."""
    head: dict[str, Any] = {"schema": SCHEMA}
    if line is not None:
        head["line"] = line
    head["rules"] = rules.name
    if rules.settings:
        head["set"] = settings_json(rules.settings)
    return head


def settings_json(settings: Mapping[str, object]) -> dict[str, object]:
    """Single settings as JSON writes them."""
    return {key: "none" if value is None else value for key, value in settings.items()}


def _discard_json(discard: Discard) -> dict[str, Any]:
    return {
        "card": NAMES[discard.card],
        "deadwood": discard.deadwood,
        "knock": discard.knock,
        "melds": melds_json(discard.arrangement),
        "outs_count": len(discard.outs),
        "danger": round(discard.danger, 4),
    }


def _chance(number: int | None, of: int) -> float | None:
    return None if number is None or not of else round(number / of, 6)


def analysis_json(analysis: Analysis, line: int | None) -> dict[str, Any]:
    """The result of ``analyze-hand``."""
    found = head_json(analysis.rules, line)
    found["hand"] = cards_json(analysis.hand)
    found["deadwood"] = analysis.deadwood
    found["melds"] = melds_json(analysis.arrangement)
    found["deadwood_cards"] = cards_json(analysis.arrangement.loose)
    if analysis.whole:
        found["knock"] = analysis.knock
    found["knock_limit"] = analysis.knock_limit
    if analysis.outs is not None and analysis.improving is not None:
        found["outs"] = {"cards": cards_json(analysis.outs), "count": analysis.outs.bit_count()}
        found["improving"] = {"cards": cards_json(analysis.improving), "count": analysis.improving.bit_count()}
    if analysis.draws is not None and analysis.two_way is not None:
        found["draws"] = [
            {"deadwood": deadwood, "knock": knock, "cards": cards_json(cards)}
            for deadwood, knock, cards in analysis.draws
        ]
        found["two_way"] = cards_json(analysis.two_way)
    if analysis.next_draw is not None:
        unseen, knocks, gins = analysis.next_draw
        found["next_draw"] = {
            "unseen": unseen,
            "knock": knocks,
            "gin": gins,
            "knock_chance": _chance(knocks, unseen),
            "gin_chance": _chance(gins, unseen),
        }
    if analysis.discards is not None:
        found["discards"] = [_discard_json(discard) for discard in analysis.discards]
    if analysis.advice is not None:
        advice = analysis.advice
        found["advice"] = {
            "action": advice.action,
            "discard": None if advice.discard is None else NAMES[advice.discard],
            "reason": advice.reason,
        }
    if analysis.offer is not None:
        offer = analysis.offer
        found["offer"] = {
            "card": NAMES[offer.card],
            "take": offer.take,
            "deadwood_if_taken": offer.deadwood_if_taken,
            "discard": NAMES[offer.discard],
            "knock": offer.knock,
            "meld": None if offer.meld is None else cards_json(offer.meld),
            "reason": offer.reason,
        }
    if analysis.defence is not None:
        found["layoffs"] = layoffs_json(analysis.defence)
        found["melds_after_layoff"] = melds_json(analysis.defence.arrangement)
        found["deadwood_after_layoff"] = analysis.defence.deadwood
    if analysis.arrangements is not None:
        found["arrangements"] = [melds_json(arrangement) for arrangement in analysis.arrangements]
    return found


def add_rollouts(found: dict[str, Any], choices: "Sequence[Choice]", number: int, seed: int) -> None:
    """Add to an analysis what its choices are worth, played out ``number`` times each."""
    found["rollouts"] = number
    found["seed"] = seed
    found["choices"] = [
        {
            "action": choice.action.kind,
            "card": None if choice.action.card is None else NAMES[choice.action.card],
            "equity": round(choice.points, 4),
            "stderr": round(choice.points_stderr, 4),
            "win_chance": round(choice.chance, 6),
            "win_chance_stderr": round(choice.chance_stderr, 6),
            "behind": round(choice.behind, 4),
            "behind_stderr": round(choice.behind_stderr, 4),
        }
        for choice in choices
    ]
    thrown = {each["card"]: each for each in found["choices"] if each["action"] == "discard"}
    for discard in found.get("discards", ()):
        # Cards that nobody would throw are not played out.
        if worth := thrown.get(discard["card"]):
            discard["equity"], discard["stderr"] = worth["equity"], worth["stderr"]


ANALYSIS_COLUMNS = ("schema", "line", "rules", "deadwood", "knock", "knock_limit", "deadwood_after_layoff")
"""The scalar keys of an analysis, in the order of the columns of CSV."""


def csv_text(values: Iterable[object]) -> str:
    """One row of CSV, without its end: null is empty, quotes only where they are needed."""
    cells = [
        "" if value is None else str(value).lower() if value is True or value is False else str(value)
        for value in values
    ]
    return ",".join('"' + cell.replace('"', '""') + '"' if set(cell) & set(',"\r\n') else cell for cell in cells)


def result_json(result: HandResult, rules: Rules, line: int | None) -> dict[str, Any]:
    """The result of ``score`` for one hand."""
    return head_json(rules, line) | {
        "result": result.result,
        "winner": result.winner,
        "points": result.points,
        "difference": result.difference,
        "bonus": result.bonus,
        "multiplier": result.multiplier,
        "knocker": {
            "melds": melds_json(result.knocker),
            "deadwood_cards": cards_json(result.knocker.loose),
            "deadwood": result.knocker.deadwood,
        },
        "defender": {
            "melds": melds_json(result.defender.arrangement),
            "layoffs": layoffs_json(result.defender),
            "deadwood_cards": cards_json(result.defender.arrangement.loose),
            "deadwood_before": result.deadwood_before,
            "deadwood": result.defender.deadwood,
        },
    }


def rules_json(rules: Rules, classic: Rules) -> dict[str, Any]:
    """What rules are in force: every value, and those of classic where they differ."""
    values, usual = rules.values(), classic.values()
    found = head_json(rules, None)
    found["values"] = values
    found["differs_from_classic"] = {key: usual[key] for key, value in values.items() if value != usual[key]}
    return found
