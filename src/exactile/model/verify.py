"""Checks whether assignments solve a model, from the definition, with no code of the solvers."""

from __future__ import annotations

import numpy as np

from exactile.model.model import Longs, Model
from exactile.model.orbits import Assignments
from exactile.tuning import TUNING


def fault(model: Model, rows: Assignments) -> str | None:
    """Return the fault of the first wrong assignment of a batch, or None if all are right.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> fault(model, np.array([[0, -1], [1, 2]], dtype=np.int32)) is None
    True
    >>> fault(model, np.array([[0, 1]], dtype=np.int32))
    'options 0, 1: 2 of them contain item 1, not 1..1'
    """
    step = max(TUNING.checked_cells // max(model.items, 1), 1)
    parts = (rows[k : k + step] for k in range(0, len(rows), step))
    return next((text for part in parts if (text := _fault(model, part))), None)


def _fault(model: Model, rows: Assignments) -> str | None:
    number, place = np.nonzero(rows >= 0)
    taken = rows[number, place].astype(np.int64)
    keys = np.sort(number * model.options + taken)
    if (np.diff(keys) == 0).any() or (taken >= model.options).any():
        return f"options {_listed(rows)}: an option twice, or one that does not exist"
    uses = _uses(model, len(rows), number, taken)
    wrong = np.argwhere((uses < model.lower) | (uses > model.upper))
    if not len(wrong):
        return None
    row, item = wrong[0].tolist()
    label = model.meaning.labels[item]
    return (
        f"options {_listed(rows[row])}: {uses[row, item]} of them contain {label}, "
        f"not {model.lower[item]}..{model.upper[item]}"
    )


def _uses(model: Model, rows: int, number: Longs, taken: Longs) -> Longs:
    """Return how often each item is used in each row; options of one color use it once together."""
    lengths = np.diff(model.first)[taken]
    starts = np.cumsum(lengths) - lengths
    member = np.arange(lengths.sum()) - np.repeat(starts - model.first[taken], lengths)
    keys = np.repeat(number, lengths) * model.items + model.members[member]
    uses = np.bincount(keys, minlength=rows * model.items)
    if model.colored:
        colors = model.colors[member]
        least = np.full(len(uses), np.iinfo(np.int32).max)
        np.minimum.at(least, keys, colors)
        most = np.zeros(len(uses), dtype=np.int64)
        np.maximum.at(most, keys, colors)
        uses[(least == most) & (most > 0)] = 1
    return uses.reshape(rows, model.items)


def _listed(rows: Assignments) -> str:
    return ", ".join(str(o) for o in np.sort(rows, axis=None).tolist() if o >= 0)
