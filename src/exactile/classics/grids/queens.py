"""Queens that do not attack each other: the model, its symmetries, the search and the check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from exactile.answers import QueensAnswer
from exactile.answers.base import passed_on
from exactile.backends import Backend, Request
from exactile.counting.listing import Alternating
from exactile.counting.orbits import OrbitCount
from exactile.counting.plan import counts_unlisted
from exactile.doors import Seed, Workers, door
from exactile.errors import PuzzleError
from exactile.model.model import Longs, Meaning, Model
from exactile.model.orbits import Action, Assignments, OrbitCounter, Representatives
from exactile.plugins import DEFAULT_BACKEND
from exactile.search.cover import ModelProblem
from exactile.search.handle import Fault, Handle
from exactile.search.limits import Limits

LARGEST = 1000
"""Largest number of rows of a board: its model has a million options."""

LARGEST_TORUS = 200
"""Largest number of rows of a torus: it has 8 symmetries for each of its squares."""

Columns = tuple[int, ...]
"""A placement of queens: the column of the queen in each row, from 0."""


def queens_model(size: int, *, torus: bool = False) -> Model:
    """Return the model of placing n queens on an n x n board, where n is `size`.

    Option ``size * r + c`` is a queen in row r and column c. A row or column contains one queen and
    is a primary item, such as ``r0`` or ``c0``. A diagonal contains at most one and is a secondary
    item: ``a3`` has the cells with r + c = 3, ``b3`` those with r - c = 3. Diagonals of a single
    cell forbid nothing and are left out. On a torus, sums and differences are modulo the size.
    Raise PuzzleError if the size is not between 1 and `LARGEST`.

    >>> model = queens_model(4)
    >>> model.options, [model.meaning.labels[i] for i in model.option(1)]
    (16, ['r0', 'c1', 'a1', 'b-1'])
    """
    if not 1 <= size <= LARGEST:
        raise PuzzleError(f"There is no board of {size} rows: take 1 to {LARGEST}.")
    rows, columns = np.divmod(np.arange(size * size), size)
    sums, differences = rows + columns, rows - columns
    if torus:
        sums, differences = sums % size, differences % size
    bases = np.array([0, size, 3 * size, 6 * size])  # so that no two keys are equal by chance
    keys = np.stack([rows, columns, sums, differences], axis=1) + bases
    found, number, uses = np.unique(keys, return_inverse=True, return_counts=True)
    number = number.reshape(keys.shape)
    kind = np.empty(len(found), dtype=np.int64)
    kind[number] = np.arange(4)
    useful = (kind < 2) | (uses > 1)
    kept = useful[number]
    items = (np.cumsum(useful) - 1)[number]
    named = zip(kind[useful].tolist(), (found - bases[kind])[useful].tolist(), strict=True)
    return Model(
        lower=(kind < 2)[useful].astype(np.int32),
        upper=np.ones(int(useful.sum()), dtype=np.int32),
        first=np.concatenate([[0], np.cumsum(kept.sum(axis=1))]),
        members=items[kept].astype(np.int32),
        meaning=Meaning(tuple("rcab"[k] + str(value) for k, value in named)),
    )


def queens_action(model: Model, size: int, *, torus: bool = False) -> Action:
    """Return the action of the symmetries of the board: how they permute the model's options.

    The symmetries are the 8 isometries of the square; on a torus, each of them followed by each
    translation. Raise PuzzleError for a torus of more than `LARGEST_TORUS` rows.

    >>> [queens_action(queens_model(5, torus=t), 5, torus=t).order for t in (False, True)]
    [8, 200]
    """
    if torus and size > LARGEST_TORUS:
        raise PuzzleError(
            f"A torus of {size} rows has {8 * size**2:,} symmetries, which take too much memory: "
            f"take at most {LARGEST_TORUS} rows."
        )
    line = np.arange(size)
    shifts = range(size) if torus else [0]
    images, proper = [], []
    for swap, up, left in product((False, True), repeat=3):
        for down, right in product(shifts, shifts):
            to_row = ((line[::-1] if up else line) + down) % size
            to_column = ((line[::-1] if left else line) + right) % size
            # The new row comes from the old one, or from the old column if the two are exchanged.
            image = [size + to_column, to_row] if swap else [to_row, size + to_column]
            images.append(np.concatenate(image))
            proper.append((swap + up + left) % 2 == 0)
    return Action.on_items(model, np.array(images), np.array(proper))


@dataclass(frozen=True)
class QueensBoard:
    """A board for queens, with its model and symmetries, each computed once.

    Reading `model` or `action` raises PuzzleError if the size is less than 1 or too large.

    >>> board = QueensBoard(5, torus=True)
    >>> board.name, board.model.options, board.action.order
    ('queens 5 torus', 25, 200)
    """

    size: int  # number of rows
    torus: bool = False  # whether diagonals continue at the opposite side

    @property
    def name(self) -> str:
        """The name of the puzzle, such as ``queens 5 torus``."""
        return f"queens {self.size}{' torus' * self.torus}"

    @cached_property
    def model(self) -> Model:
        """The model of placing queens on this board: see `queens_model`."""
        return queens_model(self.size, torus=self.torus)

    @cached_property
    def action(self) -> Action:
        """The action of the board's symmetries on the options of the model."""
        return queens_action(self.model, self.size, torus=self.torus)


