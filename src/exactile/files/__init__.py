"""Puzzle files, the catalogue of puzzles that comes with the package, and solution files."""

from exactile.files.puzzles.catalogue import Entry, entries, load
from exactile.files.puzzles.document import Document
from exactile.files.puzzles.structure import schema
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
