"""Decides whether a piece can cover a set of units: whether an allowed isometry maps it there.

On some lattices, a moved piece can again consist of whole units although the motion does not map
unit to unit. This happens when the moved outline runs along sides of units; prisms are considered
layer by layer. The checker and the verifier of certificates use this module, so it is independent
of `exactile.geometry.recut`, which models use.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import pairwise, product
from math import gcd

import numpy as np
import numpy.typing as npt

from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice, Point
from exactile.geometry.wrap import Wrap
from exactile.puzzle.paint import Paint
from exactile.puzzle.pieces.piece import Piece
from exactile.puzzle.region import Mask, Region

Longs = npt.NDArray[np.int64]

AT_ONCE = 1 << 20
"""Largest number of units moved at a time, unless one placement has more."""

PROBES = 12
"""Number of units of a piece that are moved first on wrapped regions, to exclude most motions."""


def reduced(point: Point, wrap: Wrap | None) -> Point:
    """Return the point that represents a point under a wrap; without a wrap, the point itself."""
    return point if wrap is None else tuple(wrap.reduce(np.array(point)).tolist())


def congruent(piece: Piece, rows: Longs, region: Region, paint: Paint | None = None) -> Mask:
    """Return, for each set of units, whether some allowed isometry maps a piece exactly to it.

    Every isometry is tried: the piece is turned in every way, and its first unit is moved to each
    unit of the set; if the wrap has a glide reflection, the images under it are tried as well.
    Without a wrap, the first unit is moved only to the first unit of the set, since translations
    keep the order of points. Aspects, from which the model is made, are not used.

    `rows`: one set in each row, as the numbers of its units in increasing order; each set has as
    many units as the piece: shape ``(m, n)``. `region`: the region that numbers the units; it may
    be wrapped. `paint`: may forbid units of the piece on units of the region; none by default.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4-tube")
    >>> rows = np.array([[0, 1, 2, 3], [0, 1, 2, 4]])
    >>> congruent(puzzle.piece("I4"), rows, puzzle.region).tolist()
    [True, False]
    """
    paint = paint or Paint()
    turns = piece.motions.transpose(0, 2, 1)
    ways, owners = laid(piece, paint)
    turned = (ways[:, None] @ turns).reshape(-1, *ways.shape[1:])
    order = _order(turned)
    turned = np.take_along_axis(turned, order[..., None], axis=1)
    owners = np.take_along_axis(np.repeat(owners, len(turns), axis=0), order, axis=1)
    allowed = _allowed(piece, region, paint)
    sheets = 1 if region.wrap is None or region.wrap.glide is None else 2
    goals = piece.order * sheets if region.wrap else 1
    step = max(1, AT_ONCE // (turned.shape[0] * piece.order * goals))
    found = np.zeros(len(rows), dtype=bool)
    for begin in range(0, len(rows), step):
        part = rows[begin : begin + step]
        places = region.units[part]
        places = places if region.wrap is None else region.wrap.sheets(places)
        motion, row, shift = _motions(turned, places, piece.lattice.period, goals)
        if region.wrap:
            motion, row, shift = _probed(turned, part, region, motion, row, shift)
        else:  # the last unit alone excludes most motions
            hit = (turned[motion, -1] + shift == places[row, -1]).all(axis=1)
            motion, row, shift = motion[hit], row[hit], shift[hit]
        there = turned[motion] + shift[:, None]
        source = owners[motion]
        if region.wrap:
            there = region.wrap.reduce(there)
            again = _order(there)
            there = np.take_along_axis(there, again[..., None], axis=1)
            source = np.take_along_axis(source, again, axis=1)
        same = (there == region.units[part[row]]).all(axis=(1, 2))
        if allowed is not None:
            same &= allowed[source, part[row]].all(axis=1)
        found[begin + row[same]] = True
    return found


def is_placement(
    piece: Piece, units: tuple[Point, ...], region: Region, paint: Paint | None = None
) -> bool:
    """Return whether a piece can lie on some units of a region, given in any order.

    `paint`: as for `congruent`.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4-tube")
    >>> is_placement(puzzle.piece("L4"), ((2, 0), (2, 1), (2, 2), (1, 0)), puzzle.region)
    True
    """
    rows = np.sort(region.index(np.array([units], dtype=np.int64)))
    if len(units) != piece.order or rows[0, 0] < 0 or not np.diff(rows).all():
        return False
    return bool(congruent(piece, rows, region, paint)[0])


def _order(sets: Points) -> Longs:
    """Return indices that sort the points of each set lexicographically: shape ``(k, n)``."""
    return np.lexsort(np.moveaxis(sets, -1, 0)[::-1], axis=-1)


def _motions(turned: Points, units: Points, period: int, goals: int) -> tuple[Longs, Longs, Points]:
    """Return the translations that map the first unit of a turned piece to a unit of a set.

    Only the first `goals` units of each set are tried. The result: three arrays with the indices of
    turned pieces, the indices of sets, and the translations.
    """
    shifts = units[None, :, :goals] - turned[:, None, :1]
    motion, row, goal = np.nonzero((shifts % period == 0).all(axis=-1))
    return motion, row, shifts[motion, row, goal]


def _probed(
    turned: Points, rows: Longs, region: Region, motion: Longs, row: Longs, shift: Points
) -> tuple[Longs, Longs, Points]:
    """Return the motions that map several selected units of the piece into the set of units.

    This excludes most motions without moving the whole piece. `motion`, `row`, `shift`: as returned
    by `_motions`; the result has the same form.
    """
    within = np.zeros((len(rows), len(region) + 1), dtype=bool)  # the last is not a unit
    np.put_along_axis(within, rows, values=True, axis=1)
    for unit in np.unique(np.linspace(0, turned.shape[1] - 1, PROBES, dtype=np.int64)):
        hit = within[row, region.index(turned[motion, unit] + shift)]
        motion, row, shift = motion[hit], row[hit], shift[hit]
    return motion, row, shift


def _allowed(piece: Piece, region: Region, paint: Paint) -> Mask | None:
    """Return whether paint allows each unit of a piece on each unit of the region.

    Shape ``(n, units)``; None if paint forbids nothing.
    """
    own = paint.pieces.get(piece.name, {})
    if not own or not paint.units:
        return None
    numbers = paint.of(region.units)[1]
    goals = [tuple(region.units[k].tolist()) for k in np.unique(numbers, return_index=True)[1]]
    of_color = {own.get(unit): unit for unit in piece.units}
    fits = {
        color: np.array([paint.allows(piece.name, unit, goal) for goal in goals])[numbers]
        for color, unit in of_color.items()
    }
    return np.array([fits[own.get(unit)] for unit in piece.units])


Step = tuple[Point, Point]
"""A part of a side of a unit: two integer points with no integer point between them, sorted."""


def laid(piece: Piece, paint: Paint) -> tuple[Points, npt.NDArray[np.int64]]:
    """Return all sets of units that a piece can cover without being turned.

    `paint`: the puzzle's paint. Sets in which parts of the piece with different paint would cover
    the same unit are left out.

    The result: two arrays. The first has one set of each class under translations of the lattice,
    beginning with the piece's own units: shape ``(k, n, d)``. The second gives, for each of these
    units, the index of a unit of the piece with the same paint: shape ``(k, n)``.

    Examples
    --------
    >>> import exactile
    >>> pieces = exactile.load("tetraboloes-14x2").pieces
    >>> [len(laid(piece, Paint())[0]) for piece in pieces].count(2)
    1
    """
    if not piece.lattice.slides:
        return piece.points[None], np.arange(piece.order)[None]
    own = paint.pieces.get(piece.name, {})
    parts = defaultdict(list)
    for number, unit in enumerate(piece.units):
        parts[own.get(unit), unit[2:]].append(number)
    points, owners = [piece.points], [np.arange(piece.order)]
    shapes = tuple(tuple(piece.units[k] for k in part) for part in parts.values())
    for sets in _elsewhere(piece.lattice, shapes):
        points.append(np.concatenate(sets))
        owners.append(np.repeat([part[0] for part in parts.values()], [len(s) for s in sets]))
    return np.array(points), np.array(owners)


@lru_cache(maxsize=4096)
def _elsewhere(lattice: Lattice, shapes: tuple[tuple[Point, ...], ...]) -> list[list[Points]]:
    """Return, for each translation that maps all shapes to whole units, the units of each image.

    Translations of the lattice are left out: they map every shape to whole units.
    """
    lines = {
        _at_origin(step, lattice) for origin in lattice.origins for step in _sides(lattice, origin)
    }
    outlines = [_outline(lattice, shape) for shape in shapes]
    return [
        [_within(lattice, shape, slide) for shape in shapes]
        for slide in product(range(lattice.period), repeat=2)
        if any(slide)
        and all(
            _at_origin(_moved(step, slide), lattice) in lines
            for outline in outlines
            for step in outline
        )
    ]


def _outline(lattice: Lattice, shape: tuple[Point, ...]) -> set[Step]:
    """Return the outline of a shape: the steps that are on sides of just one of its units.

    A step is a part of a side between two integer points.
    """
    steps: set[Step] = set()
    for unit in shape:
        steps ^= _sides(lattice, unit)
    return steps


def _sides(lattice: Lattice, unit: Point) -> set[Step]:
    """Return the sides of a unit, divided into steps at all integer points."""
    corners = _corners(lattice, unit)
    steps: set[Step] = set()
    for (x, y), (u, v) in pairwise([*corners, corners[0]]):
        n = gcd(u - x, v - y)
        points = [(x + (u - x) // n * k, y + (v - y) // n * k) for k in range(n + 1)]
        steps |= {(min(pair), max(pair)) for pair in pairwise(points)}
    return steps


def _corners(lattice: Lattice, unit: Point) -> list[Point]:
    """Return the corners of a unit in the plane; for a prism, those of its base."""
    face, *_ = lattice.faces[int(lattice.types(np.array(unit)))]
    return [_sum(unit, (int(x), int(y))) for x, y, *_ in face]


def _within(lattice: Lattice, shape: tuple[Point, ...], slide: Point) -> Points:
    """Return the units whose points lie within a shape that is moved by `slide`."""
    corners = np.array([_corners(lattice, unit) for unit in shape]) + slide
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    layer = ((height,) for height in shape[0][2:])
    points = np.array(list(product(*map(range, low, high), *layer)))
    points = points[lattice.types(points) >= 0]
    edges = np.roll(corners, -1, axis=1) - corners  # (n, corners, 2)
    x, y = np.moveaxis(points[:, None, None, :2] - corners, -1, 0)
    side = edges[..., 0] * y - edges[..., 1] * x
    within: Points = points[((side >= 0).all(axis=2) | (side <= 0).all(axis=2)).any(axis=1)]
    return within


def _moved(step: Step, slide: Point) -> Step:
    return _sum(step[0], slide), _sum(step[1], slide)


def _at_origin(step: Step, lattice: Lattice) -> Step:
    x, y = step[0]
    period = lattice.period
    return _moved(step, (x % period - x, y % period - y))


def _sum(one: Point, other: Point) -> Point:
    return one[0] + other[0], one[1] + other[1]
