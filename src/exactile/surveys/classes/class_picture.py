"""SVG pictures: a class of similar solutions, a plot of all classes, and moving silhouettes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from exactile.errors import PuzzleError
from exactile.puzzle import Puzzle, Region
from exactile.render.cover import Cover
from exactile.render.paper import (
    FAINT,
    INK,
    PALETTE,
    PAPER,
    STYLE,
    Drawing,
    assign_colors,
    harmless,
    lettering,
    number,
)
from exactile.render.thumbnail import small
from exactile.search.limits import Limits
from exactile.surveys.classes.report import Report
from exactile.surveys.classes.silhouettes import Silhouette
from exactile.surveys.classes.solutions import Solutions
from exactile.surveys.classes.transformations import Kind, Transformation

WORDS = {
    Kind.BLOCK: "blocks moved",
    Kind.EXCHANGE: "sets exchanged",
    Kind.PAIR: "pairs rearranged",
}
INKS = {Kind.BLOCK: "#1d72c4", Kind.EXCHANGE: "#d1495b", Kind.PAIR: "#2e8b57"}
DASHES = {Kind.BLOCK: "none", Kind.EXCHANGE: "9 4", Kind.PAIR: "2.5 3"}
"""Dash pattern of each kind of transformation, which distinguishes it without colors."""

Box = tuple[float, float, float, float]
"""A rectangle: left, top, width and height, in pixels."""


def line(start: Sequence[float], end: Sequence[float], color: str, width: float) -> str:
    """Return a straight SVG line between two points (x, y)."""
    (x, y), (u, v) = start, end
    ends = f'x1="{number(x)}" y1="{number(y)}" x2="{number(u)}" y2="{number(v)}"'
    return f'<line {ends} stroke="{color}" stroke-width="{width}"/>'


def stroke(kind: Kind) -> str:
    """Return the SVG attributes of lines that stand for transformations of the given kind.

    Examples
    --------
    >>> stroke(Kind.PAIR)
    'stroke="#2e8b57" stroke-dasharray="2.5 3"'
    """
    return f'stroke="{INKS[kind]}" stroke-dasharray="{DASHES[kind]}"'


def sheet(parts: Sequence[str], box: Box, title: str, *, legend: bool = True) -> str:
    """Return an SVG document: a heading, a key to the colors if `legend`, and the elements `parts`.

    `box`: the rectangle that is visible.
    """
    x, y, width, height = box
    heading = [lettering(x + 16, y + 22, title, "start", size=14)]
    if legend:
        at = x + 16
        for kind, words in WORDS.items():
            ends = f'd="M{number(at)} {number(y + 38)}h26" stroke-width="2.4"'
            heading.append(f"<path {ends} {stroke(kind)}/>")
            heading.append(lettering(at + 32, y + 42, words, "start"))
            at += 56 + 6.6 * len(words)
    ground = f'<rect x="{number(x)}" y="{number(y)}" width="100%" height="100%" fill="{PAPER}"/>'
    elements = (f"<title>{harmless(title)}</title>", ground, *parts, *heading)
    view = (number(x), number(y), number(width), number(height))
    return Drawing(number(width), number(height), view, elements, STYLE).svg()


Places = npt.NDArray[np.float64]

BENDS = (0.0, 0.12, -0.12, 0.24, -0.24, 0.4, -0.4, 0.6, -0.6)
"""Bends of a curve that are tried, in this order.

A bend is the distance of the curve's middle from the straight line, divided by the line's length.
"""

STEPS = np.linspace(0.0, 1.0, 33)

SPOTS = (16, 14, 18, 12, 20, 10, 22, 8, 24)
"""Indices in `STEPS` of the points on a curve where its label may be, the best first."""

ROOM = 5.0
"""Least distance between a curve and a picture that it passes, in pixels."""


class Curve:
    """A curve between two points, with its path data for SVG.

    `bend`: distance of the curve's middle from the straight line, divided by the line's length.

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
    """Return a curve between the pictures of each pair, as straight as other pictures allow.

    `pairs`: indices of pictures; equal pairs get different curves. `places`: center of each
    picture. `sizes`: width and height of each picture.

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
    """Return, for each curve, a point at which its label hides little of pictures and curves.

    `found`: the curves. `sizes`: width and height of each label. `taken`: rectangles of the
    pictures. Other labels count as pictures.
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
    """Return how much a label at point `spot` of a curve would hide.

    This is the area of `boxes` that it covers, plus 20 for each point of other curves that it
    covers. `half`: half the width and height of the label. `points`: the points of all curves.
    """
    place = way.points[spot]
    low = np.maximum(place - half, boxes[:, :2])
    high = np.minimum(place + half, boxes[:, :2] + boxes[:, 2:])
    area = np.maximum(high - low, 0).prod(axis=1).sum()
    crossed = (np.abs(points - place) < half).all(axis=1).sum()
    own = (np.abs(way.points - place) < half).all(axis=1).sum()
    return float(area + 20 * (crossed - own))


