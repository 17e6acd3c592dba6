"""Knocks a second: the defender's least deadwood in the kernel, and the whole score through the library."""

from hands import knock_pairs, mask_of
from timing import alternate, rates

import ginrummy
from ginrummy.kernel import compiled, spreads

COUNT, REPEATS = 1_000, 9

print(f"knocks with much to lay off, a second: min / median / max of {REPEATS} repeats over {COUNT:,} knocks")
print("kernel:", "compiled" if compiled else "python")
pairs = [(mask_of(knocker), mask_of(defender)) for knocker, defender in knock_pairs(COUNT)]
laid_out = [(*spreads.knock_spread(knocker), defender) for knocker, defender in pairs]
rules = ginrummy.load_rules("classic")
seconds = alternate(
    {
        "the knocker's spread, kernel": lambda: [spreads.knock_spread(knocker) for knocker, _ in pairs],
        "the least deadwood after, kernel": lambda: [spreads.defence(*each) for each in laid_out],
        "ginrummy.score_knock": lambda: [ginrummy.score_knock(*pair, rules) for pair in pairs],
    },
    REPEATS,
)
for name in seconds:
    print(rates(name, COUNT, seconds[name]))
