"""Common properties of edge lattices: neighbors and ends, from the rays at a vertex."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exactile.geometry.lattice import Corner, Point


def ends(origin: Point, rays: Sequence[Point]) -> list[int]:
    """Return the indices of the rays from a vertex to the edges of the same type as `origin`.

    A vertex is a point that is 0 modulo 2. A ray is the offset from a vertex to an edge that ends
    there.

    Examples
    --------
    >>> ends((1, 0), [(1, 0), (0, 1), (-1, 0), (0, -1)])
    [0, 2]
    """
    return [k for k, ray in enumerate(rays) if not (np.subtract(origin, ray) % 2).any()]


def edge_neighbors(
    origins: Sequence[Point], rays: Sequence[Point]
) -> tuple[tuple[Point, ...], ...]:
    """Return, for each type of edge, the offsets to the edges that share a vertex with it.

    `origins`: an edge of each type. `rays`: the offsets from a vertex to the edges that end there.

    Examples
    --------
    >>> square = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    >>> edge_neighbors([(1, 0)], square)[0][:3]
    ((-2, 0), (-1, -1), (-1, 1))
    """
    return tuple(
        tuple(
            sorted(
                tuple(np.subtract(other, rays[k]).tolist())
                for k in ends(origin, rays)
                for other in rays
                if other != rays[k]
            )
        )
        for origin in origins
    )


def edge_faces(
    origins: Sequence[Point], rays: Sequence[Point]
) -> tuple[tuple[tuple[Corner, ...], ...], ...]:
    """Return, for each type of edge, its only face: its two ends, as offsets from the edge.

    `origins`, `rays`: as in `edge_neighbors`.
    """
    return tuple(
        (tuple(tuple(-float(c) for c in rays[k]) for k in ends(origin, rays)),)
        for origin in origins
    )
