"""`exactile sheet`: pages of paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from exactile.cli.options import Length
from support.command_line import Cli


def test_a_booklet_has_challenges_and_solutions(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "soma.pdf"
    words = ("soma-c*", "--bank", "--solutions", "--title", "Soma", "-o", str(path))
    code, out, err = cli("sheet", *words, "--per-page", "2")
    assert (code, out) == (0, "")
    document = PdfDocument(path)
    assert err.endswith(f" puzzles on {len(document)} pages\n")
    texts = [page.get_textpage().get_text_bounded() for page in document]
    assert all(text.startswith("Soma") for text in texts)
    assert texts[0].count("1. ") == 1
    assert "Soma: solutions" in texts[-1]


def test_an_unsolvable_puzzle_has_a_board_and_no_solution(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.svg"
    code, _, err = cli("sheet", "tetrominoes-5x4", "--boards", "solved", "-o", str(path))
    assert code == 0
    assert "tetrominoes-5x4, not drawn: unsolvable (" in err
    assert "<svg" in path.read_text("utf-8")


def test_several_pages_as_svg_need_a_file_for_each(tmp_path: Path, cli: Cli) -> None:
    words = ("sheet", "soma-cube", "tetrahexes-4x7", "--per-page", "1", "-q", "-o")
    code, _, err = cli(*words, str(tmp_path / "a.svg"))
    assert code == 2
    assert "2 pages as svg need a file for each: write -o 'page-{page}.svg'" in err
    assert cli(*words, str(tmp_path / "a-{page}.svg")) == (0, "", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-1.svg", "a-2.svg"]


def test_boards_are_empty_given_or_solved(tmp_path: Path, cli: Cli) -> None:
    fixed = ("pentominoes-6x10", "--fix", "X@2,1 1..3,2 2,3", "-q", "-o")
    pieces = {}
    for kind in ("empty", "given", "solved"):
        path = tmp_path / f"{kind}.svg"
        assert cli("sheet", *fixed, str(path), "--boards", kind)[0] == 0
        pieces[kind] = path.read_text("utf-8").count("<g>")
    assert pieces == {"empty": 0, "given": 1, "solved": 12}


def test_true_size_has_a_ruler_and_an_error_names_the_largest(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.svg"
    assert cli("sheet", "pentominoes-6x10", "--cell", "1.5cm", "-q", "-o", str(path))[0] == 0
    assert "data-ruler" in path.read_text("utf-8")
    code, _, err = cli("sheet", "pentominoes-6x10", "--cell", "1in", "-o", str(path))
    assert code == 1
    assert "take cells of at most" in err


@pytest.mark.parametrize(
    ("word", "length"), [("20mm", 20), ("2cm", 20), ("0.75in", 19.05), ("7", 7), (" 2 CM ", 20)]
)
def test_lengths_have_units(word: str, length: float) -> None:
    assert Length().convert(word, None, None) == pytest.approx(length)


@pytest.mark.parametrize("word", ["", "x", "-3mm", "0", "1e3", "2km", "99999cm", "nan"])
def test_other_words_are_no_lengths(word: str, cli: Cli) -> None:
    code, _, err = cli("sheet", "soma-cube", "--cell", word)
    assert code == 2
    assert "write 20mm, 2cm or 0.75in" in err
