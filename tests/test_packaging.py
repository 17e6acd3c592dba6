"""What is installed: every module, the data, the man pages, the command."""

from __future__ import annotations

import sys
import tomllib
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import pytest

import ginrummy

CHECKOUT = Path(__file__).parents[1]
PACKAGE = Path(ginrummy.__file__).parent


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    """pyproject.toml."""
    return tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def installed() -> metadata.Distribution:
    """The installed distribution, where these tests run against one and not against the checkout itself."""
    if PACKAGE == CHECKOUT / "ginrummy":
        pytest.skip("the package under test is the checkout's own, nothing is installed")
    return metadata.distribution("ginrummy")


def test_one_version(project: dict[str, Any]) -> None:
    """The metadata and the package agree."""
    assert project["project"]["version"] == ginrummy.__version__


def test_every_file_of_the_package_is_installed(installed: metadata.Distribution) -> None:
    """Sources (the kernel's too, although it may be compiled), rules and the marker for type checkers, unchanged."""
    for path in sorted((CHECKOUT / "ginrummy").rglob("*")):
        if path.suffix in (".py", ".toml", ".typed"):
            there = PACKAGE / path.relative_to(CHECKOUT / "ginrummy")
            assert there.exists(), f"{there} is not installed"
            assert there.read_bytes() == path.read_bytes(), f"{there} is not the checkout's: install again"
    assert installed.version == ginrummy.__version__


def test_man_pages_are_installed(installed: metadata.Distribution) -> None:
    """Where man looks for them in an activated environment."""
    pages = sorted((CHECKOUT / "man").glob("*.[1-9]"))
    assert pages
    for page in pages:
        there = Path(sys.prefix) / "share/man" / f"man{page.suffix[1:]}" / page.name
        assert there.exists(), f"{there} is not installed"
        assert there.read_bytes() == page.read_bytes()


def test_the_command_is_installed(installed: metadata.Distribution) -> None:
    """And calls what ``python -m ginrummy`` calls."""
    (script,) = installed.entry_points.select(group="console_scripts", name="ginrummy")
    assert script.load() is import_module("ginrummy.__main__").main
