"""The handle of searches in models."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import pytest

from exactile.backends import Backend, Batch, Request
from exactile.errors import BackendError, CheckFailedError, PuzzleError
from exactile.model import Model
from exactile.search import Status
from exactile.search.cover import CoverProblem, CoverSearch
from exactile.search.limits import Limits
from support.few import examples
from support.random_models import brute_force, random_model

TWO = Model.of_options([[0], [0]], [1], [1])
COLORED = Model.of_options([[0, 1]], [1, 0], [1, 1], colors=[{1: 1}])


class Fake(Backend):
    """A backend that answers what it is told to."""

    name = "fake"

    def __init__(self, *batches: list[list[int]]) -> None:
        self._batches = batches
        self.closed = False

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        try:
            for number, rows in enumerate(self._batches):
                yield Batch(np.array(rows, dtype=np.int32), {"nodes": number})
        finally:
            self.closed = True

    def version(self) -> str:
        return "fake"


def test_all_solutions_are_found_and_counted() -> None:
    for seed in range(examples(60)):
        model = random_model(seed)
        search = CoverSearch(model, backend="reference")
        found = [frozenset(o for o in r if o >= 0) for b in search.batches() for r in b.tolist()]
        assert set(found) == brute_force(model)
        assert search.found == len(found)
        assert search.status is (Status.COMPLETE if found else Status.UNSOLVABLE)


def test_a_limit_ends_it() -> None:
    backend = Fake([[0], [1]], [[0]])
    search = CoverSearch(TWO, backend=backend, limits=Limits(limit=1))
    assert [r.tolist() for r in search.batches()] == [[[0]]]
    assert (search.found, search.stopped, search.status) == (1, "solution limit", Status.SOLVABLE)
    assert backend.closed


def test_a_time_limit_ends_it() -> None:
    backend = Fake([], [])
    search = CoverSearch(TWO, backend=backend, limits=Limits(1e-9))
    assert len(list(search.batches())) <= 1
    assert (search.stopped, search.status) == ("time limit", Status.UNKNOWN)


def test_counters_are_those_of_the_backend() -> None:
    search = CoverSearch(TWO, backend=Fake([[0]], [[1]]))
    assert sum(len(rows) for rows in search.batches()) == 2
    stats = search.stats
    assert (stats["items"], stats["options"], stats["nodes"]) == (1, 2, 1)


def test_a_wrong_solution_is_never_shown() -> None:
    backend = Fake([[0, 1]])
    with pytest.raises(CheckFailedError, match="The backend fake returned what is not a solution"):
        list(CoverSearch(TWO, backend=backend).batches())
    assert backend.closed


def test_backends_without_colors_are_refused_colored_models() -> None:
    with pytest.raises(BackendError, match="The backend fake does not support colored items"):
        CoverSearch(COLORED, backend=Fake([[0]]))
    for backend in ("dlx", "reference", "sat", "cpsat"):
        search = CoverSearch(COLORED, backend=backend)
        assert [r.tolist() for r in search.batches() if len(r)] == [[[0]]]


def test_settings_must_be_positive() -> None:
    message = "makes no sense: it must be positive"
    with pytest.raises(PuzzleError, match=message):
        CoverSearch(TWO, limits=Limits(limit=0))
    with pytest.raises(PuzzleError, match=message):
        CoverSearch(TWO, limits=Limits(0.0))
    with pytest.raises(PuzzleError, match="`workers` must be an integer from 1 to 1,024 or None"):
        CoverSearch(TWO, workers=-1)


def test_the_fault_names_the_wrong_row() -> None:
    found = CoverProblem("two", TWO, "dlx", Request()).fault(
        np.array([[0, -1], [1, -1], [0, 1]], dtype=np.int32)
    )
    assert found is not None
    assert found.row == 2
