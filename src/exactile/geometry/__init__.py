"""Lattices, isometries and sets of units. This package does not depend on pieces."""

from __future__ import annotations

from functools import cache

from exactile import plugins
from exactile.doors import door
from exactile.errors import GeometryError, NotFoundError, suggestion
from exactile.geometry.consistency import require_consistent
from exactile.geometry.lattice import Lattice
from exactile.wanted import wanted

__all__ = ["Lattice", "as_lattice", "get_lattice", "lattice_names"]


GROUP = "exactile.lattices"


def lattice_names() -> list[str]:
    """Return the names of all installed lattices, sorted."""
    return plugins.names(GROUP)


def as_lattice(lattice: Lattice | str) -> Lattice:
    """Return a lattice by its name; a lattice is returned as it is.

    Raise NotFoundError if no installed lattice has this name, GeometryError if the argument is
    neither a lattice nor a name.

    Examples
    --------
    >>> as_lattice("square") is get_lattice("square") is as_lattice(get_lattice("square"))
    True
    """
    if isinstance(lattice, str):
        return get_lattice(lattice)
    return wanted(lattice, Lattice, "The lattice", GeometryError)


@door
@cache
def get_lattice(name: str) -> Lattice:
    """Return a lattice by name.

    Raises
    ------
    NotFoundError
        If no installed lattice has this name, or what is installed cannot be loaded, or is not a
        `Lattice` of this name.
    GeometryError
        If its data do not fit together.

    Examples
    --------
    >>> get_lattice("triangle").polyform
    'polyiamond'
    """
    load = plugins.named("exactile.geometry.lattices", name, "LATTICE", GROUP)
    if load is None:
        known = lattice_names()
        raise NotFoundError(
            f"There is no lattice '{name}'.{suggestion(name, known)} Known: {', '.join(known)}."
        )
    try:
        loaded = load()
    except Exception as error:  # the package may do anything
        raise NotFoundError(f"The lattice '{name}' cannot be loaded: {error}.") from error
    entry = f"The entry point of lattice '{name}'"
    if not isinstance(loaded, Lattice):
        raise NotFoundError(f"{entry} is not a Lattice: {loaded!r}.")
    if loaded.name != name:
        raise NotFoundError(f"{entry} has the name '{loaded.name}': give both the same name.")
    require_consistent(loaded)
    return loaded
