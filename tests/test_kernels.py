"""One kernel in two forms: the compiled one is the one the sources say, and both give the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
import reference

import ginrummy.kernel

CHECKOUT = Path(__file__).parents[1]


def digest(folder: Path) -> str:
    """What setup.py puts into the name of the compiled group."""
    sources = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


def start(*args: str, text: str = "", kernel: str = "", seed: str = "0") -> subprocess.CompletedProcess[str]:
    """A process of its own, under a kernel (empty: whichever there is) and a seed of Python's hashes."""
    environ = {**os.environ, "GINRUMMY_KERNEL": kernel, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *args], input=text, capture_output=True, encoding="utf-8", env=environ, check=False
    )


@cache
def has_compiled() -> bool:
    """Whether a compiled kernel is installed, also where these tests were told to run without it."""
    return "kernel: compiled" in start("-m", "ginrummy", "--version").stdout


@pytest.fixture
def compiled_kernel() -> None:
    """Skips where there is nothing to compare."""
    if not has_compiled():
        pytest.skip("no compiled kernel is installed")


def test_the_kernel_is_not_older_than_its_sources() -> None:
    """A compiled module beside an edited source wins at import, and nobody would notice."""
    beside = Path(ginrummy.kernel.__file__).parent
    wanted = digest(CHECKOUT / "ginrummy" / "kernel")
    assert digest(beside) == wanted, f"{beside} is not the checkout's kernel: install again"
    groups = [name for name in sys.modules if name.startswith("ginrummy_kernel_")]
    assert bool(groups) == ginrummy.kernel.compiled
    for group in groups:
        assert group == f"ginrummy_kernel_{wanted}__mypyc", (
            "the compiled kernel that is running was built from other sources than ginrummy/kernel/*.py: "
            "install again, or `python setup.py build_ext --inplace`"
        )


def test_the_whole_kernel_is_of_one_kind() -> None:
    """No module is left interpreted among compiled ones, or the other way round."""
    code = "import {0}; print({0}.__file__)"
    names = sorted(path.stem for path in (CHECKOUT / "ginrummy" / "kernel").glob("[!_]*.py"))
    for kernel in ("python", "compiled") if has_compiled() else ("python",):
        lines = "\n".join(code.format(f"ginrummy.kernel.{name}") for name in names)
        files = start("-c", lines, kernel=kernel).stdout.split()
        assert len(files) == len(names)
        assert {file.endswith(".py") for file in files} == {kernel == "python"}, files


def test_the_sources_can_be_chosen() -> None:
    """Although a compiled kernel is installed."""
    assert start("-m", "ginrummy", "--version", kernel="python").stdout.endswith("kernel: python\n")


def test_the_compiled_kernel_can_be_insisted_on() -> None:
    """It runs, or the message says that there is none."""
    done = start("-m", "ginrummy", "--version", kernel="compiled")
    if has_compiled():
        assert done.stdout.endswith("kernel: compiled\n")
    else:
        assert done.returncode
        assert "GINRUMMY_KERNEL" in done.stderr
        assert "Traceback" not in done.stderr


def test_another_kernel_is_refused() -> None:
    """By a message that names what there is."""
    done = start("-m", "ginrummy", "--version", kernel="rust")
    assert done.returncode
    assert "python or compiled" in done.stderr
    assert "Traceback" not in done.stderr


# --- the same bytes -----------------------------------------------------------------------------


def names(cards: list[int]) -> list[str]:
    """As records write them."""
    return [reference.name(card) for card in cards]


def hands() -> str:
    """Records for analyze-hand: deals as they come and hands full of melds that compete; ten cards, eleven and fewer."""
    random = Random("hands")
    records: list[dict[str, object]] = []
    for number in range(360):
        size = (10, 11, 10, 11, random.randint(1, 9))[number % 5]
        cards = random.sample(range(52), size) if number % 2 else reference.rich_hand(random, size)
        records.append({"hand": names(cards), "all": True, "partial": size < 10})
        if size == 11:
            records.append({"hand": names(cards), "taken": reference.name(random.choice(cards)), "rules": "duel"})
    for _ in range(60):
        knocker, defender = reference.knock_pair(random)
        spread = [names(list(meld)) for meld in reference.knock_spread(knocker)]
        records.append({"hand": names(defender), "against": spread})
    return "".join(json.dumps(record) + "\n" for record in records)


def knocks() -> str:
    """Records for score: knocks with much to lay off."""
    random = Random("knocks")
    pairs = [reference.knock_pair(random) for _ in range(300)]
    rules = ("classic", "romme", "race", "duel")
    records = [
        {"knocker": names(knocker), "defender": names(defender), "rules": rules[number % 4]}
        for number, (knocker, defender) in enumerate(pairs)
    ]
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.usefixtures("compiled_kernel")
@pytest.mark.parametrize(("command", "records"), [("analyze-hand", hands), ("score", knocks)])
def test_both_kernels_give_the_same_bytes(command: str, records: Callable[[], str]) -> None:
    """Under any order of hashes."""
    text = records()
    runs = [
        start("-m", "ginrummy", command, "--json", text=text, kernel=kernel, seed=seed)
        for kernel, seed in product(("compiled", "python"), ("0", "4242"))
    ]
    for done in runs:
        assert (done.returncode, done.stderr[-1000:]) == (0, "")
        assert done.stdout.count("\n") == text.count("\n")
        for mine, theirs in zip(runs[0].stdout.splitlines(), done.stdout.splitlines(), strict=True):
            assert mine == theirs
        assert done.stdout == runs[0].stdout


@pytest.mark.usefixtures("compiled_kernel")
def test_the_sources_pass_the_tests_of_the_solver() -> None:
    """The same tests that this run makes of the compiled kernel."""
    if not ginrummy.kernel.compiled:
        pytest.skip("this whole run is with the sources")
    file = str(CHECKOUT / "tests" / "test_spec_solver.py")
    done = start("-m", "pytest", "-q", "-x", "--rootdir", str(CHECKOUT), file, kernel="python")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
