"""Meshes of pieces: volumes by formulas of their own, and surfaces judged by another library."""

from __future__ import annotations

from itertools import combinations
from math import cos, pi, radians, sin, sqrt, tan
from typing import Any

import networkx as nx
import numpy as np
import pytest

import exactile
from exactile.errors import PieceError, PuzzleError
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import customary_freedom
from exactile.render.making.meshes import Maker, TriangleMesh
from exactile.render.making.parts import LEAST, Parts, Sizes, is_upright, parts_of
from support.few import few

manifold3d = pytest.importorskip("manifold3d", reason="the extra make is not installed")
trimesh = pytest.importorskip("trimesh", reason="the extra make is not installed")

CELL, WALL, GAP = 14.0, 2.0, 0.3

SOLIDS = {
    "cube": (1.0,),
    "rhombic-tetrahedra": (1 / 24,) * 24,
    "tetrahedra-octahedra": (sqrt(2) / 12, sqrt(2) / 3, sqrt(2) / 12),
}
"""The volume of a cell of each type whose longest side is 1."""

EDGES = {"square": 4, "triangle": 6, "hexagon": 3}
"""How many edges meet at a vertex."""


def surface(mesh: TriangleMesh) -> Any:
    """Return a mesh as one of trimesh."""
    return trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False)


def area(corners: np.ndarray) -> float:
    """Return the area of a polygon in the plane, by the formula of Gauss."""
    x, y = corners.T
    return float(abs(sum(x[k - 1] * y[k] - x[k] * y[k - 1] for k in range(len(x)))) / 2)


def base(lattice: Lattice, kind: int) -> np.ndarray:
    """Return the polygon of a flat cell, or below a prism, for cells of size 1."""
    corners = np.array(lattice.faces[kind][0])
    return np.asarray((corners @ np.array(lattice.embedding))[:, :2])


def volume(lattice: Lattice, kind: int) -> float:
    """Return the volume of a cell, a bar or a plate, in cubic millimeters."""
    if lattice.name in SOLIDS:
        return SOLIDS[lattice.name][kind] * CELL**3
    if lattice.name == "tetrahedra-octants":  # octants are half as large as tetrahedra
        middle = lattice.faces[kind][0]
        sides = np.linalg.norm(
            np.diff(np.array(middle) @ np.array(lattice.embedding), axis=0), axis=1
        )
        return sqrt(2) / (12 if np.allclose(sides, 1) and _regular(lattice, kind) else 24) * CELL**3
    if lattice.name == "cube-edges":
        return WALL**2 * (CELL - WALL) + 2 * (WALL**3 - (WALL / 2) ** 3) / 6
    if lattice.name == "cube-faces":
        inner, outer = CELL - WALL / 2, CELL - WALL
        return WALL / 2 * inner**2 + (inner**3 - outer**3) / 3
    height = CELL if lattice.dimension == 3 else CELL / 2
    if lattice.name.endswith(("-edges", "-walls")):
        number = EDGES[lattice.name.split("-")[0]]
        half = pi / number
        whole = CELL * WALL - WALL**2 / 2 / tan(half)
        core = WALL / 4 / sin(half) if number > 3 else 0
        return height * (whole - core**2 * sin(2 * half))
    return height * area(base(lattice, kind)) * CELL**2


def _regular(lattice: Lattice, kind: int) -> bool:
    """Return whether all six edges of a tetrahedron have the same length."""
    corners = {tuple(c) for face in lattice.faces[kind] for c in face}
    places = np.array(sorted(corners)) @ np.array(lattice.embedding)
    lengths = [np.linalg.norm(a - b) for a, b in combinations(places, 2)]
    return bool(np.allclose(lengths, lengths[0]))


def small_pieces(lattice: Lattice) -> list[Points]:
    """Return a piece of each order up to 3, the last ones in a way bent or branched."""
    free = customary_freedom(lattice)
    return [generate(lattice, order, free)[-1] for order in (1, 2, 3)]


def require_closed(mesh: TriangleMesh) -> None:
    """Raise if a mesh, with the precision of STL, is not the closed surface of one body."""
    corners = mesh.vertices.astype(np.float32)[mesh.triangles].reshape(-1, 3)
    body = trimesh.Trimesh(corners, np.arange(len(corners)).reshape(-1, 3), process=True)
    assert body.is_watertight
    assert body.is_winding_consistent
    assert body.volume > 0
    assert nx.number_connected_components(nx.Graph(body.edges.tolist())) == 1


