"""Pictures of taking apart: one for each move, with its words, and the positions of the checker."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import numpy.typing as npt
import pytest

import exactile
from exactile import Freedom, Piece, Placement, Puzzle, Region, Solution
from exactile.answers.assembly import Disassembly, Move
from exactile.assembly.disassemble import sequence_lines
from exactile.assembly.replay import Replay
from exactile.errors import PictureError
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice
from exactile.render.paper import INK
from exactile.render.taking import steps
from support.burr import burr
from support.latch import latch

DOCS = Path(__file__).parents[3] / "docs"

SVG = "{http://www.w3.org/2000/svg}"

CATALOGUE = ["soma-cube", "tetrahexes-4x7"]

LATTICES = ["triangle-prisms", "spheres", "tetrahedra-octants", "kites"]

NAMES = ["burr", "latch", *CATALOGUE, *LATTICES]


def row(name: str) -> tuple[Puzzle, Solution]:
    """Return a puzzle on a lattice: a piece of two cells, and one of a cell beside it."""
    lattice = exactile.get_lattice(name)
    units = [lattice.origins[0]]
    while len(units) < 3:
        near = lattice.neighbors[int(lattice.types(np.array(units[-1])))]
        beside = (tuple(np.add(units[-1], offset).tolist()) for offset in near)
        units.append(next(unit for unit in beside if unit not in units))
    pieces = tuple(
        Piece(label, lattice, tuple(own), Freedom.FREE)
        for label, own in (("one", units[:1]), ("two", units[1:]))
    )
    puzzle = Puzzle("row", Region(lattice, units), pieces)
    return puzzle, (Placement("one", (units[0],)), Placement("two", tuple(units[1:])))


def taken(name: str, folder: Path) -> tuple[Puzzle, Disassembly]:
    """Return a puzzle and a sequence that takes a solution of it apart."""
    if name == "latch":
        puzzle, solution = latch(folder)
        return puzzle, exactile.take_apart(puzzle, solution, rotations=True)
    if name in LATTICES:
        puzzle, solution = row(name)
        return puzzle, exactile.take_apart(puzzle, solution)
    puzzle = exactile.load(str(burr(folder)) if name == "burr" else name)
    found: Solution | None
    if name == "burr":
        with exactile.AssemblySearch(puzzle) as search:
            found = next(iter(search))
    else:
        found = exactile.solve_one(puzzle)
    assert found is not None
    return puzzle, exactile.take_apart(puzzle, found)


def words_of(picture: ET.Element) -> str:
    """Return the words above a picture, which are outside the drawing in it."""
    return " ".join(" ".join(text.text or "" for text in picture.findall(f"{SVG}text")).split())


@pytest.mark.parametrize("name", NAMES)
def test_a_strip_has_a_picture_for_each_move(name: str, tmp_path: Path) -> None:
    puzzle, answer = taken(name, tmp_path)
    stream = BytesIO()
    assert exactile.write_disassembly(puzzle, answer, stream, "svg") == answer.moves
    pictures = ET.fromstring(stream.getvalue()).findall(f"{SVG}svg")
    lines = [line for line in sequence_lines(puzzle, answer) if re.match(r" +\d+\. ", line)]
    assert [words_of(picture) for picture in pictures] == [" ".join(s.split()) for s in lines]
    moves = [(m, s.pieces) for s in answer.separations for m in s.moves]
    for picture, (_, together) in zip(pictures, moves, strict=True):
        (drawing,) = picture.findall(f"{SVG}svg")
        shown = {title.text for title in drawing.iter(f"{SVG}title")} - {words_of(picture)}
        assert {answer.solution[k].piece for k in together} <= shown
        names = len(drawing.findall(f"{SVG}rect")) - 1
        assert 1 <= names <= len(together)


DRAWER = """format = 1
[puzzle.drawer]
lattice = "square"
region.box = [3, 3]
region.minus = [{{ units = "{gap}" }}]
pieces = {{ freedom = "fixed", cells = {{ frame = "{frame}", plug = "1,1" }} }}
"""

SIDES = {
    "right": ("2,1", "0..2,0 0,1 0..2,2"),
    "up": ("1,2", "0..2,0 0,1 2,1 0,2 2,2"),
}


@pytest.mark.parametrize("side", SIDES)
def test_the_name_of_a_single_cell_leaves_the_tip_of_its_arrow_free(side: str) -> None:
    gap, frame = SIDES[side]
    puzzle = exactile.load(DRAWER.format(gap=gap, frame=frame))
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    stream = BytesIO()
    exactile.write_disassembly(puzzle, exactile.take_apart(puzzle, solution), stream, "svg")
    (picture,) = ET.fromstring(stream.getvalue()).findall(f"{SVG}svg")
    (drawing,) = picture.findall(f"{SVG}svg")
    _, *plates = drawing.findall(f"{SVG}rect")
    assert len(plates) == 2
    (tip,) = {
        path.get("d", "")
        for path in drawing.findall(f"{SVG}path")
        if path.get("fill") == INK and path.get("stroke") == INK
    }
    ends = [tuple(map(float, corner.split())) for corner in tip[1:-1].split("L")]
    for plate in plates:
        x, y, wide, high = (float(plate.get(k, "")) for k in ("x", "y", "width", "height"))
        assert not any(x < u < x + wide and y < v < y + high for u, v in ends)
        assert 0 <= x <= x + wide <= float(drawing.get("width", ""))


@pytest.mark.parametrize("name", NAMES)
def test_pieces_are_drawn_where_the_checker_moves_them(name: str, tmp_path: Path) -> None:
    puzzle, answer = taken(name, tmp_path)
    found = steps(puzzle, answer)
    assert [step.move.pieces for step in found] == [
        move.pieces for separation in answer.separations for move in separation.moves
    ]
    checker = Replay(puzzle, answer)
    positions = []
    plain = checker._move

    def watched(move: Move, whole: frozenset[int]) -> None:
        plain(move, whole)
        positions.append([units.copy() for units in checker._units])

    checker._move = watched  # type: ignore[method-assign]
    checker.run()
    for step, after, stated in zip(
        found,
        positions,
        [move for separation in answer.separations for move in separation.moves],
        strict=True,
    ):
        if stated.steps is None:  # the checker leaves them where they were
            assert all(np.array_equal(a, b) for a, b in zip(step.before, after, strict=True))
            assert (step.move.steps or 0) >= 1
        else:
            assert all(np.array_equal(a, b) for a, b in zip(step.after, after, strict=True))


def film(name: str, folder: Path) -> tuple[str, dict[str, Any], Puzzle, Disassembly]:
    """Return the page of a sequence, its data, the puzzle, and the sequence."""
    puzzle, answer = taken(name, folder)
    stream = BytesIO()
    assert exactile.write_disassembly(puzzle, answer, stream, "html") == answer.moves
    text = stream.getvalue().decode()
    data = re.search(r'<script type="application/json" id="film">(.*?)</script>', text, re.S)
    assert data is not None
    return text, json.loads(data[1]), puzzle, answer


def middles(lattice: Lattice, units: Points) -> npt.NDArray[np.float64]:
    """Return the middles of units in space."""
    return np.array(units @ np.array(lattice.embedding), dtype=float)


@pytest.mark.parametrize("name", NAMES)
def test_a_film_moves_pieces_as_the_checker_does(name: str, tmp_path: Path) -> None:
    """Middles of cells are moved by the numbers of the page, those of turns by a matrix."""
    _, data, puzzle, answer = film(name, tmp_path)
    checker = Replay(puzzle, answer)
    flat = len(puzzle.lattice.embedding[0]) == 2
    cells = [middles(puzzle.lattice, units) for units in checker._units]
    moves = iter(data["moves"])
    for separation in answer.separations:
        for move in separation.moves:
            shown = next(moves)
            assert tuple(shown["moving"]) == move.pieces
            assert tuple(shown["pieces"]) == separation.pieces
            assert shown["away"] == (move.steps is None)
            checker._move(move, frozenset(separation.pieces))
            if shown["away"]:
                assert any(shown["shift"])
                continue
            for k in shown["moving"]:
                if shift := shown.get("shift"):
                    cells[k] = cells[k] + np.array(shift)[: 2 if flat else 3]
                else:
                    axis, foot = np.array(shown["axis"]), np.array(shown["about"])
                    out = cells[k] - foot
                    along = np.outer(out @ axis, axis)
                    cells[k] = foot + along + np.cross(axis, out)
            for mine, theirs in zip(cells, checker._units, strict=True):
                there = middles(puzzle.lattice, theirs)
                assert np.allclose(sorted(mine.tolist()), sorted(there.tolist()), atol=1e-3)
    assert next(moves, None) is None


@pytest.mark.parametrize("name", ["burr", "spheres", "tetrahexes-4x7"])
def test_a_film_has_closed_pieces_and_loads_nothing(name: str, tmp_path: Path) -> None:
    text, data, _, answer = film(name, tmp_path)
    assert not re.search(r"https?:|//[a-z]|<link|src=|@import|url\(|fetch\(|import\(", text)
    assert "{{" not in text
    assert len(data["pieces"]) == len(answer.solution)
    for piece in data["pieces"]:
        assert bool(piece["faces"]) != bool(piece["balls"])
        # Closed: the areas of the faces, as vectors outwards, add up to nothing.
        total = np.zeros(3)
        for face in piece["faces"]:
            places = np.array(face["corners"])
            area = np.cross(places, np.roll(places, -1, axis=0)).sum(axis=0) / 2
            assert abs(np.linalg.norm(area) - abs(area @ face["normal"])) < 1e-3
            total += abs(area @ face["normal"]) * np.array(face["normal"])
        assert np.abs(total).max() < 1e-2


def test_the_script_of_a_film_is_read_by_node(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node.js")
    text, _, _, _ = film("latch", tmp_path)
    script = re.findall(r"<script>(.*?)</script>", text, re.S)
    assert len(script) == 1
    path = tmp_path / "film.js"
    path.write_text(script[0], "utf-8")
    done = subprocess.run([node, "--check", str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("form", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_other_formats(form: str, start: bytes, tmp_path: Path) -> None:
    puzzle, answer = taken("latch", tmp_path)
    stream = BytesIO()
    exactile.write_disassembly(puzzle, answer, stream, form)
    assert stream.getvalue().startswith(start)


def test_what_cannot_be_drawn(tmp_path: Path) -> None:
    puzzle, solution = latch(tmp_path)
    locked = exactile.take_apart(puzzle, solution)
    with pytest.raises(PictureError, match="no moves of latch to draw: the solution is locked"):
        exactile.write_disassembly(puzzle, locked, BytesIO(), "svg")
    with pytest.raises(PictureError, match="No moves are drawn as 'bmp'"):
        exactile.write_disassembly(puzzle, locked, BytesIO(), "bmp")


def test_the_picture_of_the_documentation_is_drawn_like_this(tmp_path: Path) -> None:
    path = tmp_path / "burr.toml"
    block = re.search(r"# burr\.toml\n(.*?)```", (DOCS / "solids.md").read_text("utf-8"), re.S)
    assert block is not None
    path.write_text(block[1], "utf-8")
    puzzle = exactile.load(str(path))
    with exactile.AssemblySearch(puzzle) as search:
        answer = exactile.take_apart(puzzle, next(iter(search)))
    stream = BytesIO()
    exactile.write_disassembly(puzzle, answer, stream, "svg")
    assert (DOCS / "burr-apart.svg").read_bytes() == stream.getvalue()
