"""Options that mean the same are declared once, and described wherever they are."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import pytest

import exactile
from exactile.classics.peg.verbs import PlaySettings
from exactile.cli import main
from exactile.cli.inline import CROSSING, INLINE
from exactile.cli.main import COMMANDS
from exactile.cli.options import CODES, OWN, Bytes, Shard
from exactile.cli.output import NewDirectory
from exactile.cli.table import RULES, Command, Rule, Setting, listed
from exactile.errors import SettingError
from exactile.search.search import SearchSettings
from exactile.tuning import ARGUMENTS, TUNING, VARIABLE, Row, environment, numbers_of, table
from support.command_line import Cli

CODE = Path(main.__file__).parent

SHARED = [
    *("--time-limit", "--seed", "--workers", "--backend", "--json", "--certificate", "--quiet"),
    *("--verbose", "--allow-crossing", "--use-symmetry", "--use-reasons", "--encoding"),
]


@pytest.mark.parametrize("option", SHARED)
def test_an_option_is_declared_once(option: str) -> None:
    places = Counter(
        {path.name: path.read_text("utf-8").count(f'"{option}"') for path in CODE.glob("*.py")}
    )
    own = {"file_commands.py"} if option == "--encoding" else set()
    assert {name: places[name] for name in +places if name not in own} == {"options.py": 1}


@pytest.mark.parametrize("name", OWN)
def test_a_command_has_its_own_words_for_shared_options(name: str) -> None:
    command = main.loaded(name)
    texts = {p.name: p.help for p in command.params if isinstance(p, click.Option)}
    assert {option: texts[option] for option in OWN[name]} == OWN[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_time_limits_and_seeds_are_the_same_everywhere(name: str) -> None:
    command = main.loaded(name)
    own = {p.name: p for p in command.params}
    if "time_limit" in own:
        kind = own["time_limit"].type
        assert isinstance(kind, click.FloatRange)
        assert (kind.min, kind.min_open) == (0, True)
    if "seed" in own:
        assert own["seed"].default == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_crossing_can_be_allowed_wherever_a_puzzle_is_named(name: str) -> None:
    own = {p.name: p for p in main.loaded(name).params}
    if {"puzzle", "puzzles", "names"} & own.keys() and name not in ("serve", "verify-certificate"):
        assert own["allow_crossing"].opts == ["--set allow_crossing"]


@pytest.mark.parametrize("name", COMMANDS)
def test_numbers_beyond_all_counting_are_refused(name: str) -> None:
    for parameter in main.loaded(name).params:
        if isinstance(parameter.type, type(click.INT)):
            with pytest.raises(click.BadParameter):
                parameter.type.convert(10**38, parameter, None)


LONG = 5000 * "9"
"""More digits than Python reads as a number."""


@pytest.mark.parametrize(
    "words",
    [
        f"count soma-cube --memory {LONG}",
        f"count --pieces I4 --box {LONG}x4",
        f"work a.store --shard {LONG}/2 -o b.store",
        f"solve soma-cube -n {LONG}",
        f"pieces square {LONG}",
    ],
    ids=lambda words: words[:20],
)
def test_numbers_of_any_length_are_wrong_usage(words: str, cli: Cli) -> None:
    code, out, err = cli(*words.split())
    assert (code, out) == (2, "")
    assert "Error: " in err


EVERY = dict(main.all_commands())
SETTINGS = {
    (name, each): setting
    for name, command in EVERY.items()
    if isinstance(command, Command)
    for each, setting in command.settings.items()
}


@pytest.mark.parametrize("name", EVERY)
def test_no_command_shows_more_than_16_options(name: str, cli: Cli) -> None:
    shown = [p for p in EVERY[name].params if isinstance(p, click.Option) and not p.hidden]
    assert len(shown) <= 16
    code, out, _ = cli(*name.split(), "--help")
    lines = re.findall(r"^│ (?:\*  |   )?(--?\w+)", out, re.MULTILINE)
    assert code == 0
    assert len([line for line in lines if line != "--help"]) <= len(shown)


def test_nothing_is_hidden_but_what_can_be_set() -> None:
    for command in EVERY.values():
        for parameter in command.params:
            hidden = isinstance(parameter, click.Option) and parameter.hidden
            assert hidden == isinstance(parameter, Setting), parameter.name


def test_every_setting_has_words_a_range_and_a_default(cli: Cli) -> None:
    code, out, _ = cli("help", "options")
    rows = listed(EVERY.values())
    names = [row.name for row in rows]
    assert (code, names) == (0, sorted(names))
    assert {*names} == {*ARGUMENTS, *(row.name for row in table())}
    for row in rows:
        assert 2 <= len(row.words.split()) <= 6, row
        assert row.default, row
        assert row.values, row
        words = [row.name, *row.words.split(), f"(default: {row.default}; {row.values})"]
        assert " ".join(words) in " ".join(out.split()), row


def test_settings_are_a_document_too(cli: Cli) -> None:
    assert cli("help", "solve", "--json")[0] == 2
    _, out, _ = cli("help", "options", "--json")
    shown = [json.loads(row.to_json()) for row in listed(EVERY.values())]
    assert json.loads(out)["options"] == shown


def an_example(setting: Setting) -> tuple[str, Any]:
    """Return a value other than the default, as it is written and as a command gets it."""
    kind = setting.type
    if isinstance(kind, click.Choice):
        word = str(kind.choices[-1])
        return word, word
    if isinstance(kind, type(click.BOOL)):
        return ("no", False) if setting.otherwise == "yes" else ("yes", True)
    if isinstance(kind, click.IntRange):
        return "3", 3
    if isinstance(kind, click.FloatRange):
        return "1.5", 1.5
    if isinstance(kind, Bytes):
        return "2M", 2 << 20
    if setting.name == "scratch":
        return ".", Path()
    if isinstance(kind, NewDirectory):
        return "new", Path("new")
    if isinstance(kind, Shard):
        return "3/200", (3, 200)
    word = "square" if setting.name == "lattice" else "word"
    return word, word


@pytest.mark.parametrize(("name", "setting"), SETTINGS)
def test_a_rare_option_is_set_on_the_command_line_and_in_the_environment(
    name: str, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, value = an_example(SETTINGS[name, setting])

    def taken(words: list[str]) -> Any:
        """Return what a command gets, or notes, for some words."""
        context = EVERY[name].make_context(name, [*words])
        with context:
            noted = context.meta.get(CODES if setting == "exit_code" else CROSSING)
            kept = context.meta.get(INLINE, {}).get("lattice")
            return context.params.get(setting, kept if setting == "lattice" else noted)

    arguments = [p for p in EVERY[name].params if isinstance(p, click.Argument)]
    words = ["8" for p in arguments if p.required or p.name == "puzzle"]
    if setting == "lattice":
        words = ["--pieces", "P", "--box", "5x1"]
    if setting == "parts":
        words += ["--store", "a.store"]
    if setting == "radius":
        words += ["--sheet", "300x200"]
    if setting == "sort":
        words = ["soma-cube", "dominoes-4x4"]
    if setting == "color":
        words += ["-o", "a.svg"]
    if setting == "shard":
        words += ["--order", "5"]
    if setting == "rotations":
        words += ["--assemblable"]
    if setting == "proof_format":
        words += ["--certificate", "new"]
    before = taken(words)
    assert taken([*words, "--set", f"{setting}={text}"]) == value != before
    monkeypatch.setenv(VARIABLE, f"{setting}={text}")
    assert taken(words) == value


@pytest.mark.parametrize("row", table(), ids=lambda row: row.name)
def test_a_number_is_set_on_the_command_line_in_the_environment_and_in_python(
    row: Row, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    number = row.highest if row.default != row.highest else row.lowest
    for words, variable in (
        (["--set", f"{row.name}={number}"], ""),
        ([], f"{row.name}={number}"),
        (["--set", f"{row.name}={number}"], f"{row.name}={row.lowest}"),
    ):
        monkeypatch.setenv(VARIABLE, variable)
        with EVERY["show"].make_context("show", ["soma-cube", *words]):
            assert getattr(TUNING, row.name) == number
            assert f"{row.name}=" in environment()[VARIABLE]  # as processes get it
        assert getattr(TUNING, row.name) == row.default
    with TUNING.changed(**{row.name: number}):
        assert getattr(TUNING, row.name) == number
    assert numbers_of({row.name: str(number)}) == {row.name: number}
    for wrong in (row.highest * 2 + 1, row.lowest - 1):
        with pytest.raises(SettingError, match=f"{row.name} is .*: it must be "):
            setattr(TUNING, row.name, wrong)


def test_python_takes_numbers_from_the_environment() -> None:
    code = "from exactile.tuning import TUNING; print(TUNING.first_look)"
    for variable, said in (("first_look=2,seed=7", "2.0"), ("first_loook=2", "'first_look'?")):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, VARIABLE: variable},
            capture_output=True,
            text=True,
            check=False,
        )
        assert said in done.stdout + done.stderr


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_a_rare_option_is_an_argument_in_python_too(name: str) -> None:
    if name in ("exit_code", "shard", "sort", "verbose"):  # what the command line alone has
        return
    public = [getattr(exactile, each) for each in dir(exactile)]
    public += [exactile.StoredRun.go_on, exactile.StoredRun.cut, PlaySettings]
    public += [SearchSettings]  # what `Search(**options)` takes
    arguments = {word for each in public if callable(each) for word in arguments_of(each)}
    assert {"allow_crossing": "crossing"}.get(name, name) in arguments


def arguments_of(function: Callable[..., Any]) -> list[str]:
    """Return the names of a function's arguments; none if it has no signature."""
    with suppress(ValueError, TypeError):
        return [*inspect.signature(function).parameters]
    return []


