"""Hands as people and programs write them on a sheet, a line of text or a JSON object each, to entries of a sheet."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from ginrummy.errors import GinRummyError, IllegalError, ImpossibleError, UnreadableError, quoted
from ginrummy.melds import Meld
from ginrummy.notation import parse_card
from ginrummy.records import read_card, read_cards, read_flag, read_meld_list, read_number, shown
from ginrummy.rules import Rules
from ginrummy.scoring import score_knock
from ginrummy.sheet import (
    DEAD,
    MOST_DEADWOOD,
    MOST_POINTS,
    Entry,
    Match,
    Sheet,
    check_deadwood,
    factor,
    knock_entry,
    points_entry,
    result_entry,
)

FORMS: Final = "NAME knock K D, NAME gin D, NAME big-gin D, NAME undercut K D, NAME POINTS, dead"
"""What a line of a sheet may be."""

_TOKEN: Final = re.compile(r'"((?:[^"\\]|\\.)*)"(?=\s|$)|(\S+)')
_JOINERS: Final = "\u200c\u200d"


# Names


def read_name(value: object) -> str:
    r"""A player's name: any text without control characters, blanks around it left out.

    >>> read_name(" Zoë ")
    'Zoë'
    >>> read_name("A\x1b[31m")
    Traceback (most recent call last):
    ginrummy.errors.UnreadableError: 'A\x1b[31m': a name has no control characters, here U+001B
    """
    if not isinstance(value, str):
        raise UnreadableError(f"{shown(value)}: a name is a text")
    name = unicodedata.normalize("NFC", value).strip()
    for sign in name:
        # Cf holds the marks that turn the direction of writing; the joiners and the tags of flags are part of names.
        kind = unicodedata.category(sign)
        if kind in ("Cc", "Cs", "Zl", "Zp") or (
            kind == "Cf" and sign not in _JOINERS and not 0xE0020 <= ord(sign) <= 0xE007F
        ):
            raise UnreadableError(f"{quoted(value)}: a name has no control characters, here U+{ord(sign):04X}")
    if not name:
        raise UnreadableError("an empty name: a name has one character at least")
    return name


def split_names(text: str, separators: str = ",") -> list[str]:
    r"""Names between separators that do not count inside of quotes.

    >>> split_names('Anna Maria, "Ben, jr."')
    ['Anna Maria', 'Ben, jr.']
    """
    parts = [""]
    inside = False
    signs = iter(text)
    for sign in signs:
        if sign == '"' and (inside or not parts[-1].strip()):
            inside = not inside
        elif sign == "\\" and inside:
            parts[-1] += next(signs, "")
        elif sign in separators and not inside:
            parts.append("")
        else:
            parts[-1] += sign
    if inside:
        raise UnreadableError(f"{quoted(text)}: a quote that is opened is closed")
    return [read_name(part) for part in parts]


def read_names(value: object) -> tuple[str, ...]:
    """Players from ``A,B`` or a list of texts."""
    if not isinstance(value, str | list):
        raise UnreadableError(f"{shown(value)}: players are a list of names")
    names = tuple(split_names(value) if isinstance(value, str) else map(read_name, value))
    _check_distinct(names)
    return names


def read_teams(value: object) -> tuple[tuple[str, str], tuple[str, str]]:
    """Two teams of two from ``A+C,B+D`` or a list of two lists."""
    teams: list[list[str]]
    if isinstance(value, str):
        teams = [split_names(team, "+") for team in _split_outside_quotes(value, ",")]
    elif isinstance(value, list) and all(isinstance(team, list) for team in value):
        teams = [[read_name(name) for name in team] for team in value]
    else:
        raise UnreadableError(f"{shown(value)}: teams are two lists of two names")
    if [len(team) for team in teams] != [2, 2]:
        raise UnreadableError("two teams of two players are wanted, as in Anna+Cem,Ben+Dora")
    _check_distinct([name for team in teams for name in team])
    (a, c), (b, d) = teams
    return (a, c), (b, d)


def _split_outside_quotes(text: str, separator: str) -> list[str]:
    """A text cut at separators outside of quotes, the quotes kept."""
    return re.findall(rf'((?:"(?:[^"\\]|\\.)*"|[^{separator}])+)', text)


def _check_distinct(names: Sequence[str]) -> None:
    for at, name in enumerate(names):
        if name in names[:at]:
            raise UnreadableError(f"{quoted(name)} twice: every player has a name of their own")


# Hands as they are written


Kind = Literal["knock", "gin", "big-gin", "undercut", "points", "dead", "cards"]


@dataclass(frozen=True, slots=True)
class Written:
    """One hand as it is written down, by name, with nothing checked against the rules or the players."""

    kind: Kind
    name: str | None = None
    """Who knocked, undercut or scored; None: a dead hand."""
    numbers: tuple[int, ...] = ()
    """The deadwoods, the knocker's first, or the points."""
    upcard: int | None = None
    double: bool = False
    pile_top: int | None = None
    """A card, or -1 for an empty pile."""
    cards: tuple[int, int] = (0, 0)
    """The knocker's hand and the opponent's, of kind ``cards``."""
    big_gin: bool = False
    melds: tuple[tuple[Meld, ...] | None, tuple[Meld, ...] | None] = (None, None)
    in_text: bool = True


