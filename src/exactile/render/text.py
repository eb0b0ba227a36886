"""Solutions as text, drawn with the strokes (short texts) that a lattice has for types of units.

Each placement has a short label. A legend explains the labels that are not names of pieces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from operator import mul
from string import ascii_lowercase, ascii_uppercase, digits

from exactile.doors import door
from exactile.errors import RegionError
from exactile.geometry.lattice import Lattice, Stroke
from exactile.puzzle import Puzzle, Solution
from exactile.render.cover import EMPTY, Cover, with_colors
from exactile.render.paper import assign_colors

SYMBOLS = ascii_lowercase + ascii_uppercase + digits

Holder = tuple[str, int]
"""What a label stands for: a piece's name, and a number that distinguishes copies of the piece."""


def label(cover: Cover, width: int, *, copies_apart: bool) -> tuple[list[str], list[str]]:
    """Return a label for each placement, and the entries of a legend.

    The legend explains labels other than piece names. If there are enough labels, each placement
    (or, without `copies_apart`, each piece) has its own. If not, placements of one piece that do
    not touch may share a label. If there are too many pieces even for that, any placements that do
    not touch may share one, and the legend says only that pieces that touch differ.

    `cover`: the solution. `width`: largest number of characters of a label. `copies_apart`: whether
    placements of one piece need different labels, because no borders are drawn between them.

    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> labels, legend = label(Cover(puzzle, exactile.solve_one(puzzle)), 1, copies_apart=True)
    >>> "".join(labels), legend
    ('FILNPTUVWXYZ', [])
    """
    names = [placement.piece for placement in cover.solution]
    copies = _copy_numbers(names) if copies_apart else [0] * len(names)
    found = _assign(list(zip(names, copies, strict=True)), width)
    if found is not None:
        return found, _legend(names, found)
    found = _assign(list(zip(names, classes(cover, same_piece=True), strict=True)), width)
    if found is not None:
        return found, [*_legend(names, found), "(copies that touch differ)"]
    found = [SYMBOLS[c % len(SYMBOLS)] for c in classes(cover, same_piece=False)]
    return found, ["(pieces that touch differ)"]


def classes(cover: Cover, *, same_piece: bool) -> list[int]:
    """Return small numbers for the placements, different for placements that touch.

    `cover`: the solution. `same_piece`: whether only placements of the same piece need to differ.
    """
    names = [placement.piece for placement in cover.solution]
    result: list[int] = []
    for number, others in enumerate(cover.touching):
        near = {
            result[o]
            for o in others
            if o < number and (not same_piece or names[o] == names[number])
        }
        result.append(next(c for c in range(len(near) + 1) if c not in near))
    return result


def _copy_numbers(names: Sequence[str]) -> list[int]:
    seen: Counter[str] = Counter()
    result = []
    for name in names:
        result.append(seen[name])
        seen[name] += 1
    return result


def _assign(holders: Sequence[Holder], width: int) -> list[str] | None:
    """Return the label of each holder (a piece and a copy number); equal ones share a label.

    A label has at most `width` characters. Return None if there are not enough labels.
    """
    different = list(dict.fromkeys(holders))
    uses = Counter(name for name, _ in different)
    labels = {h: h[0] for h in different if uses[h[0]] == 1 and _is_label(h[0], width)}
    used = set(labels.values())
    sources = {name: _candidates(name, width, alone=n == 1) for name, n in uses.items()}
    for holder in different:
        if holder in labels:
            continue
        text = next((c for c in sources[holder[0]] if c not in used and _is_label(c, width)), None)
        if text is None:
            return None
        labels[holder] = text
        used.add(text)
    return [labels[h] for h in holders]


def _is_label(text: str, width: int) -> bool:
    """Return whether a text can be seen, fits, and is not the dot of uncovered units."""
    return text.isprintable() and text.strip() not in ("", ".") and len(text) <= width


