"""What one can ask of a puzzle: solutions, their number, whether there are any."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypedDict, Unpack

from exactile.answers import Count, Status
from exactile.backends import Backend
from exactile.errors import CountingError, PuzzleError
from exactile.model.lower import lower
from exactile.model.orbits import OrbitCounter
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.solve.counting import MOST_STATES
from exactile.solve.diagnose import obvious_reason
from exactile.solve.memo import AUTO_STATES, MemoCounting, pays
from exactile.solve.search import Search

METHODS = ("auto", "list", "memo")
"""How solutions are counted: one by one, or by a memo on states, or whichever pays."""


class Options(TypedDict, total=False):
    """Options that every verb hands to `Search`."""

    backend: str | Backend
    time_limit: float | None
    seed: int
    workers: int | None
    ordered: bool
    encoding: str | None
    use_symmetry: bool
    use_reasons: bool
    use_implied: bool
    hint: Solution


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


def count(puzzle: Puzzle, *, method: str = "auto", **options: Unpack[Options]) -> Count:
    """Count the solutions of a puzzle: all, up to rotation, up to symmetry.

    Parameters
    ----------
    puzzle
        The puzzle.
    method
        ``"list"`` counts the solutions one by one as a backend finds them. ``"memo"`` counts them
        without listing: of the options only the time limit is heard. ``"auto"`` tries that with a
        small budget if it may pay (see `exactile.solve.memo.pays`) and no other backend than the
        default was asked for; then it lists.
    options
        See `Search`.

    Raises
    ------
    CountingError
        If the budget does not suffice with ``"memo"``.
    PuzzleError
        If there is no such method.

    Examples
    --------
    >>> import exactile
    >>> answer = exactile.count(exactile.load("soma-cube"))
    >>> answer.raw, answer.rotation, answer.symmetry
    (11520, 480, 240)
    >>> exactile.count(exactile.load("dominoes-6x6")).backend
    'memo'
    """
    if method not in METHODS:
        raise PuzzleError(f"There is no method '{method}' to count: use {', '.join(METHODS)}.")
    if method == "auto" and (options.get("backend", "dlx") != "dlx" or options.get("encoding")):
        method = "list"
    begun = time.monotonic()
    answer = count_by_memo(
        puzzle,
        method,
        time_limit=options.get("time_limit"),
        use_reasons=options.get("use_reasons", True),
    )
    if answer is not None:
        return answer
    options["time_limit"] = time_left(options.get("time_limit"), begun)
    with Search(puzzle, **options) as search:
        return count_search(search)


def time_left(limit: float | None, begun: float) -> float | None:
    """Return what is left of a time limit, at least a moment; `begun` on the monotonic clock."""
    return None if limit is None else max(limit - (time.monotonic() - begun), min(limit, 1e-3))


def count_by_memo(
    puzzle: Puzzle, method: str, *, time_limit: float | None = None, use_reasons: bool = True
) -> Count | None:
    """Count without listing, if the method says so; None if solutions are to be listed.

    Raises
    ------
    CountingError
        If the budget does not suffice with the method ``"memo"``.
    """
    model = None
    states = MOST_STATES
    if method == "auto":
        if all(piece.upper == 1 for piece in puzzle.pieces):
            return None
        model, states = lower(puzzle), AUTO_STATES
        if not pays(model) or (use_reasons and obvious_reason(puzzle, model)):
            return None
    elif method == "list":
        return None
    try:
        answer = MemoCounting(puzzle, time_limit, states, model).run()
    except CountingError:
        if method == "auto":
            return None
        raise
    status = Status.COMPLETE if answer.raw else Status.UNSOLVABLE
    return Count(
        puzzle=puzzle.name,
        backend="memo",
        status=Status.UNKNOWN if answer.raw is None else status,
        raw=answer.raw,
        rotation=answer.rotation,
        symmetry=answer.symmetry,
        found=answer.raw or 0,
        stopped=answer.stopped,
        reason=None,
        crossing=puzzle.crossing,
        stats=answer.stats,
        done=None if answer.raw is None else 1.0,
    )


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
        crossing=search.puzzle.crossing,
        stats=search.stats,
        done=search.done if raw is None else 1.0,
        proof=search.proof,
    )
