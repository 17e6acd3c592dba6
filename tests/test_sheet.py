"""Score sheets: what every preset and variant makes of hands, what a line may be, how sheets are shown and kept."""

from __future__ import annotations

import json
import os
import re
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from ginrummy import IllegalError, ImpossibleError, card_name, load_rules
from ginrummy.cli import Outcome, run
from ginrummy.hand import Action, Hand
from ginrummy.sheet import DEAD, Match, Sheet, dealer_after, knock_entry, points_entry, result_entry
from ginrummy.sheet_file import add_line
from ginrummy.sheet_lines import quoted_word, read_line, split_names

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases/sheet.jsonl").read_text("utf-8").splitlines()]
KNOCKER = "7S 8S 9S KC KH KD KS AD 2C 4C"
DEFENDER = "5H 6H 7H QS QD QC 10S 2D 4D JH"


def score(lines: list[str], *options: str) -> Outcome:
    """One run over a sheet of text on standard input."""
    return run(["score", *options, "--sheet", "-"], "\n".join(lines).encode())


def answer(lines: list[str], *options: str) -> dict[str, Any]:
    """What a sheet of text comes to."""
    done = score(lines, "--json", *options)
    assert (done.status, done.stderr) == (0, ""), done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def record(value: dict[str, Any], *options: str) -> dict[str, Any]:
    """What a record comes to."""
    done = run(["score", "--json", *options], json.dumps(value).encode())
    assert (done.status, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    assert found.pop("line") == 1
    return found


def refused(lines: list[str], *options: str) -> str:
    """The message with which a sheet is refused; nothing is scored then."""
    done = score(lines, *options)
    assert (done.status, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    return done.stderr


# --- cases and worked examples ------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_cases(case: dict[str, Any]) -> None:
    """The cases of the specification."""
    options = ["--rules", case["rules"]]
    for setting in case.get("set", []):
        options += ["--set", setting]
    if "teams" in case:
        options += ["--teams", case["teams"]]
    if "players" in case:
        options += ["--names", ",".join(case["players"])]
    expect = case["expect"]
    if "error_line" in expect:
        assert re.search(rf"\bline {expect['error_line']}\b", refused(case["lines"], *options))
        return
    got = record(case["record"], *options) if "record" in case else answer(case["lines"], *options)
    final = got.get("final", [])
    have = {key: got.get(key) for key in ("finished", "winner", "finished_after", "margin")} | {
        "totals": [line["total"] for line in final],
        "points": [line["points"] for line in final] or (got["rows"][-1]["totals"] if got["rows"] else None),
        "columns": [column["totals"] for column in got.get("columns", [])],
        "closed": [column["closed"] for column in got.get("columns", [])],
    }
    assert {key: have[key] for key in expect} == expect


@pytest.mark.parametrize(
    ("rules", "lines", "columns"),
    [
        ("+hollywood", "A 18, B 12, A 25, B 30, A 15, A 22, B 20", [[80, 62], [62, 50], [37, 20]]),
        ("+hollywood", "A 32, A 28, A 45", [[105, 0], [73, 0], [45, 0]]),
        ("+hollywood", "A 32, A 28, A 45, A 30", [[105, 0], [103, 0], [75, 0]]),
        ("+hollywood", "A 60, A 50, B 30, B 20", [[110, 0], [50, 50], [0, 20]]),
    ],
)
def test_worked_examples_of_hollywood(rules: str, lines: str, columns: list[list[int]]) -> None:
    """Column by column."""
    got = answer(lines.split(", "), "--rules", rules, "--names", "A,B")
    assert [column["totals"] for column in got["columns"]] == columns
    assert got["rows"][-1]["totals"] == [sum(column[side] for column in columns) for side in (0, 1)]


@pytest.mark.parametrize(
    ("rules", "line", "winner", "points"),
    [
        ("romme", "Anna knock 7 16", "Anna", 9),
        ("romme", "Anna knock 7 6", "Ben", 26),
        ("romme", "Anna knock 7 7", "Ben", 25),
        ("romme", "Ben undercut 7 6", "Ben", 26),
        ("race", "Anna knock 7 19", "Anna", 12),
        ("race", "Anna gin 40", "Anna", 65),
        ("race", "Anna big-gin 40", "Anna", 71),
        ("oklahoma", "Ben undercut 7 3 upcard=9S", "Ben", 58),
        ("oklahoma", "Anna gin 40 upcard=AS", "Anna", 130),
        ("oklahoma", "Anna gin 40 upcard=AH", "Anna", 65),
        ("oklahoma", "Anna gin 40 *", "Anna", 130),
        ("oklahoma+spades", "Anna knock 2 12 upcard=5S", "Anna", 20),
        ("oklahoma+spades", "Anna knock 2 12 upcard=5S *", "Anna", 40),
        ("oklahoma+spades", "Anna knock 2 12 * upcard=5H", "Anna", 20),
        ("+spades", "Anna knock 2 12 *", "Anna", 20),
        # Rules that do not ask for the upcard do not look at it.
        ("classic", "Anna knock 7 16 upcard=2S", "Anna", 9),
        ("classic", "Anna KNOCK 7 16 UPCARD=♠2", "Anna", 9),
        ("classic", "Anna knock 0 16", "Anna", 41),
    ],
)
def test_one_line(rules: str, line: str, winner: str, points: int) -> None:
    """Knocks, gins and undercuts, doubled or not."""
    (row,) = answer([line], "--rules", rules, "--names", "Anna,Ben")["rows"]
    assert (row["winner"], row["points"]) == (winner, points)
    assert row["totals"] == ([points, 0] if winner == "Anna" else [0, points])


# --- every preset plays as its column says ------------------------------------------------------

# gin on 30, undercut 7 6, big gin on 30; target, game bonus, box; what a shutout of 60 + 60 (two hands) adds by
# no-points; who deals (0: the winner) after a hand dealt by side 1 and won by side 0.
PRESETS: dict[str, tuple[int, int, int | None, int, int, int, int, int]] = {
    "classic": (55, 26, None, 100, 100, 20, 100, 1),
    "romme": (55, 26, 61, 100, 100, 25, 120 + 100 + 50, 1),
    "oklahoma": (55, 26, 61, 150, 0, 0, 0, 0),
    "race": (55, 26, 61, 100, 0, 0, 0, 0),
    "duel": (55, 26, None, 100, 0, 0, 0, 0),
    "quick": (55, 26, 61, 50, 0, 0, 0, 0),
    "pagat": (50, 11, None, 100, 100, 20, 100, 1),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_presets(preset: str) -> None:
    """Their numbers, read off what the code does with hands."""
    gin, undercut, big_gin, target, game_bonus, box, shutout, dealer = PRESETS[preset]
    rules = load_rules(preset)
    assert knock_entry(rules, 0, 1, (0, 30)).points == gin
    assert knock_entry(rules, 0, 1, (7, 6)).points == undercut
    if big_gin is None:
        with pytest.raises(IllegalError, match="big-gin"):
            knock_entry(rules, 0, 1, (0, 30), big_gin=True)
    else:
        assert knock_entry(rules, 0, 1, (0, 30), big_gin=True).points == big_gin

    sheet = Sheet(rules, dealer=1)
    sheet.add(points_entry(rules, 1, 1))
    sheet.add(points_entry(rules, 0, target - 1))
    assert (sheet.finished, sheet.winner) == (False, None)
    with pytest.raises(IllegalError, match="not over"):
        sheet.final()
    sheet.add(points_entry(rules, 0, 1))
    assert (sheet.finished, sheet.winner) == (True, 0)
    won, lost = sheet.final()
    assert (won.points, won.boxes, won.box_points, won.game_bonus, won.shutout) == (
        target,
        2,
        2 * box,
        game_bonus,
        0,
    )
    assert (lost.points, lost.boxes, lost.box_points, lost.game_bonus, lost.shutout) == (1, 1, box, 0, 0)
    assert sheet.margin(1) == won.total - lost.total == target + box + game_bonus - 1
    with pytest.raises(IllegalError, match="hand 3"):
        sheet.add(DEAD)

    clean = Sheet(rules)
    clean.add(points_entry(rules, 0, target - 1))
    clean.add(points_entry(rules, 0, 121 - target if target < 120 else 1))
    expected = {"romme": clean.totals[0] + game_bonus + 2 * box}.get(preset, shutout)
    assert clean.final()[0].shutout == expected

    assert dealer_after(rules, 1, 0) == dealer
    assert dealer_after(rules, 1, None) == 1


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("first", [0, 1])
def test_the_order_of_dealing(preset: str, first: int) -> None:
    """Three hands won and a dead one: the dealers by the preset's rule."""
    rules = load_rules(preset, target=10000)
    sheet = Sheet(rules, dealer=first)
    dealers = [sheet.next_dealer]
    winners = [1, 1, None, 0, 0]
    for winner in winners:
        sheet.add(DEAD if winner is None else points_entry(rules, winner, 5))
        dealers.append(sheet.next_dealer)
    rule = {"classic": "loser", "romme": "loser", "pagat": "loser", "duel": "winner"}.get(preset, "alternate")
    expected = {
        "loser": [first, 0, 0, 0, 1, 1],
        "winner": [first, 1, 1, 1, 0, 0],
        "alternate": [first, 1 - first, first, first, 1 - first, first],
    }[rule]
    assert dealers == expected
    assert [row.dealer for row in sheet.rows] == expected[:-1]


def test_who_deals_may_follow_from_the_hands() -> None:
    """Where the loser or the winner deals, the first hand tells; where the deal alternates, nothing does."""
    for preset, known in (("classic", True), ("duel", True), ("race", False)):
        rules = load_rules(preset)
        sheet = Sheet(rules)
        assert sheet.next_dealer is None
        sheet.add(DEAD)
        assert sheet.next_dealer is None
        sheet.add(points_entry(rules, 0, 9))
        assert (sheet.next_dealer is not None) == known


@pytest.mark.parametrize(
    ("shutout", "added"),
    [("none", 0), ("game-bonus", 100), ("points", 120), ("points-and-bonus", 220), ("total", 270)],
)
@pytest.mark.parametrize("when", ["no-points", "no-hands"])
def test_the_readings_of_a_shutout(shutout: str, added: int, when: str) -> None:
    """What is doubled: 120 points, game bonus 100, two boxes of 25."""
    options = ["--rules", "romme", "--set", f"shutout={shutout}", "--set", f"shutout_when={when}", "--names", "A,B"]
    got = answer(["A 60", "A 60"], *options)
    assert got["final"][0]["shutout"] == added
    assert got["margin"] == got["final"][0]["total"] == 270 + added
    assert answer(["B 1", "A 60", "A 60"], *options)["final"][0]["shutout"] == 0


def test_the_conditions_of_a_shutout_differ_by_a_hand_without_points() -> None:
    """An undercut without a bonus and a difference is a hand won for no points."""
    lines = ["A knock 5 5", "A 60", "A 60"]
    options = ["--rules", "classic", "--set", "undercut_bonus=0"]
    for when, added in (("no-points", 100), ("no-hands", 0)):
        got = answer(lines, *options, "--set", f"shutout_when={when}", "--names", "A,B")
        assert got["final"][0]["shutout"] == added
        assert [line["boxes"] for line in got["final"]] == [2, 1]


@pytest.mark.parametrize("preset", PRESETS)
def test_hands_played_and_written_down_come_to_the_same(preset: str) -> None:
    """The sheet of a game that is played is the one its lines and its cards give."""
    rules = load_rules(preset)
    sheet = Sheet(rules, ("A", "B"), dealer=0)
    lines: list[str] = []
    cards: list[dict[str, Any]] = []
    while not sheet.finished and len(lines) < 200:
        dealer = sheet.next_dealer
        assert dealer is not None
        hand = Hand.deal(rules, seed=3, number=len(lines), dealer=dealer)
        while not hand.is_terminal:
            actions = hand.legal_actions()
            knocks = [action for action in actions if action.kind in ("knock", "big-gin")]
            hand.apply(knocks[-1] if knocks else Action("draw") if Action("draw") in actions else actions[-1])
        end = hand.end
        assert end is not None
        if end.showdown is None or end.knocker is None:
            sheet.add(DEAD)
            lines.append("dead")
            cards.append({"dead": True})
            continue
        row = sheet.add(result_entry(end.showdown, end.knocker, 1 - end.knocker))
        assert (row.winner, row.points) == (end.winner, end.points)
        knocker, other = end.showdown.knocker.deadwood, end.showdown.defender.deadwood
        numbers = f"{knocker} {other}" if end.result in ("knock", "undercut") else str(other)
        lines.append(f"{'AB'[row.winner or 0]} {end.result} {numbers} upcard={card_name(hand.upcard)}")
        cards.append(
            {
                "knocker": "AB"[end.knocker],
                "hand": str(hand.cards(end.knocker)),
                "opponent_hand": str(hand.cards(1 - end.knocker)),
                "upcard": card_name(hand.upcard),
                "big_gin": end.result == "big-gin",
            }
        )
    got = answer(lines, "--rules", preset, "--names", "A,B")
    assert got == record({"hands": cards, "players": ["A", "B"], "rules": preset})
    assert sheet.finished == got["finished"] is True
    assert [row["totals"] for row in got["rows"]] == [list(row.totals) for row in sheet.rows]
    assert [line["total"] for line in got["final"]] == [line.total for line in sheet.final()]
    assert got["margin"] == sheet.margin(1 - "AB".index(got["winner"]))


# --- variants -----------------------------------------------------------------------------------


def test_hollywood_has_its_own_bonuses_in_each_column() -> None:
    """Boxes are the entries of a column; the sums decide."""
    lines = ["A 60", "A 50", "B 30", "B 20", "A 45", "B 60", "A 55"]
    got = answer(lines, "--rules", "+hollywood")
    assert [(column["winner"], column["margin"]) for column in got["columns"]] == [("A", 350), ("B", 135), ("A", 120)]
    assert [[line["boxes"] for line in column["final"]] for column in got["columns"]] == [[2, 0], [2, 3], [2, 2]]
    assert [[line["shutout"] for line in column["final"]] for column in got["columns"]] == [[100, 0], [0, 0], [0, 0]]
    assert (got["winner"], got["margin"], got["finished_after"]) == ("A", 350 - 135 + 120, 7)
    assert [line["total"] for line in got["final"]] == [725, 390]


def test_hollywood_may_end_in_a_draw() -> None:
    """Then nobody has won, by 0."""
    options = ["--rules", "race+hollywood", "--set", "target=10"]
    got = answer(["A 10", "B 10", "A 5", "B 4", "B 6"], *options)
    assert got["finished"]
    assert [line["total"] for line in got["final"]] == [15, 20]
    # A closes two columns with 10 each, B the third with 20.
    got = answer(["A 10", "A 10", "B 20"], *options)
    assert (got["finished"], got["winner"], got["margin"]) == (True, None, 0)
    assert "draw" in score(["A 10", "A 10", "B 20"], *options).stdout
    # In a match the game then counts for nobody, and another is played.
    match = answer(["A 10", "A 10", "B 20", "A 30", "A 30", "A 30"], *options, "--rules", "race+hollywood+best-of=3")
    assert (match["games_won"], match["finished"]) == ([1, 0], False)


TEAMS = ["--teams", "Anna+Cem,Ben+Dora"]


@pytest.mark.parametrize(
    ("line", "winner", "points", "tables"),
    [
        ("Anna knock 7 16 / Dora gin 30", "Ben+Dora", 46, [9, 55]),
        ("Anna knock 4 20 / Cem knock 3 15", "Anna+Cem", 53, [16, 12]),
        ("Anna 9 / dead", "Anna+Cem", 9, [9, 0]),
        ("dead / Dora 9", "Ben+Dora", 9, [0, 9]),
        ("Anna 9/Dora 9", None, 0, [9, 9]),
        ("dead / dead", None, 0, [0, 0]),
        ("Anna knock 7 6 / Cem 20", "Ben+Dora", 6, [26, 20]),
        ("Anna+Cem 9 / Ben+Dora 3", "Anna+Cem", 6, [9, 3]),
    ],
)
def test_deals_of_a_partnership(line: str, winner: str | None, points: int, tables: list[int]) -> None:
    """The two results of a team are added, the greater sum scores the rest."""
    got = answer([line], "--rules", "+partnership", *TEAMS)
    (row,) = got["rows"]
    assert got["players"] == ["Anna+Cem", "Ben+Dora"]
    assert (row["winner"], row["points"]) == (winner, points)
    assert row["result"] == ("dead" if line == "dead / dead" else "points")
    assert [table["points"] for table in row["tables"]] == tables


def test_a_partnership_has_one_box_a_deal() -> None:
    """And goes to 125."""
    got = answer(["Dora 9 / dead", "Anna 60 / Cem 45"], "--rules", "+partnership", *TEAMS)
    assert (got["target"], got["winner"]) == (125, "Anna+Cem")
    assert [(line["points"], line["boxes"], line["game_bonus"]) for line in got["final"]] == [(130, 1, 100), (9, 1, 0)]


def test_partnership_in_three_columns() -> None:
    """The usual way to play hollywood in teams."""
    got = answer(["Anna 9 / dead", "Ben 20 / Anna 9", "Cem 1 / dead"], "--rules", "+hollywood+partnership", *TEAMS)
    assert [column["totals"] for column in got["columns"]] == [[10, 11], [1, 0], [0, 0]]


CUTTHROAT = ["--rules", "+cutthroat", "--names", "A,B,C"]


def test_cutthroat_margins_and_shutouts_are_reckoned_one_by_one() -> None:
    """B has points, C none: the bonus is doubled against C alone."""
    lines = ["B 10", "B 5", "A 60", "A 60"]
    got = answer(lines, *CUTTHROAT, "--dealer", "C")
    assert got["winner"] == "A"
    assert [line["total"] for line in got["final"]] == [120 + 40 + 100, 15 + 40, 0]
    assert got["margin"] == {"B": 205, "C": 360}
    text = score(lines, *CUTTHROAT, "--dealer", "C").stdout
    assert "against B by 205\n" in text
    assert "against C by 360, 100 of it because C was shut out" in text
    both = answer(["A 60", "A 50"], *CUTTHROAT)
    assert both["final"][0]["shutout"] == 100
    assert both["margin"] == {"B": 350, "C": 350}


@pytest.mark.parametrize(
    ("dealer", "lines", "wrong"),
    [
        ("C", ["C 9"], "line 1: C deals hand 1 and sits out: A and B play it"),
        ("C", ["A 9", "B 9"], "line 2: B deals hand 2 and sits out: A and C play it"),
        ("C", ["A 9", "dead", "C 3", "A 9"], "line 4: A deals hand 4 and sits out: B and C play it"),
        (None, ["A 9", "B 9", "A 9"], "line 3: A deals hand 3 and sits out"),
        ("C", ["A knock 7 6"], "line 1: an undercut: with three players name who wins it, as in B undercut 7 6"),
        (None, ["A knock 7 6"], "line 1: an undercut: with three players name who wins it, as in NAME undercut 7 6"),
        ("X", ["A 9"], "'X' does not play"),
    ],
)
def test_who_sits_out(dealer: str | None, lines: list[str], wrong: str) -> None:
    """The dealer; after a hand its loser."""
    assert wrong in refused(lines, *CUTTHROAT, *([] if dealer is None else ["--dealer", dealer]))


def test_cutthroat_dealers_go_round() -> None:
    """The loser deals and sits out, the previous dealer plays the winner."""
    rules = load_rules("race+cutthroat", target=500)
    sheet = Sheet(rules, "ABC", dealer=2)
    for winner in (0, 2, None, 2, 0):
        sheet.add(DEAD if winner is None else points_entry(rules, winner, 5))
    assert [row.dealer for row in sheet.rows] == [2, 1, 0, 0, 1]
    assert (sheet.next_dealer, sheet.seated) == (2, (0, 1))


def test_a_cutthroat_hand_given_in_cards() -> None:
    """The opponent is who else sits at the table; an undercut needs to know."""
    under = {"knocker": "A", "hand": KNOCKER, "opponent_hand": "5H 6H 7H QS QD QC JD JC JH 6D"}
    got = record({"hands": [under], "players": ["A", "B", "C"], "dealer": "B", "rules": "race+cutthroat"})
    assert got["rows"][0]["winner"] == "C"
    done = run(["score", *CUTTHROAT], json.dumps({"hands": [under]}).encode())
    assert "hand 1: an undercut" in done.stderr
    assert "--dealer" in done.stderr


def test_matches() -> None:
    """The hands go on into the next game; the match ends with the majority."""
    options = ["--rules", "quick+best-of=3"]
    lines = ["A 50", "B 30", "B 30", "dead", "A 55"]
    got = answer(lines, *options)
    assert got["games_won"] == [2, 1]
    assert (got["finished"], got["winner"], got["finished_after"]) == (True, "A", 5)
    assert [(game["winner"], game["finished_after"], game["margin"]) for game in got["games"]] == [
        ("A", 1, 50),
        ("B", 2, 60),
        ("A", 2, 55),
    ]
    assert [row["hand"] for game in got["games"] for row in game["rows"]] == [1, 1, 2, 1, 2]
    assert "line 6: the match ended with hand 5" in refused([*lines, "B 1"], *options)
    text = score(lines, *options).stdout
    assert "Games won: A 2, B 1\nA wins the match, best of 3\n" in text
    open_match = answer(lines[:2], *options)
    assert (open_match["finished"], "winner" in open_match) == (False, False)
    assert [game["finished"] for game in open_match["games"]] == [True, False]


def test_every_game_of_a_match_draws_its_dealer_anew() -> None:
    """So nobody sits out for certain in the first hand of the second game."""
    rules = load_rules("quick+cutthroat+best-of=3")
    match = Match(rules, "ABC", dealer=0)
    with pytest.raises(IllegalError, match="A deals hand 1"):
        match.add(points_entry(rules, 0, 60))
    assert match.hands == 0
    match.add(points_entry(rules, 1, 60))
    match.add(points_entry(rules, 0, 60))
    assert match.games_won == (1, 1, 0)


@pytest.mark.parametrize(
    ("rules", "names"),
    [("classic", "ABC"), ("+cutthroat", "AB"), ("+partnership", "ABCD")],
)
def test_sheets_for_the_wrong_number(rules: str, names: str) -> None:
    """Two sides, three under cutthroat."""
    with pytest.raises(ImpossibleError):
        Sheet(load_rules(rules), names)


def test_entries_for_the_wrong_table() -> None:
    """Nothing is entered then."""
    rules, teams = load_rules("race"), load_rules("race+partnership")
    for sheet, hands in ((Sheet(rules), (DEAD, DEAD)), (Sheet(teams), (DEAD,))):
        with pytest.raises(IllegalError):
            sheet.add(*hands)
        assert sheet.rows == []
    with pytest.raises(ImpossibleError):
        Sheet(rules).add(points_entry(rules, 2, 5))
    with pytest.raises(ImpossibleError):
        Sheet(rules, dealer=2)


# --- what a line may be -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "line", "told"),
    [
        ("classic", "Cem knock 7 16", "'Cem' does not play: at this table sit Anna and Ben"),
        ("classic", "anna knock 7 16", "(do you mean Anna?)"),
        ("classic", "Anna knock 11 16", "the limit is 10"),
        ("classic", "Ben undercut 11 6", "the limit is 10"),
        ("classic", "Ben undercut 7 8", "write NAME knock 7 8"),
        ("classic", "Ben undercut 0 0", "gin and cannot be undercut"),
        ("classic", "Anna big-gin 30", "add +big-gin"),
        ("+straight", "Anna knock 1 16", "only gin"),
        ("oklahoma", "Anna knock 7 16 upcard=6H", "the limit is 6 with the 6H as upcard"),
        ("oklahoma", "Anna knock 1 16 upcard=AH", "only gin ends a hand with the AH as upcard"),
        ("oklahoma", "Anna knock 3 16 upcard=6H *", "the 6H doubles nothing"),
        ("classic", "Anna knock 3 16 *", "nothing is doubled under classic"),
        ("oklahoma", "Anna 16 *", "write Anna 16, or Anna 32"),
        ("oklahoma", "dead *", "leave the * out"),
        ("classic", "Anna knock 3 16 * *", "* twice"),
        ("oklahoma", "Anna knock 3 16 upcard=6H upcard=7H", "upcard twice"),
        ("oklahoma", "Anna knock 3 16 upcard=6X", "6X"),
        ("oklahoma", "Anna knock 3 16 upcard=", "upcard"),
        ("classic", "Anna gin 101", "0 to 100"),
        ("classic", "Anna knock 7 -3", "'-3'"),
        ("classic", "Anna knock 7 ١٦", "0 to 100"),
        ("classic", "Anna knock 7", "NAME knock K D"),
        ("classic", "Anna knock 7 8 9", "NAME knock K D"),
        ("classic", "Anna gin", "NAME gin D"),
        ("classic", "Anna gin 3 4", "NAME gin D"),
        ("classic", "Ben undercut 7", "NAME undercut K D"),
        ("classic", "Anna 0", "'dead'"),
        ("classic", "Anna 10001", "10000"),
        ("classic", "Anna nine", "'nine'"),
        ("classic", "Anna", "'Anna' and nothing more"),
        ("classic", "Anna knocked 7 16", "'knocked' after the name"),
        ("classic", "Anna Maria knock 7 16", '"Anna Maria"'),
        ("classic", '"Anna knock 7 16', "a quote that is opened is closed"),
        ("classic", '"Anna"knock 7 16', "quote"),
        ("classic", '"" 9', "an empty name"),
        ("classic", "*", "a line is one of"),
        ("classic", "upcard=6S", "a line is one of"),
        ("classic", "Anna\x1b[31m 9", "U+001B"),
        ("classic", '"Anna\u202egnB" 9', "U+202E"),
        ("classic", "Anna 9 / Ben 9", "'9' after the name"),
        ("+partnership", "Anna 9", "1 hand: a deal of a partnership is two hands"),
        ("+partnership", "Anna 9 / Ben 9 / Cem 9", "3 hands"),
        ("+partnership", "Anna 9 / Anna 9", "at both tables"),
        ("+partnership", "Anna 9 / Eva 9", "table 2: 'Eva' does not play"),
        ("+partnership", "Anna 9 / Ben knock 12 13", "table 2: a knock with 12"),
    ],
)
def test_lines_that_cannot_be(rules: str, line: str, told: str) -> None:
    """The line is named, and what would be right."""
    players = TEAMS if "partnership" in rules else ["--names", "Anna,Ben"]
    message = refused(["# a sheet", "", line], "--rules", rules, *players)
    assert "line 3: " in message
    assert told in message
    assert message.count("\n") == 1
    assert "\x1b" not in message


@pytest.mark.parametrize(
    ("hand", "told"),
    [
        ({"knocker": "Cem", "gin": True, "opponent_deadwood": 3}, "'Cem' does not play"),
        ({"knocker": "Anna", "deadwood": 11, "opponent_deadwood": 16}, "the limit is 10"),
        ({"knocker": "Anna", "deadwood": 3}, "no opponent_deadwood"),
        ({"knocker": "Anna"}, "no deadwood"),
        ({"deadwood": 3, "opponent_deadwood": 16}, "who scored?"),
        ({}, "who scored?"),
        ({"dead": False}, "who scored?"),
        ({"winner": "Anna"}, "no points"),
        ({"points": 3}, "no winner"),
        ({"winner": "Anna", "points": 3, "knocker": "Anna"}, "knocker does not go with"),
        ({"dead": True, "points": 3}, "points does not go with dead"),
        ({"knocker": "Anna", "gin": True, "big_gin": True, "opponent_deadwood": 3}, "gin and big_gin"),
        ({"knocker": "Anna", "gin": True, "deadwood": 3, "opponent_deadwood": 3}, "with gin the knocker has 0"),
        ({"knocker": "Anna", "hand": KNOCKER}, "no opponent_hand"),
        ({"knocker": "Anna", "hand": KNOCKER, "opponent_hand": KNOCKER}, "each card is there once"),
        ({"knocker": "Anna", "hand": DEFENDER, "opponent_hand": KNOCKER}, "too much to knock"),
        ({"knocker": "Anna", "hand": KNOCKER, "opponent_hand": DEFENDER, "double": True}, "double does not go with"),
        ({"knocker": "Anna", "deadwood": True, "opponent_deadwood": 3}, "deadwood: true"),
        ({"knocker": "Anna", "deadwood": 1.5, "opponent_deadwood": 3}, "deadwood: 1.5"),
        ({"knocker": 7, "deadwood": 1, "opponent_deadwood": 3}, "knocker: 7: a name is a text"),
        ({"winner": "An\x1bna", "points": 3}, "U+001B"),
        ({"winner": "\ud800", "points": 3}, "U+D800"),
        ({"winner": "Anna", "points": "nine"}, "points: 'nine'"),
        ({"knockr": "Anna"}, "unknown key 'knockr'"),
        ({"tables": [{"dead": True}, {"dead": True}]}, "+partnership"),
        ("Anna knock 11 12", "the limit is 10"),
        (7, "a hand is an object or a line of text"),
        (None, "a hand is an object or a line of text"),
        (["Anna", 9], "a hand is an object or a line of text"),
    ],
)
def test_json_hands_that_cannot_be(hand: Any, told: str) -> None:
    """The hand is named by its number, the record by its line, and the next record is answered."""
    good = {"hands": [{"dead": True}], "players": ["Anna", "Ben"]}
    bad = {"hands": [{"winner": "Ben", "points": 3}, hand], "players": ["Anna", "Ben"]}
    done = run(["score", "--json"], "\n".join(map(json.dumps, (good, bad, good))).encode())
    assert done.status == 1
    assert [json.loads(line)["line"] for line in done.stdout.splitlines()] == [1, 3]
    assert "line 2: hand 2: " in done.stderr
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"hands": {}}, "hands: an object: hands are a list"),
        ({"hands": []}, "nobody is named: give both players"),
        ({"hands": ["Anna 9"]}, "only Anna named: give both players"),
        ({"hands": ["Anna 9"], "rules": "+cutthroat"}, "give all three players"),
        ({"hands": [], "players": ["Anna"]}, "1 name: classic is for two players"),
        ({"hands": [], "players": ["Anna", "Anna"]}, "'Anna' twice"),
        ({"hands": [], "players": ["Anna", 7]}, "7: a name is a text"),
        ({"hands": [], "players": 7}, "players are a list of names"),
        ({"hands": [], "players": ["A", "B"], "upcard": "7S"}, "upcard goes with one hand"),
        ({"hands": [], "players": ["A", "B"], "teams": [["A", "C"], ["B", "D"]]}, "add +partnership"),
        ({"hands": [], "rules": "+partnership"}, "--teams"),
        ({"hands": [], "rules": "+partnership", "teams": [["A"], ["B", "D"]]}, "two teams of two"),
        ({"hands": [], "rules": "+partnership", "teams": [["A", "B"], ["B", "D"]]}, "'B' twice"),
        ({"hands": [], "rules": "+partnership", "teams": [["A", "C"], ["B", "D"]], "players": ["A", "B"]}, "teams"),
        ({"hands": [], "totals": {}}, "hands and totals"),
        ({"knocker": KNOCKER, "defender": DEFENDER, "players": ["A", "B"]}, '"players" goes with a sheet'),
        ({"totals": []}, "totals"),
        ({"totals": {}}, "nobody is named"),
        ({"totals": {"A": {"points": 1, "hands_won": 1}}}, "only A named"),
        ({"totals": {"A": {"points": 1, "hands_won": 1}}, "players": ["A", "B"]}, "those of B are missing"),
        ({"totals": {"A": {"points": 1}, "B": {"points": 1, "hands_won": 1}}}, "hands_won"),
        ({"totals": {"A": {"points": 5, "hands_won": 0}, "B": {"points": 1, "hands_won": 1}}}, "do not go together"),
        ({"totals": {"A": {"points": 1, "hands_won": 2}, "B": {"points": 1, "hands_won": 1}}}, "do not go together"),
        ({"totals": {n: {"points": 100, "hands_won": 2} for n in "AB"}}, "the game ends when one has them"),
        ({"totals": {n: {"points": 9, "hands_won": 2} for n in "ABC"}}, "'C' does not play"),
        ({"totals": {n: {"points": 9, "hands_won": 2} for n in "AB"}, "rules": "+hollywood"}, "give the hands"),
    ],
)
def test_sheets_that_cannot_be(value: dict[str, Any], told: str) -> None:
    """One line that says what would be right."""
    done = run(["score", "--json"], json.dumps(value).encode())
    assert (done.status, done.stdout) == (2, "")
    assert "line 1" in done.stderr
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--names", "A"], "1 name"),
        (["--names", "A,A"], "--names: 'A' twice"),
        (["--names", "A,"], "--names: an empty name"),
        (["--names", 'A,"B'], "--names: "),
        (["--names", "A,\x1b[1mB"], "U+001B"),
        (["--teams", "A+C,B"], "--teams: two teams of two"),
        (["--dealer", ""], "--dealer: an empty name"),
        (["--upcard", "7S"], "--upcard goes with one hand"),
        (["--big-gin"], "--big-gin goes with one hand"),
        (["--rules", "clasic"], "clasic"),
        (["7S", "8S"], "--sheet goes without hands"),
        (["--add", "A 9"], "standard input cannot be written"),
    ],
)
def test_usage(args: list[str], told: str) -> None:
    """Status 2, the option named."""
    done = run(["score", "--sheet", "-", *args], b"A 9\nB 9")
    assert (done.status, done.stdout) == (2, "")
    assert told in done.stderr


