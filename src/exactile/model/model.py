"""An exact cover model: items with bounds, options that contain items, and their meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from exactile.doors import door, refuse_long
from exactile.errors import ModelError
from exactile.puzzle.symmetry import Symmetry
from exactile.wanted import numbered, wanted

Mask = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


class ItemKind(IntEnum):
    """What an item stands for; in models of puzzles, items are sorted by kind."""

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
    """A number of open (uncovered) units, or of used pieces of a group."""
    OTHER = 7
    """Anything else: the items of models that do not belong to a puzzle."""

    @property
    def word(self) -> str:
        """The prefix of the labels of items of this kind, such as ``"unit "``; empty if none."""
        return _WORDS.get(self, ("", ""))[0]

    @property
    def mark(self) -> str:
        """A shorter prefix for names in files, such as ``"x"`` for ``"crossing "``."""
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
    """The meaning of the items and options of a model; searches work without it.

    The items of pieces come first, then those of units, then all others. An option that places or
    omits a piece contains the item of this piece, but of no other piece.

    Attributes
    ----------
    labels
        The label of each item, such as ``"unit 0,3"``.
    kinds
        The `ItemKind` of each item; `OTHER` by default.
    apart
        Pairs of pieces, shape ``(n, 2)``, one for each of the last n options. Such an option means
        that the two pieces do not touch. The other options of a solution determine which of these n
        it contains.
    shades
        Weights of the units, one set in each row: shape ``(m, units)``. Each set implies a
        condition: the placements of a solution together weigh as much as all required units, where
        optional units count 0. These conditions are redundant, but useful to prune.

    Raises
    ------
    ModelError
        If the arrays do not fit together, or pieces are not the first items and units the next.

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
    kinds: npt.NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, dtype=np.int8))
    apart: Longs = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))
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
        """Return the meaning of items, given their labels.

        The first `pieces` items are pieces, the next `units` items are units. The kind of any other
        item follows from the prefix of its label; it is `OTHER` if the prefix is unknown.

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

    @cached_property
    def is_piece(self) -> Mask:
        """For each item, whether it stands for a piece; shape ``(items,)``."""
        return np.asarray(self.kinds == ItemKind.PIECE)

    @cached_property
    def is_unit(self) -> Mask:
        """For each item, whether it stands for a unit; shape ``(items,)``."""
        return np.asarray(self.kinds == ItemKind.UNIT)

    @cached_property
    def is_rule(self) -> Mask:
        """For each item, whether it is neither a piece nor a unit; shape ``(items,)``."""
        return np.asarray(self.kinds > ItemKind.UNIT)

    def of_kind(self, kind: ItemKind) -> Longs:
        """Return the items of a kind, in increasing order."""
        return np.flatnonzero(self.kinds == kind)

    @property
    def omission(self) -> int | None:
        """The item that counts omitted pieces; None if the puzzle has no omission."""
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
        """Return the image of each piece item and each unit item under a symmetry."""
        return np.concatenate([symmetry.pieces, self.items_of(symmetry.units)])

    def spread(self, weights: Ints) -> Ints:
        """Return weights of all items, given sets of weights of units, one in each row.

        Items that are not units weigh 0.
        """
        wide = np.zeros((len(weights), len(self.kinds)), dtype=np.int32)
        if len(weights):
            wide[:, self.is_unit] = weights
        return wide

    @cached_property
    def short_labels(self) -> tuple[str, ...]:
        """The labels without spaces and with short prefixes: ``x1,1`` for ``crossing 1,1``."""
        short = []
        for label, number in zip(self.labels, self.kinds.tolist(), strict=True):
            kind = ItemKind(number)
            known = bool(kind.word) and label.startswith(kind.word)
            text = kind.mark + label[len(kind.word) :] if known else label
            short.append("".join(text.split()))
        return tuple(short)


__all__ = ["Ints", "Longs", "Model"]


KINDS: dict[str, type[np.integer[Any]]] = {
    "lower": np.int32,
    "upper": np.int32,
    "first": np.int64,
    "members": np.int32,
    "colors": np.int32,
}
"""The names of a model's arrays, and the types of their integers."""


