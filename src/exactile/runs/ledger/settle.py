"""Finds the number of solutions of one puzzle for the ledger, step by step, in its own process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import inf

import msgspec
import numpy as np

from exactile.answers import Status
from exactile.clock import CLOCK
from exactile.counting.estimate import estimate
from exactile.counting.frontier import Confirmed
from exactile.counting.memo import Memo
from exactile.counting.method import Method
from exactile.counting.orbits import OrbitCount
from exactile.counting.plan import FrontierBudget, ledger_row, memo_may_settle
from exactile.counting.sampled import SampledFrontier
from exactile.counting.shares import numbers
from exactile.errors import CheckFailedError, CountingError, ExactileError, UnfinishedError
from exactile.files import load
from exactile.plugins import RACING_BACKEND
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.check import check
from exactile.reasons.colorings import find_linear
from exactile.runs.drive import found_in
from exactile.runs.executor import RunPart, RunWork
from exactile.runs.ledger.record import Guess, Numbers, OpenSearch, Record
from exactile.runs.part import Searcher
from exactile.runs.store import Totals
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.search.search import Search
from exactile.tuning import TUNING
from exactile.work import Tell

LEDGER_SLICE = 10.0
"""Seconds of search between two reports.

If the process is killed, only the search since the last report is lost.
"""

LEDGER_HOPE = 10.0
"""Longest expected time of a search that is continued, in multiples of the round's budget."""

LEDGER_MEMO_SECONDS = 1800.0
"""Time limit of a count with a memo, in seconds."""

LEDGER_FIND_SECONDS = 12.0
"""Time limit of the search for one solution, in seconds."""

LEDGER_FRONT_SECONDS = 1800.0
"""Time limit, in seconds, of a count by two frontiers, for both together."""

LEDGER_FRONT_BYTES = 3 * 2**30
"""Memory limit of each frontier, in bytes; states that do not fit are kept on disk."""


SAME = ("puzzle", "digest", "symmetries", "proper")
"""Fields of a record that must agree with the present puzzle.

Otherwise the record is replaced, and the puzzle is counted again. Even if the models are equal, the
symmetries may differ: turning a flat region over is proper for cubes, but not for squares.
"""


class PuzzleTask(msgspec.Struct, frozen=True):
    """The task to count a puzzle's solutions in a round of the ledger, with the record so far."""

    id: str
    record: Record | None
    puzzle: str  # its digest
    budget: float  # seconds of processor time for its search in this round
    most: float  # the budget in the last round

    @property
    def last(self) -> bool:
        """Whether this is the last round, so that no larger budget follows."""
        return self.budget >= self.most


class News(msgspec.Struct, frozen=True):
    """A message from a process that works on a puzzle: the puzzle's record, or an error."""

    record: Record | None
    error: str = ""
    done: bool = False  # marks the last report of a puzzle
    wrong: bool = False  # an answer of Exactile is wrong: counting must stop


