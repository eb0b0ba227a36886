"""Puzzles in which pieces may stay unused: which subsets of the pieces cover the region."""

from exactile.surveys.subsets.search import SubsetSearch
from exactile.surveys.subsets.selection import Selections, Uses, only
from exactile.surveys.subsets.tally import count_by_subset

__all__ = ["Selections", "SubsetSearch", "Uses", "count_by_subset", "only"]
