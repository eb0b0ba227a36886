"""The catalogue: every puzzle loads, fits its pieces, and is found by name, alias and path."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactile.errors import FileError, NotFoundError
from exactile.files import entries, load
from exactile.puzzle import Puzzle

IDS = [entry.id for entry in entries()]

REQUIRED = """
    pentominoes-6x10 pentominoes-3x20 pentominoes-4x15 pentominoes-5x12
    pentominoes-8x8-center-hole soma-cube solid-pentominoes-3x4x5 tetrasticks-5x5
    tetrasticks-5x5-without-h tetrasticks-5x5-without-j tetrasticks-5x5-without-l
    tetrasticks-5x5-without-n tetrasticks-5x5-without-y tritrigs-heart-2 tritrigs-whorl
    pentatwigs-5x3 hexiamonds-6x6 tetrahexes-4x7 one-sided-pentominoes-3x30
    tetrominoes-5x4-tube y-pentominoes-15x15 hexominoes-14x15 mutilated-chessboard
    mutilated-chessboard-6x6
    dominoids-two-cubes tetrominoes-torus-5x4"""

FILES = sorted({entry.path for entry in entries()})

UNFIT = {"hexahexes-triangle", "solid-pentominoes-6x6x6-crystal-x4"}
"""Published with regions of another size than their pieces."""


def test_the_catalogue_is_large_enough() -> None:
    assert len(IDS) >= 1200
    assert len({entry.lattice for entry in entries()}) == 12
    assert set(REQUIRED.split()) <= set(IDS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_puzzle_loads_and_its_pieces_can_fill_it(file: Path) -> None:
    for entry in entries():
        if entry.path == file:
            puzzle = load(entry.id)
            assert (puzzle.name, puzzle.title, puzzle.aliases) == (
                entry.id,
                entry.title,
                entry.aliases,
            )
            assert puzzle.lattice.name == entry.lattice
            assert fits(puzzle) == (entry.id not in UNFIT), entry.id
            assert_known_numbers_agree(puzzle)


def fits(puzzle: Puzzle) -> bool:
    """Return whether the areas of region and pieces allow a solution."""
    required = int((~puzzle.region.optional).sum())
    choice = puzzle.omission.names if puzzle.omission else ()
    orders = sorted(piece.order for piece in puzzle.pieces if piece.name in choice)
    count = puzzle.omission.count if puzzle.omission else 0
    least = sum(piece.order * piece.lower for piece in puzzle.pieces)
    most = sum(piece.order * piece.upper for piece in puzzle.pieces)
    return least - sum(orders[len(orders) - count :]) <= len(
        puzzle.region
    ) and required <= most - sum(orders[:count])


def assert_known_numbers_agree(puzzle: Puzzle) -> None:
    """Compare the numbers of a puzzle that nothing speaks against with each other."""
    right = [k for k in puzzle.known if not k.refuted]
    known = {k.up_to: k.count for k in right}
    assert len(known) == len(right), puzzle.name
    assert known.get("symmetry", 0) <= known.get("rotation", known.get("raw", 10**12))
    assert known.get("rotation", 0) <= known.get("raw", 10**12)
    assert all(k.source for k in puzzle.known), puzzle.name


def test_names_aliases_and_paths(tmp_path: Path) -> None:
    assert load("PENTOMINOES6X10").name == "pentominoes-6x10"
    file = next(entry.path for entry in entries() if entry.id == "pentominoes-6x10")
    assert load(f"{file}#pentominoes-3x20").name == "pentominoes-3x20"
    single = tmp_path / "one#.toml"
    single.write_text(
        'format = 1\n[puzzle.b]\nlattice = "square"\npieces = { set = "domino" }\n'
        "region = { box = [2, 1] }\n"
    )
    assert load(single).name == load(str(single)).name == load(f"{single}#b").name == "b"
    with pytest.raises(FileError, match=r"the file has \d+ puzzles: name one of them, such as "):
        load(file)


def test_what_is_not_found() -> None:
    with pytest.raises(
        NotFoundError, match=r"no puzzle 'Pentominos6x10' in the catalogue. Did you mean 'Pentomi"
    ):
        load("Pentominos6x10")
    with pytest.raises(NotFoundError, match=r"none\.toml: there is no such file"):
        load("none.toml")
    with pytest.raises(NotFoundError, match=r"none\.toml: there is no such file"):
        load("none.toml#a")
    with pytest.raises(NotFoundError, match="in the catalogue"):
        load("a\0b")
    with pytest.raises(NotFoundError, match="in the catalogue"):
        load("")
