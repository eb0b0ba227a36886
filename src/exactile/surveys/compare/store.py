"""The store of a comparison: its finished runs, see `exactile.surveys.line_store`."""

from __future__ import annotations

from pathlib import Path

from exactile.answers import ComparedRun
from exactile.atomic import naming_disk
from exactile.surveys.line_store import LineStore


class RunStore(LineStore[ComparedRun]):
    """A store of the runs of a comparison.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, RunStore(Path(folder, "runs.jsonl")) as store:
    ...     store.add(ComparedRun(puzzle="p", backend="dlx", end="finished", key="0a"))
    ...     store.claim("0b")
    True
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, ComparedRun, "a comparison")


def require_store(path: Path) -> None:
    """Raise FileError now if a comparison could not use a store later."""
    with naming_disk(path), RunStore(path) as store:
        for _ in store.news():
            pass
