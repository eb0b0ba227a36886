"""Scores of the backends of a comparison, and of the virtual best of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from statistics import fmean, median
from typing import NamedTuple

from exactile.answers import ComparedRun, ComparisonAnswer

VIRTUAL_BEST = "virtual best"

Times = Mapping[str, Sequence[float | None]]
"""For each backend its seconds on each puzzle, None if it did not finish."""


class Cell(NamedTuple):
    """The runs of one backend on one puzzle."""

    runs: tuple[ComparedRun, ...]
    penalized: float | None  # median of seconds, twice the limit if not finished; None if not run
    seconds: float | None  # the same, None if the median run did not finish


class Score(NamedTuple):
    """The score of a backend.

    - `puzzles`, `solved`: number of puzzles on which it ran, and that it finished.
    - `par2`: mean of its seconds, twice the limit where it did not finish; None if it never ran.
    - `fastest`, `alone`: number of puzzles that it finished first, and as the only one.
    - `margin`: seconds by which PAR2 of the virtual best would be longer without it.
    """

    backend: str
    puzzles: int
    solved: int
    par2: float | None
    fastest: int = 0
    alone: int = 0
    margin: float = 0.0


class Scores:
    """The scores of the backends of a comparison.

    Examples
    --------
    >>> import exactile
    >>> answer = exactile.compare([exactile.load("dominoes-4x4")], ["dlx", "reference"], task="all")
    >>> scores = Scores(answer)
    >>> sorted((score.backend, score.solved) for score in scores.ranking)
    [('dlx', 1), ('reference', 1), ('virtual best', 1)]
    """

    def __init__(self, answer: ComparisonAnswer) -> None:
        self.answer = answer
        given: dict[tuple[str, str], list[ComparedRun]] = {}
        self.family: dict[str, str] = {}  # of puzzles that have runs
        for run in answer.runs:
            given.setdefault((run.puzzle, run.backend), []).append(run)
            self.family[run.puzzle] = run.family or "others"
        self.cells = {
            (puzzle, backend): self._cell(given.get((puzzle, backend), []))
            for puzzle in answer.puzzles
            for backend in answer.backends
        }

    def _cell(self, runs: list[ComparedRun]) -> Cell:
        ran = [run for run in runs if run.end != "missing"]
        if not ran:
            return Cell(tuple(runs), None, None)
        limit = self.answer.time_limit
        penalized = median(
            run.seconds if run.end == "finished" and run.seconds is not None else 2 * limit
            for run in ran
        )
        solved = 2 * sum(run.end == "finished" for run in ran) > len(ran)
        return Cell(tuple(runs), penalized, penalized if solved else None)

    @cached_property
    def times(self) -> Times:
        """The seconds of each backend on each puzzle."""
        return {
            backend: [self.cells[puzzle, backend].seconds for puzzle in self.answer.puzzles]
            for backend in self.answer.backends
        }

    @property
    def families(self) -> dict[str, list[str]]:
        """The puzzles of each family."""
        found: dict[str, list[str]] = {}
        for puzzle, family in self.family.items():
            found.setdefault(family, []).append(puzzle)
        return found

    def score(self, backend: str, puzzles: Iterable[str] | None = None) -> Score:
        """Return the score of a backend on some puzzles, without comparing it with others."""
        cells = [self.cells[puzzle, backend] for puzzle in puzzles or self.answer.puzzles]
        return _score(backend, cells)

    def best(self, puzzles: Iterable[str] | None = None, without: str = "") -> Score:
        """Return the score of the virtual best: on each puzzle the fastest other than `without`."""
        backends = [backend for backend in self.answer.backends if backend != without]
        cells = []
        for puzzle in puzzles or self.answer.puzzles:
            own = [self.cells[puzzle, backend] for backend in backends]
            ran = [cell for cell in own if cell.penalized is not None]
            if ran:
                cells.append(min(ran, key=lambda c: (c.seconds is None, c.penalized)))
        return _score(VIRTUAL_BEST, cells)

    @cached_property
    def ranking(self) -> list[Score]:
        """The score of each backend, the best first, then that of the virtual best."""
        best = self.best()
        found = [self._contributed(self.score(name), best) for name in self.answer.backends]
        found.sort(key=lambda s: (s.par2 is None, s.par2))
        return [*found, best]

    def _contributed(self, score: Score, best: Score) -> Score:
        """Return a score with the backend's contribution to the virtual best."""
        fastest = alone = 0
        for puzzle in self.answer.puzzles:
            times = {b: self.cells[puzzle, b].seconds for b in self.answer.backends}
            known = [t for t in times.values() if t is not None]
            mine = times[score.backend]
            fastest += mine is not None and mine == min(known)
            alone += mine is not None and len(known) == 1
        rest = self.best(without=score.backend)
        margin = 0.0
        if best.par2 is not None and rest.par2 is not None and rest.puzzles == best.puzzles:
            margin = rest.par2 - best.par2
        return score._replace(fastest=fastest, alone=alone, margin=margin)


def _score(backend: str, cells: Sequence[Cell]) -> Score:
    ran = [cell.penalized for cell in cells if cell.penalized is not None]
    solved = sum(cell.seconds is not None for cell in cells)
    return Score(backend, len(ran), solved, fmean(ran) if ran else None)
