"""Describe the units of a region in a few lines: builders, a drawing, or units.

What is tried, and the shortest wins: a builder alone, also turned; a prism, a pyramid or a grid of
hexagons; a builder with parts added or taken away; a drawing; units. On lattices of edges it is
cells that are described, and then the edges more or less than around those.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from building import Cells, Part, hexagons_of, low, to_zero, workshop
from exactile.files.drawing import parse_drawing, write_drawing
from exactile.files.place import Place
from exactile.files.regions import read_region
from exactile.files.shapes import Grid, Shape
from exactile.files.units import write_units
from exactile.geometry import get_lattice
from exactile.geometry.lattice import Lattice, Point

LINE = 5
"""What a line costs beside its characters."""

MUCH_SHORTER = 0.75
"""Parts are worth it if they cost at most this share of the drawing."""

MOST_PARTS = 4
"""More parts than these are no help to a reader."""


@dataclass(frozen=True)
class Description:
    """A region table: the entries of its base, parts, and whether the border belongs to it."""

    kind: str
    base: tuple[str, ...]
    plus: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()
    border: bool = True

    def lines(self, prefix: str = "region.") -> list[str]:
        """Return the lines as they stand in a puzzle file."""
        entries = list(self.base)
        for key, parts in (("plus", self.plus), ("minus", self.minus)):
            if len(parts) == 1:
                entries.append(f"{key} = [{{ {parts[0]} }}]")
            elif parts:
                entries.append("\n".join([f"{key} = [", *(f"  {{ {p} }}," for p in parts), "]"]))
        if not self.border:
            entries.append("border = false")
        return "\n".join(prefix + entry for entry in entries).split("\n")

    @property
    def cost(self) -> int:
        """How long the lines are."""
        lines = self.lines()
        return len("".join(lines)) + LINE * len(lines)


def region_lines(cells: list[Point], lattice: Lattice) -> list[str]:
    """Return the lines that describe a region, given by the customary coordinates of its units.

    Read again, they give exactly these units.
    """
    return describe(cells, lattice).lines()


def describe(units: list[Point], lattice: Lattice) -> Description:
    """Return the shortest description found for units."""
    described = edges(units, lattice) if lattice.frame else of_cells(frozenset(units), lattice)
    text = "\n".join(described.lines())
    region = read_region(tomllib.loads(text)["region"], lattice, Place("described"))
    found = {tuple(p) for p in region.units.tolist()}
    assert found == {tuple(p) for p in lattice.points(units).tolist()}, text
    return described


def of_cells(cells: Cells, lattice: Lattice) -> Description:
    """Return the shortest description of cells."""
    plain = built(cells, lattice) or expanded(cells, lattice)
    if plain is not None:
        return plain
    drawing = drawn(cells, lattice)
    parts = min(in_parts(cells, lattice), key=lambda d: d.cost, default=drawing)
    return parts if parts.cost <= MUCH_SHORTER * drawing.cost else drawing


def built(cells: Cells, lattice: Lattice) -> Description | None:
    """Describe cells by one builder."""
    build = workshop(lattice).find(frozenset(to_zero(cells, lattice)))
    if build is None:
        return None
    start = (0,) * lattice.dimension
    return Description("builder", (*build.entries, *shift(start, low(cells, lattice))))


def expanded(cells: Cells, lattice: Lattice) -> Description | None:
    """Describe cells by a region of another lattice."""
    results = []
    for name, expansion in lattice.expansions.items():
        other = get_lattice(expansion.lattice)
        for flat, size in CONTRACTIONS[name](to_zero(cells, lattice)):
            again = expansion.build(list(flat), size)
            if set(to_zero(again, lattice)) == set(to_zero(cells, lattice)):
                inner = of_cells(frozenset(to_zero(flat, other)), other)
                entries = "\n".join(inner.lines(f"{name}.")).split(f"\n{name}.")
                first, *rest = entries
                base = (
                    first,
                    *(f"{name}.{entry}" for entry in rest),
                    f"{name}.{expansion.size} = {size}",
                )
                start = low(expansion.build(to_zero(flat, other), size), lattice)
                results.append(Description(name, (*base, *shift(start, low(cells, lattice)))))
    return min(results, key=lambda d: d.cost, default=None)


def layers(cells: list[Point]) -> Iterator[tuple[list[Point], int]]:
    """Yield the lowest layer and the number of layers."""
    height = 1 + max(z for *_, z in cells)
    if height > 1:
        yield sorted({(x, y) for x, y, z in cells if z == 0}), height


CONTRACTIONS = {"prism": layers, "pyramid": layers, "hexgrid": hexagons_of}
"""What each expansion could have been made of: cells of the other lattice, and a size."""


def drawn(cells: Cells, lattice: Lattice) -> Description:
    """Describe cells by a drawing."""
    drawing = write_drawing(cells, [], lattice)
    start = low(parse_drawing(drawing, lattice)[0], lattice)
    base = (f'drawing = """\n{drawing}\n"""', *shift(start, low(cells, lattice)))
    return Description("drawing", base)


def shift(start: Point, goal: Point) -> list[str]:
    """Return the entry that moves cells to their place, none if they are there."""
    steps = [g - s for s, g in zip(start, goal, strict=True)]
    return [f"shift = {steps}"] if any(steps) else []


def in_parts(cells: Cells, lattice: Lattice) -> Iterator[Description]:
    """Yield descriptions by a builder and parts that are added or taken away."""
    home = low(cells, lattice)
    shop = workshop(lattice)
    spans = tuple(max(axis) + 1 for axis in zip(*to_zero(cells, lattice), strict=True))
    spans = spans[: lattice.dimension]
    if max(spans) >= 32 or len(cells) > 1000:
        return
    goal = shop.mask(to_zero(cells, lattice))
    writer = Writer(lattice, home, spans)
    around = [
        (there.bit_count(), writer.entries(Part(build, (0,) * len(spans), there)), there)
        for build, there in shop.shelf.get(spans, [])
        if there & goal == goal
    ]
    for _, base, there in sorted(around)[:6]:
        yield Description("minus", tuple(base), minus=writer.cover(there & ~goal, there & ~goal))
    parts = shop.parts_in(goal, spans, max(2, len(cells) // 4))
    parts.sort(key=lambda part: (-part.mask.bit_count(), part.build.turn, part.build.entries))
    for part in parts[:3]:
        rest = goal & ~part.mask
        yield Description("plus", tuple(writer.entries(part)), plus=writer.cover(rest, goal))


@dataclass(frozen=True)
class Writer:
    """Writes parts of cells whose least coordinates are `home`."""

    lattice: Lattice
    home: Point
    spans: Point

    def entries(self, part: Part) -> list[str]:
        """Return what is written for a part."""
        place = [h + p for h, p in zip(self.home, part.place, strict=True)]
        return [*part.build.entries, *([f"shift = {place}"] if any(place) else [])]

    def cover(self, wanted: int, allowed: int) -> tuple[str, ...]:
        """Return parts within what is allowed that cover what is wanted: shapes, then units."""
        shop = workshop(self.lattice)
        number = wanted.bit_count()
        texts: list[str] = []
        shapes = shop.parts_in(allowed, self.spans, max(3, number // 5)) if number > 3 else []
        while wanted and len(texts) < MOST_PARTS:
            best = max(
                shapes,
                key=lambda part: (
                    (part.mask & wanted).bit_count(),
                    -part.mask.bit_count(),
                    -part.build.turn,
                    part.build.entries,
                ),
                default=None,
            )
            left = self.units(wanted)
            if best is None:
                break
            text = ", ".join(self.entries(best))
            rest = wanted & ~best.mask
            if len(text) + (len(self.units(rest)) if rest else 0) >= len(left):
                break
            texts.append(text)
            wanted = rest
        return (*texts, self.units(wanted)) if wanted else tuple(texts)

    def units(self, mask: int) -> str:
        """Return cells of a mask as units."""
        cells = [
            (
                *(h + c for h, c in zip(self.home, cell[: len(self.home)], strict=True)),
                *cell[len(self.home) :],
            )
            for cell in workshop(self.lattice).cells(mask)
        ]
        return f'units = "{write_units(cells)}"'


def edges(units: list[Point], lattice: Lattice) -> Description:
    """Describe edges by cells and the edges more or less than around or between those."""
    assert lattice.frame is not None
    grid = Grid(lattice)
    goal = {tuple(p) for p in lattice.points(units).tolist()}
    results = [Description("units", (f'units = "{write_units(units)}"',))]
    for border, choice in sorted(choices(goal, grid), key=lambda c: (not c[0], sorted(c[1])))[:12]:
        shape = Shape(cells=grid.cells(sorted(choice)))
        base = grid.units(shape if border else grid.without_border(shape, None))[0]
        more, less = (
            (f'units = "{unit_text(change, lattice)}"',) if change else ()
            for change in (goal - base, base - goal)
        )
        found = of_cells(choice, grid.cell_lattice)
        results.append(
            replace(found, plus=found.plus + more, minus=found.minus + less, border=border)
        )
    return min(results, key=lambda d: (d.cost, d.base))


def choices(goal: set[Point], grid: Grid) -> set[tuple[bool, Cells]]:
    """Return sets of cells that may stand for units: those with enough units around."""
    inside = {cell: len(around & goal) for cell, around in near(goal, grid)}
    found = set()
    for least in range(1, 7):
        cells = frozenset(cell for cell, number in inside.items() if number >= least)
        if cells:
            found |= {(False, cells), (True, cells)} if least < 3 else {(True, cells)}
    return found


def near(goal: set[Point], grid: Grid) -> Iterator[tuple[Point, set[Point]]]:
    """Yield the cells near units of a lattice of edges, and the units around each."""
    lattice, kinds = grid.lattice, len(grid.cell_lattice.origins)
    reach = range(-2, 3 + max(max(unit) for unit in goal) // lattice.period)
    for place in product(reach, repeat=lattice.dimension):
        for cell in [(*place, kind) for kind in range(kinds)] if kinds > 1 else [place]:
            around = {tuple(p) for p in lattice.units_around([cell], kinds).tolist()}
            if around & goal:
                yield cell, around


def unit_text(points: Iterable[Point], lattice: Lattice) -> str:
    """Return points as words."""
    import numpy as np

    return write_units(lattice.coordinates(np.array(sorted(points), dtype=np.int64)))
