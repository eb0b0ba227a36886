"""Estimates the size of a search tree by random dives; also estimates the number of solutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import isqrt
from random import Random
from typing import Annotated, NamedTuple

from exactile.answers import Estimate
from exactile.backends.base import Prefix
from exactile.backends.exploration import Exploration
from exactile.clock import CLOCK
from exactile.counting.sampled import RUNS, SampledFrontier
from exactile.doors import Positive, Seed, Within, Workers, door
from exactile.errors import Interrupted, UnfinishedError
from exactile.model.model import Model
from exactile.puzzle.puzzle import Puzzle
from exactile.search.case import Case
from exactile.search.handle import drive
from exactile.search.limits import Limits, require_positive

DIVE_SHARE = 0.1
"""Largest fraction of a time limit that dives use."""

MEASURE_SHARE = 0.2
"""Measuring the speed takes at most this fraction of the time that is left after the dives."""

DIVE_NODES = 30
"""Nodes that a dive may visit before the time limit is checked."""


class Start(NamedTuple):
    """A subtree of the search, and the number of solutions that each solution in it stands for.

    The number is 1; if only one subtree of each orbit is searched, it is the size of the orbit.
    """

    path: tuple[int, ...]
    solutions: int


class Dive(NamedTuple):
    """Estimates of the numbers of nodes and solutions of the whole tree, from one dive.

    `length`: number of nodes that the dive visited.
    """

    nodes: int
    solutions: int
    length: int


WHOLE = (Start((), 1),)

MOST_NODES = 10**300
"""No time is estimated for trees with more nodes, because floats are not large enough."""


@door
def estimate(
    subject: Puzzle | Case | Model,
    *,
    dives: Annotated[int, Within(1, 10**9)] = 10_000,
    seed: Seed = 0,
    use_symmetry: bool = True,
    time_limit: float | None = None,
    measure: float | None = None,
    states: Positive | None = None,
    runs: Annotated[int, Within(4, 100_000)] = RUNS,
    to: float | None = None,
    workers: Workers = 1,
    memory_limit: Positive | None = None,
    watch: Callable[[], object] | None = None,
) -> Estimate:
    """Estimate the size of the search tree and the number of solutions.

    A dive goes from the root to a leaf and takes each branch of a node with the same chance [1]_. A
    node is reached with probability 1 / (product of the numbers of branches above it). If each node
    of a dive is weighted with the inverse of its probability, the expected sum is the number of
    nodes of the tree.

    The number of solutions is estimated by a frontier whose states are thinned at random; see
    `Sampled`. Solutions that are equal up to symmetry are counted separately. This second estimate
    gets the time that is left after the dives and `measure`.

    Parameters
    ----------
    subject
        A puzzle, a case of one, or a model.
    dives
        Number of dives. The error falls with the square root of this number.
    seed
        The same seed gives the same estimate, unless there is a time limit.
    use_symmetry
        Whether to estimate the smaller tree of a search that uses the symmetry of the puzzle; see
        `Search`. It has no effect for a model.
    time_limit
        Seconds for everything, including building the model. After a tenth of this time no dive
        begins, except the first. A dive that is still deep in the tree when time is up is cut off
        and does not count.
    measure
        Seconds of searching to measure the speed, at most a fifth of the time that is left after
        the dives; None or 0 for no measurement.
    states
        Number of states that the sampled frontier keeps at each level. By default, it follows from
        the other arguments.
    runs
        Number of independent runs of the sampled frontier. The confidence interval of the number
        of solutions follows from their differences.
    to
        Requested half-width of the confidence interval, as a fraction of the estimate: 0.05 for
        5 %. None requests no precision.
    workers
        Number of threads. The estimate does not depend on it, unless there is a time limit or
        memory is short.
    memory_limit
        Bytes for states, by default `Tuning.memory_bytes`.
    watch
        Called at every heartbeat of the sampled frontier.

    Raises
    ------
    PuzzleError
        If an argument is out of range.
    CountingError
        If the sampled frontier needs too much memory, or `states` is too large.
    ModelError
        If the model of the puzzle would be too large.
    Interrupted
        After Ctrl-C, if the dives are done; it has the answer so far.
    UnfinishedError
        If the time limit was reached before the model and its symmetries were computed, or before
        the first dive was complete.

    Examples
    --------
    >>> import exactile
    >>> answer = estimate(exactile.load("soma-cube"), dives=3000)
    >>> answer.dives, answer.nodes_error < answer.nodes / 10
    (3000, True)

    References
    ----------
    .. [1] D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of
       Computation 29 (1975), 121-136.
    """
    require_positive(half_width=to, measuring_time=measure or None)
    limits = Limits(time_limit, memory_limit=memory_limit)
    limits.begin()
    dive_limits = limits if time_limit is None else limits.within(time_limit * DIVE_SHARE)
    if isinstance(subject, Puzzle):
        subject = Case(subject)
    random = Random(seed)  # noqa: S311
    seen: list[Dive] = []
    with suppress(TimeoutError):
        if isinstance(subject, Case):
            subject.prepare(limits, *["symmetries", "action", "branches"] * use_symmetry)
        model, starts = tree_of(subject, use_symmetry=use_symmetry)
        exploration = Exploration(model, endgame=False)
        while len(seen) < dives and not (seen and dive_limits.reached()):
            seen.append(dive(exploration, starts, random.randrange, limits))
    if not seen:
        raise UnfinishedError(
            "No dive came to an end within the time limit: give more time. The deeper a tree, the "
            "longer each dive."
        )
    if measure and limits.left is not None:
        measure = min(measure, MEASURE_SHARE * limits.left)
    rate = None
    nodes, nodes_error = _mean([d.nodes for d in seen])
    whole = subject if isinstance(subject, Model) else subject.model
    puzzle = None if isinstance(subject, Model) else subject.puzzle
    frontier = SampledFrontier(whole, puzzle, seed=seed, workers=workers, watch=watch)
    interrupted = False
    try:
        if measure:
            rate = nodes_per_second(subject, measure, use_symmetry=use_symmetry)
        frontier.estimate(limits, states=states, runs=runs, to=to)
    except KeyboardInterrupt:
        interrupted = True
    answer = Estimate(
        puzzle="" if puzzle is None else puzzle.name,
        crossing=puzzle is None or puzzle.crossing,
        seed=seed,
        nodes=nodes,
        nodes_error=nodes_error,
        solutions=frontier.so_far(),
        dives=len(seen),
        deepest=max(d.length for d in seen),
        nodes_per_second=rate,
        seconds=nodes / rate if rate and nodes < MOST_NODES else None,
    )
    if interrupted:
        raise Interrupted(answer)
    return answer


def tree_of(
    subject: Puzzle | Case | Model, *, use_symmetry: bool = True
) -> tuple[Model, Sequence[Start]]:
    """Return the model of a puzzle, and the subtrees that a search for all solutions visits.

    The only subtree is the whole tree if `use_symmetry` is False, if `subject` is a model, or if
    the case has no `branches`.
    """
    if isinstance(subject, Model):
        return subject, WHOLE
    case = Case.of(subject)
    model = case.model
    found = case.branches if use_symmetry else None
    if found is None or not found.options:
        return model, WHOLE
    pairs = zip(found.options, found.elements, strict=True)
    return model, [Start((option,), len(elements)) for option, elements in pairs]


def dive(
    exploration: Exploration,
    starts: Sequence[Start],
    choose: Callable[[int], int],
    limits: Limits = Limits(),  # noqa: B008 (none)
) -> Dive:
    """Return the estimates of one dive, from the root of one of the subtrees `starts` to a leaf.

    `choose(n)` returns the index of one of n branches. The argument `exploration` is changed: the
    dive replaces its prefixes.

    Nothing is rounded: if all choices are equally likely, the expected values are exactly the
    numbers of nodes and solutions of the tree.

    Raises
    ------
    TimeoutError
        If a limit is reached first; the limits are ignored for the first `DIVE_NODES` nodes.
    """
    weight = len(starts)
    start = starts[choose(weight)]
    here = [Prefix(start.path, 1.0)]
    nodes = solutions = length = 0
    while here:
        if length >= DIVE_NODES:
            limits.require()
        before = exploration.count
        exploration.prefixes = here
        exploration.run(nodes=1, keep=False)
        length += 1
        nodes += weight
        solutions += weight * start.solutions * (exploration.count - before)
        here = exploration.prefixes
        if here:
            weight *= len(here)
            here = [here[choose(len(here))]]
    return Dive(nodes, solutions, length)


def nodes_per_second(
    subject: Puzzle | Case | Model, seconds: float, *, use_symmetry: bool = True
) -> float:
    """Search with one thread, and return the number of nodes visited per second.

    The search ends after `seconds`, or earlier if the tree is finished. `use_symmetry`: see
    `tree_of`.

    Examples
    --------
    >>> import exactile
    >>> nodes_per_second(exactile.load("soma-cube"), 0.1) > 0
    True
    """
    model, starts = tree_of(subject, use_symmetry=use_symmetry)
    exploration = Exploration(model, prefixes=[Prefix(start.path, 1.0) for start in starts])

    def work(seconds: float) -> bool:
        exploration.run(seconds=seconds, keep=False)
        return exploration.exhausted

    begun = CLOCK.now()
    drive(work, Limits(seconds))
    return exploration.nodes / max(CLOCK.now() - begun, 1e-9)


def _mean(values: Sequence[int]) -> tuple[int, int | None]:
    """Return the mean and its standard error, which is None for a single value.

    Both are rounded down to integers, because they may be too large for floats.
    """
    n, total = len(values), sum(values)
    if n == 1:
        return total, None
    spread = n * sum(v * v for v in values) - total * total
    return total // n, isqrt(spread // (n * n * (n - 1)))
