"""Find which builders build given cells, alone or several together.

Cells are customary coordinates. Whole regions are compared as sets. Parts of regions are bit masks,
so that thousands of shapes can be tried at every place.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product

import numpy as np

from exactile.errors import RegionError
from exactile.geometry.isometry import to_origin
from exactile.geometry.lattice import Lattice, Point
from exactile.geometry.lattices.triangle import hexagon

Cells = frozenset[Point]

LARGEST_SIZE = 90
"""The largest size tried."""

LARGEST = 1100
"""The most cells of a shape from which something is taken away."""

LARGEST_PART = 350
"""The most cells of a shape that is tried as a part."""


@dataclass(frozen=True)
class Build:
    """A builder with sizes, and how often it is turned."""

    name: str
    sizes: tuple[int, ...]
    turn: int = 0

    @property
    def entries(self) -> tuple[str, ...]:
        """What is written in a region table."""
        sizes = str(list(self.sizes)) if len(self.sizes) > 1 else str(self.sizes[0])
        return (f"{self.name} = {sizes}", *([f"turn = {self.turn}"] if self.turn else []))


@dataclass(frozen=True)
class Shape:
    """What a build builds: a mask, how far it reaches, its number of cells."""

    build: Build
    spans: Point
    mask: int
    number: int


@dataclass(frozen=True)
class Part:
    """A build at a place, as a mask."""

    build: Build
    place: Point
    mask: int


def low(cells: Iterable[Point], lattice: Lattice) -> Point:
    """Return the least coordinates, types aside."""
    columns = list(zip(*cells, strict=True))[: lattice.dimension]
    return tuple(min(column) for column in columns)


def moved(cells: Iterable[Point], shift: Iterable[int]) -> list[Point]:
    """Move cells; types stay."""
    steps = tuple(shift)
    n = len(steps)
    return [(*(c + s for c, s in zip(cell[:n], steps, strict=True)), *cell[n:]) for cell in cells]


def to_zero(cells: Iterable[Point], lattice: Lattice) -> list[Point]:
    """Move cells so that they start at the coordinates 0."""
    cells = list(cells)
    return moved(cells, (-c for c in low(cells, lattice)))


def turned(cells: Iterable[Point], turn: int, lattice: Lattice) -> list[Point]:
    """Turn cells `turn` times by the lattice's smallest angle, back to the coordinates 0."""
    matrix = np.linalg.matrix_power(np.array(lattice.generators[0]), turn % turns(lattice))
    points = lattice.points(list(cells)) @ matrix.T
    return lattice.coordinates(to_origin(points, lattice.period))


@cache
def turns(lattice: Lattice) -> int:
    """Return how many turns make a full one."""
    power = np.array(lattice.generators[0])
    return next(
        k for k in range(1, 9) if (np.linalg.matrix_power(power, k) == np.eye(len(power))).all()
    )


