"""One class as a graph: small solutions, and lines between those that are transformed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from exactile.classes.report import Report
from exactile.classes.sheet import INKS, Box, label, label_box, line, sheet
from exactile.classes.silhouettes import Forms
from exactile.classes.solutions import Solutions
from exactile.classes.transformations import Transformation
from exactile.errors import PuzzleError
from exactile.render.thumbnail import small

MOST_DRAWN = 300
"""Larger classes would be a picture that nobody can read."""

GAP = 46.0
"""Least distance between small pictures, in pixels, so that edges and their names are seen."""

Places = npt.NDArray[np.float64]


def class_picture(report: Report, number_of_class: int = 1, *, zoom: float = 0.5) -> str:
    """Draw a class: its solutions, and the transformations between them with their pieces.

    Solutions are turned so that what is joined looks alike.

    Parameters
    ----------
    report
        The report.
    number_of_class
        1 is the largest class.
    zoom
        Size of the solutions.

    Raises
    ------
    PuzzleError
        If there is no such class, or it is too large to be drawn.

    Examples
    --------
    >>> import exactile
    >>> from exactile.classes import classify
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-3x20")))
    >>> picture = class_picture(classify(solutions))
    >>> picture.count("<svg"), picture.count("<line"), ">FLNTWYZ<" in picture
    (3, 4, True)
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
    pictures = [small(solutions.puzzle, decoder.solution(turned[s]), zoom=zoom) for s in members]
    sizes = np.array([picture.size for picture in pictures])
    places = _spread(_layout(members, edges), sizes)
    at = dict(zip(members, places, strict=True))
    forms = Forms(solutions)
    title = (
        f"{solutions.puzzle.title or solutions.puzzle.name}: class {number_of_class} of "
        f"{len(report.classes):,}, {len(members)} of {len(solutions):,} solutions"
    )
    lines, labels = [], []
    taken = [(x - w / 2, y - h / 2, w, h) for (x, y), (w, h) in zip(places, sizes, strict=True)]
    for change in edges:
        start, end = at[change.first], at[change.second]
        lines.append(line(start.tolist(), end.tolist(), INKS[change.kind], 1.8))
        words = " ".join(forms.names(part) for part in change.halves or (change.moved,))
        x, y = _free_spot(start, end, words, taken)
        taken.append(label_box(x, y, words))
        labels.append(label(x, y, words, INKS[change.kind]))
    small_ones = [
        picture.placed(x - w / 2, y - h / 2)
        for picture, (w, h), (x, y) in zip(pictures, sizes.tolist(), places.tolist(), strict=True)
    ]
    low, high = (places - sizes / 2).min(axis=0), (places + sizes / 2).max(axis=0)
    return sheet(
        [*lines, *small_ones, *labels],
        (low[0] - 20, low[1] - 52, max(high[0] - low[0] + 40, 460), high[1] - low[1] + 72),
        title,
    )


def _free_spot(start: Places, end: Places, words: str, taken: Sequence[Box]) -> Places:
    """Return where on an edge its words hide least of what is there already."""
    spots = [start + part * (end - start) for part in (0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72)]
    return min(
        spots, key=lambda spot: _hidden(label_box(float(spot[0]), float(spot[1]), words), taken)
    )


def _hidden(box: Box, taken: Sequence[Box]) -> float:
    """Return how much of other boxes a box covers."""
    x, y, w, h = box
    across = (max(0.0, min(x + w, a + c) - max(x, a)) for a, _, c, _ in taken)
    down = (max(0.0, min(y + h, b + d) - max(y, b)) for _, b, _, d in taken)
    return sum(i * j for i, j in zip(across, down, strict=True))


def turned_alike(
    solutions: Solutions, members: Sequence[int], edges: Iterable[Transformation]
) -> dict[int, list[int]]:
    """Return the options of each solution of a class, turned as the first one has them."""
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
    """Return a place for each solution, those that are joined near each other."""
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


def _spread(places: Places, sizes: Places) -> Places:
    """Return places moved apart until no two pictures overlap."""
    room = (sizes.max(axis=0) + GAP) / 2
    places = places.copy()
    for _ in range(2000):
        delta = places[:, None] - places[None]
        over = 2 * room - np.abs(delta)
        clash = (over > 1e-6).all(axis=2) & ~np.eye(len(places), dtype=bool)
        if not clash.any():
            break
        axis = over.argmin(axis=2)  # along this axis they part soonest
        step = np.where(np.take_along_axis(delta, axis[..., None], 2)[..., 0] >= 0, 1.0, -1.0)
        same = (delta == 0).all(axis=2)
        step = np.where(same & (np.arange(len(places))[:, None] < np.arange(len(places))), -1, step)
        push = np.where(clash, step * np.take_along_axis(over, axis[..., None], 2)[..., 0], 0) / 2.5
        for k in (0, 1):
            places[:, k] += np.where(axis == k, push, 0).sum(axis=1) / np.maximum(
                1, (clash & (axis == k)).sum(axis=1)
            )
    return places
