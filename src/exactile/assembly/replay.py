"""The checker of sequences of moves: replays every move, and shares no code with the search.

A unit that moves sweeps the convex hull of its first and its last position. It meets another unit
if the interiors of that hull and of the other unit have a point in common, that is, if 0 is inside
the hull of all differences of their corners. If 0 is outside, a plane through 0 and two differences
has the rest on one side. Balls meet if the path of one center comes closer to the other center than
a diameter.

Cubes that turn are checked from the definition: no two cells overlap at any angle. Take two squares
of side 2 with centers m and s, and turn the first about 0 by an angle a. They overlap unless a line
along a side of either separates them (separating axis theorem). With c = cos a, i = sin a, and d =
s - R m from the turned center to the other one, they overlap if and only if

    |d_x|, |d_y|, |(R' d)_x|, |(R' d)_y| < 1 + c + i,

where R turns by a and R' back. These are eight inequalities A + B c + C i > 0 with integer
coefficients. With t = tan(a / 2), which goes from 0 to 1, they become eight quadratics in t. If all
of them are positive for some t, they are all positive just after a zero of one of them, or just
after 0. At these points, their signs are those of numbers p + q sqrt(D), which integer arithmetic
decides.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.answers.assembly import Disassembly, Move
from exactile.errors import CheckFailedError
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle.coordinates import from_coordinates
from exactile.puzzle.puzzle import Puzzle

EPSILON = 1e-6
"""Overlaps of at most this depth count as contact, because coordinates of corners are rounded."""

Reals = npt.NDArray[np.float64]


def replay(puzzle: Puzzle, disassembly: Disassembly) -> None:
    """Replay a sequence: no pieces may overlap at any moment of any move.

    Raise CheckFailedError if pieces overlap, a move or a separation is malformed, or a sequence
    does not take everything apart although it claims to. Pieces that need not be taken apart may
    stay together. Raise PuzzleError if a unit of the solution is not in the region.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("soma-cube")
    >>> replay(puzzle, exactile.take_apart(puzzle, exactile.solve_one(puzzle)))
    """
    Replay(puzzle, disassembly).run()


class Replay:
    """One sequence, replayed separation by separation."""

    def __init__(self, puzzle: Puzzle, disassembly: Disassembly) -> None:
        self._answer = disassembly
        self._puzzle = puzzle
        self._lattice = puzzle.lattice
        solution = from_coordinates(puzzle, disassembly.solution)
        self._names = [placement.piece for placement in solution]
        self._units = [np.array(placement.units, dtype=np.int64) for placement in solution]
        self._ways = Meetings(puzzle.lattice)
        corners = [np.array(c) for faces in puzzle.lattice.faces for face in faces for c in face]
        self._margin = float(np.abs(corners).max())

    def run(self) -> None:
        """Replay all separations; raise CheckFailedError if one fails."""
        parts = {frozenset(range(len(self._names)))}
        for separation in self._answer.separations:
            whole, removed = frozenset(separation.pieces), frozenset(separation.removed)
            if whole not in parts or not removed or not removed < whole:
                raise self._wrong(f"pieces {[*separation.pieces]} are not together")
            if [move.steps is None for move in separation.moves] != [
                *[False] * (len(separation.moves) - 1),
                True,
            ]:
                raise self._wrong("a separation does not end with the move that leads away")
            for move in separation.moves:
                self._move(move, whole)
            last = frozenset(separation.moves[-1].pieces)
            if last not in (removed, whole - removed):
                raise self._wrong("the pieces that leave are not those named as removed")
            parts = parts - {whole} | {removed, whole - removed}
        if self._answer.outcome != "apart":
            return
        groups = [set(group) for group in self._puzzle.together]
        for part in parts:
            names = {self._names[k] for k in part}
            if len(part) > 1 and not any(names <= group for group in groups):
                raise self._wrong(f"pieces {sorted(part)} are left together")

    def _move(self, move: Move, whole: frozenset[int]) -> None:
        """Make a move of some of the pieces `whole`, which are still together.

        Raise CheckFailedError if pieces overlap on the way, or if the move is malformed.
        """
        moving = frozenset(move.pieces)
        if not moving or not moving < whole:
            raise self._wrong(f"pieces {[*move.pieces]} cannot move among {sorted(whole)}")
        if move.about is not None:
            self._turn(move, moving, whole - moving)
            return
        step = np.array(move.direction, dtype=np.int64)
        if step.shape != (self._lattice.dimension,) or not step.any():
            raise self._wrong(f"{[*move.direction]} is not a direction")
        step = step * self._lattice.period
        resting = whole - moving
        steps = move.steps
        if steps is None:  # until the bounding boxes are apart: then pieces cannot meet
            ends = np.concatenate([self._units[k] for k in whole])
            reach = (ends.max(axis=0) - ends.min(axis=0) + 2 * self._margin)[step != 0]
            steps = int(np.ceil((reach / np.abs(step[step != 0])).min())) + 1
        if steps < 1:
            raise self._wrong(f"a move has {steps} steps")
        for mine, other in product(sorted(moving), sorted(resting)):
            if self._ways.meet(self._units[mine], self._units[other], steps * step):
                raise self._wrong(
                    f"{self._names[mine]} meets {self._names[other]} on its way along "
                    f"{[*move.direction]}"
                )
        if move.steps is not None:
            for mine in moving:
                self._units[mine] = self._units[mine] + steps * step

    def _turn(self, move: Move, moving: frozenset[int], resting: frozenset[int]) -> None:
        if self._lattice.name != "cube":
            raise self._wrong(f"pieces of the {self._lattice.name} lattice are turned")
        try:
            turn = Turn(move)
        except ValueError as error:
            raise self._wrong(str(error)) from error
        for mine, other in product(sorted(moving), sorted(resting)):
            if turn.meets(self._units[mine], self._units[other]):
                raise self._wrong(f"{self._names[mine]} meets {self._names[other]} in a turn")
        for mine in moving:
            self._units[mine] = turn.after(self._units[mine])

    def _wrong(self, why: str) -> CheckFailedError:
        return CheckFailedError(
            f"A sequence for {self._puzzle.name} is wrong: {why}. If Exactile found it, this is a "
            "bug: please report it."
        )


class Meetings:
    """Decides whether units of a lattice meet during a translation, and caches the results.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> cubes = Meetings(get_lattice("cube"))
    >>> one, other = np.array([(0, 0, 0)]), np.array([(3, 0, 0)])
    >>> [cubes.meet(one, other, np.array(way)) for way in ((2, 0, 0), (3, 0, 0), (9, 0, 0))]
    [False, True, True]
    """

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._corners = [np.array([c for f in faces for c in f]) for faces in lattice.faces]
        self._known: dict[tuple[int, int, Point, Point], bool] = {}
        # Normals of planes that have separated units before: tried first.
        self._normals = np.zeros((0, lattice.dimension))

    def meet(
        self,
        moving: npt.NDArray[np.int64],
        resting: npt.NDArray[np.int64],
        way: npt.NDArray[np.int64],
    ) -> bool:
        """Return whether any moving unit meets a resting one during the displacement `way`."""
        kinds, others = self._lattice.types(moving), self._lattice.types(resting)
        apart = resting[None] - moving[:, None]
        margin = np.abs(np.concatenate(self._corners)).max() * 2
        low, high = np.minimum(way, 0) - margin, np.maximum(way, 0) + margin
        near = ((apart > low) & (apart < high)).all(axis=2)
        return any(
            self._units_meet(
                int(kinds[i]), int(others[j]), tuple(apart[i, j].tolist()), tuple(way.tolist())
            )
            for i, j in np.argwhere(near).tolist()
        )

    def _units_meet(self, kind: int, other: int, apart: Point, way: Point) -> bool:
        key = (kind, other, apart, way)
        if key not in self._known:
            test = self._balls if self._lattice.balls else self._bodies
            self._known[key] = test(kind, other, np.array(apart), np.array(way))
        return self._known[key]

    def _bodies(self, kind: int, other: int, apart: Reals, way: Reals) -> bool:
        mine, theirs = self._corners[kind], self._corners[other]
        ends = np.concatenate([mine, mine + way])
        differences = (theirs[None] + apart - ends[:, None]).reshape(-1, len(way))
        if separates(self._normals, differences).any():
            return False
        points = np.unique(differences.round(9) + 0.0, axis=0)
        normals = normals_of(points)
        found = normals[separates(normals, points)][:1]
        self._normals = np.concatenate([self._normals, found])
        return not len(found)

    def _balls(self, kind: int, other: int, apart: Reals, way: Reals) -> bool:
        space = np.array(self._lattice.embedding)
        center, line = apart @ space, way @ space
        diameter = min(
            float(np.linalg.norm(np.array(s) @ space)) for s in self._lattice.neighbors[kind]
        )
        moment = min(1.0, max(0.0, float(center @ line / (line @ line))))
        return bool(np.linalg.norm(center - moment * line) < diameter - EPSILON)


def normals_of(points: Reals) -> Reals:
    """Return unit normals of all lines through 0 and a point, or planes through 0 and two points.

    If 0 is not inside the convex hull of the points, one of these lines or planes has all points on
    one side.
    """
    if points.shape[1] == 2:
        normals = np.stack([-points[:, 1], points[:, 0]], axis=1)
    else:
        first, second = np.triu_indices(len(points), 1)
        normals = np.cross(points[first], points[second])
    length = np.linalg.norm(normals, axis=1)
    return np.asarray(normals[length > EPSILON] / length[length > EPSILON, None])


def separates(normals: Reals, points: Reals) -> npt.NDArray[np.bool_]:
    """Return a mask of the lines or planes through 0 that have all points on one side.

    `normals`: a normal of each line or plane.

    Examples
    --------
    >>> square = np.array([(1, 1), (1, -1), (-1, -1), (-1, 1)])
    >>> moved = [square, square + (1, 0), square + (3, 0)]
    >>> [bool(separates(normals_of(points), points).any()) for points in moved]
    [False, True, True]
    """
    sides = normals @ points.T
    return np.asarray((sides >= -EPSILON).all(axis=1) | (sides <= EPSILON).all(axis=1))


Cell = tuple[int, int]
"""The position of a cell in the plane across the axis of a turn, in half units from the axis."""

Quadratic = tuple[int, int, int]
"""A quadratic polynomial: coefficients of t^2, t and 1."""

Units = npt.NDArray[np.int64]


class Turn:
    """A quarter turn that is to be checked.

    Raise ValueError if a move is not a quarter turn that maps cells to cells.

    Examples
    --------
    >>> move = Move(pieces=(0,), direction=(0, 0, 1), steps=1, about=(0.5, 0.5, 0.0))
    >>> turn = Turn(move)
    >>> turn.meets(np.array([(0, 0, 0)]), np.array([(1, 1, 0)]))
    False
    >>> turn.meets(np.array([(0, 0, 0)]), np.array([(1, 0, 0)]))
    True
    >>> turn.after(np.array([(0, 0, 0)])).tolist()
    [[1, 0, 0]]
    """

    def __init__(self, move: Move) -> None:
        axes = [k for k, c in enumerate(move.direction) if c]
        twice = [2 * c for c in move.about or ()]
        if len(twice) != 3 or any(c != int(c) for c in twice):
            raise ValueError("the point of an axis is not at halves")
        if len(axes) != 1 or abs(move.direction[axes[0]]) != 1 or move.steps != 1:
            raise ValueError("a turn is not a quarter about an axis of space")
        self._along = axes[0]
        # The two other axes, so that the turn leads from the first to the second.
        first, second = (axes[0] + 1) % 3, (axes[0] + 2) % 3
        self._across = [first, second] if move.direction[axes[0]] > 0 else [second, first]
        self._center = np.array([int(twice[k]) for k in self._across])
        if self._center.sum() % 2:
            raise ValueError("a turn does not map cells to cells")

    def _flat(self, units: Units) -> Units:
        return np.asarray(2 * units[:, self._across] - self._center)

    def meets(self, turning: Units, resting: Units) -> bool:
        """Return whether a turning cell overlaps a resting one at some angle of the turn."""
        mine, theirs = self._flat(turning).tolist(), self._flat(resting).tolist()
        layers, others = turning[:, self._along].tolist(), resting[:, self._along].tolist()
        pairs = {
            (*m, *s)
            for m, layer in zip(mine, layers, strict=True)
            for s, other in zip(theirs, others, strict=True)
            if layer == other
        }
        return any(overlap((m, n), (s, t)) for m, n, s, t in pairs)

    def after(self, units: Units) -> Units:
        """Return the positions of cells after the turn."""
        x, y = self._flat(units).T
        result = units.copy()
        result[:, self._across] = (np.stack([-y, x], axis=1) + self._center) // 2
        return result


@lru_cache(1 << 16)
def overlap(turning: Cell, resting: Cell) -> bool:
    """Return whether the interiors of two cells meet while `turning` makes a quarter turn about 0.

    Examples
    --------
    >>> overlap((1, 1), (-1, 1)), overlap((1, 1), (1, 3)), overlap((1, 1), (3, 3))
    (True, True, False)
    """
    (m, n), (x, y) = turning, resting
    sides = []  # A, B and C of each inequality; a, b and c are those of a coordinate of d
    for a, b, c in ((x, -m, n), (y, -n, -m), (-m, x, y), (-n, y, -x)):
        sides += [(1 - a, 1 - b, 1 - c), (1 + a, 1 + b, 1 + c)]
    # cos a = (1 - t^2) / (1 + t^2), sin a = 2 t / (1 + t^2)
    quadratics = [(a - b, 2 * c, a + b) for a, b, c in sides]
    zeros = [zero for quadratic in quadratics for zero in _zeros(quadratic)]
    return any(
        all(_positive_after(quadratic, moment) for quadratic in quadratics)
        for moment in [Surd(0, 0, 0, 1), *(z for z in zeros if z.sign() > 0 > z.minus_one())]
    )


class Surd(NamedTuple):
    """The number (p + q sqrt(root)) / over, with over > 0."""

    p: int
    q: int
    root: int
    over: int

    def sign(self) -> int:
        """Return the sign of this number: -1, 0 or 1."""
        plain, surd = self.p, self.q * abs(self.q) * self.root
        square = plain * abs(plain)
        return (square + surd > 0) - (square + surd < 0)

    def minus_one(self) -> int:
        """Return the sign of (this number - 1): -1, 0 or 1."""
        return self._replace(p=self.p - self.over).sign()

    def value(self, quadratic: Quadratic) -> Surd:
        """Return the value of a quadratic polynomial at this number."""
        a, b, c = quadratic
        p, q, root, over = self
        return Surd(
            a * (p * p + q * q * root) + b * p * over + c * over * over,
            2 * a * p * q + b * q * over,
            root,
            over * over,
        )


def _zeros(quadratic: Quadratic) -> list[Surd]:
    """Return the real zeros of a quadratic polynomial; none if it is constant."""
    a, b, c = quadratic
    if a == 0:
        return [Surd(-c if b > 0 else c, 0, 0, abs(b))] if b else []
    root = b * b - 4 * a * c
    if root < 0:
        return []
    sign = 1 if a > 0 else -1
    return [Surd(-b * sign, q, root, 2 * abs(a)) for q in (-1, 1)]


def _positive_after(quadratic: Quadratic, moment: Surd) -> bool:
    a, b, _ = quadratic
    for derivative in (quadratic, (0, 2 * a, b), (0, 0, a)):
        sign = moment.value(derivative).sign()
        if sign:
            return sign > 0
    return False
