"""A disk that is mounted to be read only."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest


def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let SQLite fail, as on such a disk, where it needs a file beside a store to share it."""
    connect = sqlite3.connect

    class Unwritable(sqlite3.Connection):
        def execute(self, *_: Any) -> sqlite3.Cursor:
            raise sqlite3.OperationalError

    def connected(name: str, **options: Any) -> sqlite3.Connection:
        kind = Unwritable if name.endswith("?mode=ro") else sqlite3.Connection
        return connect(name, factory=kind, **options)

    monkeypatch.setattr("sqlite3.connect", connected)
    monkeypatch.setattr("exactile.runs.store.opening.may_be_written", lambda _: False)
