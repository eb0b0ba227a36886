"""The clock of the package in the hands of a test: nothing goes by but what the test lets go by."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from exactile.clock import CLOCK
from support.events import BEAT, Patch, at


def ticking(patch: Patch, step: float = 1.0) -> count[float]:
    """Let the clock go on by `step` seconds with each look at it; return what it will show next."""
    shown = count(0.0, step)
    patch.setattr(CLOCK, "now", lambda: next(shown))
    return shown


class Stopped:
    """A clock that stands still until a test moves it."""

    def __init__(self, patch: Patch) -> None:
        self.shows = 0.0
        patch.setattr(CLOCK, "now", lambda: self.shows)

    def move(self, seconds: float = 1e9) -> None:
        self.shows += seconds


def late(
    patch: Patch,
    when: int | Callable[..., object] = 2,
    owner: Any = BEAT[0],
    name: str = BEAT[1],
) -> None:
    """Let all time limits come at an event, the second heartbeat if none is named; see `at`."""
    at(patch, when, Stopped(patch).move, owner, name)
