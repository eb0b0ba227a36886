"""Solution files: both formats are read as they are written; damage is named by line."""

from __future__ import annotations

import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactile import make_puzzle
from exactile.errors import FileError, NotFoundError, PuzzleError
from exactile.files import FORMATS, load, read_solutions, write_solutions
from exactile.files.sources import decoded
from exactile.puzzle import Placement, Puzzle, Solution
from exactile.puzzle.check import check
from exactile.search import Search

PUZZLES = ["tetrominoes-5x4-tube", "tritrigs-heart-2", "dominoids-two-cubes", "dominoes-4x4"]
LISTS = ["jsonl", "puzzler"]
"""The formats that every lattice has."""


def solutions(puzzle: Puzzle, limit: int = 5) -> list[Solution]:
    with Search(puzzle, limit=limit) as search:
        return list(search)


def read(text: str, puzzle: Puzzle) -> list[Solution]:
    return list(read_solutions(io.StringIO(text), puzzle))


@pytest.mark.parametrize("form", LISTS)
@pytest.mark.parametrize("name", PUZZLES)
def test_what_is_written_is_read(name: str, form: str, tmp_path: Path) -> None:
    puzzle = load(name)
    found = solutions(puzzle)
    path = tmp_path / "solutions"
    with path.open("w") as stream:
        assert write_solutions(puzzle, found, stream, form) == len(found)
    assert list(read_solutions(path, puzzle)) == found


