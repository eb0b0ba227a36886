"""Every example in a docstring runs."""

from __future__ import annotations

import doctest
import gc
import importlib
import pkgutil

import pytest

import exactile

MODULES = [
    module.name
    for module in pkgutil.walk_packages(exactile.__path__, "exactile.")
    if not module.name.endswith("_native")
]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str) -> None:
    if name.startswith("exactile.render.making"):
        for package in ("manifold3d", "trimesh", "ezdxf"):
            pytest.importorskip(package, reason="the extra make is not installed")
    module = importlib.import_module(name)
    assert module.__doc__, f"{name} does not say what it is"
    failures, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    gc.collect()  # what it left open is found here, and not in the test of another module
    assert failures == 0


def test_names_that_are_not_there_are_errors() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = exactile.nothing  # type: ignore[attr-defined]
