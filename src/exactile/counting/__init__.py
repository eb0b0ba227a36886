"""Counting by listing, by a memo, or by a frontier; samples; estimates."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
