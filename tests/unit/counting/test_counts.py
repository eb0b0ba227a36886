"""What a count says of itself: who settled it, what it looked at, and that Ctrl-C is heard."""

from __future__ import annotations

import pytest

import exactile
from exactile.answers import INTERRUPTED
from exactile.counting import count
from exactile.errors import Interrupted
from exactile.puzzle.symmetry import symmetries
from exactile.search import Search
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