def read_line(text: str, *, tables: bool = False) -> tuple[Written, ...]:
    """One line of a sheet; ``tables``: two hands with ``/`` between them.

    >>> [(hand.kind, hand.name, hand.numbers) for hand in read_line('"Anna Maria" knock 7 16')]
    [('knock', 'Anna Maria', (7, 16))]
    """
    parts = [part for part in _split_outside_quotes(text, "/") if part.strip()] if tables else [text]
    if tables and len(parts) != 2:
        raise UnreadableError(
            f"{len(parts)} hand{'s' * (len(parts) != 1)}: a deal of a partnership is two hands, as in "
            "Anna knock 7 16 / Dora gin 30 (a table without a result: dead)"
        )
    hands = []
    for number, part in enumerate(parts, 1):
        try:
            hands.append(_read_hand(part))
        except GinRummyError as error:
            raise type(error)(f"table {number}: {error}" if tables else str(error)) from None
    return tuple(hands)


def _tokens(text: str) -> list[tuple[str, bool]]:
    """Words, each with whether it stood in quotes."""
    found = []
    at = 0
    for match in _TOKEN.finditer(text):
        between = text[at : match.start()]
        if between.strip():
            raise UnreadableError(f"{quoted(between.strip())}: a quote that is opened is closed, and a blank follows")
        at = match.end()
        if match[1] is not None:
            found.append((re.sub(r"\\(.)", r"\1", match[1]), True))
        elif match[2].startswith('"'):
            raise UnreadableError(f"{quoted(match[2])}: a quote that is opened is closed, and a blank follows")
        else:
            found.append((match[2], False))
    return found


