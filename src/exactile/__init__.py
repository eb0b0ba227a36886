"""Exactile: solve, count and refute polyform puzzles.

>>> import exactile
>>> puzzle = exactile.load("pentominoes-6x10")
>>> exactile.count(puzzle).symmetry
2339

Everything here is loaded when it is first used, so that ``import exactile`` stays fast.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from exactile.lazy import loader

if TYPE_CHECKING:
    from exactile.answers import Count, Explanation, Packing, Status, Verdict
    from exactile.backends import backend_names
    from exactile.certificate.verify import verify as verify_certificate
    from exactile.classes.report import similarity_classes
    from exactile.colorings.find import find_linear as find_coloring
    from exactile.errors import ExactileError
    from exactile.files import entries as catalogue
    from exactile.files import load, read_solutions, write_solutions
    from exactile.files.foreign.conversion import import_file, import_puzzles
    from exactile.files.foreign.puzzle_formats import write_puzzle_as
    from exactile.files.models.formats import export_model, read_model
    from exactile.files.puzzles.stated import make_puzzle
    from exactile.files.puzzles.writer import write_puzzles
    from exactile.geometry import get_lattice
    from exactile.grids.count import count_sudoku
    from exactile.grids.queens import QueensSearch
    from exactile.grids.queens_count import count_queens
    from exactile.grids.verbs import solve_sudoku
    from exactile.model import Model
    from exactile.model.lower import lower
    from exactile.peg.verbs import solve_peg
    from exactile.pieces.generate import generate
    from exactile.pieces.piece import Freedom, Piece
    from exactile.pieces.sets import piece_set
    from exactile.puzzle import Placement, Puzzle, Region, Solution
    from exactile.puzzle.check import check
    from exactile.puzzle.symmetry import symmetries
    from exactile.render import draw_svg, draw_text, write_pictures
    from exactile.run.found import found_solutions
    from exactile.run.joining import join_stores
    from exactile.run.run import StoredRun
    from exactile.run.status import store_status
    from exactile.solve import Search, count, find_solutions, prove, solve_one
    from exactile.solve.certify import certify
    from exactile.solve.compare import Comparison, compare
    from exactile.solve.cover import CoverSearch
    from exactile.solve.estimate import estimate
    from exactile.solve.explain import explain
    from exactile.solve.packing import pack
    from exactile.solve.sampling import sample
    from exactile.store import Store
    from exactile.store.join import take_share
    from exactile.subsets import count_by_subset

_HOMES = {
    "Comparison": "solve.compare",
    "Count": "answers",
    "CoverSearch": "solve.cover",
    "ExactileError": "errors",
    "Explanation": "answers",
    "Freedom": "pieces.piece",
    "Model": "model",
    "Packing": "answers",
    "Piece": "pieces.piece",
    "Placement": "puzzle",
    "Puzzle": "puzzle",
    "QueensSearch": "grids.queens",
    "Region": "puzzle",
    "Search": "solve",
    "Solution": "puzzle",
    "Status": "answers",
    "Store": "store",
    "StoredRun": "run.run",
    "Verdict": "answers",
    "backend_names": "backends",
    "catalogue": "files:entries",
    "certify": "solve.certify",
    "check": "puzzle.check",
    "compare": "solve.compare",
    "count": "solve",
    "count_by_subset": "subsets",
    "count_queens": "grids.queens_count",
    "count_sudoku": "grids.count",
    "draw_svg": "render",
    "draw_text": "render",
    "estimate": "solve.estimate",
    "explain": "solve.explain",
    "export_model": "files.models.formats",
    "find_coloring": "colorings.find:find_linear",
    "find_solutions": "solve",
    "found_solutions": "run.found",
    "generate": "pieces.generate",
    "get_lattice": "geometry",
    "import_file": "files.foreign.conversion",
    "import_puzzles": "files.foreign.conversion",
    "join_stores": "run.joining",
    "load": "files",
    "lower": "model.lower",
    "make_puzzle": "files.puzzles.stated",
    "pack": "solve.packing",
    "piece_set": "pieces.sets",
    "prove": "solve",
    "read_model": "files.models.formats",
    "read_solutions": "files",
    "sample": "solve.sampling",
    "similarity_classes": "classes.report",
    "solve_one": "solve",
    "solve_peg": "peg.verbs",
    "solve_sudoku": "grids.verbs",
    "store_status": "run.status",
    "symmetries": "puzzle.symmetry",
    "take_share": "store.join",
    "verify_certificate": "certificate.verify:verify",
    "write_pictures": "render",
    "write_puzzle_as": "files.foreign.puzzle_formats",
    "write_puzzles": "files.puzzles.writer",
    "write_solutions": "files",
}

__all__ = [
    "Comparison",
    "Count",
    "CoverSearch",
    "ExactileError",
    "Explanation",
    "Freedom",
    "Model",
    "Packing",
    "Piece",
    "Placement",
    "Puzzle",
    "QueensSearch",
    "Region",
    "Search",
    "Solution",
    "Status",
    "Store",
    "StoredRun",
    "Verdict",
    "backend_names",
    "catalogue",
    "certify",
    "check",
    "compare",
    "count",
    "count_by_subset",
    "count_queens",
    "count_sudoku",
    "draw_svg",
    "draw_text",
    "estimate",
    "explain",
    "export_model",
    "find_coloring",
    "find_solutions",
    "found_solutions",
    "generate",
    "get_lattice",
    "import_file",
    "import_puzzles",
    "join_stores",
    "load",
    "lower",
    "make_puzzle",
    "pack",
    "piece_set",
    "prove",
    "read_model",
    "read_solutions",
    "sample",
    "similarity_classes",
    "solve_one",
    "solve_peg",
    "solve_sudoku",
    "store_status",
    "symmetries",
    "take_share",
    "verify_certificate",
    "write_pictures",
    "write_puzzle_as",
    "write_puzzles",
    "write_solutions",
]


__version__ = "0.1.0"

__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


if "IPython" in sys.modules:  # by name, as all that lies above the layers
    loader(__name__, {"register": "notebook"})("register")()
