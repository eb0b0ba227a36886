"""Checks of claims about challenges, by separate code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from exactile.counting import count
from exactile.errors import CheckFailedError, CountingError
from exactile.puzzle.check import check, faults
from exactile.puzzle.puzzle import Placement, Puzzle, sorted_solution
from exactile.search.limits import Limits
from exactile.search.search import Search
from exactile.surveys.design.clues import Clues, Language

MEMORY = 500_000_000
"""Bytes for a count by a memo; if they do not suffice, `SOLVER` lists the solutions."""

SOLVER = "sat"
"""A backend that shares no search with the native engine."""


def counted_apart(puzzle: Puzzle, limits: Limits) -> tuple[int | None, str]:
    """Return the number of solutions, counted by a memo, and the name of the method.

    The number is None if the memory is too small. Raise TimeoutError if a limit is reached.
    """
    limits.require()
    try:
        counted = count(puzzle, method="memo", memory=MEMORY, limits=limits)
    except CountingError:
        return None, ""
    if counted.raw is None:
        limits.require()
        raise TimeoutError(counted.stopped or "")
    return counted.raw, "memo"


def require_one(puzzle: Puzzle, solution: Sequence[Placement], limits: Limits) -> str:
    """Check that this is the only solution of a challenge; return the method that counted them.

    The model is that of the challenge itself, not a part of the search of the whole puzzle. Raise
    CheckFailedError if there are others, TimeoutError if a limit is reached.
    """
    check(puzzle, sorted_solution(solution, puzzle.piece_index))
    number, method = counted_apart(puzzle, limits)
    if number is None:
        with Search(puzzle, backend=SOLVER, limits=limits.rest(2), use_symmetry=False) as search:
            for _ in search.batches():
                pass
        number, method = search.found, search.backend.name
        if not search.status.final and number < 2:
            raise TimeoutError(search.stopped or "")
    if number != 1:
        raise CheckFailedError(
            f"A challenge of {puzzle.name} has {number} solutions according to {method}, not one. "
            "This is a bug in Exactile or in the solver: please report it."
        )
    return method


def require_minimal(
    language: Language, clues: Clues, solution: Clues, witnesses: Mapping[int, Clues]
) -> None:
    """Raise unless each clue has a witness: another solution with all other clues.

    `Checker`, which does not use the model, decides whether these are solutions.
    """
    for clue in clues:
        witness = witnesses[clue]
        puzzle = language.challenge([c for c in clues if c != clue])
        placed = (*language.puzzle.fixed, *language.placements(witness))
        found = faults(puzzle, sorted_solution(placed, puzzle.piece_index))
        if found or witness == solution:
            raise CheckFailedError(
                f"Without one of its clues, a challenge of {language.puzzle.name} should have "
                f"another solution, but that is wrong: {'; '.join(found) or 'it is the same'}. "
                "This is a bug in Exactile: please report it."
            )


def all_shared(
    rows: npt.NDArray[np.integer],
    size: int,
    above: int = -1,
    pulse: Callable[[], None] = lambda: None,
) -> bool:
    """Return whether every choice of `size` clues of a solution also holds in another solution.

    Then no `size` clues leave one solution. `rows`: all solutions, as clues. `above`: only larger
    clues are chosen. An exception of `pulse` ends the work. This uses no hitting sets: it counts
    choices.

    >>> all_shared(np.array([[1, 2], [1, 3], [4, 2]]), 1)
    False
    >>> all_shared(np.array([[1, 2], [1, 3], [4, 2], [4, 3]]), 1)
    True
    """
    pulse()
    if size == 0:
        return len(rows) > 1
    clues, times = np.unique(rows[rows > above], return_counts=True)
    if size == 1:
        return bool((times > 1).all())
    return all(
        all_shared(rows[(rows == clue).any(axis=1)], size - 1, clue, pulse)
        for clue in clues.tolist()
    )
