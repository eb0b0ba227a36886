"""Linear algebra and linear programming: weights that prove that there is no solution.

For example, dominoes cannot cover a chessboard that lacks two opposite corners; a solver that
branches may never finish this puzzle. The backend tries the balance of parities
(`exactile.model.lower`), weights modulo prime powers (`exactile.model.weights`), and inequalities
(`exactile.backends.farkas`). If none of these proves that there is no solution, it gives up.
"""

from __future__ import annotations

from collections.abc import Generator
from importlib.metadata import version
from itertools import chain

from exactile import __version__
from exactile.backends.base import Backend, Batch, Request, no_solutions, refuse_choice
from exactile.backends.farkas import inequalities
from exactile.model.lower import unbalanced
from exactile.model.model import Model
from exactile.model.weights import congruences

GAVE_UP = "no weights forbid it"
"""The reason why there is no answer, in `Batch.stopped`, if no weights were found."""


class LinearBackend(Backend):
    """Finds weights that prove a model unsolvable, or gives up."""

    name = "linear"
    takes_colors = True
    races = "reason"

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield empty batches; end as soon as weights prove that there are no solutions.

        If no weights are found, the last batch has `GAVE_UP` as its attribute `stopped`.
        """
        if unbalanced(model) is not None:
            return
        for found in chain(congruences(model), inequalities(model)):
            if found is not None:
                return
            yield Batch(no_solutions())
        yield Batch(no_solutions(), stopped=GAVE_UP)

    def version(self) -> str:
        """Return the versions of the native module and of OR-Tools."""
        return f"native elimination {__version__}, GLOP of OR-Tools {version('ortools')}"


def backend(choice: str | None) -> LinearBackend:
    """Return the backend; raise BackendNotFoundError if `choice`, a solver, is not None."""
    refuse_choice("linear", choice)
    return LinearBackend()
