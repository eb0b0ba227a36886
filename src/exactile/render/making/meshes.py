"""Pieces and trays as closed meshes, and their files.

A mesh is the boundary of a union of convex parts, cut back by half the gap where other pieces can
touch it. The package manifold3d makes it, and guarantees closed and oriented meshes. The package
trimesh, which shares no code with it, checks each mesh again. Files are STL for any slicer, 3MF
with names, colors and copies, and glTF for viewers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
import numpy.typing as npt

from exactile.errors import CheckFailedError, PieceError, PuzzleError
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice
from exactile.render.making.parts import Array, Part, Parts, Sizes, parts_of, shift_of
from exactile.render.paper import PALETTE, harmless

if TYPE_CHECKING:
    from manifold3d import Manifold

SEGMENTS = 48
"""Number of sides of the polygon that approximates a circle."""

NECK = 0.4
"""Radius of the neck that joins two balls of a piece, relative to the radius of a ball."""

SMALL = 0.001
"""Size below which details are left out, in millimeters."""

DIGITS = 4
"""Decimals of coordinates in millimeters that files in single precision keep."""

GRID = 2.0**-20
"""Corners of convex parts are rounded to multiples of this, in millimeters.

Sums of such numbers are exact. So faces in one plane stay in one plane, and no slivers are left
between them.
"""

LEAST_ROOM = 0.01
"""Least amount by which the hollow of a tray is wider than the region, in millimeters."""


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """A closed surface of triangles, counter-clockwise from outside.

    `vertices`: in millimeters, shape ``(n, 3)``. `triangles`: numbers of vertices, shape
    ``(m, 3)``.
    """

    vertices: Array
    triangles: npt.NDArray[np.int64]

    @property
    def size(self) -> tuple[float, float, float]:
        """Lengths of the bounding box along the three axes, in millimeters."""
        x, y, z = np.ptp(self.vertices, axis=0).tolist()
        return x, y, z

    def moved(self, shift: npt.ArrayLike) -> TriangleMesh:
        """Return the mesh moved by a vector, in millimeters."""
        return TriangleMesh(self.vertices + np.asarray(shift), self.triangles)


def library(name: str) -> ModuleType:
    """Return a package of the extra `make`.

    Raises
    ------
    PuzzleError
        If the package is not installed.
    """
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise PuzzleError(f"This needs the package {name}: pip install 'exactile[make]'.") from None


class Maker:
    """Makes meshes of pieces and trays on one lattice, all with the same sizes.

    Raise PuzzleError if the packages of the extra `make` are not installed.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> maker = Maker(get_lattice("square"), Sizes(cell=10, height=5, gap=0.2))
    >>> [round(side, 6) for side in maker.piece([(0, 0), (1, 0)]).size]
    [19.8, 9.8, 5.0]
    """

    def __init__(self, lattice: Lattice, sizes: Sizes) -> None:
        self.lattice = lattice
        self.sizes = sizes
        self._solids = library("manifold3d")
        self._checker = library("trimesh")
        self._made: dict[bytes, TriangleMesh] = {}  # of pieces, near the origin

    def require_sizes(self) -> None:
        """Raise PuzzleError if the sizes do not suit the lattice.

        Balls, edges and faces cannot have a bevel, and bars and plates must not be too thick.
        """
        least = 3 if self.lattice.dimension == 2 else 4
        if self.sizes.bevel and (
            self.lattice.balls
            or any(len(faces if least == 4 else faces[0]) < least for faces in self.lattice.faces)
        ):
            raise PuzzleError(
                f"Pieces of the {self.lattice.name} lattice have no edges to be beveled: leave the "
                "bevel out."
            )
        if not self.lattice.balls:
            parts_of(self.lattice, np.array(self.lattice.origins), self.sizes)

    def piece(self, units: Collection[Sequence[int]] | Points, name: str = "") -> TriangleMesh:
        """Return the mesh of a piece, or of several pieces together.

        Parameters
        ----------
        units
            The points of the units, anywhere on the lattice.
        name
            The name of the piece, for errors.

        Raises
        ------
        PieceError
            If parts of the piece are not joined by faces.
        PuzzleError
            If the sizes do not suit the lattice, the gap leaves nothing of the piece or cuts it
            apart, or the bevel is too wide.
        CheckFailedError
            If the mesh is not a closed surface.
        """
        points = np.array(sorted(map(tuple, units)), dtype=np.int64)
        period = self.lattice.period
        shift = points.min(axis=0) // period * period
        key = (points - shift).tobytes()
        if key not in self._made:
            self._made[key] = self._piece(points - shift, name)
        return self._made[key].moved(shift_of(self.lattice, shift, self.sizes))

    def _piece(self, points: Points, name: str) -> TriangleMesh:
        """Return the mesh of a piece near the origin; the method `piece` moves it to its place."""
        self.require_sizes()
        solid = self._balls(points) if self.lattice.balls else self._cut(points)
        found = _parts(solid)
        if found != 1:
            own = () if self.lattice.balls else parts_of(self.lattice, points, self.sizes).values()
            uncut = _parts(self._boundary(own)) if own else found
            if uncut == 1:
                effect = f"cuts {name} into {found} parts" if found else f"leaves nothing of {name}"
                raise PuzzleError(
                    f"A gap of {self.sizes.gap:g} mm {effect}: write less, or larger sizes."
                )
            raise PieceError(
                f"The piece {name} cannot be made: it consists of {uncut} parts that are not "
                "joined by faces."
            )
        return self._checked(self._beveled(solid, name) if self.sizes.bevel else solid)

    def _beveled(self, solid: Manifold, name: str) -> Manifold:
        """Return a piece with its outer edges beveled.

        The result is the union of all copies of a small polyhedron that fit into the piece. The
        corners of the polyhedron lie in the directions of all face normals, at the bevel's distance
        from its center. So it can touch every face, but it cannot reach into the edge between two.
        """
        tool = self._hull(self.sizes.bevel * _normals(self.lattice, self.sizes))
        found = solid.minkowski_difference(tool).minkowski_sum(tool)
        if _parts(found) != 1:
            raise PuzzleError(
                f"A bevel of {self.sizes.bevel:g} mm is too wide for piece {name}: write less."
            )
        return found

    def tray(self, units: Points) -> TriangleMesh:
        """Return the mesh of a tray (or box without a lid) into which pieces are put from above.

        The hollow is open above every unit of the region, so that the lowest pieces can be put in
        first, and others above them. Holes through the region stay filled.

        Parameters
        ----------
        units
            The points of the region.

        Raises
        ------
        PuzzleError
            If the sizes do not suit the lattice.
        CheckFailedError
            If the mesh is not a closed surface.
        """
        room = self._room(max(self.sizes.gap, LEAST_ROOM) / 2)
        blocks = self._blocks(units)
        low = min(block[:, 2].min() for block in blocks)
        high = max(block[:, 2].max() for block in blocks)
        up = np.array([0, 0, high - low + self.sizes.wall])
        hollow = self._union(
            self._hull(*(_sums(block, room) + shift for shift in (np.zeros(3), up)))
            for block in blocks
        )
        outline = hollow.project()
        rims = [c for c in outline.to_polygons() if area_of(c) > 0]
        section = self._solids.CrossSection(rims, self._solids.FillRule.NonZero)
        outer = section.offset(self.sizes.wall, self._solids.JoinType.Miter)
        floor = low + room[:, 2].min() - self.sizes.wall
        body = self._solids.Manifold.extrude(outer, high - floor).translate([0, 0, floor])
        return self._checked(body - hollow)

    def _blocks(self, units: Points) -> list[Array]:
        """Return convex blocks that together fill a region, each as an array of its corners."""
        if self.lattice.balls:
            ball = _mesh(self._ball()).vertices
            return [*(center + ball for center in self._centers(units)), *self._necks(units)]
        whole = parts_of(self.lattice, units, self.sizes, full=True)
        return [_corners(part) for part in whole.values()]

    def _cut(self, units: Points) -> Manifold:
        """Return the solid of a piece, cut back by half the gap where other pieces can touch it."""
        own = parts_of(self.lattice, units, self.sizes)
        solid = self._boundary(own.values())
        half = self.sizes.gap / 2
        if half == 0:
            return solid
        room = self._room(half)
        others = [self._hull(_sums(block, room)) for block in self._around(units, own)]
        subtract = self._solids.OpType.Subtract  # all at once: one by one takes quadratic time
        return self._solids.Manifold.batch_boolean([solid, *others], subtract)

    def _around(self, units: Points, own: Parts) -> list[Array]:
        """Return the parts outside a piece that touch it, each as an array of its corners.

        `units`, `own`: the units and the parts of the piece.
        """
        period = self.lattice.period
        low, high = units.min(axis=0) - 2 * period, units.max(axis=0) + 2 * period + 1
        axes = [np.arange(a, b) for a, b in zip(low, high, strict=True)]
        points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
        points = points.reshape(-1, self.lattice.dimension)
        points = points[self.lattice.types(points) >= 0]
        every = parts_of(self.lattice, self._near(points, units), self.sizes, full=True)
        touched = {corner for part in own.values() for corner in _keys(part)}
        return [
            _corners(part)
            for key, part in every.items()
            if key not in own and not touched.isdisjoint(_keys(part))
        ]

    def _near(self, points: Points, units: Points) -> Points:
        """Return those of `points` whose units may touch one of `units`."""
        scale = np.array(self.lattice.embedding)
        reach = 2 * max(
            np.linalg.norm(np.array(corner) @ scale)
            for faces in self.lattice.faces
            for face in faces
            for corner in face
        )
        kept = np.zeros(len(points), dtype=bool)
        for unit in units:
            kept |= np.linalg.norm((points - unit) @ scale, axis=1) <= reach * 1.001
        return points[kept]

    def _room(self, distance: float) -> Array:
        """Return the corners of a polyhedron around the origin.

        Its sides are parallel to the faces of parts, at the given distance from the origin. In the
        Minkowski sum of a part and this polyhedron, each face of the part is moved outwards by the
        distance.
        """
        solid = self._solids.Manifold.cube([4 * distance] * 3, center=True)
        for normal in _normals(self.lattice, self.sizes):
            solid = solid.trim_by_plane(normal, -distance)
        return _mesh(solid).vertices

    def _boundary(self, parts: Iterable[Part]) -> Manifold:
        """Return the solid that consists of convex parts, without the faces between them.

        Parts that touch along a face must share the whole face. Raise CheckFailedError if the
        surface is not closed.
        """
        single: dict[frozenset[bytes], Array] = {}
        for part in parts:
            for face in part:
                key = frozenset(corner.tobytes() for corner in face)
                if single.pop(key, None) is None:
                    single[key] = face
        triangles = np.concatenate([_triangles(face) for face in single.values()])
        vertices, numbers = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
        mesh = self._solids.Mesh64(vertices, numbers.reshape(-1, 3).astype(np.uint64))
        solid = self._solids.Manifold(mesh)
        if solid.status() != self._solids.Error.NoError:
            raise CheckFailedError(f"The surface of a piece is not closed: {solid.status()}.")
        return solid.simplify(10.0**-5)

    def _centers(self, units: Points) -> Array:
        return np.asarray(units @ np.array(self.lattice.embedding) * self.sizes.cell)

    @cache  # noqa: B019  # as long as the maker
    def _ball(self) -> Manifold:
        return self._solids.Manifold.sphere(self.sizes.cell / 2, SEGMENTS)

    def _balls(self, units: Points) -> Manifold:
        """Return the solid of a piece of balls, with necks where two of them touch."""
        radius = (self.sizes.cell - self.sizes.gap) / 2
        ball = self._solids.Manifold.sphere(radius, SEGMENTS)
        solids = [ball.translate(center) for center in self._centers(units)]
        return self._union([*solids, *map(self._hull, self._necks(units))])

    def _necks(self, units: Points) -> Iterator[Array]:
        """Yield the corners of a cylinder between the centers of any two balls that touch."""
        places = dict(zip(map(tuple, units.tolist()), self._centers(units), strict=True))
        angles = 2 * np.pi * np.arange(SEGMENTS) / SEGMENTS
        radius = NECK * self.sizes.cell / 2
        for unit, step in product(units, np.array(self.lattice.neighbors[0])):
            here, there = tuple(unit.tolist()), tuple((unit + step).tolist())
            if not (here < there and there in places):
                continue
            along = places[there] - places[here]
            first = np.cross(along, np.eye(3)[abs(along).argmin()])
            first /= np.linalg.norm(first)
            second = np.cross(along, first) / np.linalg.norm(along)
            ring = radius * (np.outer(np.cos(angles), first) + np.outer(np.sin(angles), second))
            yield np.concatenate([ring + places[here], ring + places[there]])

    def _hull(self, *places: Array) -> Manifold:
        points = np.unique(np.round(np.concatenate(places) / GRID) * GRID, axis=0)
        return self._solids.Manifold.hull_points(points)

    def _union(self, solids: Iterable[Manifold]) -> Manifold:
        return self._solids.Manifold.batch_boolean([*solids], self._solids.OpType.Add)

    def _checked(self, solid: Manifold) -> TriangleMesh:
        """Return the mesh of a solid; raise CheckFailedError if it is not a closed surface.

        Vertices that have equal coordinates in files are merged, unless the merged mesh would not
        be closed: for example, parts may touch only along an edge.
        """
        plain = _mesh(solid.simplify(SMALL))
        for mesh in (_merged(plain), plain):
            surface = self._checker.Trimesh(mesh.vertices, mesh.triangles, process=False)
            if surface.is_watertight and surface.is_winding_consistent and surface.volume > 0:
                return mesh
        raise CheckFailedError("The mesh of a piece is not closed, or not oriented outwards.")


def _parts(solid: Manifold) -> int:
    """Return the number of connected parts of a solid; the wall of a cavity does not count."""
    return sum(part.volume() > 0 for part in solid.decompose())


def _merged(mesh: TriangleMesh) -> TriangleMesh:
    """Return a mesh in which vertices that agree in `DIGITS` decimals are merged.

    Triangles that vanish are left out. Coordinates keep two more decimals; with fewer, thin
    triangles might cross.
    """
    rounded = mesh.vertices.round(DIGITS) + 0.0
    _, first, numbers = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    vertices = mesh.vertices[first].round(DIGITS + 2) + 0.0
    triangles = numbers.reshape(-1)[mesh.triangles]
    whole = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return TriangleMesh(vertices, np.ascontiguousarray(triangles[whole]))


def _mesh(solid: Manifold) -> TriangleMesh:
    """Return the mesh of a solid, with one vertex at each place."""
    found = solid.to_mesh64()
    vertices = np.array(found.vert_properties[:, :3], dtype=np.float64, order="C")
    return TriangleMesh(vertices, np.array(found.tri_verts, dtype=np.int64))


def _sums(block: Array, room: Array) -> Array:
    """Return all sums of a corner of `block` and a corner of `room`.

    The convex hull of these points is the Minkowski sum of the two polyhedra.
    """
    return np.asarray((block[:, None] + room[None]).reshape(-1, 3))


def _corners(part: Part) -> Array:
    return np.unique(np.concatenate(part), axis=0)


def _keys(part: Part) -> set[bytes]:
    return {corner.tobytes() for face in part for corner in face}


def _triangles(face: Array) -> Array:
    """Return a convex polygon in space as triangles, shape ``(k, 3, 3)``.

    All triangles meet at the center of the polygon, because consecutive corners may lie on a line.
    """
    if len(face) == 3:
        return face[None]
    center = np.broadcast_to(face.mean(axis=0), face.shape)
    return np.stack([center, face, np.roll(face, -1, axis=0)], axis=1)


def area_of(ring: Array) -> float:
    """Return the area of a polygon in the plane, negative if it runs clockwise."""
    x, y = np.asarray(ring).T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _normals(lattice: Lattice, sizes: Sizes) -> Array:
    """Return the unit normals of all faces of parts, in both directions, shape ``(n, 3)``.

    Each occurs once. There are none for balls.
    """
    if lattice.balls:
        return np.zeros((0, 3))
    one = np.array(lattice.origins)
    found: dict[Any, Array] = {}
    for part in parts_of(lattice, one, sizes, full=True).values():
        for face in part:
            center = face.mean(axis=0)
            normal = np.cross(face - center, np.roll(face, -1, axis=0) - center).sum(axis=0)
            normal /= np.linalg.norm(normal)
            for each in (normal, -normal):
                found[tuple((each.round(4) + 0.0).tolist())] = each
    return np.array([*found.values()])


Shift = tuple[float, float, float]

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
RELATIONS = "http://schemas.openxmlformats.org/package/2006"
MODEL = "3D/3dmodel.model"

TYPES = (
    f'<Types xmlns="{RELATIONS}/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" '
    'ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
)

LINKS = (
    f'<Relationships xmlns="{RELATIONS}/relationships"><Relationship Id="model" '
    f'Target="/{MODEL}" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>'
    "</Relationships>"
)

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass(frozen=True)
class Body:
    """A named mesh with copies; `places`: the vector in millimeters that moves each copy."""

    name: str
    mesh: TriangleMesh
    places: Sequence[Shift] = ((0.0, 0.0, 0.0),)

    def copies(self) -> list[TriangleMesh]:
        """Return the meshes of the copies."""
        return [self.mesh.moved(place) for place in self.places]


def joined(meshes: Sequence[TriangleMesh]) -> TriangleMesh:
    """Return one mesh that consists of several meshes."""
    first = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    triangles = [mesh.triangles + start for mesh, start in zip(meshes, first, strict=False)]
    vertices = np.concatenate([mesh.vertices for mesh in meshes])
    return TriangleMesh(vertices, np.concatenate(triangles))


def write_stl(bodies: Iterable[Body], stream: IO[bytes]) -> None:
    """Write bodies as one binary STL file; their names are lost.

    Raise PuzzleError if trimesh is not installed.

    >>> from io import BytesIO
    >>> corners, triangles = np.vstack([np.zeros(3), np.eye(3)]), np.array([(0, 2, 1), (0, 1, 3)])
    >>> stream = BytesIO()
    >>> write_stl([Body("A", TriangleMesh(corners, triangles))], stream)
    >>> len(stream.getvalue()) == 84 + 2 * 50
    True
    """
    whole = joined([copy for body in bodies for copy in body.copies()])
    surface = library("trimesh").Trimesh(whole.vertices, whole.triangles, process=False)
    stream.write(surface.export(file_type="stl"))


def write_3mf(bodies: Sequence[Body], stream: IO[bytes]) -> None:
    """Write bodies as a 3MF file: objects with names and colors, and their copies.

    Equal bodies give equal files. The writer of trimesh is not used, because it adds random
    identifiers.

    Source: 3MF Consortium, "3MF Core Specification", version 1.3.

    >>> from io import BytesIO
    >>> corners, triangles = np.vstack([np.zeros(3), np.eye(3)]), np.array([(0, 2, 1), (0, 1, 3)])
    >>> stream = BytesIO()
    >>> write_3mf([Body("A", TriangleMesh(corners, triangles))], stream)
    >>> ZipFile(stream).namelist()
    ['[Content_Types].xml', '_rels/.rels', '3D/3dmodel.model']
    """
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        files = (("[Content_Types].xml", TYPES), ("_rels/.rels", LINKS), (MODEL, _model(bodies)))
        for name, text in files:
            info = ZipInfo(name)  # of a fixed date
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, HEAD + text)


def _model(bodies: Sequence[Body]) -> str:
    """Return the XML document of a 3MF file, with meshes, colors, and the places of copies."""
    colors = [PALETTE[k % len(PALETTE)] for k in range(len(bodies))]
    lines = [f'<model unit="millimeter" xml:lang="en" xmlns="{CORE}">', "<resources>"]
    lines.append('<basematerials id="1">')
    for body, color in zip(bodies, colors, strict=True):
        lines.append(f'<base name="{harmless(body.name)}" displaycolor="{color.upper()}"/>')
    lines.append("</basematerials>")
    for k, body in enumerate(bodies):
        lines.append(
            f'<object id="{k + 2}" type="model" name="{harmless(body.name)}" pid="1" pindex="{k}">'
        )
        lines.append("<mesh><vertices>")
        for x, y, z in body.mesh.vertices.tolist():
            lines.append(f'<vertex x="{x:.6f}" y="{y:.6f}" z="{z:.6f}"/>')
        lines.append("</vertices><triangles>")
        for a, b, c in body.mesh.triangles.tolist():
            lines.append(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>')
        lines.append("</triangles></mesh></object>")
    lines.append("</resources><build>")
    for k, body in enumerate(bodies):
        for place in body.places:
            shift = " ".join(f"{c:.6f}" for c in place)
            lines.append(f'<item objectid="{k + 2}" transform="1 0 0 0 1 0 0 0 1 {shift}"/>')
    lines.append("</build></model>")
    return "\n".join(lines)


def write_glb(bodies: Sequence[Body], stream: IO[bytes]) -> None:
    """Write bodies as a binary glTF file, in meters and with y upwards as the standard demands.

    Raise PuzzleError if trimesh is not installed.

    Source: Khronos Group, "glTF 2.0 Specification", 3.4 and 3.6.

    >>> from io import BytesIO
    >>> corners, triangles = np.vstack([np.zeros(3), np.eye(3)]), np.array([(0, 2, 1), (0, 1, 3)])
    >>> stream = BytesIO()
    >>> write_glb([Body("A", TriangleMesh(corners, triangles))], stream)
    >>> stream.getvalue()[:4]
    b'glTF'
    """
    shapes = library("trimesh")
    scene = shapes.Scene()
    for number, body in enumerate(bodies):
        color = PALETTE[number % len(PALETTE)].lstrip("#")
        # Three corners of its own for each triangle: faces are flat.
        corners = body.mesh.vertices[body.mesh.triangles.ravel()] @ UPRIGHT
        triangles = np.arange(len(corners)).reshape(-1, 3)
        surface = shapes.Trimesh(corners, triangles, process=False)
        surface.visual = shapes.visual.TextureVisuals(
            material=shapes.visual.material.PBRMaterial(
                baseColorFactor=[*bytes.fromhex(color), 255], metallicFactor=0.0
            )
        )
        for copy, place in enumerate(body.places):
            shift = np.eye(4)
            shift[:3, 3] = np.array(place) @ UPRIGHT
            node, shape = f"{number} {body.name} {copy}", f"{number} {body.name}"
            scene.add_geometry(surface, node, shape, None, shift)
    stream.write(scene.export(file_type="glb"))


UPRIGHT = np.array([(1, 0, 0), (0, 0, -1), (0, 1, 0)]) / 1000
"""Matrix from millimeters with z upwards to the coordinates of glTF; rows are multiplied by it."""

WRITERS = {"stl": write_stl, "3mf": write_3mf, "glb": write_glb}
"""For each file format, the function that writes bodies in it."""
