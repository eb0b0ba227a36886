"""A drawing as a value: its size and its elements. Documents and sheets consist of drawings."""

from __future__ import annotations

from dataclasses import dataclass, replace

SVG = 'xmlns="http://www.w3.org/2000/svg"'


@dataclass(frozen=True)
class Drawing:
    """Elements of SVG on a rectangle.

    >>> dot = Drawing("8", "8", ("0", "0", "1", "1"), ('<circle r="1"/>',))
    >>> print(dot.svg(), end="")
    <svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" viewBox="0 0 1 1">
    <circle r="1"/>
    </svg>
    """

    # width, height: in pixels
    width: str
    height: str
    # Left, top, width and height of the same rectangle in the coordinates of the elements
    box: tuple[str, str, str, str]
    elements: tuple[str, ...]  # what is drawn, in order
    style: str = ""  # attributes of all elements, each after a blank

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as numbers."""
        return float(self.width), float(self.height)

    def scaled(self, factor: float) -> Drawing:
        """Return the drawing enlarged by a factor."""
        width, height = (number(side * factor) for side in self.size)
        return replace(self, width=width, height=height)

    def svg(self) -> str:
        """Return the drawing as a document."""
        return f"<svg {SVG} {self._inner(self.width, self.height)}\n"

    def placed(self, x: float, y: float, scale: float = 1.0) -> str:
        """Return the drawing as an element of a larger one, its corner at a place."""
        large = self.scaled(scale)
        return f'<svg x="{number(x)}" y="{number(y)}" {self._inner(large.width, large.height)}'

    def _inner(self, width: str, height: str) -> str:
        view = f'width="{width}" height="{height}" viewBox="{" ".join(self.box)}"{self.style}>'
        return "\n".join([view, *filter(None, self.elements), "</svg>"])


def number(value: float) -> str:
    """Return a number with two decimals at most.

    >>> number(2.5), number(1 / 3), number(-0.001)
    ('2.5', '0.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
