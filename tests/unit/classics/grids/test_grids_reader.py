"""Files of sudokus: one a line, a row a line, several, jigsaws; sizes."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from exactile.classics.drawings import draw_grid
from exactile.classics.grids.reader import Variant, read_regions, read_sudokus
from exactile.classics.grids.sudoku import jigsaw
from support.sudokus import DRAWN, HARD, SEVENTEEN, SMALL, TILTED, sudoku


def texts(text: str, variant: Variant | None = None) -> list[str]:
    """Return the sudokus of a text, each on a line."""
    return [s.text(s.givens) for s in read_sudokus(StringIO(text), variant)]


@pytest.mark.parametrize("text", [SMALL, DRAWN, SMALL.replace(".", "0"), f"# one\n\n{DRAWN}\n\n"])
def test_ways_to_write_the_example(text: str) -> None:
    assert texts(text) == [SMALL]
    assert sudoku(text).layout.boxes == (2, 2)


def test_the_document_layout_with_frames_and_empty_lines() -> None:
    rows = [HARD[k : k + 9] for k in range(0, 81, 9)]
    framed = [" | ".join(r[k : k + 3] for k in (0, 3, 6)) for r in rows]
    bands = ["\n".join(framed[k : k + 3]) for k in (0, 3, 6)]
    assert texts("\n".join(rows)) == [HARD]
    assert texts("\n------+-------+------\n".join(bands)) == [HARD]
    assert texts("\n\n".join(bands)) == [HARD]
    starred = " *-----------*\n" + "\n |---+---+---|\n".join(bands) + "\n *-----------*\n"
    assert texts(starred) == [HARD]


def test_collections_have_one_a_line() -> None:
    file = f"# a collection\n{HARD}\n{SEVENTEEN} # with 17\n{HARD};9.1;name\n{HARD},solution\n"
    found = list(read_sudokus(StringIO(file)))
    assert [s.line for s in found] == [2, 3, 4, 5]
    assert [s.text(s.givens) for s in found] == [HARD, SEVENTEEN.replace("0", "."), HARD, HARD]
    assert len({id(s.layout) for s in found}) == 1


def test_lines_are_read_as_they_are_wanted() -> None:
    class Endless:
        """A stream without end."""

        lines = 0

        def __iter__(self) -> Endless:
            return self

        def __next__(self) -> str:
            self.lines += 1
            return HARD + "\n"

    stream = Endless()
    reader = read_sudokus(stream)  # type: ignore[arg-type]
    for _ in range(100):
        next(reader)
    assert stream.lines == 100


def test_sixteen_characters_are_a_grid_or_a_row() -> None:
    many = "\n".join([SMALL] * 16)
    assert texts(many) == [SMALL] * 16
    rows = ["." * 16] * 15 + ["G" + "." * 15]
    assert texts("\n".join(rows)) == ["".join(rows)]
    assert texts("\n".join(["." * 16] * 16), Variant(boxes=(4, 4))) == ["." * 256]
    assert texts("\n".join([*rows[:15], "." * 16]), Variant(boxes=(2, 2))) == ["." * 16] * 16


@pytest.mark.parametrize(("size", "boxes"), [(6, (2, 3)), (8, (2, 4)), (12, (3, 4)), (25, (5, 5))])
def test_the_size_is_that_of_the_text(size: int, boxes: tuple[int, int]) -> None:
    assert sudoku("." * size**2).layout.boxes == boxes
    assert sudoku("\n".join(["8" + "." * (size - 1) if size > 6 else "6" + "." * 5] * size)).layout
    assert sudoku("." * size**2, Variant(boxes=boxes[::-1])).layout.boxes == boxes[::-1]


def test_large_digits_are_letters() -> None:
    rest = "." * 239
    assert sudoku("123456789abcdefG" + "." + rest).givens[:16] == tuple(range(1, 17))
    from_zero = sudoku("0123456789ABCDEF" + "." + rest)
    assert from_zero.givens[:16] == tuple(range(1, 17))
    assert from_zero.text(from_zero.givens)[:17] == "0123456789ABCDEF."
    letters = sudoku("ABCDEFGHIJKLMNOPQRSTUVWXY" + "." * 600)
    assert letters.givens[:25] == tuple(range(1, 26))
    assert sudoku("A.CD" + "." * 12).givens[:4] == (1, 0, 3, 4)


def test_jigsaws_have_regions_before_them(tmp_path: Path) -> None:
    rows = "\n".join(TILTED[k : k + 5] for k in range(0, 25, 5))
    for regions in (TILTED, rows):
        found = list(read_sudokus(StringIO(f"regions:\n{regions}\n\n{'.' * 25}\n{'1' + '.' * 24}")))
        assert [s.layout for s in found] == [jigsaw(TILTED)] * 2
    (tmp_path / "regions.txt").write_text(f"# tilted\n{rows}\n", "utf-8")
    layout = read_regions(tmp_path / "regions.txt")
    assert layout == jigsaw(TILTED)
    assert sudoku("." * 25, Variant(jigsaw=layout)).layout == layout


def test_drawings_can_be_read() -> None:
    assert draw_grid(sudoku(SMALL), sudoku(SMALL).givens) == DRAWN
    for text in (HARD, "." * 36, "." * 624 + "P"):
        assert texts(draw_grid(sudoku(text), sudoku(text).givens)) == [text]
    layout = jigsaw(TILTED)
    tilted = sudoku("1" + "." * 24, Variant(jigsaw=layout))
    drawing = draw_grid(tilted, tilted.givens)
    assert texts(drawing, Variant(jigsaw=layout)) == ["1" + "." * 24]
    assert drawing.splitlines()[:3] == [
        "1   .   . | .   .",
        "  +-------+",
        ". | .   . | .   .",
    ]
