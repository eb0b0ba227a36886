"""Counts that can be stopped, written down, and gone on with: nothing is lost or counted twice."""

from __future__ import annotations

import time
from collections.abc import Iterable
from hashlib import sha256

import msgspec
import numpy as np
import numpy.typing as npt

from exactile.backends.base import HEARTBEAT, Prefix
from exactile.backends.exploration import Exploration
from exactile.errors import CheckFailedError, PuzzleError
from exactile.model.decoder import Decoder
from exactile.model.implied import without_implied_bounds
from exactile.model.lower import lower
from exactile.model.model import Longs, Model
from exactile.model.orbits import Action, Assignments, OrbitCounter, branches, exact_quotient
from exactile.puzzle.check import Checker
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.puzzle.symmetry import symmetries
from exactile.solve.checking import first_fault

MOST_AT_ONCE = 100_000
"""Solutions are taken from the search so many at a time."""

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
        The puzzle.
    state
        Where an earlier count of it was stopped.
    model
        The puzzle's model, if it is at hand.

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

    def __init__(
        self, puzzle: Puzzle, state: TallyState | None = None, model: Model | None = None
    ) -> None:
        self.puzzle = puzzle
        self.model = lower(puzzle) if model is None else model
        self.action = Action(self.model, symmetries(puzzle))
        self._decoder, self._checker = Decoder(puzzle, self.model), Checker(puzzle)
        digest = model_digest(self.model)
        if state is not None and state.digest != digest:
            raise PuzzleError(
                f"This state does not belong to the puzzle {puzzle.name} as it is: count anew."
            )
        self._images = np.ones(self.model.options + 1, dtype=np.int64)
        starts: list[tuple[list[int], float]] = [([], 1.0)]
        found = branches(self.model, self.action)
        if found is not None:
            sizes = [len(elements) for elements in found.elements]
            self._images[found.options] = sizes
            starts = [([o], n / sum(sizes)) for o, n in zip(found.options, sizes, strict=True)]
        self.state = state or TallyState(digest, starts)
        self._exploration = Exploration(
            without_implied_bounds(self.model),
            prefixes=[Prefix(tuple(path), weight) for path, weight in self.state.prefixes],
        )
        self._nodes_before = self.state.nodes

    def run(self, seconds: float | None = None, nodes: int | None = None) -> None:
        """Search on for some seconds of processor time, or about so many nodes, or to the end."""
        begun = time.process_time()
        before = self.state.seconds
        engine = self._exploration
        while not engine.exhausted:
            rows = engine.run(
                limit=MOST_AT_ONCE, seconds=max(HEARTBEAT, engine.patience), nodes=nodes
            )
            self._count(rows)
            self.state.seconds = before + time.process_time() - begun
            if nodes is not None or (
                seconds is not None and self.state.seconds >= before + seconds
            ):
                break
        self.state.nodes = self._nodes_before + engine.nodes
        self.state.prefixes = [(list(p.path), p.weight) for p in engine.prefixes]
        self.state.done = 1.0 if engine.exhausted else 1 - sum(w for _, w in self.state.prefixes)

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
        return self._decoder.solution(list(options))

    def _count(self, rows: Assignments) -> None:
        if not len(rows):
            return
        self._check(rows)
        self.state.found += len(rows)
        if self.state.example is None:
            self.state.example = [o for o in rows[0].tolist() if o >= 0]
        images = self._multiplicity(rows)
        for name, members in self._by_omission(rows):
            share = self.state.shares.setdefault(name, Share())
            for multiple in np.unique(images[members]).tolist():
                counter = OrbitCounter(self.action)
                counter.add(rows[members & (images == multiple)])
                raw, kept, kept_properly = counter.pairs()
                share.raw += multiple * raw
                share.kept += multiple * kept
                share.kept_properly += multiple * kept_properly

    def _multiplicity(self, rows: Assignments) -> Longs:
        """Return how many solutions each row stands for: the images of its branch."""
        return np.asarray(self._images[rows].max(axis=1, initial=1))

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

    def _check(self, rows: Assignments) -> None:
        self.state.checked += len(rows)
        found = first_fault(self._checker, self._decoder, rows)
        if found is not None:
            raise CheckFailedError(
                f"The native search returned what is no solution of {self.puzzle.name}: "
                f"{'; '.join(found[1])}. This is a bug of ours: please report it."
            )


def model_digest(model: Model) -> str:
    """Return a short digest of a model, the same for equal models.

    A region that is moved as a whole makes an equal model.
    """
    digest = sha256()
    for array in (model.lower, model.upper, model.first, model.members, model.colors):
        digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
        digest.update(b"/")
    return digest.hexdigest()[:16]
