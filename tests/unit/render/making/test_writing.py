"""Files of meshes, read back by a library that did not write them."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from itertools import product
from pathlib import Path
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import numpy as np
import pytest

import exactile
from exactile import Freedom, Placement
from exactile.errors import PuzzleError
from exactile.render.making.meshes import WRITERS, Body, TriangleMesh
from exactile.render.making.verbs import MOST_COPIES, make

trimesh = pytest.importorskip("trimesh", reason="the extra make is not installed")
pytest.importorskip("manifold3d", reason="the extra make is not installed")
pytest.importorskip("lxml", reason="trimesh reads 3MF with lxml, which is not installed")


@pytest.fixture(scope="module")
def soma(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "soma"
    puzzle = exactile.load("soma-cube")
    make(puzzle, folder, exactile.solve_one(puzzle), cell=10, gap=0.2, wall=2)
    return folder


def test_names_of_files(soma: Path) -> None:
    files = {str(path.relative_to(soma)) for path in soma.rglob("*") if path.is_file()}
    shown = {f"{name}.{form}" for name in ("assembled", "exploded", "tray") for form in WRITERS}
    assert files == {"pieces.3mf", *shown, *(f"pieces/{name}.stl" for name in "LTVZabp")}


def test_pieces_have_the_sizes_that_were_asked_for(soma: Path) -> None:
    extents = [
        tuple(sorted(trimesh.load_mesh(path).extents.round(3).tolist()))
        for path in (soma / "pieces").glob("*.stl")
    ]
    assert Counter(extents) == {
        (9.8, 19.8, 29.8): 3,  # L, T, Z
        (9.8, 19.8, 19.8): 1,  # V
        (19.8, 19.8, 19.8): 3,
    }


def test_3mf_has_millimeters_names_and_every_piece(soma: Path) -> None:
    scene = trimesh.load_scene(soma / "assembled.3mf")
    assert scene.units == "millimeter"
    assert set(scene.geometry) == set("LTVZabp")
    assert scene.extents == pytest.approx((29.8, 29.8, 29.8), abs=1e-3)
    for mesh in scene.geometry.values():
        assert mesh.is_watertight
    apart = trimesh.load_scene(soma / "exploded.3mf")
    assert (apart.extents > 40).all()
    assert apart.geometry["L"].volume == pytest.approx(scene.geometry["L"].volume)


def test_names_in_3mf_are_escaped() -> None:
    corners, triangles = np.vstack([np.zeros(3), np.eye(3)]), np.array([(0, 2, 1), (0, 1, 3)])
    stream = BytesIO()
    WRITERS["3mf"]([Body('"<&>\x01', TriangleMesh(corners, triangles))], stream)
    root = ET.fromstring(ZipFile(stream).read("3D/3dmodel.model"))
    names = [each.attrib["name"] for each in root.iter() if "name" in each.attrib]
    assert names == ['"<&> '] * 2


def test_stl_and_3mf_have_the_same_surface(soma: Path) -> None:
    for name in ("assembled", "exploded", "tray"):
        plain = trimesh.load_mesh(soma / f"{name}.stl")
        named = trimesh.load_scene(soma / f"{name}.3mf").to_mesh()
        assert plain.is_watertight
        assert plain.volume == pytest.approx(named.volume, rel=1e-5)
        assert plain.bounds == pytest.approx(named.bounds, abs=1e-4)


def test_pieces_lie_side_by_side_with_their_copies(tmp_path: Path) -> None:
    puzzle = exactile.make_puzzle("4xdomino, 2xtetrominoes:O4", box=(4, 4))
    make(puzzle, tmp_path / "a", exactile.solve_one(puzzle), cell=10, gap=0.2)
    scene = trimesh.load_scene(tmp_path / "a" / "pieces.3mf")
    boxes = [
        trimesh.transform_points(scene.geometry[name].bounds, matrix)
        for matrix, name in (scene.graph[node] for node in scene.graph.nodes_geometry)
    ]
    assert len(boxes) == 6
    assert min(low[2] for low, _ in boxes) == pytest.approx(0)
    for k, (low, high) in enumerate(boxes):
        for other, far in boxes[:k]:
            assert ((low > far + 4) | (other > high + 4)).any()


def test_equal_pieces_give_equal_files(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        make("trominoes", tmp_path / folder)
    first = {p.name: p.read_bytes() for p in (tmp_path / "a").rglob("*.*")}
    assert first == {p.name: p.read_bytes() for p in (tmp_path / "b").rglob("*.*")}
    assert len(first) == 4


def test_names_are_safe_in_files_and_in_xml(tmp_path: Path) -> None:
    square = exactile.get_lattice("square")
    odd = ['../<"&>', "a", "A"]
    free, bar = exactile.Freedom.FREE, ((0, 0), (0, 1), (0, 2))
    pieces = tuple(exactile.Piece(name, square, bar, free) for name in odd)
    files = make(pieces, tmp_path / "odd")
    names = ["_______.stl", "a.stl", "A-2.stl", "pieces.3mf", "paper.pdf"]
    assert [file.path.name for file in files] == names
    scene = trimesh.load_scene(tmp_path / "odd" / "pieces.3mf")
    assert set(scene.geometry) == set(odd)


def test_no_file_takes_the_name_of_another(tmp_path: Path) -> None:
    square = exactile.get_lattice("square")
    names = ["a", "A", "A-2", "a-2", "a?", "a_"]
    pieces = tuple(
        exactile.Piece(name, square, tuple((x, 0) for x in range(k)), exactile.Freedom.FREE)
        for k, name in enumerate(names, 1)
    )
    files = [f for f in make(pieces, tmp_path / "same", cell=10) if f.path.suffix == ".stl"]
    assert len({f.path.name.lower() for f in files}) == len(names)
    for order, file in enumerate(files, 1):
        assert trimesh.load_mesh(file.path).extents.max() == pytest.approx(10 * order - 0.2)


def test_pieces_without_a_gap_are_closed_one_by_one(tmp_path: Path) -> None:
    puzzle = exactile.load("soma-cube")
    make(puzzle, tmp_path / "tight", exactile.solve_one(puzzle), cell=10, gap=0)
    named = trimesh.load_scene(tmp_path / "tight" / "assembled.3mf").geometry
    assert all(mesh.is_watertight for mesh in named.values())
    assert sum(mesh.volume for mesh in named.values()) == pytest.approx(27 * 10**3)
    assert not trimesh.load_mesh(tmp_path / "tight" / "assembled.stl").is_watertight


def test_no_copies_are_left_out(tmp_path: Path) -> None:
    square = exactile.get_lattice("square")

    def monominoes(number: int) -> exactile.Piece:
        return exactile.Piece("O", square, ((0, 0),), exactile.Freedom.FREE, number, number)

    make((monominoes(MOST_COPIES),), tmp_path / "most", cell=5)
    scene = trimesh.load_scene(tmp_path / "most" / "pieces.3mf")
    assert len(scene.graph.nodes_geometry) == MOST_COPIES
    with pytest.raises(PuzzleError, match=f"O is needed {MOST_COPIES + 1} times"):
        make((monominoes(MOST_COPIES + 1),), tmp_path / "more", cell=5)
    assert not (tmp_path / "more").exists()


def test_parts_of_a_3mf_file_are_declared() -> None:
    mesh = _tetrahedron()
    stream = BytesIO()
    WRITERS["3mf"]([Body("A", mesh, [(0, 0, 0), (5, 0, 0)])], stream)
    with ZipFile(stream) as archive:
        assert archive.testzip() is None
        model = archive.read("3D/3dmodel.model").decode()
    assert model.count("<item ") == 2
    assert model.count("<triangle ") == 4


def _tetrahedron() -> TriangleMesh:
    corners = np.vstack([np.zeros(3), np.eye(3)])
    return TriangleMesh(corners, np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]))


def test_a_wrapped_region_gives_pieces_alone(tmp_path: Path) -> None:
    puzzle = exactile.load("tetrahexes-torus-7x4")
    files = make(puzzle, tmp_path / "torus", exactile.solve_one(puzzle))
    assert {file.path.suffix for file in files} == {".stl", ".3mf", ".pdf"}
    assert not [file for file in files if file.path.stem in ("tray", "assembled")]


def test_nothing_is_left_of_what_failed(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="cannot be made"):
        make("quasi-tetrominoes", tmp_path / "quasi")
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_solution_is_refused(tmp_path: Path) -> None:
    puzzle = exactile.load("soma-cube")
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    with pytest.raises(exactile.ExactileError):
        make(puzzle, tmp_path / "wrong", solution[:-1])
    with pytest.raises(PuzzleError, match="A solution needs its puzzle"):
        make("soma-cubes", tmp_path / "wrong", solution)


def test_gltf_is_in_meters_and_upright(soma: Path) -> None:
    scene = trimesh.load_scene(soma / "assembled.glb")
    assert scene.extents == pytest.approx((0.0298, 0.0298, 0.0298), abs=1e-6)
    assert len(scene.graph.nodes_geometry) == 7
    tray = trimesh.load_scene(soma / "tray.glb")
    stl = trimesh.load_mesh(soma / "tray.stl")
    across, deep, high = (stl.extents / 1000).tolist()
    assert tray.extents == pytest.approx((across, high, deep), abs=1e-6)
    [mesh] = tray.geometry.values()
    mesh.merge_vertices()
    assert mesh.is_watertight
    assert mesh.volume == pytest.approx(stl.volume / 1e9, rel=1e-4)
    assert len({tuple(g.visual.material.baseColorFactor) for g in scene.geometry.values()}) == 7


def test_gltf_has_every_copy_of_a_piece(tmp_path: Path) -> None:
    puzzle = exactile.load("dominoes-4x4")
    make(puzzle, tmp_path / "d", exactile.solve_one(puzzle))
    for name in ("assembled", "exploded"):
        scene = trimesh.load_scene(tmp_path / "d" / f"{name}.glb")
        assert len(scene.graph.nodes_geometry) == 8
        across, deep, high = (
            trimesh.load_mesh(tmp_path / "d" / f"{name}.stl").extents / 1000
        ).tolist()
        assert scene.extents == pytest.approx((across, high, deep), abs=1e-6)


def test_a_solution_without_pieces_is_as_none(tmp_path: Path) -> None:
    puzzle = exactile.make_puzzle("0..3xdomino", drawing="++\n++")
    files = make(puzzle, tmp_path / "a", ())
    assert [file.path.name for file in files] == [
        *(f"{puzzle.pieces[0].name}.stl", "pieces.3mf"),
        *(f"tray.{form}" for form in WRITERS),
        "paper.pdf",
    ]


@pytest.mark.parametrize("name", ["square", "cube"])
def test_pieces_around_each_other_are_drawn_apart(name: str, tmp_path: Path) -> None:
    """A shell and what is inside have the same center."""
    lattice = exactile.get_lattice(name)
    dimension = lattice.dimension
    units = [*product(range(3), repeat=dimension)]
    inside = (1,) * dimension
    shell = tuple(unit for unit in units if unit != inside)
    solution = (Placement("shell", shell), Placement("core", (inside,)))
    pieces = tuple(exactile.Piece(p.piece, lattice, p.units, Freedom.FREE) for p in solution)
    puzzle = exactile.Puzzle("nested", exactile.Region(lattice, units), pieces)
    make(puzzle, tmp_path / "nested", solution)
    named = trimesh.load_scene(tmp_path / "nested" / "exploded.3mf").geometry
    (low, high), (others_low, others_high) = (mesh.bounds for mesh in named.values())
    gaps = np.maximum(others_low - high, low - others_high)
    assert len(named) == 2
    assert gaps.max() > -1e-3
    assert dimension == 3 or low[2] == others_low[2]
