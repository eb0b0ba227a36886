"""Searches that are stopped, killed, or lied to."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from threading import Thread
from typing import Any, cast

import numpy as np
import pytest

import exactile
from exactile.answers import SolutionList, Verdict
from exactile.backends import Backend, Batch, Request
from exactile.cli.main import run
from exactile.counting import count
from exactile.counting.verbs import count_search
from exactile.errors import (
    BackendCrashedError,
    BackendError,
    BackendNotFoundError,
    CheckFailedError,
    FileError,
    Interrupted,
    PuzzleError,
)
from exactile.files.puzzles.catalogue import load
from exactile.geometry import get_lattice
from exactile.geometry.wrap import Wrap
from exactile.model import Model
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.sets import piece_set
from exactile.puzzle.statement import puzzle_of
from exactile.reasons.verdict import prove
from exactile.search import Search, Status
from exactile.search.reproducer import read_reproducer, repeat
from support.ctrl_c import interrupted
from support.events import at, cancelled, go_on, go_on_until, in_slices
from support.small import box_puzzle, dominoes
from support.waiting import children

ALL = ["dlx", "cpsat", "sat", "reference"]
HARD = box_puzzle("hexominoes", 15, 14)
"""Beyond what any of the backends refutes in a few seconds by searching."""


@pytest.mark.parametrize("backend", ALL)
def test_a_time_limit_is_a_status(backend: str) -> None:
    verdict = prove(HARD, backend=backend, time_limit=0.2, use_reasons=False)
    assert verdict.status is Status.UNKNOWN
    assert verdict.stopped == "time limit"


@pytest.mark.parametrize("backend", ALL)
def test_a_solution_limit_is_kept(backend: str) -> None:
    with Search(dominoes(4, 4), backend=backend, limit=5) as search:
        assert len(list(search)) == 5
        assert (search.status, search.stopped) == (Status.SOLVABLE, "solution limit")


@pytest.mark.parametrize("backend", ALL)
def test_cancel_from_another_thread(backend: str) -> None:
    with Search(HARD, backend=backend, use_reasons=False) as search, cancelled(search.cancel):
        assert list(search) == []
        assert (search.status, search.stopped) == (Status.UNKNOWN, "cancelled")


@pytest.mark.parametrize("backend", ALL)
def test_wait_keeps_solutions_for_iteration(backend: str) -> None:
    with Search(dominoes(4, 4), backend=backend) as search:
        assert search.wait() is Status.COMPLETE
        assert len(list(search)) == 36
    with Search(HARD, backend=backend, use_reasons=False) as search:
        assert search.wait(0.1) is Status.UNKNOWN


def test_counts_of_a_stopped_search_are_not_guessed() -> None:
    answer = count(HARD, method="list", time_limit=0.2, use_reasons=False)
    assert (answer.raw, answer.rotation, answer.symmetry) == (None, None, None)
    assert answer.stopped == "time limit"


def test_ctrl_c_while_counting_is_noted() -> None:
    """The interrupt may come between two batches, outside the search itself."""

    def interrupt(search: Search) -> None:
        raise KeyboardInterrupt

    with Search(box_puzzle("pentominoes", 20, 3)) as search:
        answer = count_search(search, interrupt)
    assert (answer.raw, answer.stopped) == (None, "interrupted")


def test_ctrl_c_after_the_search_is_noted() -> None:
    """All is searched, but the orbits are not yet counted."""

    def interrupt(search: Search) -> None:
        if search.found == 2:
            search.wait()
            raise KeyboardInterrupt

    with Search(dominoes(2, 2)) as search:
        answer = count_search(search, interrupt)
    assert (answer.raw, answer.symmetry, answer.stopped) == (None, None, "interrupted")


def test_a_closed_search_says_so() -> None:
    with Search(dominoes(4, 4)) as search:
        next(search)
    assert search.stopped == "closed"
    assert list(search) == []


def test_the_reference_refuses_what_is_too_deep() -> None:
    with pytest.raises(BackendError, match="use another backend"):
        prove(dominoes(60, 60), backend="reference")


def test_a_large_torus_is_stopped_in_time() -> None:
    """Its thousands of symmetries must not be multiplied with all its options."""
    square = get_lattice("square")
    region = Region(
        square, square.points(square.builders["box"](20, 20)), wrap=Wrap([(20, 0), (0, 20)])
    )
    pieces = piece_set("pentominoes", square)
    chosen = tuple(pieces.piece(n, 0, 80) for n in pieces.pieces)
    answer = count(Puzzle("torus", region, chosen), time_limit=0.5)
    assert answer.stopped == "time limit"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"limit": 0}, "must be positive"),
        ({"time_limit": -1.0}, "must be positive"),
        ({"time_limit": float("nan")}, "must be a finite number"),
        ({"workers": 0}, "must be an integer from 1"),
    ],
)
def test_senseless_limits_are_refused(option: dict[str, int], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        Search(dominoes(2, 2), **option)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dlxx", "Did you mean 'dlx'?"),
        ("sat:cadical", "Known: cadical103"),
        ("dlx:fast", "has no solver 'fast'"),
        ("cpsat:8", "has no solver '8'"),
        ("reference:1", "has no solver '1'"),
    ],
)
def test_unknown_backends(name: str, message: str) -> None:
    with pytest.raises(BackendNotFoundError) as caught:
        Search(dominoes(2, 2), backend=name)
    assert message in str(caught.value)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_killed_solver_is_reported() -> None:
    with Search(HARD, backend="cpsat", use_reasons=False) as search:
        go_on_until(search, children)
        os.kill(children()[-1], signal.SIGKILL)
        with pytest.raises(BackendCrashedError, match="died \\(SIGKILL\\)"):
            search.wait()
        assert search.status is Status.UNKNOWN


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("backend", ["cpsat", "sat"])
def test_closing_a_search_ends_its_process(backend: str) -> None:
    with Search(HARD, backend=backend, use_reasons=False) as search:
        go_on_until(search, children)
    assert not children()


@pytest.mark.parametrize("backend", ALL)
def test_ctrl_c_leaves_the_answer_so_far(backend: str) -> None:
    def answer() -> Verdict:
        with pytest.raises(Interrupted) as stop:
            prove(HARD, backend=backend, use_reasons=False)
        return cast(Verdict, stop.value.answer)

    assert interrupted(answer).stopped == "interrupted"


def test_ctrl_c_leaves_the_solutions_so_far() -> None:
    def answer() -> SolutionList:
        with pytest.raises(Interrupted) as stop:
            exactile.find_solutions(HARD, use_reasons=False)
        return cast(SolutionList, stop.value.answer)

    assert interrupted(answer).stopped == "interrupted"


@pytest.mark.parametrize(
    "work",
    [
        lambda watch: prove(HARD, watch=watch, use_reasons=False),
        lambda watch: exactile.pack(HARD, first_look=False, watch=watch),
        lambda watch: exactile.explain(HARD, watch=watch),
        lambda watch: exactile.count_by_subset(HARD, watch=watch, use_reasons=False),
        lambda watch: exactile.count(HARD, watch=watch, use_reasons=False, method="list"),
        lambda watch: exactile.find_solutions(HARD, watch=watch, use_reasons=False),
    ],
)
def test_ctrl_c_ends_a_loop_over_puzzles_with_the_answer_so_far(
    work: Callable[[Callable[[object], None]], Any],
) -> None:
    def press(news: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stop:
        work(press)
    assert stop.value.answer.stopped == "interrupted"
    assert stop.value.answer.puzzle == HARD.name


def test_ctrl_c_just_after_the_solution_is_not_lost() -> None:
    def press(search: Search) -> None:
        if search.found:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stop:
        prove(load("dominoes-4x4"), backend="dlx", watch=press)
    assert (stop.value.answer.status, stop.value.answer.stopped) == (Status.SOLVABLE, "interrupted")


def test_ctrl_c_ends_a_count_by_workers_with_130(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_slices(monkeypatch, 1000)
    assert interrupted(lambda: run(["count", "bedlam-cube", "--workers", "2"])) == 130
    out = capsys.readouterr().out
    assert "solutions found before the search stopped: interrupted" in out


@pytest.mark.parametrize("workers", [2, 5])
def test_workers_hear_deadlines_and_cancel(workers: int) -> None:
    ring = load("polysticks-1234-5x5-diamond-lattice-ring")  # without a coloring
    verdict = prove(ring, time_limit=0.2, workers=workers, use_reasons=False)
    assert (verdict.status, verdict.stopped) == (Status.UNKNOWN, "time limit")
    with Search(HARD, workers=workers, use_reasons=False) as search, cancelled(search.cancel):
        assert list(search) == []
        assert (search.status, search.stopped) == (Status.UNKNOWN, "cancelled")


class Liar(Backend):
    """A backend whose solutions are given."""

    name = "liar"

    def __init__(self, rows: list[list[int]]) -> None:
        self.rows = rows

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        yield Batch(np.array(self.rows, dtype=np.int32))

    def version(self) -> str:
        return "0"


def test_a_wrong_answer_is_caught_and_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CheckFailedError, match="is not covered") as caught:
        list(Search(dominoes(2, 2), backend=Liar([[0]])))
    (written,) = tmp_path.iterdir()
    assert str(written) in str(caught.value)
    document = json.loads(written.read_text())
    assert document["backend"] == "liar"
    assert document["options"] == [0]
    page = (Path(__file__).parents[2] / "docs" / "backends.md").read_text("utf-8")
    assert written.name.startswith("exactile-wrong-answer-")
    assert "`exactile-wrong-answer-….json`" in page
    assert "`exactile check --reproducer FILE`" in page
    assert puzzle_of(read_reproducer(written).statement, "again") == dominoes(2, 2)
    assert any("not covered" in fault for fault in document["faults"])


@pytest.mark.parametrize(
    ("rows", "code", "words"),
    [
        ([[0]], 1, "Searched again: the same wrong answer: "),
        ([[1]], 1, "Searched again: another wrong answer: "),
        ([], 0, "no wrong answer among 0"),
    ],
)
def test_a_wrong_answer_is_repeated(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    rows: list[list[int]],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CheckFailedError):
        list(Search(dominoes(2, 2), backend=Liar([[0]])))
    (written,) = tmp_path.iterdir()
    monkeypatch.setattr("exactile.search.reproducer.get_backend", lambda name: Liar(rows))
    assert run(["check", "--reproducer", str(written)]) == code
    printed = capsys.readouterr().out
    assert "the recorded answer is not a solution" in printed
    assert words in printed


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("", "", "not hold a wrong answer that exactile recorded"),
        ('"seed":0', '"seed":"x"', r"\$\.asked\.seed"),
        ('"options":[0]', '"options":[99]', "names 99"),
        ('"lattice":"square"', '"lattice":"squaer"', "squaer"),
        ("exactile-wrong-answer-1", "exactile-wrong-answer-9", r"\$\.format"),
    ],
)
def test_damaged_reproducers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CheckFailedError):
        list(Search(dominoes(2, 2), backend=Liar([[0]])))
    (written,) = tmp_path.iterdir()
    text = written.read_text()
    assert old in text
    written.write_text(text.replace(old, new) if old else text[:-9])
    with pytest.raises(FileError, match=message) as caught:
        repeat(written)
    assert str(written) in str(caught.value)


def test_missing_solutions_are_noticed_when_counting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the three tilings of 2x3 two form an orbit: one of those alone is not a whole orbit."""
    monkeypatch.chdir(tmp_path)
    puzzle = dominoes(2, 3)
    with Search(puzzle) as search:
        rows = [row for batch in search.batches() for row in batch.tolist()]
    assert len(rows) == 3
    whole = [row for row in rows if symmetric(puzzle, row)]
    assert len(whole) == 1
    assert count(puzzle, backend=Liar(whole)).symmetry == 1
    with pytest.raises(CheckFailedError, match="whole orbits"):
        count(puzzle, backend=Liar([row for row in rows if row not in whole][:1]))
    assert list(tmp_path.iterdir()) == []  # no single answer could be repeated


