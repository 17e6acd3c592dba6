"""The commands: where each lives and what it is for in a line, known without loading any of them."""

from typing import Final

COMMANDS: Final = {
    "analyze-hand": "ginrummy.cli.analyze_hand",
    "play": "ginrummy.cli.play",
    "score": "ginrummy.cli.score",
    "simulate": "ginrummy.cli.simulate",
}
"""Each command's module."""

SHORT_HELP: Final = {
    "analyze-hand": "Deadwood, melds, outs and discards of a hand.",
    "play": "Play against the computer.",
    "score": "Score a hand or a sheet: who gets how many points, and why.",
    "simulate": "Play many games between strategies and count.",
}
"""What each command is for."""
