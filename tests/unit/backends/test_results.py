"""A backend that yields something else than batches is refused, with what it yielded."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import pytest

from exactile import plugins
from exactile.backends import Backend, Batch, Request, get_backend
from exactile.backends.base import results
from exactile.errors import BackendError, BackendMissingError, BackendNotFoundError
from exactile.model import Model

MODEL = Model.of_options([[0], [0]], [1], [1])


class Odd(Backend):
    """A backend that yields, or returns, what it is given."""

    name = "odd"

    def __init__(self, value: Any, *, returned: bool = False) -> None:
        self._value, self._returned = value, returned

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        if self._returned:
            return self._value  # type: ignore[no-any-return]
        return (each for each in [self._value])

    def version(self) -> str:
        return "odd"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([0], r"yielded \[0\]; yield a Batch"),
        (Batch([[0]]), r"yielded a Batch of \[\[0\]\]"),  # type: ignore[arg-type]
        (Batch(np.array([0])), "one solution in each row"),
        (Batch(np.array([[0.0]])), "an array of integers"),
        (Batch(np.array([[2]])), "yielded option 2; options are numbered from 0 to 1"),
        (Batch(np.array([[-2]])), "options are numbered from 0 to 1, and -1 fills up a row"),
    ],
)
def test_what_is_not_a_batch_of_assignments_is_refused(value: Any, message: str) -> None:
    with pytest.raises(BackendError, match=f"The backend odd .*{message}"):
        list(results(Odd(value), MODEL, Request()))


@pytest.mark.parametrize("value", [None, [Batch(np.array([[0]]))]])
def test_a_search_is_a_generator(value: Any) -> None:
    with pytest.raises(BackendError, match=r"`search` returned .*; yield each batch"):
        list(results(Odd(value, returned=True), MODEL, Request()))


def test_closing_the_results_closes_the_search() -> None:
    closed = []

    class Closing(Odd):
        def search(self, model: Model, request: Request) -> Generator[Batch]:
            try:
                while True:
                    yield Batch(np.array([[0, -1]]))
            finally:
                closed.append(True)

    running = results(Closing(None), MODEL, Request())
    assert next(running).assignments.tolist() == [[0, -1]]
    running.close()
    assert closed == [True]


def _lacking() -> Any:
    raise AttributeError("module 'odd' has no attribute 'backend'")


@pytest.mark.parametrize(
    ("load", "error", "message"),
    [
        (_lacking, BackendMissingError, "'odd' cannot be loaded: module 'odd' has no attribute"),
        (lambda: lambda choice: None, BackendNotFoundError, "'odd' returned None; return a"),
    ],
)
def test_an_entry_point_of_something_else_is_refused(
    load: Callable[[], Any],
    error: type[Exception],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plugins, "_loaders", lambda group: {"odd": load})
    with pytest.raises(error, match=message):
        get_backend("odd")