def test_usage_without_a_sheet() -> None:
    """What goes with one only."""
    assert "--names goes with --sheet" in run(["score", "--names", "A,B", KNOCKER, DEFENDER]).stderr
    assert "--add goes with --sheet" in run(["score", "--add", "A 9"]).stderr
    assert "--add LINE begins a new sheet" in run(["score", "--sheet", "no/such.txt"]).stderr
    assert run(["score", "--sheet", "."]).status == 2
    assert run(["score", "--sheet", "a\0b"]).status == 2


def test_a_wrong_line_is_told_before_a_missing_name() -> None:
    """Only Anna is named, but it is her knock that is wrong."""
    assert "line 1: a knock with 12" in refused(["Anna knock 12 20"])


def test_the_first_wrong_line_is_told() -> None:
    """Whatever is wrong with it, spelling or rules."""
    assert "line 2" in refused(["A 9", "B knock 11 20", "nonsense"])
    assert "line 2" in refused(["A 9", "nonsense", "B knock 11 20"])


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "Anna Maria",
        "O'Brien",
        "Zoë",
        "李",
        "dead",
        "knock",
        "9",
        "*",
        "A+B",
        "A,B",
        'Jo "Ace" Smith',
        "a\\b",
        "{",
        "#1",
        "👩‍👩‍👧",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "upcard=6S",
        "x" * 500,
        "/",
        "-",
        "\u0627\u0646\u0627",
    ],
)
def test_names_may_be_any_text(name: str) -> None:
    """In a line, as an option and in JSON; shown as they are."""
    word = quoted_word(name)
    got = answer([f"{word} knock 7 16", "Ben 3"])
    assert got["players"] == [name, "Ben"]
    assert read_line(f"{word} 9 / dead", tables=True)[0].name == name
    listed = f'"{name}"'.replace("\\", "\\\\") if '"' not in name else word
    assert split_names(f"{listed},Ben") == [name, "Ben"]
    assert record({"hands": [{"winner": name, "points": 9}], "players": [name, "Ben"]})["players"] == [name, "Ben"]
    assert name in score([f"{word} knock 7 16", "Ben 3"]).stdout


