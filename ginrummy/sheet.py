"""Games: points by hand, boxes, game bonus, shutout, and who deals next."""

from collections.abc import Sequence
from dataclasses import dataclass

from ginrummy.rules import Rules


@dataclass(frozen=True, slots=True)
class FinalLine:
    """What one player has when the game is over, in points but for the boxes."""

    points: int
    """Points of the hands won."""
    boxes: int
    """How many hands were won."""
    box_points: int
    game_bonus: int
    shutout: int
    """What doubling added."""

    @property
    def total(self) -> int:
        """Everything added up."""
        return self.points + self.box_points + self.game_bonus + self.shutout


def final_lines(rules: Rules, points: Sequence[int], boxes: Sequence[int], winner: int) -> list[FinalLine]:
    """The final line of each player of a game that ``winner`` won. A shutout is reckoned against all the others.

    >>> from ginrummy.rules import load_rules
    >>> [line.total for line in final_lines(load_rules("romme"), [104, 62], [5, 3], 0)]
    [329, 137]
    """
    lines = []
    others = [seat for seat in range(len(points)) if seat != winner]
    empty = all((points if rules.shutout_when == "no-points" else boxes)[seat] == 0 for seat in others)
    for seat in range(len(points)):
        box_points = boxes[seat] * rules.box_bonus
        bonus = rules.game_bonus if seat == winner else 0
        doubled = 0
        if seat == winner and empty:
            doubled = {
                "none": 0,
                "game-bonus": bonus,
                "points": points[seat],
                "points-and-bonus": points[seat] + bonus,
                "total": points[seat] + bonus + box_points,
            }[rules.shutout]
        lines.append(FinalLine(points[seat], boxes[seat], box_points, bonus, doubled))
    return lines


def margin(lines: Sequence[FinalLine], winner: int, loser: int) -> int:
    """The winner's total minus the loser's."""
    return lines[winner].total - lines[loser].total
