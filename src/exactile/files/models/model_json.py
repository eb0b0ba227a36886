"""The JSON form of models: items with labels and bounds, options with members; writing it.

One object::

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

Items are numbered from 0 in their order. ``kind`` is omitted for items that are neither pieces nor
units of a region; pieces come first, then units. ``colors`` of an option has one entry for each
item of the option. ``placement``, a piece and its units in customary coordinates, is a comment.
``lower`` and ``upper`` are 1 by default.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import IO, Any, Literal

import msgspec
import numpy as np

from exactile.files.models.exact_cover import Placed
from exactile.files.models.words import color_names
from exactile.model.meaning import ItemKind
from exactile.model.model import Model
from exactile.puzzle.puzzle import Puzzle

FORMAT = 1

Kind = Literal["piece", "unit"] | None


class Item(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An item."""

    label: str
    lower: int = 1
    upper: int = 1
    kind: Kind = None


class Option(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An option."""

    items: list[int]
    colors: list[str | None] | None = None
    placement: Placed | None = None


class ModelDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A file."""

    format: int
    items: list[Item]
    options: list[Option]
    title: str | None = None
    colors: list[str] = []


def schema() -> dict[str, Any]:
    """Return the JSON schema of the format.

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

    `model`, `output`, `colors`: as in `exactile.files.models.exact_cover_writer.write_exact_cover`.
    `placements`: the placement of each option, in customary coordinates; optional.

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
    """Yield the placement of each option of a puzzle's model; None if it omits a piece.

    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> next(puzzle_placements(puzzle, exactile.lower(puzzle)))
    ('F', [[0, 0], [0, 1], [1, 1], [1, 2], [2, 1]])
    """
    coordinates = [list(map(int, c)) for c in puzzle.region.coordinates]
    units, starts = model.covered(np.arange(model.options))
    places = [coordinates[u] for u in units.tolist()]
    for piece, (start, end) in zip(model.piece_of.tolist(), pairwise(starts.tolist()), strict=True):
        yield (puzzle.pieces[piece].name, places[start:end]) if start < end else None
