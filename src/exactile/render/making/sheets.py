"""Outlines of flat pieces: nested on sheets for a laser cutter, and at actual size on paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactile.errors import PuzzleError
from exactile.render.layout import LETTER, PageLayout, Section, block_of
from exactile.render.making.meshes import TriangleMesh, area_of, library
from exactile.render.making.parts import Array
from exactile.render.paper import INK, Drawing, harmless, lettering
from exactile.render.pictures import write_pages

if TYPE_CHECKING:
    from manifold3d import CrossSection

APART = 3.0
"""Space between outlines on a sheet, and between them and its border, in millimeters."""

MITER = 6.0
"""Largest length of a mitered corner, relative to the offset."""

ARCS = 96
"""Number of sides of the polygon that approximates a circle, at round corners."""

HAIR = 0.1
"""Width of a line in files for a laser cutter, in millimeters; lines on paper are twice as wide."""

WORDS, SMALLEST = 2.5, 1.0
"""Largest and smallest size of the names on paper, in millimeters."""

MIDDLE = 0.35
"""Height of the middle of a letter above its baseline, relative to the size of the letter."""

GRID = 61
"""Number of points along each side of the grid of places for a name; odd, to include the center."""


@dataclass(frozen=True, eq=False)
class Outline:
    """The closed paths around a flat part, such as a piece or a frame, and around its holes.

    `rings`: the points of each path in millimeters, shape ``(n, 2)``.
    """

    name: str
    rings: tuple[Array, ...]

    @property
    def low(self) -> Array:
        """The lower left corner of the bounding box, in millimeters."""
        return np.asarray(np.concatenate(self.rings).min(axis=0))

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the bounding box, in millimeters."""
        width, height = np.ptp(np.concatenate(self.rings), axis=0).tolist()
        return width, height

    def moved(self, shift: npt.ArrayLike) -> Outline:
        """Return the outline moved by a vector, in millimeters."""
        return Outline(self.name, tuple(ring + np.asarray(shift) for ring in self.rings))

    def turned(self) -> Outline:
        """Return the outline turned counter-clockwise by a right angle."""
        quarter = np.array([(0, 1), (-1, 0)])
        return Outline(self.name, tuple(ring @ quarter for ring in self.rings))


def outline(
    name: str,
    mesh: TriangleMesh,
    level: float,
    kerf: float = 0.0,
    radius: float = 0.0,
    *,
    outer: bool = True,
) -> Outline:
    """Return the path of a cutter around the horizontal section of a mesh.

    Parameters
    ----------
    name, mesh
        The name of the part, and its mesh.
    level
        Height of the section above the lowest point of the mesh, in millimeters.
    kerf
        Width of the cut, in millimeters: the path runs half this width outside the section.
    radius
        Radius of corners, in millimeters, the same for inner and outer ones, so that pieces fit
        together.
    outer
        Whether to round all corners of the section, not only those of its openings.

    Raises
    ------
    PuzzleError
        If the radius is too large for parts of the section, or manifold3d is not installed.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> from exactile.render.making.meshes import Maker
    >>> from exactile.render.making.parts import Sizes
    >>> domino = Maker(get_lattice("square"), Sizes(10, gap=0.2)).piece([(0, 0), (1, 0)])
    >>> [round(side, 3) for side in outline("I2", domino, 1.0, kerf=0.3).size]
    [20.1, 10.1]
    """
    solids = library("manifold3d")
    vertices = np.array(mesh.vertices - (0, 0, mesh.vertices[:, 2].min()), order="C")
    body = solids.Manifold(solids.Mesh64(vertices, mesh.triangles.astype(np.uint64)))
    section = body.slice(level).simplify(1e-4)
    if radius:
        section = _rounded(name, section, radius, outer=outer)
    if kerf:
        section = section.offset(kerf / 2, solids.JoinType.Miter, MITER)
    return Outline(name, tuple(np.array(ring) for ring in section.to_polygons()))


