"""Generates all polyforms of an order on any lattice, and selects among them.

Cells may be blocks of several units, such as the tans of polyaboloes. A polyabolo consists of
halves of squares, divided by either diagonal. Its units are therefore quarters of squares, and a
form of order n + 1 is a form of order n with one more block next to it. Forms are equal if they
have the same shape, even if they consist of different units. All forms of the same shape are
extended, since the next block may fit only one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from exactile._native import FormTally, Grower, encloses_units
from exactile.clock import HEARTBEAT
from exactile.doors import door
from exactile.errors import PieceError
from exactile.geometry import as_lattice
from exactile.geometry.isometry import (
    Matrices,
    Points,
    aspects,
    normalized,
    orientations,
    row_keys,
    transform,
)
from exactile.geometry.lattice import Lattice, Point
from exactile.geometry.recut import positions, slid
from exactile.puzzle.pieces.piece import Freedom, as_freedom, motions, motions_of

MAX_FORMS = 2_000_000
"""Largest number of forms that are generated: more do not fit the memory of small machines."""

MAX_COUNTED = 1_000_000_000
"""Largest number of forms that are counted without being stored."""

CHUNK = 4096
"""Number of forms passed to the native module at once: few, so that Ctrl-C is noticed soon."""

MAX_ORDER = 64

PROBE = 20_000
"""The first order with more forms than this is used to predict the numbers for higher orders."""


@door
@lru_cache(maxsize=256)
def generate(
    lattice: Lattice | str,
    order: int,
    freedom: Freedom | str = Freedom.FREE,
    *,
    quasi: bool = False,
) -> Points:
    """Return all polyforms of an order.

    Parameters
    ----------
    lattice
        The lattice of the units, or its name.
    order
        Number of units, from 1; if a cell of a polyform is several units, the number of cells.
    freedom
        Which forms count as equal: `FREE` up to all symmetries of the lattice, `ONE_SIDED` up to
        the proper ones (flat forms of balls also up to reflections), `FIXED` up to translations.
    quasi
        Whether units may also be joined across a gap of one unit.

    Returns
    -------
    Points
        Shape ``(count, units, d)``: canonical forms with sorted points, in lexicographic order.
        Generated names such as ``P7x001`` depend on this order. A canonical form is the least
        aspect; if a cell is several units, the least one that is made of cells. The array is cached
        and must not be changed.

    Raises
    ------
    PieceError
        If the order is not from 1 to `MAX_ORDER` or has more than `MAX_FORMS` polyforms, if there
        is no such freedom, or if quasi-polyforms are requested and a cell is several units.
    NotFoundError
        If there is no such lattice.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> generate(get_lattice("square"), 5).shape
    (12, 5, 2)
    >>> len(generate(get_lattice("square"), 5, Freedom.ONE_SIDED))
    18

    References
    ----------
    .. [1] D. H. Redelmeier, "Counting polyominoes: yet another attack", Discrete Mathematics 36
       (1981): the classical alternative, which counts fixed forms without storing them.
    """
    lattice, freedom = as_lattice(lattice), as_freedom(freedom, "Polyforms")
    _require_order(order)
    if quasi and lattice.block:
        raise PieceError(f"There are no quasi-{lattice.plural}: their cells are several units.")
    if lattice.block:
        matrices = motions(lattice, freedom)
        return one_of_each_shape(of_blocks(lattice, order, freedom), lattice, matrices)
    _refuse_many(lattice, order, freedom, quasi=quasi)
    forms = _grown(lattice, order, freedom, quasi=quasi)
    return _without_twins(forms, lattice) if freedom is Freedom.ONE_SIDED else forms


def _require_order(order: int) -> None:
    if not 1 <= order <= MAX_ORDER:
        raise PieceError(f"The order {order} is out of range: use 1 to {MAX_ORDER}.")


def _without_twins(forms: Points, lattice: Lattice) -> Points:
    """Return one-sided forms; of two flat forms of balls that are mirror images, keep only one.

    Flat forms of balls become their mirror images when they are turned over.
    """
    if not lattice.balls:
        return forms
    least = [aspects(form, motions_of(form, lattice, Freedom.ONE_SIDED), 1)[0] for form in forms]
    kept: Points = forms[(np.array(least) == forms).all(axis=(1, 2))]
    kept.flags.writeable = False
    return kept


def count_forms(
    lattice: Lattice | str,
    order: int,
    freedom: Freedom | str = Freedom.FREE,
    *,
    quasi: bool = False,
    watch: Callable[[str], None] | None = None,
) -> int:
    """Return the number of polyforms that `generate` would return.

    Forms made of blocks and one-sided forms of balls are generated. All others are counted in all
    their orientations without being stored, so that `MAX_FORMS` does not limit their number.
    `lattice`, `order`, `freedom`, `quasi`: as for `generate`. `watch`: called regularly with a text
    that states the number of orientations counted so far.

    Raises
    ------
    PieceError, NotFoundError
        As for `generate`; but forms that are not stored are refused for their number only if far
        more than `MAX_COUNTED` are expected.

    Examples
    --------
    >>> count_forms("square", 10), count_forms("square", 10, Freedom.ONE_SIDED)
    (4655, 9189)
    """
    lattice, freedom = as_lattice(lattice), as_freedom(freedom, "Polyforms")
    flat_balls = lattice.balls and freedom is Freedom.ONE_SIDED  # see `_without_twins`
    if lattice.block or flat_balls or not 1 <= order <= MAX_ORDER:
        return len(generate(lattice, order, freedom, quasi=quasi))
    _refuse_many(lattice, order, freedom, quasi=quasi, most=MAX_COUNTED)
    tally = FormTally(*growth(lattice, freedom, quasi=quasi), order)
    while not tally.run(HEARTBEAT):
        if watch is not None:
            watch(f"{tally.met:,} fixed {lattice.plural}")
    return tally.forms


def _refuse_many(
    lattice: Lattice, order: int, freedom: Freedom, *, quasi: bool, most: int = MAX_FORMS
) -> None:
    """Raise PieceError if an order has far more than `most` polyforms.

    Their number is predicted from lower orders. Since it grows by ever larger factors from order to
    order, the prediction is too low. Without this check, `generate` would also refuse such an
    order, but only after all lower orders had been made.
    """
    sizes = [1]
    for lower in range(1, order):
        sizes.append(len(_grown(lattice, lower, freedom, quasi=quasi)))
        if sizes[-1] > PROBE:
            break
    else:
        return
    foreseen = sizes[-1] * (sizes[-1] / sizes[-3]) ** ((order - lower) / 2)
    if foreseen > 2 * most:
        raise PieceError(
            f"There are more than {most:,} {lattice.plural} of order {order}, by far: "
            "use a lower order."
        )


@lru_cache(maxsize=256)
def _grown(lattice: Lattice, order: int, freedom: Freedom, *, quasi: bool) -> Points:
    """Return all polyforms of an order, made by adding a unit to those of the order below.

    Forms count as equal if a motion that the freedom allows maps one to the other. Raise PieceError
    if there are more than `MAX_FORMS`.
    """
    if order == 1:
        return _single_cells(lattice, freedom)
    smaller = _grown(lattice, order - 1, freedom, quasi=quasi)
    grower = Grower(*growth(lattice, freedom, quasi=quasi))
    for start in range(0, len(smaller), CHUNK):
        grower.extend(np.ascontiguousarray(smaller[start : start + CHUNK]))
        if grower.size > MAX_FORMS:
            raise PieceError(
                f"There are more than {MAX_FORMS:,} {lattice.plural} of order {order} or more: "
                f"use an order below {order}."
            )
    forms: Points = grower.forms(order, lattice.dimension)
    forms.flags.writeable = False
    return forms


def growth(
    lattice: Lattice, freedom: Freedom = Freedom.FREE, *, quasi: bool = False
) -> tuple[int, list[int], list[list[int]], Matrices]:
    """Return a lattice as four arguments of the native module.

    They are the period, the type of each residue, the neighbors of each type, and the matrices that
    the freedom allows. With `quasi`, units across a gap of one unit count as neighbors.
    """
    neighbors = lattice.quasi_neighbors() if quasi else lattice.neighbors
    steps = [np.ravel(offsets).tolist() for offsets in neighbors]
    return lattice.period, lattice.residues.tolist(), steps, motions(lattice, freedom)


@lru_cache(maxsize=64)
def of_blocks(lattice: Lattice, order: int, freedom: Freedom) -> Points:
    """Return all forms of an order that are made of blocks, the units of one cell.

    Unlike in `generate`, a shape occurs several times if it can lie on the lattice in several ways
    that no symmetry of the lattice maps to each other. Raise PieceError if the order is not in the
    range of `generate`, or has too many forms.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> len(of_blocks(get_lattice("sixth-triangles"), 2, Freedom.ONE_SIDED))
    9
    """
    _require_order(order)
    if order == 1:
        return _single_cells(lattice, freedom)
    smaller = of_blocks(lattice, order - 1, freedom)
    return join_block(smaller, lattice, motions(lattice, freedom), MAX_FORMS)


def _single_cells(lattice: Lattice, freedom: Freedom) -> Points:
    """Return the forms of order 1; cells that allowed motions map to each other count once."""
    matrices = motions(lattice, freedom)
    cells = [np.array([o]) for o in lattice.origins]
    if lattice.block:
        cells = list(aspects(np.array(lattice.block), lattice.group, lattice.period))
    singles = [aspects(cell, matrices, lattice.period)[0] for cell in cells]
    return np.unique(np.array(singles), axis=0)


BLOCK_CHUNK = 2000
"""Number of forms made canonical at once: few, to save memory and to notice Ctrl-C soon."""


def join_block(smaller: Points, lattice: Lattice, matrices: Matrices, most: int) -> Points:
    """Return the forms that consist of one of the given forms and one more block.

    - `smaller`: forms of one order, shape ``(k, n, d)``.
    - `lattice`: the lattice whose `block`, the units of one cell, is added in every orientation.
    - `matrices`: isometries under which forms count as equal, shape ``(g, d, d)``.
    - `most`: the largest number of forms to return.

    The result: canonical forms with sorted points, in lexicographic order, shape ``(k', n + m,
    d)`` for blocks of m units. Raise PieceError if there are more than `most`.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> grid = get_lattice("quarter-squares")
    >>> join_block(np.array([grid.block]), grid, grid.group, 10).shape
    (3, 4, 2)
    """
    around = _blocks_around(lattice)
    found: set[bytes] = set()
    grown: set[frozenset[Point]] = set()
    size = smaller.shape[1] + len(lattice.block)
    order = size // len(lattice.block)
    last = len(smaller) - 1
    for number, form in enumerate(smaller.tolist()):
        grown.update(_joined({tuple(point) for point in form}, lattice, around))
        if len(grown) >= BLOCK_CHUNK or number == last:
            found |= _distinct(grown, lattice, matrices)
            grown.clear()
        if len(found) > most:
            raise PieceError(
                f"There are more than {most:,} {lattice.plural} of order {order} or more: "
                f"use an order below {order}."
            )
    flat = np.array([np.frombuffer(f, dtype=np.int64) for f in found])
    forms: Points = flat[np.lexsort(flat.T[::-1])].reshape(len(found), size, -1)
    forms.flags.writeable = False
    return forms


def _blocks_around(lattice: Lattice) -> list[list[Points]]:
    """Return, for each type, all blocks with a unit of this type, as offsets from the unit."""
    result: list[list[Points]] = [[] for _ in lattice.origins]
    for block in aspects(np.array(lattice.block), lattice.group, lattice.period):
        for unit, kind in zip(block, lattice.types(block).tolist(), strict=True):
            result[kind].append(block - unit)
    return result


def _joined(
    form: set[Point], lattice: Lattice, around: list[list[Points]]
) -> Iterator[frozenset[Point]]:
    """Yield all unions of a form and a block next to it that does not overlap it.

    `around`: the result of `_blocks_around`.
    """
    points = np.array(sorted(form))
    rim = {
        tuple((point + step).tolist())
        for point, kind in zip(points, lattice.types(points).tolist(), strict=True)
        for step in np.array(lattice.neighbors[kind])
    }
    for unit in rim - form:
        for block in around[int(lattice.types(np.array(unit)))]:
            placed = {tuple(p) for p in (block + unit).tolist()}
            if not placed & form:
                yield frozenset(form | placed)


def _distinct(grown: set[frozenset[Point]], lattice: Lattice, matrices: Matrices) -> set[bytes]:
    """Return the distinct canonical forms of sets of units, as bytes.

    `grown`: sets of units, all of the same size.
    """
    if not grown:
        return set()
    points = np.array([sorted(form) for form in grown], dtype=np.int64)
    return {form.tobytes() for form in _canonical(points, lattice, matrices)}


def one_of_each_shape(forms: Points, lattice: Lattice, matrices: Matrices) -> Points:
    """Return the forms without those that have the same shape as an earlier form.

    Forms can have the same shape and consist of different units. `forms`: all canonical forms of an
    order in lexicographic order, as sets of units, shape ``(k, n, d)``. `lattice`, `matrices`: as
    in `join_block`.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> grid = get_lattice("sixth-triangles")
    >>> drafters = np.array([grid.block, np.array(grid.block)[:, ::-1]])
    >>> pairs = join_block(drafters, grid, grid.proper, 10)
    >>> len(pairs), len(one_of_each_shape(pairs, grid, grid.proper))
    (9, 8)
    """
    place = {form.tobytes(): k for k, form in enumerate(forms)}
    first = np.ones(len(forms), dtype=bool)
    for start in range(0, len(forms), BLOCK_CHUNK):
        for which, moved in slid(forms[start : start + BLOCK_CHUNK], lattice):
            twins = _canonical(moved, lattice, matrices)
            for k, twin in zip((start + which).tolist(), twins, strict=True):
                first[k] &= place.get(twin.tobytes(), k) >= k
    kept: Points = forms[first]
    kept.flags.writeable = False
    return kept


def _canonical(points: Points, lattice: Lattice, matrices: Matrices) -> Points:
    """Return the canonical form of each set of units.

    `points`: sets of the same size, shape ``(k, n, d)``, like the result. `matrices`: isometries
    under which forms count as equal.
    """
    count, size, dimension = points.shape
    images = transform(points.reshape(-1, dimension), matrices)
    images = normalized(images.reshape(-1, size, dimension), lattice.period)
    keys = row_keys(images).reshape(len(matrices), count, size)
    images = images.reshape(len(matrices), count, size, dimension)
    best: Points = images[0].copy()
    least = keys[0].copy()
    for image, key in zip(images[1:], keys[1:], strict=True):
        unlike = (key != least).argmax(axis=1)[:, None]
        less = (np.take_along_axis(key - least, unlike, axis=1) < 0)[:, 0]
        best[less], least[less] = image[less], key[less]
    return best


def is_chosen(
    points: Points, lattice: Lattice, *, holes: bool | None = None, symmetric: int = 1
) -> bool:
    """Return whether a form has enough symmetries, and has holes or none as required.

    `holes`: whether there must be holes; None for either. `symmetric`: least number of
    `symmetries`. Raise PieceError if units are edges or faces and holes must be tested.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> from exactile.puzzle.pieces.generate import generate
    >>> square = get_lattice("square")
    >>> sum(is_chosen(form, square, holes=True) for form in generate(square, 8))
    6
    >>> sum(is_chosen(form, square, symmetric=4) for form in generate(square, 5))
    2
    """
    if symmetric > 1 and symmetries(points, lattice) < symmetric:
        return False
    return holes is None or has_holes(points, lattice) == holes


def symmetries(points: Points, lattice: Lattice) -> int:
    """Return the number of matrices of the point group that map a shape to itself.

    The image of the shape may be translated.

    Examples
    --------
    If this rectangle is turned, it consists of other units:

    >>> from exactile.geometry import get_lattice
    >>> grid = get_lattice("sixth-triangles")
    >>> around = [(0, 1, k) for k in (8, 9, 10)] + [(1, 0, k) for k in (2, 3, 4)]
    >>> symmetries(grid.points(around), grid)
    4
    """
    unmoved = np.eye(lattice.dimension, dtype=np.int64)[None]
    own = orientations(positions(points, lattice), unmoved, lattice.period)
    images = orientations(points, lattice.group, lattice.period)
    known = {units.tobytes() for units in own}
    return sum(units.tobytes() in known for units in images)


def has_holes(points: Points, lattice: Lattice) -> bool:
    """Return whether the cells of a form enclose other cells.

    In space, a closed cavity counts, but not a tunnel. Raise PieceError if units are edges or
    faces.
    """
    faces = lattice.faces[0]
    if len(faces[0]) == 2 or (len(lattice.embedding[0]) == 3 and len(faces) == 1):
        raise PieceError(
            f"The {lattice.plural} have no cells that could enclose a hole: they cannot be chosen "
            "by holes."
        )
    return encloses_units(*growth(lattice), np.ascontiguousarray(points))
