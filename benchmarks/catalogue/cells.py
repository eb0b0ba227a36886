"""Describe cells in a few lines: builders, or a drawing.

What is tried, and the shortest wins: a builder alone, also turned; a prism, a pyramid or a grid of
hexagons; a builder with parts added or taken away; a drawing.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from building import Cells, Part, hexagons_of, low, moved, to_zero, workshop
from description import Description, shift, words
from exactile.errors import RegionError
from exactile.files.puzzles.units import parse_drawing, write_drawing
from exactile.geometry import get_lattice
from exactile.geometry.lattice import Lattice, Point

MUCH_SHORTER = (0.75, 0.75, 0.6, 0.45, 0.4)
"""So many parts are worth it if they cost at most this share of the drawing."""

MOST_PARTS = 3
"""More parts than these are no help to a reader."""

LARGEST_UNION = 330
"""Larger regions are not tried as unions of shapes."""


def of_cells(cells: Cells, lattice: Lattice, *, framed: bool = False) -> Description:
    """Return the shortest description of cells; framed ones have no units of their own."""
    plain = built(cells, lattice) or expanded(cells, lattice)
    if plain is not None:
        return plain
    drawing = drawn(cells, lattice)
    results = [*in_parts(cells, lattice, framed=framed)]
    if lattice.dimension == 3:
        results += [*stacked(cells, lattice), *nearly_expanded(cells, lattice, framed=framed)]
    shorter = (
        d
        for d in results
        if d.cost <= MUCH_SHORTER[0 if d.kind == "stack" else d.parts] * drawing.cost
    )
    return min(shorter, key=lambda d: d.cost, default=drawing)


def built(cells: Cells, lattice: Lattice) -> Description | None:
    """Describe cells by one builder."""
    build = workshop(lattice).find(frozenset(to_zero(cells, lattice)))
    if build is None:
        return None
    start = (0,) * lattice.dimension
    return Description("builder", (*build.entries, *shift(start, low(cells, lattice))))


def expanded(cells: Cells, lattice: Lattice) -> Description | None:
    """Describe cells by a region of another lattice."""
    results, goal = [], set(to_zero(cells, lattice))
    for name, expansion in lattice.expansions.items():
        other = get_lattice(expansion.lattice)
        for flat, size in CONTRACTIONS[name](sorted(goal)):
            flat = to_zero(flat, other)
            try:
                again = expansion.build(flat, size)
            except RegionError:
                continue
            if set(to_zero(again, lattice)) == goal:
                inner = of_cells(frozenset(flat), other)
                if name == "hexgrid" and not inner.parts:
                    inner = inner.unmoved()  # a grid of hexagons starts at 0 in any case
                base = (
                    *(f"{name}.{entry}" for entry in inner.entries),
                    f"{name}.{expansion.size} = {size}",
                )
                moves = shift(low(again, lattice), low(cells, lattice))
                results.append(Description(name, (*base, *moves)))
    return min(results, key=lambda d: d.cost, default=None)


def across(cells: list[Point], axis: int) -> Iterator[tuple[list[Point], int]]:
    """Yield the first slice across an axis and the number of slices."""
    number = 1 + max(cell[axis] for cell in cells)
    if number > 1:
        yield sorted({(*c[:axis], *c[axis + 1 :]) for c in cells if not c[axis]}), number


CONTRACTIONS: dict[str, Callable[[list[Point]], Iterator[tuple[list[Point], int]]]] = {
    "prism": partial(across, axis=2),
    "prism_x": partial(across, axis=0),
    "prism_y": partial(across, axis=1),
    "pyramid": partial(across, axis=2),
    "hexgrid": hexagons_of,
}
"""What each expansion could have been made of: cells of the other lattice, and a size."""


def stacked(cells: Cells, lattice: Lattice) -> Iterator[Description]:
    """Yield the description by layers, if all are builders: equal ones are a box or a prism."""
    flat, levels = get_lattice("square"), sorted({z for *_, z in cells})
    layers = [frozenset((x, y) for x, y, z in cells if z == level) for level in levels]
    parts: list[list[str]] = []
    done = 0
    for _, group in groupby(layers):
        layer, height = of_cells(layers[done], flat), len(list(group))
        if layer.kind != "builder":
            return
        moves = [entry for entry in layer.base if entry.startswith("shift = ")]
        place = [*(literal_eval(moves[0][8:]) if moves else (0, 0)), levels[done]]
        size, *turn = layer.unmoved().base
        if size.startswith("box = "):
            parts.append([f"{size[:-1]}, {height}]"])
        else:
            parts.append([f"prism = {{ {', '.join([size, *turn])}, height = {height} }}"])
        parts[-1] += [f"shift = {place}"] if any(place) else []
        done += height
    base, *plus = parts
    yield Description("stack", tuple(base), plus=tuple(map(", ".join, plus)))


def nearly_expanded(cells: Cells, lattice: Lattice, *, framed: bool) -> Iterator[Description]:
    """Yield prisms and pyramids on a builder, with few cells more or less."""
    flat = get_lattice("square")
    home = low(cells, lattice)
    there = frozenset(to_zero(cells, lattice))
    height = 1 + max(z for *_, z in there)
    base = [(x, y) for x, y, z in there if z == 0]
    shop, spans = workshop(flat), workshop(flat).spans(base)
    for hull in shop.hulls(shop.mask(base), spans)[:3]:
        for name in ("prism", "pyramid"):
            expansion = lattice.expansions[name]
            try:
                whole = set(expansion.build(shop.cells(hull.mask), height))
            except RegionError:
                continue
            plus, minus = (
                (f'units = "{words(moved(change, home), 3)}"',) if change else ()
                for change in (there - whole, whole - there)
            )
            few = "".join(plus + minus).count(" ") < max(6, drawn(cells, lattice).cost // 40)
            if few and not framed:
                inner = (*hull.build.entries, f"{expansion.size} = {height}")
                entries = [f"{name}.{entry}" for entry in inner]
                yield Description(name, (*entries, *shift((0, 0, 0), home)), plus, minus)


def drawn(cells: Cells, lattice: Lattice) -> Description:
    """Describe cells by a drawing."""
    drawing = write_drawing(cells, [], lattice)
    start = low(parse_drawing(drawing, lattice)[0], lattice)
    base = (f'drawing = """\n{drawing}\n"""', *shift(start, low(cells, lattice)))
    return Description("drawing", base)


def in_parts(cells: Cells, lattice: Lattice, *, framed: bool) -> Iterator[Description]:
    """Yield descriptions by a builder and parts that are added or taken away."""
    shop, cells_here = workshop(lattice), to_zero(cells, lattice)
    spans = shop.spans(cells_here)
    if max(spans) >= shop.stride:
        return
    goal = shop.mask(cells_here)
    most_words = 0 if framed else max(5, drawn(cells, lattice).cost // 40)
    writer = Writer(lattice, low(cells, lattice), spans, most_words)
    for hull in shop.hulls(goal, spans)[:6]:
        base = writer.entries(Part(hull.build, (0,) * len(spans), hull.mask))
        holes = hull.mask & ~goal
        yield from writer.described("minus", base, holes, holes)
    if len(cells) > LARGEST_UNION:
        return
    parts = shop.parts_in(goal, spans, max(2, len(cells) // 3))
    parts.sort(key=lambda part: (-part.mask.bit_count(), part.build.turn, part.build.entries))
    for part in parts[:3]:
        yield from writer.described("plus", writer.entries(part), goal & ~part.mask, goal)


@dataclass(frozen=True)
class Writer:
    """Writes parts of cells whose least coordinates are `home`, with few words of units."""

    lattice: Lattice
    home: Point
    spans: Point
    most_words: int

    def entries(self, part: Part) -> list[str]:
        """Return what is written for a part."""
        place = [h + p for h, p in zip(self.home, part.place, strict=True)]
        return [*part.build.entries, *([f"shift = {place}"] if any(place) else [])]

    def described(
        self, key: str, base: list[str], wanted: int, allowed: int
    ) -> Iterator[Description]:
        """Yield the description by a base and parts that cover what is wanted, if there is one."""
        texts, wanted = self.cover(wanted, allowed)
        if wanted:
            left = self.units(wanted)
            if len(left.split()) > self.most_words:
                return
            texts.append(f'units = "{left}"')
        parts = {key: tuple(texts)}
        yield Description(key, tuple(base), parts.get("plus", ()), parts.get("minus", ()))

    def cover(self, wanted: int, allowed: int) -> tuple[list[str], int]:
        """Return shapes within what is allowed that cover what is wanted, and what they leave."""
        number = wanted.bit_count()
        texts: list[str] = []
        parts: list[Part] = []
        if number > 3 or not self.most_words:
            parts = workshop(self.lattice).parts_in(allowed, self.spans, number // 4)
        while wanted and parts and len(texts) < MOST_PARTS:
            best = max(parts, key=lambda part: self.worth(part, wanted))
            text = ", ".join(self.entries(best))
            rest = wanted & ~best.mask
            plainer = len(text) + 2 * len(self.units(rest)) < 2 * len(self.units(wanted))
            if self.most_words and not plainer:
                break
            texts.append(text)
            wanted = rest
        return texts, wanted

    @staticmethod
    def worth(part: Part, wanted: int) -> tuple[object, ...]:
        """Rank parts: they cover much that is wanted, little else, and are plain."""
        return (
            (part.mask & wanted).bit_count(),
            -part.mask.bit_count(),
            -part.build.turn,
            part.build.entries,
        )

    def units(self, mask: int) -> str:
        """Return cells of a mask as words."""
        if not mask:
            return ""
        cells = moved(workshop(self.lattice).cells(mask), self.home)
        return words(cells, self.lattice.dimension)
