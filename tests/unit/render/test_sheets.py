"""Pages of paper: what they measure, read from the numbers in the files."""

from __future__ import annotations

import re
from io import BytesIO
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from pypdfium2 import PdfDocument
from pypdfium2.raw import FPDF_PAGEOBJ_PATH

import exactile
from exactile.errors import PictureError
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.puzzle.pieces.sets import piece_set
from exactile.render.cover import Cover
from exactile.render.layout import MARGIN, MARKS, PAPERS, STROKES, inked
from exactile.render.paper import GRAYS, shade
from exactile.render.sheets import SheetBoard, least_pages

SVG = "{http://www.w3.org/2000/svg}"

POINT = 25.4 / 72
"""Millimeters to the unit of a PDF."""

KINDS = (
    "pentominoes-6x10",
    "soma-cube",
    "tetrahexes-4x7",
    "tetrasticks-5x5",
    "quasi-tritwigs-trefoil-1",
)

Box = tuple[float, float, float, float]


def boards(*names: str) -> list[SheetBoard]:
    puzzles = [exactile.load(name) for name in names]
    return [SheetBoard(puzzle, (), puzzle.title or puzzle.name) for puzzle in puzzles]


def solved(puzzle: Puzzle) -> SheetBoard:
    solution = exactile.solve_one(puzzle)
    assert solution
    return SheetBoard(puzzle, solution, puzzle.name)


def boxes(page: str) -> list[Box]:
    """Return left, top, right and bottom of each block of a page, in millimeters."""
    found = []
    for each in ET.fromstring(page).findall(f"{SVG}svg"):
        left, top, wide, high = (float(each.attrib[k]) for k in ("x", "y", "width", "height"))
        found.append((left, top, left + wide, top + high))
    return found


def size(page: str) -> tuple[float, ...]:
    """Return what a page measures in millimeters, and require that its units are millimeters."""
    root = ET.fromstring(page)
    width, height = root.attrib["width"], root.attrib["height"]
    assert root.attrib["viewBox"] == f"0 0 {width} {height}".replace("mm", "")
    assert width.endswith("mm")
    assert height.endswith("mm")
    return float(width[:-2]), float(height[:-2])


def require_apart(page: str) -> None:
    """Require that no two blocks overlap and that all are within the margins."""
    wide, high = size(page)
    found = boxes(page)
    for left, top, right, bottom in found:
        assert left >= MARGIN - 0.02
        assert top >= MARGIN - 0.02
        assert right <= wide - MARGIN + 0.02
        assert bottom <= high - MARGIN + 0.02
    for one, other in combinations(found, 2):
        across = min(one[2], other[2]) - max(one[0], other[0])
        down = min(one[3], other[3]) - max(one[1], other[1])
        assert min(across, down) <= 0.02


def pdf(pages: list[str]) -> PdfDocument:
    stream = BytesIO()
    exactile.write_pages(pages, stream)
    return PdfDocument(stream.getvalue())


def lengths(document: PdfDocument, number: int) -> list[tuple[float, float]]:
    """Return width and height of each path of a page, in millimeters."""
    objects = document[number].get_objects(filter=[FPDF_PAGEOBJ_PATH], max_depth=20)
    bounds = [each.get_bounds() for each in objects]
    return [((r - left) * POINT, (top - b) * POINT) for left, b, r, top in bounds]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("bank", [False, True])
def test_blocks_are_apart_and_within_the_margins(paper: str, *, bank: bool) -> None:
    own = boards(*KINDS, *KINDS)
    pages = exactile.draw_pages(own, answers=own[:3], paper=paper, per_page=4, bank=bank)
    assert [len(boxes(page)) for page in pages] == [4, 4, 2, 3]
    for page in pages:
        assert size(page) == PAPERS[paper]
        require_apart(page)


def test_a_board_has_its_parts_inside_its_block_and_apart() -> None:
    for page in exactile.draw_pages(boards(*KINDS), bank=True, per_page=2):
        for block in ET.fromstring(page).findall(f"{SVG}svg"):
            _, _, wide, high = map(float, block.attrib["viewBox"].split())
            found = []
            for part in block.findall(f"{SVG}svg"):
                x, y, w, h = (float(part.attrib[k]) for k in ("x", "y", "width", "height"))
                assert min(x, y) >= -0.02
                assert x + w <= wide + 0.02
                assert y + h <= high + 0.02
                found.append((x, y, x + w, y + h))
            assert len(found) > 3
            for one, other in combinations(found, 2):
                across = min(one[2], other[2]) - max(one[0], other[0])
                down = min(one[3], other[3]) - max(one[1], other[1])
                assert min(across, down) <= 0.02


