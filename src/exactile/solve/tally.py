"""Counts that can be stopped, written down, and gone on with: nothing is lost or counted twice."""

from __future__ import annotations

import time
from collections.abc import Iterable

import msgspec
import numpy as np
import numpy.typing as npt

from exactile.backends.base import Left, Prefix
from exactile.backends.dlx import DlxBackend
from exactile.errors import PuzzleError
from exactile.model.model import Longs
from exactile.model.orbits import Assignments, OrbitCounter, exact_quotient
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.solve.case import Case
from exactile.solve.search import Search

Mask = npt.NDArray[np.bool_]


class Share(msgspec.Struct):
    """The solutions that leave out the same pieces, or pieces that a symmetry carries there.

    Attributes
    ----------
    raw
        Number of solutions.
    kept, kept_properly
        Pairs of a solution and a symmetry, or a proper one, that keeps it.
    """

    raw: int = 0
    kept: int = 0
    kept_properly: int = 0


class TallyState(msgspec.Struct):
    """All that a count knows when it is stopped; plain numbers and words.

    Attributes
    ----------
    digest
        Of the model: a state belongs to one model.
    prefixes
        What is not searched yet, each with its weight.
    shares
        What was found, by the pieces left out (``""`` if none are).
    found, checked
        Solutions that the search returned, and how many of them were checked: all, but earlier
        versions checked some.
    nodes, seconds
        Nodes visited, and processor time.
    done
        The part of the tree that is searched.
    example
        The options of the first solution.
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
        starts: list[tuple[list[int], float]] = [([], 1.0)]
        if found is not None:
            sizes = [len(elements) for elements in found.elements]
            starts = [([o], n / sum(sizes)) for o, n in zip(found.options, sizes, strict=True)]
        self.state = state or TallyState(self.case.digest, starts)
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
        """Search on for some seconds of processor time, or about so many nodes, or to the end."""
        begun = time.process_time()
        state, search = self.state, self._search
        before = state.seconds
        self._backend.nodes = nodes
        for rows in search.batches():
            self._count(rows)
            state.seconds = before + time.process_time() - begun
            enough = nodes is not None or (seconds and state.seconds >= before + seconds)
            if enough and (left := search.left) and not left.rows:  # none is found but not counted
                break
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
        proper = int(self.action.proper.sum())
        shares = self.state.shares or {"": Share()}
        return {
            name: (
                s.raw,
                exact_quotient(s.kept_properly, proper),
                exact_quotient(s.kept, self.action.order),
            )
            for name, s in shares.items()
        }

    def solution(self, options: Iterable[int]) -> Solution:
        """Return the solution that options stand for."""
        return self.case.decoder.solution(list(options))

    def _count(self, rows: Assignments) -> None:
        if not len(rows):
            return
        self.state.checked += len(rows)
        self.state.found += len(rows)
        if self.state.example is None:
            self.state.example = [o for o in rows[0].tolist() if o >= 0]
        images = self._search.multiples(rows)
        for name, members in self._by_omission(rows):
            share = self.state.shares.setdefault(name, Share())
            counts = OrbitCounter(self.action)
            counts.add(rows[members], images[members])
            raw, kept, kept_properly = counts.pairs()
            share.raw += raw
            share.kept += kept
            share.kept_properly += kept_properly

    def _by_omission(self, rows: Assignments) -> list[tuple[str, Mask]]:
        """Return names of pieces left out by choice, and which rows leave them out."""
        omission = self.model.meaning.omission
        if omission is None:
            return [("", np.ones(len(rows), dtype=bool))]
        left_out = self.model.options_with(omission)
        missing = np.array([(rows == option).any(axis=1) for option in left_out]).T
        patterns, which = np.unique(missing, axis=0, return_inverse=True)
        pieces = self.model.piece_of[left_out]
        return [
            (self._omitted(pieces[pattern]), which.reshape(-1) == k)
            for k, pattern in enumerate(patterns)
        ]

    def _omitted(self, pieces: Longs) -> str:
        """Return names of pieces, with those that symmetries carry them to: ``L/l``."""
        orbit = sorted({tuple(sorted(image)) for image in self.action.items[:, pieces].tolist()})
        names = [" ".join(self.puzzle.pieces[p].name for p in image) for image in orbit]
        return "/".join(names)
