"""Exact-cover problems in the text format of Knuth's programs.

The first line names the items; ``|`` stands between primary and secondary ones. Each other line is
an option: the names of its items. ::

    | lines that begin with a bar, and empty ones, are ignored
    a b 2:3|c | x y
    a b x:0 y:0
    a c x:1 y:1
    c x:0
    b x:1
    c y:1

Primary items are covered once, ``2|c`` twice, ``2:3|c`` two or three times (DLX3, SSMCC). In
an option ``x:1`` gives the secondary item x the color 1 (DLX2, SSXCC). Options without primary
items are ignored. Knuth's programs have names of up to eight characters and colors of one; here
both may be longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from string import ascii_letters, digits
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from exactile.errors import FileError, ModelError, suggestion
from exactile.files.sources import Place, shown
from exactile.model.model import Ints, Longs, Mask, Meaning, Model

BOUNDED = re.compile(r"(?:(\d{1,9}):)?(\d{1,9})\|([^|:]+)")
NAME = re.compile(r"[^|:]+")

Placed = tuple[str, list[list[int]]]
"""The name of a piece, and its units in customary coordinates."""


class OrbitOptions(NamedTuple):
    """One option of each orbit; the orbits consist of the options with a certain item.

    `item` is the name of the item, empty if no symmetry could be used. `options` has the indices of
    the options, and `sizes` the size of each orbit. The model excludes the other options with the
    item: see `exactile.files.models.cnf_writer.without_images`.
    """

    item: str = ""  # the name of the item; empty if no symmetry could be used
    options: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()  # of the orbits

    def note(self, written: Mask) -> str:
        """Return a comment that lists `options` with the sizes of their orbits.

        `written`: a mask of the model's options that are in the file. The comment lists only these,
        and numbers them from 1.
        """
        if not self.item:
            return "symmetry: the puzzle has none that could be used"
        numbers, pairs = np.cumsum(written), zip(self.options, self.sizes, strict=True)
        here = [f"{numbers[option]} ({size})" for option, size in pairs if written[option]]
        listed = " ".join(here) or "none"
        return (
            f"symmetry: of each orbit of {self.item} one option, with the size of the orbit: "
            f"{listed}"
        )


@dataclass(frozen=True)
class ExactCover:
    """The contents of a model file: model, names of colors, title, placements, and comments.

    The name of color k is ``colors[k - 1]``. `lines` has the line number of each option, `ignored`
    the line numbers of options without primary items, which are not in the model. `title` is None,
    and `lines` and `placements` are empty, if the file does not have them. `representatives` has
    the options that are kept if symmetric images are excluded, else it is None.
    """

    model: Model  # items and options in the file's order; the labels are the items' names
    colors: tuple[str, ...] = ()  # `colors[k - 1]` is the name of color k
    lines: tuple[int, ...] = ()  # the line of each option, counted from 1
    # Lines of options that have no primary item: they are not in the model
    ignored: tuple[int, ...] = ()
    title: str | None = None  # the title of the file, if it has one
    placements: tuple[Placed | None, ...] = ()  # the placement of each option, if the file has them
    # The options that were kept, one of each orbit, if symmetry was used
    representatives: OrbitOptions | None = None
    notes: tuple[str, ...] = ()  # further comments for files that are written

    def text(self, option: int) -> str:
        """Return an option as a line of a file in Knuth's format, such as ``a x:red``."""
        model = self.model
        span = slice(model.first[option], model.first[option + 1])
        return " ".join(
            model.meaning.labels[i] + (f":{self.colors[c - 1]}" if c else "")
            for i, c in zip(model.members[span].tolist(), model.colors[span].tolist(), strict=True)
        )


