"""The hexagon lattice of polyhexes, in axial coordinates."""

from __future__ import annotations

from itertools import product
from math import sqrt

from exactile.geometry import skew
from exactile.geometry.lattice import Art, Cells, Lattice, Sketch, Stroke, require, require_sizes
from exactile.geometry.lattices.square import box, trapezoid, triangle

GENERATORS = (((0, -1), (1, 1)), ((1, 1), (0, -1)))
"""A turn by 60 degrees and a reflection, as matrices for axes that are 60 degrees apart."""

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))

THIRD = 1 / 3


def hexagons(polygons: skew.Union) -> Cells:
    """Return one hexagon for each point of the polygons."""
    columns, rows = skew.extent(polygons)
    return [c for y, x in product(rows, columns) if any((c := (x, y)) in p for p in polygons)]


def hexagon(side: int) -> Cells:
    """Return a hexagon with `side` hexagons on each side.

    Examples
    --------
    >>> len(hexagon(3))
    19
    """
    return irregular_hexagon(side, side, side, side)


def elongated_hexagon(base: int, side: int) -> Cells:
    """Return a hexagon: two opposite sides have `base` hexagons, the other four `side`."""
    return irregular_hexagon(base, side, side, base)


def semiregular_hexagon(base: int, side: int) -> Cells:
    """Return a hexagon whose sides have alternately `base` and `side` hexagons."""
    return irregular_hexagon(base, side, base, side)


def irregular_hexagon(bottom: int, second: int, third: int, fourth: int) -> Cells:
    """Return a hexagon given by four consecutive sides, counter-clockwise from the bottom.

    Each is given as a number of hexagons. Raise RegionError if one is less than 1, or if the four
    do not close to a hexagon.

    Examples
    --------
    >>> len(irregular_hexagon(2, 2, 2, 2)), len(irregular_hexagon(2, 3, 2, 3))
    (7, 12)
    """
    require_sizes(bottom, second)
    require_sizes(third, fourth)
    return hexagons(skew.hexagon(bottom - 1, second - 1, third - 1, fourth - 1))


def butterfly(base: int, side: int) -> Cells:
    """Return 2 `side` - 1 rows of hexagons, which become shorter and then longer again.

    They have `base`, `base` - 1, ..., `base` - 1, `base` hexagons.

    Examples
    --------
    >>> len(butterfly(3, 2))
    8
    """
    require_sizes(base, side)
    return hexagons(skew.butterfly(base - 1, side - 1))


def chevron(base: int, side: int) -> Cells:
    """Return 2 `side` - 1 rows of `base` hexagons.

    The rows up to the middle one lean to the left, those above it to the right.
    """
    require_sizes(base, side)
    return hexagons(skew.chevron(base - 1, side - 1))


def hexagram(side: int) -> Cells:
    """Return a star: a hexagon whose sides have `side` hexagons, with a triangle on each side.

    The triangles have sides of `side` - 1 hexagons.

    Examples
    --------
    >>> len(hexagram(2))
    13
    """
    require_sizes(side)
    return hexagons(skew.hexagram(side - 1))


def columns(starts: list[int], heights: list[int]) -> Cells:
    """Return upright columns of hexagons.

    `starts`: the lower end of each column, in half steps. `heights`: number of hexagons in each.
    """
    bottoms = [(start - x) // 2 for x, start in enumerate(starts)]
    low = min(bottoms)
    return [
        (x, bottom - low + y)
        for x, (bottom, height) in enumerate(zip(bottoms, heights, strict=True))
        for y in range(height)
    ]


def staggered(width: int, height: int) -> Cells:
    """Return `width` columns of `height` hexagons, every second column half a step higher.

    Examples
    --------
    >>> staggered(3, 1)
    [(0, 1), (1, 1), (2, 0)]
    """
    require_sizes(width, height)
    return columns([x % 2 for x in range(width)], [height] * width)


def inset(width: int, height: int) -> Cells:
    """Return `width` columns, alternately of `height` and `height` - 1 hexagons.

    Every second column is shorter by half a step at both ends.
    """
    require_sizes(width, height)
    require(height > 1 or width == 1, "An inset rectangle has columns of at least 2 hexagons.")
    return columns([x % 2 for x in range(width)], [height - x % 2 for x in range(width)])


def rounded(width: int, height: int) -> Cells:
    """Return `width` columns, alternately of `height` and `height` + 1 hexagons.

    Every second column is longer by half a step at both ends.
    """
    require_sizes(width, height)
    return columns([-(x % 2) for x in range(width)], [height + x % 2 for x in range(width)])


LATTICE = Lattice(
    name="hexagon",
    polyform="polyhex",
    plural="polyhexes",
    period=1,
    origins=((0, 0),),
    generators=GENERATORS,
    neighbors=(STEPS,),
    faces=(
        (
            (
                (THIRD, THIRD),
                (-THIRD, 2 * THIRD),
                (-2 * THIRD, THIRD),
                (-THIRD, -THIRD),
                (THIRD, -2 * THIRD),
                (2 * THIRD, -THIRD),
            ),
        ),
    ),
    embedding=((1.5, sqrt(3) / 2), (0.0, sqrt(3))),
    art=Art(
        columns=(3, 0),
        lines=(1, 2),
        strokes=(
            (
                Stroke(1, 0, "__", across=(0, -1)),
                Stroke(1, 2, "__", across=(0, 1)),
                Stroke(0, 0, "\\", across=(-1, 0)),
                Stroke(3, 0, "/", across=(1, -1)),
                Stroke(0, 1, "/", across=(-1, 1)),
                Stroke(3, 1, "\\", across=(1, 0)),
                Stroke(1, 1, "{}"),
            ),
        ),
        dots=((1, 1),),
    ),
    flips=True,
    sets={
        "monohex": 1,
        "dihex": 2,
        "trihexes": 3,
        "tetrahexes": 4,
        "pentahexes": 5,
        "hexahexes": 6,
        "heptahexes": 7,
    },
    builders={
        "box": box,
        "triangle": triangle,
        "trapezoid": trapezoid,
        "hexagon": hexagon,
        "elongated_hexagon": elongated_hexagon,
        "semiregular_hexagon": semiregular_hexagon,
        "irregular_hexagon": irregular_hexagon,
        "hexagram": hexagram,
        "butterfly": butterfly,
        "chevron": chevron,
        "staggered": staggered,
        "inset": inset,
        "rounded": rounded,
    },
    sketch=Sketch(columns=(2, 0), lines=(1, 2)),
)
