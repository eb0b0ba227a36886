"""`list` and `show` tell what the ledger knows; `--fix` asks for solutions with a placement."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from support.command_line import Cli


def told(cli: Cli, *words: str) -> Any:
    code, out, err = cli(*words, "--json")
    assert code == 0, err
    return json.loads(out)


def test_open_puzzles_of_a_lattice_and_a_source_are_listed_in_order(cli: Cli) -> None:
    found = told(cli, "list", "--open", "--lattice", "hexagon", "--sort", "units")["puzzles"]
    assert len(found) > 10
    assert {p["status"] for p in found} == {"open"}
    assert {p["lattice"] for p in found} == {"hexagon"}
    found = told(cli, "list", "--source", "barwell", "--sort", "solutions")["puzzles"]
    numbers = [p["solutions"] for p in found if p["solutions"] is not None]
    assert numbers == sorted(numbers)
    assert numbers
    assert all("Barwell" in " ".join(p["sources"]) for p in found)


@pytest.mark.parametrize("columns", ["80", "60", "200"])
def test_a_terminal_shows_all_numbers(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    whole = cli("list", "hexiamonds")[1].splitlines()
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    _, out, _ = cli("list", "hexiamonds")
    assert max(map(len, out.splitlines())) <= int(columns)
    words = " ".join(out.split())
    for line in whole:
        numbers = re.split(r"  +", line, maxsplit=4)[:4]
        assert f" {' '.join(numbers)} " in words


def test_a_terminal_gets_a_drawing_as_text(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = cli("render", "soma-cube", "--empty", "--format", "text")
    picture = cli("render", "soma-cube", "--empty")
    assert picture[1].startswith("<svg ")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert cli("render", "soma-cube", "--empty") == drawn
    assert cli("render", "soma-cube", "--empty", "--format", "svg") == picture


def test_show_tells_what_the_ledger_knows_of_a_puzzle_by_what_it_says(cli: Cli) -> None:
    known = told(cli, "show", "--pieces", "pentominoes", "--box", "10x6")["ledger"]
    assert (known["id"], known["symmetry"]) == ("pentominoes-6x10", 2339)
    assert told(cli, "show", "--pieces", "pentominoes", "--box", "30x2")["ledger"] is None
    shown = cli("show", "pentominoes-3x20")[1]
    assert "ledger      8 solutions, 2 up to symmetry" in shown
    assert "  model       3 items, 1 option\n" in cli("show", "--pieces", "I2", "--box", "2x1")[1]


def test_show_and_empty_boards_have_what_is_given(cli: Cli, tmp_path: Path) -> None:
    fixed = ["--fix", "X@2,1 1..3,2 2,3"]
    shown = cli("show", "pentominoes-6x10", *fixed)[1]
    assert "  given       X@2,1 1..3,2 2,3\n" in shown
    assert ". X X X . . . . . .\n" in shown
    document = told(cli, "show", "pentominoes-6x10", *fixed)
    assert document["fixed"] == [["X", [[1, 2], [2, 1], [2, 2], [2, 3], [3, 2]]]]
    for form in ("svg", "text"):
        file = tmp_path / f"board.{form}"
        words = ("render", "pentominoes-6x10", *fixed, "--empty", "--format", form)
        assert cli(*words, "-o", str(file))[0] == 0
        assert {"svg": "<title>X</title>", "text": ". X X X ."}[form] in file.read_text("utf-8")
    assert told(cli, "show", "soma-cube")["fixed"] == []


def test_show_tells_which_units_are_the_same(cli: Cli) -> None:
    assert told(cli, "show", "tetrominoes-5x4-tube")["wrap"] == [[5, 0]]
    words = "  wrap        units that are [5, 0] apart are the same\n"
    assert words in cli("show", "tetrominoes-5x4-tube")[1]
    assert told(cli, "show", "soma-cube")["wrap"] == []


def test_show_draws_paint(cli: Cli) -> None:
    shown = cli("show", "checkered-pentominoes-8x8")[1]
    assert "b w b w b w b w\n" in shown


def test_the_example_of_the_help_leaves_solutions(cli: Cli) -> None:
    text = " ".join(cli("count", "--help")[1].replace("│", " ").split())
    match = re.search(r"a placement: '(X@[^']*)'", text)
    assert match is not None
    assert told(cli, "count", "pentominoes-6x10", "--fix", match[1])["raw"] == 262


def test_a_placement_may_be_longer_than_the_name_of_a_file(cli: Cli) -> None:
    centers = [(x, y) for x in range(1, 9) for y in range(1, 5)]
    places = " or ".join(f"{x},{y - 1} {x - 1}..{x + 1},{y} {x},{y + 1}" for x, y in centers)
    assert len(places) > 255
    [rule] = told(cli, "show", "pentominoes-6x10", "--fix", f"X@{places}")["use_rules"]
    assert len(rule["places"]) == 32


def test_the_numbers_of_symmetries_in_words(cli: Cli) -> None:
    assert (
        "  symmetries  1 (none but the identity)\n" in cli("show", "didrafters-convex-hexagon")[1]
    )
    assert "  symmetries  48, 24 of them rotations\n" in cli("show", "soma-cube")[1]
    assert "2, of which only the identity is a rotation" in cli("show", "tridrafters-trapezoid")[1]


def test_solutions_with_a_placement_are_counted(cli: Cli) -> None:
    placed = "X@2,0 1..3,1 2,2"
    found = told(cli, "count", "pentominoes-3x20", "--fix", placed)
    assert 0 < found["raw"] < 8
    code, _, err = cli("count", "pentominoes-3x20", "--fix", "Q@0,0")
    assert code == 1
    assert "no piece 'Q'" in err


@pytest.mark.parametrize("text", ["X", ""])
def test_a_placement_has_a_piece_and_units(cli: Cli, text: str) -> None:
    code, _, err = cli("count", "pentominoes-3x20", "--fix", text)
    assert code == 2
    assert "PIECE@UNITS" in err


def test_a_file_is_not_looked_up_in_the_catalogue(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "my burr.toml"
    file.touch()
    code, out, err = cli("list", str(file))
    assert (code, out) == (0, "")
    assert err == f"0 puzzles: {file} is a file; `exactile show '{file}'` describes it.\n"
