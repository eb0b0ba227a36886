"""Images of options and solutions, one by one or from a table; orbits by brute force."""

from __future__ import annotations

import numpy as np
import pytest

from exactile import Freedom, Piece, Puzzle, Region, get_lattice
from exactile.files import load
from exactile.model.lower import lower
from exactile.model.orbits import Action, Assignments, OrbitCounter, branches
from exactile.puzzle.symmetry import symmetries
from exactile.search import Search
from support.random_puzzles import random_puzzle
from support.small import box_puzzle, dominoes

NAMES = (
    "pentominoes-3x20",
    "polyhexes-34-hexagram",
    "tetrahexes-4x7",
    "tetrominoes-5x4-tube",
    "tetrominoes-torus-5x4",
    "tritrigs-heart-2",
)

PUZZLES = [
    dominoes(4, 4),
    box_puzzle("polyominoes-123", 3, 3),
    *map(load, NAMES),
    *map(random_puzzle, range(24)),
]


def action_of(puzzle: Puzzle) -> Action:
    return Action(lower(puzzle), symmetries(puzzle))


def all_rows(puzzle: Puzzle) -> Assignments:
    with Search(puzzle, use_symmetry=False, use_reasons=False) as search:
        parts = [rows for rows in search.batches() if len(rows)]
    return np.concatenate(parts) if parts else np.zeros((0, 1), dtype=np.int32)


def test_the_table_has_every_image() -> None:
    for puzzle in PUZZLES:
        action = action_of(puzzle)
        table, every = action.table(10**9), np.arange(lower(puzzle).options)
        assert (table is None) == (action.order == 1)
        if table is not None:
            images = np.array([action.images(g, every) for g in range(action.order)])
            assert (table == images).all()
            some = every[::2]
            assert (action.all_images(some) == images[:, some]).all()
            assert (action.all_images(every) == images).all()


def orbits_by_sets(action: Action, rows: Assignments, proper: bool) -> int:
    """Return the number of orbits, each image of each solution as a set."""
    elements = [g for g in range(action.order) if action.proper[g] or not proper]
    seen: set[frozenset[int]] = set()
    found = 0
    for row in rows:
        options = row[row >= 0].astype(np.int64)
        if frozenset(options.tolist()) not in seen:
            found += 1
            seen |= {frozenset(action.images(g, options).tolist()) for g in elements}
    assert len(seen) == len(rows)
    return found


@pytest.mark.parametrize("most", [0, 10**9])
def test_orbits_are_counted_with_and_without_the_table(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exactile.model.orbits.OPTION_IMAGES", most)
    symmetric = 0
    for puzzle in PUZZLES:
        rows, action = all_rows(puzzle), action_of(puzzle)
        counter = OrbitCounter(action)
        for begin in range(0, len(rows), 7):
            counter.add(rows[begin : begin + 7])
        assert counter.raw == len(rows)
        assert counter.rotation == orbits_by_sets(action, rows, proper=True)
        assert counter.symmetry == orbits_by_sets(action, rows, proper=False)
        symmetric += action.order > 1 and len(rows) > 0
    assert symmetric > 5


@pytest.mark.parametrize("most", [0, 10**9])
def test_branches_stand_for_all_solutions(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactile.model.orbits.OPTION_IMAGES", most)
    branched = 0
    for puzzle in PUZZLES:
        rows, found = all_rows(puzzle), branches(lower(puzzle), action_of(puzzle))
        if found is None or not len(rows):
            continue
        branched += 1
        kept = rows[np.isin(rows, found.options).any(axis=1)]
        spared = ~np.array(found.spared, dtype=np.int64)
        assert (kept == rows[~np.isin(rows, spared).any(axis=1)]).all()
        everything = np.concatenate(
            [found.expanded(kept[k : k + 5]) for k in range(0, len(kept), 5)]
        )
        assert sorted(map(sorted, everything.tolist())) == sorted(map(sorted, rows.tolist()))
    assert branched > 4


def test_a_piece_in_a_place_of_its_own_is_no_item_to_branch_at() -> None:
    """A frame has one placement, which all symmetries keep: branches are those of the square."""
    cells = [(x, y) for x in range(5) for y in range(5)]
    inner = {(x, y) for x in (1, 2, 3) for y in (1, 2, 3)}
    corner = ((0, 0), (1, 0), (2, 0), (0, 1), (0, 2))
    square = ((0, 0), (1, 0), (0, 1), (1, 1))
    pieces = {"frame": tuple(sorted({*cells} - inner)), "L5": corner, "O4": square}
    lattice = get_lattice("square")
    puzzle = Puzzle(
        "corner",
        Region(lattice, cells),
        tuple(Piece(name, lattice, units, Freedom.FREE) for name, units in pieces.items()),
    )
    found = branches(lower(puzzle), action_of(puzzle))
    assert found is not None
    assert [len(elements) for elements in found.elements] == [4, 8, 4]


def test_no_assignments_have_no_images() -> None:
    """A part of a search may end without a solution."""
    puzzle = dominoes(4, 4)
    action = Action(lower(puzzle), symmetries(puzzle))
    images = list(action.sorted_images(np.zeros((0, 8), dtype=np.int32), range(8)))
    assert sum(len(some) for some in images) == 8
    assert all(some.shape[1:] == (0, 8) for some in images)
