"""Searches for the solutions of a puzzle that come apart, and counts them by level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from exactile.answers import INTERRUPTED, Stats, Status
from exactile.answers.assembly import AssemblyCount, LevelTally
from exactile.assembly.disassemble import STATES, TOO_MANY, Disassembler, Levels, notation
from exactile.backends.base import HEARTBEAT
from exactile.doors import Positive, door
from exactile.errors import Interrupted
from exactile.model.model import Ints, Longs
from exactile.model.orbits import Action, Assignments
from exactile.puzzle.puzzle import Puzzle
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.search.search import Mask, Options, PuzzleProblem, Search


class RowDisassembler:
    """Takes solutions of a puzzle apart, each given as a row of options of its model.

    For the parameters see `Disassembler`.
    """

    def __init__(self, case: Case, *, lines: bool, rotations: bool, states: int) -> None:
        self._case = case
        self._disassembler = Disassembler(
            case.puzzle, lines=lines, rotations=rotations, states=states
        )
        self._rank = np.zeros(0, dtype=np.int64)

    @cached_property
    def ranks(self) -> Longs:
        """The rank of each option and a final -1, for choosing one solution of each orbit.

        `exactile.model.orbits.least_images` uses the ranks. As in BurrTools, the least ranks belong
        to placements of the first piece with the most orientations, in the orientation in which the
        puzzle lists it.
        """
        model, puzzle = self._case.model, self._case.puzzle
        number = max(range(len(puzzle.pieces)), key=lambda k: len(puzzle.pieces[k].aspects))
        piece = puzzle.pieces[number]
        options = np.flatnonzero((model.piece_of == number) & model.places)
        units = np.sort(model.covered(options)[0].reshape(-1, piece.order), axis=1)
        corners = puzzle.region.units[units]
        own = np.unique(piece.points, axis=0)
        others = np.ones(model.options, dtype=bool)
        others[options] = (corners - corners[:, :1] != own - own[0]).any(axis=(1, 2))
        ranks = np.full(model.options + 1, -1)
        ranks[np.argsort(others, kind="stable")] = np.arange(model.options)
        return ranks

    def run(self, rows: Assignments) -> Iterator[Levels]:
        """Take solutions apart row by row; yield the new results every `HEARTBEAT` seconds.

        Raise PuzzleError as `Disassembler.learn` and `Disassembler.run` do.
        """
        numbers = self._in_order(self._case.decoder.numbers(rows))
        done = 0
        while done < len(rows):
            levels = self._disassembler.run(numbers[done:], HEARTBEAT)
            done += len(levels.outcomes)
            yield levels

    def _in_order(self, numbers: Ints) -> Ints:
        """Return the numbers of the placements of each solution, in `sorted_solution`'s order."""
        placements = self._case.decoder.placements
        if len(self._rank) <= len(placements):
            self._disassembler.learn(placements)
            index = self._case.puzzle.piece_index
            keys = [(index[p.piece], p.units) for p in placements]
            self._rank = np.empty(len(keys) + 1, dtype=np.int64)
            self._rank[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
            self._rank[-1] = len(keys)  # of -1, no placement
        return np.take_along_axis(numbers, np.argsort(self._rank[numbers], axis=1), axis=1)


class AssemblySearch(Search):
    """A search for the solutions that come apart, one of each orbit.

    From each orbit, every search takes the same solution apart: if possible, one in which the first
    piece with the most orientations has the orientation in which the puzzle lists it. Either all
    solutions of an orbit come apart or none does. But their levels may differ, because it depends
    on the orientation which of several shortest separations is found first. Like any `Search`, this
    is a context manager and an iterator of solutions.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    limits
        Limits of time, and of the number of solutions that come apart.
    lines
        Whether consecutive moves along a line count as one move.
    rotations
        Whether groups of pieces may also be turned; see `take_apart`.
    states
        Limit on states (relative positions of the pieces) searched for one separation.
    watch
        Called with the search many times a second.
    options
        See `Search`.

    Raises
    ------
    PuzzleError
        If solutions of the puzzle cannot be taken apart: see `take_apart`. For other reasons, and
        for other errors, see `Search`.

    Examples
    --------
    >>> import exactile
    >>> with AssemblySearch(exactile.load("soma-cube")) as search:
    ...     apart = sum(1 for _ in search)
    >>> apart, search.assemblies[2]
    (240, 240)
    """

    @door
    def __init__(
        self,
        puzzle: Puzzle | Case,
        *,
        limits: Limits | None = None,
        lines: bool = False,
        rotations: bool = False,
        states: Positive = STATES,
        watch: Callable[[Search], None] | None = None,
        **options: Unpack[Options],
    ) -> None:
        case = Case.of(puzzle)
        self._apart = RowDisassembler(case, lines=lines, rotations=rotations, states=states)
        super().__init__(
            case, limits=limits, up_to="symmetry", images=False, watch=watch, **options
        )
        self._tally: dict[str, Longs] = {}
        self._moves: dict[str, int] = {}
        self._assemblies = np.zeros(3, dtype=np.int64)
        self.states = 0  # number of states so far
        self.unknown = 0  # number of solutions that take too many states
        if isinstance(self.problem, PuzzleProblem):
            self.problem.keeps, self.problem.ranks = self._come_apart, lambda: self._apart.ranks
            self.problem.number = len  # type: ignore[assignment, method-assign]  # not the images

    @property
    def status(self) -> Status:
        """The present status; not final if any solution took too many states to decide."""
        known = super().status
        return Status.of(None, self.found) if known.final and self.unknown else known

    def multiples(self, rows: Assignments) -> Longs:
        """Return the number of solutions in the orbit of each solution in `rows`."""
        return orbit_sizes(self.action, rows)[:, 0]

    @property
    def assemblies(self) -> tuple[int, int, int]:
        """Numbers of solutions tried: all, up to rotation, up to symmetry."""
        raw, rotation, symmetry = self._assemblies.tolist()
        return raw, rotation, symmetry

    @property
    def levels(self) -> tuple[LevelTally, ...]:
        """The numbers of solutions that come apart so far, for each level in increasing order."""
        levels = sorted(self._tally, key=lambda level: [int(number) for number in level.split(".")])
        numbers = ((level, *self._tally[level].tolist()) for level in levels)
        return tuple(
            LevelTally(level=level, moves=self._moves[level], raw=a, rotation=b, symmetry=c)
            for level, a, b, c in numbers
        )

    def _come_apart(self, rows: Assignments) -> Mask:
        """Take solutions apart and count them; return a mask of those that come apart.

        It is also False for those that take too many states, or that a limit leaves untried.
        """
        kept = np.zeros(len(rows), dtype=bool)
        if not len(rows):
            return kept
        sizes = orbit_sizes(self.action, rows)
        done = 0
        for levels in self._apart.run(rows) if self.limits.reached() is None else ():
            kept[done : done + len(levels.outcomes)] = levels.outcomes == 0
            self._count(levels, sizes[done:])
            done += len(levels.outcomes)
            if self._watch is not None:
                self._watch(self)
            if self.limits.reached() is not None:
                break
        return kept

    def _count(self, levels: Levels, sizes: Longs) -> None:
        self.states += levels.states
        self.unknown += int((levels.outcomes == 2).sum())
        self._assemblies += sizes[: len(levels.outcomes)].sum(axis=0)
        for k in np.flatnonzero(levels.outcomes == 0).tolist():
            separations = levels.numbers[levels.first[k] : levels.first[k + 1]].tolist()
            level = notation(separations)
            self._tally[level] = self._tally.get(level, 0) + sizes[k]
            moves = sum(moves for moves, *_ in separations)
            self._moves[level] = min(moves, self._moves.get(level, moves))

    def count(self) -> AssemblyCount:
        """Return the present counts as an answer."""
        apart = [sum(numbers) for numbers in zip(*self._tally.values(), strict=True)] or [0, 0, 0]
        raw, rotation, symmetry = map(int, apart) if self.status.final else (None, None, None)
        assemblies, assemblies_rotation, assemblies_symmetry = self.assemblies
        return AssemblyCount(
            puzzle=self.puzzle.name,
            backend=self.backend.name,
            status=self.status,
            stopped=self.stopped or (TOO_MANY if self.unknown else None),
            raw=raw,
            rotation=rotation,
            symmetry=symmetry,
            assemblies=assemblies,
            assemblies_rotation=assemblies_rotation,
            assemblies_symmetry=assemblies_symmetry,
            unknown=self.unknown,
            levels=self.levels,
            stats=Stats.of({**self.stats.by_name(), "states": self.states}),
        )


def orbit_sizes(action: Action, rows: Assignments) -> Longs:
    """Return what each solution's orbit adds to the counts `raw`, `rotation` and `symmetry`.

    The result has the shape ``(n, 3)``: the number of solutions in the orbit, the number of orbits
    into which the proper symmetries divide it, and 1.
    """
    own = np.sort(rows, axis=1)
    images = action.sorted_images(rows, range(action.order))
    fixed = np.concatenate([(some == own).all(axis=2) for some in images])
    by_all, by_proper = fixed.sum(axis=0), fixed[action.proper].sum(axis=0)
    rotation = action.order * by_proper // (int(action.proper.sum()) * by_all)
    return np.stack([action.order // by_all, rotation, np.ones_like(rotation)], axis=1)


@door
def count_assemblable(
    puzzle: Puzzle | Case,
    *,
    lines: bool = False,
    rotations: bool = False,
    states: Positive = STATES,
    watch: Callable[[Any], None] | None = None,
    **options: Unpack[Options],
) -> AssemblyCount:
    """Count the solutions that come apart, in all and by level.

    For the parameters and other errors see `AssemblySearch`. Raise Interrupted, with the answer so
    far, after Ctrl-C.

    Examples
    --------
    >>> import exactile
    >>> answer = exactile.count_assemblable(exactile.load("soma-cube"))
    >>> answer.raw, answer.symmetry, [(tally.level, tally.raw) for tally in answer.levels]
    (11520, 240, [('1', 11520)])
    """
    with AssemblySearch(
        puzzle, lines=lines, rotations=rotations, states=states, watch=watch, **options
    ) as search:
        search.counted()
    if search.stopped == INTERRUPTED:
        raise Interrupted(search.count())
    return search.count()
