"""`Case`: a puzzle with its model, symmetries and checker; obvious reasons why it is unsolvable.

No search is needed to find an obvious reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from exactile.backends.base import Prefix
from exactile.model.condense import without_implied_bounds
from exactile.model.decoder import Decoder
from exactile.model.lower import lower, shade_names, unbalanced
from exactile.model.model import Model
from exactile.model.orbits import Action, Assignments, Branches, branches
from exactile.model.weights import PRIME, congruence
from exactile.puzzle.check import Checker
from exactile.puzzle.puzzle import Puzzle, require_puzzle
from exactile.puzzle.relax import loosened, relax
from exactile.puzzle.symmetry import Symmetry, symmetries
from exactile.search.limits import Limits


@dataclass(frozen=True, eq=False)
class Case:
    """A puzzle with everything derived from it, such as model and symmetries, computed when needed.

    Each value is computed only once. `Search`, `count`, `prove` and most other functions that take
    a puzzle also take a case. Passing the same case to several of them saves time.

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
        """Return the case of a puzzle, or a given case; raise PuzzleError for anything else."""
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
        """Numbers of items and options of the model; empty if the model has not been made."""
        return {"items": self.model.items, "options": self.model.options} if self.built else {}

    def prepare(self, limits: Limits, *names: str) -> None:
        """Compute the model, then the attributes with the given names, within the limits.

        Raise TimeoutError if the time limit is reached, or the work is canceled; ModelError if the
        model would be too large. Only the model, `symmetries` and `reason` are interrupted; the
        work on any other attribute goes on to its end once it has begun.

        Examples
        --------
        >>> import exactile
        >>> case = Case(exactile.load("soma-cube"))
        >>> case.prepare(Limits(time_limit=60), "action")
        """
        long: dict[str, Callable[[], object]] = {
            "model": lambda: lower(self.puzzle, limits.require),
            "symmetries": lambda: symmetries(self.puzzle, limits.require),
            "reason": lambda: obvious_reason(self.puzzle, self.model, limits.require),
        }
        for name in ("model", *names):
            if name in vars(self):
                continue
            limits.require()
            if name in long:
                vars(self)[name] = long[name]()
            else:
                getattr(self, name)

    @cached_property
    def model(self) -> Model:
        """The model of the puzzle; raises ModelError if it would be too large."""
        return lower(self.puzzle)

    @cached_property
    def asked(self) -> Model:
        """The model for the backend: `model` without bounds that follow from other bounds.

        Both have the same solutions.
        """
        return without_implied_bounds(self.model)

    @cached_property
    def digest(self) -> str:
        """The digest of the model."""
        return self.model.digest

    @cached_property
    def reason(self) -> str | None:
        """Why the puzzle is obviously unsolvable, in words; None if it is not obvious."""
        return obvious_reason(self.puzzle, self.model)

    @cached_property
    def symmetries(self) -> list[Symmetry]:
        """The symmetries of the puzzle, the identity first."""
        return symmetries(self.puzzle)

    @cached_property
    def action(self) -> Action:
        """The permutations of the model's options by the symmetries of the puzzle."""
        return Action(self.model, self.symmetries)

    @cached_property
    def branches(self) -> Branches | None:
        """The branches of a search that begins at an item that all symmetries map to itself.

        There is one branch for each orbit of the item's options; it begins with one option of the
        orbit. None if no item is suitable, or the identity is the only symmetry: see
        `exactile.model.orbits.branches`.
        """
        return branches(self.model, self.action)

    @property
    def starts(self) -> list[Prefix]:
        """Prefixes that begin the search: one option of each orbit in `branches`.

        Their weights are proportional to the sizes of the orbits. Without branches, the only prefix
        is the empty one.
        """
        if self.branches is None:
            return [Prefix((), 1.0)]
        sizes = [len(elements) for elements in self.branches.elements]
        pairs = zip(self.branches.options, sizes, strict=True)
        return [Prefix((option,), size / sum(sizes)) for option, size in pairs]

    def spared(self) -> tuple[int, ...]:
        """Return a prefix that excludes some options, so that a search for one solution is shorter.

        If the puzzle has a solution at all, some solution has none of these options. The prefix may
        be empty.
        """
        return self.branches.spared if self.branches else ()

    @cached_property
    def decoder(self) -> Decoder:
        """The decoder, which turns options of the model into placements."""
        return Decoder(self.puzzle, self.model)

    @cached_property
    def checker(self) -> Checker:
        """The checker of solutions, which uses the puzzle but not the model."""
        return Checker(self.puzzle)

    @cached_property
    def part_puzzle(self) -> Puzzle:
        """The relaxed puzzle whose solutions are the packings: partial coverings of the region.

        Rules that a part of a solution may break are dropped, such as least numbers of uses.
        """
        return relax(loosened(self.puzzle))

    @cached_property
    def part_checker(self) -> Checker:
        """The checker of packings, which are partial coverings of the region."""
        return Checker(self.part_puzzle)


