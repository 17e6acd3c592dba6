"""What a player sees, as lines of text: only what the player's view holds."""

from collections.abc import Sequence

from ginrummy.cards import cards_in
from ginrummy.game import Game, Table
from ginrummy.hand import Hand, HandEnd
from ginrummy.kernel.view import DISCARDING, View
from ginrummy.melds import best_arrangement
from ginrummy.render import RESULT_NAMES, Style, by_points, plural, points_text, spread_text
from ginrummy.sheet import Row, Sheet

YOU = "You"


def hand_line(view: View, style: Style) -> str:
    """A hand by its best melds, each in brackets, then the loose cards; the card just drawn is starred."""

    def card(number: int) -> str:
        return style.card(number) + ("*" if number == view.drawn else "")

    arrangement = best_arrangement(view.hand)
    melds = ["[" + " ".join(card(number) for number in meld.cards) + "]" for meld in arrangement.melds]
    loose = [card(number) for number in by_points(arrangement.loose)]
    # Eleven cards: what counts is what is left when one has been thrown.
    points = deadwood_after(view) if view.phase == DISCARDING else arrangement.deadwood
    word = "deadwood at best" if view.phase == DISCARDING else "deadwood"
    return f"{' '.join(melds + loose)}   {word} {points}"


def deadwood_after(view: View) -> int:
    """Least deadwood in points after the best permitted discard."""
    return min(best_arrangement(view.hand ^ 1 << card).deadwood for card in cards_in(view.hand) if card != view.taken)


def table_lines(view: View, style: Style, opponent: str) -> list[str]:
    """The table from one seat: pile, stock, what the opponent is known to hold, the hand."""
    pile = f"Pile {style.card(view.pile[-1])}" if view.pile else "Pile empty"
    lines = [f"{pile}, stock {plural(view.stock, 'card')}, knock {limit_text(view.limit)}"]
    if view.known:
        lines.append(f"{opponent} holds {style.cards(cards_in(view.known))}")
    lines.append(hand_line(view, style))
    return lines


def limit_text(limit: int) -> str:
    """The knock limit in words."""
    return f"at {limit} or less" if limit else "with gin only"


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


def verb(name: str, word: str) -> str:
    """``you deal``, ``Computer deals``."""
    return f"you {word}" if name == YOU else f"{name} {word}s"


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
    deals = f"{verb(dealer, 'deal')}{out if game.rules.cutthroat else ''}."
    points = ", ".join(f"{name} {total}" for name, total in zip(sheet.names, sheet.totals, strict=True))
    number = len(sheet.rows) + 1
    if table.players[0] == 0:
        lines = [f"Hand {number}. {deals[:1].upper()}{deals[1:]} {points}, to {game.rules.target}."]
    else:
        one, other = (names[player] for player in table.players)
        where = "At the other table" if game.rules.partnership else f"Hand {number}"
        lines = [f"{where} {one} plays {other}. {deals[:1].upper()}{deals[1:]}"]
    factor = game.rules.multiplier(hand.upcard, None)
    if factor != 1:
        lines.append("A spade upcard: the points of this hand count double.")
    return lines


def end_lines(end: HandEnd, names: Sequence[str], style: Style) -> list[str]:
    """Both spreads, layoffs and arithmetic of a hand that is over."""
    if end.showdown is None or end.knocker is None or end.winner is None:
        return ["The hand is dead: nobody scores, the same dealer deals again."]
    knocker, defender = names[end.knocker], names[1 - end.knocker]
    lines = spread_text(end.showdown, style, knocker, defender)
    lines.append(f"{RESULT_NAMES[end.result]}: {points_text(end.showdown, names[end.winner])}")
    return lines


def row_lines(sheet: Sheet, row: Row) -> list[str]:
    """What a deal brought, and how things stand."""
    names = sheet.names
    lines = []
    if sheet.rules.partnership:
        if row.winner is None:
            lines.append("The tables add up to nothing: nobody scores this deal.")
        else:
            both = f", {row.bonus} of them because both partners won" if row.bonus else ""
            lines.append(f"The deal is won by {names[row.winner]}: {plural(row.points, 'point')}{both}.")
    if not sheet.rules.hollywood:
        points = ", ".join(f"{name} {total}" for name, total in zip(names, row.totals, strict=True))
        return [*lines, f"Score: {points}."]
    width = max(map(len, names))
    lines.append(" " * width + "".join(f"{f'column {number}':>11}" for number in range(1, len(sheet.columns) + 1)))
    for side, name in enumerate(names):
        cells = "".join(f"{points[side]:>11}" for points in row.columns)
        lines.append(f"{name:<{width}}{cells}")
    closed = [str(number) for number, column in enumerate(sheet.columns, 1) if column.closed]
    if closed:
        lines.append(f"Closed: column{'s' * (len(closed) > 1)} {', '.join(closed)}")
    return lines


def score_lines(game: Game) -> list[str]:
    """The running sheet."""
    lines = []
    for row in game.sheet.rows:
        won = "dead" if row.winner is None else f"{game.sheet.names[row.winner]} {row.points} ({row.result})"
        totals = " : ".join(str(total) for total in row.totals)
        lines.append(f"Hand {row.number}: {won}, {totals}")
    if game.rules.best_of > 1:
        won_games = ", ".join(f"{n} {w}" for n, w in zip(game.match.names, game.match.games_won, strict=True))
        lines.append(f"Games won: {won_games}")
    return lines or ["Nobody has scored yet."]


def final_lines(game: Game) -> list[str]:
    """The sheet of a game that is over, and of the match."""
    sheet, rules = game.sheet, game.rules
    winner = sheet.winner
    found = ["Nobody has won the game: the columns add up to the same."]
    if winner is not None:
        found = ["You have won the game." if sheet.names[winner] == YOU else f"{sheet.names[winner]} won the game."]
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
