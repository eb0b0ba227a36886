"""Outlines of flat pieces: on sheets for a laser, and on paper in true size."""

from __future__ import annotations

import re
from itertools import combinations
from math import pi
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import exactile
from exactile.errors import PuzzleError
from exactile.geometry import get_lattice, lattice_names
from exactile.puzzle.pieces.generate import generate
from exactile.render.making.meshes import Maker
from exactile.render.making.parts import Sizes
from exactile.render.making.sheets import (
    Outline,
    nested,
    outline,
    paper_pdf,
    roomiest,
    sheet_svg,
)
from exactile.render.making.verbs import make

trimesh = pytest.importorskip("trimesh", reason="the extra make is not installed")
manifold3d = pytest.importorskip("manifold3d", reason="the extra make is not installed")
pytest.importorskip("ezdxf", reason="the extra make is not installed")
pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed")

FLAT = [name for name in lattice_names() if get_lattice(name).dimension == 2]


def area(shape: Outline) -> float:
    """Return the area within an outline, without its holes."""
    return sum(
        float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2 for x, y in (r.T for r in shape.rings)
    )


def rectangle(name: str, width: float, height: float) -> Outline:
    return Outline(name, (np.array([(0, 0), (width, 0), (width, height), (0, height)]),))


@pytest.mark.parametrize("name", FLAT)
def test_outlines_have_the_area_of_the_mesh(name: str) -> None:
    lattice = get_lattice(name)
    mesh = Maker(lattice, Sizes(14, height=4, gap=0.2, wall=2)).piece(generate(lattice, 2)[0])
    volume = trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False).volume
    exact, wider = (outline("a", mesh, 2.0, kerf) for kerf in (0.0, 0.3))
    assert area(exact) == pytest.approx(volume / 4, rel=1e-4)
    assert area(wider) > area(exact)
    low, high = (np.concatenate(exact.rings).min(axis=0), np.concatenate(wider.rings).min(axis=0))
    assert (low - high > 0.15 - 1e-3).all()


def test_a_kerf_moves_lines_outwards_and_those_of_holes_inwards() -> None:
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    mesh = Maker(get_lattice("square"), Sizes(10, gap=0)).piece(ring)
    cut = outline("ring", mesh, 1.0, kerf=0.4)
    sides = sorted(round(float(np.ptp(r, axis=0)[0]), 6) for r in cut.rings)
    assert sides == [9.6, 30.4]


def test_nested_outlines_lie_on_their_sheet_and_apart() -> None:
    random = np.random.default_rng(36)
    sides = random.uniform(5, 60, size=(60, 2)).tolist()
    given = [rectangle(str(k), *pair) for k, pair in enumerate(sides)]
    sheets = nested(given, 200, 120)
    assert sorted(int(each.name) for sheet in sheets for each in sheet) == list(range(60))
    for sheet in sheets:
        boxes = [(each.low, each.low + each.size) for each in sheet]
        for low, high in boxes:
            assert (low >= 3 - 1e-6).all()
            assert (high <= np.array((197, 117)) + 1e-6).all()
        for (low, high), (other, far) in combinations(boxes, 2):
            assert ((low >= far + 3 - 1e-6) | (other >= high + 3 - 1e-6)).any()
    assert sum(area(each) for sheet in sheets[:-1] for each in sheet) > 0.4 * 24_000 * (
        len(sheets) - 1
    )


def test_what_fits_only_when_turned_is_turned() -> None:
    [[long]] = nested([rectangle("I", 100, 10)], 30, 120)
    assert long.size == pytest.approx((10, 100))
    with pytest.raises(PuzzleError, match=r"I measures 100\.0 x 10\.0 mm and does not fit"):
        nested([rectangle("I", 100, 10)], 90, 90)


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cut") / "a"
    puzzle = exactile.load("dominoes-4x4")
    solution = exactile.solve_one(puzzle)
    make(puzzle, folder, solution, cell=20, gap=0.1, wall=5, sheet=(200, 150), kerf=0.2)
    return folder


SIDES = sorted([(20.1, 40.1)] * 8 + [(90.1 + 0.2, 90.1 + 0.2)] * 2)
"""Eight dominoes, 19.9 by 39.9 mm, a frame and a base, all larger by the kerf."""


