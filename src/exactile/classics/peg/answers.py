"""The results for all starts of a board, as an answer."""

from __future__ import annotations

from collections.abc import Sequence

from exactile.answers import PegAnswer, PegStart, Stats, Status
from exactile.classics.peg.check import Solution
from exactile.classics.peg.play import PlayOutcome
from exactile.classics.peg.problem import PegProblem
from exactile.classics.peg.tally import PegTally


def _numbered(solution: Solution) -> tuple[tuple[int, ...], ...]:
    """Return a solution with holes counted from 1."""
    return tuple(tuple(hole + 1 for hole in move) for move in solution)


def overall(statuses: Sequence[Status], expected: int) -> Status:
    """Return the results for all starts together.

    Examples
    --------
    >>> overall([Status.UNSOLVABLE, Status.SOLVABLE], 2)
    <Status.SOLVABLE: 'solvable'>
    >>> overall([Status.UNSOLVABLE], 2)
    <Status.UNKNOWN: 'unknown'>
    """
    done = len(statuses) == expected
    if Status.SOLVABLE in statuses or Status.COMPLETE in statuses:
        complete = done and all(status.final for status in statuses)
        return Status.COMPLETE if complete else Status.SOLVABLE
    unsolvable = done and all(status is Status.UNSOLVABLE for status in statuses)
    return Status.UNSOLVABLE if unsolvable else Status.UNKNOWN


def solved_answer(
    every: Sequence[PegProblem], backend: str, outcomes: Sequence[PlayOutcome]
) -> PegAnswer:
    """Return the results for all starts that were played."""
    return _answer(every, backend, outcomes, tuple(map(_played, outcomes)))


def counted_answer(
    every: Sequence[PegProblem], backend: str, tallies: Sequence[PegTally]
) -> PegAnswer:
    """Return the numbers of all starts, and their sum."""
    numbers = [t.number for t in tallies if t.number is not None]
    total = sum(numbers) if len(numbers) == len(every) else None
    return _answer(every, backend, tallies, tuple(map(_counted, tallies)), total)


def _answer(
    every: Sequence[PegProblem],
    backend: str,
    ends: Sequence[PlayOutcome | PegTally],
    starts: tuple[PegStart, ...],
    count: int | None = None,
) -> PegAnswer:
    board = every[0].board
    return PegAnswer(
        board=board.name,
        grid=board.grid.name,
        holes=board.size,
        backend=backend,
        status=overall([end.status for end in ends], len(every)),
        count=count,
        starts=starts,
    )


def _played(outcome: PlayOutcome) -> PegStart:
    """Return the result for one start."""
    return PegStart(
        empty=tuple(outcome.problem.empty_holes),
        status=outcome.status,
        stopped=outcome.stopped,
        moves=outcome.moves,
        solutions=tuple(_numbered(solution) for solution in outcome.solutions),
        reasons=tuple(reason.answer for reason in outcome.reasons),
        stats=Stats.of(outcome.stats),
    )


def _counted(tally: PegTally) -> PegStart:
    """Return the numbers of one start."""
    return PegStart(
        empty=tuple(tally.problem.empty_holes),
        status=tally.status,
        stopped=tally.stopped,
        moves=tally.moves,
        count=tally.number,
        by_moves=tally.by_moves,
        stats=Stats.of(tally.stats),
    )
