"""The number of solutions of a problem: by the native counters, or listed by a backend."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from exactile.answers import Status
from exactile.classics.peg.limits import PegLimits
from exactile.classics.peg.play import NATIVE, Course, Play, PlaySettings
from exactile.classics.peg.problem import PegProblem
from exactile.classics.peg.search import count, shortest
from exactile.clock import CLOCK


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

    def of(self, problem: PegProblem) -> PegTally:
        """Return the numbers of a problem that is an image of this one."""
        return replace(self, problem=problem)


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
