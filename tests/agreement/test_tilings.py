"""Shapes on all lattices: tilings from the definition, periods and refutations by a SAT solver."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from exactile.geometry import Lattice, get_lattice, lattice_names
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.surveys.tiling.census import Census
from exactile.surveys.tiling.decide import TilingSettings
from exactile.surveys.tiling.prototiles import Prototiles, decided
from exactile.surveys.tiling.survey import survey
from exactile.surveys.tiling.verbs import tile
from support.second_opinion import SecondOpinion, Shape
from support.tilings import is_tiling, points_of

MOST_UNITS = {"square": 9, "hexagon": 7, "triangle": 9, "kites": 8, "half-cairo": 8}
"""Of a shape; five on the other lattices, where there are more ways to turn or to go on."""

MANY = 61
"""Random shapes on each lattice, some 2,000 in all."""

MOST_OPEN = 3
"""Of these on a lattice: a few tile, or not, after more nodes than `tile` spends by default."""

FARTHEST = 20
"""Steps to units that a SAT solver is asked to cover."""

SMALL = {
    "square": 6,
    "hexagon": 5,
    "triangle": 6,
    "kites": 4,
    "quarter-squares": 3,
    "sixth-triangles": 2,
    "octasquares": 4,
    "trihexagons": 4,
    "bevelhexagons": 3,
    "half-cairo": 4,
    "hexagon-edges": 5,
    "square-edges": 4,
    "triangle-edges": 3,
    "cube": 5,
    "cube-edges": 2,
    "cube-faces": 2,
}
"""Orders all of whose forms a SAT solver is asked about in a second."""


def random_shape(lattice: Lattice, random: Random, order: int = 0) -> Shape:
    """Return the points of a random connected set of units, by default few."""
    points = {random.choice(lattice.origins)}
    for _ in range((order or random.randint(2, MOST_UNITS.get(lattice.name, 5))) - 1):
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


def judge(lattice: Lattice, random: Random) -> str:
    """Compare what is known of a random shape with what others find; return the verdict."""
    shape = random_shape(lattice, random)
    units = lattice.coordinates(np.array(sorted(shape)))
    crossing = random.random() < 0.5
    answer = tile(units, lattice=lattice, crossing=crossing)
    if answer.verdict == "tiles":
        assert is_tiling(answer), (lattice.name, units)
    elif answer.verdict == "does not tile" and answer.method != "balance":
        reflected = answer.freedom == "free"
        other = SecondOpinion(lattice, shape, crossing=crossing, reflected=reflected)
        refuted = any(not other.covers_all_within(steps) for steps in range(1, FARTHEST))
        assert refuted, (lattice.name, units)
    return answer.verdict


def has_no_period(piece: Piece, copies: int) -> bool:
    """Return whether no torus of up to some number of copies is covered, without refutations."""
    prototiles = Prototiles((piece,))
    wishes = TilingSettings(most_copies=copies, effort=None).wishes(prototiles)
    wishes.refute = False
    found = decided(prototiles.native, prototiles.units, wishes, lambda: True)
    assert found["refutation"] == ""
    return bool(found["verdict"] == "open" and found["least"] == (copies + 1, False))


def compare(name: str, order: int, *, crossing: bool) -> None:
    """Compare the verdict and the least period of all forms of an order with a SAT solver's."""
    answer = survey(Census(name, order, "free", crossing), entries=True)
    assert answer.done == answer.forms
    for entry in answer.entries:
        if entry.method == "balance":
            continue
        shape = points_of(name, tuple(map(tuple, entry.units)))
        other = SecondOpinion(get_lattice(name), shape, crossing=crossing)
        copies = entry.copies if entry.verdict == "tiles" else None
        assert other.least_copies(most=entry.copies or 3) == copies, entry


@pytest.mark.parametrize("name", lattice_names())
def test_random_shapes(name: str) -> None:
    random = Random(name)
    verdicts = [judge(get_lattice(name), random) for _ in range(6)]
    assert "open" not in verdicts


@pytest.mark.parametrize("name", SMALL)
def test_all_small_shapes(name: str) -> None:
    compare(name, SMALL[name] - 1, crossing=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_all_larger_shapes(name: str) -> None:
    for crossing in (True, False) if get_lattice(name).crossing else (True,):
        compare(name, SMALL[name], crossing=crossing)


@pytest.mark.parametrize(("name", "order"), [("square", 12), ("hexagon", 15), ("triangle", 16)])
def test_what_is_refuted_has_no_period(name: str, order: int) -> None:
    """All periods of up to six copies of twenty shapes that do not tile."""
    lattice, random = get_lattice(name), Random(f"refuted {name}")
    refuted = 0
    while refuted < 20:
        points = random_shape(lattice, random, order)
        piece = Piece("P", lattice, tuple(sorted(points)), Freedom.FREE)
        if tile(piece).verdict == "does not tile":
            refuted += 1
            assert has_no_period(piece, 6), points


@pytest.mark.slow
@pytest.mark.parametrize("name", lattice_names())
def test_many_random_shapes(name: str) -> None:
    random = Random(f"many {name}")
    verdicts = [judge(get_lattice(name), random) for _ in range(MANY)]
    assert verdicts.count("open") <= MOST_OPEN
