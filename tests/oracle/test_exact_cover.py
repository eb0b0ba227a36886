"""Published examples and counts of exact cover, with bounds and colors.

Sources: D. E. Knuth, The Art of Computer Programming 7.2.2.1, and the introductions of his programs
DLX1, DLX2 and DLX3; Langford pairs OEIS A014552 (which leaves out mirror images), queens A000170,
attacking queens A002564, de Bruijn cycles A016031, dominoes A004003.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO

import pytest

from exactile.backends import Request, get_backend
from exactile.files.models.formats import read_model
from exactile.model import Model
from support import cover_files as problems
from support.cpsat_in_process import cpsat_solutions
from support.sat_in_process import sat_solutions

BACKENDS = ["reference", "dlx:bits", "dlx:sparse", "sat", "cpsat"]
COLORED = ["dlx:bits", "dlx:sparse", "reference", "sat", "cpsat"]
"""Backends that understand colors."""


def solutions(text: str, backend: str) -> list[set[str]]:
    """Return every solution as the lines of its options; all is done in this process."""
    problem = read_model(StringIO(text))
    return [{problem.text(o) for o in row} for row in rows(problem.model, backend)]


def rows(model: Model, backend: str) -> Iterable[Iterable[int]]:
    """Return every solution as its options."""
    if backend == "sat":
        return sat_solutions(model)
    if backend == "cpsat":
        return cpsat_solutions(model)
    batches = get_backend(backend).search(model, Request())
    return [[o for o in row if o >= 0] for b in batches for row in b.assignments.tolist()]


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_toy_problem(backend: str) -> None:
    assert solutions(problems.TOY, backend) == [{"a d f", "b g", "c e"}]


@pytest.mark.parametrize("backend", BACKENDS)
def test_secondary_items(backend: str) -> None:
    assert solutions(problems.SECONDARY, backend) == [{"A D", "B G", "C E F"}]


@pytest.mark.parametrize("backend", COLORED)
def test_colors(backend: str) -> None:
    assert solutions(problems.COLORS, backend) == [{"p r x:A y", "q x:A"}]


@pytest.mark.parametrize("backend", COLORED)
def test_an_option_without_primary_items_takes_no_part(backend: str) -> None:
    assert solutions(problems.IGNORED, backend) == [{"A C X:1 Y:1", "B X:1"}]


@pytest.mark.parametrize("backend", COLORED)
def test_bounds_and_colors(backend: str) -> None:
    assert solutions(problems.BOUNDS, backend) == [{"A C X:1 Y:1", "B X:1", "C Y:1"}]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("n", "count"), [(3, 2), (4, 2), (5, 0), (7, 52)])
def test_langford_pairs(backend: str, n: int, count: int) -> None:
    assert len(solutions(problems.langford(n), backend)) == count


@pytest.mark.parametrize("backend", ["dlx:bits", "dlx:sparse"])
@pytest.mark.parametrize(("n", "count"), [(8, 300), (9, 0)])
def test_more_langford_pairs(backend: str, n: int, count: int) -> None:
    assert len(solutions(problems.langford(n), backend)) == count


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("most", [5, pytest.param(7, marks=pytest.mark.slow)])
def test_queens(backend: str, most: int) -> None:
    counts = [len(solutions(problems.queens(n), backend)) for n in range(1, most + 1)]
    assert counts == [1, 0, 0, 2, 10, 4, 40][:most]


@pytest.mark.parametrize("backend", ["dlx:bits", "dlx:sparse"])
@pytest.mark.parametrize(("n", "count"), [(8, 92), (10, 724), (12, 14200)])
def test_more_queens(backend: str, n: int, count: int) -> None:
    assert len(solutions(problems.queens(n), backend)) == count


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("n", "queens", "count"), [(3, 1, 1), (4, 2, 12), (5, 2, 0), (6, 3, 4)])
def test_attacking_queens(backend: str, n: int, queens: int, count: int) -> None:
    """Bounds other than one: a cell may be attacked by several queens."""
    assert len(solutions(problems.attacks(n, queens), backend)) == count


@pytest.mark.parametrize("backend", ["dlx:bits", "dlx:sparse"])
@pytest.mark.parametrize(("n", "queens", "count"), [(5, 3, 186), (7, 4, 86), (8, 5, 4860)])
def test_more_attacking_queens(backend: str, n: int, queens: int, count: int) -> None:
    assert len(solutions(problems.attacks(n, queens), backend)) == count


@pytest.mark.parametrize("backend", COLORED)
@pytest.mark.parametrize(("n", "cycles"), [(2, 1), (3, 2)])
def test_de_bruijn_cycles(backend: str, n: int, cycles: int) -> None:
    """Colors: words that overlap agree on their bits. Each cycle can begin anywhere."""
    assert len(solutions(problems.de_bruijn(n), backend)) == cycles * 2**n


@pytest.mark.parametrize("backend", ["reference", "sat"])
def test_de_bruijn_cycles_of_four_bits(backend: str) -> None:
    assert len(solutions(problems.de_bruijn(4), backend)) == 16 * 2**4


@pytest.mark.parametrize("backend", BACKENDS)
def test_dominoes(backend: str) -> None:
    assert len(solutions(problems.dominoes(4, 4), backend)) == 36


@pytest.mark.parametrize("backend", ["dlx:bits", "dlx:sparse"])
def test_more_dominoes(backend: str) -> None:
    assert len(solutions(problems.dominoes(6, 6), backend)) == 6728
