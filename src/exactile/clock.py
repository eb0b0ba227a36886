"""The clock of the package, through which all Python code reads the time and pauses."""

from __future__ import annotations

import os
import time
from math import inf

VARIABLE = "EXACTILE_SECOND"
"""The environment variable by which tests make a machine seem faster or slower: see `Clock`.

``src/native/deadline.hpp`` reads it as well. Processes that we start inherit it.
"""

HEARTBEAT = 0.05
"""Longest time, in seconds, between two reports of a search; a report may be empty."""


class Clock:
    """Reads the time and waits, in seconds that tests can make longer or shorter than real ones.

    Deadlines, limits, heartbeats and the seconds of answers are all in the seconds of this clock.
    Durations for other code that waits, such as the ``timeout`` of a queue, are converted by
    `lasting`; native code does this itself.

    `second`: number of real seconds in one second of this clock. With 0.1, all durations are ten
    times shorter, as if the machine were ten times slower. Only tests change it.

    >>> Clock(0.1).lasting(5)
    0.5
    >>> clock = Clock()
    >>> clock.now() <= clock.now()
    True
    """

    def __init__(self, second: float = 1.0) -> None:
        self.second = second

    def now(self) -> float:
        """Return the time in seconds since some fixed moment, for differences of times."""
        return time.monotonic() / self.second

    def worked(self) -> float:
        """Return the processor time of this process in seconds."""
        return time.process_time() / self.second

    def date(self) -> float:
        """Return the real seconds since 1970, for records; they do not depend on `second`."""
        return time.time()

    def lasting(self, seconds: float) -> float:
        """Convert a duration from seconds of this clock to real seconds."""
        return seconds * self.second

    def pause(self, seconds: float) -> None:
        """Wait for a number of seconds of this clock."""
        time.sleep(self.lasting(seconds))


def _second() -> float:
    """Return the value of `Clock.second` from the environment variable that `VARIABLE` names.

    Return 1 if the variable is missing or not a positive finite number.
    """
    try:
        second = float(os.environ.get(VARIABLE, "1"))
    except ValueError:
        return 1.0
    return second if 0 < second < inf else 1.0


CLOCK = Clock(_second())
"""The clock of the process."""
