"""Records a second through `analyze-hand --json`, beside a loop that only decodes the same input and encodes the output."""

import json
import os
import subprocess
import sys

from hands import random_hands
from reference import name
from timing import alternate, rates, ratios

COUNT, REPEATS = 50_000, 5

records = [json.dumps({"hand": [name(card) for card in hand]}) for hand in random_hands(COUNT, 10)]
text = "".join(record + "\n" for record in records).encode()


def analyze() -> bytes:
    """The whole process, its start included."""
    command = [sys.executable, "-m", "ginrummy", "analyze-hand", "--json"]
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True).stdout


answers = [json.loads(line) for line in analyze().splitlines()]
assert len(answers) == COUNT


def only_json() -> None:
    """What no program that reads and writes these lines can do without."""
    with open(os.devnull, "w", encoding="utf-8") as sink:
        for line, answer in zip(text.splitlines(), answers, strict=True):
            json.loads(line)
            sink.write(json.dumps(answer) + "\n")


version = subprocess.run([sys.executable, "-m", "ginrummy", "--version"], capture_output=True, text=True, check=True)
print(f"records of ten cards a second: min / median / max of {REPEATS} repeats over {COUNT:,} records")
print(version.stdout.strip())
seconds = alternate({"ginrummy": analyze, "json alone": only_json}, REPEATS)
print(rates("analyze-hand --json", COUNT, seconds["ginrummy"]))
print(rates("json.loads and json.dumps alone", COUNT, seconds["json alone"]))
print(ratios("times as long", seconds["ginrummy"], seconds["json alone"]))