def test_names_are_one_however_they_are_typed() -> None:
    """A letter with its accent apart is the same letter."""
    got = answer(["Zoe\u0308 9", "Ben 9", "Zo\u00eb 9"])
    assert got["players"] == ["Zo\u00eb", "Ben"]


def test_players_are_ordered_by_names_else_by_appearance() -> None:
    """And need not all appear where they are named."""
    assert answer(["Ben 9", "Anna 9"])["players"] == ["Ben", "Anna"]
    assert answer(["Ben 9", "Anna 9"], "--names", "Anna, Ben")["players"] == ["Anna", "Ben"]
    assert answer(["Ben 9"], "--names", "Anna,Ben")["rows"][0]["totals"] == [0, 9]
    assert answer(["B 9", "A 9"], "--rules", "+cutthroat", "--dealer", "A", "--names", "A,B,C")["players"] == list(
        "ABC"
    )
    assert answer(["B 9", "dead", "B 9"], "--rules", "+cutthroat", "--names", "C,A,B")["players"] == list("CAB")
    # The dealer sits out and need not be named elsewhere.
    assert answer(["B 9", "B 9", "A 9"], "--rules", "+cutthroat", "--dealer", "C")["players"] == list("BAC")


# --- sheets as they come ------------------------------------------------------------------------


