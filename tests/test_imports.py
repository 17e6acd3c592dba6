"""What a command loads, and which way imports point."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "ginrummy"
FILES = sorted(SOURCES.rglob("*.py"))

# --- what a command loads -----------------------------------------------------------------------

HAND = "3C 3D 3H 9S 10S JS KH 5D 2C AS"
COMMANDS = {
    "--help": ["--help"],
    "--version": ["--version"],
    "analyze-hand": ["analyze-hand", HAND],
    "analyze-hand --json": ["analyze-hand", "--json", HAND],
    "analyze-hand --help": ["analyze-hand", "--help"],
    "score": ["score", "7S 8S 9S KC KH KD KS AD 2C 4C", "5H 6H 7H QS QD QC 10S 2D 4D JH"],
}

ALLOWED = [
    *("click", "mypy_extensions"),
    *("dataclasses", "enum", "functools", "io", "itertools", "json", "os", "re", "signal", "tomllib", "typing"),
    *("unicodedata", "locale"),
    *("shutil", "textwrap"),  # click, for help
]
"""What may be loaded, with all that it loads in turn on the Python at hand."""

FORBIDDEN = ["asyncio", "concurrent", "hypothesis", "multiprocessing", "prompt_toolkit", "pytest", "sqlite3"]
"""Never, not even if something allowed should come to load it: each costs tens of milliseconds."""

RUN = "import sys; sys.argv[0] = 'ginrummy'\ntry:\n    from ginrummy.__main__ import main; main()\nexcept SystemExit: pass"


def loaded(code: str, *args: str) -> set[str]:
    """The top-level names of the modules that some code loads beyond a bare interpreter."""
    names = "{name.split('.')[0] for name in sys.modules.keys() - bare}"
    program = f"import sys; bare = set(sys.modules)\n{code}\nsys.__stderr__.write(' '.join({names}))"
    done = subprocess.run(
        [sys.executable, "-c", program, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "ginrummy" not in code or done.stdout, done.stderr
    return set(done.stderr.split())


@cache
def closure(*modules: str) -> set[str]:
    """These modules and what they load."""
    return loaded("import " + ", ".join(modules)) | {"ginrummy"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_loads_only_what_is_listed(command: str) -> None:
    """Startup is most of what one hand costs."""
    names = loaded(RUN, *COMMANDS[command])
    assert not names & set(FORBIDDEN), "slow to load"
    allowed = closure(*ALLOWED)
    more = {name for name in names - allowed if not name.startswith("ginrummy_kernel_")}
    assert not more, f"`ginrummy {command}` loads {sorted(more)}: load it where it is used, or list it in ALLOWED"


# --- which way imports point --------------------------------------------------------------------

LINE = [
    ["errors"],
    ["cards"],
    ["notation", "rules", "kernel"],
    ["melds"],
    ["scoring"],
    ["sheet", "hand"],
    ["game", "players", "advice"],
    ["analysis", "simulation", "judgement", "rollouts"],
    ["records", "render"],
    ["simulation_records", "replay", "workers", "sheet_lines", "sheet_text", "game_log", "record_book", "reasons"],
    ["sheet_file", "store", "hindsight"],
    ["session"],
    ["cli"],
]
"""The way of the data. A module imports from earlier rows only; a folder is one entry, free in itself."""

ROW = {name: at for at, row in enumerate(LINE) for name in row}

OUTSIDE = {
    "click": {"cli"},
    "distributed": {"workers"},
    "mypy_extensions": {"kernel"},
    "platformdirs": {"store"},
    "prompt_toolkit": {"session"},
}
"""What is neither ours nor Python's, and where it may be imported."""


def entry(path: Path) -> str:
    """The name by which LINE knows a file."""
    return path.relative_to(SOURCES).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the name of every module a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name}:{node.lineno}: a relative import"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCES)))
def test_imports_point_back_along_the_line(path: Path) -> None:
    """And what is not Python's own is imported only where it belongs."""
    here = entry(path)
    # The package itself and `python -m ginrummy` stand at the end of the line.
    row = len(LINE) if here in ("__init__", "__main__") else ROW.get(here)
    assert row is not None, f"{here} is new: give it a place in LINE"
    for line, name in imports(path):
        where = f"{path.relative_to(SOURCES)}:{line} imports {name}"
        top, _, rest = name.partition(".")
        if top == "ginrummy":
            there = rest.partition(".")[0]
            # A name of the package itself, such as its version.
            ahead = len(LINE) - 1 if there not in ROW else ROW[there]
            assert ahead < row or there == here or (there not in ROW and here == "cli"), f"{where}: against the line"
        elif top not in sys.stdlib_module_names:
            assert here in OUTSIDE.get(top, ()), f"{where}: not allowed there"


def test_the_library_loads_no_command() -> None:
    """``import ginrummy`` and every public name of it leave click alone."""
    names = loaded("import ginrummy\nfor name in ginrummy.__all__: getattr(ginrummy, name)\nprint(1)")
    assert "click" not in names
