"""Messages over the pipes between processes: pickled objects, one after the other."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple, Protocol, TypeVar

from exactile.errors import WorkError

HEARTBEAT = 0.05
"""Seconds after which a process that is waited for gives a sign of life, at the latest."""

Part = TypeVar("Part", contravariant=True)
Message = TypeVar("Message")
Sent = TypeVar("Sent", covariant=True)

Tell = Callable[[Message], None]
"""Called in the process with each message; from several threads if need be."""

HEAD = struct.Struct("<4sQ")
"""The header of each object: a mark, and the number of bytes that follow."""

MARK = b"exa1"


class Task(Protocol[Sent]):
    """Something to be done once, in another process: see `exactile.work.Job`."""

    def run(self, tell: Tell[Sent]) -> None:
        """Do it and report the results."""
        ...


class Service(Protocol[Part, Sent]):
    """Something that processes one part after the other: see `exactile.work.Pool`."""

    def start(self) -> Callable[[Part, Tell[Sent]], None]:
        """Prepare, and return a function that processes a part."""
        ...


class Done(NamedTuple):
    """A process has finished its part."""


class Failure(NamedTuple):
    """A process cannot continue."""

    text: str  # the exception, in words
    again: bool  # whether another attempt may succeed, as when memory ran out


def pickled(content: object) -> bytes:
    """Return an object in the form for a pipe; raise WorkError if it cannot be pickled.

    Examples
    --------
    >>> pickled(lambda: 1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    exactile.errors.WorkError: An object of the type 'function' cannot be sent to another process...
    """
    try:
        data = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # pickling calls methods of any class
        raise WorkError(
            f"An object of the type '{type(content).__qualname__}' cannot be sent to another "
            f"process: {error}. Make it of classes and functions that have a name in a module."
        ) from error
    return HEAD.pack(MARK, len(data)) + data


def read(stream: BinaryIO) -> Any:
    """Return the next object.

    Raise EOFError if there is no object: the other side is gone, ValueError if the bytes were not
    made by `pickled`.
    """
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        if head and not MARK.startswith(head[:4]):
            raise ValueError(f"no message begins with {head[:4]!r}")
        raise EOFError
    mark, size = HEAD.unpack(head)
    if mark != MARK:
        raise ValueError(f"no message begins with {mark!r}")
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)  # noqa: S301  # the other side is ours