def test_text_sheets_as_editors_leave_them() -> None:
    """A mark of byte order, ends of Windows, comments, blanks."""
    got = (
        answer([])
        if False
        else json.loads(
            run(
                ["score", "--json", "--sheet", "-"],
                b"\xef\xbb\xbf# us\r\n\r\n  Anna knock 7 16  \r\n\tBen\tgin  30\r\n",
            ).stdout
        )
    )
    assert got["rows"][-1]["totals"] == [9, 55]
    for data, told in ((b"Anna 9\nB\xff 9", "line 2, column 2"), ("Anna 9".encode("utf-16"), "UTF-16")):
        done = run(["score", "--sheet", "-"], data)
        assert done.status == 2
        assert told in done.stderr


def test_an_empty_sheet() -> None:
    """Is one, once it is said whose."""
    got = answer([], "--names", "A,B")
    assert got == {
        "schema": 1,
        "rules": "classic",
        "players": ["A", "B"],
        "target": 100,
        "rows": [],
        "finished": False,
    }
    assert "A needs 100, B needs 100" in score([], "--names", "A,B").stdout


def test_the_keys_of_a_finished_sheet() -> None:
    """Named and ordered as they are documented."""
    got = answer(["Anna knock 7 16", "Ben gin 80"], "--rules", "romme", "--set", "box_bonus=10")
    assert got == {
        "schema": 1,
        "rules": "romme",
        "set": {"box_bonus": 10},
        "players": ["Anna", "Ben"],
        "target": 100,
        "rows": [
            {"hand": 1, "winner": "Anna", "result": "knock", "points": 9, "totals": [9, 0]},
            {"hand": 2, "winner": "Ben", "result": "gin", "points": 105, "totals": [9, 105]},
        ],
        "finished": True,
        "winner": "Ben",
        "finished_after": 2,
        "final": [
            {
                "player": "Anna",
                "points": 9,
                "boxes": 1,
                "box_points": 10,
                "game_bonus": 0,
                "shutout": 0,
                "total": 19,
            },
            {
                "player": "Ben",
                "points": 105,
                "boxes": 1,
                "box_points": 10,
                "game_bonus": 100,
                "shutout": 0,
                "total": 215,
            },
        ],
        "margin": 196,
    }


