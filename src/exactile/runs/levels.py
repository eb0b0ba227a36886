"""Counts of the assemblies that a run finds, by the level at which they come apart.

Each orbit of solutions is counted only in the part that finds its leading solution (see
`exactile.model.orbits.leading`), so that the counts of all parts can be added up. As in
`AssemblySearch`, the least solution of the orbit is taken apart, even if it is not the leading one.
The leading and the least solution depend only on the puzzle, not on how the search is cut into
parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from exactile.answers.assembly import LevelTally
from exactile.assembly.disassemble import OUTCOMES, STATES, notation
from exactile.assembly.search import RowDisassembler, orbit_sizes
from exactile.counting.shares import Share, Shares
from exactile.model.model import Longs
from exactile.model.orbits import Assignments, leading, least_images
from exactile.search.case import Case

Apart = Literal["translations", "rotations"]
"""Kinds of moves by which solutions are taken apart: translations alone, or also rotations."""


class LevelShares:
    """Takes solutions apart, and counts them by level in `shares`.

    The keys of `shares` are levels followed by the total number of moves, such as ``"4.3.2 11"``;
    also ``"locked"``, and ``"unknown"`` for solutions that need too many states to be taken apart.
    `apart`: the moves by which solutions are taken apart. `symmetric`: whether the search visits
    only one branch of each orbit.
    """

    def __init__(self, case: Case, apart: Apart, *, symmetric: bool) -> None:
        self._case = case
        self._chosen = case.branches.options if symmetric and case.branches else None
        rotations = apart == "rotations"
        self._apart = RowDisassembler(case, lines=False, rotations=rotations, states=STATES)
        self._names: dict[bytes, str] = {}
        self.shares: Shares = {}

    def add(self, rows: Assignments, stopped: Callable[[], bool]) -> Assignments | None:
        """Count the orbits whose leading solutions are in a batch.

        Of the least solutions of these orbits, return those that come apart. `stopped` is
        called at every heartbeat. If it returns True before all solutions are counted, the result
        is None, and `shares` is incomplete and must not be used.
        """
        action = self._case.action
        rows = rows[leading(action, rows, self._chosen)]
        rows = least_images(action, rows, ranks=self._apart.ranks)
        sizes = orbit_sizes(action, rows)
        proper = int(action.proper.sum())
        kept = np.zeros(len(rows), dtype=bool)
        done = 0
        for levels in self._apart.run(rows):
            for k, outcome in enumerate(levels.outcomes.tolist()):
                name: str = OUTCOMES[outcome]
                if name == "apart":
                    kept[done] = True
                    name = self._name(levels.numbers[levels.first[k] : levels.first[k + 1]])
                raw, rotation, _ = sizes[done].tolist()
                self.shares.setdefault(name, Share()).add(
                    Share(raw, action.order, rotation * proper)
                )
                done += 1
            if done < len(rows) and stopped():
                return None
        return rows[kept]

    def _name(self, separations: npt.NDArray[np.int32]) -> str:
        """Return the key of a solution in `shares`; `separations`: its rows of `Levels.numbers`."""
        key = separations.tobytes()
        if key not in self._names:
            found = separations.tolist()
            self._names[key] = f"{notation(found)} {sum(moves for moves, *_ in found)}"
        return self._names[key]


def assembly_numbers(case: Case, shares: Mapping[str, Share]) -> dict[str, Any]:
    """Return the counts in `LevelShares.shares` as keyword arguments of `AssemblyCount`."""
    proper = int(case.action.proper.sum())
    every, apart = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    levels: dict[str, tuple[int, Longs]] = {}
    for name, share in sorted(shares.items()):
        orbits = (share.raw, share.kept_properly // proper, share.kept // case.action.order)
        every += orbits
        level, _, moves = name.partition(" ")
        if moves:
            apart += orbits
            before, others = levels.get(level, (int(moves), np.zeros(3, dtype=np.int64)))
            levels[level] = min(before, int(moves)), others + orbits
    unknown = shares.get("unknown", Share())
    names = sorted(levels, key=lambda level: [int(number) for number in level.split(".")])
    tallies = ((name, levels[name][0], *levels[name][1].tolist()) for name in names)
    kinds = ("raw", "rotation", "symmetry")
    of_all = ("assemblies", "assemblies_rotation", "assemblies_symmetry")
    return {
        **dict(zip(kinds, apart.tolist(), strict=True)),
        **dict(zip(of_all, every.tolist(), strict=True)),
        "unknown": unknown.kept // case.action.order,
        "levels": tuple(
            LevelTally(level=level, moves=moves, raw=a, rotation=b, symmetry=c)
            for level, moves, a, b, c in tallies
        ),
    }
