"""The native counter alone: bad input, budgets, slices, and what is on the paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from exactile._native import Counter

RUNNING, DONE, TOO_MANY_STATES, OUT_OF_MEMORY = range(4)


def make(
    options: list[list[int]], lower: list[int], upper: list[int], /, **changes: Any
) -> Counter:
    """Return a counter with the items in their own order."""
    members = [i for row in options for i in row]
    arguments: dict[str, Any] = {
        "lower": np.array(lower, dtype=np.int32),
        "upper": np.array(upper, dtype=np.int32),
        "first": np.cumsum([0, *map(len, options)], dtype=np.int64),
        "members": np.array(members, dtype=np.int32),
        "colors": np.zeros(len(members), dtype=np.int32),
        "rank": np.arange(len(lower), dtype=np.int32),
        "keep": True,
        "most_states": 10**6,
        "most_bytes": 2**30,
        "prune": True,
    }
    return Counter(**(arguments | changes))


def chain(n: int, **changes: Any) -> Counter:
    """Return a counter of the coverings of n items in a row by singles and pairs: Fibonacci."""
    options = [[i] for i in range(n)] + [[i, i + 1] for i in range(n - 1)]
    return make(options, [1] * n, [1] * n, **changes)


def total(counter: Counter) -> int:
    """Return the number of solutions."""
    return int.from_bytes(counter.total().astype("<u4").tobytes(), "little")


def finished(counter: Counter, seconds: float = 10.0) -> Counter:
    while counter.run(seconds) == RUNNING:
        pass
    return counter


def fibonacci(n: int) -> int:
    a, b = 1, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@pytest.mark.parametrize("n", [1, 2, 46, 47, 93, 94, 1000])
def test_numbers_of_any_size(n: int) -> None:
    """Across each limb: 32 bits are passed at 47, 64 bits at 93."""
    counter = finished(chain(n))
    assert total(counter) == fibonacci(n)
    assert counter.limbs == -(-fibonacci(n).bit_length() // 32)
    assert counter.states <= 2 * n


def test_slices_do_not_change_the_answer() -> None:
    counter = chain(2000)
    slices = 0
    while counter.run(0.0) == RUNNING:
        slices += 1
    assert slices > 3
    assert total(counter) == fibonacci(2000)
    while not counter.weigh(0.0):
        slices += 1
    while not counter.tally(0.0):
        slices += 1
    first = [int.from_bytes(row.astype("<u4").tobytes(), "little") for row in counter.tallies()]
    assert first[0] == fibonacci(1999)  # a single at the beginning
    assert first[2000] == fibonacci(1998)  # a pair there


def test_no_options_at_all() -> None:
    assert total(finished(make([], [], []))) == 1
    assert total(finished(make([], [0], [1]))) == 1
    assert total(finished(make([], [1], [1]))) == 0


def test_empty_options_are_free() -> None:
    counter = finished(make([[], [0], []], [1], [1]))
    assert total(counter) == 4
    assert counter.weigh(10.0)
    numbers = np.arange(4, dtype=np.uint32).reshape(4, 1)
    rows = {tuple(o for o in row if o >= 0) for row in counter.unrank(numbers).tolist()}
    assert rows == {(1,), (0, 1), (1, 2), (0, 1, 2)}


def test_a_budget_of_states() -> None:
    assert chain(1000, most_states=100).run(10.0) == TOO_MANY_STATES
    assert chain(1000, most_states=5000).run(10.0) == DONE


def test_a_budget_of_memory() -> None:
    counter = chain(1000, most_bytes=1000)
    assert counter.run(10.0) == OUT_OF_MEMORY
    assert counter.run(10.0) == OUT_OF_MEMORY
    with pytest.raises(RuntimeError, match="has not finished"):
        counter.total()


def test_order_of_calls() -> None:
    counter = chain(5)
    with pytest.raises(RuntimeError, match="has not finished"):
        counter.total()
    with pytest.raises(RuntimeError, match="has not finished"):
        counter.weigh(1.0)
    finished(counter)
    with pytest.raises(RuntimeError, match="has not been weighed"):
        counter.tally(1.0)
    with pytest.raises(RuntimeError, match="has not been weighed"):
        counter.unrank(np.zeros((1, 1), dtype=np.uint32))
    assert counter.weigh(10.0)
    with pytest.raises(ValueError, match="wrong number of limbs"):
        counter.unrank(np.zeros((1, 2), dtype=np.uint32))
    with pytest.raises(IndexError, match="no solution of this number"):
        counter.unrank(np.full((1, 1), 8, dtype=np.uint32))
    with pytest.raises(RuntimeError, match="kept no edges"):
        finished(chain(5, keep=False)).weigh(1.0)


INTS = np.int32


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"upper": np.array([1], dtype=INTS)}, "bounds differ in length"),
        ({"rank": np.array([0], dtype=INTS)}, "ranks differ in number"),
        ({"rank": np.array([1, 1], dtype=INTS)}, "not a permutation"),
        ({"rank": np.array([0, 2], dtype=INTS)}, "not a permutation"),
        ({"colors": np.zeros(1, dtype=INTS)}, "colors differ in number"),
        (
            {"colors": np.array([1, 0, 0, 0], dtype=INTS)},
            r"is colored, so its bounds must be \[0, 1\]",
        ),
        ({"colors": np.array([-1, 0, 0, 0], dtype=INTS)}, "negative color"),
        ({"first": np.array([0, 1, 2], dtype=np.int64)}, "do not span"),
        ({"first": np.array([0, 3, 1, 4], dtype=np.int64)}, "boundaries decrease"),
        ({"members": np.array([0, 1, 0, 2], dtype=INTS)}, "item 2, which does not exist"),
        ({"lower": np.array([2, 1], dtype=INTS)}, r"impossible bounds \[2, 1\]"),
    ],
)
def test_bad_arrays(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make([[0], [1], [0, 1]], [1, 1], [1, 1], **changes)
