"""Clauses about how many options of each kind are chosen."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from exactile.backends import Request, get_backend
from exactile.backends.sat import KindTotals, reached
from exactile.model.model import Model


def satisfied(clauses: list[list[int]], values: dict[int, bool]) -> bool:
    return all(any(values[abs(x)] == (x > 0) for x in clause) for clause in clauses)


@pytest.mark.parametrize(("n", "most"), [(1, 1), (3, 1), (3, 2), (4, 3)])
def test_a_literal_can_be_false_exactly_if_fewer_hold(n: int, most: int) -> None:
    literals = list(range(1, n + 1))
    outputs, clauses = reached(literals, most, n)
    top = max([n, *(abs(x) for clause in clauses for x in clause)])
    for bits in product((False, True), repeat=n):
        for k, output in enumerate(outputs, start=1):
            possible = any(
                satisfied(clauses, dict(enumerate((*bits, *rest), start=1)))
                and not (*bits, *rest)[output - 1]
                for rest in product((False, True), repeat=top - n)
            )
            assert possible == (sum(bits) < k), (bits, k)


def test_what_is_forbidden_are_exactly_equal_numbers() -> None:
    model = Model.of_options([[0], [0], [1], [1]], lower=[0, 0], upper=[2, 2])
    totals = KindTotals(model, np.array([0, 0, 1, 1], dtype=np.int32), top=4)
    clauses = [*totals.clauses, totals.forbidden([0, 2, 3])]  # one of the first kind, two
    top = max(abs(x) for clause in clauses for x in clause)
    for bits in product((False, True), repeat=4):
        possible = any(
            satisfied(clauses, dict(enumerate((*bits, *rest), start=1)))
            for rest in product((False, True), repeat=top - 4)
        )
        assert possible == ((sum(bits[:2]), sum(bits[2:])) != (1, 2)), bits


@pytest.mark.parametrize("backend", ["sat", "sat:lingeling", "cpsat"])
def test_one_solution_of_each_kind_is_found(backend: str) -> None:
    # Any two of the four options; kinds count the first two, the others are of no kind.
    model = Model.of_options([[0], [0], [0], [0]], lower=[2], upper=[2])
    request = Request(kinds=np.array([0, 0, -1, -1], dtype=np.int32))
    rows = [r for b in get_backend(backend).search(model, request) for r in b.assignments.tolist()]
    assert sorted(sum(o < 2 for o in row) for row in rows) == [0, 1, 2]


@pytest.mark.parametrize("backend", ["sat", "cpsat"])
def test_no_kinds_leave_one_solution(backend: str) -> None:
    model = Model.of_options([[0], [0]], lower=[1], upper=[1])
    request = Request(kinds=np.array([-1, -1], dtype=np.int32))
    rows = [r for b in get_backend(backend).search(model, request) for r in b.assignments.tolist()]
    assert len(rows) == 1
