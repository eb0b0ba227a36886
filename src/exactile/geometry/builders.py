"""Region builders: functions from sizes to customary coordinates, shared by the lattices.

All skew shapes (triangle, hexagon, trapezoid) are one thing: a parallelogram cut by two lines
``x + y = low`` and ``x + y = high``.
"""

from __future__ import annotations

from itertools import product

from exactile.errors import RegionError

Cells = list[tuple[int, ...]]

MAX_UNITS = 1_000_000
"""Larger regions are refused: no solver could use them and a typing error is more likely."""


def require_sizes(*sizes: int) -> None:
    """Refuse sizes that are not positive or that make a region of more than `MAX_UNITS` cells."""
    volume = 1
    for size in sizes:
        if size < 1:
            raise RegionError(f"A size of {size} makes an empty region: sizes start at 1.")
        volume *= size
    if volume > MAX_UNITS:
        raise RegionError(
            f"A region of {' x '.join(map(str, sizes))} = {volume:,} places is too large: "
            f"the limit is {MAX_UNITS:,} units."
        )


def square_box(width: int, height: int) -> Cells:
    """Return a rectangle of squares (or a parallelogram of hexagons).

    Examples
    --------
    >>> square_box(2, 1)
    [(0, 0), (1, 0)]
    """
    require_sizes(width, height)
    return [(x, y) for y, x in product(range(height), range(width))]


def square_triangle(side: int) -> Cells:
    """Return a stepped triangle: rows of `side`, `side` - 1, ..., 1 squares or hexagons."""
    require_sizes(side, side)
    return [(x, y) for y in range(side) for x in range(side - y)]


def square_diamond(radius: int) -> Cells:
    """Return the squares within taxicab distance `radius` - 1 of a square."""
    require_sizes(radius, radius)
    r = radius - 1
    return [(x, y) for y, x in product(range(2 * r + 1), repeat=2) if abs(x - r) + abs(y - r) <= r]


def square_aztec_diamond(order: int) -> Cells:
    """Return the Aztec diamond: rows of 2, 4, ..., 2 `order`, 2 `order`, ..., 4, 2 squares."""
    require_sizes(2 * order, 2 * order)
    n = order
    return [
        (x, y)
        for y, x in product(range(2 * n), repeat=2)
        if abs(2 * x + 1 - 2 * n) + abs(2 * y + 1 - 2 * n) <= 2 * n
    ]


def cube_box(width: int, depth: int, height: int) -> Cells:
    """Return a box of cubes."""
    require_sizes(width, depth, height)
    return [(x, y, z) for z, y, x in product(range(height), range(depth), range(width))]


def hexagon_slice(width: int, height: int, low: int, high: int) -> Cells:
    """Return the hexagons of a parallelogram whose centres have ``low <= x + y <= high``."""
    require_sizes(width, height)
    return [(x, y) for x, y in square_box(width, height) if low <= x + y <= high]


def hexagon_hexagon(side: int) -> Cells:
    """Return a hexagon with `side` hexagons on each side.

    Examples
    --------
    >>> len(hexagon_hexagon(3))
    19
    """
    return hexagon_slice(2 * side - 1, 2 * side - 1, side - 1, 3 * side - 3)


def hexagon_trapezoid(base: int, height: int) -> Cells:
    """Return rows of `base`, `base` - 1, ... hexagons, `height` of them."""
    return hexagon_slice(base, height, 0, base - 1)


def triangle_slice(width: int, height: int, low: int, high: int) -> Cells:
    """Return the triangles of a parallelogram whose corners have ``low <= x + y <= high``."""
    require_sizes(width, height, 2)
    return [
        (x, y, kind)
        for y, x, kind in product(range(height), range(width), (0, 1))
        if low <= x + y + kind and x + y + kind + 1 <= high
    ]


def triangle_box(width: int, height: int) -> Cells:
    """Return a parallelogram of 2 `width` `height` triangles."""
    return triangle_slice(width, height, 0, width + height)


def triangle_triangle(side: int) -> Cells:
    """Return a triangle of side `side`: its square many triangles."""
    return triangle_slice(side, side, 0, side)


def triangle_hexagon(side: int) -> Cells:
    """Return a hexagon of side `side`: 6 `side`² triangles.

    Examples
    --------
    >>> len(triangle_hexagon(2))
    24
    """
    return triangle_slice(2 * side, 2 * side, side, 3 * side)


def triangle_trapezoid(base: int, height: int) -> Cells:
    """Return a trapezoid with sides `base`, `height`, `base` - `height`, `height`."""
    return triangle_slice(base, height, 0, base)