MOST_DRAWN = 300
"""Largest number of solutions in a class that is drawn; with more, a picture is illegible."""

ZOOM = 0.5
"""Scale of the pictures of solutions in the picture of a class."""

MOST_SILHOUETTES = 60
"""Largest number of silhouettes that are drawn for each kind of transformation."""

GAP = 46.0
"""Least distance between pictures one above the other, in pixels; curves and labels need it."""


def class_picture(
    report: Report,
    number_of_class: int = 1,
    *,
    limits: Limits | None = None,
) -> str:
    """Return an SVG picture of a class of solutions and of the transformations between them.

    Solutions are turned so that similar ones look alike. A curve between two solutions stands for a
    transformation; its label names the pieces that move, in their colors.

    `number_of_class`: 1 is the largest class. `limits`: when to stop; None for no limit. Raise
    PuzzleError if there is no such class or it is too large to be drawn, and TimeoutError if a
    limit is reached first.

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
        last = len(report.classes)
        numbers = f"they are 1 to {last}" if last > 1 else "there is only class 1"
        raise PuzzleError(f"There is no class {number_of_class}: {numbers}.")
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
        pictures.append(small(solutions.puzzle, decoder.solution(turned[s]), zoom=ZOOM))
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
    """Return, by number, the options of each solution of a class, turned by a symmetry.

    The first solution is unchanged. The symmetries of the others are chosen so that similar
    solutions look alike.
    """
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
    """Return a point for each solution of a class; similar solutions are near each other."""
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
    """Return the centers of pictures, moved apart until the pictures have gaps between them.

    After 2,000 steps, some pictures may still be too close. `gap`: least distance between pictures
    side by side, in pixels. For pictures one above the other, it is `GAP`.
    """
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


HIGH, LETTER, EDGE = 13.0, 5.2, 6.0
"""Height of a piece's name, width of a letter, and margins of the name, in pixels."""

BETWEEN = 14.0
"""Space for the arrow between the names of two sets that are exchanged, in pixels."""

LEAST, MOST = 46.0, 110.0
"""Least and largest distance between pictures side by side, in pixels; labels lie there."""


