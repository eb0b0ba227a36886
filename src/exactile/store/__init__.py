"""The file in which long searches are kept: it knows puzzles, runs and solutions, but no search."""

from exactile.store.records import RunRecord, StoredPart, Totals
from exactile.store.store import Store

__all__ = ["RunRecord", "Store", "StoredPart", "Totals"]
