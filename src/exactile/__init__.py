"""Exactile: solve, count and refute polyform puzzles.

>>> import exactile
>>> puzzle = exactile.load("pentominoes-6x10")
>>> exactile.count(puzzle).symmetry
2339

Everything here is loaded when it is first used, so that ``import exactile`` stays fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactile.lazy import loader

if TYPE_CHECKING:
    from exactile.answers import Count, Explanation, Packing, Status, Verdict
    from exactile.errors import ExactileError
    from exactile.files import load, read_solutions
    from exactile.geometry import get_lattice
    from exactile.model import Model
    from exactile.model.lower import lower
    from exactile.pieces.generate import generate
    from exactile.pieces.piece import Freedom, Piece
    from exactile.pieces.sets import piece_set
    from exactile.puzzle import Placement, Puzzle, Region, Solution
    from exactile.puzzle.check import check
    from exactile.puzzle.symmetry import symmetries
    from exactile.render import draw_svg, draw_text
    from exactile.solve import Search, count, prove, solve_one
    from exactile.solve.explain import explain
    from exactile.solve.packing import pack

_HOMES = {
    "Count": "answers",
    "ExactileError": "errors",
    "Explanation": "answers",
    "Freedom": "pieces.piece",
    "Model": "model",
    "Packing": "answers",
    "Piece": "pieces.piece",
    "Placement": "puzzle",
    "Puzzle": "puzzle",
    "Region": "puzzle",
    "Search": "solve",
    "Solution": "puzzle",
    "Status": "answers",
    "Verdict": "answers",
    "check": "puzzle.check",
    "count": "solve",
    "draw_svg": "render",
    "draw_text": "render",
    "explain": "solve.explain",
    "generate": "pieces.generate",
    "get_lattice": "geometry",
    "load": "files",
    "lower": "model.lower",
    "pack": "solve.packing",
    "piece_set": "pieces.sets",
    "prove": "solve",
    "read_solutions": "files",
    "solve_one": "solve",
    "symmetries": "puzzle.symmetry",
}

__all__ = [
    "Count",
    "ExactileError",
    "Explanation",
    "Freedom",
    "Model",
    "Packing",
    "Piece",
    "Placement",
    "Puzzle",
    "Region",
    "Search",
    "Solution",
    "Status",
    "Verdict",
    "check",
    "count",
    "draw_svg",
    "draw_text",
    "explain",
    "generate",
    "get_lattice",
    "load",
    "lower",
    "pack",
    "piece_set",
    "prove",
    "read_solutions",
    "solve_one",
    "symmetries",
]


_load = loader(__name__, _HOMES)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # takes a third of the start-up

        return version("exactile")
    return _load(name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
