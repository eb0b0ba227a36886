"""Drawings of solutions with one letter for each piece: reading and writing.

A letter is any character except ``#`` (a unit that is still to be covered), ``+`` (an optional unit
that is not covered), ``.`` and the space. The layout is that of drawings of regions: see
`exactile.files.puzzles.units`. Blanks may separate the letters of a line. After a drawing, a line
such as ``a b: Y`` says that the letters a and b stand for piece Y. Without such a line, a letter
stands for the piece with this letter as its name, or else for the piece that has the form of the
units with this letter. Pieces that do not touch may share a letter.

In a file, a new drawing begins after a blank line, after a line with a colon, such as ``solution
2:``, or after its number and a dot. In space, however, a blank line ends a layer of a drawing; or
all layers stand side by side below a line such as ``z=0  z=1``, as in the drawings of a terminal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice, pairwise, product
from operator import add, sub
from os import PathLike
from string import ascii_lowercase, ascii_uppercase, digits
from typing import IO, NamedTuple

import numpy as np

from exactile.errors import FileError, PuzzleError
from exactile.files.puzzles.units import Mark, mark_of, text_of
from exactile.files.sources import Place, lines_of, source_name
from exactile.geometry.lattice import Point
from exactile.puzzle import Placement, Puzzle, Solution
from exactile.puzzle.congruence import is_placement
from exactile.puzzle.puzzle import as_placement, sorted_solution

SYMBOLS = ascii_lowercase + ascii_uppercase + digits
SIGNS = "#+. "
REMARK = re.compile(r".*[:(].*|([0-9]+|no) solutions?.*")
NUMBER = re.compile(r"[\d,]+\.")
SIDE_BY_SIDE = re.compile(r"\s*z=-?\d{1,9}(\s+z=-?\d{1,9})*\s*")
ENTRY = re.compile(r"((?:\S(?:-\S)? )*\S(?:-\S)?): (\S+)")


class Lettered(NamedTuple):
    """A drawing in a file.

    Attributes
    ----------
    place
        The file and the number of the first line, for messages.
    layers
        The lines of each layer; one layer in the plane.
    named
        The names of pieces by letter, as far as the legend states them.
    """

    place: Place
    layers: list[list[str]]
    named: dict[str, str]


class Letters:
    """Writes and reads drawings of the solutions of a puzzle.

    Raise PuzzleError if the lattice has no drawings.

    >>> import exactile
    >>> letters = Letters(exactile.load("dominoes-4x4"))
    >>> solution = exactile.solve_one(letters.puzzle)
    >>> print(letters.text(solution), end="")
    bdfh
    bdfh
    aceg
    aceg
    a b c d e f g h: I2
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        lattice, region = puzzle.lattice, puzzle.region
        if lattice.sketch is None:
            raise PuzzleError(
                f"There are no drawings in letters on the {lattice.name} lattice: take another "
                "format, or write units."
            )
        marks = [mark_of(cell, lattice) for cell in lattice.coordinates(region.places)]
        low = [min(axis) for axis in zip(*marks, strict=True)]
        self._marks: list[Mark] = [(c - low[0], n - low[1], z - low[2]) for c, n, z in marks]
        self._units = {mark: number for number, mark in enumerate(self._marks)}
        self._points = [tuple(point) for point in region.units.tolist()]
        self._fitting: dict[tuple[Point, ...], list[str]] = {}

    def text(self, solution: Solution) -> str:
        """Return the drawing of a solution, with a legend unless some pieces share a letter.

        Raise PuzzleError if a unit is outside the region, or if the drawing could not be read back
        because pieces share letters or have blanks in their names.
        """
        placements = [as_placement(p, self.puzzle.lattice) for p in solution]
        units = [self._numbers(p.units) for p in placements]
        if any(number < 0 for own in units for number in own):
            raise PuzzleError("A solution that leaves the region cannot be drawn in letters.")
        letters = self._letters([p.piece for p in placements], units)
        signs = {m: "+" if o else "#" for m, o in zip(self._marks, self._optional, strict=True)}
        for letter, own in zip(letters, units, strict=True):
            signs |= dict.fromkeys((self._marks[number] for number in own), letter)
        drawn = text_of(signs) + "\n"
        names = [p.piece for p in placements]
        shared = len(set(letters)) < len(letters)
        if not shared:
            drawn += _legend(zip(names, letters, strict=True))
        if shared or any(name.split() != [name] for name in names):
            self._require_readable(drawn, placements, "" if shared else " whose names have blanks")
        return drawn

    def _require_readable(self, drawn: str, placements: list[Placement], kind: str) -> None:
        """Raise PuzzleError unless reading a drawing gives these placements.

        `kind`: words after "pieces" in the message, such as " whose names have blanks".
        """
        lines = ((Place("the drawing"), line) for line in drawn.splitlines())
        with suppress(PuzzleError):
            if list(self.read(lines)) == [sorted_solution(placements, self.puzzle.piece_index)]:
                return
        raise PuzzleError(f"{self.puzzle.name} has too many pieces{kind} for a letter each.")

    def read(self, lines: Iterable[tuple[Place, str]]) -> Iterator[Solution]:
        """Yield the placements of each drawing, which may show only a part of a solution.

        `lines`: the lines of a file, each with its place for messages. Raise FileError if a drawing
        does not fit the puzzle or lacks layers.
        """
        height = max(n for _, n, _ in self._marks) + 1
        for drawing in drawings(lines, self.layers, height):
            try:
                placements = self._placements(drawing)
            except PuzzleError as error:
                raise drawing.place.error(str(error)) from None
            yield placements

    def _placements(self, drawing: Lettered) -> Solution:
        found: dict[str, list[int]] = {}
        for number, letter in self._read(drawing.layers).items():
            if letter not in SIGNS:
                found.setdefault(letter, []).append(number)
        for strict in False, True:  # strict if forms alone give a piece too many times
            placements = [
                placement
                for letter, numbers in found.items()
                for placement in self._placed(
                    letter, numbers, drawing.named.get(letter, letter), strict=strict
                )
            ]
            uses = Counter(placement.piece for placement in placements)
            if all(uses[piece.name] <= piece.upper for piece in self.puzzle.pieces):
                break
        return sorted_solution(placements, self.puzzle.piece_index)

    @property
    def layers(self) -> int | None:
        """Number of layers of a drawing; None in the plane."""
        return max(z for *_, z in self._marks) + 1 if self.puzzle.lattice.dimension > 2 else None

    @property
    def _optional(self) -> list[bool]:
        return list(self.puzzle.region.optional.tolist())

    def _read(self, layers: list[list[str]]) -> dict[int, str]:
        """Return the character at each unit, by the unit's index in the region.

        The drawing may be indented, and blanks may separate its characters. If possible, it is
        placed so that its dots also lie within the bounding box of the region; else its dots are
        ignored. Raise PuzzleError if the drawing does not fit the region.
        """
        wrong: list[Mark] = []
        spread = all(not line[1::2].strip() for layer in layers for line in layer)
        size = [max(axis) + 1 for axis in zip(*self._marks, strict=True)]
        for ignored, step in product((" ", ". "), (1, 2) if spread else (1,)):
            signs = {
                (column, height, z): sign
                for z, layer in enumerate(layers)
                for height, line in enumerate(reversed(layer))
                for column, sign in enumerate(line[::step])
                if sign not in ignored
            }
            low = [min(axis) for axis in zip(*signs, strict=True)] or [0, 0, 0]
            for origin in ([0, 0, 0], low):
                moved = {tuple(map(sub, mark, origin)): sign for mark, sign in signs.items()}
                seen = {mark: sign for mark, sign in moved.items() if sign != "."}
                outside = [mark for mark in seen if mark not in self._units]
                if not outside and all(
                    0 <= c < n for m in moved for c, n in zip(m, size, strict=True)
                ):
                    return {self._units[mark]: sign for mark, sign in seen.items()}
                wrong = wrong or [tuple(map(add, mark, origin)) for mark in outside]
        width, height, depth = size
        words = f"{width} columns and {height} lines" + f" in {depth} layers" * (depth > 1)
        column, up, z = wrong[0]
        raise PuzzleError(
            f"the drawing does not fit the region of {self.puzzle.name}, which has {words}: there "
            f"is no place for '{layers[z][-1 - up][column]}', column {column + 1} of the line "
            f"'{layers[z][-1 - up]}'."
        )

    def _placed(
        self, letter: str, numbers: list[int], name: str, *, strict: bool
    ) -> Iterator[Placement]:
        """Yield one placement if the units with a letter form a piece, else one for each part.

        A part is a connected component of the units. `numbers`: indices of the units. `name`: the
        piece that the legend states for the letter, or the letter itself. A part is wrong if it
        does not form a piece or, with `strict`, forms a piece other than the piece `name`. If a
        part is wrong, yield only a placement of `name` with all units, which the checker refuses;
        raise PuzzleError if `name` is not a piece. Also raise it if several pieces have the form of
        a part and none of them is `name`.
        """
        parts = [numbers] if self._name(numbers, name) else self._parts(numbers)
        names = [self._name(part, name) for part in parts]
        if strict and name in self.puzzle.piece_index:
            names = [own if own == name else "" for own in names]
        if all(names):
            yield from map(self._placement, names, parts)
        elif name in self.puzzle.piece_index:  # the checker reports the fault
            yield self._placement(name, numbers)
        else:
            part = next(p for p, n in zip(parts, names, strict=True) if not n)
            cells = " ".join(",".join(map(str, self._coordinates(n))) for n in part[:12])
            raise PuzzleError(
                f"the cells of {letter!r} are not a piece of {self.puzzle.name}: "
                f"{cells}{' ...' * (len(part) > 12)}. Give pieces that touch different letters."
            )

    def _name(self, numbers: list[int], name: str) -> str:
        """Return the name of the piece that these units form; empty if they do not form a piece.

        If several pieces have this form, return `name` if it is among them, else raise PuzzleError.
        """
        units = self._placement(name, numbers).units
        if units not in self._fitting:
            region, paint = self.puzzle.region, self.puzzle.paint
            self._fitting[units] = [
                piece.name
                for piece in self.puzzle.pieces
                if piece.order == len(units) and is_placement(piece, units, region, paint)
            ]
        fitting = self._fitting[units]
        if len(fitting) > 1 and name not in fitting:
            either = " or ".join(fitting)
            raise PuzzleError(f"{name!r} may be {either}: write a line such as {name}: {either}.")
        return name if name in fitting else next(iter(fitting), "")

    def _parts(self, numbers: list[int]) -> list[list[int]]:
        """Return the connected parts of some units, all given by their indices in the region."""
        left, found = set(numbers), []
        while left:
            part = [left.pop()]
            for number in part:
                near = self._near(number) & left
                left -= near
                part += near
            found.append(sorted(part))
        return found

    def _near(self, number: int) -> set[int]:
        """Return the indices of a unit's neighbors in the region."""
        region = self.puzzle.region
        steps = np.array(self.puzzle.lattice.neighbors[region.types[number]])
        return set(region.index(region.units[number] + steps).tolist()) - {-1}

    def _numbers(self, units: Iterable[Point]) -> list[int]:
        return list(self.puzzle.region.index(np.array(list(units))).tolist())

    def _placement(self, name: str, numbers: list[int]) -> Placement:
        return Placement(name, tuple(sorted(self._points[number] for number in numbers)))

    def _coordinates(self, number: int) -> tuple[int, ...]:
        return self.puzzle.region.coordinates[number]

    def _letters(self, names: list[str], units: list[list[int]]) -> list[str]:
        """Return a letter or digit for each placement.

        `names`, `units`: the piece of each placement, and the indices of its units. The first
        placement of a piece whose name is one letter or digit gets this sign; the other placements
        get unused signs. When all are used, placements that do not touch share signs, and the last
        resort is ``?``.
        """
        whole = {name for name in names if len(name) == 1 and name.isalnum()}
        letters: list[str] = []
        owners = {number: k for k, own in enumerate(units) for number in own}
        for k, name in enumerate(names):
            if name in whole and name not in letters:
                letters.append(name)
                continue
            used = {*letters, *whole}
            own = (name[0], name[0].swapcase()) if names.count(name) == 1 else ()
            wanted = [s for s in (*own, *SYMBOLS) if s in SYMBOLS]
            free = next((s for s in wanted if s not in used), None)
            if free is None:  # then the letter of placements that do not touch this one
                near = {owners.get(n, k) for number in units[k] for n in self._near(number)}
                used = {letters[o] for o in near if o < k}
                free = next((s for s in SYMBOLS if s not in used), "?")
            letters.append(free)
        return letters


