"""Placements can be told apart by their colors however one sees, and without them by names."""

from __future__ import annotations

import re
from collections import Counter
from io import BytesIO
from itertools import combinations

import numpy as np
import pytest

import exactile
from exactile.geometry import get_lattice, lattice_names
from exactile.render import draw_svg, draw_text
from exactile.render.cover import Cover
from exactile.render.forms import draw_cover
from exactile.render.paper import EMPTY_FILL, INK, PALETTE, PAPER, Paper, assign_colors
from exactile.render.pictures import write_pieces
from exactile.render.svg import GENERATED, draw_alone
from exactile.render.svg_plane import Edges, tag
from exactile.render.svg_space import ISOMETRIC, TRIMETRIC, Layers, normal, solid_facets
from support.vision import KINDS, ciede2000, differences, luminance

PUZZLES = {
    "pentominoes-3x20": 12,
    "soma-cube": 7,
    "tetrahexes-4x7": 7,
    "hexiamonds-gyroscope": 12,
    "tetrasticks-5x5-without-l": 15,
    "tritrigs-heart-2": 11,
    "quasi-tritwigs-trefoil-3": 14,
    "dominoids-two-cubes": 6,
    "space-disticks-cube": 6,
    "tetraboloes-7x5-3102": 14,
    "pentakites-trapezoid": 17,
    "didrafters-convex-hexagon": 6,
}


@pytest.mark.parametrize("name", PUZZLES)
def test_every_placement_has_a_name_in_the_picture(name: str) -> None:
    puzzle = exactile.load(name)
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    picture = exactile.draw_svg(puzzle, solution)
    names = re.findall(r"<text[^>]*>([^<]+)</text>", picture)
    pieces = {placement.piece for placement in solution}
    if any(GENERATED.fullmatch(piece) for piece in pieces):  # numbers, and what they stand for
        shown = {name for name in names if names.count(name) > 1}
        assert ("</svg>\n<text" in picture) == (len(pieces) > 1)  # one piece alone needs no name
        assert len(shown) == (len(pieces) if len(pieces) > 1 else 0)
    else:
        assert pieces <= set(names)


@pytest.mark.parametrize("name", ["soma-cube", "dominoids-two-cubes", "space-tetrasticks-cube"])
def test_pieces_in_space_are_drawn_apart_and_whole(name: str) -> None:
    puzzle = exactile.load(name)
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    standing, apart = (exactile.draw_svg(puzzle, solution, exploded=e) for e in (False, True))
    assert "z = 0" in standing
    assert "z = " not in apart
    pieces, *_ = apart.split("<svg x=")  # without the legend
    assert len(re.findall(r"<text[^>]*>([^<]+)</text>", pieces)) == len(solution)
    assert exactile.draw_svg(puzzle, (), exploded=True) == exactile.draw_svg(puzzle, ())


@pytest.mark.parametrize("name", ["soma-cube", "bedlam-cube", "space-tetrasticks-cube"])
def test_no_piece_that_is_drawn_apart_hides_another(name: str) -> None:
    """Seen along the paper in some direction, any two are beside each other."""
    puzzle = exactile.load(name)
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    picture, *_ = exactile.draw_svg(puzzle, solution, exploded=True).split("<svg x=")
    found: dict[str, list[list[float]]] = {}
    for title, body in re.findall(r"<title>([^<]+)</title>\n(<path.*?)</g>", picture, re.DOTALL):
        numbers = re.findall(r"[ML]([\d.]+) ([\d.]+)", body)
        found.setdefault(title, []).extend([float(x), float(y)] for x, y in numbers)
    assert found.keys() == {placement.piece for placement in solution}
    angles = np.radians(range(180))
    ways = np.array([np.cos(angles), np.sin(angles)])
    for one, other in combinations((np.array(places) @ ways for places in found.values()), 2):
        beyond = (one.min(axis=0) > other.max(axis=0)) | (one.max(axis=0) < other.min(axis=0))
        assert beyond.any()


def test_only_faces_toward_the_viewer_are_drawn() -> None:
    puzzle = exactile.load("soma-cube")
    cover = Cover(puzzle, exactile.solve_one(puzzle) or ())
    layers = Layers(cover, 640, ISOMETRIC, whole=ISOMETRIC)
    for unit in range(len(cover.owners)):
        middle = np.mean([face.mean(axis=0) for face in layers.corners[unit]], axis=0)
        facets = list(solid_facets(cover, layers.corners, [unit]))
        across = [(facet.corners.mean(axis=0) - middle).tolist() for facet in facets]
        assert sorted(across) == [[0, -0.5, 0], [0, 0, 0.5], [0.5, 0, 0]]


