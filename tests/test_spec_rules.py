"""Rules as data: the table of presets, variants, composition, files, settings."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import ginrummy
from ginrummy import load_rules
from ginrummy.cli import run

PRESETS = ("classic", "romme", "oklahoma", "race", "duel", "quick", "pagat")
VARIANTS = (
    "oklahoma",
    "straight",
    "old-bonuses",
    "big-gin",
    "no-big-gin",
    "spades",
    "hollywood",
    "partnership",
    "cutthroat",
    "best-of",
)
STRAIGHT_FLUSH = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S"
# One row a key, one column a preset, as in rules.md; None: the rule has no such thing.
TABLE: dict[str, tuple[Any, Any, Any, Any, Any]] = {
    "knock_limit": (10, 10, "upcard", 10, 10),
    "gin_bonus": (25, 25, 25, 25, 25),
    "undercut_bonus": (25, 25, 25, 25, 25),
    "big_gin_bonus": (None, 31, 31, 31, None),
    "spade_upcard_factor": (1, 1, 2, 1, 1),
    "spade_pile_factor": (1, 1, 1, 1, 1),
    "target": (100, 100, 150, 100, 100),
    "game_bonus": (100, 100, 0, 0, 0),
    "box_bonus": (20, 25, 0, 0, 0),
    "shutout": ("game-bonus", "total", "none", "none", "none"),
    "first_dealer": ("cut", "cut", "random", "random", "random"),
    "next_dealer": ("loser", "loser", "alternate", "alternate", "winner"),
    "knock_card": ("down", "down", "down", "down", "up"),
    "arrangement": ("player", "player", "automatic", "automatic", "automatic"),
    "hints": (True, True, True, True, False),
}
KEYS = (*TABLE, "shutout_when", "hollywood", "partnership", "cutthroat", "best_of")
CASES = [
    (preset, key, row[at])
    for key, row in TABLE.items()
    for at, preset in enumerate(("classic", "romme", "oklahoma", "race", "duel"))
]


def value(rules: ginrummy.Rules, key: str) -> Any:
    """One key of some rules; `none` as text or as None is left open for the shutout."""
    got = getattr(rules, key)
    return "none" if key == "shutout" and got is None else got


def everything(rules: ginrummy.Rules) -> dict[str, Any]:
    """All keys of the table."""
    return {key: value(rules, key) for key in (*KEYS, "partnership_bonus")}


def refusal(text: str = "classic", **given: Any) -> str:
    """The message with which rules are refused."""
    with pytest.raises(ginrummy.RulesError) as caught:
        load_rules(text, **given)
    return str(caught.value)


# --- presets and variants -----------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "key", "right"), CASES)
def test_the_table(preset: str, key: str, right: Any) -> None:
    """Number by number; True is not 1 here."""
    got = value(load_rules(preset), key)
    assert got == right
    assert type(got) is type(right)


@pytest.mark.parametrize(("preset", "right"), [("classic", "no-points"), ("romme", "no-hands")])
def test_when_a_shutout_counts(preset: str, right: str) -> None:
    """The other presets have no shutout, so nothing to say here."""
    assert load_rules(preset).shutout_when == right


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_one_game_for_two(preset: str) -> None:
    """The keys of the variants are off."""
    rules = load_rules(preset)
    assert (rules.hollywood, rules.partnership, rules.cutthroat) == (False, False, False)
    assert rules.best_of == 1


@pytest.mark.parametrize(
    ("text", "base", "changed"),
    [
        ("quick", "race", {"target": 50}),
        ("pagat", "classic", {"gin_bonus": 20, "undercut_bonus": 10}),
        ("classic+oklahoma", "classic", {"knock_limit": "upcard", "spade_upcard_factor": 2}),
        ("race+straight", "race", {"knock_limit": 0}),
        ("+straight", "classic", {"knock_limit": 0}),
        ("race+old-bonuses", "race", {"gin_bonus": 20, "undercut_bonus": 10}),
        ("classic+big-gin", "classic", {"big_gin_bonus": 31}),
        ("race+no-big-gin", "race", {"big_gin_bonus": None}),
        ("duel+spades", "duel", {"spade_pile_factor": 2}),
        ("+hollywood", "classic", {"hollywood": True}),
        ("race+cutthroat", "race", {"cutthroat": True}),
        ("race+best-of=5", "race", {"best_of": 5}),
        ("race+best-of=3", "race", {"best_of": 3}),
        ("race+best-of=99", "race", {"best_of": 99}),
        (
            "romme+partnership",
            "romme",
            {"partnership": True, "partnership_bonus": 25, "target": 125},
        ),
        # Preset first, then the variant: the last word wins, no quarrel.
        ("oklahoma+straight", "oklahoma", {"knock_limit": 0}),
        ("pagat+big-gin", "pagat", {"big_gin_bonus": 31}),
        (
            "oklahoma+spades+no-big-gin",
            "oklahoma",
            {"spade_pile_factor": 2, "big_gin_bonus": None},
        ),
        # Two that set the same key to the same value do not contradict each other.
        ("pagat+old-bonuses", "pagat", {}),
        (
            "classic+hollywood+partnership",
            "classic",
            {"hollywood": True, "partnership": True, "target": 125},
        ),
        ("race+cutthroat+best-of=3", "race", {"cutthroat": True, "best_of": 3}),
        ("+hollywood+best-of=3", "classic", {"hollywood": True, "best_of": 3}),
    ],
)
def test_variants_change_their_keys_and_no_other(text: str, base: str, changed: dict[str, Any]) -> None:
    """A variant is a handful of values on top of a preset."""
    right = {**everything(load_rules(base)), **changed}
    got = everything(load_rules(text))
    if not got["partnership"]:  # without teams the bonus says nothing
        del right["partnership_bonus"], got["partnership_bonus"]
    assert got == right


def test_classic_is_the_default() -> None:
    """NAME left out means classic."""
    assert everything(load_rules()) == everything(load_rules("classic"))


# --- settings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "text", "right"),
    [
        ("knock_limit", "0", 0),
        ("knock_limit", "upcard", "upcard"),
        ("gin_bonus", "0", 0),
        ("gin_bonus", "1000", 1000),
        ("undercut_bonus", "10", 10),
        ("big_gin_bonus", "none", None),
        ("big_gin_bonus", "1000", 1000),
        ("spade_upcard_factor", "2", 2),
        ("spade_pile_factor", "2", 2),
        ("target", "1", 1),
        ("target", "10000", 10000),
        ("game_bonus", "1000", 1000),
        ("box_bonus", "10", 10),
        ("shutout", "none", "none"),
        ("shutout", "points", "points"),
        ("shutout", "points-and-bonus", "points-and-bonus"),
        ("shutout", "game-bonus", "game-bonus"),
        ("shutout", "total", "total"),
        ("shutout_when", "no-hands", "no-hands"),
        ("first_dealer", "random", "random"),
        ("next_dealer", "alternate", "alternate"),
        ("knock_card", "up", "up"),
        ("arrangement", "automatic", "automatic"),
        ("hints", "no", False),
        ("hints", "yes", True),
        ("hollywood", "true", True),
        ("partnership", "true", True),
        ("cutthroat", "true", True),
        ("cutthroat", "false", False),
        ("partnership_bonus", "50", 50),
        ("best_of", "3", 3),
    ],
)
def test_settings(key: str, text: str, right: Any) -> None:
    """As a list of KEY=VALUE and as a mapping, and they change nothing else."""
    for settings in ([f"{key}={text}"], {key: text}):
        rules = load_rules("duel", settings=settings)
        assert value(rules, key) == right
        others = everything(load_rules("duel"))
        assert {k: v for k, v in everything(rules).items() if k != key and v != others[k]} == {}


def test_the_last_word_wins() -> None:
    """Preset, then variants, then settings, then target; within settings the later."""
    assert load_rules("+straight", settings=["knock_limit=5"]).knock_limit == 5
    assert load_rules("race", settings=["gin_bonus=1", "gin_bonus=2"]).gin_bonus == 2
    assert load_rules("quick", target=500).target == 500
    assert load_rules("+partnership", target=200).target == 200
    assert load_rules("+partnership", settings={"target": 300}).target == 300


def test_settings_take_plain_values() -> None:
    """The library's mapping need not be text."""
    rules = load_rules("race", settings={"knock_limit": 5, "big_gin_bonus": "none"})
    assert (rules.knock_limit, rules.big_gin_bonus) == (5, None)


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "allowed"),
    [
        ("knock_limit=11", ["0", "10", "upcard"]),
        ("knock_limit=-1", ["0", "10", "upcard"]),
        ("knock_limit=none", ["0", "10", "upcard"]),
        ("knock_limit=five", ["0", "10", "upcard"]),
        ("knock_limit=", ["0", "10", "upcard"]),
        ("gin_bonus=1001", ["0", "1000"]),
        ("gin_bonus=none", ["0", "1000"]),
        ("gin_bonus=2.5", ["0", "1000"]),
        ("gin_bonus=1e2", ["0", "1000"]),
        ("gin_bonus=" + "9" * 5000, ["0", "1000"]),
        ("gin_bonus=true", ["0", "1000"]),
        ("undercut_bonus=-1", ["0", "1000"]),
        ("big_gin_bonus=1001", ["0", "1000", "none"]),
        ("spade_upcard_factor=3", ["1", "2"]),
        ("spade_pile_factor=0", ["1", "2"]),
        ("target=0", ["1", "10000"]),
        ("target=10001", ["1", "10000"]),
        ("game_bonus=1001", ["0", "1000"]),
        ("shutout=double", ["none", "game-bonus", "points", "points-and-bonus", "total"]),
        ("shutout_when=never", ["no-points", "no-hands"]),
        ("first_dealer=me", ["cut", "random"]),
        ("next_dealer=me", ["loser", "winner", "alternate"]),
        ("knock_card=sideways", ["down", "up"]),
        ("arrangement=none", ["automatic", "player"]),
        ("hints=perhaps", ["yes", "no"]),
        ("hollywood=perhaps", ["true", "false"]),
        ("best_of=2", ["odd"]),
        ("best_of=101", ["99"]),
    ],
)
def test_values_out_of_range_name_key_and_what_is_allowed(setting: str, allowed: list[str]) -> None:
    """From the library and from the command, which ends with status 2."""
    key = setting.partition("=")[0]
    message = refusal(settings=[setting])
    for word in (key, *allowed):
        assert word in message
    done = run(["analyze-hand", "--set", setting, STRAIGHT_FLUSH])
    assert done.status == 2
    assert done.stdout == ""
    assert key in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("setting", ["knok_limit=5", "Gin_Bonus=5", "name=x", "=5"])
