"""The meaning of the items and options of a model: pieces, units, rules, and their names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from exactile.errors import ModelError
from exactile.puzzle.symmetry import Symmetry

Mask = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


class ItemKind(IntEnum):
    """The meaning of an item; in models of puzzles the kinds come in this order."""

    PIECE = 0
    UNIT = 1
    OMISSION = 2
    """The number of pieces that are left out."""
    FIXED = 3
    """A placement that is fixed beforehand."""
    CROSSING = 4
    COLOR = 5
    """A rule about the colors of whole pieces."""
    NUMBER = 6
    """A number of open units, or of used pieces of a group."""
    OTHER = 7
    """Anything, in models that belong to no puzzle."""

    @property
    def word(self) -> str:
        """The prefix of such an item's name in its label."""
        return _WORDS.get(self, ("", ""))[0]

    @property
    def mark(self) -> str:
        """The same prefix in files, where names are short."""
        return _WORDS.get(self, ("", ""))[1]


_WORDS = {
    ItemKind.PIECE: ("piece ", ""),
    ItemKind.UNIT: ("unit ", ""),
    ItemKind.OMISSION: ("omitted pieces", "omitted"),
    ItemKind.FIXED: ("fixed placement ", "fixed"),
    ItemKind.CROSSING: ("crossing ", "x"),
}


@dataclass(frozen=True, eq=False)
class Meaning:
    """The meaning of the items and options of a model; no search needs it.

    The first items are the pieces, if there are any, the next ones the units; an option that places
    or omits a piece contains the item of that piece and of no other. Raise ModelError if the arrays
    contradict each other.

    Examples
    --------
    >>> import exactile
    >>> meaning = exactile.lower(exactile.load("pentominoes-6x10")).meaning
    >>> meaning.pieces, meaning.units, meaning.labels[11], meaning.labels[12]
    (12, 60, 'piece Z', 'unit 0,0')
    >>> meaning.unit_of(np.array([11, 12, 13])).tolist()
    [-1, 0, 1]
    """

    labels: tuple[str, ...] = field(default=(), repr=False)
    # The `ItemKind` of each item, `OTHER` by default.
    kinds: npt.NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, dtype=np.int8))
    # Pairs of pieces, shape (n, 2): each of the last n options means that two pieces do not touch.
    # It follows from the other options whether it is chosen.
    apart: Longs = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))
    # Weights of the units in which solutions must balance, shape (n, units). They are redundant;
    # prunings use them, for required units only.
    shades: Ints = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int32))

    def __post_init__(self) -> None:
        if not len(self.kinds):
            others = np.full(len(self.labels), ItemKind.OTHER, dtype=np.int8)
            object.__setattr__(self, "kinds", others)
        if len(self.labels) != len(self.kinds):
            raise ModelError("Labels and kinds of items differ in length.")
        if (np.diff(np.minimum(self.kinds, ItemKind.OMISSION)) < 0).any():
            raise ModelError("Pieces must be the first items of a model, units the next.")
        if not self.shades.size:
            object.__setattr__(self, "shades", np.zeros((0, self.units), dtype=np.int32))
        if self.shades.shape[1] != self.units:
            raise ModelError("Shades must have a weight for every unit.")

    @classmethod
    def of_labels(cls, labels: Iterable[str], pieces: int = 0, units: int = 0) -> Self:
        """Return the meaning of items with names from a file; pieces and units come first.

        Examples
        --------
        >>> Meaning.of_labels(["piece F", "unit 0,3", "crossing 1,1", "a"], 1, 1).short_labels
        ('F', '0,3', 'x1,1', 'a')
        """
        named = tuple(labels)
        kinds = [ItemKind.PIECE] * pieces + [ItemKind.UNIT] * units
        rules = [k for k in ItemKind if k > ItemKind.UNIT and k.word]
        for label in named[len(kinds) :]:
            kinds.append(next((k for k in rules if label.startswith(k.word)), ItemKind.OTHER))
        return cls(named, np.array(kinds, dtype=np.int8))

    @cached_property
    def pieces(self) -> int:
        """Number of pieces; their items are the first ones."""
        return int(np.count_nonzero(self.kinds == ItemKind.PIECE))

    @cached_property
    def units(self) -> int:
        """Number of units; their items follow those of the pieces."""
        return int(np.count_nonzero(self.kinds == ItemKind.UNIT))

    @property
    def span(self) -> int:
        """Number of pieces and units together."""
        return self.pieces + self.units

    @cached_property
    def is_piece(self) -> Mask:
        """Whether an item stands for a piece, shape ``(items,)``."""
        return np.asarray(self.kinds == ItemKind.PIECE)

    @cached_property
    def is_unit(self) -> Mask:
        """Whether an item stands for a unit, shape ``(items,)``."""
        return np.asarray(self.kinds == ItemKind.UNIT)

    @cached_property
    def is_rule(self) -> Mask:
        """Whether an item stands for neither a piece nor a unit, shape ``(items,)``."""
        return np.asarray(self.kinds > ItemKind.UNIT)

    def of_kind(self, kind: ItemKind) -> Longs:
        """Return the items of a kind, in increasing order."""
        return np.flatnonzero(self.kinds == kind)

    @property
    def omission(self) -> int | None:
        """The item that counts omitted pieces, if there is a choice of them."""
        return next(iter(self.of_kind(ItemKind.OMISSION).tolist()), None)

    def unit_of(self, items: npt.NDArray[np.integer]) -> Longs:
        """Return the number of the unit that each item stands for, -1 for other items."""
        return np.where(self.is_unit[items], items - self.pieces, -1).astype(np.int64)

    def item_of(self, unit: int) -> int:
        """Return the item of a unit."""
        return self.pieces + unit

    def items_of(self, units: npt.NDArray[np.integer]) -> Longs:
        """Return the items of units."""
        return np.asarray(units, dtype=np.int64) + self.pieces

    def carried(self, symmetry: Symmetry) -> Longs:
        """Return the images of the items of pieces and units under a symmetry of the puzzle."""
        return np.concatenate([symmetry.pieces, self.items_of(symmetry.units)])

    def spread(self, weights: Ints) -> Ints:
        """Return weights of units, one set in each row, as weights of all items: 0 for others."""
        wide = np.zeros((len(weights), len(self.kinds)), dtype=np.int32)
        if len(weights):
            wide[:, self.is_unit] = weights
        return wide

    @cached_property
    def short_labels(self) -> tuple[str, ...]:
        """The labels in short form, without spaces."""
        short = []
        for label, number in zip(self.labels, self.kinds.tolist(), strict=True):
            kind = ItemKind(number)
            known = bool(kind.word) and label.startswith(kind.word)
            text = kind.mark + label[len(kind.word) :] if known else label
            short.append("".join(text.split()))
        return tuple(short)
