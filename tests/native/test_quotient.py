"""Models of symmetric solutions: what they lift to is right, and for one piece it is everything."""

from __future__ import annotations

import numpy as np
import pytest

import exactile
from exactile.backends import Request, get_backend
from exactile.backends.members import Symmetric, Ways, copies, members_of
from exactile.model.decoder import fault
from exactile.model.invariant import quotients
from exactile.model.model import Model
from exactile.model.sweeps import places


def solutions(model: Model) -> list[list[int]]:
    batches = get_backend("dlx").search(model, Request())
    return [row[row >= 0].tolist() for batch in batches for row in batch.assignments]


def test_every_symmetric_solution_of_one_piece_is_one_of_a_quotient() -> None:
    puzzle = exactile.load("dominoes-4x4")
    model = exactile.lower(puzzle)
    lifted = set()
    for quotient in quotients(model, places(puzzle, model)):
        for solution in solutions(quotient.model):
            options = quotient.lift(np.array(solution, dtype=np.int32))
            assert fault(model, options[None, :]) is None
            lifted.add(frozenset(options.tolist()))
    cells = np.arange(16).reshape(4, 4)
    images = [np.rot90(cells, k) for k in (1, 2, 3)]
    images += [np.rot90(cells.T, k) for k in range(4)]
    symmetric = set()
    for solution in solutions(model):
        tiles = [model.option(o)[-2:] - model.meaning.pieces for o in solution]
        before = {frozenset(tile.tolist()) for tile in tiles}
        for image in images:
            if {frozenset(image.ravel()[tile].tolist()) for tile in tiles} == before:
                symmetric.add(frozenset(solution))
    assert lifted == symmetric
    assert len(lifted) > 10


@pytest.mark.parametrize(
    "name", ["y06-hexominoes-23x24", "j-hexiamonds-hexagon-12", "p3x3-space-tristicks-6x6x6"]
)
def test_copies_that_no_other_search_places_are_placed_symmetrically(name: str) -> None:
    puzzle = exactile.load(name)
    model = exactile.lower(puzzle)
    ways = Ways(model, places(puzzle, model))
    member = next(m for m in members_of(ways) if isinstance(m, Symmetric))
    rng = np.random.default_rng(1)
    for _ in range(500):
        attempt = member.draw(rng)()
        assert not attempt.exhausted
        if attempt.solution is not None:
            assert fault(model, attempt.solution[None, :]) is None
            return
    pytest.fail("nothing was found")


def test_a_model_without_symmetry_gets_no_further_attempts() -> None:
    model = exactile.lower(exactile.load("dominoes-4x4"))
    member = Symmetric("symmetric", 1, Ways(model, None))
    assert member.draw(np.random.default_rng(0))().solution is None
    assert member.over


def test_quotients_are_for_copies_alone() -> None:
    puzzle = exactile.load("pentominoes-6x10")
    model = exactile.lower(puzzle)
    assert copies(model) == 1
    members = members_of(Ways(model, places(puzzle, model)))
    assert not any(isinstance(member, Symmetric) for member in members)
