"""Proofs that a sudoku has no other solution: a formula from the definition, and a DRUP proof."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exactile.atomic import written
from exactile.certificate.checker import check_proof
from exactile.classics.grids.lower import sudoku_model
from exactile.classics.grids.sudoku import Grid, Sudoku
from exactile.errors import CertificateError
from exactile.reasons.refuter import refute
from exactile.search.limits import Limits

FORMULA = "formula.cnf"
PROOF = "proof.drup"


class Proven(NamedTuple):
    """The claim of a proof."""

    # All solutions: the formula forbids them, and the proof shows that it has no others
    solutions: list[Grid]
    lemmas: int  # the length of the proof


def clauses(sudoku: Sudoku, forbidden: list[Grid]) -> list[tuple[int, ...]]:
    """Return the clauses that hold for every solution but the forbidden ones.

    With n digits, variable ``n * cell + digit`` says that the cell has the digit; cells are counted
    from 0, row by row, digits from 1.

    >>> from exactile.classics.grids.layout import boxed
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

    The proof is checked before it is kept. None if the time is over first; then nothing is kept.
    Raise CertificateError if the directory is not empty.
    """
    try:
        directory.mkdir(parents=True)
    except FileExistsError:
        raise CertificateError(f"{directory}: it exists already: name a new directory.") from None
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
        checked = check_proof(formula, proof)
    except BaseException:
        for path in (formula, proof):
            path.unlink(missing_ok=True)
        directory.rmdir()
        raise
    return Proven(solutions, checked.lemmas)


def _text(sudoku: Sudoku, solutions: list[Grid]) -> str:
    """Return the formula as a file."""
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
