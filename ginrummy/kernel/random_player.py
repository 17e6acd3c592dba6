"""The strategy ``random``: any legal action, each as likely as the other. A floor for measurements and a shaker for tests."""

from mypy_extensions import i64

from ginrummy.kernel.rng import Rng
from ginrummy.kernel.solver import deadwood
from ginrummy.kernel.view import BIG_GIN, DISCARDING, DRAW, DRAWING, KNOCK, PASS, TAKE, View


def legal_actions(view: View) -> list[int]:
    """The actions the rules allow, discards before knocks, by card."""
    if view.phase != DISCARDING:
        other: int = DRAW if view.phase == DRAWING else PASS
        return [TAKE, other] if view.may_take and view.pile else [other]
    actions: list[int] = []
    knocks: list[int] = []
    number: i64 = 0
    while number < 52:
        card: i64 = 1
        card <<= number
        if view.hand & card and number != view.taken:
            actions.append(int(number))
            if deadwood(view.hand ^ card) <= view.limit:
                knocks.append(int(KNOCK + number))
        number += 1
    actions.extend(knocks)
    if view.terms.big_gin >= 0 and deadwood(view.hand) == 0:
        actions.append(BIG_GIN)
    return actions


def decide(view: View, rng: Rng) -> i64:
    """Any legal action."""
    actions: list[int] = legal_actions(view)
    return actions[rng.below(len(actions))]
