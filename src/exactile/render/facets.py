"""The visible faces of solid cells of any lattice, in an order in which they can be painted.

The face between two cells is perpendicular to the line through their points. So of two cells on a
line of sight, the one whose point is nearer to the viewer is in front, and cells never have to be
cut.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from exactile.geometry.lattice import Lattice, Point
from exactile.render.cover import EMPTY, Cover
from exactile.render.svg_space import TOWARD_VIEWER, Array, Faces, side_key

LIGHT = ((0.64, 0.82, 1.0), (0.9, 0.6, 0.5))
"""Brightness of faces across x, y and z: those toward +x, -y, +z, and those on the other side."""


class Facet(NamedTuple):
    """The element that is drawn in one step: a face of a unit, a ball, or an edge."""

    owner: int
    corners: Array
    light: float
    sides: tuple[bool, ...]
    """Whether the piece continues beyond each side (of an edge: each end)."""
    depth: float = 0.0
    """Distance toward the viewer."""
    radius: float = 0.0
    """Radius of a ball around the only corner, 0 if it is not a ball."""


def is_cubic(lattice: Lattice) -> bool:
    """Return whether the units of a lattice are cubes.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> [is_cubic(get_lattice(name)) for name in ("cube", "square-prisms", "cube-faces")]
    [True, True, False]
    """
    return len(lattice.faces[0]) == 6 and np.array_equal(np.array(lattice.embedding), np.eye(3))


@cache
def beyond(lattice: Lattice) -> tuple[tuple[Point | None, ...], ...]:
    """Return for each face of each type of cell the offset to the cell on its other side.

    None if no neighbor has the same face.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> beyond(get_lattice("hexagon-prisms"))[0][:2]
    ((0, 0, -1), (0, 0, 1))
    """
    result = []
    for origin, faces, steps in zip(lattice.origins, lattice.faces, lattice.neighbors, strict=True):
        across = {}
        for step in steps:
            kind = int(lattice.types(np.add(origin, step)))
            for face in lattice.faces[kind]:
                across[_key(np.array(face) + step)] = step
        result.append(tuple(across.get(_key(np.array(face))) for face in faces))
    return tuple(result)


def _key(face: Array) -> frozenset[tuple[int, ...]]:
    return frozenset(tuple(corner) for corner in np.rint(1000 * face).astype(int).tolist())


def normal(corners: Array) -> Array:
    """Return the unit vector across a face of a cell around 0, outwards.

    Examples
    --------
    >>> face = np.array([(1, -1, -1), (1, 1, -1), (1, 1, 1), (1, -1, 1)])
    >>> [(normal(each) + 0).tolist() for each in (face, face[::-1])]
    [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    middle = corners.mean(axis=0)
    around = zip(corners - middle, np.roll(corners, -1, axis=0) - middle, strict=True)
    vector = np.sum([np.cross(a, b) for a, b in around], axis=0)
    return np.asarray(vector / np.linalg.norm(vector) * (1 if vector @ middle > 0 else -1))


def light(direction: Array) -> float:
    """Return the brightness of a face with a normal vector of length 1.

    Examples
    --------
    >>> light(np.array([0.0, 0.0, 1.0])), light(np.array([1.0, 0.0, 0.0]))
    (1.0, 0.64)
    """
    front = direction * (1, -1, 1) > 0
    return float(np.square(direction) @ np.where(front, *LIGHT))


def solid_facets(
    cover: Cover, corners: list[Faces], units: Collection[int] | None = None
) -> Iterator[Facet]:
    """Yield the faces toward the viewer of the placements, or of the region if there are none.

    `corners`: the corners of the faces of each unit, where it is drawn. `units`: the units whose
    faces are wanted, by default all.
    """
    lattice, region = cover.lattice, cover.region
    normals = [
        [normal(np.array(face) @ np.array(lattice.embedding)) for face in faces]
        for faces in lattice.faces
    ]
    chosen = range(len(region)) if units is None else sorted(units)
    found = []
    for unit in chosen:
        owner, kind = cover.owners[unit], int(region.types[unit])
        if owner == EMPTY and cover.solution:
            continue
        middle = np.mean([face.mean(axis=0) for face in corners[unit]], axis=0)
        depth = float(middle @ TOWARD_VIEWER)
        if lattice.balls:
            radius = float(np.linalg.norm(corners[unit][0].mean(axis=0) - middle))
            yield Facet(owner, middle[None], 1.0, (), depth, radius)
            continue
        for place, across, step in zip(
            corners[unit], normals[kind], beyond(lattice)[kind], strict=True
        ):
            if across @ TOWARD_VIEWER > 1e-6 and not _covered(cover, unit, step, units):
                found.append((owner, across, place, depth))
    planes = [tuple(np.rint(100 * across).astype(int).tolist()) for _, across, _, _ in found]
    uses = Counter(
        (f[0], plane, key) for f, plane in zip(found, planes, strict=True) for key in keys(f[2])
    )
    for (owner, across, place, depth), plane in zip(found, planes, strict=True):
        sides = tuple(uses[owner, plane, key] > 1 for key in keys(place))
        yield Facet(owner, place, light(across), sides, depth)


def _covered(cover: Cover, unit: int, step: Point | None, units: Collection[int] | None) -> bool:
    """Return whether a drawn cell of the same piece lies on the other side of a face."""
    if step is None:
        return False
    other = int(cover.region.index((cover.region.units[unit] + np.array(step))[None])[0])
    if other < 0 or (units is not None and other not in units):
        return False
    return cover.owners[other] == cover.owners[unit]


def keys(place: Array) -> list[frozenset[tuple[int, ...]]]:
    """Return keys of the sides of a face, or of the ends of an edge."""
    if len(place) == 2:
        return [side_key(end, end) for end in place]
    return [side_key(a, b) for a, b in zip(place, np.roll(place, -1, axis=0), strict=True)]
