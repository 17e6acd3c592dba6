"""What one `ginrummy analyze-hand` costs beyond starting Python: whole processes, in pairs."""

import subprocess
import sys
from pathlib import Path
from statistics import quantiles

from timing import alternate

PAIRS = 40
HAND = "3C 3D 3H 9S 10S JS KH 5D 2C AS"

script = Path(sys.executable).with_name("ginrummy")
program = [str(script)] if script.exists() else [sys.executable, "-m", "ginrummy"]


def start(*command: str) -> None:
    """To its end."""
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


seconds = alternate(
    {
        "python": lambda: start(sys.executable, "-c", "pass"),
        "analyze-hand": lambda: start(*program, "analyze-hand", *HAND.split()),
        "help": lambda: start(*program, "--help"),
    },
    PAIRS,
)
more = {name: [a - b for a, b in zip(times, seconds["python"], strict=True)] for name, times in seconds.items()}
print(f"milliseconds of a process, {Path(program[0]).name}: quartiles of {PAIRS}")
for title, times in (
    ("python -c pass", seconds["python"]),
    ("analyze-hand HAND", seconds["analyze-hand"]),
    ("analyze-hand HAND, more than python", more["analyze-hand"]),
    ("--help, more than python", more["help"]),
):
    print(f"{title:<38}" + " / ".join(f"{1000 * each:.1f}" for each in quantiles(times, n=4)))
