"""Exact-cover problems in the text format of Knuth's programs, read into models.

The first line names the items; ``|`` stands between primary and secondary ones. Each other line is
an option: the names of its items. ::

    | lines that begin with a bar, and empty ones, are passed over
    a b 2:3|c | x y
    a b x:0 y:0
    a c x:1 y:1
    c x:0
    b x:1
    c y:1

Primary items are covered once. ``2|c`` says twice, ``2:3|c`` two or three times (DLX3, SSMCC). In
an option ``x:1`` gives the secondary item x the color 1 (DLX2, SSXCC). Options without primary
items are ignored. Knuth's programs have names of up to eight characters and colors of one; here
both may be longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactile.errors import FileError, suggestion
from exactile.files.io.place import Place, shown
from exactile.model.meaning import Meaning
from exactile.model.model import Model

BOUNDED = re.compile(r"(?:(\d{1,9}):)?(\d{1,9})\|([^|:]+)")
NAME = re.compile(r"[^|:]+")

Longs = npt.NDArray[np.int64]

Placed = tuple[str, list[list[int]]]
"""A piece, and its units in customary coordinates."""


@dataclass(frozen=True)
class ExactCover:
    """An exact-cover problem as it stands in a file."""

    model: Model  # items and options in the file's order; the labels are the items' names
    colors: tuple[str, ...] = ()  # `colors[k - 1]` is the name of color k
    lines: tuple[int, ...] = ()  # the line of each option, counted from 1
    # Lines of options that have no primary item: they are not in the model
    ignored: tuple[int, ...] = ()
    title: str | None = None  # the title of the file, if it has one
    placements: tuple[Placed | None, ...] = ()  # the placement of each option, if the file has them

    def text(self, option: int) -> str:
        """Return an option as a line of a file."""
        model = self.model
        span = slice(model.first[option], model.first[option + 1])
        return " ".join(
            model.meaning.labels[i] + (f":{self.colors[c - 1]}" if c else "")
            for i, c in zip(model.members[span].tolist(), model.colors[span].tolist(), strict=True)
        )


def parse_exact_cover(name: str, text: str) -> ExactCover:
    r"""Read an exact-cover problem from the text of a file; `name` is for messages.

    Raise FileError if a line is damaged; the message names the line and shows the damage.

    >>> problem = parse_exact_cover("x.xcc", "a b | x\na x:red\nb x:red\n")
    >>> problem.model.meaning.labels, problem.model.lower.tolist(), problem.model.upper.tolist()
    (('a', 'b', 'x'), [1, 1, 0], [1, 1, 1])
    >>> problem.text(0), problem.colors
    ('a x:red', ('red',))
    """
    lines = text.split("\n")
    kept = [n for n, line in enumerate(lines) if (s := line.lstrip()) and s[0] != "|"]
    if not kept:
        raise FileError(f"{name}: there are no items in it: the first line names them: a b | x y.")
    items = _items(Place(name, f"line {kept[0] + 1}"), lines[kept[0]].split())
    rows = [lines[n] for n in kept[1:]]
    numbers = np.array(kept[1:], dtype=np.int64) + 1
    return _Options(name, items, rows, numbers).problem()


@dataclass(frozen=True)
class _ItemNames:
    """The contents of the first line."""

    names: dict[str, int]
    lower: list[int]
    upper: list[int]
    primary: int


def _items(place: Place, words: list[str]) -> _ItemNames:
    """Read the first line."""
    primary = words.index("|") if "|" in words else len(words)
    words = words[:primary] + words[primary + 1 :]
    names: dict[str, int] = {}
    bounds = []
    for word in words:
        if word == "|":
            raise place.error("a second |: one stands between primary and secondary items.")
        name, low, high = _item(place, word, secondary=len(names) >= primary)
        if name in names:
            raise place.error(f"the item {shown(name)} is named twice.")
        names[name] = len(names)
        bounds.append((low, high))
    return _ItemNames(names, [b[0] for b in bounds], [b[1] for b in bounds], primary)


def _item(place: Place, word: str, *, secondary: bool) -> tuple[str, int, int]:
    """Return the name and the bounds of an item."""
    if NAME.fullmatch(word):
        return word, 0 if secondary else 1, 1
    bounded = BOUNDED.fullmatch(word)
    if bounded is None:
        raise place.error(f"{shown(word)} is not an item: write a, 2|a or 2:3|a.")
    if secondary:
        raise place.error(f"{shown(word)}: a secondary item is covered once or not at all.")
    high = int(bounded[2])
    low = int(bounded[1] or high)
    if not low <= high or high == 0:
        raise place.error(f"{shown(word)}: the bounds {low} to {high} are impossible.")
    return bounded[3], low, high


class _Options:
    """The lines of options; all work except that on distinct words is done on whole arrays."""

    def __init__(self, file: str, items: _ItemNames, rows: list[str], numbers: Longs) -> None:
        self._file = file
        self._items = items
        self._rows = rows
        self._numbers = numbers

    def problem(self) -> ExactCover:
        words = list(_words(self._rows))
        colors: dict[str, int] = {}
        codes: dict[str, tuple[int, int]] = {
            word: self._decoded(word, colors) for word in dict.fromkeys(words)
        }
        table = np.array(list(codes.values()), dtype=np.int32).reshape(-1, 2)
        ranks = dict(zip(codes, range(len(codes)), strict=True))
        index = np.fromiter(map(ranks.__getitem__, words), dtype=np.int64, count=len(words))
        members, paint = table[index, 0], table[index, 1]
        lengths = np.array([len(row.split()) for row in self._rows], dtype=np.int64)
        option = np.repeat(np.arange(len(lengths)), lengths)
        order = np.lexsort((members, option))
        members, paint = members[order], paint[order]
        self._refuse_repeats(members, option)
        has_primary = np.zeros(len(lengths), dtype=bool)
        has_primary[option[members < self._items.primary]] = True
        kept = has_primary[option]
        model = Model(
            lower=np.array(self._items.lower, dtype=np.int32),
            upper=np.array(self._items.upper, dtype=np.int32),
            first=np.concatenate([[0], np.cumsum(lengths[has_primary])]),
            members=members[kept],
            meaning=Meaning(tuple(self._items.names)),
            colors=paint[kept],
        )
        return ExactCover(
            model,
            tuple(colors),
            tuple(self._numbers[has_primary].tolist()),
            tuple(self._numbers[~has_primary].tolist()),
        )

    def _decoded(self, word: str, colors: dict[str, int]) -> tuple[int, int]:
        """Return the item and the color of a word."""
        name, colon, color = word.partition(":")
        item = self._items.names.get(name)
        if item is None:
            hint = suggestion(name, self._items.names)
            raise self._place(word).error(f"there is no item {shown(name)}.{hint}")
        if not colon:
            return item, 0
        if not NAME.fullmatch(color):
            raise self._place(word).error(
                f"{shown(word)} is no colored item: a color is one word after a single colon, "
                "such as c:A."
            )
        if item < self._items.primary:
            raise self._place(word).error(f"{shown(word)}: only secondary items have colors.")
        return item, colors.setdefault(color, len(colors) + 1)

    def _place(self, word: str) -> Place:
        row = next(k for k, row in enumerate(self._rows) if word in row.split())
        return Place(self._file, f"line {self._numbers[row]}")

    def _refuse_repeats(self, members: npt.NDArray[np.int32], option: Longs) -> None:
        repeated = np.flatnonzero((np.diff(members) == 0) & (np.diff(option) == 0))
        if len(repeated):
            name = list(self._items.names)[members[repeated[0]]]
            place = Place(self._file, f"line {self._numbers[option[repeated[0]]]}")
            raise place.error(f"the item {shown(name)} stands twice in an option.")


def _words(rows: list[str]) -> Iterator[str]:
    for row in rows:
        yield from row.split()
