"""Reading and writing units: as texts such as ``0..9,0 3,1``, as lists, and as drawings.

A drawing has one character for each cell: ``#`` for a cell to be covered, ``+`` for a cell that may
stay uncovered. A dot or a space is a place without a cell. The first line is the top. In space a
blank line ends a layer, and the lowest layer comes first. The lattice's `Sketch` states the column
and the line of each cell. The origin is the lower left corner of the drawing. If the lattice then
has no cell at some ``#`` or ``+``, the drawing is moved up and to the right as little as possible.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import groupby, product
from math import prod

from exactile.errors import FileError, RegionError
from exactile.geometry.isometry import Points, as_tuples, to_origin
from exactile.geometry.lattice import MAX_UNITS, Coordinates, Lattice, Point, Sketch
from exactile.wanted import plural

LIMIT = 100_000
"""Largest coordinate in a file: the product of three lengths then fits into 64 bits."""

NUMBER = re.compile(r"(-?[0-9]+)(?:\.\.(-?[0-9]+))?")


def parse_units(units: str | Coordinates) -> list[Point]:
    """Return the coordinates of units that are written as a text or as lists.

    In a text, a coordinate may be a run: ``0..9,0`` stands for ten units, ``0..9,0..5`` for sixty.
    Raise FileError if a word of the text is not a unit, RegionError if a unit occurs twice, or the
    text has too many units.

    >>> parse_units("0..2,0 1,1")
    [(0, 0), (1, 0), (2, 0), (1, 1)]
    """
    if isinstance(units, str):
        words = [_parse_word(word) for word in units.split()]
        total = sum(prod(map(len, runs)) for runs in words)
        if total > MAX_UNITS:
            raise RegionError(
                f"These are {total:,} units, which is too many: the limit is {MAX_UNITS:,}."
            )
        result = [unit for runs in words for unit in product(*runs)]
    else:
        result = [tuple(unit) for unit in units]
    if len(set(result)) < len(result):
        seen: set[Point] = set()
        twice = next(u for u in result if u in seen or seen.add(u))  # type: ignore[func-returns-value]
        raise RegionError(f"The unit {list(twice)} occurs twice: write it once.")
    return result


def _parse_word(word: str) -> list[range]:
    runs = []
    for part in word.split(","):
        match = NUMBER.fullmatch(part)
        if match is None:
            raise FileError(
                f"'{word}' is not a unit: write integers joined by commas, such as 1,0; "
                "0..4 stands for a run of integers."
            )
        if any(len(number) > 7 or abs(int(number)) > LIMIT for number in match.groups("0")):
            raise FileError(f"'{word}' is not a unit: coordinates go from -{LIMIT} to {LIMIT}.")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise FileError(f"'{word}' is not a unit: in a run the smaller integer comes first.")
        runs.append(range(first, last + 1))
    return runs


def write_units(points: list[Point]) -> str:
    """Return units as words, with runs along the first coordinate.

    >>> write_units([(0, 0), (1, 0), (2, 0), (1, 1)])
    '0..2,0 1,1'
    """
    words: list[str] = []
    left = sorted(points, key=lambda u: (u[:0:-1], u[0]))
    while left:
        run = 1
        while run < len(left) and left[run] == (left[0][0] + run, *left[0][1:]):
            run += 1
        first = f"{left[0][0]}..{left[run - 1][0]}" if run > 1 else str(left[0][0])
        words.append(",".join([first, *map(str, left[0][1:])]))
        left = left[run:]
    return " ".join(words)


def internal_points(units: str | Coordinates, lattice: Lattice) -> Points:
    """Convert units, written as a text or as lists, to an array of points in the same order.

    Raise GeometryError if one is not a unit of the lattice; other errors are those of
    `parse_units`.
    """
    return lattice.points(parse_units(units)).reshape(-1, lattice.dimension)


def internal(units: str | Coordinates, lattice: Lattice) -> list[Point]:
    """Convert units, written as a text or as lists, to a list of points in the same order.

    Errors are those of `internal_points`.
    """
    return [tuple(p) for p in internal_points(units, lattice).tolist()]


Mark = tuple[int, int, int]
"""A position in a drawing: column from the left, line from the bottom, layer; all from 0."""


def parse_drawing(text: str, lattice: Lattice) -> tuple[list[Point], list[Point]]:
    r"""Return two sorted lists of cells of a drawing: those to be covered, and the optional ones.

    Cells are in customary coordinates.

    Raise RegionError if the lattice has no drawings, or if a character has no meaning or stands
    where there is no cell.

    >>> from exactile.geometry import get_lattice
    >>> parse_drawing("#+\n##", get_lattice("square"))
    ([(0, 0), (0, 1), (1, 0)], [(1, 1)])
    >>> parse_drawing("  #\n#", get_lattice("hexagon"))
    ([(0, 0), (1, 0)], [])
    """
    found: dict[str, list[Point]] = {"#": [], "+": []}
    for cell, sign in parse_signs(text, lattice).items():
        found[sign].append(cell)
    return sorted(found["#"]), sorted(found["+"])


def parse_signs(text: str, lattice: Lattice, letters: str = "") -> dict[Point, str]:
    r"""Return the sign of each cell in a drawing, by the cell's customary coordinates.

    Signs are ``#``, ``+`` and the characters in `letters`. Raise RegionError as `parse_drawing`
    does.

    >>> from exactile.geometry import get_lattice
    >>> parse_signs("b.\n#w", get_lattice("square"), letters="bw")
    {(0, 0): '#', (1, 0): 'w', (0, 1): 'b'}
    """
    sketch = _sketch(lattice)
    marks = list(_marks(text, letters, layers=lattice.dimension > 2))
    span = abs(_determinant(sketch))
    for up, right in product(range(span), repeat=2):
        cells = _cells([(c + right, n + up, z) for (c, n, z), _ in marks], lattice, sketch)
        if cells is not None:
            break
    else:
        raise RegionError(
            "The drawing does not fit the lattice: some of its marks stand where there is no cell. "
            f"A step along x moves by {_steps(sketch, 0)}, a step along y by {_steps(sketch, 1)}."
        )
    signs = {}
    for cell, (_, sign) in zip(cells or [], marks, strict=True):
        signs[cell] = sign
    return signs


def _steps(sketch: Sketch, axis: int) -> str:
    columns, lines = sketch.columns[axis], sketch.lines[axis]
    return f"{plural(columns, 'column')} and {plural(lines, 'line')}"


def _sketch(lattice: Lattice) -> Sketch:
    if lattice.sketch is None:
        raise RegionError(f"Regions of the {lattice.name} lattice cannot be drawn: write units.")
    return lattice.sketch


def _marks(text: str, letters: str, *, layers: bool) -> Iterator[tuple[Mark, str]]:
    """Yield each ``#``, ``+`` and letter of a drawing with its position.

    `letters`: the letters that are allowed. `layers`: whether blank lines separate layers. Raise
    RegionError for a sign that has no meaning.
    """
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        strange = set(line) - set("#+. " + letters)
        if strange:
            raise RegionError(
                f"{min(strange)!r} in line {number} of the drawing has no meaning: write # for a "
                "cell to be covered, + for an optional one, . or a space for none"
                + (", a letter for a painted one." if letters else ".")
            )
    for layer, block in enumerate(_blocks(lines) if layers else [_trimmed(lines)]):
        for height, line in enumerate(reversed(block)):
            for column, sign in enumerate(line):
                if sign in "#+" + letters:
                    yield (column, height, layer), sign


def _blocks(lines: list[str]) -> list[list[str]]:
    """Cut lines into blocks at blank lines."""
    return [list(g) for blank, g in groupby(lines, key=lambda n: not n.strip()) if not blank]


def _trimmed(lines: list[str]) -> list[str]:
    """Return the lines without blank ones at the end; TOML's closing quotes leave one."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]


