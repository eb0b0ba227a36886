"""Formulas of models, written in the plainest way, for tests of proofs.

Option o has the variable o + 1. An item that must be covered k times of n gets a clause for each
set of n - k + 1 options; one that may be covered k times, a clause for each set of k + 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain, combinations
from pathlib import Path

import numpy as np

from exactile.model import Model

Clause = Iterable[int]


def variables(model: Model) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return the variable of each option."""
    return np.arange(1, model.options + 1, dtype=np.int32)


def clauses(model: Model) -> Iterator[Clause]:
    """Yield the clauses whose solutions are those of a model without colors."""
    apart: set[tuple[int, ...]] = set()
    for item in range(model.items):
        options = (model.options_with(item) + 1).tolist()
        low, high = int(model.lower[item]), int(model.upper[item])
        if low > 0:
            yield from (
                combinations(options, len(options) - low + 1) if low <= len(options) else [()]
            )
        if high == 1:  # several items often exclude the same pair
            apart.update(combinations(options, 2))
        elif high < len(options):
            for chosen in combinations(options, high + 1):
                yield [-o for o in chosen]
    for a, b in sorted(apart):
        yield (-a, -b)


def blocking(model: Model, solution: Collection[int]) -> Clause:
    """Return the clause that forbids a solution."""
    rest = [] if model.pinned else sorted(set(range(model.options)) - set(solution))
    return [*(-o - 1 for o in solution), *(o + 1 for o in rest)]


def write_formula(
    path: Path,
    model: Model,
    *,
    excluded: Iterable[int] = (),
    chosen: Iterable[int] = (),
    solutions: Iterable[Collection[int]] = (),
) -> Path:
    """Write the formula of a model whose solutions are forbidden."""
    units = chain(([-int(o) - 1] for o in excluded), ([int(o) + 1] for o in chosen))
    blocked = (blocking(model, solution) for solution in solutions)
    lines = [" ".join(map(str, [*c, 0])) for c in chain(clauses(model), units, blocked)]
    path.write_text("\n".join([f"p cnf {model.options} {len(lines)}", *lines]) + "\n")
    return path