class Chips:
    """The labels of transformations: each is a row of the names of the pieces that move.

    `options`: a solution of the class. The background of a name has the color of the piece in this
    solution. Backgrounds are plain if a piece is used more than once, or if there are more
    placements than colors.
    """

    def __init__(self, solutions: Solutions, options: Sequence[int]) -> None:
        self._solutions = solutions
        puzzle = solutions.puzzle
        placements = solutions.case.decoder.solution(list(options))
        several = len(placements) > len(PALETTE) or len({p.piece for p in placements}) < len(
            placements
        )
        colors = assign_colors(Cover(puzzle, placements))
        self._colors = {
            placement.piece: PAPER if several else color
            for placement, color in zip(placements, colors, strict=True)
        }
        names = [piece.name for piece in puzzle.pieces]
        endings = {re.sub(r"^.*?(\d*)$", r"\1", name) for name in names}
        common = endings.pop() if len(endings) == 1 else ""
        self._short = {name: name.removesuffix(common) or name for name in names}

    def _sets(self, change: Transformation) -> list[list[str]]:
        """Return the names of the pieces that move: two lists for an exchange, otherwise one."""
        pieces, piece_of = self._solutions.puzzle.pieces, self._solutions.model.piece_of
        return [
            sorted(pieces[k].name for k in piece_of[list(part)].tolist())
            for part in change.halves or (change.moved,)
        ]

    def _wide(self, name: str) -> float:
        return LETTER * len(self._short[name]) + EDGE

    def size(self, change: Transformation) -> tuple[float, float]:
        """Return the width and the height of the label of a transformation, in pixels."""
        sets = self._sets(change)
        wide = sum(self._wide(name) for names in sets for name in names)
        return wide + BETWEEN * (len(sets) - 1) + 2, HIGH + 2

    def room(self, changes: Sequence[Transformation]) -> float:
        """Return a distance between pictures, in pixels, for which three out of four labels fit.

        It is at least `LEAST` and at most `MOST`.
        """
        wide = sorted(self.size(change)[0] for change in changes)
        return min(MOST, max(LEAST, wide[3 * len(wide) // 4] + 16)) if wide else LEAST

    def drawn(self, change: Transformation, x: float, y: float) -> str:
        """Return the label of a transformation as SVG elements, centered at (x, y)."""
        ink = INKS[change.kind]
        wide, high = self.size(change)
        left, top = x - wide / 2, y - high / 2
        parts = [_field(left, top, wide, high, PAPER, ink)]
        left, top = left + 1, top + 1
        for k, names in enumerate(self._sets(change)):
            if k:
                parts.append(lettering(left + BETWEEN / 2, y + 4, "\u2194", color=ink, size=11))
                left += BETWEEN
            for name in names:
                wide = self._wide(name)
                parts.append(_field(left, top, wide, HIGH, self._colors.get(name, PAPER), ""))
                words = lettering(left + wide / 2, y + 3.2, self._short[name], color=INK, size=9)
                parts.append(words)
                left += wide
        return "".join(parts)


def _field(x: float, y: float, wide: float, high: float, color: str, ink: str) -> str:
    """Return an SVG rectangle with its upper left corner at (x, y).

    `color`: color of its inside. `ink`: color of its border; empty for no border.
    """
    border = f' stroke="{ink}" stroke-width="1.4"' if ink else ""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" '
        f'rx="1.5" fill="{color}"{border}/>'
    )


def silhouettes_picture(
    solutions: Solutions, table: Sequence[Silhouette], *, limits: Limits | None = None
) -> str:
    """Return an SVG picture of the silhouettes that each kind of transformation moves most often.

    A silhouette is the union of the pieces that move. Below it, the picture states how often it was
    moved, and which sets of pieces form it. `table`: the result of `silhouette_table`, of which at
    most `MOST_SILHOUETTES` of each kind are drawn. `limits`: when to stop; None for no limit. Raise
    TimeoutError if a limit is reached first.

    Examples
    --------
    >>> import exactile
    >>> from exactile.surveys.classes import silhouette_table
    >>> from exactile.surveys.classes.transformations import transformations
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-3x20")))
    >>> table = silhouette_table(solutions, transformations(solutions))
    >>> silhouettes_picture(solutions, table).count("<svg")
    2
    """
    columns, wide, high = 6, 150, 132
    parts: list[str] = []
    top = 44.0
    for kind in Kind:
        silhouettes = [silhouette for silhouette in table if silhouette.kind == kind]
        if not silhouettes:
            continue
        number_shown = min(len(silhouettes), MOST_SILHOUETTES)
        cut = f", the first {number_shown}" if number_shown < len(silhouettes) else ""
        parts.append(
            lettering(
                16,
                top,
                f"{WORDS[kind]}: {len(silhouettes):,} silhouettes{cut}",
                "start",
                INKS[kind],
                14,
            )
        )
        top += 10
        for k, silhouette in enumerate(silhouettes[:number_shown]):
            if limits is not None:
                limits.require()
            x, y = 16 + wide * (k % columns), top + high * (k // columns)
            parts.append(_silhouette(solutions, silhouette, x, y, wide))
        top += high * -(-number_shown // columns) + 30
    title = f"{solutions.puzzle.title or solutions.puzzle.name}: silhouettes that move"
    return sheet(parts, (0, 0, 16 + wide * columns, top), title, legend=False)


def _silhouette(
    solutions: Solutions, silhouette: Silhouette, x: float, y: float, wide: float
) -> str:
    """Return SVG elements for a silhouette: an example of pieces that form it, and its numbers."""
    picture = _part(solutions, silhouette.example)
    w, h = picture.size
    named = ", ".join(f"{pieces} {n}" for pieces, n in silhouette.pieces.most_common())
    room = 24
    words = named if len(named) <= room else named[: room - 3] + "..."
    return (
        picture.placed(x + (wide - w) / 2, y + 6 + (80 - h) / 2)
        + lettering(x + wide / 2, y + 102, f"{silhouette.count:,}", size=12)
        + f"<g><title>{harmless(named)}</title>"
        + f"{lettering(x + wide / 2, y + 117, words, size=10)}</g>"
    )


def _part(solutions: Solutions, options: Sequence[int]) -> Drawing:
    """Return a small picture of some placements, without the rest of the region."""
    puzzle = solutions.puzzle
    placements = solutions.case.decoder.solution(list(options))
    points = np.array([unit for placement in placements for unit in placement.units])
    region = Region(puzzle.lattice, points, wrap=puzzle.region.wrap)
    part = Puzzle("part", region, puzzle.pieces)
    w, h = small(part, placements).size
    return small(part, placements, zoom=min(0.6, 124 / w, 80 / h))


def bushiness_plot(report: Report) -> str:
    """Return Hansen's plot of classes as SVG: a dot for each class of two or more solutions.

    The classes are ordered by size from left to right. The height of a dot shows the number of
    transformations in the class, on a logarithmic scale. The dark line shows the least number of
    them that can connect all solutions of the class; a dot on it is a class whose graph is a tree.

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
