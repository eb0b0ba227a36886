"""Sizes of pieces and trays, in millimeters."""

from __future__ import annotations

from dataclasses import dataclass, fields

from exactile.doors import guarded
from exactile.errors import PuzzleError
from exactile.geometry.lattice import Lattice

LARGEST = 10_000.0
"""Largest value of every size: ten meters."""

LEAST = {"cell": 0.5, "height": 0.1, "wall": 0.1, "gap": 0.001, "bevel": 0.01}
"""Smallest value of each size: smaller details vanish in the precision of meshes."""


@guarded
@dataclass(frozen=True)
class Sizes:
    """Sizes of pieces and of their tray, in millimeters.

    Attributes
    ----------
    cell
        Length of the longest side of a cell; of an edge, on lattices of edges; diameter of a ball.
    height
        Height of flat pieces, or of a layer of prisms; by default half of `cell` for flat pieces,
        and `cell` for layers. It has no effect on cells that can stand on several sides.
    gap
        Gap between two pieces that lie side by side, and between a piece and the tray.
    wall
        Thickness of the walls and of the floor of a tray, of pieces that consist of faces, and
        width of the bars of pieces that consist of edges.
    bevel
        Width by which the outer edges of pieces of cells are beveled, on both faces; 0 for sharp
        edges.

    Raises
    ------
    PuzzleError
        If a size is too small or too large, or they do not fit together; gap and bevel may be 0.

    Examples
    --------
    >>> Sizes(cell=12).gap
    0.2
    """

    cell: float = 15.0
    height: float | None = None
    gap: float = 0.2
    wall: float = 3.0
    bevel: float = 0.0

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self)):
            size = getattr(self, name)
            optional = name in ("gap", "bevel")
            if size is None or (size == 0 and optional):
                continue
            if not LEAST[name] <= size <= LARGEST:
                none = "0 or " if optional else ""
                raise PuzzleError(
                    f"The {name} is {size:g} mm: it must be {none}at least {LEAST[name]:g} mm, "
                    "up to 10 m."
                )
        if self.gap > self.cell / 5:
            raise PuzzleError(
                f"A gap of {self.gap:g} mm is too wide for cells of {self.cell:g} mm: write "
                f"{self.cell / 5:g} mm at most."
            )

        if self.bevel > self.cell / 6:
            raise PuzzleError(
                f"A bevel of {self.bevel:g} mm is too wide for cells of {self.cell:g} mm: write "
                f"{self.cell / 6:g} mm at most."
            )

    def tall(self, lattice: Lattice) -> float:
        """Return the height of a cell of a lattice of flat cells or of layers."""
        return self.height or (self.cell / 2 if lattice.dimension == 2 else self.cell)
