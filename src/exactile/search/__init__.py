"""The verbs: search, solve, count, prove; and the handle they work with."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
