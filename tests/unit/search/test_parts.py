"""What a stopped search hands over is a packing, and nobody is believed to have one."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np
import pytest

import exactile
from exactile.backends import Backend, Batch, Request
from exactile.backends.base import no_solutions
from exactile.errors import CheckFailedError
from exactile.model import Model
from exactile.puzzle import Placement, Puzzle
from exactile.puzzle.rules import ColorRule
from exactile.search.cover import CoverSearch
from exactile.search.limits import Limits
from exactile.search.search import Search
from support.small import dominoes


class Packer(Backend):
    """A backend that has one packing, and then gives up."""

    name = "packer"
    takes_prefixes = takes_colors = True

    def __init__(self, *options: int) -> None:
        self.options = np.array(options, dtype=np.int32)

    def version(self) -> str:
        return self.name

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        yield Batch(no_solutions(), packing=self.options)
        yield Batch(no_solutions(), stopped="tired")


def stopped(puzzle: Puzzle, *options: int) -> Search:
    """Return a search that has ended with these options as its packing."""
    search = Search(puzzle, backend=Packer(*options), limit=1, use_reasons=False)
    assert not list(search)
    assert search.stopped == "tired"
    return search


def test_a_part_of_a_solution_is_handed_over() -> None:
    puzzle = exactile.load("soma-cube")
    with Search(puzzle, limit=1) as search:
        row = next(search.batches())[0]
    packing = stopped(puzzle, *row[:4].tolist()).packing
    assert packing is not None
    assert len({unit for placement in packing for unit in placement.units}) == sum(
        len(placement.units) for placement in packing
    )
    assert len(packing) == 4


def test_what_is_fixed_or_joined_may_be_missing() -> None:
    plain = dominoes(4, 1)
    first = Placement("I2", _units(plain, 0, 1))
    assert stopped(replace(plain, fixed=(first,))).packing == ()
    puzzle = exactile.load("tetrominoes-5x4")
    names = tuple(piece.name for piece in puzzle.pieces[:2])
    joined = replace(puzzle, color_rules=(ColorRule("joined", "red", names),))
    assert len(stopped(joined, 0).packing or ()) == 1


def _units(puzzle: Puzzle, *numbers: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(puzzle.region.units[k].tolist()) for k in numbers)


def test_what_overlaps_is_no_packing() -> None:
    search = stopped(dominoes(4, 1), 0, 1)
    with pytest.raises(CheckFailedError, match="packer returned what is not a packing of dominoes"):
        _ = search.packing


def test_a_packing_of_a_model_uses_no_item_too_often() -> None:
    model = Model.of_options([[0, 1], [1, 2], [2, 3]], lower=[1] * 4, upper=[1] * 4)
    for options, right in (((0,), True), ((0, 2), True), ((0, 1), False)):
        search = CoverSearch(model, backend=Packer(*options), limits=Limits(limit=1))
        assert not list(search)
        if right:
            assert search.packing == list(options)
        else:
            with pytest.raises(CheckFailedError, match="not a packing"):
                _ = search.packing


def test_who_has_a_solution_needs_no_packing() -> None:
    with Search(exactile.load("soma-cube"), backend="first", limit=1) as search:
        assert list(search)
        assert search.packing is None


@pytest.mark.parametrize("backend", ["dlx", "sat", "cpsat", "reference"])
def test_a_piece_that_fits_nowhere_leaves_no_solution(backend: str) -> None:
    """Its symmetries carry the item without options to itself: there is no branch."""
    puzzle = exactile.load("polyominoes-1234-cross-x")
    with Search(puzzle, backend=backend, use_reasons=False) as search:
        assert search.case.branches is not None
        assert search.case.branches.options == []
        assert list(search) == []
    assert search.status.value == "unsolvable"
