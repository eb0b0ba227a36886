"""The largest part of a puzzle that can be packed, with a proven bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import replace
from functools import cached_property

import numpy as np
from msgspec import structs

from exactile.answers import Packing, Stats, Status
from exactile.answers.base import passed_on
from exactile.clock import CLOCK
from exactile.doors import Seed, Workers, door
from exactile.errors import BackendError, CheckFailedError, PuzzleError
from exactile.geometry.lattice import Point
from exactile.model.model import Ints, Model
from exactile.puzzle.check import faults
from exactile.puzzle.coordinates import in_coordinates
from exactile.puzzle.faults import Faults
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.puzzle.relax import require_packings
from exactile.reasons.adapters.packing import (
    PACKERS,
    PackingProgress,
    require_packer,
    search_packings,
)
from exactile.search.case import Case, areas, piece_area
from exactile.search.limits import Limits
from exactile.search.search import Search
from exactile.tuning import TUNING

__all__ = ["OBJECTIVES", "PACKERS", "pack", "packing_model"]

LOOKS = "first"
"""The backend of the first look, which searches for a solution and reports packings meanwhile."""

FILLS = "first:repair"
"""The backend of the first look if it is known that there is no solution. It makes tilings that use
some pieces too often; without the surplus placements, they are packings."""

OBJECTIVES = ("units", "pieces")
"""What to maximize: the number of covered units, not counting optional ones, or of pieces used."""


@door
def pack(
    puzzle: Puzzle | Case,
    *,
    objective: str = "units",
    backend: str = "cpsat",
    limits: Limits | None = None,
    seed: Seed = 0,
    workers: Workers | None = None,
    first_look: bool = True,
    watch: Callable[[Packing | None], None] | None = None,
) -> Packing:
    """Pack as much of a puzzle as possible.

    A packing obeys the rules of the puzzle, except that units may stay uncovered and pieces may be
    left over. Placements do not overlap or cross, no piece is used too often, fixed placements
    stay, and at least the required number of omittable pieces is omitted.

    Parameters
    ----------
    puzzle
        The puzzle or a case of it, with or without solutions.
    objective
        One of `OBJECTIVES`. Optional units do not count.
    backend
        ``"cpsat"``, or ``"rc2"`` for MaxSAT, which reports only its first packing and the best one.
    limits
        When to stop.
    seed, workers
        Seed and number of threads of CP-SAT and of the first look. If `workers` is None, each uses
        its default number of threads.
    first_look
        Whether the native search first tries for some seconds to solve or refute the puzzle. With
        ``"units"``, a solution is a best packing. If there is no solution, the search often finds a
        packing that is almost best.
    watch
        Called with each better packing or bound, and with None at every heartbeat.

    Raises
    ------
    PuzzleError
        If there is no such objective, an argument is out of range, or the puzzle has rules about
        joined pieces, uncovered units or numbers of uses.
    BackendNotFoundError
        If the backend cannot maximize.
    CheckFailedError
        If a packing is wrong, exceeds the bound or does not reach it in the end, which is a bug.
    BackendError
        If the solver crashes or fails before it finds a packing.
    ModelError
        If the model would be too large.
    Interrupted
        After Ctrl-C; it has the answer so far.

    Examples
    --------
    >>> import exactile
    >>> packing = pack(exactile.load("tetrominoes-5x4"), workers=1)
    >>> packing.value, packing.bound, packing.total, packing.optimal
    (16, 16, 20, True)
    """
    if objective not in OBJECTIVES:
        raise PuzzleError(f"There is no objective '{objective}': pack {' or '.join(OBJECTIVES)}.")
    require_packer(backend)
    limits = (limits or Limits()).rest()
    begun = CLOCK.now()
    judge = _Judge(Case.of(puzzle), objective, backend)
    try:
        judge.case.prepare(limits)
        if first_look and TUNING.first_look and not judge.done:
            left = limits.left
            seconds = TUNING.first_look if left is None else min(TUNING.first_look, left / 2)
            judge.look(limits.within(seconds).rest(1), seed, workers, watch)
        limits.require()
        found_so_far = search_packings(
            judge.model, judge.goals, backend, seed=seed, workers=workers
        )
        stopped = None if judge.done else _follow(found_so_far, judge, limits, watch)
    except TimeoutError as reached:
        stopped = None if judge.done else str(reached)
    except BackendError as error:
        if not judge.best:
            raise
        stopped = str(error)
    except KeyboardInterrupt:
        stopped = "interrupted"
    stats = Stats.of(
        {
            **judge.case.sizes,
            **judge.counters,
            "seconds": round(CLOCK.now() - begun, 6),
        }
    )
    answer = structs.replace(judge.packing(), stopped=stopped, stats=stats).of(judge.puzzle)
    return passed_on(answer)


def _follow(
    found_so_far: Generator[PackingProgress | None],
    judge: _Judge,
    limits: Limits,
    watch: Callable[[Packing | None], None] | None,
) -> str | None:
    """Take the reports of a search until it ends, finds an optimal packing, or reaches a limit.

    Return the limit, or None if none was reached. Raise CheckFailedError if a report is wrong, or
    if the search ends without an optimal packing.
    """
    for progress in found_so_far:
        better = progress is not None and judge.take(progress)
        if watch is not None:
            watch(judge.packing() if better else None)
        if judge.done:
            return None
        if (reached := limits.reached()) is not None:
            return reached
    judge.require_proof()
    return None


class _Judge:
    """Keeps the best packing and the bound so far, and checks each better packing of a solver."""

    def __init__(self, case: Case, objective: str, backend: str) -> None:
        puzzle = case.puzzle
        require_packings(puzzle)
        self.case, self.puzzle = case, puzzle
        self.backend = backend
        self.objective = objective
        self.total = _total(puzzle, objective)
        self.total_units = _total(puzzle, "units")
        self.bound = self.total
        self._values = _attainable(puzzle) if objective == "units" else -1
        self._lower_bound(self.total if objective == "units" else _most_pieces(puzzle))
        self.best: Solution | None = None
        self.value = 0
        self.counters: dict[str, int] = {}
        self._faults = Faults(case.part_puzzle)
        if not self._wrong(puzzle.fixed):  # the fixed placements are a packing, perhaps empty
            self.best, self.value = puzzle.fixed, self._value(puzzle.fixed)

    @cached_property
    def _required(self) -> set[Point]:
        region = self.puzzle.region
        return {tuple(unit) for unit in region.units[~region.optional].tolist()}

    @cached_property
    def model(self) -> Model:
        return packing_model(self.puzzle, self.case.model)

    @property
    def goals(self) -> Ints:
        return _goals(self.case.model, self.objective)

    def take(self, progress: PackingProgress) -> bool:
        """Process a report of a solver; return whether it improved the packing or the bound.

        Raise CheckFailedError if the report is wrong.
        """
        bound, best = self.bound, self.best
        self.counters = dict(progress.stats)
        self._lower_bound(progress.bound)
        if progress.options is not None:
            packing = self.case.decoder.solution(progress.options)
            value = self._value(packing)
            if self.best is None or value > self.value:
                if wrong := self._wrong(packing):
                    raise CheckFailedError(
                        f"{self.backend} returned what is not a packing of {self.puzzle.name}: "
                        f"{'; '.join(wrong)}. This is a bug: please report it."
                    )
                self.best, self.value = packing, value
        if self.best is not None and self.value > self.bound:
            raise CheckFailedError(
                f"{self.backend} packs {self.value} {self.objective} of {self.puzzle.name} and "
                f"says that {self.bound} is the most. This is a bug: please report it."
            )
        return (bound, best) != (self.bound, self.best)

    @property
    def done(self) -> bool:
        """Whether no packing can be better, or there is no packing at all."""
        return self.best is None or self.value == self.bound

    def look(
        self,
        limits: Limits,
        seed: int,
        workers: int | None,
        watch: Callable[[Packing | None], None] | None,
    ) -> None:
        """Try to solve, refute or pack the puzzle by native searches, within limits."""
        self.case.prepare(limits, "reason")
        reason = self.case.reason
        if reason and self._exact():
            self._lower_bound(self.total - 1)
            if self.done:
                return

        def follow(search: Search) -> None:
            better = self._improve(search.packing)
            if watch is not None:
                watch(self.packing() if better else None)
            if self.done:
                search.cancel()

        with Search(
            self.case,
            backend=FILLS if reason else LOOKS,
            limits=limits,
            seed=seed,
            workers=workers,
            use_reasons=False,
            watch=follow,
        ) as search:
            solution = next(search, None)
        if solution is not None and self._value(solution) >= self.value:  # it may have few pieces
            self.best, self.value = solution, self._value(solution)
        elif search.status is Status.UNSOLVABLE and self._exact():
            self._lower_bound(self.total - 1)

    def _improve(self, packing: Solution | None) -> bool:
        """Keep a packing of the first look if it is better and valid; return whether it is."""
        if packing is None or (self.best is not None and self._value(packing) <= self.value):
            return False
        if self._wrong(packing):  # it may lack a fixed placement, or omit too few pieces
            return False
        self.best, self.value = packing, self._value(packing)
        return True

    def _exact(self) -> bool:
        """Return whether every packing that covers all units or uses all pieces is a solution."""
        low, high = piece_area(self.puzzle)
        return low == high == self.total_units == len(self.puzzle.region)

    def _lower_bound(self, bound: int) -> None:
        """Lower the bound to the largest value up to `bound` that some set of pieces could have."""
        bound = min(bound, self.bound)
        while bound and not self._values >> bound & 1:
            bound -= 1
        self.bound = bound

    def _value(self, packing: Solution) -> int:
        if self.objective == "pieces":
            return len(packing)
        return sum(unit in self._required for placement in packing for unit in placement.units)

    def _wrong(self, packing: Solution) -> list[str]:
        """Return why placements are not a packing, as texts; an empty list if they are one."""
        wrong = self._faults.of(packing)
        lost = set(self.puzzle.fixed).difference(packing)
        wrong += [f"the fixed placement of {placement.piece} is missing" for placement in lost]
        omission = self.puzzle.omission
        if omission is not None:
            uses = Counter(placement.piece for placement in packing)
            omitted = sum(not uses[name] for name in omission.names)
            if omitted < omission.count:
                wrong.append(f"{omitted} pieces are omitted, not {omission.count} or more")
        return wrong

    def _solves(self, packing: Solution | None) -> bool:
        """Return whether a packing is a solution; False if there is no packing."""
        if packing is None or not (packing or self.puzzle.region.optional.all()):
            return False
        if not self._required.issubset(u for p in packing for u in p.units):
            return False
        return not faults(self.puzzle, packing)

    def require_proof(self) -> None:
        if not self.done:
            raise CheckFailedError(
                f"{self.backend} ended with {self.value} {self.objective} of {self.puzzle.name} "
                f"and the bound {self.bound}. This is a bug: please report it."
            )

    def packing(self) -> Packing:
        return Packing(
            puzzle=self.puzzle.name,
            backend=self.backend,
            objective=self.objective,
            value=None if self.best is None else self.value,
            bound=self.bound,
            total=self.total,
            optimal=self.best is not None and self.value == self.bound,
            solution=self._solves(self.best),
            crossing=self.puzzle.crossing,
            placements=None if self.best is None else in_coordinates(self.puzzle, self.best),
        )


def packing_model(puzzle: Puzzle, model: Model) -> Model:
    """Return a model whose solutions are the packings of a puzzle.

    Units and pieces may be left out; fixed placements stay. More of the omittable pieces may be
    omitted than required.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4")
    >>> packing_model(puzzle, exactile.lower(puzzle)).lower.any()
    np.False_
    """
    meaning = model.meaning
    low, high = np.where(meaning.is_rule, model.lower, 0).astype(np.int32), model.upper.copy()
    if puzzle.omission is not None:
        chosen = [puzzle.piece_index[name] for name in puzzle.omission.names]
        low[chosen] = 1
        high[meaning.omission] = len(chosen)
    return replace(model, lower=low, upper=high)


def _goals(model: Model, objective: str) -> Ints:
    """Return the items to be used as often as possible: required units, or pieces."""
    if objective == "pieces":
        return np.flatnonzero(model.meaning.is_piece).astype(np.int32)
    return np.flatnonzero(model.meaning.is_unit & (model.lower == 1)).astype(np.int32)


def _attainable(puzzle: Puzzle) -> int:
    """Return the numbers of units that sets of pieces can cover, as the bits of an integer.

    Bit n is 1 if some set has n units. If a unit is optional, all bits are 1.
    """
    if puzzle.region.optional.any():
        return -1
    pieces, none = puzzle.pieces, [0] * len(puzzle.pieces)
    return areas([p.order for p in pieces], none, [p.upper for p in pieces], len(puzzle.region))


def _most_pieces(puzzle: Puzzle) -> int:
    """Return the largest number of pieces that together have no more units than the region."""
    room, number = len(puzzle.region), 0
    for piece in sorted(puzzle.pieces, key=lambda p: p.order):
        uses = min(piece.upper, room // piece.order)
        room -= uses * piece.order
        number += uses
    return number


def _total(puzzle: Puzzle, objective: str) -> int:
    if objective == "units":
        return len(puzzle.region) - int(puzzle.region.optional.sum())
    omitted = puzzle.omission.count if puzzle.omission else 0
    return sum(piece.upper for piece in puzzle.pieces) - omitted
