"""A fixed sample of the ledger, counted again: every family and every device of modeling."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import asdict

import exactile
from exactile.files import entries
from exactile.model.lower import lower
from exactile.puzzle import Placement, Puzzle
from exactile.runs.ledger.export import Export, LedgerLine
from exactile.runs.ledger.record import Numbers

DOCUMENT = Path(__file__).parents[2] / "docs" / "catalogue" / "ledger.json"

SAMPLE = {
    "squares": ["pentominoes-8x8-four-holes-2", "pentominoes-chevron-1"],
    "cubes": ["soma-crystal", "solid-pentominoes-2x3x10", "tetracubes-2x4x4"],
    "triangles": ["hexiamonds-4x11-trapezoid", "hexiamonds-snowflake"],
    "hexagons": ["tetrahexes-flower-1", "polyhexes-34-hexagram"],
    "sticks and their crossings": [
        "polysticks-123-4x4-clipped-corners-1",
        "tetrasticks-5x5-without-h",
    ],
    "trigs and their crossings": ["tritrigs-heart-2", "polytrigs-23-three-congruent-x13"],
    "twigs": ["pentatwigs-rosette-cluster-2", "polytwigs-1234-hex-5"],
    "faces of cubes": ["windmill-dominoes-small-5x4"],
    "quarter squares": ["tetraboloes-7x5-3021"],
    "kites": ["hats-torus-4x4"],
    "sixths of triangles": ["didrafters-hexagon"],
    "one-sided sets": ["one-sided-pentominoes-3x30", "one-sided-polytwigs-123-triangle"],
    "quasi-polyforms": ["quasi-ditrigs-triangle", "quasi-tritwigs-snowflake-3"],
    "a piece left out by choice": ["pentominoes-triangle"],
    "a subset of the pieces": ["hexiamonds-hexicator", "one-sided-welded-tetrasticks-5x5"],
    "pieces of its own": ["diabolical-cube", "sheldons-cube-2"],
    "several parts": ["polytrigs-23-three-congruent-1"],
    "rings": ["solid-pentominoes-3x3x9-ring", "tritrigs-hex-2-ring"],
    "wraps": ["pentominoes-3x20-loop", "tetrominoes-5x4-tube"],
    "fixed placements": ["one-sided-hexiamonds-obeirnes-hexagon-e"],
    "fixed orientations": ["puzzle-bits-56"],
    "colors kept apart": ["hexiamonds-iamond-hex-separated"],
    "painted units": ["checkered-t-tetrominoes-4x4"],
    "pieces in many copies": ["y-pentominoes-5x10"],
    "optional units": ["calendar-01-25"],
    "areas that do not match": ["hexahexes-triangle"],
    "unsolvable by a coloring": ["hexiamonds-trapezoid-9x6"],
    "unsolvable by search": ["hexiamonds-3x12", "soma-w"],
}


SLOW = {"one-sided-hexiamonds-obeirnes-hexagon-e"}


def sampled(name: str) -> object:
    """Return a puzzle of the sample as a parameter of a test."""
    return pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name


@cache
def ledger() -> dict[str, LedgerLine]:
    """Return the committed ledger by puzzle."""
    document = msgspec.json.decode(DOCUMENT.read_bytes(), type=Export)
    return {line.id: line for line in document.puzzles}


def solution_of(puzzle: Puzzle, line: LedgerLine) -> exactile.Solution:
    """Return the solution that the ledger shows."""
    points = [tuple(p) for p in puzzle.region.units.tolist()]
    assert line.example is not None
    return tuple(Placement(p, tuple(points[u] for u in units)) for p, units in line.example)


@pytest.mark.parametrize(
    "name", [sampled(n) for n in sorted({n for names in SAMPLE.values() for n in names})]
)
def test_counted_again(name: str) -> None:
    puzzle = exactile.load(name)
    line = ledger()[puzzle.name]
    assert line.digest == lower(puzzle).digest
    answer = exactile.count(puzzle)
    assert answer.raw is not None
    assert line.numbers is not None
    assert asdict(line.numbers) == {k: getattr(answer, k) for k in Numbers.__struct_fields__}
    assert line.status == ("exact" if answer.raw else "unsolvable")
    if answer.raw:
        exactile.check(puzzle, solution_of(puzzle, line))


def test_every_family_is_in_the_sample() -> None:
    families = {ledger()[exactile.load(n).name].family for names in SAMPLE.values() for n in names}
    assert families >= {entry.path.parent.name for entry in entries()} - {"torus", "polyskew"}


def test_the_ledger_has_every_puzzle_and_explains_every_difference() -> None:
    assert ledger().keys() == {entry.id for entry in entries()}
    for line in ledger().values():
        puzzle = exactile.load(line.id)
        assert [(p.count, p.up_to) for p in line.published] == [
            (k.count, k.up_to) for k in puzzle.known
        ]
        for published in line.published:
            assert (published.agrees is False) <= bool(published.refuted), line.id
            assert not (published.agrees and published.refuted), line.id


def test_totals() -> None:
    statuses = Counter(line.status for line in ledger().values())
    assert statuses["exact"] + statuses["unsolvable"] >= 700
    assert statuses["unsolvable"] >= 150
    for line in ledger().values():
        assert (line.numbers is None) == (line.status == "open")
        if line.numbers is not None:
            assert line.at_least <= line.numbers.raw
            assert line.numbers.symmetry <= line.numbers.rotation <= line.numbers.raw
            assert line.numbers.raw <= line.numbers.symmetry * line.symmetries
