"""README, man pages, --help and the program say the same, and every example in them runs."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

import ginrummy
from ginrummy.cli import run
from ginrummy.cli.main import COMMANDS, cli
from ginrummy.cli.options import RULE_KEYS
from ginrummy.cli.status import Status
from ginrummy.rules import presets, variants

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAMS = ["", *COMMANDS]
"""The program itself and its commands."""

FILES = {
    "hands.txt": """\
# a comment, then three hands
3C 3D 3H 9S 10S JS KH 5D 2C AS
789s KSHDC AD 24C
["7S","8S","9S","KS","KH","KD","KC","AD","2D","3D"]
""",
    "knocks.txt": """\
789s KSHDC AD 24C / 567h QSDC 10s 24d Jh
789s KSHD A23D 7D / 8910H QSHD A2S A2H
""",
    "game.json": json.dumps({"hands": ["3C 3D 3H 9S 10S JS KH 5D 2C AS"]}),
    "house.toml": 'preset = "romme"\nundercut_bonus = 10\n',
    "evening.txt": "# Anna and Ben, romme\nAnna knock 6 31\nAnna gin 24\n",
    "finished.txt": "Anna knock 6 31\nBen knock 4 4\ndead\nBen gin 37\nAnna gin 41\n",
    "sheets.jsonl": """\
{"hands":["Anna 60","Ben gin 30","Anna 40"]}
{"hands":["Anna 60"],"players":["Anna","Ben"]}
{"totals":{"Anna":{"points":104,"hands_won":5},"Ben":{"points":62,"hands_won":3}}}
""",
}
"""What the examples read."""

HAND = "3C 3D 3H 9S 10S JS KH 5D 2C AS"
KNOCK = ("789s KSHDC AD 24C", "567h QSDC 10s 24d Jh")
GIVEN = f'{{"hand":"{HAND}","opponent":"4S 5S 6S 7H 8H 9H JC QC KC 2D","upcard":"KS","dealer":"second"}}'
ANSWERS: dict[str, list[tuple[list[str], bytes | None]]] = {
    "analyze-hand": [
        (["--pile-top", "4D", "--set", "gin_bonus=20", HAND], None),
        (["--against", "789S / 456D", "--all", "3C 3D 3H 9H 10S JS KH 5C 2C AS"], None),
        (["--rollouts", "10", "--seed", "1", "789s KSHDC AD 24C 10S"], None),
        ([], HAND.encode()),
    ],
    "score": [
        (["--set", "gin_bonus=20", *KNOCK], None),
        ([], " / ".join(KNOCK).encode()),
        (["--sheet", "-"], b"Anna knock 7 16\nBen gin 80"),
        (["--rules", "+hollywood", "--sheet", "-"], b"Anna 100\nAnna 100\nBen 100"),
        (["--rules", "+partnership", "--teams", "Anna+Cem,Ben+Dora", "--sheet", "-"], b"Anna 9 / dead"),
        (["--rules", "+cutthroat", "--sheet", "-"], b"Anna 9\nBen 9\nCem 120"),
        (["--rules", "+best-of=3", "--names", "Anna,Ben", "--sheet", "-"], b"Anna 100\nAnna 100"),
    ],
    "simulate": [
        (["-n", "2", "--seed", "1", "--set", "gin_bonus=20"], None),
        (["-n", "2", "--seed", "1", "-"], GIVEN.encode()),
    ],
}
"""Command lines that together give every key of a command's results."""

INTERRUPTED = {"simulate": {"partial"}}
"""Keys that only an interrupt brings."""


def command_of(name: str) -> click.Command:
    """The program or one of its commands."""
    command = cli.get_command(click.Context(cli), name) if name else cli
    assert command is not None
    return command


def page_of(name: str) -> str:
    """The source of a man page."""
    return (ROOT / "man" / f"{f'ginrummy-{name}' if name else 'ginrummy'}.1").read_text(encoding="utf-8")


def plain(roff: str) -> str:
    """Roff text without its escapes."""
    for escape, text in {r"\-": "-", r"\(aq": "'", r"\(dq": '"', r"\e": "\\"}.items():
        roff = roff.replace(escape, text)
    return roff


def section(page: str, title: str) -> str:
    """The lines of one section of a man page."""
    found = re.search(rf"^\.SH {title}\n(.*?)(?=^\.SH |\Z)", page, re.MULTILINE | re.DOTALL)
    assert found, f"no section {title}"
    return plain(found[1])


