"""Rules as data: presets and variants from ``presets.toml``, rules files, single settings.

``NAME[+VARIANT…]``: first the preset (or a TOML file), then the variants in order, then single settings; the last word wins.
"""

import os.path
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Final, Literal, get_args

from ginrummy.cards import card_points, suit_of
from ginrummy.errors import RulesError, quoted, quoted_path

Value = int | str | bool | None

YES_NO: Final = ("yes", "no")

MOST_BYTES: Final = 100_000
"""A rules file is not longer: a device or a wrong file is refused before it fills the memory."""

Shutout = Literal["none", "game-bonus", "points", "points-and-bonus", "total"]
ShutoutWhen = Literal["no-points", "no-hands"]


def _key(
    about: str, *, low: int | None = None, high: int | None = None, words: tuple[str, ...] = (), **more: Any
) -> Any:
    """A field of Rules with what it may hold: a range of whole numbers and/or some words; neither means yes or no."""
    return field(metadata={"about": about, "low": low, "high": high, "words": words}, **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a game: one attribute a key of the rules table, and where they came from."""

    name: str = field(compare=False)
    """The text the rules were named by: ``classic+hollywood`` or a file's path."""
    settings: Mapping[str, Value] = field(compare=False, default_factory=dict)
    """What was set besides, by key."""
    knock_limit: int | Literal["upcard"] = _key("most deadwood a knock may have", low=0, high=10, words=("upcard",))
    gin_bonus: int = _key("points for gin besides the deadwood", low=0, high=1000)
    undercut_bonus: int = _key("points for an undercut besides the difference", low=0, high=1000)
    big_gin_bonus: int | None = _key("points for big gin; none: there is no big gin", low=0, high=1000, words=("none",))
    spade_upcard_factor: int = _key("factor on the hand's points when the upcard is a spade", low=1, high=2)
    spade_pile_factor: int = _key("factor when a spade shows on the pile at the knock", low=1, high=2)
    target: int = _key("points that end the game", low=1, high=10000)
    game_bonus: int = _key("points for winning the game", low=0, high=1000)
    box_bonus: int = _key("points for each hand won, added at the end", low=0, high=1000)
    shutout: Shutout = _key("what is doubled in a shutout", words=get_args(Shutout))
    shutout_when: ShutoutWhen = _key("what makes a shutout", words=get_args(ShutoutWhen), default="no-points")
    first_dealer: Literal["cut", "random"] = _key("how the first dealer is found", words=("cut", "random"))
    next_dealer: Literal["loser", "winner", "alternate"] = _key(
        "who deals next", words=("loser", "winner", "alternate")
    )
    knock_card: Literal["down", "up"] = _key("how the knock card is laid", words=("down", "up"))
    arrangement: Literal["automatic", "player"] = _key("who arranges melds and layoffs", words=("automatic", "player"))
    hints: bool = _key("whether a session may give hints", words=YES_NO)
    hollywood: bool = _key("three columns scored at once", default=False)
    partnership: bool = _key("four players in two teams", default=False)
    cutthroat: bool = _key("three players, the dealer sits out", default=False)
    partnership_bonus: int = _key("points when both partners win their hands", low=0, high=1000, default=25)
    best_of: int = _key("a match of so many games, odd", low=1, high=99, default=1)

    def limit(self, upcard: int | None) -> int | None:
        """Most deadwood in points a knock may have, 0 to 10; None where it depends on an upcard that is not given."""
        if self.knock_limit != "upcard":
            return self.knock_limit
        if upcard is None:
            return None
        points = card_points(upcard)
        return 0 if points == 1 else points

    @property
    def needs_upcard(self) -> bool:
        """Whether a hand can be scored only if its upcard is known."""
        return self.knock_limit == "upcard" or self.spade_upcard_factor != 1

    def multiplier(self, upcard: int | None, pile_top: int | None) -> int:
        """Factor on a hand's points from its upcard and the card showing on the pile at the knock."""
        factor = self.spade_upcard_factor if upcard is not None and suit_of(upcard) == 0 else 1
        return factor * (self.spade_pile_factor if pile_top is not None and suit_of(pile_top) == 0 else 1)

    def values(self) -> dict[str, int | str | bool]:
        """Every key with its value as the rules table writes it (no big gin: ``"none"``; hints: ``"yes"``)."""
        values: dict[str, int | str | bool] = {}
        for key, about in KEYS.items():
            value = getattr(self, key)
            if about["words"] == YES_NO:
                value = "yes" if value else "no"
            values[key] = "none" if value is None else value
        return values

    def to_toml(self) -> str:
        """A rules file that reads back as these rules."""
        lines = [f"# {self.name}" if self.name.isprintable() else "# rules"]
        for key, value in self.values().items():
            text = f'"{value}"' if isinstance(value, str) else str(value).lower()
            lines.append(f"{key} = {text}")
        return "\n".join(lines) + "\n"


KEYS: Final = {f.name: f.metadata for f in fields(Rules) if f.metadata}
"""The keys of the rules in their order, each with what it may hold."""


def _read(path: str) -> bytes:
    # Not pathlib: it would cost every command more than reading its rules does.
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"longer than {MOST_BYTES:,} bytes, so no rules file")
    return data


