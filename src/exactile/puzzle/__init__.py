"""Puzzles: pieces, a region and rules; their symmetries; the checker of solutions."""

from exactile.puzzle.check import check, faults
from exactile.puzzle.puzzle import Known, Omission, Placement, Puzzle, Solution
from exactile.puzzle.region import Region

__all__ = ["Known", "Omission", "Placement", "Puzzle", "Region", "Solution", "check", "faults"]