@pytest.mark.parametrize("name", lattice_names())
def test_volumes_are_those_of_the_cells(name: str) -> None:
    lattice = get_lattice(name)
    maker = Maker(lattice, Sizes(CELL, gap=0, wall=WALL))
    for units in small_pieces(lattice):
        mesh = maker.piece(units)
        require_closed(mesh)
        if lattice.balls:
            ball, neck = pi / 6 * CELL**3, 0.05 * CELL**3
            assert 0.98 * ball * len(units) < surface(mesh).volume < (ball + neck) * len(units)
            continue
        exact = sum(volume(lattice, kind) for kind in lattice.types(units).tolist())
        cores = surface(mesh).volume - exact
        if lattice.crossing or name in ("cube-edges", "cube-faces"):
            assert -0.02 < cores < 0.1 * exact  # what joins opposite edges is counted below
        else:
            assert cores == pytest.approx(0, abs=3e-5 * exact)


@pytest.mark.parametrize("name", lattice_names())
def test_pieces_with_a_gap_are_closed_and_smaller(name: str) -> None:
    lattice = get_lattice(name)
    units = small_pieces(lattice)[1]
    whole, less = (Maker(lattice, Sizes(CELL, gap=gap, wall=WALL)).piece(units) for gap in (0, GAP))
    require_closed(less)
    assert surface(less).volume < surface(whole).volume
    assert (np.array(less.size) <= np.array(whole.size) + 1e-3).all()


@pytest.mark.parametrize("name", lattice_names())
def test_a_piece_elsewhere_is_the_same_piece_moved(name: str) -> None:
    lattice = get_lattice(name)
    sizes = Sizes(CELL, height=5, gap=GAP, wall=WALL)
    units = np.array(small_pieces(lattice)[1])
    away = units + lattice.period * np.array((3, -2, 2)[: lattice.dimension])
    maker = Maker(lattice, sizes)
    first, moved = maker.piece(units), maker.piece(away)
    moved_parts, parts = (parts_of(lattice, each, sizes) for each in (away, units))
    shift = middle(moved_parts) - middle(parts)
    assert moved.vertices == pytest.approx(first.vertices + shift, abs=1e-5)
    assert moved.triangles is first.triangles  # computed once


def middle(parts: Parts) -> np.ndarray:
    """Return the mean of all corners of parts."""
    corners = np.concatenate([face for part in parts.values() for face in part])
    return np.asarray(corners.mean(axis=0))


FLAT = [n for n in lattice_names() if len(get_lattice(n).faces[0][0]) > 2]


@pytest.mark.parametrize("name", [n for n in FLAT if get_lattice(n).dimension == 2])
def test_a_gap_moves_each_side_of_a_flat_cell_by_half_of_it(name: str) -> None:
    lattice = get_lattice(name)
    for origin in lattice.origins[:3]:
        kind = int(lattice.types(np.array([origin]))[0])
        corners = base(lattice, kind) * CELL
        before, after = (
            corners - np.roll(corners, 1, axis=0),
            np.roll(corners, -1, axis=0) - corners,
        )
        turns = [
            abs(np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b))
            for a, b in zip(before, after, strict=True)
        ]
        around = np.linalg.norm(after, axis=1).sum()
        half = GAP / 2
        less = area(corners) - half * around + half**2 * sum(tan(turn / 2) for turn in turns)
        mesh = Maker(lattice, Sizes(CELL, height=3, gap=GAP)).piece([origin])
        assert surface(mesh).volume == pytest.approx(3 * less, rel=1e-4)


def test_sizes_are_right_to_a_hundredth_of_a_millimeter() -> None:
    cubes = Maker(get_lattice("cube"), Sizes(20, gap=0.2)).piece([(0, 0, 0), (1, 0, 0), (1, 1, 0)])
    assert cubes.size == pytest.approx((39.8, 39.8, 19.8), abs=1e-3)
    assert surface(cubes).volume == pytest.approx((39.8**2 - 20**2) * 19.8)
    hexagon = Maker(get_lattice("hexagon"), Sizes(10, height=4, gap=0)).piece([(0, 0)])
    assert sorted(hexagon.size) == pytest.approx([4, 10 * sqrt(3), 20], abs=1e-3)
    layers = Maker(get_lattice("triangle-prisms"), Sizes(10, height=4, gap=0))
    two = layers.piece(get_lattice("triangle-prisms").points([(0, 0, 0, 0), (0, 0, 1, 0)]))
    assert two.size == pytest.approx((10, 10 * cos(radians(30)), 8), abs=1e-3)