class Settler:
    """Brings the record of one puzzle in the ledger up to date.

    A record that belongs to another puzzle or model is replaced by a new one: see `SAME`. Methods
    raise CheckFailedError if an answer is wrong or contradicts the record: a bug.
    """

    def __init__(self, puzzle: Puzzle, record: Record | None = None) -> None:
        self.puzzle = puzzle
        self.case = Case(puzzle)
        self.model, group = self.case.model, self.case.symmetries
        fresh = Record(
            puzzle.name,
            puzzle.digest,
            self.case.digest,
            self.model.items,
            self.model.options,
            len(group),
            sum(s.proper for s in group),
        )
        same = record is not None and all(getattr(record, k) == getattr(fresh, k) for k in SAME)
        self.record = record if record is not None and same else fresh

    def look(self) -> None:
        """If the puzzle is obviously unsolvable, for example because of areas, record this."""
        reason = self.case.reason
        if reason:
            self._unsolvable("first look", reason)

    def search(self, seconds: float) -> None:
        """Continue the search for all solutions, and record the counts so far.

        `seconds`: time limit. If the search is already finished, only record its counts.
        """
        record = self.record
        if record.search is None:
            symmetric = self.case.branches is not None
            record.search = OpenSearch(self.case.starts, symmetric=symmetric)
        run = record.search
        if run.left:
            keep = record.example is None
            work = RunWork.of(self.case, symmetric=run.symmetric, keep=keep)
            result = Searcher(work).search(RunPart(1, run.left, seconds))
            found = found_in(result)
            run.left = result.left
            run.totals.add(found)
            record.seconds += found.seconds
            record.nodes += found.nodes
            record.checked += found.found
            if result.rows is not None and len(result.rows):
                options = [o for o in result.rows[0].tolist() if o >= 0]
                self._keep(self.case.decoder.solution(options), "dlx", run.totals.seconds)
        record.seconds = max(record.seconds, run.totals.seconds)  # others may have continued it
        record.nodes = max(record.nodes, run.totals.nodes)
        record.checked = max(record.checked, run.totals.found)
        record.at_least = max(record.at_least, run.totals.raw)
        if not run.left:
            self._counted(run.totals)

    def color(self, seconds: float) -> None:
        """Search for a coloring that proves that the puzzle is unsolvable; record the result.

        `seconds`: time limit.
        """
        begun = CLOCK.worked()
        found = find_linear(self.puzzle, self.model, limits=Limits(seconds)).certificate
        self.record.seconds += CLOCK.worked() - begun
        self.record.tried = [*self.record.tried, "coloring"]
        if found is not None:
            words = f", modulo {found.modulus}" if found.kind == "congruence" else ""
            self._unsolvable("coloring", f"a coloring forbids it{words}")

    def find(self, backend: str, seconds: float, name: str) -> None:
        """Search for one solution by a backend; record the solution, or that there is none.

        `seconds`: time limit. `name`: the entry for this attempt in `Record.tried`.
        """
        begun = CLOCK.worked()
        with Search(self.case, backend=backend, limit=1, time_limit=seconds) as search:
            solution = next(search, None)
        self.record.seconds += CLOCK.worked() - begun
        self.record.tried = [*self.record.tried, name]
        if solution is not None:
            self.record.at_least = max(self.record.at_least, 1)
            self._keep(solution, search.backend.name, CLOCK.worked() - begun)
        elif search.status is Status.UNSOLVABLE:
            self._unsolvable(search.backend.name, f"{search.backend.name} searched everything")

    def memorize(self, seconds: float, states: int) -> None:
        """Count the solutions by a memo of at most `states` states, and record the counts.

        If there are no counts, only the attempt is recorded. `seconds`: time limit.
        """
        memo = Memo(most_states=states, puzzle=self.puzzle)
        self._count(memo, Limits(seconds), memo_name(states))

    def memo_may_pay(self, states: int) -> bool:
        """Return whether a count by a memo of this size is promising and was not tried before."""
        worth = memo_may_settle(self.case, self.record.at_least)
        return worth and memo_name(states) not in self.record.tried

    def front_may_pay(self, budget: FrontierBudget) -> bool:
        """Return whether frontiers can count the solutions and were not tried with this budget.

        They cannot if the budget allows none, or if the puzzle has an omission.
        """
        return front_may_pay(self.record, budget) and self.puzzle.omission is None

    def sweep(self, seconds: float, budget: FrontierBudget, most_bytes: int) -> None:
        """Count the solutions by two frontiers with different orders of the units.

        The counts are recorded; if there are none, only the attempt. `seconds`: time limit.
        `budget`: limits of the size of the frontiers. `most_bytes`: memory limit of each, in bytes.
        """
        confirmed = Confirmed(budget, self.puzzle)
        try:
            limits = Limits(seconds, memory_limit=most_bytes)
            if self._count(confirmed, limits, front_name(budget)):
                self.record.fronts = confirmed.runs
        finally:
            self.record.bound = confirmed.bound

    def _count(self, method: Method, limits: Limits, name: str) -> bool:
        """Count the solutions by a method that does not list them; return whether it succeeded.

        `name`: added to `Record.tried` if the method did not succeed.
        """
        answer = None
        begun = CLOCK.worked()
        try:
            with suppress(CountingError):
                answer = OrbitCount(self.case, method).run(limits)
        finally:
            self.record.seconds += CLOCK.worked() - begun
        if answer is not None:
            if isinstance(method, Memo):  # `fronts` has the states of a frontier
                self.record.nodes += answer.stats.nodes or 0
            if not (answer.raw is None or answer.rotation is None or answer.symmetry is None):
                self._number(Numbers(answer.raw, answer.rotation, answer.symmetry), method.name)
                return True
        self.record.tried = [*self.record.tried, name]
        return False

    def estimate(self, seconds: float) -> None:
        """Record estimates of the number of nodes of the search and of the number of solutions.

        `seconds`: time limit. Raise UnfinishedError if time is up before there is an estimate.
        """
        answer = estimate(self.case, dives=TUNING.ledger_dives, time_limit=seconds)
        self.record.guess = Guess(answer.nodes, answer.nodes_error, answer.dives)
        self.record.sampled = answer.solutions

    def sample(self, limits: Limits, to: float) -> None:
        """Estimate the number of solutions until the interval is narrow, or a limit is reached.

        `to`: half-width of the confidence interval at which to stop, as a fraction of the estimate.
        The result is recorded only if the record has no estimate, a failed one, or one with a wider
        interval.
        """
        begun, known = CLOCK.worked(), self.record.sampled
        found = SampledFrontier(self.model, self.puzzle).estimate(limits, to=to)
        wide = inf if known is None or known.half_width is None else known.half_width
        if known is None or (found.half_width is not None and found.half_width < wide):
            self.record.sampled = found
            self.record.sampled_seconds = CLOCK.worked() - begun

    def _keep(self, solution: Solution, found_by: str, seconds: float) -> None:
        self.record.found_by, self.record.found_seconds = found_by, seconds
        check(self.puzzle, solution)
        self.record.checked += 1
        index = self.puzzle.region.index
        self.record.example = [
            (p.piece, index(np.array(p.units, dtype=np.int64)).tolist()) for p in solution
        ]

    def _counted(self, found: Totals) -> None:
        shares = numbers(self.case, found.shares)
        counts = {name: Numbers(*each) for name, each in shares.items()}
        total = Numbers(
            *(sum(getattr(n, key) for n in counts.values()) for key in Numbers.__struct_fields__)
        )
        if self.puzzle.omission is not None:
            self.record.shares = counts
        self.record.numbers = total
        self._settled("exact" if total.raw else "unsolvable", "list")
        if not total.raw:
            self.record.reason = "the native search visited everything"

    def _number(self, numbers: Numbers, method: str) -> None:
        """Record the final numbers of solutions from a count without listing.

        Raise CheckFailedError if more solutions are already known.
        """
        if numbers.raw < self.record.at_least:
            raise CheckFailedError(
                f"{self.puzzle.name} was counted to have {numbers.raw} solutions, but "
                f"{self.record.at_least} are known. This is a bug in Exactile: please report it."
            )
        self.record.numbers = numbers
        self.record.at_least = numbers.raw
        self._settled("exact" if numbers.raw else "unsolvable", method)
        if not numbers.raw:
            self.record.reason = "counted without listing: there is no solution"

    def _unsolvable(self, method: str, reason: str) -> None:
        if self.record.at_least:
            raise CheckFailedError(
                f"{self.puzzle.name} was found unsolvable by {method}, but a solution is known. "
                "This is a bug in Exactile: please report it."
            )
        self.record.reason = reason
        self.record.numbers = Numbers(0, 0, 0)
        self._settled("unsolvable", method)

    def _settled(self, status: str, method: str) -> None:
        self.record.status, self.record.method = status, method
        self.record.search = self.record.guess = self.record.sampled = None
        self.record.sampled_seconds = 0.0


