"""Listing against the native search alone, in processor time: what checking and decoding cost.

Each number is the median of several rounds; the rivals take turns within a round, so that a machine
that is busy is so for both.

    python benchmarks/listing.py              # a table
    python benchmarks/listing.py --write      # also to results/listing.md
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from exactile.backends.base import Prefix
from exactile.backends.exploration import Exploration
from exactile.files import load
from exactile.search import Search
from exactile.search.case import Case

RESULT = Path(__file__).parent / "results" / "listing.md"

LISTED = ("soma-cube", "hexiamonds-6x6", "solid-pentominoes-3x4x5", "pentominoes-6x10")

COUNTED = ("bedlam-cube", "solid-pentominoes-3x4x5")

ROUNDS = 3

HEAD = """# Listing

What `benchmarks/listing.py` found: processor time as a multiple of that of the native search that
returns the same solutions as an array. Everything else is checking, decoding and counting. Less
than 1 is what symmetry saves: `Search` makes solutions from others, the native search does not.

"""


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of some work in this process."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def child_seconds(*command: str) -> float:
    """Return the user time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def listing(name: str) -> str:
    """Compare all solutions, checked, as Python objects with the native list of all."""
    puzzle = load(name)
    found, ratios = 0, []
    for _ in range(ROUNDS):
        native = seconds(Exploration(Case(puzzle).asked).run)
        search = Search(puzzle)
        ratios.append(seconds(lambda search=search: list(search)) / native)  # type: ignore[misc]
        found = search.found
    return f"| `list(Search({name!r}))` | {found:,} | {median(ratios):.2f} |"


def counting(name: str) -> str:
    """Compare the whole command with the native search in the same branches."""
    case = Case(load(name))
    branches = case.branches
    assert branches is not None
    prefixes = [Prefix((o,), 1 / len(branches.options)) for o in branches.options]
    command, ratios, found = Path(sys.executable).with_name("exactile"), [], 0
    for _ in range(ROUNDS):
        exploration = Exploration(case.asked, prefixes=prefixes)
        native = seconds(exploration.run)
        ratios.append(child_seconds(str(command), "count", name, "-q") / native)
        found = exploration.count
    return f"| `exactile count {name}` | {found:,} | {median(ratios):.2f} |"


def main() -> None:
    """Measure, print, and write if asked to."""
    lines = ["| what | solutions found | times the native search |", "|---|---|---|"]
    for line in (*map(listing, LISTED), *map(counting, COUNTED)):
        lines.append(line)
        print(line, flush=True)
    if "--write" in sys.argv:
        RESULT.write_text(HEAD + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
