"""Pictures in files: sheets, pages, and a page to leaf through."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from pypdfium2 import PdfDocument, PdfPage
from pypdfium2.raw import FPDF_PAGEOBJ_PATH, FPDF_PAGEOBJ_TEXT

import exactile
from exactile.errors import PictureError
from exactile.puzzle import Puzzle, Solution
from exactile.render.board import in_numbers
from exactile.render.paper import WIDTH, Drawing
from exactile.render.pictures import WRITERS, in_time, pages, sheet, write_pictures
from exactile.render.svg import draw_alone
from exactile.search.limits import Limits
from support.clock import Stopped
from support.random_puzzles import PUZZLE_LATTICES

SVG = "{http://www.w3.org/2000/svg}"

ONE_OF_EACH_LATTICE = (
    *("pentominoes-6x10", "soma-cube", "tetrahexes-4x7", "hexiamonds-3x12", "tetrasticks-5x5"),
    *("t-tritrigs-hexagon-6", "hexatwigs-triangle", "windmill", "space-disticks-cube"),
    *("tetraboloes-7x4", "didrafters-hexagon", "hats-torus-4x2"),
)


def found(name: str, number: int) -> tuple[Puzzle, list[Solution]]:
    puzzle = exactile.load(name)
    with exactile.Search(puzzle, limit=number) as search:
        return puzzle, list(search)


def written(
    puzzle: Puzzle, solutions: list[Solution], form: str, columns: int | None = None
) -> bytes:
    stream = BytesIO()
    assert write_pictures(puzzle, solutions, stream, form, columns) == len(solutions)
    return stream.getvalue()


@pytest.fixture(scope="module")
def tilings() -> tuple[Puzzle, list[Solution]]:
    return found("pentominoes-6x10", 30)


def test_one_solution_is_drawn_as_alone(tilings: tuple[Puzzle, list[Solution]]) -> None:
    puzzle, solutions = tilings
    assert written(puzzle, solutions[:1], "svg").decode() == exactile.draw_svg(puzzle, solutions[0])


def test_cells_that_show_the_color_of_a_piece_are_in_all_pictures() -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    (found,) = exactile.design_challenges(puzzle, given="colors").challenges
    board = exactile.challenge_puzzle(puzzle, found)
    alone = exactile.draw_svg(board, ())
    assert alone.count("<title>") > 1
    assert written(board, [()], "svg").decode() == alone
    assert alone in written(board, [()], "html").decode()


@pytest.mark.parametrize("columns", [None, 1, 7, 100])
def test_a_sheet_has_all_of_them_numbered(
    columns: int | None, tilings: tuple[Puzzle, list[Solution]]
) -> None:
    root = ET.fromstring(written(*tilings, "svg", columns))
    parts = root.findall(f"{SVG}svg")
    assert len(parts) == 30
    assert [t.text for t in root.findall(f"{SVG}text")] == [str(k) for k in range(1, 31)]
    places = {(float(p.get("x", "")), float(p.get("y", ""))) for p in parts}
    assert len({x for x, _ in places}) == min(columns or 6, 30)
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    for part in parts:
        assert 0 < float(part.get("x", "")) < width - float(part.get("width", ""))
        assert 0 < float(part.get("y", "")) < height - float(part.get("height", ""))


def test_pages_have_drawings_of_one_scale() -> None:
    wide = Drawing("100", "50", ("0", "0", "100", "50"), ())
    tall = Drawing("50", "100", ("0", "0", "50", "100"), ())
    made = list(pages([(wide, "a"), (tall, "b")] * 40, "Both", columns=5))
    assert len(made) > 1
    parts = [p for page in made for p in ET.fromstring(page.svg()).findall(f"{SVG}svg")]
    assert len(parts) == 80
    scales = {
        round(float(p.get("width", "")) / float(p.get("viewBox", "").split()[2]), 2) for p in parts
    }
    assert len(scales) == 1
    assert all(float(p.get("y", "")) + float(p.get("height", "")) < 1123 for p in parts)


@pytest.fixture
def read_pdf() -> Iterator[Callable[[bytes], list[PdfPage]]]:
    opened: list[PdfDocument] = []

    def read(data: bytes) -> list[PdfPage]:
        assert data.startswith(b"%PDF")
        opened.append(PdfDocument(data))
        return list(opened[-1])

    yield read
    for document in opened:
        document.close()


def words(page: PdfPage) -> list[str]:
    return str(page.get_textpage().get_text_range()).split()


def test_a_png_has_two_pixels_to_each_of_the_drawing(
    tilings: tuple[Puzzle, list[Solution]],
) -> None:
    root = ET.fromstring(written(*tilings, "svg"))
    picture = written(*tilings, "png")
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (
        2 * int(root.get("width", "")),
        2 * int(root.get("height", "")),
    )


def test_a_pdf_has_drawings_and_letters_and_no_pixels(
    tilings: tuple[Puzzle, list[Solution]], read_pdf: Callable[[bytes], list[PdfPage]]
) -> None:
    puzzle, solutions = tilings
    file = written(puzzle, solutions[:1], "pdf")
    assert b"+DejaVuSans/" in file  # ours: there are machines without fonts
    (page,) = read_pdf(file)
    width, height = draw_alone(puzzle, solutions[0], WIDTH).size
    assert page.get_size() == pytest.approx((0.75 * width, 0.75 * height), abs=0.01)
    assert {piece.name for piece in puzzle.pieces} == set(words(page))
    kinds = {thing.type for thing in page.get_objects()}
    assert kinds == {FPDF_PAGEOBJ_PATH, FPDF_PAGEOBJ_TEXT}


def test_many_solutions_are_pages_of_a_pdf(
    tilings: tuple[Puzzle, list[Solution]], read_pdf: Callable[[bytes], list[PdfPage]]
) -> None:
    made = read_pdf(written(*tilings, "pdf", 2))
    assert len(made) == 4
    assert [word for page in made for word in words(page)] == [str(k) for k in range(1, 31)]
    for page in made:  # A4, to a hundredth of a pixel
        assert page.get_size() == pytest.approx((595.276, 841.89), abs=0.01)


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_equal_drawings_give_equal_files(form: str, tilings: tuple[Puzzle, list[Solution]]) -> None:
    puzzle, solutions = tilings
    assert written(puzzle, solutions[:1], form) == written(puzzle, solutions[:1], form)


def test_a_png_that_is_too_large_is_refused(
    monkeypatch: pytest.MonkeyPatch, tilings: tuple[Puzzle, list[Solution]]
) -> None:
    monkeypatch.setattr("exactile.render.pictures.MOST_PIXELS", 100_000)
    with pytest.raises(PictureError, match="too large for PNG: write a PDF or SVG file"):
        write_pictures(*tilings, BytesIO(), "png")


@pytest.mark.parametrize("name", ["pentominoes-6x10", "soma-cube"])
def test_a_page_to_leaf_through_needs_nothing_else(name: str) -> None:
    puzzle = exactile.load(name)
    with exactile.Search(puzzle, limit=30) as search:
        found = list(search)
    page = written(puzzle, found, "html").decode()
    assert page.count("<svg ") == 1  # for those who run no scripts
    assert not re.search(r"<(script|link|img)[^>]*(src|href)", page)
    solutions = json.loads(page.partition('id="solutions">')[2].partition("</script>")[0])
    assert len(solutions) == 30
    assert solutions[0] == [[p, [*units]] for p, units in in_numbers(puzzle, found[0])]


def test_a_page_to_leaf_through_has_the_labels_of_units() -> None:
    puzzle = exactile.make_puzzle("tetrominoes", box=(5, 4), labels={"Jan": "0,0", "1": "4,3"})
    page = written(puzzle, [()], "html").decode()
    board = json.loads(page.partition('id="board">')[2].partition("</script>")[0])
    assert board["labels"] == ["Jan", *[""] * 18, "1"]


def test_names_end_no_script() -> None:
    title = "</script><b>"
    puzzle = replace(exactile.load("tetrahexes-4x7"), title=title)
    with exactile.Search(puzzle, limit=1) as search:
        page = written(puzzle, list(search), "html").decode()
    assert "</script><b>" not in page


@pytest.mark.parametrize("form", WRITERS)
def test_no_solution_is_no_picture(form: str) -> None:
    puzzle = exactile.load("pentominoes-6x10")
    assert write_pictures(puzzle, [], BytesIO(), form) == 0


@pytest.mark.parametrize("name", ONE_OF_EACH_LATTICE)
def test_sheets_on_every_lattice(name: str) -> None:
    puzzle = exactile.load(name)
    root = ET.fromstring(written(puzzle, [(), ()], "svg"))
    assert len(root.findall(f"{SVG}svg")) == 2


def test_every_lattice_is_tried() -> None:
    lattices = {exactile.load(name).lattice.name for name in ONE_OF_EACH_LATTICE}
    assert lattices == set(PUZZLE_LATTICES)


def test_a_sheet_is_as_broad_as_asked() -> None:
    dot = Drawing("8", "8", ("0", "0", "1", "1"), ())
    assert sheet([(dot, "")] * 6, columns=6).size[0] == 6 * 26 + 18


def test_drawing_starts_the_clock_of_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Stopped(monkeypatch)
    drawn = 0
    for _ in in_time([()] * 9, Limits(time_limit=10), conversion=0):
        drawn += 1
        clock.move(4)
    assert drawn == 3
