"""Models as JSON files: items with labels and bounds, and options with their items.

A file is one object::

    {"format": 1, "title": "...",
     "colors": ["A", "B"],
     "items": [
      {"label": "piece I2", "lower": 3, "upper": 3, "kind": "piece"},
      {"label": "unit 0,0", "lower": 1, "upper": 1, "kind": "unit"},
      ...],
     "options": [
      {"items": [0, 1, 2], "placement": ["I2", [[0, 0], [1, 0]]]},
      {"items": [3, 5], "colors": [null, "A"]},
      ...]}

Items are numbered from 0 in the order of the file. ``kind`` is omitted for items that are neither
pieces nor units of a region; pieces come first, then units. ``colors`` of an option has one entry
for each item of the option: a color, or null for none. ``placement``, a piece and its units in
customary coordinates, has no effect on the model. ``lower`` and ``upper`` are 1 by default.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import IO, Any, Literal, TypeVar

import msgspec
import numpy as np

from exactile.errors import ModelError
from exactile.files.models.exact_cover import ExactCover, Placed, color_names
from exactile.files.sources import Place, shown
from exactile.model.model import Ints, ItemKind, Longs, Meaning, Model
from exactile.puzzle.puzzle import Puzzle

FORMAT = 1

Kind = Literal["piece", "unit"] | None


class Item(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An item in a file, with bounds on the number of chosen options that contain it."""

    label: str
    lower: int = 1
    upper: int = 1
    kind: Kind = None


