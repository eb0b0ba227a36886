"""Orders that have too many polyforms are refused before they are made."""

from __future__ import annotations

import numpy as np
import pytest

import exactile
from exactile._native import Grower
from exactile.errors import PieceError
from exactile.geometry import get_lattice, lattice_names
from exactile.puzzle.pieces import generate as module
from exactile.puzzle.pieces.generate import count_forms, join_block
from exactile.puzzle.pieces.piece import Freedom


@pytest.mark.parametrize(
    ("lattice", "order", "made"), [("square", 40, 12), ("cube", 20, 9), ("triangle", 64, 14)]
)
def test_an_order_far_too_large_is_refused_after_a_few_lower_ones(
    lattice: str, order: int, made: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders: list[int] = []

    class Counted:
        def __init__(self, *words: object) -> None:
            self.grower = Grower(*words)  # type: ignore[arg-type]
            self.extend = self.grower.extend

        @property
        def size(self) -> int:
            return self.grower.size

        def forms(self, order: int, dimension: int) -> object:
            orders.append(order)
            return self.grower.forms(order, dimension)

    module._grown.cache_clear()
    monkeypatch.setattr(module, "Grower", Counted)
    with pytest.raises(PieceError, match=f"more than 2,000,000 .* of order {order}, by far"):
        exactile.generate(lattice, order)
    assert max(orders) <= made


def test_what_fits_is_made() -> None:
    """Polyominoes, polyiamonds and polyhexes: the numbers of OEIS A000105, A000577, A000228."""
    numbers = [("square", 12, 63600), ("triangle", 14, 26166), ("hexagon", 9, 6572)]
    for lattice, order, number in numbers:
        assert len(exactile.generate(lattice, order)) == number


@pytest.mark.parametrize("lattice", lattice_names())
def test_as_many_are_counted_as_made(lattice: str) -> None:
    most = 3 if lattice == "sixth-triangle-prisms" else 4  # its forms of order 4 take seconds
    for freedom in Freedom:
        for quasi in (False, True)[: 1 if get_lattice(lattice).block else 2]:
            for order in range(1, 4 if quasi else most + 1):
                made = exactile.generate(lattice, order, freedom, quasi=quasi)
                assert count_forms(lattice, order, freedom, quasi=quasi) == len(made)


def test_more_are_counted_than_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polyominoes and fixed polyiamonds: the numbers of OEIS A000105 and A001420."""
    told: list[str] = []
    assert count_forms("square", 12, watch=told.append) == 63_600
    assert all(words.endswith("fixed polyominoes") for words in told)
    assert count_forms("triangle", 14, Freedom.FIXED) == 311_751
    with pytest.raises(PieceError, match=r"more than 1,000,000,000 polyominoes of order 40, by"):
        count_forms("square", 40)
    module._grown.cache_clear()
    monkeypatch.setattr(module, "MAX_FORMS", 4_000)
    with pytest.raises(PieceError, match=r"more than 4,000 polyominoes of order 10 or more"):
        exactile.generate("square", 10)


@pytest.mark.slow
def test_the_first_order_of_polyominoes_that_is_only_counted() -> None:
    assert count_forms("square", 15) == 3_426_576
    with pytest.raises(PieceError, match=r"more than 2,000,000 polyominoes of order 15"):
        exactile.generate("square", 15)


def test_too_many_forms_of_blocks_are_refused_in_the_last_batch() -> None:
    grid = get_lattice("quarter-squares")
    block = np.array([grid.block])
    assert len(join_block(block, grid, grid.group, 3)) == 3
    with pytest.raises(PieceError, match="more than 2"):
        join_block(block, grid, grid.group, 2)