def test_a_large_piece_of_many_corners_has_the_volume_of_its_inset() -> None:
    comb = [(x, y) for x in range(41) for y in range(10) if y == 0 or x % 2 == 0]
    mesh = Maker(get_lattice("square"), Sizes(10, height=4, gap=0.2)).piece(comb)
    inside = set(comb)
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    around = sum((x + dx, y + dy) not in inside for x, y in comb for dx, dy in steps)
    inset = len(comb) * 100 - around * 10 * 0.1 + 4 * 0.1**2  # four more corners out than in
    assert surface(mesh).volume == pytest.approx(4 * inset, rel=1e-5)


@pytest.mark.parametrize(
    ("name", "points", "sectors"),
    [
        ("square-edges", [(1, 0), (3, 0)], 4),
        ("square-edges", [(1, 0), (2, 1)], 0),
        ("triangle-edges", [(1, 0), (3, 0)], 6),
        ("triangle-edges", [(1, 0), (2, 1)], 3),
        ("triangle-edges", [(1, 0), (0, 1)], 0),
        ("hexagon-edges", [(2, 1), (1, 2)], 0),
    ],
)
def test_wide_turns_have_the_sectors_of_the_core_that_the_crossing_rule_names(
    name: str, points: list[tuple[int, int]], sectors: int
) -> None:
    lattice = get_lattice(name)
    mesh = Maker(lattice, Sizes(CELL, gap=0, wall=WALL)).piece(points)
    more = surface(mesh).volume - 2 * volume(lattice, 0)
    number = EDGES[name.split("-")[0]]
    sector = CELL / 2 * (WALL / 4 / sin(pi / number)) ** 2 * sin(2 * pi / number) / 2
    assert more == pytest.approx(sectors * sector, abs=0.02)


def solids(puzzle: exactile.Puzzle, gap: float) -> list[Any]:
    """Return the pieces of a solution in their places."""
    maker = Maker(puzzle.lattice, Sizes(CELL, gap=gap, wall=WALL))
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    return [solid(maker.piece(placement.units)) for placement in solution]


def solid(mesh: TriangleMesh) -> Any:
    return manifold3d.Manifold(manifold3d.Mesh64(mesh.vertices, mesh.triangles.astype(np.uint64)))


PUZZLES = ["tetrahexes-4x7", "tetrasticks-5x5-without-h", "soma-cube", "tritrigs-heart-2"]


@pytest.mark.parametrize("name", few(PUZZLES, 2))
def test_pieces_in_their_places_keep_the_gap_and_fit_the_tray(name: str) -> None:
    puzzle = exactile.load(name)
    pieces = solids(puzzle, GAP)
    tray = Maker(puzzle.lattice, Sizes(CELL, gap=GAP, wall=WALL)).tray(puzzle.region.units)
    require_closed(tray)
    for one, other in combinations(pieces, 2):
        assert one.min_gap(other, 1.0) > 0.9 * GAP / 2
    for piece in pieces:
        assert (piece ^ solid(tray)).volume() < 1e-6
    lowered = [piece.translate([0, 0, -WALL / 2]) ^ solid(tray) for piece in pieces]
    assert any(each.volume() > 0 for each in lowered)  # it has a floor


def test_a_box_for_balls_has_room_for_the_necks_between_them() -> None:
    maker = Maker(get_lattice("spheres"), Sizes(CELL, gap=GAP))
    units = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    piece, tray = solid(maker.piece(units)), solid(maker.tray(units))
    for height in (0, CELL / 4, CELL / 2):
        assert (piece.translate([0, 0, height]) ^ tray).volume() < 1e-6


def test_a_tray_of_a_box_has_the_volume_of_its_walls() -> None:
    lattice = get_lattice("square")
    units = lattice.points([(x, y) for x in range(3) for y in range(2)])
    tray = Maker(lattice, Sizes(10, height=4, gap=0.2, wall=2)).tray(units)
    assert tray.size == pytest.approx((34.2, 24.2, 6.1), abs=1e-3)
    room = 30.2 * 20.2 * 4.1  # the floor is lower by half the gap
    assert surface(tray).volume == pytest.approx(34.2 * 24.2 * 6.1 - room, rel=1e-4)


