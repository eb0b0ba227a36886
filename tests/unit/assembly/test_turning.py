"""Quarter turns: the search's test and the checker's against a dense simulation, and mistakes."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import exactile
from exactile import _native
from exactile.answers import Disassembly, Move, Separation
from exactile.assembly.disassemble import OUTCOMES, Disassembler
from exactile.assembly.motions import moved
from exactile.assembly.replay import Turn, overlap, replay
from exactile.errors import CheckFailedError, PuzzleError
from support.few import few
from support.latch import latch

SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])

ANGLES = np.linspace(0, np.pi / 2, 721)

TOLERANCE = 1e-7


def simulated(turning: tuple[int, int], resting: tuple[int, int]) -> bool:
    """Return whether two squares overlap at one of many angles: by corners and crossing sides."""
    turns = np.array([(np.cos(ANGLES), np.sin(ANGLES)), (-np.sin(ANGLES), np.cos(ANGLES))])
    first = np.einsum("kx,xya->aky", np.array(turning) + SQUARE, turns)
    second = np.broadcast_to(np.array(resting) + SQUARE, first.shape)
    return bool((inside(first, second) | inside(second, first) | cross(first, second)).any())


def side(origin: Any, end: Any, point: Any) -> Any:
    """Return on which side of a line points are; near 0 on the line."""
    (x, y), (u, v) = np.moveaxis(end - origin, -1, 0), np.moveaxis(point - origin, -1, 0)
    return x * v - y * u


def inside(points: Any, polygon: Any) -> Any:
    """Return at which angles one of some points is inside a polygon."""
    start, end = polygon[:, None], np.roll(polygon, -1, axis=1)[:, None]
    return (side(start, end, points[:, :, None]) > TOLERANCE).all(axis=2).any(axis=1)


def cross(first: Any, second: Any) -> Any:
    """Return at which angles a side of one polygon crosses one of the other."""
    a, b = first[:, :, None], np.roll(first, -1, axis=1)[:, :, None]
    c, d = second[:, None], np.roll(second, -1, axis=1)[:, None]
    one, other = side(a, b, c) * side(a, b, d), side(c, d, a) * side(c, d, b)
    return ((one < -TOLERANCE) & (other < -TOLERANCE)).any(axis=(1, 2))


def random_cells(rng: random.Random) -> Any:
    """Return 2 to 5 cells in a box."""
    box = [*product(range(5), range(5), range(2))]
    return np.array(rng.sample(box, rng.randint(2, 5)))


@pytest.mark.parametrize("seed", few(range(200), 8))
def test_turns_agree_with_a_dense_simulation(seed: int) -> None:
    rng = random.Random(seed)
    axis = rng.choice([(p, q) for p, q in product(range(-1, 10), repeat=2) if (p + q) % 2 == 0])
    mine, theirs = random_cells(rng), random_cells(rng)
    order = rng.sample(range(3), 3)
    directions = {(0, 1, 2): 1, (1, 2, 0): 1, (2, 0, 1): 1}
    along = [0, 0, 0]
    along[order[2]] = directions.get((order[0], order[1], order[2]), -1)
    about = [0.0, 0.0, 0.0]
    about[order[0]], about[order[1]] = axis[0] / 2, axis[1] / 2
    turn = Turn(Move(pieces=(0,), direction=tuple(along), steps=1, about=tuple(about)))
    pairs = [
        (tuple(2 * m[:2] - axis), tuple(2 * t[:2] - axis))
        for m, t in product(mine, theirs)
        if m[2] == t[2]
    ]
    expected = any(simulated(*pair) for pair in pairs)
    place = np.argsort(order)
    assert turn.meets(mine[:, place], theirs[:, place]) == expected
    assert any(_native.meets_in_turn(*map(int, (*m, *t))) for m, t in pairs) == expected


def test_the_search_and_the_checker_agree() -> None:
    """Two computations that have nothing in common, for all cells near an axis."""
    for odd in (0, 1):
        near = [*product(range(odd - 4, 5, 2), repeat=2)]
        for cell, other in product(near, product(range(odd - 8, 9, 2), repeat=2)):
            assert _native.meets_in_turn(*cell, *other) == overlap(cell, other), (cell, other)


@pytest.mark.parametrize(
    ("turning", "resting", "expected"),
    [
        ((0, 0), (2, 0), True),  # about its own center, its corners leave its square
        ((0, 0), (2, 2), False),
        ((1, 1), (1, 3), True),
        ((1, 1), (3, 1), False),  # it only touches its side, at the beginning
        ((1, 1), (-3, 1), False),
        ((1, 1), (3, 3), False),
        ((2, 0), (4, 0), True),  # its corners are farther away than the middle of its side
        ((2, 0), (0, -2), False),
    ],
)
def test_known_cells(turning: tuple[int, int], resting: tuple[int, int], *, expected: bool) -> None:
    assert overlap(turning, resting) == expected
    assert _native.meets_in_turn(*turning, *resting) == expected


def test_a_latch_comes_apart_by_a_turn(tmp_path: Path) -> None:
    puzzle, solution = latch(tmp_path)
    assert exactile.take_apart(puzzle, solution).outcome == "locked"
    answer = exactile.take_apart(puzzle, solution, rotations=True)
    assert (answer.outcome, answer.level, answer.level_by_lines) == ("apart", "2", "2")
    turn, away = answer.separations[0].moves
    assert (turn.pieces, turn.direction, turn.about) == ((0,), (0, 0, -1), (2.5, 1.5, 0.0))
    assert away.about is None
    assert away.steps is None
    assert Disassembly.from_json(answer.to_json()) == answer
    replay(puzzle, answer)


def test_translations_are_written_without_an_axis(tmp_path: Path) -> None:
    puzzle, solution = latch(tmp_path)
    document = exactile.take_apart(puzzle, solution, rotations=True).to_json()
    assert '"steps": 1, "about": [2.5, 1.5, 0.0]}' in document
    assert '"steps": null}' in document


LATCH_TURN = {"pieces": (0,), "direction": (0, 0, -1), "steps": 1, "about": (2.5, 1.5, 0.0)}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"direction": (0, 0, 1)}, "latch meets lock in a turn"),
        ({"about": (2.0, 3.0, 0.0)}, "latch meets lock in a turn"),
        ({"pieces": (1,)}, "lock meets latch in a turn"),
        ({"about": (2.5, 2.0, 0.0)}, "does not map cells to cells"),
        ({"about": (2.25, 2.25, 0.0)}, "not at halves"),
        ({"about": (2.5, 2.5)}, "not at halves"),
        ({"direction": (0, 1, 1)}, "not a quarter"),
        ({"direction": (0, 0, 2)}, "not a quarter"),
        ({"steps": 2}, "not a quarter"),
        ({"steps": None}, "leads away"),
    ],
)
def test_wrong_turns_are_refused(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    puzzle, solution = latch(tmp_path)
    answer = exactile.take_apart(puzzle, solution, rotations=True)
    away = answer.separations[0].moves[-1]
    moves = (Move(**{**LATCH_TURN, **changes}), away)
    wrong = (Separation(pieces=(0, 1), removed=(0,), moves=moves),)
    with pytest.raises(CheckFailedError, match=words):
        replay(puzzle, msgspec.structs.replace(answer, separations=wrong))


def test_four_turns_lead_back() -> None:
    rng = random.Random(1)
    for _ in range(20):
        units = random_cells(rng)
        k = rng.randrange(3)
        direction = tuple(rng.choice((1, -1)) * (i == k) for i in range(3))
        about = tuple(float(rng.randint(-3, 3)) for _ in range(3))
        move = Move(pieces=(0,), direction=direction, steps=1, about=about)
        there = units
        for _ in range(4):
            assert (moved(there, move, 1) == Turn(move).after(there)).all()
            there = moved(there, move, 1)
        assert (there == units).all()


@pytest.mark.parametrize("name", ["pentominoes-6x10", "tritrigs-heart-2"])
def test_other_lattices_are_refused(name: str) -> None:
    puzzle = exactile.load(name)
    with pytest.raises(PuzzleError, match="only those of the cube lattice"):
        exactile.take_apart(puzzle, exactile.solve_one(puzzle) or (), rotations=True)


def test_very_wide_regions_are_refused() -> None:
    lattice = exactile.get_lattice("cube")
    row = tuple((x, 0, 0) for x in range(65))
    piece = exactile.Piece("row", lattice, row, exactile.Freedom.FREE)
    puzzle = exactile.Puzzle("row", exactile.Region(lattice, row), (piece,))
    with pytest.raises(PuzzleError, match="more than 64 cells wide"):
        exactile.take_apart(puzzle, (exactile.Placement("row", row),), rotations=True)


def test_pieces_very_far_apart_are_too_many_states(tmp_path: Path) -> None:
    shell = [c for c in product((-1, 0, 1), repeat=3) if any(c)]
    far = 2000  # a box of 8 * 10^9 cells, which no array of owners could have
    parts = (
        (*shell, (far, 0, 0)),  # closed around a cell of the next one
        ((0, 0, 0), *((x, y + far, z) for x, y, z in shell)),
        ((0, far, 0), (0, far, far)),
    )
    disassembler = Disassembler(latch(tmp_path)[0], rotations=True)
    disassembler.learn([exactile.Placement("latch", units) for units in parts])
    levels = disassembler.run(np.array([[0, 1, 2]]), seconds=60)
    assert [OUTCOMES[k] for k in levels.outcomes] == ["unknown"]


@pytest.mark.slow
def test_there_may_be_more_shapes_than_16_bits_number(tmp_path: Path) -> None:
    puzzle, solution = latch(tmp_path)
    fillers = (
        tuple((x, 0, 0) for x in range(21) if x in (0, 20) or bits >> (x - 1) & 1)
        for bits in range(66_000)
    )
    disassembler = Disassembler(puzzle, rotations=True)
    disassembler.learn([*(exactile.Placement("latch", f) for f in fillers), *solution])
    levels = disassembler.run(np.array([[66_000, 66_001]]), seconds=60)
    assert (levels.outcomes.tolist(), levels.numbers.tolist()) == ([0], [[2, 0, 0]])