def first_fault(
    checker: Checker, decoder: Decoder, rows: Assignments
) -> tuple[int, list[str]] | None:
    """Return the row number of the first wrong assignment, and its faults in words.

    Return None if all assignments are solutions. Every search checks every solution in this way:
    `Decoder.numbers` turns options into numbers of placements, and `Checker.wrong` checks all rows
    at once. Raise IndexError if an option does not exist.

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


LARGE = 1 << 22
"""Largest total number of items in all options for which `obvious_reason` tries colorings."""

AT_SIGHT = "first look"
"""Name of the method in an answer if no search was needed: see `obvious_reason`."""


def obvious_reason(
    puzzle: Puzzle, model: Model, pulse: Callable[[], None] = lambda: None
) -> str | None:
    """Return why the puzzle obviously has no solution, in words; None if no reason is known.

    Possible reasons: no choice of the pieces has the area of the region; a unit is in no placement;
    a piece has fewer placements than it needs; or a coloring excludes all solutions, as on the
    mutilated chessboard. For models larger than `LARGE`, only colorings by parity are tried.
    `pulse` is called repeatedly during the work; an exception that it raises ends the work.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> obvious_reason(puzzle, exactile.lower(puzzle)) is None
    True
    """
    if (reason := area_reason(puzzle)) is not None:
        return reason
    for item in np.flatnonzero(model.uses < model.lower)[:1]:
        label = model.meaning.labels[item]
        if model.uses[item] == 0:
            return (
                f"no placement covers {label}"
                if model.meaning.is_unit[item]
                else (f"{label} fits nowhere")
            )
        return (
            f"{label} has {model.uses[item]} placements but must be used {model.lower[item]} times"
        )
    shade = unbalanced(model)
    if shade is not None:
        name = shade_names(puzzle.lattice)[shade]
        return f"no choice of placements balances the region by the {name}"
    found = congruence(model, pulse) if len(model.members) <= LARGE else None
    return None if found is None else forbidden(found.modulus)


def forbidden(modulus: int) -> str:
    """Return in words that a coloring of the units, modulo `modulus`, excludes all solutions.

    The modulus is left out if it is 0 or a large prime (`PRIME`): these stand for no modulus.

    Examples
    --------
    >>> forbidden(8)
    'a coloring forbids it, modulo 8'
    """
    return "a coloring forbids it" + (f", modulo {modulus}" if 0 < modulus < PRIME else "")


def area_reason(puzzle: Puzzle) -> str | None:
    """Return in words why no choice of the pieces has the area of the region.

    Optional units may stay uncovered. Return None if no such reason is found. The number of omitted
    pieces is considered only in the bounds that `piece_area` returns.

    Examples
    --------
    >>> import exactile
    >>> area_reason(exactile.load("soma-cube")) is None
    True
    """
    low, high = piece_area(puzzle)
    total = len(puzzle.region)
    required = total - int(puzzle.region.optional.sum())
    if high < required or low > total:
        have = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        need = f"{total:,}" if total == required else f"{required:,} to {total:,}"
        return f"the pieces have {have} units, the region has {need}"
    if not _some_area(puzzle, required, total):
        need = f"{total:,}" if total == required else f"{required:,} to {total:,}"
        return f"no choice of the pieces has {need} units"
    return None


def _some_area(puzzle: Puzzle, least: int, most: int) -> bool:
    """Return whether some choice of the pieces has at least `least` and at most `most` units."""
    choice = set(puzzle.omission.names) if puzzle.omission else set()
    orders = [p.order for p in puzzle.pieces]
    lower = [0 if p.name in choice else p.lower for p in puzzle.pieces]
    return bool(areas(orders, lower, [p.upper for p in puzzle.pieces], most) >> least)


def areas(orders: Sequence[int], lower: Sequence[int], upper: Sequence[int], most: int) -> int:
    """Return the possible total numbers of units of the pieces used, as a bit mask.

    Bit n is set if a total of n units is possible; totals above `most` are left out. `orders` has
    the number of units of each piece, `lower` and `upper` the bounds of its number of uses.

    Examples
    --------
    >>> f"{areas([3, 5], [0, 0], [2, 1], 11):b}"  # 0, 3, 5, 6, 8 and 11
    '100101101001'
    """
    mask = (1 << most + 1) - 1
    reachable = 1
    for order, low, high in zip(orders, lower, upper, strict=True):
        reachable = reachable << min(low * order, most + 1) & mask
        left, step = min(high - low, most // order), 1
        while left > 0:  # by doubling: 1, 2, 4, ... copies, then the rest
            copies = min(step, left)
            reachable |= reachable << copies * order & mask
            left, step = left - copies, 2 * step
    return reachable


def piece_area(puzzle: Puzzle) -> tuple[int, int]:
    """Return the least and the greatest number of units that the pieces may cover."""
    low = sum(p.lower * p.order for p in puzzle.pieces)
    high = sum(p.upper * p.order for p in puzzle.pieces)
    if puzzle.omission is not None:
        names, count = puzzle.omission.names, puzzle.omission.count
        orders = sorted(puzzle.piece(name).order for name in names)
        low -= sum(orders[len(orders) - count :])
        high -= sum(orders[:count])
    return low, high
