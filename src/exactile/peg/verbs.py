"""Peg solitaire from every start that is meant."""

from __future__ import annotations

from exactile.peg.boards import load_board
from exactile.peg.limits import PegLimits
from exactile.peg.play import Play, PlayOutcome, PlaySettings
from exactile.peg.starts import alike, problems


def solve_peg(
    board: str,
    start: int | None = None,
    end: int | None = None,
    *,
    limit: int | None = 1,
    settings: PlaySettings | None = None,
    time_limit: float | None = None,
) -> list[PlayOutcome]:
    """Solve peg solitaire; return what came of each start, in the order of the holes.

    Parameters
    ----------
    board
        See `load_board`.
    start, end
        See `exactile.peg.starts.problems`: holes from 1.
    limit
        Stop after so many solutions of a start; None finds all.
    settings
        How it is solved.
    time_limit
        Seconds for all of them together.

    Raises
    ------
    NotFoundError, PuzzleError
        If there is no such board or hole.

    Examples
    --------
    >>> [outcome.status.value for outcome in solve_peg("triangle-4")][:3]
    ['unsolvable', 'solvable', 'solvable']
    """
    limits = PegLimits(time_limit)
    every = problems(load_board(board), start, end)
    outcomes: list[PlayOutcome] = []
    for problem, (first, symmetry) in zip(every, alike(every), strict=True):
        if first < len(outcomes) and limit is not None:
            outcomes.append(outcomes[first].moved(problem, symmetry))
        else:
            outcomes.append(Play(problem, settings, limits).run(limit))
    return outcomes