def parse_exact_cover(name: str, text: str) -> ExactCover:
    r"""Read an exact-cover problem from the text of a file; `name` is for messages.

    Raise FileError if there are no items or a line is damaged; the message names the line and shows
    the damage.

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
    """The items that the first line of a file names.

    Attributes
    ----------
    names
        The index of each item by its name.
    lower, upper
        The bounds of each item.
    primary
        Number of primary items, which come first.
    """

    names: dict[str, int]
    lower: list[int]
    upper: list[int]
    primary: int


def _items(place: Place, words: list[str]) -> _ItemNames:
    """Return the items and bounds in the words of the first line, such as ``a 2|b | x``.

    Raise FileError if a word is not an item, or if an item or ``|`` occurs twice.
    """
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
    """Return the name, lower and upper bound of the item that a word such as ``2:3|c`` describes.

    A secondary item has no bounds in its word; they are 0 and 1. Raise FileError for any other
    word, and for bounds that are not allowed.
    """
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
        raise place.error(f"{shown(word)}: the bounds {low} to {high} are not allowed.")
    return bounded[3], low, high


class _Options:
    """Reads the lines that list options.

    For speed, each distinct word is parsed once; the rest is done on arrays of all words.
    """

    def __init__(self, file: str, items: _ItemNames, rows: list[str], numbers: Longs) -> None:
        self._file = file
        self._items = items
        self._rows = rows
        self._numbers = numbers

    def problem(self) -> ExactCover:
        words = [word for row in self._rows for word in row.split()]
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
        """Return the index of the item and the number of the color in a word such as ``x:A``.

        A new color is added to `colors`; 0 means none. Raise FileError if there is no such item, it
        is primary and has a color, or the color is malformed.
        """
        name, colon, color = word.partition(":")
        item = self._items.names.get(name)
        if item is None:
            hint = suggestion(name, self._items.names)
            raise self._place(word).error(f"there is no item {shown(name)}.{hint}")
        if not colon:
            return item, 0
        if not NAME.fullmatch(color):
            raise self._place(word).error(
                f"{shown(word)} is not a colored item: a color is one word after a single colon, "
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
            raise place.error(f"the item {shown(name)} occurs twice in an option.")


def color_names(model: Model, given: Sequence[str] = ()) -> list[str]:
    """Return the names of the colors, by number; 0 means no color and has an empty name.

    `given`: names of colors 1, 2 ...; by default digits, then letters, then numbers. Raise
    ModelError if names are too few, not distinct, or cannot stand in a file.
    """
    most = int(model.colors.max(initial=0))
    characters = digits + ascii_letters
    names = list(given) or [
        characters[k] if k < len(characters) else str(k) for k in range(1, most + 1)
    ]
    if len(names) < most or len(set(names)) < len(names):
        raise ModelError(f"There are {most} colors, but {len(set(names))} names for them.")
    if bad := next((n for n in names if not n or re.search(r"[\s|:]", n)), None):
        raise ModelError(f"A color cannot be named '{bad}' in a file: leave out spaces, | and :.")
    return ["", *names]


def member_words(members: Ints, paint: Ints, names: Sequence[str], colors: list[str]) -> list[str]:
    """Return a word for each item of each option: its name, and its color if it has one.

    `members`: indices of the items. `paint`: numbers of their colors, 0 for none. `names`: names of
    all items. `colors`: names of the colors by number, as from `color_names`.
    """
    words = list(map(names.__getitem__, members.tolist()))
    for k in paint.nonzero()[0].tolist():
        words[k] += f":{colors[paint[k]]}"
    return words


def option_texts(model: Model, colors: Sequence[str] = ()) -> Iterator[str]:
    """Yield each option as a line of words: its items, with the colors that it gives them.

    >>> list(option_texts(Model.of_options([[0, 1], [1]], [0, 2], [1, 3], colors=[{0: 1}, {}])))
    ['item0:1 item1', 'item1']
    """
    names = model.meaning.short_labels
    words = member_words(model.members, model.colors, names, color_names(model, colors))
    bounds = model.first.tolist()
    for start, end in pairwise(bounds):
        yield " ".join(words[start:end])


LONGEST = 8
"""Largest number of bytes of a name that Knuth's programs read."""

HIGHEST = 999_999_999
"""Largest bound in a file; no model has more options, so a larger bound would mean the same."""


class TextStream(Protocol):
    """A stream that text is written to."""

    def write(self, text: str, /) -> int:
        """Write some text."""


