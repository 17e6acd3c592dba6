"""Many games between two strategies, counted. Game ``g`` of a seed does not depend on the games before it."""

from typing import Final

from mypy_extensions import i64

from ginrummy.kernel.rng import Rng, Streams, shuffled
from ginrummy.kernel.table import DEAD, play_hand
from ginrummy.kernel.terms import Terms

MOST_HANDS: Final = 5000
"""A game that is not over after so many hands never will be: such players cannot end one."""

# Places in a tally. All numbers are sums, from the first player's side where there are two.
GAMES: Final = 0
HANDS: Final = 1
WINS: Final = 2  # two places: first player, second
RESULTS: Final = 4  # knock, gin, big gin, undercut: two places each, by winner
DEAD_HANDS: Final = 12
TURNS: Final = 13
POINTS: Final = 14
GROUPS: Final = 15  # mirrored pairs (single games without mirroring): what is independent of each other
GROUP_WINS_SQUARED: Final = 16
GROUP_POINTS_SQUARED: Final = 17
GROUP_POINTS_HANDS: Final = 18
GROUP_HANDS_SQUARED: Final = 19
HISTOGRAM: Final = 20
"""Hands by points, ten to a bin: won by the second player (largest first), then by the first."""
BINS: Final = 60
"""Bins on each side; the last one holds all that is larger."""
SIZE: Final = HISTOGRAM + 2 * BINS


def cut_cards(lot: Rng) -> tuple[i64, i64]:
    """Two different cards, one for each seat."""
    one: i64 = lot.below(52)
    other: i64 = lot.below(51)
    return one, other + 1 if other >= one else other


def first_dealer(lot: Rng, cut: bool) -> i64:
    """The seat that deals first: drawn, or whose cut card has the lower rank (again after a tie)."""
    if not cut:
        return lot.below(2)
    one: i64
    other: i64
    one, other = cut_cards(lot)
    while one % 13 == other % 13:
        one, other = cut_cards(lot)
    return 0 if one % 13 < other % 13 else 1


class Contest:
    """What a run of games needs to know, and its tally."""

    def __init__(self, terms: Terms, cut: bool, seed: int, level_a: i64, level_b: i64) -> None:
        self.terms: Final = terms
        self.cut: Final = cut
        self.seed: Final = seed
        self.level_a: Final = level_a
        self.level_b: Final = level_b
        self.tally: Final = [0] * SIZE
        self.traces: list[tuple[int, int, int, int, int, int, int, int, int, list[int]]] | None = None
        """Where it is a list, each hand is added: game, whether seats were swapped, hand, dealer, scores of both seats,
        winner, kind, points, trace."""

    def hand(self, game: int, number: int, swapped: bool, dealer: i64, score0: i64, score1: i64) -> tuple[i64, i64]:
        """Play and count one hand. Returns winner (seat, -1: nobody) and points."""
        tally: list[int] = self.tally
        trace: list[int] | None = None if self.traces is None else []
        winner: i64
        kind: i64
        points: i64
        turns: i64
        level0: i64 = self.level_b if swapped else self.level_a
        level1: i64 = self.level_a if swapped else self.level_b
        streams: Streams = Streams(self.seed, game, number)
        rng0: Rng = streams.second if swapped else streams.first
        rng1: Rng = streams.first if swapped else streams.second
        winner, kind, points, turns = play_hand(
            self.terms, shuffled(streams.deal), dealer, level0, level1, rng0, rng1, score0, score1, trace
        )
        if self.traces is not None and trace is not None:
            self.traces.append(
                (
                    game,
                    int(swapped),
                    number,
                    int(dealer),
                    int(score0),
                    int(score1),
                    int(winner),
                    int(kind),
                    int(points),
                    trace,
                )
            )
        tally[HANDS] += 1
        tally[TURNS] += int(turns)
        if kind == DEAD:
            tally[DEAD_HANDS] += 1
            return winner, points
        player: i64 = 1 - winner if swapped else winner
        tally[RESULTS + 2 * (kind - 1) + player] += 1
        place: i64 = points // 10
        if place >= BINS:
            place = BINS - 1
        tally[HISTOGRAM + (BINS + place if player == 0 else BINS - 1 - place)] += 1
        tally[POINTS] += int(points if player == 0 else -points)
        return winner, points

    def game(self, game: int, swapped: bool) -> i64:
        """Play and count one game to the target. Returns the player who won: 0 the first, 1 the second."""
        dealer: i64 = first_dealer(Streams(self.seed, game, 0).lot, self.cut)
        score0: i64 = 0
        score1: i64 = 0
        number: int = 0
        while score0 < self.terms.target and score1 < self.terms.target:
            if number == MOST_HANDS:
                raise ValueError(f"game {game} has no winner after {MOST_HANDS} hands")
            winner: i64
            points: i64
            winner, points = self.hand(game, number, swapped, dealer, score0, score1)
            if winner == 0:
                score0 += points
            elif winner == 1:
                score1 += points
            dealer = self.terms.dealer_after(dealer, winner)
            number += 1
        seat: i64 = 0 if score0 >= self.terms.target else 1
        return 1 - seat if swapped else seat

    def group(self, number: int, whole_games: bool, mirrored: bool) -> None:
        """Play one group: a game or hand, mirrored with seats swapped as well. Single hands are dealt by turns."""
        tally: list[int] = self.tally
        points: int = tally[POINTS]
        hands: int = tally[HANDS]
        wins: int = 0
        for swapped in range(2 if mirrored else 1):
            winner: i64
            seat: i64
            if whole_games:
                winner = self.game(number, swapped == 1)
            else:
                seat, _ = self.hand(number, 0, swapped == 1, number % 2, 0, 0)
                winner = seat
                if seat >= 0 and swapped:
                    winner = 1 - seat
            tally[GAMES] += 1
            if winner >= 0:
                tally[WINS + winner] += 1
            if winner == 0:
                wins += 1
        points = tally[POINTS] - points
        hands = tally[HANDS] - hands
        tally[GROUPS] += 1
        tally[GROUP_WINS_SQUARED] += wins * wins
        tally[GROUP_POINTS_SQUARED] += points * points
        tally[GROUP_POINTS_HANDS] += points * hands
        tally[GROUP_HANDS_SQUARED] += hands * hands