def test_json_says_the_same_as_text() -> None:
    """Every form of a hand."""
    text = ["Anna knock 7 16", "Ben gin 30", "Anna big-gin 1", "Ben undercut 7 6", "Anna 9", "dead"]
    hands = [
        {"knocker": "Anna", "deadwood": 7, "opponent_deadwood": 16},
        {"knocker": "Ben", "gin": True, "opponent_deadwood": 30, "big_gin": None},
        {"knocker": "Anna", "big_gin": True, "opponent_deadwood": 1},
        {"knocker": "Anna", "deadwood": 7, "opponent_deadwood": 6},
        {"winner": "Anna", "points": 9},
        {"dead": True},
    ]
    rules = ["--rules", "race", "--target", "500"]
    assert record({"hands": hands}, *rules) == record({"hands": text}, *rules) == answer(text, *rules)


def test_hands_given_in_cards_are_scored() -> None:
    """With the keys of one hand."""
    hand = {"knocker": "Ben", "hand": KNOCKER.split(), "opponent_hand": DEFENDER, "upcard": "7H", "pile_top": "3S"}
    got = record({"hands": [hand], "players": ["Anna", "Ben"], "rules": "oklahoma+spades"})
    assert got["rows"][0] == {"hand": 1, "winner": "Ben", "result": "knock", "points": 18, "totals": [0, 18]}
    lines = run(
        ["score"], json.dumps({"hands": [hand], "players": ["Anna", "Ben"], "rules": "oklahoma+spades"}).encode()
    )
    assert "Ben knocks: (16 - 7) x 2 = 18" in lines.stdout


