"""Limits of a search: time, number of solutions, memory."""

from __future__ import annotations

from exactile.answers import INTERRUPTED, SOLUTION_LIMIT, TIME_LIMIT
from exactile.clock import CLOCK
from exactile.errors import PuzzleError
from exactile.wanted import real, seen, whole

__all__ = ["CANCELLED", "INTERRUPTED", "SOLUTION_LIMIT", "TIME_LIMIT", "Limits", "require_positive"]

CANCELLED = "cancelled"

MOST = 2**63 - 1
"""Largest limit."""


def require_positive(**values: float | None) -> None:
    """Raise PuzzleError unless each value is None, or positive and at most `MOST`.

    The names of the arguments appear in the message.

    Examples
    --------
    >>> require_positive(limit=3, time_limit=None)
    """
    for name, value in values.items():
        word = name.replace("_", " ")
        if value is not None and not 0 < real(value, f"A {word}") <= MOST:
            to = "" if value <= 0 else f" and at most {MOST:,}"
            raise PuzzleError(f"A {word} of {seen(value)} makes no sense: it must be positive{to}.")


class Limits:
    """Limits of a search, or of several searches in a row that share them.

    The clock starts when the first answer is requested, or with `begin`. A limit of None does not
    apply.

    Parameters
    ----------
    time_limit
        Time limit in seconds.
    limit
        Largest number of solutions.
    memory_limit
        Largest number of bytes, for searches whose memory can be limited.

    Raises
    ------
    PuzzleError
        If a limit is not a number, not positive, or too large, or `limit` is not an integer.

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
        """Return `limits` if given, else new limits with the other two values.

        Raise PuzzleError if `limits` are given together with one of these values.

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
        """Return limits for the next of several searches: the same clock, but `limit` solutions.

        The clock is started if necessary. Canceling these limits cancels the new ones, and vice
        versa.

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
        """Return limits that end `seconds` from now, or earlier if these limits end earlier.

        None for `seconds` adds no limit. The number of solutions is the same. Canceling these
        limits cancels the new ones, and vice versa.

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
        """Return a copy that is canceled together with the original.

        This is far faster than the module `copy`.
        """
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        return other

    def cancel(self) -> None:
        """Stop all work under these limits at its next heartbeat; may be called from any thread."""
        self._cancelled[0] = True

    @property
    def left(self) -> float | None:
        """The seconds that are left of the time limit, at least 0; None without a time limit."""
        if self.seconds is None:
            return None
        deadline = self._deadline
        return self.seconds if deadline is None else max(deadline - CLOCK.now(), 0.0)

    @property
    def deadline(self) -> float | None:
        """The moment at which the time limit is reached, on the clock of `CLOCK.now`.

        None without a time limit, or until the clock is started.
        """
        return self._deadline

    def reached(self, found: int = 0) -> str | None:
        """Return the limit that stops a search with `found` solutions, such as ``"time limit"``.

        Return ``"cancelled"`` after `cancel`, and None if no limit is reached.
        """
        if self._cancelled[0]:
            return CANCELLED
        if self.number is not None and found >= self.number:
            return SOLUTION_LIMIT
        return TIME_LIMIT if self.left == 0 else None

    def require(self, taken: int = 0) -> None:
        """Raise an error if a limit is reached, for work that cannot return a partial result.

        Raises
        ------
        TimeoutError
            If the time limit is reached or the work is canceled.
        MemoryError
            If `taken`, in bytes, exceeds the memory limit.
        """
        if (reason := self.reached()) is not None:
            raise TimeoutError(reason)
        if self.memory is not None and taken > self.memory:
            raise MemoryError(f"{taken:,} bytes")
