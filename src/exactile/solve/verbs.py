"""What one can ask of a puzzle: solutions, their number, whether there are any."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from exactile.backends import Backend
from exactile.model.orbits import OrbitCounter
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.solve.search import Search, Status


class Options(TypedDict, total=False):
    """Options that every verb hands to `Search`."""

    backend: str | Backend
    time_limit: float | None
    seed: int
    workers: int | None
    ordered: bool
    use_symmetry: bool
    use_reasons: bool


@dataclass(frozen=True)
class Count:
    """The answer of `count`.

    Attributes
    ----------
    puzzle, backend
        Names.
    status
        ``COMPLETE`` or ``UNSOLVABLE`` if the counts are final.
    raw
        Number of all solutions; None if not determined.
    rotation, symmetry
        Number of solutions up to the proper symmetries of the puzzle, and up to all of them.
    found
        Number of solutions seen before the search ended.
    stopped
        Why it ended early, if it did.
    reason
        Why the puzzle is obviously unsolvable, if it is.
    stats
        See `Search.stats`.
    """

    puzzle: str
    backend: str
    status: Status
    raw: int | None
    rotation: int | None
    symmetry: int | None
    found: int
    stopped: str | None
    reason: str | None
    stats: dict[str, Any]


@dataclass(frozen=True)
class Verdict:
    """The answer of `prove`.

    Attributes
    ----------
    puzzle, backend
        Names.
    status
        ``UNSOLVABLE``, ``SOLVABLE`` or ``UNKNOWN``.
    reason
        How an unsolvable puzzle was found to be so, in words.
    solution
        A solution, if there is one.
    stopped
        Why the search ended without an answer, if it did.
    stats
        See `Search.stats`.
    """

    puzzle: str
    backend: str
    status: Status
    reason: str | None
    solution: Solution | None
    stopped: str | None
    stats: dict[str, Any]


def solve_one(puzzle: Puzzle, **options: Unpack[Options]) -> Solution | None:
    """Return a solution, None if none was found: ask `prove` whether there is any.

    Examples
    --------
    >>> import exactile
    >>> len(exactile.solve_one(exactile.load("pentominoes-6x10")))
    12
    """
    with Search(puzzle, limit=1, **options) as search:
        return next(search, None)


def count(puzzle: Puzzle, **options: Unpack[Options]) -> Count:
    """Count the solutions of a puzzle: all, up to rotation, up to symmetry.

    Examples
    --------
    >>> import exactile
    >>> answer = exactile.count(exactile.load("soma-cube"))
    >>> answer.raw, answer.rotation, answer.symmetry
    (11520, 480, 240)
    """
    with Search(puzzle, **options) as search:
        return count_search(search)


def count_search(search: Search, progress: Callable[[int], None] | None = None) -> Count:
    """Run a search to its end and count what it finds; Ctrl-C ends it early.

    At every heartbeat `progress` is told the number of solutions so far.
    """
    counter = None
    numbers: tuple[int | None, int | None, int | None] = (None, None, None)
    interrupted = False
    try:
        for rows in search.batches():
            if len(rows):
                counter = counter or OrbitCounter(search.action)
                counter.add(rows)
            if progress is not None:
                progress(search.found)
        if search.status is Status.UNSOLVABLE:
            numbers = (0, 0, 0)
        elif search.status is Status.COMPLETE and counter is not None:
            numbers = (counter.raw, counter.rotation, counter.symmetry)
    except KeyboardInterrupt:
        interrupted = True  # perhaps after the search itself, while the orbits were counted
        search.close("interrupted")
    raw, rotation, symmetry = numbers
    return Count(
        puzzle=search.puzzle.name,
        backend=search.backend.name,
        status=search.status,
        raw=raw,
        rotation=rotation,
        symmetry=symmetry,
        found=search.found,
        stopped="interrupted" if interrupted else search.stopped,
        reason=search.reason,
        stats=search.stats,
    )


def prove(puzzle: Puzzle, **options: Unpack[Options]) -> Verdict:
    """Decide whether a puzzle has a solution.

    Examples
    --------
    >>> import exactile
    >>> exactile.prove(exactile.load("mutilated-chessboard-6x6")).status
    <Status.UNSOLVABLE: 'unsolvable'>
    """
    with Search(puzzle, limit=1, **options) as search:
        return prove_search(search)


def prove_search(search: Search) -> Verdict:
    """Decide with a search of limit 1; Ctrl-C ends it without an answer."""
    solution = None
    try:
        solution = next(search, None)
    except KeyboardInterrupt:
        search.close("interrupted")
    reason = None
    if search.status is Status.UNSOLVABLE:
        reason = search.reason or f"{search.backend.name} searched everything"
    return Verdict(
        puzzle=search.puzzle.name,
        backend=search.backend.name,
        status=search.status,
        reason=reason,
        solution=solution,
        stopped=search.stopped if solution is None else None,
        stats=search.stats,
    )