@pytest.mark.parametrize(("rules", "key"), [("oklahoma", "upcard"), ("+spades", "pile_top")])
def test_hands_given_in_cards_need_what_the_rules_look_at(rules: str, key: str) -> None:
    """The key is named, not the option of a single hand."""
    hand = {"knocker": "A", "hand": KNOCKER, "opponent_hand": DEFENDER}
    done = run(["score", "--names", "A,B", "--rules", rules], json.dumps({"hands": [hand]}).encode())
    assert f"line 1: hand 1: no {key}" in done.stderr
    assert "--" not in done.stderr


def test_records_of_sheets_stream() -> None:
    """Sheets and single hands one after another, options as defaults, pretty-printed or not."""
    sheet = {"hands": ["Anna 9"]}
    text = json.dumps(sheet) + "\n" + f"{KNOCKER} / {DEFENDER}\n" + json.dumps(sheet, indent=1) + "\n"
    done = run(["score", "--json", "--names", "Anna,Ben"], text.encode())
    assert (done.status, done.stderr) == (0, "")
    assert [json.loads(line)["line"] for line in done.stdout.splitlines()] == [1, 2, 3]


def test_a_file_of_records_is_a_sheet_too(tmp_path: Path) -> None:
    """What begins with a brace is JSON."""
    file = tmp_path / "sheet.json"
    file.write_text('# us\n{\n "hands": ["Anna 9", "Ben 200"]\n}\n', encoding="utf-8")
    done = run(["score", "--json", "--sheet", str(file)])
    assert json.loads(done.stdout)["winner"] == "Ben"
    assert "JSON" in run(["score", "--sheet", str(file), "--add", "Anna 9"]).stderr


