"""The loop of a run, with executors that tell what a test wants."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

import exactile
from exactile.backends.base import Prefix
from exactile.errors import CheckFailedError, ExactileError, WorkError
from exactile.runs.drive import Driver
from exactile.runs.executor import Executor, PartLost, PartResult, RunPart
from exactile.runs.part import Searcher
from exactile.runs.store import Store
from exactile.runs.store.join import take_share
from exactile.search.handle import drive
from exactile.search.limits import Limits
from exactile.tuning import TUNING

Told = PartResult | PartLost | ExactileError
PARTS = [[Prefix((number,), (number + 1) / 10)] for number in range(4)]


def done(number: int, left: tuple[Prefix, ...] = ()) -> PartResult:
    """Return that a part has five solutions."""
    return PartResult(number, list(left), {}, None, 5, 1, 1.0)


class Telling:
    """Tells what is in a list, of parts in the order in which they were given."""

    ahead, parallel, alive = 4, 1, 1

    def __init__(self, told: list[Told]) -> None:
        self.told, self.given = told, list[RunPart]()

    def give(self, part: RunPart) -> None:
        self.given.append(part)

    def take(self, _seconds: float) -> PartResult | PartLost | None:
        if not self.given:
            return None
        if not self.told:
            return done(self.given.pop(0).number)
        told = self.told.pop(0)
        if isinstance(told, ExactileError):
            raise told
        return told._replace(number=self.given.pop(0).number)

    def stop(self) -> None:
        pass


class Whole:
    """Cuts nothing."""

    def cut(self, part: RunPart, _pieces: int) -> PartResult:
        return done(part.number, tuple(part.prefixes))._replace(found=0)


def driver(store: Store, told: list[Told]) -> Driver:
    """Return who drives a new run of four parts."""
    run = store.add_run(exactile.load("soma-cube"), "", {}, "1", PARTS)
    executor = cast(Executor, Telling(told))
    return Driver(store, run, executor, "here", lambda: cast(Searcher, Whole()))


@pytest.mark.parametrize(
    ("error", "last"),
    [
        (CheckFailedError, CheckFailedError("a wrong solution")),
        (WorkError, PartLost(0, "another version", again=False)),
    ],
)
def test_what_came_before_an_error_is_kept(
    error: type[ExactileError], last: Told, tmp_path: Path
) -> None:
    with Store(tmp_path / "a", write=True) as store:
        with pytest.raises(error):
            driver(store, [done(0), done(0), last]).drive(Limits())
        record = store.run(1)
        assert (record.parts, record.totals.found) == (2, 10)


def test_a_tiny_rest_is_cut_as_well(tmp_path: Path) -> None:
    with Store(tmp_path / "a", write=True) as store:
        tiny = done(0, (Prefix((0,), 1e-18),))
        assert driver(store, [tiny, done(0), done(0), done(0)]).drive(Limits()) is None
        record = store.run(1)
        assert (record.parts, record.totals.found) == (0, 25)


def test_a_run_is_cut_even_if_all_workers_have_just_died(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TUNING, "run_first_seconds", 1.0)
    monkeypatch.setattr(Telling, "ahead", 1)
    monkeypatch.setattr(Telling, "alive", 0)
    with Store(tmp_path / "a", write=True) as store:
        assert driver(store, [done(0), PartLost(0, "killed")]).drive(Limits()) is None
        record = store.run(1)
        assert (record.parts, record.totals.found) == (0, 20)


def test_what_was_too_large_is_dealt_out_prefix_by_prefix(tmp_path: Path) -> None:
    """Else it would come back as it is, for ever."""
    limits = Limits()
    large = done(0, tuple(Prefix((0, number), 0.02) for number in range(5)))
    with Store(tmp_path / "a", write=True) as store:
        stopping = driver(store, [large._replace(too_large=True)])
        cast(Telling, stopping.executor).ahead = 1
        assert stopping.drive(limits, watch=limits.cancel) == "cancelled"
        assert [len(store.prefixes(1, part.number)) for part in store.parts(1)] == [1] * 8


def test_a_run_is_driven_by_the_one_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that is reached ends it; when nothing is left, none has stopped it."""
    driven: list[Limits] = []

    def told(work: Callable[[float], bool], limits: Limits) -> str | None:
        driven.append(limits)
        return drive(work, limits)

    monkeypatch.setattr("exactile.runs.drive.drive", told)
    limits = Limits()
    with Store(tmp_path / "a", write=True) as store:
        stopping = driver(store, [])
        cast(Telling, stopping.executor).ahead = 2
        assert stopping.drive(limits, watch=limits.cancel) == "cancelled"
        assert driven[0] is limits
        assert store.run(1).parts == 2
        again = Driver(store, 1, stopping.executor, "here", lambda: cast(Searcher, Whole()))
        assert again.drive(Limits()) is None
        assert store.run(1).parts == 0
        over = Driver(store, 1, stopping.executor, "here", lambda: cast(Searcher, Whole()))
        assert over.drive(limits) is None  # nothing is left to be stopped


def test_the_progress_of_a_share_is_that_of_its_own_parts(tmp_path: Path) -> None:
    with Store(tmp_path / "a", write=True) as whole, Store(tmp_path / "b", write=True) as share:
        whole.add_run(exactile.load("soma-cube"), "", {}, "1", PARTS)
        assert take_share(whole, 1, share, 1, 2) == 1  # of the weights 0.1 and 0.3
        assert share.run(1).done == 0
        executor = Telling([])
        executor.ahead = 1
        for part in (1, 0):
            half = Driver(share, 1, cast(Executor, executor), "", lambda: cast(Searcher, Whole()))
            limits = Limits()
            half.drive(limits, watch=limits.cancel)
            record = share.run(1)
            assert record.parts == part
            assert record.done == pytest.approx(half.done)
            assert record.done == pytest.approx(1 - record.left / (0.1 + 0.3))