@pytest.mark.parametrize("name", lattice_names())
def test_normals_of_faces_point_outwards(name: str) -> None:
    lattice = get_lattice(name)
    embedding = np.array(lattice.embedding)
    for cell in lattice.faces:
        faces = [np.array(face) @ embedding for face in cell if len(face) > 2]
        if len(faces) > 1:  # solid cells
            middle = np.mean([face.mean(axis=0) for face in faces], axis=0)
            assert all(normal(face) @ (face.mean(axis=0) - middle) > 0 for face in faces)


@pytest.mark.parametrize("name", ["space-tetrasticks-cube", "space-disticks-cube"])
def test_sticks_in_space_are_whole_in_the_layer_where_they_begin(name: str) -> None:
    puzzle = exactile.load(name)
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    picture, *_ = exactile.draw_svg(puzzle, solution).split("<svg x=")  # without the legend
    drawn = Counter(re.findall(r"<title>([^<]+)</title>", picture)[1:])
    units = Counter[str]()
    for placement in solution:
        units[placement.piece] += len(placement.units)
    assert drawn == units + units  # each edge in the whole, and in one layer
    cover = Cover(puzzle, solution)
    layers = Layers(cover, 640, TRIMETRIC, whole=TRIMETRIC, together=True)
    for mine in cover.units_of:
        assert {layers.level[unit] for unit in mine} == {min(layers.own[unit] for unit in mine)}


def test_an_upright_stick_is_drawn_although_it_has_no_width() -> None:
    stick = exactile.make_puzzle("space-monostick", lattice="cube-edges", units="0,0,1")
    assert draw_svg(stick, exactile.solve_one(stick) or ()).startswith("<svg ")  # no warning


@pytest.mark.parametrize(
    ("name", "beside"), [("soma-cube", True), ("bedlam-cube", False), ("dorian-cube", True)]
)
def test_solids_fill_their_sheet(name: str, beside: bool) -> None:
    puzzle = exactile.load(name)
    drawing = draw_alone(puzzle, (), 640)
    width, height = drawing.size
    assert 0.8 * width < height < 1.35 * width
    places = [
        float(x)
        for d in re.findall(r' d="([^"]+)"', drawing.svg())
        for x in re.findall(r"[ML](-?[\d.]+) ", d)
    ]
    assert max(places) - min(places) > 0.7 * width
    captions = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"', drawing.svg())
    assert (captions[0][1] != captions[1][1]) == beside


def test_polyominoids_are_drawn_as_they_stand_before_their_layers() -> None:
    puzzle = exactile.load("trominoids-four-cubes")
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    picture = exactile.draw_svg(puzzle, solution)
    groups = re.findall(r"<title>([^<]+)</title>", picture)[1:]
    assert len(groups) > len(puzzle.region)  # each face in the whole, the layers by piece
    assert picture.count("z = ") == 3
    bare = exactile.draw_svg(puzzle, ())
    assert len(re.findall(r'<path[^>]*fill="#\w+" stroke="#8b8b8b"', bare)) == len(puzzle.region)


def test_names_beside_single_edges_hide_none_of_them() -> None:
    puzzle = exactile.load("quasi-tritwigs-trefoil-3")
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    cover = Cover(puzzle, solution)
    edges = Edges(cover)
    paper = Paper((place for pair in edges.places for place in pair), 640)
    for unit in {part[0] for parts in cover.parts for part in parts if len(part) == 1}:
        first, second = edges.places[unit]
        (plate, _) = tag(paper, (first + second) / 2, "W13", "#000000", beside=second - first)
        x, y, wide, high = (
            float(re.search(rf' {name}="([^"]+)"', plate)[1])  # type: ignore[index]
            for name in ("x", "y", "width", "height")
        )
        for part in np.linspace(0.25, 0.75, 9):
            u, v = map(float, paper.at(first + part * (second - first)).split())
            assert not (x < u < x + wide and y < v < y + high)


