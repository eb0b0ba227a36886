"""The instances of the race, as files in Knuth's format, with the number of their solutions.

Puzzles come from the catalogue. A puzzle of copies of one piece has no item for the piece, whose
number follows from the area; so no instance has bounds, which most packages do not know.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from exactile import Model, load, lower
from exactile.files.models.exact_cover import write_exact_cover
from exactile.model import Meaning


@dataclass(frozen=True)
class Race:
    """An instance.

    Attributes
    ----------
    name
        Of its file.
    solutions
        How many there are: published, or found by several packages.
    text
        Makes the file's text.
    quick
        Whether it belongs to the short run.
    """

    name: str
    solutions: int
    text: Callable[[], str]
    quick: bool = False

    def file(self, folder: Path) -> Path:
        """Write the file anew and return its path."""
        path = folder / f"{self.name}.xcc"
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text(), "utf-8")
        return path


def puzzle(name: str) -> Callable[[], str]:
    """Return the maker of a puzzle of the catalogue."""

    def text() -> str:
        stream = io.StringIO()
        model = lower(load(name))
        write_exact_cover(_without_sole_piece(model), stream)
        return stream.getvalue()

    return text


def _without_sole_piece(model: Model) -> Model:
    if model.meaning.pieces != 1:
        return model
    return Model(
        lower=model.lower[1:],
        upper=model.upper[1:],
        first=model.first - np.arange(len(model.first)),
        members=model.members[model.members > 0] - 1,
        meaning=Meaning.of_labels(model.meaning.labels[1:], 0, model.meaning.units),
    )


def _text(primary: Iterable[str], secondary: list[str], options: Iterable[str]) -> str:
    tail = " | " + " ".join(secondary) if secondary else ""
    return "\n".join([" ".join(primary) + tail, *options, ""])


def dominoes(n: int) -> str:
    """Dominoes on a square board."""
    flat = [f"{x},{y} {x + 1},{y}" for x, y in product(range(n - 1), range(n))]
    upright = [f"{x},{y} {x},{y + 1}" for x, y in product(range(n), range(n - 1))]
    return _text((f"{x},{y}" for x, y in product(range(n), repeat=2)), [], flat + upright)


def queens(n: int) -> str:
    """A queen in each row and column; the diagonals are secondary items."""
    lines = [f"{kind}{k}" for k in range(n) for kind in "rc"]
    diagonals = [f"{kind}{k}" for k in range(2 * n - 1) for kind in "ab"]
    cells = product(range(n), repeat=2)
    return _text(lines, diagonals, (f"r{r} c{c} a{r + c} b{r - c + n - 1}" for r, c in cells))


def sudoku(clues: str) -> str:
    """A sudoku, given row by row; 0 is an empty cell."""
    rows, digits = range(9), range(1, 10)
    items = [f"{a}{b}" for a, b in product(rows, repeat=2)]
    items += [f"{kind}{k}{d}" for kind in "rcb" for k in rows for d in digits]
    options = [
        f"{r}{c} r{r}{d} c{c}{d} b{r // 3 * 3 + c // 3}{d}"
        for r, c in product(rows, repeat=2)
        for d in digits
        if clues[9 * r + c] in ("0", str(d))
    ]
    return _text(items, [], options)


def latin(n: int, step: int) -> str:
    """Fill two rows of a latin square that lacks just those: 2 ** step solutions, n ** 3 options.

    The square is cyclic, the two rows are `step` apart, and `step` divides n. Each given cell is an
    item of its own, in the one option that is right, so that all options stay in the file.
    """
    given = {(r, c): (r + c) % n for r in range(n) for c in range(n) if r not in (0, step)}
    items = [f"{kind}{a}.{b}" for kind in "xrc" for a in range(n) for b in range(n)]
    items += [f"g{r}.{c}" for r, c in given]
    options = [
        f"x{r}.{c} r{r}.{d} c{c}.{d}" + (f" g{r}.{c}" if given.get((r, c)) == d else "")
        for r, c, d in product(range(n), repeat=3)
    ]
    return _text(items, [], options)


def de_bruijn(n: int) -> str:
    """Cyclic sequences of bits with every word of n bits: 2 ** (2 ** (n - 1)) with a fixed start.

    Words at places that overlap agree on their bits: these are the colors.
    """
    size = 2**n
    words = [f"{k:0{n}b}" for k in range(size)]
    options = [
        " ".join([f"p{k}", f"w{w}", *(f"x{(k + j) % size}:{bit}" for j, bit in enumerate(w))])
        for k in range(size)
        for w in words
    ]
    primary = [*(f"p{k}" for k in range(size)), *(f"w{w}" for w in words)]
    return _text(primary, [f"x{k}" for k in range(size)], options)


HARD = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
"""The first of Gordon Royle's collection of sudokus with 17 clues."""

LOOSE = HARD.replace("8", "0", 1)
"""The same with a clue less: many solutions."""

RACES = (
    Race("pentominoes-3x20", 8, puzzle("pentominoes-3x20"), quick=True),
    Race("pentominoes-5x12", 4040, puzzle("pentominoes-5x12")),
    Race("pentominoes-6x10", 9356, puzzle("pentominoes-6x10")),
    Race("pentominoes-8x8-hole", 520, puzzle("pentominoes-8x8-center-hole"), quick=True),
    Race("solid-pentominoes-2x3x10", 96, puzzle("solid-pentominoes-2x3x10"), quick=True),
    Race("solid-pentominoes-3x4x5", 31520, puzzle("solid-pentominoes-3x4x5")),
    Race("soma-cube", 11520, puzzle("soma-cube"), quick=True),
    Race("tetrasticks-5x5-without-h", 576, puzzle("tetrasticks-5x5-without-h")),
    Race("tetrasticks-5x5-without-l", 4856, puzzle("tetrasticks-5x5-without-l")),
    Race("hexiamonds-6x6", 624, puzzle("hexiamonds-6x6"), quick=True),
    Race("tritrigs-heart-2", 104, puzzle("tritrigs-heart-2"), quick=True),
    Race("y-pentominoes-15x15", 1696, puzzle("y-pentominoes-15x15")),
    Race("mutilated-chessboard", 0, puzzle("mutilated-chessboard"), quick=True),
    Race("dominoes-6x6", 6728, lambda: dominoes(6), quick=True),
    Race("dominoes-8x8", 12_988_816, lambda: dominoes(8)),
    Race("queens-10", 724, lambda: queens(10), quick=True),
    Race("queens-12", 14_200, lambda: queens(12)),
    Race("sudoku-17-clues", 1, lambda: sudoku(HARD), quick=True),
    Race("sudoku-16-clues", 107_265, lambda: sudoku(LOOSE)),
    Race("de-bruijn-4-colored", 2**8, lambda: de_bruijn(4), quick=True),
    Race("de-bruijn-5-colored", 2**16, lambda: de_bruijn(5)),
    Race("latin-20", 2**4, lambda: latin(20, 4), quick=True),
    Race("latin-48-100k-options", 2**8, lambda: latin(48, 8)),
    Race("latin-100-1m-options", 2**10, lambda: latin(100, 10)),
)
