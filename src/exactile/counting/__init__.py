"""Counts, samples and estimates solutions: by listing, by a memo, by a frontier."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
