"""Solution files: their formats, and writing them.

``jsonl``: a header object, ``{"format": 1, "puzzle": "pentominoes-6x10"}``, then one object a
solution, ``{"placements": [["F", [[0, 0], [1, 0], ...]], ...]}``, in customary coordinates, and at
the end ``{"end": "complete"}``, or why there are no more: ``{"end": "stopped: time limit"}``, or
``"unknown"``. A file without an end was cut, and is refused.

``puzzler``, the records of Polyform Puzzler: a line ``solution 1:``, then one line for each
placement, units and piece name (``0,0 1,0 1,1 V``), up to a blank line. Anything may stand between
records, such as drawings. A line ``! H`` in a record notes an omitted piece. The last line gives
the number of solutions, and here also says if the search was stopped. Files of other programs may
lack it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple, Protocol, runtime_checkable

import msgspec
import numpy as np

from exactile.doors import door, require_sink
from exactile.errors import FileError
from exactile.files.solutions.reader import COMPLETE, FORMAT, read_solutions
from exactile.puzzle import Placement, Puzzle, Solution
from exactile.puzzle.puzzle import as_placement

__all__ = ["FORMATS", "ending", "read_solutions", "write_solutions"]

MOST_TEXTS = 200_000
"""Largest number of texts of placements that are kept: solutions share them."""


@runtime_checkable
class Stream(Protocol):
    """A text stream to write to."""

    def write(self, text: str, /) -> int:
        """Write some text."""

    def flush(self) -> None:
        """Flush it."""


@door
def write_solutions(
    puzzle: Puzzle,
    solutions: Iterable[Solution],
    stream: Stream,
    form: str = "jsonl",
    told: Callable[[], str] = lambda: COMPLETE,
) -> int:
    """Write solutions as they come, each flushed at once; return their number.

    If an exception interrupts the solutions, such as Ctrl-C, the end is written nevertheless, and
    says so. Nothing is written before the first solution, or before the end if there is none.

    Parameters
    ----------
    puzzle, solutions
        The puzzle and solutions of it.
    stream
        Destination.
    form
        ``"jsonl"`` or ``"puzzler"``: see the module.
    told
        Called at the end; returns how the file ends: see `ending`.

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
    >>> lines = stream.getvalue().splitlines()
    >>> lines[0], lines[-1]
    ('{"format":1,"puzzle":"tetrominoes-5x4-tube"}', '{"end":"complete"}')
    """
    if form not in FORMATS:
        raise FileError(
            f"There is no format '{form}' of solution files: use {' or '.join(FORMATS)}."
        )
    require_sink(stream, binary=False)
    wanted, count = FORMATS[form], 0
    record = wanted.records(puzzle)
    try:
        for solution in solutions:
            text = record(count + 1, solution)
            stream.write(text if count else wanted.header(puzzle) + text)
            count += 1
            stream.flush()
    except OSError:  # nothing more can be written
        raise
    except BaseException as error:
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else "failed"
        if count:
            stream.write(wanted.end(count, f"stopped: {why}"))
        raise
    stream.write(("" if count else wanted.header(puzzle)) + wanted.end(count, told()))
    return count


def ending(stopped: str | None) -> str:
    """Return how a file ends after a search that was stopped for a reason, or completed.

    >>> ending(None), ending("time limit")
    ('complete', 'stopped: time limit')
    """
    return COMPLETE if stopped is None else f"stopped: {stopped}"


Record = Callable[[int, Solution], str]
"""Returns the text of a solution with its number."""


class Form(NamedTuple):
    """A format: the texts of its header, of solutions of a puzzle, of the end."""

    header: Callable[[Puzzle], str]
    records: Callable[[Puzzle], Record]
    end: Callable[[int, str], str]


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode() + "\n"


def _json_records(puzzle: Puzzle) -> Record:
    @lru_cache(MOST_TEXTS)
    def text(placement: Placement) -> str:
        told: bytes = msgspec.json.encode([placement.piece, _coordinates(puzzle, placement)])
        return told.decode()

    def record(_: int, solution: Solution) -> str:
        return '{"placements":[' + ",".join(map(text, solution)) + "]}\n"

    return record


def _puzzler_records(puzzle: Puzzle) -> Record:
    choice = puzzle.omission.names if puzzle.omission else ()

    @lru_cache(MOST_TEXTS)
    def text(placement: Placement) -> str:
        units = (",".join(map(str, u)) for u in sorted(_coordinates(puzzle, placement)))
        return f"{' '.join(units)} {placement.piece}"

    def record(number: int, solution: Solution) -> str:
        used = {placement.piece for placement in solution}
        left_out = [f"! {name}" for name in choice if name not in used]
        lines = [f"solution {number}:", "", *map(text, solution), *left_out]
        return "\n".join(lines) + "\n\n"

    return record


def _puzzler_end(count: int, ending: str) -> str:
    why = "" if ending == COMPLETE else f" ({ending})"
    return f"{count} solution{'s' * (count != 1)}{why}\n"


FORMATS = {
    "jsonl": Form(
        lambda puzzle: _json({"format": FORMAT, "puzzle": puzzle.name}),
        _json_records,
        lambda _, ending: _json({"end": ending}),
    ),
    "puzzler": Form(lambda puzzle: f"Solving {puzzle.name}:\n\n", _puzzler_records, _puzzler_end),
}


def _coordinates(puzzle: Puzzle, placement: Placement) -> list[list[int]]:
    units = as_placement(placement, puzzle.lattice).units
    known = puzzle.region.coordinates_of
    if known.keys() >= set(units):
        return [known[unit] for unit in units]
    return [*map(list, puzzle.lattice.coordinates(np.array(units, dtype=np.int64)))]
