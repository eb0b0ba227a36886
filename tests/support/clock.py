"""The clock of the package in the hands of a test: nothing goes by but what the test lets go by."""

from __future__ import annotations

from itertools import count

import pytest

from exactile.clock import CLOCK


def ticking(patch: pytest.MonkeyPatch, step: float = 1.0) -> count[float]:
    """Let the clock go on by `step` seconds with each look at it; return what it will show next."""
    shown = count(0.0, step)
    patch.setattr(CLOCK, "now", lambda: next(shown))
    return shown