def _read_hand(text: str) -> Written:
    tokens = _tokens(text)
    upcard: int | None = None
    double = False
    while tokens and not tokens[-1][1]:
        word = tokens[-1][0]
        if word == "*":
            if double:
                raise UnreadableError("* twice: one says that the hand counted double")
            double = True
        elif word.lower().startswith("upcard="):
            if upcard is not None:
                raise UnreadableError("upcard twice: a hand has one")
            try:
                upcard = parse_card(word.partition("=")[2])
            except GinRummyError as error:
                raise type(error)(f"upcard: {error}") from None
        else:
            break
        tokens.pop()
    if not tokens:
        raise UnreadableError(f"no hand: a line is one of {FORMS}")
    if len(tokens) == 1 and not tokens[0][1] and tokens[0][0].lower() == "dead":
        if double:
            raise UnreadableError("a dead hand counts nothing: leave the * out")
        return Written("dead", upcard=upcard)
    name = read_name(tokens[0][0])
    rest = [word for word, _ in tokens[1:]]
    if not rest:
        raise UnreadableError(f"{quoted(name)} and nothing more: a line is one of {FORMS}")
    word = rest[0].lower()
    counts = {"knock": 2, "gin": 1, "big-gin": 1, "undercut": 2}
    if word not in counts:
        if len(rest) > 1:
            # More than a name and its points: most often a name of two words.
            known = next((at for at, more in enumerate(rest) if more.lower() in counts or more.isdigit()), 0)
            name = " ".join([name, *rest[:known]])
            hint = f'; a name with blanks is written in quotes: "{name}"' if known and name.isprintable() else ""
            raise UnreadableError(f"{quoted(rest[0])} after the name: a line is one of {FORMS}{hint}")
        points = _number(rest[0], MOST_POINTS, "points")
        if double:
            raise UnreadableError(
                f"points are taken as they are, so a * is not clear: write {quoted_word(name)} {points}, "
                f"or {quoted_word(name)} {2 * points} if they are still to be doubled"
            )
        return Written("points", name, (points,), upcard)
    kind: Kind = word  # type: ignore[assignment]
    numbers = [_number(number, MOST_DEADWOOD, "deadwood") for number in rest[1:]]
    if len(numbers) != counts[word]:
        form = {
            "knock": "NAME knock K D, the knocker's deadwood and the opponent's after laying off",
            "undercut": "NAME undercut K D, the knocker's deadwood and NAME's own",
        }.get(word, f"NAME {word} D, the opponent's deadwood")
        raise UnreadableError(f"{len(numbers)} number{'s' * (len(numbers) != 1)} after {word}: write {form}")
    return Written(kind, name, tuple(numbers), upcard, double)


def quoted_word(name: str) -> str:
    """A name as it is written in a line: in quotes where it has to be."""
    if re.search(r'[\s"/,+*=]', name) or name.startswith(("#", "{", "[")) or name.lower() == "dead":
        return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return name


def _number(text: str, most: int, what: str) -> int:
    try:
        return read_number(text, 0, most)
    except GinRummyError:
        raise UnreadableError(f"{what} {quoted(text)}: allowed is a whole number from 0 to {most}") from None


_HAND_KEYS: Final = {
    "winner": read_name,
    "points": lambda value: read_number(value, 0, MOST_POINTS),
    "knocker": read_name,
    "deadwood": lambda value: read_number(value, 0, MOST_DEADWOOD),
    "opponent_deadwood": lambda value: read_number(value, 0, MOST_DEADWOOD),
    "gin": read_flag,
    "big_gin": read_flag,
    "dead": read_flag,
    "hand": read_cards,
    "opponent_hand": read_cards,
    "knocker_melds": read_meld_list,
    "defender_melds": read_meld_list,
    "upcard": read_card,
    "pile_top": lambda value: -1 if value == "none" else read_card(value),
    "double": read_flag,
}
"""The keys of a hand in JSON, each with what reads its value."""

_FORM_KEYS: Final[dict[str, frozenset[str]]] = {
    "dead": frozenset({"dead", "upcard"}),
    "points": frozenset({"winner", "points", "upcard"}),
    "cards": frozenset(
        {"knocker", "hand", "opponent_hand", "knocker_melds", "defender_melds", "big_gin", "upcard", "pile_top"}
    ),
    "knock": frozenset(
        {"knocker", "deadwood", "opponent_deadwood", "gin", "big_gin", "upcard", "pile_top", "double"}
    ),
}  # fmt: skip
_JSON_FORMS: Final = (
    '{"winner":…,"points":…}, {"knocker":…,"deadwood":…,"opponent_deadwood":…}, '
    '{"knocker":…,"gin":true,"opponent_deadwood":…}, {"knocker":…,"hand":…,"opponent_hand":…} or {"dead":true}'
)


