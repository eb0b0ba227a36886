"""Random shapes on all lattices: tilings are checked from the definition, refutations by SAT."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from pysat.card import CardEnc
from pysat.solvers import Cadical195

from exactile.geometry import Lattice, get_lattice, lattice_names
from exactile.tiling.verbs import tile
from support.tilings import Points, is_tiling, turned

MOST_UNITS = {"square": 9, "hexagon": 7, "triangle": 9, "kites": 8, "half-cairo": 8}
"""Of a shape; five on the other lattices, where there are more ways to turn or to go on."""

FARTHEST = 20
"""Steps to units that a SAT solver is asked to cover."""


def random_shape(lattice: Lattice, random: Random) -> Points:
    """Return the points of a random connected set of units."""
    points = {random.choice(lattice.origins)}
    for _ in range(random.randint(2, MOST_UNITS.get(lattice.name, 5)) - 1):
        near = sorted(around(lattice, points) - points)
        points.add(random.choice(near))
    return frozenset(points)


def around(lattice: Lattice, points: set[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Return all neighbors of some units."""
    found = set()
    for point in points:
        [kind] = lattice.types(np.array([point])).tolist()
        found |= {tuple(np.add(point, step).tolist()) for step in lattice.neighbors[kind]}
    return found


def copies_over(lattice: Lattice, shape: Points) -> list[list[list[tuple[int, ...]]]]:
    """Return for each type all copies that cover the unit of this type at its origin."""
    over: list[list[list[tuple[int, ...]]]] = [[] for _ in lattice.origins]
    images = {turned(shape, matrix) for matrix in lattice.group.tolist()}
    for image in images:
        for point in image:
            [kind] = lattice.types(np.array([point])).tolist()
            back = np.subtract(lattice.origins[kind], point)
            over[kind].append([tuple(np.add(p, back).tolist()) for p in sorted(image)])
    return over


def can_cover(lattice: Lattice, shape: Points, steps: int) -> bool:
    """Return whether all units near one of type 0 can be covered, by a SAT solver."""
    disc = {lattice.origins[0]}
    for _ in range(steps):
        disc |= around(lattice, disc)
    over = copies_over(lattice, shape)
    variables: dict[Points, int] = {}
    at: dict[tuple[int, ...], list[int]] = {}
    for unit in sorted(disc):
        [kind] = lattice.types(np.array([unit])).tolist()
        move = np.subtract(unit, lattice.origins[kind])
        for copy in over[kind]:
            placed = frozenset(tuple(np.add(p, move).tolist()) for p in copy)
            if placed not in variables:
                variables[placed] = len(variables) + 1
                for point in placed:
                    at.setdefault(point, []).append(variables[placed])
    with Cadical195() as solver:
        top = len(variables)
        for unit, those in at.items():
            if unit in disc:
                solver.add_clause(those)
            clauses = CardEnc.atmost(those, top_id=top, encoding=1)
            top = max(top, clauses.nv)
            solver.append_formula(clauses.clauses)
        return bool(solver.solve())


def judge(lattice: Lattice, random: Random) -> str:
    """Compare what is known of a random shape with what others find; return the verdict."""
    shape = random_shape(lattice, random)
    units = lattice.coordinates(np.array(sorted(shape)))
    answer = tile(units, lattice=lattice, crossing=False)
    if answer.verdict == "tiles":
        assert is_tiling(answer), (lattice.name, units)
    elif answer.verdict == "does not tile":
        refuted = any(not can_cover(lattice, shape, steps) for steps in range(1, FARTHEST))
        assert refuted or answer.method == "balance", (lattice.name, units)
    return answer.verdict


@pytest.mark.parametrize("name", lattice_names())
def test_random_shapes(name: str) -> None:
    random = Random(name)
    verdicts = [judge(get_lattice(name), random) for _ in range(6)]
    assert "open" not in verdicts


@pytest.mark.slow
@pytest.mark.parametrize("name", lattice_names())
def test_many_random_shapes(name: str) -> None:
    random = Random(f"many {name}")
    verdicts = [judge(get_lattice(name), random) for _ in range(125)]
    assert verdicts.count("open") <= 2