def write_exact_cover(
    model: Model, output: TextStream, *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write a model in the text format of Knuth's programs.

    Primary items come first, then secondary ones, both in the order of the model. Items with the
    bounds 0..1 become secondary ones. The names of items are short forms of their labels, without
    blanks. Names that are empty, too long for Knuth's programs, equal to an earlier one, or contain
    ``|`` or ``:`` are replaced by ``#1``, ``#2`` ...; comments list them. Knuth's programs ignore
    options without primary items, so each such option gets an additional item ``+``, which may be
    covered any number of times. Items with the upper bound 0 are omitted, together with the options
    that contain them.

    `output`: a text stream. `colors`: ``colors[k - 1]`` is the name of color k; for the default see
    `color_names`. `comments`: written at the top. Raise ModelError if a color has no usable name.

    >>> import sys
    >>> model = Model.of_options([[0, 1], [1]], [0, 2], [1, 3], colors=[{0: 1}, {}])
    >>> write_exact_cover(model, sys.stdout)
    2:3|item1 | item0
    item1 item0:1
    item1
    """
    dropped = np.flatnonzero(~written_options(model))
    secondary = (model.lower == 0) & (model.upper == 1)
    primary = ~secondary & (model.upper > 0)
    first, members, paint = _without(model, dropped)
    names, renamed = _names(model)
    option = np.repeat(np.arange(len(first) - 1), np.diff(first))
    lonely = np.ones(len(first) - 1, dtype=bool)
    lonely[option[primary[members]]] = False
    for text in (*comments, *renamed):
        output.write(f"| {' '.join(text.split())}\n")
    head = [_bounded(names[i], *_bounds(model, i)) for i in np.flatnonzero(primary).tolist()]
    if lonely.any() or not primary.any():
        plus = next(p for n in count(1) if (p := "+" * n) not in names)
        head.append(_bounded(plus, 0, max(int(lonely.sum()), 1)))
    tail = [names[i] for i in np.flatnonzero(secondary).tolist()]
    output.write(" ".join([*head, *(["|", *tail] if tail else [])]) + "\n")
    # Sorted so that primary items come first, as they do in the first line.
    order = np.lexsort((members, secondary[members], option))
    words = member_words(members[order], paint[order], names, color_names(model, colors))
    for row, (start, end) in enumerate(zip(first[:-1].tolist(), first[1:].tolist(), strict=True)):
        output.write(" ".join([*([plus] if lonely[row] else []), *words[start:end]]) + "\n")


def _bounds(model: Model, item: int) -> tuple[int, int]:
    return min(int(model.lower[item]), HIGHEST), min(int(model.upper[item]), HIGHEST)


def _bounded(name: str, low: int, high: int) -> str:
    """Return an item with its bounds as a word of the first line, such as ``2:3|c``."""
    if low == high:
        return name if low == 1 else f"{low}|{name}"
    return f"{low}:{high}|{name}"


def written_options(model: Model) -> Mask:
    """Return a mask of the options in ``xcc`` files: those without an item of upper bound 0."""
    shut = np.flatnonzero(model.upper == 0)
    written = np.ones(model.options, dtype=bool)
    written[model.option_of[np.isin(model.members, shut)]] = False
    return written


def _without(model: Model, dropped: Longs) -> tuple[Longs, Ints, Ints]:
    """Return the arrays `first`, `members` and `colors` of a model without the options `dropped`.

    `dropped`: indices of options.
    """
    lengths = np.delete(np.diff(model.first), dropped)
    kept = ~np.isin(model.option_of, dropped)
    return np.concatenate([[0], np.cumsum(lengths)]), model.members[kept], model.colors[kept]


def _names(model: Model) -> tuple[list[str], list[str]]:
    """Return the name to write for each item, and a comment for each label that is replaced."""
    names: list[str] = []
    taken: set[str] = set()
    for short in model.meaning.short_labels:
        usable = 0 < len(short.encode()) <= LONGEST and not re.search(r"[|:]", short)
        names.append(short if usable and short not in taken else "")
        taken.add(short)
    fresh = (f"#{n}" for n in count(1) if f"#{n}" not in taken)
    comments = []
    for item, name in enumerate(names):
        if not name:
            names[item] = next(fresh)
            comments.append(f"{names[item]} is {model.meaning.labels[item]}")
    return names, comments
