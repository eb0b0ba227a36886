"""The verb `count`: the numbers of solutions of a puzzle."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from msgspec.structs import replace

from exactile.answers import Count, Stats, Status
from exactile.answers.base import passed_on
from exactile.backends.base import cores
from exactile.backends.farkas import inequalities
from exactile.backends.registry import with_method
from exactile.clock import CLOCK
from exactile.counting.orbits import OrbitCount
from exactile.counting.plan import Overtaking, Step, puzzle_plan
from exactile.doors import door
from exactile.errors import CountingError
from exactile.model.orbits import OrbitCounter
from exactile.plugins import DEFAULT_BACKEND
from exactile.puzzle.puzzle import Puzzle
from exactile.search.case import AT_SIGHT, Case, forbidden
from exactile.search.limits import INTERRUPTED, Limits, require_positive
from exactile.search.search import Options, Search

if TYPE_CHECKING:
    from exactile.counting.method import Method

INEQUALITY_NODES = 5_000
"""Number of nodes of listing after which `count` looks for an inequality that excludes all
solutions, if there are none so far."""

INEQUALITY_SECONDS = 1.0
"""Seconds after which `count` stops looking for an inequality."""


@door
def count(
    puzzle: Puzzle | Case,
    *,
    method: str = "auto",
    watch: Callable[[Search], None] | None = None,
    progress: Callable[[float], None] | None = None,
    memory: int | None = None,
    scratch: Path | str | None = None,
    limits: Limits | None = None,
    **options: Unpack[Options],
) -> Count:
    """Count the solutions of a puzzle: all, up to rotation, up to symmetry.

    A time limit may end the count early.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    method
        ``"list"`` counts the solutions one by one as a backend finds them. ``"memo"`` counts
        without listing; of `options`, it uses only the time limit. ``"frontier"`` also counts
        without listing, and uses several workers; it suits pieces that are used once each.
        ``"auto"`` first tries a memo with a small budget where that is promising, then lists. If
        listing would take long, a memo or a frontier takes over: see `exactile.counting.plan`. If
        listing finds no solution at first, `count` looks once for an inequality that excludes all
        solutions; if there is one, the answer's method is ``"coloring"``. With an encoding, or a
        backend other than the default, ``"auto"`` only lists. A backend such as
        ``"dlx+method=memo"`` replaces this parameter.
    watch
        Called at every heartbeat with the search that lists solutions.
    progress
        Called in place of `watch` while a memo or a frontier counts, with the fraction of the work
        that is done.
    memory, scratch
        Bytes for a memo or a frontier, and the directory for lists of a frontier that do not fit;
        see `exactile.counting.frontier.Frontier`.
    limits
        Limits shared with other work, in place of the time limit.
    options
        See `Search`.

    Raises
    ------
    CountingError
        If a memo or a frontier needs more memory or nodes than are allowed.
    PuzzleError
        If there is no such method or option, a limit is not positive, or `limits` are given
        together with a time limit.
    BackendError
        If there is no such backend, if it fails, if it names a method that differs from `method`,
        or if it only lists but `method` is ``"memo"`` or ``"frontier"``.
    ModelError
        If the model would be too large.
    CheckFailedError
        If a backend returns a wrong solution, which is a bug.
    Interrupted
        After Ctrl-C; it has the answer so far.

    Examples
    --------
    >>> import exactile
    >>> answer = exactile.count(exactile.load("soma-cube"))
    >>> answer.raw, answer.rotation, answer.symmetry
    (11520, 480, 240)
    >>> exactile.count(exactile.load("dominoes-6x6")).method
    'memo'
    """
    case = Case.of(puzzle)
    require_positive(memory_limit=memory)
    limits = Limits.chosen(limits, options.pop("time_limit", None)).rest()
    limits.memory = memory or limits.memory
    if isinstance(given := options.get("backend"), str):
        options["backend"], method = with_method(given, method)
    plain = options.get("backend", DEFAULT_BACKEND) == DEFAULT_BACKEND
    if method == "auto" and (not plain or options.get("encoding")):
        method = "list"
    if plain:
        options["workers"] = options.get("workers") or cores()
    watch_method = None if progress is None else lambda method: progress(method.done or 0.0)

    def unlisted(step: Step) -> Count:
        counting = OrbitCount(case, made(step, case, limits, scratch, options.get("workers") or 1))
        return counting.run(limits, watch_method)

    def run(step: Step) -> Count:
        if step.method != "list":
            return unlisted(step)
        with Search(case, images=False, limits=limits, watch=watch, **options) as search:
            overtaken = step.overtaken and search.stopped is None
            return count_search(
                search, _overtaking(search, unlisted, use_reasons) if overtaken else None
            )

    use_reasons = options.get("use_reasons", True)
    begun = CLOCK.now()
    *attempts, last = puzzle_plan(case, method, limits=limits, use_reasons=use_reasons)
    planned = CLOCK.now()  # with the model, which most plans need
    answer: Count | None = None
    for step in attempts:
        with suppress(CountingError):
            answer = run(step)
            break
    answer = run(last) if answer is None else answer
    if method == "auto":  # all attempts count, also those that failed
        build = round(planned - begun + (answer.stats.build_seconds or 0.0), 6)
        stats = replace(answer.stats, build_seconds=build).lasting(CLOCK.now() - begun)
        answer = replace(answer, stats=stats)
    return passed_on(answer)


def _overtaking(
    search: Search, count_by: Callable[[Step], Count], use_reasons: bool
) -> Callable[[Search], Count | None]:
    """Return a function to call at every heartbeat of a search that lists solutions.

    If there is no solution after `INEQUALITY_NODES` and `use_reasons` is set, the function looks
    for an inequality that excludes all solutions. Whenever a memo or a frontier is worth a try, the
    function passes its step to `count_by`. The function returns an answer, or None to continue the
    search.
    """
    overtaking = Overtaking(search.case)
    untried = use_reasons

    def overtake(search: Search) -> Count | None:
        nonlocal untried
        nodes = search.counters.get("nodes") or 0
        if untried and nodes >= INEQUALITY_NODES:
            untried = False
            if not search.found and _is_forbidden(search):
                return _none(search, forbidden(0))
        step = overtaking.step(nodes, search.done or 0.0)
        if step is None:
            return None
        try:
            answer = count_by(step)
        except CountingError:
            return None
        return None if passed_on(answer).raw is None else answer

    return overtake


def _is_forbidden(search: Search) -> bool:
    """Return whether an inequality excludes all solutions; False if a limit is reached first."""
    limits = search.limits.within(INEQUALITY_SECONDS)
    for found in inequalities(search.case.model):
        if found is not None:
            return True
        if limits.reached() is not None:
            break
    return False


def _none(search: Search, reason: str) -> Count:
    """Close a search, and return the answer that there is no solution, for the given reason."""
    search.close()
    return Count(
        puzzle=search.puzzle.name,
        backend=None,
        method="coloring",
        status=Status.UNSOLVABLE,
        raw=0,
        rotation=0,
        symmetry=0,
        done=1.0,
        reason=reason,
        crossing=search.puzzle.crossing,
        stats=search.stats,
    )


def made(
    step: Step, case: Case, limits: Limits, scratch: Path | str | None = None, workers: int = 1
) -> Method:
    """Return the memo or the frontier for a step of a plan.

    If the step has separate limits for counting symmetric solutions, the automaton for all
    solutions is built at once; the separate limits apply to every later automaton. Raise
    CountingError if the first automaton needs more nodes or memory than are allowed. `scratch`,
    `workers`: see `exactile.counting.frontier.Frontier`.
    """
    if step.method == "memo":
        from exactile.counting.memo import Memo  # not needed for listing

        return Memo(most_states=step.budget, puzzle=case.puzzle)
    from exactile.counting.frontier import Frontier

    frontier = Frontier(budget=step.size, scratch=scratch, workers=workers, puzzle=case.puzzle)
    if step.kept_size is not None:
        frontier.build(case, limits)
        frontier.budget = step.kept_size
    return frontier


def count_search(
    search: Search, heartbeat: Callable[[Search], Count | None] | None = None
) -> Count:
    """Run a search to its end and count the solutions; Ctrl-C ends it early.

    `heartbeat` is called with the search at every heartbeat. If it returns an answer, the search
    ends, and this is the answer, with the seconds that the search took to make the model and to
    check solutions. `Stats.check_seconds` includes the seconds of counting orbits.
    """
    counts: OrbitCounter | None = None
    numbers: tuple[int | None, int | None, int | None] = (None, None, None)
    interrupted = False
    seconds = 0.0

    def timed(stats: Stats) -> Stats:
        checking = round((search.stats.check_seconds or 0.0) + seconds, 6)
        return replace(stats, build_seconds=search.stats.build_seconds, check_seconds=checking)

    try:
        for rows in search.batches():
            begun = CLOCK.now()
            if len(rows):
                counts = counts or OrbitCounter(search.action)
                counts.add(rows, search.multiples(rows))
            seconds += CLOCK.now() - begun
            if heartbeat is not None and (answer := heartbeat(search)) is not None:
                return replace(answer, stats=timed(answer.stats))
        if search.status.final:
            numbers = (0, 0, 0) if counts is None else counts.numbers
    except KeyboardInterrupt:
        interrupted = True  # perhaps after the search itself, while the orbits were counted
        search.close(INTERRUPTED)
    raw, rotation, symmetry = numbers
    return Count(
        puzzle=search.puzzle.name,
        backend=None if search.reason else search.backend.name,
        method=AT_SIGHT if search.reason else "list",
        status=search.status,
        raw=raw,
        rotation=rotation,
        symmetry=symmetry,
        found=search.found,
        stopped=INTERRUPTED if interrupted else search.stopped,
        reason=search.reason,
        crossing=search.puzzle.crossing,
        stats=timed(search.stats),
        done=search.done if raw is None else 1.0,
        proof=search.proof,
    )
