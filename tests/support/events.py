"""Things that happen at an event, such as the third heartbeat of a search, and not after a time."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from threading import Thread
from typing import Any, Protocol

from exactile.backends.exploration import Exploration
from exactile.search.handle import Handle

BEAT = (Handle, "_take")
"""A heartbeat of a search, a count, a run, whatever is searched: its handle takes a batch."""


class Patch(Protocol):
    """Sets attributes: `pytest.MonkeyPatch` until the end of a test."""

    def setattr(self, target: Any, name: str, value: Any, /) -> None: ...


class ForGood:
    """Sets attributes for good, in a process of its own."""

    def setattr(self, target: Any, name: str, value: Any, /) -> None:
        setattr(target, name, value)


def whenever(
    patch: Patch, do: Callable[..., object], owner: Any = BEAT[0], name: str = BEAT[1]
) -> None:
    """Call a function after each call of a method, with the arguments of that."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def called(*given: Any, **named: Any) -> Any:
        result = original(*given, **named)
        do(*given, **named)
        return result

    patch.setattr(owner, name, called)


def at(
    patch: Patch,
    when: int | Callable[..., object],
    do: Callable[[], object],
    owner: Any = BEAT[0],
    name: str = BEAT[1],
) -> None:
    """Call a function once, after a call of a method.

    That is the call with this number, from 1 on, or the first one for whose arguments something
    holds.
    """
    calls, left = count(1), [do]

    def look(*given: Any, **named: Any) -> None:
        due = next(calls) == when if isinstance(when, int) else when(*given, **named)
        if due and left:
            left.pop()()

    whenever(patch, look, owner, name)


@contextmanager
def cancelled(cancel: Callable[[], object], beat: int = 2) -> Iterator[None]:
    """Let another thread cancel what is searched meanwhile, at a heartbeat of it."""
    import pytest  # which processes of their own do not need

    thread = Thread(target=cancel)
    with pytest.MonkeyPatch.context() as patch:
        at(patch, beat, thread.start)
        yield
    thread.join()


def go_on_until(search: Handle[Any], holds: Callable[[], object]) -> None:
    """Search on, a heartbeat at a time, until something holds; it must, before the search ends."""
    for _ in search.batches():
        if holds():
            return
    raise AssertionError("the search has ended before")


def go_on(search: Handle[Any], beats: int) -> None:
    """Search on for some heartbeats; the search must not end before."""
    left = count(beats - 1, -1)
    go_on_until(search, lambda: not next(left))


def in_slices(patch: Patch, nodes: int) -> None:
    """Let each slice of a native search end after some nodes, and not after a time."""
    run = Exploration.run

    def sliced(self: Exploration, **limits: Any) -> Any:
        if limits.get("seconds") is not None:
            limits |= {"seconds": None, "nodes": min(nodes, limits.get("nodes") or nodes)}
        return run(self, **limits)

    patch.setattr(Exploration, "run", sliced)