@pytest.mark.parametrize("words", ["--set allow_crossing=yes", "--allow-crossing"])
def test_a_rare_option_can_be_written_out(words: str, cli: Cli) -> None:
    code, out, _ = cli("count", "seven-segment-digits-6x5", "--json", *words.split())
    assert (code, json.loads(out)["raw"]) == (0, 20)
    assert words.split()[0] == "--set" or words not in cli("count", "--help")[1]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("count soma-cube --set seeed=3", 2, "no setting 'seeed'. Did you mean 'seed'?"),
        ("count soma-cube --set first_lok=3", 2, "Did you mean 'first_look'?"),
        ("count soma-cube --set first_look=-1", 2, "first_look is -1: it must be 0 to 3,600"),
        ("count soma-cube --set first_look=x", 2, "first_look is x: it must be a number"),
        ("count soma-cube --set seed=x", 2, "'x' is not a whole number"),
        ("count soma-cube --set seed", 2, "'seed' sets nothing: write NAME=VALUE"),
        ("count soma-cube --set hint=a", 2, "`exactile count` has no use for hint"),
        ("sample soma-cube --set seed=3", 2, "Write --seed, which is an option of this command"),
        ("count soma-cube --seed x", 2, "'x' is not a whole number"),
        ("design challenges soma-cube --workers 0", 2, "for '--workers': 0 is not between 1 and"),
        ("design challenges soma-cube --set workers=0", 2, "for '--set workers': 0 is not"),
    ],
)
def test_what_cannot_be_set_is_one_clear_error(
    words: str, code: int, message: str, cli: Cli
) -> None:
    got, out, err = cli(*words.split())
    assert (got, out) == (code, "")
    assert message in " ".join(err.split())


def test_a_wrong_name_in_the_environment_is_one_clear_error(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "seed=3,first_loook=1")
    code, out, err = cli("count", "soma-cube")
    assert (code, out) == (1, "")
    assert "EXACTILE_SET: There is no setting 'first_loook'. Did you mean" in " ".join(err.split())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.commands}-{rule.given}")
def test_rules_speak_of_options_that_there_are(rule: Rule) -> None:
    words = " ".join([rule.given, rule.without, rule.needs]).replace("&", " ").split()
    for name in rule.commands.split():
        command = next(c for full, c in EVERY.items() if full.split()[-1] == name)
        known = {p.name for p in command.params} | {"model", "several"}
        assert {word.partition("=")[0] for word in words} <= known, name


@pytest.mark.parametrize("name", COMMANDS)
def test_choices_are_not_cut_in_a_help_page_of_80_columns(
    name: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = cli(name, "--help")
    assert code == 0
    assert not [line for line in out.splitlines() if re.search(r"\[\w[^]]*\|[^]]*$", line)]
