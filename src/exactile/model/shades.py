"""Shades: weights of units for which every solution must balance.

The weights of all required units and those of the units that the placements cover have the same
sum. If the placements of the pieces cannot add up to it, there is no solution: the argument of the
mutilated chessboard. The weights tried are the parities of sums of coordinates, for all units
together and for the units of each type, such as the horizontal edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import chain, combinations
from operator import or_

import numpy as np

from exactile.geometry.lattice import Lattice
from exactile.model.model import Ints, Longs, Model
from exactile.puzzle.region import Region

SHADE_SUMS = 100_000
"""Largest number of possible sums for which the balance is examined."""


def shade_names(lattice: Lattice) -> list[str]:
    """Return descriptions of the shades of a lattice.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> shade_names(get_lattice("square"))
    ['parity of x', 'parity of y', 'parity of x + y']
    """
    names = []
    for axes, kind in _kinds(lattice):
        parity = f"parity of {' + '.join('xyz'[a] for a in axes)}" if axes else "number"
        names.append(parity if kind is None else f"{parity} of units of type {kind}")
    return names


def shades(region: Region) -> Ints:
    """Return weights of the units, one shade in each row: 1 or -1 by a parity, 0 for other types.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> shades(Region(square, square.points([(0, 0), (1, 0), (1, 1)]))).tolist()
    [[1, -1, -1], [1, 1, -1], [1, -1, 1]]
    """
    lattice = region.lattice
    cells = region.units // lattice.period
    types = lattice.types(region.units)
    rows = []
    for axes, kind in _kinds(lattice):
        weights = 1 - 2 * (cells[:, list(axes)].sum(axis=1) % 2)
        rows.append(np.where((types == kind) | (kind is None), weights, 0))
    return np.array(rows, dtype=np.int32).reshape(len(rows), len(cells))


def _kinds(lattice: Lattice) -> list[tuple[tuple[int, ...], int | None]]:
    """Return axes and type of each shade; no type means all."""
    dimension, types = lattice.dimension, len(lattice.origins)
    axes = list(
        chain.from_iterable(combinations(range(dimension), k) for k in range(dimension + 1))
    )
    if types == 1:
        return [(a, None) for a in axes if a]
    return [(a, t) for t in range(types) for a in axes]


def unbalanced(model: Model) -> int | None:
    """Return a shade of a model in which the pieces cannot balance; None if there is none.

    Each piece contributes the weights of its placements, as often as it must or may be used. Useful
    only if every option belongs to one piece, as in models of puzzles.

    Examples
    --------
    >>> import exactile
    >>> model = exactile.lower(exactile.load("mutilated-chessboard-6x6"))
    >>> shade_names(exactile.load("mutilated-chessboard-6x6").lattice)[unbalanced(model)]
    'parity of x + y'
    """
    meaning = model.meaning
    if not model.options or not meaning.pieces:
        return None
    required = (model.lower == 1) & (model.upper == 1) & meaning.is_unit
    weights = np.where(required, meaning.spread(meaning.shades), 0)
    of_pieces, *values = _sums(model, np.concatenate([meaning.is_piece[None], weights]))
    if (of_pieces != 1).any():
        return None
    totals = weights.sum(axis=1).tolist()
    for number, (value, total) in enumerate(zip(values, totals, strict=True)):
        if not _reaches(model, value, total):
            return number
    return None


def _sums(model: Model, weights: Longs) -> Iterator[Longs]:
    """Yield for each row of weights of the items, -1, 0 or 1, the sums over the options.

    Several rows are packed into one number and added at once, since models have many members.
    """
    lengths = np.diff(model.first)
    bits = (2 * int(lengths.max())).bit_length()  # of a row: sums of weights plus 1
    at_once = 62 // bits
    for begin in range(0, len(weights), at_once):
        some = weights[begin : begin + at_once]
        shifts = bits * np.arange(len(some))[:, None]
        parts = ((some + 1) << shifts).sum(axis=0)
        sums = np.add.reduceat(parts.take(model.members), model.first[:-1])
        yield from (sums >> shifts & (1 << bits) - 1) - lengths


def _reaches(model: Model, values: Longs, wanted: int) -> bool:
    """Return whether the pieces can add up to a total; sums are bits of a large integer."""
    least = int(min(values.min(), 0))
    width = int(values.max(initial=0)) - least + 1
    pieces, piece = model.meaning.pieces, model.piece_of.astype(np.int64)
    choices = np.flatnonzero(np.bincount(piece * width + values - least))
    options = np.bincount(piece, minlength=pieces)
    if (options < model.lower[:pieces]).any():
        return False
    uses = np.minimum(model.upper[:pieces], options).tolist()
    if sum(uses) * width > SHADE_SUMS:
        return True
    sums = 1  # bit k: the sum k, where each use so far counts -least more
    total = sum(uses)
    for number, (low, high) in enumerate(zip(model.lower[:pieces].tolist(), uses, strict=True)):
        own = [int(c) - number * width for c in choices[choices // width == number]]
        idle = -least  # the bits for the value 0, of a use that does not happen
        now, found = sums, sums << high * idle if low == 0 else 0
        for use in range(1, high + 1):
            now = _either(now << value for value in own)
            if use >= low:
                found |= now << (high - use) * idle
        sums = found
    place = wanted - total * least
    return place >= 0 and bool(sums >> place & 1)


def _either(numbers: Iterable[int]) -> int:
    return reduce(or_, numbers, 0)
