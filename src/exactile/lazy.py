"""Names of a package that are loaded on first use, so that its import is fast."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # not imported: this module is loaded at every start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def attach(
    package: str, init: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the ``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    The stub next to its ``__init__.py``, which type checkers also read, lists the names of the
    package. It has lines such as ``from exactile.errors import ExactileError as ExactileError``;
    a line such as ``catalogue = entries`` renames an imported object.

    `package`, `init`: ``__name__`` and ``__file__`` of the package.

    >>> import exactile
    >>> load, _, names = attach("exactile", exactile.__file__)
    >>> load("ExactileError").__name__, "count" in names
    ('ExactileError', True)
    """
    homes: dict[str, tuple[str, str]] = {}
    with open(f"{init.rpartition('.')[0]}.pyi", encoding="utf-8") as stub:  # noqa: PTH123
        for line in stub:
            match line.split():
                case "from", module, "import", name, *_:
                    homes[name] = module, name
                case name, "=", other:
                    homes[name] = homes.pop(other)

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        module, own = homes[name]
        return getattr(import_module(module), own)

    own = ("__all__", "__doc__", "__file__", "__name__", "__path__", "__version__")
    return load, lambda: sorted([*homes, *own]), sorted(homes)
