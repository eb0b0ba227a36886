"""A complete backend on one page: copy the class, and replace what `search` does."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np
import pytest

import exactile
from exactile.backends import Backend, Batch, Request, no_solutions
from exactile.model import Model


class Backtracking(Backend):
    """Covers the item with the fewest options first; for exact covers without colors."""

    name = "backtracking"

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        if (model.upper > 1).any():
            raise exactile.errors.BackendError(f"{self.name} takes bounds up to 1 only.")
        options = [frozenset(model.option(o).tolist()) for o in range(model.options)]
        required = frozenset(np.flatnonzero(model.lower).tolist())
        nodes = 0
        for chosen in _covers(options, required, list(range(len(options)))):
            if chosen is not None:
                yield Batch(np.array([chosen], dtype=np.int32), {"nodes": nodes})
                continue
            nodes += 1
            yield Batch(no_solutions(), {"nodes": nodes})  # the search can be stopped here

    def version(self) -> str:
        return "backtracking 1"


def _covers(
    options: list[frozenset[int]], missing: frozenset[int], allowed: list[int]
) -> Iterator[list[int] | None]:
    """Yield the sets of allowed options that are disjoint and cover what is missing.

    Yield None at every node.
    """
    yield None
    if not missing:
        yield []
        return
    ways = {item: [o for o in allowed if item in options[o]] for item in missing}
    for option in min(ways.values(), key=len):
        rest = [o for o in allowed if not options[o] & options[option]]
        for others in _covers(options, missing - options[option], rest):
            yield None if others is None else [option, *others]


def backend(choice: str | None) -> Backend:
    """Return the backend; entry points of ``exactile.backends`` name such a function."""
    return Backtracking()


@pytest.mark.parametrize("name", ["tetrahexes-4x7", "soma-square-wall", "tetrominoes-5x4-tube"])
def test_it_finds_what_others_find(name: str) -> None:
    puzzle = exactile.load(name)
    ours, theirs = (
        {frozenset(solution) for solution in exactile.Search(puzzle, backend=each)}
        for each in (backend(None), "reference")
    )
    assert ours == theirs


def test_it_is_stopped_where_it_finds_nothing() -> None:
    puzzle = exactile.load("soma-square-wall")
    search = exactile.Search(
        puzzle, backend=backend(None), use_reasons=False, watch=lambda search: search.cancel()
    )
    assert list(search) == []
    assert search.stopped == "cancelled"


def test_what_is_not_said_has_a_default() -> None:
    made = backend(None)
    assert not any((made.takes_prefixes, made.takes_colors, made.takes_images, made.encodings))
    assert (made.choices(), made.parameters(Request()), made.knows("seed")) == ([], {}, False)
    assert made.configured({}) is made
    with pytest.raises(exactile.errors.BackendError, match="takes no parameters"):
        made.configured({"seed": "1"})


def test_what_it_does_not_take_is_refused() -> None:
    with pytest.raises(exactile.errors.ExactileError, match="up to 1"):
        exactile.solve_one(exactile.load("y-pentominoes-15x15"), backend=backend(None))