def memo_name(states: int) -> str:
    """Return the text in `Record.tried` for a memo, such as ``memo of 1,000 states``."""
    return f"memo of {states:,} states"


def front_name(budget: FrontierBudget) -> str:
    """Return the text in `Record.tried` for frontiers within a budget.

    For example, ``frontier of 1,000 nodes, 50,000 entries``.
    """
    return f"frontier of {budget.nodes:,} nodes, {budget.entries:,.0f} entries"


def front_may_pay(record: Record, budget: FrontierBudget) -> bool:
    """Return whether a budget allows frontiers and was not tried before."""
    return budget.nodes > 0 and front_name(budget) not in record.tried


def unseen(record: Record) -> bool:
    """Return whether a solution is to be sought by the backend ``first``.

    This is so if there may be a solution, none is recorded, and the backend was not tried before.
    """
    possible = record.numbers is None or record.numbers.raw > 0
    return possible and record.example is None and "first" not in record.tried


@dataclass(frozen=True)
class Settling:
    """The service that counts solutions for the ledger in other processes: see `exactile.work`."""

    def start(self) -> Callable[[PuzzleTask, Tell[News]], None]:
        """Return `settle`, the function that a process calls for each puzzle."""
        return settle


def settle(task: PuzzleTask, tell: Tell[News]) -> None:
    """Work on the puzzle of a task; after each step, send the changed record by `tell`.

    An error is sent in place of a record.
    """
    try:
        settler = Settler(load(task.id), task.record)
        for _ in steps(settler, task):
            tell(News(settler.record))
        tell(News(settler.record, done=True))
    except CheckFailedError as error:
        tell(News(None, str(error), done=True, wrong=True))
    except (ExactileError, MemoryError) as error:
        tell(News(None, str(error) or "out of memory", done=True))


