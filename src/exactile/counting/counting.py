"""Counting without listing: a memo on states, uniform samples, and how often each option occurs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from exactile import _native
from exactile.counting.counter import AnyCounter, as_int, as_ranks, explained
from exactile.errors import CountingError
from exactile.model.condense import CountProblem
from exactile.model.item_order import Ranked, coordinate_keys, load, ranks
from exactile.model.model import Longs, Model
from exactile.puzzle.puzzle import Puzzle
from exactile.search.case import Case
from exactile.tuning import TUNING

UNBOUNDED = 2**63
"""More states than there will ever be."""


class Counter(AnyCounter):
    """Counts the solutions of a puzzle or a model without listing them.

    All numbers are exact. The work is done when a number is first asked for.

    Parameters
    ----------
    subject
        A puzzle, a model, or a model for counting.
    most_states, most_bytes
        The budget: how many states may be made, None for any number, and how much memory they may
        take.
    keep
        Whether samples and frequencies will be asked for. If not, states are forgotten as soon as
        possible.
    condense
        Whether items that exclude nothing are dropped first. The numbers are the same.
    prune
        Whether states are dropped as soon as some item cannot be used any more. The numbers are the
        same.
    order
        A number for each item, the least is decided first; None to search for a good order.
    puzzle
        The puzzle that a model for counting belongs to: its units suggest orders.
    watch
        Called at every heartbeat with the part of the layers that is done.

    Attributes
    ----------
    model
        The model; its options are what the numbers of samples and frequencies mean.

    Examples
    --------
    >>> import exactile
    >>> counter = Counter(exactile.load("dominoes-6x6"))
    >>> counter.raw
    6728
    >>> counter.sample(2, seed=1).shape
    (2, 18)
    >>> counter.frequencies()[:3].tolist()
    [3364, 1276, 2900]
    """

    def __init__(
        self,
        subject: Puzzle | Case | Model | CountProblem,
        *,
        most_states: int | None = TUNING.memo_states,
        most_bytes: int = TUNING.memory_bytes,
        keep: bool = True,
        condense: bool = True,
        prune: bool = True,
        order: Longs | None = None,
        puzzle: Puzzle | None = None,
        watch: Callable[[float], None] | None = None,
    ) -> None:
        super().__init__(subject, puzzle, keep=keep)
        self._watch = watch
        self._most_states, self._most_bytes = most_states, most_bytes
        self._condense, self._prune, self._order = condense, prune, order
        self._native: _native.Counter | None = None
        self._states_expected = 0.0
        self._preparing = self._prepared()
        self._weighed = False

    def _prepared(self) -> Iterator[None]:
        """Make the native counter, step by step."""
        problem = CountProblem.of_model(self.model) if isinstance(self.model, Model) else self.model
        for smaller in problem.condensed() if self._condense else ():
            problem = smaller
            yield
        if self._order is not None:
            rank = as_ranks(self._order[problem.kept])
            best = Ranked(rank, load(problem, rank), 0.0)
        else:
            keys = () if self.puzzle is None else unit_keys(self.puzzle, problem)
            tried: list[Ranked] = []
            for ranked in ranks(problem, *keys):
                tried = [min(*tried, ranked, key=lambda r: r.cost)] if tried else [ranked]
                yield
            best = tried[0]
        self._states_expected = best.load
        self._native = _native.Counter(
            problem.lower,
            problem.upper,
            problem.first,
            problem.members,
            problem.colors,
            best.rank,
            self._keep,
            UNBOUNDED if self._most_states is None else self._most_states,
            self._most_bytes,
            self._prune,
        )

    @property
    def states_expected(self) -> float:
        """About how many states there can be at most; often far too high."""
        with explained():
            for _ in self._preparing:
                pass
        return self._states_expected

    @property
    def stats(self) -> dict[str, int]:
        """States and edges so far, layers in all, and bits of the widest state."""
        native = self._native
        if native is None:
            return {"states": 0}
        return {
            "states": native.states,
            "edges": native.edges,
            "layers": native.layers,
            "bits": native.width,
        }

    def _step(self, seconds: float) -> None:
        assert self._native is not None
        status = self._native.run(seconds)
        if self._watch is not None and self._native.layers:
            self._watch(self._native.layer / self._native.layers)
        if status == 1:
            self._raw = as_int(self._native.total())
        elif status != 0:
            if status == 2:
                most = f"more than {self._most_states:,} states here"
            else:
                most = f"more memory than {self._most_bytes:,} bytes here, or than there is"
            raise CountingError(
                f"Counting without listing needs {most}, after {self._native.states:,} states: "
                "allow it more, or count with method 'list'."
            )

    def _kept(self) -> _native.Counter:
        """Count the solutions below each node."""
        assert self._native is not None
        if not self._weighed:
            self._to_the_end(self._native.weigh)
        self._weighed = True
        return self._native


def unit_keys(puzzle: Puzzle, problem: CountProblem) -> tuple[list[Longs], list[Longs]]:
    """Return orders of the items by the places of their units, straight and slanting ones."""
    units = problem.kept - len(puzzle.pieces)
    real = (units >= 0) & (units < len(puzzle.region))

    def of_items(key: Longs) -> Longs:
        found = np.full(problem.items, len(puzzle.region), dtype=np.int64)
        found[real] = key[units[real]]
        return found

    straight, slanting = coordinate_keys(puzzle.region.units)
    return [of_items(key) for key in straight], [of_items(key) for key in slanting]