def read_drawing(
    source: str | PathLike[str] | IO[str], puzzle: Puzzle, name: str | None = None
) -> Solution:
    """Return the placements of the only drawing in a file.

    `name`: the name of the file in messages; by default, `source_name`. Raise FileError unless the
    file can be read and has exactly one drawing, which fits the puzzle. Raise PuzzleError if the
    lattice has no drawings.
    """
    letters = Letters(puzzle)
    found = list(letters.read(lines_of(source, name)))
    if len(found) != 1:
        raise FileError(f"{name or source_name(source)}: it has {len(found)} drawings, not one.")
    return found[0]


def region_drawing(text: str) -> str:
    r"""Return a drawing of the region alone: ``#`` in place of letters, and no legend.

    >>> region_drawing("1.\naab\n#++\n44.\na b: I2")
    '###\n#++\n##.'
    """
    lines: list[str] = []
    above = None
    for line in text.splitlines():
        is_remark = _is_remark(line, above)
        above = 1 if line.strip() and not is_remark else None
        if not is_remark:
            lines.append(re.sub(r"[^#+.\s]", "#", line))
    return "\n".join(lines)


def _is_remark(line: str, above: int | None) -> bool:
    """Return whether a line belongs to no drawing, as a legend and a number with a dot do.

    `above`: the number of the drawing to which the line above belongs; None if to none. Directly
    below a drawing, only the next number is not a part of it.
    """
    number = _number(line)
    if number is not None and above in (None, number - 1):
        return True
    return REMARK.fullmatch(line.strip()) is not None


