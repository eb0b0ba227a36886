"""The search for the solutions of a puzzle: the class `Search`, and functions that use it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from exactile.answers import (
    INTERRUPTED,
    OpenNumber,
    PieceColors,
    PieceUse,
    PublishedNumber,
    PuzzleFacts,
    SolutionList,
    Status,
    SymmetryNumbers,
    UseNumber,
)
from exactile.backends import Backend, Request
from exactile.backends.base import Batch, Left
from exactile.backends.registry import as_backend
from exactile.clock import CLOCK
from exactile.doors import Seed, Workers, door
from exactile.errors import Interrupted, PuzzleError
from exactile.model.decoder import PlacementIndex
from exactile.model.model import Longs, Model
from exactile.model.orbits import Action, Assignments, Branches, Representatives
from exactile.model.sweeps import places
from exactile.plugins import DEFAULT_BACKEND
from exactile.puzzle.coordinates import all_in_coordinates, in_coordinates, units_in_coordinates
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.search.case import Case, first_fault
from exactile.search.cover import ModelProblem
from exactile.search.handle import Fault, Handle, Rowless
from exactile.search.limits import Limits
from exactile.tuning import TUNING

Mask = npt.NDArray[np.bool_]

SOLUTIONS_AT_ONCE = 50_000
"""Largest number of solutions that are checked at a time, images included."""


class Options(TypedDict, total=False):
    """Keyword arguments that functions pass on to a search; `Search` describes them."""

    backend: str | Backend
    time_limit: float | None
    seed: Seed
    workers: Workers | None
    ordered: bool
    encoding: str | None
    use_symmetry: bool
    use_reasons: bool
    use_implied: bool
    hint: Solution


@dataclass(frozen=True)
class SearchSettings:
    """How to search: the options of `Search` with their defaults, except the time limit."""

    backend: str | Backend = DEFAULT_BACKEND
    seed: int = 0
    workers: int | None = None
    ordered: bool = False
    encoding: str | None = None
    use_symmetry: bool = True
    use_reasons: bool = True
    use_implied: bool = True
    hint: Solution = ()


class PuzzleProblem(ModelProblem[Solution]):
    """The problem of finding the solutions of a puzzle by a backend.

    With `branches`, the backend searches only one branch of each orbit; with `images` as well, the
    images of its solutions are then added.
    """

    def __init__(
        self,
        case: Case,
        backend: Backend,
        request: Request,
        left: Left | None,
        *,
        branches: Branches | None,
        settings: SearchSettings,
        up_to: str | None,
        images: bool,
    ) -> None:
        self.case = case
        super().__init__(case.puzzle.name, case.model, backend, request, left)
        self.reason = case.reason if settings.use_reasons else None
        self._asked = case.asked if settings.use_implied else case.model
        self._branches = branches
        self._images = images
        self._first = Representatives(case.action, up_to) if up_to is not None else None
        self.keeps: Callable[[Assignments], Mask] | None = None  # a further condition on rows
        self.ranks: Callable[[], Longs] | None = None  # compared to find the least images
        self._multiples: Longs | None = None
        if branches is not None:
            self._multiples = np.ones(case.model.options + 1, dtype=np.int64)
            self._multiples[branches.options] = [len(elements) for elements in branches.elements]

    def digest(self) -> str:
        return self.case.digest

    @property
    def asked(self) -> Model:
        return self._asked

    def expanded(self, rows: Assignments) -> Assignments:
        if self._branches is None or not self._images:
            return rows
        return self._branches.expanded(rows)

    def multiples(self, rows: Assignments) -> Longs:
        """Return, for each row, the number of solutions that it stands for.

        This is 1 unless images are left out.
        """
        if self._multiples is None or self._images:
            return np.ones(len(rows), dtype=np.int64)
        return np.asarray(self._multiples.take(rows.T).max(axis=0, initial=1))

    def number(self, rows: Assignments) -> int:
        return len(rows) if self._images else int(self.multiples(rows).sum())

    def fault(self, rows: Assignments) -> Fault | None:
        found = first_fault(self.case.checker, self.case.decoder, rows)
        return None if found is None else Fault(*found)

    def part_fault(self, rows: Assignments) -> Fault | None:
        found = first_fault(self.case.part_checker, self.case.decoder, rows)
        return None if found is None else Fault(*found)

    def answers(self, rows: Assignments) -> list[Solution]:
        return self.case.decoder.solutions(rows)

    def wanted(self, rows: Assignments) -> Assignments:
        if self._first is not None:
            first = self._first
            rows = rows[first.new(rows)] if self.ranks is None else first.least(rows, self.ranks())
        return rows if self.keeps is None else rows[self.keeps(rows)]

    def left(self) -> Left | None:
        """Return the prefixes of the whole search.

        None with `up_to`: a resumed search would not know which orbits were found.
        """
        return None if self._first is not None else super().left()

    def _rest(self, rows: list[list[int]]) -> Left:
        symmetric = self._branches is not None
        return super()._rest(rows)._replace(symmetric=symmetric, images=self._images)

    def _completed(self, batch: Batch) -> Batch:
        done = super()._completed(batch)
        return done if self._first is None else done._replace(left=None)

    def evidence(self, rows: Assignments, fault: Fault) -> str:
        from exactile.search.reproducer import write_reproducer

        path = write_reproducer(
            self.case,
            self.backend.name,
            self.request,
            rows[fault.row].tolist(),
            fault.words,
            expanded=self._branches is not None and self._images,
            spared=self._asked is not self.case.model,
        )
        return f"; all that is needed to repeat it is in {path} (exactile check --reproducer)"


class Search(Handle[Solution]):
    """A search for the solutions of a puzzle.

    A context manager and an iterator of solutions; see `exactile.search.handle.Handle`. The model
    is built at once; the search begins, and the clock starts, when a solution is requested. If the
    clock of `limits` is already running and the limits are reached before the model is built,
    nothing is searched.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    limit
        Stop after this number of solutions; None finds all.
    up_to
        ``"rotation"`` or ``"symmetry"``: give only the first solution of each orbit. None gives
        all.
    images
        If False, and one branch of each orbit is searched (see `use_symmetry`), the images of the
        solutions found are left out. `multiples` returns how many solutions a row stands for.
    left
        The rest of an earlier search of the same puzzle: see `Handle.left`.
    watch
        Called with the search at every heartbeat, many times a second.
    limits
        Limits that several searches share, in place of `limit` and `time_limit`.
    backend
        Name of a backend, or the backend itself.
    time_limit
        Time limit in seconds.
    seed, workers, ordered, encoding
        Passed to the backend; see `exactile.backends.base.Request`.
    use_symmetry
        Whether the puzzle's symmetry group shortens the search. A backend with `takes_images` finds
        one solution of each orbit; one with `takes_prefixes` searches one branch of each orbit. The
        other solutions are made from the ones found, so that the result is the same. A `limit`
        without `up_to` turns this off, but with a limit of 1 a portfolio still skips most symmetric
        branches. If `left` is given, `use_symmetry` has no effect.
    use_reasons
        Whether to skip the search if the puzzle is obviously unsolvable.
    use_implied
        Whether the backend's model leaves out bounds that follow from others; the answer is the
        same.
    hint
        A solution that is believed to be right, or some placements of one, for backends that take
        hints.

    Raises
    ------
    PuzzleError
        If a keyword argument is unknown or has an impossible value, `limits` is given together with
        `limit` or `time_limit`, or the hint has a placement that is impossible in the puzzle. Also
        if `left` is given together with `up_to`, belongs to another model, or has solutions and was
        made with a different value of `images`.
    BackendError
        If there is no such backend, or it does not support the encoding, the colored items, or the
        prefixes of `left`.
    ModelError
        If the model would be too large.

    Examples
    --------
    >>> import exactile
    >>> with Search(exactile.load("tetrahexes-4x7")) as search:
    ...     solutions = list(search)
    >>> len(solutions), search.status
    (18, <Status.COMPLETE: 'complete'>)
    """

    problem: PuzzleProblem  # or a `Rowless` one, if a limit was reached before it was made

    @door
    def __init__(
        self,
        puzzle: Puzzle | Case,
        *,
        limit: int | None = None,
        up_to: str | None = None,
        images: bool = True,
        left: Left | None = None,
        watch: Callable[[Search], None] | None = None,
        limits: Limits | None = None,
        **options: Unpack[Options],
    ) -> None:
        if up_to is not None and left is not None:
            raise PuzzleError(
                "The rest of a search does not say which orbits were found: leave out 'up_to'."
            )
        if left is not None and left.symmetric and left.rows and left.images != images:
            raise PuzzleError(
                "The rest of the search has solutions "
                f"{'with' if left.images else 'without'} their images: set images={left.images}."
            )
        time_limit = options.pop("time_limit", None)
        limits = Limits.chosen(limits, time_limit, limit)
        settings = SearchSettings(**options)  # type: ignore[misc]  # the time limit is gone
        started = CLOCK.now()
        self.case = case = Case.of(puzzle)
        self.backend = given = as_backend(settings.backend)
        placed = [case.puzzle.in_place(each) for each in settings.hint]

        def prepared() -> PuzzleProblem:
            most = None if up_to is not None else limits.number  # a backend knows no orbits
            use_reasons = settings.use_reasons
            names = [*["reason"] * use_reasons, *["asked"] * settings.use_implied]
            case.prepare(limits, *names)
            searched = not (use_reasons and case.reason)
            symmetric = settings.use_symmetry and searched and left is None
            spared = symmetric and most == 1 and given.takes_spared
            symmetric = symmetric and most is None
            if symmetric or spared:
                case.prepare(limits, "symmetries", "action", "branches")
            takes = symmetric and given.takes_images
            table = case.action.table(TUNING.backend_images) if takes else None
            branch = symmetric and table is None and given.takes_prefixes
            branches = case.branches if branch or (left and left.symmetric) else None
            most_images = max(map(len, branches.elements), default=1) if branches and images else 1
            cells = most_images * len(case.puzzle.region)
            request = Request(
                limit=most,
                seed=settings.seed,
                workers=settings.workers,
                ordered=settings.ordered,
                prefixes=tuple((o,) for o in branches.options) if branches else ((),),
                hint=PlacementIndex(case.puzzle, case.model).options(placed) if placed else (),
                encoding=settings.encoding,
                images=table,
                at_once=min(
                    Request.at_once,
                    max(1, SOLUTIONS_AT_ONCE // most_images),
                    max(1, TUNING.checked_cells // cells),
                ),
                places=places(case.puzzle, case.model),
                spared=case.spared if spared else None,
            )
            return PuzzleProblem(
                *(case, given, request, left),
                branches=branches,
                settings=settings,
                up_to=up_to,
                images=images,
            )

        problem: PuzzleProblem | Rowless[Solution]
        try:
            problem, stopped = prepared(), None
        except TimeoutError as limit_reached:
            problem, stopped = Rowless(case.puzzle.name, given.name), str(limit_reached)
        seconds = CLOCK.now() - started
        super().__init__(problem, limits, watch=watch, build_seconds=seconds)
        self.puzzle = case.puzzle
        self.stopped = stopped
        if stopped is not None and left is not None:
            self._rest = lambda: left  # nothing of it is searched

    @property
    def model(self) -> Model:
        """The puzzle's model."""
        return self.case.model

    @property
    def action(self) -> Action:
        """The permutations of the model's options by the symmetries of the puzzle."""
        return self.case.action

    @door
    def multiples(self, rows: Assignments) -> Longs:
        """Return how many solutions each row of a batch stands for.

        `rows`: a batch that `batches` yielded. Raise PuzzleError for any other kind of array.
        """
        if (
            rows.ndim != 2
            or rows.dtype.kind not in "iu"
            or (rows.size and not -1 <= rows.min() <= rows.max() < self.model.options)
        ):
            raise PuzzleError("`rows` must be a batch of this search, as `batches` returns it.")
        return self.problem.multiples(rows) if len(rows) else np.ones(0, dtype=np.int64)

    @door
    def answer(self, found: Sequence[Solution], up_to: str | None = None) -> SolutionList:
        """Return the state of the search as an answer that contains the solutions in `found`.

        `up_to` is copied to the answer. As long as the status is unknown, the answer also contains
        the best packing.
        """
        packing = self.packing if self.status is Status.UNKNOWN else None
        return SolutionList(
            puzzle=self.puzzle.name,
            backend=self.backend.name,
            status=self.status,
            stopped=self.stopped,
            reason=self.reason,
            crossing=self.puzzle.crossing,
            up_to=up_to,
            solutions=all_in_coordinates(self.puzzle, found),
            packing=in_coordinates(self.puzzle, packing) if packing else None,
            proof=self.proof,
            stats=self.stats,
        ).of(self.puzzle)


