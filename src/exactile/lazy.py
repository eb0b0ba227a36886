"""Names of a package that are loaded when they are first used, so that start-up stays short."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

NAME = re.compile(r"^from (\S+) import (\w+)", re.MULTILINE)
OTHER_NAME = re.compile(r"^(\w+) = (\w+)$", re.MULTILINE)


def attach(
    package: str, init: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return what a package has as its ``__getattr__``, ``__dir__`` and ``__all__``.

    Its names stand once, in the stub beside it, where type checkers read them too: lines such as
    ``from exactile.errors import ExactileError as ExactileError``, and ``catalogue = entries`` for
    what is called otherwise where it comes from.

    Parameters
    ----------
    package, init
        Its ``__name__`` and ``__file__``.

    Examples
    --------
    >>> import exactile
    >>> load, _, names = attach("exactile", exactile.__file__)
    >>> load("ExactileError").__name__, "count" in names
    ('ExactileError', True)
    """
    stub = Path(init).with_suffix(".pyi").read_text("utf-8")
    homes = {name: (module, name) for module, name in NAME.findall(stub)}
    homes |= {name: homes.pop(own) for name, own in OTHER_NAME.findall(stub)}

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        module, own = homes[name]
        return getattr(import_module(module), own)

    own = ("__all__", "__doc__", "__file__", "__name__", "__path__", "__version__")
    return load, lambda: sorted([*homes, *own]), sorted(homes)
