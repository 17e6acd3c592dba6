"""What `analyze-hand` and `score` answer: the names, the order and the meaning of every key."""

from __future__ import annotations

import csv
import io
import json
from random import Random
from typing import Any

import pytest
import reference

from ginrummy.cli import Outcome, run

HAND = "3C 3D 3H 9S 10S JS KH 5D 2C AS"
ELEVEN = "3C 3D 3H 9S 10S JS KH 5D 2C AS 4H"
MELDED = "7S 8S 9S 10S KC KH KD AD AC AH AS"  # all eleven
GIN = "7S 8S 9S KC KH KD AD AC AH AS"
KNOCKER = "7S 8S 9S KC KH KD KS AD 2C 4C"
DEFENDER = "5H 6H 7H QS QD QC 10S 2D 4D JH"
LOOSE = "2S 4H 6D 8C 10H QD 3H 5S 7D JC"


def analyze(*args: str) -> dict[str, Any]:
    """The one answer of `analyze-hand --json`."""
    done = run(["analyze-hand", "--json", *args])
    assert (done.status, done.stderr) == (0, "")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def score(*args: str) -> dict[str, Any]:
    """The one answer of `score --json`."""
    done = run(["score", "--json", *args])
    assert (done.status, done.stderr) == (0, "")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def refused(*args: str) -> str:
    """The message with which a command line is refused."""
    done = run(list(args))
    assert done.status in (1, 2)
    assert done.stdout == ""
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr
    return done.stderr


