"""The record book: numbers that can be reckoned by hand."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from ginrummy.record_book import FinishedGame, FinishedHand, Statistics, reckon, statistics_json, statistics_text


def game(number: int, status: str, level: str = "easy", rules: str = "race", **settings: object) -> FinishedGame:
    return FinishedGame(number, rules, settings, level, status)


def hand(
    number: int, at: int, winner: int | None, result: str, points: int, deadwood: int | None = None
) -> FinishedHand:
    """A hand whose knocker follows from winner and result; ``deadwood`` is the defender's."""
    knocker = None if winner is None else 1 - winner if result == "undercut" else winner
    return FinishedHand(number, at, winner, result, points, knocker, deadwood)


DEAD = (None, "dead", 0)

BOOK = reckon(
    [game(1, "won"), game(2, "won"), game(3, "lost", "hard"), game(4, "resigned", "hard", target=50), game(5, "won")],
    [
        hand(1, 0, 0, "knock", 30, 37),
        hand(1, 1, *DEAD),
        hand(1, 2, 0, "gin", 75, 50),
        hand(2, 0, 1, "knock", 12, 19),
        hand(2, 1, 0, "undercut", 27, 4),
        hand(2, 2, 0, "big-gin", 75, 44),
        hand(3, 0, 1, "gin", 60, 35),
        hand(3, 1, 1, "undercut", 41, 3),
        hand(4, 0, 1, "big-gin", 40, 9),
        hand(5, 0, 0, "knock", 1, 9),
    ],
)


def test_the_numbers_of_all_games() -> None:
    assert without_groups(BOOK) == {
        "schema": 1,
        "games": 5,
        "won": 3,
        "lost": 2,
        "drawn": 0,
        "resigned": 1,
        "streak": 1,
        "longest_winning_streak": 2,
        "longest_losing_streak": 2,
        "hands": 10,
        "hands_won": [5, 4],
        "points": [30 + 75 + 27 + 75 + 1, 12 + 60 + 41 + 40],
        "results": {"knock": [2, 1], "gin": [1, 1], "big-gin": [1, 1], "undercut": [1, 1], "dead": 1},
        "best_hand": {"points": 75, "result": "gin", "game": 1, "hand": 2},
        "worst_hand": {"points": 60, "result": "gin", "game": 3, "hand": 0},
        # Caught by a knock (19), gin (35) and big gin (9); an undercut catches the knocker.
        "deadwood_when_caught": 21.0,
    }


def without_groups(book: Statistics) -> dict[str, Any]:
    return {key: value for key, value in statistics_json(book).items() if key != "by_rules_and_level"}


def test_the_numbers_by_rules_and_level() -> None:
    groups = statistics_json(BOOK)["by_rules_and_level"]
    assert [(g["rules"], g.get("set"), g["level"], g["games"], g["won"], g["hands"]) for g in groups] == [
        ("race", None, "easy", 3, 3, 7),
        ("race", None, "hard", 1, 0, 2),
        ("race", {"target": 50}, "hard", 1, 0, 1),
    ]
    assert [g["streak"] for g in groups] == [3, -1, -1]
    assert [g["deadwood_when_caught"] for g in groups] == [19.0, 35.0, 9.0]
    total = statistics_json(BOOK)
    for key in ("games", "won", "lost", "resigned", "hands"):
        assert sum(group[key] for group in groups) == total[key]


@pytest.mark.parametrize(
    ("results", "streak", "won", "lost"),
    [
        ("", 0, 0, 0),
        ("w", 1, 1, 0),
        ("wwl", -1, 2, 1),
        ("wwlllw", 1, 2, 3),
        ("wwrlw", 1, 2, 2),
        ("wwd", 0, 2, 0),
        ("wwdw", 1, 2, 0),
        ("lldl", -1, 0, 2),
    ],
)
def test_streaks(results: str, streak: int, won: int, lost: int) -> None:
    """In the order games were finished, whatever their numbers; a drawn game ends every streak."""
    names = {"w": "won", "l": "lost", "r": "resigned", "d": "drawn"}
    page = reckon([game(100 - at, names[letter]) for at, letter in enumerate(results)], []).total
    assert (page.streak, page.longest_won, page.longest_lost, page.games) == (streak, won, lost, len(results))


def test_text_of_one_group() -> None:
    book = reckon([game(1, "won")], [hand(1, 0, 0, "gin", 100, 75), hand(1, 1, 1, "knock", 1, 8)])
    assert statistics_text(book) == [
        "All games: race, against easy",
        "Games: 1 played, 1 won, 0 lost",
        "In a row: 1 won now, at most 1 won and 0 lost",
        "Hands: 2 played, 1 won, 1 lost, 0 dead",
        "You won: 0 by knock, 1 by gin, 0 by big gin, 0 by undercut; 100 points",
        "You lost: 1 by knock, 0 by gin, 0 by big gin, 0 by undercut; 1 point",
        "Best hand: 100 points by gin (game 1)",
        "Worst hand: 1 point by knock (game 1)",
        "Deadwood when caught: 8.0 points on average, 1 time",
    ]


def test_text_of_several_groups() -> None:
    lines = statistics_text(BOOK)
    assert lines[:2] == ["All games", "Games: 5 played, 3 won, 2 lost (1 resigned)"]
    heads = [after for before, after in pairwise(lines) if not before]
    assert heads == ["race, against easy", "race, against hard", "race target=50, against hard"]
    assert all(len(line) <= 79 for line in lines)


def test_an_empty_book() -> None:
    book = reckon([], [])
    assert statistics_text(book) == ["No game is finished yet: only finished games count."]
    found = statistics_json(book)
    assert (found["games"], found["best_hand"], found["deadwood_when_caught"]) == (0, None, None)
    assert found["by_rules_and_level"] == []
