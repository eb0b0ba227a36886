"""Limits of time and memory for native searches, and the loop that keeps to them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event

from exactile.backends.base import HEARTBEAT
from exactile.errors import BackendError, PuzzleError
from exactile.tuning import TUNING

TIME_LIMIT = "time limit"
CANCELLED = "cancelled"


class Limits:
    """How long a search may take, and how much memory; one for several searches in a row.

    Parameters
    ----------
    time_limit
        Seconds from now.
    most_bytes
        Memory for the positions of each search.
    watch
        Called many times a second with the number of positions so far.

    Raises
    ------
    PuzzleError
        If a limit is not positive.
    """

    def __init__(
        self,
        time_limit: float | None = None,
        most_bytes: int = TUNING.memory_bytes,
        watch: Callable[[int], None] | None = None,
    ) -> None:
        for name, value in (("time limit", time_limit), ("memory limit", most_bytes)):
            if value is not None and not value > 0:
                raise PuzzleError(f"A {name} of {value} makes no sense: it must be positive.")
        self.most_bytes = most_bytes
        self.watch = watch
        self._deadline = None if time_limit is None else time.monotonic() + time_limit
        self._cancelled = Event()

    def cancel(self) -> None:
        """Stop at the next heartbeat; may be called from any thread."""
        self._cancelled.set()

    @property
    def stopped(self) -> str | None:
        """Why there is nothing left to be used up, None if there is."""
        if self._cancelled.is_set():
            return CANCELLED
        over = self._deadline is not None and time.monotonic() >= self._deadline
        return TIME_LIMIT if over else None

    @property
    def left(self) -> float | None:
        """The seconds that are left, None if time is no limit."""
        return None if self._deadline is None else self._deadline - time.monotonic()

    def drive(self, run: Callable[[float], int], positions: Callable[[], int]) -> str | None:
        """Run a native search in slices to its end; return why it was stopped, if it was.

        Raises
        ------
        BackendError
            If memory does not suffice.
        """
        while (stopped := self.stopped) is None:
            status = run(HEARTBEAT)
            if self.watch is not None:
                self.watch(positions())
            if status == 2:
                raise self._exceeded(f", after {positions():,} positions")
            if status == 1:
                return None
        return stopped

    @contextmanager
    def memory(self) -> Iterator[None]:
        """Turn failures to get memory inside into the error that says so."""
        try:
            yield
        except MemoryError:
            raise self._exceeded("") from None

    def _exceeded(self, when: str) -> BackendError:
        return BackendError(
            f"The native search needs more than {self.most_bytes / 2**30:.3g} GiB, or than this "
            f"machine has{when}: allow it more memory, or ask for less, such as one end."
        )
