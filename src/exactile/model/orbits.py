"""Symmetries on options: counting solutions up to symmetry, and one branch of each orbit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactile.errors import CheckFailedError
from exactile.model.model import Longs, Model
from exactile.puzzle.symmetry import Symmetry

Assignments = npt.NDArray[np.int32]
"""One assignment a row, options in any order, padded with -1: shape ``(n, k)``."""


@dataclass(frozen=True, eq=False)
class Group:
    """A symmetry group as permutations of options.

    Attributes
    ----------
    options
        Shape ``(g, options + 1)``: element s carries option o to ``options[s, o]``. The last
        column carries -1, which stands for no option, to -1.
    proper
        Shape ``(g,)``.
    """

    options: Longs
    proper: npt.NDArray[np.bool_]

    @property
    def order(self) -> int:
        """Number of elements."""
        return len(self.options)


def group_on_options(model: Model, symmetries: list[Symmetry]) -> Group:
    """Return what symmetries of the puzzle do to the options of its model.

    An option is known by its piece and its units; images are found by hashing and then compared
    member by member.

    Raises
    ------
    CheckFailedError
        If the image of an option is no option: then the symmetries are not the model's.
    """
    core = model.members < model.pieces + model.units
    option_of = model.option_of[core]
    members = model.members[core].astype(np.int64)
    codes = np.random.default_rng(0).integers(
        -(2**62), 2**62, model.pieces + model.units, dtype=np.int64
    )
    starts = np.searchsorted(option_of, np.arange(model.options))
    keys = _sums(codes[members], starts)
    order = np.argsort(keys, kind="stable")
    result = np.empty((len(symmetries), model.options + 1), dtype=np.int64)
    result[:, -1] = -1
    sizes = np.bincount(option_of, minlength=model.options)
    for row, symmetry in zip(result, symmetries, strict=True):
        moved = np.concatenate([symmetry.pieces, model.pieces + symmetry.units])[members]
        wanted = _sums(codes[moved], starts)
        place = np.minimum(np.searchsorted(keys[order], wanted), model.options - 1)
        target = order[place]
        if not (sizes[target] == sizes).all() or not _same(
            moved, option_of, members, target, starts
        ):
            raise CheckFailedError("A symmetry of the puzzle carries an option to none.")
        row[:-1] = target
    return Group(result, np.array([s.proper for s in symmetries]))


def _sums(values: Longs, starts: Longs) -> Longs:
    """Return the sum of each option's values, modulo 2**64."""
    with np.errstate(over="ignore"):
        return np.asarray(np.add.reduceat(values, starts)) if len(values) else values


def _same(moved: Longs, option_of: Longs, members: Longs, target: Longs, starts: Longs) -> bool:
    """Return whether each option's moved members are exactly those of its target."""
    sorted_moved = moved[np.lexsort((moved, option_of))]
    rank = np.arange(len(members)) - starts[option_of]
    return bool((sorted_moved == members[starts[target[option_of]] + rank]).all())


@dataclass
class OrbitCounter:
    """Counts solutions raw and up to symmetry, batch by batch, without keeping them.

    The number of orbits is the mean number of (symmetry, solution) pairs that fit: the sum over all
    solutions of the size of their stabilizer, divided by the order of the group. This is exact
    when solutions are themselves symmetric, provided that all solutions are counted.

    Examples
    --------
    >>> counter = OrbitCounter(Group(np.array([[0, 1, -1], [1, 0, -1]]), np.array([True, False])))
    >>> counter.add(np.array([[0], [1]], dtype=np.int32))
    >>> counter.raw, counter.rotation, counter.symmetry
    (2, 2, 1)
    """

    group: Group
    raw: int = 0
    _kept: int = 0
    _kept_properly: int = 0

    def add(self, assignments: Assignments) -> None:
        """Count a batch."""
        self.raw += len(assignments)
        rows = np.sort(assignments, axis=1)
        for permutation, proper in zip(self.group.options, self.group.proper, strict=True):
            kept = int((np.sort(permutation[rows], axis=1) == rows).all(axis=1).sum())
            self._kept += kept
            self._kept_properly += kept * bool(proper)

    @property
    def rotation(self) -> int:
        """Number of solutions up to the proper symmetries."""
        return _exact(self._kept_properly, int(self.group.proper.sum()))

    @property
    def symmetry(self) -> int:
        """Number of solutions up to all symmetries."""
        return _exact(self._kept, self.group.order)


def _exact(total: int, order: int) -> int:
    if total % order:
        raise CheckFailedError(
            f"The solutions do not form whole orbits: {total} is no multiple of {order}. Some "
            "solutions are missing or counted twice."
        )
    return total // order


@dataclass(frozen=True, eq=False)
class Branches:
    """One branch of each orbit at an item that every symmetry keeps and that is used exactly once.

    Attributes
    ----------
    options
        One option of each orbit of the item's options.
    images
        For each of them, one row of `Group.options` per option of its orbit. Applied to the
        solutions with the option, they give all solutions with any option of the orbit.
    """

    options: list[int]
    images: list[Longs]


def branches(model: Model, group: Group) -> Branches | None:
    """Return branches that spare a search all but one of each orbit; None if no item allows it.

    The item with the fewest branches is taken.
    """
    if group.order == 1:
        return None
    best: Branches | None = None
    for item in np.flatnonzero((model.lower == 1) & (model.upper == 1)).tolist():
        options = model.options_with(item)
        if not len(options) or (
            best is not None and len(options) > group.order * len(best.options)
        ):
            continue
        images = group.options[:, options]
        if not np.isin(images, options).all():
            continue
        found = _orbits(images)
        if best is None or len(found) < len(best.options):
            kept = [int(options[k]) for k in found]
            rows = [np.unique(images[:, k], return_index=True)[1] for k in found]
            best = Branches(kept, [group.options[r] for r in rows])
    return best


def _orbits(images: Longs) -> list[int]:
    """Return the column of the first option of each orbit."""
    _, first = np.unique(images.min(axis=0), return_index=True)
    return sorted(first.tolist())
