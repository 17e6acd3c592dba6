"""Hands of eleven a second: the best discards, in the kernel and through the library."""

from hands import mask_of, random_hands, rich_hands
from timing import alternate, rates

import ginrummy
from ginrummy.kernel import compiled, solver

COUNT, REPEATS = 4_000, 9

print(f"best discards of eleven cards, hands a second: min / median / max of {REPEATS} repeats over {COUNT:,} hands")
print("kernel:", "compiled" if compiled else "python")
for kind, hands in (("random", random_hands(COUNT, 11)), ("meld-rich", rich_hands(COUNT, 11))):
    masks = [mask_of(hand) for hand in hands]
    seconds = alternate(
        {
            "kernel": lambda masks=masks: [solver.best_discards(mask, 0) for mask in masks],
            "ginrummy.best_discards": lambda masks=masks: [ginrummy.best_discards(mask) for mask in masks],
            "ginrummy.discards": lambda masks=masks: [ginrummy.discards(mask) for mask in masks],
        },
        REPEATS,
    )
    for name in seconds:
        print(rates(f"{kind}, {name}", COUNT, seconds[name]))
