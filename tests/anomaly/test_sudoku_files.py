"""Malformed sudoku files: one clear error each, with the line and the offending text."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

import exactile
from exactile.classics.grids.reader import Variant, read_regions, read_sudokus
from exactile.cli.main import run
from exactile.errors import FileError, NotFoundError, PuzzleError
from support.ctrl_c import interrupted
from support.sudokus import HARD, SMALL

LATIN = "\n".join(["....."] * 5)

CASES = [
    ("", "it has no sudoku. A sudoku has 81 characters, or 9 lines of 9."),
    ("# nothing\n\n---+---\n", "it has no sudoku. A sudoku has 81 characters, or 9 lines of 9."),
    (
        "x" + "." * 80,
        'line 1: "x" is not a digit of a grid of 9 by 9: write 1 to 9, or . for an empty cell.',
    ),
    (
        f"{HARD}\n\n{HARD[:-1]}",
        'line 3: "8..........36......7..9.2...5...7.......457.....1...3....." has 80 cells, '
        "which do not make a square grid of at most 35 rows: 81 make one of 9 by 9.",
    ),
    (
        f"{SMALL}\n5..............1",
        'line 1: a grid of 16 cells in a row, "1..4.4.223.1..2.", must have as many rows: there '
        "are 2, or no digit above 4 in any, to be grids of 4 by 4.",
    ),
    (
        "1G" + "." * 142,
        'line 1: "G" is not a digit of a grid of 12 by 12: write 1 to 9 and A to C, or . for an '
        "empty cell.",
    ),
    (
        "\u0131" + "." * 624,  # its capital letter is I, but it is none of ours
        'line 1: "\u0131" is not a digit of a grid of 25 by 25: write 1 to 9 and A to P, or . for '
        "an empty cell.",
    ),
    (
        "1...\n..2.\n",
        'line 1: a grid of 4 cells in a row, "1...", must have as many rows: there are 2.',
    ),
    (
        "1...\n..2.\n...\n....\n",
        'line 3: "..." has 3 cells, but line 1, where this grid begins, has 4: "1...". Write # '
        "before lines that are not part of a grid.",
    ),
    (
        "0,0,0,1\n0,1,0,0\n",
        'line 1: "0" is a single cell, not a sudoku. Write the cells of a row without '
        "commas or semicolons: these begin remarks.",
    ),
    (
        "\n".join(["123456789"] * 8) + "\n\n" + "\n".join(["." * 9] * 9),
        'line 1: a grid of 9 cells in a row, "123456789", must have as many rows: there are 8.',
    ),
    (
        LATIN,
        "line 1: a grid of 5 by 5 has no boxes: write the line 'regions' and regions before it.",
    ),
    ("regions\n", "no lines follow 'regions'."),
    (f"regions\n{'AAAABBBBCCCCDDDD'}\n", "no grid follows 'regions'."),
    (
        "regions\nAAABBBBBCCCCDDDD\n....\n....\n....\n....\n",
        "line 2: Region A has 3 cells, but a row has 4: all must have as many.",
    ),
    (
        "regions\nAAAA\nBBBB\nCCCC\n\nDDDD\n",
        'line 2: regions of 4 cells in a row, "AAAA", must have as many rows: there are 3.',
    ),
    (
        f"regions\nAAAABBBBCCCCDDDD\n\n{HARD}\n",
        'line 4: "8..........36......7..9.2...5...7.......457.....1...3....." has 81 cells: a grid '
        "of 4 by 4 has 4 in a row and 16 in all.",
    ),
]


@pytest.mark.parametrize(("text", "message"), CASES)
def test_damaged_files(text: str, message: str) -> None:
    with pytest.raises(FileError) as caught:
        list(read_sudokus(StringIO(text)))
    assert str(caught.value).startswith(f"the stream: {message}")


def test_variants_that_do_not_fit() -> None:
    with pytest.raises(PuzzleError, match="line 1: Windows lie between square boxes"):
        list(read_sudokus(StringIO("." * 36), Variant(windows=True)))
    with pytest.raises(FileError, match="has 81 cells: a grid of 4 by 4 has 4 in a row"):
        list(read_sudokus(StringIO(HARD), Variant(boxes=(2, 2))))
    with pytest.raises(PuzzleError, match="at most 35"):
        list(read_sudokus(StringIO("." * 36**2), Variant(boxes=(6, 6))))


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="nowhere: there is no such file"):
        list(read_sudokus("nowhere"))
    with pytest.raises(FileError, match="this is a directory: name a file in it"):
        list(read_sudokus(tmp_path))
    file = tmp_path / "latin.txt"
    file.write_bytes(f"{HARD}\n{HARD[:8]}\xe9".encode("latin-1"))
    reader = read_sudokus(file)
    assert next(reader).line == 1
    with pytest.raises(FileError, match=r"latin\.txt: line 2: not UTF-8: byte 0xe9\."):
        next(reader)


def test_region_files(tmp_path: Path) -> None:
    file = tmp_path / "regions.txt"
    for text, message in [
        ("", "no lines follow 'regions'"),
        (f"AAAABBBBCCCCDDDD\n\n{SMALL}\n", "comes after the regions"),
        ("AAAA\nBBBB\n", "must have as many rows: there are 2"),
    ]:
        file.write_text(text, "utf-8")
        with pytest.raises(FileError, match=message):
            read_regions(file)


def test_a_very_long_line_of_dressing_is_passed_over_quickly() -> None:
    with pytest.raises(FileError, match="has no sudoku"):
        list(read_sudokus(StringIO("-" * 1_000_000 + "+\n" + "- " * 500_000)))


def test_ctrl_c_ends_a_count_with_130(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.txt").write_text("." * 81, "utf-8")
    words = ["sudoku", str(tmp_path / "empty.txt"), "--count"]
    assert interrupted(lambda: run(words)) == 130
    assert capsys.readouterr() == ("", "Interrupted.\n")


def test_a_text_without_a_sudoku_is_called_a_text() -> None:
    with pytest.raises(FileError, match=r"^The text: it has no sudoku\. A sudoku has 81"):
        exactile.solve_sudoku("")
