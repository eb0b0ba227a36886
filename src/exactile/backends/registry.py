"""Backends by name, found through entry points of the group `exactile.backends`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from exactile.backends.base import Backend
from exactile.errors import BackendMissingError, BackendNotFoundError, suggestion


@cache
def _entry_points() -> dict[str, EntryPoint]:
    return {e.name: e for e in entry_points(group="exactile.backends")}


def backend_names() -> list[str]:
    """Return the names of all installed backends, sorted.

    Examples
    --------
    >>> {"cpsat", "dlx", "reference", "sat"} <= set(backend_names())
    True
    """
    return sorted(_entry_points())


def get_backend(spec: str) -> Backend:
    """Return a backend by name; what follows a colon chooses among its solvers.

    Raises
    ------
    BackendNotFoundError
        If there is no such backend or solver.
    BackendMissingError
        If a package that it needs is not installed.

    Examples
    --------
    >>> get_backend("sat").name
    'sat:cadical195'
    """
    name, _, choice = spec.partition(":")
    known = _entry_points()
    if name not in known:
        raise BackendNotFoundError(
            f"There is no backend '{name}'.{suggestion(name, known)} "
            f"Known: {', '.join(backend_names())}."
        )
    try:
        factory = known[name].load()
    except ImportError as error:
        raise BackendMissingError(
            f"The backend '{name}' cannot be loaded: {error}. Install what it needs."
        ) from error
    made: Backend = factory(choice or None)
    return made
