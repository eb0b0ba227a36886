"""Backends by name: modules of the package, and entry points of the group `exactile.backends`."""

from __future__ import annotations

from contextlib import suppress

from exactile import plugins
from exactile.backends.base import Backend
from exactile.backends.variants import parsed, varied
from exactile.doors import door
from exactile.errors import BackendMissingError, BackendNotFoundError, suggestion

GROUP = "exactile.backends"


@door
def backend_names() -> list[str]:
    """Return the names of all installed backends, sorted.

    Examples
    --------
    >>> {"cpsat", "dlx", "reference", "sat"} <= set(backend_names())
    True
    """
    return plugins.names(GROUP)


def as_backend(given: str | Backend) -> Backend:
    """Return a backend, given itself or its name."""
    if isinstance(given, str):
        return get_backend(given)
    if not hasattr(given, "search"):
        raise BackendNotFoundError(f"A backend is a name, or has a method `search`: not {given!r}.")
    return given


def get_backend(spec: str) -> Backend:
    """Return a backend by name, with its solver after a colon, such as ``sat:cadical195``.

    Settings may follow: ``cpsat+linearization_level=2+seed=3``; see `exactile.backends.variants`.
    Raise BackendNotFoundError if there is no such backend, BackendMissingError if it cannot be
    loaded, BackendError if it does not use a setting.

    Examples
    --------
    >>> get_backend("sat").name, get_backend("sat+encoding=bitwise").name
    ('sat:cadical195', 'sat:cadical195+encoding=bitwise')
    """
    variant = parsed(spec)
    if variant.settings:
        return varied(get_backend(variant.backend), variant)
    name, _, choice = spec.partition(":")
    try:
        load = plugins.named("exactile.backends", name, "backend", GROUP)
        factory = load and load()
    except ImportError as error:
        raise BackendMissingError(
            f"The backend '{name}' cannot be loaded: {error}. Install what it needs."
        ) from error
    if factory is None:
        known = backend_names()
        hint = suggestion(name, known) or _with_owner(name)
        raise BackendNotFoundError(
            f"There is no backend '{name}'.{hint} Known: {', '.join(known)}."
        )
    made: Backend = factory(choice or None)
    return made


def _with_owner(choice: str) -> str:
    """Return a hint if a solver is named without its backend."""
    for name in backend_names() if choice else ():
        with suppress(BackendMissingError, BackendNotFoundError):
            choices = get_backend(name).choices()
            if found := [each for each in choices if each.startswith(choice.casefold())]:
                meant = choice if choice in found else found[-1]
                return f" Did you mean '{name}:{meant}'?"
    return ""


def usable() -> list[Backend]:
    """Return the backends whose packages are installed, sorted by name.

    Examples
    --------
    >>> {"auto", "dlx", "reference"} <= {backend.name for backend in usable()}
    True
    """
    found = []
    for name in backend_names():
        with suppress(BackendMissingError):
            found.append(get_backend(name))
    return found


def racers(when: str) -> list[Backend]:
    """Return the usable backends with a role in portfolios, see `Backend.races`.

    Examples
    --------
    >>> [backend.name for backend in racers("first")]
    ['dlx']
    """
    return [backend for backend in usable() if backend.races == when]
