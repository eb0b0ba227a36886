"""Drawings in letters of any puzzle, with wraps, gaps, copies and omitted pieces, are read back."""

from __future__ import annotations

import io

from hypothesis import given

from exactile.files import read_solutions, write_solutions
from exactile.geometry import get_lattice, lattice_names
from exactile.puzzle import Puzzle
from exactile.search import Search
from support.random_puzzles import puzzles

DRAWN = tuple(name for name in lattice_names() if get_lattice(name).sketch is not None)


@given(puzzles(DRAWN))
def test_solutions_are_read_as_they_are_written(puzzle: Puzzle) -> None:
    with Search(puzzle, limit=20) as search:
        found = list(search)
    stream = io.StringIO()
    write_solutions(puzzle, found, stream, "letters")
    assert list(read_solutions(io.StringIO(stream.getvalue()), puzzle)) == found


@given(puzzles(DRAWN))
def test_what_was_found_of_a_part_is_a_part(puzzle: Puzzle) -> None:
    with Search(puzzle, limit=1) as search:
        found = list(search)
    for solution in found:
        stream = io.StringIO()
        write_solutions(puzzle, [solution[1:]], stream, "letters")
        assert list(read_solutions(io.StringIO(stream.getvalue()), puzzle)) == [solution[1:]]
