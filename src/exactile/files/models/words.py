"""Names of items and options in files for other programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from string import ascii_letters, digits

from exactile.errors import ModelError
from exactile.model.model import Ints, Model


def color_names(model: Model, given: Sequence[str] = ()) -> list[str]:
    """Return the names of colors 0 (none), 1, 2 ...; a letter or digit if none are given.

    Raise ModelError if there are too few names, or a name is unsuitable.
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
    """Return the word of each member: the name of the item, and its color if it has one."""
    words = list(map(names.__getitem__, members.tolist()))
    for k in paint.nonzero()[0].tolist():
        words[k] += f":{colors[paint[k]]}"
    return words


def option_texts(model: Model, colors: Sequence[str] = ()) -> Iterator[str]:
    """Yield each option as a line of words: its items, with their colors if it gives any.

    >>> list(option_texts(Model.of_options([[0, 1], [1]], [0, 2], [1, 3], colors=[{0: 1}, {}])))
    ['item0:1 item1', 'item1']
    """
    names = model.meaning.short_labels
    words = member_words(model.members, model.colors, names, color_names(model, colors))
    bounds = model.first.tolist()
    for start, end in pairwise(bounds):
        yield " ".join(words[start:end])
