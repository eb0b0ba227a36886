"""Linear algebra: colorings that prove that there is no solution.

An example: dominoes cannot cover a chessboard without two opposite corners, where solvers that
branch may take forever. The backend tries the balance of parities (`exactile.model.lower`) and
weights modulo prime powers (`exactile.model.weights`). If neither proves anything, it gives up.
"""

from __future__ import annotations

from collections.abc import Generator

from exactile import __version__
from exactile.backends.base import Backend, Batch, Request, no_solutions, refuse_choice
from exactile.model.lower import unbalanced
from exactile.model.model import Model
from exactile.model.weights import congruences

GAVE_UP = "no coloring forbids it"
"""`Batch.stopped` if no coloring was found: the reason why there is no answer."""


class LinearBackend(Backend):
    """Finds a coloring that proves a model unsolvable, or gives up."""

    name = "linear"
    takes_colors = True
    races = "reason"

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield empty batches. If no coloring is found, the last batch says that.

        If one is found, it proves that there are no solutions, and the search just ends.
        """
        if unbalanced(model) is not None:
            return
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
