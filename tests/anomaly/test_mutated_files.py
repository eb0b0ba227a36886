"""Files that were damaged at random: they are read, or refused with one plain error."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from random import Random

import pytest

import exactile
from exactile.classics.grids.reader import read_sudokus
from exactile.errors import ExactileError
from exactile.files.puzzles import catalogue
from exactile.files.puzzles.document import Document
from support import cover_files, sudokus
from support.few import examples

Read = Callable[[Path], object]

DOMINOES = exactile.load("dominoes-4x4")
CALENDAR = exactile.load("calendar")

SCHERPHUIS = """Two trominoes and a domino
Board ( (3,1) )
tile flip 2 ((0,0)(1,0)(1,1))
tile ((0,0)(1,0))
mode FillAll
"""

BUSCHE = """D:xDim=3:yDim=2
L
A A A
B B B
~D
"""

SPLINTERS = [
    *(b"\xed\xa0\x80", b"\xff", b"\0", b"\r", b"\n", b"\xe2\x80\xae", b"x" * 5000),
    *(b"999999999999999999999", b"-1", b"1e999", b"nan", b"0..99999999", b"0x", b"1_0", b"0"),
    *(b"[", b"]]]", b"{", b"[[[[", b'"', b"'", b",", b"=", b"#", b".", b"<a>", b"&x;"),
    b'<!ENTITY x "y">',
]
"""What is put in between."""


def text_of(puzzle: exactile.Puzzle, write: Callable[[exactile.Puzzle, Path], object]) -> bytes:
    """Return what is written into a file."""
    path = Path("written")
    write(puzzle, path)
    return path.read_bytes()


def read_document(path: Path) -> None:
    document = Document(path)
    for name in document.ids[:3]:
        document.puzzle(name)


def solutions(form: str) -> bytes:
    stream = StringIO()
    exactile.write_solutions(DOMINOES, exactile.Search(DOMINOES, limit=3), stream, form)
    return stream.getvalue().encode()


def whole(kind: str) -> list[bytes]:
    """Return files of a kind that are right."""
    if kind == ".toml":
        files = sorted({entry.path for entry in catalogue.entries()})
        written = text_of(CALENDAR, lambda p, path: exactile.write_puzzles(path, [p]))
        return [path.read_bytes() for path in files[::9]] + [written] * 5
    if kind == ".xmpuzzle":
        cube = exactile.load("soma-cube")
        packed = text_of(cube, lambda p, path: exactile.write_puzzle_as(p, path, "xmpuzzle"))
        return [packed, gzip.decompress(packed)]
    if kind in (".xcc", ".model.json"):
        form = kind.rpartition(".")[2]
        written = text_of(DOMINOES, lambda p, path: exactile.export_model(p, path, form))
        return [written, cover_files.COLORS.encode(), cover_files.BOUNDS.encode()]
    return {
        ".psv": [SCHERPHUIS.encode()],
        ".txt": [BUSCHE.encode()],
        ".jsonl": [solutions("jsonl")],
        ".solutions": [solutions("puzzler")],
        ".sudoku": [sudokus.SMALL.encode(), sudokus.DRAWN.encode()],
    }[kind]


READERS: dict[str, Read] = {
    ".toml": read_document,
    ".xmpuzzle": exactile.import_file,
    ".psv": exactile.load,
    ".txt": exactile.import_file,
    ".xcc": exactile.read_model,
    ".model.json": exactile.read_model,
    ".jsonl": lambda path: list(exactile.read_solutions(path, DOMINOES)),
    ".solutions": lambda path: list(exactile.read_solutions(path, DOMINOES)),
    ".sudoku": lambda path: list(read_sudokus(path)),
}


def damaged(data: bytes, random: Random) -> bytes:
    """Return a file after one accident or several."""
    if data.startswith(b"\x1f\x8b") and random.random() < 0.7:  # or its sum would tell
        return gzip.compress(damaged(gzip.decompress(data), random))
    found = bytearray(data)
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        at = random.randrange(len(found) + 1)
        length = random.choice([1, 2, 10, 100])
        words = [m.span() for m in re.finditer(rb"-?\d+|[a-z_]{3,}", bytes(found[:5000]))]
        match random.randrange(6):
            case 0:
                found[at : at + 1] = random.randbytes(1)
            case 1:
                del found[at : at + length]
            case 2:
                found[at:at] = random.choice(SPLINTERS)
            case 3:
                del found[at:]
            case 4:
                found[at:at] = found[random.randrange(len(found) + 1) :][:length]
            case _ if words:
                begin, end = random.choice(words)
                found[begin:end] = random.choice([b"0", b"-1", b"9" * 20, b'"x"', b"banana", b""])
    return bytes(found)


@pytest.mark.parametrize("kind", READERS)
def test_damaged_files_are_one_error(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    random, files = Random(kind), whole(kind)
    errors = []
    for _ in range(examples(160)):
        path = Path(f"damaged{kind.removeprefix('.model')}")
        path.write_bytes(damaged(random.choice(files), random))
        try:
            READERS[kind](path)
        except ExactileError as error:
            errors.append(str(error).splitlines()[0])
    assert errors
    assert min(map(len, errors)) > 10
