"""Puzzle files, the catalogue of puzzles that comes with the package, and solution files."""

from exactile.files.catalogue import Entry, entries, load
from exactile.files.puzzles import Document
from exactile.files.solutions import FORMATS, read_solutions, write_solutions
from exactile.files.structure import schema

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
