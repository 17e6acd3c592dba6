"""The record book of a player: games and hands won and lost, by rules and level, as numbers, text and JSON.

Only finished games stand in it: won, lost, drawn (hollywood can end so) or resigned. Of a resigned game the hands that were played out count.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ginrummy.records import SCHEMA, settings_json
from ginrummy.render import plural

PLAYER: Final = 0
RESULTS: Final = ("knock", "gin", "big-gin", "undercut")


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game for the book."""

    id: int
    rules: str
    """The text the rules were named by."""
    settings: Mapping[str, object]
    """What was set besides."""
    level: str
    status: str
    """``won``, ``lost``, ``drawn`` or ``resigned``."""


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A hand in which the player sat at the table."""

    game: int
    number: int
    """Among the deals of the game, from 0."""
    winner: int | None
    """The player who scored; None after a dead hand."""
    result: str
    points: int
    knocker: int | None
    """The player who knocked."""
    defender_deadwood: int | None
    """In points, after laying off."""


@dataclass(slots=True)
class Page:
    """The numbers of some games, from the player's side."""

    won: int = 0
    lost: int = 0
    """Games, those resigned included."""
    resigned: int = 0
    drawn: int = 0
    streak: int = 0
    """Games won in a row up to now; below zero: lost in a row."""
    longest_won: int = 0
    """Most games ever won in a row."""
    longest_lost: int = 0
    results: dict[str, list[int]] = field(default_factory=lambda: {name: [0, 0] for name in RESULTS})
    """How often each kind of end was won by the player and by the opponent. An undercut is won by the defender."""
    dead: int = 0
    """Hands nobody scored."""
    points: list[int] = field(default_factory=lambda: [0, 0])
    """Of hands, by the player and by the opponent."""
    best: FinishedHand | None = None
    """The hand that brought the player most points; the first of equals."""
    worst: FinishedHand | None = None
    """The hand that brought the opponent most points."""
    caught: int = 0
    """Hands that the opponent ended and won: by a knock, gin or big gin."""
    caught_deadwood: int = 0
    """The player's deadwood in them, after laying off, in points."""

    @property
    def games(self) -> int:
        return self.won + self.lost + self.drawn

    @property
    def hands_won(self) -> tuple[int, int]:
        """Hands won by the player and by the opponent."""
        return sum(by[0] for by in self.results.values()), sum(by[1] for by in self.results.values())

    @property
    def hands(self) -> int:
        return sum(self.hands_won) + self.dead

    @property
    def average_caught(self) -> float | None:
        """Average deadwood when caught, in points; None: never caught."""
        return self.caught_deadwood / self.caught if self.caught else None

    def add_game(self, game: FinishedGame) -> None:
        """Enter a game; they come in the order they were finished."""
        if game.status == "won":
            self.won += 1
            self.streak = max(self.streak, 0) + 1
            self.longest_won = max(self.longest_won, self.streak)
        elif game.status == "drawn":
            self.drawn += 1
            self.streak = 0
        else:
            self.lost += 1
            self.resigned += game.status == "resigned"
            self.streak = min(self.streak, 0) - 1
            self.longest_lost = max(self.longest_lost, -self.streak)

    def add_hand(self, hand: FinishedHand) -> None:
        """Enter a hand."""
        if hand.winner is None:
            self.dead += 1
            return
        side = 0 if hand.winner == PLAYER else 1
        self.results[hand.result][side] += 1
        self.points[side] += hand.points
        if side == 0 and (self.best is None or hand.points > self.best.points):
            self.best = hand
        if side == 1 and (self.worst is None or hand.points > self.worst.points):
            self.worst = hand
        if side == 1 and hand.knocker == hand.winner:
            self.caught += 1
            self.caught_deadwood += hand.defender_deadwood or 0


@dataclass(frozen=True, slots=True)
class Statistics:
    """The whole book."""

    total: Page
    groups: dict[tuple[str, str], tuple[FinishedGame, Page]]
    """By rules (with what was set besides) and level, in the order of the first game; with that game."""


