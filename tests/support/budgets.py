"""Nodes and updates of every native kernel on some problems, as they stand in `budgets.toml`.

The numbers do not depend on the machine. A kernel that needs other ones searches otherwise than it
did, for better or worse: that is to be meant, and said in the commit that writes the file anew.

    make budgets     # write benchmarks/budgets.toml, and say what differs
"""

from __future__ import annotations

import sys
import tomllib
from io import StringIO
from pathlib import Path

from exactile import Model, load, lower
from exactile.backends.exploration import KERNELS, Exploration
from exactile.files.models.formats import read_model
from support import cover_files as problems

FILE = Path(__file__).parents[2] / "benchmarks" / "budgets.toml"

PUZZLES = (
    "dominoids-four-cubes",
    "hexiamonds-6x6",
    "mutilated-chessboard-6x6",
    "pentatwigs-5x3",
    "pentominoes-3x20",
    "polyhexes-34-hexagram",
    "polysticks-123-4x4-clipped-corners-1",
    "soma-cube",
    "tetrahexes-4x7",
    "tetrominoes-torus-5x4",
    "tritrigs-heart-2",
)

COVERS = {
    "attacking-queens-7": problems.attacks(7, 4),
    "dominoes-6x6": problems.dominoes(6, 6),
    "langford-8": problems.langford(8),
    "queens-10": problems.queens(10),
}

SLOW = ("pentominoes-6x10", "pentominoes-8x8-center-hole", "tetrasticks-5x5-without-l")
"""Only for people: too long for a test."""

Budget = dict[str, int]


def model(name: str) -> Model:
    """Return a problem by name."""
    if name in COVERS:
        return read_model(StringIO(COVERS[name])).model
    return lower(load(name))


def measured(name: str, kernel: str) -> Budget:
    """Find all solutions; return their number and the counters."""
    exploration = Exploration(model(name), kernel=kernel)
    exploration.run(keep=False)
    return {
        "solutions": exploration.count,
        "nodes": exploration.nodes,
        "updates": exploration.updates,
    }


def stored() -> dict[str, dict[str, Budget]]:
    """Return what the file says: by problem, by kernel."""
    found: dict[str, dict[str, Budget]] = tomllib.loads(FILE.read_text("utf-8"))
    return found


def text(budgets: dict[str, dict[str, Budget]]) -> str:
    """Return the file's text."""
    lines = [
        "# Written by tests/support/budgets.py: what the native kernels need to find all solutions."
    ]
    for name, by_kernel in budgets.items():
        lines += ["", f"[{name}]"]
        for kernel, budget in by_kernel.items():
            inside = ", ".join(f"{key} = {value}" for key, value in budget.items())
            lines.append(f"{kernel} = {{ {inside} }}")
    return "\n".join(lines) + "\n"


def main(write: bool) -> int:
    """Measure everything; show what differs from the file; write it if wanted."""
    old = stored() if FILE.exists() else {}
    new: dict[str, dict[str, Budget]] = {}
    for name in (*PUZZLES, *COVERS, *SLOW):
        for kernel in KERNELS:
            budget = new.setdefault(name, {})[kernel] = measured(name, kernel)
            before = old.get(name, {}).get(kernel)
            if budget != before:
                print(f"{name} {kernel}: {budget}, before {before or 'nothing'}")
    if write:
        FILE.write_text(text(new), "utf-8")
    return 0 if write or new == old else 1


if __name__ == "__main__":
    sys.exit(main("--write" in sys.argv))
