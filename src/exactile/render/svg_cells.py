"""Solutions of cells in the plane as SVG: filled polygons with thick outlines between pieces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import numpy as np

from exactile.geometry.lattice import Corner, Lattice, Point
from exactile.render.colors import EMPTY_FILL, FAINT, INK, assign_colors, shade
from exactile.render.cover import EMPTY, Cover
from exactile.render.paper import Drawing, Paper, Place, group, path, spots
from exactile.render.svg_space import Array

Side = tuple[Corner, Corner, Point]
"""Two corners of a cell as offsets from its point, and the offset to the cell across."""


@cache
def sides(lattice: Lattice) -> tuple[tuple[Side, ...], ...]:
    """Return the sides of each type of cell, in the order of its corners."""
    result = []
    for kind, origin in enumerate(lattice.origins):
        corners = lattice.faces[kind][0]
        across = {}
        for offset in lattice.neighbors[kind]:
            other = int(lattice.types(np.add(origin, offset)))
            theirs = {_key(np.add(c, offset)) for c in lattice.faces[other][0]}
            shared = [i for i, c in enumerate(corners) if _key(np.array(c)) in theirs]
            across[frozenset(shared)] = offset
        n = len(corners)
        result.append(
            tuple(
                (corners[i], corners[(i + 1) % n], across[frozenset((i, (i + 1) % n))])
                for i in range(n)
            )
        )
    return tuple(result)


def _key(place: Place) -> tuple[float, ...]:
    return tuple((np.round(place, 6) + 0.0).tolist())


def draw_cells(cover: Cover, width: int) -> Drawing:
    """Return the SVG drawing of a solution on a lattice of cells in the plane."""
    paper = Paper((corner for polygon in _polygons(cover) for corner in polygon), width)
    return paper.drawing(cover.title, cells(cover, paper))


def _polygons(cover: Cover) -> list[Array]:
    region, lattice = cover.region, cover.lattice
    embedding = np.array(lattice.embedding)
    return [
        (unit + np.array(lattice.faces[kind][0])) @ embedding
        for unit, kind in zip(region.places, region.types.tolist(), strict=True)
    ]


def cells(cover: Cover, paper: Paper) -> list[str]:
    """Return the elements of a solution on a sheet."""
    fills: defaultdict[int, list[str]] = defaultdict(list)
    for owner, polygon in zip(cover.owners, _polygons(cover), strict=True):
        fills[owner].append(paper.polygon(polygon))
    inner, outer, seams = _lines(cover, paper)
    elements = []
    if EMPTY in fills:
        elements.append(path(fills[EMPTY], fill=EMPTY_FILL))
        elements.append(path(inner.get(EMPTY, []), stroke=FAINT))
    open_units = [u for u, o in enumerate(cover.owners) if o == EMPTY]
    elements += _paint(cover, paper, open_units)
    elements += _written(cover, paper, open_units)
    thick = min(3.0, max(1.0, paper.scale / 16))
    for owner, (placement, color) in enumerate(
        zip(cover.solution, assign_colors(cover), strict=True)
    ):
        elements.append(
            group(
                placement.piece,
                [
                    path(fills[owner], fill=color),
                    path(inner.get(owner, []), stroke=shade(color, 0.8), stroke_width=thick / 2.5),
                    *_paint(cover, paper, cover.units_of[owner]),
                    *(_label(cover, paper, owner, part) for part in cover.parts[owner]),
                ],
            )
        )
    line = {"fill": "none", "stroke_linecap": "round", "pointer_events": "none"}
    elements.append(path(outer, stroke=INK, stroke_width=thick, **line))
    if seams:
        dashes = f"{thick * 2:.0f} {thick * 2:.0f}"
        elements.append(path(seams, stroke=INK, stroke_width=thick / 2, stroke_dasharray=dashes))
    return elements


def _lines(cover: Cover, paper: Paper) -> tuple[dict[int, list[str]], list[str], list[str]]:
    """Return the path data of lines inside each owner, between owners, and along the seam."""
    region, lattice = cover.region, cover.lattice
    embedding = np.array(lattice.embedding)
    inner: defaultdict[int, set[str]] = defaultdict(set)
    outer: set[str] = set()
    seams: set[str] = set()
    for kind, around in enumerate(sides(lattice)):
        for first, second, offset in around:
            units, others = cover.across(kind, offset)
            places = region.places[units]
            beyond = region.index(places + np.array(offset))
            beside = (region.places[beyond] == places + np.array(offset)).all(axis=1)
            ends = zip((places + first) @ embedding, (places + second) @ embedding, strict=True)
            for unit, other, near, pair in zip(units, others, beside, ends, strict=True):
                data = paper.line(sorted(pair, key=_key))
                if other != cover.owners[unit]:
                    outer.add(data)
                elif near:
                    inner[other].add(data)
                else:
                    seams.add(data)
    return {k: sorted(v) for k, v in inner.items()}, sorted(outer), sorted(seams - outer)


def borders(cover: Cover, paper: Paper) -> list[str]:
    """Return the path data of the lines around each placement."""
    return _lines(cover, paper)[1]


def _label(cover: Cover, paper: Paper, owner: int, part: list[int]) -> str:
    """Return the name of a piece in the innermost cell of a part, if it is legible there."""
    unit = cover.center_unit(part)
    name = cover.labels[owner]
    size = paper.scale * _radius(cover, unit) * min(0.95, 2.6 / max(len(name), 1))
    return paper.text(_middle(cover, unit), name, size)


def _written(cover: Cover, paper: Paper, units: list[int]) -> Iterator[str]:
    """Yield the labels of some units."""
    for unit in units:
        if text := cover.unit_label(unit):
            size = paper.scale * _radius(cover, unit) * min(0.95, 2.6 / len(text))
            yield paper.text(_middle(cover, unit), text, size)


def _paint(cover: Cover, paper: Paper, units: list[int]) -> list[str]:
    return spots(
        cover, paper, units, lambda u: _middle(cover, u), lambda u: 0.6 * _radius(cover, u)
    )


def _middle(cover: Cover, unit: int) -> Place:
    return np.asarray(cover.region.places[unit] @ np.array(cover.lattice.embedding))


def _radius(cover: Cover, unit: int) -> float:
    """Return the least distance of the sides of a cell from its middle."""
    faces = cover.lattice.faces[int(cover.region.types[unit])]
    corners = np.array(faces[0]) @ np.array(cover.lattice.embedding)
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    return float(np.sqrt((middles**2).sum(axis=1)).min())