def test_boards_of_one_region_have_one_scale_on_a_page() -> None:
    full = solved(exactile.load("tetrasticks-5x5-without-h"))
    own = [full._replace(placements=full.placements[:given]) for given in (1, 7, 14)]
    [page] = exactile.draw_pages(own, bank=True, columns=1)
    parts = [block.findall(f"{SVG}svg") for block in ET.fromstring(page).findall(f"{SVG}svg")]
    assert [len(found) - 1 for found in parts] == [14, 8, 1]
    assert len({(found[0].attrib["width"], found[0].attrib["y"]) for found in parts}) == 1
    assert len({each.attrib["width"] for found in parts for each in found[-1:]}) == 1


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_columns_are_as_wanted(columns: int) -> None:
    [page] = exactile.draw_pages(boards(*["soma-cube"] * 6), columns=columns)
    assert len({box[0] for box in boxes(page)}) == columns


@pytest.mark.parametrize("per_page", [None, 3])
@pytest.mark.parametrize("columns", [None, 4, 5])
def test_the_number_of_pages_is_known_before_they_are_drawn(
    per_page: int | None, columns: int | None
) -> None:
    own = boards(*["tetrahexes-4x7"] * 13)
    pages = exactile.draw_pages(own, per_page=per_page, columns=columns)
    assert [len(boxes(page)) for page in pages[:-1]] == [per_page or 6] * (len(pages) - 1)
    assert len(pages) == least_pages(13, per_page, in_size=False)
    assert least_pages(13, per_page, in_size=True) <= len(
        exactile.draw_pages(own, per_page=per_page, cell=3)
    )


def test_the_ruler_measures_100_mm_in_svg_and_pdf() -> None:
    pages = exactile.draw_pages(boards("pentominoes-6x10"), cell=15)
    [ruler] = [e for e in ET.fromstring(pages[0]).iter() if "data-ruler" in e.attrib]
    start, *ticks = re.findall(r"M([\d.]+) [\d.]+", ruler.attrib["d"])
    assert re.search(r"h(\d+)", ruler.attrib["d"])[1] == "100"  # type: ignore[index]
    assert float(ticks[-1]) - float(start) == pytest.approx(100, abs=0.001)
    long = [wide for wide, high in lengths(pdf(pages), 0) if high < 4 and wide > 99]
    assert long
    assert min(long) - 2 * 0.2 == pytest.approx(100, abs=0.1)  # a line of 0.2 is added at each end


@pytest.mark.parametrize("cell", [10.0, 15.5])
def test_a_board_in_true_size_measures_what_it_says(cell: float) -> None:
    puzzle = exactile.load("pentominoes-6x10")
    [page] = exactile.draw_pages([solved(puzzle)], cell=cell)
    sizes = lengths(pdf([page]), 0)
    line = 3 * cell / 84  # the border is drawn 3 pixels wide where a cell has 84
    border = pytest.approx((10 * cell + line, 6 * cell + line), abs=0.1 + line)
    assert any(size == border for size in sizes)


def test_layers_of_a_solid_are_in_true_size() -> None:
    pages = exactile.draw_pages([solved(exactile.load("soma-cube"))], cell=12)
    assert [page.count("z = ") for page in pages] == [3]
    require_apart(pages[0])


def test_what_does_not_fit_is_an_error_that_says_what_would() -> None:
    found = set()
    for cell in (18.1, 20, 40, 100):
        with pytest.raises(
            PictureError, match=r"more than a page has room for: take cells of at most \d+"
        ) as error:
            exactile.draw_pages(boards("pentominoes-6x10"), cell=cell)
        found.add(float(re.findall(r"at most ([\d.]+) mm", str(error.value))[0]))
    [most] = found
    assert len(exactile.draw_pages(boards("pentominoes-6x10"), cell=most)) == 1