def paths_of(file: Path) -> list[np.ndarray]:
    """Return the corners of each path of an SVG file."""
    root = ET.fromstring(file.read_text("utf-8"))
    assert (root.get("width"), root.get("height")) == ("200mm", "150mm")
    assert root.get("viewBox") == "0 0 200 150"
    found = [each.get("d") or "" for each in root if each.tag.endswith("path")]
    return [np.array(re.findall(r"(-?[\d.]+) (-?[\d.]+)", d), dtype=float) for d in found]


def test_svg_is_in_millimeters(cut: Path) -> None:
    paths = [path for file in sorted(cut.glob("cut-*.svg")) for path in paths_of(file)]
    sides = sorted(tuple(sorted(np.ptp(path, axis=0).round(2).tolist())) for path in paths)
    assert np.array(sides) == pytest.approx(np.array(SIDES), abs=0.01)


def polylines(file: Path) -> list[np.ndarray]:
    """Return the closed polylines of a DXF file, read as pairs of lines."""
    lines = file.read_text("utf-8").splitlines()
    pairs = [(int(code), value) for code, value in zip(lines[::2], lines[1::2], strict=True)]
    assert (9, "$INSUNITS") in pairs
    assert pairs[pairs.index((9, "$INSUNITS")) + 1] == (70, "4")  # millimeters
    found: list[list[list[float]]] = []
    within = False
    for code, value in pairs:
        if code == 0:
            within = value == "LWPOLYLINE"
            if within:
                found.append([])
        elif within and code == 70:
            assert int(value) & 1  # closed
        elif within and code == 8:
            assert value == "CUT"
        elif within and code == 10:
            found[-1].append([float(value)])
        elif within and code == 20:
            found[-1][-1].append(float(value))
    return [np.array(each) for each in found]


def test_dxf_has_the_lines_of_svg(cut: Path) -> None:
    drawn = [ring for file in sorted(cut.glob("cut-*.dxf")) for ring in polylines(file)]
    sides = sorted(tuple(sorted(np.ptp(ring, axis=0).round(2).tolist())) for ring in drawn)
    hole = 80.1 - 0.2  # in the frame
    assert np.array(sides) == pytest.approx(np.array(sorted([*SIDES, (hole, hole)])), abs=0.01)


def dark(page: Any, scale: float) -> np.ndarray:
    """Return which pixels of a page are dark."""
    return np.asarray(page.render(scale=scale).to_numpy()[:, :, :3].mean(axis=2) < 128)


def test_paper_is_in_true_size(cut: Path) -> None:
    document = pdfium.PdfDocument(cut / "paper.pdf")
    page = document[0]
    assert page.get_size() == pytest.approx((210 / 25.4 * 72, 297 / 25.4 * 72), abs=0.01)
    fine = 12.0  # pixels for each millimeter
    spots = dark(page, fine * 25.4 / 72)
    y = int((297 - 12) * fine)
    ruler = np.flatnonzero(spots[y - 2 : y + 2, : int(113 * fine)].any(axis=0))
    assert np.ptp(ruler) / fine == pytest.approx(100.2, abs=0.15)  # with the width of its lines
    above = spots[int(22 * fine) : int(270 * fine)]  # below the title
    columns = np.flatnonzero(above.any(axis=0))
    dominoes = 4 * 40.1 + 3 * 6  # in a row, 6 mm apart, with lines of 0.2 mm
    assert np.ptp(columns) / fine == pytest.approx(dominoes, abs=0.15)


def test_pieces_larger_than_a_page_are_not_on_paper() -> None:
    with pytest.raises(PuzzleError, match=r"I measures 500\.0 x 20\.0 mm and does not fit a page"):
        paper_pdf([rectangle("O", 20, 20), rectangle("I", 500, 20)])
    upright = paper_pdf([rectangle("I", 200, 20)])  # wider than a page, not higher
    assert len(pdfium.PdfDocument(upright)) == 1


def test_paper_has_no_border_but_its_margin() -> None:
    assert len(pdfium.PdfDocument(paper_pdf([rectangle("O", 185.8, 250.8)]))) == 1
    with pytest.raises(PuzzleError, match=r"a page of A4, which has room for 185\.8 x 250\.8 mm"):
        paper_pdf([rectangle("O", 185.9, 250.8)])


