"""Limits of a search: time, number of solutions, memory."""

from __future__ import annotations

from exactile.answers import INTERRUPTED, SOLUTION_LIMIT, TIME_LIMIT
from exactile.clock import CLOCK
from exactile.errors import PuzzleError
from exactile.wanted import real, whole

__all__ = ["CANCELLED", "INTERRUPTED", "SOLUTION_LIMIT", "TIME_LIMIT", "Limits", "require_positive"]

CANCELLED = "cancelled"


def require_positive(**values: float | None) -> None:
    """Raise unless all values are positive or None.

    Examples
    --------
    >>> require_positive(limit=3, time_limit=None)
    """
    for name, value in values.items():
        word = name.replace("_", " ")
        if value is not None and not real(value, f"A {word}") > 0:
            raise PuzzleError(f"A {word} of {value} makes no sense: it must be positive.")


class Limits:
    """Limits of a search, or of several searches in a row that share them.

    The clock starts when the first answer is requested, or with `begin`.

    Parameters
    ----------
    time_limit
        Seconds.
    limit
        Number of solutions.
    memory_limit
        Bytes, for searches whose memory can be limited.

    Raises
    ------
    PuzzleError
        If one is not positive.

    Examples
    --------
    >>> limits = Limits(limit=3)
    >>> limits.reached(2), limits.reached(3), limits.left
    (None, 'solution limit', None)
    """

    def __init__(
        self,
        time_limit: float | None = None,
        limit: int | None = None,
        memory_limit: int | None = None,
    ) -> None:
        require_positive(time_limit=time_limit, limit=limit, memory_limit=memory_limit)
        limit = None if limit is None else whole(limit, "A limit of solutions")
        self.seconds = time_limit
        self.number = limit
        self.memory = memory_limit
        self._deadline: float | None = None
        self._cancelled = [False]  # copies share this list

    @classmethod
    def chosen(
        cls, limits: Limits | None, time_limit: float | None, limit: int | None = None
    ) -> Limits:
        """Return the shared limits, or new ones with these values.

        Raise PuzzleError if both are given.

        Examples
        --------
        >>> Limits.chosen(None, 60).seconds
        60
        """
        if limits is not None and (limit is not None or time_limit is not None):
            raise PuzzleError("Shared limits replace 'limit' and 'time_limit': leave these out.")
        return limits or cls(time_limit, limit)

    def begin(self) -> None:
        """Start the clock, unless it is already running."""
        if self.seconds is not None and self._deadline is None:
            self._deadline = CLOCK.now() + self.seconds

    def rest(self, limit: int | None = None) -> Limits:
        """Return limits for the next step: the same clock and `cancel`, but `limit` solutions.

        Examples
        --------
        >>> Limits(time_limit=60, limit=1).rest().reached(1) is None
        True
        """
        self.begin()
        other = self._same()
        other.number = limit
        return other

    def within(self, seconds: float | None) -> Limits:
        """Return limits that end after some seconds, or with these if that is earlier.

        The number of solutions and `cancel` are the same.

        Examples
        --------
        >>> Limits(time_limit=60).within(0).reached(), Limits(time_limit=60).within(99).seconds
        ('time limit', 60)
        """
        other, left = self._same(), self.left
        known = [each for each in (seconds, left) if each is not None]
        other.seconds, other._deadline = min(known, default=None), None
        other.begin()
        return other

    def _same(self) -> Limits:
        """Return a copy with the same `cancel`; the module `copy` takes far longer."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        return other

    def cancel(self) -> None:
        """Stop all work under these limits at its next heartbeat; may be called from any thread."""
        self._cancelled[0] = True

    @property
    def left(self) -> float | None:
        """The seconds that are left, at least 0; None without a time limit."""
        if self.seconds is None:
            return None
        deadline = self._deadline
        return self.seconds if deadline is None else max(deadline - CLOCK.now(), 0.0)

    @property
    def deadline(self) -> float | None:
        """When the time limit ends, by `CLOCK.now`; None without one, or before it begins."""
        return self._deadline

    def reached(self, found: int = 0) -> str | None:
        """Return why a search with `found` solutions must stop; None if it need not."""
        if self._cancelled[0]:
            return CANCELLED
        if self.number is not None and found >= self.number:
            return SOLUTION_LIMIT
        return TIME_LIMIT if self.left == 0 else None

    def require(self, taken: int = 0) -> None:
        """Raise if a step without a partial result must stop.

        Raises
        ------
        TimeoutError
            If the time limit is reached or the work is cancelled.
        MemoryError
            If `taken`, in bytes, exceeds the memory limit.
        """
        if (reason := self.reached()) is not None:
            raise TimeoutError(reason)
        if self.memory is not None and taken > self.memory:
            raise MemoryError(f"{taken:,} bytes")
