"""`auto`: the same answers as its backends, and a race that ends well whoever falls."""

from __future__ import annotations

import threading
from collections.abc import Generator
from functools import partial

import numpy as np
import pytest

import exactile
from exactile.backends import Backend, Batch, Request, auto, get_backend, registry
from exactile.backends.auto import RACE_REST, AutoBackend
from exactile.backends.base import no_solutions
from exactile.counting import count
from exactile.errors import BackendCrashedError, BackendMissingError, BackendNotFoundError
from exactile.model import Model
from exactile.model.lower import lower
from exactile.puzzle import Puzzle
from exactile.puzzle.check import faults
from exactile.puzzle.coordinates import from_coordinates
from exactile.reasons.verdict import prove
from exactile.search import Search, Status
from exactile.surveys.instances.library import named
from support.clock import late
from support.events import whenever
from support.few import few
from support.random_puzzles import random_puzzle
from support.small import box_puzzle, dominoes, mutilated
from support.waiting import pace


class Fake(Backend):
    """A backend that does what it is told."""

    takes_prefixes = takes_colors = True

    def __init__(self, name: str, what: str) -> None:
        self.name = name
        self.races = None if name == "dlx" else "later"
        self.what = what
        self.closed = threading.Event()

    def version(self) -> str:
        return self.name

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        try:
            yield Batch(no_solutions(), {"steps": 1})
            if self.what == "crash":
                raise BackendCrashedError(f"{self.name} fell")
            if self.what == "gives up":
                yield Batch(no_solutions(), stopped="it is too hard")
                return
            if self.what == "answer":
                yield Batch(np.array([[0]], dtype=np.int32), {"steps": 2})
            while self.what == "wait":
                pace(self.closed)
                yield Batch(no_solutions(), {"steps": 3})
        finally:
            self.closed.set()


def race(monkeypatch: pytest.MonkeyPatch, **what: str) -> tuple[AutoBackend, list[Fake]]:
    """Return the backend with fakes for its runners; what is not told is missing."""
    fakes = {name: Fake(name, told) for name, told in what.items()}

    def found(name: str) -> Fake:
        if name not in fakes:
            raise BackendMissingError(name)
        return fakes[name]

    monkeypatch.setattr(registry, "backend_names", lambda: ["cpsat", "dlx", "sat"])
    for module in (auto, registry):
        monkeypatch.setattr(module, "get_backend", found)
    return AutoBackend(head_start=0.01), list(fakes.values())


MODEL = Model.of_options([[0]], lower=[1], upper=[1])


@pytest.mark.parametrize(
    ("what", "winner", "solutions"),
    [
        ({"dlx": "wait", "cpsat": "answer", "sat": "wait"}, "cpsat", 1),
        ({"dlx": "wait", "cpsat": "wait", "sat": "none"}, "sat", 0),
        ({"dlx": "wait", "cpsat": "crash", "sat": "answer"}, "sat", 1),
        ({"dlx": "crash", "cpsat": "crash", "sat": "answer"}, "sat", 1),
        ({"dlx": "answer", "cpsat": "crash"}, "dlx", 1),
        ({"dlx": "wait", "cpsat": "gives up", "sat": "answer"}, "sat", 1),
        ({"dlx": "crash", "cpsat": "gives up", "sat": "none"}, "sat", 0),
        ({"dlx": "wait", "sat": "answer"}, "sat", 1),
        ({"dlx": "none"}, "dlx", 0),
    ],
)
def test_the_first_answer_wins_and_all_are_stopped(
    monkeypatch: pytest.MonkeyPatch, what: dict[str, str], winner: str, solutions: int
) -> None:
    monkeypatch.setattr(auto, "cores", lambda: 4)
    backend, fakes = race(monkeypatch, **what)
    batches = list(backend.search(MODEL, Request(limit=1)))
    assert sum(len(b.assignments) for b in batches) == solutions
    assert backend.winner == winner
    assert backend.name == f"auto ({winner})"
    assert all(f.closed.is_set() for f in fakes if f.name in (winner, "dlx"))


@pytest.mark.parametrize(
    "what", [{"dlx": "crash", "cpsat": "gives up"}, {"dlx": "gives up", "cpsat": "crash"}]
)
def test_if_all_fail_the_error_is_that_of_a_crash(
    monkeypatch: pytest.MonkeyPatch, what: dict[str, str]
) -> None:
    backend, fakes = race(monkeypatch, **what)
    crashed = next(fake.name for fake in fakes if fake.what == "crash")
    with pytest.raises(BackendCrashedError, match=f"{crashed} fell"):
        list(backend.search(MODEL, Request(limit=1)))


