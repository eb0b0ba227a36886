"""Kernels modulo prime powers against all weights there are; which of them are plain."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from exactile._native import Weights
from exactile.geometry import get_lattice
from exactile.model.lower import lower
from exactile.model.model import Longs
from exactile.model.weights import PRIME, System, remaining, system, weights
from exactile.puzzle import Placement, Puzzle, Region
from exactile.reasons.colorings import LONGEST, find_linear, partitions
from exactile.reasons.weights import integers, kernel, plainest
from exactile.search.limits import Limits
from support.clock import ticking
from support.colored_puzzles import copies
from support.random_puzzles import PUZZLE_LATTICES, random_puzzle
from support.small import dominoes, mutilated

POWERS = [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (5, 1)]


def random_system(seed: int) -> System:
    """Return a system of few columns; rows may contain a column more than once."""
    rng = random.Random(seed)
    columns = rng.randint(1, 4)
    rows = [rng.choices(range(columns), k=rng.randint(1, 6)) for _ in range(rng.randint(0, 4))]
    return System(
        np.cumsum([0, *map(len, rows)]),
        np.array([c for row in rows for c in row], dtype=np.int64),
        np.array([rng.randint(0, 9) for _ in range(columns)]),
        np.arange(columns),
    )


def matrix(given: System) -> Longs:
    rows = np.zeros((len(given.first) - 1, given.columns), dtype=np.int64)
    owner = np.repeat(np.arange(len(rows)), np.diff(given.first))
    np.add.at(rows, (owner, given.members), 1)
    return rows


def span(gens: Longs, q: int) -> set[tuple[int, ...]]:
    """Return all combinations of generators."""
    factors = np.array(list(product(range(q), repeat=gens.shape[1]))).reshape(-1, gens.shape[1])
    return set(map(tuple, (factors @ gens.T % q).tolist()))


@pytest.mark.parametrize(("prime", "power"), POWERS)
def test_kernels_are_all_weights_that_there_are(prime: int, power: int) -> None:
    q = prime**power
    found = 0
    for seed in range(120 if q < 6 else 40):
        given = random_system(seed)
        rows = matrix(given)
        every = np.array(list(product(range(q), repeat=given.columns)))
        right = every[~(every @ rows.T % q).any(axis=1)]
        gens = kernel(given, prime, power)
        if (right @ given.totals % q).any():
            found += 1
            weighed = np.column_stack([right, right @ given.totals % q])
            assert span(gens, q) == set(map(tuple, weighed.tolist())), seed
        else:
            assert gens.shape == (given.columns + 1, 0), seed
    assert found > 10


def test_a_modulus_that_is_no_prime_is_needed() -> None:
    """Copies of T, without a weight for the piece, are refuted modulo 8 but by no prime."""
    model = lower(copies("tetrominoes", "T4", 6, 6))
    bounds = np.where(np.arange(model.items) == 0, 0, model.lower)
    free = replace(model, lower=bounds.astype(np.int32))
    given = system(free)
    assert [q**k for q, k in POWERS if kernel(given, q, k).size] == [8]
    assert not kernel(given, PRIME).size
    assert kernel(system(model), 2).size


def test_merged_columns_weigh_the_same() -> None:
    given = system(lower(mutilated(6)))
    classes = np.where(np.arange(35) == 0, 0, 1)
    merged = given.merged(classes)
    assert merged.columns == 2
    assert merged.totals.tolist() == [17, 34]
    assert matrix(merged).tolist() == [[1, 2]]  # equal rows are one
    empty = System(np.array([0]), np.array([], dtype=np.int64), np.array([1, 2]), np.arange(2))
    assert empty.merged(np.array([0, 0])).totals.tolist() == [3]


def test_fixed_placements_are_taken() -> None:
    board = dominoes(4, 1)
    fixed = (Placement("I2", ((1, 0), (2, 0))),)
    model = lower(Puzzle("fixed", board.region, board.pieces, fixed))
    low, high, gone = remaining(model)
    assert gone.tolist() == [True, True, True]
    assert (low[:5].tolist(), high[:5].tolist()) == ([1, 1, 0, 0, 1], [1, 1, 0, 0, 1])
    given = system(model)
    assert (given.items.tolist(), len(given.first)) == ([0, 1, 4], 1)


def test_a_deadline_is_kept() -> None:
    with pytest.raises(TimeoutError):
        kernel(system(lower(dominoes(8, 8))), 2, limits=Limits().within(0))


def test_modulo_a_prime_the_order_of_rows_does_not_matter() -> None:
    given = system(lower(copies("tetrominoes", "L4", 6, 6)))
    for prime in (2, 3, PRIME):
        first = kernel(given, prime)
        for seed in range(5):
            order = np.random.default_rng(seed).permutation(len(given.first) - 1)
            other = given.ordered(order)
            found = Weights(prime, other.first, other.members.astype(np.int32), other.totals)
            found.run(10)
            assert np.array_equal(found.dense() if found.exist else first[:, :0], first)


@pytest.mark.parametrize(
    ("name", "piece", "side"), [("domino", "I2", 100), ("tetrominoes", "T4", 62)]
)
def test_elimination_is_sparse(name: str, piece: str, side: int) -> None:
    """Some 200 bytes a column, where a table of all generators would have 8 for each two."""
    given = system(lower(copies(name, piece, side, side))).swept()
    for modulus in (2, 32, 27, PRIME):
        found = weights(given, modulus)
        assert found.bytes < 400 * given.columns
    assert weights(given, 2).exist == (piece == "T4")


def test_limits_are_told() -> None:
    puzzle = dominoes(8, 8)
    found = find_linear(puzzle, limits=Limits(memory_limit=1000))
    assert (found.certificate, found.finished, found.stopped) == (None, False, "memory limit")
    found = find_linear(puzzle, limits=Limits(1e-9))
    assert (found.certificate, found.finished, found.stopped) == (None, False, "time limit")
    assert find_linear(puzzle, inequalities=False).stopped is None


def test_a_coloring_is_checked_within_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock goes on by a second with each look at it; the check looks often."""
    puzzle = copies("tetrominoes", "T4", 6, 6)
    assert find_linear(puzzle).certificate is not None  # what is kept for later is there now
    clock = ticking(monkeypatch)
    find_linear(puzzle, limits=Limits(10**6))
    looks = next(clock)
    ticking(monkeypatch)
    late = find_linear(puzzle, limits=Limits(looks - 3))
    assert (late.certificate, late.stopped) == (None, "time limit")


