"""One solution of each orbit, against orbits made from the definition, point by point."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import exactile
from exactile.errors import PuzzleError
from exactile.geometry.isometry import Points
from exactile.puzzle import Puzzle, Solution
from support.random_puzzles import random_puzzle

Partition = frozenset[frozenset[tuple[int, ...]]]
"""A solution as the sets of units of its placements: this tells solutions apart."""

SMALL = [
    "tetrahexes-4x7",
    "pentominoes-3x20",
    "tetrominoes-5x4-tube",
    "tetrominoes-torus-5x4",
    "x-pentominoes-torus-5x5",
    "quasi-ditrigs-two-triangles-3",
]


def partition(solution: Solution) -> Partition:
    return frozenset(frozenset(units) for _, units in solution)


def reduced(puzzle: Puzzle, points: Points) -> list[tuple[int, ...]]:
    wrap = puzzle.region.wrap
    return [tuple(p) for p in (points if wrap is None else wrap.reduce(points)).tolist()]


def keeps_pieces(puzzle: Puzzle, matrix: Points) -> bool:
    """Return whether a matrix carries every piece to one with the same bounds and choice."""
    chosen = set(puzzle.omission.names) if puzzle.omission else set()

    def form(points: Points) -> frozenset[tuple[int, ...]]:
        low = points.min(axis=0) // puzzle.lattice.period * puzzle.lattice.period
        return frozenset(tuple(p) for p in (points - low).tolist())

    known = {
        frozenset(form(a) for a in piece.aspects): (piece.lower, piece.upper, piece.name in chosen)
        for piece in puzzle.pieces
    }
    return all(
        known.get(frozenset(form(a @ matrix.T) for a in piece.aspects))
        == (piece.lower, piece.upper, piece.name in chosen)
        for piece in puzzle.pieces
    )


def maps(puzzle: Puzzle, *, proper: bool) -> list[dict[tuple[int, ...], tuple[int, ...]]]:
    """Return where each symmetry carries the units."""
    region, lattice = puzzle.region, puzzle.lattice
    units = [tuple(u) for u in region.units.tolist()]
    loose = {u for u, free in zip(units, region.optional.tolist(), strict=True) if free}
    fixed = frozenset(frozenset(p.units) for p in puzzle.fixed)
    found = []
    for matrix in lattice.group:
        if (proper and np.linalg.det(matrix) < 0) or not keeps_pieces(puzzle, matrix):
            continue
        images = region.units @ matrix.T
        for target in units:
            shift = np.array(target) - images[0]
            if (shift % lattice.period).any():
                continue
            moved = dict(zip(units, reduced(puzzle, images + shift), strict=True))
            # With a wrap, units that are identified must stay so: two places decide it.
            if region.wrap is not None and any(
                reduced(puzzle, np.array([v]) @ matrix.T)[0] != (0,) * lattice.dimension
                for v in region.wrap.vectors
            ):
                continue
            if set(moved.values()) != set(units) or {moved[u] for u in loose} != loose:
                continue
            if frozenset(frozenset(moved[u] for u in units_) for units_ in fixed) == fixed:
                found.append(moved)
    return found


def orbits(puzzle: Puzzle, solutions: list[Solution], *, proper: bool) -> list[set[Partition]]:
    group = maps(puzzle, proper=proper)
    left = {partition(s) for s in solutions}
    result = []
    while left:
        first = next(iter(left))
        orbit = {frozenset(frozenset(g[u] for u in part) for part in first) for g in group}
        assert orbit <= left
        left -= orbit
        result.append(orbit)
    return result


def require_one_of_each(puzzle: Puzzle) -> int:
    everything = list(exactile.Search(puzzle, use_symmetry=False))
    for up_to in ("rotation", "symmetry"):
        kept = [partition(s) for s in exactile.Search(puzzle, up_to=up_to)]
        found = orbits(puzzle, everything, proper=up_to == "rotation")
        assert len(kept) == len(set(kept)) == len(found)
        assert all(len(orbit & set(kept)) == 1 for orbit in found)
    return len(everything)


@pytest.mark.parametrize("name", SMALL)
def test_one_solution_of_each_orbit_is_kept(name: str) -> None:
    assert require_one_of_each(exactile.load(name)) > 1


def test_random_puzzles_of_all_lattices() -> None:
    total = sum(require_one_of_each(random_puzzle(seed)) for seed in range(24))
    assert total > 20


def test_a_limit_counts_the_solutions_that_are_kept() -> None:
    puzzle = exactile.load("pentominoes-3x20")
    for limit, expected in ((1, 1), (2, 2), (3, 2)):
        with exactile.Search(puzzle, limit=limit, up_to="symmetry", use_symmetry=False) as search:
            kept = list(search)
        assert len(kept) == search.found == expected
        assert search.status.value == ("complete" if limit == 3 else "solvable")


@pytest.mark.parametrize("backend", ["reference"])
def test_every_backend_gives_as_many(backend: str) -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    with exactile.Search(puzzle, backend=backend, up_to="symmetry") as search:
        assert len(list(search)) == 9


def test_the_empty_solution_and_no_solution() -> None:
    text = """format = 1
[puzzle.loose]
lattice = "square"
pieces = { set = "domino", ranges = "0..1" }
region = { box = [2, 2], optional = "0..1,0..1" }
[puzzle.none]
lattice = "square"
pieces = { set = "monomino", copies = 5 }
region = { box = [2, 2] }
"""
    document = exactile.files.Document("my.toml", text)
    solutions = list(exactile.Search(document.puzzle("loose"), up_to="symmetry"))
    assert sorted(map(len, solutions)) == [0, 1]
    assert list(exactile.Search(document.puzzle("none"), up_to="symmetry")) == []


def test_another_word_is_refused() -> None:
    with pytest.raises(PuzzleError, match="up to rotation or symmetry, not 'reflection'"):
        exactile.Search(exactile.load("tetrahexes-4x7"), up_to="reflection")


def test_both_halves_of_a_search_are_told_apart() -> None:
    puzzle = exactile.load("tetrominoes-torus-5x4")
    with exactile.Search(puzzle, up_to="symmetry") as search:
        early = list(itertools.islice(search, 3))
        late = list(search)
    assert len(early) + len(late) == 8
