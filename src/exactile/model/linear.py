"""A model as linear constraints over variables 0..1.

There is a variable for each option, then one for each color of an item, which is 1 if a chosen
option gives the item that color. The solutions of the model correspond one to one to those of the
constraints.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from exactile.model.model import Ints, Longs, Model


@dataclass(frozen=True, eq=False)
class Rows:
    """Linear constraints: row r bounds a sum of variables by ``lower[r]`` and ``upper[r]``.

    `variables`: number of variables, options first, then colors. Row r has the variables
    ``members[first[r]:first[r + 1]]``, counted from 0, each with a coefficient 1 or -1 from
    `signs`. An entry of `upper` may be `NO_BOUND`. `names`: the names of the rows: ``i3`` for the
    third item; ``c1``, ``c2``, ... for the meaning of colors; ``never`` for the row that fixes an
    additional variable at 0.
    """

    variables: int
    first: Longs
    members: Longs
    signs: Longs
    lower: Longs
    upper: Longs
    names: list[str]

    def __len__(self) -> int:
        return len(self.lower)


NO_BOUND = 2**40
"""Stands for infinity; no bound of an item is as large."""


@dataclass(frozen=True, eq=False)
class Uses:
    """The items of a model whose bounds exclude something, each as a sum of 0..1 variables."""

    items: Longs  # numbers of the items
    first: Longs  # the k-th item has the variables `members[first[k]:first[k + 1]]`
    members: Longs  # options; numbers from `model.options` on are colors
    lower: Longs
    # An upper bound that cannot be exceeded is `NO_BOUND`, unless it equals the lower one
    upper: Longs
    # color_first, color_options: the options of color k:
    # `color_options[color_first[k]:color_first[k + 1]]`
    color_first: Longs
    color_options: Longs

    @property
    def colors(self) -> int:
        """Number of pairs of an item and one of its colors."""
        return len(self.color_first) - 1

    def painting(self) -> list[list[int]]:
        """Return, for each color of an item, the options that give it to the item."""
        spans = pairwise(self.color_first.tolist())
        return [self.color_options[start:end].tolist() for start, end in spans]

    def sums(self) -> Iterator[tuple[list[int], int, int]]:
        """Yield, for each item, its variables, its lower bound and its upper bound."""
        bounds = zip(self.lower.tolist(), self.upper.tolist(), strict=True)
        for (start, end), (low, high) in zip(pairwise(self.first.tolist()), bounds, strict=True):
            yield self.members[start:end].tolist(), low, high


def uses(model: Model) -> Uses:
    """Return the items of a model as sums of variables, except those whose bounds exclude nothing.

    The variables are the options, then one for each color of an item.

    >>> model = Model.of_options([[0], [0, 1], [0]], [0, 0], [1, 9], colors=[{0: 1}, {}, {0: 1}])
    >>> found = uses(model)  # item 1 excludes nothing; of item 0, option 1 or the color
    >>> found.items.tolist(), found.members.tolist(), found.color_options.tolist()
    ([0], [1, 3], [0, 2])
    """
    painted = model.colors > 0
    width = int(model.colors.max(initial=0)) + 1
    keys = model.members[painted].astype(np.int64) * width + model.colors[painted]
    kinds, kind = np.unique(keys, return_inverse=True)
    owners = np.concatenate([model.members[~painted].astype(np.int64), kinds // width])
    variables = np.concatenate([model.option_of[~painted], model.options + np.arange(len(kinds))])
    order = np.lexsort((variables, owners))
    owners, variables = owners[order], variables[order]
    counts = np.bincount(owners, minlength=model.items)
    lower, upper = model.lower.astype(np.int64), model.upper.astype(np.int64)
    kept = (lower > 0) | (upper < counts)
    upper[(upper >= counts) & (lower < upper)] = NO_BOUND
    by_kind = np.argsort(kind, kind="stable")
    return Uses(
        items=np.flatnonzero(kept),
        first=_starts(counts[kept]),
        members=variables[kept[owners]],
        lower=lower[kept],
        upper=upper[kept],
        color_first=_starts(np.bincount(kind, minlength=len(kinds))),
        color_options=model.option_of[painted][by_kind],
    )


def linear_rows(model: Model) -> Rows:
    """Return a model as linear constraints: for its items, then for the meaning of colors.

    The variable of a color is at least the variable of each of its options, and at most their sum.
    An item that must be covered but has no options becomes two contradictory rows on an additional
    variable.

    >>> rows = linear_rows(Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1]))
    >>> rows.names, rows.members.tolist(), rows.lower.tolist(), rows.upper.tolist()
    (['i1'], [0, 1], [1], [1])
    """
    found = uses(model)
    number = np.diff(found.color_first)
    color = model.options + np.repeat(np.arange(found.colors), number)
    pairs = len(color)
    parts = [
        (np.diff(found.first), found.members, np.ones(len(found.members), dtype=np.int64)),
        # color - option >= 0, for each option of the color
        (
            np.full(pairs, 2),
            np.column_stack([color, found.color_options]).ravel(),
            np.tile([1, -1], pairs),
        ),
        # sum of options - color >= 0
        (
            number + 1,
            np.insert(
                found.color_options, found.color_first[1:], model.options + np.arange(found.colors)
            ),
            np.insert(np.ones(pairs, dtype=np.int64), found.color_first[1:], -1),
        ),
    ]
    lengths, members, signs = (np.concatenate(p) for p in zip(*parts, strict=True))
    meanings = pairs + found.colors
    rows = Rows(
        variables=model.options + found.colors,
        first=_starts(lengths),
        members=members,
        signs=signs,
        lower=np.concatenate([found.lower, np.zeros(meanings, dtype=np.int64)]),
        upper=np.concatenate([found.upper, np.full(meanings, NO_BOUND)]),
        names=[
            *(f"i{item + 1}" for item in found.items.tolist()),
            *(f"c{k}" for k in range(1, meanings + 1)),
        ],
    )
    return _without_empty(rows)


def _without_empty(rows: Rows) -> Rows:
    """Return the constraints, with an additional variable in those that have no variables.

    All of these get the same variable, and one more constraint fixes it at 0.
    """
    empty = np.flatnonzero(np.diff(rows.first) == 0)
    if not len(empty):
        return rows
    places = np.append(rows.first[empty], len(rows.members))
    return Rows(
        variables=rows.variables + 1,
        first=_starts(np.append(np.maximum(np.diff(rows.first), 1), 1)),
        members=np.insert(rows.members, places, rows.variables),
        signs=np.insert(rows.signs, places, 1),
        lower=np.append(rows.lower, 0),
        upper=np.append(rows.upper, 0),
        names=[*rows.names, "never"],
    )


def _starts(lengths: Longs | Ints) -> Longs:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
