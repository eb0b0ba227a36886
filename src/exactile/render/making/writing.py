"""Meshes as files: STL for any slicer, 3MF with names, colors and copies, glTF for viewers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from exactile.render.colors import PALETTE
from exactile.render.making.meshes import TriangleMesh, library
from exactile.render.paper import harmless

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
    """A named mesh, and the places of its copies."""

    name: str
    mesh: TriangleMesh
    places: Sequence[Shift] = ((0.0, 0.0, 0.0),)  # vectors by which the copies are moved

    def copies(self) -> list[TriangleMesh]:
        """Return the meshes of the copies."""
        return [self.mesh.moved(place) for place in self.places]


def joined(meshes: Sequence[TriangleMesh]) -> TriangleMesh:
    """Return several meshes as one."""
    first = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    triangles = [mesh.triangles + start for mesh, start in zip(meshes, first, strict=False)]
    vertices = np.concatenate([mesh.vertices for mesh in meshes])
    return TriangleMesh(vertices, np.concatenate(triangles))


def write_stl(bodies: Iterable[Body], stream: IO[bytes]) -> None:
    """Write bodies as one binary STL file.

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

    Equal bodies give equal files: the writer of trimesh is not used because it adds random
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
    """Return the document of all objects."""
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
    """Write bodies as a binary glTF file: in meters and with y upwards, as its standard demands.

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
"""Maps coordinates with z upwards and in millimeters, as rows, to those of glTF."""

WRITERS = {"stl": write_stl, "3mf": write_3mf, "glb": write_glb}
"""The writer of each format."""
