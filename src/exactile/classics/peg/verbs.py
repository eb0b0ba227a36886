"""Peg solitaire from several starts: solving, counting, and the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from exactile.answers import INTERRUPTED, PegAnswer, PegStart, Stats, Status
from exactile.classics.peg.board import load_board
from exactile.classics.peg.check import Solution
from exactile.classics.peg.play import NATIVE, Course, Play, PlayOutcome, PlaySettings
from exactile.classics.peg.problem import PegProblem, alike, problems
from exactile.classics.peg.search import PegLimits, count, shortest
from exactile.clock import CLOCK
from exactile.doors import Positive, door


@dataclass(frozen=True)
class PegTally:
    """Numbers of solutions; None for unknown ones."""

    problem: PegProblem
    # The number of solutions: sequences of jumps, or those with the fewest moves
    number: int | None
    by_moves: tuple[int, ...] | None  # the numbers with 0, 1, 2 ... moves, if requested.
    moves: int | None  # the fewest moves, if requested
    stopped: str | None  # why the count was stopped, None if it was finished
    stats: dict[str, Any]  # counters

    @property
    def status(self) -> Status:
        """The status that follows from the numbers."""
        if self.number is None:
            return Status.UNKNOWN
        return Status.COMPLETE if self.number else Status.UNSOLVABLE


def tally(
    problem: PegProblem, settings: PlaySettings, limits: PegLimits, *, by_moves: bool = False
) -> PegTally:
    """Count the solutions of a problem.

    >>> from exactile.classics.peg import load_board
    >>> problem = PegProblem.vacancy(load_board("triangle-4"), 2)
    >>> answer = tally(problem, PlaySettings(fewest=True), PegLimits())
    >>> answer.number, answer.moves
    (2, 5)
    """
    begun = CLOCK.now()
    limits.begin()
    if settings.backend != NATIVE:
        found = _listed(problem, settings, limits, by_moves=by_moves)
    elif (left := Course(problem, settings, limits).without_hopeless_goals()) is None:
        none = (0,) * (max(problem.length, 0) + 1)
        found = PegTally(problem, 0, none if by_moves else None, None, None, {})
    elif settings.fewest:
        answer = shortest(left, limits=limits)
        number = answer.count(lambda: limits.reached() is None)
        found = PegTally(
            problem, number, None, answer.moves, answer.stopped or limits.reached(), answer.stats
        )
    else:
        counted = count(left, by_moves=by_moves, limits=limits)
        stats = {"positions": counted.positions}
        found = PegTally(problem, counted.sequences, counted.by_moves, None, counted.stopped, stats)
    if found.number is not None:
        found = replace(found, stopped=None)
    return replace(found, stats=found.stats | {"seconds": round(CLOCK.now() - begun, 6)})


def _listed(
    problem: PegProblem, settings: PlaySettings, limits: PegLimits, *, by_moves: bool
) -> PegTally:
    """Count by listing all solutions with a backend."""
    play = Play(problem, settings, limits)
    moves = Counter(len(solution) for solution in play)
    done = play.status.final
    numbers = tuple(moves[k] for k in range(max(problem.length, 0) + 1))
    return PegTally(
        problem,
        play.found if done else None,
        numbers if by_moves and done else None,
        play.moves,
        play.stopped,
        dict(play.counters),
    )


@door
def solve_peg(
    board: str,
    start: int | None = None,
    end: int | None = None,
    *,
    limit: Positive | None = 1,
    settings: PlaySettings | None = None,
    time_limit: float | None = None,
) -> list[PlayOutcome]:
    """Solve peg solitaire; return the result of each start, in the order of the holes.

    Parameters
    ----------
    board
        See `load_board`.
    start, end
        See `exactile.classics.peg.problem.problems`: holes from 1.
    limit
        Stop after this number of solutions for each start; None finds all.
    settings
        How to search, such as the backend; by default, those of `PlaySettings`.
    time_limit
        Seconds for all starts together.

    Raises
    ------
    NotFoundError, PuzzleError
        If there is no such board or hole.

    Examples
    --------
    >>> [outcome.status.value for outcome in solve_peg("triangle-4")][:3]
    ['unsolvable', 'solvable', 'solvable']
    """
    every = problems(load_board(board), start, end)
    return list(played(every, settings, PegLimits(time_limit), limit))


def played(
    every: Sequence[PegProblem],
    settings: PlaySettings | None,
    limits: PegLimits,
    limit: int | None = 1,
    tell: Callable[[PegProblem, Solution], None] | None = None,
    *,
    keep: bool = True,
) -> Iterator[PlayOutcome]:
    """Solve several problems of a board; yield each result as soon as it is known.

    Images of earlier problems are not searched again, unless all solutions are requested. After
    Ctrl-C, the result of the present problem is yielded before the exception is raised.

    - `every`: the problems, of the same board and with the same goals.
    - `settings`, `limits`: the settings, and the limits.
    - `limit`: stop after this number of solutions of each; None finds all.
    - `tell`: called with each solution as soon as it is found.
    - `keep`: False leaves the solutions out of the outcomes.
    """
    known: list[PlayOutcome] = []
    for problem, (first, symmetry) in zip(every, alike(list(every)), strict=True):

        def report(solution: Solution, problem: PegProblem = problem) -> None:
            if tell is not None:
                tell(problem, solution)

        if first < len(known) and limit is not None:
            outcome = known[first].moved(problem, symmetry)
            for solution in outcome.solutions:
                report(solution)
        else:
            play = Play(problem, settings, limits)
            try:
                outcome = play.run(limit, report, keep=keep)
            except KeyboardInterrupt:
                yield play.outcome(INTERRUPTED)
                raise
        known.append(outcome)
        yield outcome


def tallied(
    every: Sequence[PegProblem],
    settings: PlaySettings,
    limits: PegLimits,
    *,
    by_moves: bool = False,
) -> Iterator[PegTally]:
    """Count the solutions of several problems of a board; yield the numbers of each.

    `by_moves`: whether to count them by their number of moves, too.

    >>> every = problems(load_board("triangle-4"))
    >>> sum(tally.number for tally in tallied(every, PlaySettings(), PegLimits()))
    84
    """
    known: list[PegTally] = []
    for problem, (first, _) in zip(every, alike(list(every)), strict=True):
        if first < len(known):
            known.append(replace(known[first], problem=problem))
        else:
            known.append(tally(problem, settings, limits, by_moves=by_moves))
        yield known[-1]


def _numbered(solution: Solution) -> tuple[tuple[int, ...], ...]:
    """Return a solution with holes counted from 1."""
    return tuple(tuple(hole + 1 for hole in move) for move in solution)


def overall(statuses: Sequence[Status], expected: int) -> Status:
    """Return the status for all starts together; `expected`: their number.

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
    """Return the results for all starts as an answer."""
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
