"""The native exact-cover search, in slices short enough to be stopped."""

from __future__ import annotations

from collections.abc import Generator
from importlib.metadata import version

from exactile._native import Bits, Dlx
from exactile.backends.base import HEARTBEAT, Batch, Request
from exactile.errors import BackendError, BackendNotFoundError
from exactile.model.model import Model

KERNELS = ("bits", "sparse")
"""Bit vectors, for models up to some ten thousand options, and sparse sets, for all."""

MOST_OPTIONS_OF_BITS = 65_536
MOST_CELLS_OF_BITS = 2**28
"""Above 65,536 options, or with more options times items than this, sparse sets are as fast."""

MOST_USES_OF_BITS = 255
"""The bit kernel counts needs in bytes."""

MOST_IN_A_BATCH = 500
"""Solutions are checked one by one: a batch must not take longer than a heartbeat or two."""


class DlxBackend:
    """Algorithm X in C++; each kernel finds all solutions in a fixed order.

    Parameters
    ----------
    kernel
        One of `KERNELS`, or None to choose by the size of the model.
    """

    takes_prefixes = False

    def __init__(self, kernel: str | None = None) -> None:
        self.kernel = kernel
        self.name = f"dlx:{kernel}" if kernel else "dlx"

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`.

        Raises
        ------
        BackendError
            If the kernel that was asked for cannot take the model.
        """
        kernel = self.kernel or kernel_for(model)
        if kernel == "bits" and not _needs_fit(model):
            raise BackendError(
                f"The kernel 'bits' takes no piece that must be used more than "
                f"{MOST_USES_OF_BITS} times: write 'dlx:sparse'."
            )
        make = Bits if kernel == "bits" else Dlx
        engine = make(model.lower, model.upper, model.first, model.members)
        limit = min(request.limit or MOST_IN_A_BATCH, MOST_IN_A_BATCH)
        exhausted = False
        while not exhausted:
            rows, exhausted = engine.run(limit, HEARTBEAT)
            yield Batch(rows, 0, {"nodes": engine.nodes, "updates": engine.updates})

    def choices(self) -> list[str]:
        """Return the kernels to choose from."""
        return list(KERNELS)

    def version(self) -> str:
        """Return the version of the native module."""
        return f"native exact cover {version('exactile')}"


def kernel_for(model: Model) -> str:
    """Return the kernel that is faster for a model, by its size alone.

    Examples
    --------
    >>> kernel_for(Model.of_options([[0]], lower=[1], upper=[1]))
    'bits'
    >>> kernel_for(Model.of_options([], lower=[256], upper=[256]))
    'sparse'
    """
    small = (
        model.options <= MOST_OPTIONS_OF_BITS and model.options * model.items <= MOST_CELLS_OF_BITS
    )
    return "bits" if small and _needs_fit(model) else "sparse"


def _needs_fit(model: Model) -> bool:
    return int(model.lower.max(initial=0)) <= MOST_USES_OF_BITS


def backend(choice: str | None) -> DlxBackend:
    """Return the backend with a kernel of one's choice, or with either."""
    if choice is not None and choice not in KERNELS:
        raise BackendNotFoundError(
            f"The backend 'dlx' has no solver '{choice}': write 'dlx', "
            f"{' or '.join(f'dlx:{k}' for k in KERNELS)}."
        )
    return DlxBackend(choice)
