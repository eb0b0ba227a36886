"""Boards that are joined with a reflection, and puzzles that they may be filled with."""

from __future__ import annotations

from random import Random
from typing import Any

import exactile
from exactile.puzzle import Puzzle

BOARDS: dict[str, tuple[dict[str, Any], list[list[Any]]]] = {
    "a Moebius strip": ({"box": (4, 3)}, [["x + 4", "2 - y"]]),
    "a longer strip": ({"box": (5, 2)}, [["x + 5", "1 - y"]]),
    "a Klein bottle": ({"box": (4, 3)}, [["x + 4", "2 - y"], [0, 3]]),
    "the other way": ({"box": (3, 4)}, [["2 - x", "y + 4"], [3, 0]]),
    "across a diagonal": ({"units": "0..2,0..2"}, [["y + 3", "x + 3"], [3, -3]]),
    "hexagons": ({"box": (4, 2), "lattice": "hexagon"}, [["x + y + 4", "-y"]]),
    "triangles": ({"box": (3, 2), "lattice": "triangle"}, [["x + y + 3", "-y"]]),
    "a solid ring": ({"box": (3, 2, 2)}, [["x + 3", "1 - y", "z"]]),
    "a screw": ({"box": (2, 2, 2)}, [["x + 2", "1 - y", "1 - z"]]),
}


def board(name: str, random: Random) -> tuple[Puzzle, list[list[Any]]]:
    """Return a puzzle in a region, whose pieces are drawn by lot."""
    shape, wrap = BOARDS[name]
    keys = {key: value for key, value in shape.items() if key != "lattice"}
    lattice = shape.get("lattice", "cube" if len(wrap[0]) == 3 else "square")
    size = len(exactile.make_puzzle({"orders": [1]}, lattice=lattice, **keys).region)
    every = {
        piece.name: piece
        for order in (1, 2, 3, 4)
        for piece in exactile.make_puzzle({"orders": [order]}, lattice=lattice, **keys).pieces
    }
    chosen: dict[str, int] = {}
    while size:
        name = random.choice([n for n, p in every.items() if p.order <= size])
        chosen[name] = chosen.get(name, 0) + 1
        size -= every[name].order
    pieces = [
        {"orders": [every[n].order], "only": [n], "copies": k, "freedom": "free"}
        for n, k in chosen.items()
    ]
    return exactile.make_puzzle(pieces, lattice=lattice, wrap=wrap, **keys), wrap
