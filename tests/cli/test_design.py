"""`exactile design` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import exactile
from exactile.cli.main import run
from exactile.surveys.design.grading import brief_hints

TEXT = "{http://www.w3.org/2000/svg}text"


def test_attempts_are_not_called_solutions(capsys: pytest.CaptureFixture[str]) -> None:
    """The two solutions of two dominoes on a square are drawn many times."""
    board = ["--pieces", "2xdomino", "--box", "2x2"]
    assert run(["design", "challenges", *board, "-n", "2", "--seed", "1"]) == 3
    assert "1 challenge, counted again by memo (201 attempts gave no more)" in (
        capsys.readouterr().err
    )


def test_attempts_of_workers_are_added(capsys: pytest.CaptureFixture[str]) -> None:
    board = ["--pieces", "4xI4", "--box", "4x4", "--given", "colors", "-n", "2"]
    for workers, attempts in ((1, 200), (2, 400)):
        assert run(["design", "challenges", *board, "--workers", f"{workers}"]) == 3
        assert f"0 challenges ({attempts} attempts gave no more)" in capsys.readouterr().err


SMALL = """
format = 1
[puzzle.small]
lattice = "square"
pieces = { orders = [3, 4], ranges = "0..1" }
region.box = [4, 3]
open = [{ units = "0..3,0", exactly = 1 }]
"""


def test_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "small.toml", tmp_path / "found.toml"
    source.write_text(SMALL)
    assert run(["design", "boards", str(source), "--sets"]) == 0
    told = capsys.readouterr()
    assert "I3 L4 O4" in told.out
    assert "small open 0,0" in told.out
    assert "20 of 20 sets tried: 6 sets of pieces for all boards" in told.err
    assert run(["design", "boards", str(source), "--sets", "-o", str(target)]) == 0
    assert run(["design", "boards", f"{target}#small-set-1"]) == 0
    told = capsys.readouterr()
    assert "0 boards without a solution" in told.out
    assert "counted" not in told.err
    assert run(["design", "boards", f"{target}#small-set-1", "--time-limit", "1e-6"]) == 3
    told = capsys.readouterr()
    assert "0 of them counted, 0 solutions (time limit)" in told.err
    assert told.out == ("0 boards without a solution\n0 boards with one solution up to symmetry\n")
    assert run(["design", "boards", str(source), "--cells", "3"]) == 0
    assert "small-1" in capsys.readouterr().out
    given = ["--pieces", "I3,V3", "--box", "3x2", "--fix", "I3@0..2,0"]
    assert run(["design", "boards", *given, "--cells", "6"]) == 1
    assert "gives pieces in their places, which other regions do not have" in (
        capsys.readouterr().err
    )


def test_steps_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "found.toml", tmp_path / "steps-{page}.svg"
    asked = ["design", "challenges", "tetrahexes-4x7", "--open", "3", "-o", str(source), "-q"]
    assert run(asked) == 0
    assert run(["design", "grade", str(source), "-o", str(target)]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "challenge-1  " in told.err  # the grade
    drawn = (tmp_path / "steps-1.svg").read_text("utf-8")
    assert all(f"{number}. " in drawn for number in (1, 2, 3))
    assert "no other placement reaches cell" in drawn
    assert run(["design", "grade", str(source), "--json", "-o", str(target)]) == 2
    assert run(["design", "grade", str(source), "--hints", "-o", str(target)]) == 2
    assert "pictures show the steps" in capsys.readouterr().err


def test_steps_that_are_not_drawn_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "steps.svg"
    asked = ["design", "grade", "pentominoes-6x10", "--time-limit", "0.0001", "-o", str(target)]
    assert run(asked) == 3
    told = capsys.readouterr().err
    assert "unknown (time limit)" in told
    assert "nothing is drawn" in told
    assert not target.exists()


def test_steps_of_several_puzzles_have_their_names(tmp_path: Path) -> None:
    source, target = tmp_path / "found.toml", tmp_path / "steps-{page}.svg"
    asked = ["design", "challenges", "tetrahexes-4x7", "-n", "2", "--open", "2", "-q"]
    assert run([*asked, "-o", str(source)]) == 0
    assert run(["design", "grade", str(source), "-q", "-o", str(target)]) == 0
    drawn = (tmp_path / "steps-1.svg").read_text("utf-8")
    lines = [str(text.text) for text in ET.fromstring(drawn).iter(TEXT)]
    numbered = [k for k, line in enumerate(lines) if line[1:3] == ". "]
    assert [lines[k][0] for k in numbered] == ["1", "2", "1", "2"]
    names = [f"tetrahexes-4x7-challenge-{k}" for k in (1, 1, 2, 2)]
    assert [lines[k - 1] for k in numbered] == names  # each on a line of its own


def test_the_reasons_of_drawn_steps_are_whole(tmp_path: Path) -> None:
    name, target = "hexiamonds-ring-2", tmp_path / "steps-{page}.svg"
    source = tmp_path / "found.toml"
    assert run(["design", "challenges", name, "--open", "5", "-q", "-o", str(source)]) == 0
    document = f"{source}#{name}-challenge-1"
    assert run(["design", "grade", document, "-q", "-o", str(target)]) == 0
    pages = sorted(tmp_path.glob("steps-*.svg"))
    texts = [t.text for page in pages for t in ET.parse(page).iter(TEXT)]
    drawn = " ".join(filter(None, texts))
    puzzle = exactile.load(document)
    sentences = list(brief_hints(exactile.grade(puzzle)))
    assert sentences
    assert all(sentence in drawn for sentence in sentences)
    assert "..." not in drawn


def test_the_words_of_levels_fit_their_column(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["design", "challenges", "tetrahexes-4x7", "-n", "3", "--graded", "-q"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    place = head.index("given")
    assert [row[place - 2 :].lstrip() for row in rows] == [row[place:] for row in rows]
    assert any("very difficult" in row for row in rows)


def test_a_wrong_puzzle_does_not_end_grading(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["design", "grade", "tetrahexes-4x7", "dominoes-4x4", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert [each["puzzle"] for each in document["failed"]] == ["tetrahexes-4x7", "dominoes-4x4"]
    assert run(["design", "grade", "tetrahexes-4x7", "dominoes-4x4"]) == 1
    assert "\ndominoes-4x4 has several solutions" in capsys.readouterr().err


def test_regions_that_lack_symmetries_are_not_blamed_on_the_area(
    capsys: pytest.CaptureFixture[str],
) -> None:
    board = ["--pieces", "2xdomino", "--box", "2x2", "--cells", "4"]
    assert run(["design", "boards", *board, "--symmetric", "9"]) == 2
    assert "No such region with 9 symmetries or more has the area" in " ".join(
        capsys.readouterr().err.split()
    )
