"""Text to cards and back. What is refused is refused with the token, its place, the reason and what would be right."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, Self, overload

from ginrummy.cards import DECK, NAMES, SYMBOL_NAMES, card_points, cards_in, check_cards, mask_of
from ginrummy.errors import ImpossibleError, UnreadableError, quoted

RANK_LETTERS: Final = {"A": 0, "T": 9, "J": 10, "B": 10, "Q": 11, "K": 12} | {str(n): n - 1 for n in range(2, 11)}
SUIT_LETTERS: Final = {"S": 0, "H": 1, "D": 2, "C": 3}
SUIT_SYMBOLS: Final = {"♠": 0, "♥": 1, "♦": 2, "♣": 3, "♤": 0, "♡": 1, "♢": 2, "♧": 3}

_BLANKS: Final = " \t\n\r\f\v\u00a0\u2000-\u200a\u202f\u205f\u3000"
_TOKEN: Final = re.compile(rf"[^{_BLANKS},;|/·–-]+")
_LOOK_ALIKES: Final = dict(zip("АВСЕНКМОРТХЅЈΑΒΗΚΤϹ", "ABCEHKMOPTXSJABHKTC", strict=True))
_KNOWN: Final = {name: card for card, name in enumerate(NAMES)}


def card_name(card: int) -> str:
    """The ASCII name of a card number.

    >>> card_name(22)
    '10H'
    """
    return NAMES[card]


def card_symbol(card: int) -> str:
    """The name of a card number with its suit as a symbol.

    >>> card_symbol(22)
    '10♥'
    """
    return SYMBOL_NAMES[card]


class Cards(int):
    """A set of cards: an int (bit n is card n) that reads and looks like cards.

    >>> hand = Cards("7S 8S 9S KH")
    >>> len(hand), hand.points, "KH" in hand, hand - Cards("KH")
    (4, 34, True, Cards('7S 8S 9S'))
    >>> int(Cards("AS 2S"))
    3
    """

    def __new__(cls, cards: int | str | Iterable[int] = 0) -> Self:
        """From a mask, a text, or card numbers. UnreadableError, ImpossibleError for a card twice."""
        if isinstance(cards, str):
            cards = mask_of(parse_cards(cards))
        elif not isinstance(cards, int):
            numbers = list(cards)
            check_cards(*numbers)
            if len(set(numbers)) != len(numbers):
                raise ImpossibleError("a card is there twice")
            cards = mask_of(numbers)
        if not 0 <= cards <= DECK:
            raise ImpossibleError("a set of cards has the bits 0 to 51")
        return super().__new__(cls, cards)

    def __iter__(self) -> Iterator[int]:
        return iter(cards_in(int(self)))

    def __len__(self) -> int:
        return int(self).bit_count()

    def __contains__(self, card: int | str) -> bool:
        number = parse_card(card) if isinstance(card, str) else card
        return 0 <= number < 52 and bool(int(self) >> number & 1)

    # With another Cards these are the operations on sets; with a plain int they stay arithmetic, which the kernel relies on.

    @overload
    def __or__(self, other: "Cards") -> "Cards": ...
    @overload
    def __or__(self, other: int) -> int: ...
    def __or__(self, other: int) -> int:
        return Cards(int(self) | int(other)) if isinstance(other, Cards) else int(self) | other

    @overload
    def __and__(self, other: "Cards") -> "Cards": ...
    @overload
    def __and__(self, other: int) -> int: ...
    def __and__(self, other: int) -> int:
        return Cards(int(self) & int(other)) if isinstance(other, Cards) else int(self) & other

    @overload
    def __xor__(self, other: "Cards") -> "Cards": ...
    @overload
    def __xor__(self, other: int) -> int: ...
    def __xor__(self, other: int) -> int:
        return Cards(int(self) ^ int(other)) if isinstance(other, Cards) else int(self) ^ other

    @overload
    def __sub__(self, other: "Cards") -> "Cards": ...
    @overload
    def __sub__(self, other: int) -> int: ...
    def __sub__(self, other: int) -> int:
        return Cards(int(self) & ~int(other)) if isinstance(other, Cards) else int(self) - other

    def __str__(self) -> str:
        return " ".join(NAMES[card] for card in self)

    def __repr__(self) -> str:
        return f"Cards({str(self)!r})"

    @property
    def points(self) -> int:
        """Points of all the cards."""
        return sum(map(card_points, cards_in(int(self))))


class _Item(NamedTuple):
    """One letter of a token: a rank, a suit, or a whole card (a Unicode playing card)."""

    kind: str
    value: int
    text: str


def _describe(char: str) -> str:
    """A character that cannot be in a card, named so that it can be found."""
    name = unicodedata.name(char, "a control character" if not char.isprintable() else "a character without a name")
    code = f"U+{ord(char):04X}"
    twin = _LOOK_ALIKES.get(char.upper())
    if twin:
        return f"{char} is {code} ({name}) and only looks like {twin}: type the Latin letter {twin}"
    if 0xDC80 <= ord(char) <= 0xDCFF:
        return f"byte 0x{ord(char) - 0xDC00:02X} is not UTF-8"
    if not char.isascii():
        return f"{char if char.isprintable() else ''} {code} ({name}) is not part of a card".strip()
    return f"{quoted(char)} is not part of a card"


def _playing_card(char: str) -> _Item | None:
    """The item of a character from the Unicode playing cards block, or None for any other character."""
    code = ord(char)
    if not 0x1F0A0 <= code <= 0x1F0FF:
        return None
    suit, pip = divmod(code - 0x1F0A0, 16)
    if suit > 3 or not 1 <= pip <= 14:
        what = "a card's back" if code == 0x1F0A0 else "a joker or trump" if pip in (0, 15) or suit > 3 else "no card"
        raise UnreadableError(f"{char} (U+{code:04X}) is {what}: jokers are not used, write one of the 52 cards")
    if pip == 12:
        raise UnreadableError(
            f"{char} (U+{code:04X}) is a knight: there is none among the 52 cards, the queen is U+{code + 1:04X}"
        )
    return _Item("card", suit * 13 + (pip - 1 if pip < 12 else pip - 2), char)


def _items(token: str) -> list[_Item]:
    """The ranks and suits a token is made of, in order."""
    found: list[_Item] = []
    symbols = any(char in SUIT_SYMBOLS for char in token)
    at = 0
    while at < len(token):
        char = token[at]
        upper = char.upper() if char.isascii() else char
        if char in "\ufe0e\ufe0f" and found and (found[-1].kind == "card" or found[-1].text in SUIT_SYMBOLS):
            pass  # a variation selector says only how the symbol before it is drawn
        elif char in SUIT_SYMBOLS:
            found.append(_Item("suit", SUIT_SYMBOLS[char], char))
        elif token.startswith("10", at):
            found.append(_Item("rank", 9, "10"))
            at += 1
        elif upper == "D" and symbols:
            found.append(_Item("rank", 11, char))
        elif upper in SUIT_LETTERS:
            if symbols:
                raise UnreadableError(
                    f"it mixes suit letters and suit symbols: write {char} as {'♠♥♦♣'[SUIT_LETTERS[upper]]}"
                )
            found.append(_Item("suit", SUIT_LETTERS[upper], char))
        elif upper in RANK_LETTERS:
            found.append(_Item("rank", RANK_LETTERS[upper], char))
        elif char == "1":
            raise UnreadableError("1 is not a rank: write A for the ace, 10 or T for the ten")
        elif char == "0":
            raise UnreadableError("0 is not a rank: write 10 or T for the ten")
        elif (card := _playing_card(char)) is not None:
            found.append(card)
        else:
            raise UnreadableError(_describe(char))
        at += 1
    return found


def _read_token(token: str) -> list[int]:
    """The cards of one token, in the order written."""
    if "joker" in token.lower():
        raise UnreadableError("jokers are not used: write one of the 52 cards")
    items = _items(token)
    kinds = "".join(item.kind[0] for item in items)
    ranks = [item for item in items if item.kind == "rank"]
    suits = [item for item in items if item.kind == "suit"]
    if re.fullmatch("c+", kinds):
        return [item.value for item in items]
    if re.fullmatch("(r+s)+", kinds):
        cards, waiting = [], []
        for item in items:
            if item.kind == "rank":
                waiting.append(item.value)
            else:
                cards += [item.value * 13 + rank for rank in waiting]
                waiting = []
        return cards
    if re.fullmatch("rs+", kinds):
        return [suit.value * 13 + ranks[0].value for suit in suits]
    if re.fullmatch("sr+", kinds):
        return [suits[0].value * 13 + rank.value for rank in ranks]
    raise UnreadableError(_shape_remedy(kinds, ranks, suits))


def _shape_remedy(kinds: str, ranks: list[_Item], suits: list[_Item]) -> str:
    """Why ranks and suits in this order are no cards, and what to write."""
    if "c" in kinds:
        return "a playing-card character stands alone or with others of its kind: put a blank before and after it"
    if not suits:
        what = ranks[0].text if len(ranks) == 1 else "it"
        return f"{what} has no suit: write {ranks[0].text}S, {ranks[0].text}H, {ranks[0].text}D or {ranks[0].text}C"
    if not ranks:
        if any(item.text in "dD" for item in suits):
            return "it has no rank: for the queen of diamonds write QD or D♦"
        return f"{suits[0].text} has no rank: write it together with one, as in 10{suits[0].text}"
    if re.fullmatch("r{2,}s{2,}", kinds):
        return f"several ranks before several suits: write each card, as in {ranks[0].text}{suits[0].text} {ranks[1].text}{suits[1].text}"
    if kinds[0] == "s":
        return f"after a suit only ranks may follow: write the rank first, as in {ranks[0].text}{suits[0].text}"
    if kinds[-1] == "r":
        return f"{ranks[-1].text} has no suit of its own: put blanks between the cards"
    return "which suit goes with which rank is not clear: put blanks between the cards"


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """The tokens of a text with their places, counted in characters from 1."""
    for match in _TOKEN.finditer(text):
        yield match.start() + 1, match.group()


def _range_remedy(text: str, place: int, token: str) -> str | None:
    """For ``7-9s``, where a rank alone is followed by a dash and one card: how to write the run."""
    match = re.match(r"(10|[2-9AaTtJjBbQqKk])[-–](10|[2-9TtJjBbQqKk])([SHDCshdc♠♥♦♣])(?![^\s,;|/·])", text[place - 1 :])
    if not match or token != match[1]:
        return None
    low, high = RANK_LETTERS[match[1].upper()], RANK_LETTERS[match[2].upper()]
    if low >= high:
        return None
    between = "".join("A23456789TJQK"[rank] for rank in range(low, high + 1)).replace("T", "10")
    return f"a dash only separates cards: write {between}{match[3]}"


def _rejoined(text: str) -> str:
    """A text whose UTF-8 bytes were left apart, as an argument's are where the locale knows only ASCII."""
    try:
        return text.encode(errors="surrogateescape").decode()
    except UnicodeError:
        return text


