"""Puzzles and solutions of other programs, there and back, as a user meets them."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from support.command_line import Cli

PSV = "Two dominoes\nBoard ((1,1))\ntile 2 ((0,0)(1,0))\nmode FillAll\n"
POLYCUBE = "# two of them\n\nD:xDim=2:yDim=2\nL\nA A\nB B\n~L\n~D\n"
XML = """<?xml version="1.0"?>
<puzzle version="2"><gridType type="0"/><shapes>
<voxel x="2" y="1" z="1" type="0">##</voxel><voxel x="2" y="2" z="1" type="0">####</voxel>
</shapes><problems><problem><shapes><shape id="0" count="2" group="3"/></shapes><result id="1"/>
</problem></problems><comment>By hand.</comment></puzzle>
"""


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Relative paths are below a folder of the test's own."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("two.psv", PSV),
        ("two.txt", PSV),
        ("two.txt", POLYCUBE),
        ("two.xmpuzzle", XML),
        ("two", XML),
    ],
)
def test_files_are_recognized_and_become_puzzle_files(cli: Cli, name: str, text: str) -> None:
    Path(name).write_text(text, "utf-8")
    code, out, err = cli("import", name, "-o", "two.toml")
    assert (code, out) == (0, "")
    assert err.startswith(f"{name}: 1 puzzle, two\n")
    assert "ignored" not in err
    code, out, _ = cli("count", "two.toml", "--json")
    assert (code, json.loads(out)["raw"]) == (0, 2)
    assert ("# By hand." in Path("two.toml").read_text("utf-8")) == (text == XML)


def test_stored_solutions_that_are_not_written_are_counted(cli: Cli) -> None:
    stored = "<solution><assembly>0 0 0 0 0 1 0 0</assembly></solution>"
    text = XML.replace("</problem>", f"<solutions>{stored}</solutions></problem>")
    Path("two.xmpuzzle").write_text(text, "utf-8")
    said = cli("import", "two.xmpuzzle", "-o", "two.toml")[2].splitlines()
    assert said[0] == "two.xmpuzzle: 1 puzzle, two"
    words = "two.xmpuzzle: 1 stored solution"
    assert f"{words} not written: to get them, name a .jsonl file" in said
    assert f"{words} written" in cli("import", "two.xmpuzzle", "-o", "two.jsonl")[2]
    code, out, _ = cli("check", "two.xmpuzzle", "two.jsonl")
    assert (code, "1 solution" in out) == (0, True)


def test_stored_solutions_of_several_puzzles_are_not_mixed(cli: Cli) -> None:
    stored = "<solutions><solution><assembly>0 0 0 0 0 1 0 0</assembly></solution></solutions>"
    head, problem, tail = re.split(r"(<problem>.*</problem>)", XML, maxsplit=1, flags=re.S)
    problem = problem.replace("</problem>", f"{stored}</problem>")
    Path("two.xmpuzzle").write_text(f"{head}{problem}{problem}{tail}", "utf-8")
    code, _, err = cli("import", "two.xmpuzzle", "-o", "two.jsonl")
    assert (code, "solutions of several puzzles are stored in it: two, two-2." in err) == (1, True)
    assert not Path("two.jsonl").exists()


def test_a_format_can_be_demanded(cli: Cli) -> None:
    Path("two.dlx").write_text(POLYCUBE, "utf-8")
    assert cli("import", "two.dlx", "--format", "polycube", "-q")[0] == 0
    code, out, err = cli("import", "two.dlx", "--format", "psv")
    assert (code, out) == (1, "")
    assert "Error: two.dlx: line 3: expected one of the grids" in err


def test_puzzle_files_and_missing_files_are_refused(cli: Cli) -> None:
    Path("my.toml").write_text("format = 1\n", "utf-8")
    assert (
        "my.toml: this is a puzzle file: every command reads it directly."
        in cli("import", "my.toml")[2]
    )
    code, _, err = cli("import", "none.psv")
    assert code == 1
    assert "Error: none.psv: there is no such file." in err


def test_a_puzzle_goes_to_burrtools_and_back(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("export", "soma-cube", "--format", "xmpuzzle", "-o", "soma.xmpuzzle") == (0, "", "")
    assert Path("soma.xmpuzzle").read_bytes()[:2] == b"\x1f\x8b"
    _, toml, _ = cli("import", "soma.xmpuzzle", "-q")
    assert 'pieces = { set = "soma-cubes" }' in toml
    _, text, _ = cli("export", "soma-cube", "--format", "xmpuzzle")
    assert text.startswith('<?xml version="1.0"?>\n<puzzle version="2">')
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code, again, err = cli("import", "-")
    assert (code, err) == (0, "standard input: 1 puzzle, puzzle\n")
    assert again == toml.replace("[puzzle.soma]", "[puzzle.puzzle]")


def test_what_cannot_be_exported_is_said(cli: Cli) -> None:
    code, out, err = cli("export", "tetrahexes-4x7", "--format", "xmpuzzle", "-o", "x.xmpuzzle")
    assert (code, out) == (1, "")
    assert "cannot be written as xmpuzzle" in err
    assert not Path("x.xmpuzzle").exists()
    Path("a.dlx").write_text("a\na\n", "utf-8")
    assert (
        "--format toml is for puzzles: a.dlx is a model"
        in cli("export", "a.dlx", "--format", "toml")[2]
    )


def test_a_puzzle_is_exported_as_a_puzzle_file(cli: Cli) -> None:
    assert cli("export", "tetrasticks-5x5", "--format", "toml", "-o", "a.toml") == (0, "", "")
    _, out, _ = cli("export", "a.toml", "--format", "toml")
    assert out == Path("a.toml").read_text("utf-8")
    _, out, _ = cli("export", "tetrasticks-5x5", "--format", "toml", "--set", "allow_crossing=yes")
    assert "crossing = false" in out


def test_solution_files_name_their_puzzle(cli: Cli) -> None:
    code, _, err = cli(
        "solve",
        "pentominoes-3x20",
        "--all",
        "--up-to",
        "symmetry",
        "--format",
        "puzzler",
        "-o",
        "a.txt",
    )
    assert code == 0
    assert "all 2 solutions up to symmetry" in err
    assert (
        cli("check", "a.txt")[1] == "2 solutions of pentominoes-3x20, all right and all different\n"
    )
    old = Path("a.txt").read_text("utf-8").replace("pentominoes-3x20:", "Pentominoes3x20MatrixB:")
    Path("old.txt").write_text(old, "utf-8")
    assert cli("check", "old.txt")[0] == 0
    code, _, err = cli("import", "old.txt", "-o", "a.jsonl")
    assert (code, err) == (0, "old.txt: 2 solutions of pentominoes-3x20\n")
    assert (
        cli("check", "a.jsonl")[1]
        == "2 solutions of pentominoes-3x20, all right and all different\n"
    )


def test_unknown_puzzles_in_solution_files(cli: Cli) -> None:
    Path("a.txt").write_text("Solving NoSuchPuzzle:\n\nno solutions\n", "utf-8")
    code, _, err = cli("check", "a.txt")
    assert code == 1
    assert "a.txt: line 1: There is no puzzle 'NoSuchPuzzle' in the catalogue." in err
    Path("b.txt").write_text("0,0 1,0 I2\n", "utf-8")
    assert "b.txt: the first line names no puzzle" in cli("check", "b.txt")[2]
    Path("c.txt").write_text("Solving SomaCube:\n\nsolution 1:\n\n0,0 L\n", "utf-8")
    code, _, err = cli("check", "c.txt")
    assert (code, "c.txt: line 5:" in err) == (1, True)


def test_solutions_up_to_symmetry_as_json(cli: Cli) -> None:
    code, out, _ = cli("solve", "tetrahexes-4x7", "--all", "--up-to", "rotation", "--json")
    document = json.loads(out)
    assert (code, len(document["solutions"]), document["up_to"]) == (0, 9, "rotation")


@pytest.mark.slow
def test_all_2339_solutions_of_6_by_10_are_written_and_read_back(cli: Cli) -> None:
    words = ["--all", "--up-to", "symmetry", "--format", "puzzler", "-q", "-o", "all.txt"]
    assert cli("solve", "pentominoes-6x10", *words)[0] == 0
    lines = Path("all.txt").read_text("utf-8").splitlines()
    assert lines[0] == "Solving pentominoes-6x10:"
    assert lines[-1] == "2339 solutions"
    assert sum(line.endswith(" X") for line in lines) == 2339
    assert cli("check", "all.txt")[1] == (
        "2,339 solutions of pentominoes-6x10, all right and all different\n"
    )
