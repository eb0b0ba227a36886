"""Names of model files."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

SUFFIXES = {".json": "json", ".xcc": "xcc", ".dlx": "xcc"}
"""Formats by the suffix of a file's name."""


def is_model_file(reference: str | PathLike[str]) -> bool:
    """Return whether a name is that of a model file, not of a puzzle.

    ``"xcc:-"`` and ``"json:-"`` are model files on standard input.

    >>> is_model_file("queens.dlx"), is_model_file("pentominoes-6x10"), is_model_file("xcc:-")
    (True, False, True)
    """
    return reference in ("xcc:-", "json:-") or Path(reference).suffix.lower() in SUFFIXES
