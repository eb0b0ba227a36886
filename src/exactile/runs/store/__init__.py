"""The file in which long searches are kept: puzzles, runs and solutions; it searches nothing."""

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
