"""Least deadwood, and what one card more or less does to it.

After the sets are chosen the runs follow: all points are positive, so every maximal sequence of three or more
is laid out whole. Only ranks held three or four times leave a choice, and a hand has at most three of them.
"""

from typing import Final

from mypy_extensions import i64

SUIT: Final = 0x1FFF
"""The thirteen bits of one suit."""

RANK: Final = 0x8004002001
"""The four cards of the lowest rank."""

TENS: Final = 0x1E00 * RANK
"""The cards of ten points: ten, jack, queen, king."""

RUN_STARTS: Final = 0x7FF * RANK
"""Cards from which a run of three can begin: ace to jack."""


def _loose_points(suit: int) -> int:
    starts = suit & suit >> 1 & suit >> 2
    loose = suit & ~(starts | starts << 1 | starts << 2)
    return sum(min(10, rank + 1) for rank in range(13) if loose >> rank & 1)


LOOSE: Final = bytes([_loose_points(suit) for suit in range(8192)])
"""Points of one suit's cards that are in no run, for each of its 8,192 subsets."""

TOTAL: Final = bytes([sum(min(10, rank + 1) for rank in range(13) if suit >> rank & 1) for suit in range(8192)])
"""Points of all cards of one suit, for each of its subsets."""

POINTS: Final = bytes([min(10, card % 13 + 1) for card in range(52)])
"""Points of each card."""


def _least(s: i64, h: i64, d: i64, c: i64, ranks: i64) -> i64:
    """Least deadwood of the four suits when sets may be made of the ranks in ``ranks`` (each held 3 or 4 times)."""
    best: i64 = LOOSE[s] + LOOSE[h] + LOOSE[d] + LOOSE[c]
    while ranks:
        rank: i64 = ranks & -ranks
        ranks &= ranks - 1
        keep: i64 = ~rank
        here: i64 = _least(s & keep, h & keep, d & keep, c & keep, ranks)
        if here < best:
            best = here
        if s & h & d & c & rank:
            # One of the four may serve a run instead, where it has one.
            if _in_run(s, rank):
                here = _least(s, h & keep, d & keep, c & keep, ranks)
                if here < best:
                    best = here
            if _in_run(h, rank):
                here = _least(s & keep, h, d & keep, c & keep, ranks)
                if here < best:
                    best = here
            if _in_run(d, rank):
                here = _least(s & keep, h & keep, d, c & keep, ranks)
                if here < best:
                    best = here
            if _in_run(c, rank):
                here = _least(s & keep, h & keep, d & keep, c, ranks)
                if here < best:
                    best = here
        if best == 0:
            break
    return best


def _in_run(suit: i64, rank: i64) -> bool:
    """Whether the card ``rank`` of a suit lies in a sequence of three or more."""
    starts: i64 = suit & suit >> 1 & suit >> 2
    return (starts | starts << 1 | starts << 2) & rank != 0


def deadwood(cards: i64) -> i64:
    """Least deadwood in points of any set of cards (a mask of bits 0-51; other bits are a ValueError)."""
    if cards >> 52:
        raise ValueError("not a set of cards: only bits 0 to 51 are cards")
    s: i64 = cards & SUIT
    h: i64 = cards >> 13 & SUIT
    d: i64 = cards >> 26 & SUIT
    c: i64 = cards >> 39 & SUIT
    ranks: i64 = (s & h & (d | c)) | (d & c & (s | h))
    if ranks:
        runs: i64 = run_cards(cards)
        # A rank none of whose cards is in a run leaves no choice: it is a set.
        keep: i64 = ~ranks | runs | runs >> 13 | runs >> 26 | runs >> 39
        ranks &= keep
        s &= keep
        h &= keep
        d &= keep
        c &= keep
        if ranks:
            return _least(s, h, d, c, ranks)
    return LOOSE[s] + LOOSE[h] + LOOSE[d] + LOOSE[c]


def run_cards(cards: i64) -> i64:
    """All cards that lie in a sequence of three or more of one suit."""
    starts: i64 = cards & cards >> 1 & cards >> 2 & RUN_STARTS
    return starts | starts << 1 | starts << 2


def set_ranks(cards: i64) -> i64:
    """The ranks held three or four times, as thirteen bits."""
    s: i64 = cards & SUIT
    h: i64 = cards >> 13 & SUIT
    d: i64 = cards >> 26 & SUIT
    c: i64 = cards >> 39 & SUIT
    return (s & h & (d | c)) | (d & c & (s | h))


def meldable(cards: i64) -> i64:
    """The cards that are in some meld that could be made of the cards."""
    return run_cards(cards) | set_ranks(cards) * RANK & cards


def total_points(cards: i64) -> i64:
    """Points of all the cards, melded or not."""
    return TOTAL[cards & SUIT] + TOTAL[cards >> 13 & SUIT] + TOTAL[cards >> 26 & SUIT] + TOTAL[cards >> 39 & SUIT]


