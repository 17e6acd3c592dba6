"""What ``play`` shows and does with games that are saved, without playing: list, statistics, export, review, forget."""

import json
from collections.abc import Mapping
from typing import Any, Final

from ginrummy.cli.options import Output, Refusal
from ginrummy.cli.status import Status
from ginrummy.cli.streams import Streams
from ginrummy.record_book import rules_label, statistics_json, statistics_text
from ginrummy.records import SCHEMA, settings_json
from ginrummy.render import plural
from ginrummy.store import GameInfo, Store

LOOKS: Final = ("list", "stats", "review", "export", "forget")
"""The options that look at saved games instead of playing."""


def game_number(option: str, text: str) -> int | None:
    """The number of a game; None: none is named."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and int(text[:18]) > 0 and len(text) <= 18):
        raise Refusal(f"{option}: {text!r}: the number of a game is wanted, as --list shows it")
    return int(text)


def look(streams: Streams, output: Output, store: Store, what: str, text: str) -> Status:
    """Do what one of the options in LOOKS says; ``text`` is its value. GinRummyError as the store raises it."""
    if what == "list":
        games = store.games()
        if output.form == "json":
            for info in games:
                streams.out(json.dumps(info_json(info)))
        else:
            for line in list_text(games):
                streams.out(line)
    elif what == "stats":
        book = store.statistics()
        if output.form == "json":
            streams.out(json.dumps(statistics_json(book)))
        else:
            for line in statistics_text(book):
                streams.out(line)
    elif what == "export":
        number = game_number("--export", text)
        assert number is not None
        for record in store.export(number):
            streams.out(json.dumps(record))
    elif what == "review":
        from ginrummy.session.review import review

        for line in review(store, game_number("--review", text), output.style):
            streams.out(line)
    else:
        return _forget(streams, store, text)
    return Status.OK


def _forget(streams: Streams, store: Store, text: str) -> Status:
    if text.lower() != "all":
        number = game_number("--forget", text)
        assert number is not None
        store.forget(number)
        streams.out(f"Game {number} is forgotten.")
        return Status.OK
    gone, kept = store.forget_all()
    streams.out(f"{plural(len(gone), 'game')} forgotten.")
    if kept:
        streams.warn(f"kept, since other sessions have them open: {', '.join(map(str, kept))}")
    return Status.FAILED if kept else Status.OK


def info_json(info: GameInfo) -> dict[str, Any]:
    """A game of the list. The seed of one that is under way is not told."""
    found: dict[str, Any] = {"schema": SCHEMA, "id": info.id, "status": info.status, "rules": info.rules_name}
    if info.settings:
        found["set"] = settings_json(info.settings)
    found |= {
        "opponent": info.setup.opponent,
        "names": list(info.setup.names),
        "sides": list(info.sides),
        "points": list(info.points),
        "games_won": list(info.games_won),
        "hands": info.hands,
        "actions": info.actions,
        "counted": info.setup.counted,
        "started": info.started,
        "updated": info.updated,
    }
    if info.status != "running":
        winner = None if info.winner is None else info.sides[info.winner]
        found |= {"winner": winner, "totals": None if info.totals is None else list(info.totals)}
        found |= {"seed": info.seed, "game": info.number}
    return found


def list_text(games: list[GameInfo]) -> list[str]:
    """Saved games, a line each."""
    if not games:
        return ["No game is saved."]
    return [_line(info) for info in games]


def _line(info: GameInfo) -> str:
    settings: Mapping[str, object] = info.settings
    points = ", ".join(f"{name} {number}" for name, number in zip(info.sides, info.points, strict=False))
    parts = [
        f"{info.id:>4}  {info.updated[:16].replace('T', ' ')}  {info.status:<9}",
        f"{rules_label(info.rules_name, settings)}, against {info.setup.opponent}",
    ]
    parts.append(points or "nothing played")
    if info.hands:
        parts.append(plural(info.hands, "hand"))
    if info.status != "running":
        parts.append(f"seed {info.seed}" + (f", game {info.number}" if info.number else ""))
    return f"{parts[0]} {'; '.join(parts[1:])}"
