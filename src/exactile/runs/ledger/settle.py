"""What is done for one puzzle of the ledger, a stretch at a time."""

from __future__ import annotations

import numpy as np

from exactile.answers import Status
from exactile.clock import CLOCK
from exactile.counting.confirmed import Confirmed
from exactile.counting.estimate import estimate
from exactile.counting.memo import Memo
from exactile.counting.orbits import OrbitCount
from exactile.counting.plan import FrontierBudget, memo_may_settle
from exactile.counting.shares import numbers
from exactile.errors import CheckFailedError, CountingError
from exactile.plugins import RACING_BACKEND
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.check import check
from exactile.reasons.colorings.find import find_linear
from exactile.runs.drive import found_in
from exactile.runs.executor import RunPart, RunWork
from exactile.runs.ledger.record import Guess, Numbers, OpenSearch, Record
from exactile.runs.part import Searcher
from exactile.runs.store import Totals
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.search.search import Search
from exactile.tuning import TUNING

SAME = ("puzzle", "digest", "symmetries", "proper")
"""What a record and its puzzle must share, or it is counted anew."""


class Settler:
    """Settles one puzzle: begins where its record ends and brings it up to date.

    Parameters
    ----------
    puzzle
        The puzzle.
    record
        What is known of it; dropped if it belongs to another puzzle, or to another model.

    Attributes
    ----------
    record
        What is known now.
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
        self.record = record if record is not None and _same(record, fresh) else fresh

    def look(self) -> None:
        """Settle it if areas rule it out."""
        reason = self.case.reason
        if reason:
            self._unsolvable("first look", reason)

    def search(self, seconds: float) -> None:
        """Search on for some seconds of processor time."""
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
        record.seconds = max(record.seconds, run.totals.seconds)  # others may have gone on with it
        record.nodes = max(record.nodes, run.totals.nodes)
        record.checked = max(record.checked, run.totals.found)
        record.at_least = max(record.at_least, run.totals.raw)
        if not run.left:
            self._counted(run.totals)

    def color(self, seconds: float) -> None:
        """Look for a coloring that shows it to be unsolvable."""
        begun = CLOCK.worked()
        found = find_linear(
            self.puzzle, self.model, group=lambda _: self.case.symmetries, time_limit=seconds
        ).certificate
        self.record.seconds += CLOCK.worked() - begun
        self.record.tried = [*self.record.tried, "coloring"]
        if found is not None:
            words = f", modulo {found.modulus}" if found.kind == "congruence" else ""
            self._unsolvable("coloring", f"a coloring forbids it{words}")

    def race(self, seconds: float) -> None:
        """Ask the other backends whether there is a solution at all."""
        self._ask(RACING_BACKEND, seconds, "race")

    def find(self, seconds: float) -> None:
        """Look for one solution by what is good at finding one."""
        self._ask("first", seconds, "first")

    def _ask(self, backend: str, seconds: float, name: str) -> None:
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

    def memo_may_pay(self, states: int) -> bool:
        """Return whether counting without listing is worth a try: many solutions, few pieces."""
        worth = memo_may_settle(self.case, self.record.at_least)
        return worth and memo_name(states) not in self.record.tried

    def memorize(self, seconds: float, states: int) -> None:
        """Count without listing, with a limited number of states."""
        begun = CLOCK.worked()
        try:
            memo = Memo(most_states=states, puzzle=self.puzzle)
            answer = OrbitCount(self.case, memo).run(Limits(seconds))
        except CountingError:
            self.record.tried = [*self.record.tried, memo_name(states)]
            return
        finally:
            self.record.seconds += CLOCK.worked() - begun
        self.record.nodes += answer.stats.nodes or 0
        if answer.raw is None or answer.rotation is None or answer.symmetry is None:
            return
        self._number(Numbers(answer.raw, answer.rotation, answer.symmetry), "memo")

    def front_may_pay(self, budget: FrontierBudget) -> bool:
        """Return whether counting by fronts of such a size may settle it."""
        return front_may_pay(self.record, budget) and self.puzzle.omission is None

    def sweep(self, seconds: float, budget: FrontierBudget, most_bytes: int) -> None:
        """Count by two fronts in different orders."""
        begun = CLOCK.worked()
        confirmed = Confirmed(budget, self.puzzle)
        try:
            answer = OrbitCount(self.case, confirmed).run(Limits(seconds, memory_limit=most_bytes))
        except CountingError:
            self.record.tried = [*self.record.tried, front_name(budget)]
            return
        finally:
            self.record.seconds += CLOCK.worked() - begun
            self.record.bound = confirmed.bound
        if answer.raw is None or answer.rotation is None or answer.symmetry is None:
            self.record.tried = [*self.record.tried, front_name(budget)]
            return
        self._number(Numbers(answer.raw, answer.rotation, answer.symmetry), "frontier")
        self.record.fronts = confirmed.runs

    def estimate(self, seconds: float) -> None:
        """Estimate what a search would find."""
        answer = estimate(self.case, dives=TUNING.ledger_dives, time_limit=seconds)
        self.record.guess = Guess(answer.nodes, answer.nodes_error, answer.dives)
        self.record.sampled = answer.solutions

    def _keep(self, solution: Solution, found_by: str, seconds: float) -> None:
        """Keep a solution as the example."""
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
        """Take a number that was counted without listing."""
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


def _same(record: Record, fresh: Record) -> bool:
    """Return whether a record is of a puzzle and its model, and counts up to the same symmetries.

    Equal models may have other symmetries: a flat region of cubes can be turned over.
    """
    return all(getattr(record, key) == getattr(fresh, key) for key in SAME)


def memo_name(states: int) -> str:
    """Return the record's word for a memo that stopped at a number of states."""
    return f"memo of {states:,} states"


def front_name(budget: FrontierBudget) -> str:
    """Return how a record says that fronts of such a size did not suffice."""
    return f"frontier of {budget.nodes:,} nodes, {budget.entries:,.0f} entries"


def front_may_pay(record: Record, budget: FrontierBudget) -> bool:
    """Return whether there may be a front of such a size, and it was not tried."""
    return budget.nodes > 0 and front_name(budget) not in record.tried


def unseen(record: Record) -> bool:
    """Return whether no solution is known, there may be one, and none was looked for as yet."""
    possible = record.numbers is None or record.numbers.raw > 0
    return possible and record.example is None and "first" not in record.tried