@pytest.mark.parametrize("lattice", ["square-edges", "triangle-edges", "hexagon-edges"])
@pytest.mark.parametrize("box", [(1, 1), (7, 2)])
def test_names_beside_single_edges_are_not_cut_off(lattice: str, box: tuple[int, int]) -> None:
    puzzle = exactile.make_puzzle({"orders": [1], "ranges": "0..99"}, lattice=lattice, box=box)
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    drawing = draw_cover(Cover(puzzle, solution, labels=["W1"] * len(solution)), 640)
    plates = re.findall(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"', drawing.svg())
    assert len(plates) == len(solution)
    for x, y, wide, high in (map(float, plate) for plate in plates):
        assert drawing.blank <= x <= x + wide <= 640 - drawing.blank
        assert 0 <= y <= y + high <= drawing.size[1]


def test_pieces_of_a_legend_have_their_colors() -> None:
    puzzle = exactile.load("didrafters-convex-hexagon")
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    _, *pieces = exactile.draw_svg(puzzle, solution).split("<svg x=")
    colors = [color for piece in pieces for color in PALETTE if f'fill="{color}"' in piece]
    assert colors == [PALETTE[k] for k in range(len(solution))]
    sheet = BytesIO()
    write_pieces(puzzle.pieces, sheet, "svg")
    _, _, *pieces = sheet.getvalue().decode().split("<svg ")
    assert [c for piece in pieces for c in PALETTE if f'fill="{c}"' in piece] == colors


def test_a_piece_in_several_colors_is_white_in_the_legend() -> None:
    puzzle = exactile.make_puzzle(
        {"orders": [3], "ranges": "0..2"}, lattice="cube-edges", box=(1, 1, 1)
    )
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    colors: dict[str, set[str]] = {}
    for (piece, _), color in zip(solution, assign_colors(Cover(puzzle, solution)), strict=True):
        colors.setdefault(piece, set()).add(color)
    several = sum(len(own) > 1 for own in colors.values())
    assert 0 < several < len(colors)
    _, *pieces = exactile.draw_svg(puzzle, solution, exploded=True).split("<svg x=")
    assert len(pieces) == len(colors)
    assert sum(f'stroke="{PAPER}"' in piece for piece in pieces) == several
    assert PAPER not in PALETTE
    whole = {color for piece in pieces for color in PALETTE if f'stroke="{color}"' in piece}
    assert whole == set.union(*(own for own in colors.values() if len(own) == 1))


def test_a_solid_is_drawn_as_it_stands_above_its_layers_on_their_ghosts() -> None:
    puzzle = exactile.load("pentacubes-3x9x9-mound")
    whole = exactile.draw_svg(puzzle, ())
    heights = [float(y) for y in re.findall(r'<text[^>]* y="([\d.]+)"', whole)]
    assert len(heights) == 3  # a caption for each layer, none for the whole above them
    assert heights == sorted(heights)
    (ghost,) = re.findall(r'<path[^>]*stroke-dasharray="3 2"[^>]*>', whole)
    assert ghost.count("M") == 81 - 16  # cells of the lower layers that carry none


def test_a_terminal_gets_blocks_of_color_with_the_same_letters() -> None:
    puzzle = exactile.load("soma-cube")
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    plain, colored = draw_text(puzzle, solution), draw_text(puzzle, solution, color=True)
    bare = re.sub(r"\x1b\[[\d;]*m", "", colored)
    assert [line.split() for line in bare.splitlines()] == [s.split() for s in plain.splitlines()]
    grounds = set(re.findall(r"48;2;(\d+;\d+;\d+)m", colored))
    assert len(grounds) == len(solution)


def test_differences_are_those_of_the_standard() -> None:
    """Three pairs of the table that Sharma, Wu and Dalal (2005) published to test programs by."""
    pairs = [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ]
    for one, two, known in pairs:
        assert ciede2000(np.array(one), np.array(two)) == pytest.approx(known, abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_colors_differ_for_every_kind_of_vision(kind: str) -> None:
    apart = differences([*PALETTE, PAPER, EMPTY_FILL], kind)
    pairs = apart[: len(PALETTE)][:, : len(PALETTE)][np.triu_indices(len(PALETTE), 1)]
    assert pairs.min() > (14 if kind == "all" else 9.3)
    assert apart[:4][:, :4][np.triu_indices(4, 1)].min() > 20
    assert apart[: len(PALETTE), len(PALETTE) :].min() > 7


def test_letters_are_legible_on_every_color() -> None:
    ink = luminance(INK) + 0.05
    assert min((luminance(color) + 0.05) / ink for color in PALETTE) > 4.45
