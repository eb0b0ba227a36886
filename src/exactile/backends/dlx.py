"""The native exact-cover search as a backend: an exploration, run in short slices."""

from __future__ import annotations

from collections.abc import Generator
from importlib.metadata import version

from exactile.backends.base import Batch, Request
from exactile.backends.exploration import KERNELS, Exploration, Prefix
from exactile.errors import BackendNotFoundError
from exactile.model.model import Model

MOST_IN_A_BATCH = 500
"""Solutions are checked one by one: a batch must not take longer than a heartbeat or two."""


class DlxBackend:
    """Algorithm X in C++.

    Parameters
    ----------
    kernel
        See `Exploration`.
    """

    takes_prefixes = True
    takes_colors = True

    def __init__(self, kernel: str | None = None) -> None:
        self.kernel = kernel
        self.name = f"dlx:{kernel}" if kernel else "dlx"

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`."""
        exploration = Exploration(
            model,
            kernel=self.kernel,
            workers=request.workers or 1,
            ordered=request.ordered,
            prefixes=[Prefix(path, 1 / len(request.prefixes)) for path in request.prefixes],
        )
        limit = min(request.limit or MOST_IN_A_BATCH, MOST_IN_A_BATCH)
        while not exploration.exhausted:
            rows = exploration.run(limit=limit, seconds=exploration.patience)
            stats = {"nodes": exploration.nodes, "updates": exploration.updates}
            yield Batch(rows, stats, exploration.done)

    def choices(self) -> list[str]:
        """Return the kernels to choose from."""
        return list(KERNELS)

    def version(self) -> str:
        """Return the version of the native module."""
        return f"native exact cover {version('exactile')}"


def backend(choice: str | None) -> DlxBackend:
    """Return the backend with a kernel of one's choice, or with either."""
    if choice is not None and choice not in KERNELS:
        raise BackendNotFoundError(
            f"The backend 'dlx' has no solver '{choice}': write 'dlx', "
            f"{' or '.join(f'dlx:{k}' for k in KERNELS)}."
        )
    return DlxBackend(choice)