def test_totals_alone() -> None:
    """Unfinished, of three players, of teams, as the first game of a match."""
    totals = {"A": {"points": 30, "hands_won": 2}, "B": {"points": 20, "hands_won": 1}}
    got = record({"totals": totals, "players": ["B", "A"]})
    assert (got["players"], got["rows"], got["finished"]) == (["B", "A"], [], False)
    three = totals | {"C": {"points": 100, "hands_won": 4}}
    assert record({"totals": three, "rules": "race+cutthroat"})["margin"] == {"A": 70, "B": 80}
    teams = {"A+C": {"points": 130, "hands_won": 2}, "B+D": {"points": 0, "hands_won": 0}}
    assert record({"totals": teams, "rules": "+partnership"})["margin"] == 130 + 40 + 200
    assert record({"totals": teams, "rules": "+partnership", "teams": [["A", "C"], ["B", "D"]]})["winner"] == "A+C"
    assert record({"totals": three, "rules": "race+cutthroat+best-of=3"})["games_won"] == [0, 0, 1]


# --- text ---------------------------------------------------------------------------------------


def test_every_line_is_explained() -> None:
    """Difference, bonus and doubling; wide letters keep the columns straight."""
    lines = ["李 knock 3 13 upcard=7S", "李 gin 30 upcard=7H", "Ben undercut 7 6 *", "李 big-gin 5", "dead", "Ben 1"]
    text = score(lines, "--rules", "oklahoma").stdout.splitlines()
    assert text == [
        "Hand                                                            李    Ben",
        "   1  李 knocks: (13 - 3) x 2 = 20                              20      0",
        "   2  李 goes gin: 30 + 25 (gin bonus) = 55                     75      0",
        "   3  Ben undercuts: (7 - 6 + 25 (undercut bonus)) x 2 = 52     75     52",
        "   4  李 goes big gin: 5 + 31 (big gin bonus) = 36             111     52",
        "   5  dead hand                                                111     52",
        "   6  Ben: 1 point                                             111     53",
        "",
        "The game goes on to 150: 李 needs 39, Ben needs 97",
    ]


def test_every_final_line_is_shown() -> None:
    """Hand points, boxes, game bonus, shutout, total; who won by how much."""
    text = score(["A 60", "A 50"], "--rules", "romme", "--names", "A,B").stdout
    assert text.endswith(
        "                                A         B\n"
        "Hand points                   110         0\n"
        "Hands won, 25 each          2: 50      0: 0\n"
        "Game bonus                    100         0\n"
        "Shutout (total doubled)       260         0\n"
        "Total                         520         0\n"
        "A wins after 2 hands by 520\n"
    )