@pytest.mark.parametrize("name", ["square", "cube", "spheres", "hexagon-prisms"])
def test_a_floor_is_as_thick_as_the_walls_whatever_the_gap(name: str) -> None:
    lattice = get_lattice(name)
    units = lattice.points([lattice.coordinates(np.array(lattice.origins[:1]))[0]])
    for sizes in (Sizes(), Sizes(gap=3, wall=1)):
        tray = Maker(lattice, sizes).tray(units)
        bottom, top = tray.vertices[:, 2].min(), tray.vertices[:, 2].max()
        inside = [place for place in tray.vertices[:, 2] if bottom + 1e-6 < place < top - 1e-6]
        assert min(inside) - bottom == pytest.approx(sizes.wall, abs=0.01 * sizes.cell)


@pytest.mark.parametrize("name", ["bedlam-cube", "didrafters-convex-hexagon"])
def test_thin_triangles_leave_no_holes(name: str) -> None:
    puzzle = exactile.load(name)
    maker = Maker(puzzle.lattice, Sizes())
    require_closed(maker.tray(puzzle.region.units))
    for piece in puzzle.pieces[:3]:
        require_closed(maker.piece(piece.units))


def test_corners_of_balls_are_not_moved() -> None:
    lattice = get_lattice("spheres")
    mesh = Maker(lattice, Sizes(CELL, gap=GAP)).piece([(0, 0, 0)])
    distances = np.linalg.norm(mesh.vertices, axis=1)
    assert distances == pytest.approx(np.full(len(distances), (CELL - GAP) / 2), abs=1e-5)


def test_a_piece_may_touch_itself_at_an_edge() -> None:
    units = [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 2), (2, 1)]  # (2, 1) and (1, 2) touch
    for gap in (0.0, 0.2):
        mesh = Maker(get_lattice("square"), Sizes(10, height=4, gap=gap)).piece(units)
        assert surface(mesh).is_watertight
        assert mesh.size == pytest.approx((30 - gap, 30 - gap, 4), abs=1e-3)


def test_units_that_touch_at_corners_are_no_piece() -> None:
    maker = Maker(get_lattice("square"), Sizes())
    with pytest.raises(PieceError, match=r"piece XX cannot be made: .* 2 parts"):
        maker.piece([(0, 0), (1, 1)], "XX")


