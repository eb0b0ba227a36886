"""The native exact-cover search, in slices short enough to be stopped."""

from __future__ import annotations

from collections.abc import Generator
from importlib.metadata import version

from exactile._native import Dlx
from exactile.backends.base import HEARTBEAT, Batch, Request
from exactile.errors import BackendNotFoundError
from exactile.model.model import Model

MOST_IN_A_BATCH = 500
"""Solutions are checked one by one: a batch must not take longer than a heartbeat or two."""


class DlxBackend:
    """Algorithm X on sparse sets, in C++; finds all solutions in a fixed order."""

    name = "dlx"
    takes_prefixes = False

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`."""
        engine = Dlx(model.lower, model.upper, model.first, model.members)
        limit = min(request.limit or MOST_IN_A_BATCH, MOST_IN_A_BATCH)
        exhausted = False
        while not exhausted:
            rows, exhausted = engine.run(limit, HEARTBEAT)
            yield Batch(rows, 0, {"nodes": engine.nodes, "updates": engine.updates})

    def version(self) -> str:
        """Return the version of the native module."""
        return f"native exact cover {version('exactile')}"


def backend(choice: str | None) -> DlxBackend:
    """Return the backend; it has no solvers to choose from."""
    if choice is not None:
        raise BackendNotFoundError(f"The backend 'dlx' has no solver '{choice}': write 'dlx'.")
    return DlxBackend()
