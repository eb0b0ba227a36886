"""Careful reading of untrusted files: regular ones only, of limited size, each read once."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from exactile.errors import CertificateError

T = TypeVar("T")

AT_ONCE = 1000
"""Number of items between two calls of a pulse."""

LARGEST_DOCUMENT = 1 << 24
"""Limit of the bytes of a JSON document: 16 MiB."""

LARGEST = 1 << 36
"""Limit of the bytes of any other file: 64 GiB."""

LONGEST_LINE = 1 << 24
"""Limit of the bytes of a line."""


def opened(path: Path, most: int = LARGEST) -> IO[bytes]:
    """Open a regular file of at most `most` bytes.

    Raise CertificateError if it is not a regular file, is too large, or cannot be read.
    """
    try:
        # Without O_NONBLOCK the opening of a pipe would wait for a writer.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        found = os.fstat(descriptor)
    except OSError as error:
        raise CertificateError(f"{path}: it cannot be read: {error.strerror}.") from None
    if stat.S_ISREG(found.st_mode) and found.st_size <= most:
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISREG(found.st_mode):
        raise CertificateError(
            f"{path}: it is too large: {found.st_size:,} bytes; the limit is {most:,}."
        )
    raise CertificateError(f"{path}: it is not a regular file.")


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file of text without their ends.

    Raise CertificateError if it cannot be read, is not text, has a line that is too long, or ends
    within a line.
    """
    number = 0
    try:
        with opened(path) as stream:
            while line := stream.readline(LONGEST_LINE):
                number += 1
                if not line.endswith(b"\n"):
                    why = "is too long" if len(line) == LONGEST_LINE else "has no end: it is cut"
                    raise CertificateError(f"{path}, line {number}: the line {why}.")
                yield line[:-1].decode("utf-8")
    except OSError as error:
        raise CertificateError(f"{path}: it cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CertificateError(f"{path}, line {number}: it is damaged: it is not text.") from None


def document(path: Path, form: int | None = None) -> Any:
    """Return a JSON document in which no key occurs twice.

    Raise CertificateError if it cannot be read, is not such a document, or says that it has another
    format than the one that is expected.
    """
    try:
        with opened(path, LARGEST_DOCUMENT) as stream:
            text = stream.read(LARGEST_DOCUMENT + 1)  # it may have grown meanwhile
        if len(text) > LARGEST_DOCUMENT:
            raise CertificateError(f"{path}: it is too large.")
        read = json.loads(text.decode(), object_pairs_hook=_unique)
        msgspec.json.encode(read)  # raises for half of a character, which JSON can escape
    except OSError as error:
        raise CertificateError(f"{path}: it cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, CertificateError):
            raise
        raise CertificateError(f"{path}: it is damaged: {error}.") from None
    found = read.get("format") if isinstance(read, dict) else None
    if form is not None and isinstance(found, int) and found != form:
        raise CertificateError(f"{path}: it has format {found}; this version reads {form}.")
    return read


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for k, (key, _) in enumerate(pairs) if key in dict(pairs[:k]))
        raise ValueError(f"the key {twice!r} stands twice")
    return found


def paced(items: Iterable[T], pulse: Callable[[], None], at_once: int = AT_ONCE) -> Iterator[T]:
    """Yield some items, and call a function now and then; an exception that it raises ends it."""
    for number, item in enumerate(items):
        if number % at_once == 0:
            pulse()
        yield item
