"""Pictures of a disassembly: one for each move, or an HTML page that plays the moves.

A picture shows the pieces that were still together, as they lie after the move: moved ones in their
colors, the others pale. An arrow shows the path of the middle of the moving pieces or, in a turn,
of one of their corners. Pieces that left before are not drawn. The page is one file, with its data
as JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from math import asin, ceil, pi, sqrt
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from exactile.answers.assembly import Disassembly, Move
from exactile.assembly.disassemble import outcome_words, piece_labels, piece_words, way_words
from exactile.assembly.replay import Turn
from exactile.doors import Positive, door, require_sink
from exactile.errors import PictureError
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice
from exactile.puzzle import Placement, Puzzle, Region
from exactile.puzzle.coordinates import from_coordinates
from exactile.render.cover import Cover
from exactile.render.paper import (
    INK,
    PAPER,
    RIM,
    Drawing,
    Paper,
    assign_colors,
    ground,
    lettering,
    mixed,
    number,
    path,
    with_words,
)
from exactile.render.pictures import PictureStream, harmless, write_sheet
from exactile.render.svg_plane import cells
from exactile.render.svg_space import (
    HIGHEST,
    ISOMETRIC,
    Array,
    Faces,
    Facet,
    in_order,
    inside,
    keys,
    moved_apart,
    normal,
    standing,
)

WIDTH = 280
"""Width of a picture in pixels."""

TIP, COMPASS, LETTERS = 10.0, 18.0, 11.0
"""Lengths in pixels: of the tip of an arrow, of the axes in a corner, of the letters of names."""

NEAR = 1.5
"""Largest distance, in sides of a cell, at which a face may hide the middle of another face."""

PALE = 0.38
"""Share of its color that a piece at rest keeps; the rest is white."""

THROUGH = 0.4
"""Opacity at which moving pieces are visible through the pieces that hide them."""

CLEAR = 1.0
"""Least distance from the other pieces at which pieces that leave are drawn, in sides of a cell."""

SAMPLES = 12
"""Number of straight lines that approximate the arrow of a turn."""


class MoveShown(NamedTuple):
    """A move of a disassembly, with the data for a picture of it."""

    move: Move
    """The move.

    If its pieces leave the others, it has the number of steps after which they are drawn.
    """
    pieces: tuple[int, ...]
    """Numbers of the placements that are together before the separation that contains the move."""
    words: str
    parting: str
    """The separation in words: ``L T from V Z`` if the pieces L and T leave V and Z."""
    before: tuple[Points, ...]
    """The units of every placement before the move."""
    after: tuple[Points, ...]
    away: bool
    """Whether the pieces leave the others by this move; the next move then starts from `before`."""


def steps(puzzle: Puzzle, disassembly: Disassembly) -> list[MoveShown]:
    """Return the moves of a disassembly, with the units of the placements before and after each.

    Raise PuzzleError if a unit of the disassembly is not in the region.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("soma-cube")
    >>> found = steps(puzzle, exactile.take_apart(puzzle, exactile.solve_one(puzzle)))
    >>> len(found), found[0].pieces, found[1].before[0] is found[0].before[0]
    (6, (0, 1, 2, 3, 4, 5, 6), True)
    """
    solution = from_coordinates(puzzle, disassembly.solution)
    units = tuple(np.array(placement.units, dtype=np.int64) for placement in solution)
    labels = piece_labels(disassembly)
    result = []
    for separation in disassembly.separations:
        rest = [k for k in separation.pieces if k not in separation.removed]
        parting = f"{piece_words(labels, separation.removed)} from {piece_words(labels, rest)}"
        for move in separation.moves:
            words = f"{piece_words(labels, move.pieces)}  {way_words(puzzle.lattice.axes, move)}"
            shown = move
            if move.steps is None:
                resting = [k for k in separation.pieces if k not in move.pieces]
                far = _clear(puzzle.lattice, units, move, resting)
                shown = Move(pieces=move.pieces, direction=move.direction, steps=far)
            after = tuple(
                moved(puzzle.lattice, own, shown) if k in move.pieces else own
                for k, own in enumerate(units)
            )
            away = move.steps is None
            result.append(MoveShown(shown, separation.pieces, words, parting, units, after, away))
            units = units if move.steps is None else after  # a later separation begins there
    return result


def moved(lattice: Lattice, units: Points, move: Move) -> Points:
    """Return units after a move, but unchanged after a translation away from the other pieces."""
    if move.about is not None:
        return Turn(move).after(units)
    return np.asarray(units + (move.steps or 0) * lattice.period * np.array(move.direction))


def places(lattice: Lattice, units: Points) -> Array:
    """Return all corners of units, in the plane or in space; shape ``(n, d)``."""
    kinds = lattice.types(units)
    corners = [np.array([c for face in faces for c in face]) for faces in lattice.faces]
    flat = [unit + corners[kind] for unit, kind in zip(units, kinds.tolist(), strict=True)]
    return np.asarray(np.concatenate(flat) @ np.array(lattice.embedding))


def _clear(lattice: Lattice, units: Sequence[Points], move: Move, resting: Sequence[int]) -> int:
    """Return after how many steps the moving pieces are at least `CLEAR` past the resting ones."""
    way = np.array(move.direction) * lattice.period @ np.array(lattice.embedding)
    length = float(np.linalg.norm(way))
    first = min(float((places(lattice, units[k]) @ way).min()) for k in move.pieces) / length
    last = max(float((places(lattice, units[k]) @ way).max()) for k in resting) / length
    return max(1, ceil((last - first + CLEAR) / length - 1e-6))


def way_of(lattice: Lattice, move: Move, place: Array) -> Array:
    """Return points along the path of a point during a move, shape ``(n, d)``."""
    if move.about is None:
        way = (move.steps or 0) * lattice.period * np.array(move.direction)
        return np.array([place, place + way @ np.array(lattice.embedding)])
    angles = np.linspace(0, np.pi / 2, SAMPLES + 1)[:, None]
    axis, foot = np.array(move.direction, dtype=float), np.array(move.about)
    along = (place - foot) @ axis * axis
    out = place - foot - along
    return np.asarray(foot + along + np.cos(angles) * out + np.sin(angles) * np.cross(axis, out))


@door
def write_disassembly(
    puzzle: Puzzle,
    disassembly: Disassembly,
    stream: PictureStream,
    form: str,
    columns: Positive | None = None,
) -> int:
    """Write the moves of a disassembly as pictures, and return their number.

    Parameters
    ----------
    puzzle, disassembly
        A puzzle, and the disassembly of a solution of it; see `take_apart`.
    stream
        A binary stream to write to.
    form
        ``"svg"`` or ``"png"``: a sheet with a picture for each move. ``"pdf"``: the same on pages
        of A4. ``"html"``: a page that plays the moves and needs no other file.
    columns
        Number of pictures in a row; by default 4 in ``"pdf"``, and on a sheet the number that makes
        it about 1.5 times as wide as high. It has no effect in ``"html"``.

    Raises
    ------
    PictureError
        If there are no moves, the format is unknown, or a PNG would be too large.
    PuzzleError
        If a unit of the disassembly is not in the region, or the stream cannot be written to.

    Examples
    --------
    >>> import exactile
    >>> from io import BytesIO
    >>> puzzle = exactile.load("soma-cube")
    >>> answer = exactile.take_apart(puzzle, exactile.solve_one(puzzle))
    >>> exactile.write_disassembly(puzzle, answer, BytesIO(), "svg")
    6
    """
    if form not in FORMS:
        raise PictureError(f"No moves are drawn as '{form}': write {', '.join(FORMS)}.")
    require_sink(stream, binary=True)
    found = steps(puzzle, disassembly)
    if not found:
        why = "is locked" if disassembly.outcome == "locked" else "was not taken apart"
        raise PictureError(f"There are no moves of {puzzle.name} to draw: the solution {why}.")
    if form == "html":
        colors = assign_colors(Cover(puzzle, from_coordinates(puzzle, disassembly.solution)))
        stream.write(page(puzzle, found, piece_labels(disassembly), colors).encode())
        return len(found)
    title = f"{puzzle.title or puzzle.name}: {outcome_words(disassembly)}"
    pictures = [(drawing, "") for drawing in strip(puzzle, disassembly, found)]
    write_sheet(pictures, stream, form, title, columns)
    return len(found)


FORMS = ("svg", "png", "pdf", "html")


def strip(
    puzzle: Puzzle, disassembly: Disassembly, found: Sequence[MoveShown]
) -> Iterator[Drawing]:
    """Yield a picture for each move, with its number and its words; all are at the same scale."""
    labels = piece_labels(disassembly)
    colors = assign_colors(Cover(puzzle, from_coordinates(puzzle, disassembly.solution)))
    flat = len(puzzle.lattice.embedding[0]) == 2
    axes = np.eye(2) if flat else np.array(ISOMETRIC)
    ways = [_way(puzzle.lattice, step) @ axes for step in found]
    boxes = []
    for step, way in zip(found, ways, strict=True):
        seen = places(puzzle.lattice, np.concatenate([step.after[k] for k in step.pieces])) @ axes
        both = np.concatenate([seen, way])
        boxes.append((both.min(axis=0), both.max(axis=0)))
    room = np.max([high - low for low, high in boxes], axis=0) / 2
    for count, (step, way, (low, high)) in enumerate(zip(found, ways, boxes, strict=True), 1):
        frame = ((low + high) / 2 - room, (low + high) / 2 + room)
        cover = _cover(puzzle, step, labels, colors)
        paper = Paper(frame, WIDTH, HIGHEST)
        if flat:
            elements = cells(cover, paper)
            spots = _middles(cover)
        else:
            corners = moved_apart(cover, 0.0)
            elements = standing(cover, corners, paper, lambda points: points @ axes)
            moving = [k for k, owner in enumerate(step.pieces) if owner in step.move.pieces]
            inner = {unit for k in moving for unit in cover.units_of[k]}
            # Parts of the moving pieces that others hide are seen through these.
            through = standing(cover, corners, paper, lambda points: points @ axes, inner)
            elements += [f'<g opacity="{THROUGH}" pointer-events="none">', *through, "</g>"]
            spots = _visible(in_order(cover, corners), axes)
        names = [labels[k] for k in step.pieces]
        elements += [*_arrow(paper, way), *_names(names, paper, spots, way)]
        elements += _compass(puzzle.lattice, axes, paper.height)
        words = f"{count}. {step.words}"
        yield with_words(ground(WIDTH, paper.height + 2 * COMPASS, words, elements), words, words)


Spots = list[tuple[int, Array, float]]
"""Possible places on the sheet for names: the owner, the place, and its score (high is good)."""


def _middles(cover: Cover) -> Spots:
    """Return the middles of cells in the plane as places for names; innermost ones score best."""
    places = cover.region.places @ np.array(cover.lattice.embedding)
    centers = [places[units].mean(axis=0) for units in cover.units_of]
    return [
        (owner, place, -float(np.linalg.norm(place - centers[owner])))
        for owner, place in zip(cover.owners, places, strict=True)
    ]


def _visible(facets: Sequence[Facet], axes: Array) -> Spots:
    """Return the middles of facets that no nearer facet hides, as places for names.

    The brightest facets score best.
    """
    flat = [facet.corners @ axes for facet in facets]
    middles = np.array([corners.mean(axis=0) for corners in flat])
    result = []
    for k, facet in enumerate(facets):
        # Edges of other faces often pass through the middle of a face, and through its corners.
        tried = middles[k] + 0.5 * (0.8 * flat[k] + 0.2 * np.roll(flat[k], 1, axis=0) - middles[k])
        near = np.flatnonzero(np.abs(middles[k + 1 :] - middles[k]).max(axis=1) < NEAR) + k + 1
        if not any(
            np.linalg.norm(place - middles[j]) < facets[j].radius
            if facets[j].radius
            else inside(place, flat[j])
            for j in near.tolist()
            for place in tried
        ):
            result.append((facet.owner, middles[k], facet.light))
    return result


def _names(names: Sequence[str], paper: Paper, spots: Spots, way: Array) -> Iterator[str]:
    """Yield the name of each piece on a plate, at the best of its possible places, if it has any.

    `names`: the name for each owner. `spots`: the possible places. `way`: the line of the arrow,
    from which names keep away.
    """
    best: dict[int, tuple[tuple[float, float], Array]] = {}
    line = np.concatenate([np.linspace(a, b, 12) for a, b in pairwise(way)])
    wide = [LETTERS * (0.5 + 0.58 * len(name)) for name in names]
    for owner, place, merit in spots:
        room = float(np.linalg.norm(line - place, axis=1).min()) * paper.scale
        key = (min(room, wide[owner] / 2 + 4), merit)
        if owner not in best or key > best[owner][0]:
            best[owner] = key, place
    for owner, (_, middle) in sorted(best.items()):
        place = _beside_tip(paper, middle, way, wide[owner])
        x, y = (float(c) for c in paper.at(place).split())
        yield (
            f'<rect x="{number(x - wide[owner] / 2)}" y="{number(y - 0.65 * LETTERS)}" '
            f'width="{number(wide[owner])}" height="{number(1.3 * LETTERS)}" rx="3" '
            f'fill="{PAPER}" fill-opacity="0.8" pointer-events="none"/>'
        )
        yield paper.text(place, names[owner], LETTERS)


def _beside_tip(paper: Paper, place: Array, way: Array, wide: float) -> Array:
    """Return a place for a name: `place` or, if the tip of the arrow is there, one beside the tip.

    `way`: the line of the arrow. `wide`: width of the name's plate, in pixels.
    """
    plate = np.array([wide, 1.3 * LETTERS])
    if (np.abs(place - way[-1]) * paper.scale > (plate + TIP) / 2).any():
        return place
    on = (way[-1] - way[-2]) / max(float(np.linalg.norm(way[-1] - way[-2])), 1e-9)
    out = np.array([-on[1], on[0]])
    # Beyond the tip, and on its two sides; distances in pixels
    sides = [
        (step, float(np.abs(step) @ plate) / 2 + room)
        for step, room in ((on, 3), (out, 3 + TIP / 2), (-out, 3 + TIP / 2))
    ]
    for step, reach in sorted(sides, key=lambda side: side[1]):
        beside = np.asarray(way[-1] + step * reach / paper.scale)
        if paper.has_room(beside, *plate.tolist()):
            return beside
    return place


def _cover(puzzle: Puzzle, step: MoveShown, labels: Sequence[str], colors: Sequence[str]) -> Cover:
    """Return the solution that a picture of a move shows, without labels, with resting pieces pale.

    It consists of the pieces that were together before the move, as they lie after it.
    """
    units = np.concatenate([step.after[k] for k in step.pieces])
    shown = tuple(
        Placement(labels[k], tuple(tuple(u) for u in step.after[k].tolist())) for k in step.pieces
    )
    scene = Puzzle(puzzle.name, Region(puzzle.lattice, units), puzzle.pieces)
    return Cover(
        scene,
        shown,
        colors=[
            colors[k] if k in step.move.pieces else mixed(colors[k], PALE) for k in step.pieces
        ],
        labels=[""] * len(step.pieces),
    )


def _way(lattice: Lattice, step: MoveShown) -> Array:
    """Return points along the path of one point of the moving pieces, shape ``(n, d)``.

    This point is their middle or, in a turn, the corner that is farthest from the axis.
    """
    corners = places(lattice, np.concatenate([step.before[k] for k in step.move.pieces]))
    start = (corners.min(axis=0) + corners.max(axis=0)) / 2
    if step.move.about is not None:
        across = np.cross(corners - np.array(step.move.about), step.move.direction)
        start = corners[np.argmax((across**2).sum(axis=1).round(6))]
    return way_of(lattice, step.move, start)


def _arrow(paper: Paper, way: Array) -> Iterator[str]:
    """Yield the SVG elements of a dark arrow with a white rim, along a line of points."""
    last = way[-1] - way[-2]
    last = last / max(float(np.linalg.norm(last)), 1e-9) * TIP / paper.scale
    side = np.array([-last[1], last[0]]) / 2
    tip = paper.polygon([way[-1], way[-1] - last + side, way[-1] - last - side])
    shaft = paper.line([*way[:-1], way[-1] - last / 2])
    for color, thick in ((PAPER, 5.0), (INK, 2.0)):
        line: dict[str, str | float] = {
            "stroke": color,
            "stroke_width": thick,
            "pointer_events": "none",
        }
        yield path([shaft], fill="none", **line)
        yield path([tip], fill=color, stroke_linejoin="round", **line)


def _compass(lattice: Lattice, axes: Array, height: float) -> Iterator[str]:
    """Yield named lines in the lower left corner that show the directions of the axes."""
    foot = np.array([COMPASS, height + COMPASS])
    for name, row in zip(lattice.axes, np.array(lattice.embedding) @ axes, strict=False):
        way = row / np.linalg.norm(row) * (1, -1)
        end, word = foot + COMPASS * way, foot + (COMPASS + 7) * way + (0, 3)
        data = f"M{number(foot[0])} {number(foot[1])}L{number(end[0])} {number(end[1])}"
        yield path([data], stroke=RIM, stroke_width=1.5)
        yield lettering(float(word[0]), float(word[1]), name, color=RIM, size=10)


PAGE = Path(__file__).parent / "film.html"
"""Template of the HTML page that plays the moves; words in double braces are placeholders."""

THICK = 0.6
"""Thickness of pieces of the plane, relative to the length of a side."""

ROOM = 1.35
"""Half the width of the picture, relative to half the diagonal of the assembly's bounding box."""

