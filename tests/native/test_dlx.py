"""The native exact-cover search alone: bounds, slices, counters, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactile._native import Bits, Dlx
from exactile.backends.reference import algorithm_x
from exactile.model import Model

Kernel = type[Bits] | type[Dlx]
both = pytest.mark.parametrize("kernel", [Bits, Dlx])


def engine(model: Model, kernel: Kernel) -> Bits | Dlx:
    return kernel(model.lower, model.upper, model.first, model.members)


def all_of(dlx: Bits | Dlx, limit: int) -> list[frozenset[int]]:
    """Return all solutions, fetched in slices of `limit`."""
    found: list[frozenset[int]] = []
    exhausted = False
    while not exhausted:
        rows, exhausted = dlx.run(limit, 1.0)
        assert len(rows) <= limit
        found += [frozenset(o for o in row if o >= 0) for row in rows.tolist()]
    return found


@st.composite
def models(draw: st.DrawFn) -> Model:
    """Return any small model, with any bounds."""
    items = draw(st.integers(1, 5))
    option = st.sets(st.integers(0, items - 1), min_size=1)
    options = draw(st.lists(option, max_size=8))
    lower = draw(st.lists(st.integers(0, 2), min_size=items, max_size=items))
    slack = draw(st.lists(st.integers(0, 2), min_size=items, max_size=items))
    return Model.of_options(options, lower, [a + b for a, b in zip(lower, slack, strict=True)])


@both
@given(model=models(), limit=st.integers(1, 4))
def test_any_model_is_solved_as_by_the_reference(kernel: Kernel, model: Model, limit: int) -> None:
    found = all_of(engine(model, kernel), limit)
    expected = {frozenset(s) for s in algorithm_x(model) if s is not None}
    assert len(found) == len(set(found))
    assert set(found) == expected


@given(models())
def test_the_reference_means_what_it_says(model: Model) -> None:
    """By trying all sets of options."""
    matrix = np.zeros((model.options, model.items), dtype=int)
    for o in range(model.options):
        matrix[o, model.option(o)] = 1
    expected = set()
    for mask in range(1 << model.options):
        chosen = [o for o in range(model.options) if mask >> o & 1]
        uses = matrix[chosen].sum(axis=0)
        if (model.lower <= uses).all() and (uses <= model.upper).all():
            expected.add(frozenset(chosen))
    assert {frozenset(s) for s in algorithm_x(model) if s is not None} == expected


@both
def test_counters_do_not_depend_on_slices(kernel: Kernel) -> None:
    model = Model.of_options([[a, b + 4] for a in range(4) for b in range(4)], [1] * 8, [1] * 8)
    whole, sliced = engine(model, kernel), engine(model, kernel)
    assert len(all_of(whole, 1000)) == len(all_of(sliced, 1)) == 24
    assert (whole.nodes, whole.updates) == (sliced.nodes, sliced.updates)
    assert whole.nodes == 1 + 4 + 12 + 24 + 24


@both
def test_a_slice_ends_in_time(kernel: Kernel) -> None:
    size = 40
    model = Model.of_options(
        [[a, b + size] for a in range(size) for b in range(size - 1)],
        [1] * 2 * size,
        [1] * 2 * size,
    )
    dlx = engine(model, kernel)
    rows, exhausted = dlx.run(10, 0.01)
    assert len(rows) == 0
    assert exhausted  # the last item has no option: seen at the root


@both
@pytest.mark.parametrize(
    ("lower", "upper", "first", "members", "message"),
    [
        ([1], [1], [0, 1], [1], "does not exist"),
        ([1], [1], [0, 2], [0, 0], "twice"),
        ([2], [1], [0, 1], [0], "impossible bounds"),
        ([1], [1, 1], [0, 1], [0], "differ in length"),
        ([1], [1], [0, 2], [0], "do not span"),
        ([1], [1], [0, 0, 1], [0], "is empty"),
        ([1, 1], [1, 1], [0, 2, 1, 2], [0, 1], "decrease"),
    ],
)
def test_bad_arrays_are_refused(
    kernel: Kernel,
    lower: list[int],
    upper: list[int],
    first: list[int],
    members: list[int],
    message: str,
) -> None:
    with pytest.raises(ValueError, match=message):
        kernel(
            np.array(lower, dtype=np.int32),
            np.array(upper, dtype=np.int32),
            np.array(first, dtype=np.int64),
            np.array(members, dtype=np.int32),
        )


def test_counts_beyond_a_byte() -> None:
    """More live options than a byte counts, and needs of many uses."""
    wide = Model.of_options([[0, 1 + k] for k in range(700)], [1] + [0] * 700, [1] + [1] * 700)
    assert len(all_of(engine(wide, Bits), 10_000)) == 700
    most = Model.of_options([[0, 1 + k] for k in range(256)], [255] + [0] * 256, [255] + [1] * 256)
    assert len(all_of(engine(most, Bits), 10_000)) == 256
    over = Model.of_options([[0, 1 + k] for k in range(256)], [256] + [0] * 256, [256] + [1] * 256)
    with pytest.raises(ValueError, match="more than 255 times"):
        engine(over, Bits)
    assert len(all_of(engine(over, Dlx), 10_000)) == 1


@both
@pytest.mark.parametrize("options", [253, 254, 255, 256, 257])
def test_counts_at_the_edge_of_a_byte(kernel: Kernel, options: int) -> None:
    """An open item in all live options must not be taken for one that is closed."""
    rows = [[0, 1], *([1] for _ in range(options - 1))]
    model = Model.of_options(rows, lower=[0, 1], upper=[1, 1])
    assert len(all_of(engine(model, kernel), 10_000)) == options