def best_discards(cards: i64, forbidden: i64) -> i64:
    """The discards outside ``forbidden`` that leave the least deadwood."""
    left: i64 = cards & ~forbidden
    melds: i64 = meldable(cards)
    # A card in no meld only takes its points away: of these the dearest are best.
    best: i64 = left & ~melds
    least: i64 = 1000
    if best:
        points: i64 = 10
        same: i64 = TENS
        while best & same == 0:
            points -= 1
            same = RANK << (points - 1)
        best &= same
        least = deadwood(cards) - points
    left &= melds
    while left:
        card: i64 = left & -left
        left ^= card
        here: i64 = deadwood(cards ^ card)
        if here < least:
            least = here
            best = card
        elif here == least:
            best |= card
    return best


def number_of(card: i64) -> i64:
    """The number of the one card of a mask."""
    number: i64 = 0
    if card >> 32:
        number = 32
        card >>= 32
    if card >> 16:
        number += 16
        card >>= 16
    if card >> 8:
        number += 8
        card >>= 8
    if card >> 4:
        number += 4
        card >>= 4
    if card >> 2:
        number += 2
        card >>= 2
    return number + (card >> 1)


def least_after_discard(cards: i64, forbidden: i64) -> i64:
    """Least deadwood in points after one discard outside ``forbidden`` (1000 if there is none)."""
    best: i64 = best_discards(cards, forbidden)
    return 1000 if best == 0 else deadwood(cards ^ (best & -best))


def outs(cards: i64, unseen: i64) -> i64:
    """The unseen cards that would join a meld (nothing discarded yet)."""
    now: i64 = deadwood(cards)
    found: i64 = 0
    number: i64 = 0
    while number < 52:
        card: i64 = 1
        card <<= number
        if unseen & card and deadwood(cards | card) < now + POINTS[number]:
            found |= card
        number += 1
    return found


def improving(cards: i64, unseen: i64) -> i64:
    """The unseen cards after which, one card discarded, deadwood is lower than now."""
    return draws(cards, unseen, -1)[0]


def draws(cards: i64, unseen: i64, limit: i64) -> tuple[i64, i64, i64, list[tuple[i64, i64]]]:
    """What each unseen card brings when it is drawn and the best card discarded: those that lower deadwood, those that leave
    at most ``limit`` points, those that leave none; and the outs by the deadwood they leave, as (deadwood, cards), ascending.
    Outs with which the hand needs no discard to have none have -1 in place of 0."""
    now: i64 = deadwood(cards)
    fewer: i64 = least_after_discard(cards, 0)
    lowering: i64 = 0
    within: i64 = 0
    gins: i64 = 0
    joining: list[i64] = [0] * (now + 2)
    number: i64 = 0
    while number < 52:
        card: i64 = 1
        card <<= number
        if unseen & card:
            # A card in no meld is thrown again, or kept for the card that the hand is best without.
            after: i64 = fewer + POINTS[number]
            if meldable(cards | card) & card:
                after = least_after_discard(cards | card, 0)
                if after > now:
                    after = now
                all_kept: i64 = deadwood(cards | card)
                if all_kept < now + POINTS[number]:
                    joining[0 if all_kept == 0 and after == 0 else after + 1] |= card
            if after < now:
                lowering |= card
            else:
                after = now
            if after <= limit:
                within |= card
            if after == 0:
                gins |= card
        number += 1
    groups: list[tuple[i64, i64]] = []
    left: i64 = -1
    while left <= now:
        if joining[left + 1]:
            groups.append((left, joining[left + 1]))
        left += 1
    return lowering, within, gins, groups


def two_way(cards: i64, unseen: i64) -> i64:
    """The cards of a hand that one card more at most brings into a set, and one card more at most into a run."""
    s: i64 = cards & SUIT
    h: i64 = cards >> 13 & SUIT
    d: i64 = cards >> 26 & SUIT
    c: i64 = cards >> 39 & SUIT
    pairs: i64 = (s & h) | (d & c) | ((s | h) & (d | c))
    every: i64 = cards | unseen
    in_sets: i64 = (pairs & set_ranks(every)) * RANK
    starts: i64 = every & every >> 1 & every >> 2 & RUN_STARTS
    starts &= (cards & cards >> 1) | (cards & cards >> 2) | (cards >> 1 & cards >> 2)
    return cards & in_sets & (starts | starts << 1 | starts << 2)


def pairs_beside(number: i64, one: i64, other: i64) -> i64:
    """With how many pairs of a card from ``one`` and another from ``other`` a card would make a meld of three."""
    found: i64 = 0
    suit: i64 = 0
    rank: i64 = number % 13
    first: i64 = 0
    second: i64 = 0
    while suit < 4:
        later: i64 = suit + 1
        while later < 4:
            first = suit * 13 + rank
            second = later * 13 + rank
            if first != number != second and (one >> first & other >> second & 1) | (
                one >> second & other >> first & 1
            ):
                found += 1
            later += 1
        suit += 1
    low: i64 = rank - 2
    while low <= rank:
        if low >= 0 and low <= 10:
            first = number - rank + low + (1 if low == rank else 0)
            second = number - rank + low + (1 if low == rank - 2 else 2)
            if (one >> first & other >> second & 1) | (one >> second & other >> first & 1):
                found += 1
        low += 1
    return found
