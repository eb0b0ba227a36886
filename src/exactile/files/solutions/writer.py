"""Solution files: their formats, and writing them.

``jsonl``: a header object, ``{"format": 1, "puzzle": "pentominoes-6x10"}``, then one object a
solution, ``{"placements": [["F", [[0, 0], [1, 0], ...]], ...]}``, in customary coordinates.

``puzzler``, the records of Polyform Puzzler: a line ``solution 1:``, then one line a placement,
units and piece name (``0,0 1,0 1,1 V``), up to a blank line. Anything may stand between records,
such as drawings. A line ``! H`` in a record notes a piece left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO

import msgspec
import numpy as np

from exactile.errors import FileError
from exactile.files.solutions.reader import FORMAT, read_solutions
from exactile.puzzle import Placement, Puzzle, Solution

__all__ = ["FORMATS", "read_solutions", "write_solutions"]


def write_solutions(
    puzzle: Puzzle, solutions: Iterable[Solution], stream: IO[str], form: str = "jsonl"
) -> int:
    """Write solutions as they come, each line flushed at once; return their number.

    Parameters
    ----------
    puzzle, solutions
        The puzzle and solutions of it.
    stream
        Where to write.
    form
        ``"jsonl"`` or ``"puzzler"``: see the module.

    Raises
    ------
    FileError
        If there is no such format.

    Examples
    --------
    >>> from io import StringIO
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4-tube")
    >>> stream = StringIO()
    >>> write_solutions(puzzle, [exactile.solve_one(puzzle)], stream)
    1
    >>> stream.getvalue().splitlines()[0]
    '{"format":1,"puzzle":"tetrominoes-5x4-tube"}'
    """
    if form not in FORMATS:
        raise FileError(
            f"There is no format '{form}' of solution files: use {' or '.join(FORMATS)}."
        )
    count = 0
    blocks = FORMATS[form](puzzle, solutions)
    for count, block in enumerate(blocks):  # noqa: B007  # the first block is the header
        stream.write(block)
        stream.flush()
    if form == "puzzler":
        stream.write(f"{count} solution{'s' * (count != 1)}\n")
    return count


def _jsonl(puzzle: Puzzle, solutions: Iterable[Solution]) -> Iterator[str]:
    yield _json({"format": FORMAT, "puzzle": puzzle.name})
    for solution in solutions:
        yield _json({"placements": [[p.piece, _coordinates(puzzle, p)] for p in solution]})


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode() + "\n"


def _puzzler(puzzle: Puzzle, solutions: Iterable[Solution]) -> Iterator[str]:
    yield f"Solving {puzzle.name}:\n\n"
    for number, solution in enumerate(solutions, start=1):
        lines = [f"solution {number}:", ""]
        for placement in solution:
            units = (",".join(map(str, u)) for u in sorted(_coordinates(puzzle, placement)))
            lines.append(f"{' '.join(units)} {placement.piece}")
        used = {placement.piece for placement in solution}
        choice = puzzle.omission.names if puzzle.omission else ()
        lines += [f"! {name}" for name in choice if name not in used]
        yield "\n".join(lines) + "\n\n"


FORMATS: dict[str, Callable[[Puzzle, Iterable[Solution]], Iterator[str]]] = {
    "jsonl": _jsonl,
    "puzzler": _puzzler,
}
"""Each format's function to blocks of text, a header first, then one for each solution."""


def _coordinates(puzzle: Puzzle, placement: Placement) -> list[tuple[int, ...]]:
    return puzzle.lattice.coordinates(np.array(placement.units, dtype=np.int64))
