"""The answers about subsets of the pieces."""

from __future__ import annotations

from exactile.answers.base import Answer, Placements, Status
from exactile.answers.stats import Stats


class SubsetSolution(Answer, frozen=True, kw_only=True):
    """A subset of the pieces, with the number of uses of each, and a solution."""

    pieces: dict[str, int]
    solution: Placements


class SubsetSolutions(Answer, frozen=True, kw_only=True):
    """One solution of every subset of the pieces that has any.

    Attributes
    ----------
    method
        The method; see `exactile.surveys.subsets.search.METHODS`.
    subsets
        In the order of the search.
    puzzle, backend, status, stopped, reason, crossing, stats
        See `Count`.
    """

    puzzle: str
    backend: str
    method: str
    status: Status
    stopped: str | None = None
    reason: str | None = None
    crossing: bool = True
    subsets: tuple[SubsetSolution, ...] = ()
    stats: Stats = Stats()


class SubsetTally(Answer, frozen=True, kw_only=True):
    """The number of solutions of one subset.

    Attributes
    ----------
    pieces
        Number of uses of each of its pieces.
    raw
        Number of all solutions; None if there may be more.
    found
        Number of solutions found.
    rotation, symmetry
        Number of solutions of the puzzle with exactly these pieces, up to its proper symmetries and
        up to all of them.
    """

    pieces: dict[str, int]
    raw: int | None
    found: int
    rotation: int | None
    symmetry: int | None


class SubsetCounts(Answer, frozen=True, kw_only=True):
    """The number of solutions of each subset of the pieces.

    Attributes
    ----------
    subsets
        Number of subsets with solutions; None if unknown, like the next two.
    needed, unused
        The pieces that every subset has, and those that none has.
    by_pieces
        The subsets that were found: those of few pieces first, then those with many solutions.
    puzzle, backend, status, raw, rotation, symmetry, stopped, reason, crossing, stats
        See `Count`.
    """

    puzzle: str
    backend: str
    status: Status
    raw: int | None = None
    rotation: int | None = None
    symmetry: int | None = None
    stopped: str | None = None
    reason: str | None = None
    crossing: bool = True
    subsets: int | None = None
    needed: tuple[str, ...] | None = None
    unused: tuple[str, ...] | None = None
    by_pieces: tuple[SubsetTally, ...] = ()
    stats: Stats = Stats()


class SurveyedPuzzle(Answer, frozen=True, kw_only=True):
    """Whether some of the pieces cover a region, and how hard that is.

    Attributes
    ----------
    units
        Number of units of the region.
    difficulty
        ``"easy"``, ``"moderate"``, ``"difficult"`` or ``"impossible"``; None if not known.
    pieces
        The least and the greatest number of pieces.
    subsets
        Number of subsets with solutions.
    effort
        Nodes of the whole search, divided by the number of solutions.
    needed, unused
        See `SubsetCounts`.
    proof
        Why there is no solution, in words.
    example
        A subset of few pieces that has solutions.
    puzzle, status, raw, rotation, symmetry, stopped, stats
        See `Count`.
    """

    puzzle: str
    units: int
    status: Status
    difficulty: str | None = None
    pieces: tuple[int, int] | None = None
    subsets: int | None = None
    raw: int | None = None
    rotation: int | None = None
    symmetry: int | None = None
    effort: float | None = None
    needed: tuple[str, ...] | None = None
    unused: tuple[str, ...] | None = None
    proof: str | None = None
    example: dict[str, int] | None = None
    stopped: str | None = None
    stats: Stats = Stats()


class Survey(Answer, frozen=True, kw_only=True):
    """The results for several regions; `finished`: whether all were searched."""

    finished: bool
    puzzles: tuple[SurveyedPuzzle, ...]
