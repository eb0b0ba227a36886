"""Puzzles that a solution without any placement solves: all units and all pieces are optional."""

from __future__ import annotations

from pathlib import Path

import pytest

import exactile
from exactile.errors import PuzzleError
from exactile.surveys.compare.comparison import compare
from support.command_line import Cli

RULES = {
    "colors": 'separated = { red = ["I2"] }',
    "places": 'use = [{ pieces = ["I2"], places = ["0..1,0"], at_most = 0 }]',
    "open": 'open = [{ units = "0..1,0", at_least = 2 }]',
    "none": "",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "empty.toml"
    puzzles = [
        f'[puzzle.{name}]\nlattice = "square"\npieces = {{ set = "domino", ranges = "0..1" }}\n'
        f'region = {{ box = [2, 1], optional = "0..1,0" }}\n{rule}\n'
        for name, rule in RULES.items()
    ]
    path.write_text("format = 1\n" + "\n".join(puzzles))
    return path


@pytest.mark.parametrize(("rule", "number"), [("colors", 2), ("places", 1), ("open", 1)])
def test_it_is_found_and_counted_under_every_rule(file: Path, rule: str, number: int) -> None:
    puzzle = exactile.load(f"{file}#{rule}")
    for backend in ("dlx", "auto", "memo", "reference"):
        found = exactile.find_solutions(puzzle, backend=backend).solutions
        assert len(found) == number
        assert () in found
    assert exactile.prove(puzzle).status.value == "solvable"
    assert exactile.count(puzzle, method="list").raw == number
    runs = compare([puzzle], ["dlx", "memo"], task="all").runs
    assert [run.distinct for run in runs] == [number, number]


def test_it_comes_apart(cli: Cli, file: Path) -> None:
    code, out, err = cli("takeapart", f"{file}#open")
    assert (code, out) == (0, "open: comes apart: level 0, 0 moves\n")
    assert err.startswith("open: 1 of 1 solution")
    assert err.strip().endswith("comes apart")


def test_commands_that_need_more_say_so_or_work(cli: Cli, file: Path, tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="All units of open stay open"):
        exactile.grade(exactile.load(f"{file}#open"))
    code, _, err = cli("make", f"{file}#open", "-o", str(tmp_path / "made"))
    assert (code, "there is no solution" in err) == (0, False)