def test_names_in_svg_are_escaped() -> None:
    root = ET.fromstring(sheet_svg([rectangle("<&>\x01", 10, 10)], 50, 50))
    assert [title.text for title in root.iter() if title.tag.endswith("title")] == ["<&> "]
    assert len(pdfium.PdfDocument(paper_pdf([rectangle("<&>\x01", 10, 10)]))) == 1


def test_round_corners_fit_each_other() -> None:
    maker = Maker(get_lattice("square"), Sizes(10, gap=0.2))
    square = outline("O", maker.piece([(0, 0)]), 1.0, radius=1.5)
    side = 9.8
    assert square.size == pytest.approx((side, side), abs=1e-3)
    assert area(square) == pytest.approx(side**2 - (4 - pi) * 1.5**2, rel=1e-3)
    corner = [(0, 0), (1, 0), (0, 1)]
    own = [outline("V", maker.piece(corner), 1.0, radius=r) for r in (0.0, 1.5)]
    # Five corners point outwards and one inwards.
    assert area(own[0]) - area(own[1]) == pytest.approx((4 - pi) * 1.5**2 / 4 * 4, rel=1e-2)
    with pytest.raises(PuzzleError, match="too round for O: write less"):
        outline("O", maker.piece([(0, 0)]), 1.0, radius=5.0)


def test_corners_are_too_round_where_they_would_cut_a_neck() -> None:
    maker = Maker(get_lattice("square-edges"), Sizes(20))
    bar = maker.piece([(1, 0), (3, 0)])
    outline("I2", bar, 1.0, radius=0.5)
    with pytest.raises(PuzzleError, match="too round for I2"):
        outline("I2", bar, 1.0, radius=0.8)


def test_a_piece_with_round_corners_fits_around_a_corner_of_the_frame() -> None:
    units = np.array([(0, 0), (1, 0), (0, 1)])
    sizes = Sizes(10, gap=0.2)
    maker = Maker(get_lattice("square"), sizes)
    tray, mesh = maker.tray(units), maker.piece(units)
    piece = outline("V", mesh, 1.0, radius=2.0)
    sharp, frame = (
        outline("frame", tray, sizes.wall + 1, radius=radius, outer=False) for radius in (0.0, 2.0)
    )
    sections = [
        manifold3d.CrossSection([*each.rings], manifold3d.FillRule.EvenOdd)
        for each in (frame, piece)
    ]
    assert (sections[0] ^ sections[1]).area() == pytest.approx(0.0, abs=1e-6)
    # Five corners of the opening point outwards and one inwards; those of the outline are sharp.
    assert area(frame) - area(sharp) == pytest.approx((4 - pi) * 2.0**2 / 4 * 4, rel=1e-2)
    base = outline("base", tray, sizes.wall / 2, radius=2.0, outer=False)
    assert area(base) == pytest.approx(area(outline("base", tray, sizes.wall / 2)))


@pytest.mark.parametrize("cut", [{"kerf": 0.2}, {"radius": 1.0}, {"kerf": -1.0}])
def test_a_cut_without_a_sheet_is_refused(cut: dict[str, float], tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="A kerf and a radius are for sheets: give a sheet"):
        make("tetrominoes", tmp_path / "a", **cut)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_names_have_room_inside_their_outlines() -> None:
    """A stick has little, the arm of an L less than its corner, a frame none in its hole."""
    (_, y), room = roomiest(rectangle("I", 40, 3))
    assert (round(y, 6), round(room, 6)) == (1.5, 1.5)
    corners = [(0, 0), (30, 0), (30, 12), (12, 12), (12, 30), (0, 30)]
    (x, y), room = roomiest(Outline("L", (np.array(corners, dtype=float),)))
    assert (x < 12, y < 12) == (True, True)
    assert 6 < room < 8
    hole = rectangle("O", 20, 20).moved((4, 6))
    (x, y), room = roomiest(Outline("F", (*rectangle("O", 28, 32).rings, *hole.rings)))
    assert not (4 <= x <= 24 and 6 <= y <= 26)
    assert 2 < room < 4