@door
def solve_one(puzzle: Puzzle | Case, **options: Unpack[Options]) -> Solution | None:
    """Return a solution; None if there is none, or if the search ends before one is found.

    A time limit or a backend that gives up may end the search early. Use `prove` to decide whether
    there is a solution. For the options and the errors see `Search`.

    Examples
    --------
    >>> import exactile
    >>> len(exactile.solve_one(exactile.load("pentominoes-6x10")))
    12
    """
    with Search(puzzle, limit=1, **options) as search:
        return next(search, None)


@door
def find_solutions(
    puzzle: Puzzle | Case,
    *,
    limit: int | None = None,
    up_to: str | None = None,
    watch: Callable[[Search], None] | None = None,
    limits: Limits | None = None,
    **options: Unpack[Options],
) -> SolutionList:
    """Return the solutions in customary coordinates, with the status and counters of the search.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    limit
        Stop after this number of solutions; None finds all.
    up_to
        ``"rotation"`` or ``"symmetry"``: give only the first solution of each orbit. None gives
        all.
    watch, limits, options
        See `Search`.

    Raises
    ------
    Interrupted
        After Ctrl-C; the exception has the solutions found so far.
    PuzzleError, BackendError, ModelError
        See `Search`.
    CheckFailedError
        If a solution is wrong: a bug.

    Examples
    --------
    >>> import exactile
    >>> found = exactile.find_solutions(exactile.load("tetrahexes-4x7"), up_to="symmetry")
    >>> len(found.solutions), found.status.value
    (9, 'complete')
    """
    with Search(puzzle, limit=limit, up_to=up_to, watch=watch, limits=limits, **options) as search:
        found: list[Solution] = []
        try:
            found.extend(search)
        except KeyboardInterrupt:
            search.close(INTERRUPTED)
            raise Interrupted(search.answer(found, up_to)) from None
        return search.answer(found, up_to)


