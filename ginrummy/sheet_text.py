"""Score sheets for people, as tables, and for programs, as JSON objects."""

import unicodedata
from collections.abc import Sequence
from typing import Any, Final

from ginrummy.records import head_json
from ginrummy.render import plural
from ginrummy.sheet import Entry, FinalLine, Match, Row, Sheet

SHUTOUT_NAMES: Final = {
    "none": "Shutout",
    "game-bonus": "Shutout (bonus doubled)",
    "points": "Shutout (points doubled)",
    "points-and-bonus": "Shutout (points and bonus doubled)",
    "total": "Shutout (total doubled)",
}


# JSON


def match_json(match: Match, line: int | None) -> dict[str, Any]:
    """The result of ``score`` for a sheet: of one game, or of a match with its games."""
    if match.rules.best_of == 1:
        return _sheet_json(match.games[0], line)
    found = head_json(match.rules, line) | {
        "players": list(match.names),
        "target": match.rules.target,
        "games": [_sheet_json(game, None) for game in match.games],
        "games_won": list(match.games_won),
        "finished": match.finished,
    }
    if match.winner is not None:
        found["winner"] = match.names[match.winner]
        if match.hands:
            found["finished_after"] = match.hands
    return found


def _sheet_json(sheet: Sheet, line: int | None) -> dict[str, Any]:
    found = head_json(sheet.rules, line) | {
        "players": list(sheet.names),
        "target": sheet.rules.target,
        "rows": [_row_json(row, sheet) for row in sheet.rows],
    }
    if sheet.rules.hollywood:
        found["columns"] = [_column_json(sheet, number) for number in range(len(sheet.columns))]
    found["finished"] = sheet.finished
    if sheet.finished:
        found["winner"] = _name(sheet, sheet.winner)
        if sheet.rows:
            found["finished_after"] = len(sheet.rows)
        found["final"] = _final_json(sheet, sheet.final())
        losers = [side for side in range(len(sheet.names)) if side != sheet.winner]
        found["margin"] = (
            {sheet.names[loser]: sheet.margin(loser) for loser in losers}
            if sheet.rules.cutthroat
            else sheet.margin(losers[0])
        )
    return found


def _name(sheet: Sheet, side: int | None) -> str | None:
    return None if side is None else sheet.names[side]


def _row_json(row: Row, sheet: Sheet) -> dict[str, Any]:
    found: dict[str, Any] = {
        "hand": row.number,
        "winner": _name(sheet, row.winner),
        "result": row.result,
        "points": row.points,
        "totals": list(row.totals),
    }
    if sheet.rules.partnership:
        found["tables"] = [
            {"winner": _name(sheet, hand.winner), "result": hand.result, "points": hand.points} for hand in row.hands
        ]
    return found


def _column_json(sheet: Sheet, number: int) -> dict[str, Any]:
    column = sheet.columns[number]
    found: dict[str, Any] = {"totals": list(column.points), "closed": column.closed}
    if column.winner is not None:
        lines = sheet.column_final(number)
        found["winner"] = sheet.names[column.winner]
        found["final"] = _final_json(sheet, lines)
        found["margin"] = lines[column.winner].total - lines[1 - column.winner].total
    return found


def _final_json(sheet: Sheet, lines: Sequence[FinalLine]) -> list[dict[str, Any]]:
    return [
        {
            "player": name,
            "points": line.points,
            "boxes": line.boxes,
            "box_points": line.box_points,
            "game_bonus": line.game_bonus,
            "shutout": line.shutout,
            "total": line.total,
        }
        for name, line in zip(sheet.names, lines, strict=True)
    ]


# Text


def match_text(match: Match) -> list[str]:
    """A sheet as a table: every hand with the arithmetic of its points, and the final lines."""
    if match.rules.best_of == 1:
        return _sheet_text(match.games[0])
    lines = []
    for number, game in enumerate(match.games, 1):
        lines += [f"Game {number}", *_sheet_text(game), ""]
    won = ", ".join(f"{name} {games}" for name, games in zip(match.names, match.games_won, strict=True))
    lines.append(f"Games won: {won}")
    if match.winner is not None:
        lines.append(f"{match.names[match.winner]} wins the match, best of {match.rules.best_of}")
    else:
        lines.append(f"The match goes on: {plural(match.rules.best_of // 2 + 1, 'game')} win it")
    return lines


def explained(hand: Entry, sheet: Sheet) -> str:
    """A hand in words with the arithmetic of its points: ``Anna knocks: 16 - 7 = 9``."""
    if hand.winner is None:
        return "dead hand"
    who = hand.players[0] or sheet.names[hand.winner]
    if hand.result == "points" or hand.deadwood is None:
        return f"{who}: {plural(hand.points, 'point')}"
    knocker, other = hand.deadwood
    verb, terms = {
        "knock": ("knocks", f"{other} - {knocker}"),
        "undercut": ("undercuts", f"{knocker} - {other} + {hand.bonus} (undercut bonus)"),
        "gin": ("goes gin", f"{other} + {hand.bonus} (gin bonus)"),
        "big-gin": ("goes big gin", f"{other} + {hand.bonus} (big gin bonus)"),
    }[hand.result]
    whom = ""
    if hand.result == "undercut":
        loser = hand.players[1] or (None if hand.loser is None or len(sheet.names) == 2 else sheet.names[hand.loser])
        whom = "" if loser is None else f" {loser}"
    if hand.multiplier != 1:
        terms = f"({terms}) x {hand.multiplier}"
    return f"{who} {verb}{whom}: {terms} = {hand.points}"


