"""Puzzles that use some of their pieces: the subsets of the pieces that cover the region."""

from exactile.subsets.search import SubsetSearch
from exactile.subsets.selection import Selections, Uses, only
from exactile.subsets.tally import count_by_subset

__all__ = ["Selections", "SubsetSearch", "Uses", "count_by_subset", "only"]
