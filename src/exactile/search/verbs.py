"""What one can ask of a puzzle: a solution, or a list of them."""

from __future__ import annotations

from typing import Unpack

from exactile.answers import SolutionList
from exactile.doors import door
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.search.case import Case
from exactile.search.search import Options, Search


@door
def solve_one(puzzle: Puzzle | Case, **options: Unpack[Options]) -> Solution | None:
    """Return a solution, None if none was found: ask `prove` whether there is any.

    Examples
    --------
    >>> import exactile
    >>> len(exactile.solve_one(exactile.load("pentominoes-6x10")))
    12
    """
    with Search(puzzle, limit=1, **options) as search:
        return next(search, None)


@door
def find_solutions(
    puzzle: Puzzle | Case,
    *,
    limit: int | None = None,
    up_to: str | None = None,
    **options: Unpack[Options],
) -> SolutionList:
    """Return solutions in customary coordinates, with all that is known about the search.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    limit
        Stop after this number of solutions; None finds all.
    up_to
        ``"rotation"`` or ``"symmetry"``: give only the first solution of each orbit.
    options
        See `Search`.

    Examples
    --------
    >>> import exactile
    >>> found = exactile.find_solutions(exactile.load("tetrahexes-4x7"), up_to="symmetry")
    >>> len(found.solutions), found.status.value
    (9, 'complete')
    """
    with Search(puzzle, limit=limit, up_to=up_to, **options) as search:
        return search.answer(list(search), up_to)
