"""Explains why a puzzle has no solution, by a few demands that cannot all be met."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from exactile.answers import Explanation, Stats, Status
from exactile.answers.base import passed_on
from exactile.backends.registry import get_backend, racers
from exactile.clock import CLOCK
from exactile.doors import door
from exactile.errors import BackendCrashedError, BackendError, CheckFailedError
from exactile.model.decoder import fault
from exactile.model.model import Meaning, Model
from exactile.plugins import DEFAULT_BACKEND
from exactile.puzzle.check import check, faults
from exactile.puzzle.coordinates import in_coordinates
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.puzzle.relax import relax, require_packings
from exactile.reasons.adapters.explanation import (
    SOLVER,
    CoreFinding,
    CoreKind,
    Demand,
    demands,
    relaxed,
    search_cores,
    size,
)
from exactile.search.case import Case, piece_area
from exactile.search.cover import CoverSearch
from exactile.search.limits import Limits
from exactile.search.search import Search
from exactile.tuning import TUNING

CHECK_SHARE = 0.2
"""Fraction of a time limit that is reserved for confirming an explanation by a second solver."""

CHECKS = ((DEFAULT_BACKEND, 2.0), (None, 30.0), (DEFAULT_BACKEND, 60.0))
"""Attempts to confirm that demands cannot be met: the backend, and its time limit in seconds. None
stands for the first backend with the role ``"later"``; see `Backend.races`."""

FIRST_SHARE = 0.25
"""Largest fraction of a time limit for a search that first tries to solve the puzzle."""

MINIMAL = ("minimal", "smallest")
"""Values of `Explanation.method` for which the explanation is minimal."""


@door
def explain(
    puzzle: Puzzle | Case,
    *,
    smallest: bool = False,
    limits: Limits | None = None,
    watch: Callable[[str], None] | None = None,
) -> Explanation:
    """Explain why a puzzle has no solution.

    The demands of a puzzle are the units to be covered, the pieces to be used, and rules such as
    fixed placements. An explanation is a set of demands that cannot all be met, even if other units
    stay uncovered and other pieces are left out. A second solver tries to confirm this; the answer
    names the solvers that did. Given enough time, the set is minimal: for each demand, placements
    prove that the rest can be met without it. A limit ends the search early.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    smallest
        Whether to continue until the explanation has as few demands as possible, which can take
        long.
    limits
        When to stop.
    watch
        Called with the progress, in words, and with an empty text at every heartbeat.

    Raises
    ------
    PuzzleError
        If the puzzle has rules about joined pieces, uncovered units or numbers of uses.
    CheckFailedError
        If an explanation turns out to be wrong, which is a bug.
    BackendError
        If the SAT solver crashes or fails before anything is known, or if a solver reports an error
        while it confirms the explanation.
    ModelError
        If the model would be too large.
    Interrupted
        After Ctrl-C; it has the answer so far.

    Examples
    --------
    >>> import exactile
    >>> explanation = explain(exactile.load("tetrominoes-5x4"))
    >>> explanation.pieces
    {'I4': 1, 'L4': 1, 'O4': 1, 'T4': 1, 'Z4': 1}
    >>> explanation.method, explanation.refuted_by
    ('minimal', ('reason', 'dlx'))
    """
    case = Case.of(puzzle)
    require_packings(case.puzzle)
    explaining = _Explaining(case, smallest, limits or Limits(), watch or (lambda text: None))
    return passed_on(explaining.run())


class _Explaining:
    """The state of a search for an explanation."""

    def __init__(
        self, case: Case, smallest: bool, limits: Limits, watch: Callable[[str], None]
    ) -> None:
        self.case, self.puzzle = case, case.puzzle
        self.smallest = smallest
        self.watch = watch
        self.begun = CLOCK.now()
        self.limits = limits.rest()
        self.core: Demand | None = None
        self.method: str | None = None
        self.at_least: int | None = None
        self.reason: str | None = None
        self.refuted_by: list[str] = []
        self.refuted_whole: list[str] = []
        self.known: Demand | None = None
        self.solution: Solution | None = None
        self.stopped: str | None = None
        self.met: list[list[int]] = []
        self.counters: dict[str, int] = {}

    def run(self) -> Explanation:
        """Try to solve the puzzle, search for cores, confirm the last one; return the answer."""
        try:
            self.case.prepare(self.limits, "reason")
            if not self._look():
                self._search()
            if self.core is not None and self.method != "area":
                self._check()
        except TimeoutError as reached:
            self.stopped = str(reached)
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        if self.method in MINIMAL:
            self._check_minimal()
        return self._answer()

    @property
    def model(self) -> Model:
        return self.case.model

    def _within(self, kept: float, seconds: float | None = None) -> Limits:
        """Return limits for a part of the work, of at most `seconds` (None: no further limit).

        The fraction `kept` of the whole time limit is reserved for later parts.
        """
        if self.limits.left is not None:
            left = max(self.limits.left - kept * (self.limits.seconds or 0.0), 0.0)
            seconds = left if seconds is None else min(seconds, left)
        return self.limits.within(seconds)

    def _look(self) -> bool:
        """Try to solve the puzzle; return True if no search for cores is needed.

        This is so if there is a solution, or if the pieces have too few or too many units.
        """
        low, high = piece_area(self.puzzle)
        region = self.puzzle.region
        pieces = range(self.model.meaning.pieces)
        limits = self._within(1 - FIRST_SHARE, TUNING.first_look).rest(1)
        with Search(self.case, limits=limits) as search:
            self.solution = next(search, None)
            self.reason = search.reason
        if search.status is not Status.UNSOLVABLE:
            return self.solution is not None
        self.core, self.method = demands(self.model), "whole"
        self.refuted_by = self.refuted_whole = ["reason" if self.reason else search.backend.name]
        units = {i: k for i, k in self.core.items() if i not in pieces}
        if high < len(region) - int(region.optional.sum()):
            self.core, self.method = units, "area"
        elif low > len(region):
            self.core, self.method = {i: k for i, k in self.core.items() if i in pieces}, "area"
        elif low == len(region) and not self._rules():
            self.known = {i: k for i, k in self.core.items() if i in pieces}
        return self.method == "area"

    def _rules(self) -> bool:
        return bool(self.model.lower[self.model.meaning.is_rule].any())

    def _search(self) -> None:
        limits = self._within(CHECK_SHARE)
        self.stopped = limits.reached()
        if self.stopped is not None:
            return
        found_so_far = search_cores(
            self.model,
            smallest=self.smallest,
            pieces=self.known is not None,
        )
        try:
            for found in found_so_far:
                self.watch("")
                if found is not None:
                    self._take(found)
                self.stopped = limits.reached()
                if self.stopped is not None:
                    return
        except BackendError as error:
            if self.core is None:
                raise
            self.stopped = str(error)
        finally:
            found_so_far.close()

    def _take(self, found: CoreFinding) -> None:
        self.counters = dict(found.stats)
        if found.kind is CoreKind.WITNESS:
            self.met.append(found.options)
        elif found.kind is CoreKind.BOUND:
            self.at_least = found.number
            self.watch(f"every explanation has at least {found.number} demands")
        elif found.kind is CoreKind.SOLUTION:
            self.solution = self.case.decoder.solution(found.options)
            check(self.puzzle, self.solution)
            if self.core is not None:
                raise CheckFailedError(
                    f"{SOLVER} solves {self.puzzle.name}, which {self.refuted_by[0]} has refuted. "
                    "This is a bug: please report it."
                )
        else:
            if found.demand == self.known:  # the pieces fill the region: it is the whole puzzle
                self.refuted_by = self.refuted_whole
            elif found.demand != self.core:
                self.refuted_by = [SOLVER]
            self.core, self.method = found.demand, found.kind.name.lower()
            note = {CoreKind.MINIMAL: ", minimal", CoreKind.SMALLEST: ", the smallest"}.get(
                found.kind, ""
            )
            self.watch(f"{size(found.demand)} demands cannot be met together{note}")

    def _check(self) -> None:
        """Try further solvers until two have found that the demands cannot be met.

        Raise CheckFailedError if a solver meets the demands.
        """
        assert self.core is not None
        # Pieces that fill the region cover all units, which helps a solver.
        model = self.model if self.core == self.known else relaxed(self.model, self.core)
        for name, seconds in CHECKS:
            backend = racers("later")[0] if name is None else get_backend(name)
            if len(self.refuted_by) > 1 or backend.name in self.refuted_by:
                continue
            limits = self._within(0.0, seconds).rest(1)
            search = CoverSearch(model, backend=backend, limits=limits)
            try:
                for _ in search.batches():
                    self.watch("")
            except BackendCrashedError:
                continue
            if search.found:
                raise CheckFailedError(
                    f"For {self.puzzle.name}, {self.refuted_by[0]} says that {size(self.core)} "
                    f"demands cannot be met, but {backend.name} meets them. This is a bug: please "
                    "report it."
                )
            if search.status is Status.UNSOLVABLE:
                self.refuted_by = [*self.refuted_by, backend.name]

    def _check_minimal(self) -> None:
        """Check that the explanation is minimal.

        For each demand, one of the sets of placements found must meet all other demands. Raise
        CheckFailedError if none does.
        """
        assert self.core is not None
        relaxed_puzzle = relax(self.puzzle)
        rows = [np.array([options], dtype=np.int32) for options in self.met]
        for item in self.core:
            fewer = self.core | {item: self.core[item] - 1}
            model = relaxed(self.model, fewer)
            row = next((row for row in rows if fault(model, row) is None), None)
            wrong = (
                ["no placements show it"]
                if row is None
                else faults(relaxed_puzzle, self.case.decoder.solution(row[0].tolist()))
            )
            if wrong:
                raise CheckFailedError(
                    f"Without {self.model.meaning.labels[item]} the other demands of "
                    f"{self.puzzle.name} should be met, but: {'; '.join(wrong)}. This is a bug: "
                    "please report it."
                )

    def _answer(self) -> Explanation:
        status = Status.UNKNOWN
        if self.solution is not None:
            status = Status.SOLVABLE
        elif self.core is not None:
            status = Status.UNSOLVABLE
        core = self.core or {}
        meaning = self.model.meaning if core else Meaning()  # the model may not exist
        items = np.array([*core], dtype=np.int64)
        units = self.puzzle.region.coordinates
        rules = items[meaning.is_rule[items]].tolist()
        answer = Explanation(
            puzzle=self.puzzle.name,
            status=status,
            method=self.method,
            minimal=self.method in MINIMAL,
            units=tuple(units[u] for u in meaning.unit_of(items).tolist() if u >= 0),
            pieces={self.puzzle.pieces[i].name: k for i, k in core.items() if meaning.is_piece[i]},
            rules=tuple(
                meaning.labels[i] if core[i] == 1 else f"{core[i]} {meaning.labels[i]}"
                for i in rules
            ),
            size=size(core) if status is Status.UNSOLVABLE else None,
            at_least=self.at_least,
            reason=self.reason,
            refuted_by=tuple(self.refuted_by),
            stopped=self.stopped,
            crossing=self.puzzle.crossing,
            solution=None if self.solution is None else in_coordinates(self.puzzle, self.solution),
            stats=Stats.of(
                {
                    **self.case.sizes,
                    **self.counters,
                    "seconds": round(CLOCK.now() - self.begun, 6),
                }
            ),
        )
        if not answer.size or answer.method == "area":
            return answer
        return replace(answer, sentence=sentence(answer))


def sentence(found: Explanation) -> str:
    """Return an explanation as a sentence.

    Examples
    --------
    >>> pieces = {"I4": 1, "T4": 2}
    >>> sentence(Explanation(puzzle="p", status=Status.UNSOLVABLE, pieces=pieces))
    'These 3 pieces cannot all be placed: I4, 2 of T4.'
    >>> sentence(Explanation(puzzle="p", status=Status.UNSOLVABLE, units=((0, 0), (0, 1))))
    'These 2 units cannot all be covered.'
    >>> sentence(Explanation(puzzle="p", status=Status.UNSOLVABLE, rules=("a", "b")))
    'These rules cannot all be kept: a, b.'
    """
    if not (found.pieces or found.units):
        return f"These rules cannot all be kept: {', '.join(found.rules)}."
    pieces = [name if k == 1 else f"{k} of {name}" for name, k in found.pieces.items()]
    number = sum(found.pieces.values())
    units = f"these {len(found.units):,} units" if len(found.units) > 1 else "this unit"
    given = f"given {' and '.join(found.rules)}, " if found.rules else ""
    if not pieces:
        verb = "cannot all be covered" if len(found.units) > 1 else "cannot be covered"
        words = f"{given}{units} {verb}."
    else:
        these = f"these {number} pieces cannot all" if number > 1 else "this piece cannot"
        condition = f" if {units} {'are' if len(found.units) > 1 else 'is'} to be covered"
        words = f"{given}{these} be placed{condition if found.units else ''}: {', '.join(pieces)}."
    return words[0].upper() + words[1:]
