"""Checks of challenges (puzzles with clues) by other methods than those of their design.

They confirm that a challenge has one solution, that each clue is needed, and that fewer clues leave
several solutions.
"""

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
"""Bytes of memory to count solutions with a memo; if this is too little, `SOLVER` lists them."""

SOLVER = "sat"
"""The name of a backend that shares no search with the native engine."""


def counted_apart(puzzle: Puzzle, limits: Limits) -> tuple[int | None, str]:
    """Count the solutions of a puzzle with a memo; return their number and the method, ``"memo"``.

    If the memory is too small, the result is ``(None, "")``. Raise TimeoutError if a limit is
    reached.
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
    """Check that `solution` is the only solution of `puzzle`; return the method or backend used.

    The model is made anew from the puzzle. Raise CheckFailedError if `solution` is wrong or not the
    only one, and TimeoutError if a limit is reached.
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
    """Check that each clue of a challenge is needed: without it, there is another solution.

    `witnesses`: for each clue, the other solution. It is checked against the rules of the puzzle,
    without the model. Raise CheckFailedError if one of these solutions is wrong.
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
    """Return whether each set of `size` clues that hold in a solution also holds in another one.

    If so, no `size` clues leave a single solution. Unlike the design of challenges, this uses no
    hitting sets, but counts solutions for each choice of clues.

    `rows`: for each solution, the clues that hold in it. `above`: only clues with larger numbers
    are chosen. `pulse`: called at each step; an exception that it raises ends the work.

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
