"""Compares counting the solutions that come apart with BurrTools' `burrTxt`, by one thread.

python takeapart.py BURRTXT FILE... > results/takeapart.md

Files are puzzles of BurrTools. Seconds are processor time, the least of several runs that take
turns: of whole processes, and of a second count in a process that has loaded its libraries.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import exactile

TIMES = 5

OPENING = """\
# Taking apart beside BurrTools

Assembling and taking apart together, by one thread: processor seconds, the least of {} runs. The
process of Exactile starts Python and loads libraries, which takes most of its time where the puzzle
is small; *in it* is a second count in a process that runs already, from the puzzle to the numbers.
BurrTools is its command-line program, compiled with `-O2`, of November 2025.

| puzzle | assemblies | come apart | BurrTools | Exactile, process | in it | times as fast |
|---|---:|---:|---:|---:|---:|---:|"""


def run(*words: str) -> tuple[str, float]:
    """Run a command; return what it prints, and processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return told, sum(after[:2]) - sum(before[:2])


def row(burrtxt: str, file: str) -> str:
    """Return the row of a puzzle."""
    [puzzle] = exactile.import_puzzles(file)
    exactile.count_assemblable(puzzle, workers=1)
    theirs, whole, inside = [], [], []
    for _ in range(TIMES):
        told, seconds = run(burrtxt, "-d", "-q", file)
        theirs.append(seconds)
        whole.append(run("exactile", "count", file, "--assemblable", "-q", "--workers", "1")[1])
        begun = time.process_time()
        answer = exactile.count_assemblable(puzzle, workers=1)
        inside.append(time.process_time() - begun)
    found = re.search(r"(\d+) assemblies and (\d+) solutions", told)
    assert found
    own = (answer.assemblies_symmetry, answer.symmetry)
    assert own == tuple(map(int, found.groups())), (own, found[0])
    cells = [
        Path(file).stem,
        *(f"{number:,}" for number in own),
        *(f"{min(each):.3f}" for each in (theirs, whole, inside)),
        f"{min(theirs) / min(inside):.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    print(OPENING.format(TIMES))
    for file in sys.argv[2:]:
        print(row(sys.argv[1], file), flush=True)


if __name__ == "__main__":
    main()
