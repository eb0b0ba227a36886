"""The commands by groups, each with a summary and an example; their code is loaded when called."""

from __future__ import annotations

from typing import NamedTuple


class About(NamedTuple):
    """A summary of a command on one line, and an example."""

    summary: str
    example: str


GROUPS: dict[str, dict[str, About]] = {
    "Puzzles": {
        "serve": About("Open a page in the browser: choose, draw, solve, play.", "serve soma-cube"),
        "list": About("List the puzzles of the catalogue.", "list hexiamond"),
        "show": About("Show what a puzzle is and what is known about it.", "show soma-cube"),
        "new": About("Write a puzzle file to start from.", "new mine.toml"),
        "render": About("Draw a solution, or the empty puzzle.", "render soma-cube -o soma.svg"),
        "design": About("Design and grade challenges.", "design challenges soma-cube -n 3"),
        "sheet": About("Lay out puzzles on pages for printing.", "sheet 'soma-*' -o soma.pdf"),
        "make": About("Write pieces as meshes for 3D printers.", "make soma-cube"),
        "pieces": About("Generate all polyforms of an order.", "pieces square 5"),
    },
    "Solutions": {
        "solve": About("Find solutions and draw them.", "solve pentominoes-6x10"),
        "count": About("Count solutions: all, and up to symmetry.", "count soma-cube"),
        "sample": About("Draw solutions at random.", "sample dominoes-8x8 -n 3"),
        "estimate": About("Estimate the number of solutions.", "estimate pentominoes-6x10"),
        "subsets": About("Show which regions some of the pieces can cover.", "subsets 'shader-*'"),
        "classes": About("Sort solutions into classes of similar ones.", "classes tetrahexes-4x7"),
        "takeapart": About("Take solutions apart, move by move.", "takeapart soma-cube"),
        "check": About("Check every solution in a file.", "check soma-cube found.jsonl"),
    },
    "No solution": {
        "prove": About("Decide whether a puzzle has a solution.", "prove tetrominoes-5x4"),
        "coloring": About(
            "Look for a coloring that rules out solutions.", "coloring tetrominoes-5x4"
        ),
        "explain": About("Show which demands cannot be met together.", "explain tetrominoes-5x4"),
        "pack": About("Pack as much as possible.", "pack tetrominoes-5x4"),
        "verify-certificate": About(
            "Verify a certificate of prove, count or tile.", "verify-certificate my-certificate"
        ),
    },
    "Long searches": {
        "resume": About("Continue a search stored in a file.", "resume my.store"),
        "status": About("Show the progress of the searches in a store.", "status my.store"),
        "solutions": About("Show the solutions in a store.", "solutions my.store --limit 3"),
        "work": About(
            "Search one share of a run.", "work my.store --shard 3/200 -o part-003.store"
        ),
        "merge": About("Merge the stores of shares.", "merge my.store part-*.store"),
    },
    "Solvers and files": {
        "compare": About("Compare solvers on the same puzzles.", "compare soma-cube"),
        "instances": About("Write a library of instances for solvers.", "instances list bricks"),
        "backends": About("List the solvers.", "backends"),
        "export": About("Write a puzzle for other programs.", "export soma-cube -o soma.xcc"),
        "import": About("Read a file of another program.", "import burr.xmpuzzle -o burr.toml"),
        "catalogue": About(
            "Count the catalogue's puzzles, keep a ledger.", "catalogue verify --help"
        ),
    },
    "Tilings": {"tile": About("Decide whether a piece tiles the plane.", "tile X")},
    "Classics": {
        "peg": About("Solve peg solitaire.", "peg english --start 17"),
        "sudoku": About("Solve sudokus.", "sudoku mine.txt"),
        "queens": About("Place queens that do not attack each other.", "queens 8 --count"),
    },
    "Help": {
        "help": About("Show the help of a command.", "help solve"),
        "completion": About("Set up completion in the shell.", "completion bash"),
    },
}

FILES = {
    "check_commands": ("check", "verify-certificate"),
    "file_commands": ("new", "export", "import"),
    "help_commands": ("help", "completion"),
    "piece_commands": ("show", "pieces"),
    "reason_commands": ("prove", "coloring", "explain", "pack"),
    "run_commands": ("resume", "status", "solutions", "work", "merge"),
    "solver_commands": ("compare", "backends"),
}
"""Files of several commands: the code of NAME is its `NAME_command`. Any other command is the
`command` of its own file, NAME_command."""

COMMANDS = {name: about for group in GROUPS.values() for name, about in group.items()}
"""All commands."""
