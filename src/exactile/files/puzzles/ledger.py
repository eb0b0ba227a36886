"""The results of the ledger for the puzzles of the catalogue.

They are read from the document that `exactile catalogue export` writes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from exactile.answers import Sampled
from exactile.files.puzzles.catalogue import root


class LedgerNumbers(msgspec.Struct, frozen=True):
    """Numbers of solutions: all of them, and up to rotation and symmetry."""

    raw: int
    rotation: int
    symmetry: int


class LedgerEntry(msgspec.Struct, frozen=True):
    """The record of a puzzle."""

    id: str  # the puzzle
    digest: str  # of its model
    pieces: int  # the largest number of pieces used
    units: int  # the units of the region
    status: str  # `exact`, `unsolvable` or `open`
    method: str  # how the numbers were found
    reason: str  # why there is no solution
    numbers: LedgerNumbers | None  # numbers of solutions; None while the puzzle is open
    at_least: int  # number of known solutions
    bound: float | None  # an upper bound, if there is one
    # An estimate of the raw number, while the puzzle is open
    sampled: Sampled | None = None

    @property
    def solutions(self) -> str:
        """The number of solutions up to symmetry, as far as it is known."""
        if self.numbers is not None:
            return f"{self.numbers.symmetry:,}"
        return f"≥ {self.at_least:,}" if self.at_least else "?"


class _Document(msgspec.Struct, frozen=True):
    puzzles: list[LedgerEntry]


def folder() -> Path:
    """Return the folder with the ledger: of a checkout, else package data."""
    models = root()
    source = models.parent / "docs" / "catalogue"
    return source if source.is_dir() else models.parent / "catalogue"


@cache
def ledger() -> dict[str, LedgerEntry]:
    """Return the record of each puzzle by its id; empty if there is no ledger.

    >>> ledger()["soma-cube"].solutions
    '240'
    """
    try:
        read = msgspec.json.decode((folder() / "ledger.json").read_bytes(), type=_Document)
    except (OSError, msgspec.MsgspecError):
        return {}
    return {entry.id: entry for entry in read.puzzles}
