"""A puzzle and everything derived from it, computed once; checks of whole batches of answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from exactile.backends.base import Prefix
from exactile.model.condense import without_implied_bounds
from exactile.model.decoder import Decoder
from exactile.model.lower import lower
from exactile.model.model import Model
from exactile.model.orbits import Action, Assignments, Branches, branches
from exactile.puzzle.check import Checker
from exactile.puzzle.puzzle import Puzzle, require_puzzle
from exactile.puzzle.relax import relax
from exactile.puzzle.symmetry import Symmetry, symmetries
from exactile.search.diagnose import obvious_reason
from exactile.search.limits import Limits


@dataclass(frozen=True, eq=False)
class Case:
    """A puzzle with all that is derived from it, computed on first use and once.

    Every verb takes a puzzle or a case; verbs that get the same case share its results.

    Examples
    --------
    >>> import exactile
    >>> case = Case(exactile.load("soma-cube"))
    >>> exactile.count(case).symmetry, exactile.solve_one(case) is None, case.model.options
    (240, False, 688)
    """

    puzzle: Puzzle

    @classmethod
    def of(cls, subject: Puzzle | Case) -> Case:
        """Return the case of a puzzle, or the case itself."""
        return subject if isinstance(subject, Case) else cls(require_puzzle(subject))

    def __reduce__(self) -> Any:
        return Case, (self.puzzle,)  # the rest is made again where it is needed

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        return self.puzzle.name

    @property
    def built(self) -> bool:
        """Whether the model has been made."""
        return "model" in vars(self)

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of items and options of the model, if it has been made."""
        return {"items": self.model.items, "options": self.model.options} if self.built else {}

    def prepare(self, limits: Limits, *names: str) -> None:
        """Make the model and other attributes; raise TimeoutError if a limit is reached.

        Examples
        --------
        >>> import exactile
        >>> case = Case(exactile.load("soma-cube"))
        >>> case.prepare(Limits(time_limit=60), "action")
        """
        long = {"model": lower, "symmetries": symmetries}
        for name in ("model", *names):
            if name in vars(self):
                continue
            limits.require()
            if name in long:
                vars(self)[name] = long[name](self.puzzle, limits.require)
            else:
                getattr(self, name)

    @cached_property
    def model(self) -> Model:
        """Its placement model."""
        return lower(self.puzzle)

    @cached_property
    def asked(self) -> Model:
        """The model without bounds that follow from others: the same solutions."""
        return without_implied_bounds(self.model)

    @cached_property
    def digest(self) -> str:
        """The digest of the model."""
        return self.model.digest

    @cached_property
    def reason(self) -> str | None:
        """Why it is obviously unsolvable, in words."""
        return obvious_reason(self.puzzle, self.model)

    @cached_property
    def symmetries(self) -> list[Symmetry]:
        """The symmetries of the puzzle, the identity first."""
        return symmetries(self.puzzle)

    @cached_property
    def action(self) -> Action:
        """Its symmetries as they act on the model's options."""
        return Action(self.model, self.symmetries)

    @cached_property
    def branches(self) -> Branches | None:
        """One branch of each orbit, if an item allows it."""
        return branches(self.model, self.action)

    @property
    def starts(self) -> list[Prefix]:
        """The prefixes of a search in one branch of each orbit."""
        if self.branches is None:
            return [Prefix((), 1.0)]
        sizes = [len(elements) for elements in self.branches.elements]
        pairs = zip(self.branches.options, sizes, strict=True)
        return [Prefix((option,), size / sum(sizes)) for option, size in pairs]

    def spared(self) -> tuple[int, ...]:
        """Return a prefix below which there is a solution if there is any."""
        return self.branches.spared if self.branches else ()

    @cached_property
    def decoder(self) -> Decoder:
        """The decoder of its solutions."""
        return Decoder(self.puzzle, self.model)

    @cached_property
    def checker(self) -> Checker:
        """The checker of its solutions, which does not use the model."""
        return Checker(self.puzzle)

    @cached_property
    def part_puzzle(self) -> Puzzle:
        """The puzzle of packings: fixed or joined placements may be missing, numbers may differ."""
        kept = tuple(rule for rule in self.puzzle.color_rules if rule.kind != "joined")
        return relax(replace(self.puzzle, color_rules=kept, open_rules=(), use_rules=()))

    @cached_property
    def part_checker(self) -> Checker:
        """The checker of packings."""
        return Checker(self.part_puzzle)


def first_fault(
    checker: Checker, decoder: Decoder, rows: Assignments
) -> tuple[int, list[str]] | None:
    """Return the first of some assignments that is not a solution, and why; None if all are right.

    This is how every search checks every solution: `Decoder.numbers` turns options into numbers of
    distinct placements, and `Checker.wrong` checks all rows of numbers at once.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("soma-cube")
    >>> model = exactile.lower(puzzle)
    >>> first_fault(Checker(puzzle), Decoder(puzzle, model), np.array([[0, 150]]))[1][-1]
    'piece p is used 0 times, not 1 to 1'
    """
    numbers = decoder.numbers(rows)
    wrong = checker.wrong(decoder.placements, numbers)
    if not wrong.any():
        return None
    row = int(np.argmax(wrong))
    return row, checker.words(decoder.solution(rows[row].tolist()))
