"""A page in one file that shows solutions one after the other, solids in three dimensions."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec

from exactile.puzzle import Puzzle, Solution
from exactile.render.board import in_numbers, lattice_data, pieces_data
from exactile.render.svg import draw_alone

BUILT = Path(__file__).parent / "built"
"""The scripts of such pages."""

WIDTH = 640
"""Width of the drawing that is shown where no script runs."""

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
</head>
<body>
<h1>{title}</h1>
<figure>
{drawing}</figure>
<script type="application/json" id="board">{board}</script>
<script type="application/json" id="solutions">
["""


@runtime_checkable
class PictureStream(Protocol):
    """A binary stream to write to."""

    def write(self, data: bytes, /) -> int:
        """Write some."""


def write_leaves(
    puzzle: Puzzle,
    found: Iterator[Solution],
    stream: PictureStream,
    _: int | None = None,
    *,
    exploded: bool = False,
) -> int:
    """Write solutions as they come, as a page that needs no other file; return their number.

    Without scripts it shows the first one.

    >>> import exactile
    >>> from io import BytesIO
    >>> puzzle = exactile.load("soma-cube")
    >>> with exactile.Search(puzzle, limit=3) as search:
    ...     write_leaves(puzzle, search, BytesIO())
    3
    """
    number = 0
    lattice = lattice_data(puzzle.lattice)
    for number, solution in enumerate(found, 1):
        if number == 1:
            title = escape(puzzle.title or puzzle.name)
            drawing = draw_alone(puzzle, solution, WIDTH, exploded=exploded).svg()
            board = {
                "lattice": lattice,
                "units": puzzle.region.places.tolist(),
                "optional": puzzle.region.optional.nonzero()[0].tolist(),
                "pieces": pieces_data(puzzle),
            }
            head = HEAD.format(title=title, drawing=drawing, board=_harmless(board))
            stream.write(head.encode())
        text = _harmless(in_numbers(puzzle, solution))
        stream.write(f"{',' if number > 1 else ''}\n{text}".encode())
    if number:
        stream.write(b"\n]\n</script>\n")
        for script in ("leaf.js",) if lattice.flat else ("solid.js", "leaf.js"):
            code = (BUILT / script).read_text("utf-8")
            stream.write(f"<script>\n{code}</script>\n".encode())
        stream.write(b"</body>\n</html>\n")
    return number


def _harmless(content: object) -> str:
    """Return a JSON document that cannot end a script element."""
    return msgspec.json.encode(content).decode().replace("<", "\\u003c")
