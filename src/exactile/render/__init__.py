"""Pictures of puzzles and solutions: as text and as SVG."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
