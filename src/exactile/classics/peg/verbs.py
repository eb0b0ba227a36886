"""Solving and counting peg solitaire: reasons, searches and results, for one start or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from exactile.answers import INTERRUPTED, PegAnswer, PegStart, Stats, Status
from exactile.backends.base import Batch, no_solutions
from exactile.classics.peg.board import Longs, load_board
from exactile.classics.peg.check import Solution, require
from exactile.classics.peg.problem import (
    PegModel,
    PegProblem,
    alike,
    jump_model,
    move_model,
    moved,
    problems,
)
from exactile.classics.peg.reasons import Reason, excluded_by_pagodas, excluded_by_parity
from exactile.classics.peg.search import Native, PegLimits, Sequences, count, shortest
from exactile.clock import CLOCK
from exactile.doors import Positive, door
from exactile.search.cover import CoverSearch
from exactile.search.handle import Handle
from exactile.search.limits import SOLUTION_LIMIT
from exactile.tuning import TUNING

NATIVE = "native"


@dataclass(frozen=True)
class PlaySettings:
    """How to solve a problem of peg solitaire: which backend to use, and what to look for."""

    backend: str = NATIVE  # "native", or a backend for the Boolean model
    fewest: bool = False  # whether only solutions with the fewest moves are requested
    # Whether goals are ruled out by parity, and if necessary by pagoda functions
    use_reasons: bool = True
    pagoda: bool = False  # whether to look for pagoda functions at once
    # workers, seed: passed to backends
    workers: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class PlayOutcome:
    """The result of solving a problem of peg solitaire."""

    problem: PegProblem
    status: Status  # the status, as for all searches
    solutions: tuple[Solution, ...]  # the requested number of solutions, at most
    moves: int | None  # the fewest moves, if requested and known
    # Why goals are out of reach; all goals have a reason if the status is unsolvable
    reasons: tuple[Reason, ...]
    stopped: str | None  # "solution limit", "time limit", "interrupted" or None
    stats: dict[str, Any]  # counters

    def moved(self, problem: PegProblem, symmetry: Longs) -> PlayOutcome:
        """Return the image of this outcome under a symmetry: the outcome of `problem`.

        `problem` must be the image of `self.problem`. The solutions are checked.
        """
        found = tuple(moved(symmetry, solution) for solution in self.solutions)
        for solution in found:
            require(problem.board, problem.start, problem.goals, solution)
        reasons = tuple(reason.moved(symmetry) for reason in self.reasons)
        return replace(self, problem=problem, solutions=found, reasons=reasons)


class Course(Sequences):
    """The problem of solving peg solitaire, in two steps.

    The first step rules out goals that cannot be reached, the second searches for solutions.
    """

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
        """Return the problem without the goals that are ruled out, and record the reasons.

        Return None if no goal is left.
        """
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
        """Yield sequences of jumps, found by a depth-first search.

        If it finds none for some time, pagoda functions may rule out goals: see
        `Tuning.peg_patience`.
        """
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
        """Record that a complete search found no solution for the remaining goals.

        `kind`: ``"model"`` if a backend searched, else ``"search"``. `by`: the search in words.
        """
        left = self._without_excluded(problem)
        if left is not None:
            self.reasons.append(Reason("model" if kind == "model" else "search", left.goals, by=by))

    def _shortest(self, problem: PegProblem) -> Generator[Batch]:
        """Yield the solutions with the fewest moves, found by a search from both ends."""
        answer = shortest(problem, limits=self._limits)
        self.moves = answer.moves
        if answer.moves is None and answer.stopped is None:
            positions = f"{answer.stats['positions']:,} positions up to symmetry"
            self._searched(problem, "search", f"all moves were tried, {positions}")
        yield Batch(no_solutions(), answer.stats, stopped=answer.stopped)
        for solution in answer.solutions():
            yield Batch(self.rows([solution]))

    def _fewest_by_model(self, problem: PegProblem) -> Generator[Batch]:
        """Yield the solutions with the fewest moves, found by a backend.

        The backend solves a model for 1 move, for 2 moves, and so on, until one has a solution.
        """
        for moves in range(1, problem.length + 1):
            if (yield from self._solved(move_model(problem, moves), moves)):
                return
        self._searched(problem, "model", f"{self._settings.backend} found its models unsolvable")

    def _solved(self, made: PegModel, moves: int | None = None) -> Generator[Batch, None, bool]:
        """Yield the solutions of a model; return whether there were any.

        If so, record `moves`, the number of moves in the model, as the fewest.
        """
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
    """The search for solutions of a problem of peg solitaire: an iterator of checked solutions.

    See `exactile.search.handle.Handle`.

    `settings`: None for the default ones. `limits`: time and memory; None for the default ones.

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
        """The fewest moves of a solution; None if not requested or unknown."""
        return self.problem.moves

    def run(
        self,
        limit: int | None = None,
        tell: Callable[[Solution], None] | None = None,
        *,
        keep: bool = True,
    ) -> PlayOutcome:
        """Solve the problem and return the outcome.

        `limit`: stop after this number of solutions; None finds all. `tell`: called with each
        solution. `keep`: whether the outcome contains the solutions. Raise BackendError if memory
        does not suffice or the backend fails, ModelError if the model for the backend is too large.
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
        """Return the result so far; `stopped`: why the search was stopped, or None."""
        return PlayOutcome(
            self.problem.problem,
            self.status,
            tuple(self._kept),
            self.moves,
            tuple(self.problem.reasons),
            stopped,
            dict(self.counters) | {"seconds": round(CLOCK.now() - self._begun, 6)},
        )


@dataclass(frozen=True)
class PegTally:
    """The number of solutions of a problem, in total and by number of moves.

    A number is None if it is unknown or was not requested.
    """

    problem: PegProblem
    # The number of solutions: sequences of jumps, or those with the fewest moves
    number: int | None
    by_moves: tuple[int, ...] | None  # the numbers with 0, 1, 2 ... moves, if requested
    moves: int | None  # the fewest moves, if requested
    stopped: str | None  # why the count was stopped, None if it was finished
    stats: dict[str, Any]  # counters

    @property
    def status(self) -> Status:
        """The status that follows from the number of solutions."""
        if self.number is None:
            return Status.UNKNOWN
        return Status.COMPLETE if self.number else Status.UNSOLVABLE


def tally(
    problem: PegProblem, settings: PlaySettings, limits: PegLimits, *, by_moves: bool = False
) -> PegTally:
    """Count the solutions of a problem; with `settings.fewest`, only those with the fewest moves.

    `by_moves`: whether to count solutions by their number of moves as well; it has no effect if the
    native search counts only those with the fewest moves. Raise BackendError if memory does not
    suffice or the backend fails, ModelError if the model for the backend is too large.

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
        found = PegTally(
            problem, 0, none if by_moves and not settings.fewest else None, None, None, {}
        )
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
    """Count the solutions of a problem by listing all of them with a backend."""
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
    """Solve peg solitaire; return the result for each start, in the order of the empty holes.

    Parameters
    ----------
    board
        See `exactile.classics.peg.board.load_board`.
    start, end
        See `exactile.classics.peg.problem.problems`: holes from 1.
    limit
        Stop after this number of solutions for each start; None finds all.
    settings
        How to search, such as the backend; by default, those of `PlaySettings`.
    time_limit
        Seconds for all starts together; by default, there is no limit.

    Raises
    ------
    NotFoundError, PuzzleError
        If there is no such board or hole, the board is wrong, or a limit is not positive.
    BackendError
        If memory does not suffice, there is no such backend, or it fails.
    ModelError
        If the model for the backend would be too large.

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
    """Solve several problems on a board; yield each result as soon as it is known.

    A problem that is the image of an earlier one is not searched again, unless all solutions are
    requested or none are kept. After Ctrl-C, the result so far of the current problem is yielded,
    and then the exception is raised again.

    - `every`: the problems, with the same board and the same goals.
    - `settings`, `limits`: for all problems together.
    - `limit`: stop after this number of solutions of each; None finds all.
    - `tell`: called with the problem and each solution as soon as it is found.
    - `keep`: whether the outcomes contain the solutions.
    """
    known: list[PlayOutcome] = []
    for problem, (first, symmetry) in zip(every, alike(list(every)), strict=True):

        def report(solution: Solution, problem: PegProblem = problem) -> None:
            if tell is not None:
                tell(problem, solution)

        if first < len(known) and limit is not None and keep:
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
    """Count the solutions of several problems of a board; yield a tally for each problem.

    `by_moves`: as for `tally`.

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
    """Return the status for several starts together.

    `statuses` has the status of each start so far; `expected` is the number of all starts.

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
    """Return the outcomes for some starts in the form that is printed as JSON."""
    return _answer(every, backend, outcomes, tuple(map(_played, outcomes)))


def counted_answer(
    every: Sequence[PegProblem], backend: str, tallies: Sequence[PegTally]
) -> PegAnswer:
    """Return the numbers for some starts in the form that is printed as JSON.

    It has their sum if the numbers for all starts are known.
    """
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
    """Return the outcome for one start as a part of the JSON answer."""
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
    """Return the numbers for one start as a part of the JSON answer."""
    return PegStart(
        empty=tuple(tally.problem.empty_holes),
        status=tally.status,
        stopped=tally.stopped,
        moves=tally.moves,
        count=tally.number,
        by_moves=tally.by_moves,
        stats=Stats.of(tally.stats),
    )