def _candidates(name: str, width: int, *, alone: bool) -> Iterator[str]:
    """Yield labels for a piece that cannot be labeled with its name, the most similar ones first.

    `alone`: whether only one label is needed for the piece.
    """
    stem = name
    if len(name) > width:
        rank = re.search(r"[1-9]\d*$", name) if width > 1 else None
        stem = rank[0] if rank and len(rank[0]) <= width else name[:width]
        if alone:
            yield stem
            yield stem.swapcase()
    if width > 1:
        yield from (stem[: width - 1] + symbol for symbol in SYMBOLS)
    yield from SYMBOLS


def _legend(names: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Return an entry such as ``a-j: Y`` for each piece that is not labeled with its name."""
    texts: dict[str, list[str]] = {}
    for name, text in zip(names, labels, strict=True):
        texts.setdefault(name, []).append(text)
    return [
        f"{' '.join(_runs(sorted(set(found), key=_rank)))}: {name}"
        for name, found in texts.items()
        if set(found) != {name}
    ]


def _rank(text: str) -> tuple[str, int]:
    return text[:-1], SYMBOLS.find(text[-1])


def _runs(texts: Sequence[str]) -> list[str]:
    """Return sorted labels; ranges replace runs of three or more.

    >>> _runs(["a", "b", "c", "d", "x", "I3a", "I3b"])
    ['a-d', 'x', 'I3a', 'I3b']
    """
    runs: list[list[str]] = []
    for text in texts:
        follows = runs and _rank(text) == (_rank(runs[-1][-1])[0], _rank(runs[-1][-1])[1] + 1)
        if follows and _kind(text) == _kind(runs[-1][-1]):
            runs[-1].append(text)
        else:
            runs.append([text])
    return [word for run in runs for word in ([f"{run[0]}-{run[-1]}"] if len(run) > 2 else run)]


def _kind(text: str) -> int:
    """Return 0 if the last character is a lowercase letter, 1 if it is uppercase, 2 for a digit."""
    return SYMBOLS.find(text[-1]) // 26


PAGE = 80
"""Number of columns to which layers and legends are wrapped."""

Canvas = dict[tuple[int, int], str]
"""Characters by (line, column); lines count upwards."""


@door
def draw_text(puzzle: Puzzle, solution: Solution, *, color: bool = False) -> str:
    """Draw a solution as text, in the style customary for its lattice.

    Parameters
    ----------
    puzzle, solution
        A puzzle and placements in its region. Units that they do not cover are dots; an empty
        solution draws the region.
    color
        Whether to color the backgrounds of pieces by terminal control sequences, in the colors of
        pictures. Where borders are drawn, only labels have a background.

    Returns
    -------
    str
        Lines without trailing blanks, each ended by a newline; below them a legend of the labels
        that are not names of pieces. The first coordinate grows to the right, the second upwards;
        the layers, one for each value of the third, stand side by side. Equal arguments give equal
        text.

    Raises
    ------
    RegionError
        If the region is too large to be drawn as text.
    PuzzleError
        If `solution` does not consist of placements in the region.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> print(draw_text(puzzle, ()), end="")
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    """
    cover = Cover(puzzle, with_colors(puzzle, solution))
    bordered = _bordered(puzzle.lattice)
    labels, legend = label(cover, puzzle.lattice.art.label_width, copies_apart=not bordered)
    colors = assign_colors(cover) if color else None
    lines = _lines(cover, _draw(cover, _unit_labels(cover, labels, once=bordered), colors))
    if legend:
        lines += ["", *_filled(legend)]
    return "".join(line.rstrip() + "\n" for line in lines)


def draw_marks(puzzle: Puzzle, marks: Sequence[str]) -> str:
    """Draw the region of a puzzle as text, with marks in some of its units.

    `marks`: a character, or an empty text for no mark, for each unit of the region. Raise
    RegionError if the region is too large.

    >>> import exactile
    >>> print(draw_marks(exactile.load("dominoes-4x4"), ["#", "", "o", ""] * 4), end="")
    . . . .
    o o o o
    . . . .
    # # # #
    """
    cover = Cover(puzzle, ())
    layers = _draw(cover, [None] * len(marks))
    for kind, line, column, depth, mark in zip(cover.kinds, *_origins(cover), marks, strict=True):
        beside, above = puzzle.lattice.art.dots[kind] if puzzle.lattice.art.dots else (0, 0)
        if mark:
            layers[depth][line + above, column + beside] = mark
    return "".join(line.rstrip() + "\n" for line in _lines(cover, layers))


def _bordered(lattice: Lattice) -> bool:
    """Return whether drawings on a lattice have borders; then not every unit needs a label."""
    return any(s.across is not None for strokes in lattice.art.strokes for s in strokes)


def _lines(cover: Cover, layers: dict[int, Canvas]) -> list[str]:
    """Return the lines of a drawing; the layers of a lattice in space stand side by side."""
    blocks, lattice = _blocks(layers), cover.lattice
    if lattice.art.layer_axis is None:
        return blocks[0]
    axis = lattice.axes[lattice.art.layer_axis]
    scale = 1 if lattice.customary else lattice.period
    captions = [f"{axis}={Fraction(z, scale)}" for z in sorted(layers)]
    return _side_by_side([[c, *b] for c, b in zip(captions, blocks, strict=True)])


def _unit_labels(cover: Cover, labels: Sequence[str], *, once: bool) -> list[str | None]:
    """Return the label of each unit; None for units without a label, such as uncovered ones.

    `once`: whether only one unit in each connected part of a placement has the label.
    """
    if not once:
        return [labels[owner] if owner >= 0 else None for owner in cover.owners]
    strokes = cover.lattice.art.strokes
    roomy = [any("{" in s.text for s in strokes[kind]) for kind in cover.kinds]
    result: list[str | None] = [None] * len(cover.owners)
    for parts, text in zip(cover.parts, labels, strict=True):
        for units in parts:
            fitting = [u for u in units if roomy[u]]
            if fitting:
                result[cover.center_unit(fitting)] = text
    return result


MOST_CHARACTERS = 1_000_000


def _draw(
    cover: Cover, texts: Sequence[str | None], colors: Sequence[str] | None = None
) -> dict[int, Canvas]:
    """Return a canvas for each layer, by the coordinate of the layer.

    `texts`: the label of each unit, or None. `colors`: the color of each placement's background;
    None for no backgrounds.
    """
    lines, columns, depths = _origins(cover)
    layers: dict[int, Canvas] = {z: {} for z in sorted(set(depths))}
    bordered = _bordered(cover.lattice)
    for unit, stroke, text in _strokes(cover, texts):
        canvas, owner = layers[depths[unit]], cover.owners[unit]
        painted = colors is not None and owner != EMPTY and stroke.across is None
        if painted and not bordered:
            text += " "
        for i, character in enumerate(text, columns[unit] + stroke.column):
            if painted or character != " ":
                ground = colors[owner] if colors is not None and painted else None
                canvas[lines[unit] + stroke.line, i] = _painted(character, ground)
    return layers


def _painted(character: str, ground: str | None) -> str:
    """Return a character for a terminal, black on the color `ground`; unchanged if that is None."""
    if ground is None:
        return character
    red, green, blue = (int(ground[i : i + 2], 16) for i in (1, 3, 5))
    return f"\x1b[30;48;2;{red};{green};{blue}m{character}\x1b[0m"


def _seen(line: str) -> int:
    """Return the number of characters of a line, without sequences that set colors."""
    return len(re.sub(r"\x1b\[[\d;]*m", "", line))


def _origins(cover: Cover) -> tuple[list[int], list[int], list[int]]:
    """Return the lines, columns and layers of the origins of all units: see `Stroke`."""
    art, places = cover.lattice.art, cover.lattice.coordinates(cover.region.places)
    return (
        [sum(map(mul, art.lines, where)) for where in places],
        [sum(map(mul, art.columns, where)) for where in places],
        [0 if art.layer_axis is None else where[art.layer_axis] for where in places],
    )


def _strokes(cover: Cover, texts: Sequence[str | None]) -> Iterator[tuple[int, Stroke, str]]:
    """For each stroke that is drawn, yield its unit, the stroke and its text.

    The first strokes of all units come before the second ones, and so on. Dots for uncovered units
    come last.
    """
    art = cover.lattice.art
    kinds = cover.kinds
    borders = _borders(cover)
    empty = [bool(cover.solution) and owner == EMPTY for owner in cover.owners]
    for number in range(max(map(len, art.strokes))):
        for unit, kind in enumerate(kinds):
            stroke = art.strokes[kind][number] if number < len(art.strokes[kind]) else None
            if stroke is None or (stroke.across is None and empty[unit]):
                continue
            if stroke.across is not None:
                if unit in borders[kind, number]:
                    yield unit, stroke, stroke.text
            elif texts[unit] is not None or not cover.solution or "{" not in stroke.text:
                yield unit, stroke, stroke.text.format(texts[unit] or "")
    dots = [Stroke(column, line, ".") for column, line in art.dots or [(0, 0)] * len(art.strokes)]
    yield from ((unit, dots[kinds[unit]], ".") for unit in range(len(kinds)) if empty[unit])


def _borders(cover: Cover) -> dict[tuple[int, int], set[int]]:
    """Return the units that have each border stroke, by type of unit and index of the stroke.

    A border lies between different owners. In a region without placements, every unit has all its
    borders.
    """
    found = {}
    for kind, strokes in enumerate(cover.lattice.art.strokes):
        for number, stroke in enumerate(strokes):
            if stroke.across is not None:
                units, others = cover.across(kind, stroke.across)
                found[kind, number] = {
                    unit
                    for unit, other in zip(units, others, strict=True)
                    if other != cover.owners[unit] or not cover.solution
                }
    return found


def _blocks(layers: dict[int, Canvas]) -> list[list[str]]:
    """Return the lines of each layer, top line first; all layers have the same size.

    Raise RegionError if they would have more than `MOST_CHARACTERS` in all.
    """
    places = [place for canvas in layers.values() for place in canvas]
    lines = [line for line, _ in places]
    columns = [column for _, column in places]
    across = range(min(columns), max(columns) + 1)
    down = range(max(lines), min(lines) - 1, -1)
    if len(across) * len(down) * len(layers) > MOST_CHARACTERS:
        raise RegionError(
            f"The region is too large to be drawn as text: {len(across):,} columns and "
            f"{len(down):,} lines. Draw it as SVG."
        )
    return [
        ["".join(layers[z].get((line, column), " ") for column in across) for line in down]
        for z in sorted(layers)
    ]


def _side_by_side(blocks: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of blocks side by side, with as many in a row as fit `PAGE` columns."""
    width = max(_seen(line) for block in blocks for line in block)
    each = max(1, (PAGE + 2) // (width + 2))
    lines: list[str] = []
    for start in range(0, len(blocks), each):
        if start:
            lines.append("")
        group = blocks[start : start + each]
        lines += [
            "  ".join(line + " " * (width - _seen(line)) for line in level)
            for level in zip(*group, strict=True)
        ]
    return lines


def _filled(entries: Iterable[str]) -> list[str]:
    """Return entries, separated by two blanks, in lines that fit `PAGE` columns if possible."""
    lines = [""]
    for entry in entries:
        if lines[-1] and len(lines[-1]) + 2 + len(entry) > PAGE:
            lines.append("")
        lines[-1] += ("  " if lines[-1] else "") + entry
    return lines