class Option(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An option in a file: the indices of its items, and for each item its color, or None."""

    items: list[int]
    colors: list[str | None] | None = None
    placement: Placed | None = None


class ModelDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A whole file: items, options, a title and the names of colors."""

    format: int
    items: list[Item]
    options: list[Option]
    title: str | None = None
    colors: list[str] = []


def schema() -> dict[str, Any]:
    """Return the JSON schema of model files in JSON.

    >>> sorted(schema()["$defs"])
    ['Item', 'ModelDocument', 'Option']
    """
    return msgspec.json.schema(ModelDocument)


def write_json(
    model: Model,
    output: IO[str],
    *,
    colors: Sequence[str] = (),
    title: str | None = None,
    placements: Iterable[Placed | None] = (),
) -> None:
    r"""Write a model as JSON, one item or option on each line.

    `model`, `output`, `colors`: as in `exactile.files.models.exact_cover.write_exact_cover`.
    `title`: the title in the file, or None for none. `placements`: for each option its placement,
    in customary coordinates, or None; empty to write no placements. Raise ModelError if two items
    have the same label, or a color has no usable name.

    >>> import sys
    >>> write_json(Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1]), sys.stdout)
    {"format": 1,
     "items": [
      {"label":"item 0"},
      {"label":"item 1","lower":0}],
     "options": [
      {"items":[0]},
      {"items":[0,1]}]}
    """
    twice = [label for label, number in Counter(model.meaning.labels).items() if number > 1]
    if twice:
        raise ModelError(f"Each item in a JSON file has its own label, but two are {twice[0]!r}.")
    output.write(f'{{"format": {FORMAT},\n')
    if title is not None:
        output.write(f' "title": {json.dumps(title, ensure_ascii=False)},\n')
    names = color_names(model, colors)
    if model.colored:
        output.write(f' "colors": {json.dumps(names[1:], ensure_ascii=False)},\n')
    output.write(' "items": [')
    output.writelines(_lines(_items(model)))
    output.write('],\n "options": [')
    output.writelines(_lines(_options(model, names, iter(placements))))
    output.write("]}\n")


def _lines(values: Iterable[Item | Option]) -> Iterator[str]:
    for number, value in enumerate(values):
        yield (",\n  " if number else "\n  ") + msgspec.json.encode(value).decode()


def _items(model: Model) -> Iterator[Item]:
    words: dict[int, Kind] = {ItemKind.PIECE: "piece", ItemKind.UNIT: "unit"}
    meaning = model.meaning
    columns = (meaning.labels, model.lower.tolist(), model.upper.tolist(), meaning.kinds.tolist())
    for label, low, high, kind in zip(*columns, strict=True):
        yield Item(label, low, high, words.get(kind))


def _options(
    model: Model, names: list[str], placements: Iterator[Placed | None]
) -> Iterator[Option]:
    members, paint = model.members.tolist(), model.colors.tolist()
    starts = model.first.tolist()
    painted = set(model.option_of[model.colors > 0].tolist())
    for o, (start, end) in enumerate(pairwise(starts)):
        tints = [names[c] or None for c in paint[start:end]] if o in painted else None
        yield Option(members[start:end], tints, next(placements, None))


def puzzle_placements(puzzle: Puzzle, model: Model) -> Iterator[Placed | None]:
    """Yield, for each option of a puzzle's model, its placement, or None if it has none.

    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> next(puzzle_placements(puzzle, exactile.lower(puzzle)))
    ('F', [[0, 0], [0, 1], [1, 1], [1, 2], [2, 1]])
    """
    coordinates = [list(map(int, c)) for c in puzzle.region.coordinates]
    units, starts = model.covered(np.arange(model.options))
    places = [coordinates[u] for u in units.tolist()]
    for piece, (start, end) in zip(model.piece_of.tolist(), pairwise(starts.tolist()), strict=True):
        placed = piece >= 0 and start < end  # else it omits a piece, or leaves a unit open
        yield (puzzle.pieces[piece].name, places[start:end]) if placed else None


MOST = 2**31 - 1
"""Largest bound of an item that a file may state: the largest that a model can have."""


T = TypeVar("T", bound=msgspec.Struct)


class _Version(msgspec.Struct):
    format: int


def parse_json(name: str, text: str) -> ExactCover:
    """Read a model from the text of a file; `name` is for messages.

    Raise FileError if the text is not valid; where possible, the message names the line or the key.

    >>> problem = parse_json("a.json", '''
    ...     {"format": 1, "items": [{"label": "a"}, {"label": "b"}], "options": [{"items": [1]}]}
    ... ''')
    >>> problem.model.meaning.labels, problem.text(0)
    (('a', 'b'), 'b')
    """
    place = Place(name)
    version = _decoded(place, text, _Version).format
    if version != FORMAT:
        raise (place / "format").error(f"this version reads format {FORMAT}, not {version}.")
    document = _decoded(place, text, ModelDocument)
    _check_items(place, document.items)
    pieces, units = _kinds(place, document.items)
    first, members = _members(place, document)
    option = np.repeat(np.arange(len(first) - 1), np.diff(first))
    order = np.lexsort((members, option))
    try:
        model = Model(
            lower=np.array([item.lower for item in document.items], dtype=np.int32),
            upper=np.array([item.upper for item in document.items], dtype=np.int32),
            first=first,
            members=members[order],
            colors=_colors(place, document)[order],
            meaning=Meaning.of_labels((item.label for item in document.items), pieces, units),
        )
    except ModelError as error:
        raise place.error(str(error)) from None
    placements = tuple(option.placement for option in document.options)
    return ExactCover(
        model,
        tuple(document.colors),
        title=document.title,
        placements=placements if any(placements) else (),
    )


def _decoded(place: Place, text: str, kind: type[T]) -> T:
    """Parse JSON as a structure; raise FileError, naming the key or line, if it does not fit."""
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at ")
        key = path.strip("`$.").replace("[...]", "")
        problem = problem.replace("`", "'")
        raise (place / key if key else place).error(f"{problem[0].lower()}{problem[1:]}.") from None
    except msgspec.DecodeError as error:
        raise place.error(f"bad JSON: {_with_line(str(error), text)}.") from None
    except RecursionError:
        raise place.error("bad JSON: it is nested too deeply.") from None


def _with_line(message: str, text: str) -> str:
    """Return a message of the JSON parser with the number of a line instead of a byte.

    For example, ``(byte 17)`` at the end becomes ``(line 2)``.
    """
    problem, sign, byte = message.partition("(byte ")
    if not sign:
        return message
    before = text.encode()[: int(byte.rstrip(")"))]
    return f"{problem}(line {before.count(10) + 1})"


def _check_items(place: Place, items: list[Item]) -> None:
    """Raise FileError for impossible bounds, and for labels that occur twice."""
    seen: dict[str, int] = {}
    for number, item in enumerate(items):
        here = place / f"items[{number}]"
        if not 0 <= item.lower <= item.upper <= MOST:
            raise here.error(
                f"{shown(item.label)} has the impossible bounds {item.lower} to {item.upper}."
            )
        if seen.setdefault(item.label, number) != number:
            raise here.error(
                f"the label {shown(item.label)} is also that of item {seen[item.label]}."
            )


def _kinds(place: Place, items: list[Item]) -> tuple[int, int]:
    """Return how many items are pieces and how many are units.

    Raise FileError unless pieces come first, then units, then other items.
    """
    ranks = {"piece": 0, "unit": 1, None: 2}
    last = 0
    for number, item in enumerate(items):
        if ranks[item.kind] < last:
            raise (place / f"items[{number}].kind").error(
                "pieces come first, then units, then other items."
            )
        last = ranks[item.kind]
    kinds = [item.kind for item in items]
    return kinds.count("piece"), kinds.count("unit")


def _members(place: Place, document: ModelDocument) -> tuple[Longs, Ints]:
    """Return arrays `first` and `members`: option o has ``members[first[o]:first[o + 1]]``.

    Raise FileError if an option is empty, has an item twice, or has one that does not exist.
    """
    rows = [option.items for option in document.options]
    count = len(document.items)
    for number, row in enumerate(rows):
        here = place / f"options[{number}].items"
        if not row:
            raise here.error("an option has at least one item.")
        if not 0 <= min(row) <= max(row) < count:
            wrong = next(i for i in row if not 0 <= i < count)
            raise here.error(
                f"there is no item {shown(wrong)}: they are numbered 0 to {count - 1}."
            )
        if len(set(row)) < len(row):
            raise here.error(f"an item occurs twice: {shown(row)}.")
    first = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return first, np.array(list(chain.from_iterable(rows)), dtype=np.int32)


def _colors(place: Place, document: ModelDocument) -> Ints:
    """Return the color of each entry of `_members`, as a number from 1; 0 means none.

    Raise FileError if a color is declared twice or not at all, or if an option has colors, but not
    one entry for each item.
    """
    numbers: dict[str | None, int] = {c: k for k, c in enumerate(document.colors, start=1)}
    if len(numbers) < len(document.colors):
        raise (place / "colors").error("a color is named twice.")
    numbers[None] = 0
    flat: list[int] = []
    for number, option in enumerate(document.options):
        tints = [None] * len(option.items) if option.colors is None else option.colors
        here = place / f"options[{number}].colors"
        if len(tints) != len(option.items):
            raise here.error(f"there are {len(tints)} of them for {len(option.items)} items.")
        if (unknown := next((c for c in tints if c not in numbers), None)) is not None:
            raise here.error(
                f"there is no color {shown(unknown)}: name it under colors at the top."
            )
        flat += map(numbers.__getitem__, tints)
    return np.array(flat, dtype=np.int32)
