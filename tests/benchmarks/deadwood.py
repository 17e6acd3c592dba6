"""Hands a second through ginrummy.deadwood called from Python, beside OpenSpiel's on the same hands."""

from hands import mask_of, random_hands, rich_hands
from timing import alternate, rates, ratios

from ginrummy import deadwood
from ginrummy.kernel import compiled

try:
    from pyspiel import gin_rummy
except ImportError:
    gin_rummy = None

COUNT, REPEATS = 20_000, 9

print(f"least deadwood of ten cards, hands a second: min / median / max of {REPEATS} repeats over {COUNT:,} hands")
print("kernel:", "compiled" if compiled else "python")
if gin_rummy is None:
    print("OpenSpiel is not installed (pip install open_spiel): ginrummy alone")
for kind, hands in (("random", random_hands(COUNT, 10)), ("meld-rich", rich_hands(COUNT, 10))):
    masks = [mask_of(hand) for hand in hands]
    tasks = {"ginrummy": lambda masks=masks: [deadwood(mask) for mask in masks]}
    if gin_rummy is not None:
        # Suits are in another order there, which changes no deadwood.
        theirs = gin_rummy.GinRummyUtils(13, 4, 10).min_deadwood
        tasks["OpenSpiel"] = lambda hands=hands, theirs=theirs: [theirs(hand) for hand in hands]
        assert tasks["ginrummy"]() == tasks["OpenSpiel"](), "the answers differ"
    seconds = alternate(tasks, REPEATS)
    for name in tasks:
        print(rates(f"{kind}, {name}", COUNT, seconds[name]))
    if gin_rummy is not None:
        print(ratios(f"{kind}, times as fast", seconds["OpenSpiel"], seconds["ginrummy"]))
