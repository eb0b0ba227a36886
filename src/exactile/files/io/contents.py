"""The contents of a file, as bytes and as text, with errors that name file and line."""

from __future__ import annotations

import sys
from os import PathLike
from pathlib import Path
from typing import IO

from exactile.errors import FileError, NotFoundError


def contents(source: str | PathLike[str] | IO[str]) -> tuple[str, str]:
    """Return the name and the text of a file, ``"-"`` for standard input, or of an open stream.

    Raise NotFoundError if there is no such file, FileError if it cannot be read or is not UTF-8.

    >>> from io import StringIO
    >>> contents(StringIO("a b"))
    ('the stream', 'a b')
    """
    if not isinstance(source, str | PathLike):
        text = source.read()
        if not isinstance(text, str):
            raise FileError("The stream gives bytes: open the file as text, without 'b'.")
        return "the stream", text
    name, data = file_bytes(source)
    return name, decoded(name, data)


def file_bytes(source: str | PathLike[str]) -> tuple[str, bytes]:
    """Return the name of a file for messages, and its contents.

    ``"-"`` is standard input, and so is ``"xcc:-"``, in which the format stands before the colon.
    Raise NotFoundError if there is no such file, FileError if it cannot be read.
    """
    standard = str(source) == "-" or str(source).endswith(":-")
    name = "standard input" if standard else str(source)
    try:
        return name, sys.stdin.buffer.read() if standard else Path(source).read_bytes()
    except FileNotFoundError:
        raise NotFoundError(f"{name}: there is no such file.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{name}: the file cannot be read: {reason}.") from None


def decoded(name: str, data: bytes) -> str:
    r"""Return the text of a file; raise FileError if it is not UTF-8; the message names the line.

    >>> decoded("a.txt", b"one\n\xff")
    Traceback (most recent call last):
    ...
    exactile.errors.FileError: a.txt: line 2: not UTF-8: byte 0xff.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileError(
            f"{name}: line {line}: not UTF-8: byte 0x{data[error.start]:02x}."
        ) from None
