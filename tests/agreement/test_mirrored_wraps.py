"""Moebius strips, Klein bottles and their like: every answer against trying all by hand."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

import exactile
from exactile.errors import PuzzleError
from exactile.files.puzzles.document import Document
from exactile.files.puzzles.writer import puzzle_text
from exactile.puzzle import Puzzle
from exactile.puzzle.statement import puzzle_of, stated
from support.few import few
from support.surfaces import BOARDS, board

Point = tuple[int, ...]


def image(point: Point, entry: list[Any]) -> Point:
    """Return where a motion, as files write it, carries a point."""
    if all(isinstance(c, int) for c in entry):
        return tuple(a + b for a, b in zip(point, entry, strict=True))
    return tuple(eval(text, {}, dict(zip("xyz", point, strict=False))) for text in map(str, entry))


def classes(points: set[Point], wrap: list[list[Any]], period: int) -> dict[Point, Point]:
    """Return a name for each point of a large part of the plane: equal where they are the same.

    Found by joining each point to its images; coordinates are points of the lattice.
    """
    reach = range(-24 * period, 25 * period)
    names = {}
    for start in sorted(points):
        todo = [start]
        while todo:
            point = todo.pop()
            if point in names or any(c not in reach for c in point):
                continue
            names[point] = start
            for entry in wrap:
                steps = [_scaled(entry, period)]
                todo += [_moved(point, step, sign) for step in steps for sign in (1, -1)]
    return names


def _scaled(entry: list[Any], period: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the matrix and the shift of a motion, in points."""
    size = len(entry)
    zero = np.array(image((0,) * size, entry))
    units = np.eye(size, dtype=int)
    columns = [np.array(image(tuple(unit.tolist()), entry)) - zero for unit in units]
    return np.array(columns).T, zero * period


def _moved(point: Point, motion: tuple[np.ndarray, np.ndarray], sign: int) -> Point:
    matrix, shift = motion
    if sign > 0:
        return tuple((matrix @ np.array(point) + shift).tolist())
    inverse = np.rint(np.linalg.inv(matrix)).astype(int)
    return tuple((inverse @ (np.array(point) - shift)).tolist())


def by_hand(puzzle: Puzzle, wrap: list[list[Any]]) -> int:
    """Return the number of solutions, found by trying all places in the plane."""
    lattice = puzzle.lattice
    units = {tuple(u) for u in puzzle.region.places.tolist()}
    names = classes(units, wrap, lattice.period)
    assert set(names.values()) == units  # no two units of the region are the same
    options = {}
    reach = range(-9, 10) if lattice.dimension == 2 else range(-6, 7)
    for piece in puzzle.pieces:
        places = set()
        for matrix in piece.motions:
            turned = np.array(piece.units) @ matrix.T
            for steps in product(reach, repeat=lattice.dimension):
                there = turned + lattice.period * np.array(steps)
                found = {names.get(tuple(p)) for p in there.tolist()}
                if None not in found and len(found) == len(turned):
                    places.add(frozenset(found))
        options[piece.name] = places
    left = [p.name for p in puzzle.pieces for _ in range(p.upper)]

    def tilings(open_units: frozenset[Point], bag: tuple[str, ...]) -> int:
        if not open_units:
            return 1
        first = min(open_units)
        total = 0
        for name in dict.fromkeys(bag):
            rest = list(bag)
            rest.remove(name)
            total += sum(
                tilings(open_units - place, tuple(rest))
                for place in options[name]
                if first in place and place <= open_units
            )
        return total

    return tilings(frozenset(units), tuple(left))


@pytest.mark.parametrize("seed", few(range(24), 8))
@pytest.mark.parametrize("name", BOARDS)
def test_all_agree_with_trying_by_hand(name: str, seed: int) -> None:
    puzzle, wrap = board(name, Random(f"{name} {seed}"))
    wanted = by_hand(puzzle, wrap)
    for method in ("list", "memo", "frontier"):
        assert exactile.count(puzzle, method=method).raw == wanted, method
    for backend in ("sat", "reference"):
        assert exactile.count(puzzle, backend=backend).raw == wanted, backend


@pytest.mark.parametrize("name", BOARDS)
def test_counts_up_to_symmetry(name: str) -> None:
    """Orbits by Burnside's lemma are those that one finds by moving solutions."""
    puzzle, _ = board(name, Random(f"{name} 1"))
    group = exactile.symmetries(puzzle)
    solutions = {
        frozenset(
            (p.piece, tuple(sorted(puzzle.region.index(np.array(p.units)).tolist()))) for p in s
        )
        for s in exactile.Search(puzzle)
    }
    names = [piece.name for piece in puzzle.pieces]
    orbits = {
        frozenset(
            frozenset(
                (names[g.pieces[names.index(n)]], tuple(sorted(g.units[list(u)].tolist())))
                for n, u in solution
            )
            for g in group
        )
        for solution in solutions
    }
    assert all(orbit <= solutions for orbit in orbits)
    assert exactile.count(puzzle).symmetry == len(orbits)


@pytest.mark.parametrize("name", BOARDS)
def test_files_statements_and_certificates_keep_them(name: str, tmp_path: Any) -> None:
    puzzle, _ = board(name, Random(f"{name} 1"))
    again = Document("my.toml", f"format = 1\n{puzzle_text(puzzle)}").puzzle(puzzle.name)
    assert again == puzzle
    assert again.region.wrap == puzzle.region.wrap
    assert puzzle_of(stated(puzzle), "mine") == puzzle
    made = exactile.certify(puzzle, tmp_path / "certificate")
    assert exactile.verify_certificate(tmp_path / "certificate")
    assert made.raw == exactile.count(puzzle).raw


@pytest.mark.parametrize(
    ("wrap", "message"),
    [
        ([["x", "2 - y"]], "keeps points where they are"),
        ([["-x", "2 - y"]], "keeps points where they are"),
        ([["x + 4", "2 - y"], [4, 0]], "keeps points where they are"),
        ([["x + 4", "2 - y"], ["4 - x", "y + 3"]], "at most one"),
        ([["x + 4", "2 - y"], [1, 3]], "does not keep its translations"),
        ([["y + 4", "-x"]], "not a reflection"),
        ([["x + y + 4", "-y"]], "map the square lattice"),
        ([["x + 4", "2y"]], "not a coordinate after a motion"),
        ([["x + 4", "7"]], "depends on no coordinate"),
        ([["x + 4", "2 - z"]], "not a coordinate after a motion"),
        ([["x + 3", "2 - y"]], "twice"),
    ],
)
def test_what_is_no_surface_is_refused(wrap: list[list[Any]], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        exactile.make_puzzle("3xI4", box=(4, 3), wrap=wrap)


def test_pieces_must_be_free_and_lattices_of_cells() -> None:
    pieces = {"set": "tetrominoes", "only": ["L4"], "copies": 3, "freedom": "one-sided"}
    with pytest.raises(PuzzleError, match="turned over"):
        exactile.make_puzzle(pieces, box=(4, 3), wrap=[["x + 4", "2 - y"]])
    with pytest.raises(PuzzleError, match="cannot be joined with a reflection"):
        exactile.make_puzzle("tetrasticks", box=(5, 5), wrap=[["x + 5", "5 - y"]])


def test_a_strip_is_not_a_tube() -> None:
    strip = exactile.make_puzzle("tetrominoes", box=(5, 4), wrap=[["x + 5", "3 - y"]])
    tube = exactile.make_puzzle("tetrominoes", box=(5, 4), wrap=[[5, 0]])
    assert strip != tube
    assert strip.digest != tube.digest
