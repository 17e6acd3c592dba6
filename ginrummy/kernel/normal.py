"""The strategy ``normal``: how somebody plays who has played for a while.

Looks one draw ahead: of the cards to throw it prefers the one after which most unseen cards, weighed by the deadwood they
would take away, improve the hand. Takes from the pile what lowers the deadwood. Knocks low hands only, the lower the
longer the hand has lasted, since an undercut gets likelier. It does not watch what the opponent does.
"""

from mypy_extensions import i64

from ginrummy.kernel.hard import decide_with
from ginrummy.kernel.rng import Rng
from ginrummy.kernel.view import View
from ginrummy.kernel.weights import NORMAL


def decide(view: View, rng: Rng) -> i64:
    """One action."""
    return decide_with(view, NORMAL)
