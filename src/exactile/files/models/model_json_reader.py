"""Reading the JSON form of models; see `exactile.files.models.model_json`."""

from __future__ import annotations

from itertools import chain
from typing import TypeVar

import msgspec
import numpy as np

from exactile.errors import ModelError
from exactile.files.io.place import Place, shown
from exactile.files.models.exact_cover import ExactCover
from exactile.files.models.model_json import FORMAT, Item, ModelDocument
from exactile.model.meaning import Meaning
from exactile.model.model import Ints, Longs, Model

MOST = 10**9
"""Limit of bounds."""


T = TypeVar("T", bound=msgspec.Struct)


class _Version(msgspec.Struct):
    format: int


def parse_json(name: str, text: str) -> ExactCover:
    """Read a model from the text of a file; `name` is for messages.

    Raise FileError if the text is not valid; the message names the line or the key.

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
    """Parse JSON into a structure; explain errors."""
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
    """Return a message of the parser with the line in place of the byte."""
    problem, sign, byte = message.partition("(byte ")
    if not sign:
        return message
    before = text.encode()[: int(byte.rstrip(")"))]
    return f"{problem}(line {before.count(10) + 1})"


def _check_items(place: Place, items: list[Item]) -> None:
    """Refuse impossible bounds, and labels that occur twice."""
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
    """Return how many items are pieces and units; pieces come first, then units, then others."""
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
    """Return boundaries and members of the options as given, checked."""
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
            raise here.error(f"an item stands there twice: {shown(row)}.")
    first = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return first, np.array(list(chain.from_iterable(rows)), dtype=np.int32)


def _colors(place: Place, document: ModelDocument) -> Ints:
    """Return the number of the color of each member, 0 for none."""
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
        if unknown := next((c for c in tints if c not in numbers), None):
            raise here.error(
                f"there is no color {shown(unknown)}: name it under colors at the top."
            )
        flat += map(numbers.__getitem__, tints)
    return np.array(flat, dtype=np.int32)