def tags(text: str) -> set[str]:
    """The words of the tags of a section's tagged paragraphs."""
    lines = re.findall(r"^\.TP\n\.[BIR]+ (.*)", text, re.MULTILINE)
    return {word for line in lines for word in re.split(r'[ ,"]+', line) if word}


def flags(words: set[str]) -> set[str]:
    """Those words that are options."""
    return {word for word in words if word.startswith("-")}


def options_of(command: click.Command) -> set[str]:
    """Every option a command takes."""
    context = click.Context(command)
    options = [param for param in command.get_params(context) if isinstance(param, click.Option)]
    return {flag for option in options for flag in (*option.opts, *option.secondary_opts)}


def options_in_help(text: str) -> set[str]:
    """The options that a help text lists."""
    _, _, listed = text.partition("\nOptions:\n")
    heads = [re.split(r" {2,}", line.strip())[0] for line in listed.splitlines() if line.startswith("  -")]
    return {flag for head in heads for flag in re.findall(r"(?<![\w-])--?[a-z][\w-]*", head)}


def keys_in(value: Any) -> set[str]:
    """The keys of all objects in a JSON value; those under ``set`` are rules, described elsewhere."""
    if isinstance(value, list):
        return set().union(*map(keys_in, value))
    if isinstance(value, dict):
        return set(value).union(*(keys_in(inner) for key, inner in value.items() if key != "set"))
    return set()


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables for a shell that finds the ``ginrummy`` of this Python."""
    environ = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    folder = Path(sys.executable).parent
    if not (folder / "ginrummy").exists():
        # The package runs from its sources: a script in place of the one an installation makes.
        environ["PYTHONPATH"] = str(Path(ginrummy.__file__).parent.parent)
        folder = tmp_path_factory.mktemp("bin")
        (folder / "ginrummy").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ginrummy "$@"\n', encoding="utf-8")
        (folder / "ginrummy").chmod(0o755)
    return environ | {"PATH": f"{folder}{os.pathsep}{environ['PATH']}", "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the examples read."""
    folder = tmp_path_factory.mktemp("examples")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def shell(command: str, folder: Path, environ: dict[str, str]) -> tuple[int, str]:
    """Run an example; its status and all it wrote. Without jq or parallel the examples that use it are skipped."""
    for tool in ("jq", "parallel"):
        if re.search(rf"(^|\| *|\n *){tool} ", command) and shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8")


# README


def console_examples() -> list[tuple[str, str]]:
    """The commands of README's console blocks, each with the output shown under it."""
    blocks = re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    examples = [part.partition("\n") for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(command, output) for command, _, output in examples]


@pytest.mark.parametrize(("command", "output"), console_examples())
def test_readme_shows_what_the_program_prints(
    command: str, output: str, workplace: Path, environment: dict[str, str]
) -> None:
    """Every command of a console block gives exactly the lines under it."""
    assert shell(command, workplace, environment) == (0, output)


def test_readme_has_console_examples() -> None:
    """A changed convention would leave nothing to test."""
    assert len(console_examples()) >= 5


