"""Verdicts on sudokus: uniqueness, redundant givens, and proofs that no solution is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from exactile.answers import INTERRUPTED, SudokuAnswer, SudokuFile
from exactile.atomic import written
from exactile.certificate.checker import check_proof
from exactile.classics.grids.reader import Variant, read_sudokus
from exactile.classics.grids.search import (
    KINDS,
    SudokuSearch,
    SudokuVerdict,
    judge,
    sudoku_model,
    superfluous,
)
from exactile.classics.grids.sudoku import Grid, Sudoku
from exactile.doors import door
from exactile.errors import CertificateError, PuzzleError, UnfinishedError
from exactile.reasons.refuter import refute
from exactile.search.limits import TIME_LIMIT, Limits

FORMULA = "formula.cnf"
PROOF = "proof.drup"


class Proven(NamedTuple):
    """All solutions of a sudoku, and the length of the proof that there are no others."""

    # All solutions: the formula forbids them, and the proof shows that it has no others
    solutions: list[Grid]
    lemmas: int  # the length of the proof


def clauses(sudoku: Sudoku, forbidden: list[Grid]) -> list[tuple[int, ...]]:
    """Return clauses that are satisfied by exactly the solutions not in `forbidden`.

    With n digits, variable ``n * cell + digit`` is true if the cell has the digit; cells are
    counted from 0, row by row, digits from 1.

    >>> from exactile.classics.grids.sudoku import boxed
    >>> len(clauses(Sudoku(boxed(4, (2, 2)), (1,) + (0,) * 15), []))
    385
    """
    n = sudoku.layout.size
    groups = [[n * cell + d for d in range(1, n + 1)] for cell in range(n * n)]
    for house in sudoku.layout.houses:
        groups += [[n * cell + d for cell in house.cells] for d in range(1, n + 1)]
    found: list[tuple[int, ...]]
    found = [(n * cell + d,) for cell, d in enumerate(sudoku.givens) if d]
    found += [tuple(group) for group in groups]
    pairs = {(-a, -b) for group in groups for a, b in combinations(group, 2)}
    found += sorted(pairs, reverse=True)
    return found + [tuple(-n * cell - d for cell, d in enumerate(grid)) for grid in forbidden]


def prove_solutions(
    sudoku: Sudoku, directory: Path, *, limits: Limits | None = None
) -> Proven | None:
    """Find all solutions, and write a formula and a proof that there are no others.

    Both files go to the new directory `directory`. The proof is checked. If the time limit is
    reached before that is done, return None and keep no files. `limits`: None for no limit. Raise
    CertificateError if the directory exists or the check fails, BackendError if memory does not
    suffice. After any error, no files are kept.
    """
    try:
        directory.mkdir(parents=True)
    except FileExistsError:
        raise CertificateError(f"{directory}: it exists already: name a new directory.") from None
    limits = limits or Limits()
    lowered = sudoku_model(sudoku)
    formula, proof = directory / FORMULA, directory / PROOF
    variables = (lowered.entries + 1).astype(np.int32)
    try:
        found = refute(lowered.model, proof, variables=variables, limits=limits)
        if not found.finished:
            directory.rmdir()
            return None
        solutions = [lowered.grid(options) for options in found.solutions]
        with written(formula) as stream:
            stream.write(_text(sudoku, solutions))
        checked = check_proof(formula, proof, heartbeat=lambda _: limits.require())
    except BaseException as error:
        for path in (formula, proof):
            path.unlink(missing_ok=True)
        directory.rmdir()
        if isinstance(error, TimeoutError):
            return None
        raise
    return Proven(solutions, checked.lemmas)


def _text(sudoku: Sudoku, solutions: list[Grid]) -> str:
    """Return the formula of a proof as DIMACS text: the sudoku, with its solutions forbidden."""
    n = sudoku.layout.size
    rows = clauses(sudoku, solutions)
    layout = sudoku.layout
    kinds = sorted({layout.name(house).split()[0] for house in layout.houses})
    regions = " ".join(str(region + 1) for region in layout.regions)
    head = [
        f"c sudoku of {n} by {n}: {sudoku.text(sudoku.givens)}",
        f"c variable {n} * cell + digit: cells from 0, row by row, digits from 1",
        f"c every digit once in every {', '.join(kinds)}; one digit in every cell",
        *([f"c the region of each cell: {regions}"] if layout.boxes is None else []),
        *(f"c forbidden: {sudoku.text(grid)}" for grid in solutions),
        f"p cnf {n**3} {len(rows)}",
    ]
    return "\n".join(head + [" ".join(map(str, (*row, 0))) for row in rows]) + "\n"


class Examination(NamedTuple):
    """The results of `examine_sudoku` for one sudoku."""

    verdict: SudokuVerdict  # its kind
    # The cells of redundant givens, if requested and if it is unique
    superfluous: list[int] | None = None
    lemmas: int | None = None  # length of the proof that there is no other solution, if requested
    stopped: str | None = None  # why it is not known which givens are redundant, if requested


def examine_sudoku(
    sudoku: Sudoku,
    *,
    minimal: bool = False,
    proof: Path | None = None,
    watch: Callable[[Any], None] | None = None,
    time_limit: float | None = None,
    **settings: Any,
) -> Examination:
    """Decide whether a sudoku is unique, ambiguous or contradictory, and answer further questions.

    `minimal`: whether to look for redundant givens. `proof`: a new directory for a proof that there
    is no other solution; None for no proof. `watch`: called with the running search. `time_limit`:
    seconds for everything; None for no limit. `settings`: as for `judge`. With `proof`, raise
    PuzzleError if the sudoku has several solutions or the time limit is reached before the proof is
    complete, CertificateError if the directory exists.

    >>> sudoku = next(read_sudokus(StringIO("1..4.4.223.1..2.")))
    >>> found = examine_sudoku(sudoku, minimal=True)
    >>> found.verdict.kind, len(found.superfluous)
    ('unique', 7)
    """
    limits = Limits(time_limit)
    verdict = judge(sudoku, watch=watch, limits=limits.rest(2), **settings)
    lemmas = None if proof is None else _proven(verdict, proof, limits)
    if not (minimal and verdict.kind == "unique"):
        return Examination(verdict, None, lemmas)
    try:
        return Examination(verdict, superfluous(sudoku, limits=limits, **settings), lemmas)
    except UnfinishedError:
        return Examination(verdict, None, lemmas, TIME_LIMIT)


def _proven(verdict: SudokuVerdict, directory: Path, limits: Limits) -> int:
    """Write a proof that a sudoku has no solution except those found; return its length.

    Raise PuzzleError if the sudoku is ambiguous, or the time limit is reached first.
    """
    if verdict.kind == "ambiguous":
        raise PuzzleError("There is nothing to prove: the sudoku has more than one solution.")
    proven = prove_solutions(verdict.sudoku, directory, limits=limits)
    if proven is None:
        raise PuzzleError("The time limit came before the end of the proof: allow more time.")
    return proven.lemmas


@door
def solve_sudoku(text: str, variant: Variant | None = None, **settings: Any) -> SudokuVerdict:
    """Decide whether a sudoku is unique, ambiguous or contradictory; find up to two solutions.

    Parameters
    ----------
    text
        The cells, as in a sudoku file: on one line, or a line for each row. Only the first sudoku
        is solved.
    variant
        The variant of the rules, if the text does not state it; by default, the usual boxes.
    settings
        See `judge`.

    Raises
    ------
    FileError
        If the text is not a sudoku.
    PuzzleError, BackendError
        If a setting is wrong: see `SudokuSearch`.

    Examples
    --------
    >>> verdict = solve_sudoku("1..4.4.223.1..2.")
    >>> verdict.kind, verdict.sudoku.text(verdict.solutions[0])
    ('unique', '1234341223414123')
    """
    sudoku = next(read_sudokus(StringIO(text), variant, "The text"))
    return judge(sudoku, **settings)


def examined_answer(found: Examination) -> SudokuAnswer:
    """Return the results of `examine_sudoku` in the form that is printed as JSON."""
    verdict, sudoku = found.verdict, found.verdict.sudoku
    return SudokuAnswer(
        line=sudoku.line,
        status=verdict.kind,
        givens=sudoku.text(sudoku.givens),
        solutions=tuple(sudoku.text(grid) for grid in verdict.solutions),
        differing=tuple(_place(sudoku, cell) for cell in verdict.differing),
        reason=verdict.reason,
        lemmas=found.lemmas,
        superfluous=None
        if found.superfluous is None
        else tuple(_place(sudoku, cell) for cell in found.superfluous),
        stopped=verdict.stopped if verdict.kind in ("solvable", "unknown") else found.stopped,
        stats=verdict.stats,
    )


def listed_answer(search: SudokuSearch, solutions: Sequence[str]) -> SudokuAnswer:
    """Return the given solutions of a search in the form that is printed as JSON.

    Each solution is a line of characters: see `Sudoku.text`.
    """
    return SudokuAnswer(
        line=search.sudoku.line,
        status=search.kind,
        givens=search.sudoku.text(search.sudoku.givens),
        found=search.found,
        solutions=tuple(solutions),
        stopped=search.stopped,
        stats=search.stats,
    )


def file_answer(
    name: str,
    backend: str,
    kinds: Counter[str],
    stopped: str | None,
    sudokus: Sequence[SudokuAnswer],
) -> SudokuFile:
    """Return the results for all sudokus of a file in the form that is printed as JSON.

    `kinds` has the number of sudokus of each kind, such as ``unique``.
    """
    return SudokuFile(
        file=name,
        backend=backend,
        **{kind: kinds[kind] for kind in KINDS},
        stopped=INTERRUPTED if stopped == INTERRUPTED else None,
        sudokus=tuple(sudokus),
    )


def _place(sudoku: Sudoku, cell: int) -> tuple[int, int]:
    """Return the row and the column, both from 1, of a cell, which is counted from 0."""
    row, column = divmod(cell, sudoku.layout.size)
    return row + 1, column + 1
