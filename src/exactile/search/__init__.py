"""Searches for solutions: the handle, its limits, and the verbs that need no more."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
