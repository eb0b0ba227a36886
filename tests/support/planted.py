"""Random models with a planted solution: like a puzzle on a board, with all kinds of items."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from exactile.model.model import Meaning, Model
from exactile.model.sweeps import Floats

BLANK = 0.1
"""So many units are optional and left open by the planted solution."""


class Planted(NamedTuple):
    """A model with a solution that is known.

    Attributes
    ----------
    model
        Items, in this order: pieces, units of a board, secondary items, some of them colored.
    places
        Where the units lie.
    solution
        The planted one.
    """

    model: Model
    places: Floats
    solution: list[int]


def planted_model(seed: int) -> Planted:
    """Return a random model; the same seed gives the same one."""
    rng = random.Random(seed)
    width, height = rng.randint(2, 7), rng.randint(2, 6)
    cells = [(x, y) for x in range(width) for y in range(height)]
    optional = set(rng.sample(cells, int(BLANK * len(cells)))) if rng.random() < 0.4 else set()
    tiles = _partition(set(cells) - optional, rng)
    pieces = rng.randint(1, len(tiles))
    owner = [rng.randrange(pieces) for _ in tiles]
    uses = [owner.count(piece) for piece in range(pieces)]
    slack = [rng.choice([0, 0, 0, 1]) for _ in range(pieces)]
    bounds = [(max(n - s, 0), n + s) for n, s in zip(uses, slack, strict=True)]
    bounds += [(0 if cell in optional else 1, 1) for cell in cells]
    secondary, colored = rng.randint(0, 4), rng.randint(0, 3)
    bounds += [(0, 1)] * (secondary + colored)
    base = pieces + len(cells)
    number = {cell: pieces + k for k, cell in enumerate(cells)}
    options: list[list[int]] = []
    colors: list[dict[int, int]] = []
    free = list(range(base, base + secondary))
    for tile, piece in zip(tiles, owner, strict=True):
        extra = [free.pop()] if free and rng.random() < 0.3 else []
        paint = {base + secondary + k: 1 for k in range(colored) if rng.random() < 0.3}
        options.append([piece, *(number[cell] for cell in tile), *extra, *paint])
        colors.append(paint)
    for _ in range(rng.randint(0, 10 * len(tiles))):
        tile = _clump(rng.choice(cells), set(cells), rng.randint(1, 4), rng)
        extra = rng.sample(range(base, base + secondary), rng.randint(0, min(secondary, 1)))
        paint = {
            base + secondary + k: rng.randint(0, 2) for k in range(colored) if rng.random() < 0.2
        }
        options.append([rng.randrange(pieces), *(number[c] for c in tile), *extra, *paint])
        colors.append(paint)
    order = rng.sample(range(len(options)), len(options))
    model = Model.of_options(
        [options[k] for k in order],
        [low for low, _ in bounds],
        [high for _, high in bounds],
        [colors[k] for k in order],
    )
    places = np.full((len(bounds), 2), np.nan)
    places[pieces:base] = cells
    solution = [order.index(k) for k in range(len(tiles))]
    meaning = Meaning.of_labels(model.meaning.labels, pieces, len(cells))
    return Planted(replace(model, meaning=meaning), places, solution)


Cell = tuple[int, int]


def _partition(cells: set[Cell], rng: random.Random) -> list[list[Cell]]:
    """Return some cells in connected parts."""
    left = set(cells)
    parts = []
    while left:
        parts.append(_clump(min(left), left, rng.randint(1, 5), rng))
        left -= set(parts[-1])
    return parts


def _clump(start: Cell, allowed: set[Cell], size: int, rng: random.Random) -> list[Cell]:
    """Return connected cells around one, at most so many."""
    clump = [start]
    while len(clump) < size:
        beside = {
            (x + dx, y + dy) for x, y in clump for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
        }
        free = sorted((beside & allowed) - set(clump))
        if not free:
            break
        clump.append(rng.choice(free))
    return clump
