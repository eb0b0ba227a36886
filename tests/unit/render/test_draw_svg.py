"""SVG drawings are well-formed documents in which every piece can be found and told apart."""

from __future__ import annotations

import re
from collections import Counter
from math import hypot
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import exactile
from exactile.geometry import get_lattice
from exactile.puzzle import Puzzle, Solution
from exactile.render import draw_svg
from exactile.render.cover import Cover
from exactile.render.forms import CLUSTER_SPOT, _front
from exactile.render.paper import PALETTE, assign_colors, paint_fills
from exactile.render.sheets import SheetBoard
from exactile.render.svg import piece_drawing
from exactile.render.svg_plane import sides
from exactile.render.svg_space import ISOMETRIC
from unit.render.examples import ALL, CUBES, HEXAGONS, SQUARES, STICKS, TRIGS, dominoes, solved

SVG = "{http://www.w3.org/2000/svg}"

every_example = pytest.mark.parametrize(("puzzle", "solution"), ALL.values(), ids=ALL)


def titles(document: str) -> list[str]:
    """Return the titles of the groups of a document."""
    root = ET.fromstring(document)
    return [str(title.text) for title in root.findall(f"{SVG}g/{SVG}title")]


PAINTED = {
    "square": ("region.box = [2, 1]", "0,0", "1,0"),
    "triangle": ("region.box = [1, 1]", "0,0,0", "0,0,1"),
    "square-edges": ("region.units = '0,0,0 1,0,0'", "0,0,0", "1,0,0"),
    "cube": ("region.box = [1, 1, 2]", "0,0,0", "0,0,1"),
    "cube-faces": ("region.units = '1,1,0 3,1,0'", "1,1,0", "3,1,0"),
    "cube-edges": ("region.units = '1,0,0 3,0,0'", "1,0,0", "3,0,0"),
}


def painted(lattice: str) -> Puzzle:
    """Return a puzzle with one piece of two units, which have different paints."""
    region, first, second = PAINTED[lattice]
    text = f"""format = 1
[puzzle.painted]
lattice = "{lattice}"
pieces = {{ cells = {{ A = "{first} {second}" }} }}
{region}
paint.region = {{ white = "{first}", b = "{second}" }}
paint.pieces.A = {{ white = "{first}", b = "{second}" }}
"""
    return exactile.load(text)


def spots_of(document: str) -> list[tuple[str, str]]:
    """Return the name and the color of the paint of each spot in a document, sorted."""
    spots = ET.fromstring(document).findall(f".//{SVG}circle")
    return sorted((spot.findtext(f"{SVG}title", ""), spot.get("fill", "")) for spot in spots)


@pytest.mark.parametrize("lattice", PAINTED)
def test_paint_is_drawn_with_and_without_a_solution(lattice: str) -> None:
    puzzle = painted(lattice)
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    for drawn in ((), solution):
        assert spots_of(draw_svg(puzzle, drawn)) == [("b", "#808080"), ("white", "#ffffff")]


def test_a_spot_of_paint_lies_on_its_ball_beside_the_name() -> None:
    lattice = exactile.get_lattice("spheres")
    faces = [np.array(face) @ np.array(lattice.embedding) for face in lattice.faces[0]]
    center = np.mean([face.mean(axis=0) for face in faces], axis=0)
    away = np.linalg.norm((_front(lattice, faces) - center) @ np.array(ISOMETRIC))
    assert 0.1 < away < 0.5 - CLUSTER_SPOT  # a ball is drawn with a larger radius than 0.5


@pytest.mark.parametrize("lattice", PAINTED)
def test_the_paint_of_pieces_is_drawn_on_paper_and_in_legends(lattice: str) -> None:
    puzzle = painted(lattice)
    spots = [("b", "#808080"), ("white", "#ffffff")]
    (page,) = exactile.draw_cutouts(puzzle.pieces, paint=puzzle.paint)
    (bank,) = exactile.draw_pages([SheetBoard(puzzle, (), "")], bank=True)
    legend = piece_drawing(puzzle.pieces[0], 1.0, paint=puzzle.paint).svg()
    assert spots_of(page) == spots_of(legend) == spots
    assert spots_of(bank) == sorted(2 * spots)
    (plain,) = exactile.draw_cutouts(puzzle.pieces)
    assert not spots_of(plain)
    assert spots_of(piece_drawing(puzzle.pieces[0], 1.0).svg()) == []


def test_the_paint_of_pieces_lies_on_their_own_units_in_the_colors_of_the_region() -> None:
    puzzle = exactile.load("""format = 1
[puzzle.two]
lattice = "square"
pieces.cells = { A = "5..7,3", B = "5..7,3" }
region.box = [6, 1]
paint.region = { cyan = "0,0", dark = "3,0", Mud = "5,0" }
paint.pieces = { A = { dark = "5,3", cyan = "7,3" }, B = { dark = "6,3" } }
""")
    fills = paint_fills(puzzle.paint)
    assert len(set(fills.values())) == 3
    a, b = (piece_drawing(p, 1.0, paint=puzzle.paint) for p in puzzle.pieces)
    found = []
    for drawing in (a, b):
        assert set(spots_of(drawing.svg())) <= set(fills.items())
        circles = ET.fromstring(drawing.svg()).findall(f"{SVG}circle")
        width = float(drawing.box[2])
        found.append({c.get("fill", ""): float(c.get("cx", "")) / width for c in circles})
    assert {fill: int(3 * x) for fill, x in found[0].items()} == {
        fills["dark"]: 0,
        fills["cyan"]: 2,
    }
    assert {fill: int(3 * x) for fill, x in found[1].items()} == {fills["dark"]: 1}


