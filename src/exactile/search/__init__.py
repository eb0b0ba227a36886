"""Searches for solutions: the class `Search`, its limits, and simple functions that use it."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
