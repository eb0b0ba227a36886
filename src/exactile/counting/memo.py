"""Counting by a memo: dynamic programming over a frontier, whose states are expanded one by one."""

from __future__ import annotations

from collections.abc import Iterator

from exactile import _native
from exactile.counting.method import Method, as_ranks, real_units
from exactile.errors import CountingError
from exactile.model.condense import CountProblem, as_int
from exactile.model.item_order import Ranked, item_keys, load, ranks
from exactile.model.model import Longs, Model
from exactile.puzzle.puzzle import Puzzle
from exactile.tuning import TUNING
from exactile.wanted import plural

UNBOUNDED = 2**63
"""Stands for no limit of states: a number that is never reached."""

USUAL = -1
"""Default of `most_states`: stands for `Tuning.memo_states` at the time of the call."""


class Memo(Method):
    """Counts by dynamic programming: a state, the uses of items so far, is expanded only once.

    - `most_states`: largest number of states, by default `Tuning.memo_states`; None for no limit.
    - `most_expected`: raise CountingError if more states are expected; None for no such limit.
    - `keep`: whether to keep all states, for samples and frequencies.
    - `condense`: whether to drop redundant items first.
    - `prune`: whether to drop states as soon as some item cannot be covered any more.
    - `order`: a number for each item. The item with the smallest number is decided first. If None,
      the memo looks for a good order.
    - `puzzle`: see `Method`.

    The number of solutions does not depend on any of these parameters.

    Examples
    --------
    >>> import exactile
    >>> memo = Memo(keep=True)
    >>> memo.count(exactile.load("dominoes-6x6"))
    6728
    >>> memo.sample(2, seed=1).shape
    (2, 18)
    >>> memo.frequencies()[:3].tolist()
    [3364, 1276, 2900]
    """

    name = "memo"
    states_expected = 0.0
    """Estimate of the number of states, often far too high; 0 before a count.

    If an `order` is given, this is estimated only with `most_expected`.
    """

    def __init__(
        self,
        *,
        most_states: int | None = USUAL,
        most_expected: float | None = None,
        keep: bool = False,
        condense: bool = True,
        prune: bool = True,
        order: Longs | None = None,
        puzzle: Puzzle | None = None,
    ) -> None:
        super().__init__(keep=keep, puzzle=puzzle)
        self._most_states = TUNING.memo_states if most_states == USUAL else most_states
        self._most_expected = most_expected
        self._condense, self._prune, self._order = condense, prune, order
        self._native: _native.Counter | None = None
        self._weighed = False

    def _begin(self) -> Iterator[None]:
        self._native, self._weighed, self.done = None, False, None
        return self._prepared()

    def _prepared(self) -> Iterator[None]:
        problem = CountProblem.of_model(self.model) if isinstance(self.model, Model) else self.model
        for smaller in problem.condensed() if self._condense else ():
            problem = smaller
            yield
        if self._order is not None:
            rank = as_ranks(self._order[problem.kept])
            # Computing the load takes longer than counting a small model.
            expected = 0.0 if self._most_expected is None else load(problem, rank)
            best = Ranked(rank, expected, 0.0)
        else:
            keys = () if self.puzzle is None else unit_keys(self.puzzle, problem)
            tried: list[Ranked] = []
            for ranked in ranks(problem, *keys):
                tried = [min(*tried, ranked, key=lambda r: r.cost)] if tried else [ranked]
                yield
            best = tried[0]
        self.states_expected = best.load
        if self._most_expected is not None and best.load > self._most_expected:
            raise CountingError(
                f"A memo may need about {best.load:,.0f} states here: count with method 'list'."
            )
        self._native = _native.Counter(
            *problem.arrays,
            best.rank,
            self._keep,
            UNBOUNDED if self._most_states is None else self._most_states,
            self.memory,
            self._prune,
        )

    @property
    def stats(self) -> dict[str, int]:
        """Number of states and edges so far, number of layers, and bits of the widest state.

        There is a layer for each item that is decided; an edge is a choice at a state. Before the
        count begins, there is only the number of states, 0.
        """
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
        if self._native.layers:
            self.done = self._native.layer / self._native.layers
        if status == 1:
            self._raw = as_int(self._native.total())
        elif status != 0:
            if status == 2:
                most = f"more than {plural(self._most_states or 0, 'state')} here"
            else:
                most = f"more memory than {plural(self.memory, 'byte')} here, or than there is"
            so_far = plural(self._native.states, "state")
            raise CountingError(
                f"Counting without listing needs {most}, after {so_far}: allow it more, or count "
                "with method 'list'."
            )

    def _kept(self) -> _native.Counter:
        """Return the native counter, once it knows the number of completions of each state."""
        assert self._native is not None
        if not self._weighed:
            self._to_the_end(self._native.weigh)
        self._weighed = True
        return self._native


def unit_keys(puzzle: Puzzle, problem: CountProblem) -> tuple[list[Longs], list[Longs]]:
    """Return orders of the items by the coordinates of their units.

    The first list has the orders that sort by the coordinates, for each sequence of the axes; the
    second has the orders along slanting lines. An order has a number for each item; items that are
    not units come last.
    """
    real, units = real_units(puzzle, problem)
    return item_keys(puzzle.region.units[units], real)
