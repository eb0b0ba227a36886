"""What packages provide for us, by name: our own modules first, then entry points of others.

A name such as ``square-edges`` is looked up as the module ``square_edges`` of a package of ours.
Only if there is none, all installed packages are asked, which takes much of the start-up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

DEFAULT_BACKEND = "dlx"
"""Who searches where nobody is named. It lists, and a count may be made in another way instead; its
numbers do not depend on its workers, so that it takes all there are to count."""

RACING_BACKEND = "auto"
"""Who looks for one solution, or whether there is any, where nobody is named."""


def named(package: str, name: str, attribute: str, group: str) -> Callable[[], Any] | None:
    """Return what loads the object of a name, None if there is none.

    Parameters
    ----------
    package
        Our package whose modules are looked at first.
    name
        What is asked for.
    attribute
        What it is called in such a module; modules without it do not count.
    group
        Of the entry points.

    Examples
    --------
    >>> load = named("exactile.geometry.lattices", "cube", "LATTICE", "exactile.lattices")
    >>> load().name
    'cube'
    """
    if re.fullmatch(r"[a-z][a-z0-9-]*", name):
        module = f"{package}.{name.replace('-', '_')}"
        if find_spec(module) is not None:
            found = getattr(import_module(module), attribute, None)
            if found is not None:
                return lambda: found
    return _loaders(group).get(name)


def names(group: str) -> list[str]:
    """Return the names of a group of entry points, sorted."""
    return sorted(_loaders(group))


def _loaders(group: str) -> dict[str, Callable[[], Any]]:
    from importlib.metadata import entry_points

    return {point.name: point.load for point in entry_points(group=group)}