def records(command: str, rows: list[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
    """The answers to many records at once."""
    text = "".join(json.dumps(row) + "\n" for row in rows)
    done: Outcome = run([command, "--json", *options], text.encode())
    assert (done.status, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def names(cards: Any) -> list[str]:
    """Names in card order."""
    return [reference.name(card) for card in sorted(cards)]


def melds_json(spread: reference.Spread) -> list[dict[str, Any]]:
    """A spread of the reference as the page describes it."""
    return [{"kind": "run" if reference.is_run(meld) else "set", "cards": names(meld)} for meld in spread]


# --- analyze-hand, ten cards --------------------------------------------------------------------


def test_the_example_of_the_page() -> None:
    """Source 001: deadwood 18; keys that do not apply are left out."""
    answer = analyze("--rules", "classic", HAND)
    outs = reference.outs(reference.cards(HAND))
    improving = reference.improving(reference.cards(HAND))
    right = {
        "schema": 1,
        "rules": "classic",
        "hand": ["AS", "9S", "10S", "JS", "3H", "KH", "3D", "5D", "2C", "3C"],
        "deadwood": 18,
        "melds": [
            {"kind": "run", "cards": ["9S", "10S", "JS"]},
            {"kind": "set", "cards": ["3H", "3D", "3C"]},
        ],
        "deadwood_cards": ["AS", "KH", "5D", "2C"],
        "knock": None,
        "knock_limit": 10,
        "outs": {"cards": names(outs), "count": len(outs)},
        "improving": {"cards": names(improving), "count": len(improving)},
    }
    assert {key: answer[key] for key in right} == right
    left_out = {"line", "set", "discards", "offer", "layoffs", "arrangements", "equity", "stderr"}
    assert not left_out & set(answer)
    assert not {"melds_after_layoff", "deadwood_after_layoff"} & set(answer)


def test_ten_cards_with_many_melds() -> None:
    """Melds, outs and improving cards of seeded hands, in the order of the page."""
    random = Random(1)
    hands = [reference.rich_hand(random, 10) for _ in range(60)]
    for hand in hands:
        random.shuffle(hand)
    rows = [{"hand": [reference.name(card) for card in hand]} for hand in hands]
    for hand, answer in zip(hands, records("analyze-hand", rows, "--rules", "race"), strict=True):
        spread = reference.knock_spread(hand)
        left = reference.deadwood(hand)
        assert answer["hand"] == names(hand)
        assert answer["melds"] == melds_json(spread)
        assert answer["deadwood"] == left
        assert answer["deadwood_cards"] == names(set(hand) - set(reference.used(spread)))
        assert answer["knock"] == ("gin" if left == 0 else "knock" if left <= 10 else None)
        for key, cards in (
            ("outs", reference.outs(hand)),
            ("improving", reference.improving(hand)),
        ):
            assert answer[key] == {"cards": names(cards), "count": len(cards)}


def test_cards_that_cannot_come_are_no_outs() -> None:
    """What lies in the pile or is known in the opponent's hand is not unseen."""
    hand = reference.cards(HAND)
    gone = reference.cards("8S QS 4C 3S")
    unseen = [card for card in range(52) if card not in gone]
    answer = analyze("--seen", "8S QS", "--opponent", "4C 3S", HAND)
    assert answer["outs"]["cards"] == names(reference.outs(hand, unseen))
    assert answer["improving"]["cards"] == names(reference.improving(hand, unseen))
    assert answer["outs"]["count"] == len(answer["outs"]["cards"])


@pytest.mark.parametrize(
    ("rules", "upcard", "limit"),
    [
        ("classic", None, 10),
        ("+straight", None, 0),
        ("oklahoma", None, None),
        ("oklahoma", "7D", 7),
        ("oklahoma", "AD", 0),
        ("oklahoma", "KD", 10),
        ("oklahoma", "KH", 10),  # in the hand: the upcard may since be anywhere
        ("race", "7D", 10),
    ],
)
def test_the_knock_limit(rules: str, upcard: str | None, limit: int | None) -> None:
    """Null where the rules need an upcard and none is given."""
    options = [] if upcard is None else ["--upcard", upcard]
    answer = analyze("--rules", rules, *options, HAND)
    assert answer["knock_limit"] == limit
    assert answer["knock"] is None


@pytest.mark.parametrize(
    ("hand", "rules", "upcard", "knock"),
    [
        (KNOCKER, "classic", None, "knock"),
        (KNOCKER, "+straight", None, None),
        (KNOCKER, "oklahoma", "6D", None),
        (KNOCKER, "oklahoma", "7D", "knock"),
        (GIN, "classic", None, "gin"),
        (GIN, "+straight", None, "gin"),
        (GIN, "oklahoma", "AD", "gin"),
        (MELDED, "race", None, "big-gin"),
        (MELDED, "classic", None, "gin"),
        (MELDED, "race+no-big-gin", None, "gin"),
        (MELDED, "classic+big-gin", None, "big-gin"),
        (MELDED, "oklahoma", "AD", "big-gin"),
        (f"{GIN} 2H", "race", None, "gin"),
        (f"{KNOCKER} 10D", "race", None, "knock"),
        (f"{LOOSE} 9S", "race", None, None),
    ],
)
def test_what_a_hand_allows(hand: str, rules: str, upcard: str | None, knock: str | None) -> None:
    """Of eleven cards: after the best discard, or none where the rules have big gin."""
    options = [] if upcard is None else ["--upcard", upcard]
    answer = analyze("--rules", rules, *options, hand)
    assert answer["knock"] == knock
    if knock == "big-gin":
        assert answer["deadwood"] == 0
        assert answer["deadwood_cards"] == []
        laid = [card for meld in answer["melds"] for card in meld["cards"]]
        assert sorted(laid) == sorted(MELDED.split())


def test_set_is_named_only_when_something_was_set() -> None:
    """`rules` is the text given, `set` what was set besides."""
    plain = analyze("--rules", "race+straight", HAND)
    assert plain["rules"] == "race+straight"
    assert "set" not in plain
    given = analyze("--rules", "race", "--set", "knock_limit=3", HAND)
    assert given["rules"] == "race"
    assert given["knock_limit"] == 3
    assert "knock_limit" in json.dumps(given["set"])
    assert "3" in json.dumps(given["set"])


def test_what_else_may_be_told() -> None:
    """The size of the stock changes no count of cards, but it may be given, as key or option."""
    right = analyze(HAND)
    assert analyze("--stock", "12", HAND) == right
    (record,) = records("analyze-hand", [{"hand": HAND, "stock": 12}])
    assert {**right, "line": 1} == record


def test_all_arguments_are_one_hand() -> None:
    """One argument or ten, in any spelling; the order never matters."""
    right = analyze(HAND)
    assert analyze(*HAND.split()) == right
    assert analyze(*reversed(HAND.lower().split())) == right
    assert analyze("3cdh", "9TJs", "♥K 5♦", "2C-AS") == right


@pytest.mark.parametrize("hand", ["7S", "7S 8S", "7H 7S 8H", "7S 7H 7D 8D 9D", HAND, ELEVEN])
def test_partial_hands(hand: str) -> None:
    """From one card to eleven."""
    answer = analyze("--partial", hand)
    cards = reference.cards(hand)
    assert answer["hand"] == names(cards)
    if len(cards) < 11:
        assert answer["deadwood"] == reference.deadwood(cards)
        assert answer["melds"] == melds_json(reference.knock_spread(cards))


def test_the_outs_of_source_003() -> None:
    """7H 7S 8H: exactly 6H 9H 7D 7C."""
    answer = analyze("--partial", "7H 7S 8H")
    assert answer["outs"] == {"cards": ["6H", "9H", "7D", "7C"], "count": 4}


@pytest.mark.parametrize(("hand", "number"), [("7S 8S 9S", "3"), (f"{HAND} 4D 4H", "12"), ("", "0")])
def test_a_wrong_number_of_cards(hand: str, number: str) -> None:
    """The number is named, and what would be right."""
    message = refused("analyze-hand", hand)
    assert number in message
    assert "10" in message
    assert "11" in message


def test_every_least_arrangement() -> None:
    """`--all`: source hand M11 has two, others have one or many."""
    random = Random(2)
    hands = [reference.cards("10S JH QH KH JD QD KD JC QC KC")]
    hands += [reference.rich_hand(random, 10) for _ in range(40)]
    rows = [{"hand": names(hand), "all": True} for hand in hands]
    for hand, answer in zip(hands, records("analyze-hand", rows), strict=True):
        right = [melds_json(spread) for spread in reference.least_spreads(hand)]
        assert len(answer["arrangements"]) == len(right)
        assert all(melds in right for melds in answer["arrangements"])
        assert answer["melds"] in answer["arrangements"]


# --- analyze-hand, eleven cards -----------------------------------------------------------------


def test_discards() -> None:
    """By deadwood, then outs (most), points (most), card order; each with what it leaves."""
    random = Random(3)
    hands = [reference.rich_hand(random, 11) for _ in range(25)]
    hands += [sorted(random.sample(range(52), 11)) for _ in range(5)]
    answers = records("analyze-hand", [{"hand": names(hand)} for hand in hands], "--rules", "race")
    for hand, answer in zip(hands, answers, strict=True):
        unseen = [card for card in range(52) if card not in hand]
        rows = []
        for gone, left in reference.discards(hand).items():
            kept = [card for card in hand if card != gone]
            outs = len(reference.outs(kept, unseen))
            knock = "gin" if left == 0 else "knock" if left <= 10 else None
            melds = melds_json(reference.knock_spread(kept))
            order = (left, -outs, -reference.points(gone), gone)
            rows.append((order, (reference.name(gone), left, knock, outs, melds)))
        right = [row for _, row in sorted(rows)]
        got = [
            (row["card"], row["deadwood"], row["knock"], row["outs_count"], row["melds"]) for row in answer["discards"]
        ]
        assert got == right
        assert not {"outs", "improving", "offer"} & set(answer)
        assert all("equity" not in row for row in answer["discards"])
        best = answer["discards"][0]
        assert answer["deadwood"] == best["deadwood"]
        if reference.deadwood(hand) > 0:
            assert (answer["melds"], answer["knock"]) == (best["melds"], best["knock"])


def test_a_taken_card_stays() -> None:
    """It is no discard, and so the deadwood is what the others leave."""
    free = analyze("--rules", "race", f"{GIN} 2H")
    assert (free["deadwood"], free["knock"], free["discards"][0]["card"]) == (0, "gin", "2H")
    bound = analyze("--rules", "race", "--taken", "2H", f"{GIN} 2H")
    listed = [row["card"] for row in bound["discards"]]
    assert "2H" not in listed
    assert len(listed) == 10
    assert bound["deadwood"] == 2 == bound["discards"][0]["deadwood"]
    assert bound["knock"] == "knock"


@pytest.mark.parametrize(("taken", "hand"), [("4D", ELEVEN), ("7S 8S", ELEVEN), ("x", ELEVEN)])
def test_taken_must_be_one_card_of_the_hand(taken: str, hand: str) -> None:
    """Else it could not have been taken."""
    refused("analyze-hand", "--taken", taken, hand)


@pytest.mark.parametrize("card", ["4C", "8S", "KD", "2D", "QS"])
def test_the_card_on_offer(card: str) -> None:
    """`deadwood_if_taken` is after the best discard, which is never the card taken."""
    offer = analyze("--pile-top", card, HAND)["offer"]
    taken = reference.card(card)
    after = reference.discards([*reference.cards(HAND), taken], taken=taken)
    least = min(after.values())
    assert (offer["card"], offer["deadwood_if_taken"]) == (card, least)
    assert offer["discard"] in names(gone for gone, left in after.items() if left == least)
    assert isinstance(offer["take"], bool)


def test_offers_no_one_could_judge_otherwise() -> None:
    """A card that makes gin, and one that only adds points."""
    hand = "7S 8S 9S KC KH KD AD AC AH QD"
    good = analyze("--pile-top", "AS", hand)["offer"]
    assert (good["take"], good["deadwood_if_taken"], good["discard"]) == (True, 0, "QD")
    bad = analyze("--pile-top", "JC", "AS 2S 3S 4S 7H 7D 7C 2H 2D 5C")["offer"]
    assert (bad["take"], bad["deadwood_if_taken"]) == (False, 14)


# --- analyze-hand, against ----------------------------------------------------------------------


def test_layoffs_against_a_spread() -> None:
    """Joint layoffs as in `score`; `onto` is the knocker's meld as it was laid out."""
    random = Random(4)
    pairs = [reference.knock_pair(random) for _ in range(60)]
    pairs = [pair for pair in pairs if reference.deadwood(pair[0]) > 0]  # none after gin
    rows, rights = [], []
    for knocker, defender in pairs:
        spread = reference.knock_spread(knocker)
        rows.append({"hand": names(defender), "against": [names(meld) for meld in spread]})
        rights.append(reference.best_defence(spread, defender))
    for right, answer in zip(rights, records("analyze-hand", rows), strict=True):
        laid = [{"card": reference.name(card), "onto": names(meld)} for card, meld in right.laid]
        assert sorted(answer["layoffs"], key=lambda each: str(each)) == sorted(laid, key=lambda each: str(each))
        assert answer["melds_after_layoff"] == melds_json(right.melds)
        assert answer["deadwood_after_layoff"] == right.deadwood


def test_layoffs_of_the_page() -> None:
    """Source 001, the melds as text with `/` between them."""
    answer = analyze("--against", "7S 8S 9S / KC KH KD KS", DEFENDER)
    assert answer["deadwood"] == 26
    assert answer["layoffs"] == [{"card": "10S", "onto": ["7S", "8S", "9S"]}]
    assert answer["deadwood_after_layoff"] == 16


@pytest.mark.parametrize(
    "options",
    [
        ["--against", "7S 8S"],
        ["--against", "7S 8S 10C"],
        ["--against", "10S JS QS"],  # 10S and QS are in the hand
        ["--against", "7S 8S 9S / 9S 9H 9D"],
        ["--seen", "10S"],
        ["--opponent", "10S"],
        ["--seen", "3S", "--opponent", "3S"],
        ["--seen", "3S 3S"],
        ["--pile-top", "10S"],
        ["--opponent", "3S", "--pile-top", "3S"],
        ["--opponent", "3S 4S 5S 6S 7S 8S 9S KS AS 2S 3H 4H"],  # twelve
    ],
)
def test_cards_that_cannot_be_where_they_are_said_to_be(options: list[str]) -> None:
    """No meld, or a card in two places: nothing is analyzed."""
    refused("analyze-hand", *options, DEFENDER)


# --- score --------------------------------------------------------------------------------------


def test_the_showdown_of_the_page() -> None:
    """Source 001: 7 v 26, lays off the 10S, 16: the knocker scores 9."""
    answer = score("--rules", "romme", KNOCKER, DEFENDER)
    right = {
        "schema": 1,
        "rules": "romme",
        "result": "knock",
        "winner": "knocker",
        "points": 9,
        "difference": 9,
        "bonus": 0,
        "multiplier": 1,
        "knocker": {
            "melds": [
                {"kind": "run", "cards": ["7S", "8S", "9S"]},
                {"kind": "set", "cards": ["KS", "KH", "KD", "KC"]},
            ],
            "deadwood_cards": ["AD", "2C", "4C"],
            "deadwood": 7,
        },
        "defender": {
            "melds": [
                {"kind": "set", "cards": ["QS", "QD", "QC"]},
                {"kind": "run", "cards": ["5H", "6H", "7H"]},
            ],
            "layoffs": [{"card": "10S", "onto": ["7S", "8S", "9S"]}],
            "deadwood_cards": ["JH", "2D", "4D"],
            "deadwood_before": 26,
            "deadwood": 16,
        },
    }
    assert {key: answer[key] for key in right} == right
    assert "line" not in answer
    assert "set" not in answer


def test_showdowns() -> None:
    """Every key of many knocks, gin and undercuts among them."""
    random = Random(5)
    pairs = [reference.knock_pair(random) for _ in range(120)]
    rows = [{"knocker": names(knocker), "defender": names(hand)} for knocker, hand in pairs]
    answers = records("score", rows, "--rules", "pagat")
    seen = set()
    for number, ((knocker, hand), answer) in enumerate(zip(pairs, answers, strict=True), 1):
        right = reference.score(knocker, hand, reference.Bonuses(gin=20, undercut=10))
        spread = reference.knock_spread(knocker)
        seen.add(right.result)
        assert answer["line"] == number
        assert answer["multiplier"] == 1
        for key in ("result", "winner", "points", "difference", "bonus"):
            assert answer[key] == getattr(right, key), (number, key)
        own, other = answer["knocker"], answer["defender"]
        assert own["melds"] == melds_json(spread)
        assert own["deadwood_cards"] == names(set(knocker) - set(reference.used(spread)))
        assert own["deadwood"] == right.knocker_deadwood
        assert other["deadwood_before"] == right.deadwood_before
        assert other["deadwood"] == right.defender_deadwood
        laid = [each["card"] for each in other["layoffs"]]
        melded = [card for meld in other["melds"] for card in meld["cards"]]
        assert sorted([*laid, *melded, *other["deadwood_cards"]]) == sorted(names(hand))
        assert reference.total(map(reference.card, other["deadwood_cards"])) == other["deadwood"]
        if right.result != "gin":
            best = reference.best_defence(spread, hand)
            assert other["melds"] == melds_json(best.melds)
            assert sorted(laid) == sorted(reference.name(card) for card, _ in best.laid)
        else:
            assert laid == []
    assert seen == {"knock", "gin", "undercut"}


@pytest.mark.parametrize("rules", ["race", "romme", "classic+big-gin"])
def test_big_gin(rules: str) -> None:
    """Eleven cards, and said so."""
    answer = score("--rules", rules, "--big-gin", MELDED, LOOSE)
    assert (answer["result"], answer["bonus"]) == ("big-gin", 31)
    assert answer["points"] == answer["difference"] + 31
    assert answer["knocker"]["deadwood_cards"] == []
    assert answer["defender"]["layoffs"] == []
    (record,) = records("score", [{"knocker": MELDED, "defender": LOOSE, "big_gin": True}], "--rules", rules)
    assert record["points"] == answer["points"]


@pytest.mark.parametrize(
    "args",
    [
        [MELDED, LOOSE],  # eleven cards without --big-gin
        ["--big-gin", GIN, LOOSE],  # ten with it
        ["--big-gin", f"{GIN} 9D", LOOSE],  # not all eleven lie in melds
        ["--rules", "classic", "--big-gin", MELDED, LOOSE],
        ["--rules", "race+no-big-gin", "--big-gin", MELDED, LOOSE],
        [LOOSE, GIN],  # no knock
        [KNOCKER, DEFENDER.replace("10S", "7S")],  # 7S twice
        [KNOCKER, "5H 6H 7H QS QD QC 10S 2D 4D"],  # nine
        [KNOCKER, f"{DEFENDER} 3S"],  # eleven
        ["--pile-top", "KS", KNOCKER, DEFENDER],  # in the knocker's hand
        ["--pile-top", "10S", KNOCKER, DEFENDER],
        ["--knocker-melds", "7S 8S 9S / KC KH KD KS", KNOCKER, DEFENDER],  # race: automatic
        ["--defender-melds", "5H 6H 7H / QS QD QC", KNOCKER, DEFENDER],
        ["--rules", "classic", "--knocker-melds", "KC KH KD KS", KNOCKER, DEFENDER],  # 31
        ["--rules", "classic", "--knocker-melds", "7S 8S 9S 10S", KNOCKER, DEFENDER],
        ["--rules", "classic", "--knocker-melds", "7S 8S", KNOCKER, DEFENDER],
        ["--rules", "classic", "--knocker-melds", "7S 8S 9x", KNOCKER, DEFENDER],
        ["--rules", "classic", "--defender-melds", "QS QH QC", KNOCKER, DEFENDER],
        ["--rules", "oklahoma", "--upcard", "6D", KNOCKER, DEFENDER],  # limit 6
        ["--rules", "oklahoma", "--upcard", "AH", KNOCKER, DEFENDER],
    ],
)
def test_knocks_that_are_none(args: list[str]) -> None:
    """An error, and nothing is scored."""
    rules = [] if "--rules" in args else ["--rules", "race"]
    refused("score", *rules, *args)


def test_messages_of_score() -> None:
    """The option that is missing, the two places of a card, the deadwood and the limit."""
    assert "--upcard" in refused("score", "--rules", "oklahoma", KNOCKER, DEFENDER)
    assert "--pile-top" in refused("score", "--rules", "+spades", KNOCKER, DEFENDER)
    twice = refused("score", KNOCKER, DEFENDER.replace("10S", "7S")).lower()
    assert "7s" in twice or "7♠" in twice
    assert "knocker" in twice
    assert "defender" in twice
    above = refused("score", "2H 3H 4H 7C 8C 9C AS 3S 6S AD", DEFENDER.replace("4D", "KD"))
    assert "11" in above
    assert "10" in above


def test_a_spread_that_is_named() -> None:
    """Also one with more deadwood, as long as the knock stays legal; then it is no gin."""
    knocker = "AS 2S 3S 4S 5S 6S 7S JH QH KH"
    defender = "9S 10S JS QS KS 8H 10H AC 2C 3C"
    assert score(knocker, defender)["result"] == "gin"
    answer = score("--knocker-melds", "AS 2S 3S 4S 5S 6S / JH QH KH", knocker, defender)
    assert (answer["result"], answer["knocker"]["deadwood"]) == ("knock", 7)
    # The 10H goes on the run of hearts; the 8H is left.
    assert answer["defender"]["layoffs"] == [{"card": "10H", "onto": ["JH", "QH", "KH"]}]
    assert (answer["defender"]["deadwood"], answer["points"]) == (8, 1)


def test_a_defender_who_lays_out_by_hand() -> None:
    """The melds named are the melds laid out, also when others would leave less."""
    named = [{"kind": "run", "cards": ["5H", "6H", "7H"]}]
    answer = score("--defender-melds", "5H 6H 7H", KNOCKER, DEFENDER)
    assert answer["defender"]["melds"] == named
    assert answer["points"] == answer["defender"]["deadwood"] - 7 > 9


@pytest.mark.parametrize(
    ("options", "multiplier"),
    [
        (["--rules", "oklahoma", "--upcard", "9S"], 2),
        (["--rules", "oklahoma", "--upcard", "9D"], 1),
        (["--rules", "+spades", "--pile-top", "6S"], 2),
        (["--rules", "+spades", "--pile-top", "9D"], 1),
        (["--rules", "oklahoma+spades", "--upcard", "9S", "--pile-top", "6S"], 4),
    ],
)
def test_doubled_hands(options: list[str], multiplier: int) -> None:
    """`points` is (`difference` + `bonus`) times `multiplier`."""
    for knocker, defender, total in (
        (KNOCKER, DEFENDER, 9),
        (GIN, LOOSE, 25 + reference.total(reference.cards(LOOSE))),
        (KNOCKER, "5H 6H 7H QS QD QC JD JC JH 4D", 28),
    ):
        answer = score(*options, knocker, defender)
        assert answer["multiplier"] == multiplier
        assert answer["difference"] + answer["bonus"] == total
        assert answer["points"] == total * multiplier


# --- formats ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "hands"), [("analyze-hand", [HAND]), ("score", [KNOCKER, DEFENDER])])
def test_json_is_one_plain_line(command: str, hands: list[str]) -> None:
    """Never coloured, ASCII, `--json` short for `--format json`."""
    done = run([command, "--json", "--color", "always", "--cards", "unicode", *hands])
    assert done.status == 0
    assert done.stdout.isascii()
    assert "\x1b" not in done.stdout
    assert done.stdout.count("\n") == 1
    assert done.stdout.endswith("\n")
    assert run([command, "--format", "json", *hands]).stdout == done.stdout


def test_csv() -> None:
    """The scalar keys of one result a row, under one header."""
    done = run(["analyze-hand", "--format", "csv"], f"{HAND}\n{GIN}\n".encode())
    assert (done.status, done.stderr) == (0, "")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["deadwood"] for row in rows] == ["18", "0"]
    assert [row["line"] for row in rows] == ["1", "2"]
    assert rows[1]["knock"] == "gin"
    assert rows[0]["knock_limit"] == "10"
    assert "melds" not in rows[0]


@pytest.mark.parametrize(
    ("command", "hands", "words"),
    [
        ("analyze-hand", [HAND], ["18", "10S", "KH"]),
        ("score", [KNOCKER, DEFENDER], ["7", "26", "16", "9", "10S"]),
    ],
)
def test_text(command: str, hands: list[str], words: list[str]) -> None:
    """Letters or symbols as asked for, colour only when asked for."""
    plain = run([command, "--cards", "ascii", *hands])
    assert (plain.status, plain.stderr) == (0, "")
    assert plain.stdout.isascii()
    for word in words:
        assert word in plain.stdout
    symbols = run([command, "--cards", "unicode", *hands])
    assert "♠" in symbols.stdout
    assert "10S" not in symbols.stdout
    assert "\x1b" not in plain.stdout + symbols.stdout
    assert "\x1b" not in run([command, "--color", "never", *hands]).stdout
