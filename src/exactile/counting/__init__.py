"""Counting: by listing, by a memo, by a front; samples; how large a search is."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
