"""Laws of aspects and canonical forms, for random polyforms on every lattice."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exactile.geometry import Lattice, get_lattice, lattice_names
from exactile.geometry.isometry import Points, as_tuples, aspects
from exactile.geometry.recut import positions, shape_aspects
from exactile.puzzle import Placement, Puzzle, Region
from exactile.puzzle.check import faults
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, Piece, motions_of
from exactile.puzzle.pieces.sets import key, mirror


@st.composite
def forms(draw: st.DrawFn) -> tuple[Lattice, Points]:
    lattice = get_lattice(draw(st.sampled_from(lattice_names())))
    order = draw(st.integers(1, 5 if lattice.dimension == 2 else 3))
    found = generate(lattice, order, Freedom.FIXED)
    return lattice, found[draw(st.integers(0, len(found) - 1))]


@given(forms())
def test_aspects_times_stabilizer_is_the_group(form: tuple[Lattice, Points]) -> None:
    lattice, units = form
    images = [as_tuples(aspects(units, m[None], lattice.period)[0]) for m in lattice.group]
    distinct = set(images)
    assert len(aspects(units, lattice.group, lattice.period)) == len(distinct)
    assert len(lattice.group) % len(distinct) == 0
    assert all(images.count(image) == len(images) // len(distinct) for image in distinct)


@given(forms(), st.integers(0, 47), st.lists(st.integers(-5, 5), min_size=3, max_size=3))
def test_the_key_is_invariant(form: tuple[Lattice, Points], k: int, shift: list[int]) -> None:
    lattice, units = form
    matrix = lattice.group[k % len(lattice.group)]
    moved = units @ matrix.T + lattice.period * np.array(shift[: lattice.dimension])
    moved = np.random.default_rng(k).permutation(moved)
    assert key(moved, lattice, Freedom.FREE) == key(units, lattice, Freedom.FREE)
    chiral = key(mirror(units, lattice), lattice) != key(units, lattice)
    free, sided = (
        len(aspects(units, motions_of(units, lattice, f), lattice.period))
        for f in (Freedom.FREE, Freedom.ONE_SIDED)
    )
    assert free == sided * (2 if chiral else 1)


@given(forms(), st.integers(0, 47))
def test_the_checker_knows_congruence(form: tuple[Lattice, Points], k: int) -> None:
    """A form placed in its own image is a solution; allowed motions are told from others."""
    lattice, units = form
    matrix = lattice.group[k % len(lattice.group)]
    image = units @ matrix.T
    region = Region(lattice, image)
    for freedom in Freedom:
        puzzle = Puzzle("one", region, (Piece("A", lattice, as_tuples(units), freedom),))
        placed = (Placement("A", as_tuples(image)),)
        same = key(image, lattice, freedom) == key(units, lattice, freedom)
        assert (faults(puzzle, placed) == []) is same


@given(forms())
def test_one_sided_and_free_forms_partition_the_fixed_ones(form: tuple[Lattice, Points]) -> None:
    lattice, units = form
    order = len(units) // max(1, len(lattice.block))
    fixed = generate(lattice, order, Freedom.FIXED)
    for freedom in (Freedom.FREE, Freedom.ONE_SIDED):
        total = sum(
            len(shape_aspects(f, motions_of(f, lattice, freedom), lattice))
            for f in generate(lattice, order, freedom)
        )
        assert total == sum(len(positions(f, lattice)) for f in fixed)
