"""The pages of the catalogue: pictures that are small and right, wrong numbers and their proof."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import exactile
from exactile.cli.main import run
from exactile.errors import CheckFailedError, FileError
from exactile.puzzle.check import faults
from exactile.render.thumbnail import thumbnail
from exactile.runs.ledger.export import Export, LedgerLine, export, read_document
from exactile.runs.ledger.pages import example, gallery, pages, publish, read_missed, refuted_page
from exactile.runs.ledger.record import Numbers, Record

CATALOGUE = Path(__file__).parents[4] / "docs" / "catalogue"

ONE_EACH = [
    "tetrominoes-5x4-tube",
    "soma-cube",
    "tetrahexes-flower-2",
    "hexiamonds-bumpy-trefoil",
    "polysticks-123-torus-5x2",
    "tritrigs-heart-2",
    "one-sided-tetratwigs-triangle-3",
    "dominoids-two-cubes",
    "space-disticks-cube",
]
"""A puzzle on each lattice of the first nine."""


def record(name: str, *, solved: bool = True, numbers: Numbers | None = None) -> Record:
    puzzle = exactile.load(name)
    number = {tuple(u): i for i, u in enumerate(puzzle.region.units.tolist())}
    found = exactile.solve_one(puzzle) if solved else None
    shown = [(p.piece, [number[u] for u in p.units]) for p in found or ()]
    return Record(name, puzzle.digest, "", 1, 1, 2, 1, numbers=numbers, example=shown or None)


@pytest.fixture(scope="module")
def document() -> Export:
    return export([record(name) for name in ONE_EACH])


def test_every_lattice_has_a_picture_in_one_piece(document: Export, tmp_path: Path) -> None:
    assert {line.lattice for line in document.puzzles} == {
        *("square", "cube", "hexagon", "triangle", "square-edges", "triangle-edges"),
        *("hexagon-edges", "cube-faces", "cube-edges"),
    }
    number = publish(document, tmp_path)
    written = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.*"))
    assert len(written) == number
    times = {p: (tmp_path / p).stat().st_mtime_ns for p in written}
    assert publish(document, tmp_path) == number
    assert times == {p: (tmp_path / p).stat().st_mtime_ns for p in written}
    for line in document.puzzles:
        path = tmp_path / "pictures" / f"{line.id}.svg"
        ET.parse(path)
        assert path.stat().st_size < 8000
        page = (tmp_path / f"{line.family}.md").read_text("utf-8")
        assert f"- ![](pictures/{line.id}.svg) **" in page
        assert f"\n| {line.id} | " in page
    named = re.findall(r"\]\((pictures/[^)]*)\)", "".join(map(str, pages(document).values())))
    assert sorted(named) == [name for name in written if name.startswith("pictures/")]


def test_the_pages_that_come_with_the_sources_are_made_of_their_ledger(
    document: Export, tmp_path: Path
) -> None:
    """As `make docs` does it; the document stays as it is."""
    publish(document, tmp_path / "first")
    ledger = tmp_path / "first" / "ledger.json"
    assert run(["catalogue", "export", "--ledger", str(ledger), str(tmp_path / "again")]) == 0
    first, again = (
        {p.relative_to(tmp_path / name): p.read_text("utf-8") for p in files.rglob("*.*")}
        for name in ("first", "again")
        for files in [tmp_path / name]
    )
    assert first == again
    assert read_document(CATALOGUE / "ledger.json").puzzles
    assert run(["catalogue", "export", "--ledger", __file__ + ".json", str(tmp_path)]) == 1


def test_pictures_have_an_outline_for_each_piece(document: Export) -> None:
    for line in document.puzzles:
        puzzle = exactile.load(line.id)
        solution = example(puzzle, line)
        assert solution
        assert not faults(puzzle, solution)
        if line.lattice in ("square", "hexagon", "triangle"):
            loops = thumbnail(puzzle, solution).count("z")
            assert loops >= len(solution)
            assert thumbnail(puzzle).count("z") < loops


def test_a_solid_shows_three_faces_and_its_layers() -> None:
    puzzle = exactile.load("soma-cube")
    root = ET.fromstring(thumbnail(puzzle))
    solid, layers = (
        [p for p in group if p.get("fill")] for group in root.iter() if group.tag.endswith("}g")
    )
    fills = [p.get("fill") for p in solid]
    assert len(set(fills)) == len(fills) == 3
    assert [str(p.get("d")).count("z") for p in solid] == [1, 1, 1]
    assert [str(p.get("d")).count("z") for p in layers] == [3]


def test_what_is_no_solution_is_not_drawn(document: Export) -> None:
    line = next(line for line in document.puzzles if line.id == "soma-cube")
    puzzle = exactile.load("soma-cube")
    assert line.example is not None
    for wrong in (line.example[:-1], [(line.example[0][0], [0, 1, 999])], None):
        changed = LedgerLine(
            **{f: getattr(line, f) for f in line.__struct_fields__} | {"example": wrong}
        )
        assert example(puzzle, changed) == ()


def test_captions_say_what_is_known() -> None:
    octagon = "one-sided-polyominoes-234-octagon"
    known = [
        record(octagon, solved=False, numbers=Numbers(9552, 4776, 1194)),
        record("tetrominoes-5x4", solved=False, numbers=Numbers(0, 0, 0)),
        record("pentominoes-6x10", solved=False),
    ]
    known[2].at_least = 7
    shown = {line.id: gallery([line])[2] for line in export(known).puzzles}
    assert "1,194 solutions; " in shown[octagon]
    assert "[published: 1,023 ✗](refuted.md)" in shown[octagon]
    assert "published: 1,194 ✓" in shown[octagon]
    assert "no solution" in shown["tetrominoes-5x4"]
    assert "at least 7 raw; published: 2,339" in shown["pentominoes-6x10"]


def test_more_solutions_than_published_refute_a_number() -> None:
    octagon = record("one-sided-polyominoes-234-octagon", solved=False)
    octagon.symmetries = 8
    octagon.at_least = 8 * 1023
    assert [p.agrees for p in export([octagon]).puzzles[0].published if p.count == 1023] == [None]
    octagon.at_least += 1
    document = export([octagon])
    assert [p.agrees for p in document.puzzles[0].published if p.count == 1023] == [False]
    assert "We count **at least 8,185** raw." in refuted_page(document, {})


def test_missed_solutions_are_solutions() -> None:
    """The solution files beside the pages prove that the published numbers are too small."""
    found = read_missed(CATALOGUE / "missed")
    assert len(found) == 8
    wrong = {}
    for name, missed in found.items():
        puzzle = exactile.load(name)
        assert missed.note
        assert missed.solutions
        for solution in missed.solutions:
            exactile.check(puzzle, solution)
        wrong[name] = [k.count for k in puzzle.known if k.refuted]
    assert wrong["polytrigs-23-three-congruent-x13"] == [0]
    assert wrong["one-sided-polyominoes-234-octagon"] == [1023]
    assert all(wrong.values())


@pytest.mark.parametrize("text", ["", "soma", "[1]\n"])
def test_a_damaged_file_of_missed_solutions_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "soma-cube.jsonl").write_text(text)
    with pytest.raises(FileError, match=r"soma-cube\.jsonl"):
        read_missed(tmp_path)


def test_many_solutions_of_which_none_is_an_image_of_another() -> None:
    """The spinner block has more than the 42 that were published."""
    puzzle = exactile.load("solid-pentominoes-spinner-block")
    solutions = read_missed(CATALOGUE / "missed")[puzzle.name].solutions
    points = [tuple(p) for p in puzzle.region.units.tolist()]
    number = {p: i for i, p in enumerate(points)}
    group = exactile.symmetries(puzzle)
    images = {
        frozenset(
            (name, frozenset(symmetry.units[[number[u] for u in units]].tolist()))
            for name, units in solution
        )
        for solution in solutions
        for symmetry in group
    }
    assert len(solutions) == 56
    assert len(images) == 56 * 8


def test_a_wrong_file_of_missed_solutions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "missed").mkdir()
    (tmp_path / "missed" / "soma-cube.jsonl").write_text(
        '{"format": 1, "puzzle": "soma-cube"}\n'
        '{"placements": [["V", [[0, 0, 0], [1, 0, 0], [0, 1, 0]]]]}\n'
        '{"end": "unknown"}\n'
    )
    with pytest.raises(CheckFailedError, match="soma-cube"):
        publish(export([record("soma-cube", solved=False)]), tmp_path)