def attacks(columns: Longs, *, torus: bool = False) -> Longs:
    """Return the pairs of queens that attack each other, straight from the rules.

    `columns`: for each board, the column of the queen in each row; shape ``(boards, rows)``. The
    result has for each pair the index of the board and the rows of the two queens; shape
    ``(pairs, 3)``, in lexicographic order.

    >>> boards = np.array([[1, 3, 0, 2], [0, 2, 1, 3]])
    >>> attacks(boards).tolist(), attacks(boards[:1], torus=True).tolist()
    ([[1, 0, 3], [1, 1, 2]], [[0, 0, 3], [0, 1, 2]])
    """
    size = columns.shape[1]
    found = [np.zeros((0, 3), dtype=np.int64)]
    for down in range(1, size):
        across = columns[:, down:] - columns[:, :-down]
        slants = np.stack([down - across, down + across])
        wrong = (across == 0) | ((slants % size if torus else slants) == 0).any(axis=0)
        board, low = np.nonzero(wrong)
        found.append(np.column_stack([board, low, low + down]))
    pairs = np.concatenate(found)
    return pairs[np.lexsort(pairs.T[::-1])]


class QueensProblem(ModelProblem[Columns]):
    """The problem of listing all placements of queens, or one of each orbit, by a backend."""

    def __init__(
        self, board: QueensBoard, backend: str | Backend, request: Request, up_to: str | None
    ) -> None:
        super().__init__(f"{board.size} queens", board.model, backend, request)
        self.counter = OrbitCounter(board.action)
        self._size, self._torus = board.size, board.torus
        self._first = Representatives(board.action, up_to) if up_to else None

    def wanted(self, rows: Assignments) -> Assignments:
        self.counter.add(rows)
        return rows if self._first is None else rows[self._first.new(rows)]

    def fault(self, rows: Assignments) -> Fault | None:
        size = self._size
        filled = np.sort(rows, axis=1)[:, -size:].astype(np.int64)
        short = (rows >= 0).sum(axis=1) != size
        if not short.any():
            short = (filled // size != np.arange(size)).any(axis=1)
        if short.any():
            return Fault(int(short.argmax()), [f"these are not {size} queens, one in each row"])
        wrong = attacks(filled % size, torus=self._torus)
        if not len(wrong):
            return None
        number = int(wrong[0, 0])
        pairs = wrong[wrong[:, 0] == number, 1:].tolist()
        columns = self.answers(rows[number : number + 1])[0]
        return Fault(number, [f"of the queens in columns {columns}, those in rows {pairs} attack"])

    def answers(self, rows: Assignments) -> list[Columns]:
        sorted_rows = np.sort(rows, axis=1).tolist()
        return [tuple(o % self._size for o in row if o >= 0) for row in sorted_rows]


class QueensSearch(Handle[Columns]):
    """A search for placements of queens, each checked by separate code.

    See `exactile.search.handle.Handle`.

    Parameters
    ----------
    size
        Number of rows.
    torus
        Whether diagonals continue at the opposite side.
    up_to
        ``"rotation"`` or ``"symmetry"``: find one solution of each orbit. By default, find all.
    backend, limit, time_limit, seed, workers, watch, limits
        As for `exactile.classics.grids.search.SudokuSearch`.

    Attributes
    ----------
    name
        The name of the puzzle, such as ``"queens 8"``.
    counter
        Counts the solutions found, raw and up to symmetry.

    Raises
    ------
    PuzzleError
        If `size` is not from 1 to `LARGEST`, or to `LARGEST_TORUS` on a torus; if `up_to` has
        another value, a limit is not positive, or `limits` is given together with `limit` or
        `time_limit`.
    BackendError
        If there is no such backend.

    Examples
    --------
    >>> search = QueensSearch(6)
    >>> len(list(search)), search.counter.raw, search.counter.rotation, search.counter.symmetry
    (4, 4, 2, 1)
    """

    problem: QueensProblem

    @door
    def __init__(
        self,
        size: int,
        *,
        torus: bool = False,
        up_to: str | None = None,
        backend: str | Backend = DEFAULT_BACKEND,
        limit: int | None = None,
        time_limit: float | None = None,
        seed: Seed = 0,
        workers: Workers | None = None,
        watch: Callable[[QueensSearch], None] | None = None,
        limits: Limits | None = None,
    ) -> None:
        limits = Limits.chosen(limits, time_limit, limit)
        most = None if up_to else limits.number  # a backend does not know which ones count
        request = Request(limit=most, seed=seed, workers=workers)
        board = QueensBoard(size, torus)
        problem = QueensProblem(board, backend, request, up_to)
        super().__init__(problem, limits, watch=watch)
        self.name = board.name
        self.backend, self.model, self.counter = problem.backend, problem.model, problem.counter

    @door
    def answer(self, found: Sequence[Columns] | None = None) -> QueensAnswer:
        """Return the state of the search as an answer, with the solutions in `found`.

        The answer counts columns from 1. If `found` is None, it lists no solutions.
        """
        counter, known = self.counter, self.status.final
        return QueensAnswer(
            puzzle=self.name,
            backend=self.backend.name,
            status=self.status,
            stopped=self.stopped,
            raw=counter.raw if known else None,
            rotation=counter.rotation if known else None,
            symmetry=counter.symmetry if known else None,
            found=self.found,
            solutions=None
            if found is None
            else tuple(tuple(c + 1 for c in columns) for columns in found),
            stats=self.stats,
        )


@door
def count_queens(
    size: int,
    *,
    torus: bool = False,
    backend: str | Backend = DEFAULT_BACKEND,
    time_limit: float | None = None,
    seed: Seed = 0,
    workers: Workers | None = None,
    use_memo: bool = True,
    watch: Callable[[Any], None] | None = None,
) -> QueensAnswer:
    """Count the placements of queens that do not attack each other: all, and up to symmetry.

    A backend other than the default lists all placements. By default,
    `exactile.counting.listing.Alternating` counts all placements, and then, for one symmetry of
    each conjugacy class, those that the symmetry leaves unchanged (Burnside's lemma): see
    `exactile.counting.orbits`.

    Parameters
    ----------
    size, torus, backend, seed
        See `exactile.classics.grids.queens.QueensSearch`.
    time_limit
        Time limit in seconds; by default, there is none.
    workers, use_memo
        See `exactile.counting.listing.Alternating`.
    watch
        Called many times a second with the search or the method of counting.

    Raises
    ------
    PuzzleError
        If `size` is not from 1 to `LARGEST`, or to `LARGEST_TORUS` on a torus, or the time limit is
        not positive.
    BackendError
        If there is no such backend, or it fails.
    Interrupted
        If Ctrl-C stops the count; the exception has the answer so far.

    Examples
    --------
    >>> answer = count_queens(8)
    >>> answer.raw, answer.rotation, answer.symmetry
    (92, 24, 12)
    """
    limits = Limits(time_limit)
    if not counts_unlisted(backend):
        search = QueensSearch(
            size,
            torus=torus,
            backend=backend,
            seed=seed,
            workers=workers,
            watch=watch,
            limits=limits,
        )
        answer = search.counted().answer()
    else:
        answer = _unlisted(QueensBoard(size, torus), limits, workers, use_memo, watch)
    return passed_on(answer)


def _unlisted(
    board: QueensBoard,
    limits: Limits,
    workers: int | None,
    use_memo: bool,
    watch: Callable[[Any], None] | None,
) -> QueensAnswer:
    method = Alternating(use_memo=use_memo, workers=workers)
    counted = OrbitCount(board, method).run(limits, watch)
    return QueensAnswer(
        puzzle=board.name,
        backend=counted.backend,
        method=counted.method,
        status=counted.status,
        stopped=counted.stopped,
        raw=counted.raw,
        rotation=counted.rotation,
        symmetry=counted.symmetry,
        found=counted.found,
        stats=counted.stats,
    )
