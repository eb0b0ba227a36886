"""Writes the puzzle of all burrs of six notchable pieces, which may have holes inside.

python notchable_burrs.py notchable.toml
exactile count notchable.toml --assemblable --store notchable.store --set on=processes

The second command can be stopped, and is resumed by itself. Pieces are 6 units long; a second
argument is another even length. Cutler took four months of 1987 for 13,354,991 assemblies:
https://billcutlerpuzzles.com/docs/H6PB.
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import product

import exactile
from exactile import Freedom, Piece, Puzzle, Region

Cell = tuple[int, int, int]

CUTS = [
    *({(x, y, 1) for y in (0, 1)} for x in (1, 2, 3, 4)),  # across the face inside
    *({(x, y, z) for z in (0, 1)} for x in (2, 3) for y in (0, 1)),  # across a face at the side
]
"""What a saw takes off a stick: notches that go through from one side to the other."""

OUTER_CUTS = [{(x, y, 0) for y in (0, 1)} for x in (2, 3)]
"""Notches that open a burr to the outside; none has them that is solid."""


def joined(cells: set[Cell]) -> bool:
    """Return whether cells form one piece."""
    left, waiting = set(cells), [min(cells)]
    while waiting:
        x, y, z = waiting.pop()
        left.discard((x, y, z))
        around = [(x - 1, y, z), (x + 1, y, z), (x, 1 - y, z), (x, y, 1 - z)]
        waiting += [cell for cell in around if cell in left]
    return not left


def along(length: int) -> range:
    """Return the places along a stick: cuts and crossings are at 1 to 4, in the middle."""
    return range(3 - length // 2, 3 + length // 2)


def notchable(cuts: list[set[Cell]], length: int) -> list[Piece]:
    """Return the pieces that a saw makes, each once."""
    cube = exactile.get_lattice("cube")
    stick = [*product(along(length), (0, 1), (0, 1))]
    found: dict[bytes, Piece] = {}
    for chosen in range(1 << len(cuts)):
        taken = set().union(*(cut for k, cut in enumerate(cuts) if chosen >> k & 1))
        cells = {cell for cell in stick if cell not in taken}
        if joined(cells):
            name = f"N{len(found)}"
            piece = Piece(name, cube, tuple(sorted(cells)), Freedom.ONE_SIDED, 0, 6)
            found.setdefault(piece.shape, piece)
    return list(found.values())


def burr(*, holes: bool, length: int = 6) -> Puzzle:
    """Return the puzzle: three bars across each other, each of two sticks.

    With holes, cells that belong to several bars may stay empty.
    """
    bars = [
        *product(along(length), (2, 3), range(1, 5)),
        *product(range(1, 5), along(length), (2, 3)),
        *product((2, 3), range(1, 5), along(length)),
    ]
    times = Counter(bars)
    cells = sorted(times)
    pieces = notchable(CUTS + OUTER_CUTS if holes else CUTS, length)
    optional = [times[cell] > 1 for cell in cells] if holes else None
    name = "notchable-burrs" if holes else "solid-burrs"
    return Puzzle(name, Region("cube", cells, optional=optional), tuple(pieces))


def main() -> None:
    """Write the puzzle to the file that is named."""
    file, length = [*sys.argv[1:], "6"][:2]
    exactile.write_puzzles(file, [burr(holes=True, length=int(length))])


if __name__ == "__main__":
    main()
