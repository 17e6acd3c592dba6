"""A slow solver, plain enough to be checked by reading, which the tests compare the real one with.

Cards are numbers 0-51 (suit * 13 + rank, suits S H D C). A meld is an ascending tuple of cards, a
spread an ascending tuple of melds, so that Python's own comparison is the one the rules ask for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import NamedTuple

Meld = tuple[int, ...]
Spread = tuple[Meld, ...]
Laid = tuple[tuple[int, Meld], ...]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
DECK = range(52)


def name(card: int) -> str:
    """`10H` for 22."""
    return RANKS[card % 13] + SUITS[card // 13]


def card(text: str) -> int:
    """22 for `10H`: only this one way of writing a card."""
    return SUITS.index(text[-1]) * 13 + RANKS.index(text[:-1])


def cards(text: str) -> list[int]:
    """The cards of a text such as `7S 8S 9S`, in the order written."""
    return [card(word) for word in text.split()]


def points(one: int) -> int:
    """Ace 1, 2-10 face value, court cards 10."""
    return min(one % 13 + 1, 10)


def total(some: Iterable[int]) -> int:
    """The points of some cards together."""
    return sum(points(one) for one in some)


def suit(one: int) -> int:
    """0-3 for S H D C."""
    return one // 13


def is_run(meld: Meld) -> bool:
    """Whether a meld is a run: the cards of a set are 13 or more apart."""
    return meld[1] == meld[0] + 1


def all_melds(hand: Iterable[int]) -> list[Meld]:
    """Every set and every run that can be picked from a hand."""
    held = sorted(hand)
    found: list[Meld] = []
    for rank in range(13):
        same = [one for one in held if one % 13 == rank]
        for size in (3, 4):
            found += combinations(same, size)
    for low in held:
        run = [low]
        while run[-1] + 1 in held and suit(run[-1] + 1) == suit(low):
            run.append(run[-1] + 1)
            if len(run) >= 3:
                found.append(tuple(run))
    return found


def touch(one: Meld, other: Meld) -> bool:
    """Whether two melds are runs of one suit that touch: together they are one run (rule 2)."""
    if not (is_run(one) and is_run(other)) or suit(one[0]) != suit(other[0]):
        return False
    return one[-1] + 1 == other[0] or other[-1] + 1 == one[0]


def arrangements(hand: Iterable[int]) -> list[Spread]:
    """Every way to lay out a hand, the empty one too."""
    melds = all_melds(hand)
    found: list[Spread] = []

    def extend(chosen: list[Meld], start: int) -> None:
        found.append(tuple(sorted(chosen)))
        for at in range(start, len(melds)):
            new = melds[at]
            if any(set(new) & set(old) or touch(new, old) for old in chosen):
                continue
            extend([*chosen, new], at + 1)

    extend([], 0)
    return found


def used(spread: Spread) -> list[int]:
    """The cards that lie in the melds of a spread."""
    return [one for meld in spread for one in meld]


def deadwood_of(hand: Iterable[int], spread: Spread) -> int:
    """The points of the cards of a hand that lie in no meld of this spread."""
    return total(hand) - total(used(spread))


@lru_cache(maxsize=20_000)
def _least(hand: tuple[int, ...]) -> int:
    return min(deadwood_of(hand, spread) for spread in arrangements(hand))


def deadwood(hand: Iterable[int]) -> int:
    """The least deadwood of a hand of any size."""
    return _least(tuple(sorted(hand)))


def least_spreads(hand: Collection[int]) -> list[Spread]:
    """Every arrangement with least deadwood."""
    least = deadwood(hand)
    return [spread for spread in arrangements(hand) if deadwood_of(hand, spread) == least]


def could_be_laid_off(spread: Spread, hand: Collection[int]) -> set[int]:
    """The cards outside the knocker's hand that might go on a spread (rule 8)."""
    found: set[int] = set()
    for meld in spread:
        if not is_run(meld):
            found |= {one for one in DECK if one % 13 == meld[0] % 13}
            continue
        for end, step in ((meld[0], -1), (meld[-1], 1)):
            one = end + step
            while one in DECK and suit(one) == suit(end) and one not in hand:
                found.add(one)
                one += step
    return found - set(hand)


def knock_spread(hand: Collection[int]) -> Spread:
    """The arrangement of rule 8 for a knocker's hand."""

    def key(spread: Spread) -> tuple[int, int, Spread]:
        open_cards = could_be_laid_off(spread, hand)
        return len(open_cards), total(open_cards), spread

    return min(least_spreads(hand), key=key)


def discards(hand: Collection[int], taken: int | None = None) -> dict[int, int]:
    """The least deadwood after each permitted discard."""
    return {gone: deadwood(one for one in hand if one != gone) for gone in sorted(hand) if gone != taken}


def best_discards(hand: Collection[int], taken: int | None = None) -> list[int]:
    """The discards after which deadwood is least, in card order."""
    after = discards(hand, taken)
    return [gone for gone, left in after.items() if left == min(after.values())]


def outs(hand: Collection[int], unseen: Iterable[int] = DECK) -> list[int]:
    """Cards that would join a meld: least deadwood of one card more < deadwood + its points."""
    now = deadwood(hand)
    return [new for new in unseen if new not in hand and deadwood([*hand, new]) < now + points(new)]


