"""The portfolio for one solution."""

from __future__ import annotations

from threading import Thread

import pytest

from exactile.backends import Request, first, get_backend
from exactile.backends.first import FirstBackend
from exactile.backends.members import Member, Restarts, Schedule, Ways
from exactile.errors import BackendError
from exactile.model import Model
from exactile.model.lower import lower
from exactile.work import speaks_of_memory
from support.small import dominoes


@pytest.mark.parametrize(
    ("request_", "number"),
    [(Request(ordered=True, workers=4), 1), (Request(workers=4), 4), (Request(), 3)],
)
def test_an_ordered_search_has_one_thread(
    monkeypatch: pytest.MonkeyPatch, request_: Request, number: int
) -> None:
    started = []

    class Team(first._Team):
        def start(self, workers: int) -> None:
            started.append(workers)
            super().start(workers)

    monkeypatch.setattr(first, "_Team", Team)
    monkeypatch.setattr(first, "cores", lambda: 3)
    list(FirstBackend().search(lower(dominoes(2, 2)), request_))
    assert started == [number]


def test_a_thread_that_cannot_start_is_a_lack_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unable(Thread):
        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(first, "Thread", Unable)
    with pytest.raises(BackendError, match="not enough memory") as error:
        list(FirstBackend().search(lower(dominoes(2, 2)), Request()))
    assert speaks_of_memory(str(error.value))


def test_its_name_tells_who_had_the_last_answer() -> None:
    backend = FirstBackend()
    for _ in range(2):
        list(backend.search(lower(dominoes(2, 2)), Request(workers=1)))
        assert backend.name == "first (exhaustive search)"


def test_a_member_that_is_over_gets_no_more_turns() -> None:
    class Over(Member):
        over = True

    ways = Ways(lower(dominoes(2, 2)), None)
    schedule = Schedule([Over("over", 1.0, ways), Restarts("busy", 0.1, ways, near=1, until=0)], 0)
    assert [schedule.next()[0].name for _ in range(3)] == ["busy"] * 3


@pytest.mark.parametrize("name", ["first", "first:beams", "first:chance"])
def test_an_item_without_options_needs_no_search(name: str) -> None:
    model = Model.of_options([[0]], [1, 1], [1, 1])
    [batch] = get_backend(name).search(model, Request(limit=1))
    assert (len(batch.assignments), batch.stopped) == (0, None)
