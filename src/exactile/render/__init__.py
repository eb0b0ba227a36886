"""Pictures of puzzles and solutions: as text and as SVG."""

from typing import TYPE_CHECKING

from exactile.lazy import loader

if TYPE_CHECKING:
    from exactile.render.pictures import write_pictures
    from exactile.render.svg import draw_svg
    from exactile.render.text import draw_text

__all__ = ["draw_svg", "draw_text", "write_pictures"]

__getattr__ = loader(
    __name__, {"draw_svg": "svg", "draw_text": "text", "write_pictures": "pictures"}
)
