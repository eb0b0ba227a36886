"""Writing regions as tables of puzzle files: a builder such as a box, a drawing, or runs of units.

These descriptions of a region are tried in turn, the most readable first, until reading one gives
the same region. On lattices of edges and faces, a region is described by cells, which stand for the
units around them, and by units to add and to remove.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from exactile.errors import FileError, GeometryError, PuzzleError, RegionError
from exactile.files.puzzles.regions import DraftGrid, read_region
from exactile.files.puzzles.units import parse_drawing, write_drawing, write_units
from exactile.files.sources import Place
from exactile.geometry import get_lattice
from exactile.geometry.isometry import Matrices, Points, as_tuples, distinct, to_origin
from exactile.geometry.lattice import MAX_UNITS, Lattice
from exactile.geometry.wrap import Wrap
from exactile.puzzle import Region
from exactile.puzzle.region import Mask

Table = dict[str, Any]

SPARSEST = 30
"""Largest area of a drawing, relative to its number of cells: emptier drawings are not used."""


def region_table(region: Region) -> Table:
    """Return the table of a puzzle file that describes a region.

    Raise FileError if the region has coordinates that are too large for a file.

    >>> import exactile
    >>> region_table(exactile.load("pentominoes-6x10").region)
    {'box': [10, 6]}
    """
    extras: Table = {}
    if region.wrap is not None:
        period, glide = region.lattice.period, region.wrap.glide
        extras["wrap"] = [[c // period for c in v] for v in region.wrap.vectors]
        if glide is not None:
            extras["wrap"].append(list(glide.texts(period)))
    for table in _tables(region):
        whole = table | extras
        if _reads_as(whole, region):
            return whole
    raise FileError("This region cannot be written: it has units too far from the origin.")


def same_region(one: Region, other: Region) -> bool:
    """Return whether two regions have the same units, the same optional ones and the same wrap.

    >>> import exactile
    >>> region = exactile.load("pentominoes-6x10").region
    >>> same_region(region, Region(region.lattice, region.units[::-1]))
    True
    """
    wraps = [None if r.wrap is None else (r.wrap.vectors, r.wrap.glide) for r in (one, other)]
    return (
        one.lattice is other.lattice
        and wraps[0] == wraps[1]
        and np.array_equal(one.units, other.units)
        and np.array_equal(one.optional, other.optional)
    )


def _reads_as(table: Table, region: Region) -> bool:
    """Return whether a table describes the region with each unit in the same place.

    Where a region wraps around, each unit has several equivalent places. Equal regions may use
    different ones; they are then drawn differently, with labels in different lines.
    """
    try:
        found = read_region(table, region.lattice, Place("the region"))
    except PuzzleError:
        return False
    return same_region(found, region) and np.array_equal(found.places, region.places)


def _tables(region: Region) -> Iterator[Table]:
    """Yield descriptions of a region, without its wrap, the most readable first."""
    lattice = region.lattice
    if lattice.frame is not None:
        yield from _framed(region)
    else:
        whole = _built(region.places, lattice)
        if whole is not None:
            yield whole | _optional(region)
        required = region.places[~region.optional]
        if region.optional.any() and len(required):
            base = _built(required, lattice)
            if base is not None:
                yield base | _optional(region)
        drawing = _drawn(region.places, lattice, region.optional)
        if drawing is not None:
            yield drawing
    yield {"units": _text(region.places, lattice)} | _optional(region)


def _optional(region: Region) -> Table:
    loose = region.places[region.optional]
    return {"optional": _text(loose, region.lattice)} if len(loose) else {}


def _text(points: Points, lattice: Lattice) -> str:
    return write_units(lattice.coordinates(points))


def _built(points: Points, lattice: Lattice, wrap: Wrap | None = None) -> Table | None:
    found = recognized(points, lattice, wrap)
    if found is None:
        return None if wrap is not None else _expanded(points, lattice)
    sizes = list(found.sizes) if len(found.sizes) > 1 else found.sizes[0]
    turn = {"turn": found.turn} if found.turn else {}
    return {found.builder: sizes} | turn | _moved(found.shift)


def _expanded(points: Points, lattice: Lattice) -> Table | None:
    """Return a table such as ``{"prism": {...}}`` for points in equal layers along some axis.

    Return None for other points, or if a layer cannot be described.
    """
    spans = points.max(axis=0) - points.min(axis=0) + 1
    for name, expansion in lattice.expansions.items():
        flat = get_lattice(expansion.lattice)
        for axis in range(lattice.dimension) if flat.dimension < lattice.dimension else ():
            size = int(spans[axis])
            base = distinct(np.delete(points, axis, axis=1))[0]
            base = base - base.min(axis=0) // flat.period * flat.period  # units stay units
            if size < 2 or not 0 < len(base) < len(points):
                continue
            try:
                made = lattice.points(expansion.build(flat.coordinates(base), size))
            except (GeometryError, RegionError):
                continue
            shift = steps(made, points, lattice.period)
            if as_tuples(made + np.array(shift) * lattice.period) == as_tuples(points):
                inner = _built(base, flat) or _drawn(base, flat)
                if inner is not None:
                    return {name: inner | {expansion.size: size}} | _moved(shift)
    return None


def _moved(shift: list[int]) -> Table:
    return {"shift": shift} if any(shift) else {}


def _drawn(points: Points, lattice: Lattice, optional: Mask | None = None) -> Table | None:
    """Return a table with a drawing of cells; `optional`: a mask of the optional ones, if any.

    Return None if the lattice has no drawings, or the drawing would be nearly empty: see
    `SPARSEST`.
    """
    if lattice.sketch is None:
        return None
    spans = (points.max(axis=0) - points.min(axis=0)) // lattice.period + 1
    if spans.prod() > SPARSEST * len(points):
        return None
    free = np.zeros(len(points), dtype=bool) if optional is None else optional
    required, loose = lattice.coordinates(points[~free]), lattice.coordinates(points[free])
    text = write_drawing(required, loose, lattice)
    drawn = lattice.points([c for part in parse_drawing(text, lattice) for c in part])
    return {"drawing": text} | _moved(steps(drawn, points, lattice.period))


def _framed(region: Region) -> Iterator[Table]:
    """Yield descriptions of a region by cells, on a lattice of edges, faces or parts of cells.

    A description with ``border = false`` comes first, if there is one. The other descriptions are
    sorted by the number of units to add and to remove, then by the length of their text.
    """
    lattice = region.lattice
    assert lattice.frame is not None
    cells = get_lattice(lattice.frame.lattice)
    near, numbers = _cells_near(region, cells)
    choices = []
    for least in np.unique(numbers)[::-1][:MOST_CHOICES].tolist():
        chosen = near[numbers >= least]
        around = lattice.units_around(chosen, len(cells.origins))
        if region.wrap is not None:
            around = distinct(region.wrap.reduce(around))[0]
        there = region.index(around)
        missing = np.delete(region.places, there[there >= 0], axis=0)
        surplus = around[there < 0]
        choices.append((len(missing) + len(surplus), chosen, missing, surplus))
    inner = _without_border(near, region)
    if inner is not None:
        yield inner
    choices.sort(key=lambda choice: choice[0])
    for _, equal in groupby(choices, key=lambda choice: choice[0]):
        tables = [_changed(region, *choice[1:]) for choice in equal]
        yield from sorted(filter(None, tables), key=lambda table: len(str(table)))


def _without_border(chosen: Points, region: Region) -> Table | None:
    """Return a description with ``border = false`` and the chosen cells.

    Return None if the region does not consist of exactly the units between these cells, or if the
    cells cannot be described.
    """
    grid = DraftGrid(region.lattice)
    inner = grid.inner(grid.cell_lattice.points(chosen), region.wrap)
    same = sorted(region.index(inner).tolist()) == list(range(len(region)))
    base = _base(chosen, region) if same else None
    return None if base is None else base | {"border": False} | _optional(region)


def _changed(region: Region, chosen: Points, missing: Points, surplus: Points) -> Table | None:
    """Return a description by the chosen cells, with units to add and to remove.

    `missing`, `surplus`: the points of the units to add and to remove. Return None if the cells
    cannot be described.
    """
    base = _base(chosen, region)
    if base is None:
        return None
    for key, change in (("plus", missing), ("minus", surplus)):
        if len(change):
            base[key] = [{"units": _text(change, region.lattice)}]
    return base | _optional(region)


MOST_CHOICES = 5
"""Largest number of sets of cells that are compared as descriptions of a region.