VIEWS = {2: (0.0, 1.1), 3: (pi / 4, asin(sqrt(1 / 3)))}
"""Angles of the first view, in the plane and in space, in radians.

Each pair is the rotation around the vertical axis, and the elevation of the viewer.
"""

DIGITS = 5
"""Decimals of coordinates in the HTML page."""

Place = tuple[float, ...]


class FaceData(msgspec.Struct, frozen=True):
    """A face of a piece, at its place in the assembly."""

    corners: tuple[Place, ...]
    normal: Place
    # For each side, whether the piece does not continue beyond it in the plane of the face
    sides: tuple[bool, ...]


class SolidData(msgspec.Struct, frozen=True):
    """A piece at its place in the assembly: its outer faces, or its balls as centers with radii."""

    name: str
    color: str
    faces: tuple[FaceData, ...]
    balls: tuple[Place, ...]


class MoveData(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move: a translation by `shift`, or a quarter turn about an axis through a point."""

    pieces: tuple[int, ...]  # the pieces that are shown
    moving: tuple[int, ...]
    words: str
    parting: str
    away: bool  # whether it leads away: the next move begins as if it had not been made
    shift: Place = ()
    about: Place = ()
    axis: Place = ()


class FilmData(msgspec.Struct, frozen=True):
    """The data of the HTML page that plays the moves."""

    pieces: tuple[SolidData, ...]
    moves: tuple[MoveData, ...]
    middle: Place  # of the bounding box of the assembly
    reach: float  # half the width of the picture
    view: Place  # angles of the first view: see `VIEWS`
    axes: tuple[tuple[str, Place], ...]  # name and direction of each coordinate axis


def page(
    puzzle: Puzzle, found: Sequence[MoveShown], labels: Sequence[str], colors: Sequence[str]
) -> str:
    """Return the HTML page that plays the moves of a disassembly.

    `labels`, `colors`: the name and the color of each placement.
    """
    film = film_data(puzzle.lattice, found, labels, colors)
    dots = [f'<i style="background:{color}"></i>' for color in colors]
    moves = (
        f"<li><button>{''.join(dots[k] for k in step.move.pieces)} {words}</button></li>"
        for step, words in zip(found, (escape(step.words) for step in found), strict=True)
    )
    text = PAGE.read_text("utf-8").replace("{{moves}}", "\n".join(moves))
    text = text.replace("{{title}}", escape(f"{puzzle.title or puzzle.name}, taken apart"))
    return text.replace("{{film}}", harmless(film))


def film_data(
    lattice: Lattice, found: Sequence[MoveShown], labels: Sequence[str], colors: Sequence[str]
) -> FilmData:
    """Return the data of the HTML page that plays the moves of a disassembly."""
    embedding = np.array(lattice.embedding)
    corners = places(lattice, np.concatenate(found[0].before))
    low, high = _in_space(corners.min(axis=0)), _in_space(corners.max(axis=0))
    if len(low) > len(embedding[0]):
        high[2] = THICK
    unit = embedding / np.linalg.norm(embedding, axis=1)[:, None]
    return FilmData(
        pieces=tuple(
            SolidData(label, color, *_body(lattice, units))
            for label, color, units in zip(labels, colors, found[0].before, strict=True)
        ),
        moves=tuple(_move(lattice, step) for step in found),
        middle=_rounded((low + high) / 2),
        reach=round(float(np.linalg.norm(high - low)) / 2 * ROOM, DIGITS),
        view=VIEWS[len(embedding[0])],
        axes=tuple(
            (name, _rounded(_in_space(row))) for name, row in zip(lattice.axes, unit, strict=False)
        ),
    )


def _in_space(place: Array) -> Array:
    """Return a place with three coordinates; the third is 0 for a place in the plane."""
    return np.append(place, np.zeros(3 - len(place)))


def _rounded(place: Array) -> Place:
    return tuple((np.round(place, DIGITS) + 0.0).tolist())


def _move(lattice: Lattice, step: MoveShown) -> MoveData:
    move = step.move
    shift: Place = ()
    if move.about is None:
        way = (move.steps or 0) * lattice.period * np.array(move.direction)
        shift = _rounded(_in_space(way @ np.array(lattice.embedding)))
    return MoveData(
        pieces=step.pieces,
        moving=move.pieces,
        words=step.words,
        parting=step.parting,
        away=step.away,
        shift=shift,
        about=move.about or (),
        axis=move.direction if move.about else (),
    )


def _body(lattice: Lattice, units: Points) -> tuple[tuple[FaceData, ...], tuple[Place, ...]]:
    """Return a piece's outer faces, and its balls as centers with radii; one of these is empty."""
    bodies = [*_bodies(lattice, units)]
    if lattice.balls:
        middles = [np.mean([face.mean(axis=0) for face in faces], axis=0) for faces in bodies]
        radius = float(np.linalg.norm(bodies[0][0].mean(axis=0) - middles[0]))
        return (), tuple((*_rounded(middle), round(radius, DIGITS)) for middle in middles)
    times = Counter(frozenset(keys(face)) for faces in bodies for face in faces)
    outer = []
    for faces in bodies:
        middle = np.mean([face.mean(axis=0) for face in faces], axis=0)
        outer += [
            (face, normal(face - middle)) for face in faces if times[frozenset(keys(face))] == 1
        ]
    planes = [tuple(np.rint(100 * across).astype(int).tolist()) for _, across in outer]
    uses = Counter(
        (plane, key) for (face, _), plane in zip(outer, planes, strict=True) for key in keys(face)
    )
    return (
        tuple(
            FaceData(
                tuple(map(_rounded, face)),
                _rounded(across),
                tuple(uses[plane, key] == 1 for key in keys(face)),
            )
            for (face, across), plane in zip(outer, planes, strict=True)
        ),
        (),
    )


def _bodies(lattice: Lattice, units: Points) -> Iterator[Faces]:
    """Yield the faces of each unit in space; cells of the plane have the thickness `THICK`."""
    embedding = np.array(lattice.embedding)
    for point, kind in zip(units, lattice.types(units).tolist(), strict=True):
        faces = [(point + np.array(face)) @ embedding for face in lattice.faces[kind]]
        if len(embedding[0]) == 2:
            below = np.pad(faces[0], ((0, 0), (0, 1)))
            up = np.array([0, 0, THICK])
            around = zip(below, np.roll(below, -1, axis=0), strict=True)
            walls = [np.array([a, b, b + up, a + up]) for a, b in around]
            faces = [below, below + up, *walls]
        yield faces