def _integers(given: npt.ArrayLike, kind: type[np.integer[Any]], name: str) -> npt.NDArray[Any]:
    """Convert an array or a list of integers to an array of type `kind`.

    Raise ModelError unless all are integers that this type can hold, in a flat array or list, and
    PuzzleError if a list is too long. `name`: name of the array, for messages.
    """
    if isinstance(given, np.ndarray) and given.dtype == kind and given.ndim == 1:
        return given
    refuse_long(given)
    try:
        array = np.asarray(given)
    except ValueError:  # parts of different lengths
        array = np.zeros((0, 0))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ModelError(f"The array `{name}` must be a list of integers.")
    if array.size and not np.iinfo(kind).min <= array.min() <= array.max() <= np.iinfo(kind).max:
        raise ModelError(f"The array `{name}` of a model has integers that are too large.")
    return array.astype(kind, copy=False)


def _narrowed(given: list[int], name: str) -> Ints:
    """Return a list of integers as an array of 32-bit integers; `name` is for messages.

    Raise ModelError if an integer does not fit 32 bits.
    """
    return _integers(np.array(given, dtype=np.int64), np.int32, name)


@dataclass(frozen=True, eq=False)
class Model:
    """Items and options in flat arrays.

    An assignment is a set of options. It solves the model if every item i is contained in at least
    ``lower[i]`` and at most ``upper[i]`` of them. A primary item has bounds 1..1, a secondary
    item 0..1. An option may give a secondary item a color: then any number of options may contain
    the item, as long as all of them give it that color.

    Attributes
    ----------
    lower, upper
        Least and greatest number of chosen options that contain each item, shape ``(items,)``.
    first, members
        Option o contains the items ``members[first[o]:first[o + 1]]``, each once and in increasing
        order, which is not checked.
    colors
        The color that each entry of `members` gets from its option; 0, the default, for none.
    meaning
        The meaning of items and options. By default, labels are numbers, such as ``item 0``.

    Raises
    ------
    ModelError
        If an array is not a list of integers, or lengths do not fit together; if a lower bound is
        negative or above the upper bound; if an option is empty, or contains an item that does not
        exist; if a color is negative, or given to an item whose bounds are not 0..1.
    PuzzleError
        If a list has more than ten million entries.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> model.items, model.options, model.option(0).tolist()
    (2, 3, [0, 1])
    >>> model.colored
    False
    """

    lower: Ints
    upper: Ints
    first: Longs
    members: Ints
    colors: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    meaning: Meaning = field(default_factory=Meaning, repr=False)

    def __post_init__(self) -> None:
        wanted(self.meaning, Meaning, "The meaning of a model", ModelError)
        for name, kind in KINDS.items():
            object.__setattr__(self, name, _integers(getattr(self, name), kind, name))
        n = len(self.lower)
        if n and not self.meaning.labels:
            object.__setattr__(self, "meaning", Meaning(tuple(f"item {i}" for i in range(n))))
        if len(self.upper) != n or len(self.meaning.labels) != n:
            raise ModelError("Lower bounds, upper bounds and labels differ in length.")
        if (self.lower < 0).any() or (self.lower > self.upper).any():
            bad = int(np.flatnonzero((self.lower < 0) | (self.lower > self.upper))[0])
            raise ModelError(
                f"Item {bad} ({self.meaning.labels[bad]}) has the impossible bounds "
                f"{self.lower[bad]}..{self.upper[bad]}."
            )
        if not len(self.first) or self.first[0] != 0 or self.first[-1] != len(self.members):
            raise ModelError("The options' boundaries do not span the members.")
        if (np.diff(self.first) < 1).any():
            raise ModelError(f"Option {int(np.argmin(np.diff(self.first)))} has no items.")
        if len(self.members) and not 0 <= self.members.min() <= self.members.max() < n:
            raise ModelError("An option contains an item that does not exist.")
        self._check_colors()

    def _check_colors(self) -> None:
        """Set missing colors to 0; raise ModelError if colors contradict the other arrays."""
        if not len(self.colors):
            object.__setattr__(self, "colors", np.zeros(len(self.members), dtype=np.int32))
        if len(self.colors) != len(self.members) or (self.colors < 0).any():
            raise ModelError("There must be a color, 0 for none, for every member of an option.")
        painted = np.flatnonzero(np.bincount(self.members[self.colors > 0]))
        if (self.lower[painted] != 0).any() or (self.upper[painted] != 1).any():
            bad = painted[(self.lower[painted] != 0) | (self.upper[painted] != 1)][0]
            raise ModelError(
                f"Item {bad} ({self.meaning.labels[bad]}) is colored, but its bounds are "
                f"{self.lower[bad]}..{self.upper[bad]}: they must be 0..1."
            )

    @classmethod
    @door
    def of_options(
        cls,
        options: Iterable[Iterable[int]],
        lower: Iterable[int],
        upper: Iterable[int],
        colors: Iterable[Mapping[int, int]] | None = None,
    ) -> Model:
        """Return a model given as lists.

        Parameters
        ----------
        options
            The items of each option, numbered from 0, in any order.
        lower, upper
            The least and greatest number of chosen options that contain each item: 1 and 1 for a
            primary item, 0 and 1 for a secondary one.
        colors
            For each option, a mapping from its colored items to their colors, numbered from 1. By
            default, no item is colored.

        Raises
        ------
        ModelError
            If an option is empty, has an item twice, or has one that does not exist; if a color is
            given to an item that its option lacks or that is not secondary; if bounds are
            impossible; if lists differ in length.
        PuzzleError
            If a number is not an integer.

        Examples
        --------
        Two options share the secondary item 2. Both may be chosen only if they give it one color:

        >>> apart = Model.of_options([[0, 2], [1, 2]], lower=[1, 1, 0], upper=[1, 1, 1])
        >>> alike = Model.of_options(
        ...     [[0, 2], [1, 2]], [1, 1, 0], [1, 1, 1], colors=[{2: 1}, {2: 1}]
        ... )
        >>> apart.colored, alike.colored
        (False, True)
        """
        rows = [sorted(o) for o in options]
        paints = [{}] * len(rows) if colors is None else list(colors)
        if len(paints) != len(rows):
            raise ModelError(f"There are {len(rows)} options, but colors of {len(paints)}.")
        for number, (row, paint) in enumerate(zip(rows, paints, strict=True)):
            if len(set(row)) < len(row):
                twice = next(a for a, b in pairwise(row) if a == b)
                raise ModelError(f"Option {number} contains item {twice} twice.")
            if not paint.keys() <= set(row):
                raise ModelError(
                    f"Option {number} gives a color to an item that it does not contain."
                )
        painted = [p.get(i, 0) for row, p in zip(rows, paints, strict=True) for i in row]
        return cls(
            lower=_narrowed(list(lower), "lower"),
            upper=_narrowed(list(upper), "upper"),
            first=np.cumsum([0, *map(len, rows)], dtype=np.int64),
            members=_narrowed([i for row in rows for i in row], "members"),
            colors=_narrowed(painted, "colors"),
        )

    @property
    def items(self) -> int:
        """Number of items."""
        return len(self.lower)

    @property
    def options(self) -> int:
        """Number of options."""
        return len(self.first) - 1

    def option(self, o: int) -> Ints:
        """Return the items of an option, as a view; raise ModelError if there is no such option."""
        o = numbered(o, self.options, "option", ModelError)
        return self.members[self.first[o] : self.first[o + 1]]

    @cached_property
    def digest(self) -> str:
        """The first 16 hexadecimal digits of a hash of the arrays; the meaning has no effect.

        Examples
        --------
        >>> Model.of_options([[0]], lower=[1], upper=[1]).digest
        '77e8cd49c9a9b066'
        """
        from hashlib import sha256  # slow to load, and seldom needed

        digest = sha256()
        for name in KINDS:
            digest.update(np.ascontiguousarray(getattr(self, name), dtype=np.int64).tobytes())
            digest.update(b"/")
        return digest.hexdigest()[:16]

    @cached_property
    def colored(self) -> bool:
        """Whether any option gives an item a color."""
        return bool(np.count_nonzero(self.colors))

    @cached_property
    def option_of(self) -> Longs:
        """For each entry of `members`, the option that it belongs to."""
        return np.repeat(np.arange(self.options), np.diff(self.first))

    @cached_property
    def uses(self) -> Longs:
        """For each item, the number of options that contain it; shape ``(items,)``."""
        return np.bincount(self.members, minlength=self.items)

    @cached_property
    def by_item(self) -> tuple[Longs, Longs]:
        """`starts` and `options`: item i is in the options ``options[starts[i]:starts[i + 1]]``."""
        narrow = self.items <= 1 << 16  # a stable sort of small numbers is many times as fast
        members = self.members.astype(np.uint16) if narrow else self.members
        order = np.argsort(members, kind="stable")
        return np.concatenate([[0], np.cumsum(self.uses)]), self.option_of.take(order)

    def options_with(self, item: int) -> Longs:
        """Return the options that contain an item, in increasing order, as a view.

        Raise ModelError if there is no such item.
        """
        item = numbered(item, self.items, "item", ModelError)
        starts, options = self.by_item
        return options[starts[item] : starts[item + 1]]

    @cached_property
    def pinned(self) -> bool:
        """Whether each of the first `deciding` options contains an item whose two bounds are equal.

        If so, no solution is part of another one, and a clause that excludes the deciding options
        of a solution excludes only this solution.
        """
        exact = np.concatenate([[0], np.cumsum((self.lower == self.upper)[self.members])])
        pinned = exact[self.first[1:]] > exact[self.first[:-1]]
        return bool(pinned[: self.deciding].all())

    @property
    def deciding(self) -> int:
        """Number of options that decide a solution: all except the *apart* options at the end.

        An apart option states only that two pieces do not touch. The other options of a solution
        determine which apart options it contains.
        """
        return self.options - len(self.meaning.apart)

    @cached_property
    def piece_of(self) -> Ints:
        """For each option, the piece that it places or omits, -1 for none; shape ``(options,)``."""
        leading = self.members[self.first[:-1]]
        return np.where(self.meaning.is_piece[leading], leading, -1).astype(np.int32)

    @cached_property
    def places(self) -> npt.NDArray[np.bool_]:
        """For each option, whether it places a piece on units; shape ``(options,)``."""
        units = np.concatenate([[0], np.cumsum(self.meaning.is_unit[self.members])])
        return np.asarray((units[self.first[1:]] > units[self.first[:-1]]) & (self.piece_of >= 0))

    def covered(self, options: npt.ArrayLike) -> tuple[Longs, Longs]:
        """Return the numbers of the units that options cover, as `units` and `starts`.

        ``options[k]`` covers ``units[starts[k]:starts[k + 1]]``. Raise ModelError if an option does
        not exist.
        """
        options = self.numbers_of(options)
        lengths = np.diff(self.first)[options]
        ends = np.cumsum(lengths)
        places = np.arange(lengths.sum()) + np.repeat(self.first[options] - ends + lengths, lengths)
        units = self.meaning.unit_of(self.members[places])
        inside = np.concatenate([[0], np.cumsum(units >= 0)])
        return units[units >= 0], inside[np.concatenate([[0], ends])]

    def units_of(self, option: int) -> list[int]:
        """Return the numbers of the units that an option covers.

        Raise ModelError if there is no such option.
        """
        return list(
            self.covered([numbered(option, self.options, "option", ModelError)])[0].tolist()
        )

    def numbers_of(self, options: npt.ArrayLike) -> Longs:
        """Return numbers of options as an array; raise ModelError if an option does not exist."""
        numbers = _integers(options, np.int64, "options")
        for number in (numbers.min(), numbers.max()) if numbers.size else ():
            numbered(int(number), self.options, "option", ModelError)
        return numbers