def parse_placed(text: str) -> list[tuple[int, int]]:
    """The cards of a text as (card, place), places counted in characters from 1; a card twice is left to the caller.

    UnreadableError names the first token that is no card.
    """
    found: list[tuple[int, int]] = []
    if not text.isascii():
        text = _rejoined(text)
    for place, token in _tokens(text):
        known = _KNOWN.get(token)
        if known is not None:
            found.append((known, place))
            continue
        try:
            found += [(card, place) for card in _read_token(token)]
        except UnreadableError as error:
            reason = _range_remedy(text, place, token) or str(error)
            raise UnreadableError(f"{quoted(token)} at position {place}: {reason}") from None
    return found


def parse_cards(text: str) -> Cards:
    """The set of cards a text names. UnreadableError, ImpossibleError for a card twice.

    >>> parse_cards("789s ♥DK")
    Cards('7S 8S 9S QH KH')
    """
    mask = 0
    where: dict[int, int] = {}
    for card, place in parse_placed(text):
        if mask >> card & 1:
            places = f"at positions {where[card]} and {place}" if place != where[card] else f"at position {place}"
            raise ImpossibleError(f"{NAMES[card]} twice, {places}: each card is there once")
        mask |= 1 << card
        where[card] = place
    return Cards(mask)


def parse_card(text: str) -> int:
    """The number of the one card a text names.

    >>> parse_card("10h"), parse_card("♥D")
    (22, 24)
    """
    known = _KNOWN.get(text)
    if known is not None:
        return known
    found = parse_placed(text)
    if len(found) != 1:
        raise UnreadableError(f"{quoted(text)}: {len(found) or 'no'} cards, one is wanted, as in 10H")
    return found[0][0]


def names(cards: Iterable[int], name: Callable[[int], str] = card_name) -> str:
    """Cards in the order given, a blank between them."""
    return " ".join(name(card) for card in cards)
