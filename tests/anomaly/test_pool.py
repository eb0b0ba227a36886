"""Solver processes that die, hang, or lie: one cube is lost at most, and nothing comes twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from exactile.backends import Request, get_backend
from exactile.backends.child import Found
from exactile.backends.cubes import Cube, Part, make_cubes, search_cubes
from exactile.backends.sat import CubeSearch
from exactile.errors import BackendCrashedError, BackendError
from exactile.model import Model
from exactile.model.lower import lower
from exactile.model.model import Ints
from exactile.search import Search, Status
from exactile.work import Tell
from support.events import go_on_until
from support.small import box_puzzle, dominoes
from support.waiting import PATIENCE, children
from support.work_tasks import importable

HARD = box_puzzle("hexominoes", 15, 14)
TILINGS = 36
FOLDER = str(Path(__file__).parents[1])


@dataclass(frozen=True, eq=False)
class Dying:
    """A solver whose process does what is said, at the cubes that are said.

    The file gets a byte a time, so that tries can be counted.
    """

    real: CubeSearch
    what: str
    cube: int | None
    log: Path

    def start(self) -> Callable[[Cube, Tell[Found]], None]:
        search = self.real.start()

        def dying(cube: Cube, tell: Tell[Found]) -> None:
            told = 0

            def tell_and_die(news: Found) -> None:
                nonlocal told
                tell(news)
                told += news.options is not None
                if told == 2:
                    misbehave(self.what, self.log)

            search(cube, tell_and_die if self.cube in (None, cube.index) else tell)

        return dying


@dataclass(frozen=True)
class Liar:
    """A solver that says these are solutions of every cube."""

    options: tuple[int, ...]

    def start(self) -> Callable[[Cube, Tell[Found]], None]:
        def search(cube: Cube, tell: Tell[Found]) -> None:
            for option in self.options:
                tell(Found([option], {}))

        return search


def misbehave(what: str, path: Path) -> None:
    with path.open("ab") as file:
        file.write(b".")
    if what == "once" and path.stat().st_size > 1:
        return
    if what == "memory":
        raise MemoryError
    if what == "error":
        raise RuntimeError("it does not like this model")
    os.kill(os.getpid(), signal.SIGSEGV)


def run(
    what: str, cube: int | None, log: Path, workers: int = 1
) -> tuple[list[frozenset[int]], Exception | None, int]:
    """Return the solutions of 4x4 by dominoes that came, the error, and how many there are cubes.

    Three cubes, so that some hold several solutions.
    """
    model = lower(dominoes(4, 4))
    cubes = make_cubes(model, Request(), 3)
    service = Dying(CubeSearch(model, Request(), "cadical195"), what, cube, log)
    found: list[frozenset[int]] = []
    try:
        for batch in search_cubes("sat", service, cubes, workers):
            found += [frozenset(row) for row in batch.assignments.tolist()]
    except BackendError as error:
        return found, error, len(cubes)
    return found, None, len(cubes)


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the processes import this file as the tests do."""
    with importable(Path(__file__).parent):
        for kind in (Dying, Liar):
            monkeypatch.setattr(kind, "__module__", "test_pool")
        monkeypatch.setitem(sys.modules, "test_pool", sys.modules[__name__])
        yield


@pytest.mark.parametrize("workers", [1, 2])
def test_a_crash_costs_nothing_if_the_next_process_manages(tmp_path: Path, workers: int) -> None:
    """Solutions that came before the crash are not told again."""
    log = tmp_path / "log"
    found, error, _ = run("once", 0, log, workers)
    assert error is None
    assert len(found) == len(set(found)) == TILINGS
    assert log.stat().st_size == 2


@pytest.mark.parametrize(("what", "cause"), [("crash", "SIGSEGV"), ("memory", "out of memory")])
@pytest.mark.parametrize("workers", [1, 2])
def test_two_crashes_cost_one_cube(tmp_path: Path, workers: int, what: str, cause: str) -> None:
    log = tmp_path / "log"
    found, error, cubes = run(what, 0, log, workers)
    assert isinstance(error, BackendCrashedError)
    assert f"died ({cause})" in str(error)
    assert f"1 of {cubes} parts of the search are lost" in str(error)
    assert log.stat().st_size == 2
    assert len(found) == len(set(found))
    model = lower(dominoes(4, 4))
    first = make_cubes(model, Request(), 3)[0].path
    others = [s for s in found if not all((m in s) if m >= 0 else (~m not in s) for m in first)]
    inside = len(found) - len(others)
    with Search(dominoes(4, 4)) as search:
        every = [frozenset(r) for b in search.batches() for r in b.tolist()]
    outside = [s for s in every if not all((m in s) if m >= 0 else (~m not in s) for m in first)]
    assert set(others) == set(outside)
    assert 2 <= inside < TILINGS - len(outside)


