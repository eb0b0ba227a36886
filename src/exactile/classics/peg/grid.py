"""The grids of peg boards: lattices whose units are holes, and how to draw them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import sqrt

from exactile.errors import NotFoundError, suggestion
from exactile.geometry import get_lattice
from exactile.geometry.lattice import Lattice, Sketch


@dataclass(frozen=True, eq=False)
class HoleGrid:
    """A lattice as the holes of a board."""

    # The customary name: the holes of a triangle board are hexagons, but are never called so
    name: str
    # The lattice; its sketch is that of drawings of boards, with rows of holes level
    lattice: Lattice
    # A point of a hole times this is its place in pictures
    embedding: tuple[tuple[float, float], tuple[float, float]]


NAMES = ("square", "triangle")


@cache
def grids() -> Mapping[str, HoleGrid]:
    """Return the grids by name.

    >>> len(grids()["triangle"].lattice.neighbors[0])
    6
    """
    square, hexagon = get_lattice("square"), get_lattice("hexagon")
    level = replace(hexagon, sketch=Sketch(columns=(2, 1), lines=(0, 1)))
    return {
        "square": HoleGrid("square", square, ((1.0, 0.0), (0.0, 1.0))),
        "triangle": HoleGrid("triangle", level, ((1.0, 0.0), (0.5, sqrt(3) / 2))),
    }


def get_grid(name: str) -> HoleGrid:
    """Return a grid by name; raise NotFoundError if there is no grid with this name."""
    if name not in NAMES:
        raise NotFoundError(
            f"There is no grid '{name}' for pegs.{suggestion(name, NAMES)} Known: square, triangle."
        )
    return grids()[name]