def _determinant(sketch: Sketch) -> int:
    (a, b), (c, d) = sketch.columns, sketch.lines
    return a * d - b * c


def _cells(marks: list[Mark], lattice: Lattice, sketch: Sketch) -> list[Point] | None:
    """Return the cells at positions in a drawing; None if there is no cell at one of them."""
    found: list[Point] = []
    for mark in marks:
        cell = _cell(mark, lattice, sketch)
        if cell is None:
            return None
        found.append(cell)
    return found


def _cell(mark: Mark, lattice: Lattice, sketch: Sketch) -> Point | None:
    """Return the cell at a position in a drawing; None if there is none."""
    (a, b), (c, d) = sketch.columns, sketch.lines
    determinant = _determinant(sketch)
    for kind, (right, up) in enumerate(sketch.shifts):
        column, line = mark[0] - right, mark[1] - up
        x, x_rest = divmod(d * column - b * line, determinant)
        y, y_rest = divmod(a * line - c * column, determinant)
        if not x_rest and not y_rest:
            layer = (mark[2],) if lattice.dimension > 2 else ()
            return (x, y, *layer, kind) if len(lattice.origins) > 1 else (x, y, *layer)
    return None


def write_drawing(cells: Collection[Point], optional: Collection[Point], lattice: Lattice) -> str:
    """Return a drawing of cells, perhaps moved by a translation.

    `cells`, `optional`: customary coordinates of the cells to be covered, and of the optional ones;
    one or more in all. Raise RegionError if the lattice has no drawings.

    >>> from exactile.geometry import get_lattice
    >>> print(write_drawing([(0, 0), (0, 1), (1, 0)], [(1, 1)], get_lattice("square")))
    #+
    ##
    """
    return write_signs(dict.fromkeys(cells, "#") | dict.fromkeys(optional, "+"), lattice)