def rules_label(rules: str, settings: Mapping[str, object]) -> str:
    """Rules with what was set besides, as they are typed."""
    return rules + "".join(f" {key}={'none' if value is None else value}" for key, value in sorted(settings.items()))


def reckon(games: Iterable[FinishedGame], hands: Iterable[FinishedHand]) -> Statistics:
    """Make the book of games in the order they were finished, and of their hands."""
    book = Statistics(Page(), {})
    group_of: dict[int, Page] = {}
    for game in games:
        page = book.groups.setdefault((rules_label(game.rules, game.settings), game.level), (game, Page()))[1]
        group_of[game.id] = page
        page.add_game(game)
        book.total.add_game(game)
    for hand in hands:
        group_of[hand.game].add_hand(hand)
        book.total.add_hand(hand)
    return book


def _hand_json(hand: FinishedHand | None) -> dict[str, Any] | None:
    if hand is None:
        return None
    return {"points": hand.points, "result": hand.result, "game": hand.game, "hand": hand.number}


def _page_json(page: Page) -> dict[str, Any]:
    average = page.average_caught
    return {
        "games": page.games,
        "won": page.won,
        "lost": page.lost,
        "drawn": page.drawn,
        "resigned": page.resigned,
        "streak": page.streak,
        "longest_winning_streak": page.longest_won,
        "longest_losing_streak": page.longest_lost,
        "hands": page.hands,
        "hands_won": list(page.hands_won),
        "points": list(page.points),
        "results": page.results | {"dead": page.dead},
        "best_hand": _hand_json(page.best),
        "worst_hand": _hand_json(page.worst),
        "deadwood_when_caught": None if average is None else round(average, 6),
    }


def statistics_json(book: Statistics) -> dict[str, Any]:
    """The book as ``play --stats --json`` shows it; pairs are the player's number and the opponent's."""
    groups = []
    for (_, level), (first, page) in book.groups.items():
        head: dict[str, Any] = {"rules": first.rules}
        if first.settings:
            head["set"] = settings_json(first.settings)
        groups.append(head | {"level": level} | _page_json(page))
    return {"schema": SCHEMA} | _page_json(book.total) | {"by_rules_and_level": groups}


def _page_text(page: Page) -> list[str]:
    resigned = f" ({page.resigned} resigned)" if page.resigned else ""
    mine, other = page.hands_won
    drawn = f", {page.drawn} drawn" if page.drawn else ""
    lines = [f"Games: {page.games} played, {page.won} won, {page.lost} lost{resigned}{drawn}"]
    now = f"{abs(page.streak)} {'won' if page.streak > 0 else 'lost'} now, " if page.streak else ""
    lines.append(f"In a row: {now}at most {page.longest_won} won and {page.longest_lost} lost")
    lines.append(f"Hands: {page.hands} played, {mine} won, {other} lost, {page.dead} dead")
    for at, title in enumerate(("You won", "You lost")):
        ends = ", ".join(f"{by[at]} by {name.replace('-', ' ')}" for name, by in page.results.items())
        lines.append(f"{title}: {ends}; {plural(page.points[at], 'point')}")
    for title, hand in (("Best hand", page.best), ("Worst hand", page.worst)):
        if hand is not None:
            result = hand.result.replace("-", " ")
            lines.append(f"{title}: {plural(hand.points, 'point')} by {result} (game {hand.game})")
    if page.average_caught is not None:
        lines.append(
            f"Deadwood when caught: {page.average_caught:.1f} points on average, {plural(page.caught, 'time')}"
        )
    return lines


def statistics_text(book: Statistics) -> list[str]:
    """The book as lines: all games, then those of each rules and level where there is more than one such group."""
    if not book.total.games:
        return ["No game is finished yet: only finished games count."]
    if len(book.groups) == 1:
        ((rules, level),) = book.groups
        return [f"All games: {rules}, against {level}", *_page_text(book.total)]
    lines = ["All games", *_page_text(book.total)]
    for (rules, level), (_, page) in book.groups.items():
        lines += ["", f"{rules}, against {level}", *_page_text(page)]
    return lines