def test_integers_are_exact_and_many_digits_are_left_out() -> None:
    for seed in range(200):
        given = random_system(seed)
        weights = integers(given, kernel(given, PRIME))
        assert not (matrix(given) @ weights[:-1]).any(), seed
        assert (weights[-1] == given.totals @ weights[:-1]).all()
    given = System(np.array([0, 5001]), np.repeat([0, 1], [1, 5000]), np.ones(2, int), np.arange(2))
    gens = kernel(given, PRIME)
    assert gens.shape[1] == 1
    assert integers(given, gens).shape == (3, 0)


@pytest.mark.parametrize("modulus", [0, 2, 3, 4, 8])
def test_plain_weights_prove_something(modulus: int) -> None:
    rng = np.random.default_rng(modulus)
    for _ in range(60):
        gens = rng.integers(0, max(modulus, 4), size=(6, 3))
        if not (gens[-1] % modulus if modulus else gens[-1]).any():
            continue
        weights = plainest(gens, modulus, np.array([3, 2, 1, 0, 0]))
        if modulus:
            assert abs(weights).max() <= modulus // 2
            made = {c[:-1] for c in span(gens, modulus) if c[-1]}
            assert tuple((weights % modulus).tolist()) in made
        else:
            both = np.column_stack([gens[:-1], weights])
            assert weights.any()
            assert np.linalg.matrix_rank(both) == np.linalg.matrix_rank(gens[:-1])


def test_the_chessboard_comes_before_stripes() -> None:
    found = [p.tolist() for p in partitions(dominoes(4, 4).region)]
    assert [max(p) + 1 for p in found] == sorted(max(p) + 1 for p in found)
    assert found[0] == [0] * 16
    assert [0, 1, 0, 1, 1, 0, 1, 0] * 2 in found[:4]


@pytest.mark.parametrize("name", PUZZLE_LATTICES)
def test_partitions_repeat(name: str) -> None:
    """Units that differ by a multiple of all periods are of one class."""
    lattice = get_lattice(name)
    seed = PUZZLE_LATTICES.index(name)
    region: Region = random_puzzle(seed).region
    assert region.lattice is lattice
    found = list(partitions(region))
    kinds = len(lattice.origins)
    for partition in found:
        assert sorted(set(partition.tolist())) == list(range(partition.max() + 1))
    assert len({p.tobytes() for p in found}) == len(found)
    if kinds > 1:
        by_type = np.unique(region.types, return_inverse=True)[1]
        assert any(
            len(set(zip(p.tolist(), by_type.tolist(), strict=True)))
            == p.max() + 1
            == by_type.max() + 1
            for p in found
        )
    assert LONGEST[lattice.dimension] >= 4
