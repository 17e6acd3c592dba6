"""Records a second through `analyze-hand --json`, beside a loop that only decodes the same input and encodes the output."""

import json
import os
import subprocess
import sys
from tempfile import TemporaryFile

from hands import random_hands
from reference import name
from timing import alternate, rates, ratios

COUNT, REPEATS = 200_000, 3

records = [json.dumps({"hand": [name(card) for card in hand]}) for hand in random_hands(COUNT, 10)]
text = "".join(record + "\n" for record in records).encode()


def analyze(jobs: int = 1) -> bytes:
    """The whole process, its start included, as a shell would run it: from a file to a file."""
    command = [sys.executable, "-m", "ginrummy", "analyze-hand", "--json", "--jobs", str(jobs)]
    source.seek(0)
    sink.seek(0)
    sink.truncate()
    subprocess.run(command, stdin=source, stdout=sink, check=True)
    sink.seek(0)
    return sink.read()


source, sink = TemporaryFile(), TemporaryFile()  # noqa: SIM115 (for as long as the script runs)
source.write(text)
source.flush()
answers = [json.loads(line) for line in analyze().splitlines()]
assert len(answers) == COUNT
assert analyze(2) == analyze()


def only_json() -> None:
    """What no program that reads and writes these lines can do without."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        for line, answer in zip(text.splitlines(), answers, strict=True):
            json.loads(line)
            nowhere.write(json.dumps(answer) + "\n")


version = subprocess.run([sys.executable, "-m", "ginrummy", "--version"], capture_output=True, text=True, check=True)
print(f"records of ten cards a second: min / median / max of {REPEATS} repeats over {COUNT:,} records")
print(version.stdout.strip())
seconds = alternate({"ginrummy": analyze, "json alone": only_json, "two jobs": lambda: analyze(2)}, REPEATS)
print(rates("analyze-hand --json", COUNT, seconds["ginrummy"]))
print(rates("analyze-hand --json --jobs 2", COUNT, seconds["two jobs"]))
print(rates("json.loads and json.dumps alone", COUNT, seconds["json alone"]))
print(ratios("one job: times as long as its JSON", seconds["ginrummy"], seconds["json alone"]))
print(ratios("two jobs: times as fast as one", seconds["ginrummy"], seconds["two jobs"]))
