"""The pieces that a solution uses, and the puzzle with exactly these pieces."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactile.errors import PuzzleError
from exactile.model.model import Ints, Model
from exactile.model.orbits import Action, Assignments
from exactile.puzzle.paint import key, oriented
from exactile.puzzle.pieces.piece import Freedom
from exactile.puzzle.puzzle import Puzzle, Solution, with_pieces
from exactile.puzzle.symmetry import Symmetry, symmetries
from exactile.search.case import Case

Uses = tuple[int, ...]
"""How often each piece of a puzzle is used: a subset of the pieces, if none is used twice."""


def placed_pieces(model: Model) -> Ints:
    """Return the number of the piece that each option places, -1 for options that place nothing.

    Examples
    --------
    >>> import exactile
    >>> placed_pieces(exactile.lower(exactile.load("dominoes-4x4")))[:3].tolist()
    [0, 0, 0]
    """
    return np.where(model.places, model.piece_of, -1).astype(np.int32)


class Selections:
    """Groups solutions of a puzzle by the pieces that they use.

    `puzzle`: the puzzle, or a case of it.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-3x20")
    >>> selections = Selections(puzzle)
    >>> with exactile.Search(puzzle) as search:
    ...     {uses for rows in search.batches() for uses in selections.of(rows)}
    {(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)}
    """

    def __init__(self, puzzle: Puzzle | Case) -> None:
        self.case = Case.of(puzzle)
        self.puzzle = self.case.puzzle
        self._actions: dict[Uses, Action] = {}
        pieces = range(len(self.puzzle.pieces))
        self._plain = np.array([_is_plain(self.puzzle, k) for k in pieces])

    @property
    def model(self) -> Model:
        """The puzzle's model."""
        return self.case.model

    @cached_property
    def kinds(self) -> Ints:
        """The piece that each option places: see `placed_pieces`."""
        return placed_pieces(self.model)

    @property
    def all_plain(self) -> bool:
        """Whether every isometry of the lattice maps each piece to itself."""
        return bool(self._plain.all())

    def of(self, rows: Assignments) -> list[Uses]:
        """Return how often each solution uses each piece."""
        return [tuple(row) for row in self.table(rows).tolist()]

    def table(self, rows: Assignments) -> npt.NDArray[np.int64]:
        """Return how often each solution uses each piece, shape ``(solutions, pieces)``."""
        n, pieces = len(rows), self.model.meaning.pieces
        kinds = np.append(self.kinds, -1)[rows]  # -1 stands for no option, and is its own kind
        cells = (np.arange(n)[:, None] * (pieces + 1) + kinds % (pieces + 1)).ravel()
        table = np.bincount(cells, minlength=n * (pieces + 1)).reshape(n, pieces + 1)
        return table[:, :pieces]

    def of_solution(self, solution: Solution) -> Uses:
        """Return how often a solution uses each piece."""
        uses = [0] * self.model.meaning.pieces
        for placement in solution:
            uses[self.puzzle.piece_index[placement.piece]] += 1
        return tuple(uses)

    def action(self, uses: Uses) -> Action:
        """Return the symmetries of the puzzle with exactly these pieces, acting on its options.

        There may be more than for the whole puzzle: for example, reflections, if the only piece
        without a mirror twin is not used. Pieces that every isometry of the lattice maps to
        themselves make no difference, so sets of free pieces all have the same group.
        """
        if self.all_plain or not any(uses):
            return self.case.action
        handed = tuple(np.where(self._plain, 0, uses).tolist())
        if handed not in self._actions:
            used = np.flatnonzero(uses)
            group = []
            for symmetry in symmetries(only(self.puzzle, uses)):
                pieces = np.arange(self.model.meaning.pieces)
                pieces[used] = used[symmetry.pieces]
                group.append(Symmetry(symmetry.units, pieces, symmetry.proper))
            self._actions[handed] = Action(self.model, group, everywhere=False)
        return self._actions[handed]

    def named(self, uses: Uses) -> dict[str, int]:
        """Return the used pieces, with their numbers of uses."""
        return {p.name: n for p, n in zip(self.puzzle.pieces, uses, strict=True) if n}


def only(puzzle: Puzzle, uses: Uses) -> Puzzle:
    """Return the puzzle with exactly these numbers of uses; known counts are dropped.

    Raise PuzzleError if the number of pieces differs, none is used, or a rule about numbers of used
    pieces forbids it.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-3x20")
    >>> [p.name for p in only(puzzle, (1, 0, 2) + 9 * (0,)).pieces]
    ['F', 'L']
    """
    if len(uses) != len(puzzle.pieces) or not any(uses):
        raise PuzzleError(
            f"{puzzle.name} has {len(puzzle.pieces)} pieces: say of each how often it is used, "
            "and use one at least."
        )
    pieces = tuple(
        replace(piece, lower=n, upper=n) for piece, n in zip(puzzle.pieces, uses, strict=True) if n
    )
    for rule in puzzle.use_rules:
        if rule.places:
            continue  # the numbers of uses do not decide these
        used = sum(uses[puzzle.piece_index[name]] for name in rule.pieces)
        if not rule.lower <= used <= rule.most(puzzle.pieces):
            raise PuzzleError(
                f"{puzzle.name} has a rule that {rule.bounds} of {' '.join(rule.pieces)} are used, "
                f"not {used}."
            )
    return with_pieces(puzzle, pieces, None, (rule for rule in puzzle.use_rules if rule.places))


def _is_plain(puzzle: Puzzle, number: int) -> bool:
    """Return whether every isometry of the lattice maps a piece, with its paint, to itself."""
    piece = puzzle.pieces[number]
    if piece.freedom is Freedom.FREE and piece.name not in puzzle.paint.pieces:
        return True
    own, _ = puzzle.kind(piece)
    aspects = puzzle.paint.aspects(piece)
    period = puzzle.lattice.period
    return all(
        key(oriented(*aspects, matrix[None], period)) == own for matrix in puzzle.lattice.group
    )
