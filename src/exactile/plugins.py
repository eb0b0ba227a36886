"""Plugins by name: modules of this package first, then entry points of other packages.

A name such as ``square-edges`` is looked up as the module ``square_edges`` of a given package. Only
if there is no such module are the installed packages searched, which is slow the first time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

DEFAULT_BACKEND = "dlx"
"""The default backend for listing solutions. A count may use a method that does not list them. By
default it uses all processors, because its result does not depend on the number of workers."""

RACING_BACKEND = "auto"
"""The default backend to find one solution, or to decide whether there is one."""


def named(package: str, name: str, attribute: str, group: str) -> Callable[[], Any] | None:
    """Return a function that returns the plugin with a name; None if there is no such plugin.

    `package`: the package whose modules are searched first. `attribute`: the name of the plugin
    within its module; a module without this attribute is ignored. `group`: the group of entry
    points that is searched if no module has the plugin.

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


@cache  # a look through the installed packages takes milliseconds; an error takes many
def _loaders(group: str) -> dict[str, Callable[[], Any]]:
    from importlib.metadata import entry_points

    return {point.name: point.load for point in entry_points(group=group)}
