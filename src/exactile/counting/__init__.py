"""Counts solutions by listing, by a memo or by a frontier; draws random ones; estimates numbers."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