def test_an_ordered_search_is_no_race(monkeypatch: pytest.MonkeyPatch) -> None:
    backend, (dlx, cpsat) = race(monkeypatch, dlx="wait", cpsat="answer")

    def slow(model: Model, request: Request) -> Generator[Batch]:
        yield from [Batch(no_solutions(), {"nodes": 10**15})] * 3
        yield Batch(np.array([[0]], dtype=np.int32), {"nodes": 10**15})

    begun: list[tuple[str, Request]] = []
    monkeypatch.setattr(dlx, "search", slow)
    monkeypatch.setattr(cpsat, "search", lambda m, r: _told(begun, cpsat, m, r))
    batches = list(backend.search(MODEL, Request(limit=1, ordered=True)))
    assert sum(len(batch.assignments) for batch in batches) == 1
    assert (backend.winner, begun) == ("dlx", [])


def test_a_race_begins_anew_without_what_symmetries_make_of_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only once it is hard, and only for the search that has to go everywhere."""
    backend, (dlx, cpsat) = race(monkeypatch, dlx="wait", cpsat="wait")
    asked: list[tuple[str, Request]] = []
    for fake in (dlx, cpsat):
        monkeypatch.setattr(fake, "search", lambda m, r, f=fake: _told(asked, f, m, r))
    request = Request(limit=1, spared=lambda: (~0,))
    running = backend.search(MODEL, request)
    batches: list[Batch] = []
    while [name for name, _ in asked].count("dlx") < 2 or len(batches) < 20:
        batches.append(next(running))
    running.close()
    assert {r.spared for _, r in asked} == {None}
    assert [(name, r.prefixes) for name, r in asked if name == "dlx" or r.prefixes != ((),)] == [
        ("dlx", ((),)),
        ("dlx", ((~0,),)),
    ]
    steps = [batch.stats["steps"] for batch in batches if batch.stats]
    assert steps == sorted(steps)


def _told(
    asked: list[tuple[str, Request]], fake: Fake, model: Model, request: Request
) -> Generator[Batch]:
    asked.append((fake.name, request))
    return Fake(fake.name, fake.what).search(model, request)


def test_only_who_takes_prefixes_joins_a_race_for_the_rest_of_a_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backend, (_, cpsat) = race(monkeypatch, dlx="crash", cpsat="answer")
    request = Request(limit=1, prefixes=((~0,),))
    list(backend.search(MODEL, request))
    assert backend.winner == "cpsat"
    cpsat.takes_prefixes = False
    with pytest.raises(BackendCrashedError, match="dlx fell"):
        list(backend.search(MODEL, request))


def test_if_all_fail_the_race_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    backend, _ = race(monkeypatch, dlx="crash", cpsat="crash", sat="crash")
    with pytest.raises(BackendCrashedError, match="fell"):
        list(backend.search(MODEL, Request(limit=1)))
    assert backend.winner is None


def test_closing_a_race_stops_every_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "cores", lambda: 4)
    backend, fakes = race(monkeypatch, dlx="wait", cpsat="wait", sat="wait")
    running = backend.search(MODEL, Request(limit=1))
    before = threading.active_count()
    while threading.active_count() < before + 3:
        next(running)
    running.close()
    assert threading.active_count() == before
    assert all(f.closed.is_set() for f in fakes)


def test_who_joins_depends_on_copies_and_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of docs/backends.md; two threads a processor, but for those that give up soon."""
    copies = lower(dominoes(6, 6))
    different = lower(exactile.load("pentominoes-6x10"))
    for model, processors, told in (
        (different, 1, [("first:chance", 1, 0), ("cpsat", 1, 20)]),
        (different, 2, [("first:chance", 2, 0), ("cpsat", 1, 20)]),
        (different, 4, [("first:chance", 4, 0), ("cpsat", 1, 20), ("sat:cadical195", 1, 80)]),
        (copies, 1, [("first:chance", 1, 0), ("cpsat", 1, 0.5)]),
        (copies, 2, [("first:chance", 1, 0), ("cpsat", 1, 0.5), ("sat:glucose42", 1, 2)]),
        (copies, 4, [("first:chance", 3, 0), ("cpsat", 1, 0.5), ("sat:glucose42", 1, 2)]),
    ):
        monkeypatch.setattr(auto, "cores", lambda processors=processors: processors)
        joiners = AutoBackend()._joiners(model, Request(limit=1, seed=5), promising=False)
        for name in ("linear", "memo:brief"):
            reason = joiners.popleft()
            assert (reason.backend.name, reason.seconds) == (name, 0)
        assert [(j.backend.name, j.request.workers, j.seconds) for j in joiners] == told
        assert {j.request.seed for j in joiners} == {5}
        rests = [RACE_REST if j.seconds == 0.5 else 0.0 for j in joiners]
        assert [j.rest for j in joiners] == rests