@pytest.mark.parametrize(
    ("name", "size"), [("pentominoes-6x10", "3000 x 1800"), ("tetrasticks-5x5", "1500 x 1500")]
)
def test_a_board_that_does_not_fit_is_measured_without_margins(name: str, size: str) -> None:
    with pytest.raises(PictureError, match=f"{name} measures {size} mm with cells of 300 mm"):
        exactile.draw_pages(boards(name), cell=300)


def test_a_pdf_has_the_pages_in_their_size() -> None:
    pages = exactile.draw_pages(boards(*KINDS), paper="letter", per_page=2)
    document = pdf(pages)
    assert len(document) == len(pages) == 3
    assert document[0].get_size() == pytest.approx((612, 792), abs=0.01)


def test_a_bank_that_cannot_fit_is_an_error_with_a_remedy() -> None:
    # Pieces shrink, but not the number of each below it
    hexominoes = piece_set("hexominoes", "square")
    pieces = tuple(hexominoes.piece(name, upper=9) for name in hexominoes.pieces)
    region = Region("square", [(x, y) for x in range(30) for y in range(30)])
    own = [SheetBoard(Puzzle("many", region, pieces), (), "")] * 12
    with pytest.raises(PictureError, match="many do not fit below its board: take fewer boards"):
        exactile.draw_pages(own, per_page=12, bank=True)
    assert len(exactile.draw_pages(own[:1], bank=True)) == 1
    narrow = boards("pentominoes-6x10") * 12  # 10 mm wide: pieces shrink to that
    assert len(exactile.draw_pages(narrow, columns=12, bank=True, per_page=12)) == 1


def test_a_bank_at_actual_size_is_as_wide_as_its_widest_piece() -> None:
    square = exactile.get_lattice("square")
    bar = Piece("bar", square, tuple((x, 0) for x in range(25)), Freedom.FREE, upper=2)
    tall = Region("square", [(x, y) for x in range(2) for y in range(25)])
    board = SheetBoard(Puzzle("tall", tall, (bar,)), (), "")
    assert len(exactile.draw_pages([board], cell=5.0, bank=True)) == 1


def test_wrong_wishes_are_refused() -> None:
    own = boards("soma-cube")
    with pytest.raises(PictureError, match="no paper 'a5'"):
        exactile.draw_pages(own, paper="a5")
    with pytest.raises(PictureError, match=r"cannot measure 0\.01 mm"):
        exactile.draw_pages(own, cell=0.01)
    with pytest.raises(PictureError, match="do not fit a page"):
        exactile.draw_pages(own * 5000, per_page=5000)
    with pytest.raises(PictureError, match="2 pages cannot be one svg file"):
        exactile.write_pages(["<svg/>"] * 2, BytesIO(), "svg")
    with pytest.raises(PictureError, match="There are 0 pages to write"):
        exactile.write_pages([], BytesIO())


def test_captions_have_as_many_lines_as_they_need() -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    words = [f"word{k}" for k in range(30)]
    board = SheetBoard(puzzle, (), "A name\n" + " ".join(words))
    for number in (1, 6):
        (page,) = exactile.draw_pages([board] * number)
        lines = [str(text.text) for text in ET.fromstring(page).iter(f"{SVG}text")]
        assert lines.count("A name") == number
        assert [line for line in lines if "word0" in line] == [lines[1]] * number
        assert " ".join(lines).split().count("word29") == number
        require_apart(page)
    (page,) = exactile.draw_pages([board] * 40, per_page=40)  # small boards: dots replace the rest
    assert page.count("...") == 40
    assert "word29" not in page


def test_cutouts_are_in_true_size_and_outlined_once() -> None:
    puzzle = exactile.load("pentominoes-6x10")
    pages = exactile.draw_cutouts(puzzle.pieces, cell=20)
    assert sum(len(boxes(page)) for page in pages) == 12
    seen = 0
    for page in pages:
        require_apart(page)
        for outline in ET.fromstring(page).iter(f"{SVG}path"):
            if "fill" not in outline.attrib or "data-ruler" in outline.attrib:
                continue
            loop = [tuple(map(float, p.split())) for p in outline.attrib["d"][1:-1].split("L")]
            sides = list(zip(loop, [*loop[1:], loop[0]], strict=True))
            area = sum(a[0] * b[1] - a[1] * b[0] for a, b in sides) / 2
            assert abs(area) == pytest.approx(5 * 400, abs=0.01)
            assert len({frozenset(side) for side in sides}) == len(sides)
            seen += 1
    assert seen == 12