def test_unknown_keys(setting: str) -> None:
    """The message names the key, and the keys there are."""
    message = refusal(settings=[setting])
    assert setting.partition("=")[0] in message
    assert "knock_limit" in message
    assert "gin_bonus" in message


def test_a_setting_without_a_value() -> None:
    """KEY=VALUE is what is wanted."""
    assert "gin_bonus" in refusal(settings=["gin_bonus"])


@pytest.mark.parametrize("target", [0, -5, 10001, 10**400])
def test_targets_out_of_range(target: int) -> None:
    """`--target N` is the same key."""
    message = refusal(target=target)
    assert "target" in message
    assert "10000" in message


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("clasic", ["clasic", "classic", "race"]),
        ("manhattan", ["manhattan", "classic"]),
        ("classic+holywood", ["holywood", "hollywood"]),
        ("classic+", ["hollywood"]),
        ("classic+race", ["race"]),
        ("romme+duel", ["duel"]),
        ("+straight+oklahoma", ["straight", "oklahoma", "knock_limit"]),
        ("race+straight+oklahoma", ["straight", "oklahoma", "knock_limit"]),
        ("+oklahoma+straight", ["straight", "oklahoma", "knock_limit"]),
        ("+big-gin+no-big-gin", ["big-gin", "no-big-gin", "big_gin_bonus"]),
        ("race+best-of=3+best-of=5", ["best_of"]),
        ("race+best-of=2", ["2", "odd", "3", "99"]),
        ("race+best-of=1", ["1", "3", "99"]),
        ("race+best-of=101", ["101", "3", "99"]),
        ("race+best-of=x", ["x", "3", "99"]),
        ("race+best-of=" + "9" * 5000, ["3", "99"]),
        ("race+best-of", ["best-of", "3"]),
        ("race+hollywood+cutthroat", ["hollywood", "cutthroat"]),
        ("race+cutthroat+partnership", ["partnership", "cutthroat"]),
        ("race+straight=3", ["straight"]),
        ("\x00", []),
        ("race\nclassic", []),
        ("\ud800", []),
    ],
)
def test_compositions_that_are_refused(text: str, named: list[str]) -> None:
    """Two presets, variants that contradict each other, what does not go together."""
    message = refusal(text)
    for word in named:
        assert word in message
    done = run(["analyze-hand", "--rules", text, STRAIGHT_FLUSH])
    assert done.status == 2
    assert done.stdout == ""
    assert done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "settings",
    [["hollywood=true", "cutthroat=true"], ["partnership=true", "cutthroat=true"]],
)
def test_settings_are_held_to_the_same_rules(settings: list[str]) -> None:
    """What two variants may not do together, two settings may not either."""
    assert "cutthroat" in refusal(settings=settings)