class Workshop:
    """All builders of a lattice of cells, and what they have built so far."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.arity = {
            name: len(inspect.signature(builder).parameters)
            for name, builder in lattice.builders.items()
        }
        self.kinds = len(lattice.origins)
        self.stride = 64 if lattice.dimension == 2 else 24
        self._built: dict[tuple[str, tuple[int, ...]], Cells] = {}

    def built(self, name: str, sizes: tuple[int, ...]) -> Cells:
        """Return what a builder makes of sizes, nothing if it refuses them."""
        key = name, sizes
        if key not in self._built:
            try:
                self._built[key] = frozenset(map(tuple, self.lattice.builders[name](*sizes)))
            except RegionError:
                self._built[key] = frozenset()
        return self._built[key]

    def find(self, cells: Cells) -> Build | None:
        """Return the plainest build of cells that start at 0, the least turned one."""
        fitting = [*self._of_number(cells)]
        for turn in range(turns(self.lattice)):
            goal = frozenset(turned(cells, -turn, self.lattice)) if turn else cells
            for name, sizes in [*fitting, *self._hulls(goal)]:
                if self.built(name, sizes) == goal:
                    return Build(name, sizes, turn)
        return None

    def _of_number(self, cells: Cells) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield all builders of at most two sizes with those that give this number of cells."""
        spans = self.spans(cells)
        top = min(LARGEST_SIZE, sum(spans) + 1)
        for name, arity in self.arity.items():
            if arity == 3:
                yield name, spans
            elif arity < 3:
                for first in product(range(1, top), repeat=arity - 1):
                    size = self._bisected(name, first, len(cells), top)
                    if size:
                        yield name, (*first, size)

    def _bisected(self, name: str, first: tuple[int, ...], number: int, top: int) -> int:
        """Return the last size that makes so many cells, 0 if none: numbers grow with it."""
        least, most = 1, top
        while least < most:
            middle = (least + most) // 2
            count = len(self.built(name, (*first, middle)))
            # What is refused is too large, but a size of 1 may be too small.
            if (middle == 1 and not count) or 0 < count < number:
                least = middle + 1
            else:
                most = middle
        return least if len(self.built(name, (*first, least))) == number else 0

    def _hulls(self, cells: Cells) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the smallest hexagon around cells, if there is such a builder."""
        if "irregular_hexagon" in self.arity:
            sides = hexagon_around(cells)
            if min(sides) > 0:
                yield "irregular_hexagon", sides

    @cached_property
    def shelf(self) -> dict[Point, list[Shape]]:
        """Shapes in all turns, by the spans of their coordinates; each shape once."""
        return self._shelf(self._small())

    @cached_property
    def large(self) -> dict[Point, list[Shape]]:
        """Larger shapes of one size, for what is taken away from them."""
        return self._shelf(
            (name, (size,))
            for name, arity in self.arity.items()
            for size in range(1, 46)
            if arity == 1 and LARGEST_PART < len(self.built(name, (size,))) < LARGEST
        )

    def _shelf(self, builds: Iterable[tuple[str, tuple[int, ...]]]) -> dict[Point, list[Shape]]:
        found: dict[int, Shape] = {}
        for turn, (name, sizes) in product(range(turns(self.lattice)), list(builds)):
            cells = self.built(name, sizes)
            there = turned(cells, turn, self.lattice) if turn else list(cells)
            spans = self.spans(there)
            if max(spans) < self.stride:
                shape = Shape(Build(name, sizes, turn), spans, self.mask(there), len(there))
                found.setdefault(shape.mask, shape)
        shelf: dict[Point, list[Shape]] = {}
        for shape in found.values():
            shelf.setdefault(shape.spans, []).append(shape)
        return shelf

    def spans(self, cells: Iterable[Point]) -> Point:
        """Return how far cells that start at 0 reach."""
        axes = list(zip(*cells, strict=True))[: self.lattice.dimension]
        return tuple(max(axis) + 1 for axis in axes)

    def hulls(self, mask: int, spans: Point) -> list[Shape]:
        """Return the shapes of the same spans that contain a mask, small ones first."""
        box = Build("box", spans)
        cells = self.built(box.name, box.sizes)
        shapes = [*self.shelf.get(spans, []), *self.large.get(spans, [])]
        if max(spans) < self.stride:
            shapes.append(Shape(box, spans, self.mask(cells), len(cells)))
        shapes = [shape for shape in shapes if shape.mask & mask == mask]
        return sorted(shapes, key=lambda shape: (shape.number, shape.build.turn, shape.build.sizes))

    def _small(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        for name, arity in self.arity.items():
            if arity > 3 or (arity == 3 and name != "box"):
                continue
            most = 24 if arity < 3 else 13
            for first in product(range(1, most), repeat=arity - 1):
                for last in range(1, most):
                    number = len(self.built(name, (*first, last)))
                    if number > LARGEST_PART or (not number and last > 1):
                        break
                    if number:
                        yield name, (*first, last)

    def offset(self, place: Point) -> int:
        """Return the number of bits by which a mask is moved to a place."""
        bits = 0
        for coordinate in reversed(place):
            bits = bits * self.stride + coordinate
        return bits * self.kinds

    def mask(self, cells: Iterable[Point]) -> int:
        """Return a bit for each cell."""
        array = np.array(list(cells))
        places = array[:, : self.lattice.dimension] @ self.stride ** np.arange(
            self.lattice.dimension
        )
        bits = np.zeros(self.stride**self.lattice.dimension * self.kinds, dtype=bool)
        bits[places * self.kinds + (array[:, -1] if self.kinds > 1 else 0)] = True
        return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")

    def cells(self, mask: int) -> list[Point]:
        """Return the cells of a mask."""
        result = []
        while mask:
            place, kind = divmod((mask & -mask).bit_length() - 1, self.kinds)
            mask &= mask - 1
            coordinates = [
                place // self.stride**i % self.stride for i in range(self.lattice.dimension)
            ]
            result.append((*coordinates, *([kind] if self.kinds > 1 else [])))
        return result

    def parts_in(self, mask: int, spans: Point, least: int) -> list[Part]:
        """Return all shapes of at least so many cells at all places where they fit into a mask."""
        found, most = [], mask.bit_count()
        for size, shapes in self.shelf.items():
            if any(s > t for s, t in zip(size, spans, strict=True)):
                continue
            chosen = [shape for shape in shapes if least <= shape.number <= most]
            room = (range(t - s + 1) for s, t in zip(size, spans, strict=True))
            places = [(place, self.offset(place)) for place in product(*room)] if chosen else []
            for shape in chosen:
                found += [
                    Part(shape.build, place, there)
                    for place, offset in places
                    if (there := shape.mask << offset) & mask == there
                ]
        return found


def hexagon_around(cells: Iterable[Point]) -> tuple[int, ...]:
    """Return the first four sides of the smallest hexagon around cells that start at 0.

    Sides count cells on the hexagon lattice, edges on the triangle lattice.
    """
    points = set()
    for x, y, *kind in cells:
        if kind:
            points |= {(x + 1, y), (x, y + 1), (x + kind[0], y + kind[0])}
        else:
            points.add((x, y))
    xs, ys, sums = zip(*((x, y, x + y) for x, y in points), strict=True)
    right, top, begin, end = max(xs), max(ys), min(sums), max(sums)
    more = 0 if any(len(c) > 2 for c in cells) else 1
    return tuple(s + more for s in (right - begin, end - right, top + right - end, end - top))


def hexagons_of(cells: list[Point]) -> Iterator[tuple[list[Point], int]]:
    """Yield the cells of a hexagon lattice whose hexagons of some side make up triangles."""
    for side in range(1, 5):
        one = hexagon(side)
        corner = min(one, key=lambda c: (c[1], c[0], c[2]))
        left, found = set(cells), []
        while left:
            x, y, _ = min(left, key=lambda c: (c[1], c[0], c[2]))
            place = x - corner[0], y - corner[1]
            there = {(i + place[0], j + place[1], kind) for i, j, kind in one}
            if not there <= left:
                break
            left -= there
            found.append(place)
        else:
            across, up = found[0]
            steps = [(x - across, y - up) for x, y in found]
            if all(x % side == 0 and (y - x) % (3 * side) == 0 for x, y in steps):
                yield [((2 * x + y) // (3 * side), (y - x) // (3 * side)) for x, y in steps], side


@cache
def workshop(lattice: Lattice) -> Workshop:
    """Return the one workshop of a lattice."""
    return Workshop(lattice)
