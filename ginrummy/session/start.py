"""Three short questions before the first game, where the options do not answer them; and the coach, offered once."""

from collections.abc import Collection

from ginrummy.errors import GinRummyError
from ginrummy.render import rules_list_text
from ginrummy.rules import Rules, load_rules, presets
from ginrummy.session.console import Console
from ginrummy.session.evening import LEVELS, check_table
from ginrummy.session.loop import Quit
from ginrummy.store import Store, StoreError

NOTE = "coach offered"
"""Where the store remembers that the coach was offered."""


def ask_start(console: Console, level: str, rules: Rules, asked: Collection[str]) -> tuple[str, Rules]:
    """Level and rules with their target: those given, but for what is ``asked`` of ``level``, ``rules`` and ``target``.

    ``level`` is the text of another opponent where no level is asked.
    """
    if "level" in asked:
        level = _ask_level(console, level)
    if "rules" in asked:
        rules = _ask_rules(console, rules, level)
    if "target" in asked:
        rules = _ask_target(console, rules)
    return level, rules


def _answer(console: Console, prompt: str, offered: list[str]) -> str:
    line = " ".join(console.read(prompt, offered).split())
    if line.lower() in ("quit", "q", "exit"):
        raise Quit
    return line


def _ask_level(console: Console, level: str) -> str:
    while True:
        word = _answer(console, f"Level: {', '.join(LEVELS)} (Enter: {level})", [*LEVELS]).lower()
        # The first letters do.
        found = [name for name in LEVELS if word and name.startswith(word)]
        if not word or len(found) == 1:
            return found[0] if found else level
        console.say(f"Levels are {', '.join(LEVELS)}.")


def _ask_rules(console: Console, rules: Rules, opponent: str) -> Rules:
    names = [*presets()]
    console.say(f"Rules: {', '.join(names)}, or NAME+VARIANT; ? tells more.")
    while True:
        text = _answer(console, f"Rules (Enter: {rules.name})", names)
        if not text:
            return rules
        if text in ("?", "list", "help"):
            console.say_all(rules_list_text())
            continue
        try:
            found = load_rules(text, settings=rules.settings)
            check_table(found, opponent)
            return found
        except GinRummyError as error:
            console.complain(error)


def _ask_target(console: Console, rules: Rules) -> Rules:
    while True:
        text = _answer(console, f"Points to win (Enter: {rules.target})", [])
        if not text:
            return rules
        try:
            return load_rules(rules.name, settings={**rules.settings, "target": text})
        except GinRummyError as error:
            console.complain(error)


def offer_coach(console: Console, store: Store) -> bool:
    """Whether a new user wants to be led through the first game. It is asked once and never again."""
    try:
        if store.note(NOTE) is not None or store.games():
            return False
        line = _answer(console, "A first game? The coach can lead you through it: yes, no", ["yes", "no"])
        store.write_note(NOTE, True)
    except StoreError as error:
        console.complain(error)
        return False
    return line.lower() in ("yes", "y")