def _row_words(row: Row, sheet: Sheet) -> list[str]:
    """What is said of a row, the first line beside its totals."""
    if not sheet.rules.partnership:
        out = f" ({sheet.names[row.dealer]} sits out)" if sheet.rules.cutthroat and row.dealer is not None else ""
        return [explained(row.hands[0], sheet) + out]
    if row.winner is None:
        first = "nobody scores" if row.result == "points" else "dead at both tables"
    else:
        gained = [hand.points for hand in row.hands if hand.winner == row.winner]
        lost = [hand.points for hand in row.hands if hand.winner == 1 - row.winner]
        terms = " - ".join([" + ".join(map(str, gained)), *map(str, lost)])
        if row.bonus:
            terms += f" + {row.bonus} (both partners won)"
        if terms == str(row.points):
            first = f"{sheet.names[row.winner]}: {plural(row.points, 'point')}"
        else:
            first = f"{sheet.names[row.winner]}: {terms} = {row.points}"
    return [first, *(f"  table {number}, {explained(hand, sheet)}" for number, hand in enumerate(row.hands, 1))]


def _sheet_text(sheet: Sheet) -> list[str]:
    words = [_row_words(row, sheet) for row in sheet.rows]
    left = max([_width(line) for lines in words for line in lines] + [12])
    cells = [max(7, _width(name) + 2) for name in sheet.names]
    block = sum(cells)
    lines = []
    if sheet.rows:
        head = "".join(_right(name, cell) for name, cell in zip(sheet.names, cells, strict=True))
        if sheet.rules.hollywood:
            titles = "  ".join(_right(f"Column {number + 1}", block) for number in range(len(sheet.columns)))
            lines.append(" " * (left + 6) + titles)
            head = "  ".join([head] * len(sheet.columns))
        lines.append(_left("Hand", left + 6) + head)
    for row, texts in zip(sheet.rows, words, strict=True):
        columns = []
        for number, standing in enumerate(row.columns):
            if sheet.rules.hollywood and number not in row.entered:
                columns.append(" " * block)
            else:
                columns.append("".join(_right(str(points), cell) for points, cell in zip(standing, cells, strict=True)))
        lines.append((f"{row.number:>4}  " + _left(texts[0], left) + "  ".join(columns)).rstrip())
        lines += [" " * 6 + text for text in texts[1:]]
    if sheet.rows:
        lines.append("")
    if sheet.finished:
        return lines + _end_text(sheet)
    if sheet.rules.hollywood:
        for number, column in enumerate(sheet.columns, 1):
            state = "open" if column.winner is None else f"closed, {sheet.names[column.winner]} has won it"
            totals = ", ".join(f"{name} {points}" for name, points in zip(sheet.names, column.points, strict=True))
            lines.append(f"Column {number}: {totals}; {state}")
    else:
        short = ", ".join(
            f"{name} needs {sheet.rules.target - points}"
            for name, points in zip(sheet.names, sheet.totals, strict=True)
        )
        lines.append(f"The game goes on to {sheet.rules.target}: {short}")
    if sheet.next_dealer is not None and not sheet.rules.partnership:
        out = " and sits out" if sheet.rules.cutthroat else ""
        lines.append(f"{sheet.names[sheet.next_dealer]} deals next{out}")
    return lines


def _end_text(sheet: Sheet) -> list[str]:
    lines = []
    if sheet.rules.hollywood:
        for number in range(len(sheet.columns)):
            lines += [*_final_table(sheet, sheet.column_final(number), f"Column {number + 1}"), ""]
    lines += _final_table(sheet, sheet.final(), "All columns" if sheet.rules.hollywood else "")
    if sheet.winner is None:
        lines.append("A draw: the columns add up to the same")
        return lines
    winner = sheet.names[sheet.winner]
    after = f" after {plural(len(sheet.rows), 'hand')}" if sheet.rows else ""
    if not sheet.rules.cutthroat:
        return [*lines, f"{winner} wins{after} by {sheet.margin(1 - sheet.winner)}"]
    lines.append(f"{winner} wins{after}")
    final = sheet.final()
    for loser, name in enumerate(sheet.names):
        if loser == sheet.winner:
            continue
        by = sheet.margin(loser)
        doubled = by - (final[sheet.winner].total - final[loser].total)
        more = f", {doubled} of it because {name} was shut out" if doubled else ""
        lines.append(f"  against {name} by {by}{more}")
    return lines


def _final_table(sheet: Sheet, lines: Sequence[FinalLine], title: str) -> list[str]:
    rules = sheet.rules
    table: list[tuple[str, Sequence[object]]] = [
        ("Hand points", [line.points for line in lines]),
        (f"Hands won, {rules.box_bonus} each", [f"{line.boxes}: {line.box_points}" for line in lines]),
        ("Game bonus", [line.game_bonus for line in lines]),
        (SHUTOUT_NAMES[rules.shutout], [line.shutout for line in lines]),
        ("Total", [line.total for line in lines]),
    ]
    left = max(len(label) for label, _ in table)
    cells = [max(10, _width(name) + 2) for name in sheet.names]

    def row(label: str, values: Sequence[object]) -> str:
        return _left(label, left) + "".join(_right(str(value), cell) for value, cell in zip(values, cells, strict=True))

    return [row(title, sheet.names), *(row(label, values) for label, values in table)]


def _width(text: str) -> int:
    """Columns a text takes on a terminal."""
    return sum(
        0
        if unicodedata.combining(sign) or unicodedata.category(sign) == "Cf"
        else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def _left(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _right(text: str, width: int) -> str:
    return " " * (width - _width(text)) + text
