"""Writing puzzles as BurrTools files; `exactile.files.foreign.xmpuzzle` reads them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from exactile.errors import FileError
from exactile.files.foreign.xmpuzzle import numbers, pair_lines
from exactile.files.foreign.xmpuzzle_parts import CLOSE, GRIDS, Grid, grid_of
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import Omission, Puzzle
from exactile.puzzle.paint import key
from exactile.puzzle.pieces.piece import Piece, customary_freedom
from exactile.puzzle.region import Mask


def xmpuzzle_text(puzzle: Puzzle) -> str:
    """Return a puzzle as the XML text of a BurrTools file.

    Every piece is a shape; the last shape is the region. Raise FileError if the format cannot
    express the puzzle. It can express only the lattices of BurrTools' grids, and only pieces that
    move like solid objects. It has no wraps and no fixed placements. It has omissions only if the
    areas determine the number of omitted pieces. It has paint, but no rules about the colors of
    whole pieces. Its only rule about numbers is a limit on the number of uncovered units.

    >>> import exactile
    >>> text = xmpuzzle_text(exactile.load("soma-cube"))
    >>> text.splitlines()[7]
    '    <voxel x="2" y="3" z="1" type="0" name="T">#_###_</voxel>'
    """
    grid = _grid(puzzle)
    _require_expressible(puzzle)
    paint = puzzle.paint
    number = numbers(paint)
    shapes = [
        _voxels(
            grid, p.points, None, p.name, _colors(p.units, paint.pieces.get(p.name, {}), number)
        )
        for p in puzzle.pieces
    ]
    region = puzzle.region
    units = [tuple(u) for u in region.units.tolist()]
    colors = _colors(units, paint.units, number)
    shapes.append(_voxels(grid, region.units, region.optional, "result", colors))
    chosen = set(puzzle.omission.names) if puzzle.omission else set()
    uses = [
        f'        <shape id="{k}" {_count(piece, loose=piece.name in chosen)}>'
        f"{_groups(puzzle, piece)}</shape>"
        for k, piece in enumerate(puzzle.pieces)
    ]
    holes = "".join(f' maxHoles="{rule.upper}"' for rule in puzzle.open_rules)
    comment = "\n".join(filter(None, [puzzle.title, puzzle.source]))
    return "\n".join(
        [
            '<?xml version="1.0"?>',
            '<puzzle version="2">',
            f'  <gridType type="{grid.number}"/>',
            "  <colors>",
            *(f"    {_color(k)}" for k in number.values()),
            "  </colors>",
            "  <shapes>",
            *(f"    {shape}" for shape in shapes),
            "  </shapes>",
            "  <problems>",
            f'    <problem state="0" name={_quoted(puzzle.title or puzzle.name)}{holes}>',
            "      <shapes>",
            *uses,
            "      </shapes>",
            f'      <result id="{len(shapes) - 1}"/>',
            "      <bitmap>",
            *(f"        {pair}" for pair in pair_lines(paint)),
            "      </bitmap>",
            "    </problem>",
            "  </problems>",
            f"  <comment>{escape(_printable(comment))}</comment>",
            "</puzzle>",
            "",
        ]
    )


def _printable(text: str) -> str:
    """Return a text with blanks for unprintable characters, some of which XML does not allow."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)


def _quoted(text: str) -> str:
    """Return a text as the quoted and escaped value of an XML attribute."""
    return quoteattr(_printable(text))


def packed(text: str) -> bytes:
    r"""Return a text as BurrTools stores it: compressed by gzip, reproducibly.

    >>> packed("<puzzle/>")[:2]
    b'\x1f\x8b'
    """
    return gzip.compress(text.encode(), mtime=0)


def _colors(
    units: Sequence[Point], paint: Mapping[Point, str], number: dict[str, int]
) -> list[str]:
    """Return the number of the color of each unit as text; empty if the unit has no paint.

    `number`: the number of each paint.
    """
    return [str(number[paint[unit]]) if unit in paint else "" for unit in units]


def _color(number: int) -> str:
    """Return the ``<color>`` element of a color; its shade is arbitrary."""
    red, green, blue = (number * 70 % 256, number * 150 % 256, 255 - number * 40 % 256)
    return f'<color red="{red}" green="{green}" blue="{blue}"/>'


def _voxels(grid: Grid, points: Points, optional: Mask | None, name: str, colors: list[str]) -> str:
    """Return the ``<voxel>`` element of a shape: a sign for each voxel of its bounding box.

    `points`: the cells of the shape. `optional`: a mask of the optional cells; None if there are
    none. `colors`: for each cell, the number of its color as text, which follows the sign.
    """
    places = _near_origin(grid, np.pad(points, ((0, 0), (0, 3 - points.shape[1]))))
    x, y, z = (places.max(axis=0) + 1).tolist()
    signs = np.full((x, y, z), "_", dtype=object)
    free = np.zeros(len(points), dtype=bool) if optional is None else optional
    for place, loose, color in zip(places.tolist(), free.tolist(), colors, strict=True):
        signs[tuple(place)] = ("+" if loose else "#") + color
    text = "".join(signs.ravel(order="F").tolist())  # x first, then y, then z
    return f'<voxel x="{x}" y="{y}" z="{z}" type="0" name={_quoted(name)}>{text}</voxel>'


