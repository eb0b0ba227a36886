"""Puzzles as files for 3D printers and laser cutters: pieces, a tray, and a solution."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exactile.atomic import drafted, naming_disk
from exactile.doors import door
from exactile.errors import PieceError, PuzzleError
from exactile.files.puzzles.piece_groups import lattice_of, read_pieces
from exactile.files.sources import Place
from exactile.geometry import get_lattice
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.check import check
from exactile.puzzle.pieces.piece import Piece
from exactile.render.layout import PAPERS
from exactile.render.making.meshes import WRITERS, Body, Maker, Shift, joined, library
from exactile.render.making.parts import LARGEST, Sizes, is_upright
from exactile.render.making.sheets import (
    Outline,
    nested,
    outline,
    paper_pdf,
    sheet_dxf,
    sheet_svg,
)
from exactile.render.svg_space import APART, SPREAD

BETWEEN = 5.0
"""Space between pieces that stand side by side on the plate of a printer, in millimeters."""

MOST_COPIES = 1000
"""Largest number of copies of a piece."""

TOUCH = 1e-6
"""Overlap of boxes around pieces that does not count, in millimeters."""


class MadeFile(NamedTuple):
    """A file that was written, and the size of its contents along the three axes in millimeters."""

    path: Path
    size: tuple[float, float, float]


class Cutting(NamedTuple):
    """The size of sheets, the width of the cut, and the radius of corners, in millimeters."""

    width: float
    height: float
    kerf: float
    radius: float


@door
def make(
    pieces: Puzzle | str | tuple[Piece, ...],
    directory: os.PathLike[str] | str,
    solution: Solution | None = None,
    *,
    cell: float = Sizes.cell,
    height: float | None = None,
    gap: float = Sizes.gap,
    wall: float = Sizes.wall,
    bevel: float = Sizes.bevel,
    sheet: tuple[float, ...] | None = None,
    kerf: float = 0.0,
    radius: float = 0.0,
    watch: Callable[[str], None] | None = None,
    note: Callable[[str], None] | None = None,
) -> tuple[MadeFile, ...]:
    """Write pieces, a solution and a tray as meshes (STL, 3MF, glTF), and flat pieces as outlines.

    Parameters
    ----------
    pieces
        A puzzle, pieces of one lattice, or the name of a set, such as ``"pentominoes"``.
    directory
        A new directory for the files; its parent must exist. The folder ``pieces`` has an STL file
        for each piece, and ``pieces.3mf`` has all pieces and copies side by side. For a puzzle,
        unless its region is wrapped, there are files ``tray``, ``assembled`` and ``exploded`` in
        each format. ``paper.pdf`` has flat pieces at actual size, if a page of A4 has room for
        each.
    solution
        A solution of the puzzle, for ``assembled`` and ``exploded``. It also determines the number
        of copies of each piece. None, or a solution without pieces: neither file is written.
    cell, height, gap, wall, bevel
        Sizes in millimeters: see `exactile.render.making.parts.Sizes`.
    sheet
        Width and height in millimeters of sheets for a laser cutter, or None for no sheets. The
        files ``cut-1.svg``, ``cut-1.dxf`` and so on have flat pieces, and the tray as a frame and a
        base.
    kerf
        Width of the cut in millimeters; only with a sheet.
    radius
        Radius of the corners of cut outlines, in millimeters; only with a sheet.
    watch
        Called before each mesh with the name of its subject, such as ``piece F``.
    note
        Called with a message if a piece is too large for ``paper.pdf``.

    Returns
    -------
    The files in the order in which they were written.

    Raises
    ------
    PuzzleError
        If the directory exists; if `pieces` names no set, or the pieces are not of one lattice; if
        sizes do not fit the lattice, the sheet, or each other; if a kerf or a radius is given
        without a sheet, or a solution without its puzzle; if a piece cannot be made or has more
        than 1000 copies; or if packages of the extra `make` are not installed.
    CheckFailedError
        If the solution is wrong, or if a mesh is not closed, which is a bug.

    Examples
    --------
    >>> import tempfile
    >>> where = Path(tempfile.mkdtemp()) / "soma"
    >>> files = make("soma-cubes", where, cell=10, gap=0.2)
    >>> len(files), files[0].path.name, [round(c, 3) for c in files[0].size]
    (8, 'L.stl', [29.8, 19.8, 9.8])
    """
    sizes = Sizes(cell, height, gap, wall, bevel)
    return Making(pieces, Path(directory), sizes, sheet, kerf, radius).write(solution, watch, note)


class Making:
    """A request to write the files of `make`.

    For the parameters see `make`; `sizes` combines five of them. The constructor raises errors for
    wrong parameters before any work is done.
    """

    def __init__(
        self,
        pieces: Puzzle | str | tuple[Piece, ...],
        directory: Path,
        sizes: Sizes,
        sheet: tuple[float, ...] | None,
        kerf: float,
        radius: float,
    ) -> None:
        require_possible(directory)
        self.puzzle = pieces if isinstance(pieces, Puzzle) else None
        named = pieces.pieces if isinstance(pieces, Puzzle) else pieces
        if isinstance(named, str):
            named = read_pieces(named, get_lattice(lattice_of(named)), Place("pieces"))[0]
        self._pieces = named
        if not self._pieces or len({piece.lattice for piece in self._pieces}) > 1:
            raise PieceError("There are no pieces, or they are not of one lattice: make one set.")
        self._target = directory
        lattice = self._pieces[0].lattice
        if sizes.height and lattice.dimension == 3 and not is_upright(lattice):
            raise PuzzleError(
                f"Pieces of the {lattice.name} lattice have no height of their own: leave the "
                "height out."
            )
        self.maker = Maker(lattice, sizes)
        self.maker.require_sizes()
        # Outlines have sharp edges, and corners of their own.
        self.sharp = Maker(self.maker.lattice, replace(sizes, bevel=0.0))
        self.cutting = _cutting(self.maker, sheet, kerf, radius)

    def write(
        self,
        solution: Solution | None,
        watch: Callable[[str], None] | None = None,
        note: Callable[[str], None] | None = None,
    ) -> tuple[MadeFile, ...]:
        """Write and return the files; for the parameters and the errors, see `make`."""
        if solution is not None:
            if self.puzzle is None:
                raise PuzzleError("A solution needs its puzzle: pass the puzzle, not its pieces.")
            check(self.puzzle, solution)
        solution = solution or None  # one without pieces is nothing to be made
        copies = _copies(self._pieces, solution)
        shows, notes = (each or (lambda _: None) for each in (watch, note))
        target = self._target
        with naming_disk(target), drafted(target.resolve(), directory=True) as draft:
            made = [
                MadeFile(target / file.path.relative_to(draft), file.size)
                for file in _written(self, draft, copies, solution, shows, notes)
            ]
            draft.rename(target)
        return tuple(made)


def require_possible(directory: Path) -> None:
    """Raise PuzzleError if the directory exists, or packages of the extra `make` are missing."""
    if os.path.lexists(directory):  # also a link that leads nowhere
        raise PuzzleError(f"{directory} exists already: name a new directory with -o.")
    for package in ("manifold3d", "trimesh"):
        library(package)


def _copies(pieces: Iterable[Piece], solution: Solution | None) -> list[tuple[Piece, int]]:
    """Return each piece with its number of copies; raise PuzzleError if a number is too large.

    The number is that of the piece's uses in the solution; without a solution, it is the lower
    bound, but at least 1.
    """
    used = Counter(placement.piece for placement in solution) if solution is not None else None
    found = []
    for piece in pieces:
        copies = used[piece.name] if used is not None else max(piece.lower, 1)
        if copies > MOST_COPIES:
            raise PuzzleError(
                f"{piece.name} is needed {copies} times, and {MOST_COPIES} copies of a piece are "
                "the most that can be made: take a smaller puzzle, or pieces without copies."
            )
        found.append((piece, copies))
    return found


def _written(
    making: Making,
    draft: Path,
    pieces: Sequence[tuple[Piece, int]],
    solution: Solution | None,
    watch: Callable[[str], None],
    note: Callable[[str], None],
) -> Iterator[MadeFile]:
    """Write the files of `make` into the directory `draft`; yield each file after it is written.

    `pieces`: each piece with its number of copies.
    """
    maker, puzzle = making.maker, making.puzzle
    names = _file_names(piece for piece, _ in pieces)
    bodies = []
    (draft / "pieces").mkdir()
    for (piece, copies), name in zip(pieces, names, strict=True):
        watch(f"piece {piece.name}")
        mesh = maker.piece(piece.units, piece.name)
        mesh = mesh.moved(-mesh.vertices.min(axis=0))  # so that it stands on the plate
        bodies.append(Body(piece.name, mesh, ((0.0, 0.0, 0.0),) * copies))
        yield _write(draft / "pieces" / f"{name}.stl", [Body(piece.name, mesh)])
    yield _write(draft / "pieces.3mf", _side_by_side(bodies))
    tray = None
    if puzzle is not None and puzzle.region.wrap is None:
        watch("tray")
        tray = Body("tray", maker.tray(puzzle.region.units))
        for form in WRITERS:
            yield _write(draft / f"tray.{form}", [tray])
    if maker.lattice.dimension == 2:
        watch("outlines")
        yield from _outlined(making, draft, pieces, tray, note)
    if solution is None or tray is None:
        return
    placed = []
    for placement in solution:
        watch(f"piece {placement.piece} in its place")
        placed.append(Body(placement.piece, maker.piece(placement.units, placement.piece)))
    apart = _apart(placed, flat=maker.lattice.dimension == 2)
    for name, shown in (("assembled", placed), ("exploded", apart)):
        for form in WRITERS:
            yield _write(draft / f"{name}.{form}", shown)


def _cutting(
    maker: Maker, sheet: Sequence[float] | None, kerf: float, radius: float
) -> Cutting | None:
    """Return the settings of a laser cutter, or None without a sheet.

    Raise PuzzleError if they are impossible, or ezdxf is not installed.
    """
    if sheet is None:
        if kerf or radius:
            raise PuzzleError(
                "A kerf and a radius are for sheets: give a sheet, such as (600, 400), or leave "
                "them out."
            )
        return None
    if maker.lattice.dimension != 2:
        raise PuzzleError(
            f"Pieces of the {maker.lattice.name} lattice are not flat: leave the sheet out."
        )
    if len(sheet) != 2 or not all(0 < side <= LARGEST for side in sheet):
        raise PuzzleError("A sheet has a width and a height in millimeters, up to 10 m.")
    if not 0 <= kerf <= maker.sizes.cell / 10:
        raise PuzzleError(
            f"A kerf of {kerf:g} mm does not go with cells of {maker.sizes.cell:g} mm: write 0 to "
            f"{maker.sizes.cell / 10:g} mm."
        )
    if not 0 <= radius <= maker.sizes.cell / 4:
        raise PuzzleError(
            f"Corners with a radius of {radius:g} mm do not go with cells of "
            f"{maker.sizes.cell:g} mm: write 0 to {maker.sizes.cell / 4:g} mm."
        )
    library("ezdxf")
    return Cutting(sheet[0], sheet[1], kerf, radius)


def _outlined(
    making: Making,
    draft: Path,
    copies: Sequence[tuple[Piece, int]],
    tray: Body | None,
    note: Callable[[str], None],
) -> Iterator[MadeFile]:
    """Write flat pieces in ``paper.pdf`` and, if there are sheets, on sheets; yield the files.

    The sheets also contain the frame and the base of the tray.
    """
    maker, puzzle, cutting = making.sharp, making.puzzle, making.cutting
    title = puzzle.title or puzzle.name if puzzle is not None else ""
    middle = maker.sizes.tall(maker.lattice) / 2

    def pieces(kerf: float = 0.0, radius: float = 0.0) -> list[Outline]:
        return [
            each
            for piece, times in copies
            for mesh in [maker.piece(piece.units, piece.name)]
            for each in [outline(piece.name, mesh, middle, kerf, radius)] * times
        ]

    path = draft / "paper.pdf"
    try:
        path.write_bytes(paper_pdf(pieces(), title))
    except PuzzleError as too_large:
        note(f"There is no paper.pdf: {too_large}")
    else:
        yield MadeFile(path, (*PAPERS["a4"], 0.0))
    if cutting is None:
        return
    how = cutting[2:]
    cuts = pieces(*how)
    if tray is not None:
        floor = maker.sizes.wall
        cuts.append(outline("frame", tray.mesh, floor + middle, *how, outer=False))
        cuts.append(outline("base", tray.mesh, floor / 2, *how, outer=False))
    for number, sheet in enumerate(nested(cuts, cutting.width, cutting.height), 1):
        texts = (
            ("svg", sheet_svg(sheet, cutting.width, cutting.height)),
            ("dxf", sheet_dxf(sheet)),
        )
        for form, text in texts:
            path = draft / f"cut-{number}.{form}"
            path.write_text(text, encoding="utf-8")
            yield MadeFile(path, (cutting.width, cutting.height, 0.0))


def _write(path: Path, bodies: Sequence[Body]) -> MadeFile:
    """Write bodies as a file in the format that its suffix names."""
    with path.open("wb") as stream:
        WRITERS[path.suffix[1:]](bodies, stream)
    return MadeFile(path, joined([copy for body in bodies for copy in body.copies()]).size)


def _file_names(pieces: Iterable[Piece]) -> list[str]:
    """Return a file name for each piece; they differ even if case is ignored."""
    taken: set[str] = set()
    names = []
    for piece in pieces:
        base = re.sub(r"[^\w+-]", "_", piece.name)[:60] or "_"
        tries = chain([base], (f"{base}-{k}" for k in count(2)))
        name = next(name for name in tries if name.lower() not in taken)
        taken.add(name.lower())
        names.append(name)
    return names


def _side_by_side(bodies: Sequence[Body]) -> list[Body]:
    """Return bodies with their copies in rows, on a roughly square plate.

    Bodies without copies are left out.
    """
    areas = [
        (b.mesh.size[0] + BETWEEN) * (b.mesh.size[1] + BETWEEN) * len(b.places) for b in bodies
    ]
    widest = max(b.mesh.size[0] for b in bodies)
    width = max(sqrt(sum(areas)), widest)
    x = y = deep = 0.0
    found = []
    for body in bodies:
        places: list[Shift] = []
        for _ in body.places:
            across, along, _height = body.mesh.size
            if x and x + across > width:
                x, y, deep = 0.0, y + deep + BETWEEN, 0.0
            places.append((x, y, 0.0))
            x, deep = x + across + BETWEEN, max(deep, along)
        found.append(Body(body.name, body.mesh, places))
    return [body for body in found if body.places]


def _apart(bodies: Sequence[Body], *, flat: bool) -> list[Body]:
    """Return bodies moved away from their common center, until their bounding boxes do not overlap.

    First each body moves in proportion to its distance from the center. Then bodies whose boxes
    overlap are pushed apart. Flat bodies stay in their plane.
    """
    low = np.array([body.mesh.vertices.min(axis=0) for body in bodies])
    high = np.array([body.mesh.vertices.max(axis=0) for body in bodies])
    size, first = high - low, (low + high) / 2
    middle = first.mean(axis=0)
    centers = middle + (1 + APART) * (first - middle)
    while True:
        low, high = centers - size / 2 + TOUCH, centers + size / 2
        meet = np.ones((len(size), len(size)), dtype=bool)
        for a, b in zip(low.T, high.T, strict=True):
            meet &= (a < b[:, None]) & (a[:, None] < b)
        one, other = np.nonzero(np.triu(meet, 1))
        if not len(one):
            break
        between = centers[other] - centers[one]
        overlap = (size[one] + size[other]) / 2 - np.abs(between)
        axis = overlap[:, : 2 if flat else 3].argmin(axis=1)
        push = np.zeros_like(overlap)
        rows = np.arange(len(one))
        push[rows, axis] = np.where(between < 0, -overlap, overlap)[rows, axis] / 2
        np.add.at(centers, other, push)
        np.add.at(centers, one, -push)
        centers = middle + SPREAD * (centers - middle)
    return [
        Body(body.name, body.mesh.moved(move))
        for body, move in zip(bodies, centers - first, strict=True)
    ]