def steps(settler: Settler, task: PuzzleTask) -> Iterator[None]:
    """Do a task step by step; yield after each step, once the record is up to date.

    The steps depend on the budget and the record: a first look, frontiers, a memo, the search that
    lists solutions, a coloring, and searches for one solution. The last step is an estimate, after
    which nothing is yielded.
    """
    record = settler.record
    if record.search is None and not record.settled:
        settler.look()
        yield
    elif record.search is not None and not record.search.left:
        settler.search(0.0)
        yield
    row = ledger_row(task.budget)
    begun = record.search is not None or record.at_least > 0  # else it may be easy to list
    if not record.settled and begun and settler.front_may_pay(row.frontier):
        settler.sweep(LEDGER_FRONT_SECONDS, row.frontier, LEDGER_FRONT_BYTES)
        yield
    if not record.settled and row.states and settler.memo_may_pay(row.states):
        settler.memorize(LEDGER_MEMO_SECONDS, row.states)
        yield
    # By the settler's record: the task's may belong to an earlier version of the puzzle.
    hopeful = is_hopeful(record, task)
    while not record.settled and hopeful and (left := task.budget - searched(record)) > 0:
        settler.search(min(left, LEDGER_SLICE))
        yield
    if not record.settled and not record.at_least and "coloring" not in record.tried:
        settler.color(TUNING.ledger_coloring_seconds)
        yield
    if task.budget >= TUNING.ledger_find_from and unseen(record):
        settler.find("first", LEDGER_FIND_SECONDS, "first")
        yield
    race = row.race and "race" not in record.tried
    if race and not record.settled and not record.at_least:
        settler.find(RACING_BACKEND, task.budget, "race")
        yield
    if task.last and not record.settled and record.guess is None:
        with suppress(UnfinishedError):
            settler.estimate(TUNING.ledger_estimate_seconds)


def is_hopeful(record: Record, task: PuzzleTask) -> bool:
    """Return whether the search for all solutions should be continued with the budget of a task."""
    return task.last or expected(record) <= LEDGER_HOPE * task.budget


def expected(record: Record | None) -> float:
    """Return the expected processor time, in seconds, of the whole search for all solutions.

    The result is 0 if the search has not begun, infinity if no part of it is done yet.
    """
    if record is None or record.search is None:
        return 0.0
    done = record.search.done
    return record.search.totals.seconds / done if done > 0 else inf


def searched(record: Record) -> float:
    """Return the processor time, in seconds, that the search for all solutions has taken so far."""
    return record.search.totals.seconds if record.search else 0.0


def is_due(task: PuzzleTask) -> bool:
    """Return whether there is anything to do for a task, judged by the record alone.

    This does not need the model of the puzzle, which may take long to make.
    """
    record = task.record
    if record is None:
        return True
    if record.settled:
        return False
    if record.search is not None and not record.search.left:  # `exactile resume` has finished it
        return True
    row = ledger_row(task.budget)
    if front_may_pay(record, row.frontier):
        return True
    if task.budget >= TUNING.ledger_find_from and unseen(record):
        return True
    if task.last:
        return searched(record) < task.budget or record.guess is None
    memo = (
        row.states > 0
        and record.at_least >= TUNING.ledger_memo_solutions
        and memo_name(row.states) not in record.tried
    )
    return memo or (searched(record) < task.budget and is_hopeful(record, task))
