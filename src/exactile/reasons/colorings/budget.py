"""How long a search for colorings may take, and how much memory."""

from __future__ import annotations

import os
from dataclasses import dataclass

from exactile.clock import CLOCK
from exactile.tuning import TUNING


@dataclass(frozen=True)
class Budget:
    """What a search for colorings may use up.

    Attributes
    ----------
    deadline
        By `CLOCK.now`; None for none.
    memory
        Bytes; None for `memory_share`.
    """

    deadline: float | None = None
    memory: int | None = None

    @property
    def over(self) -> bool:
        """Whether time is over."""
        return self.deadline is not None and CLOCK.now() > self.deadline

    def require(self, taken: int = 0) -> None:
        """Raise if time is over, or if this takes too many bytes.

        Raises
        ------
        TimeoutError, MemoryError
            If so.
        """
        if self.over:
            raise TimeoutError
        most = memory_share() if self.memory is None else self.memory
        if taken > most:
            raise MemoryError(f"{taken:,} bytes")


def memory_share() -> int:
    """Return `Tuning.memory_part` in bytes; half of `Tuning.memory_bytes` if memory is unknown."""
    try:
        return int(TUNING.memory_part * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return TUNING.memory_bytes // 2
