"""The solid burrs of six notchable pieces that Cutler counted in 1977: 314 come apart."""

from __future__ import annotations

from itertools import product

import exactile
from exactile import Freedom, Piece, Puzzle, Region

Cell = tuple[int, int, int]

LENGTHS = range(6)
STICK = [*product(LENGTHS, (0, 1), (0, 1))]
CUTS = [
    *({(x, y, 1) for y in (0, 1)} for x in (1, 2, 3, 4)),  # across the face on top
    *({(x, y, z) for z in (0, 1)} for x in (2, 3) for y in (0, 1)),  # across a face at the side
]
"""What a saw takes off a stick: notches that go through from one side to the other."""


def joined(cells: set[Cell]) -> bool:
    """Return whether cells form one piece."""
    left, waiting = set(cells), [min(cells)]
    while waiting:
        x, y, z = waiting.pop()
        left.discard((x, y, z))
        around = [(x - 1, y, z), (x + 1, y, z), (x, 1 - y, z), (x, y, 1 - z)]
        waiting += [cell for cell in around if cell in left]
    return not left


def notchable() -> list[Piece]:
    """Return the pieces that a saw makes, each once."""
    cube = exactile.get_lattice("cube")
    found: dict[bytes, Piece] = {}
    for chosen in range(1 << len(CUTS)):
        taken = set().union(*(cut for k, cut in enumerate(CUTS) if chosen >> k & 1))
        cells = {cell for cell in STICK if cell not in taken}
        if joined(cells):
            name = f"N{len(found)}"
            piece = Piece(name, cube, tuple(sorted(cells)), Freedom.ONE_SIDED, 0, 6)
            found.setdefault(piece.shape, piece)
    return list(found.values())


def test_solid_burrs_of_notchable_pieces() -> None:
    bars = [
        *product(LENGTHS, (2, 3), range(1, 5)),
        *product(range(1, 5), LENGTHS, (2, 3)),
        *product((2, 3), range(1, 5), LENGTHS),
    ]
    puzzle = Puzzle("burr", Region("cube", sorted(set(bars))), tuple(notchable()))
    answer = exactile.count_assemblable(puzzle)
    assert answer.rotation == 314  # mirror images are two
    assert (answer.assemblies_symmetry, answer.symmetry) == (588, 179)  # counted by us
