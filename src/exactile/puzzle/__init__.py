"""Puzzles (pieces, a region and rules), their symmetries, and the checker of solutions."""

from exactile.puzzle.paint import Paint
from exactile.puzzle.puzzle import Known, Omission, Placement, Puzzle, Solution
from exactile.puzzle.region import Region
from exactile.puzzle.rules import ColorRule, OpenRule, UseRule

__all__ = [
    "ColorRule",
    "Known",
    "Omission",
    "OpenRule",
    "Paint",
    "Placement",
    "Puzzle",
    "Region",
    "Solution",
    "UseRule",
]