def read_json_hand(value: object, *, tables: bool = False) -> tuple[Written, ...]:
    """One hand of a record's ``hands``, an object or a line of text; ``tables``: a deal with two of them."""
    if isinstance(value, str):
        return read_line(value, tables=tables)
    if not isinstance(value, dict):
        raise UnreadableError(f"{shown(value)}: a hand is an object or a line of text")
    if not tables:
        return (_read_object(value),)
    two = value.get("tables")
    if set(value) != {"tables"} or not isinstance(two, list) or len(two) != 2:
        raise UnreadableError('a deal of a partnership is {"tables":[…,…]}, a hand at each of two tables')
    hands = []
    for number, part in enumerate(two, 1):
        try:
            (hand,) = read_line(part) if isinstance(part, str) else read_json_hand(part)
        except GinRummyError as error:
            raise type(error)(f"table {number}: {error}") from None
        hands.append(hand)
    return tuple(hands)


def _read_object(value: dict[str, Any]) -> Written:
    found: dict[str, Any] = {}
    for key, given in value.items():
        if given is None:
            continue
        if key == "tables":
            raise UnreadableError('"tables" goes with rules of a partnership only: add +partnership')
        if key not in _HAND_KEYS:
            raise UnreadableError(f"unknown key {quoted(key)}: the keys of a hand are {', '.join(_HAND_KEYS)}")
        try:
            found[key] = _HAND_KEYS[key](given)
        except GinRummyError as error:
            raise type(error)(f"{key}: {error}") from None
    # A flag that is false says nothing.
    found = {key: got for key, got in found.items() if got is not False}
    kind: Kind
    if "dead" in found:
        kind = "dead"
    elif "winner" in found or "points" in found:
        kind = "points"
    elif "hand" in found or "opponent_hand" in found:
        kind = "cards"
    elif "knocker" in found:
        kind = "knock"
    else:
        raise UnreadableError(f"who scored? A hand is one of {_JSON_FORMS}")
    other = next((key for key in found if key not in _FORM_KEYS[kind]), None)
    if other is not None:
        fitting = [key for key in found if key in _FORM_KEYS[kind]]
        raise UnreadableError(f"{other} does not go with {fitting[-1]}: a hand is one of {_JSON_FORMS}")

    def need(key: str) -> Any:
        if key not in found:
            raise UnreadableError(f"no {key}: a hand is one of {_JSON_FORMS}")
        return found[key]

    written = Written(
        kind, upcard=found.get("upcard"), pile_top=found.get("pile_top"), double="double" in found, in_text=False
    )
    if kind == "dead":
        return written
    if kind == "points":
        return replace(written, name=need("winner"), numbers=(need("points"),))
    if kind == "cards":
        return replace(
            written,
            name=need("knocker"),
            cards=(need("hand"), need("opponent_hand")),
            big_gin="big_gin" in found,
            melds=(found.get("knocker_melds"), found.get("defender_melds")),
        )
    if "gin" in found or "big_gin" in found:
        if "gin" in found and "big_gin" in found:
            raise UnreadableError("gin and big_gin: a hand is one of them")
        if found.get("deadwood", 0):
            raise UnreadableError(f"deadwood {found['deadwood']}: with gin the knocker has 0")
        kind = "gin" if "gin" in found else "big-gin"
        return replace(written, kind=kind, name=need("knocker"), numbers=(need("opponent_deadwood"),))
    return replace(written, name=need("knocker"), numbers=(need("deadwood"), need("opponent_deadwood")))


# Who plays


