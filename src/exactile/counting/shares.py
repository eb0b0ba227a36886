"""Numbers of solutions by the pieces that they leave out.

The numbers from several processes can be added up in any order.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
import numpy.typing as npt

from exactile.model.model import Longs
from exactile.model.orbits import Assignments, OrbitCounter, exact_quotient
from exactile.search.case import Case

Mask = npt.NDArray[np.bool_]


class Share(msgspec.Struct):
    """Numbers for the solutions of one kind, such as all that leave out the same pieces.

    `raw`: number of these solutions. `kept`: number of pairs of such a solution and a symmetry that
    maps the solution to itself. `kept_properly`: number of such pairs with a proper symmetry.
    """

    raw: int = 0
    kept: int = 0
    kept_properly: int = 0

    def add(self, other: Share) -> None:
        """Add another share to this one."""
        self.raw += other.raw
        self.kept += other.kept
        self.kept_properly += other.kept_properly


Shares = dict[str, Share]
"""Shares by the names of the pieces that are left out, such as ``L/l``; ``""`` if none are."""


def add(shares: Shares, others: Mapping[str, Share]) -> None:
    """Add the shares of `others` to `shares`."""
    for name, share in others.items():
        shares.setdefault(name, Share()).add(share)


class ShareTally:
    """Counts solutions by the pieces that they leave out, batch by batch, without keeping them."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._counters: dict[str, OrbitCounter] = {}

    def add(self, rows: Assignments, multiples: Longs) -> None:
        """Count some solutions, one in each row of options.

        `multiples`: number of solutions that each row stands for.
        """
        for name, members in self._by_omission(rows):
            if name not in self._counters:
                self._counters[name] = OrbitCounter(self._case.action)
            self._counters[name].add(rows[members], multiples[members])

    @property
    def shares(self) -> Shares:
        """The shares of the solutions counted so far."""
        return {name: Share(*counter.pairs()) for name, counter in self._counters.items()}

    def _by_omission(self, rows: Assignments) -> list[tuple[str, Mask]]:
        """Return each set of pieces that some of the solutions leave out: its name, and a mask.

        For the name see `_omitted`: sets that are images of each other have the same name. The mask
        selects the rows that leave out this set.
        """
        model = self._case.model
        omission = model.meaning.omission
        if omission is None:
            return [("", np.ones(len(rows), dtype=bool))]
        left_out = model.options_with(omission)
        missing = np.array([(rows == option).any(axis=1) for option in left_out]).T
        patterns, which = np.unique(missing, axis=0, return_inverse=True)
        pieces = model.piece_of[left_out]
        return [
            (self._omitted(pieces[pattern]), which.reshape(-1) == k)
            for k, pattern in enumerate(patterns)
        ]

    def _omitted(self, pieces: Longs) -> str:
        """Return the names of pieces, and of their images under symmetries, such as ``L/l``."""
        items = self._case.action.items
        orbit = sorted({tuple(sorted(image)) for image in items[:, pieces].tolist()})
        names = [" ".join(self._case.puzzle.pieces[p].name for p in image) for image in orbit]
        return "/".join(names)


def numbers(case: Case, shares: Mapping[str, Share]) -> dict[str, tuple[int, int, int]]:
    """Return for each share, by its name, three numbers of solutions: raw, rotation, symmetry.

    If there are no shares, the only name is ``""``, and the numbers are 0.
    """
    action = case.action
    proper = int(action.proper.sum())
    return {
        name: (
            s.raw,
            exact_quotient(s.kept_properly, proper),
            exact_quotient(s.kept, action.order),
        )
        for name, s in (shares or {"": Share()}).items()
    }
