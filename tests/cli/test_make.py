"""`exactile make` as a user meets it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from support.command_line import Cli

pytest.importorskip("manifold3d", reason="the extra make is not installed")
pytest.importorskip("trimesh", reason="the extra make is not installed")
pytest.importorskip("ezdxf", reason="the extra make is not installed")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_puzzle(cli: Cli) -> None:
    code, out, err = cli("make", "dominoes-4x4", "--cell", "10", "--gap", "0.2", "--wall", "2")
    assert (code, err) == (0, "")
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert lines["dominoes-4x4/tray.stl"] == "44.2 x 44.2 x 7.1 mm"
    assert lines["dominoes-4x4/assembled.3mf"] == "39.8 x 39.8 x 5.0 mm"
    assert all(Path(name).is_file() for name in lines)
    assert len(lines) == len([p for p in Path("dominoes-4x4").rglob("*") if p.is_file()])


def test_a_set(cli: Cli) -> None:
    code, out, _ = cli("make", "trihexes", "-o", "here", "--height", "6")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [
        *(f"here/pieces/{name}.stl" for name in ("A3", "I3", "V3")),
        *("here/pieces.3mf", "here/paper.pdf"),
    ]
    assert all(line.endswith(" x 6.0 mm") for line in out.splitlines()[:-1])


def test_a_piece_too_large_for_paper_is_named(cli: Cli) -> None:
    code, out, err = cli("make", "trominoes", "-o", "wide", "--cell", "90")
    assert (code, "paper.pdf" in out) == (0, False)
    assert "There is no paper.pdf: I3 measures 89.8 x 269.8 mm" in " ".join(err.split())
    assert not Path("wide/paper.pdf").exists()
    _, _, err = cli("make", "trominoes", "-o", "narrow", "--cell", "80")
    assert (Path("narrow/paper.pdf").exists(), err) == (True, "")


def test_sheets_for_a_laser(cli: Cli) -> None:
    code, out, _ = cli("make", "trominoes", "-o", "cut", "--sheet", "120x80", "--kerf", "0.2")
    assert code == 0
    assert "cut/cut-1.svg      120.0 x 80.0 mm" in out
    assert Path("cut/cut-1.dxf").is_file()


def test_pieces_in_a_box(cli: Cli) -> None:
    code, out, _ = cli("make", "--pieces", "2xdomino", "--box", "2x2", "-o", "two")
    assert code == 0
    assert "two/exploded.stl" in out


def test_a_solution_of_a_file(cli: Cli) -> None:
    _, out, _ = cli("solve", "dominoes-4x4", "-n", "3", "--format", "jsonl")
    Path("found.jsonl").write_text(out, "utf-8")
    code, _, _ = cli("make", "dominoes-4x4", "found.jsonl", "--number", "3", "-o", "third")
    assert code == 0
    assert Path("third/assembled.stl").exists()
    code, _, err = cli("make", "dominoes-4x4", "found.jsonl", "--number", "4", "-o", "fourth")
    assert (code, "has no solution number 4" in err) == (1, True)


def test_a_puzzle_without_solution_gives_pieces_and_tray(cli: Cli) -> None:
    code, out, err = cli("make", "tetrominoes-5x4")
    assert code == 0
    assert "tetrominoes-5x4/tray.3mf" in out
    assert "assembled" not in out
    assert "tetrominoes-5x4 is unsolvable: there is no solution to assemble." in err


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("make soma-cube -o taken", 1, "taken exists already: name a new directory"),
        ("make soma-*", 2, "make takes one puzzle, and 'soma-*' stands for several"),
        ("make pentomin?es", 2, "make takes one puzzle"),
        ("make dominoes-4x4 soma-cube", 2, "make takes one puzzle, and there is no file"),
        ("make pentominos-7x7", 1, "pentominos-7x7"),
        ("make soma-cube --cell 0", 2, "0"),
        ("make soma-cube --height 3", 1, "have no height of their own: leave the height out"),
        ("make soma-cube --gap nan", 2, "not a number"),
        ("make soma-cube --cell 10 --gap 4", 1, "too wide for cells of 10 mm"),
        ("make square-walls --wall 20", 1, "square-walls"),
        ("make tetrasticks --wall 20 -o a", 1, "A wall of 20 mm is too thick"),
        ("make soma-cube --number 2", 2, "--number goes with FILE"),
        ("make soma-cube --sheet 300x200", 1, "are not flat: leave the sheet out"),
        ("make trominoes --sheet 300", 2, "write width x height in millimeters, such as 600x400"),
        ("make trominoes --sheet 1e9x1", 2, "write width x height in millimeters"),
        ("make trominoes --kerf 0.1", 2, "--kerf goes with --sheet"),
        ("make trominoes --sheet 300x200 --kerf 9", 1, "write 0 to 1.5 mm"),
        ("make trominoes --sheet 40x20", 1, "does not fit a sheet of 40 x 20 mm"),
        ("make quasi-tetrominoes -o a", 1, "cannot be made: it consists of"),
    ],
)
def test_mistakes(words: str, code: int, message: str, cli: Cli) -> None:
    Path("taken").mkdir()
    ended, out, err = cli(*words.split())
    assert (ended, out) == (code, "")
    assert message in " ".join(err.split())
    assert [path.name for path in Path().iterdir()] == ["taken"]


def test_a_link_that_leads_nowhere_is_left_alone(cli: Cli) -> None:
    Path("link").symlink_to("nowhere")
    code, out, err = cli("make", "trominoes", "-o", "link")
    assert (code, out) == (1, "")
    assert "link exists already: name a new directory" in " ".join(err.split())
    assert [path.name for path in Path().iterdir()] == ["link"]


def test_solutions_go_with_puzzles(cli: Cli) -> None:
    Path("found.jsonl").write_text("", "utf-8")
    code, _, err = cli("make", "pentominoes", "found.jsonl")
    assert code == 2
    assert "'pentominoes' is a set of pieces" in " ".join(err.split())


@pytest.mark.parametrize("package", ["manifold3d", "trimesh", "ezdxf"])
def test_a_missing_package_is_one_clear_error(
    package: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    code, out, err = cli("make", "trominoes", "--sheet", "300x200")
    assert (code, out) == (1, "")
    assert f"This needs the package {package}: pip install 'exactile[make]'." in err
    assert list(Path().iterdir()) == []


def test_json_and_beveled(cli: Cli) -> None:
    words = ("--cell", "10", "--bevel", "0.5", "--sheet", "200x150", "--radius", "1", "--json")
    code, out, err = cli("make", "dominoes-4x4", *words)
    answer = json.loads(out)
    assert (code, err, answer["puzzle"], answer["notes"]) == (0, "", "dominoes-4x4", [])
    sizes = {each["path"]: each["size"] for each in answer["files"]}
    assert sizes["dominoes-4x4/cut-1.svg"] == [200, 150, 0]
    assert sizes["dominoes-4x4/assembled.glb"] == pytest.approx([39.8, 39.8, 5.0])
    assert all(Path(name).is_file() for name in sizes)


@pytest.mark.parametrize(
    "words",
    [
        ("dominoes-4x4", "--bevel", "5"),
        ("dominoes-4x4", "--gap", "9"),
        ("dominoes-4x4", "--sheet", "90x90", "--kerf", "7"),
        ("dominoes-4x4", "--sheet", "9x9", "--radius", "8"),
        ("tetrasticks-5x5", "--wall", "14"),
        ("tetrasticks-5x5", "--bevel", "0.5"),
    ],
)
def test_sizes_are_checked_before_the_search(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr("exactile.cli.drawing_commands._solution", None)  # which would be called
    code, _, err = cli("make", *words)
    assert code == 1
    assert re.search("mm.*write|leave the bevel out", err, re.IGNORECASE | re.DOTALL)
