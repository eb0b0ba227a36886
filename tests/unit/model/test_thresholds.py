"""Literals that stand for "at least k": right for every assignment."""

from __future__ import annotations

from itertools import product

import pytest
from pysat.solvers import Solver

from exactile.errors import ModelError
from exactile.model.encode import thresholds


@pytest.mark.parametrize("number", range(1, 6))
def test_a_threshold_can_hold_exactly_if_so_many_literals_do(number: int) -> None:
    literals = list(range(1, number + 1))
    for most in range(1, number + 1):
        outputs, clauses = thresholds(literals, most, top=number)
        assert len(outputs) == most
        with Solver(name="glucose4", bootstrap_with=clauses) as solver:
            for values in product((1, -1), repeat=number):
                given = [x * v for x, v in zip(literals, values, strict=True)]
                for k, output in enumerate(outputs, start=1):
                    assert solver.solve([*given, output]) == (values.count(1) >= k)
                    assert solver.solve([*given, -output])  # nothing follows from a false one


def test_new_variables_follow_the_highest() -> None:
    outputs, clauses = thresholds([2, -5, 7], 2, top=20)
    used = {abs(x) for clause in clauses for x in clause}
    assert used - {2, 5, 7} == set(range(21, 26))
    assert max(used) == outputs[-1]


def test_what_is_too_large_is_refused() -> None:
    with pytest.raises(ModelError, match="make the puzzle smaller"):
        thresholds(list(range(1, 10_001)), 5_000, top=10_000)
