"""Hansen's plot of bushiness: the number of transformations of each class."""

from __future__ import annotations

import numpy as np

from exactile.render.colors import FAINT, INK
from exactile.render.paper import lettering, number
from exactile.surveys.classes.report import Report
from exactile.surveys.classes.sheet import INKS, line, sheet
from exactile.surveys.classes.transformations import Kind


def bushiness_plot(report: Report) -> str:
    """Draw, for every class of two or more solutions, the number of its transformations.

    Classes are in the order of their sizes. The dark line is the least number that can connect a
    class; a dot on it is a class that is a tree.

    Examples
    --------
    >>> import exactile
    >>> from exactile.surveys.classes import Solutions, classify
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-4x15")))
    >>> bushiness_plot(classify(solutions)).count("<circle")
    72
    """
    found = sorted((size, edges) for size, edges in report.bushiness if size > 1)
    width, height, left, right, top, bottom = 760, 470, 64, 20, 62, 60
    most = max([edges for _, edges in found], default=1)
    up = (height - top - bottom) / np.log2(1 + most)
    across = (width - left - right) / max(1, len(found))

    def y(value: float) -> float:
        return float(height - bottom - up * np.log2(1 + value))

    parts = []
    ticks = [t for t in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**4, 10**5) if t <= most]
    for tick in ticks:
        parts.append(line((left, y(tick)), (width - right, y(tick)), FAINT, 0.8))
        parts.append(lettering(left - 8, y(tick) + 4, f"{tick:,}", "end"))
    places = [left + across * (k + 0.5) for k in range(len(found))]
    tree = " ".join(
        f"{number(x)},{number(y(size - 1))}" for x, (size, _) in zip(places, found, strict=True)
    )
    dots = [
        f'<circle cx="{number(x)}" cy="{number(y(edges))}" r="2.4" fill="{INKS[Kind.BLOCK]}" '
        f'fill-opacity="0.7"><title>{size} solutions, {edges} transformations</title></circle>'
        for x, (size, edges) in zip(places, found, strict=True)
    ]
    last = -100.0
    for x, (size, _), before in zip(places, found, [(0, 0), *found], strict=False):
        if size != before[0] and x - last > 22:
            parts.append(line((x, height - bottom), (x, height - bottom + 5), INK, 0.8))
            parts.append(lettering(x, height - bottom + 18, f"{size}"))
            last = x
    parts.append(f'<polyline points="{tree}" fill="none" stroke="{INK}" stroke-width="1.2"/>')
    parts.append(
        lettering(left + (width - left - right) / 2, height - 16, "classes in order, by their size")
    )
    parts.append(
        lettering(16, 42, "transformations in the class (logarithmic); the line: a tree", "start")
    )
    puzzle = report.solutions.puzzle
    title = f"{puzzle.title or puzzle.name}: {len(found):,} classes of two or more solutions"
    return sheet([*parts, *dots], (0, 0, width, height), title, legend=False)