FAR = 6
"""Number of offsets that are tried along each axis: every grid repeats after at most 6 voxels."""


def _near_origin(grid: Grid, points: Points) -> Points:
    """Return the voxels of points after a translation of the lattice.

    The translation brings the lower corner of the voxels' bounding box as near to the origin as
    possible, at coordinates that are not negative.
    """
    voxels = grid.voxels(points)
    unit = np.diag([grid.lattice.period] * 3)
    steps = grid.voxels(points[0] + unit) - voxels[0]
    margins = np.array(sorted(product(range(FAR), repeat=3), key=lambda m: (sum(m), m)))
    shifts = margins - voxels.min(axis=0)
    multiples = np.linalg.solve(steps.T, shifts.T)
    kept = np.abs(multiples - np.rint(multiples)).max(axis=0) < CLOSE
    assert kept.any()
    return np.asarray(voxels + shifts[np.argmax(kept)])


def _count(piece: Piece, *, loose: bool) -> str:
    low = 0 if loose else piece.lower
    if low == piece.upper:
        return f'count="{low}"'
    return f'min="{low}" max="{piece.upper}"'


def _groups(puzzle: Puzzle, piece: Piece) -> str:
    """Return a ``<group>`` element for each group, in `puzzle.together`, that has this piece."""
    numbers = [k for k, names in enumerate(puzzle.together, start=1) if piece.name in names]
    return "".join(f'<group group="{k}" count="{piece.upper}"/>' for k in numbers)


def _grid(puzzle: Puzzle) -> Grid:
    lattice = puzzle.lattice
    grid = GRIDS[0] if _is_orthogonal(lattice) else grid_of(lattice)
    if grid is None:
        names = [name for each in GRIDS for name in (each.flat, each.lattice_name) if name]
        reason = f"the lattices of the format are {', '.join(names)}, not {lattice.name}"
        raise _refused(puzzle, reason)
    return grid


def _require_expressible(puzzle: Puzzle) -> None:
    lattice = puzzle.lattice
    if puzzle.region.wrap is not None:
        raise _refused(puzzle, "the format has no regions that wrap around")
    if puzzle.color_rules:
        raise _refused(puzzle, "the format has no rules about the colors of whole pieces")
    if puzzle.use_rules:
        raise _refused(puzzle, "the format has no rules about numbers of used pieces")
    if puzzle.open_rules and not _is_limit(puzzle):
        raise _refused(puzzle, "the format limits only the number of all open units")
    if puzzle.fixed:
        raise _refused(puzzle, "the format has no fixed placements")
    for piece in puzzle.pieces:
        solid = replace(piece, freedom=customary_freedom(lattice))
        if key(puzzle.paint.aspects(solid)) != key(puzzle.paint.aspects(piece)):
            reason = "in the format, all pieces move as solid ones do;"
            raise _refused(puzzle, f"{reason} piece {piece.name} does not")
    if puzzle.omission is not None and not _settled(puzzle, puzzle.omission):
        raise _refused(puzzle, "the format cannot say how many of some pieces are left out")


def _is_orthogonal(lattice: Lattice) -> bool:
    """Return whether a lattice consists of squares or cubes, whatever its name."""
    steps = {tuple(row) for row in np.eye(lattice.dimension, dtype=int).tolist()}
    both = steps | {tuple(-c for c in step) for step in steps}
    return lattice.period == 1 and set(lattice.neighbors[0]) == both


def _is_limit(puzzle: Puzzle) -> bool:
    """Return whether the only rule about uncovered units is one that BurrTools respects.

    BurrTools respects an upper bound on the number of all uncovered units, unless each piece is
    used a fixed number of times.
    """
    region, [rule, *others] = puzzle.region, puzzle.open_rules
    named = region.optional[region.index(np.array(rule.units, dtype=np.int64))].sum()
    limit = rule.lower == 0 and rule.upper is not None and not others
    ranges = any(piece.lower < piece.upper for piece in puzzle.pieces)
    return bool(limit and ranges and named == region.optional.sum())


def _settled(puzzle: Puzzle, omission: Omission) -> bool:
    """Return whether the number of omitted pieces follows from the areas of pieces and region."""
    order, *others = {puzzle.piece(name).order for name in omission.names}
    exact = all(piece.lower == piece.upper for piece in puzzle.pieces)
    area = sum(piece.order * piece.upper for piece in puzzle.pieces) - order * omission.count
    region = puzzle.region
    return exact and not others and not region.optional.any() and area == len(region)


def _refused(puzzle: Puzzle, reason: str) -> FileError:
    return FileError(f"The puzzle {puzzle.name} cannot be written as xmpuzzle: {reason}.")