@cache
def _table() -> dict[str, dict[str, dict[str, Any]]]:
    table: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(
        _read(os.path.join(os.path.dirname(__file__), "presets.toml")).decode()
    )
    for preset in table["preset"].values():
        base = preset.pop("based_on", None)
        if base is not None:
            for key, value in table["preset"][base].items():
                preset.setdefault(key, value)
    return table


def presets() -> dict[str, str]:
    """The names of the presets, each with one line about it."""
    return {name: entry["about"] for name, entry in _table()["preset"].items()}


def variants() -> dict[str, str]:
    """The names of the variants, each with one line about it."""
    return {name: entry["about"] for name, entry in _table()["variant"].items()} | {
        "best-of=N": "a match: best of N games, N odd"
    }


def allowed(key: str) -> str:
    """What a key may hold, in words."""
    about = KEYS[key]
    parts = [f"a whole number from {about['low']} to {about['high']}"] if about["low"] is not None else []
    parts += about["words"] or ([] if parts else ["true", "false"])
    if key == "best_of":
        parts = ["an odd whole number from 3 to 99 (1: a single game)"]
    return ", ".join(parts[:-1]) + (" or " if len(parts) > 1 else "") + parts[-1]


def _checked(key: str, value: object, where: str) -> Value:
    """A value as Rules holds it. Text numbers are read; RulesError names the key and what is allowed."""
    if key not in KEYS:
        from difflib import get_close_matches

        near = get_close_matches(key, KEYS, 1)
        hint = f" (do you mean {near[0]}?)" if near else ""
        raise RulesError(f"{where}unknown key {quoted(key)}{hint}: the keys are {', '.join(KEYS)}")
    about = KEYS[key]
    truth = about["words"] == YES_NO or (about["low"] is None and not about["words"])
    if isinstance(value, str):
        word = value.strip().lower()
        if truth and word in ("true", "yes", "false", "no"):
            return word in ("true", "yes")
        if word in about["words"]:
            return None if key == "big_gin_bonus" else word
        if word.isascii() and word.removeprefix("-").isdigit() and len(word) < 10:
            value = int(word)
    if isinstance(value, bool):
        if truth:
            return value
    elif value is None:
        if key == "big_gin_bonus":
            return None
    elif (
        isinstance(value, int)
        and about["low"] is not None
        and about["low"] <= value <= about["high"]
        and (key != "best_of" or value % 2)
    ):
        return value
    shown = quoted(value) if isinstance(value, str) else "none" if value is None else quoted(repr(value)).strip("'")
    raise RulesError(f"{where}{key} is {shown}: allowed is {allowed(key)}")


def _variant(text: str) -> dict[str, Any]:
    """The settings of one variant by name, ``best-of=N`` included."""
    name, equals, number = text.partition("=")
    if name == "best-of":
        if not equals:
            raise RulesError("best-of wants an odd number of games from 3 to 99: write best-of=3")
        value = _checked("best_of", number, "")
        if value == 1:
            raise RulesError("best-of=1: allowed is an odd whole number from 3 to 99")
        return {"best_of": value}
    if text not in _table()["variant"]:
        if text in _table()["preset"]:
            raise RulesError(
                f"two presets: {text} is a preset and can only come first; the variants are {', '.join(variants())}"
            )
        raise RulesError(f"unknown variant {quoted(text)}: the variants are {', '.join(variants())}")
    return {key: value for key, value in _table()["variant"][text].items() if key != "about"}


