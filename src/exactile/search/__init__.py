"""Searches for solutions: the handle, its limits, and the simplest verbs."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
