"""Every installed backend keeps the promises of `Backend`; a new one is tested by its entry point.

Backends that need a package that is not installed are skipped.
"""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import exactile
from exactile.backends import Backend, Request, backend_names, get_backend
from exactile.backends.base import results
from exactile.errors import BackendMissingError
from exactile.model import Model
from exactile.model.lower import lower
from support.random_models import brute_force, random_model

ONE = "first"
"""The backend that looks for one solution only."""

NONE = "linear"
"""The backend that finds reasons why there is no solution, and no solutions."""


@pytest.fixture(params=backend_names())
def backend(request: pytest.FixtureRequest) -> Backend:
    """Return a backend; for programs, one of a solver that is here."""
    name = request.param
    if name == "external":
        if shutil.which("cadical") is None:
            pytest.skip("the program cadical is not installed")
        name = "external:cadical"
    try:
        return get_backend(name)
    except BackendMissingError as error:
        pytest.skip(str(error))


def found(backend: Backend, model: Model, request: Request) -> set[frozenset[int]]:
    """Return all solutions that a backend yields; none may come twice."""
    rows = [
        frozenset(o for o in row if o >= 0)
        for batch in results(backend, model, request)
        for row in batch.assignments.tolist()
    ]
    assert len(rows) == len(set(rows))
    return set(rows)


@pytest.mark.parametrize("seed", [0, 3])
def test_it_yields_every_solution_once(backend: Backend, seed: int) -> None:
    model = random_model(seed, colored=backend.takes_colors)
    expected = brute_force(model)
    ours = found(backend, model, Request())
    if backend.name.startswith(ONE):
        assert len(ours) == bool(expected)
        assert ours <= expected
    elif backend.name == NONE:
        assert not ours
    else:
        assert ours == expected


def test_it_searches_below_prefixes_only(backend: Backend) -> None:
    if not backend.takes_prefixes:
        pytest.skip("it takes no prefixes")
    model = random_model(3, colored=backend.takes_colors)
    expected = brute_force(model)
    option = int(np.argmax(np.bincount([o for solution in expected for o in solution])))
    ours = found(backend, model, Request(prefixes=((option,),)))
    assert ours == {solution for solution in expected if option in solution}


def test_a_long_search_yields_batches_and_can_be_closed(backend: Backend) -> None:
    running = results(backend, lower(exactile.load("mutilated-chessboard")), Request())
    next(running, None)
    running.close()


def test_it_has_a_version(backend: Backend) -> None:
    assert backend.version()
