"""The options of colored items by color, for solvers that know "at most one" but no colors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exactile.model.model import Model


class Paints(NamedTuple):
    """The options of one colored item."""

    # Those that give it no color: at most one of them may be chosen, and then nothing else
    plain: list[int]
    # Those of each color: if one is chosen, only options of that color may be
    by_color: dict[int, list[int]]


def paints(model: Model) -> dict[int, Paints]:
    """Return the options of every colored item.

    What the colors mean: "at most one" holds for the plain options and one new variable for each
    color, which every option of that color implies.

    Examples
    --------
    >>> model = Model.of_options([[0], [0], [0]], [0], [1], colors=[{0: 2}, {}, {0: 2}])
    >>> paints(model)
    {0: Paints(plain=[1], by_color={2: [0, 2]})}
    """
    colored = np.unique(model.members[model.colors > 0]).tolist()
    result = {item: Paints([], {}) for item in colored}
    here = np.isin(model.members, colored)
    columns = (model.members[here], model.colors[here], model.option_of[here])
    for item, color, option in zip(*(c.tolist() for c in columns), strict=True):
        plain, by_color = result[item]
        (by_color.setdefault(color, []) if color else plain).append(option)
    return result
