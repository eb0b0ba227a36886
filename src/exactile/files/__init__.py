"""Puzzle files, the catalogue of puzzles that comes with the package, and solution files."""

from typing import TYPE_CHECKING

from exactile.lazy import loader

if TYPE_CHECKING:
    from exactile.files.puzzles.catalogue import Entry, entries
    from exactile.files.puzzles.document import Document
    from exactile.files.puzzles.structure import schema
    from exactile.files.reading import load
    from exactile.files.solutions.writer import FORMATS, read_solutions, write_solutions

__all__ = [
    "FORMATS",
    "Document",
    "Entry",
    "entries",
    "load",
    "read_solutions",
    "schema",
    "write_solutions",
]

_HOMES = {
    **dict.fromkeys(("Entry", "entries"), "puzzles.catalogue"),
    "load": "reading",
    **dict.fromkeys(("FORMATS", "read_solutions", "write_solutions"), "solutions.writer"),
    "Document": "puzzles.document",
    "schema": "puzzles.structure",
}

__getattr__ = loader(__name__, _HOMES)