def _number(line: str) -> int | None:
    """Return the number of a line such as ``1,024.``; None for all other lines."""
    digits = line.strip().replace(",", "")[:-1]
    return int(digits) if NUMBER.fullmatch(line.strip()) and digits.isascii() and digits else None


def drawings(
    lines: Iterable[tuple[Place, str]], layers: int | None, height: int = 0
) -> list[Lettered]:
    r"""Return the drawings in the lines of a file.

    `lines`: each line with its place, for messages. `layers`: number of layers of each drawing, or
    None in the plane; blank lines separate layers. `height`: number of lines of each layer where
    layers stand side by side; not used in the plane. Raise FileError if layers are missing.

    >>> from io import StringIO
    >>> from exactile.files.sources import lines_of
    >>> text = StringIO("1.\naab\nccb\n\nabb\nacc")
    >>> [drawing.layers for drawing in drawings(lines_of(text), None)]
    [[['aab', 'ccb']], [['abb', 'acc']]]
    """
    found: list[Lettered] = []
    blocks: list[list[str]] = []
    open_block, number = False, 0
    for place, line in _stacked(lines, layers, height) if layers else lines:
        is_remark = _is_remark(line, number if open_block else None)
        if is_remark and (stated := _number(line)) is not None:
            number = stated - 1
        if is_remark and found and not (blocks and layers and len(blocks) < layers):
            for symbols, piece in ENTRY.findall(line):
                found[-1].named.update(dict.fromkeys(_run(symbols), piece))
        if is_remark or not line.strip():
            open_block = False
            continue
        if not open_block and (not blocks or len(blocks) == (layers or 1)):
            blocks = []
            found.append(Lettered(place, blocks, {}))
            number += 1
        if not open_block:
            blocks.append([])
        blocks[-1].append(line.rstrip())
        open_block = True
    if layers and blocks and len(blocks) < layers:
        raise found[-1].place.error(
            f"the drawing has {len(blocks)} of {layers} layers, with a blank line after each."
        )
    return found


