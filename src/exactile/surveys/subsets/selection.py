"""Subsets of a puzzle's pieces: those that solutions use, and blocks of subsets to be searched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.errors import PuzzleError
from exactile.model.model import Ints, Longs, Model
from exactile.model.orbits import Action, Assignments
from exactile.puzzle.paint import key, oriented
from exactile.puzzle.pieces.piece import Freedom
from exactile.puzzle.puzzle import Puzzle, Solution, with_pieces
from exactile.puzzle.rules import UseRule
from exactile.puzzle.symmetry import Symmetry, symmetries
from exactile.search.case import Case, areas

Uses = tuple[int, ...]
"""How often each piece of a puzzle is used; called a subset, even if a piece is used twice."""


def placed_pieces(model: Model) -> Ints:
    """For each option, return the number of the piece that it places, or -1 if it places none.

    Examples
    --------
    >>> import exactile
    >>> placed_pieces(exactile.lower(exactile.load("dominoes-4x4")))[:3].tolist()
    [0, 0, 0]
    """
    return np.where(model.places, model.piece_of, -1).astype(np.int32)


class Selections:
    """Groups solutions of a puzzle by the pieces that they use.

    `puzzle`: the puzzle, or a `Case` of it, whose model is reused.

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
        """Whether all pieces are plain, so that each subset has the symmetries of the puzzle."""
        return bool(self._plain.all())

    def of(self, rows: Assignments) -> list[Uses]:
        """For each solution, given as a row of options, return how often it uses each piece."""
        return [tuple(row) for row in self.table(rows).tolist()]

    def table(self, rows: Assignments) -> npt.NDArray[np.int64]:
        """Return how often each solution uses each piece; shape ``(solutions, pieces)``."""
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
        """Return how symmetries act on options if the puzzle has only the pieces of a subset.

        These symmetries may be more than those of the puzzle with all pieces: for example,
        reflections are added if the only piece without a mirror twin is not used. Plain pieces,
        such as most free pieces without paint, make no difference.
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
        """Return the names of the used pieces, each with its number of uses."""
        return {p.name: n for p, n in zip(self.puzzle.pieces, uses, strict=True) if n}


def only(puzzle: Puzzle, uses: Uses) -> Puzzle:
    """Return a puzzle in which each piece is used exactly as often as `uses` states.

    Unused pieces are dropped, and so are known numbers of solutions, the rule about omitted pieces,
    and the rules about numbers of uses, which `uses` satisfies. Rules about places are kept.

    Raise PuzzleError if `uses` does not have one number for each piece of the puzzle, is all zeros,
    breaks a rule about numbers of uses, uses a piece less often than fixed placements do, or drops
    all pieces that a rule requires in some place.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-3x20")
    >>> [p.name for p in only(puzzle, (1, 0, 2) + 9 * (0,)).pieces]
    ['F', 'L']
    """
    if len(uses) != len(puzzle.pieces) or not any(uses):
        raise PuzzleError(
            f"{puzzle.name} has {len(puzzle.pieces)} pieces: state how often each is used, and "
            "use at least one."
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
    placed = [rule for rule in puzzle.use_rules if rule.places]
    found = with_pieces(puzzle, pieces, None, placed)
    if len(found.pieces) < len(pieces):  # a dropped rule distinguishes congruent pieces
        named = [UseRule(rule.pieces) for rule in puzzle.use_rules]
        found = with_pieces(puzzle, pieces, None, (*named, *placed))
    return found


def _is_plain(puzzle: Puzzle, number: int) -> bool:
    """Return whether a subset has the same symmetries with a piece as without it.

    There are two conditions: every isometry of the lattice maps the piece, with its paint, to
    itself; and if the piece may be left out, it has no paint, and no rule about places names it.
    """
    piece = puzzle.pieces[number]
    painted = piece.name in puzzle.paint.pieces
    placed = any(rule.places and piece.name in rule.pieces for rule in puzzle.use_rules)
    if (painted or placed) and whole(puzzle).lower[number] == 0:
        return False
    if piece.freedom is Freedom.FREE and not painted:
        return True
    own, _ = puzzle.kind(piece)
    aspects = puzzle.paint.aspects(piece)
    period = puzzle.lattice.period
    return all(
        key(oriented(*aspects, matrix[None], period)) == own for matrix in puzzle.lattice.group
    )


class Block(NamedTuple):
    """All subsets that use each piece between `lower` and `upper` times."""

    lower: Uses
    upper: Uses

    def has(self, uses: Uses) -> bool:
        """Return whether a subset belongs to the block.

        Examples
        --------
        >>> Block((0, 1), (1, 1)).has((1, 1)), Block((0, 1), (1, 1)).has((1, 0))
        (True, False)
        """
        return all(a <= n <= b for a, n, b in zip(self.lower, uses, self.upper, strict=True))

    def without(self, uses: Uses) -> Iterator[Block]:
        """Yield disjoint blocks that together contain all subsets of the block except `uses`.

        The first blocks differ from `uses` in the number of uses of the first piece. The next ones
        agree in this number and differ in that of the second piece, and so on.

        Examples
        --------
        >>> for block in Block((0, 0), (1, 2)).without((1, 1)):
        ...     print(block)
        Block(lower=(0, 0), upper=(0, 2))
        Block(lower=(1, 0), upper=(1, 0))
        Block(lower=(1, 2), upper=(1, 2))
        """
        for k, (low, n, high) in enumerate(zip(self.lower, uses, self.upper, strict=True)):
            for a, b in ((low, n - 1), (n + 1, high)):
                if a <= b:
                    yield Block(
                        (*uses[:k], a, *self.lower[k + 1 :]), (*uses[:k], b, *self.upper[k + 1 :])
                    )


def whole(puzzle: Puzzle) -> Block:
    """Return the block of all subsets of a puzzle's pieces that their ranges of uses allow.

    Pieces that may be omitted have the lower bound 0.
    """
    choice = set(puzzle.omission.names) if puzzle.omission else set()
    return Block(
        tuple(0 if p.name in choice else p.lower for p in puzzle.pieces),
        tuple(p.upper for p in puzzle.pieces),
    )


def area_fits(puzzle: Puzzle, block: Block) -> bool:
    """Return whether some subset in a block has an area that fits the region.

    An area fits if it is at least the number of units that must be covered, and at most the number
    of all units of the region.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4")
    >>> area_fits(puzzle, whole(puzzle)), area_fits(puzzle, Block((0,) * 5, (0, 1, 1, 1, 1)))
    (True, False)
    """
    total = len(puzzle.region)
    required = total - int(puzzle.region.optional.sum())
    orders = [p.order for p in puzzle.pieces]
    return bool(areas(orders, block.lower, block.upper, total) >> required)


def narrowed(puzzle: Puzzle, model: Model, block: Block) -> tuple[Model, Longs]:
    """Return a puzzle's model restricted to the subsets in a block, and the kept options' numbers.

    Options of pieces that no subset in the block uses are dropped, and so are options that omit a
    piece that every subset uses.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-3x20")
    >>> less, kept = narrowed(puzzle, exactile.lower(puzzle), Block((0,) * 12, (0,) + 11 * (1,)))
    >>> less.options, kept[:3].tolist()
    (1092, [144, 145, 146])
    """
    choice = set(puzzle.omission.names) if puzzle.omission else set()
    own = np.array([p.name not in choice for p in puzzle.pieces])
    low, high = np.array(block.lower), np.array(block.upper)
    n = model.meaning.pieces
    lower, upper = model.lower.copy(), model.upper.copy()
    lower[:n] = np.where(own, low, lower[:n])
    upper[:n] = np.where(own, high, upper[:n])
    keep = np.append(high > 0, True)[placed_pieces(model)]
    for k in np.flatnonzero(~own & (low > 0)).tolist():
        options = model.options_with(k)
        keep[options[placed_pieces(model)[options] < 0]] = False
    members = keep[model.option_of]
    kept = np.flatnonzero(keep)
    less = replace(
        model,
        lower=lower,
        upper=upper,
        first=np.concatenate([[0], np.cumsum(np.diff(model.first)[kept])]),
        members=model.members[members],
        colors=model.colors[members],
    )
    return less, kept
