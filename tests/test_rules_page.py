"""man/ginrummy-rules.7 and presets.toml say the same, number by number."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ginrummy import load_rules
from ginrummy.cli import run
from ginrummy.rules import KEYS, allowed, presets, variants

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "man" / "ginrummy-rules.7").read_text(encoding="utf-8")
TOML = (ROOT / "ginrummy" / "presets.toml").read_text(encoding="utf-8")
TABLE: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(TOML)
WHERE = ("stated", "implied", "decided")


def plain(roff: str) -> str:
    """Roff text without its escapes."""
    for escape, text in {r"\-": "-", r"\(aq": "'", r"\e": "\\"}.items():
        roff = roff.replace(escape, text)
    return roff


def section(title: str) -> str:
    """The lines of one section."""
    found = re.search(rf"^\.SH {title}\n(.*?)(?=^\.SH |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"no section {title}"
    return plain(found[1])


def tables(title: str) -> dict[str, dict[str, tuple[str, str]]]:
    """The tables of a section by name: key to value and where it comes from."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for part in re.split(r"^\.SS ", section(title), flags=re.MULTILINE)[1:]:
        name, _, text = part.partition("\n")
        (block,) = re.findall(r"^\.EX\n(.*?)^\.EE$", text, re.MULTILINE | re.DOTALL)
        rows = [re.split(r" +", line, maxsplit=2) for line in block.splitlines()]
        found[name] = {key: (value, where) for key, value, where in rows}
        assert len(found[name]) == len(rows), f"a key twice under {name}"
    return found


def text_of(value: Any) -> str:
    """A value as the page writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def decided(name: str) -> set[str]:
    """The keys of a table of presets.toml that are marked as decided."""
    found = re.search(rf"^\[{re.escape(name)}\]\n(.*?)(?=^\[|\Z)", TOML, re.MULTILINE | re.DOTALL)
    assert found
    return set(re.findall(r"^(\w+) = .*# decided$", found[1], re.MULTILINE))


PRESETS, VARIANTS = tables("PRESETS"), tables("VARIANTS")


def test_every_key_is_described() -> None:
    """With what it may hold, in the order of the table."""
    described = re.findall(r"^\.TP\n\.B (\w+)\n(.*?)(?=^\.TP|\Z)", section("KEYS"), re.MULTILINE | re.DOTALL)
    assert [key for key, _ in described] == list(KEYS)
    for key, text in described:
        assert f"Allowed: {allowed(key)}." in " ".join(text.split())


def test_every_preset_and_variant_is_there() -> None:
    """And no other."""
    assert set(PRESETS) == set(presets())
    assert set(VARIANTS) == set(variants())


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name: str) -> None:
    """Every number of the page is the one in force, and the page has all that presets.toml has."""
    entry = {key: value for key, value in TABLE["preset"][name].items() if key != "about"}
    values = load_rules(name).values()
    for key, (value, where) in PRESETS[name].items():
        assert value == text_of(values[key]), f"{name}: {key}"
        assert where.split()[0].strip(":;,") in WHERE
    base = entry.pop("based_on", None)
    # A rule that doubles nothing has no condition of its own in the table.
    assert set(entry) <= set(PRESETS[name])
    if base is None:
        assert set(PRESETS[name]) == set(entry) | {"shutout_when"}
    else:
        assert set(PRESETS[name]) == set(entry)
        assert f".SS {name}\n{base}, with these changed" in section("PRESETS")
    assert {key for key, (_, where) in PRESETS[name].items() if where.startswith("decided")} == decided(
        f"preset.{name}"
    )


@pytest.mark.parametrize("name", VARIANTS)
def test_variants(name: str) -> None:
    """What each of them sets."""
    if name == "best-of=N":
        assert {key: value for key, (value, _) in VARIANTS[name].items()} == {"best_of": "N"}
        return
    entry = {key: text_of(value) for key, value in TABLE["variant"][name].items() if key != "about"}
    assert {key: value for key, (value, _) in VARIANTS[name].items()} == entry
    assert all(where.split()[0].strip(":;,") in WHERE for _, where in VARIANTS[name].values())
    assert {key for key, (_, where) in VARIANTS[name].items() if where.startswith("decided")} == decided(
        f"variant.{name}"
    )


def test_numbers_in_sentences() -> None:
    """The bonus of partners, which no table has."""
    assert f"({load_rules().partnership_bonus}: decided" in section("VARIANTS")


@pytest.mark.parametrize("line", re.findall(r"^ginrummy .*$", section("EXAMPLES"), re.MULTILINE))
def test_examples_run(line: str) -> None:
    """As they stand there."""
    done = run(line.split()[1:])
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout


def test_the_page_renders() -> None:
    """Without a warning, and in the 80 columns of a terminal."""
    if shutil.which("man") is None or shutil.which("groff") is None:
        pytest.skip("man and groff are not installed")
    done = subprocess.run(
        ["man", "--warnings", "-l", str(ROOT / "man" / "ginrummy-rules.7")],
        env=os.environ | {"MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    text = done.stdout.decode("utf-8")
    if "minimized" in text:
        pytest.skip("man is only a stub here")
    assert (done.returncode, done.stderr.decode()) == (0, "")
    assert [line for line in text.splitlines() if len(line) > 80] == []


# --- files of rules: the round trip, and errors with key and line -------------------------------


@pytest.mark.parametrize("variant", ["", *(f"+{name}" for name in VARIANTS if name != "best-of=N"), "+best-of=7"])
@pytest.mark.parametrize("preset", PRESETS)
def test_shown_rules_read_back(preset: str, variant: str, tmp_path: Path) -> None:
    """What --show-rules prints is a file of the same rules."""
    file = tmp_path / "mine.toml"
    shown = run(["score", "--rules", preset + variant, "--show-rules"]).stdout
    file.write_text(shown, encoding="utf-8")
    assert load_rules(str(file)) == load_rules(preset + variant)
    again = run(["score", "--rules", str(file), "--show-rules"]).stdout
    assert again.splitlines()[1:] == shown.splitlines()[1:]


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("gin_bonus = 20\ngin = 3", 2, "gin"),
        ("gin_bonus = 20\n\n# twenty\nundercut_bonus = 2000", 4, "undercut_bonus"),
        ('\n"target" = 0', 2, "target"),
        ("\n\nbest_of   = 4", 3, "best_of"),
        ("gin_bonus = 20\n[romme]\ngin_bonus = 20", 2, "romme"),
        ('# mine\npreset = "rome"', 2, "rome"),
        ("preset_x = 1", 1, "preset_x"),
        ("gin_bonus = 20\ngin_bonus = 25\n", 2, ""),
        ("gin_bonus = 20\nundercut_bonus = x\n", 2, ""),
    ],
)
def test_errors_in_files_name_line_and_key(text: str, line: int, key: str, tmp_path: Path) -> None:
    """Also where another key begins with the same letters."""
    file = tmp_path / "house.toml"
    file.write_text(text, encoding="utf-8")
    done = run(["score", "--rules", str(file), "--sheet", "-"], b"A 9\nB 9")
    assert done.status == 2
    assert "house.toml" in done.stderr
    assert f"line {line}" in done.stderr
    assert key in done.stderr