def test_rules_are_frozen() -> None:
    """No player can change the rules."""
    rules = load_rules()
    with pytest.raises(AttributeError):
        setattr(rules, "gin_bonus", 0)  # noqa: B010
    assert load_rules().gin_bonus == 25


# --- files --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *PRESETS,
        "classic+hollywood+partnership",
        "oklahoma+spades+best-of=7",
        "race+cutthroat",
        "+straight+old-bonuses",
    ],
)
def test_rules_written_read_back(text: str, tmp_path: Path) -> None:
    """`to_toml` gives a file that holds the same rules, and nothing but keys of the table."""
    rules = load_rules(text)
    written = rules.to_toml()
    assert set(tomllib.loads(written)) <= {*KEYS, "partnership_bonus"}
    file = tmp_path / "mine.toml"
    file.write_text(written, encoding="utf-8")
    assert everything(load_rules(str(file))) == everything(rules)


def test_a_file_names_what_differs(tmp_path: Path) -> None:
    """Keys left out are those of classic; variants, settings and target come on top."""
    file = tmp_path / "house.toml"
    file.write_text(
        'knock_limit = 5\nbig_gin_bonus = "none"\nhints = "no"\ngin_bonus = 30\nhollywood = true\n',
        encoding="utf-8",
    )
    changed = {"knock_limit": 5, "hints": False, "gin_bonus": 30, "hollywood": True}
    right = {**everything(load_rules("classic")), **changed}
    assert everything(load_rules(str(file))) == right
    more = load_rules(f"{file}+old-bonuses", settings=["undercut_bonus=1"], target=7)
    assert (more.gin_bonus, more.undercut_bonus, more.target) == (20, 1, 7)
    assert more.knock_limit == 5


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("knok_limit = 5", ["knok_limit", "knock_limit"]),
        ("knock_limit = 11", ["knock_limit", "10", "upcard"]),
        ('knock_limit = "none"', ["knock_limit", "10", "upcard"]),
        ("gin_bonus = true", ["gin_bonus", "1000"]),
        ("gin_bonus = 25.5", ["gin_bonus", "1000"]),
        ("gin_bonus = nan", ["gin_bonus", "1000"]),
        ("gin_bonus = inf", ["gin_bonus", "1000"]),
        ("gin_bonus = 1979-05-27", ["gin_bonus", "1000"]),
        ("gin_bonus = [25]", ["gin_bonus", "1000"]),
        ("gin_bonus = {}", ["gin_bonus", "1000"]),
        ("[classic]\ngin_bonus = 20", ["classic"]),
        ("best_of = 4", ["best_of", "odd"]),
        ("hollywood = 1", ["hollywood", "true", "false"]),
        ("gin_bonus = 25\ngin_bonus = 20", []),
        ("gin_bonus = ", []),
        ("gin_bonus", []),
        ("a" + "[" * 100_000, []),
        ("a = " + "[" * 100_000, []),
        ("gin_bonus = " + "9" * 5000, []),
        ("\ufeffgin_bonus", []),
        ("cutthroat = true\nhollywood = true", ["cutthroat", "hollywood"]),
    ],
)
def test_files_that_are_refused(
    content: str, named: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the key and what is allowed; a truth value is no number."""
    monkeypatch.chdir(tmp_path)
    Path("house.toml").write_text(content, encoding="utf-8")
    message = refusal("house.toml")
    for word in named:
        assert word in message
    done = run(["analyze-hand", "--rules", "house.toml", STRAIGHT_FLUSH])
    assert done.status == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("content", [b"knok_limit = 5", b"knock_limit = 11", b"gin_bonus", b"# \xff\xfe\x00", None])
def test_the_file_at_fault_is_named(content: bytes | None, tmp_path: Path) -> None:
    """However deep it lies: of a long path the end tells most."""
    folder = tmp_path / ("a folder with a long name " * 4)
    folder.mkdir()
    file = folder / "house.toml"
    if content is not None:
        file.write_bytes(content)
    assert "house.toml" in refusal(str(file))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """An error like any other."""
    (tmp_path / "house.toml").mkdir()
    refusal(str(tmp_path / "house.toml"))


# --- printed ------------------------------------------------------------------------------------


def test_the_list_of_rules() -> None:
    """`--rules list` names every preset and variant."""
    done = run(["analyze-hand", "--rules", "list"])
    assert done.status == 0
    assert done.stderr == ""
    for name in (*PRESETS, *VARIANTS):
        assert name in done.stdout
    listed = run(["score", "--rules", "list", "--json"])
    assert listed.status == 0
    assert '"schema"' in listed.stdout


def test_the_rules_in_force() -> None:
    """`--show-rules` shows every key, after all that was given."""
    given = ["--rules", "romme+straight", "--set", "gin_bonus=77", "--target", "333"]
    done = run(["analyze-hand", *given, "--show-rules"])
    assert done.status == 0
    for word in (*TABLE, "77", "333"):
        assert word in done.stdout


# --- worked examples that score one hand --------------------------------------------------------


KNOCKER = "7S 8S 9S KC KH KD KS AD 2C 4C"  # 7 left
GIN = "7S 8S 9S KC KH KD AD AC AH AS"
LOOSE = "2S 4H 6D 8C 10H QD 3H 5S 7D JC"  # no meld, and nothing to lay off on either


@pytest.mark.parametrize(
    ("knocker", "defender", "points", "before", "after"),
    [
        # Source 001: 7 v 6 is 26 for the defender, 7 v 7 is 25.
        (KNOCKER, "5H 6H 7H QS QD QC JD JC JH 6D", 26, 6, 6),
        (KNOCKER, "5H 6H 7H QS QD QC JD JC JH 7D", 25, 7, 7),
        # Source 001: 26, the 10S goes on the run, 16: 9 points.
        (KNOCKER, "5H 6H 7H QS QD QC 10S 2D 4D JH", 9, 26, 16),
        # Source 003: 27, lays off 8 points, 19: 12 points.
        ("5S 6S 7S KC KH KD KS AD 2C 4C", "4H 5H 6H 7H JC JD JH 8S 10D 9C", 12, 27, 19),
    ],
)
def test_worked_knocks(knocker: str, defender: str, points: int, before: int, after: int) -> None:
    """Knocks with 7."""
    got = ginrummy.score_knock(ginrummy.Cards(knocker), ginrummy.Cards(defender), load_rules("romme"))
    assert (got.points, got.knocker.deadwood) == (points, 7)
    assert (got.deadwood_before, got.defender.deadwood) == (before, after)
    assert got.result == ("knock" if after > 7 else "undercut")


@pytest.mark.parametrize(
    ("rules", "upcard", "bonus", "factor"),
    [
        ("race", None, 25, 1),
        ("classic", None, 25, 1),
        ("pagat", None, 20, 1),
        ("race+old-bonuses", None, 20, 1),
        ("oklahoma", "9D", 25, 1),
        ("oklahoma", "10S", 25, 2),
        ("oklahoma", "AS", 25, 2),
        ("classic+oklahoma", "KS", 25, 2),
    ],
)
def test_gin(rules: str, upcard: str | None, bonus: int, factor: int) -> None:
    """d + 25; under oklahoma with a spade upcard 50 + 2d; an ace as upcard allows gin."""
    loose = ginrummy.Cards(LOOSE)
    card = None if upcard is None else ginrummy.parse_card(upcard)
    got = ginrummy.score_knock(ginrummy.Cards(GIN), loose, load_rules(rules), upcard=card)
    assert (got.result, got.winner) == ("gin", "knocker")
    assert (got.difference, got.bonus, got.multiplier) == (loose.points, bonus, factor)
    assert got.points == (loose.points + bonus) * factor
    assert got.defender.layoffs == ()


@pytest.mark.parametrize("rules", ["race", "romme", "classic+big-gin", "oklahoma"])
def test_big_gin(rules: str) -> None:
    """d + 31 with all eleven cards; nobody lays off."""
    eleven = ginrummy.Cards(GIN) | ginrummy.Cards("10S")
    loose = ginrummy.Cards(LOOSE)
    upcard = ginrummy.parse_card("9D")
    got = ginrummy.score_knock(eleven, loose, load_rules(rules), upcard=upcard, big_gin=True)
    assert (got.result, got.bonus, got.points) == ("big-gin", 31, loose.points + 31)
    assert got.knocker.deadwood == 0
    assert got.defender.layoffs == ()


@pytest.mark.parametrize("rules", ["classic", "duel", "race+no-big-gin"])
def test_no_big_gin(rules: str) -> None:
    """Rules without big gin refuse it."""
    eleven = ginrummy.Cards(GIN) | ginrummy.Cards("10S")
    with pytest.raises(ginrummy.GinRummyError):
        ginrummy.score_knock(eleven, ginrummy.Cards(LOOSE), load_rules(rules), big_gin=True)


@pytest.mark.parametrize(
    ("upcard", "limit"),
    [("AS", 0), ("2H", 2), ("7C", 7), ("9S", 9), ("10D", 10), ("JS", 10), ("QH", 10), ("KC", 10)],
)
def test_oklahoma_limits(upcard: str, limit: int) -> None:
    """Upcard 7: 7; an ace: gin only; 10 J Q K: 10."""
    rules = load_rules("oklahoma")
    card = ginrummy.parse_card(upcard)
    loose = ginrummy.Cards(LOOSE)
    for least, cards in (
        (1, "7S 8S 9S KC KH KD QH QC QS AD"),
        (2, "7S 8S 9S KC KH KD QH QC QS 2C"),
        (3, "7S 8S 9S KC KH KD QH QC QS 3C"),
        (7, KNOCKER),
        (8, "7S 8S 9S KC KH KD QH QC QS 8H"),
        (9, "7S 8S 9S KC KH KD QH QC QS 9H"),
        (10, "7S 8S 9S KC KH KD QH QC QS 10C"),
    ):
        knocker = ginrummy.Cards(cards)
        assert ginrummy.deadwood(knocker) == least
        if least > limit:
            with pytest.raises(ginrummy.IllegalError):
                ginrummy.score_knock(knocker, loose, rules, upcard=card)
        else:
            got = ginrummy.score_knock(knocker, loose, rules, upcard=card)
            assert got.knocker.deadwood == least


@pytest.mark.parametrize(("upcard", "factor"), [("10S", 2), ("10H", 1)])
def test_oklahoma_undercut(upcard: str, factor: int) -> None:
    """Undercut by d under a spade upcard: 50 + 2d, the bonus is doubled too."""
    defender = ginrummy.Cards("5H 6H 7H QS QD QC JD JC JH 4D")
    got = ginrummy.score_knock(
        ginrummy.Cards(KNOCKER),
        defender,
        load_rules("oklahoma"),
        upcard=ginrummy.parse_card(upcard),
    )
    assert (got.result, got.winner, got.difference) == ("undercut", "defender", 3)
    assert (got.points, got.multiplier) == ((25 + 3) * factor, factor)


@pytest.mark.parametrize(
    ("rules", "upcard", "top", "factor"),
    [
        ("classic+spades", None, "6S", 2),
        ("classic+spades", None, "6H", 1),
        ("oklahoma+spades", "10S", "6S", 4),
        ("oklahoma+spades", "10S", "6H", 2),
        ("oklahoma+spades", "10D", "6S", 2),
        ("oklahoma+spades", "10D", "6H", 1),
        # Rules that do not ask for these cards do not look at them.
        ("classic", "10S", "6S", 1),
        ("oklahoma", "10D", "6S", 1),
    ],
)
def test_spades(rules: str, upcard: str | None, top: str, factor: int) -> None:
    """The card on the pile doubles, the upcard doubles: both, four times."""
    got = ginrummy.score_knock(
        ginrummy.Cards(KNOCKER),
        ginrummy.Cards("3D 4D 5D QS QD QC 10S JH 5C 3C"),
        load_rules(rules),
        upcard=None if upcard is None else ginrummy.parse_card(upcard),
        pile_top=ginrummy.parse_card(top),
    )
    assert got.multiplier == factor
    assert got.points == (got.difference + got.bonus) * factor


@pytest.mark.parametrize(("rules", "named"), [("oklahoma", "upcard"), ("classic+spades", "pile.top")])
def test_a_card_the_rules_need(rules: str, named: str) -> None:
    """What is missing is named."""
    with pytest.raises(ginrummy.GinRummyError, match=named):
        ginrummy.score_knock(ginrummy.Cards(KNOCKER), ginrummy.Cards(LOOSE), load_rules(rules))