def test_a_search_that_promises_to_end_soon_keeps_a_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(auto, "cores", lambda: 2)
    model = lower(exactile.load("pentominoes-6x10"))
    request = Request(limit=1, seed=5)
    _, _, chance, second, cpsat = AutoBackend()._joiners(model, request, promising=True)
    assert [j.request.workers for j in (chance, second, cpsat)] == [1, 1, 1]
    assert [j.request.seed for j in (chance, second)] == [5, 6]
    assert [j.seconds for j in (chance, second, cpsat)] == [0, 0.5, 20]
    soon = Batch(no_solutions(), {"nodes": 100_000}, done=0.01)
    late = soon._replace(done=0.001)
    assert [auto._Pace().is_promising(batch) for batch in (soon, late)] == [True, False]
    assert chance.is_due(0, True)
    for later in (second, cpsat):
        assert [later.is_due(30, True), later.is_due(30, False)] == [False, True]


def test_progress_is_judged_by_its_latest_half() -> None:
    """A jump at the beginning promises nothing; nor does what was searched before."""

    def told(pace: auto._Pace, *progress: tuple[int, float]) -> list[bool]:
        batches = [Batch(no_solutions(), {"nodes": n}, done=done) for n, done in progress]
        return [pace.is_promising(batch) for batch in batches]

    even = [(n, n / 10**7) for n in range(100_000, 2_000_000, 100_000)]
    assert all(told(auto._Pace(), *even))
    jump = [(100_000, 0.5), (150_000, 0.5001), (200_000, 0.5001), (10**6, 0.5002)]
    assert told(auto._Pace(), *jump) == [True, True, False, False]
    assert told(auto._Pace(), *jump, (2 * 10**6, 0.75))[-1]  # it goes on
    assert told(auto._Pace(10**6), (1_100_000, 0.001), (1_200_000, 0.1)) == [False, True]


