"""Which files are models, by their names."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

SUFFIXES = {".json": "json", ".xcc": "xcc", ".dlx": "xcc"}
"""The format of model files by their names."""


def is_model_file(reference: str | PathLike[str]) -> bool:
    """Return whether a name is that of a model file, not of a puzzle.

    Examples
    --------
    >>> is_model_file("queens.dlx"), is_model_file("pentominoes-6x10")
    (True, False)
    """
    return Path(reference).suffix.lower() in SUFFIXES
