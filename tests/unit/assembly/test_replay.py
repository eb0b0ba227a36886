"""The checker of sequences: what it refuses, and its test of single ways against dense sampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import pytest

import exactile
from exactile.answers import Disassembly, Move, Separation
from exactile.assembly.replay import Meetings, replay
from exactile.errors import CheckFailedError, PuzzleError

LATTICES = ["square", "triangle", "hexagon", "cube", "triangle-prisms", "tetrahedra-octahedra"]


@dataclass
class Body:
    """A unit as the points that are inside all of its faces."""

    lattice: Any
    kind: int

    def points(self, number: int, rng: np.random.Generator) -> Any:
        """Return random points inside, as mixtures of the corners."""
        corners = np.array([c for face in self.lattice.faces[self.kind] for c in face])
        weights = rng.dirichlet(np.full(len(corners), 0.4), number)
        return weights @ corners * 0.98


@pytest.mark.parametrize("name", LATTICES)
def test_ways_agree_with_dense_sampling(name: str) -> None:
    """Points that are inside a unit at some moment of a way show that it is met."""
    lattice = exactile.get_lattice(name)
    rng = np.random.default_rng(7)
    ways = Meetings(lattice)
    unit_vectors = np.array(sorted({tuple(c) for m in lattice.group for c in m.T.tolist()}))
    for _ in range(40):
        kind, other = rng.integers(len(lattice.origins), size=2)
        apart = lattice.period * rng.integers(-2, 3, lattice.dimension)
        mine = np.array([lattice.origins[kind]])
        theirs = np.array([lattice.origins[other]]) + apart
        if (mine == theirs).all():
            continue
        way = lattice.period * rng.choice(unit_vectors)
        inside = Body(lattice, int(kind)).points(400, rng)
        moments = np.linspace(0, 1, 41)[:, None, None]
        reached = (inside + mine[0] + moments * way - theirs[0]).reshape(-1, lattice.dimension)
        sampled = bool(within(lattice, int(other), reached).any())
        assert sampled == ways.meet(mine, theirs, way), (kind, other, apart, way)


def within(lattice: Any, kind: int, points: Any) -> Any:
    """Return which points are inside a unit, by the sides of its faces."""
    result = np.ones(len(points), dtype=bool)
    faces = [np.array(face) for face in lattice.faces[kind]]
    if lattice.dimension == 2:
        faces = [np.array(pair) for pair in zip(faces[0], np.roll(faces[0], -1, 0), strict=True)]
    for face in faces:
        if lattice.dimension == 2:
            side = face[1] - face[0]
            normal = np.array([-side[1], side[0]])
        else:
            normal = np.cross(face[1] - face[0], face[2] - face[1])
        inward = -np.sign(normal @ face[0])
        result &= inward * ((points - face[0]) @ normal) > 0
    return result


def burr() -> tuple[exactile.Puzzle, Disassembly]:
    """Return a block in a ring that has to be moved twice, and its sequence."""
    cube = exactile.get_lattice("square")
    ring = [(x, y) for x in range(4) for y in range(4) if x in (0, 3) or y in (0, 3)]
    ring.remove((3, 2))
    solution = (
        exactile.Placement("ring", tuple(sorted(ring))),
        exactile.Placement("block", ((1, 1),)),
    )
    pieces = tuple(exactile.Piece(p.piece, cube, p.units, exactile.Freedom.FIXED) for p in solution)
    units = [unit for p in solution for unit in p.units]
    puzzle = exactile.Puzzle("ring", exactile.Region(cube, units), pieces)
    return puzzle, exactile.take_apart(puzzle, solution)


def test_a_block_leaves_a_ring() -> None:
    _, answer = burr()
    assert answer.outcome == "apart"
    assert (answer.level, answer.moves, answer.level_by_lines) == ("2", 2, "2")
    (separation,) = answer.separations
    assert [(m.pieces, m.direction, m.steps) for m in separation.moves] in (
        [((1,), (0, 1), 1), ((1,), (1, 0), None)],
        [((0,), (0, -1), 1), ((1,), (1, 0), None)],
    )


def step(pieces: tuple[int, ...], direction: tuple[int, ...], steps: int | None = None) -> Move:
    return Move(pieces=pieces, direction=direction, steps=steps)


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ([step((1,), (1, 0))], "block meets ring"),
        ([step((1,), (0, 1), 2), step((1,), (1, 0))], "block meets ring"),
        ([step((1,), (0, 1), 1)], "leads away"),
        ([step((1,), (0, 1)), step((1,), (1, 0))], "leads away"),
        ([step((1,), (0, 1), 0), step((1,), (1, 0))], "0 steps"),
        ([step((1,), (0, 0), 1), step((1,), (1, 0))], "not a direction"),
        (
            [
                step(
                    (
                        0,
                        1,
                    ),
                    (0, 1),
                    1,
                ),
                step((1,), (1, 0)),
            ],
            "cannot move",
        ),
        ([], "leads away"),
    ],
)
def test_wrong_moves_are_refused(moves: list[Move], words: str) -> None:
    puzzle, answer = burr()
    wrong = (Separation(pieces=(0, 1), removed=(1,), moves=tuple(moves)),)
    with pytest.raises(CheckFailedError, match=words):
        replay(puzzle, msgspec.structs.replace(answer, separations=wrong))


def test_pieces_that_stay_together_are_noticed() -> None:
    puzzle, answer = burr()
    with pytest.raises(CheckFailedError, match="left together"):
        replay(puzzle, msgspec.structs.replace(answer, separations=()))
    with pytest.raises(CheckFailedError, match="not together"):
        replay(puzzle, msgspec.structs.replace(answer, separations=answer.separations * 2))


@pytest.mark.parametrize("name", ["tritrigs-heart-2", "tetrominoes-5x4-tube"])
def test_what_has_no_volume_or_no_outside_is_refused(name: str) -> None:
    puzzle = exactile.load(name)
    solution = exactile.solve_one(puzzle) or ()
    with pytest.raises(PuzzleError, match=r"have no volume|is wrapped|do not overlap"):
        exactile.take_apart(puzzle, solution)