def test_a_gap_that_cuts_a_piece_apart_is_named() -> None:
    bent = get_lattice("square-edges").points([(0, 0, 0), (1, 0, 1)])
    for gap in (0.0, 0.5):
        Maker(get_lattice("square-edges"), Sizes(5, gap=gap, wall=1)).piece(bent)
    with pytest.raises(PuzzleError, match=r"A gap of 0\.8 mm cuts V2 into 2 parts: write less"):
        Maker(get_lattice("square-edges"), Sizes(5, gap=0.8, wall=1)).piece(bent, "V2")


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"cell": 0}, "cell is 0 mm: it must be at least 0.5 mm"),
        ({"cell": 0.001}, "cell is 0.001 mm: it must be at least 0.5 mm"),
        ({"wall": 1e-9}, "wall is 1e-09 mm: it must be at least 0.1 mm"),
        ({"cell": 1e9}, "must be at least 0.5 mm, up to 10 m"),
        ({"gap": -1}, "gap is -1 mm: it must be 0 or at least 0.001 mm"),
        ({"cell": 10, "gap": 3}, "too wide for cells of 10 mm: write 2 mm"),
        ({"height": 0}, "height is 0 mm"),
    ],
)
def test_impossible_sizes_are_refused(sizes: dict[str, float], words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        Sizes(**sizes)


@pytest.mark.parametrize("name", ["square-edges", "triangle-walls", "cube-edges", "cube-faces"])
def test_bars_that_leave_nothing_of_an_edge_are_refused(name: str) -> None:
    lattice = get_lattice(name)
    with pytest.raises(
        PuzzleError, match=r"A wall of 9 mm is too thick .* write [\d.]+ mm at most"
    ):
        Maker(lattice, Sizes(10, wall=9)).piece([lattice.origins[0]])


def test_a_bar_may_be_as_thick_as_the_error_says() -> None:
    lattice = get_lattice("hexagon-edges")
    with pytest.raises(PuzzleError, match=r"write 20\.7 mm at most"):
        Maker(lattice, Sizes(15, wall=25)).piece([lattice.origins[0]])
    assert Maker(lattice, Sizes(15, wall=20.7)).piece([lattice.origins[0]]).size[2] == 7.5


@pytest.mark.parametrize("name", ["square", "cube", "square-edges", "triangle-walls"])
@pytest.mark.parametrize("gap", [0.0, LEAST["gap"], 0.02])
def test_the_smallest_sizes_can_be_made(name: str, gap: float) -> None:
    lattice = get_lattice(name)
    maker = Maker(lattice, Sizes(LEAST["cell"], LEAST["height"], gap, LEAST["wall"]))
    for units in small_pieces(lattice):
        assert surface(maker.piece(units)).is_watertight
        assert surface(maker.tray(units)).is_watertight


def test_a_gap_as_wide_as_a_bar_is_refused() -> None:
    maker = Maker(get_lattice("triangle-walls"), Sizes(0.5, height=0.1, gap=0.1, wall=0.1))
    with pytest.raises(PuzzleError, match=r"A gap of 0\.1 mm leaves nothing of I"):
        maker.piece([(0, 1, 0)], "I")


def test_layers_stay_layers_only_on_prisms() -> None:
    solid_ones = {n for n in lattice_names() if get_lattice(n).dimension == 3}
    upright = {n for n in solid_ones if is_upright(get_lattice(n))}
    assert upright == {n for n in solid_ones if n.endswith(("-prisms", "-walls"))}


@pytest.mark.parametrize("bevel", [0.5, 2.0])
def test_beveled_cubes(bevel: float) -> None:
    maker = Maker(get_lattice("cube"), Sizes(CELL, gap=GAP, bevel=bevel))
    side = CELL - GAP
    mesh = maker.piece([(0, 0, 0)])
    edges = 12 * bevel**2 / 2 * (side - 2 * bevel)
    corners = 8 * (bevel**3 - bevel**3 / 6)
    assert surface(mesh).volume == pytest.approx(side**3 - edges - corners, rel=1e-6)
    assert mesh.size == pytest.approx((side,) * 3)
    corner = surface(maker.piece([(0, 0, 0), (1, 0, 0), (0, 1, 0)]))
    sharp = surface(
        Maker(maker.lattice, Sizes(CELL, gap=GAP)).piece([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    )
    assert corner.is_watertight
    assert corner.extents == pytest.approx(sharp.extents)
    # Of its 18 edges all but one point outwards, and all together are 28 sides long, less the gaps.
    assert 0 < sharp.volume - corner.volume < 28 * CELL * bevel**2 / 2


@pytest.mark.parametrize("name", ["hexagon", "tetrahedra-octahedra", "triangle-prisms"])
def test_bevels_of_other_cells(name: str) -> None:
    lattice = get_lattice(name)
    piece = generate(lattice, 3, customary_freedom(lattice))[0]
    plain, beveled = (
        surface(Maker(lattice, Sizes(CELL, gap=GAP, bevel=b)).piece(piece)) for b in (0.0, 1.0)
    )
    assert beveled.is_watertight
    assert beveled.is_winding_consistent
    assert 0.7 * plain.volume < beveled.volume < plain.volume
    outside = manifold3d.Manifold(
        manifold3d.Mesh64(beveled.vertices, beveled.faces.astype(np.uint64))
    )
    outside -= manifold3d.Manifold(manifold3d.Mesh64(plain.vertices, plain.faces.astype(np.uint64)))
    assert outside.volume() < 1e-3 * plain.volume


def test_bevels_that_are_refused() -> None:
    for name in ("spheres", "square-edges"):
        lattice = get_lattice(name)
        maker = Maker(lattice, Sizes(CELL, bevel=1.0))
        with pytest.raises(PuzzleError, match="no edges to be beveled"):
            maker.piece([lattice.origins[0]])
    with pytest.raises(PuzzleError, match="A bevel of 3 mm is too wide for cells of 14 mm"):
        Sizes(CELL, bevel=3.0)


@pytest.mark.parametrize(("gap", "wall", "cell"), [(0.3, 2.5, 12), (0.1, 2.7, 11), (0.37, 2.7, 11)])
def test_all_orientations_of_sticks_in_space_have_the_same_size(
    gap: float, wall: float, cell: float
) -> None:
    piece = exactile.load("space-disticks-cube").piece("P2x2")
    maker = Maker(piece.lattice, Sizes(cell, None, gap, wall))
    sizes = {tuple(sorted(np.round(maker.piece(aspect).size, 3))) for aspect in piece.aspects}
    assert sizes == {(wall, *[round(cell + wall / 4 - gap / 2, 3)] * 2)}
