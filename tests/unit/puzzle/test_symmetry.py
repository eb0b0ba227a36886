"""Symmetry groups, against a search over all isometries by brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from exactile import count, make_puzzle
from exactile.geometry import get_lattice
from exactile.geometry.wrap import Wrap
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.sets import piece_set
from exactile.puzzle.symmetry import symmetries
from support.few import examples
from support.random_puzzles import puzzles
from support.small import box_puzzle


@pytest.mark.parametrize(
    ("set_name", "sizes", "lattice", "order", "proper"),
    [
        ("pentominoes", (10, 6), "square", 4, 2),
        ("pentominoes", (8, 8), "square", 8, 4),
        ("one-sided pentominoes", (30, 3), "square", 4, 2),
        ("soma", (3, 3, 3), "cube", 48, 24),
        ("hexiamonds", (6, 6), "triangle", 4, 2),
        ("tetrahexes", (7, 4), "hexagon", 2, 2),
        ("tetrahexes", (4, 4), "hexagon", 4, 2),
    ],
)
def test_known_groups(
    set_name: str, sizes: tuple[int, ...], lattice: str, order: int, proper: int
) -> None:
    group = symmetries(box_puzzle(set_name, *sizes, lattice=lattice))
    assert (len(group), sum(s.proper for s in group)) == (order, proper)


@pytest.mark.parametrize(("layers", "proper"), [(1, 12), (2, 2)])
def test_balls_in_one_plane_may_be_turned_over(layers: int, proper: int) -> None:
    """The turn need not map the lattice to itself."""
    flower = [(0, 0), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    balls, prisms = (
        make_puzzle(
            {"orders": [1, 2], "ranges": "0..7"},
            lattice=lattice,
            units=[(*place, z) for z in range(layers) for place in flower],
        )
        for lattice in ("spheres", "hexagon-prisms")
    )
    assert sum(s.proper for s in symmetries(balls)) == proper
    if layers == 1:
        assert count(balls).rotation == count(prisms).rotation


def test_a_torus_has_its_translations() -> None:
    square = get_lattice("square")
    units = square.points(square.builders["box"](4, 3))
    pieces = piece_set("tetrominoes", square)
    chosen = tuple(pieces.piece(n) for n in ("I4", "L4", "T4"))
    region = Region(square, units, wrap=Wrap([(4, 0), (0, 3)]))
    group = symmetries(Puzzle("torus", region, chosen))
    assert len(group) == 4 * 12
    assert sum(s.proper for s in group) == 2 * 12


@settings(max_examples=examples(60))
@given(puzzle=puzzles())
def test_groups_are_groups_and_complete(puzzle: Puzzle) -> None:
    group = symmetries(puzzle)
    assert (group[0].units == np.arange(len(puzzle.region))).all()
    assert (group[0].pieces == np.arange(len(puzzle.pieces))).all()
    keys = {s.units.tobytes() + s.pieces.tobytes() for s in group}
    for a, b in product(group[:6], group[:6]):
        assert a.units[b.units].tobytes() + a.pieces[b.pieces].tobytes() in keys
    if puzzle.region.wrap is None and not puzzle.fixed:
        assert {s.units.tobytes() for s in group} >= identity_on_pieces(puzzle)


def identity_on_pieces(puzzle: Puzzle) -> set[bytes]:
    """Return, by brute force, the actions of all isometries that keep every piece as it is."""
    region = puzzle.region
    kept = set(map(tuple, region.units.tolist()))
    number = {u: i for i, u in enumerate(map(tuple, region.units.tolist()))}
    found = set()
    for matrix in puzzle.lattice.group:
        if not all(_keeps(puzzle, k, matrix) for k in range(len(puzzle.pieces))):
            continue
        images = region.units @ matrix.T
        for goal in region.units:
            shift = goal - images[0]
            moved = [tuple(u) for u in (images + shift).tolist()]
            if (shift % puzzle.lattice.period).any() or set(moved) != kept:
                continue
            units = np.array([number[u] for u in moved])
            if (region.optional[units] == region.optional).all():
                found.add(units.tobytes())
    return found


def _keeps(puzzle: Puzzle, k: int, matrix: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> bool:
    def forms(
        sets: np.ndarray[tuple[int, int, int], np.dtype[np.int64]],
    ) -> set[frozenset[tuple[int, ...]]]:
        period = puzzle.lattice.period
        result = set()
        for units in sets:
            low = units.min(axis=0) // period * period
            result.add(frozenset(tuple(u) for u in (units - low).tolist()))
        return result

    aspects = puzzle.pieces[k].aspects
    return forms(aspects) == forms(np.einsum("ij,anj->ani", matrix, aspects))


def test_each_translation_of_a_torus_hears_a_limit() -> None:
    """A wrapped region of n units has n translations to try, most of which keep nothing."""
    units = np.array([[x, y] for x in range(7) for y in range(6)])[1:]
    torus = Region("square", units, wrap=Wrap([(7, 0), (0, 6)]))
    calls: list[None] = []
    found = symmetries(
        Puzzle("p", torus, box_puzzle("tetrominoes", 2, 1).pieces), lambda: calls.append(None)
    )
    assert (len(found), len(calls) >= 4 * len(units)) == (4, True)
