"""Pictures of puzzles and solutions: as text and as SVG."""

from exactile.render.svg import draw_svg
from exactile.render.text import draw_text

__all__ = ["draw_svg", "draw_text"]
