"""Survey of many regions: which of them the pieces cover, and how difficult each is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from exactile.answers import INTERRUPTED, Status, SubsetCounts, SurveyedPuzzle
from exactile.puzzle.puzzle import Puzzle
from exactile.reasons.colorings.find import find_linear
from exactile.search.limits import Limits
from exactile.surveys.subsets.tally import count_by_subset, sizes

SURVEY_COLORING_SECONDS = 5.0
"""Seconds that a survey of regions looks for a coloring."""

SURVEY_COLORING_NODES = 100
"""Nodes searched in vain before a survey looks for a coloring."""


EASY, MODERATE = 6, 9
"""Shader's classes: up to 6 pieces easy, up to 9 moderate, more difficult."""


@dataclass(frozen=True)
class Finding:
    """The result for one puzzle.

    Attributes
    ----------
    puzzle
        The puzzle.
    count
        Its solutions by subset.
    proof
        Why it has no solution, in words, if it has none.
    """

    puzzle: Puzzle
    count: SubsetCounts
    proof: str | None

    @property
    def difficulty(self) -> str | None:
        """``"easy"``, ``"moderate"`` or ``"difficult"`` by the least number of pieces.

        ``"impossible"`` if there is no solution, None if not all was searched: fewer pieces may do.
        """
        if self.count.status is Status.UNSOLVABLE:
            return "impossible"
        word = difficulty(sizes(self.count)[0]) if self.count.by_pieces else None
        return word if self.count.status.final or word == "easy" else None

    @property
    def effort(self) -> float | None:
        """Nodes of the whole search for each solution: a better measure of difficulty.

        If solutions are spread evenly, about this many nodes are visited before the first one. None
        if the search is not complete.
        """
        nodes = self.count.stats.nodes
        if nodes is None or not self.count.status.final:
            return None
        return float(nodes) / ((self.count.raw or 0) + 1)

    @property
    def answer(self) -> SurveyedPuzzle:
        """The numbers, as an answer."""
        count = self.count
        final = count.status.final and bool(count.by_pieces)
        return SurveyedPuzzle(
            puzzle=count.puzzle,
            units=len(self.puzzle.region),
            status=count.status,
            difficulty=self.difficulty,
            pieces=sizes(count) if final else None,
            subsets=count.subsets,
            raw=count.raw,
            rotation=count.rotation,
            symmetry=count.symmetry,
            effort=self.effort,
            needed=count.needed if final else None,
            unused=count.unused if final else None,
            proof=self.proof,
            example=count.by_pieces[0].pieces if count.by_pieces else None,
            stopped=count.stopped,
            stats=count.stats,
        )


def difficulty(pieces: int) -> str:
    """Return Shader's word for puzzles that need a number of pieces.

    Examples
    --------
    >>> difficulty(6), difficulty(9), difficulty(10)
    ('easy', 'moderate', 'difficult')
    """
    if pieces <= EASY:
        return "easy"
    return "moderate" if pieces <= MODERATE else "difficult"


def survey(
    puzzles: Iterable[Puzzle],
    *,
    time_limit: float | None = None,
    coloring: bool = True,
    watch: Callable[[Any], None] | None = None,
    count: Callable[[Puzzle], SubsetCounts] | None = None,
) -> Iterator[Finding]:
    """Yield the result for each puzzle, in order.

    Each is searched for all solutions. Ctrl-C ends the survey with `KeyboardInterrupt`, after
    yielding the results so far.

    Parameters
    ----------
    puzzles
        The puzzles.
    time_limit
        Time limit for each of them, in seconds.
    coloring
        Whether to look for a coloring as a shorter proof, where a search found nothing.
    watch
        Called with the running search at every heartbeat.
    count
        The function that counts the solutions of a puzzle, in place of `count_by_subset`.

    Examples
    --------
    >>> import exactile
    >>> [(f.difficulty, sizes(f.count)) for f in survey([exactile.load("shader-star")])]
    [('moderate', (8, 8))]
    """
    for puzzle in puzzles:
        limits = Limits(time_limit).rest()
        counted = (
            count(puzzle)
            if count
            else count_by_subset(puzzle, time_limit=time_limit, use_symmetry=False, watch=watch)
        )
        if counted.stopped == INTERRUPTED:
            yield Finding(puzzle, counted, None)
            raise KeyboardInterrupt
        yield Finding(puzzle, counted, _proof(puzzle, counted, limits if coloring else None))


def _proof(puzzle: Puzzle, count: SubsetCounts, limits: Limits | None) -> str | None:
    """Return why there is no solution, if there is none: by a look, a coloring, a search."""
    if count.status is not Status.UNSOLVABLE:
        return None
    if count.reason is not None:
        return count.reason
    nodes = count.stats.nodes or 0
    found = None
    if limits is not None and not limits.reached() and nodes >= SURVEY_COLORING_NODES:
        found = find_linear(puzzle, limits=limits.within(SURVEY_COLORING_SECONDS)).certificate
    if found is not None:
        return f"a coloring forbids it ({found.kind})"
    return f"all was searched: {nodes:,} nodes"
