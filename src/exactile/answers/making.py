"""The answer of `make`: which files were written for printers and cutters."""

from __future__ import annotations

from exactile.answers.base import Answer, Status


class MadeFileEntry(Answer, frozen=True, kw_only=True):
    """A file that was written.

    Attributes
    ----------
    path
        Its name, in the directory that was requested.
    size
        Lengths of its contents along the three axes, in millimeters; for a sheet, the last is 0.
    """

    path: str
    size: tuple[float, float, float]


class MadeList(Answer, frozen=True, kw_only=True):
    """The files of a puzzle, or of a set of pieces.

    Attributes
    ----------
    puzzle
        The name of the puzzle, or the set.
    status
        Status of the search for the assembled solution; ``COMPLETE`` if none was needed.
    files
        The files in the order in which they were written.
    notes
        What was left out, and why.
    """

    puzzle: str
    status: Status
    files: tuple[MadeFileEntry, ...]
    notes: tuple[str, ...] = ()
