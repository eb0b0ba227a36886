"""Puzzle files, the catalogue of puzzles that comes with the package, and solution files."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
