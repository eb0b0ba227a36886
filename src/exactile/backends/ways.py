"""What the searches for one solution share: the model, orders to fill it in, the native ground."""

from __future__ import annotations

import numpy as np

from exactile._native import Ground
from exactile.model.meaning import Ints, Mask
from exactile.model.model import Model
from exactile.model.sweeps import Floats, Sweeps

PORTFOLIO_OPTIONS = 100_000
"""Options beyond which there are no restarts and little exhaustive search."""

BEAM_OPTIONS = 1.2e7
"""Options times states of the first beam, unless it has 6 states or fewer."""


def placed(model: Model, piece: Mask) -> float:
    """Return about how many options a solution has."""
    length = max(len(model.members) / max(model.options, 1), 1.0)
    units = ((model.lower == 1) & ~piece).sum() / length
    return max(float(model.lower[piece].sum()), float(units), 1.0)


def copies(model: Model) -> float:
    """Return how often a piece is used, on the average; infinity if there are no pieces.

    Examples
    --------
    >>> copies(Model.of_options([[0, 1], [0, 2]], lower=[1] * 3, upper=[1] * 3))
    inf
    """
    pieces = model.meaning.pieces
    return placed(model, model.meaning.is_piece) / pieces if pieces else float("inf")


class Ways:
    """What the members share: the model, the orders in which to fill it, and the native ground."""

    def __init__(self, model: Model, places: Floats | None) -> None:
        self.model = model
        self.places = places
        self.sweeps = Sweeps(model, places)
        self.ground = Ground(
            model.lower,
            model.upper,
            model.first,
            model.members,
            model.colors,
            self.sweeps.piece.astype(np.uint8),
            *self.sweeps.neighbors,
        )
        # Whether searches that begin with all options take too long
        self.is_large = model.options > PORTFOLIO_OPTIONS
        self.placed = placed(model, self.sweeps.piece)  # about how many options a solution has
        self.size = len(self.sweeps.units) / self.placed  # about how many units an option fills

    def units(self, rng: np.random.Generator, kind: str | None = None) -> Ints:
        """Return the units in an order drawn at random, of a kind or of any."""
        return self.sweeps.draw(rng, kind).astype(np.int32)

    def items(self, rng: np.random.Generator) -> Ints:
        """Return the units in an order drawn at random, and behind them all other items."""
        units = self.units(rng)
        rest = np.setdiff1d(np.arange(self.model.items, dtype=np.int32), units)
        return np.concatenate([units, rng.permutation(rest)])


def affordable(model: Model) -> float:
    """Return how wide a beam can be that takes a few seconds at most."""
    return float(np.clip(BEAM_OPTIONS / max(model.options, 1), 6, 100))
