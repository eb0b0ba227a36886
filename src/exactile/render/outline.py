"""Outlines of groups of cells as compact path data: loops in small whole numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

Node = tuple[int, ...]
"""A corner in coordinates that are exact, so that equal corners are equal."""

Side = tuple[Node, Node]
"""From one corner to another."""

Spot = tuple[int, int]
"""A place on the sheet."""


def boundary(cells: Iterable[Sequence[Node]]) -> list[list[Node]]:
    """Return the closed loops around cells, without corners at which a loop goes straight on.

    `cells`: the corners of each cell, all in the same sense of rotation. Cells that touch have
    whole sides in common.

    The result: the loops; those around holes turn the other way.

    >>> boundary([[(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 0), (2, 0), (2, 1), (1, 1)]])
    [[(0, 0), (2, 0), (2, 1), (0, 1)]]
    """
    left = _once(cells)
    follow: defaultdict[Node, list[Node]] = defaultdict(list)
    for first, second in sorted(left, reverse=True):
        follow[first].append(second)
    loops = []
    for first, _ in sorted(left):
        loop = []
        node = first
        while follow[node]:
            loop.append(node)
            node = follow[node].pop()
        if loop:
            loops.append(_bends(loop))
    return loops


def _once(cells: Iterable[Sequence[Node]]) -> set[Side]:
    """Return the sides that no other cell has the other way around."""
    left: set[Side] = set()
    for corners in cells:
        for first, second in zip(corners, [*corners[1:], corners[0]], strict=True):
            if (second, first) in left:
                left.remove((second, first))
            else:
                left.add((first, second))
    return left


def _bends(loop: list[Node]) -> list[Node]:
    """Return a loop without the corners that lie straight between their neighbors."""
    around = zip([loop[-1], *loop[:-1]], loop, [*loop[1:], loop[0]], strict=True)
    return [here for before, here, after in around if not _straight(before, here, after)]


def _straight(before: Node, here: Node, after: Node) -> bool:
    ax, ay = here[0] - before[0], here[1] - before[1]
    bx, by = after[0] - here[0], after[1] - here[1]
    return ax * by == ay * bx and ax * bx + ay * by > 0


def seams(cells: Iterable[Sequence[Node]]) -> list[Side]:
    """Return the lines between cells; collinear ones are joined.

    >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    >>> seams([[(x + i, y + j) for x, y in square] for i in (0, 1) for j in (0, 1)])
    [((0, 1), (2, 1)), ((1, 0), (1, 2))]
    """
    sides: set[Side] = set()
    shared: set[Side] = set()
    for corners in cells:
        for first, second in zip(corners, [*corners[1:], corners[0]], strict=True):
            side = (min(first, second), max(first, second))
            (shared if side in sides else sides).add(side)
    starts = dict.fromkeys(sorted(shared))
    result = []
    while starts:
        first, second = next(iter(starts))
        del starts[first, second]
        step = tuple(b - a for a, b in zip(first, second, strict=True))
        while (second, _moved(second, step)) in starts:
            beyond = _moved(second, step)
            del starts[second, beyond]
            second = beyond
        result.append((first, second))
    return result


def _moved(node: Node, step: Sequence[int]) -> Node:
    return tuple(a + b for a, b in zip(node, step, strict=True))


def outline(cells: Iterable[Sequence[Node]], spot: Callable[[Node], Spot]) -> str:
    """Return the outlines of cells, given by their corners, as the data of an SVG path.

    >>> outline([[(0, 0), (1, 0), (1, 1), (0, 1)]], lambda node: (node[0] * 30, node[1] * 30))
    'M0 0h30v30h-30z'
    """
    return "".join(strokes([spot(node) for node in loop]) + "z" for loop in boundary(cells))


def strokes(spots: Sequence[Spot]) -> str:
    """Return path data of a line through places: absolute, then steps.

    >>> strokes([(5, 5), (5, 9), (8, 5), (10, 5), (9, 4)])
    'M5 5v4l3-4h2l-1-1'
    """
    parts = [f"M{spots[0][0]} {spots[0][1]}"]
    last = ""
    for (x, y), (u, v) in pairwise(spots):
        dx, dy = u - x, v - y
        if dx and dy:
            joint = "l" if last != "l" else "" if dx < 0 else " "
            parts.append(f"{joint}{dx}{'' if dy < 0 else ' '}{dy}")
            last = "l"
        elif dx or dy:
            last = "h" if dx else "v"
            parts.append(f"{last}{dx or dy}")
    return "".join(parts)