def test_columns_side_by_side() -> None:
    """Hollywood shows what went where."""
    text = score(["A 60", "A 50", "B 30", "B 20"], "--rules", "+hollywood").stdout
    assert text.splitlines()[:6] == [
        "                        Column 1        Column 2        Column 3",
        "Hand                    A      B        A      B        A      B",
        "   1  A: 60 points     60      0",
        "   2  A: 50 points    110      0       50      0",
        "   3  B: 30 points                     50     30",
        "   4  B: 20 points                     50     50        0     20",
    ]
    assert "Column 1: A 110, B 0; closed, A has won it" in text


def test_tables_of_a_partnership_are_shown() -> None:
    """Both, under the deal they make."""
    text = score(["Anna knock 7 6 / Dora knock 5 9", "Anna 9 / Cem 9"], "--rules", "+partnership", *TEAMS).stdout
    for line in (
        "Ben+Dora: 26 + 4 + 25 (both partners won) = 55",
        "table 1, Ben+Dora undercuts Anna: 7 - 6 + 25 (undercut bonus) = 26",
        "table 2, Dora knocks: 9 - 5 = 4",
        "Anna+Cem: 9 + 9 + 25 (both partners won) = 43",
    ):
        assert line in text


# --- the scorekeeper ----------------------------------------------------------------------------


def keep(file: Path, line: str, *options: str) -> Outcome:
    """One line added."""
    return run(["score", "--names", "Anna,Ben", "--sheet", str(file), "--add", line, *options])


def test_a_sheet_is_begun_and_gone_on_with(tmp_path: Path) -> None:
    """The file is made, a line is added and shown."""
    file = tmp_path / "evening.txt"
    assert keep(file, "# romme").status == 0
    assert "Anna knocks: 16 - 7 = 9" in keep(file, "  Anna knock 7 16 ").stdout
    assert json.loads(keep(file, "Ben gin 30", "--json").stdout)["rows"][-1]["totals"] == [9, 55]
    assert file.read_bytes() == b"# romme\nAnna knock 7 16\nBen gin 30\n"
    assert os.listdir(tmp_path) == ["evening.txt"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Cem 9", "line 3: 'Cem' does not play"),
        ("Anna knock 11 16", "line 3: a knock with 11"),
        ("", "an empty line"),
        ("Anna 9\nBen 9", "one line is wanted"),
        ("Anna 9\r", "line 3"),
        ("# \x1b[31m", "U+001B"),
        ("\ud800 9", "U+D800"),
    ],
)
def test_a_line_that_cannot_be_is_not_added(tmp_path: Path, line: str, told: str) -> None:
    """The file stays as it was; a new one is not made."""
    file = tmp_path / "evening.txt"
    done = keep(file, line)
    if line != "Anna 9\r":  # a carriage return at the end is a blank
        assert done.status == 2
        assert not file.exists()
    file.write_bytes(b"Anna 9\nBen 9\n")
    done = keep(file, line)
    if line == "Anna 9\r":
        assert file.read_bytes() == b"Anna 9\nBen 9\nAnna 9\n"
        return
    assert (done.status, done.stdout) == (2, "")
    assert told in done.stderr
    assert file.read_bytes() == b"Anna 9\nBen 9\n"
    assert os.listdir(tmp_path) == ["evening.txt"]


def test_a_sheet_that_was_wrong_before_is_left_alone(tmp_path: Path) -> None:
    """Its own wrong line is named."""
    file = tmp_path / "evening.txt"
    file.write_bytes(b"Anna 99\nAnna 99\nBen 9\n")
    assert "line 3: the game ended with hand 2" in keep(file, "Ben 9").stderr
    assert file.read_bytes() == b"Anna 99\nAnna 99\nBen 9\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"Anna 9", b"Anna 9\nBen 9\n"),
        (b"Anna 9\r\n", b"Anna 9\r\nBen 9\r\n"),
        (b"\xef\xbb\xbfAnna 9\n\n", b"\xef\xbb\xbfAnna 9\n\nBen 9\n"),
    ],
)
def test_the_ends_of_lines_stay_as_they_are(tmp_path: Path, before: bytes, after: bytes) -> None:
    """A last line without an end gets one."""
    file = tmp_path / "evening.txt"
    file.write_bytes(before)
    assert keep(file, "Ben 9").status == 0
    assert file.read_bytes() == after


def test_links_and_modes_are_kept(tmp_path: Path) -> None:
    """The file behind a link is written, with the rights it had."""
    file, link = tmp_path / "evening.txt", tmp_path / "link.txt"
    file.write_bytes(b"")
    file.chmod(0o640)
    link.symlink_to(file)
    assert keep(link, "Ben 9").status == 0
    assert link.is_symlink()
    assert file.read_bytes() == b"Ben 9\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, a pipe, a place that does not exist."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "no" / "such"):
        done = keep(path, "Ben 9")
        assert (done.status, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_crash_leaves_the_old_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    """At whatever step: never half a line, nothing beside the file."""
    file = tmp_path / "evening.txt"
    file.write_bytes(b"Anna 9\n")

    def fail(*args: object) -> None:
        assert file.read_bytes() == b"Anna 9\n"
        raise error

    monkeypatch.setattr(os, step, fail)
    assert keep(file, "Ben 9").status == (130 if isinstance(error, KeyboardInterrupt) else 2)
    monkeypatch.undo()
    assert file.read_bytes() == b"Anna 9\n"
    assert os.listdir(tmp_path) == ["evening.txt"]
    # What a kill would have left is no hindrance.
    (tmp_path / ".evening.txt.new").write_bytes(b"Anna 9\nBe")
    assert keep(file, "Ben 9").status == 0
    assert os.listdir(tmp_path) == ["evening.txt"]


def test_two_at_once_lose_nothing(tmp_path: Path) -> None:
    """Eight writers, each with its own open file and so with its own lock."""
    file = tmp_path / "evening.txt"

    def write(who: int) -> None:
        for number in range(20):
            add_line(str(file), f"{who} {number}", len)

    writers = [threading.Thread(target=write, args=(who,)) for who in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    lines = file.read_text("utf-8").splitlines()
    assert sorted(lines) == sorted(f"{who} {number}" for who in range(8) for number in range(20))
    for who in range(8):
        assert [line for line in lines if line.startswith(f"{who} ")] == [f"{who} {number}" for number in range(20)]
