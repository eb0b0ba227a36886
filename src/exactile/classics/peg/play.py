"""One problem from beginning to end: reasons for no solution, then searches, then the result."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from exactile.answers import Status
from exactile.backends.base import Batch, no_solutions
from exactile.classics.peg.board import Longs
from exactile.classics.peg.check import Solution, require
from exactile.classics.peg.model import PegModel, jump_model, move_model
from exactile.classics.peg.problem import PegProblem, moved
from exactile.classics.peg.reasons import Reason, excluded_by_pagodas, excluded_by_parity
from exactile.classics.peg.search import Native, PegLimits, Sequences, shortest
from exactile.clock import CLOCK
from exactile.search.cover import CoverSearch
from exactile.search.handle import Handle
from exactile.search.limits import SOLUTION_LIMIT
from exactile.tuning import TUNING

NATIVE = "native"


@dataclass(frozen=True)
class PlaySettings:
    """How a problem is solved."""

    backend: str = NATIVE  # "native", or a backend for the Boolean model
    fewest: bool = False  # whether only solutions of the fewest moves are requested
    # Whether goals are ruled out by parity, and if necessary by pagoda functions
    use_reasons: bool = True
    pagoda: bool = False  # whether to look for pagoda functions at once
    # workers, seed: passed to backends
    workers: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class PlayOutcome:
    """The result of a problem."""

    problem: PegProblem
    status: Status  # the status, as for all searches
    solutions: tuple[Solution, ...]  # the requested number of solutions, at most
    moves: int | None  # the fewest moves, if requested and known
    # Why goals are out of reach; all goals have a reason if the status is unsolvable
    reasons: tuple[Reason, ...]
    stopped: str | None  # "solution limit", "time limit" or None
    stats: dict[str, Any]  # counters

    def moved(self, problem: PegProblem, symmetry: Longs) -> PlayOutcome:
        """Return the outcome of a problem that is the image of this one under a symmetry."""
        found = tuple(moved(symmetry, solution) for solution in self.solutions)
        for solution in found:
            require(problem.board, problem.start, problem.goals, solution)
        reasons = tuple(reason.moved(symmetry) for reason in self.reasons)
        return replace(self, problem=problem, solutions=found, reasons=reasons)


class Course(Sequences):
    """The steps for a problem: reasons why it has no solution, then searches."""

    def __init__(self, problem: PegProblem, settings: PlaySettings, limits: PegLimits) -> None:
        super().__init__(problem)
        self.moves: int | None = None
        self.reasons: list[Reason] = []
        self._settings = settings
        self._limits = limits

    def batches(self) -> Generator[Batch]:
        problem = self.without_hopeless_goals()
        settings = self._settings
        if problem is None:
            return
        if settings.backend == NATIVE:
            yield from self._shortest(problem) if settings.fewest else self._sequences(problem)
        elif problem.length == 0:
            self.moves = 0 if settings.fewest else None
            yield Batch(self.rows([()]))  # there is no model without jumps
        elif settings.fewest:
            yield from self._fewest_by_model(problem)
        elif not (yield from self._solved(jump_model(problem))):
            self._searched(problem, "model", f"{settings.backend} found its model unsolvable")

    def without_hopeless_goals(self) -> PegProblem | None:
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

    def _without_excluded(self, problem: PegProblem) -> PegProblem | None:
        excluded = {goal for reason in self.reasons for goal in reason.goals}
        left = tuple(goal for goal in problem.goals if goal not in excluded)
        return PegProblem(problem.board, problem.start, left) if left else None

    def _sequences(self, problem: PegProblem) -> Generator[Batch]:
        """Yield sequences of jumps, found depth first."""
        native = Native(problem, self._limits)
        hopeful = self._settings.use_reasons and not self._settings.pagoda
        found = 0
        for batch in native.batches(TUNING.peg_patience):
            found += len(batch.assignments)
            yield batch
            if hopeful and not found and native.nodes >= TUNING.peg_patience:
                hopeful = False
                self.reasons += excluded_by_pagodas(problem, self._limits)
                if self._without_excluded(problem) is None:
                    return
        if not found:
            tried = f"all sequences were tried, {native.nodes:,} jumps"
            self._searched(problem, "search", tried)

    def _searched(self, problem: PegProblem, kind: str, by: str) -> None:
        """Record that no solution for the remaining goals was found."""
        left = self._without_excluded(problem)
        if left is not None:
            self.reasons.append(Reason("model" if kind == "model" else "search", left.goals, by=by))

    def _shortest(self, problem: PegProblem) -> Generator[Batch]:
        """Yield solutions of the fewest moves, found from both ends."""
        answer = shortest(problem, limits=self._limits)
        self.moves = answer.moves
        if answer.moves is None and answer.stopped is None:
            positions = f"{answer.stats['positions']:,} positions up to symmetry"
            self._searched(problem, "search", f"all moves were tried, {positions}")
        yield Batch(no_solutions(), answer.stats, stopped=answer.stopped)
        for solution in answer.solutions():
            yield Batch(self.rows([solution]))

    def _fewest_by_model(self, problem: PegProblem) -> Generator[Batch]:
        """Yield solutions of the fewest moves, after refuting all smaller numbers of moves."""
        for moves in range(1, problem.length + 1):
            if (yield from self._solved(move_model(problem, moves), moves)):
                return
        self._searched(problem, "model", f"{self._settings.backend} found its models unsolvable")

    def _solved(self, made: PegModel, moves: int | None = None) -> Generator[Batch, None, bool]:
        """Yield the solutions of a model, and record its number of moves; return whether any."""
        settings = self._settings
        sizes = {"items": made.model.items, "options": made.model.options}
        with CoverSearch(
            made.model, backend=settings.backend, workers=settings.workers, seed=settings.seed
        ) as search:
            for rows in search.batches():
                if search.found:
                    self.moves = moves
                if self._limits.watch is not None:
                    self._limits.watch(search.found)
                found = self.rows([made.solution(row) for row in rows.tolist()])
                yield Batch(found, sizes, stopped=search.stopped)
        return search.found > 0


class Play(Handle[Solution]):
    """Solves a problem; an iterator of checked solutions.

    See `exactile.search.handle.Handle`.

    `limits`: time and memory.

    >>> from exactile.classics.peg import load_board
    >>> board = load_board("triangle-4")
    >>> outcome = Play(PegProblem.vacancy(board, 2), PlaySettings(fewest=True)).run()
    >>> outcome.status.value, outcome.moves, len(outcome.solutions)
    ('complete', 5, 2)
    >>> outcome = Play(PegProblem.vacancy(board, 1)).run()
    >>> outcome.status.value, [reason.kind for reason in outcome.reasons]
    ('unsolvable', ['parity', 'parity'])
    """

    problem: Course

    def __init__(
        self,
        problem: PegProblem,
        settings: PlaySettings | None = None,
        limits: PegLimits | None = None,
    ) -> None:
        limits = limits or PegLimits()
        super().__init__(Course(problem, settings or PlaySettings(), limits), limits)
        self._kept: list[Solution] = []
        self._begun = CLOCK.now()

    @property
    def moves(self) -> int | None:
        """The fewest moves, if requested and known."""
        return self.problem.moves

    def run(
        self,
        limit: int | None = None,
        tell: Callable[[Solution], None] | None = None,
        *,
        keep: bool = True,
    ) -> PlayOutcome:
        """Return the outcome after solving the problem.

        `limit`: stop after this number of solutions. `tell`: called with each solution. `keep`:
        False leaves the solutions out of the outcome.
        """
        read = 0
        for solution in islice(self, limit):
            read += 1
            if tell is not None:
                tell(solution)
            if keep:
                self._kept.append(solution)
        enough = limit is not None and read >= limit and not self.status.final
        return self.outcome(SOLUTION_LIMIT if enough else self.stopped)

    def outcome(self, stopped: str | None) -> PlayOutcome:
        """Return the result so far."""
        return PlayOutcome(
            self.problem.problem,
            self.status,
            tuple(self._kept),
            self.moves,
            tuple(self.problem.reasons),
            stopped,
            dict(self.counters) | {"seconds": round(CLOCK.now() - self._begun, 6)},
        )