@dataclass(frozen=True, slots=True)
class Roster:
    """The sides of a sheet, and which side a name plays for."""

    sides: tuple[str, ...]
    teams: tuple[tuple[str, str], tuple[str, str]] | None = None
    named: int | None = None
    """How many of the sides have a name, where some have none."""

    def check_named(self) -> None:
        """That everybody has a name."""
        wanted = len(self.sides)
        if self.named is not None and self.named < wanted:
            only = f"only {' and '.join(self.sides[: self.named])} named" if self.named else "nobody is named"
            raise ImpossibleError(
                f"{only}: give {'both' if wanted == 2 else 'all three'} players, as in --names {','.join('ABC'[:wanted])}"
            )

    def side(self, name: str) -> int:
        """The side of a name; ImpossibleError names those that play."""
        for number, side in enumerate(self.sides):
            if name == side or (self.teams is not None and name in self.teams[number]):
                return number
        from difflib import get_close_matches

        known = [player for team in self.teams for player in team] if self.teams else list(self.sides)
        near = get_close_matches(name.casefold(), [player.casefold() for player in known], 1)
        likely = next((player for player in known if near and player.casefold() == near[0]), None)
        hint = "" if likely is None else f" (do you mean {likely}?)"
        playing = f"{', '.join(known[:-1])} and {known[-1]}"
        raise ImpossibleError(f"{quoted(name)}{hint} does not play: at this table sit {playing}")

    def player(self, name: str) -> str | None:
        """The name of a team's player; None for a team."""
        return None if self.teams is None or name in self.sides else name


def roster_of(
    rules: Rules,
    written: Iterable[Written],
    *,
    players: Sequence[str] | None = None,
    teams: tuple[tuple[str, str], tuple[str, str]] | None = None,
    dealer: str | None = None,
) -> Roster:
    """Who plays, from what is given and the names in the hands by first appearance. GinRummyError where it is not clear.

    Names that are still missing are for ``Roster.check_named`` to complain of: a wrong line is better told first.
    """
    if rules.partnership:
        if teams is None:
            raise ImpossibleError("a partnership needs its teams: give --teams Anna+Cem,Ben+Dora")
        if players is not None:
            raise ImpossibleError("players are given by the teams in a partnership: leave the names out")
        return Roster(tuple("+".join(team) for team in teams), teams)
    if teams is not None:
        raise ImpossibleError(f"{rules.name} has no teams: add +partnership to the rules")
    wanted = 3 if rules.cutthroat else 2
    if players is not None:
        if len(players) != wanted:
            word = {2: "two", 3: "three"}[wanted]
            raise ImpossibleError(f"{len(players)} name{'s' * (len(players) != 1)}: {rules.name} is for {word} players")
        return Roster(tuple(players))
    names: list[str] = []
    for hand in written:
        if hand.name is not None and hand.name not in names and len(names) < wanted:
            names.append(hand.name)
    if dealer is not None and dealer not in names and len(names) == wanted - 1:
        names.append(dealer)
    named = len(names)
    names += [f"player {number + 1}" for number in range(named, wanted)]
    return Roster(tuple(names), named=named)


# To entries


