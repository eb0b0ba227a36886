"""Counts solutions by listing, a memo or a frontier; estimates their number, and samples them."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
