"""Completion in the shells: the scripts are sourced and asked for words, and the program offers the right ones."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

import ginrummy
from ginrummy.cli import run
from ginrummy.cli.completion import SHELLS, complete_card, complete_players, complete_rules
from ginrummy.cli.main import cli
from ginrummy.players import LEVELS
from ginrummy.rules import presets, variants


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables for a shell that finds the ``ginrummy`` of this Python, and nothing of its user's."""
    folder = tmp_path_factory.mktemp("bin")
    script = folder / "ginrummy"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ginrummy "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(ginrummy.__file__).parents[1]),
        "PYTHONSAFEPATH": "1",
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
    }


LINES = [
    ("ginrummy an", {"analyze-hand"}),
    ("ginrummy --comp", {"--completion"}),
    ("ginrummy --completion z", {"zsh"}),
    ("ginrummy analyze-hand --up", {"--upcard"}),
    ("ginrummy analyze-hand 7S 8", {"8S", "8H", "8D", "8C"}),
    ("ginrummy analyze-hand 8S 8", {"8H", "8D", "8C"}),
    ("ginrummy analyze-hand 7S --upcard 1", {"10S", "10H", "10D", "10C"}),
    ("ginrummy analyze-hand --rules rom", {"romme"}),
    ("ginrummy score --rules romme+big", {"romme+big-gin"}),
    ("ginrummy simulate --rules +no", {"+no-big-gin"}),
    ("ginrummy play --level ex", {"expert"}),
    ("ginrummy simulate --players easy,no", {"easy,normal"}),
]
"""What is typed before the tab key, and what is offered."""


def asked(shell: str, script: str, environment: dict[str, str]) -> str:
    """What a shell prints."""
    done = subprocess.run(
        [shell, *(["--no-config"] if shell == "fish" else ["-f"] if shell == "zsh" else ["--norc"]), "-c", script],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout.decode()


def blocks(text: str) -> list[set[str]]:
    """The words of each line asked for, between lines of equals signs."""
    return [set(part.split("\n")) - {""} for part in text.split("====\n")[1:]]


def test_bash(environment: dict[str, str]) -> None:
    """The function that the script registers, called as bash calls it."""
    script = ['eval "$(ginrummy --completion bash)"', "complete -p ginrummy > /dev/null"]
    for line, _ in LINES:
        words = line.split(" ")
        quoted = " ".join(f"'{word}'" for word in words)
        script += [f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; COMPREPLY=()"]
        script += ["_ginrummy_completion ginrummy", "echo '===='", 'printf "%s\\n" "${COMPREPLY[@]}"']
    assert blocks(asked("bash", "\n".join(script), environment)) == [words for _, words in LINES]


def test_zsh(environment: dict[str, str]) -> None:
    """The same; what zsh would show is caught where it is handed over."""
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    script = [
        "autoload -U compinit && compinit -u -D",
        'eval "$(ginrummy --completion zsh)"',
        "[[ ${_comps[ginrummy]} = _ginrummy_completion ]] || exit 7",
        "_describe() { local entry; for entry in ${(P)3}; do print -r -- ${entry%%:*}; done }",
        "compadd() { print -rl -- ${(P)@[-1]} }",
    ]
    for line, _ in LINES:
        quoted = " ".join(f"'{word}'" for word in line.split(" "))
        script += [f"words=({quoted}); CURRENT={len(line.split(' '))}", "echo '===='", "_ginrummy_completion"]
    assert blocks(asked("zsh", "\n".join(script), environment)) == [words for _, words in LINES]


def test_fish(environment: dict[str, str]) -> None:
    """Fish can be asked what it would offer."""
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    script = ["ginrummy --completion fish | source"]
    for line, _ in LINES:
        script += ["echo '===='", f"complete --do-complete '{line}'"]
    found = blocks(asked("fish", "\n".join(script), environment))
    assert [{word.split("\t")[0] for word in words} for words in found] == [words for _, words in LINES]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_all_that_is_printed(shell: str) -> None:
    """And it names the program."""
    done = run(["--completion", shell])
    assert (done.status, done.stderr) == (0, "")
    assert "_ginrummy_completion" in done.stdout
    assert run(["--completion", "csh"]).status == 2


def context(*args: str) -> click.Context:
    """A command line of analyze-hand so far."""
    command = cli.get_command(click.Context(cli), "analyze-hand")
    assert command is not None
    return command.make_context("analyze-hand", list(args), resilient_parsing=True)


def param(name: str) -> click.Parameter:
    """A parameter of analyze-hand."""
    return next(each for each in context().command.params if each.name == name)


@pytest.mark.parametrize(
    ("typed", "incomplete", "offered"),
    [
        ([], "9", ["9S", "9H", "9D", "9C"]),
        ([], "t", ["tS", "tH", "tD", "tC"]),
        ([], "10", ["10S", "10H", "10D", "10C"]),
        (["9S", "9h"], "9", ["9D", "9C"]),
        (["789s"], "8", ["8H", "8D", "8C"]),
        ([], "7S8", ["7S8S", "7S8H", "7S8D", "7S8C"]),
        ([], "7S7", ["7S7H", "7S7D", "7S7C"]),
        (["--seen", "9S 9H"], "9", ["9D", "9C"]),
        (["nonsense"], "9", ["9S", "9H", "9D", "9C"]),
    ],
)
def test_cards(typed: list[str], incomplete: str, offered: list[str]) -> None:
    """Those that are still to be had."""
    assert complete_card(context(*typed), param("hand"), incomplete) == offered


def test_all_cards_where_nothing_is_typed() -> None:
    """Fifty-two of them, less those in use."""
    assert len(complete_card(context(), param("hand"), "")) == 52
    assert len(complete_card(context("789S"), param("upcard"), "")) == 49


def test_rules() -> None:
    """Presets with their descriptions, variants that are not there yet, files."""
    ctx, rules = context(), param("rules")
    assert [item.value for item in complete_rules(ctx, rules, "")] == [*presets(), "list"]
    assert [item.help for item in complete_rules(ctx, rules, "duel")] == [presets()["duel"]]
    after = [item.value for item in complete_rules(ctx, rules, "romme+hollywood+")]
    assert "romme+hollywood+best-of=3" in after
    assert "romme+hollywood+hollywood" not in after
    assert len(after) == len(variants()) - 1
    assert [item.type for item in complete_rules(ctx, rules, "./ho")] == ["file"]
    assert complete_rules(ctx, rules, "nonsense") == []


def test_players() -> None:
    """Behind commas, too."""
    ctx, players = context(), param("rules")
    assert complete_players(ctx, players, "") == [*LEVELS, "exec:", "module:"]
    assert complete_players(ctx, players, "hard,ex") == ["hard,expert", "hard,exec:"]