def test_a_solver_that_always_dies_is_soon_given_up(tmp_path: Path) -> None:
    log = tmp_path / "log"
    _, error, cubes = run("crash", None, log)
    assert isinstance(error, BackendCrashedError)
    assert cubes >= 3
    assert log.stat().st_size == 6


def test_what_a_solver_says_ends_the_search(tmp_path: Path) -> None:
    _, error, _ = run("error", None, tmp_path / "log")
    assert isinstance(error, BackendError)
    assert "RuntimeError: it does not like this model" in str(error)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_killed_solver_is_tried_once_more() -> None:
    with Search(HARD, backend="sat", use_reasons=False, limit=1) as search:
        go_on_until(search, children)
        (first,) = children()
        os.kill(first, signal.SIGKILL)
        go_on_until(search, lambda: set(children()) - {first})
        (second,) = children()
        assert search.status is Status.UNKNOWN
        os.kill(second, signal.SIGKILL)
        with pytest.raises(BackendCrashedError, match="died \\(SIGKILL\\)"):
            search.wait()
    assert not children()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_are_processes_and_end_with_the_search() -> None:
    with Search(HARD, backend="sat", workers=2, use_reasons=False) as search:
        go_on_until(search, lambda: len(children()) == 2)
    assert not children()


def test_a_time_limit_stops_workers() -> None:
    with Search(HARD, backend="sat", workers=2, time_limit=0.2, use_reasons=False) as search:
        assert list(search) == []
        assert search.stopped == "time limit"


def test_progress_is_reported() -> None:
    """By cubes; counters come from slices too, before the first cube is done."""
    with Search(box_puzzle("pentominoes", 20, 3), backend="sat") as search:
        seen = [search.done or 0.0 for _ in search.batches()]
        assert search.found == 8
        assert search.stats["conflicts"] > 0
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert len(set(seen)) > 5


@pytest.mark.parametrize(
    ("options", "images"),
    [((0, 0), None), ((0, 1), np.array([[0, 1], [1, 0]], dtype=np.int32))],
)
def test_a_liar_is_caught(options: tuple[int, ...], images: Ints | None) -> None:
    """A solver that ignores the clauses would repeat itself, or an image, for ever."""
    running = search_cubes("liar", Liar(options), [Part((), 1.0, ())], 1, images)
    with pytest.raises(BackendCrashedError, match="liar returned a solution twice"):
        list(running)


def test_ctrl_c_ends_a_search_by_workers() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from support.small import box_puzzle\n"
        "from exactile.search import Search\n"
        "from exactile.counting.verbs import count_search\n"
        "hard = box_puzzle('hexominoes', 15, 14)\n"
        "said = []\n"
        "def progress(found):\n"
        "    if not said: said.append(print('ready', flush=True))\n"
        "with Search(hard, backend='sat', workers=2, use_reasons=False) as search:\n"
        "    print(count_search(search, progress).stopped, flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, FOLDER], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "ready"
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE)
    assert rest.strip() == "interrupted"


@pytest.mark.parametrize(
    ("backend", "encoding", "message"),
    [
        ("dlx", "pairwise", "has no encodings"),
        ("sat", "native", "it does not know it. Take one of pairwise"),
        ("sat", "totalizer", "one solution would have many models"),
        ("sat:gluecard4", "ladder", "Take one of pairwise.*native"),
    ],
)
def test_encodings_that_a_backend_does_not_take(backend: str, encoding: str, message: str) -> None:
    with pytest.raises(BackendError, match=message):
        Search(dominoes(2, 2), backend=backend, encoding=encoding)


def test_a_formula_that_is_too_large_is_one_clear_error() -> None:
    """Said by the process, before any solver gets it."""
    model = Model.of_options([[0]] * 20_000, [1], [1])
    running = get_backend("sat").search(model, Request(encoding="pairwise", limit=1))
    with pytest.raises(BackendError, match="Pair by pair, 199,990,000 clauses are too many"):
        list(running)
