"""Symmetric layouts: which pieces of a solution are left open together."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from exactile.designing.rivals import Rivals


def symmetric_groups(rivals: Rivals, random: Random) -> Iterator[list[int]]:
    """Yield the groups of clues that stay together if the layout has a symmetry of the region.

    A union of groups is carried onto itself by the symmetry, any other set of clues is not. Where
    all clues are one group nothing is yielded.
    """
    language = rivals.language
    units = len(language.puzzle.region)
    owner = np.full(units, -1)  # the number of the clue on each unit
    for number, clue in enumerate(rivals.solution):
        covered = (
            language.model.covered([clue])[0]
            if language.is_piece(clue)
            else np.array(language.open_units([clue]))
        )
        owner[covered] = number
    symmetries = language.case.symmetries[1:]
    for place in random.sample(range(len(symmetries)), len(symmetries)):
        image = owner[symmetries[place].units]
        own = owner
        if (((own < 0) | (image < 0)) & (own != image)).any():
            continue  # a placement of the puzzle lies opposite to a clue
        known = own >= 0
        groups = _joined(len(rivals.solution), zip(own[known], image[known], strict=True))
        if len(groups) > 1:
            yield groups


def _joined(number: int, pairs: Iterator[tuple[int, int]]) -> list[int]:
    """Return the connected components of numbers, as integers of bits."""
    group = [1 << k for k in range(number)]
    for one, other in pairs:
        if not group[one] >> int(other) & 1:
            both = group[one] | group[other]
            for k in range(number):
                if both >> k & 1:
                    group[k] = both
    return sorted(set(group))
