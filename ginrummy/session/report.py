"""What is told around the hands: who deals, what a hand brought, the running sheet, the end of a game."""

from collections.abc import Sequence

from ginrummy.cards import card_points, mask_of
from ginrummy.game import Game, Table
from ginrummy.hand import Hand, HandEnd
from ginrummy.render import RESULT_NAMES, Style, by_points, plural, points_text, spread_text
from ginrummy.rules import Rules
from ginrummy.scoring import HandResult
from ginrummy.session.console import WordStyle, listed
from ginrummy.session.screen import YOU, sentence, verb
from ginrummy.sheet import Row, Sheet

COLUMN = 10
"""Letters of a name over a column of the sheet, so that it goes into 40 columns."""

LAST_ROWS = 6
"""Lines of the running sheet after a hand; ``score`` shows all."""


def player_names(rules: Rules, me: str, opponent: str) -> tuple[str, ...]:
    """Who plays, by player."""
    if rules.partnership:
        return (me, f"{opponent} 1", "Partner", f"{opponent} 2")
    return (me, f"{opponent} 1", f"{opponent} 2") if rules.cutthroat else (me, opponent)


def side_names(rules: Rules, names: Sequence[str], opponent: str) -> tuple[str, ...]:
    """The sides of the sheet."""
    return (f"{names[0]} and {names[2].lower()}", f"{opponent}s") if rules.partnership else tuple(names)


def start_lines(game: Game, tables: Sequence[Table], names: Sequence[str], style: Style) -> list[str]:
    """How the first dealer of a game was found."""
    lines = [f"Game {len(game.match.games)}."] if game.rules.best_of > 1 else []
    sides = game.sheet.names
    for mine, other in game.cuts():
        deals = "again" if mine % 13 == other % 13 else verb(sides[0 if mine % 13 < other % 13 else 1], "deal")
        lines.append(f"Cut: {sides[0]} {style.card(mine)}, {sides[1]} {style.card(other)}: {deals}.")
    if not game.cuts():
        lines.append(f"By lot {verb(dealer_name(game, tables[0], names), 'deal')}.")
    return lines


def dealer_name(game: Game, table: Table, names: Sequence[str]) -> str:
    """Who deals a hand; of three players the one who sits out."""
    if game.rules.cutthroat:
        return names[next(player for player in range(3) if player not in table.players)]
    return names[table.players[table.dealer]]


def deal_lines(game: Game, table: Table, hand: Hand, names: Sequence[str]) -> list[str]:
    """The head of a hand: who deals, who plays, and the score."""
    sheet = game.sheet
    dealer = dealer_name(game, table, names)
    out = " and sit out" if dealer == YOU else " and sits out"
    deals = sentence(f"{verb(dealer, 'deal')}{out if game.rules.cutthroat else ''}.")
    number = len(sheet.rows) + 1
    if table.players[0] == 0:
        lines = [f"Hand {number}. {deals} {listed(sheet.names, sheet.totals)}, to {game.rules.target}."]
    else:
        one, other = (names[player] for player in table.players)
        where = "At the other table" if game.rules.partnership else f"Hand {number}"
        lines = [f"{where} {one} plays {other}. {deals}"]
    factor = game.rules.multiplier(hand.upcard, None)
    if factor != 1:
        lines.append("A spade upcard: the points of this hand count double.")
    return lines


def standing_line(game: Game, table: Table, names: Sequence[str]) -> str:
    """Score, target and dealer, above the table while a hand is played."""
    sheet = game.sheet
    dealt = dealer_name(game, table, names)
    return sentence(
        f"{listed(sheet.names, sheet.totals)}, to {game.rules.target}; {'you' if dealt == YOU else dealt} dealt"
    )


def end_lines(end: HandEnd, names: Sequence[str], style: Style) -> list[str]:
    """Both spreads, layoffs and arithmetic of a hand that is over."""
    if end.showdown is None or end.knocker is None or end.winner is None:
        return ["The hand is dead: nobody scores, the same dealer deals again."]
    knocker, defender = names[end.knocker], names[1 - end.knocker]
    words = isinstance(style, WordStyle)
    lines = (
        _spread_words(end.showdown, style, names, end.knocker)
        if words
        else spread_text(end.showdown, style, knocker, defender)
    )
    lines.append(f"{RESULT_NAMES[end.result]}: {points_text(end.showdown, names[end.winner])}")
    return lines


def _spread_words(result: HandResult, style: Style, names: Sequence[str], knocker: int) -> list[str]:
    """Both spreads and the layoffs, a sentence each."""
    lines = []
    laid = mask_of(layoff.card for layoff in result.defender.layoffs)
    sides = ((knocker, result.knocker, 0), (1 - knocker, result.defender.arrangement, laid))
    for seat, arrangement, besides in sides:
        loose = by_points(arrangement.loose | besides)
        points = sum(card_points(card) for card in loose)
        melds = f"melds {style.melds(arrangement)}" if arrangement.melds else "no melds"
        lines.append(f"{names[seat]}: {melds}. Loose: {style.cards(loose) or 'nothing'}. Deadwood {points}.")
    defender = names[1 - knocker]
    for layoff in result.defender.layoffs:
        text = f"{verb(defender, 'lay')} off the {style.card(layoff.card)} onto {style.cards(layoff.onto.cards)}."
        lines.append(sentence(text))
    if laid:
        whose = "your" if defender == YOU else f"{defender}'s"
        lines.append(f"That leaves {whose} deadwood at {result.defender.deadwood}.")
    return lines


