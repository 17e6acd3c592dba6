"""Words that a shell may offer: cards, rules, players; and the scripts that ask for them."""

import re
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ginrummy.cli.streams import Streams

SHELLS: Final = ("bash", "zsh", "fish")
VARIABLE: Final = "_GINRUMMY_COMPLETE"
"""The environment variable by which a script asks the program for words."""

_BEGUN: Final = re.compile(r"(?:10|[A2-9TJQK1])?$", re.IGNORECASE)


def print_script(ctx: click.Context, param: click.Parameter, shell: str | None) -> None:
    """``--completion SHELL``."""
    if shell is None or ctx.resilient_parsing:
        return
    from click.shell_completion import ShellComplete, get_completion_class

    found = get_completion_class(shell)
    assert found is not None, "click knows these shells"
    streams: Streams = ctx.obj
    # Not the method of the shell's own class: bash's starts a bash to ask for its version.
    script = ShellComplete.source(found(ctx.command, {}, "ginrummy", VARIABLE))
    # In click's script for fish a word ends at its first comma.
    streams.out(script.replace('string split "," ', 'string split -m 1 "," ').rstrip("\n"))
    ctx.exit()


def complete_card(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Cards that are not named elsewhere on the line, in letters; also behind others in one word."""
    from ginrummy.cards import NAMES, cards_in
    from ginrummy.notation import parse_cards

    def cards_of(value: Any) -> set[int]:
        texts = value if isinstance(value, tuple) else (value,)
        try:
            return set(cards_in(parse_cards(" ".join(text for text in texts if isinstance(text, str)))))
        except ValueError:
            return set()

    begun = _BEGUN.search(incomplete)
    before = incomplete[: begun.start()] if begun else incomplete
    last = incomplete[len(before) :]
    used = cards_of(before)
    for name in ("hand", "upcard", "pile_top", "seen", "opponent"):
        if name != param.name or name == "hand":
            used |= cards_of(ctx.params.get(name))
    rank = "10" if last.upper() == "T" else last.upper()
    fitting = [name for card, name in enumerate(NAMES) if card not in used and name.startswith(rank)]
    # What is typed stays as it is: a shell drops words that do not begin with it.
    return [before + last + name[len(rank) :] for name in fitting]


def complete_rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Presets, then variants behind a +, or a file."""
    from click.shell_completion import CompletionItem

    from ginrummy.rules import presets, variants

    if "/" in incomplete or "." in incomplete:
        return [CompletionItem(incomplete, type="file")]
    before, plus, _ = incomplete.rpartition("+")
    if plus:
        taken = before.split("+")
        words = {
            f"{before}+{name.replace('=N', '=3')}": about for name, about in variants().items() if name not in taken
        }
    else:
        words = presets() | {"list": "show all presets and variants"}
    return [CompletionItem(word, help=about) for word, about in words.items() if word.startswith(incomplete)]


def complete_players(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Levels, several behind commas, and the beginnings of outside players."""
    from ginrummy.players import LEVELS

    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in (*LEVELS, "exec:", "module:") if name.startswith(last)]
