"""Picture files of solutions: a drawing of one, a sheet or pages of several, or an HTML page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from html import escape
from itertools import chain, islice
from math import ceil, sqrt
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import msgspec

from exactile.clock import CLOCK
from exactile.doors import Positive, door, require_sink
from exactile.errors import PictureError
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.paint import Paint
from exactile.puzzle.pieces.piece import Piece
from exactile.render.board import in_numbers, labels_data, lattice_data, paint_data, pieces_data
from exactile.render.cover import with_colors
from exactile.render.layout import PAPERS, require_paper
from exactile.render.paper import MM, PALETTE, PAPER, WIDTH, Drawing, ground, lettering
from exactile.render.svg import UNPAINTED, draw_noted, piece_drawing
from exactile.render.thumbnail import small
from exactile.search.limits import Limits

PIECE_ZOOM = 0.8
"""Factor by which drawings of pieces on a sheet are scaled."""

MOST_PIXELS = 100_000_000
"""Largest number of pixels of a PNG."""

FINE = 2
"""Pixels of a PNG along each side of a pixel of the drawing."""

PREAMBLE = (
    "#set document(date: none)",  # equal drawings give equal files
    "#let px = 1in / 96",
    f'#set page(margin: 0pt, fill: rgb("{PAPER}"))',
    '#set text(font: "DejaVu Sans")',
    "#let drawing(name) = image(bytes(sys.inputs.at(name)), width: 100%, height: 100%)",
)
"""Header of a Typst document; its font is used where a drawing asks for sans-serif."""

FONTS = Path(__file__).parent / "fonts"
"""Folder of the fonts that come with the package: those of the system differ between machines."""

SIZE = re.compile(r' width="([\d.]+)(mm)?" height="([\d.]+)')
"""Pattern of the size in an SVG document of this package, in pixels or millimeters."""

CONVERSION = {"svg": 0.1, "png": 2.5, "pdf": 0.3, "html": 0.0}
"""For each file format, the time to convert drawings to it, relative to that of drawing them."""


@door
def write_pictures(
    puzzle: Puzzle,
    solutions: Iterable[Solution],
    stream: PictureStream,
    form: str,
    columns: Positive | None = None,
    *,
    exploded: bool = False,
    limits: Limits | None = None,
    paper: str = "a4",
) -> int:
    """Write solutions as pictures, and return their number.

    Parameters
    ----------
    puzzle, solutions
        A puzzle and solutions of it. A solution without placements shows the region. Without
        solutions, nothing is written.
    stream
        A binary stream to write to.
    form
        ``"svg"`` or ``"png"``: one solution as a drawing, several as a sheet. ``"pdf"``: one
        solution as a drawing, several on pages. ``"html"``: a page to leaf through, with solids in
        three dimensions.
    columns
        Number of drawings in a row; by default 4 on a page, and on a sheet the number that makes it
        about 1.5 times as wide as high. It has no effect in ``"html"``, or with one solution.
    exploded
        Whether pieces in space are drawn apart from each other; see `draw_svg`. In ``"html"``, it
        affects only the drawing that is shown without scripts.
    limits
        The time limit, which includes the search for solutions; None for no limit. Drawing stops
        in time to finish the file, but at least one solution is drawn. The next solution may be
        taken from the iterator `solutions` without being drawn.
    paper
        ``"a4"`` or ``"letter"``: the paper for several solutions as ``"pdf"``.

    Raises
    ------
    PictureError
        If a PNG would be too large, or the format or the paper is unknown.
    PuzzleError
        If a placement is not in the region, or the stream cannot be written to.

    Examples
    --------
    >>> import exactile
    >>> from io import BytesIO
    >>> puzzle = exactile.load("tetrahexes-4x7")
    >>> with exactile.Search(puzzle, limit=5) as search:
    ...     write_pictures(puzzle, search, BytesIO(), "svg", columns=5)
    5
    """
    if form not in WRITERS:
        raise PictureError(f"No pictures are written as '{form}': write {', '.join(WRITERS)}.")
    require_paper(paper)
    require_sink(stream, binary=True)
    some = in_time(solutions, limits, CONVERSION[form])
    shown = (with_colors(puzzle, solution) for solution in some)
    return WRITERS[form](puzzle, shown, stream, columns, exploded=exploded, paper=paper)


def in_time(
    solutions: Iterable[Solution], limits: Limits | None, conversion: float
) -> Iterator[Solution]:
    """Yield solutions to be drawn, at least one, while there is time to convert their drawings.

    `limits`: None for no limit. `conversion`: see `CONVERSION`.
    """
    if limits is not None:
        limits.begin()
    drawing = 0.0
    for number, solution in enumerate(solutions):
        left = limits.left if limits is not None else None
        if number and left is not None and left <= conversion * drawing:
            return
        begun = CLOCK.now()
        yield solution  # resumes when it is drawn
        drawing += CLOCK.now() - begun


def write_svg(document: str, stream: PictureStream, form: str) -> None:
    """Write an SVG document made by this package as ``"svg"``, ``"png"`` or ``"pdf"``.

    Raise PictureError if a PNG would be too large.

    >>> from io import BytesIO
    >>> stream = BytesIO()
    >>> write_svg('<svg width="4" height="3"></svg>', stream, "svg")
    >>> stream.getvalue()
    b'<svg width="4" height="3"></svg>'
    """
    if form == "pdf":
        stream.write(_typeset([document], "pdf"))
    elif form == "png":
        _write_png(document, stream)
    else:
        stream.write(document.encode())


@door
def write_pages(pages: Sequence[str], stream: PictureStream, form: str = "pdf") -> None:
    """Write pages made by `draw_pages` or `draw_cutouts`.

    Parameters
    ----------
    pages
        The pages, at least one.
    stream
        A binary stream to write to.
    form
        ``"pdf"``: all pages; ``"svg"`` or ``"png"``: a single page.

    Raises
    ------
    PictureError
        If the format is unknown, there are no pages, there are several for a format that holds one,
        something is not a page, or a PNG would be too large.
    PuzzleError
        If the stream cannot be written to.

    Examples
    --------
    >>> import exactile
    >>> from io import BytesIO
    >>> pages = exactile.draw_pages([(exactile.load("soma-cube"), (), "Soma")])
    >>> stream = BytesIO()
    >>> exactile.write_pages(pages, stream)
    >>> stream.getvalue()[:5]
    b'%PDF-'
    """
    require_sink(stream, binary=True)
    if form not in ("pdf", "svg", "png"):
        raise PictureError(f"No pages are written as '{form}': write pdf, svg, png.")
    if not pages:
        raise PictureError("There are 0 pages to write: `draw_pages` makes some of boards.")
    if form != "pdf" and len(pages) > 1:
        raise PictureError(f"{len(pages)} pages cannot be one {form} file: write a PDF.")
    if not all(page.startswith("<svg ") and SIZE.search(page) for page in pages):
        raise PictureError("A page must be an SVG document: `draw_pages` makes them.")
    if form == "pdf":
        stream.write(_typeset(pages, "pdf"))
    else:
        write_svg(pages[0], stream, form)


def write_sheet(
    pictures: list[Picture],
    stream: PictureStream,
    form: str,
    title: str = "",
    columns: int | None = None,
    paper: str = "a4",
) -> None:
    """Write drawings with captions as a sheet (``"svg"``, ``"png"``) or as pages (``"pdf"``).

    `title`: the tooltip of the sheet, or of each page. `columns`: number of drawings in a row; by
    default 4 on a page, and on a sheet as `sheet` chooses. `paper`: ``"a4"`` or ``"letter"``, for
    pages only. Raise PictureError if a PNG would be too large.
    """
    if form == "pdf":
        made = pages(pictures, title, columns or 4, paper)
        stream.write(_typeset((page.svg() for page in made), "pdf"))
    else:
        write_svg(sheet(pictures, title, columns).svg(), stream, form)


def write_pieces(
    pieces: Iterable[Piece],
    stream: PictureStream,
    form: str,
    title: str = "",
    columns: int | None = None,
    paint: Paint = UNPAINTED,
) -> None:
    """Write pieces with their names below them, as a sheet or as pages of A4; see `write_sheet`.

    `paint`: the paint of a puzzle with these pieces.

    >>> import exactile
    >>> from io import BytesIO
    >>> stream = BytesIO()
    >>> write_pieces(exactile.load("pentominoes-6x10").pieces, stream, "svg")
    >>> stream.getvalue().count(b"<svg ")
    13
    """
    pictures = [
        (piece_drawing(piece, PIECE_ZOOM, PALETTE[k % len(PALETTE)], paint), piece.name)
        for k, piece in enumerate(pieces)
    ]
    write_sheet(pictures, stream, form, title, columns)


def _write_drawings(
    form: str,
    puzzle: Puzzle,
    found: Iterator[Solution],
    stream: PictureStream,
    columns: int | None,
    *,
    exploded: bool,
    paper: str,
) -> int:
    """Write one solution as a drawing, several as a sheet or pages; return their number."""
    first = list(islice(found, 2))
    if len(first) > 1:
        drawn = (small(puzzle, s, exploded=exploded) for s in chain(first, found))
        numbered = [(drawing, f"{k:,}") for k, drawing in enumerate(drawn, 1)]
        write_sheet(numbered, stream, form, puzzle.title or puzzle.name, columns, paper)
        return len(numbered)
    for solution in first:
        drawing = draw_noted(puzzle, solution, WIDTH, exploded=exploded)
        write_svg(drawing.svg(), stream, form)
    return len(first)


def _size(document: str) -> tuple[float, float]:
    """Return width and height of an SVG document of this package, in pixels."""
    size = SIZE.search(document)
    assert size is not None
    pixels = 1 / MM if size[2] else 1.0
    return float(size[1]) * pixels, float(size[3]) * pixels


def _write_png(document: str, stream: PictureStream) -> None:
    width, height = _size(document)
    if width * height * FINE**2 > MOST_PIXELS:
        raise PictureError(
            f"A sheet of {width * FINE:,.0f} x {height * FINE:,.0f} pixels is too large for PNG: "
            "write a PDF or SVG file instead, or fewer solutions."
        )
    stream.write(_typeset([document], "png"))


def _typeset(documents: Iterable[str], form: Literal["pdf", "png"]) -> bytes:
    """Return a file in which each SVG document is a page of its own size."""
    import typst

    drawings = {str(number): document for number, document in enumerate(documents)}
    sheets = (
        f'#page(width: {width} * px, height: {height} * px, drawing("{name}"))'
        for name, (width, height) in zip(drawings, map(_size, drawings.values()), strict=True)
    )
    return typst.compile(
        "\n".join([*PREAMBLE, *sheets]).encode(),
        sys_inputs=drawings,
        format=form,
        font_paths=typst.Fonts(font_paths=[FONTS]),
        ppi=FINE * 96,
    )


GAP = 18.0
"""Space between drawings and around all of them, in pixels."""

LINE = 16.0
"""Height of a caption, in pixels."""

LETTER = 6.5
"""Approximate width of a letter of a caption, in pixels."""

BROAD = 1.5
"""Approximate ratio of width to height of a sheet with the default number of columns."""

Picture = tuple[Drawing, str]
"""A drawing and its caption."""


def sheet(pictures: Sequence[Picture], title: str = "", columns: int | None = None) -> Drawing:
    """Return a drawing of pictures on one sheet, which is as large as necessary.

    `pictures`: the drawings and their captions, row by row. `title`: the tooltip of the sheet.
    `columns`: number of drawings in a row; by default, the sheet is about `BROAD` times as wide as
    high.

    >>> dot = Drawing("8", "8", ("0", "0", "1", "1"), ('<circle r="1"/>',))
    >>> sheet([(dot, "1"), (dot, "2"), (dot, "3")], columns=2).size
    (70.0, 102.0)
    """
    wide, high = _cell(pictures)
    if columns is None:
        columns = max(1, round(sqrt(BROAD * len(pictures) * (high + GAP) / (wide + GAP))))
    columns = min(columns, len(pictures))
    rows = ceil(len(pictures) / columns)
    body = _placed(pictures, columns, 1.0)
    return ground(columns * (wide + GAP) + GAP, rows * (high + GAP) + GAP, title, body)


def pages(
    pictures: Sequence[Picture], title: str = "", columns: int = 4, paper: str = "a4"
) -> Iterator[Drawing]:
    """Yield pages with pictures, `columns` in a row, all at the same scale.

    `title`: the tooltip of each page. `paper`: ``"a4"`` or ``"letter"``.

    >>> dot = Drawing("8", "8", ("0", "0", "1", "1"), ('<circle r="1"/>',))
    >>> [page.size for page in pages([(dot, "")] * 25, columns=4)]
    [(793.7, 1122.52), (793.7, 1122.52)]
    """
    width, height = (round(side / MM, 2) for side in PAPERS[paper])
    columns = min(columns, len(pictures))
    wide, high = _cell(pictures)
    scale = min(((width - GAP) / columns - GAP) / wide, (height - 2 * GAP - LINE) / (high - LINE))
    row = (high - LINE) * scale + LINE + GAP
    number = columns * max(1, int((height - GAP) / row))
    for start in range(0, len(pictures), number):
        body = _placed(pictures[start : start + number], columns, scale, (wide, high))
        yield ground(width, height, title, body)


def _cell(pictures: Sequence[Picture]) -> tuple[float, float]:
    """Return a width and a height in pixels with room for any of the drawings and its caption."""
    sizes = [drawing.size for drawing, _ in pictures]
    words = LETTER * max(len(caption) for _, caption in pictures)
    return max(words, *(w for w, _ in sizes)), max(h for _, h in sizes) + LINE


def _placed(
    pictures: Sequence[Picture],
    columns: int,
    scale: float,
    cell: tuple[float, float] | None = None,
) -> Iterator[str]:
    """Yield the SVG elements of drawings with captions, `columns` in a row.

    `cell`: width and height of the room for a drawing before it is scaled, in pixels; by default
    large enough for all.
    """
    wide, high = cell or _cell(pictures)
    across, down = wide * scale + GAP, (high - LINE) * scale + LINE + GAP
    for k, (drawing, caption) in enumerate(pictures):
        left, top = GAP + k % columns * across, GAP + k // columns * down
        w, h = (side * scale for side in drawing.size)
        middle = left + wide * scale / 2
        yield drawing.placed(middle - w / 2, top + (high - LINE) * scale - h, scale)
        yield lettering(middle, top + (high - LINE) * scale + 0.8 * LINE, caption)


BUILT = Path(__file__).parent / "built"
"""Folder of the compiled scripts that HTML pages contain."""

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
        """Write bytes, and return their number."""


def write_leaves(
    puzzle: Puzzle,
    found: Iterator[Solution],
    stream: PictureStream,
    _: int | None = None,
    *,
    exploded: bool = False,
    paper: str = "",
) -> int:
    """Write solutions as an HTML page that needs no other file, and return their number.

    The page shows one solution at a time; without scripts, it shows only the first. `exploded`:
    whether the drawing shown without scripts is exploded. `_` and `paper` have no effect. Nothing
    is written if there are no solutions.

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
            drawing = draw_noted(puzzle, solution, WIDTH, exploded=exploded).svg()
            board = {
                "lattice": lattice,
                "units": puzzle.region.places.tolist(),
                "optional": puzzle.region.optional.nonzero()[0].tolist(),
                "pieces": pieces_data(puzzle),
                "labels": labels_data(puzzle),
                "paint": paint_data(puzzle),
            }
            head = HEAD.format(title=title, drawing=drawing, board=harmless(board))
            stream.write(head.encode())
        text = harmless(in_numbers(puzzle, solution))
        stream.write(f"{',' if number > 1 else ''}\n{text}".encode())
    if number:
        stream.write(b"\n]\n</script>\n")
        for script in ("leaf.js",) if lattice.flat else ("solid.js", "leaf.js"):
            code = (BUILT / script).read_text("utf-8")
            stream.write(f"<script>\n{code}</script>\n".encode())
        stream.write(b"</body>\n</html>\n")
    return number


def harmless(content: object) -> str:
    """Return an object as JSON that is safe in a script element: ``<`` is escaped."""
    return msgspec.json.encode(content).decode().replace("<", "\\u003c")


WRITERS: dict[str, Callable[..., int]] = {
    **{form: partial(_write_drawings, form) for form in ("svg", "png", "pdf")},
    "html": write_leaves,
}
"""For each file format, the function that writes solutions in it."""
