"""A page that shows how a solution is taken apart: one file, with its data as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from math import asin, pi, sqrt
from pathlib import Path

import msgspec
import numpy as np

from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice
from exactile.puzzle import Puzzle
from exactile.render.facets import keys, normal
from exactile.render.pictures import harmless
from exactile.render.svg_space import Array, Faces
from exactile.render.taking import MoveShown, places

PAGE = Path(__file__).parent / "film.html"
"""The page, with places for its data."""

THICK = 0.6
"""Thickness of pieces of the plane, relative to the length of a side."""

ROOM = 1.35
"""Half the width of the picture, relative to half the diagonal of the assembly's bounding box."""

VIEWS = {2: (0.0, 1.1), 3: (pi / 4, asin(sqrt(1 / 3)))}
"""Angles of the first view by the dimension: around the vertical axis, and from above."""

DIGITS = 5
"""Digits of coordinates in the page."""

Place = tuple[float, ...]


class FaceData(msgspec.Struct, frozen=True):
    """A face of a piece where it is in the assembly."""

    corners: tuple[Place, ...]
    normal: Place
    # For each side, whether the piece does not continue beyond it in the plane of the face
    sides: tuple[bool, ...]


class SolidData(msgspec.Struct, frozen=True):
    """A piece where it is in the assembly: its outside, or balls as centers with radii."""

    name: str
    color: str
    faces: tuple[FaceData, ...]
    balls: tuple[Place, ...]


class MoveData(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move: a translation by `shift`, or a quarter turn about an axis through a point."""

    pieces: tuple[int, ...]  # those that are shown
    moving: tuple[int, ...]
    words: str
    parting: str
    away: bool  # whether it leads away: the next move begins as if it had not been made
    shift: Place = ()
    about: Place = ()
    axis: Place = ()


class FilmData(msgspec.Struct, frozen=True):
    """Everything that the page shows."""

    pieces: tuple[SolidData, ...]
    moves: tuple[MoveData, ...]
    middle: Place
    reach: float
    view: Place
    axes: tuple[tuple[str, Place], ...]


def page(
    puzzle: Puzzle, found: Sequence[MoveShown], labels: Sequence[str], colors: Sequence[str]
) -> str:
    """Return the page of a sequence of moves.

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
    """Return the data of the page."""
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
    """Return a place with a third coordinate."""
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
    """Return the outer faces of a piece, or its balls."""
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
    """Yield the faces of each unit in space; cells of the plane are made thick."""
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
