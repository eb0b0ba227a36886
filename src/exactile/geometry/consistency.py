"""Checks whether the data of a lattice fit together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exactile.errors import GeometryError
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Corner, Lattice, Point
from exactile.wanted import plural

Faces = Sequence[Sequence[Corner]]

PRECISION = 1e-3
"""Largest accepted relative error of squared lengths, since the numbers of an embedding may be
rounded."""


def require_consistent(lattice: Lattice) -> None:
    """Raise GeometryError unless the data of a lattice fit together; the message names the field.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from exactile.geometry.lattices.square import LATTICE
    >>> require_consistent(replace(LATTICE, neighbors=(((1, 0), (-1, 0), (0, 1)),)))
    Traceback (most recent call last):
        ...
    exactile.errors.GeometryError: The lattice square: type 0 has the neighbor (0, 1), but type 0 \
lacks the neighbor (0, -1).
    """
    fault = _fault(lattice)
    if fault is not None:
        raise GeometryError(f"The lattice {lattice.name}: {fault}.")


def _fault(lattice: Lattice) -> str | None:
    checks = (_fault_of_shape, _fault_of_types, _fault_of_art)
    return next(filter(None, (check(lattice) for check in checks)), None)


def _fault_of_shape(lattice: Lattice) -> str | None:
    """Return, in words, a field with points or rows of a wrong length; None if there is none."""
    if not (len(lattice.origins) and np.ndim(lattice.origins[0]) == 1):
        return "origins has no point: give one for each type of unit"
    n = lattice.dimension
    points = f"points of {plural(n, 'coordinate')}, like the origin {lattice.origins[0]}"
    for name, value, rows, columns, wanted in (
        ("origins", lattice.origins, None, n, points),
        *(("neighbors", steps, None, n, points) for steps in lattice.neighbors),
        *(("generators", matrix, n, n, f"{n} x {n} matrices") for matrix in lattice.generators),
        ("embedding", lattice.embedding, n, None, f"a row for each of {n} coordinates"),
    ):
        try:
            shape = np.array(value if np.size(value) else np.empty((0, n)), dtype=float).shape
        except (TypeError, ValueError):  # ragged, or not of numbers
            shape = ()
        if len(shape) != 2 or (rows or shape[0], columns or shape[1]) != shape:
            return f"{name} has {value}: give {wanted}"
    return _fault_of_polygons(lattice)


def _fault_of_polygons(lattice: Lattice) -> str | None:
    n = lattice.dimension
    for kind, polygons in enumerate(lattice.faces):
        if not len(polygons):
            return f"faces has no polygon for type {kind}"
        for polygon in polygons:
            try:
                shape = np.array(polygon, dtype=float).shape
            except (TypeError, ValueError):  # ragged, or not of numbers
                shape = ()
            if len(shape) != 2 or shape[0] < 2 or shape[1] != n:
                return (
                    f"faces has {polygon} for type {kind}: "
                    f"give polygons, whose corners have {plural(n, 'coordinate')}"
                )
    return None


def _fault_of_art(lattice: Lattice) -> str | None:
    axes = lattice.axes
    for name, vector in (("columns", lattice.art.columns), ("lines", lattice.art.lines)):
        if len(vector) != len(axes):
            return f"art.{name} has {vector}: give {len(axes)} numbers, for {', '.join(axes)}"
    return None


def _fault_of_types(lattice: Lattice) -> str | None:
    kinds = len(lattice.origins)
    fields = {
        "neighbors": lattice.neighbors,
        "faces": lattice.faces,
        "art.strokes": lattice.art.strokes,
        "art.dots": lattice.art.dots or lattice.art.strokes,
    }
    for name, entries in fields.items():
        if len(entries) != kinds:
            return (
                f"{name} has {plural(len(entries), 'entry', 'entries')} for "
                f"{plural(kinds, 'origin')}: give one for each type of unit"
            )
    for kind, (origin, steps) in enumerate(zip(lattice.origins, lattice.neighbors, strict=True)):
        others = lattice.types(_array(lattice, steps) + np.array(origin)).tolist()
        for step, other in zip(steps, others, strict=True):
            back = tuple(-s for s in step)
            if other < 0:
                return f"type {kind} has the neighbor {step}, where no unit is"
            if back not in lattice.neighbors[other]:
                return (
                    f"type {kind} has the neighbor {step}, "
                    f"but type {other} lacks the neighbor {back}"
                )
    return next(
        filter(None, (_fault_of_generator(lattice, matrix) for matrix in lattice.generators)), None
    )


def _fault_of_generator(lattice: Lattice, generator: tuple[Point, ...]) -> str | None:
    matrix, place = np.array(generator), np.array(lattice.embedding)
    gram = place @ place.T
    if not np.allclose(matrix.T @ gram @ matrix, gram, rtol=PRECISION):
        return f"the generator {generator} changes lengths of the embedding"
    for kind, (origin, steps) in enumerate(zip(lattice.origins, lattice.neighbors, strict=True)):
        image = int(lattice.types(matrix @ np.array(origin)))
        if image < 0:
            return f"the generator {generator} maps the unit {origin} to a place without one"
        turned = (_array(lattice, steps) @ matrix.T).tolist()
        if set(map(tuple, turned)) != set(lattice.neighbors[image]):
            return (
                f"the generator {generator} maps type {kind} to type {image}, but not its neighbors"
            )
        if not _same_faces(lattice.faces[kind], lattice.faces[image], matrix):
            return f"the generator {generator} maps type {kind} to type {image}, but not its faces"
    return None


def _same_faces(here: Faces, there: Faces, matrix: Points) -> bool:
    """Return whether a matrix maps polygons to others, up to the precision of their corners."""
    for size in {len(polygon) for polygon in (*here, *there)}:
        ours, theirs = (np.array([p for p in faces if len(p) == size]) for faces in (here, there))
        if len(ours) != len(theirs):
            return False
        apart = np.abs((ours @ matrix.T)[:, None, :, None] - theirs[None, :, None]).max(axis=-1)
        same = (apart < PRECISION).any(axis=-1).all(axis=-1)  # for each pair of polygons
        if not (same.any(axis=0).all() and same.any(axis=1).all()):
            return False
    return True


def _array(lattice: Lattice, steps: tuple[Point, ...]) -> Points:
    return np.array(steps, dtype=np.int64).reshape(-1, lattice.dimension)
