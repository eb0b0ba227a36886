"""Solver processes that die, hang, or lie: one cube is lost at most, and nothing comes twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from exactile.backends import Request, get_backend
from exactile.backends.child import Task
from exactile.backends.cubes import Cube, Part, make_cubes
from exactile.backends.pool import Listener, Stats, search_cubes
from exactile.backends.sat_solver import start as start_sat
from exactile.errors import BackendCrashedError, BackendError
from exactile.model import Model, lower
from exactile.solve import Search, Status
from support.small import box_puzzle, dominoes
from support.waiting import children

HARD = box_puzzle("hexominoes", 15, 14)
TILINGS = 36
FOLDER = str(Path(__file__).parents[1])


def start(task: Task) -> Callable[[Cube, Listener], Stats]:
    """Be a solver whose process does what the rest of its name says, at the cubes that it says.

    The name is ``WHAT,CUBE,FILE``: FILE gets a byte a time, so that tries can be counted.
    """
    what, cube_number, path = task.solver.split(",")
    real = start_sat(Task(task.model, task.request, "sat:cadical195"))

    class Dying:
        def __init__(self, listener: Listener) -> None:
            self.listener = listener
            self.told = 0

        def solution(self, options: list[int], stats: Stats) -> None:
            self.listener.solution(options, stats)
            self.told += 1
            if self.told == 2:
                misbehave(what, path)

        def sign_of_life(self, stats: Stats) -> None:
            self.listener.sign_of_life(stats)

    def search(cube: Cube, listener: Listener) -> Stats:
        here = cube_number == "all" or cube.index == int(cube_number)
        return real(cube, Dying(listener) if here else listener)

    return search


def misbehave(what: str, path: str) -> None:
    with Path(path).open("ab") as file:
        file.write(b".")
    tries = Path(path).stat().st_size
    if what == "once" and tries > 1:
        return
    if what == "memory":
        raise MemoryError
    if what == "error":
        raise RuntimeError("it does not like this model")
    os.kill(os.getpid(), signal.SIGSEGV)


def run(solver: str, workers: int = 1) -> tuple[list[frozenset[int]], Exception | None, int]:
    """Return the solutions of 4x4 by dominoes that came, the error, and how many there are cubes.

    Three cubes, so that some hold several solutions.
    """
    model = lower(dominoes(4, 4))
    request = Request()
    cubes = make_cubes(model, request, 3)
    found: list[frozenset[int]] = []
    try:
        for batch in search_cubes(__name__, Task(model, request, solver), cubes, workers):
            found += [frozenset(row) for row in batch.assignments.tolist()]
    except BackendError as error:
        return found, error, len(cubes)
    return found, None, len(cubes)


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the processes import this file as the tests do."""
    monkeypatch.setenv("PYTHONPATH", f"{FOLDER}:{Path(__file__).parent}")
    monkeypatch.setattr(sys.modules[__name__], "__name__", "test_pool")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_crash_costs_nothing_if_the_next_process_manages(tmp_path: Path, workers: int) -> None:
    """Solutions that came before the crash are not told again."""
    log = tmp_path / "log"
    found, error, _ = run(f"once,0,{log}", workers)
    assert error is None
    assert len(found) == len(set(found)) == TILINGS
    assert log.stat().st_size == 2


@pytest.mark.parametrize(("what", "cause"), [("crash", "SIGSEGV"), ("memory", "out of memory")])
@pytest.mark.parametrize("workers", [1, 2])
def test_two_crashes_cost_one_cube(tmp_path: Path, workers: int, what: str, cause: str) -> None:
    log = tmp_path / "log"
    found, error, cubes = run(f"{what},0,{log}", workers)
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
    _, error, cubes = run(f"crash,all,{log}")
    assert isinstance(error, BackendCrashedError)
    assert cubes >= 3
    assert log.stat().st_size == 6


def test_what_a_solver_says_ends_the_search(tmp_path: Path) -> None:
    _, error, _ = run(f"error,all,{tmp_path / 'log'}")
    assert isinstance(error, BackendError)
    assert "RuntimeError: it does not like this model" in str(error)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_killed_solver_is_tried_once_more() -> None:
    with Search(HARD, backend="sat", use_reasons=False, limit=1) as search:
        search.wait(0.3)
        (first,) = children()
        os.kill(first, signal.SIGKILL)
        search.wait(0.5)
        (second,) = children()
        assert second != first
        assert search.status is Status.UNKNOWN
        os.kill(second, signal.SIGKILL)
        with pytest.raises(BackendCrashedError, match="died \\(SIGKILL\\)"):
            search.wait()
    assert not children()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_are_processes_and_end_with_the_search() -> None:
    with Search(HARD, backend="sat", workers=2, use_reasons=False) as search:
        search.wait(0.3)
        assert len(children()) == 2
    assert not children()


def test_a_time_limit_stops_workers() -> None:
    with Search(HARD, backend="sat", workers=2, time_limit=0.5, use_reasons=False) as search:
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


def test_a_liar_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that ignores the clauses would repeat itself for ever."""
    (tmp_path / "liar.py").write_text(
        "def start(task):\n"
        "    def search(cube, listener):\n"
        "        listener.solution([0], {})\n"
        "        listener.solution([0], {})\n"
        "        return {}\n"
        "    return search\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    model = Model.of_options([[0], [0]], [1], [1])
    running = search_cubes("liar", Task(model, Request(), "liar"), [Part((), 1.0, ())], 1)
    with pytest.raises(BackendCrashedError, match="returned a solution twice"):
        list(running)


def test_an_image_of_a_solution_is_a_repetition_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "liar.py").write_text(
        "def start(task):\n"
        "    def search(cube, listener):\n"
        "        listener.solution([0], {})\n"
        "        listener.solution([1], {})\n"
        "        return {}\n"
        "    return search\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    model = Model.of_options([[0], [0]], [1], [1])
    request = Request(images=np.array([[0, 1], [1, 0]], dtype=np.int32))
    running = search_cubes("liar", Task(model, request, "liar"), [Part((), 1.0, ())], 1)
    with pytest.raises(BackendCrashedError, match="returned a solution twice"):
        list(running)


def test_ctrl_c_ends_a_search_by_workers() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from support.small import box_puzzle\n"
        "from exactile.solve import Search\n"
        "from exactile.solve.verbs import count_search\n"
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
        rest, _ = process.communicate(timeout=60)
    assert rest.strip() == "interrupted"


@pytest.mark.parametrize(
    ("backend", "encoding", "message"),
    [
        ("dlx", "pairwise", "takes no encoding"),
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
