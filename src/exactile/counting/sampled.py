"""Estimates of the number of solutions by a sampled frontier: unbiased, with confidence intervals.

A *run* decides the items one after another. The states after each item are a *level*; a limited
number of them is kept at random, with weights. A *stage* consists of independent runs that keep the
same number of states. *Pilot runs* are small runs for choosing an order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import ceil
from random import Random
from typing import TypeGuard

import numpy as np

from exactile import __version__, _native
from exactile.answers import Sampled
from exactile.clock import CLOCK
from exactile.counting.frontier import points_of
from exactile.counting.intervals import interval
from exactile.counting.memo import Memo
from exactile.counting.method import as_ranks, explained
from exactile.counting.stage import Run, Stage, value_of
from exactile.errors import CountingError
from exactile.model.condense import CountProblem
from exactile.model.item_order import Order, by_load, front_orders
from exactile.model.model import Model
from exactile.model.orbits import Assignments
from exactile.puzzle.puzzle import Puzzle
from exactile.search.handle import drive
from exactile.search.limits import Limits
from exactile.tuning import TUNING
from exactile.wanted import plural

PILOT_STATES = 250
"""Largest number of states kept at each level of a pilot run."""

PILOT_RUNS = 4
"""Number of pilot runs (small runs) by which each order of the items is judged."""

PILOT_ORDERS = 3
"""Number of orders of the items that pilot runs (small runs) compare."""

FOLLOWS = 4
"""A pilot run keeps at most 1 / `FOLLOWS` of the states that a run of the first stage would keep.
The first stage is planned to take at most 1 / `FOLLOWS` of the time left.
"""

FIRST_STATES = 4000
"""Largest number of states kept at each level in the first stage, if more stages may follow."""

RUNS = 16
"""Default number of independent runs of a stage."""

LEAST_STATES = 200
"""Least number of states kept at each level in the first stage, even if there is little time."""

USUAL_STATES = 1000
"""Number of states kept at each level if neither a time limit nor a precision is given."""

MOST_STATES = 4_000_000
"""Largest number of states kept at each level."""

NEAR = 2.0
"""If the interval is at most this many times as wide as wanted, more runs are added to the stage.
Otherwise the stage is replaced by one with more states at each level.
"""

MOST_RUNS = 256
"""Largest number of runs of the last stage."""

ENDINGS = 8
"""In the last levels, this many times the usual number of states is kept."""

LAST = 0.35
"""Fraction of all levels that count as the last levels, with more states; see `ENDINGS`."""

GROWTH = 16
"""Largest factor by which the number of states grows from one stage to the next."""

CURRENT = 40
"""A level is thinned before it is complete if it reaches this many times the states to keep."""

STATE_BYTES = 20
"""Bytes of a state besides its bits: its place in the sweep, its weight, and its last choice."""

LARGE_LEVELS = 6
"""Memory of all levels in use at a time, as a measured multiple of the memory of the largest
level."""

MERGE_BYTES = 32
"""Additional bytes for each state of a level while equal states are merged and some are chosen."""

GUIDED_BYTES = 128
"""Bytes for each state of a run with a guide, in all levels in use together."""

LINK_BYTES = 48
"""Bytes for the choices that lead to a state, before its level is thinned. They are recorded only
if solutions are drawn later."""

TRAIL_BYTES = 48
"""Bytes for the choices that lead to a kept state, until solutions are drawn."""

GUIDE_NODES = 10_000_000
"""Largest number of nodes of a *guide*: an automaton without pieces, for `Switches.potential`."""

GUIDE_NODES_PER_STATE = 300
"""Largest number of nodes of a guide per state kept, if fewer than `FIRST_STATES` are kept."""

GUIDE_SHARE = 0.4
"""Fraction of the time left within which a guide must be ready; see `GUIDE_NODES`."""

GUIDE_MEMORY = 0.5
"""Largest fraction of the memory limit that a guide may use."""

GUIDE_ENDINGS = 200_000
"""Largest number of completions that a guide lists for the last states, by the pieces they use."""

GUIDE_BUILDING, GUIDE_DONE, GUIDE_TOO_LARGE = range(3)

MEMORY_FULL = (
    "There is not enough memory for these runs: keep fewer states (--states), or set --memory to "
    "what is available."
)

EXACT_BITS = 53
"""Weights are floating-point numbers: they are exact for integers of at most this many bits."""


@dataclass(frozen=True)
class Switches:
    """Ways to reduce the error of a sampled frontier. None of them changes the expected number.

    Attributes
    ----------
    merge
        Whether equal states are merged.
    prune
        Whether states are dropped as soon as an item cannot be covered any more.
    balance
        Whether states are preferred if they have used pieces that other states rarely use. It has
        no effect if there are potentials.
    endings
        Whether more states are kept in the last levels.
    orders
        Whether pilot runs choose among several orders.
    potential
        Whether the probability that a state is kept is proportional to its weight times its
        potential: an estimate of the number of its completions. It is used only if the automaton of
        the frontier without pieces is small enough. Then equal states are always merged, and states
        that no path of the automaton completes are always dropped. With `endings`, the completions
        of the last states are listed.
    """

    merge: bool = True
    prune: bool = True
    balance: bool = True
    endings: bool = True
    orders: bool = True
    potential: bool = True


class SampledFrontier:
    """Estimates the number of solutions by a frontier whose states are thinned at random.

    Parameters
    ----------
    problem
        The problem whose solutions are counted.
    puzzle
        The puzzle to which the problem belongs, if any: the positions of its units suggest orders
        in which to decide the items.
    seed
        The same seed, number of states and number of runs give the same estimate, unless there is a
        time limit.
    workers
        Number of threads, each for one run. The estimate does not depend on it, unless there is a
        time limit or memory is short.
    switches
        Which ways to reduce the error are used.
    traced
        Whether runs record the choices that led to each state, so that `draw` can follow them
        back. Then `Switches.potential` has no effect.
    watch
        Called at every heartbeat.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> frontier = SampledFrontier(exactile.lower(puzzle), puzzle, seed=1)
    >>> answer = frontier.estimate(states=500, runs=8)
    >>> answer.low < 9356 < answer.high, answer.exact
    (True, False)
    """

    def __init__(
        self,
        problem: Model | CountProblem,
        puzzle: Puzzle | None = None,
        *,
        seed: int = 0,
        workers: int = 1,
        switches: Switches = Switches(),
        traced: bool = False,
        watch: Callable[[], object] | None = None,
    ) -> None:
        self._given, self._puzzle, self._seed = problem, puzzle, seed
        self._workers, self.switches, self._watch = workers, switches, watch
        self._traced = traced
        self._whole: _native.SampledRun | None = None  # a run that was never thinned
        self.limits = Limits()
        self._stage: Stage | None = None
        self._best: Stage | None = None
        self._exact: int | None = None
        self._order: Order | None = None
        self._plan: _native.SampledPlan | _native.Guide
        self.guided = False
        self._rank = np.zeros(0, dtype=np.int32)

    def estimate(
        self,
        limits: Limits | None = None,
        *,
        states: int | None = None,
        runs: int = RUNS,
        to: float | None = None,
    ) -> Sampled:
        """Return an estimate that is as precise as requested, or as the limits allow.

        Parameters
        ----------
        limits
            When to stop. Unless `states` is given, most of a time limit is used for better
            estimates, until `to` is reached or the number is exact.
        states
            Number of states kept at each level. By default, it grows from stage to stage if there
            is a time limit or `to`; otherwise there is one stage of `USUAL_STATES`.
        runs
            Number of independent runs of a stage.
        to
            Requested half-width of the interval, as a fraction of the number; None for no request.
            If `states` is given, only the number of runs depends on it.

        Raises
        ------
        CountingError
            If there is not enough memory for any runs, or `states` exceeds `MOST_STATES`.
        KeyboardInterrupt
            After Ctrl-C; `so_far` returns what is known.
        """
        if states is not None and states > MOST_STATES:
            raise CountingError(
                f"A run keeps at most {MOST_STATES:,} states, not {states:,}: keep fewer "
                "(--states), and make more runs."
            )
        self.limits = limits or Limits()
        self.limits.begin()
        with explained(MEMORY_FULL):
            try:
                for _ in self._stages(states, runs, to):
                    if self._watch is not None:
                        self._watch()
            except MemoryError:  # runs of fewer states may be known
                if interval(self.stage.values) is None:
                    raise
        return self.so_far()

    @property
    def stage(self) -> Stage:
        """The stage with the most states so far; if possible, one that has an interval."""
        return max(
            (each for each in (self._stage, self._best) if each is not None),
            key=lambda each: (interval(each.values) is not None, each.states),
            default=Stage(0),
        )

    def so_far(self) -> Sampled:
        """Return the estimate of the best stage so far: see `stage`."""
        stage = self.stage
        found = None if self._exact is not None else interval(stage.values)
        return Sampled(
            number=self._exact if found is None else round(found.mean),
            error=None if found is None else round(found.error),
            low=self._exact if found is None else int(found.low),
            high=self._exact if found is None else ceil(found.high),
            exact=self._exact is not None,
            states=stage.states,
            runs=len(stage.values),
            lived=sum(map(bool, stage.values)),
            reached=round(stage.reached, 3),
            order=self._order.name if self._order else "",
            seed=self._seed,
            version=__version__,
        )

    @property
    def bias(self) -> float | None:
        """Approximate bound on the bias of `draw`; None if it is not known.

        It is `Stage.bias`, or 0 if a run kept all states.
        """
        return 0.0 if self._whole is not None or self._exact is not None else self.stage.bias

    def draw(self, number: int, random: Random) -> Assignments:
        """Return solutions that `traced` runs found, as rows padded with -1; see `Stage.draw`.

        Examples
        --------
        >>> import exactile
        >>> puzzle = exactile.load("tetrahexes-4x7")
        >>> frontier = SampledFrontier(exactile.lower(puzzle), puzzle, traced=True)
        >>> frontier.estimate().number, frontier.draw(3, Random(1)).shape
        (18, (3, 7))
        """
        whole = self._whole
        stage = self.stage if whole is None else Stage(0, [value_of(whole)], [whole])
        with explained(MEMORY_FULL):
            return stage.draw(number, random)

    def _stages(self, states: int | None, runs: int, to: float | None) -> Iterator[None]:
        """Run one stage after another, each with more states; yield between steps.

        Sets `_stage`, `_best` and `_exact`. Raise CountingError if the states do not fit in memory.
        """
        timed = self.limits.left is not None
        grows = states is None and (timed or to is not None)
        number = states or (FIRST_STATES if grows else USUAL_STATES)
        nodes = GUIDE_NODES_PER_STATE * number if number < FIRST_STATES else GUIDE_NODES
        pilot = yield from self._prepare(min(PILOT_STATES, ceil(number / FOLLOWS)), nodes)
        if self._ended:
            return
        if grows:
            fitting = max(LEAST_STATES, self._fitting(pilot, FOLLOWS * runs))
            number = min(number, fitting, self._most_states)
        while not self._ended:
            if number > self._most_states:
                raise CountingError(
                    f"{number:,} states need more memory than {plural(self.memory, 'byte')}: "
                    "allow it more (--memory), or keep fewer states (--states)."
                )
            stage = self._stage = Stage(number)
            self._run(stage, runs)
            if len(stage.values) < runs or self._exact is not None:
                return
            self._best = stage
            yield
            wanted = self._wanted(stage, to) if grows else 0
            if wanted < 1.5 * number:
                if (grows or to is not None) and not self._traced:
                    yield from self._more_runs(stage, to)
                return
            number = wanted

    def _wanted(self, stage: Stage, to: float | None) -> int:
        """Return the number of states for the runs of the next stage; 0 if none is needed."""
        found = interval(stage.values)
        growth = float(GROWTH)
        if to and found:
            if found.half_width <= NEAR * to:
                return 0
            growth = min(growth, (found.half_width / to) ** 2)
        fitting = self._fitting(stage, len(stage.values))
        return min(ceil(stage.states * growth), self._most_states, fitting)

    def _fitting(self, stage: Stage, runs: int) -> int:
        """Return the number of states with which `runs` runs should end within the time limit.

        Their time is extrapolated from the runs of a stage. Return `MOST_STATES` if there is no
        time limit or the stage has no runs.
        """
        left = self.limits.left
        if left is None or not stage.values:
            return MOST_STATES
        pace = stage.seconds / len(stage.values) / stage.states
        return int(0.8 * left / max(pace * runs, 1e-9))

    def _more_runs(self, stage: Stage, to: float | None) -> Iterator[None]:
        while len(stage.values) < MOST_RUNS:
            left, found = self.limits.left, interval(stage.values)
            each = stage.seconds / len(stage.values)
            if left is not None and left < 1.3 * self._workers * each:
                return
            if to and found and found.half_width <= to:
                return
            wanted = len(stage.values) + (RUNS // 2 if left is None else self._workers)
            self._run(stage, wanted)
            if len(stage.values) < wanted:
                return
            yield

    @property
    def _ended(self) -> bool:
        return self._exact is not None or self.limits.reached() is not None

    @property
    def _most_states(self) -> int:
        """Largest number of states to keep at each level within the memory limit, at least 100."""
        plan, memory = self._plan, self.memory
        if isinstance(plan, _native.Guide):
            each = GUIDED_BYTES
            memory -= plan.bytes
        else:
            each = (8 * plan.words + STATE_BYTES) * LARGE_LEVELS + MERGE_BYTES
        each *= CURRENT * self._workers
        if self._traced:
            last = LAST * ENDINGS if self.switches.endings else 0
            each += LINK_BYTES * CURRENT * LARGE_LEVELS * self._workers
            each += int(TRAIL_BYTES * RUNS * plan.levels * (1 + last))
        return max(100, min(MOST_STATES, memory // each))

    @property
    def memory(self) -> int:
        """Bytes of memory that an estimate may use."""
        return self.limits.memory or TUNING.memory_bytes

    def _prepare(self, states: int, nodes: int) -> Generator[None, None, Stage]:
        """Choose an order in which to decide the items, and return the pilot runs made with it.

        `states`: number of states that pilot runs keep at each level. If a guide (see
        `GUIDE_NODES`) has at most `nodes` nodes, it is used with the most promising order, and no
        other orders are compared.
        """
        orders = yield from self._orders()
        if self._ended:
            return Stage(states)
        if self.switches.potential and not self._traced and self._guided(orders[0], nodes):
            stage = Stage(states)
            self._run(stage, PILOT_RUNS, 1)
            return stage
        best: Stage | None = None
        chosen = orders[0]
        for number, order in enumerate(orders[: PILOT_ORDERS if self.switches.orders else 1]):
            self._use(order)
            yield
            stage = Stage(states)
            self._run(stage, PILOT_RUNS, 1 + number)
            if self._ended:
                return best or stage
            if best is None or stage.score > best.score:
                best, chosen = stage, order
        if self._order is not chosen:
            self._use(chosen)
        assert best is not None
        return best

    def _orders(self) -> Generator[None, None, list[Order]]:
        """Return orders in which to decide the items, the most promising first.

        Sets the problem whose solutions the runs count, without redundant items. Yield between
        steps. If a limit is reached, the list has only the orders found by then.
        """
        problem = self._given
        if isinstance(problem, Model):
            problem = CountProblem.of_model(problem)
        supplied = np.arange(problem.items) < problem.pieces
        for smaller in problem.condensed():
            problem = smaller
            yield
            if self._ended:
                return []
        self._problem, self._supplied = problem, supplied[problem.kept] & ~problem.painted
        points = None if self._puzzle is None else points_of(self._puzzle, problem)
        found = []
        for order in front_orders(problem, self._supplied, points):
            found.append(order)
            yield
            if self._ended:
                break
        return by_load(found)

    def _use(self, order: Order) -> None:
        self._order, problem = order, self._problem
        # Supplied items are decided last: they are not anchors.
        self._rank = as_ranks(
            order.rank.astype(np.int64) + np.where(self._supplied, problem.items, 0)
        )
        self._plan = _native.SampledPlan(*problem.arrays, self._rank, self._supplied)

    def _guided(self, order: Order, nodes: int) -> bool:
        """Build a guide (see `GUIDE_NODES`); return False if it exceeds nodes, memory or time."""
        problem, status = self._problem, GUIDE_BUILDING
        guide = _native.Guide(
            *problem.arrays,
            order.rank,
            self._supplied,
            nodes,
            int(self.memory * GUIDE_MEMORY),
            GUIDE_ENDINGS if self.switches.endings else 0,
        )

        def work(seconds: float) -> bool:
            nonlocal status
            status = guide.build(seconds)
            if self._watch is not None:
                self._watch()
            return status != GUIDE_BUILDING

        left = self.limits.left
        drive(work, self.limits if left is None else self.limits.within(GUIDE_SHARE * left))
        if status != GUIDE_DONE:
            return False
        self._order, self._rank, self._plan = order, order.rank, guide
        self.guided = True
        return True

    def _begun(self, entropy: np.random.SeedSequence, states: int) -> Run:
        seed, plan = int(entropy.generate_state(1, np.uint64)[0]), self._plan
        if isinstance(plan, _native.Guide):
            return _native.GuidedRun(plan, seed, states, CURRENT * states)
        last = ceil(LAST * plan.levels) if self.switches.endings else 0
        return _native.SampledRun(
            plan,
            seed,
            states,
            ENDINGS * states,
            last,
            CURRENT * states,
            self.switches.merge,
            self.switches.prune,
            self.switches.balance,
            self._traced,
        )

    def _run(self, stage: Stage, runs: int, kind: int = 0) -> None:
        """Make runs and add them to a stage, until it has `runs` runs or a limit is reached.

        A run that keeps all states gives the exact number: `_exact` is set, and no more runs are
        made. Raise MemoryError, and add no runs, if memory runs out.

        At a limit, only the runs before the first unfinished one are added, because the choice of
        runs must not depend on their results. `kind` varies the random numbers: it is 0 or,
        for pilot runs, 1 plus the index of the order.
        """
        begun, plan = CLOCK.now(), self._plan
        first = len(stage.values)
        made: dict[int, Run] = {}
        numbers = count(first)
        active: dict[int, Run] = {}
        over: set[int] = set()

        def work(seconds: float) -> bool:
            while len(active) < self._workers and (number := next(numbers)) < runs:
                entropy = np.random.SeedSequence([self._seed, stage.states, kind, number])
                active[number] = made[number] = self._begun(entropy, stage.states)
            ended = pool.map(lambda run: run.advance(seconds), active.values())
            for number in [n for n, end in zip(list(active), ended, strict=True) if end]:
                over.add(number)
                del active[number]
            if self._watch is not None:
                self._watch()
            # A run that was never thinned is exact: no other is needed.
            return len(over) + first >= runs or any(not made[n].thinned for n in over)

        taken: list[Run] = []

        with ThreadPoolExecutor(self._workers) as pool:
            try:
                drive(work, self.limits)
            except MemoryError:
                over.clear()  # which of these runs fit depends on their results
                raise
            finally:
                for number in range(first, runs):
                    if number not in over:
                        break
                    taken.append(made[number])
                stage.values += map(value_of, taken)
                stage.traced += [run for run in taken if self._traces(run)]
                stage.reached = max(
                    [stage.reached, *(run.reached / max(plan.levels, 1) for run in made.values())]
                )
                stage.seconds += CLOCK.now() - begun
        for number in over:
            if not made[number].thinned and self._exact is None:
                self._exact = self._exactly(value_of(made[number]))
                self._whole = run if self._traces(run := made[number]) else None

    def _traces(self, run: Run) -> TypeGuard[_native.SampledRun]:
        return self._traced and isinstance(run, _native.SampledRun)

    def _exactly(self, value: Fraction) -> int | None:
        """Return the number of solutions, given the value of a run that kept all states.

        If the value may be rounded, a memo counts the solutions; None if a limit is reached first.
        """
        if value < 2**EXACT_BITS:
            return round(value)
        problem = self._problem
        order = np.zeros(int(problem.kept.max(initial=0)) + 1, dtype=np.int64)
        order[problem.kept] = self._rank
        return Memo(order=order, condense=False).count(problem, self.limits)
