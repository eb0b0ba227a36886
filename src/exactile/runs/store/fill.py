"""A store that is begun for a search, and goes again if the search never began."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from exactile.runs.store.store import Store

FOUND = (
    "SELECT 1 FROM total LIMIT 1",
    "SELECT 1 FROM checkpoint LIMIT 1",
    "SELECT 1 FROM chunk LIMIT 1",
)
"""Of these tables nothing is there as long as nothing was searched."""


@contextmanager
def store_to_fill(path: str | os.PathLike[str]) -> Iterator[Store]:
    """Open a store to write; a new one goes if an error comes before anything is searched.

    Parameters
    ----------
    path
        The file; created if it does not exist.

    Raises
    ------
    FileError, OSError
        See `exactile.runs.store.Store`.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.store")
    >>> try:
    ...     with store_to_fill(path):
    ...         raise ValueError("not this way")
    ... except ValueError:
    ...     path.exists()
    False
    """
    new = not Path(path).exists()
    idle = False  # as long as it is not ours: another process may have begun it just now
    try:
        with Store(path, write=True) as store:
            try:
                yield store
            finally:
                idle = new and not any(map(store.query, FOUND))
    except Exception:
        if idle:
            Path(path).resolve().unlink(missing_ok=True)
        raise
