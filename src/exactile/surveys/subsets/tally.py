"""The number of solutions of each subset of the pieces: from one search, or subset by subset."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np
from msgspec.structs import replace

from exactile.answers import Count, Stats, Status, SubsetCounts, SubsetTally
from exactile.answers.base import passed_on
from exactile.backends.base import cores
from exactile.clock import CLOCK
from exactile.counting.frontier import Frontier
from exactile.counting.verbs import count
from exactile.doors import door
from exactile.errors import CheckFailedError, Interrupted, PuzzleError
from exactile.model.invariant import classes, invariant
from exactile.model.orbits import Assignments, OrbitCounter, exact_quotient
from exactile.plugins import DEFAULT_BACKEND
from exactile.puzzle.puzzle import Puzzle
from exactile.search.case import Case
from exactile.search.limits import INTERRUPTED, Limits
from exactile.search.search import Options, Search
from exactile.surveys.subsets.search import SubsetSearch
from exactile.surveys.subsets.selection import Selections, Uses, only

METHODS = ("list", "each", "frontier")
"""How solutions are counted by subset of the pieces.

list: one search lists all solutions. each: the subsets are found first, then the solutions of each
are counted, without listing them if that is faster. frontier: one sweep counts the solutions of all
subsets without listing any. If pieces may be omitted, or isometries of the lattice change a piece,
``"frontier"`` does the same as ``"each"``.
"""


Numbers = tuple[int, int | None, int | None]
"""Numbers of solutions: of all, up to proper symmetries, up to all symmetries; None if unknown."""


class SubsetNumbers(NamedTuple):
    """The numbers of solutions of one subset of the pieces; see `SubsetTally`."""

    uses: Uses
    found: int
    rotation: int | None
    symmetry: int | None


@door
def count_by_subset(
    puzzle: Puzzle,
    *,
    method: str = "list",
    watch: Callable[[Any], None] | None = None,
    memory: int | None = None,
    scratch: Path | str | None = None,
    **options: Unpack[Options],
) -> SubsetCounts:
    """Count the solutions of a puzzle by the pieces that they use.

    If a time limit is reached, the answer has the numbers known so far, if any.

    Parameters
    ----------
    puzzle
        The puzzle.
    method
        One of `METHODS`.
    watch
        Called with the running search at every heartbeat; a frontier does not call it.
    memory, scratch
        See `exactile.count`; the method ``"list"`` ignores them.
    options
        See `exactile.search.Search`. A frontier uses only `time_limit` and `workers`.

    Raises
    ------
    PuzzleError
        If `method` or a keyword argument is unknown, or a limit is not positive.
    CountingError
        If a frontier needs more than `memory`.
    BackendError
        If the backend is unknown or not installed, except for a frontier.
    Interrupted
        After Ctrl-C; it has the answer so far.

    Examples
    --------
    >>> import exactile
    >>> answer = count_by_subset(exactile.load("shader-hexagon"))
    >>> answer.raw, answer.symmetry, [tally.found for tally in answer.by_pieces]
    (108, 9, [24, 12, 12, 12, 12, 12, 12, 12])
    >>> sizes(answer), answer.needed, answer.unused
    ((4, 4), (), ('I3', 'L3', 'S3', 'Y3'))
    """
    if method == "list":
        return passed_on(_from_all(puzzle, watch, options))
    if method == "frontier":
        case = Case.of(puzzle)
        if puzzle.omission is None and Selections(case).all_plain:
            limits = Limits(options.get("time_limit"), memory_limit=memory)
            return passed_on(_by_front(case, limits, scratch, options.get("workers") or cores()))
    if method in ("each", "frontier"):
        return passed_on(_one_by_one(puzzle, watch, memory, scratch, options))
    raise PuzzleError(f"There is no method '{method}' to count subsets: use {', '.join(METHODS)}.")


def _from_all(
    puzzle: Puzzle, watch: Callable[[Any], None] | None, options: Options
) -> SubsetCounts:
    limits = Limits(options.pop("time_limit", None)).rest()
    with Search(puzzle, watch=watch, limits=limits, **options) as search:
        counters = _Tally(search.case)
        try:
            for rows in search.batches():
                counters.add(rows)
        except KeyboardInterrupt:
            search.close("interrupted")
        return counters.answer(search)


class _Tally:
    """Counts the solutions of a puzzle, in total and by the subset of the pieces that they use."""

    def __init__(self, case: Case) -> None:
        self._selections = Selections(case)
        self._counters: dict[Uses, OrbitCounter] = {}
        self._whole: OrbitCounter | None = None

    def add(self, rows: Assignments) -> None:
        """Count solutions; `rows`: the options of each, padded with -1."""
        if not len(rows):
            return
        self._whole = self._whole or OrbitCounter(self._selections.case.action)
        self._whole.add(rows)
        table = self._selections.table(rows)
        subsets, number = np.unique(table, axis=0, return_inverse=True)
        order = np.argsort(number.ravel(), kind="stable")
        parts = np.split(rows[order], np.cumsum(np.bincount(number.ravel()))[:-1])
        for uses, part in zip(map(tuple, subsets.tolist()), parts, strict=True):
            if uses not in self._counters:
                self._counters[uses] = OrbitCounter(self._selections.action(uses))
            self._counters[uses].add(part)

    def answer(self, search: Search | Count) -> SubsetCounts:
        """Return the numbers so far, with the status and the counters of a search."""
        final = search.status in (Status.COMPLETE, Status.UNSOLVABLE)
        tallies = [
            SubsetNumbers(uses, c.raw, *((c.rotation, c.symmetry) if final else (None, None)))
            for uses, c in self._counters.items()
        ]
        numbers = self._whole.numbers if final and self._whole is not None else None
        return _answer(self._selections.puzzle, search, tallies, numbers)


def _one_by_one(
    puzzle: Puzzle,
    watch: Callable[[Any], None] | None,
    memory: int | None,
    scratch: Path | str | None,
    options: Options,
) -> SubsetCounts:
    limits = Limits(options.pop("time_limit", None)).rest()
    search = SubsetSearch(
        puzzle,
        watch=watch,
        backend=options.get("backend", DEFAULT_BACKEND),
        limits=limits,
        seed=options.get("seed", 0),
        workers=options.get("workers"),
        encoding=options.get("encoding"),
        use_reasons=options.get("use_reasons", True),
    )
    tallies: list[SubsetNumbers] = []
    try:
        for uses, _ in search:
            if not any(uses):  # no piece is needed, and there is one way to use none
                tallies.append(SubsetNumbers(uses, 1, 1, 1))
                continue
            try:
                answer = count(
                    only(puzzle, uses), memory=memory, scratch=scratch, limits=limits, **options
                )
            except Interrupted as stop:
                answer = stop.answer
            tallies.append(SubsetNumbers(uses, answer.found, answer.rotation, answer.symmetry))
            if answer.stopped is not None:
                search.close(answer.stopped)
                break
            if not answer.raw:
                raise CheckFailedError(
                    f"{puzzle.name} has a solution with pieces for which none were counted. This "
                    "is a bug in Exactile: please report it."
                )
    except KeyboardInterrupt:
        search.close("interrupted")
    return _answer(puzzle, search, tallies, _sums(search, tallies))


def tally_found(case: Case, batches: Iterable[Assignments], counted: Count) -> SubsetCounts:
    """Count solutions that are already found, by the pieces that they use.

    `case`: the puzzle with its model. `batches`: the solutions, as options of the model.
    `counted`: the count of all solutions, which also states how the search ended.

    Examples
    --------
    >>> import exactile
    >>> case = Case(exactile.load("shader-hexagon"))
    >>> with Search(case) as search:
    ...     batches = list(search.batches())
    >>> tally_found(case, batches, count(case)).subsets
    8
    """
    counters = _Tally(case)
    for rows in batches:
        counters.add(rows)
    if counted.reason:  # nothing was searched
        counted = replace(counted, stats=replace(counted.stats, nodes=None))
    return counters.answer(counted)


def _by_front(case: Case, limits: Limits, scratch: Path | str | None, workers: int) -> SubsetCounts:
    limits.begin()
    begun = CLOCK.now()
    found, stopped = None, None
    try:
        found = numbers_by_front(case, limits, scratch=scratch, workers=workers)
        stopped = limits.reached() if found is None else None
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    tallies = [SubsetNumbers(uses, *three) for uses, three in (found or {}).items()]
    numbers = None
    if found:
        raw, rotation, symmetry = (sum(column) for column in zip(*found.values(), strict=True))
        numbers = raw, rotation, symmetry
    stats = Stats(build_seconds=0.0, seconds=CLOCK.now() - begun)
    counted = Count(
        puzzle=case.puzzle.name,
        backend=None,
        method="frontier",
        status=Status.of(None if found is None else len(found)),
        stopped=stopped,
        stats=stats,
    )
    return _answer(case.puzzle, counted, tallies, numbers)


def _sums(search: SubsetSearch, tallies: list[SubsetNumbers]) -> Numbers | None:
    """Return the sums of the subsets' numbers of solutions; None if the search is not complete.

    Numbers up to symmetry are None if subsets may have symmetries of their own.
    """
    if search.status is not Status.COMPLETE:
        return None
    raw = sum(t.found for t in tallies)
    if not search.selections.all_plain:  # each subset has symmetries of its own
        return raw, None, None
    return raw, sum(t.rotation or 0 for t in tallies), sum(t.symmetry or 0 for t in tallies)


def _rank(tally: SubsetNumbers) -> tuple[int, int, Uses]:
    """Return a sort key: fewer pieces first, then more solutions, then the order of the pieces."""
    return sum(tally.uses), -tally.found, tuple(-n for n in tally.uses)


def _answer(
    puzzle: Puzzle,
    search: Search | SubsetSearch | Count,
    tallies: list[SubsetNumbers],
    numbers: Numbers | None,
) -> SubsetCounts:
    if search.status is Status.UNSOLVABLE:
        numbers = 0, 0, 0
    raw, rotation, symmetry = numbers or (None, None, None)
    final, names = search.status.final, [p.name for p in puzzle.pieces]
    table = np.array([t.uses for t in tallies], dtype=np.int64).reshape(-1, len(names))
    by_pieces = (
        SubsetTally(
            pieces={name: n for name, n in zip(names, t.uses, strict=True) if n},
            raw=t.found if final else None,
            found=t.found,
            rotation=t.rotation,
            symmetry=t.symmetry,
        )
        for t in sorted(tallies, key=_rank)
    )
    return SubsetCounts(
        puzzle=puzzle.name,
        backend=search.by if isinstance(search, Count) else search.backend.name,
        status=search.status,
        raw=raw,
        rotation=rotation,
        symmetry=symmetry,
        stopped=search.stopped,
        reason=search.reason,
        crossing=puzzle.crossing,
        subsets=len(tallies) if final else None,
        needed=_where(names, tallies and table.all(axis=0)) if final else None,
        unused=_where(names, tallies and ~table.any(axis=0)) if final else None,
        by_pieces=tuple(by_pieces),
        stats=search.stats,
    )


def _where(names: list[str], chosen: Any) -> tuple[str, ...]:
    return tuple(compress(names, chosen))


def sizes(counts: SubsetCounts) -> tuple[int, int]:
    """Return the least and the greatest number of pieces in a solution; zeros if none is known."""
    numbers = [sum(tally.pieces.values()) for tally in counts.by_pieces]
    return min(numbers, default=0), max(numbers, default=0)


def numbers_by_front(
    case: Case, limits: Limits, *, scratch: Path | str | None = None, workers: int = 1
) -> dict[Uses, tuple[int, int, int]] | None:
    """Count the solutions of each subset: raw, up to proper symmetries, up to all symmetries.

    `case`: the puzzle, in which no pieces are omitted by choice; its symmetries must map each piece
    to itself. `limits`: when to stop, and the memory of the frontier. `scratch`, `workers`: see
    `exactile.counting.frontier.Frontier`.

    The result maps subsets (numbers of uses of the pieces) to the three numbers; None if the time
    limit is reached. Raise CountingError if the memory is too small.

    Examples
    --------
    >>> import exactile
    >>> numbers = numbers_by_front(Case(exactile.load("shader-hexagon")), Limits())
    >>> sorted(numbers.values())[-1]
    (24, 4, 2)
    """
    limits.begin()
    try:
        case.prepare(limits, "symmetries", "action")
    except TimeoutError:
        return None
    model, action = case.model, case.action
    sums: dict[Uses, list[int]] = {}
    frontier = Frontier(
        one_sided=True, condense=False, scratch=scratch, workers=workers, puzzle=case.puzzle
    )
    for element, size in classes(action):
        problem = model if element == 0 else invariant(model, action, element)
        if frontier.count(problem, limits) is None:
            return None
        for uses, number in frontier.by_pieces().items():
            kept = sums.setdefault(uses, [0, 0, 0])
            kept[0] += number * (element == 0)
            kept[1] += number * size * bool(action.proper[element])
            kept[2] += number * size
    return {
        uses: (
            raw,
            exact_quotient(properly, int(action.proper.sum())),
            exact_quotient(kept_by_all, action.order),
        )
        for uses, (raw, properly, kept_by_all) in sums.items()
    }
