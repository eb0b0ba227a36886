"""Algorithm X in plain Python: slow, but short. Tests compare the other backends with it."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from exactile.backends.base import (
    HEARTBEAT,
    Backend,
    Batch,
    Request,
    no_solutions,
    refuse_choice,
)
from exactile.clock import CLOCK
from exactile.errors import BackendError
from exactile.model.model import Model


def algorithm_x(model: Model) -> Iterator[list[int] | None]:
    """Yield the options of every solution of the model, and None at every node of the search.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> [sorted(s) for s in algorithm_x(model) if s is not None]
    [[0], [1, 2]]
    """
    options = [model.option(o).tolist() for o in range(model.options)]
    with_item: list[set[int]] = [set(model.options_with(i).tolist()) for i in range(model.items)]
    effects = _effects(model, with_item)
    lower, upper = model.lower.tolist(), model.upper.tolist()
    used = [0] * model.items

    def search(live: set[int], chosen: list[int]) -> Iterator[list[int] | None]:
        yield None
        unmet = [i for i in range(model.items) if used[i] < lower[i]]
        if not unmet and not live:
            yield chosen
            return
        slack = {i: len(with_item[i] & live) - (lower[i] - used[i]) for i in unmet}
        item = min(slack, key=lambda i: slack[i]) if unmet else options[min(live)][0]
        if unmet and slack[item] < 0:
            return
        for option in sorted(with_item[item] & live):
            live = live - {option}
            for i, uses, _ in effects[option]:
                used[i] += uses
            shut = [other for i, uses, other in effects[option] if not uses or used[i] == upper[i]]
            yield from search(live.difference(*shut), [*chosen, option])
            for i, uses, _ in effects[option]:
                used[i] -= uses
        if not unmet:
            yield from search(live, chosen)

    forbidden = [with_item[i] for i in range(model.items) if upper[i] == 0]
    yield from search(set(range(model.options)).difference(*forbidden), [])


def _effects(model: Model, with_item: list[set[int]]) -> list[list[tuple[int, int, set[int]]]]:
    """Return, for each option, a triple (item, uses, rivals) for each of its items.

    If `uses` is 1, the option contains the item without a color; the rivals are excluded once the
    item is used up. If `uses` is 0, the option gives the item a color, which excludes the rivals at
    once. `with_item`: the options that contain each item.
    """
    pairs = list(zip(model.members.tolist(), model.colors.tolist(), strict=True))
    owners = model.option_of.tolist()
    same: dict[tuple[int, int], set[int]] = {}
    for option, pair in zip(owners, pairs, strict=True):
        same.setdefault(pair, set()).add(option)
    effects: list[list[tuple[int, int, set[int]]]] = [[] for _ in range(model.options)]
    for option, (item, color) in zip(owners, pairs, strict=True):
        shut = with_item[item] - same[item, color] if color else with_item[item]
        effects[option].append((item, int(not color), shut))
    return effects


class ReferenceBackend(Backend):
    """Algorithm X in plain Python, with which tests compare the other backends."""

    name = "reference"
    takes_colors = True

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`.

        Raise BackendError if the recursion, one call for each placement, gets too deep for Python.
        """
        nodes = 0
        last = CLOCK.now()
        try:
            for found in algorithm_x(model):
                nodes += found is None
                if found is not None:
                    yield Batch(np.array([sorted(found)], dtype=np.int32), {"nodes": nodes})
                elif CLOCK.now() - last > HEARTBEAT:
                    last = CLOCK.now()
                    yield Batch(no_solutions(), {"nodes": nodes})
        except RecursionError:
            raise BackendError(
                "The reference calls itself once a placement, and this puzzle has too many of "
                "them: use another backend."
            ) from None
        yield Batch(no_solutions(), {"nodes": nodes})

    def version(self) -> str:
        """Return the name of the algorithm."""
        return "Algorithm X in Python"


def backend(choice: str | None) -> ReferenceBackend:
    """Return the backend; raise BackendNotFoundError if `choice`, a solver, is not None."""
    refuse_choice("reference", choice)
    return ReferenceBackend()
