"""A torus is drawn as the box that its file says, and what wraps is marked."""

from __future__ import annotations

import pickle
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import exactile
from exactile.puzzle import Placement, Puzzle, Region, Solution
from exactile.render import draw_text
from exactile.render.sheets import SheetBoard
from exactile.render.svg import draw_alone, hidden_wrap

SVG = "{http://www.w3.org/2000/svg}svg"


def drawn(name: str) -> str:
    """Return the drawing of a solution."""
    puzzle = exactile.load(name)
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    return exactile.draw_svg(puzzle, solution)


@pytest.mark.parametrize("name", ["tetrominoes-torus-5x4", "tetrominoes-twisted-torus"])
def test_a_twisted_torus_is_drawn_as_its_box(name: str) -> None:
    puzzle = exactile.load(name)
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    rows, _, legend = draw_text(puzzle, solution).partition("\n\n")
    assert [len(row.split()) for row in rows.splitlines()] == [5] * 4
    assert legend
    cells = re.findall(r'<path d="([^"]+)" fill="#', exactile.draw_svg(puzzle, solution))
    corners = [tuple(map(float, c)) for d in cells for c in re.findall(r"[ML](\S+) ([\d.]+)", d)]
    assert len({x for x, _ in corners}) == 6
    assert len({y for _, y in corners}) == 5
    assert "stroke-dasharray" in exactile.draw_svg(puzzle, solution)


STRIP = """format = 1
[puzzle.strip]
lattice = "square"
pieces = "2xtetrominoes"
region = { box = [10, 4], wrap = [["x + 10", "3 - y"]] }
"""

STEP = """format = 1
[puzzle.step]
lattice = "square"
pieces = "6xdominoes"
region = { units = "0..5,0 3..8,1", wrap = [[6, 0], [0, 2]] }
"""

WRAPS = {
    STEP: "units that are [6, 0] or [0, 2] apart are the same",
    "tetrominoes-torus-5x4": "",
    "tetrominoes-twisted-torus": "units that are [5, 0] or [1, 4] apart are the same",
    STRIP: "(x, y) is (x + 10, -y + 3)",
}


