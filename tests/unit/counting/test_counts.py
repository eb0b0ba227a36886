"""What a count says of itself: who settled it, what it looked at, and that Ctrl-C is heard."""

from __future__ import annotations

from typing import NoReturn

import pytest

import exactile
from exactile.answers import INTERRUPTED
from exactile.counting import count
from exactile.counting.frontier import Frontier
from exactile.counting.memo import Memo
from exactile.counting.method import Method
from exactile.counting.plan import FrontierBudget
from exactile.errors import CountingError, Interrupted
from exactile.puzzle.symmetry import symmetries
from exactile.search import Search
from exactile.search.limits import Limits
from support.small import dominoes, mutilated


def test_what_is_seen_at_sight_is_credited_to_no_backend() -> None:
    answer = count(mutilated(4))
    assert (answer.raw, answer.backend, answer.method) == (0, None, "first look")
    assert answer.reason is not None
    assert count(mutilated(4), method="list", use_reasons=False).backend == "dlx"


def test_symmetries_are_those_of_the_puzzle() -> None:
    puzzle = dominoes(6, 6)
    assert count(puzzle, method="memo").stats["symmetries"] == len(symmetries(puzzle)) == 8


@pytest.mark.parametrize("method", ["list", "auto"])
def test_ctrl_c_reaches_the_caller_with_the_answer_so_far(method: str) -> None:
    def press(search: Search) -> None:
        if search.found:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        count(exactile.load("pentominoes-6x10"), method=method, watch=press)
    answer = caught.value.answer
    assert (answer.raw, answer.stopped) == (None, INTERRUPTED)
    assert answer.found > 0
    assert isinstance(caught.value, KeyboardInterrupt)


@pytest.mark.parametrize(
    "method", [Memo(most_expected=1), Frontier(budget=FrontierBudget(nodes=10))]
)
def test_a_count_that_failed_at_its_preparation_fails_again(method: Method) -> None:
    puzzle = exactile.load("pentominoes-5x12")
    with pytest.raises(CountingError) as first:
        method.count(puzzle, Limits(60))
    with pytest.raises(CountingError) as second:
        method.count(puzzle, Limits(60))
    assert str(second.value) == str(first.value)


def test_a_frontier_interrupted_at_its_preparation_counts_when_called_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = exactile.load("pentominoes-3x20")
    frontier = Frontier()

    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    for name in ("front_orders", "side_by_side"):
        with monkeypatch.context() as patch:
            patch.setattr(f"exactile.counting.frontier.{name}", interrupt)
            with pytest.raises(KeyboardInterrupt):
                frontier.count(puzzle)
    with monkeypatch.context() as patch:
        patch.setattr(Frontier, "_begin", interrupt)
        with pytest.raises(KeyboardInterrupt):
            frontier.count(exactile.load("pentominoes-4x15"))
    assert frontier.count(puzzle) == 8
