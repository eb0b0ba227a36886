"""Dynamic programming over a frontier, which searches below each state only once.

If pieces have many copies, different choices often lead to the same state: the same units are
covered, and the same pieces are left. A tree search then explores the same subtree several times.
This backend sweeps over the items in a fixed order, and merges equal states. If there are
solutions, it sweeps again, keeps all states, and obtains the solutions from them.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from exactile import __version__, _native
from exactile.backends.base import HEARTBEAT, Backend, Batch, Request, no_solutions, refuse_choice
from exactile.backends.members import MANY_COPIES, copies
from exactile.model.condense import CountProblem, as_int, as_limbs
from exactile.model.item_order import Ranked, item_keys, ranks
from exactile.model.model import Ints, Mask, Model
from exactile.model.sweeps import Floats
from exactile.tuning import TUNING

BRIEF = "brief"
"""The variant with smaller limits, for races: ``memo:brief``."""

BRIEF_STEPS = 600_000_000
"""Limit of ``memo:brief``: largest number of states, times the number of options per item.

The time for a state is proportional to the number of options that are tried in it."""

FEW_COPIES = 20
"""Divisor of `BRIEF_STEPS` for puzzles without many copies of a piece.

There are then soon too many states, unless there are soon none."""

BRIEF_BYTES = 2**29
"""Memory limit of ``memo:brief``, in bytes."""

GRAIN = 1000
"""Coordinates are rounded to multiples of 1 / `GRAIN`, so that units in a row get equal ones."""

RUNNING, DONE, TOO_MANY = 0, 1, 2
"""Results of `_native.Counter.run`; any other result stands for too little memory."""


class MemoBackend(Backend):
    """Finds all solutions by dynamic programming; gives up if there are too many states.

    The limits are `Tuning.memo_states` and `Tuning.memory_bytes`. `brief`: whether it also gives up
    beyond `BRIEF_BYTES` or `BRIEF_STEPS` (divided by `FEW_COPIES` unless a piece has many copies),
    and at once if the model has more than `Tuning.auto_memo_options` options.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1, 2], [2, 3], [0], [3]], [1] * 4, [1] * 4)
    >>> [row.tolist() for b in MemoBackend().search(model, Request()) for row in b.assignments]
    [[0, 2, -1], [1, 3, 4]]
    """

    takes_colors = True
    races = "brief"

    def __init__(self, *, brief: bool = False) -> None:
        self.name = f"memo:{BRIEF}" if brief else "memo"
        self._brief = brief

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`."""
        most, memory = TUNING.memo_states, TUNING.memory_bytes
        if self._brief:
            steps = BRIEF_STEPS if copies(model) > MANY_COPIES else BRIEF_STEPS // FEW_COPIES
            most = min(most, steps * model.items // max(model.options, 1))
            memory = min(memory, BRIEF_BYTES)
            if model.options > TUNING.auto_memo_options:
                yield Batch(no_solutions(), stopped="the model has too many options")
                return
        problem, rank = yield from _prepared(model, request.places)
        for keep in (False, True):  # without keeping states there is room for far more of them
            sweep = _native.Counter(*problem.arrays, rank, keep, most, memory, True)
            while (status := sweep.run(HEARTBEAT)) == RUNNING:
                yield _progress(sweep, request)
            if status != DONE:
                why = (
                    f"more than {most:,} states"
                    if status == TOO_MANY
                    else f"more memory than {memory:,} bytes, or than there is"
                )
                yield _progress(sweep, request)._replace(stopped=f"it needs {why}")
                return
            yield _progress(sweep, request)
            if not sweep.total().any():
                return
        yield from _solutions(sweep, request)

    def version(self) -> str:
        """Return the version of the native module."""
        return f"native dynamic programming {__version__}"

    def choices(self) -> list[str]:
        """Return the name of the variant with smaller limits, ``brief``."""
        return [BRIEF]


def _prepared(
    model: Model, places: Floats | None
) -> Generator[Batch, None, tuple[CountProblem, Ints]]:
    """Yield empty batches; return the problem without redundant items, and its best order."""
    problem = CountProblem.of_model(model)
    for smaller in problem.condensed():
        problem = smaller
        yield Batch(no_solutions())
    tried: list[Ranked] = []
    for ranked in _ranks(problem, places):
        tried.append(ranked)
        yield Batch(no_solutions())
    return problem, min(tried, key=lambda ranked: ranked.cost).rank


def _solutions(sweep: _native.Counter, request: Request) -> Generator[Batch]:
    """Yield batches of the solutions from a sweep that has kept its states."""
    while not sweep.weigh(HEARTBEAT):
        yield _progress(sweep, request)
    number = as_int(sweep.total())
    last = number if request.limit is None else min(number, request.limit)
    for start in range(0, last, request.at_once):
        numbers = range(start, min(start + request.at_once, last))
        found = sweep.unrank(as_limbs(numbers, sweep.limbs))
        yield Batch(found, {"states": sweep.states}, numbers.stop / number)


def _progress(sweep: _native.Counter, request: Request) -> Batch:
    """Return a batch without solutions; its `done` is None unless one solution is requested."""
    known = request.limit == 1 and sweep.layers
    done = sweep.layer / sweep.layers if known else None
    return Batch(no_solutions(), {"states": sweep.states}, done)


def _ranks(problem: CountProblem, places: Floats | None) -> Iterator[Ranked]:
    """Yield orders of the items, also along the coordinates in `places`, if any: see `Request`."""
    if places is None:
        return ranks(problem)
    own = places[problem.kept]
    real: Mask = np.asarray(~np.isnan(own).any(axis=1))
    return ranks(problem, *item_keys(np.rint(GRAIN * own[real]).astype(np.int64), real))


def backend(choice: str | None) -> MemoBackend:
    """Return the backend; `choice`: None or ``"brief"``.

    Raise BackendNotFoundError for any other choice.
    """
    refuse_choice("memo", choice, [BRIEF])
    return MemoBackend(brief=choice == BRIEF)