def row_lines(sheet: Sheet, row: Row, style: Style) -> list[str]:
    """What a deal brought, and the running sheet."""
    names = sheet.names
    lines = []
    if sheet.rules.partnership:
        if row.winner is None:
            lines.append("The tables add up to nothing: nobody scores this deal.")
        else:
            both = f", {row.bonus} of them because both partners won" if row.bonus else ""
            lines.append(f"The deal is won by {names[row.winner]}: {plural(row.points, 'point')}{both}.")
    if not sheet.rules.hollywood:
        lines.append(f"Score: {listed(names, row.totals)}.")
    return lines + sheet_lines(sheet, style, LAST_ROWS)


def _won(row: Row, sheet: Sheet) -> str:
    """What a row brought, in short."""
    if row.winner is None:
        return "dead" if row.result == "dead" else "even"
    return f"{row.result} +{row.points}" if row.result != "points" else f"+{row.points}"


def _short(names: Sequence[str]) -> list[str]:
    """Names that fit over a column."""
    return [name if len(name) <= COLUMN else name[: COLUMN - 1] + "." for name in names]


def sheet_lines(sheet: Sheet, style: Style, most: int | None = None) -> list[str]:
    """The sheet of a game as a table, or its last lines."""
    if not sheet.rows:
        return []
    rows = sheet.rows if most is None else sheet.rows[-most:]
    names: Sequence[str] = sheet.names
    words = isinstance(style, WordStyle)
    lines = []
    if words:
        for row in rows:
            who = "nobody scores" if row.winner is None else f"{names[row.winner]}, {plural(row.points, 'point')}"
            how = (
                ""
                if row.result == "points"
                else f" by {row.result.replace('-', ' ')}"
                if row.winner is not None
                else ""
            )
            lines.append(f"Hand {row.number}: {who}{how}. {listed(names, row.totals)}.")
    else:
        left = max([len(f"{rows[-1].number:>2} {_won(row, sheet)}") for row in rows] + [5]) + 1
        names = _short(names)
        cells = [max(6, len(name) + 2) for name in names]
        lines.append(f"{'Sheet':<{left}}" + "".join(f"{name:>{cell}}" for name, cell in zip(names, cells, strict=True)))
        for row in rows:
            totals = "".join(f"{total:>{cell}}" for total, cell in zip(row.totals, cells, strict=True))
            lines.append(f"{f'{row.number:>2} {_won(row, sheet)}':<{left}}{totals}")
    if sheet.rules.hollywood:
        lines += _column_lines(sheet, words)
    return lines


def _column_lines(sheet: Sheet, words: bool) -> list[str]:
    """The three columns of hollywood as they stand."""
    names: Sequence[str] = sheet.names
    if words:
        return [
            f"Column {number}: {listed(names, column.points)}{', closed' if column.closed else ''}."
            for number, column in enumerate(sheet.columns, 1)
        ]
    names = _short(names)
    width = max(map(len, names))
    lines = [" " * width + "".join(f"{f'column {number}':>10}" for number in range(1, len(sheet.columns) + 1))]
    for side, name in enumerate(names):
        lines.append(f"{name:<{width}}" + "".join(f"{column.points[side]:>10}" for column in sheet.columns))
    closed = [str(number) for number, column in enumerate(sheet.columns, 1) if column.closed]
    if closed:
        lines.append(f"Closed: column{'s' * (len(closed) > 1)} {', '.join(closed)}")
    return lines


def score_lines(game: Game, style: Style) -> list[str]:
    """The whole sheet, and the games of a match."""
    sheet = game.sheet
    lines = sheet_lines(sheet, style) or ["Nobody has scored yet."]
    if game.rules.best_of > 1:
        lines.append(f"Games won: {listed(game.match.names, game.match.games_won)}")
    return lines


def final_lines(game: Game) -> list[str]:
    """The final sheet of a game that is over, with its bonuses, and of the match."""
    sheet, rules = game.sheet, game.rules
    winner = sheet.winner
    found = ["Nobody has won the game: the columns add up to the same."]
    if winner is not None:
        name = sheet.names[winner]
        found = ["You have won the game." if name == YOU else f"{name} won the game."]
    for name, line in zip(sheet.names, sheet.final(), strict=True):
        parts = [plural(line.points, "point")]
        if rules.box_bonus:
            parts.append(f"{line.boxes} x {rules.box_bonus} for hands won")
        if line.game_bonus:
            parts.append(f"{line.game_bonus} for the game")
        if line.shutout:
            parts.append(f"{line.shutout} for the shutout")
        found.append(f"{name}: {' + '.join(parts)} = {line.total}")
    if winner is not None:
        for loser, name in enumerate(sheet.names):
            if loser != winner:
                over = f" over {name}" if len(sheet.names) > 2 else ""
                found.append(f"Margin{over} {sheet.margin(loser)}")
    if rules.best_of > 1:
        games = " : ".join(map(str, game.match.games_won))
        found.append(f"Games {games}.")
        if game.match.winner is not None:
            found.append(f"The match goes to {game.match.names[game.match.winner]}.")
    return found