@pytest.mark.parametrize(("ending", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_compressed_files_are_read(
    ending: str, compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    puzzle = load("tetrominoes-5x4-tube")
    found, text = solutions(puzzle), io.StringIO()
    write_solutions(puzzle, found, text)
    data = compress(text.getvalue().encode())
    path = tmp_path / f"solutions.jsonl{ending}"
    path.write_bytes(data)
    assert list(read_solutions(path, puzzle)) == found
    for damaged in (data[:-9], data[:5], text.getvalue().encode()):
        path.write_bytes(damaged)
        with pytest.raises(FileError, match="not a compressed file, or it is damaged"):
            list(read_solutions(path, puzzle))


@pytest.mark.parametrize("form", FORMATS)
def test_files_without_solutions(form: str) -> None:
    puzzle = load("tetrominoes-5x4")
    stream = io.StringIO()
    assert write_solutions(puzzle, [], stream, form) == 0
    assert read(stream.getvalue(), puzzle) == []


def test_a_solution_without_pieces_is_written_and_read() -> None:
    puzzle = make_puzzle("0..2xdomino", drawing="++\n++")
    stream = io.StringIO()
    assert write_solutions(puzzle, [(), solutions(puzzle)[-1]], stream) == 2
    assert read(stream.getvalue(), puzzle) == [(), solutions(puzzle)[-1]]


@pytest.mark.parametrize("name", ["big I", "I,2"])
def test_what_puzzler_could_not_read_again_is_refused(name: str) -> None:
    cells = {"cells": {name: "0..1,0"}, "copies": 2}
    puzzle = make_puzzle(cells, lattice="square", box=(2, 2))
    stream = io.StringIO()
    with pytest.raises(FileError, match="names are words without blanks and commas: write jsonl"):
        write_solutions(puzzle, solutions(puzzle), stream, "puzzler")
    assert stream.getvalue() == ""
    write_solutions(puzzle, solutions(puzzle), stream, "jsonl")
    assert read(stream.getvalue(), puzzle) == solutions(puzzle)
    with pytest.raises(FileError, match="A solution without pieces cannot be written as puzzler"):
        write_solutions(make_puzzle("0..2xdomino", drawing="++"), [()], io.StringIO(), "puzzler")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("end", ["complete", "unknown", "stopped: time limit"])
def test_the_end_is_read_as_it_is_written(form: str, end: str) -> None:
    puzzle, stream = load("tetrominoes-5x4-tube"), io.StringIO()
    write_solutions(puzzle, solutions(puzzle, 2), stream, form, lambda: end)
    reading = read_solutions(io.StringIO(stream.getvalue()), puzzle)
    assert len(list(reading)) == 2
    assert reading.end == end


@pytest.mark.parametrize("form", ["puzzler", "letters"])
def test_a_file_whose_number_of_solutions_is_wrong_may_lack_some(form: str) -> None:
    puzzle, stream = load("tetrominoes-5x4-tube"), io.StringIO()
    write_solutions(puzzle, solutions(puzzle, 2), stream, form)
    reading = read_solutions(io.StringIO(stream.getvalue().replace("2 sol", "3 sol")), puzzle)
    assert len(list(reading)) == 2
    assert reading.end == "unknown"


def test_unknown_format() -> None:
    with pytest.raises(
        FileError, match="no format 'xml' of solution files: use jsonl, puzzler, letters"
    ):
        write_solutions(load("dominoes-4x4"), [], io.StringIO(), "xml")


@pytest.mark.parametrize("form", FORMATS)
def test_placements_are_checked_before_they_are_written(form: str) -> None:
    stream = io.StringIO()
    with pytest.raises(PuzzleError, match="The placement of F has no units"):
        write_solutions(load("pentominoes-6x10"), [(Placement("F", ()),)], stream, form)
    assert stream.getvalue() == ""


@pytest.mark.parametrize("units", [list, np.array, lambda units: [*map(list, units)]])
@pytest.mark.parametrize("form", FORMATS)
def test_units_are_any_sequences(form: str, units: Callable[[object], Any]) -> None:
    puzzle = load("dominoes-4x4")
    found = solutions(puzzle)
    streams = io.StringIO(), io.StringIO()
    write_solutions(puzzle, found, streams[0], form)
    given = [tuple(Placement(name, units(points)) for name, points in each) for each in found]
    write_solutions(puzzle, given, streams[1], form)
    assert streams[1].getvalue() == streams[0].getvalue()


@pytest.mark.parametrize("form", LISTS)
def test_coordinates_in_the_region_and_outside_are_written_alike(form: str) -> None:
    """The first are looked up, the others computed."""
    small, large = load("dominoes-4x4"), load("dominoes-8x8")
    inside = {unit for placement in solutions(large, 1)[0] for unit in placement.units}
    assert not inside <= set(map(tuple, small.region.units.tolist()))
    texts = []
    for puzzle in small, large:
        stream = io.StringIO()
        write_solutions(puzzle, solutions(large, 1), stream, form)
        texts.append(stream.getvalue().replace(puzzle.name, ""))
    assert texts[0] == texts[1]


RECORD = """Solving Pentominoes6x10Matrix:

solution 1:

1,1 2,0 2,1 2,2 3,1 X
0,0 0,1 0,2 0,3 1,0 L
3,0 4,0 4,1 4,2 5,1 F
5,0 6,0 6,1 6,2 7,0 T
1,2 1,3 2,3 3,2 3,3 U
0,4 0,5 1,4 1,5 2,4 P
2,5 3,5 4,5 5,5 6,5 I
5,2 5,3 6,3 7,3 7,4 Z
3,4 4,3 4,4 5,4 6,4 Y
7,5 8,5 9,3 9,4 9,5 V
7,1 7,2 8,0 8,1 9,0 W
8,2 8,3 8,4 9,1 9,2 N

P P I I I I I V V V
P P P Y Y Y Y Z N V
L U U U Y Z Z Z N V
L U X U F Z T W N N
L X X X F F T W W N
L L X F F T T T W W

2339 solutions, 906813 searches, duration 0:19:10.133000
"""


def test_a_record_of_polyform_puzzler() -> None:
    puzzle = load("pentominoes-6x10")
    [solution] = read(RECORD, puzzle)
    check(puzzle, solution)
    assert read(RECORD.replace("0,0 0,1 0,2", "00,00 00,01 00,02"), puzzle) == [solution]
    bare = RECORD.split("solution 1:\n\n")[1].split("\n\n")[0]
    assert read(bare, puzzle) == [solution]
    assert read(f"{RECORD}\n{RECORD}", puzzle) == [solution, solution]


def test_old_notations_of_polyform_puzzler() -> None:
    sticks = load("tetrasticks-5x5")
    [[placement]] = read("solution 1:\n0,0,0 1,0,0 1,0i 2,0,0 3,0,0 I\n! H\n", sticks)
    assert placement.piece == "I"
    assert len(placement.units) == 4
    beside = "solution 1:\n0,0,0 1,0,0 2,0,0 3,0,0 I\n7,0,0 7,0,1 7,1,0 7,1,1 8,0,1 H\n"
    assert read(beside, sticks) == [(placement,)]
    one_sided = load("one-sided-pentominoes-3x30")
    flipped, other = (
        read(f"0,0 1,0 2,0 3,0 3,1 {name}", one_sided)[0][0].piece for name in ("L*", "I*")
    )
    assert (flipped, other) == ("l", "I")


HEADER = '{"format": 1, "puzzle": "dominoes-4x4"}\n'

DAMAGED = [
    ("", "the stream: there are no solutions in it"),
    ("hello\n", "the stream: line 1: the drawing does not fit the region of dominoes-4x4"),
    ("solution 1:\n", "the stream: the file is truncated or has no solutions"),
    ("solution 1:\n0,0 1,0 I2\n0,1 1,\n", 'the stream: line 3: "0,1 1," is not a placement'),
    ("0,0 1,0 I2\n0,1 I2 9\n", "the stream: line 2: "),
    ("0,0 0,0 I2\n", "the stream: line 1: The unit [0, 0] occurs twice"),
    (
        "0,0 1,0 2\n",
        "the stream: line 1: The puzzle has no piece '2'. Did you mean 'I2'? Its pieces: I2.",
    ),
    ("0,0,0 1,0,0 I2\n", "the stream: line 1: [0, 0, 0] is not a unit of the square lattice"),
    ("0,0 99999999,0 I2\n", "the stream: line 1: '99999999,0' is not a unit: coordinates go from"),
    ('{"format": 1', "the stream: line 1: this is not a complete JSON object"),
    ('{"format": 3}', "the stream: line 1: this version reads format 1, not 3."),
    ('{"format": 1}', "the stream: the file is truncated: the last line is not {"),
    ('{"format": 1}\n{"end": "complete"}\n{}', "line 3: something follows the end: "),
    ('{"puzzle": "x"}', "the stream: line 1: the key 'format' is missing"),
    (
        '{"format": 1, "puzzle": "soma-cube"}',
        "the stream: line 1: these are solutions of 'soma-cube', not of 'dominoes-4x4'.",
    ),
    (
        HEADER + '{"placements": [["I2", [[0, 0], [1,',
        "line 2: this is not a complete JSON object",
    ),
    (HEADER + '{"placements": [["I2", [[0, "a"]]]]}', "line 2.placements[0][1][0][1]: expected"),
    (HEADER + '{"placements": [["I2", []]]}', "line 2.placements[0][1]: expected a list of length"),
    (HEADER + '{"placements": [["I2"]]}', "line 2.placements[0]: expected a list of length 2"),
    (HEADER + "{}", "line 2: the key 'placements' is missing"),
    (HEADER + '{"placements": [["I2", [[0]]]]}', "line 2: [0] is not a unit of the square lattice"),
    (HEADER + "[1]", "line 2: expected a table, got a list: [1]."),
]


@pytest.mark.parametrize(("text", "expected"), DAMAGED)
def test_damage(text: str, expected: str) -> None:
    with pytest.raises(FileError) as caught:
        read(text, load("dominoes-4x4"))
    assert type(caught.value) is FileError
    assert expected in str(caught.value)


def test_solutions_before_the_damage_are_read() -> None:
    puzzle = load("dominoes-4x4")
    stream = io.StringIO()
    write_solutions(puzzle, solutions(puzzle, 3), stream)
    cut = stream.getvalue()[:-40]
    reader = read_solutions(io.StringIO(cut), puzzle)
    assert [next(reader), next(reader)] == solutions(puzzle, 3)[:2]
    with pytest.raises(FileError, match="line 4: this is not a complete JSON object"):
        next(reader)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    puzzle = load("dominoes-4x4")
    with pytest.raises(NotFoundError, match="there is no such file"):
        next(read_solutions(tmp_path / "none", puzzle))
    with pytest.raises(FileError, match="this is a directory: name a file in it"):
        next(read_solutions(tmp_path, puzzle))
    (tmp_path / "binary").write_bytes(HEADER.encode() + b"\xff\xfe\n")
    with pytest.raises(FileError, match="marked: line 3: not UTF-8: byte 0xff"):
        decoded("marked", b"\xef\xbb\xbf\n\n\xff\n")
    with pytest.raises(FileError, match="binary: line 2: not UTF-8: byte 0xff"):
        next(read_solutions(tmp_path / "binary", puzzle))
    with (
        (tmp_path / "binary").open(encoding="utf-8") as stream,
        pytest.raises(FileError, match=r"cannot be read: .*utf-8"),
    ):
        next(read_solutions(stream, puzzle))
    for ending in ("svg", "PNG", "pdf", "html", "csv", "parquet"):
        with pytest.raises(FileError, match=f"no solutions are read from .{ending.lower()} files"):
            next(read_solutions(tmp_path / f"found.{ending}", puzzle))