def test_readme_uses_the_library_as_it_is() -> None:
    """The Python sessions of README, one after another."""
    blocks = re.findall(r"^```pycon\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert blocks
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", "README.md", 0)
    assert not doctest.DocTestRunner().run(session).failed


def test_readme_names_only_options_that_exist() -> None:
    """No option of another program is written with two dashes there, so that all can be looked up."""
    named = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", README))
    assert named
    assert named <= set().union(*(options_of(command_of(name)) for name in PROGRAMS))


def test_readme_names_every_command() -> None:
    """Each command is shown at work."""
    assert [name for name in COMMANDS if f"ginrummy {name} " not in README] == []


# Man pages and --help


@pytest.mark.parametrize("name", PROGRAMS)
def test_options_are_the_same_in_man_page_help_and_program(name: str) -> None:
    """No option is missing anywhere, and none is described that does not exist."""
    options = options_of(command_of(name))
    assert flags(tags(section(page_of(name), "OPTIONS"))) == options
    assert options_in_help(run([name, "--help"] if name else ["--help"]).stdout) == options


@pytest.mark.parametrize("name", PROGRAMS)
def test_man_pages_list_the_exit_statuses(name: str) -> None:
    """All of them, and no other."""
    assert tags(section(page_of(name), "EXIT STATUS")) == {str(int(status)) for status in Status}


def test_main_man_page_lists_the_commands() -> None:
    """All of them, and the page of each."""
    page = page_of("")
    assert tags(section(page, "COMMANDS")) == set(COMMANDS)
    pages = set(re.findall(r"ginrummy-([\w-]+) \(1\)", section(page, "SEE ALSO")))
    assert pages == set(COMMANDS)
    assert {path.name for path in (ROOT / "man").glob("*.1")} == {
        "ginrummy.1",
        *(f"ginrummy-{name}.1" for name in COMMANDS),
    }


@pytest.mark.parametrize(("title", "names"), [("Presets", presets()), ("Variants", variants())])
def test_main_man_page_lists_presets_and_variants(title: str, names: dict[str, str]) -> None:
    """All of them, and no other."""
    listed = re.search(rf"^\.TP\n\.B {title}\n(.*?)(?=^\.TP|^\.PP)", section(page_of(""), "RULES"), re.M | re.S)
    assert listed
    bold = re.findall(r"^\.BR? (.*)", listed[1], re.MULTILINE)
    assert set(re.findall(r"[\w=-]+", " ".join(bold))) == set(names)


@pytest.mark.parametrize("name", ["analyze-hand", "score"])
def test_man_pages_list_the_keys_of_records(name: str) -> None:
    """All keys that are read."""
    readers = import_module(COMMANDS[name]).READERS
    assert tags(section(page_of(name), "RECORDS")) == {*readers, *RULE_KEYS}


@pytest.mark.parametrize("name", ANSWERS)
def test_man_pages_list_the_keys_of_results(name: str) -> None:
    """All keys that are written: those of a result as tags, those further in by name."""
    results = []
    for args, stdin in ANSWERS[name]:
        done = run([name, "--json", *args], stdin)
        assert done.status == 0, done.stderr
        results += [json.loads(line) for line in done.stdout.splitlines()]
    described = section(page_of(name), "JSON OUTPUT")
    assert tags(described) == {key for result in results for key in result} | INTERRUPTED.get(name, set())
    assert keys_in(results) <= set(re.findall(r"[\w-]+", described))


@pytest.mark.parametrize("name", PROGRAMS)
def test_man_pages_render(name: str) -> None:
    """Without a warning, and in the 80 columns of a terminal."""
    page = ROOT / "man" / f"{f'ginrummy-{name}' if name else 'ginrummy'}.1"
    environ = os.environ | {"MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"}
    if shutil.which("man") is None or shutil.which("groff") is None:
        pytest.skip("man and groff are not installed")
    done = subprocess.run(
        ["man", "--warnings", "-l", str(page)], env=environ, capture_output=True, timeout=60, check=False
    )
    text = done.stdout.decode("utf-8")
    if "minimized" in text:
        pytest.skip("man is only a stub here")
    assert (done.returncode, done.stderr.decode()) == (0, "")
    assert "EXIT STATUS" in text
    assert [line for line in text.splitlines() if len(line) > 80] == []


# Examples of man pages and --help


def examples_of(name: str) -> list[str]:
    """The commands that a man page and a help text show."""
    helped = run([name, "--help"] if name else ["--help"]).stdout
    _, _, shown = helped.partition("\n  Examples:\n")
    listed = [line.strip() for line in shown.partition("\n\n")[0].splitlines()]
    for block in re.findall(r"^\.EX\n(.*?)^\.EE$", section(page_of(name), "EXAMPLES"), re.MULTILINE | re.DOTALL):
        # A line that is indented goes on with the command before it.
        listed += re.split(r"\n(?=\S)", block.strip())
    assert listed
    return listed


@pytest.mark.parametrize(("name", "example"), [(name, example) for name in PROGRAMS for example in examples_of(name)])
def test_examples_run(name: str, example: str, workplace: Path, environment: dict[str, str]) -> None:
    """Every example is done without a complaint and shows something."""
    status, output = shell(example, workplace, environment)
    assert status == 0, output
    assert output
    assert "ginrummy " + name + ": " not in output


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_help_has_an_example(name: str) -> None:
    """And every example in it is one of this program."""
    helped = run([name, "--help"] if name else ["--help"]).stdout
    _, _, shown = helped.partition("\n  Examples:\n")
    assert "ginrummy " in shown.partition("\n\n")[0]
