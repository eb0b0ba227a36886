"""One class as a graph: small solutions, and lines between those that are transformed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from exactile.errors import PuzzleError
from exactile.render.thumbnail import small
from exactile.search.limits import Limits
from exactile.surveys.classes.chips import Chips
from exactile.surveys.classes.report import Report
from exactile.surveys.classes.sheet import sheet, stroke
from exactile.surveys.classes.solutions import Solutions
from exactile.surveys.classes.transformations import Transformation
from exactile.surveys.classes.ways import spots, ways

MOST_DRAWN = 300
"""Largest class that is drawn; a picture of a larger one would be illegible."""

GAP = 46.0
"""Least distance between small pictures, in pixels, so that lines and labels are visible."""

Places = npt.NDArray[np.float64]


def class_picture(
    report: Report,
    number_of_class: int = 1,
    *,
    zoom: float = 0.5,
    limits: Limits | None = None,
) -> str:
    """Draw a class: its solutions, and the transformations between them with their pieces.

    Solutions are turned so that similar ones look alike. On each line are the pieces that move, in
    their colors.

    Parameters
    ----------
    report
        The report.
    number_of_class
        1 is the largest class.
    zoom
        Size of the solutions.
    limits
        The limits.

    Raises
    ------
    PuzzleError
        If there is no such class, or it is too large to be drawn.
    TimeoutError
        If the limits come first.

    Examples
    --------
    >>> import exactile
    >>> from exactile.surveys.classes import classify
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-3x20")))
    >>> picture = class_picture(classify(solutions))
    >>> picture.count("<svg"), picture.count("1.8"), picture.count(">W<")
    (3, 1, 1)
    """
    if not 1 <= number_of_class <= len(report.classes):
        if not report.classes:
            raise PuzzleError("There is no class: there are no solutions.")
        raise PuzzleError(
            f"There is no class {number_of_class}: they are 1 to {len(report.classes)}."
        )
    members = report.classes[number_of_class - 1]
    if len(members) > MOST_DRAWN:
        raise PuzzleError(
            f"Class {number_of_class} has {len(members):,} solutions: at most {MOST_DRAWN} are "
            "drawn. Choose a smaller class."
        )
    inside = set(members)
    edges = [change for change in report.found if change.first in inside]
    solutions = report.solutions
    turned = turned_alike(solutions, members, edges)
    decoder = solutions.case.decoder
    pictures = []
    for s in members:
        if limits is not None:
            limits.require()
        pictures.append(small(solutions.puzzle, decoder.solution(turned[s]), zoom=zoom))
    sizes = np.array([picture.size for picture in pictures])
    chips = Chips(solutions, turned[members[0]])
    places = _spread(_layout(members, edges), sizes, chips.room(edges))
    title = (
        f"{solutions.puzzle.title or solutions.puzzle.name}: class {number_of_class} of "
        f"{len(report.classes):,}, {len(members)} of {len(solutions):,} solutions"
    )
    index = {s: k for k, s in enumerate(members)}
    found = ways([(index[c.first], index[c.second]) for c in edges], places, sizes)
    taken = [(x - w / 2, y - h / 2, w, h) for (x, y), (w, h) in zip(places, sizes, strict=True)]
    where = spots(found, [chips.size(change) for change in edges], taken)
    lines = [
        f'<path fill="none" {stroke(change.kind)} stroke-width="1.8" d="{way.data}"/>'
        for change, way in zip(edges, found, strict=True)
    ]
    labels = [
        chips.drawn(change, *spot) for change, spot in zip(edges, where.tolist(), strict=True)
    ]
    small_ones = [
        picture.placed(x - w / 2, y - h / 2)
        for picture, (w, h), (x, y) in zip(pictures, sizes.tolist(), places.tolist(), strict=True)
    ]
    rows = np.array([chips.size(change) for change in edges]).reshape(-1, 2)
    lows = [places - sizes / 2, where - rows / 2, *(way.points for way in found)]
    highs = [places + sizes / 2, where + rows / 2, *(way.points for way in found)]
    low, high = np.concatenate(lows).min(axis=0), np.concatenate(highs).max(axis=0)
    return sheet(
        [*lines, *small_ones, *labels],
        (low[0] - 20, low[1] - 52, max(high[0] - low[0] + 40, 460), high[1] - low[1] + 72),
        title,
    )


def turned_alike(
    solutions: Solutions, members: Sequence[int], edges: Iterable[Transformation]
) -> dict[int, list[int]]:
    """Return the options of each solution of a class, turned like the first one."""
    action = solutions.action
    inverse = {
        g: next(
            h
            for h in range(action.order)
            if (action.items[h][action.items[g]] == np.arange(action.items.shape[1])).all()
        )
        for g in {change.element for change in edges}
    }
    ways: dict[int, list[tuple[int, int]]] = {s: [] for s in members}
    for change in edges:
        ways[change.first].append((change.second, change.element))
        ways[change.second].append((change.first, inverse[change.element]))
    turns: dict[int, list[int]] = {members[0]: []}
    queue = [members[0]]
    for here in queue:
        for there, element in ways[here]:
            if there not in turns:
                turns[there] = [element, *turns[here]]
                queue.append(there)
    result = {}
    for s, elements in turns.items():
        options = solutions.rows[s][solutions.rows[s] >= 0].astype(np.int64)
        for element in elements:
            options = action.images(element, options)
        result[s] = options.tolist()
    return result


def _layout(members: Sequence[int], edges: Iterable[Transformation]) -> Places:
    """Return a place for each solution, similar ones near each other."""
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(members)
    graph.add_edges_from((change.first, change.second) for change in edges)
    round_about = nx.circular_layout(graph)
    spots = nx.spring_layout(
        graph,
        pos=round_about,
        seed=1,
        iterations=400,
        k=1.6 / np.sqrt(len(members)),
        method="force",
    )
    return np.asarray(np.array([spots[s] for s in members]) * 90 * np.sqrt(len(members)))


def _spread(places: Places, sizes: Places, gap: float) -> Places:
    """Return places moved apart until pictures have a gap between them."""
    room = (sizes.max(axis=0) + np.array([gap, GAP])) / 2
    places = places * room / room.mean()
    for _ in range(2000):
        delta = places[:, None] - places[None]
        over = 2 * room - np.abs(delta)
        clash = (over > 1e-6).all(axis=2) & ~np.eye(len(places), dtype=bool)
        if not clash.any():
            break
        axis = over.argmin(axis=2)  # along this axis they separate soonest
        step = np.where(np.take_along_axis(delta, axis[..., None], 2)[..., 0] >= 0, 1.0, -1.0)
        same = (delta == 0).all(axis=2)
        step = np.where(same & (np.arange(len(places))[:, None] < np.arange(len(places))), -1, step)
        push = np.where(clash, step * np.take_along_axis(over, axis[..., None], 2)[..., 0], 0) / 2.5
        for k in (0, 1):
            places[:, k] += np.where(axis == k, push, 0).sum(axis=1) / np.maximum(
                1, (clash & (axis == k)).sum(axis=1)
            )
    return places
