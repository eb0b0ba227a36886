"""Formulas as text in the DIMACS format."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from exactile.model.encode import Formula
from exactile.model.model import Ints

CHUNK = 1_000_000
"""Number of literals turned into text at once."""


def header(formula: Formula, *, more: int = 0) -> str:
    """Return the header with the numbers of variables and clauses, `more` of them to follow."""
    return f"p cnf {formula.variables} {formula.size + more}\n"


def clause_lines(literals: Ints, prefix: str = "") -> Iterator[str]:
    r"""Yield clauses as text in large parts, one clause on each line.

    `literals`: clauses one after the other, each ended by 0. `prefix`: what each line begins with.

    Examples
    --------
    >>> "".join(clause_lines(np.array([1, -20, 0, 0, 3, 0], dtype=np.int32)))
    '1 -20 0\n0\n3 0\n'
    >>> "".join(clause_lines(np.array([1, 0, 2, 0], dtype=np.int32), "h "))
    'h 1 0\nh 2 0\n'
    """
    ends = np.flatnonzero(literals == 0) + 1
    start = 0
    while start < len(literals):
        after = int(np.searchsorted(ends, start + CHUNK))
        end = int(ends[min(after, len(ends) - 1)])
        words = ["0\n" if x == 0 else str(x) for x in literals[start:end].tolist()]
        lines = " ".join(words).replace("\n ", "\n")
        yield prefix + lines[:-1].replace("\n", f"\n{prefix}") + "\n" if prefix else lines
        start = end
