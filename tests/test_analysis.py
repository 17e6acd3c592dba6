"""What analyze-hand tells beside melds and deadwood: draws, two-way cards, danger, advice, offers; each reckoned again."""

from __future__ import annotations

import json
import re
from itertools import combinations
from random import Random
from typing import Any

import pytest
import reference

from ginrummy.cards import DECK, NAMES, cards_in, mask_of
from ginrummy.cli import run
from ginrummy.kernel import solver
from ginrummy.notation import Cards

HAND = "3C 3D 3H 9S 10S JS KH 5D 2C AS"


def analyze(*args: str) -> dict[str, Any]:
    """The one result."""
    done = run(["analyze-hand", "--json", *args])
    assert (done.status, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def text(*args: str) -> str:
    """The text answer, in letters."""
    done = run(["analyze-hand", "--cards", "ascii", *args])
    assert (done.status, done.stderr) == (0, "")
    return done.stdout


def some_hands(size: int, count: int) -> list[list[int]]:
    """Random hands, every second one full of melds."""
    random = Random(f"analysis {size}")
    return [
        reference.rich_hand(random, size) if number % 2 else sorted(random.sample(range(52), size))
        for number in range(count)
    ]


# --- draws --------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", some_hands(10, 12), ids=lambda hand: " ".join(NAMES[card] for card in hand))
def test_draws_are_those_of_every_card_tried(hand: list[int]) -> None:
    """Each unseen card drawn, each card thrown: groups of outs, and the chances of the next draw."""
    answer = analyze("--rules", "race", " ".join(NAMES[card] for card in hand))
    now = reference.deadwood(hand)
    groups: dict[tuple[int, str | None], list[str]] = {}
    knocks = gins = 0
    for card in range(52):
        if card in hand:
            continue
        eleven = [*hand, card]
        after = min(reference.deadwood([other for other in eleven if other != thrown]) for thrown in eleven)
        knocks += after <= 10
        gins += after == 0
        if reference.deadwood(eleven) < now + min(10, card % 13 + 1):
            knock = "knock" if after <= 10 else None
            if after == 0:
                knock = "big-gin" if reference.deadwood(eleven) == 0 else "gin"
            groups.setdefault((after, knock), []).append(NAMES[card])
    told = {(group["deadwood"], group["knock"]): group["cards"] for group in answer["draws"]}
    assert told == groups
    assert [group["deadwood"] for group in answer["draws"]] == sorted(key[0] for key in groups)
    assert answer["next_draw"] == {
        "unseen": 42,
        "knock": knocks,
        "gin": gins,
        "knock_chance": round(knocks / 42, 6),
        "gin_chance": round(gins / 42, 6),
    }


def test_draws_know_the_rules_and_what_is_seen() -> None:
    """No big gin where the rules have none; no knock without a limit; cards that are seen cannot come."""
    gin = "7S 8S 9S KC KH KD AD AC AH AS"
    assert {group["knock"] for group in analyze("--rules", "classic", gin)["draws"]} == {"gin"}
    assert {group["knock"] for group in analyze("--rules", "race", gin)["draws"]} == {"big-gin"}
    unknown = analyze("--rules", "oklahoma", HAND)
    assert unknown["next_draw"]["knock"] is None
    assert unknown["next_draw"]["knock_chance"] is None
    assert [group["knock"] for group in unknown["draws"]] == [None, None]
    seen = analyze("--seen", "8S QS", "--opponent", "4C", "--upcard", "4D", HAND)
    assert seen["next_draw"]["unseen"] == 38
    assert [group["cards"] for group in seen["draws"]] == [["3S"]]
    everything = " ".join(NAMES[card] for card in range(52) if NAMES[card] not in HAND.split())
    nothing = analyze("--seen", everything, HAND)
    assert nothing["next_draw"] == {"unseen": 0, "knock": 0, "gin": 0, "knock_chance": None, "gin_chance": None}
    assert "no card is unseen" in text("--seen", everything, HAND)


def test_a_partial_hand_has_draws_but_no_chances() -> None:
    """Nobody knocks with three cards. 7H 7S 8H is the example of source 003."""
    answer = analyze("--partial", "7H", "7S", "8H")
    assert answer["two_way"] == ["7H"]
    assert [group["knock"] for group in answer["draws"]] == [None] * len(answer["draws"])
    assert sorted(card for group in answer["draws"] for card in group["cards"]) == ["6H", "7C", "7D", "9H"]
    assert "next_draw" not in answer


def test_two_way_cards() -> None:
    """By the definition, over every set and run with at most one card more."""
    for hand in some_hands(10, 40):
        unseen = [card for card in range(52) if card not in hand][::2]
        sets, runs = set(), set()
        for meld in reference_melds():
            held = [card for card in meld if card in hand]
            if len(held) >= 2 and all(card in hand or card in unseen for card in meld):
                (sets if meld[0] % 13 == meld[1] % 13 else runs).update(held)
        assert cards_in(solver.two_way(mask_of(hand), mask_of(unseen))) == sorted(sets & runs)


def reference_melds() -> list[tuple[int, ...]]:
    """Every meld of three."""
    sets = [three for rank in range(13) for three in combinations(range(rank, 52, 13), 3)]
    runs = [tuple(range(low, low + 3)) for low in range(50) if low % 13 <= 10]
    return sets + runs


# --- eleven cards -------------------------------------------------------------------------------


def test_danger_is_the_mean_number_of_pairs() -> None:
    """Over all hands the opponent may hold; here they are few enough to be counted."""
    melds = reference_melds()
    hand = [card for card in range(52) if card % 13 in (5, 6) or NAMES[card] in ("2S", "3S", "KH")][:11]
    opponent = [NAMES.index(card) for card in ("8D", "9D", "QS", "QH", "QC", "AH", "3D")]
    hidden = [NAMES.index(card) for card in ("8H", "9H", "8S", "9S", "4S", "5S")]
    seen = [card for card in range(52) if card not in (*hand, *opponent, *hidden)]
    answer = analyze(
        "--seen", str(Cards(mask_of(seen))), "--opponent", str(Cards(mask_of(opponent))), str(Cards(mask_of(hand)))
    )
    for discard in answer["discards"]:
        thrown = NAMES.index(discard["card"])
        counts = []
        for rest in combinations(hidden, 3):
            held = {*opponent, *rest}
            counts.append(sum(thrown in meld and len(held & set(meld)) == 2 for meld in melds))
        assert discard["danger"] == pytest.approx(sum(counts) / len(counts), abs=1e-4), discard["card"]


def test_danger_without_knowledge_is_that_of_the_middle_of_the_deck() -> None:
    """A king feeds fewer melds than a seven; what lies in the pile feeds nobody."""
    hand = "KS QH JD 9C 8D 7S 5H 4C 2S AD 3S"
    danger = {each["card"]: each["danger"] for each in analyze(hand)["discards"]}
    assert danger["KS"] < danger["7S"]
    safe = {each["card"]: each["danger"] for each in analyze("--seen", "7H 7D 7C 8S", hand)["discards"]}
    assert 0 < safe["7S"] < danger["7S"]
    fed = {each["card"]: each["danger"] for each in analyze("--opponent", "7H 7C", hand)["discards"]}
    assert fed["7S"] > 1


@pytest.mark.parametrize(
    ("hand", "options", "action", "discard", "why"),
    [
        ("789s KSHDC AD 24C 10S", [], "knock", "4C", "opponent catch up"),
        ("789s KSHD A234H JC", [], "gin", "JC", "gin bonus"),
        ("789s KSHD A2345H", ["--rules", "race"], "big-gin", None, "big gin bonus"),
        ("789s KSHD A2345H", [], "gin", "AH", "gin bonus"),
        ("KS QH JD 9C 8D 7S 5H 4C 2S AD 3S", [], "discard", "KS", "least deadwood"),
        ("789s KSHD 234H 9D JC", ["--stock", "10"], "discard", "JC", "undercut"),
        ("789s KSHD 234H 9D JC", ["--stock", "3"], "knock", "JC", "stock"),
        ("789s KSHD 234H 9D JC", ["--stock", "25"], "knock", "JC", "opponent catch up"),
    ],
)
def test_advice(hand: str, options: list[str], action: str, discard: str | None, why: str) -> None:
    """Go out, knock, or wait, each with its reason."""
    advice = analyze(*options, hand)["advice"]
    assert (advice["action"], why in advice["reason"]) == (action, True), advice
    assert advice["discard"] == discard


def test_advice_waits_where_gin_is_near() -> None:
    """A turn is worth five points: so many gin cards, times what gin brings."""
    hand = "4S 5S 6S 7D 8D 9D 3H 4H 5H AC KD"
    only = analyze(hand)["advice"]
    assert (only["action"], only["discard"]) == ("knock", "KD")
    told = re.fullmatch(r"to wait .* and only (\d+) of 41 unseen cards make gin", only["reason"])
    assert told
    enough = -(-5 * 41 // int(told[1]))
    for bonus, action in ((enough - 1, "knock"), (enough, "discard")):
        assert analyze("--set", f"gin_bonus={bonus}", hand)["advice"]["action"] == action


def test_of_equal_discards_the_safer_is_advised() -> None:
    """The order of the list stays that of the page; text shows the layout after the discard that is advised."""
    hand = "7S 7H 7D 8D 9D 6D 2C 3C 4C JH QH"
    answer = analyze(hand)
    assert answer["discards"][0]["card"] == "JH"
    assert answer["advice"]["discard"] == "QH"
    assert "after discarding QH" in text(hand)


# --- offers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "hand", "take", "meld", "why"),
    [
        ("6C", "5C 7C 9S 10S JS KH KD 2D AS 3H", True, ["5C", "6C", "7C"], "falls by 22"),
        ("KS", "5C 7C 9S 10S JS KH KD 2D AS 3H", True, ["KS", "KH", "KD"], "falls by"),
        ("QD", "5C 7C 9S 10S JS KH KD 2D AS 3H", False, None, "no meld"),
        ("6S", "7S 8S 9S KC KH KD AD AC AH AS", False, ["6S", "7S", "8S"], "does not fall"),
    ],
)
def test_offers(card: str, hand: str, take: bool, meld: list[str] | None, why: str) -> None:
    """The meld it would lie in, and the reason."""
    offer = analyze("--pile-top", card, hand)["offer"]
    assert (offer["take"], offer["meld"]) == (take, meld)
    assert why in offer["reason"]
    assert (why in text("--pile-top", card, hand)) is True


# --- text ---------------------------------------------------------------------------------------


def test_an_answer_has_at_most_twenty_lines() -> None:
    """With everything that can be asked for."""
    random = Random("lines")
    for number in range(60):
        size = 10 + number % 2
        hand = [NAMES[card] for card in reference.rich_hand(random, size)]
        rest = [name for name in NAMES if name not in hand]
        extra = ["--all"] if size == 11 else ["--all", "--pile-top", rest[-1]]
        lines = text(*extra, *hand).splitlines()
        assert len(lines) <= 20
        assert lines[0].startswith("Melds")
    many = "AS 2S 3S AH 2H 3H AD 2D 3D AC"
    assert len(text("--all", "--against", "10S JS QS / KH KD KC", many).splitlines()) <= 20


def test_many_layouts_are_counted() -> None:
    """What has no room is in the JSON."""
    hand = "4S 5S 6S 4H 5H 6H 4D 5D 6D 7S 7H"
    layouts = analyze("--all", hand)["arrangements"]
    shown = text("--all", hand)
    assert len(layouts) == shown.count("\nLayout ")
    eleven = "AS 2S 3S AH 2H 3H AD 2D 3D JC QC"
    left = len(analyze("--all", eleven)["arrangements"]) - text("--all", eleven).count("\nLayout ")
    assert (f"{left} more" in text("--all", eleven)) == (left > 0)


def test_what_is_unseen_is_what_is_not_known() -> None:
    """Hand, pile, opponent, spread, upcard and offer are not."""
    known = ["--against", "456D / QSHD", "--seen", "KS", "--opponent", "KC", "--upcard", "4S", "--pile-top", "8C"]
    answer = analyze(*known, HAND.replace("5D", "7C"))
    assert answer["next_draw"]["unseen"] == 52 - 10 - 6 - 4


def test_draws_of_the_library() -> None:
    """Public fields: fractions are exact."""
    from ginrummy import analyze as analyse
    from ginrummy import load_rules

    found = analyse(Cards(HAND), load_rules())
    assert found.next_draw is not None
    assert found.next_draw.knock == 10
    assert found.next_draw.unseen == 42
    assert found.draws is not None
    assert found.draws[0].cards == Cards("3S 8S QS")
    assert found.improving == Cards(solver.improving(Cards(HAND), DECK & ~Cards(HAND)))
