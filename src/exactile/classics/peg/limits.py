"""Limits of time and memory for native searches of peg solitaire."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from exactile.errors import BackendError
from exactile.search.limits import Limits
from exactile.tuning import TUNING
from exactile.wanted import size_text


class PegLimits(Limits):
    """Limits of time and memory; one for several searches in a row.

    `time_limit`: seconds from the first search on. `most_bytes`: memory for the positions of each
    search. `watch`: called many times a second with the number of positions so far. Raise
    PuzzleError if a limit is not positive.
    """

    def __init__(
        self,
        time_limit: float | None = None,
        most_bytes: int = TUNING.memory_bytes,
        watch: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__(time_limit, memory_limit=most_bytes)
        self.most_bytes = most_bytes
        self.watch = watch

    def checked(self, status: int, positions: int) -> int:
        """Report the progress of a native search, and return its status: 1 at the end.

        Raise BackendError if memory does not suffice.
        """
        if self.watch is not None:
            self.watch(positions)
        if status == 2:
            raise self._exceeded(f", after {positions:,} positions")
        return status

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Turn allocation failures inside into the error that reports them."""
        try:
            yield
        except MemoryError:
            raise self._exceeded("") from None

    def _exceeded(self, when: str) -> BackendError:
        return BackendError(
            f"The native search needs more than {size_text(self.most_bytes)}, or than this "
            f"machine has{when}: allow it more memory, or ask for less, such as one end."
        )
