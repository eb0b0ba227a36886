"""Counting by a frontier: an automaton over covered units, and lists of the pieces used.

Units are decided in a fixed order: if a unit is still uncovered, a placement that covers it is
chosen. A node of the automaton is the set of undecided units that the chosen placements cover. Many
partial coverings lead to one node. The node has a list with an *entry* for each set of pieces that
some of these coverings use: the set, and the number of these coverings that use it.

Two frontiers that sweep over the units in different orders confirm each other.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from exactile import _native
from exactile.backends.base import HEARTBEAT
from exactile.clock import CLOCK
from exactile.counting.method import Countable, Method, as_ranks, real_units
from exactile.counting.plan import FrontierBudget
from exactile.doors import door
from exactile.errors import CheckFailedError, CountingError
from exactile.geometry.isometry import Points
from exactile.model.condense import CountProblem, as_int
from exactile.model.item_order import Order, by_load, front_orders
from exactile.model.model import Ints, Longs, Mask, Model
from exactile.puzzle.puzzle import Puzzle
from exactile.search.limits import Limits
from exactile.tuning import TUNING

FRONT_GROWTH = 3
"""Factor by which the limit on an automaton's nodes grows until the automaton of some order
fits."""

FRONT_BUILT = 8
"""Largest number of orders for which an automaton is built: the most promising ones."""

FRONT_ALIKE = 0.005
"""Two orders count as equal if their bounds on entries differ by at most this fraction."""

FRONT_SMALL = 300_000
"""No further order is tried once one has an upper bound on entries of at most this."""


SLICE = HEARTBEAT / 5
"""Seconds for which an automaton is built before another one is continued."""

BUILDING, COUNTING, DONE, TOO_LARGE, OUT_OF_MEMORY = range(5)

Built = tuple[_native.FrontCounter, Order]
"""An automaton, and the order in which it decides the items."""


class Frontier(Method):
    """Counts by a frontier: an automaton over covered units, and lists of the pieces used.

    - `budget`: limits of nodes and entries; None for those of `FrontierBudget`. The number of
      entries is not known in advance: its upper bound `bound` may be a few times too large, or a
      thousand times.
    - `keep`: keep all lists, for samples and frequencies, which takes several times the memory.
    - `one_sided`: make lists only from the start of the sweep, not also from its end; this is
      needed for `by_pieces`.
    - `most_list_bytes`: bytes of memory for lists, by default what the automaton leaves of the
      memory limit. What does not fit goes to the directory `scratch`, by default the system's
      directory for temporary files.
    - `workers`: number of threads.
    - `orders`: orders to choose from, each with a number for every item; items with small numbers
      are decided first. If empty or None, the frontier looks for orders.
    - `supplied`: mask of the items whose use is kept in lists rather than in the automaton; None
      for the pieces.
    - `puzzle`: see `Method`.
    - `condense`: whether to drop redundant items first.

    The number of solutions does not depend on any of these parameters.

    Examples
    --------
    >>> import exactile
    >>> Frontier().count(exactile.load("pentominoes-3x20"))
    8
    >>> frontier = Frontier(keep=True)
    >>> number = frontier.count(exactile.load("pentominoes-5x12"))
    >>> frontier.sample(2, seed=1).shape, frontier.frequencies().sum() == 12 * number
    ((2, 12), True)
    """

    name = "frontier"
    _order: Order | None = None

    def __init__(
        self,
        *,
        budget: FrontierBudget | None = None,
        keep: bool = False,
        one_sided: bool = False,
        most_list_bytes: int = 2**63,
        scratch: Path | str | None = None,
        workers: int = 1,
        orders: list[Longs] | None = None,
        supplied: Mask | None = None,
        puzzle: Puzzle | None = None,
        condense: bool = True,
    ) -> None:
        super().__init__(keep=keep, puzzle=puzzle)
        self.budget = budget or FrontierBudget()
        self._one_sided, self._condense = one_sided, condense
        self._most_list_bytes, self._workers = most_list_bytes, workers
        self._scratch = str(scratch or tempfile.gettempdir())
        self._given_orders, self._given_supplied = orders or [], supplied
        self._native: _native.FrontCounter | None = None

    def _begin(self) -> Iterator[None]:
        self._problem: CountProblem | None = None
        self._orders: list[Order] = []
        self._restart()
        return self._prepared()

    def _restart(self) -> None:
        self._builder = self._built_by_orders()
        self._native = None
        self._order = None
        self._others: list[Order] = []
        self.done = None

    def _prepared(self) -> Iterator[None]:
        """Assign `_problem`, `_supplied` and `_orders` from what was given; yield between steps."""
        problem = CountProblem.of_model(self.model) if isinstance(self.model, Model) else self.model
        supplied = self._given_supplied
        if supplied is None:
            supplied = np.arange(problem.items) < problem.pieces
        for smaller in problem.condensed() if self._condense else ():
            problem = smaller
            yield
        self._supplied = supplied[problem.kept] & ~problem.painted
        given = self._given_orders
        self._orders = [Order("given", 0.0, as_ranks(o[problem.kept])) for o in given]
        self._problem = problem

    def otherwise(self) -> Frontier:
        """Return a frontier for the same problem that decides the items in a different order.

        The new frontier takes the best of the remaining orders that were compared, preferably one
        with a different bound on entries. If only one order was compared, it takes the reverse of
        this order. Raise CountingError if no order is chosen yet.
        """
        if self._order is None:
            raise CountingError("There is no other order before one is chosen: build it first.")
        other = copy(self)
        last = int(np.max(self._order.rank, initial=0))
        backwards = Order(f"{self._order.name}, backwards", 0.0, last - self._order.rank)
        other._raw, other._frequencies = None, None
        other._orders = self._others or [backwards]
        other._restart()
        return other

    @property
    def stats(self) -> dict[str, Any]:
        """Sizes of the automaton and the lists, and counters; empty until an order is chosen.

        `states` is the number of entries of all lists, `bound` is `Frontier.bound`, and `width` is
        the number of bits of the frontier.
        """
        native = self._native
        if native is None:
            return {}
        return {
            "states": native.entries,
            "bound": native.bound,
            "nodes": native.nodes,
            "edges": native.edges,
            "levels": native.levels,
            "width": native.width,
            "operations": native.operations,
            "bytes": native.peak_bytes,
            "bytes_written": native.bytes_written,
        }

    @property
    def order(self) -> Order | None:
        """The order in which items are decided, with the rank of each; None before it is chosen."""
        return self._order

    @property
    def bound(self) -> float | None:
        """An upper bound on ``stats["states"]`` at the end; None until an order is chosen.

        If sets of pieces with different numbers of units lead to the same node, this is only the
        number of nodes, and not a bound.
        """
        return None if self._native is None else self._native.bound

    def build(self, problem: Countable, limits: Limits | None = None) -> bool:
        """Choose an order and build its automaton; return False if a limit is reached first.

        By default, there are no limits. Raise CountingError if the automaton needs more nodes or
        memory than are allowed.
        """
        self._take_up(problem, limits, self._watch)
        return self._go_on(lambda: self._native is not None)

    def _step(self, seconds: float) -> None:
        if self._native is None:
            try:
                next(self._builder, None)
            except BaseException:  # also Ctrl-C: a builder that has raised cannot continue
                self._restart()
                raise
            # An automaton without nodes is all there is to count.
            status = BUILDING if self._native is None else self._native.build(0.0)
        else:
            status = self._native.run(seconds)
        if status == DONE:
            assert self._native is not None
            self._raw = as_int(self._native.total())
        elif status == OUT_OF_MEMORY:
            raise CountingError(
                f"Counting by a frontier needs more than {self.memory:,} bytes of memory "
                "here: allow it more (--memory), or let `count` list them: --method list."
            )
        elif self._native is not None and self._native.entries > self.budget.entries:
            raise CountingError(
                f"The lists of a frontier have more than {self.budget.entries:,.0f} entries."
            )
        if self._native is not None:
            self.done = self._native.done

    def _kept(self) -> _native.FrontCounter:
        assert self._native is not None
        return self._native

    def by_pieces(self) -> dict[tuple[int, ...], int]:
        """Return the number of solutions for each combination of numbers of uses of the pieces.

        A key has one number of uses for each piece, in the order of the pieces. Raise CountingError
        if the number of solutions is not known, if `one_sided` is False or `condense` is True, or
        if some piece is not among the `supplied` items.

        Examples
        --------
        >>> import exactile
        >>> frontier = Frontier(one_sided=True, condense=False)
        >>> frontier.count(exactile.load("shader-hexagon"))
        108
        >>> sorted(frontier.by_pieces().values())
        [12, 12, 12, 12, 12, 12, 12, 24]
        """
        _ = self.raw
        assert self._problem is not None
        pieces = self._problem.pieces
        distinguishes = self._one_sided and not self._condense and self._supplied[:pieces].all()
        if not distinguishes:
            raise CountingError(
                "This frontier does not distinguish pieces: make one with one_sided=True and "
                "condense=False."
            )
        assert self._native is not None
        uses, limbs = self._native.by_uses()
        return {
            tuple(row): as_int(number)
            for row, number in zip(uses[:, :pieces].tolist(), limbs, strict=True)
        }

    @door
    def save(self, path: Path | str) -> None:
        """Write a file from which `restore` continues.

        An older file stays until the new one is complete. Raise CountingError if the count has not
        begun, or is finished; OSError if the file cannot be written.
        """
        if self._native is None or self._raw is not None:
            raise CountingError(
                "There is nothing to be saved: the count has not begun, or is over."
            )
        assert self._order is not None
        path = Path(path)
        part = path.with_name(f"{path.name}.part")
        try:
            self._native.save(str(part), self._tag(self._order.rank))
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def restore(self, problem: Countable, path: Path | str, limits: Limits | None = None) -> None:
        """Read the state of a count from a file of `save`; `count` then continues from there.

        The file must be that of a frontier for the same problem, with the same order and the same
        `keep`, `one_sided`, `supplied` and `condense`. The automaton is built again. Of `limits`,
        only the memory limit is used. Raise CountingError if the file is damaged or does not match,
        or if the automaton needs more nodes or memory than are allowed; OSError if the file cannot
        be read.
        """
        self.build(problem, Limits(memory_limit=None if limits is None else limits.memory))
        assert self._native is not None
        assert self._order is not None
        try:
            self._native.load(str(path), self._tag(self._order.rank))
        except (ValueError, RuntimeError) as error:  # RuntimeError: there is nothing to count
            raise CountingError(f"{path} cannot be resumed: {error}.") from error

    def _tag(self, rank: Ints) -> str:
        problem = self._problem
        assert problem is not None
        digest = sha256()
        for array in (
            *problem.arrays,
            self._supplied,
            rank,
            np.array([self._keep, self._one_sided]),
        ):
            digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
            digest.update(b"/")
        return digest.hexdigest()

    def _built_by_orders(self) -> Iterator[None]:
        """Build automata for several orders, keep the one of the least bound; yield between steps.

        Raise CountingError if no automaton fits.
        """
        if not self._orders:
            yield from self._find_orders()
        best: Built | None = None
        built: list[tuple[float, Order]] = []
        for most_nodes, orders in self._rounds():
            at_once = self._workers if most_nodes <= TUNING.frontier_first_nodes else 1
            make = partial(self._make, most_nodes=most_nodes)
            for made in side_by_side(orders, make, at_once):
                if made is not None:
                    built.append((made[0].bound, made[1]))
                    best = made if best is None or made[0].bound < best[0].bound else best
                if best is not None and best[0].bound <= FRONT_SMALL:
                    break
                yield
            if best is not None:
                self._native, self._order = best
                self._others = self._by_difference(best, built)
                return
        raise CountingError(
            f"Counting by a frontier needs more than {self.budget.nodes:,} nodes or more memory "
            "here: allow it more (--memory), or let `count` list them: --method list."
        )

    def _by_difference(self, best: Built, built: list[tuple[float, Order]]) -> list[Order]:
        """Return orders for a second count, which is to confirm the first; the list may be empty.

        `built` has the orders with an automaton, each with its bound. Leave out the order of `best`
        and, if possible, orders with nearly the same bound: these are likely to be images of that
        order under a symmetry, and confirm little. Return the order with the least bound among the
        rest. If only the automaton of `best` was built, return all other orders.
        """
        least = best[0].bound * (1 + FRONT_ALIKE)
        others = [
            (bound <= least, bound, k)
            for k, (bound, order) in enumerate(built)
            if order is not best[1]
        ]
        if others:
            return [built[min(others)[2]][1]]
        return [order for order in self._orders if order is not best[1]]

    def _rounds(self) -> Iterator[tuple[int, list[Order]]]:
        """Yield growing limits of nodes, each with the orders to build automata for.

        From one limit to the next, the less promising half of the orders is dropped, but at least
        two orders are kept. The last limit is that of the budget.
        """
        orders = self._orders
        most_nodes = self.budget.nodes if len(orders) == 1 else TUNING.frontier_first_nodes
        while most_nodes < self.budget.nodes:
            yield most_nodes, orders
            most_nodes *= FRONT_GROWTH
            orders = orders[: max(2, len(orders) // 2)]
        yield self.budget.nodes, orders

    def _find_orders(self) -> Iterator[None]:
        """Set the most promising orders, the best one first; yield between steps."""
        assert self._problem is not None
        points = None if self.puzzle is None else points_of(self.puzzle, self._problem)
        found = []
        for order in front_orders(self._problem, self._supplied, points):
            found.append(order)
            yield
        self._orders = by_load(found)[:FRONT_BUILT]

    def _make(self, rank: Ints, most_nodes: int) -> _native.FrontCounter:
        problem = self._problem
        assert problem is not None
        return _native.FrontCounter(
            *problem.arrays,
            rank,
            self._supplied,
            most_nodes,
            self.memory,
            self._most_list_bytes,
            self._workers,
            self._scratch,
            self._keep,
            self._one_sided,
        )


def points_of(puzzle: Puzzle, problem: CountProblem) -> Points:
    """Return the point of each item, shape ``(items, d)``.

    An item that is not a unit gets a point whose d coordinates are the largest 64-bit integer.
    """
    real, units = real_units(puzzle, problem)
    own = puzzle.region.units
    points = np.full((problem.items, own.shape[1]), np.iinfo(np.int64).max)
    points[real] = own[units]
    return points


def side_by_side(
    orders: list[Order], make: Callable[[Ints], _native.FrontCounter], at_once: int
) -> Iterator[Built | None]:
    """Build automata for several orders in `at_once` threads, for `SLICE` seconds at a time.

    Yield None after each slice of time; yield each finished automaton with its order, in the
    sequence of `orders`. Automata that exceed nodes or memory are left out. `make` makes an empty
    automaton from the ranks of an order. No thread runs while this function waits at a ``yield``.
    """
    counters: dict[int, _native.FrontCounter] = {}
    states = [BUILDING] * len(orders)

    def go_on(k: int) -> int:
        if k not in counters:
            counters[k] = make(orders[k].rank)
        return counters[k].build(SLICE)

    done = 0
    while done < len(orders):
        ahead = range(done, min(done + 2 * at_once - 1, len(orders)))
        now = [k for k in ahead if states[k] == BUILDING][:at_once]
        with ThreadPoolExecutor(at_once) as threads:
            for k, state in zip(now, threads.map(go_on, now), strict=True):
                states[k] = state
        yield None
        while done < len(orders) and states[done] != BUILDING:
            counter = counters.pop(done)
            if states[done] in (COUNTING, DONE):
                yield counter, orders[done]
            done += 1


class FrontRun(msgspec.Struct, frozen=True):
    """A frontier that counted all solutions: its order, its sizes, and its seconds of CPU time.

    `bytes`: the largest number of bytes in memory.
    """

    order: str
    nodes: int
    bound: float
    entries: int
    bytes: int
    seconds: float


class Confirmed(Method):
    """Counts by two frontiers with different orders; raises CheckFailedError if they disagree.

    `budget`: limits of each frontier; by default, those of `FrontierBudget`. `puzzle`: see
    `Method`. The attribute `runs` describes the two frontiers of the first problem that is counted;
    `bound` is the bound on entries of the first of these frontiers.

    Examples
    --------
    >>> import exactile
    >>> confirmed = Confirmed()
    >>> confirmed.count(exactile.load("pentominoes-5x12"))
    4040
    >>> [run.order for run in confirmed.runs]
    ['as numbered', 'along (-2, -1), then +y']
    """

    name = "frontier"
    bound: float | None = None  # that of the first frontier of the first problem

    def __init__(self, budget: FrontierBudget | None = None, puzzle: Puzzle | None = None) -> None:
        super().__init__(puzzle=puzzle)
        self._budget = budget
        self._states = 0
        self.runs: list[FrontRun] = []  # the frontiers of the first problem

    def _begin(self) -> Iterator[None]:
        self._now = Frontier(budget=self._budget, puzzle=self.puzzle)
        self._first: int | None = None
        self._states, self._seconds = 0, 0.0
        return iter(())

    @property
    def stats(self) -> dict[str, Any]:
        """The total number of entries in the lists of the finished frontiers, as ``states``."""
        return {"states": self._states}

    def _step(self, seconds: float) -> None:
        assert self.problem is not None
        begun, limits = CLOCK.worked(), self.limits.within(seconds)
        if self._now.build(self.problem, limits):
            self.bound = self._now.bound if self.bound is None else self.bound
            number = self._now.count(self.problem, limits)
        else:
            number = None
        self._seconds += CLOCK.worked() - begun
        if number is not None:
            self._confirm(number)

    def _confirm(self, number: int) -> None:
        """Take the count of a frontier: begin the second frontier, or compare the two counts.

        Raise CheckFailedError if the counts differ.
        """
        stats, order = self._now.stats, self._now.order
        assert order is not None
        self._states += stats["states"]
        if len(self.runs) < 2:
            self.runs.append(
                FrontRun(
                    order.name,
                    stats["nodes"],
                    stats["bound"],
                    stats["states"],
                    stats["bytes"],
                    round(self._seconds, 1),
                )
            )
        self._seconds = 0.0
        if self._first is None:
            self._first, self._now = number, self._now.otherwise()
        elif self._first != number:
            raise CheckFailedError(
                f"Two frontiers count {self._first:,} and {number:,} solutions. This is a bug of "
                "ours: please report it."
            )
        else:
            self._raw = number
