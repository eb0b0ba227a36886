"""Lines between small pictures that avoid other pictures, and places for words on them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from exactile.render.paper import number
from exactile.surveys.classes.sheet import Box

Places = npt.NDArray[np.float64]

BENDS = (0.0, 0.12, -0.12, 0.24, -0.24, 0.4, -0.4, 0.6, -0.6)
"""Distance of the middle of a line from the straight line, relative to its length."""

STEPS = np.linspace(0.0, 1.0, 33)

SPOTS = (16, 14, 18, 12, 20, 10, 22, 8, 24)
"""Indices in `STEPS` of the places on a line where words may be, the best first."""

ROOM = 5.0
"""Least distance between a line and a picture that it passes, in pixels."""


class Curve:
    """A line between two places.

    Examples
    --------
    >>> way = Curve(np.array([0.0, 0.0]), np.array([10.0, 0.0]), 0.4)
    >>> way.points[16].tolist(), way.data
    ([5.0, 4.0], 'M0 0Q5 8 10 0')
    """

    def __init__(self, start: Places, end: Places, bend: float) -> None:
        along = end - start
        apex = (start + end) / 2 + 2 * bend * np.array([-along[1], along[0]])
        t = STEPS[:, None]
        # Places on the line, from its start to its end
        self.points: Places = (1 - t) ** 2 * start + 2 * t * (1 - t) * apex + t**2 * end
        (a, b), (c, d), (e, f) = ([number(float(x)) for x in p] for p in (start, apex, end))
        self.data = f"M{a} {b}Q{c} {d} {e} {f}"  # of an SVG path


def ways(pairs: Sequence[tuple[int, int]], places: Places, sizes: Places) -> list[Curve]:
    """Return a line for each pair of pictures, as straight as possible.

    `pairs`: the numbers of the pictures; a pair may come several times. `places`, `sizes`: centers
    of the pictures, and their widths and heights.

    Examples
    --------
    >>> places = np.array([[0.0, 0.0], [100.0, 0.0], [200.0, 0.0]])
    >>> found = ways([(0, 1), (0, 2)], places, np.full((3, 2), 20.0))
    >>> [bool(abs(way.points[:, 1]).max() > 15) for way in found]
    [False, True]
    """
    taken: set[tuple[int, int, float]] = set()
    found = []
    reach = sizes / 2 + ROOM
    for first, second in pairs:
        others = np.delete(np.arange(len(places)), [first, second])
        tried = []
        for bend in BENDS:
            way = Curve(places[first], places[second], bend)
            near = np.abs(way.points[:, None] - places[others]) < reach[others]
            cost = 100.0 * ((first, second, bend) in taken) + float(near.all(axis=2).sum())
            tried.append((cost, abs(bend), bend, way))
        _, _, bend, way = min(tried, key=lambda each: each[:3])
        taken |= {(first, second, bend), (second, first, -bend)}
        found.append(way)
    return found


def spots(found: Sequence[Curve], sizes: Sequence[tuple[float, float]], taken: list[Box]) -> Places:
    """Return places for words: on their line, away from pictures, words and other lines.

    `found`: the lines. `sizes`: width and height of the words of each. `taken`: boxes of pictures.
    """
    boxes = np.array(taken, dtype=float).reshape(-1, 4)
    points = np.concatenate([way.points for way in found]) if found else np.empty((0, 2))
    result = np.empty((len(found), 2))
    for k, (way, (wide, high)) in enumerate(zip(found, sizes, strict=True)):
        half = np.array([wide, high]) / 2

        hidden = [_hidden(way, spot, half, boxes, points) for spot in SPOTS]
        place = way.points[SPOTS[int(np.argmin(hidden))]]
        result[k] = place
        boxes = np.vstack([boxes, [*(place - half), wide, high]])
    return result


def _hidden(way: Curve, spot: int, half: Places, boxes: Places, points: Places) -> float:
    """Return a cost: how much of boxes and other lines words at a place on a line would hide."""
    place = way.points[spot]
    low = np.maximum(place - half, boxes[:, :2])
    high = np.minimum(place + half, boxes[:, :2] + boxes[:, 2:])
    area = np.maximum(high - low, 0).prod(axis=1).sum()
    crossed = (np.abs(points - place) < half).all(axis=1).sum()
    own = (np.abs(way.points - place) < half).all(axis=1).sum()
    return float(area + 20 * (crossed - own))