def improving(hand: Collection[int], unseen: Iterable[int] = DECK) -> list[int]:
    """Cards after which, one discarded, deadwood is lower than now."""
    now = deadwood(hand)
    return [new for new in unseen if new not in hand and min(discards([*hand, new]).values()) < now]


def fits(one: int, meld: list[int]) -> bool:
    """Whether a card can be laid on a meld as it lies on the table now."""
    if meld[1] != meld[0] + 1:
        return one % 13 == meld[0] % 13
    return suit(one) == suit(meld[0]) and one in (meld[0] - 1, meld[-1] + 1)


def layoffs(spread: Spread, hand: Iterable[int]) -> list[Laid]:
    """Every set of layoffs that can be reached by laying one card after the other."""
    own = list(hand)
    reached: set[Laid] = {()}
    todo: list[Laid] = [()]
    while todo:
        laid = todo.pop()
        gone = {one for one, _ in laid}
        for one in own:
            if one in gone:
                continue
            for meld in spread:
                on_table = sorted([*meld, *(other for other, onto in laid if onto == meld)])
                following = tuple(sorted([*laid, (one, meld)]))
                if fits(one, on_table) and following not in reached:
                    reached.add(following)
                    todo.append(following)
    return list(reached)


class Defence(NamedTuple):
    """A defender's best answer to a spread, its fields in the order of rule 9's comparison."""

    deadwood: int
    number_laid: int
    melds: Spread
    laid: Laid


def best_defence(spread: Spread, hand: Collection[int]) -> Defence:
    """Own melds and layoffs chosen together (rule 9), over all pairs of both."""
    own = [(melds, set(used(melds))) for melds in arrangements(hand)]
    everything = total(hand)
    best: Defence | None = None
    for laid in layoffs(spread, hand):
        gone = {one for one, _ in laid}
        for melds, in_melds in own:
            if gone & in_melds:
                continue
            left = everything - total(gone) - total(in_melds)
            new = Defence(left, len(laid), melds, laid)
            if best is None or new < best:
                best = new
    assert best is not None
    return best


class Bonuses(NamedTuple):
    """What of the rules decides the score of one hand."""

    gin: int = 25
    undercut: int = 25
    multiplier: int = 1


class Score(NamedTuple):
    """What a knock comes to."""

    result: str
    winner: str
    points: int
    difference: int
    bonus: int
    knocker_deadwood: int
    deadwood_before: int
    defender_deadwood: int


def score(
    knocker: Collection[int],
    defender: Collection[int],
    bonuses: Bonuses,
    *,
    spread: Spread | None = None,
) -> Score:
    """The result of a knock with ten cards (rules 7 to 10); whether it was legal is not asked."""
    melds = knock_spread(knocker) if spread is None else spread
    own = deadwood_of(knocker, melds)
    before = deadwood(defender)
    if own == 0:
        won = (before + bonuses.gin) * bonuses.multiplier
        return Score("gin", "knocker", won, before, bonuses.gin, 0, before, before)
    after = best_defence(melds, defender).deadwood
    if own < after:
        won = (after - own) * bonuses.multiplier
        return Score("knock", "knocker", won, after - own, 0, own, before, after)
    won = (own - after + bonuses.undercut) * bonuses.multiplier
    return Score("undercut", "defender", won, own - after, bonuses.undercut, own, before, after)


ALL_MELDS = all_melds(DECK)


def rich_hand(random: Random, size: int, without: Collection[int] = ()) -> list[int]:
    """A hand full of sets and runs that compete for cards: deals at random hardly ever have them."""
    kind = random.randrange(4)
    low = random.randrange(10)
    if kind == 0:  # a window of ranks in all suits: sets against runs
        wide = random.randint(3, 6)
        pool = [one for one in DECK if low <= one % 13 < low + wide]
    elif kind == 1:  # long runs in two suits, broken here and there
        two = random.sample(range(4), 2)
        pool = [one for one in DECK if suit(one) in two]
    elif kind == 2:  # three suits of a few ranks
        left_out = random.randrange(4)
        pool = [one for one in DECK if low <= one % 13 < low + 5 and suit(one) != left_out]
    else:  # melds picked anywhere, overlapping as they like
        melds = random.sample(ALL_MELDS, 5)
        pool = sorted({one for meld in melds for one in meld})
    pool = [one for one in pool if one not in without]
    others = [one for one in DECK if one not in pool and one not in without]
    hand = random.sample(pool, min(size, len(pool)))
    return sorted(hand + random.sample(others, size - len(hand)))


def knock_pair(random: Random, limit: int = 10) -> tuple[list[int], list[int]]:
    """A knocker's hand that may knock, and a defender's hand with much to lay off on it."""
    while True:
        knocker = rich_hand(random, 10)
        if deadwood(knocker) <= limit:
            break
    wanted = sorted(could_be_laid_off(knock_spread(knocker), knocker))
    most = random.randint(0, 7)
    laid = random.sample(wanted, min(most, len(wanted)))
    rest = rich_hand(random, 10 - len(laid), without=[*knocker, *laid])
    return knocker, sorted(laid + rest)