A set has all cells with at least n units of the region around them. The largest n come first.
"""


def _cells_near(region: Region, cells: Lattice) -> tuple[Points, npt.NDArray[np.int64]]:
    """Return the cells with units of the region around them, and the number of such units for each.

    The cells are in customary coordinates of the lattice `cells`.
    """
    lattice = region.lattice
    assert lattice.frame is not None
    found = []
    for kind, border in enumerate(lattice.frame.borders):
        for offset in border:
            places = region.places - np.array(offset)
            places = places[(places % lattice.period == 0).all(axis=1)] // lattice.period
            if len(cells.origins) > 1:
                places = np.column_stack([places, np.full(len(places), kind)])
            found.append(places)
    return distinct(np.concatenate(found))


def _base(chosen: Points, region: Region) -> Table | None:
    """Return a table with a builder or a drawing that makes the chosen cells; None if none does."""
    assert region.lattice.frame is not None
    cells = get_lattice(region.lattice.frame.lattice)
    points = cells.points(chosen)
    built = _built(points, cells)
    if built is None and region.wrap is not None:
        period = region.lattice.period
        wrap = Wrap([[c // period * cells.period for c in v] for v in region.wrap.vectors])
        built = _built(points, cells, wrap)
    return built or _drawn(points, cells)


Sizes = tuple[int, ...]

MOST_TURNS = 6
"""Number of values of the key ``turn`` in puzzle files: 0 to 5."""

LONGEST = (200, 30, 12, 5, 4)
"""Largest sizes that are tried for builders with 1, 2, ... sizes; they limit the work."""


@dataclass(frozen=True)
class Recognized:
    """A builder with its sizes, and the motion that brings its result to the region.

    `turn`: number of turns by the smallest angle of the lattice. `shift`: the translation after
    the turns, in multiples of the lattice's period.
    """

    builder: str
    sizes: Sizes
    turn: int
    shift: list[int]


def recognized(points: Points, lattice: Lattice, wrap: Wrap | None = None) -> Recognized | None:
    """Return a builder, such as a box, that makes the given cells; None if there is none.

    The builders of the lattice are tried in order, with sizes limited by the length of the region
    and by `LONGEST`. Of the results with the fewest turns, the first is returned.

    `points`: the points of the cells. `lattice`: their lattice. `wrap`: translations that identify
    cells. With a wrap, only results without turn and shift are found; of these, the one with the
    least sum of sizes is returned.

    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> recognized(square.points([(2, 0), (3, 0), (2, 1), (3, 1), (2, 2), (3, 2)]), square)
    Recognized(builder='box', sizes=(2, 3), turn=0, shift=[2, 0])
    >>> recognized(square.points([(0, 0), (2, 0)]), square) is None
    True
    """
    if wrap is not None:
        return _wrapped(points, lattice, wrap)
    spans = tuple((s // lattice.period + 1) for s in np.ptp(points, axis=0).tolist())
    goals = _turned_back(points, lattice)
    best: Recognized | None = None
    for name, sizes in _candidates(lattice, len(points), max(spans), spans):
        turn = goals.get(_form_made(lattice, name, sizes))
        if turn is not None and (best is None or turn < best.turn):
            built = _points(lattice, name, sizes)
            placed = to_origin(built @ _power(lattice, turn).T, lattice.period) if turn else built
            best = Recognized(name, sizes, turn, steps(placed, points, lattice.period))
            if not turn:
                break
    return best


def _wrapped(points: Points, lattice: Lattice, wrap: Wrap) -> Recognized | None:
    goal = _reduced(points, wrap)
    found = [
        (name, sizes)
        for name, sizes in _candidates(lattice, len(points), len(points))
        if _reduced(_points(lattice, name, sizes), wrap) == goal
    ]
    if not found:
        return None
    name, sizes = min(found, key=lambda f: sum(f[1]))
    return Recognized(name, sizes, 0, [0] * lattice.dimension)


def _power(lattice: Lattice, turn: int) -> Matrices:
    """Return the matrix of `turn` turns by the smallest angle of the lattice."""
    matrix = np.array(lattice.generators[0], dtype=np.int64)
    return np.asarray(np.linalg.matrix_power(matrix, turn))


def _turned_back(points: Points, lattice: Lattice) -> dict[bytes, int]:
    """Return the sets of points that become the given points by turns, and how many each needs.

    A set is stated by its `_form`; of several numbers of turns, the least is returned. Turns are by
    the smallest angle; at most five are tried.
    """
    goals: dict[bytes, int] = {}
    for turn in range(MOST_TURNS):
        back = np.linalg.inv(_power(lattice, turn)).round().astype(np.int64)
        moved = points @ back.T
        if (lattice.types(moved) >= 0).all():
            goals.setdefault(_form(moved, lattice), turn)
    return goals


def _candidates(
    lattice: Lattice, count: int, longest: int, spans: Sizes = ()
) -> Iterator[tuple[str, Sizes]]:
    """Yield names of builders, each with sizes for which it makes `count` cells.

    Sizes are at most `longest`, and at most those of `LONGEST`. `spans`: lengths of the region
    along the axes. A builder with as many sizes as there are axes is first tried with the lengths
    as sizes, even if they exceed the limits.
    """
    for name, builder in lattice.builders.items():
        arity = len(inspect.signature(builder).parameters)
        fits = arity == len(spans) and prod(spans) <= MAX_UNITS
        if fits and _made(lattice, name, spans) == count:
            yield name, spans
        most = min(longest, LONGEST[min(arity, len(LONGEST)) - 1])
        yield from ((name, sizes) for sizes in _sizes(lattice, name, arity, count, most))


def _sizes(
    lattice: Lattice, name: str, arity: int, count: int, longest: int, first: Sizes = ()
) -> Iterator[Sizes]:
    """Yield the sizes up to `longest` for which a builder makes `count` cells.

    Sizes beyond those that make too many cells are not tried. `arity`: number of sizes of the
    builder. `first`: the sizes that are chosen already.
    """
    before = 0
    for size in range(1, longest + 1):
        sizes = (*first, size)
        if len(sizes) < arity:
            least = _made(lattice, name, (*sizes, *[1] * (arity - len(sizes))))
            if least > 2 * count:
                return
            yield from _sizes(lattice, name, arity, count, longest, sizes)
            continue
        made = _made(lattice, name, sizes)
        if made == count:
            yield sizes
        elif made > count and 0 < before <= made:
            return
        before = made


@cache
def _made(lattice: Lattice, name: str, sizes: Sizes) -> int:
    """Return the number of cells that a builder makes, 0 if it refuses the sizes."""
    try:
        return len(lattice.builders[name](*sizes))
    except RegionError:
        return 0


@cache
def _form_made(lattice: Lattice, name: str, sizes: Sizes) -> bytes:
    return _form(_points(lattice, name, sizes), lattice)


def _points(lattice: Lattice, name: str, sizes: Sizes) -> Points:
    return lattice.points(lattice.builders[name](*sizes))


def _form(points: Points, lattice: Lattice) -> bytes:
    """Return a digest of a set of points, the same for all translations of the set."""
    moved = to_origin(points, lattice.period)
    return hashlib.blake2b(moved[np.lexsort(moved.T)].tobytes(), digest_size=16).digest()


def _reduced(points: Points, wrap: Wrap) -> bytes:
    return np.array(as_tuples(wrap.reduce(points))).tobytes()


def steps(start: Points, goal: Points, period: int) -> list[int]:
    """Return the translation that maps `start` to `goal`, in multiples of the period.

    >>> steps(np.array([[0, 0], [1, 0]]), np.array([[7, 1], [8, 1]]), 1)
    [7, 1]
    """
    low, high = (p.min(axis=0) // period for p in (start, goal))
    shift: list[int] = (high - low).tolist()
    return shift
