"""Counts that can be stopped, written down, and resumed: nothing is lost or counted twice."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from exactile.backends.base import Left, Prefix
from exactile.backends.dlx import DlxBackend
from exactile.clock import CLOCK
from exactile.counting.shares import Share, ShareCounter, add, numbers
from exactile.errors import PuzzleError
from exactile.model.orbits import Assignments
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.search.case import Case
from exactile.search.search import Search


class TallyState(msgspec.Struct):
    """All that a count knows when it is stopped; plain numbers and words.

    Attributes
    ----------
    digest
        Of the model: a state belongs to one model.
    prefixes
        What is not searched yet, each with its weight.
    shares
        The numbers found, by the omitted pieces (``""`` if none is omitted).
    found, checked
        Solutions that the search returned, and how many of them were checked.
    nodes, seconds
        Nodes visited, and processor time.
    done
        The part of the tree that is searched.
    example
        The options of the first solution.
    symmetric
        Whether only one branch of each orbit is searched.
    """

    digest: str
    prefixes: list[tuple[list[int], float]]
    shares: dict[str, Share] = {}
    found: int = 0
    checked: int = 0
    nodes: int = 0
    seconds: float = 0.0
    done: float = 0.0
    example: list[int] | None = None
    symmetric: bool = False

    @property
    def finished(self) -> bool:
        """Whether all is searched."""
        return not self.prefixes

    @property
    def raw(self) -> int:
        """Number of solutions so far, with those that symmetry gives."""
        return sum(share.raw for share in self.shares.values())


class Tally:
    """A count of a puzzle's solutions by the native search that goes on where a state ends.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    state
        Where an earlier count of it was stopped.

    Raises
    ------
    PuzzleError
        If the state belongs to another model.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("soma-cube")
    >>> first = Tally(puzzle)
    >>> first.run(nodes=100)
    >>> first.state.finished
    False
    >>> second = Tally(puzzle, first.state)
    >>> second.run()
    >>> second.counts()[""]
    (11520, 480, 240)
    """

    def __init__(self, puzzle: Puzzle | Case, state: TallyState | None = None) -> None:
        self.case = Case.of(puzzle)
        self.puzzle, self.model, self.action = self.case.puzzle, self.case.model, self.case.action
        if state is not None and state.digest != self.case.digest:
            raise PuzzleError(
                f"This state does not belong to the puzzle {self.puzzle.name} as it is: count anew."
            )
        found = self.case.branches
        starts = [(list(p.path), p.weight) for p in self.case.starts]
        self.state = state or TallyState(self.case.digest, starts)
        self.state.symmetric = found is not None
        prefixes = [Prefix(tuple(path), weight) for path, weight in self.state.prefixes]
        self._backend = DlxBackend()
        self._search = Search(
            self.case,
            backend=self._backend,
            workers=1,
            use_reasons=False,
            images=False,
            left=Left(prefixes, [], self.case.digest, symmetric=found is not None),
        )
        self._nodes_before = self.state.nodes

    def run(self, seconds: float | None = None, nodes: int | None = None) -> None:
        """Continue for some seconds of processor time, for a number of nodes, or to the end."""
        begun = CLOCK.worked()
        state, search = self.state, self._search
        before = state.seconds
        counter = ShareCounter(self.case)
        self._backend.nodes = nodes
        for rows in search.batches():
            self._count(rows, counter)
            state.seconds = before + CLOCK.worked() - begun
            enough = nodes is not None or (seconds and state.seconds >= before + seconds)
            if enough and (left := search.left) and not left.rows:  # none is found but not counted
                break
        add(state.shares, counter.shares)
        left = search.left
        assert left is not None
        state.nodes = self._nodes_before + (search.stats["nodes"] or 0)
        state.prefixes = [(list(p.path), p.weight) for p in left.prefixes]
        state.done = 1 - sum(w for _, w in state.prefixes) if state.prefixes else 1.0

    def counts(self) -> dict[str, tuple[int, int, int]]:
        """Return the numbers raw, up to rotation, up to symmetry, by the pieces left out.

        Raises
        ------
        PuzzleError
            If the count is not finished.
        """
        if not self.state.finished:
            raise PuzzleError(f"The count of {self.puzzle.name} is not finished: run it on.")
        return numbers(self.case, self.state.shares)

    def solution(self, options: Iterable[int]) -> Solution:
        """Return the solution that options stand for."""
        return self.case.decoder.solution(list(options))

    def _count(self, rows: Assignments, counter: ShareCounter) -> None:
        if not len(rows):
            return
        self.state.checked += len(rows)
        self.state.found += len(rows)
        if self.state.example is None:
            self.state.example = [o for o in rows[0].tolist() if o >= 0]
        counter.add(rows, self._search.multiples(rows))
