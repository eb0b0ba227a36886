"""Handles that threads and tasks share, or that another thread ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from threading import Event
from typing import Any

import pytest

import exactile
from exactile.backends import Batch, Request
from exactile.backends.base import no_solutions
from exactile.backends.dlx import DlxBackend
from exactile.errors import BackendError, PuzzleError
from exactile.model import Model
from exactile.puzzle import Placement, Puzzle, Region, Solution
from exactile.search import Search, Status
from exactile.search.case import Case
from exactile.search.limits import Limits
from support.small import dominoes

PUZZLE = dominoes(4, 4)
ALL = 36


class Gated(DlxBackend):
    """The native search, which finds nothing before a gate is open, and then little at once."""

    def __init__(self, *, fails: bool = False) -> None:
        super().__init__()
        self.begun, self.gate, self.fails = Event(), Event(), fails

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        self.begun.set()
        while not self.gate.is_set():
            yield Batch(no_solutions())
        if self.fails:
            raise BackendError("the solver is gone")
        yield from super().search(model, replace(request, at_once=5))


def of_threads(search: Search, number: int) -> list[list[Solution]]:
    """Return what each of some threads reads of a search to the end."""
    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(list, [search] * number))


async def listed(search: Search) -> list[Solution]:
    return [solution async for solution in search]


def test_batches_after_next_give_the_rest() -> None:
    case = Case(PUZZLE)
    search = Search(case)
    read = list(islice(search, 3))
    rest = [case.decoder.solutions(rows) for rows in search.batches()]
    everything = [*read, *(solution for some in rest for solution in some)]
    assert (len(everything), len(set(everything))) == (ALL, ALL)
    assert list(search) == []
    assert search.status is Status.COMPLETE


@pytest.mark.parametrize("backend", ["dlx", "sat", "cpsat", "auto", "reference"])
def test_threads_share_a_search(backend: str) -> None:
    search = Search(PUZZLE, backend=backend)
    found = [solution for some in of_threads(search, 3) for solution in some]
    assert (len(found), len(set(found))) == (ALL, ALL)
    assert (search.status, search.stopped) == (Status.COMPLETE, None)


def test_tasks_share_a_search() -> None:
    async def shared(search: Search) -> list[list[Solution]]:
        return await asyncio.gather(*(listed(search) for _ in range(3)))

    search = Search(PUZZLE)
    found = [solution for some in asyncio.run(shared(search)) for solution in some]
    assert (len(found), len(set(found))) == (ALL, ALL)
    assert search.status is Status.COMPLETE


def test_a_cancelled_task_does_not_end_the_search_of_others() -> None:
    async def one_of_two_gives_up(search: Search, backend: Gated) -> int:
        one, other = asyncio.create_task(listed(search)), asyncio.create_task(listed(search))
        await asyncio.to_thread(backend.begun.wait)
        one.cancel()
        with pytest.raises(asyncio.CancelledError):
            await one
        backend.gate.set()
        return len(await other)

    backend = Gated()
    search = Search(PUZZLE, backend=backend)
    assert asyncio.run(one_of_two_gives_up(search, backend)) == ALL
    assert (search.status, search.stopped) == (Status.COMPLETE, None)


def test_an_error_comes_to_all_that_share_a_search() -> None:
    backend = Gated(fails=True)
    search = Search(PUZZLE, backend=backend)
    with ThreadPoolExecutor(3) as pool:
        each = [pool.submit(list, search) for _ in range(3)]
        backend.begun.wait()
        backend.gate.set()
        for one in each:
            with pytest.raises(BackendError, match="the solver is gone"):
                one.result()
    search.close()
    assert (list(search), search.stopped) == ([], "failed")


@pytest.mark.parametrize(
    ("end", "stopped"), [(Search.close, "closed"), (Search.cancel, "cancelled")]
)
@pytest.mark.parametrize(
    "read", [list, Search.wait, lambda search: sum(map(len, search.batches()))]
)
def test_another_thread_ends_a_search(
    read: Callable[[Search], Any], end: Callable[[Search], None], stopped: str
) -> None:
    backend = Gated()
    search = Search(PUZZLE, backend=backend)
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(lambda: (read(search), search.stopped))
        backend.begun.wait()
        end(search)
        found, seen = reading.result()  # the reader sees at once why there is no more
        assert (found in ([], Status.UNKNOWN, 0), seen) == (True, stopped)
    assert (search.status, search.stopped) == (Status.UNKNOWN, stopped)


@pytest.mark.parametrize("images", [True, False])
def test_the_rest_of_a_search_goes_on_with_or_without_images_as_it_was(images: bool) -> None:
    case = Case(exactile.load("soma-cube"))
    search = Search(case, images=images)
    search.wait()
    left = search.left
    assert left is not None
    assert left.rows
    assert Search(case, images=images, left=left).counted().found == 11520
    with pytest.raises(PuzzleError, match="images"):
        Search(case, images=not images, left=left)


def test_units_of_a_hint_are_on_any_turn_of_a_wrap() -> None:
    ring = Region("square", [(x, 0) for x in range(4)], wrap=[(4, 0)])
    puzzle = Puzzle("ring", ring, dominoes(2, 2).pieces)
    hints = {
        Search(puzzle, hint=(Placement("I2", units),)).problem.request.hint
        for units in (((0, 0), (3, 0)), ((4, 0), (3, 0)), ((-1, 0), (0, 0)))
    }
    assert len(hints) == 1
    with pytest.raises(PuzzleError, match="no placement of I2 on 0,0 0,0"):
        Search(puzzle, hint=(Placement("I2", ((0, 0), (4, 0))),))


def test_a_search_that_a_limit_stops_before_it_begins_keeps_the_rest_of_the_last_one() -> None:
    with Search(PUZZLE, limit=3) as search:
        assert len(list(search)) == 3
    limits = Limits()
    limits.cancel()
    late = Search(PUZZLE, left=search.left, limits=limits)
    assert (list(late), late.stopped, late.left) == ([], "cancelled", search.left)
    assert late.multiples(no_solutions()).tolist() == []
    assert len(list(Search(PUZZLE, left=late.left))) == ALL - 3
