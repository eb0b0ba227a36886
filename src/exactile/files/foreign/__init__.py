"""Reading and writing puzzles of other programs; this module has what all formats share."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from exactile.puzzle import Puzzle, Solution

MOST_BYTES = 50_000_000
"""Largest size in bytes of a file of another program, after decompression."""


@dataclass(frozen=True)
class Foreign:
    """The contents of a file of another program: puzzles, stored solutions, and remarks.

    `notes` are remarks about what was ignored. `solutions` has a list for each puzzle, or is empty.
    """

    puzzles: list[Puzzle]  # in the order of the file
    comment: str = ""  # the comment in the file
    notes: list[str] = field(default_factory=list)  # what was ignored, in words
    # For each puzzle, the solutions that the file contains
    solutions: list[list[Solution]] = field(default_factory=list)


def identifier(text: str) -> str:
    """Return a puzzle identifier made from a title or a file's name.

    >>> identifier("Jan's Cube (3x3x3)"), identifier("???")
    ('jan-s-cube-3x3x3', 'puzzle')
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "puzzle"


def stem(name: str) -> str:
    """Return the name of a file without folder and suffix; ``puzzle`` for standard input.

    >>> stem("puzzles/Bedlam.xmpuzzle"), stem("standard input")
    ('Bedlam', 'puzzle')
    """
    return "puzzle" if name == "standard input" else Path(name).stem


def distinct(names: list[str]) -> list[str]:
    """Return names with hyphens for white space, and with numbers that make them distinct.

    >>> distinct(["big L", "T", "T", "T-2"])
    ['big-L', 'T', 'T-3', 'T-2']
    """
    plain = ["-".join(name.split()) or "piece" for name in names]
    taken = set(plain)
    seen: set[str] = set()
    tried: dict[str, int] = {}  # the next number of each name
    result = []
    for name in plain:
        chosen = name
        while chosen in seen or (chosen != name and chosen in taken):
            number = tried.get(name, 2)
            chosen, tried[name] = f"{name}-{number}", number + 1
        seen.add(chosen)
        result.append(chosen)
    return result
