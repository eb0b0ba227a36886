"""Solve polyform puzzles, count their solutions, or prove that they have none.

>>> import exactile
>>> puzzle = exactile.load("pentominoes-6x10")
>>> exactile.count(puzzle).symmetry
2339

Each name is loaded when it is first used, so that ``import exactile`` stays fast.
"""

import sys

from exactile.lazy import attach

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = attach(__name__, __file__)

if "IPython" in sys.modules:  # by name: it belongs to a higher layer
    from importlib import import_module

    import_module("exactile.notebook").register()
