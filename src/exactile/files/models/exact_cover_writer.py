"""Writing models in the text format of Knuth's programs, which `exact_cover` describes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from typing import IO

import numpy as np

from exactile.files.models.words import color_names, member_words
from exactile.model.model import Ints, Longs, Model

LONGEST = 8
"""Largest number of bytes of a name that Knuth's programs read."""


def write_exact_cover(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write a model: primary items first, each kind in the model's order, and all options.

    Items with the bounds 0..1 become secondary ones. Labels that are too long for Knuth's programs,
    or contain what the format cannot express, are replaced by ``#1``, ``#2`` ...; comments list
    them. An option of secondary items alone would be ignored: it gets an additional item ``+`` that
    may be covered any number of times. Items that must not be covered are omitted together with
    their options.

    `output`: a text stream. `colors`: ``colors[k - 1]`` is the name of color k; if left out, a
    letter or digit. `comments`: written at the top. Raise ModelError if a color has no usable name.

    >>> import sys
    >>> model = Model.of_options([[0, 1], [1]], [0, 2], [1, 3], colors=[{0: 1}, {}])
    >>> write_exact_cover(model, sys.stdout)
    2:3|item1 | item0
    item1 item0:1
    item1
    """
    shut = np.flatnonzero(model.upper == 0)
    dropped = np.unique(model.option_of[np.isin(model.members, shut)])
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
    return int(model.lower[item]), int(model.upper[item])


def _bounded(name: str, low: int, high: int) -> str:
    """Return an item in the form of the first line."""
    if low == high:
        return name if low == 1 else f"{low}|{name}"
    return f"{low}:{high}|{name}"


def _without(model: Model, dropped: Longs) -> tuple[Longs, Ints, Ints]:
    """Return boundaries, members and colors of the options that are not omitted."""
    lengths = np.delete(np.diff(model.first), dropped)
    kept = ~np.isin(model.option_of, dropped)
    return np.concatenate([[0], np.cumsum(lengths)]), model.members[kept], model.colors[kept]


def _names(model: Model) -> tuple[list[str], list[str]]:
    """Return the name of each item, and a comment for each name that differs from the label."""
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