def _rounded(name: str, section: CrossSection, radius: float, *, outer: bool) -> CrossSection:
    """Return a section with round corners; without `outer`, only those of its openings are round.

    `name`: the name of the part, for errors. Raise PuzzleError if the radius is too large.
    """
    solids = library("manifold3d")
    if not outer:
        rims = [ring for ring in section.to_polygons() if area_of(ring) > 0]
        whole: CrossSection = solids.CrossSection(rims, solids.FillRule.NonZero)
        return whole - _rounded(name, whole - section, radius, outer=True)
    found = section
    for distance in (-radius, 2 * radius, -radius):
        found = _offset(found, distance)
    narrow = _narrowest(section, radius)
    if not all(
        _offset(found, -d).num_contour() == section.num_contour() for d in (0, 0.9 * narrow)
    ):
        raise PuzzleError(
            f"Corners with a radius of {radius:g} mm are too round for {name}: write less."
        )
    return found.simplify(1e-3)


def _offset(section: CrossSection, distance: float) -> CrossSection:
    join = library("manifold3d").JoinType.Round
    return section.offset(distance, join, circular_segments=ARCS)


def _narrowest(section: CrossSection, most: float) -> float:
    """Return nearly the largest distance, up to `most`, by which a section may shrink unbroken.

    It is half the width of the narrowest neck.
    """
    low, high = 0.0, most
    for _ in range(8):
        middle = (low + high) / 2
        whole = _offset(section, -middle).num_contour() == section.num_contour()
        low, high = (middle, high) if whole else (low, middle)
    return low


def nested(outlines: Iterable[Outline], width: float, height: float) -> list[list[Outline]]:
    """Place outlines on sheets in rows, the tallest first, and return the outlines of each sheet.

    Before that, each outline is turned so that its longer side is horizontal or, if that is too
    wide, vertical.

    Raises
    ------
    PuzzleError
        If an outline is too large for a sheet of this width and height, in millimeters.

    Examples
    --------
    >>> square = Outline("O", (np.array([(0, 0), (10, 0), (10, 10), (0, 10)]),))
    >>> [len(sheet) for sheet in nested([square] * 5, 32, 32)]
    [4, 1]
    """
    sheets: list[list[Outline]] = []
    shelves: list[list[float]] = []  # sheet, bottom, height, and where the next one begins
    tops: list[float] = []
    sheet = (
        f"a sheet of {width:g} x {height:g} mm with a border of {APART:g} mm: name a larger one, "
        "or make the cells smaller"
    )
    lying = [_lying(each, width - 2 * APART, height - 2 * APART, sheet) for each in outlines]
    for each in sorted(lying, key=lambda o: -round(o.size[1], 6)):
        across, along = (side + APART for side in each.size)
        for shelf in shelves:
            if along <= shelf[2] + 1e-6 and shelf[3] + across <= width:
                break
        else:
            there = next((k for k, top in enumerate(tops) if top + along <= height), len(tops))
            if there == len(tops):
                tops.append(APART)
                sheets.append([])
            shelf = [there, tops[there], along, APART]
            shelves.append(shelf)
            tops[there] += along
        sheets[int(shelf[0])].append(each.moved((shelf[3], shelf[1]) - each.low))
        shelf[3] += across
    return sheets


def _lying(outline: Outline, width: float, height: float, what: str) -> Outline:
    """Return an outline with its longer side horizontal or, if it does not fit that way, vertical.

    `width`, `height`: the room for it, in millimeters. `what`: the sheet or page and its size in
    words, for the error. Raise PuzzleError if the outline does not fit either way.
    """
    ways = sorted((outline, outline.turned()), key=lambda way: round(way.size[1], 6))
    for way in ways:
        if way.size[0] <= width and way.size[1] <= height:
            return way
    across, along = outline.size
    raise PuzzleError(
        f"{outline.name} measures {across:.1f} x {along:.1f} mm and does not fit {what}."
    )