def _stacked(
    lines: Iterable[tuple[Place, str]], layers: int, height: int
) -> Iterator[tuple[Place, str]]:
    """Yield lines, with layers that stand side by side put one after another.

    A blank line follows each of these layers; a layer whose number is left out has no cells.

    `lines`: each line with its place. Below a line such as ``z=0  z=1``, layers stand side by side
    in the next `height` lines, some of which may be blank. `layers`: number of layers of each
    drawing.
    """
    rest = iter(lines)
    below = None
    for place, line in rest:
        if not SIDE_BY_SIDE.fullmatch(line):
            yield place, line
            continue
        rows = list(islice(rest, height))
        columns = [match.start() for match in re.finditer("z=", line)]
        for first, last in pairwise([*columns, None]):
            number = int(line[first:last][2:])
            least = number if below is None else max(below + 1, number - layers)
            for _ in range(least, number):
                yield from ((place, "."), (place, ""))
            below = number
            yield from ((row, text[first:last].rstrip() or ".") for row, text in rows)
            yield place, ""


def _run(symbols: str) -> Iterator[str]:
    """Yield the letters that a part of a legend names: a, b, c and x for ``a-c x``."""
    for word in symbols.split():
        first, last = SYMBOLS.find(word[0]), SYMBOLS.find(word[-1])
        yield from SYMBOLS[first : last + 1] if len(word) == 3 and 0 <= first < last else word[0]


def _legend(named: Iterable[tuple[str, str]]) -> str:
    """Return the legend: a line such as ``a b: Y`` for each piece.

    There is no line for a piece whose name is its only letter. `named`: pairs of name and letter.
    """
    letters: dict[str, list[str]] = {}
    for name, letter in named:
        letters.setdefault(name, []).append(letter)
    return "".join(f"{' '.join(own)}: {n}\n" for n, own in letters.items() if own != [n])