@every_example
def test_documents_are_well_formed_and_stand_alone(puzzle: Puzzle, solution: Solution) -> None:
    for drawn in (solution, solution[:1], ()):
        document = draw_svg(puzzle, drawn)
        root = ET.fromstring(document)
        assert root.tag == f"{SVG}svg"
        assert root.get("width") == "640"
        assert root.get("viewBox") == f"0 0 640 {root.get('height')}"
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
            *("svg", "title", "rect", "g", "path", "text"),
        }
        assert not re.search(r"nan|inf|float|href|\d\.\d{3}", document)


@every_example
def test_each_placement_has_a_title(puzzle: Puzzle, solution: Solution) -> None:
    assert set(titles(draw_svg(puzzle, solution))) == {placement.piece for placement in solution}


@pytest.mark.parametrize("example", [SQUARES, HEXAGONS, STICKS, TRIGS, CUBES, dominoes(6, 3)])
def test_in_the_plane_and_of_solids_just_one(example: tuple[Puzzle, Solution]) -> None:
    assert titles(draw_svg(*example)) == [placement.piece for placement in example[1]]


@every_example
def test_a_region_alone_has_no_pieces(puzzle: Puzzle, solution: Solution) -> None:
    document = draw_svg(puzzle, ())
    assert titles(document) == []
    assert not any(color in document for color in PALETTE)


@every_example
def test_the_drawing_has_the_width_asked_for(puzzle: Puzzle, solution: Solution) -> None:
    assert draw_svg(puzzle, solution, width=300).startswith(
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" '
    )


def test_names_are_escaped() -> None:
    document = draw_svg(*solved("square", [("<&>", [(0, 0), (1, 0)])]))
    assert titles(document) == ["<&>"]


def test_touching_copies_have_different_colors() -> None:
    cover = Cover(*dominoes(16, 10))
    colors = assign_colors(cover)
    assert set(colors) == set(PALETTE)
    for mine, others in enumerate(cover.touching):
        assert colors[mine] not in {colors[other] for other in others}


def test_pieces_keep_their_colors_when_others_are_missing() -> None:
    puzzle, solution = SQUARES
    assert assign_colors(Cover(puzzle, solution[1:])) == assign_colors(Cover(puzzle, solution))[1:]


@pytest.mark.parametrize("name", ["square", "hexagon", "triangle"])
def test_each_side_of_a_cell_has_a_neighbor_across(name: str) -> None:
    lattice = get_lattice(name)
    for kind, around in enumerate(sides(lattice)):
        assert Counter(offset for _, _, offset in around) == Counter(lattice.neighbors[kind])


def test_a_thick_outline_surrounds_each_piece_once() -> None:
    document = draw_svg(*solved("square", [("I2", [(0, 0), (1, 0)]), ("I1", [(0, 1)])]))
    outline = ET.fromstring(document).findall(f"{SVG}path")[-1]
    assert outline.get("d", "").count("M") == 9


def test_the_seam_of_a_torus_is_dashed() -> None:
    placements = [("I2", [(0, 0), (2, 0)]), ("I1", [(1, 0)])]
    assert "stroke-dasharray" in draw_svg(*solved("square", placements, wrap=[(3, 0)]))
    assert "stroke-dasharray" not in draw_svg(*solved("square", placements))


def test_edges_that_turn_are_joined_by_curves_and_others_are_not() -> None:
    turned = draw_svg(*solved("square-edges", [("V2", [(0, 0, 0), (1, 0, 1)])]))
    straight = draw_svg(*solved("square-edges", [("I2", [(0, 0, 0), (1, 0, 0)])]))
    assert turned.count("Q") == 2  # the dark edge and the color
    assert straight.count("Q") == 0


def test_balls_that_touch_are_not_drawn_apart() -> None:
    """Along each of the six directions in which balls touch."""
    steps = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, -1, 0), (1, 0, -1), (0, 1, -1)]
    for step in steps:
        balls = [(0, 0, 0), step]
        root = ET.fromstring(draw_svg(*solved("spheres", [("I", balls)])))
        circles = [c for c in root.iter(f"{SVG}circle") if c.get("stroke")]
        (x, y, r), (u, v, s) = (
            [float(c.attrib[k]) for k in ("cx", "cy", "r")] for c in circles[:2]
        )
        assert r == s
        assert hypot(u - x, v - y) <= 2.001 * r


def test_a_cube_with_others_on_all_sides_shows_its_top_only() -> None:
    block = solved("cube", [("N", [(x, y, 0) for x in range(3) for y in range(3)])])
    root = ET.fromstring(draw_svg(*block))
    fills = [p.get("d", "") for p in root.iter(f"{SVG}path") if p.get("fill", "").startswith("#")]
    assert sum(data.count("Z") for data in fills) == 9 + 3 + 3
