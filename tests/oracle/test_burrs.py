"""The burrs of six notchable pieces that Cutler counted: solid ones in 1977, with holes in 1987."""

from __future__ import annotations

import runpy
from pathlib import Path

import exactile

burr = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "notchable_burrs.py"))["burr"]


def test_solid_burrs_of_notchable_pieces() -> None:
    answer = exactile.count_assemblable(burr(holes=False))
    assert answer.rotation == 314  # mirror images are two
    assert (answer.assemblies_symmetry, answer.symmetry) == (588, 179)  # counted by us


def test_burrs_with_holes() -> None:
    puzzle = burr(holes=True)
    assert len(puzzle.pieces) == 59
    assert exactile.count(puzzle).symmetry == 13_354_991
