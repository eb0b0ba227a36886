"""Linear algebra: weights modulo prime powers that prove that there is no solution.

An example: dominoes cannot cover a chessboard without two opposite corners, where solvers that
branch may take forever. If `exactile.model.weights` finds no such weights, the backend gives up.
"""

from __future__ import annotations

from collections.abc import Generator

from exactile import __version__
from exactile.backends.base import Backend, Batch, Request, no_solutions, refuse_choice
from exactile.model.model import Model
from exactile.model.weights import congruences

GAVE_UP = "no coloring forbids it"
"""`Batch.stopped` if no weights were found: the reason why there is no answer."""


class LinearBackend(Backend):
    """Finds weights that prove a model unsolvable, or gives up."""

    name = "linear"
    takes_colors = True
    races = "reason"

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield empty batches. If no weights are found, the last batch says that.

        If weights are found, they prove that there are no solutions, and the search just ends.
        """
        for found in congruences(model):
            if found is not None:
                return
            yield Batch(no_solutions())
        yield Batch(no_solutions(), stopped=GAVE_UP)

    def version(self) -> str:
        """Return the version of the native module."""
        return f"native elimination {__version__}"


def backend(choice: str | None) -> LinearBackend:
    """Return the backend; it accepts no choice of solver."""
    refuse_choice("linear", choice)
    return LinearBackend()