def entry_from(rules: Rules, roster: Roster, sheet: Sheet, written: Written) -> Entry:
    """What a hand as written comes to on a sheet."""
    if written.kind == "dead" or written.name is None:
        return DEAD
    side = roster.side(written.name)
    sheet.check_plays(side)
    # Of two players the other one; of three whoever sits at the table with this one, where that is known.
    others = [other for other in sheet.seated if other != side] if side in sheet.seated else []
    other = others[0] if len(others) == 1 else None
    pile_top = None if written.pile_top in (None, -1) else written.pile_top
    pile_empty = written.pile_top == -1
    if written.kind == "points":
        return _with_players(points_entry(rules, side, written.numbers[0], loser=other), roster, written)
    if written.kind == "cards":
        if rules.needs_upcard and written.upcard is None:
            raise IllegalError(f'no upcard: {rules.name} needs it, the key "upcard" of the hand')
        if rules.spade_pile_factor != 1 and written.pile_top is None:
            raise IllegalError(f'no pile_top: {rules.name} needs it, the key "pile_top" of the hand, or "none"')
        result = score_knock(
            *written.cards,
            rules,
            upcard=written.upcard,
            pile_top=pile_top,
            pile_empty=pile_empty,
            big_gin=written.big_gin,
            knocker_melds=written.melds[0],
            defender_melds=written.melds[1],
        )
        if other is None and result.winner == "defender":
            raise IllegalError("an undercut, and who else plays is not known: say who deals, with --dealer")
        entry = result_entry(result, side, -1 if other is None else other)
        if other is None:
            entry = replace(entry, loser=None)
        return _with_players(entry, roster, written)
    multiplier = factor(rules, upcard=written.upcard, pile_top=pile_top, pile_empty=pile_empty, double=written.double)
    if written.kind == "undercut":
        return _undercut(rules, roster, written, side, other, multiplier)
    deadwood = written.numbers if written.kind == "knock" else (0, *written.numbers)
    if rules.cutthroat and written.in_text and 0 < deadwood[0] >= deadwood[1]:
        check_deadwood(rules, *deadwood, upcard=written.upcard)
        who = "NAME" if other is None else quoted_word(roster.sides[other])
        raise IllegalError(
            f"an undercut: with three players name who wins it, as in {who} undercut {deadwood[0]} {deadwood[1]}"
        )
    entry = knock_entry(
        rules,
        side,
        other,
        (deadwood[0], deadwood[1]),
        big_gin=written.kind == "big-gin",
        upcard=written.upcard,
        multiplier=multiplier,
    )
    return _with_players(entry, roster, written)


def _undercut(rules: Rules, roster: Roster, written: Written, side: int, other: int | None, multiplier: int) -> Entry:
    knocker, own = written.numbers
    check_deadwood(rules, knocker, own, upcard=written.upcard)
    name = quoted_word(written.name or "")
    if knocker == 0:
        raise IllegalError("a knock with 0 is gin and cannot be undercut: write who went gin, as in NAME gin D")
    if own > knocker:
        raise IllegalError(
            f"no undercut: {name} has {own}, the knocker {knocker}, so the knocker wins: write NAME knock {knocker} {own}"
        )
    # The winner is named, so it does not matter who knocked where that is not known.
    entry = knock_entry(
        rules, -1 if other is None else other, side, (knocker, own), upcard=written.upcard, multiplier=multiplier
    )
    return _with_players(entry if other is not None else replace(entry, loser=None), roster, written)


def _with_players(entry: Entry, roster: Roster, written: Written) -> Entry:
    """The entry with the players at a partnership's table."""
    if roster.teams is None or written.name is None:
        return entry
    player = roster.player(written.name)
    won = entry.winner == roster.side(written.name)
    return replace(entry, players=(player, None) if won else (None, player))


@dataclass(slots=True)
class Line:
    """Something on a sheet that is a hand, or would be one."""

    where: str
    """``line 5`` or ``hand 2``, for messages."""
    hands: tuple[Written, ...] = ()
    problem: GinRummyError | None = field(default=None)
    """What is wrong with it as a text."""


def text_lines(lines: Iterable[tuple[int, str]], *, tables: bool) -> list[Line]:
    """The hands of numbered lines of text; blank ones and those that begin with ``#`` are none."""
    found = []
    for number, text in lines:
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        line = Line(f"line {number}")
        try:
            line.hands = read_line(text, tables=tables)
        except GinRummyError as error:
            line.problem = error
        found.append(line)
    return found


def json_lines(hands: Sequence[object], *, tables: bool) -> list[Line]:
    """The hands of a record."""
    found = []
    for number, value in enumerate(hands, 1):
        line = Line(f"hand {number}")
        try:
            line.hands = read_json_hand(value, tables=tables)
        except GinRummyError as error:
            line.problem = error
        found.append(line)
    return found