def facts(puzzle: Puzzle | Case) -> PuzzleFacts:
    """Return a description of a puzzle: its pieces, rules, symmetries and the size of its model.

    Raise ModelError if the model would be too large.

    Examples
    --------
    >>> import exactile
    >>> soma = facts(exactile.load("soma-cube"))
    >>> soma.units, soma.symmetries.all, soma.options
    (27, 48, 688)
    """
    case = Case.of(puzzle)
    stated, group = case.puzzle, case.symmetries
    wrap, period = stated.region.wrap, stated.lattice.period
    return PuzzleFacts(
        puzzle=stated.name,
        title=stated.title,
        aliases=tuple(stated.aliases),
        lattice=stated.lattice.name,
        pieces=tuple(
            PieceUse(name=p.name, order=p.order, min=p.lower, max=p.upper) for p in stated.pieces
        ),
        color_rules=tuple(PieceColors(**asdict(rule)) for rule in stated.color_rules),
        open_rules=tuple(
            OpenNumber(
                units=units_in_coordinates(stated, rule.units),
                min=rule.lower,
                max=rule.most(stated.region),
            )
            for rule in stated.open_rules
        ),
        use_rules=tuple(
            UseNumber(
                pieces=rule.pieces,
                min=rule.lower,
                max=rule.most(stated.pieces),
                places=tuple(units_in_coordinates(stated, place) for place in rule.places),
            )
            for rule in stated.use_rules
        ),
        paint=paint_in_words(stated) or None,
        fixed=in_coordinates(stated, stated.fixed),
        crossing=stated.crossing if stated.lattice.crossing is not None else None,
        units=len(stated.region),
        optional_units=int(stated.region.optional.sum()),
        wrap=tuple(tuple(c // period for c in v) for v in wrap.vectors) if wrap else (),
        glide=wrap.glide.texts(period) if wrap and wrap.glide else (),
        symmetries=SymmetryNumbers(all=len(group), proper=sum(s.proper for s in group)),
        items=case.model.items,
        options=case.model.options,
        known=tuple(PublishedNumber(**asdict(k)) for k in stated.known),
        unsolvable_because=case.reason,
        source=stated.source,
    )


def paint_in_words(puzzle: Puzzle) -> str:
    """Return a description of the paint of a puzzle; ``""`` if it has none.

    The paint of a unit of a piece states on which paints of the region the unit may lie.
    """
    paint = puzzle.paint
    painted = sorted({p for own in paint.pieces.values() for p in own.values()})
    fits = [f"{p} on {' '.join(sorted(paint.fits.get(p, [p])))}" for p in painted]
    return f"{len(paint.units)} units of the region; {', '.join(fits)}" if paint else ""
