"""Spreads: which cards lie in sets and which in runs; what can be laid off on them; the defence against a knock.

A spread is two masks, ``sets`` and ``runs``. That says everything: the cards of one rank in ``sets`` are one set, and
each maximal sequence in ``runs`` is one run, since two runs of one suit that touch are one.
"""

from mypy_extensions import i64

from ginrummy.kernel.solver import RANK, deadwood, run_cards, set_ranks, total_points


def count(cards: i64) -> i64:
    """How many cards a mask holds."""
    # Sums of two bits, of four, of eight: no product that could overflow, and the same as plain ints.
    cards -= cards >> 1 & 0x5555555555555
    cards = (cards & 0x3333333333333) + (cards >> 2 & 0x3333333333333)
    cards = cards + (cards >> 4) & 0xF0F0F0F0F0F0F
    cards += cards >> 8
    cards += cards >> 16
    return cards + (cards >> 32) & 0x3F


def _collect(cards: i64, sets: i64, rank: i64, wanted: i64, found: list[tuple[i64, i64]]) -> None:
    """Append every spread of ``cards`` with deadwood ``wanted`` whose sets are ``sets`` and others from ``rank`` on."""
    while rank < 13:
        four: i64 = RANK
        four <<= rank
        held: i64 = cards & ~sets & four
        rank += 1
        n: i64 = count(held)
        if n >= 3:
            _collect(cards, sets | held, rank, wanted, found)
            if n == 4:
                rest: i64 = held
                while rest:
                    one: i64 = rest & -rest
                    rest ^= one
                    _collect(cards, sets | (held ^ one), rank, wanted, found)
    runs: i64 = run_cards(cards & ~sets)
    if total_points(cards & ~sets & ~runs) == wanted:
        found.append((sets, runs))


def spreads(cards: i64) -> list[tuple[i64, i64]]:
    """Every spread with least deadwood, as pairs (sets, runs)."""
    found: list[tuple[i64, i64]] = []
    if set_ranks(cards) == 0:
        found.append((0, run_cards(cards)))
    else:
        _collect(cards, 0, 0, deadwood(cards), found)
    return found


def melds(sets: i64, runs: i64) -> list[int]:
    """The melds of a spread as masks, ordered by their lowest card."""
    found: list[int] = []
    seen: i64 = 0
    number: i64 = 0
    while number < 52:
        card: i64 = 1
        card <<= number
        meld: i64 = 0
        if sets & card and not seen & card:
            four: i64 = RANK
            four <<= number % 13
            meld = sets & four
        elif runs & card and not seen & card:
            meld = card
            top: i64 = number
            while top % 13 != 12:
                top += 1
                card <<= 1
                if not runs & card:
                    break
                meld |= card
        if meld:
            seen |= meld
            found.append(meld)
        number += 1
    return found


def melds_before(sets: i64, runs: i64, other_sets: i64, other_runs: i64) -> bool:
    """Whether the first spread's list of melds comes before the second's, compared card by card."""
    mine: list[int] = melds(sets, runs)
    theirs: list[int] = melds(other_sets, other_runs)
    for i in range(min(len(mine), len(theirs))):
        a: i64 = mine[i]
        b: i64 = theirs[i]
        if a != b:
            # The lowest card held by only one of them decides, unless the other list has ended by then.
            only: i64 = (a ^ b) & -(a ^ b)
            if a & only:
                return bool(b & ~(only | (only - 1)))
            return not a & ~(only | (only - 1))
    return len(mine) < len(theirs)


def layable(cards: i64, sets: i64, runs: i64) -> i64:
    """Cards outside ``cards`` that an opponent could lay off on the spread, whole chains included."""
    found: i64 = 0
    for mask in melds(sets, runs):
        meld: i64 = mask
        if meld & sets:
            rest: i64 = meld
            four: i64 = RANK
            while four & meld == 0:
                four <<= 1
            found |= four & ~rest & ~cards
        else:
            found |= _above(meld, ~cards) | _below(meld, ~cards)
    return found


def _above(run: i64, allowed: i64) -> i64:
    """The chain of allowed cards that continues a run upward to the king at most."""
    chain: i64 = 0
    top: i64 = 51
    card: i64 = 1
    card <<= 51
    while not run & card:
        card >>= 1
        top -= 1
    while top % 13 != 12:
        top += 1
        card <<= 1
        if not allowed & card:
            break
        chain |= card
    return chain


def _below(run: i64, allowed: i64) -> i64:
    """The chain of allowed cards that continues a run downward to the ace at most."""
    chain: i64 = 0
    low: i64 = 0
    card: i64 = run & -run
    while card >> low != 1:
        low += 1
    while low % 13 != 0:
        low -= 1
        card >>= 1
        if not allowed & card:
            break
        chain |= card
    return chain