def sheet_svg(outlines: Sequence[Outline], width: float, height: float) -> str:
    """Return a sheet for a laser cutter as SVG, in millimeters, with red lines to be cut."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">'
    ]
    lines += [_path(each, height, f'stroke="#ff0000" stroke-width="{HAIR}"') for each in outlines]
    return "\n".join([*lines, "</svg>", ""])


def _path(outline: Outline, height: float, style: str) -> str:
    """Return an outline as an SVG element.

    `height`: the height of the sheet, because y runs downwards in SVG. `style`: further attributes.
    """
    rings = (
        "M" + "L".join(f"{x:.4f} {height - y:.4f}" for x, y in ring.tolist()) + "Z"
        for ring in outline.rings
    )
    title = f"<title>{harmless(outline.name)}</title>"
    return f'<path d="{"".join(rings)}" fill="none" {style}>{title}</path>'


def sheet_dxf(outlines: Sequence[Outline]) -> str:
    """Return a sheet for a laser cutter as DXF: closed polylines on layer CUT, in millimeters.

    Raise PuzzleError if ezdxf is not installed.
    """
    ezdxf = library("ezdxf")
    document = ezdxf.new("R2010", units=4)  # millimeters
    document.layers.add("CUT", color=1)
    space = document.modelspace()
    for each in outlines:
        for ring in each.rings:
            space.add_lwpolyline(ring.tolist(), close=True, dxfattribs={"layer": "CUT"})
    text = StringIO()
    document.write(text)
    return text.getvalue()


def paper_pdf(outlines: Sequence[Outline], title: str = "") -> bytes:
    """Return outlines at actual size as PDF, on pages of A4 with a ruler and with `title`.

    Raises
    ------
    PuzzleError
        If an outline is too large for a page.
    """
    pages = PageLayout("a4", ruler=True)
    width, height = (side - 2 * HAIR for side in pages.body)  # without half the lines
    page = f"a page of A4, which has room for {width:g} x {height:g} mm: make the cells smaller"
    lying = [_lying(each, width, height, page) for each in outlines]
    blocks = [_block(each) for each in sorted(lying, key=lambda o: -round(o.size[1], 6))]
    stream = BytesIO()
    write_pages(pages.pages([Section(title, blocks)]), stream)
    return stream.getvalue()


def _block(outline: Outline) -> Drawing:
    """Return an outline as a drawing in millimeters, with its name at the roomiest place."""
    width, height = outline.size
    moved = outline.moved((HAIR, HAIR) - outline.low)
    drawn = _path(moved, height + 2 * HAIR, f'stroke="{INK}" stroke-width="{2 * HAIR}"')
    (x, y), room = roomiest(moved)
    size = max(SMALLEST, min(WORDS, room / np.hypot(LETTER * len(outline.name), 1) * 2))
    name = lettering(x, height + 2 * HAIR - y + MIDDLE * size, outline.name, size=float(size))
    return block_of(width + 2 * HAIR, height + 2 * HAIR, [drawn, name])


def roomiest(outline: Outline) -> tuple[tuple[float, float], float]:
    """Return the point inside an outline that is farthest from its lines, and the distance.

    Points on a grid in the bounding box are tried: see `GRID`.

    Examples
    --------
    >>> ring = np.array([(0, 0), (8, 0), (8, 2), (0, 2)])
    >>> point, room = roomiest(Outline("I", (ring,)))
    >>> round(point[1], 6), round(room, 6)
    (1.0, 1.0)
    """
    begins = np.concatenate(outline.rings)
    along = np.concatenate([np.roll(ring, -1, axis=0) for ring in outline.rings]) - begins
    axes = [
        np.linspace(a, a + size, GRID) for a, size in zip(outline.low, outline.size, strict=True)
    ]
    points = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 1, 2)
    apart = points - begins
    # A ray to the right crosses the outline an odd number of times.
    above, ends = apart[..., 1] < 0, apart[..., 1] < along[:, 1]
    across = along[:, 0] * apart[..., 1] - along[:, 1] * apart[..., 0]
    inside = ((above != ends) & ((across > 0) == (along[:, 1] > 0))).sum(axis=1) % 2 == 1
    lengths = np.maximum((along**2).sum(axis=1), 1e-12)
    share = ((apart * along).sum(axis=2) / lengths).clip(0, 1)
    room = np.linalg.norm(apart - share[..., None] * along, axis=2).min(axis=1)
    best = int(np.where(inside, room, -1).argmax())
    x, y = points[best, 0].tolist()
    return (x, y), float(room[best])