def test_a_search_that_lasts_long_and_comes_a_little_way_gets_more_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Asked for at every slice; never where the number of workers is given."""
    monkeypatch.setattr("exactile.backends.auto.RACE_WIDENS", 0)
    for done, workers, processors, told in (
        (0.01, None, 4, 2),
        (0.0001, None, 4, 0),
        (0.01, 3, 4, 0),
        (0.01, None, 1, 0),
    ):
        monkeypatch.setattr(auto, "cores", lambda processors=processors: processors)
        backend, (dlx,) = race(monkeypatch, dlx="wait")
        slow = _Slow(done)
        monkeypatch.setattr(dlx, "search", slow.search)
        running = backend.search(MODEL, Request(limit=1, workers=workers))
        slow.go_on(running)
        slow.closed.set()
        assert slow.threads[-1] == told
        running.close()


def test_the_first_one_rests_for_a_solver_that_joins(monkeypatch: pytest.MonkeyPatch) -> None:
    """And goes on afterwards; a race that ends does not wait for that."""
    rests: list[float] = []
    whenever(monkeypatch, lambda _, seconds: rests.append(seconds), auto._Runner, "rest")
    for rest in (3600.0, 0.01):
        monkeypatch.setattr("exactile.backends.auto.RACE_REST", rest)
        backend, (dlx, _) = race(monkeypatch, dlx="wait", cpsat="wait")
        slow = _Slow(0.0)
        monkeypatch.setattr(dlx, "search", slow.search)
        running = backend.search(MODEL, Request(limit=1, workers=1))
        while rest not in rests:
            next(running)
        before = len(slow.threads)
        for _ in range(20):
            next(running)
        if rest > 1:
            assert len(slow.threads) <= before + 2  # what it was about to do
        while rest < 1 and len(slow.threads) < before + 5:
            next(running)
        running.close()


def test_threads_are_lent_for_one_search_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactile.backends.auto.RACE_WIDENS", 0)
    monkeypatch.setattr(auto, "cores", lambda: 4)
    backend, (dlx,) = race(monkeypatch, dlx="wait")
    slow = _Slow(0.01)
    monkeypatch.setattr(dlx, "search", slow.search)
    for _ in range(2):
        slow.threads.clear()
        slow.closed.clear()
        running = backend.search(MODEL, Request(limit=1))
        slow.go_on(running)
        slow.closed.set()
        assert (slow.threads[0], slow.threads[-1]) == (0, 2)
        running.close()


class _Slow:
    """Has done some part of a search, and asks how many threads may help."""

    def __init__(self, done: float) -> None:
        self.done = done
        self.threads: list[int] = []
        self.closed = threading.Event()

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        while not self.closed.is_set():
            self.threads.append(request.more())
            pace(self.closed)
            yield Batch(no_solutions(), {"nodes": 1}, self.done)

    def go_on(self, running: Generator[Batch]) -> None:
        """Go on until what it has done was heard, and it has asked again since."""
        while not next(running).stats:
            pass
        asked = len(self.threads)
        while len(self.threads) < asked + 2:
            next(running)


def test_threads_that_are_lent_change_nothing_but_the_time() -> None:
    model = lower(exactile.load("hexiamonds-3x12"))
    nodes = []
    for more in (0, 1, 3):
        backend = get_backend("dlx")
        *_, last = backend.search(model, Request(more=partial(int, more)))
        nodes.append(last.stats["nodes"])
    assert nodes == [nodes[0]] * 3


def test_many_solutions_are_not_raced(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in (None, 2):
        backend, _ = race(monkeypatch, dlx="answer", cpsat="answer", sat="answer")
        assert len(list(backend.search(MODEL, Request(limit=limit)))) == 2
        assert backend.winner == "dlx"


@pytest.mark.parametrize("seed", few(range(12), 3))
def test_answers_are_those_of_the_default_backend(seed: int) -> None:
    puzzle = random_puzzle(seed)
    assert count(puzzle, backend="auto").raw == count(puzzle).raw
    verdict = prove(puzzle, backend="auto")
    assert verdict.status is prove(puzzle).status
    if verdict.solution is not None:
        assert faults(puzzle, from_coordinates(puzzle, verdict.solution)) == []


def test_real_backends_race() -> None:
    """No head start, so that all of them really begin."""
    for puzzle, status in (
        (dominoes(4, 4), Status.SOLVABLE),
        (mutilated(6), Status.UNSOLVABLE),
        (exactile.load("hexiamonds-3x12"), Status.UNSOLVABLE),
    ):
        verdict = prove(puzzle, backend=AutoBackend(head_start=0), use_reasons=False)
        assert verdict.status is status
        assert verdict.by.startswith("auto (")


def test_a_coloring_ends_a_race_that_no_search_would_end() -> None:
    """S tetracubes in a box of 5 x 6 x 6: no solver has settled it in a minute."""
    (instance,) = named(["s-tetracubes-5x6x6"])
    puzzle = instance.made.problem
    assert isinstance(puzzle, Puzzle)
    with Search(puzzle, backend="auto", limit=1, use_reasons=False) as search:
        assert list(search) == []
    assert (search.status, search.backend.name) == (Status.UNSOLVABLE, "auto (linear)")


def test_a_race_ends_with_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    late(monkeypatch, 5)
    racers = registry.racers  # a coloring would settle this puzzle at once
    monkeypatch.setattr(auto, "racers", lambda when: racers(when) if when != "reason" else [])
    puzzle = box_puzzle("hexominoes", 15, 14)
    assert lower(puzzle).options > 30000
    with Search(
        puzzle, backend=AutoBackend(head_start=0), limit=1, time_limit=60, use_reasons=False
    ) as search:
        assert list(search) == []
    assert (search.status, search.stopped) == (Status.UNKNOWN, "time limit")
    assert search.backend.name == "auto"


def test_there_is_nothing_to_choose() -> None:
    with pytest.raises(BackendNotFoundError, match="write 'auto'"):
        get_backend("auto:dlx")
    assert "dlx" in get_backend("auto").version()
