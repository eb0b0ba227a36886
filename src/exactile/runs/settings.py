"""What a run searches for, and how: written into the store with it."""

from __future__ import annotations

from typing import Literal

import msgspec

from exactile.plugins import DEFAULT_BACKEND
from exactile.runs.store import RunRecord, Store

Method = Literal["list", "frontier"]
Verb = Literal["count", "solve", "prove"]


class RunSettings(msgspec.Struct, frozen=True):
    """What a run searches for, and how."""

    verb: Verb  # "count", "solve" (solutions are kept) or "prove" (one is enough)
    backend: str = DEFAULT_BACKEND  # name of the backend
    symmetric: bool = True  # whether only one branch of each orbit is searched
    method: Method = "list"  # "list", or for counts "frontier": see `exactile.search.count`
    reason: str | None = None  # why there is obviously no solution, in words, if so
    most: int | None = None  # the number of solutions after which "solve" is over; None for all

    @property
    def keep(self) -> bool:
        """Whether solutions are written down."""
        return self.verb != "count"

    @property
    def limit(self) -> int | None:
        """After how many solutions the run is over; None if it goes on to the end."""
        return 1 if self.verb == "prove" else self.most


def settings_in(store: Store, record: RunRecord) -> RunSettings:
    """Return the settings of a run in a store; raise FileError if they are damaged."""
    with store.decoding(f"the settings of run {record.number}"):
        return msgspec.convert(record.settings, RunSettings)