def knock_spread(cards: i64) -> tuple[i64, i64]:
    """The spread a knocker lays out: least deadwood, then least that could be laid off on it, then by its melds."""
    found: list[tuple[i64, i64]] = spreads(cards)
    best_sets: i64
    best_runs: i64
    best_sets, best_runs = found[0]
    if len(found) == 1:
        return best_sets, best_runs
    open_cards: i64 = layable(cards, best_sets, best_runs)
    best_count: i64 = count(open_cards)
    best_points: i64 = total_points(open_cards)
    for i in range(1, len(found)):
        sets: i64
        runs: i64
        sets, runs = found[i]
        open_cards = layable(cards, sets, runs)
        n: i64 = count(open_cards)
        points: i64 = total_points(open_cards)
        better: bool = n < best_count
        if n == best_count:
            better = points < best_points
            if points == best_points:
                better = melds_before(sets, runs, best_sets, best_runs)
        if better:
            best_sets, best_runs, best_count, best_points = sets, runs, n, points
    return best_sets, best_runs


def defender_spread(cards: i64) -> tuple[i64, i64]:
    """A defender's own spread: least deadwood, then the smallest list of melds."""
    found: list[tuple[i64, i64]] = spreads(cards)
    best_sets: i64
    best_runs: i64
    best_sets, best_runs = found[0]
    for i in range(1, len(found)):
        sets: i64
        runs: i64
        sets, runs = found[i]
        if melds_before(sets, runs, best_sets, best_runs):
            best_sets, best_runs = sets, runs
    return best_sets, best_runs


def _add_prefixes(choices: list[i64], chain: i64, upward: bool) -> list[i64]:
    """Every choice so far, together with each beginning (none included) of a chain."""
    grown: list[i64] = []
    for before in choices:
        laid: i64 = before
        if laid not in grown:
            grown.append(laid)
        rest: i64 = chain
        while rest:
            card: i64 = rest & -rest
            if not upward:
                card = rest
                while card & (card - 1):
                    card &= card - 1
            rest ^= card
            laid |= card
            if laid not in grown:
                grown.append(laid)
    return grown


def layoff_choices(sets: i64, runs: i64, cards: i64) -> list[i64]:
    """Every set of ``cards`` that can be laid off together on a spread, nothing included.

    A card that fits between two runs, or a run and a set, needs no care here: a union of chain beginnings and single cards
    on sets can always be laid in some order.
    """
    choices: list[i64] = [0]
    if cards & layable(0, sets, runs) == 0:
        return choices
    for mask in melds(sets, runs):
        meld: i64 = mask
        if meld & sets:
            fourth: i64 = layable(meld, meld, 0) & cards
            if fourth:
                choices = _add_prefixes(choices, fourth, True)
        else:
            chain: i64 = _above(meld, cards)
            if chain:
                choices = _add_prefixes(choices, chain, True)
            chain = _below(meld, cards)
            if chain:
                choices = _add_prefixes(choices, chain, False)
    return choices


def defence(sets: i64, runs: i64, cards: i64) -> i64:
    """The defender's least deadwood in points: own melds and layoffs on the spread chosen together."""
    least: i64 = deadwood(cards)
    if least:
        for laid in layoff_choices(sets, runs, cards):
            here: i64 = deadwood(cards & ~laid)
            if here < least:
                least = here
    return least


def best_layoffs(sets: i64, runs: i64, cards: i64) -> list[tuple[i64, i64, i64]]:
    """The defences themselves, as (cards laid off, own sets, own runs): least deadwood, then fewest layoffs, then the
    smallest list of own melds. Those that are still equal differ only in which loose cards were laid."""
    least: i64 = defence(sets, runs, cards)
    fewest: i64 = 100
    best_sets: i64 = 0
    best_runs: i64 = 0
    best: list[tuple[i64, i64, i64]] = []
    for laid in layoff_choices(sets, runs, cards):
        n: i64 = count(laid)
        if n > fewest or deadwood(cards & ~laid) != least:
            continue
        own_sets: i64
        own_runs: i64
        own_sets, own_runs = defender_spread(cards & ~laid)
        same: bool = n == fewest and own_sets == best_sets and own_runs == best_runs
        if not same and (n < fewest or melds_before(own_sets, own_runs, best_sets, best_runs)):
            fewest, best_sets, best_runs = n, own_sets, own_runs
            best = []
            same = True
        if same:
            best.append((laid, own_sets, own_runs))
    return best