@pytest.mark.parametrize(
    ("lattice", "name", "areas"),
    [
        ("triangle", "hexiamonds", [6 * 3**0.5 / 4] * 12),
        ("hexagon", "tetrahexes", [4 * 3**1.5 / 2] * 7),
        ("octasquares", "monoctasquares", [1, 2 + 8**0.5]),
        ("bevelhexagons", "monobevelhexes", [1, 3**1.5 / 2, 6 + 27**0.5]),
    ],
)
def test_cutouts_of_other_lattices_measure_their_sides(
    lattice: str, name: str, areas: list[float]
) -> None:
    forms = piece_set(name, exactile.get_lattice(lattice))
    pieces = [forms.piece(each) for each in forms.pieces]
    found = []
    for page in exactile.draw_cutouts(pieces, cell=10):
        for outline in ET.fromstring(page).iter(f"{SVG}path"):
            if outline.attrib.get("fill", "none") == "none":
                continue
            area = 0.0
            for part in outline.attrib["d"].strip("MZ").split("ZM"):
                loop = [tuple(map(float, p.split())) for p in part.split("L")]
                sides = zip(loop, [*loop[1:], loop[0]], strict=True)
                area += sum(a[0] * b[1] - a[1] * b[0] for a, b in sides) / 2
            found.append(abs(area))
    assert sorted(found) == pytest.approx([100 * area for area in areas], abs=0.5)


def test_cutouts_of_sticks_and_solids_are_pages_too() -> None:
    for name in ("tetrasticks-5x5", "soma-cube"):
        pages = exactile.draw_cutouts(exactile.load(name).pieces, cell=20)
        for page in pages:
            require_apart(page)


def filled(pages: list[str]) -> set[str]:
    """Return what is used as a fill or a stroke on pages."""
    return {found for page in pages for found in re.findall(r' (?:fill|stroke)="([^"]+)"', page)}


def is_gray(color: str) -> bool:
    return not color.startswith("#") or color[1:3] == color[3:5] == color[5:7]


@pytest.mark.parametrize("colors", ["gray", "patterns"])
def test_gray_and_patterns_have_no_color(colors: str) -> None:
    solutions = [solved(exactile.load(name)) for name in KINDS]
    pages = exactile.draw_pages(solutions, colors=colors, bank=True)  # type: ignore[arg-type]
    pages += exactile.draw_cutouts(solutions[0].puzzle.pieces, colors=colors)  # type: ignore[arg-type]
    marks = {f"url(#pattern-{k})" for k in range(12)} if colors == "patterns" else set()
    used = filled(pages)
    assert {fill for fill in used if fill.startswith("url(#pattern")} == marks
    light = {fill for fill in used if not is_gray(fill)}
    # Lines between the cells of a pattern have its color, made darker
    assert light <= {shade(mark, factor) for mark in MARKS for factor in (0.75, 0.8)}
    for page in pages:
        known = set(re.findall(r'id="([^"]+)"', page))
        assert set(re.findall(r"url\(#([^)]+)\)", page)) <= known


def test_pieces_that_touch_have_different_grays_and_patterns() -> None:
    board = solved(exactile.load("pentominoes-6x10"))
    cover = Cover(board.puzzle, board.placements)
    for colors in ("gray", "patterns"):
        chosen = inked(board.puzzle, board.placements, colors)
        for number, others in enumerate(cover.touching):
            assert chosen[number] not in {chosen[other] for other in others}


def test_every_pattern_is_different() -> None:
    assert len(set(STROKES)) == len(STROKES) == len(set(MARKS)) == len(MARKS)
    assert len({*GRAYS}) == len(GRAYS)
    assert all(map(is_gray, GRAYS))


@pytest.mark.parametrize(("paper", "columns"), [("letter", 4), ("a4", 7)])
def test_boards_of_a_row_fit_however_their_width_is_rounded(paper: str, columns: int) -> None:
    some = boards("pentominoes-6x10") * columns
    (page,) = exactile.draw_pages(some, paper=paper, per_page=columns, columns=columns)
    assert len({left for left, *_ in boxes(page)}) == columns
    require_apart(page)
