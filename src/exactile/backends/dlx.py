"""The native exact-cover search as a backend: it runs an `Exploration` heartbeat by heartbeat."""

from __future__ import annotations

from collections.abc import Generator

from exactile import __version__
from exactile.backends.base import (
    HEARTBEAT,
    NATIVE,
    Backend,
    Batch,
    Left,
    Prefix,
    Request,
    refuse_choice,
)
from exactile.backends.exploration import FOREVER, KERNELS, Exploration
from exactile.clock import CLOCK
from exactile.model.model import Model


class DlxBackend(Backend):
    """The native search: Algorithm X in C++.

    `kernel`: one of `exactile.backends.exploration.KERNELS`; None to choose by the size of the
    model. `nodes`: approximate number of nodes for each batch, even if they take longer than a
    heartbeat; one worker then yields the same batches in every run. None for a batch at every
    heartbeat.
    """

    takes_prefixes = True
    takes_colors = True
    takes_workers = True
    refuter = NATIVE

    def __init__(self, kernel: str | None = None, nodes: int | None = None) -> None:
        self.kernel = kernel
        self.nodes = nodes
        self.name = f"dlx:{kernel}" if kernel else "dlx"

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`."""
        exploration = Exploration(
            model,
            kernel=self.kernel,
            workers=request.workers or 1,
            ordered=request.ordered,
            prefixes=list(map(Prefix, request.prefixes, request.parts)),
        )
        limit = min(request.limit or request.at_once, request.at_once)

        def left() -> Left:
            found = exploration.untaken.tolist()  # beyond the last batch
            return Left(exploration.prefixes, [[o for o in row if o >= 0] for row in found])

        while not exploration.exhausted:
            exploration.workers = (request.workers or 1) + request.more()
            seconds = exploration.patience if self.nodes is None else FOREVER
            if request.deadline is not None:
                seconds = min(seconds, max(HEARTBEAT, request.deadline - CLOCK.now()))
            rows = exploration.run(limit=limit, seconds=seconds, nodes=self.nodes)
            stats = {"nodes": exploration.nodes, "updates": exploration.updates}
            yield Batch(rows, stats, exploration.done, left=left)

    def choices(self) -> list[str]:
        """Return the kernels to choose from."""
        return list(KERNELS)

    def version(self) -> str:
        """Return the version of the native module."""
        return f"native exact cover {__version__}"


def backend(choice: str | None) -> DlxBackend:
    """Return the backend for `choice`, one of `KERNELS`; None to choose by the size of the model.

    Raise BackendNotFoundError for any other choice.
    """
    refuse_choice("dlx", choice, KERNELS)
    return DlxBackend(choice)