def score_lines(
    rules: Rules,
    lines: Sequence[Line],
    *,
    players: Sequence[str] | None = None,
    teams: tuple[tuple[str, str], tuple[str, str]] | None = None,
    dealer: str | None = None,
) -> Match:
    """A whole sheet from its hands in order. The error of a hand that cannot be names its line.

    >>> from ginrummy.rules import load_rules
    >>> lines = text_lines(enumerate(["Anna knock 7 16", "Ben gin 30"], 1), tables=False)
    >>> score_lines(load_rules("romme"), lines).games[0].totals
    (9, 55)
    """
    written = [hand for line in lines for hand in line.hands]
    roster = roster_of(rules, written, players=players, teams=teams, dealer=dealer)
    match = Match(rules, roster.sides, dealer=_dealer_side(rules, roster, dealer))
    for line in lines:
        try:
            if line.problem is not None:
                raise line.problem
            sheet = match.sheet()
            named = [hand.name for hand in line.hands if hand.name is not None]
            for at, name in enumerate(named):
                if name in named[:at] and roster.player(name) is not None:
                    raise ImpossibleError(f"{quoted(name)} at both tables: a player sits at one")
            entries = []
            for number, hand in enumerate(line.hands, 1):
                try:
                    entries.append(entry_from(rules, roster, sheet, hand))
                except GinRummyError as error:
                    if len(line.hands) == 1:
                        raise
                    raise type(error)(f"table {number}: {error}") from None
            match.add(*entries)
        except GinRummyError as error:
            raise type(error)(f"{line.where}: {error}") from None
    roster.check_named()
    return match


def _dealer_side(rules: Rules, roster: Roster, dealer: str | None) -> int | None:
    if dealer is None:
        return None
    if rules.partnership:
        raise ImpossibleError("a partnership has a dealer at each table: leave the dealer out")
    try:
        return roster.side(dealer)
    except GinRummyError as error:
        raise type(error)(f"dealer: {error}") from None


_TOTAL_KEYS: Final = ("points", "hands_won")


def score_totals(
    rules: Rules,
    totals: object,
    *,
    players: Sequence[str] | None = None,
    teams: tuple[tuple[str, str], tuple[str, str]] | None = None,
) -> Match:
    """A sheet of which only the totals are known: ``{"Anna":{"points":104,"hands_won":5},…}``."""
    if not isinstance(totals, dict):
        raise UnreadableError(f'totals: {shown(totals)}: totals are {{"Anna":{{"points":104,"hands_won":5}},…}}')
    found: dict[str, tuple[int, int]] = {}
    for key, value in totals.items():
        name = read_name(key)
        if name in found:
            raise UnreadableError(f"totals: {quoted(name)} twice")
        if not isinstance(value, dict) or set(value) != set(_TOTAL_KEYS):
            raise UnreadableError(f'totals: {quoted(name)}: {{"points":…,"hands_won":…}} is wanted')
        counts = []
        for entry in _TOTAL_KEYS:
            try:
                counts.append(read_number(value[entry], 0, 1_000_000))
            except GinRummyError as error:
                raise type(error)(f"totals: {quoted(name)}: {entry}: {error}") from None
        found[name] = counts[0], counts[1]
    if rules.partnership and teams is None and players is None and len(found) == 2:
        roster = Roster(tuple(found))
    else:
        written = [Written("points", name) for name in found]
        roster = roster_of(rules, written, players=players, teams=teams)
        roster.check_named()
    sides = {}
    for name, numbers in found.items():
        side = roster.side(name)
        if roster.player(name) is not None:
            raise ImpossibleError(f"totals: {quoted(name)}: totals are those of the teams {' and '.join(roster.sides)}")
        sides[side] = numbers
    missing = [name for side, name in enumerate(roster.sides) if side not in sides]
    if missing:
        raise ImpossibleError(f"totals: those of {' and '.join(missing)} are missing")
    ordered = [sides[side] for side in range(len(roster.sides))]
    match = Match(rules, roster.sides)
    match.games = [
        Sheet.from_totals(rules, roster.sides, [points for points, _ in ordered], [won for _, won in ordered])
    ]
    return match