def _from_file(path: str) -> dict[str, Any]:
    """The settings of a rules file; keys it leaves out are those of the preset named by its key ``preset``, or classic's."""
    try:
        data = _read(path)
    except (OSError, ValueError) as error:
        raise RulesError(f"rules file {quoted_path(path)}: {getattr(error, 'strerror', None) or error}") from None
    try:
        text = data.decode("utf-8-sig")
        loaded = tomllib.loads(text.replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RulesError(f"rules file {quoted_path(path)}, line {line}: not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"rules file {quoted_path(path)}: not TOML: {error}") from None
    except (RecursionError, ValueError):
        raise RulesError(
            f"rules file {quoted_path(path)}: not a list of KEY = VALUE: the keys are {', '.join(KEYS)}"
        ) from None
    base = loaded.pop("preset", "classic")
    if not isinstance(base, str) or base not in _table()["preset"]:
        raise RulesError(
            f"{_place(path, text, 'preset')}preset {quoted(str(base))} is unknown: the presets are {', '.join(presets())}"
        )
    values = {key: value for key, value in _table()["preset"][base].items() if key != "about"}
    for key, value in loaded.items():
        values[key] = _checked(key, value, _place(path, text, key))
    return values


def _place(path: str, text: str, key: str) -> str:
    """Where a rules file has a key, for a message: at the beginning of a line, bare, in quotes or as a table."""
    for number, line in enumerate(text.splitlines(), 1):
        start, found, rest = line.lstrip("[\"' \t").partition(key)
        if found and not start and rest.lstrip("\"' \t")[:1] in ("=", ".", "]"):
            return f"rules file {quoted_path(path)}, line {number}: "
    return f"rules file {quoted_path(path)}: "


def _as_pairs(settings: Mapping[str, object] | Iterable[str]) -> list[tuple[str, object]]:
    if isinstance(settings, Mapping):
        return list(settings.items())
    pairs: list[tuple[str, object]] = []
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals:
            raise RulesError(
                f"{quoted(text)}: a setting is KEY=VALUE, as in target=150; the keys are {', '.join(KEYS)}"
            )
        pairs.append((key.strip(), value))
    return pairs


def load_rules(
    text: str = "classic", *, settings: Mapping[str, object] | Iterable[str] = (), target: int | None = None
) -> Rules:
    """The rules a text names, with single settings on top. RulesError names the key and what is allowed.

    >>> load_rules("romme+hollywood", settings=["target=150"]).target
    150
    >>> load_rules("+straight").knock_limit
    0
    """
    head, *names = text.split("+")
    head = head.strip()
    if head == "" or head in _table()["preset"]:
        values = {key: value for key, value in _table()["preset"][head or "classic"].items() if key != "about"}
    elif head in _table()["variant"] or head.startswith("best-of="):
        raise RulesError(f"{head} is a variant, not a preset: write +{head} or classic+{head}")
    elif head.endswith(".toml") or "/" in head or "\\" in head:
        values = _from_file(head)
    else:
        raise RulesError(
            f"unknown rules {quoted(head)}: the presets are {', '.join(presets())}; or give a TOML file; `--rules list` tells more"
        )
    said: dict[str, tuple[str, object]] = {}
    for variant in (name.strip() for name in names):
        for key, value in _variant(variant).items():
            if key in said and said[key][1] != value:
                raise RulesError(
                    f"{said[key][0]} and {variant} do not go together: they set {key} to {said[key][1]} and {value}"
                )
            said[key] = (variant, value)
            values[key] = value
    values = {key: _checked(key, value, "") for key, value in values.items()}
    given = {key: _checked(key, value, "") for key, value in _as_pairs(settings)}
    if target is not None:
        given["target"] = _checked("target", target, "")
    values |= given
    rules = Rules(name=text or "classic", settings=given, **values)
    if rules.cutthroat and (rules.hollywood or rules.partnership):
        raise RulesError(
            f"{quoted(text)}: cutthroat and {'hollywood' if rules.hollywood else 'partnership'} do not go together: "
            "hollywood goes with two players or with partnership, cutthroat with neither"
        )
    return rules
