"""Writing a file as a whole: either all of it is there in the end, or what was there before."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def written(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """Open a text stream that becomes a file when all is written.

    Until then it has another name beside it. If anything fails, or Ctrl-C is pressed, it is removed
    and an older file of that name stays. What is no ordinary file, such as a pipe, is written to at
    once; ``"-"`` is standard output.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.txt")
    >>> with written(path) as stream:
    ...     _ = stream.write("all of it")
    >>> path.read_text(), [p.name for p in path.parent.iterdir()]
    ('all of it', ['a.txt'])
    """
    if os.fspath(path) == "-":
        yield sys.stdout
        return
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
