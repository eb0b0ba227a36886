"""Options that mean the same are declared once, and described wherever they are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click
import pytest

from exactile.cli import main
from exactile.cli.commands import COMMANDS
from support.command_line import Cli

CODE = Path(main.__file__).parent

SHARED = [
    *("--time-limit", "--seed", "--workers", "--backend", "--external", "--json", "--certificate"),
    *("--quiet", "--verbose", "--allow-crossing", "--no-symmetry"),
]


@pytest.mark.parametrize("option", SHARED)
def test_an_option_is_declared_once(option: str) -> None:
    places = Counter(
        {path.name: path.read_text("utf-8").count(f'"{option}"') for path in CODE.glob("*.py")}
    )
    assert +places == {"options.py": 1}


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
        assert own["allow_crossing"].opts == ["--allow-crossing"]


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
