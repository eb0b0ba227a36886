"""Lattices, isometries and sets of units. Knows nothing about pieces."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from exactile.errors import NotFoundError, suggestion
from exactile.geometry.lattice import Lattice

__all__ = ["Lattice", "get_lattice", "lattice_names"]


@cache
def _entry_points() -> dict[str, EntryPoint]:
    return {e.name: e for e in entry_points(group="exactile.lattices")}


def lattice_names() -> list[str]:
    """Return the names of all installed lattices, sorted."""
    return sorted(_entry_points())


@cache
def get_lattice(name: str) -> Lattice:
    """Return a lattice by name.

    Raises
    ------
    NotFoundError
        If no installed lattice has this name.

    Examples
    --------
    >>> get_lattice("triangle").polyform
    'polyiamond'
    """
    points = _entry_points()
    if name not in points:
        raise NotFoundError(
            f"There is no lattice '{name}'.{suggestion(name, points)} "
            f"Known: {', '.join(lattice_names())}."
        )
    loaded = points[name].load()
    if not isinstance(loaded, Lattice):
        raise NotFoundError(f"The entry point of lattice '{name}' is no Lattice: {loaded!r}.")
    return loaded
