"""Three short questions before the first game, where the options do not answer them; and the coach, offered once."""

from collections.abc import Collection, Mapping
from contextlib import suppress

from ginrummy.errors import GinRummyError
from ginrummy.render import rules_list_text
from ginrummy.rules import Rules, Value, load_rules, presets
from ginrummy.session.console import Console
from ginrummy.session.evening import LEVELS, check_table
from ginrummy.session.loop import Quit
from ginrummy.store import Store, StoreError

NOTE = "coach offered"
"""Where the store remembers that the coach was offered."""

LAST = "last choice"
"""Where it remembers what was answered last: level, rules and what was set besides."""


def ask_start(
    console: Console, level: str, rules: Rules, asked: Collection[str], settings: Mapping[str, Value]
) -> tuple[str, Rules]:
    """Level and rules with their target: those given, but for what is ``asked`` of ``level``, ``rules`` and ``target``.

    ``level`` is the text of another opponent where no level is asked. ``settings`` are those that go with any rules.
    """
    if "level" in asked:
        level = _ask_level(console, level)
    if "rules" in asked:
        rules = _ask_rules(console, rules, level, settings)
    if "target" in asked:
        rules = _ask_target(console, rules)
    return level, rules


def remembered(store: Store, level: str, rules: Rules) -> tuple[str, Rules]:
    """What was chosen the last time, where that can still be had; else what is given."""
    try:
        last = store.note(LAST)
        if last is not None and last["level"] in LEVELS:
            return last["level"], load_rules(last["rules"], settings=last["set"])
    except (GinRummyError, TypeError, KeyError):
        pass  # a rules file that is gone, or a note of another version
    return level, rules


def remember(store: Store, level: str, rules: Rules) -> None:
    """Offer this choice the next time."""
    if level in LEVELS:
        with suppress(StoreError):
            store.write_note(LAST, {"level": level, "rules": rules.name, "set": dict(rules.settings)})


def under_way_line(store: Store) -> str | None:
    """That there are games to go on with; None where there are none."""
    try:
        games = store.games("running")
    except StoreError:
        return None
    if not games:
        return None
    which = f"Game {games[0].id} is" if len(games) == 1 else f"{len(games)} games are"
    return f"{which} under way: ginrummy play --resume goes on; --list shows all."


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


def _ask_rules(console: Console, rules: Rules, opponent: str, settings: Mapping[str, Value]) -> Rules:
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
            found = load_rules(text, settings=settings)
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
        if store.note(NOTE) is not None:
            return False
        line = _answer(console, "A first game? The coach can lead you through it: yes, no", ["yes", "no"])
        store.write_note(NOTE, True)
    except StoreError as error:
        console.complain(error)
        return False
    return line.lower() in ("yes", "y")
