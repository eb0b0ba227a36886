"""Answers of functions and commands: structures that are printed as JSON and can be read back."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