def symmetric(puzzle: Puzzle, row: list[int]) -> bool:
    """Return whether every symmetry keeps the assignment."""
    with Search(puzzle) as search:
        action = search.action
        return all(
            sorted(action.images(g, np.array(row)).tolist()) == row for g in range(action.order)
        )


@pytest.mark.parametrize("backend", ["sat", "cpsat"])
def test_a_solver_outlives_the_thread_that_started_it(backend: str) -> None:
    with Search(HARD, backend=backend, use_reasons=False) as search:
        thread = Thread(target=lambda: go_on(search, 3))
        thread.start()
        thread.join()
        go_on(search, 3)
        assert (search.status, search.stopped) == (Status.UNKNOWN, None)


def test_solutions_come_asynchronously_and_a_cancelled_task_ends_the_search() -> None:
    async def listed() -> int:
        return len([s async for s in Search(dominoes(4, 4))])

    async def given_up() -> Search:
        search = Search(HARD, use_reasons=False)
        task = asyncio.ensure_future(anext(search))
        loop = asyncio.get_running_loop()
        with pytest.MonkeyPatch.context() as patch:
            at(patch, 2, lambda: loop.call_soon_threadsafe(task.cancel))
            with pytest.raises(asyncio.CancelledError):
                await task
        return search

    assert asyncio.run(listed()) == 36
    assert asyncio.run(given_up()).limits.reached() == "cancelled"
