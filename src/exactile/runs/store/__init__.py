"""Stores: files that keep the puzzles, runs and solutions of long searches."""

from exactile.runs.store.opening import is_written, may_be_written
from exactile.runs.store.records import RunRecord, RunSession, StoredPart, Totals
from exactile.runs.store.store import Store, store_to_fill

__all__ = [
    "RunRecord",
    "RunSession",
    "Store",
    "StoredPart",
    "Totals",
    "is_written",
    "may_be_written",
    "store_to_fill",
]