@pytest.mark.parametrize(("name", "words"), WRAPS.items())
def test_words_below_a_board_say_how_it_wraps_if_dashes_do_not(name: str, words: str) -> None:
    puzzle = exactile.load(name)
    board = SheetBoard(puzzle, (), "")
    assert hidden_wrap(puzzle.region) == words
    picture = exactile.draw_svg(puzzle, ())
    texts = re.findall(r'<text[^>]* y="([\d.]+)"[^>]*>([^<]+)', picture)
    assert [text for _, text in texts] == ([words] if words else [])
    rims = [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", picture)]
    assert all(float(y) > max(rims) for y, _ in texts)
    for cell in (None, 12.0):
        (page,) = exactile.draw_pages([board], cell=cell)
        found = [text for text in re.findall(r">([^<]+)</text>", page) if "print at" not in text]
        assert " ".join(found) == words


def test_pieces_on_paper_stand_below_the_words_about_the_wrap() -> None:
    board = SheetBoard(exactile.load(STRIP), (), "")
    for cell in (None, 12.0):
        (page,) = exactile.draw_pages([board], cell=cell, bank=True)
        (block,) = ET.fromstring(page).findall(SVG)
        region, *pieces = block.findall(SVG)
        note = float(block.findall(f"{SVG[:-3]}text")[0].get("y", ""))
        assert float(region.get("y", "")) + float(region.get("height", "")) < note
        assert len(pieces) == 5
        assert all(float(piece.get("y", "")) > note for piece in pieces)


@pytest.mark.parametrize(
    ("name", "per_page"),
    [(STRIP, 1), (STRIP, 6), (STRIP, 20)]
    + [("tetrominoes-twisted-torus", number) for number in (1, 6, 20, 24)],
)
def test_words_about_the_wrap_leave_room_for_the_board(name: str, per_page: int) -> None:
    board = SheetBoard(exactile.load(name), (), "A puzzle whose name takes a line or two")
    for page in exactile.draw_pages([board] * 24, per_page=per_page, bank=True):
        for block in ET.fromstring(page).findall(SVG):
            region = block.findall(SVG)[0]
            assert float(region.get("height", "")) > 5
            words = [float(text.get("y", "")) for text in block.findall(f"{SVG[:-3]}text")]
            top, bottom = float(region.get("y", "")), float(block.get("height", ""))
            assert all(y < top or top + 5 < y < bottom for y in words)


def test_places_are_kept_and_no_part_of_what_a_region_is() -> None:
    box = [(x, y) for x in range(5) for y in range(4)]
    twisted = Region("square", box, wrap=[(5, 0), (1, 4)])
    assert sorted(map(tuple, twisted.places.tolist())) == box
    assert (twisted.index(twisted.places) == np.arange(20)).all()
    again = pickle.loads(pickle.dumps(twisted))
    assert again == twisted == Region("square", twisted.units, wrap=twisted.wrap)
    assert (again.places == twisted.places).all()


def test_the_border_of_a_torus_of_edges_is_closed_by_dashes() -> None:
    picture = drawn("polysticks-123-torus-5x2")
    dashed = re.findall(r'd="([^"]+)"[^>]*stroke-dasharray', picture)
    assert sum(d.count("M") for d in dashed) == 5 + 2
    assert "stroke-dasharray" not in drawn("polysticks-123-4x4-clipped-corners-2")


@pytest.mark.parametrize(
    ("lattice", "number"),
    [("square-edges", 3 + 2), ("triangle-edges", 3 + 2), ("hexagon-edges", 2 * (3 + 2) - 1)],
)
def test_dashes_complete_the_cells_of_a_torus_and_nothing_else(lattice: str, number: int) -> None:
    for shift in [0, 0], [2, 1]:
        torus = exactile.make_puzzle(
            {"orders": [1]}, lattice=lattice, box=(3, 2), shift=shift, wrap=[[3, 0], [0, 2]]
        )
        picture = exactile.draw_svg(torus, ())
        [dashes] = re.findall(r'd="([^"]+)"[^>]*stroke-dasharray', picture)
        assert dashes.count("M") == number
        size = re.search(r'viewBox="0 0 (\S+) (\S+)"', picture)
        assert size is not None
        for x, y in re.findall(r"[ML](\S+) ([-\d.]+)", dashes):
            assert 0 < float(x) < float(size[1])
            assert 0 < float(y) < float(size[2])


def moved(puzzle: Puzzle, solution: Solution, other: Puzzle) -> Solution:
    """Return a solution on a region whose places are those of the puzzle's, all shifted alike."""
    low = [each.region.places.min(axis=0) for each in (puzzle, other)]
    found = puzzle.region.index(other.region.places - low[1] + low[0])
    unit = dict(zip(found.tolist(), map(tuple, other.region.units.tolist()), strict=True))
    return tuple(
        Placement(name, tuple(sorted(unit[k] for k in puzzle.region.index(np.array(units)))))
        for name, units in solution
    )


@pytest.mark.parametrize(
    ("lattice", "wrap"),
    [
        ("square", ["x + 4", "2 - y"]),
        ("hexagon", ["x + y + 4", "2 - y"]),
        ("triangle", ["x + y + 4", "2 - y"]),
        ("square-prisms", ["x + 4", "2 - y", "z"]),
    ],
)
def test_a_moebius_strip_looks_the_same_wherever_it_begins(lattice: str, wrap: list[str]) -> None:
    board = exactile.get_lattice(lattice)
    box = [(x, y) for x in range(4) for y in range(3)]
    every = [(*c, *k) for c in box for k in ([(0,)] if board.dimension == 3 else [()])]
    if len(board.origins) > 1:
        every = [(*c, k) for c in every for k in range(len(board.origins))]
    pieces = {"orders": [1, 2, 3], "ranges": "0..9"}

    def strip(shift: int) -> Puzzle:
        units = [(x + shift, *rest) for x, *rest in every]
        return exactile.make_puzzle(
            [pieces], lattice=lattice, name="strip", units=units, wrap=[wrap]
        )

    here, there = strip(0), strip(2)
    solution = exactile.solve_one(here)
    assert solution is not None
    same = moved(here, solution, there)
    exactile.check(there, same)
    lines = [
        re.sub(r"[A-Z]\d", "  ", draw_text(*each)) for each in ((here, solution), (there, same))
    ]
    assert lines[0] == lines[1]
    assert shapes(exactile.draw_svg(here, solution)) == shapes(exactile.draw_svg(there, same))


def shapes(picture: str) -> list[tuple[str, str]]:
    """Return the polygons and lines of a picture, each with its attributes, sorted."""
    paths = re.findall(r'<path d="([^"]+)"([^>]*)', picture)
    return sorted((part, look) for data, look in paths for part in data.split("M"))


@pytest.mark.parametrize("lattice", ["cube", "hexagon-prisms", "square-prisms"])
@pytest.mark.parametrize("exploded", [False, True])
def test_faces_at_a_seam_are_drawn(lattice: str, exploded: bool) -> None:
    rows = [[(x, y, 0) for x in range(4)] for y in range(2)]
    pieces = {"cells": {"I": rows[0]}, "copies": 2}
    region = {"units": rows[0] + rows[1]}
    box = exactile.make_puzzle(pieces, lattice=lattice, region=region)
    ring = exactile.make_puzzle(pieces, lattice=lattice, region=region | {"wrap": [[4, 0, 0]]})
    solution = exactile.solve_one(box)
    assert solution is not None
    pictures = [draw_alone(each, solution, 640, exploded=exploded).svg() for each in (box, ring)]
    assert pictures[0] == pictures[1]
    words = "units that are [4, 0, 0] apart are the same"  # space has no dashes that show it
    assert words in exactile.draw_svg(ring, solution, exploded=exploded)
