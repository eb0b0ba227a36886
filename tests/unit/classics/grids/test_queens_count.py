"""Queens are counted by the plan that counts all models, and not listed."""

from __future__ import annotations

import pytest

from exactile.answers import Status
from exactile.classics.grids.queens import QueensSearch, count_queens
from exactile.counting import plan
from exactile.counting.listing import Alternating
from exactile.errors import Interrupted

BOARDS = [(size, torus) for size in range(1, 9) for torus in (False, True)]


@pytest.mark.parametrize("use_memo", [True, False])
@pytest.mark.parametrize(("size", "torus"), BOARDS)
def test_counts_are_those_of_the_list(size: int, torus: bool, use_memo: bool) -> None:
    search = QueensSearch(size, torus=torus)
    found = list(search)
    answer = count_queens(size, torus=torus, use_memo=use_memo)
    assert answer.status.final
    assert answer.raw == answer.found == len(found)
    assert (answer.rotation, answer.symmetry) == (search.counter.rotation, search.counter.symmetry)


@pytest.mark.parametrize("torus", [False, True])
def test_other_backends_list_and_agree(torus: bool) -> None:
    told = [count_queens(7, torus=torus, backend=name) for name in ("dlx", "reference", "sat")]
    assert len({(a.raw, a.rotation, a.symmetry, a.found, a.status) for a in told}) == 1
    assert [a.backend for a in told][:2] == ["dlx", "reference"]


def test_the_plan_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the plan has the memo alone, the memo counts."""
    step = plan.Step("memo", 1_000_000)
    monkeypatch.setattr("exactile.counting.listing.model_plan", lambda _: iter([step]))
    assert (count_queens(6).method, count_queens(6).symmetry) == ("memo", 1)


def test_nothing_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(QueensSearch, "__init__", listed)
    assert count_queens(6).raw == 4


def test_a_limit_ends_it() -> None:
    answer = count_queens(40, time_limit=0.01)
    assert (answer.raw, answer.symmetry, answer.stopped) == (None, None, "time limit")
    assert answer.status in (Status.UNKNOWN, Status.SOLVABLE)


def test_after_ctrl_c_there_is_an_answer() -> None:
    def pressed(_: Alternating) -> None:
        raise KeyboardInterrupt

    for backend in ("dlx", "reference"):
        with pytest.raises(Interrupted) as stop:
            count_queens(12, backend=backend, watch=pressed)
        assert (stop.value.answer.stopped, stop.value.answer.raw) == ("interrupted", None)
