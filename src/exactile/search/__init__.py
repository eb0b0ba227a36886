"""Searches for solutions: the handle, its limits, and simple functions that use them."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
