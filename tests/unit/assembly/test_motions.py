"""The translations of lattices, and what is met on the way: as the checker says, step by step."""

from __future__ import annotations

import random

import numpy as np
import pytest

import exactile
from exactile.assembly.motions import motions
from exactile.assembly.replay import Meetings

DIRECTIONS = {
    "square": 2,
    "hexagon": 6,
    "cube": 3,
    "triangle-prisms": 4,
    "hexagon-prisms": 7,
    "spheres": 6,
    "tetrahedra-octahedra": 6,
    "tetrahedra-octants": 9,
}
"""Lattices, and their numbers of directions, one of each pair of opposite ones."""


@pytest.mark.parametrize("name", DIRECTIONS)
def test_directions_are_kept_by_the_point_group(name: str) -> None:
    lattice = exactile.get_lattice(name)
    steps = {tuple(step) for step in motions(lattice).steps.tolist()}
    both = steps | {tuple(-c for c in step) for step in steps}
    assert (len(steps), len(both)) == (DIRECTIONS[name], 2 * DIRECTIONS[name])
    for matrix in lattice.group:
        assert {tuple((matrix @ step).tolist()) for step in both} == both


@pytest.mark.parametrize("name", DIRECTIONS)
def test_what_is_met_in_a_step_is_what_the_checker_says(name: str) -> None:
    lattice = exactile.get_lattice(name)
    meetings, rng = Meetings(lattice), random.Random(3)
    found = motions(lattice)
    for step, swept in zip(found.steps, found.swept, strict=True):
        kind = rng.randrange(len(lattice.origins))
        here = np.array([lattice.origins[kind]])
        met = {tuple(offset) for offset in swept[kind].tolist()}
        for _ in range(30):
            place = lattice.period * np.array(rng.choices(range(-2, 3), k=lattice.dimension))
            there = place + np.array([rng.choice(lattice.origins)])
            offset = tuple((there - here)[0].tolist())
            if any(offset):
                assert meetings.meet(here, there, lattice.period * step) == (offset in met)
        for offset in met:
            assert meetings.meet(here, here + np.array(offset), lattice.period * step)
