"""Malformed puzzle files: one clear error each, with the place and the remedy."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from exactile.errors import (
    FileError,
    GeometryError,
    NotFoundError,
    PieceError,
    PuzzleError,
    RegionError,
)
from exactile.files import Document

SET = '{ set = "pentominoes" }'
BOX = "{ box = [10, 6] }"


def text(*, lattice: str = "square", pieces: str = SET, region: str = BOX, more: str = "") -> str:
    """Return a file with one puzzle."""
    return (
        f'format = 1\n[puzzle.a]\nlattice = "{lattice}"\npieces = {pieces}\n'
        f"region = {region}\n{more}\n"
    )


def message(content: str, kind: type[PuzzleError]) -> str:
    """Build all puzzles of a file and return the message of the error."""
    with pytest.raises(PuzzleError) as caught:
        [Document("my.toml", content).puzzle(name) for name in Document("my.toml", content).ids]
    assert type(caught.value) is kind
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return str(caught.value)


DOCUMENTS = [
    ("", "my.toml: the key 'format' is missing: write format = 1 at the top."),
    ("format = 1", "my.toml: the key 'puzzle' is missing: write a table [puzzle.NAME]."),
    ("format = 1\n[puzzle]", "my.toml: it has no puzzle: write a table [puzzle.NAME]."),
    ("format = 2", "my.toml: format: this version reads format 1, not 2."),
    ("format = true", "my.toml: format: this version reads format 1, not true."),
    (
        "format = 1\n[puzzle.a\n",
        "my.toml: bad TOML: Expected ']' at the end of a table declaration "
        '(at line 2, column 10): "[puzzle.a".',
    ),
    ("format = 1\na = " + "9" * 5000, "my.toml: bad TOML: an integer has thousands of digits."),
    ("a = " + "[" * 9000, "my.toml: bad TOML: it is nested too deeply."),
    (
        "format = 1\n[puzzles.a]",
        "my.toml: unknown key 'puzzles'. Did you mean 'puzzle'? Known: format, puzzle.",
    ),
    (
        "format = 1\n[puzzle]\na = 3",
        "my.toml: puzzle.a: expected a table, got an integer: 3. Write a table [puzzle.NAME].",
    ),
    (
        'format = 1\n[puzzle."a b"]',
        "my.toml: puzzle: 'a b' is not an identifier: use letters, digits, or one of . - _.",
    ),
    (
        'format = 1\n[puzzle.a]\naliases = ["B"]\n[puzzle.b]',
        "my.toml: puzzle.b: the name 'b' is taken by puzzle 'a': every identifier and alias must "
        "be unique.",
    ),
    (
        f"format = 1\n[puzzle.a]\npieces = {SET}\nregion = {BOX}",
        "my.toml: puzzle.a: the key 'lattice' is missing: write lattice = \"square\", or another "
        "lattice.",
    ),
    ('lattice = "square"\n', "my.toml: unknown key 'lattice'. Write [puzzle.ID] above 'lattice'."),
    (text(more="wrap = [[4, 0]]"), "my.toml: puzzle.a: unknown key 'wrap'. Write region.wrap."),
    (text(more="titel = 3"), "my.toml: puzzle.a: unknown key 'titel'. Did you mean 'title'?"),
    (text(more="title = 3"), "my.toml: puzzle.a.title: expected a string, got an integer: 3."),
    (text(more="title = 2020-01-01"), "my.toml: puzzle.a.title: expected a string, got a date"),
    (text(more="crossing = 0"), "puzzle.a.crossing: expected true or false, got an integer: 0."),
    (
        text(more='known = [{ count = 3, up_to = "symetry" }]'),
        "puzzle.a.known[0].up_to: 'symetry' is not allowed: write one of "
        '"raw", "rotation", "symmetry".',
    ),
]


@pytest.mark.parametrize(("content", "expected"), DOCUMENTS)
def test_documents(content: str, expected: str) -> None:
    assert expected in message(content, FileError)


REGIONS = [
    ("{}", FileError, "region: a region starts from exactly one of box, triangle, trapezoid, "),
    ('{ box = [1, 2], drawing = "#" }', FileError, "not box and drawing together"),
    ("{ bocks = [10, 6] }", FileError, "region: unknown key 'bocks'. Known on the square lattice:"),
    ("{ plus = [{ bx = 1 }], box = [1, 1] }", FileError, "region.plus[0]: unknown key 'bx'."),
    (
        '{ box = [3, 3], plus = [{ box = [3, 3], optional = "1,1" }] }',
        FileError,
        "region.plus[0]: unknown key 'optional'.",
    ),
    (
        "{ box = [3] }",
        FileError,
        "box: [3] are not the sizes of a box: write box = [width, height].",
    ),
    ('{ box = "3x4" }', FileError, 'box: expected an integer or a list, got a string: "3x4".'),
    ("{ box = [true, 3] }", FileError, "box[0]: expected an integer, got true or false: true."),
    ("{ box = [1.5, 3] }", FileError, "box[0]: expected an integer, got a float: 1.5."),
    (f"{{ box = [{10**30}, 3] }}", FileError, "box[0]: expected an integer <= 1000000000: 1000"),
    ("{ box = [0, 3] }", RegionError, "box: A size of 0 makes an empty region: sizes start at 1."),
    (
        "{ box = [10000, 1000] }",
        RegionError,
        "my.toml: puzzle.a.region.box: A region of 10000 x 1000 = 10,000,000 places is too large: "
        "the limit is 1,000,000 units.",
    ),
    (
        '{ units = "0..9999,0..9999" }',
        RegionError,
        "region.units: These are 100,000,000 units, which is too many: the limit is 1,000,000.",
    ),
    (
        '{ units = "" }',
        RegionError,
        "my.toml: puzzle.a.region: The region is empty: it needs at least one unit.",
    ),
    (
        "{ box = [2, 2], minus = [{ box = [3, 3] }] }",
        RegionError,
        "my.toml: puzzle.a.region: The region is empty: it needs at least one unit.",
    ),
    (
        '{ units = "0,0 1,0 0,0" }',
        RegionError,
        "my.toml: puzzle.a.region.units: The unit [0, 0] occurs twice: write it once.",
    ),
    (
        "{ units = [[0, 0], [1, 0], [0, 0]] }",
        RegionError,
        "region.units: The unit [0, 0] occurs twice: write it once.",
    ),
    (
        '{ units = "0,0 1;0" }',
        FileError,
        "units: '1;0' is not a unit: write integers joined by commas",
    ),
    ('{ units = "3..1,0" }', FileError, "'3..1,0' is not a unit: in a run the smaller integer"),
    ('{ units = "1,9999999" }', FileError, "is not a unit: coordinates go from -100000 to 100000."),
    (
        "{ units = [[1, 9999999]] }",
        FileError,
        "units[0][1]: expected an integer <= 100000: 9999999",
    ),
    (
        '{ units = "0,0,2" }',
        GeometryError,
        "my.toml: puzzle.a.region.units: [0, 0, 2] is not a unit of the square lattice: "
        "write 2 coordinates (x, y).",
    ),
    ('{ drawing = "#x" }', RegionError, "'x' in line 1 of the drawing has no meaning: write #"),
    (
        "{ box = [3, 3], minus = [{ box = [3, 3], shift = [5, 5] }] }",
        FileError,
        "region.minus[0]: it takes nothing away: no unit of it lies in the region.",
    ),
    ("{ box = [3, 3], shift = [5] }", FileError, "[5] is not a translation of the square lattice"),
    ("{ box = [3, 3], wrap = [[3]] }", FileError, "wrap: [3] is not a translation of the square"),
    ("{ box = [3, 3], wrap = [[0, 0]] }", GeometryError, "wrap: The translations [[0, 0]] of the"),
    ("{ box = [3, 3], wrap = [[2, 0]] }", RegionError, "(the wrap identifies two units)"),
]


@pytest.mark.parametrize(("region", "kind", "expected"), REGIONS)
def test_regions(region: str, kind: type[PuzzleError], expected: str) -> None:
    found = message(text(region=region), kind)
    assert found.startswith("my.toml: puzzle.a.region")
    assert expected in found


OTHER_LATTICES = [
    (
        "square-edges",
        "tetrasticks",
        '{ units = "0,0,2" }',
        GeometryError,
        "units: [0, 0, 2] is not a unit of the square-edges lattice: the last coordinate must be "
        "0 to 1.",
    ),
    (
        "cube-faces",
        "dominoids",
        '{ units = "0,0,0" }',
        GeometryError,
        "units: [0, 0, 0] is not a unit of the cube-faces lattice: modulo 2 a unit is one of",
    ),
    (
        "hexagon",
        "tetrahexes",
        '{ drawing = "####" }',
        RegionError,
        "drawing: The drawing does not fit the lattice: some of its marks stand where there ",
    ),
    (
        "cube-edges",
        "space-tristicks",
        "{ box = [100, 100, 100] }",
        RegionError,
        "region: a region of about 3,000,000 units is too large: the limit is 1,000,000.",
    ),
]


@pytest.mark.parametrize(("lattice", "pieces", "region", "kind", "expected"), OTHER_LATTICES)
def test_other_lattices(
    lattice: str, pieces: str, region: str, kind: type[PuzzleError], expected: str
) -> None:
    content = text(lattice=lattice, pieces=f'{{ set = "{pieces}" }}', region=region)
    assert expected in message(content, kind)


def test_unknown_lattice_and_set() -> None:
    assert "puzzle.a.lattice: There is no lattice 'sqare'. Did you mean 'square'?" in message(
        text(lattice="sqare"), NotFoundError
    )
    assert (
        "puzzle.a.pieces.set: There is no piece set 'pentominis' on the square lattice. "
        "Did you mean 'pentominoes'?"
    ) in message(text(pieces='{ set = "pentominis" }'), NotFoundError)


PIECES = [
    ("{}", FileError, "pieces: pieces come from exactly one of set, orders and cells, not none"),
    ('{ set = "pentominoes", orders = [5] }', FileError, "not set and orders together"),
    (
        '{ set = "pentominoes", omitt = ["X"] }',
        FileError,
        "my.toml: puzzle.a.pieces: unknown key 'omitt'. Did you mean 'omit'?",
    ),
    (
        '{ set = "pentominoes", omit = ["Q"] }',
        PieceError,
        "my.toml: puzzle.a.pieces: There is no piece 'Q' for omit. "
        "The pieces: F I L N P T U V W X Y Z.",
    ),
    (
        '{ set = "pentominoes", copies = { Q = 2 } }',
        PieceError,
        "There is no piece 'Q' for copies.",
    ),
    ('{ set = "pentominoes", omit = ["X", "X"] }', PieceError, "Piece 'X' occurs twice in omit"),
    ('{ set = "pentominoes", only = [] }', PieceError, "No piece is left"),
    ('{ set = "pentominoes", only = ["X"], omit = ["Y"] }', FileError, "only and omit exclude"),
    ('{ set = "pentominoes", quasi = true }', FileError, 'write set = "quasi-pentominoes"'),
    ("{ orders = [0] }", FileError, "pieces.orders[0]: expected an integer >= 1: 0."),
    (
        '{ set = "pentominoes", ranges = { I = [3, 1] } }',
        PieceError,
        "my.toml: puzzle.a.pieces: Piece I cannot be used 3 to 1 times: the first number must be "
        "at least 0 and at most the second.",
    ),
    (
        '{ set = "pentominoes", ranges = { I = "3-1" } }',
        FileError,
        'ranges.I: \'3-1\' is not a range: write "0..3", [0, 3] or "3..".',
    ),
    ('{ set = "pentominoes", ranges = { I = [1] } }', FileError, "expected a list of length >= 2"),
    ('{ set = "pentominoes", copies = -1 }', FileError, "copies: expected an integer >= 0: -1."),
    (
        '{ set = "pentominoes", copies = 2, ranges = { I = [0, 1] } }',
        PieceError,
        "Piece 'I' has both copies and a range: write one of them.",
    ),
    (
        '{ set = "pentominoes", freedom = "onesided" }',
        FileError,
        'pieces.freedom: \'onesided\' is not allowed: write one of "free", "one-sided", "fixed".',
    ),
    (
        '{ set = "pentominoes", choose_omitted = ["Q"] }',
        PieceError,
        "There is no piece 'Q' for choose_omitted.",
    ),
    (
        '{ set = "pentominoes", choose_omitted = { from = ["X", "Y"], count = 3 } }',
        PieceError,
        "3 of 2 pieces cannot be omitted: choose 1 to 2.",
    ),
    (
        '{ cells = { A = "0,0 2,0" } }',
        PieceError,
        "my.toml: puzzle.a.pieces.cells.A: Piece A is not connected: [0, 0] and [2, 0] are apart. "
        "Join them, or write quasi = true to allow gaps of one unit.",
    ),
    (
        '{ cells = { A = "AAA\\nA.." } }',
        PieceError,
        "Piece A is neither drawn nor listed: in a drawing write # for each of its cells",
    ),
    (
        '{ cells = { A = "0,0 3,0" }, quasi = true }',
        PieceError,
        "[0, 0] and [3, 0] are apart. Join them.",
    ),
    ('{ cells = { A = "" } }', PieceError, "cells.A: Piece A has no units: write at least one."),
    ("{ cells = { A = [[0, 0], [0, 0]] } }", RegionError, "The unit [0, 0] occurs twice"),
    ('{ cells = { A = "#+" } }', PieceError, "Piece A cannot have optional units"),
    (
        '[{ set = "pentominoes" }, { set = "pentominoes" }]',
        PieceError,
        "Two pieces are called 'F': rename one, or write copies = {F = 2}.",
    ),
    (
        '[{ set = "pentominoes" }, { set = "tetrominis" }]',
        NotFoundError,
        "my.toml: puzzle.a.pieces[1].set: There is no piece set 'tetrominis'",
    ),
]


@pytest.mark.parametrize(("pieces", "kind", "expected"), PIECES)
def test_pieces(pieces: str, kind: type[PuzzleError], expected: str) -> None:
    found = message(text(pieces=pieces), kind)
    assert found.startswith("my.toml: puzzle.a")
    assert expected in found


FIXED = [
    (
        '{ piece = "I", units = "0..4,7" }',
        PuzzleError,
        "puzzle.a: The fixed placement of I has the unit [0, 7] outside the region.",
    ),
    ('{ piece = "i", units = "0..4,0" }', PieceError, "fixed[0]: The puzzle has no piece 'i'."),
    (
        '{ piece = "X", units = "0..4,0" }',
        PuzzleError,
        "puzzle.a: These units are not a placement of piece X: 0,0 1,0 2,0 3,0 4,0.",
    ),
    ('{ piece = "X", units = "" }', PuzzleError, "The placement of X has no units."),
    (
        '{ piece = "I", units = "0..4,0" }, { piece = "V", units = "0..2,0 0,1..2" }',
        PuzzleError,
        "Two fixed placements overlap in the unit [0, 0].",
    ),
    (
        '{ piece = "I", units = "0..4,0" }, { piece = "I", units = "0..4,1" }',
        PieceError,
        "Piece I is fixed 2 times but used at most 1 times",
    ),
]


@pytest.mark.parametrize(("fixed", "kind", "expected"), FIXED)
def test_fixed_placements(fixed: str, kind: type[PuzzleError], expected: str) -> None:
    found = message(text(more=f"fixed = [{fixed}]"), kind)
    assert found.startswith("my.toml: puzzle.a")
    assert expected in found


def test_large_regions_are_refused_before_they_are_made() -> None:
    tracemalloc.start()
    try:
        for region in ("{ box = [10000, 1000] }", '{ units = "0..9999,0..999" }'):
            message(text(region=region), RegionError)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'format = 1\ntitle = "caf\xe9"\n')
    with pytest.raises(FileError, match=r"latin\.toml: line 2: not UTF-8: byte 0xe9\. Save"):
        Document(latin)
    with pytest.raises(FileError, match="this is a directory: name a file in it"):
        Document(tmp_path)
    with pytest.raises(NotFoundError, match="there is no such file"):
        Document(tmp_path / "none.toml")
    with pytest.raises(FileError, match="the file cannot be read"):
        Document("a\0b")


def test_a_byte_order_mark_and_windows_line_ends_are_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + text().replace("\n", "\r\n").encode())
    assert Document(path).ids == ["a"]
