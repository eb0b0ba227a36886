"""A native search as an object that can be stopped, resumed, and divided among machines."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from heapq import heapify, heappop, heappush
from itertools import count

import numpy as np

from exactile._native import Engine
from exactile.backends.base import HEARTBEAT, Prefix
from exactile.errors import BackendError, ModelError
from exactile.model.model import Ints, Longs, Model
from exactile.model.orbits import Assignments

BITS_CELLS_AT_ONCE = 1024
"""Number of pairs of option and item that `bits` visits while `sparse` visits one open item."""

SPARSE_MEMBERS_AT_ONCE = 3.0
"""Members of options that the kernel `sparse` removes in the time of a visit to an open item."""

BITS_CELLS = 2**31
"""Largest product of the numbers of options and items for which the kernel `bits` is chosen."""

REPLAYS_WORTH = 4.0
"""Shortest time of a run, in multiples of the time to return to where the last run ended."""


KERNELS = ("bits", "sparse")
"""The native searches: by bit vectors, for small or dense models; by sparse sets, for any model."""

PRUNINGS = ("components", "balance")
"""Additional reasons to give up a node of the endgame. ``components``: a connected part of the open
units cannot be filled by options of the available sizes. ``balance``: for some coloring of the
units, the remaining pieces cannot cover the right number of units of each color.
"""

FOREVER = math.inf
ALL = 2**62


class Exploration:
    """A search for the solutions of a model by the native engine.

    The rest of the search is a list of prefixes, which are made of plain numbers and can be saved.
    Another exploration of the same model can resume from them, here or on another machine, with
    either kernel. A search that is divided among explorations visits every node once.

    - `kernel`: one of `KERNELS`, or None to choose by the size of the model.
    - `workers`: number of threads; at most 256 are used.
    - `ordered`: whether solutions come in the order of the tree even with several workers.
    - `prefixes`: the parts to search; the whole tree by default.
    - `endgame`: whether separate code searches nodes with few live options; the tree is the same.
    - `prunings`: names in `PRUNINGS`. The search then visits fewer nodes, but more slowly.
    - `instruction_set`: one of `exactile._native.instruction_sets()`, by default the best.

    Raise BackendError if `kernel`, `workers` or `prunings` is wrong or memory runs out. Raise
    ModelError if the native engine does not accept the model or a prefix, or this machine does not
    have the instruction set.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> exploration = Exploration(model)
    >>> exploration.run(nodes=1).tolist(), exploration.exhausted
    ([], False)
    >>> [p.path for p in exploration.prefixes]
    [(0,), (2,)]
    >>> exploration.run().tolist(), exploration.exhausted
    ([[0, -1], [1, 2]], True)
    """

    def __init__(
        self,
        model: Model,
        *,
        kernel: str | None = None,
        workers: int = 1,
        ordered: bool = False,
        prefixes: Iterable[Prefix] | None = None,
        endgame: bool = True,
        prunings: Collection[str] = (),
        instruction_set: str = "",
    ) -> None:
        if unknown := sorted(set(prunings) - set(PRUNINGS)):
            raise BackendError(
                f"There is no pruning '{unknown[0]}': take some of {', '.join(PRUNINGS)}."
            )
        if kernel not in (None, *KERNELS):
            raise BackendError(
                f"There is no kernel '{kernel}': take {' or '.join(KERNELS)}, or none to choose by "
                "the size of the model."
            )
        if workers < 1:
            raise BackendError(f"A search by {workers} workers makes no sense: take 1 or more.")
        self.model = model
        self.kernel = kernel or kernel_for(model)
        self.workers = workers
        self.ordered = ordered
        meaning = model.meaning
        try:
            self._engine = Engine(
                model.lower,
                model.upper,
                model.first,
                model.members,
                model.colors,
                self.kernel,
                endgame,
                instruction_set,
                "components" in prunings,
                "balance" in prunings,
                meaning.pieces,
                meaning.units,
                meaning.spread(meaning.shades),
            )
        except MemoryError:
            raise self._no_memory() from None
        except ValueError as error:
            raise ModelError(f"The native engine cannot take this: {error}.") from None
        self._whole = self._engine.remaining
        if prefixes is not None:
            self.prefixes = list(prefixes)

    @property
    def prefixes(self) -> list[Prefix]:
        """The prefixes that are not searched yet, in the order of the tree.

        They can be replaced. Raise ModelError if a new one has an option that the model lacks.
        """
        return [
            Prefix(tuple(path), weight)
            for path, weight in zip(*self._engine.prefixes(), strict=True)
        ]

    @prefixes.setter
    def prefixes(self, prefixes: list[Prefix]) -> None:
        numbers = [o if o >= 0 else ~o for p in prefixes for o in p.path]
        if max(numbers, default=-1) >= self.model.options:
            raise ModelError(
                f"A prefix names option {max(numbers)}, but the model has only "
                f"{self.model.options}: is it of another model?"
            )
        before = self._engine.remaining
        self._engine.set_prefixes([list(p.path) for p in prefixes], [p.weight for p in prefixes])
        self._whole += self._engine.remaining - before

    @property
    def exhausted(self) -> bool:
        """Whether the search is complete, and `run` has returned all solutions."""
        return self._engine.exhausted

    @property
    def untaken(self) -> Assignments:
        """The solutions that were found but not returned yet; the next `run` returns them.

        Examples
        --------
        >>> exploration = Exploration(Model.of_options([[0], [0]], lower=[1], upper=[1]))
        >>> exploration.run(limit=1).tolist(), exploration.untaken.tolist()
        ([[0]], [])
        >>> exploration.split(2), exploration.untaken.tolist()
        ([], [[1]])
        """
        return self._engine.untaken()

    @property
    def done(self) -> float:
        """Fraction of the search that is done, as if all branches of a node had the same size.

        If the exploration was given prefixes, the search is what lies below them.
        """
        if self.exhausted or not self._whole:
            return 1.0
        return max(0.0, 1 - self._engine.remaining / self._whole)

    @property
    def nodes(self) -> int:
        """Number of nodes visited; it does not depend on kernel, workers, or the ends of runs."""
        return self._engine.nodes

    @property
    def updates(self) -> int:
        """Number of updates: words cleared (kernel `bits`) or options removed (`sparse`).

        It depends slightly on where runs ended.
        """
        return self._engine.updates

    @property
    def patience(self) -> float:
        """Seconds that a call of `run` should last, so that its start takes little of the time.

        Each run first returns from the root to the node where the last one ended. In a tree with
        ten thousand levels, this takes far longer than a heartbeat.
        """
        return max(HEARTBEAT, REPLAYS_WORTH * self._engine.slowest_replay)

    @property
    def count(self) -> int:
        """Number of solutions found, returned or not."""
        return self._engine.count

    def run(
        self,
        *,
        limit: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        keep: bool = True,
    ) -> Assignments:
        """Continue the search, and return the solutions found, one in each row.

        A row has the numbers of its options in increasing order, padded with -1.

        The run stops at the end of the search, or earlier: when `limit` solutions are found,
        `seconds` have passed, or each worker has visited about `nodes` nodes. None: no limit.

        `keep`: False to count the solutions without returning them. Raise BackendError if memory
        runs out, ModelError if a prefix contradicts itself. After an error, the exploration cannot
        continue: make a new one.
        """
        limit = ALL if limit is None else limit
        seconds = FOREVER if seconds is None else seconds
        nodes = ALL if nodes is None else nodes
        how = limit, seconds, nodes, self.workers, self.ordered, keep
        return self._searched(how, limit if keep else 0)

    def _searched(self, how: tuple[int, float, int, int, bool, bool], most: int) -> Assignments:
        """Run the native engine with the arguments `how`, and return up to `most` solutions.

        Errors of the engine become BackendError or ModelError.
        """
        try:
            self._engine.run(*how)
            return self._engine.take(most)
        except MemoryError:
            raise self._no_memory() from None
        except ValueError as error:
            raise ModelError(f"These are not prefixes of this model: {error}.") from None
        except RuntimeError as error:
            raise BackendError(f"Make a new exploration: {error}.") from None

    def cancel(self) -> None:
        """Make the present call of `run`, and every later one, end within a heartbeat.

        Any thread may call this.
        """
        self._engine.cancel()

    def split(self, parts: int) -> list[Prefix]:
        """Split the rest of the search into at least `parts` prefixes, and return them.

        There are fewer only if the rest is too small. The prefix of the greatest weight is replaced
        by its branches until there are enough. The next `run` returns the solutions found
        meanwhile, even if `prefixes` is first set to an empty list. Errors are those of `run`.

        Examples
        --------
        >>> model = Model.of_options([[0], [0], [0]], lower=[1], upper=[1])
        >>> [p.path for p in Exploration(model).split(2)]
        [(0,), (1,), (2,)]
        """
        number = count()  # of equal weights the first comes first
        waiting = [(-prefix.weight, next(number), prefix) for prefix in self.prefixes]
        heapify(waiting)
        while 0 < len(waiting) < parts:
            self.prefixes = [heappop(waiting)[2]]
            self._searched((ALL, FOREVER, 1, 1, self.ordered, True), 0)
            for prefix in self.prefixes:
                heappush(waiting, (-prefix.weight, next(number), prefix))
        self.prefixes = [prefix for _, _, prefix in waiting]  # now in the order of the tree
        return self.prefixes

    def _no_memory(self) -> BackendError:
        return BackendError(
            f"There is not enough memory for the native search of a model with "
            f"{self.model.options:,} options and {self.model.items:,} items by the kernel "
            f"'{self.kernel}'."
        )


def first_solution(
    lower: Ints, upper: Ints, first: Longs, members: Ints, seconds: float = FOREVER
) -> Ints | None:
    """Return the options of a solution of a small model without colors; None if it has none.

    The arguments are those of a `Model`, but are not checked. Use this function for thousands of
    small parts of a valid model: checking a part would take longer than searching it.

    Raise TimeoutError if there is no answer after `seconds`.

    Examples
    --------
    >>> bounds = np.array([1, 1], dtype=np.int32)
    >>> members = np.array([0, 1, 1, 0], dtype=np.int32)
    >>> first_solution(bounds, bounds, np.array([0, 2, 3, 4]), members).tolist()
    [0]
    """
    colors, shades = np.zeros_like(members), np.zeros((0, len(lower)), dtype=np.int32)
    how = "bits", True, "", False, False, 0, 0, shades
    engine = Engine(lower, upper, first, members, colors, *how)
    engine.run(1, seconds, ALL)
    found = engine.take(1)
    if not len(found) and not engine.exhausted:  # weights of the rest may round to 0
        raise TimeoutError("time limit")
    return found[0][found[0] >= 0] if len(found) else None


def kernel_for(model: Model) -> str:
    """Return the kernel that is probably faster for a model, from its size alone.

    At every node, the kernel `bits` visits all pairs of an option and an item. The kernel `sparse`
    visits all open items; then, for each item of the chosen option, it visits and removes the other
    options with that item.

    Examples
    --------
    >>> kernel_for(Model.of_options([[0]], lower=[1], upper=[1]))
    'bits'
    """
    colors = 0  # a mask for each color of an item
    if model.colored:
        painted = np.stack([model.members, model.colors])[:, model.colors > 0]
        colors = len(np.unique(painted, axis=1).T)
    cells = model.options * (model.items + colors)
    if not cells:
        return "bits"
    length = len(model.members) / model.options
    removed = length * length * len(model.members) / model.items
    bits = cells / BITS_CELLS_AT_ONCE
    sparse = model.items + removed / SPARSE_MEMBERS_AT_ONCE
    return "bits" if bits < sparse and cells <= BITS_CELLS else "sparse"
