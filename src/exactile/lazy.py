"""Names of a package that are loaded when they are first used, so that start-up stays short."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def loader(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return what a package has as its ``__getattr__``.

    Parameters
    ----------
    package
        Its name.
    homes
        The module of each name, relative to the package; ``module:other`` if it is called
        otherwise there.

    Examples
    --------
    >>> loader("exactile", {"ExactileError": "errors"})("ExactileError").__name__
    'ExactileError'
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        module, _, own = homes[name].partition(":")
        return getattr(import_module(f"{package}.{module}"), own or name)

    return load
