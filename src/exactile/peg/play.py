"""One problem from beginning to end: reasons against it, then searches; solutions, a verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from exactile.answers import Status
from exactile.peg.board import Longs
from exactile.peg.check import Solution, require
from exactile.peg.find import Finder
from exactile.peg.limits import Limits
from exactile.peg.model import PegModel, jump_model, move_model
from exactile.peg.parity import excluded_by_parity
from exactile.peg.problem import Problem, moved
from exactile.peg.reasons import Reason, excluded_by_pagodas
from exactile.peg.search import shortest
from exactile.solve.cover import CoverSearch
from exactile.tuning import TUNING

NATIVE = "native"


@dataclass(frozen=True)
class Settings:
    """How a problem is solved.

    Attributes
    ----------
    backend
        ``"native"``, or a backend for the Boolean model.
    fewest
        Whether only solutions of the fewest moves are wanted.
    use_reasons
        Whether goals are ruled out by parity, and if need be by pagoda functions.
    pagoda
        Whether pagoda functions are looked for at once.
    workers, seed
        For backends.
    """

    backend: str = NATIVE
    fewest: bool = False
    use_reasons: bool = True
    pagoda: bool = False
    workers: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class Outcome:
    """What came of a problem.

    Attributes
    ----------
    problem
        The problem.
    status
        As for all searches.
    solutions
        As many as were wanted.
    moves
        The fewest moves, if they were asked for and are known.
    reasons
        Why goals are out of reach; all of them are if the status is unsolvable.
    stopped
        ``"solution limit"``, ``"time limit"`` or None.
    stats
        Counters.
    """

    problem: Problem
    status: Status
    solutions: tuple[Solution, ...]
    moves: int | None
    reasons: tuple[Reason, ...]
    stopped: str | None
    stats: dict[str, Any]

    def moved(self, problem: Problem, symmetry: Longs) -> Outcome:
        """Return the outcome of a problem that is the image of this one under a symmetry."""
        found = tuple(moved(symmetry, solution) for solution in self.solutions)
        for solution in found:
            require(problem.board, problem.start, problem.goals, solution)
        reasons = tuple(reason.moved(symmetry) for reason in self.reasons)
        return replace(self, problem=problem, solutions=found, reasons=reasons)


class Play:
    """Solves a problem; an iterator of checked solutions.

    Parameters
    ----------
    problem
        The problem.
    settings
        How it is solved.
    limits
        Time and memory.

    Examples
    --------
    >>> from exactile.peg import load_board
    >>> board = load_board("triangle-4")
    >>> outcome = Play(Problem.vacancy(board, 2), Settings(fewest=True)).run()
    >>> outcome.status.value, outcome.moves, len(outcome.solutions)
    ('complete', 5, 2)
    >>> outcome = Play(Problem.vacancy(board, 1)).run()
    >>> outcome.status.value, [reason.kind for reason in outcome.reasons]
    ('unsolvable', ['parity', 'parity'])
    """

    def __init__(
        self, problem: Problem, settings: Settings | None = None, limits: Limits | None = None
    ) -> None:
        self.problem = problem
        self.moves: int | None = None
        self.reasons: list[Reason] = []
        self.stopped: str | None = None
        self.found = 0
        self.stats: dict[str, Any] = {}
        self._settings = settings or Settings()
        self._limits = limits or Limits()
        self._exhausted = False
        self._kept: list[Solution] = []
        self._begun = time.monotonic()

    @property
    def status(self) -> Status:
        """What is known so far."""
        if self._exhausted:
            return Status.COMPLETE if self.found else Status.UNSOLVABLE
        return Status.SOLVABLE if self.found else Status.UNKNOWN

    def run(
        self,
        limit: int | None = None,
        tell: Callable[[Solution], None] | None = None,
        *,
        keep: bool = True,
    ) -> Outcome:
        """Solve it.

        Parameters
        ----------
        limit
            Stop after so many solutions.
        tell
            Called with each solution.
        keep
            False leaves the solutions out of the outcome.
        """
        for solution in islice(self, limit):
            if tell is not None:
                tell(solution)
            if keep:
                self._kept.append(solution)
        stopped = self.stopped
        if limit is not None and self.found >= limit and not self._exhausted:
            stopped = "solution limit"
        return self.outcome(stopped)

    def outcome(self, stopped: str | None) -> Outcome:
        """Return what came of it so far."""
        return Outcome(
            self.problem,
            self.status,
            tuple(self._kept),
            self.moves,
            tuple(self.reasons),
            stopped,
            self.stats | {"seconds": round(time.monotonic() - self._begun, 6)},
        )

    def __iter__(self) -> Iterator[Solution]:
        problem = self.without_hopeless_goals()
        if problem is None:
            self._exhausted = True
            return
        settings = self._settings
        if settings.backend == NATIVE:
            found = self._shortest(problem) if settings.fewest else self._sequences(problem)
        elif problem.length == 0:
            found = iter([()])  # there is no model of nothing
            self.moves = 0 if settings.fewest else None
        else:
            found = self._fewest_by_model(problem) if settings.fewest else self._by_model(problem)
        for solution in found:
            self.found += 1
            yield solution
        self._exhausted = self.stopped is None

    def without_hopeless_goals(self) -> Problem | None:
        """Return the problem without goals that are ruled out, None if none is left."""
        problem = self.problem
        if problem.length < 0 or (problem.length == 0 and problem.start not in problem.goals):
            self.reasons.append(Reason("pegs", problem.goals))
            return None
        if not self._settings.use_reasons:
            return problem
        self.reasons += [Reason("parity", c.goals, c) for c in excluded_by_parity(problem)]
        left = self._without_excluded(problem)
        if left is not None and self._settings.pagoda:
            self.reasons += excluded_by_pagodas(left, self._limits)
            left = self._without_excluded(left)
        return left

    def _without_excluded(self, problem: Problem) -> Problem | None:
        excluded = {goal for reason in self.reasons for goal in reason.goals}
        left = tuple(goal for goal in problem.goals if goal not in excluded)
        return Problem(problem.board, problem.start, left) if left else None

    def _sequences(self, problem: Problem) -> Iterator[Solution]:
        """Yield sequences of jumps, found depth first."""
        finder = Finder(problem, limits=self._limits)
        try:
            if self._settings.use_reasons and not self._settings.pagoda:
                undecided = finder.advance(1, TUNING.peg_patience)
                if undecided and not finder.waiting:
                    self.reasons += excluded_by_pagodas(problem, self._limits)
                    if self._without_excluded(problem) is None:
                        return
            yield from finder
            self.stopped = finder.stopped
        finally:
            self.stats |= finder.stats
        if not finder.found and finder.exhausted:
            tried = f"all sequences were tried, {finder.stats['nodes']:,} jumps"
            self._searched(problem, "search", tried)

    def _searched(self, problem: Problem, kind: str, by: str) -> None:
        """Note that the goals that are left were searched in vain."""
        left = self._without_excluded(problem)
        if left is not None:
            self.reasons.append(Reason("model" if kind == "model" else "search", left.goals, by=by))

    def _shortest(self, problem: Problem) -> Iterator[Solution]:
        """Yield solutions of the fewest moves, found from both ends."""
        answer = shortest(problem, limits=self._limits)
        self.stats |= answer.stats
        self.stopped, self.moves = answer.stopped, answer.moves
        if answer.moves is None and answer.stopped is None:
            positions = f"{answer.stats['positions']:,} positions up to symmetry"
            self._searched(problem, "search", f"all moves were tried, {positions}")
        for solution in answer.solutions():
            if self._limits.stopped:
                self.stopped = self._limits.stopped
                return
            yield solution

    def _by_model(self, problem: Problem) -> Iterator[Solution]:
        yield from self._solved(problem, jump_model(problem))
        if self.stopped is None and not self.found:
            self._searched(problem, "model", f"{self._settings.backend} found its model unsolvable")

    def _fewest_by_model(self, problem: Problem) -> Iterator[Solution]:
        """Yield solutions of the fewest moves: one number of moves after the other is refuted."""
        for moves in range(1, problem.length + 1):
            for solution in self._solved(problem, move_model(problem, moves)):
                self.moves = moves
                yield solution
            if self.moves is not None or self.stopped:
                return
        self._searched(problem, "model", f"{self._settings.backend} found its models unsolvable")

    def _solved(self, problem: Problem, made: PegModel) -> Iterator[Solution]:
        """Yield the solutions of a model."""
        settings = self._settings
        search = CoverSearch(
            made.model, backend=settings.backend, workers=settings.workers, seed=settings.seed
        )
        self.stats |= {"items": made.model.items, "options": made.model.options}
        for rows in search.batches():
            for row in rows.tolist():
                solution = made.solution(row)
                require(problem.board, problem.start, problem.goals, solution)
                yield solution
            if self._limits.watch is not None:
                self._limits.watch(search.found)
            self.stopped = search.stopped or self._limits.stopped
            if self.stopped:
                return
