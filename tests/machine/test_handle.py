"""Random sequences of what can be done with a handle: nothing is lost, nothing comes twice."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from exactile.answers import Status
from exactile.backends import Backend, Batch, Request
from exactile.backends.base import Left
from exactile.backends.dlx import DlxBackend
from exactile.errors import BackendError
from exactile.model import Model
from exactile.search import Search
from exactile.search.case import Case
from exactile.search.cover import CoverSearch
from exactile.search.handle import Handle
from exactile.search.limits import Limits
from support.few import examples
from support.random_models import brute_force, random_model
from support.small import dominoes

CASES = [
    Case(dominoes(4, 4)),
    Case(dominoes(5, 5, holes=((0, 0),))),  # one unit of each orbit is branched on
    Case(dominoes(3, 3, holes=((0, 0),))),
    Case(dominoes(3, 5)),  # no solutions
]

Answer = frozenset[int]


class FewAtOnce(DlxBackend):
    """The native search in small batches, so that it has a middle."""

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        yield from super().search(model, replace(request, at_once=3))


@cache
def solutions(number: int) -> frozenset[Answer]:
    """Return all solutions of a case as the oracle finds them, without symmetries or reasons."""
    with Search(CASES[number], backend="reference", use_symmetry=False, use_reasons=False) as all_:
        return frozenset(answer for rows in all_.batches() for answer in of_rows(rows))


def of_rows(rows: Any) -> list[Answer]:
    return [frozenset(o for o in row if o >= 0) for row in rows.tolist()]


class HandleMachine(RuleBasedStateMachine):
    """Drives handles of one problem; what one leaves, the next goes on with."""

    backend: ClassVar[str | Backend]
    tells: ClassVar[bool]
    """Whether the backend can say what is left in the middle of a search."""

    truth: frozenset[Answer]
    handle: Handle[Any]

    def begin(self, left: Left | None = None, limit: int | None = None, workers: int = 1) -> None:
        """Make a new handle; without anything left, all begins anew."""
        self.before: set[Answer] = set() if left is None else self.before | self.seen
        self.seen: set[Answer] = set()
        self.limit = limit
        self.reasons: set[str | None] = {None}
        limits = Limits(limit=limit)
        options = {"backend": self.backend, "limits": limits, "workers": workers, "left": left}
        self.handle = self.searched(options)

    def searched(self, options: dict[str, Any]) -> Handle[Any]:
        raise NotImplementedError

    def read(self, answers: list[Answer]) -> None:
        """Take answers: each is right, and new."""
        for answer in answers:
            assert answer in self.truth
            assert answer not in self.before | self.seen
            self.seen.add(answer)
        assert self.limit is None or len(self.seen) <= self.limit

    def of_answer(self, answer: Any) -> Answer:
        raise NotImplementedError

    @rule(most=st.integers(1, 7))
    def next(self, most: int) -> None:
        self.read([self.of_answer(a) for a in islice(self.handle, most)])

    @rule(most=st.integers(1, 3))
    def batches(self, most: int) -> None:
        for rows in islice(self.handle.batches(), most):
            self.read(of_rows(rows))

    @rule(batches=st.booleans())
    def to_the_end(self, batches: bool) -> None:
        """Read all that is left, whatever was read before, and how."""
        handle = self.handle
        for rows in handle.batches() if batches else ():
            self.read(of_rows(rows))
        self.read([self.of_answer(a) for a in handle])
        assert handle.status.final or handle.stopped is not None
        if handle.status.final:
            assert self.before | self.seen == self.truth

    @rule(most=st.integers(1, 7), threads=st.integers(2, 3))
    def next_in_threads(self, most: int, threads: int) -> None:
        """Each answer goes to one of the threads."""
        with ThreadPoolExecutor(threads) as pool:
            each = [pool.submit(list, islice(self.handle, most)) for _ in range(threads)]
            for one in each:
                self.read([self.of_answer(a) for a in one.result()])

    @rule(most=st.integers(1, 7))
    def one_reads_answers_another_batches(self, most: int) -> None:
        with ThreadPoolExecutor(2) as pool:
            some = pool.submit(list, islice(self.handle, most))
            rows = pool.submit(list, islice(self.handle.batches(), most))
            self.read([self.of_answer(a) for a in some.result()])
            self.read([answer for each in rows.result() for answer in of_rows(each)])

    @rule(most=st.integers(1, 4), tasks=st.integers(2, 3))
    def next_in_tasks(self, most: int, tasks: int) -> None:
        """Each answer goes to one of the tasks."""

        async def some() -> list[Any]:
            found: list[Any] = []
            async for answer in self.handle:
                found.append(answer)
                if len(found) == most:
                    break
            return found

        async def all_tasks() -> list[list[Any]]:
            return await asyncio.gather(*(some() for _ in range(tasks)))

        for found in asyncio.run(all_tasks()):
            self.read([self.of_answer(a) for a in found])

    @rule(end=st.sampled_from([Handle.cancel, Handle.close]))
    def end_while_a_thread_reads(self, end: Callable[[Handle[Any]], None]) -> None:
        """Whatever the thread has not read by then is left."""
        with ThreadPoolExecutor(1) as pool:
            reading = pool.submit(list, self.handle)
            end(self.handle)
            self.read([self.of_answer(a) for a in reading.result()])
        self.reasons.add("cancelled" if end is Handle.cancel else "closed")

    @rule(seconds=st.sampled_from([0.0, 1e-4, 0.02]))
    def wait(self, seconds: float) -> None:
        assert self.handle.wait(seconds) is self.handle.status

    @rule()
    def cancel(self) -> None:
        self.handle.cancel()
        self.reasons.add("cancelled")

    @rule()
    def close(self) -> None:
        self.handle.close()
        self.reasons.add("closed")
        assert list(self.handle) == []

    @rule(limit=st.none() | st.integers(1, 9), workers=st.integers(1, 2))
    def go_on(self, limit: int | None, workers: int) -> None:
        """Go on in another handle, as if in another process."""
        left = self.handle.left
        if self.tells:
            assert left is not None
        self.handle.close()
        self.begin(pickle.loads(pickle.dumps(left)), limit, workers)

    @rule(limit=st.none() | st.integers(1, 9))
    def begin_anew(self, limit: int | None) -> None:
        if self.handle.stopped is not None:  # no precondition: threads decide whether it holds
            self.begin(None, limit)

    @invariant()
    def status_is_true(self) -> None:
        handle = self.handle
        assert handle.found >= len(self.seen)
        assert (handle.status in (Status.SOLVABLE, Status.COMPLETE)) == (handle.found > 0)
        if handle.status.final:
            assert handle.stopped is None
            assert len(self.before) + handle.found <= len(self.truth)
            assert self.limit is None or handle.found <= self.limit
        if handle.stopped == "solution limit":
            assert handle.found == self.limit
        else:
            assert handle.stopped in self.reasons
        assert handle.done is None or 0 <= handle.done <= 1
        assert handle.seconds_left is None or handle.seconds_left >= 0

    def teardown(self) -> None:
        """What is left is all that was not read."""
        left = self.handle.left
        self.handle.close()
        if left is not None:
            self.begin(left)
            self.read([self.of_answer(a) for a in self.handle])
            assert self.handle.status.final
            assert self.before | self.seen == self.truth


class CoverMachine(HandleMachine):
    """Models that belong to no puzzle."""

    @initialize(seed=st.integers(0, 400))
    def choose(self, seed: int) -> None:
        self.model = random_model(seed, most_options=9)
        self.truth = frozenset(brute_force(self.model))
        self.begin()

    def searched(self, options: dict[str, Any]) -> Handle[Any]:
        return CoverSearch(self.model, **options)

    def of_answer(self, answer: Any) -> Answer:
        return frozenset(answer)


class PuzzleMachine(HandleMachine):
    """Puzzles, with one branch of each orbit where the backend takes prefixes."""

    @initialize(number=st.integers(0, len(CASES) - 1))
    def choose(self, number: int) -> None:
        self.case = CASES[number]
        self.truth = solutions(number)
        model, decoder = self.case.model, self.case.decoder
        self.option = {decoder.placement(o): o for o in range(model.options)}
        self.begin()

    def searched(self, options: dict[str, Any]) -> Handle[Any]:
        return Search(self.case, **options, use_reasons=False)

    def of_answer(self, answer: Any) -> Answer:
        return frozenset(self.option[placement] for placement in answer)


EXAMPLES = {"dlx": 60, "reference": 40, "sat": 5, "cpsat": 4}
"""Processes take their time to start."""


@pytest.mark.parametrize("backend", EXAMPLES)
@pytest.mark.parametrize("machine", [CoverMachine, PuzzleMachine])
def test_nothing_is_lost_or_comes_twice(machine: type[HandleMachine], backend: str) -> None:
    native = backend == "dlx"
    driver = {"backend": FewAtOnce() if native else backend, "tells": native}
    driven = type(machine.__name__, (machine,), driver)
    run_state_machine_as_test(
        driven,
        settings=settings(
            max_examples=examples(EXAMPLES[backend]),
            stateful_step_count=12,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_a_part_of_a_search_needs_a_backend_that_takes_parts() -> None:
    search = CoverSearch(random_model(3))
    assert search.left is not None
    part = search.left._replace(prefixes=[search.left.prefixes[0]._replace(path=(0,))])
    with pytest.raises(BackendError, match="cannot resume a part of a search"):
        CoverSearch(random_model(3), backend="reference", left=part)
    with pytest.raises(ValueError, match="belongs to another model"):
        CoverSearch(random_model(4), left=part)
