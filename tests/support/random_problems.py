"""Small random problems for counting, and all their solutions by brute force."""

from __future__ import annotations

import random

import numpy as np

from exactile.model.condense import CountProblem

BOUNDS = [(1, 1), (1, 1), (0, 1), (0, 1), (0, 2), (1, 2), (2, 2), (0, 9), (1, 9), (3, 5)]


def problem_of(
    options: list[list[int]],
    lower: list[int],
    upper: list[int],
    colors: list[dict[int, int]] | None = None,
) -> CountProblem:
    """Return a problem that is given as lists; an option may repeat items or be empty."""
    paints = colors or [{}] * len(options)
    return CountProblem(
        lower=np.array(lower, dtype=np.int32),
        upper=np.array(upper, dtype=np.int32),
        first=np.cumsum([0, *map(len, options)], dtype=np.int64),
        members=np.array([i for row in options for i in row], dtype=np.int32),
        colors=np.array(
            [paint.get(i, 0) for row, paint in zip(options, paints, strict=True) for i in row],
            dtype=np.int32,
        ),
        kept=np.arange(len(lower)),
        pieces=0,
    )


def random_problem(seed: int) -> CountProblem:
    """Return up to 6 items and 9 options: bounds, colors, repeated items, empty options."""
    rng = random.Random(seed)
    bounds = [rng.choice(BOUNDS) for _ in range(rng.randint(1, 6))]
    items = range(len(bounds))
    painted = [i for i in items if bounds[i] == (0, 1) and rng.random() < 0.6]
    options: list[list[int]] = []
    colors: list[dict[int, int]] = []
    for _ in range(rng.randint(0, 9)):
        least = 0 if rng.random() < 0.1 else 1
        row = rng.sample(items, rng.randint(least, min(len(items), 3)))
        colors.append({i: rng.randint(1, 3) for i in row if i in painted and rng.random() < 0.8})
        twice = [i for i in row if i not in colors[-1] and rng.random() < 0.2]
        options.append(sorted(row + twice))
    return problem_of(options, [b[0] for b in bounds], [b[1] for b in bounds], colors)


def brute_force(problem: CountProblem) -> set[frozenset[int]]:
    """Return all solutions by trying all sets of options, straight from the definition."""
    uses: list[list[tuple[int, int]]] = [
        list(
            zip(
                problem.members[start:end].tolist(),
                problem.colors[start:end].tolist(),
                strict=True,
            )
        )
        for start, end in zip(problem.first[:-1], problem.first[1:], strict=True)
    ]
    found = set()
    for mask in range(1 << len(uses)):
        chosen = [o for o in range(len(uses)) if mask >> o & 1]
        present = [use for o in chosen for use in uses[o]]
        if all(_holds(problem, i, [c for j, c in present if i == j]) for i in range(problem.items)):
            found.add(frozenset(chosen))
    return found


def _holds(problem: CountProblem, item: int, colors: list[int]) -> bool:
    """Return whether an item may be used like this: one entry a use, 0 for no color."""
    if any(colors):
        return len(set(colors)) == 1
    return bool(problem.lower[item] <= len(colors) <= problem.upper[item])
