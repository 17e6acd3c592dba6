"""The examples in docstrings, run on the package that is installed."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import ginrummy

# Compiled functions keep no docstrings, and __main__ would run the program.
MODULES = ["ginrummy"] + [
    module.name
    for module in pkgutil.walk_packages(ginrummy.__path__, "ginrummy.")
    if not module.name.startswith("ginrummy.kernel") and not module.name.endswith("__main__")
]
WITH_EXAMPLES = {"ginrummy", "ginrummy.analysis", "ginrummy.cards", "ginrummy.cli", "ginrummy.melds"} | {
    "ginrummy.notation",
    "ginrummy.rules",
    "ginrummy.scoring",
}


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    """Every example gives what it says."""
    found = doctest.testmod(import_module(name))
    assert not found.failed
    assert found.attempted or name not in WITH_EXAMPLES, "the examples have gone, or are not found any more"


def test_the_modules_are_found() -> None:
    """A package that is not walked would pass without testing anything."""
    assert set(MODULES) >= WITH_EXAMPLES
