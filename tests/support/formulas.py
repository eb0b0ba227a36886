"""Formulas of models, written in the plainest way, for tests of proofs.

Option o has the variable o + 1. An item that must be covered k times of n gets a clause for each
set of n - k + 1 options, one that may be covered k times a clause for each set of k + 1; if these
are too many, the sequential counter of PySAT instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
from pysat.card import CardEnc, EncType

from exactile.model import Model
from exactile.model.model import Ints

Clauses = list[tuple[int, ...]]

MOST = 5000
"""Clauses for a bound, before a counter is taken."""


def variables(model: Model) -> Ints:
    """Return the variable of each option."""
    return np.arange(1, model.options + 1, dtype=np.int32)


def at_most(bound: int, literals: list[int], top: int) -> Clauses:
    """Return clauses for a bound; those of a counter use variables above `top`."""
    if bound < 0:
        return [()]
    if bound >= len(literals):
        return []
    if bound == 1 or comb(len(literals), bound + 1) <= MOST:
        return [tuple(-x for x in chosen) for chosen in combinations(literals, bound + 1)]
    counter = CardEnc.atmost(literals, bound, top_id=top, encoding=EncType.seqcounter)
    return [tuple(clause) for clause in counter.clauses]


def clauses(model: Model) -> Clauses:
    """Return clauses whose solutions are those of a model without colors."""
    found: Clauses = []
    top = model.options
    for item in range(model.items):
        options = (model.options_with(item) + 1).tolist()
        low, high = int(model.lower[item]), int(model.upper[item])
        for bound, literals in ((high, options), (len(options) - low, [-o for o in options])):
            added = at_most(bound, literals, top)
            top = max(top, max((abs(x) for clause in added for x in clause), default=0))
            found += added
    # Several items often exclude the same pair.
    return list(dict.fromkeys(found))


def blocking(model: Model, solution: Collection[int]) -> tuple[int, ...]:
    """Return the clause that forbids a solution."""
    rest = [] if model.pinned else sorted(set(range(model.options)) - set(solution))
    return (*(-o - 1 for o in solution), *(o + 1 for o in rest))


def write_formula(
    path: Path,
    model: Model,
    *,
    excluded: Iterable[int] = (),
    chosen: Iterable[int] = (),
    solutions: Iterable[Collection[int]] = (),
) -> Path:
    """Write the formula of a model whose solutions are forbidden."""
    given = [(-int(o) - 1,) for o in excluded] + [(int(o) + 1,) for o in chosen]
    every = clauses(model) + given + [blocking(model, solution) for solution in solutions]
    top = max((abs(x) for clause in every for x in clause), default=0)
    lines = [" ".join(map(str, [*clause, 0])) for clause in every]
    path.write_text("\n".join([f"p cnf {max(top, model.options)} {len(lines)}", *lines]) + "\n")
    return path
