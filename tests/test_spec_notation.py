"""Card text: everything that is read, and everything that is refused with a reason."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st

import ginrummy
from ginrummy.cli import run

CASES = Path(__file__).parent / "cases"
INPUT = [json.loads(line) for line in (CASES / "input.jsonl").read_text(encoding="utf-8").splitlines()]
SYMBOLS = "♠♥♦♣"
OUTLINED = "♤♡♢♧"


def read(text: str) -> str:
    """The cards of a text, as the library writes them."""
    return str(ginrummy.parse_cards(text))


def refusal(text: str) -> str:
    """The message with which a text is refused."""
    with pytest.raises(ginrummy.GinRummyError) as caught:
        ginrummy.parse_cards(text)
    return str(caught.value)


def outcome(reader: Callable[[str], Any], text: str) -> Any:
    """What a reader makes of a text; the message if it refuses it."""
    try:
        return reader(text)
    except ginrummy.GinRummyError as error:
        return str(error)


# --- single cards -------------------------------------------------------------------------------


@pytest.mark.parametrize("card", range(52))
def test_names_read_back(card: int) -> None:
    """ASCII `10H`, symbol `10♥`; the numbers are suit * 13 + rank."""
    assert ginrummy.card_name(card) == reference.name(card)
    rank, suit = reference.RANKS[card % 13], card // 13
    assert ginrummy.card_symbol(card) == rank + SYMBOLS[suit]
    assert ginrummy.parse_card(ginrummy.card_name(card)) == card
    assert ginrummy.parse_card(ginrummy.card_symbol(card)) == card
    assert ginrummy.card_points(card) == reference.points(card)


@pytest.mark.parametrize("card", range(52))
def test_every_way_to_write_one_card(card: int) -> None:
    """Either order, any case, letters, symbols, outlined symbols, variation selectors."""
    name = reference.RANKS[card % 13]
    at = card // 13
    ranks = {name, {"10": "T", "J": "B"}.get(name, name)}
    letter = reference.SUITS[at]
    written = []
    for rank in ranks:
        written += [rank + letter, letter + rank]
        written += [(rank + letter).lower(), (letter + rank).lower()]
        written += [rank.lower() + letter, letter.lower() + rank]
    for rank in ranks | ({"D", "d"} if name == "Q" else set()):
        for suit in (SYMBOLS[at], OUTLINED[at], SYMBOLS[at] + "\ufe0e", SYMBOLS[at] + "\ufe0f"):
            written += [rank + suit, suit + rank, rank.lower() + suit]
    for text in written:
        assert ginrummy.parse_card(text) == card, text
        assert list(ginrummy.parse_cards(text)) == [card], text


def test_unicode_playing_cards() -> None:
    """Fourteen a suit, the twelfth the knight, which no deck of 52 has."""
    for suit, first in enumerate((0x1F0A1, 0x1F0B1, 0x1F0C1, 0x1F0D1)):
        for at in range(14):
            if at == 11:
                assert refusal(chr(first + at)), "a knight"
                continue
            rank = at if at < 11 else at - 1
            assert ginrummy.parse_card(chr(first + at)) == suit * 13 + rank


@pytest.mark.parametrize("text", ["\U0001f0a0", "\U0001f0bf", "\U0001f0cf", "\U0001f0df"])
def test_card_backs_and_jokers_are_refused(text: str) -> None:
    """The back, and the three jokers of Unicode."""
    refusal(text)
    with pytest.raises(ginrummy.GinRummyError):
        ginrummy.parse_card(text)


@pytest.mark.parametrize("text", ["7S8S", "7S 8S", "789s", "7", "S", "", " ", "1S", "11S", "0S"])
def test_one_card_is_one_card(text: str) -> None:
    """`parse_card` takes no list and no half."""
    with pytest.raises(ginrummy.GinRummyError):
        ginrummy.parse_card(text)


# --- tokens -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("7S8S9S10S", "7S 8S 9S 10S"),
        ("789s", "7S 8S 9S"),
        ("78s9h", "7S 8S 9H"),
        ("5hdc", "5H 5D 5C"),
        ("10shdc", "10S 10H 10D 10C"),
        ("Tshdc", "10S 10H 10D 10C"),
        ("s7", "7S"),
        ("s789", "7S 8S 9S"),
        ("♠789", "7S 8S 9S"),
        ("a23s", "AS 2S 3S"),
        ("910jqks", "9S 10S JS QS KS"),
        ("9TBQKs", "9S 10S JS QS KS"),
        ("2310s", "2S 3S 10S"),
        ("d10jq", "10D JD QD"),
        # D is a suit among letters, the queen among symbols.
        ("Kd", "KD"),
        ("DK", "KD"),
        ("DB", "JD"),
        ("BD", "JD"),
        ("D789", "7D 8D 9D"),
        ("D♠", "QS"),
        ("♠D", "QS"),
        ("♦D", "QD"),
        ("BDK♠", "JS QS KS"),
        ("♠bdk", "JS QS KS"),
        ("D♠♥♣", "QS QH QC"),
        ("9♠10♠BDK♠", "9S 10S JS QS KS"),
        ("7♤7♡7♢7♧", "7S 7H 7D 7C"),
        ("7♠️ 7♥︎", "7S 7H"),
    ],
)
def test_tokens(text: str, cards: str) -> None:
    """Cards written together."""
    assert read(text) == cards


@pytest.mark.parametrize("separator", [" ", "\t", ",", ";", "|", "-", "–", "·", "/", " , ", "- -"])
def test_separators(separator: str) -> None:
    """Blanks, tabs, commas and what people put between cards."""
    assert read(separator.join(["7S", "10h", "♦D", "Bc"])) == "7S 10H QD JC"


def test_a_dash_between_cards_is_no_range() -> None:
    """`7s-9s` are two cards; `7-9s` looks like a range and is refused."""
    assert read("7s-9s") == "7S 9S"
    assert "789s" in refusal("7-9s").lower()


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ("7", ["7"]),
        ("S", ["S"]),
        ("♠", ["♠"]),
        ("10", ["10"]),
        ("6x", ["6x"]),
        ("x", ["x"]),
        ("7?", ["7?"]),
        ("Qx", ["Qx"]),
        ("1c", ["1"]),
        ("0c", ["0"]),
        ("11c", ["11"]),
        ("12c", ["12"]),
        ("110s", ["1"]),
        ("010s", ["0"]),
        ("100s", ["0"]),
        ("07s", ["0"]),
        ("78sh", ["78sh"]),
        ("78♠♥", ["78♠♥"]),
        ("7s8", ["7s8"]),
        # Letters and symbols in one token: D would mean two things.
        ("7s8♠", ["7s8♠"]),
        ("7♠8h", ["7♠8h"]),
        # A suit as a letter and no rank.
        ("DD", ["DD", "QD", "D♦"]),
        ("DH", ["DH"]),
        ("hd", ["hd"]),
        ("♠♥", ["♠♥"]),
        # Look-alikes are named by code point.
        ("6\u0421", ["U+0421"]),
        ("6\u0441", ["U+0441"]),
        ("\u041aS", ["U+041A"]),
        ("\u0410h", ["U+0410"]),
        ("\u0391h", ["U+0391"]),
        ("\u039as", ["U+039A"]),
        # Letters that turn into s and k when the case is changed are none of ours.
        ("7\u017f", ["U+017F"]),
        ("\u212ah", ["U+212A"]),
        # Digits that `int` would take.
        ("\u0667s", []),
        ("\uff17s", []),
        ("\u00b2s", []),
        ("\u2460s", []),
        ("Joker", ["oker"]),
        ("\U0001f0cf", []),
        ("\U0001f0ac", []),
        ("7s\x00", []),
        ("7s\u200b", []),
        ("7\u2028s", []),
        ("\ud800", []),
        ("ß", []),
        ("7s.", ["7s."]),
        ("7s+8s", ["+"]),
        ("(7s)", ["("]),
    ],
)
def test_refusals_name_token_and_place(bad: str, named: list[str]) -> None:
    """What is wrong and where: the token begins at the thirteenth character, counted from 1."""
    message = refusal(f"Ac 2d 3h 4s {bad} 9d")
    for word in named:
        assert word.upper() in message.upper()
    assert re.search(r"\b1[3-9]\b", message), message


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("7-9s", "789s"),
        ("DD", "QD"),
        ("DD", "D♦"),
        ("10 h", "10h"),
    ],
)
def test_refusals_say_what_would_be_right(text: str, remedy: str) -> None:
    """The remedy is the text to write."""
    assert remedy.upper() in refusal(text).upper()


@pytest.mark.parametrize("text", ["7", "10", "S", "6x", "1c", "Joker", "DD"])
def test_every_refusal_shows_something_right(text: str) -> None:
    """None of these texts holds a card itself, so one in the message is one to write."""
    message = refusal(text).upper()
    suits, ranks = f"[SHDC{SYMBOLS}]", "(A|[2-9]|10|[TJQKB])"
    assert re.search(rf"\b({ranks}+{suits}|{suits}{ranks}+)", message), message


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("7s 8s 7s", "7S"),
        ("77s", "7S"),
        ("7ss", "7S"),
        ("7s ♠7", "7S"),
        ("qd ♦D", "QD"),
        ("10h Th", "10H"),
        ("jc bc", "JC"),
        ("🂡 AS", "AS"),
    ],
)
def test_a_card_twice_is_impossible(text: str, card: str) -> None:
    """However the two are written; the card is named."""
    with pytest.raises(ginrummy.ImpossibleError) as caught:
        ginrummy.parse_cards(text)
    message = str(caught.value).upper()
    assert card in message or card[:-1] + SYMBOLS[reference.SUITS.index(card[-1])] in message


def test_unreadable_and_impossible_are_told_apart() -> None:
    """Both are GinRummyErrors, and those are ValueErrors."""
    with pytest.raises(ginrummy.UnreadableError):
        ginrummy.parse_cards("7x")
    for error in (ginrummy.UnreadableError, ginrummy.ImpossibleError, ginrummy.IllegalError):
        assert issubclass(error, ginrummy.GinRummyError)
    assert issubclass(ginrummy.RulesError, ginrummy.GinRummyError)
    assert issubclass(ginrummy.GinRummyError, ValueError)


# --- melds --------------------------------------------------------------------------------------


def test_melds() -> None:
    """`/` stands between melds."""
    run, four = ginrummy.parse_melds("9s 7S8S / KC KH KD KS")
    assert (run.kind, str(run.cards)) == ("run", "7S 8S 9S")
    assert (four.kind, str(four.cards)) == ("set", "KS KH KD KC")
    assert len(ginrummy.parse_melds("789s/5hdc")) == 2


@pytest.mark.parametrize(
    "text",
    [
        "7S 8S",
        "7S 8S 10S",
        "7S 8S 9H",
        "QS KS AS",
        "KS AS 2S",
        "7S 7H 8D",
        "7S 7H",
        "7S 7H 7D / 7D 8D 9D",
        "7S 8S 9x",
        "JS QS KS AH",
        "KS AH 2H",
    ],
)
def test_what_is_no_meld(text: str) -> None:
    """Two cards, gaps, two suits, round the corner, a card in two melds."""
    with pytest.raises(ginrummy.GinRummyError):
        ginrummy.parse_melds(text)


# --- sets of cards ------------------------------------------------------------------------------


CARD_SETS = st.sets(st.integers(0, 51)).map(sorted)


@given(CARD_SETS)
def test_cards_are_an_int_that_reads_back(cards: list[int]) -> None:
    """Mask, list, text and repr are the same set of cards."""
    made = ginrummy.Cards(cards)
    assert made == sum(1 << card for card in cards)
    assert isinstance(made, int)
    assert list(made) == cards
    assert len(made) == len(cards)
    assert str(made) == " ".join(map(reference.name, cards))
    assert repr(made) == f"Cards('{made}')"
    assert eval(repr(made), {"Cards": ginrummy.Cards}) == made
    assert ginrummy.Cards(int(made)) == made
    assert made.points == reference.total(cards)
    assert [card for card in range(52) if card in made] == cards
    if cards:
        assert ginrummy.parse_cards(str(made)) == made
        assert ginrummy.parse_cards(" ".join(map(ginrummy.card_symbol, cards))) == made


@given(CARD_SETS, CARD_SETS)
def test_cards_combine_like_sets(one: list[int], other: list[int]) -> None:
    """`|`, `&` and `-` give Cards; a plain minus of ints would give nonsense."""
    a, b = ginrummy.Cards(one), ginrummy.Cards(other)
    for made, right in (
        (a | b, set(one) | set(other)),
        (a & b, set(one) & set(other)),
        (a - b, set(one) - set(other)),
    ):
        assert isinstance(made, ginrummy.Cards)
        assert list(made) == sorted(right)


@pytest.mark.parametrize("wrong", [-1, 1 << 52, [52], [-1]])
def test_no_set_of_cards(wrong: Any) -> None:
    """Every argument is checked at the edge."""
    with pytest.raises(ginrummy.GinRummyError):
        ginrummy.Cards(wrong)


# --- properties ---------------------------------------------------------------------------------


@st.composite
def card_texts(draw: st.DrawFn) -> tuple[list[int], str]:
    """Some cards, and one of the many ways to write them."""
    cards = draw(st.lists(st.integers(0, 51), min_size=1, max_size=11, unique=True))
    right = sorted(cards)
    tokens = []
    while cards:
        first = cards[0]
        form = draw(st.sampled_from(["one", "repeated", "ranks", "suits", "suit first"]))
        if form == "one":
            group = [first]
        elif form == "repeated":
            group = cards[: draw(st.integers(1, 4))]
        elif form == "suits":
            group = [card for card in cards if card % 13 == first % 13]
        else:
            group = [card for card in cards if card // 13 == first // 13]
        cards = [card for card in cards if card not in group]
        symbols = draw(st.booleans())
        suits = draw(st.sampled_from([SYMBOLS, OUTLINED])) if symbols else reference.SUITS

        def rank(card: int, symbols: bool = symbols) -> str:
            name = reference.RANKS[card % 13]
            other = {"10": "T", "J": "B", "Q": "D" if symbols else "Q"}.get(name, name)
            return draw(st.sampled_from([name, other]))

        if form == "repeated":
            token = "".join(rank(card) + suits[card // 13] for card in group)
        elif form == "ranks":
            token = "".join(map(rank, group)) + suits[first // 13]
        elif form == "suits":
            token = rank(first) + "".join(suits[card // 13] for card in group)
        elif form == "suit first":
            token = suits[first // 13] + "".join(map(rank, group))
        else:
            token = rank(first) + suits[first // 13]
        tokens.append(draw(st.sampled_from([token, token.lower(), token.upper()])))
    text = tokens[0]
    for token in tokens[1:]:
        text += draw(st.sampled_from([" ", "\t", ",", ";", "|", "-", "–", " · ", ", ", "/"])) + token
    return right, text


@settings(max_examples=500, deadline=None)
@given(card_texts())
def test_any_way_of_writing_is_read(case: tuple[list[int], str]) -> None:
    """All forms of tokens, mixed freely in one text."""
    cards, text = case
    assert list(ginrummy.parse_cards(text)) == cards, text


NEARLY_CARDS = st.text("A23456789 10TJQKBDshdc♠♥♦♣♤️🂡🂬🃏-–/,;|·\t\n0xС\u017f\u212a٧²", max_size=30)


@settings(max_examples=600, deadline=None)
@given(st.one_of(st.text(max_size=40), NEARLY_CARDS))
def test_no_text_raises_anything_else(text: str) -> None:
    """Cards or a GinRummyError: a reader that dies on input is no reader."""
    for reader in (ginrummy.parse_cards, ginrummy.parse_card, ginrummy.parse_melds):
        got = outcome(reader, text)
        if isinstance(got, ginrummy.Cards):
            assert ginrummy.Cards(str(got)) == got
        elif isinstance(got, str):
            assert got.strip()


@pytest.mark.parametrize("text", ["7s " * 5000, "7" * 5000, "7s" * 5000, "9" * 5000 + "s", "x" * 5000, "\u0421" * 5000])
def test_long_texts_are_refused_shortly(text: str) -> None:
    """A message that repeats 5000 characters helps nobody."""
    assert len(refusal(text)) < 1000


# --- the published cases, through the command ---------------------------------------------------


@pytest.mark.parametrize("case", INPUT, ids=[case["id"] for case in INPUT])
def test_published_input(case: dict[str, Any]) -> None:
    """Texts that people and other programs write."""
    done = run(["analyze-hand", "--json", "--", case["text"]])
    assert "Traceback" not in done.stderr
    if "cards" in case:
        assert done.status == 0, done.stderr
        assert sorted(json.loads(done.stdout)["hand"]) == sorted(case["cards"])
        return
    assert done.status == 2
    assert done.stdout == ""
    named = [word.upper() in done.stderr.upper() for word in case["refused"]]
    assert any(named) if case.get("any_of") else all(named)