def write_signs(signs: Mapping[Point, str], lattice: Lattice) -> str:
    """Return a drawing with the given character for each cell, otherwise like `write_drawing`.

    >>> from exactile.geometry import get_lattice
    >>> print(write_signs({(0, 0): "#", (1, 0): "w", (0, 1): "b"}, get_lattice("square")))
    b
    #w
    """
    sketch = _sketch(lattice)
    marks = {mark_of(cell, lattice): sign for cell, sign in signs.items()}
    low = [min(axis) for axis in zip(*marks, strict=True)]
    marks = {(c - low[0], n - low[1], z - low[2]): s for (c, n, z), s in marks.items()}
    letters = "".join(set(signs.values()) - set("#+"))
    goal = _form(signs, lattice)
    for right, up in product(range(abs(_determinant(sketch))), repeat=2):
        text = text_of({(c + right, n + up, z): s for (c, n, z), s in marks.items()})
        if _form(parse_signs(text, lattice, letters), lattice) == goal:
            return text
    raise AssertionError("a drawing that cannot be read back")  # pragma: no cover


def mark_of(cell: Point, lattice: Lattice) -> Mark:
    """Return the position of a cell in drawings: its column, line and layer.

    `cell`: its customary coordinates. Raise RegionError if the lattice has no drawings.

    >>> from exactile.geometry import get_lattice
    >>> mark_of((2, 1), get_lattice("hexagon"))
    (4, 4, 0)
    """
    sketch = _sketch(lattice)
    right, up = sketch.shifts[cell[-1] if len(lattice.origins) > 1 else 0]
    column = sketch.columns[0] * cell[0] + sketch.columns[1] * cell[1]
    line = sketch.lines[0] * cell[0] + sketch.lines[1] * cell[1]
    return column + right, line + up, cell[2] if lattice.dimension > 2 else 0


def text_of(signs: dict[Mark, str]) -> str:
    """Return a drawing with characters at the given positions; (0, 0, 0) is its lower left."""
    width, height, depth = (max(axis) + 1 for axis in zip(*signs, strict=True))
    layers = [
        "\n".join(
            "".join(signs.get((c, n, z), ".") for c in range(width)).rstrip(".") or "."
            for n in reversed(range(height))
        )
        for z in range(depth)
    ]
    return "\n\n".join(layers)


def _form(cells: Collection[Point], lattice: Lattice) -> tuple[Point, ...]:
    return as_tuples(to_origin(lattice.points(sorted(cells)), lattice.period))
