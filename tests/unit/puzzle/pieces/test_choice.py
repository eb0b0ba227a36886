"""Polyforms chosen by their holes and symmetries, against published numbers."""

import json
from pathlib import Path

import pytest

import exactile
from exactile.errors import PieceError
from exactile.geometry import get_lattice, lattice_names
from exactile.puzzle.pieces.generate import generate, has_holes, is_chosen, symmetries
from exactile.puzzle.pieces.piece import Freedom
from support.command_line import Cli

WITHOUT = {
    "square": {6: 35, 7: 107, 8: 363, 9: 1248},  # OEIS A000104
    "hexagon": {5: 22, 6: 81, 7: 331},  # A018190
    "triangle": {8: 66, 9: 159, 10: 444},  # A070765
}


@pytest.mark.parametrize("name", WITHOUT)
def test_forms_without_holes_are_as_many_as_published(name: str) -> None:
    lattice = get_lattice(name)
    found = {
        order: sum(not has_holes(form, lattice) for form in generate(lattice, order))
        for order in WITHOUT[name]
    }
    assert found == WITHOUT[name]


def test_a_cavity_is_a_hole_and_a_tunnel_is_none() -> None:
    cube = get_lattice("cube")
    shell = cube.points(cube.builders["box"](3, 3, 3))
    shell = shell[(shell != shell.mean(axis=0)).any(axis=1)]
    assert len(shell) == 26
    assert has_holes(shell, cube)
    middle = (shell[:, :2] == shell.mean(axis=0)[:2]).all(axis=1)
    assert not has_holes(shell[~middle], cube)


def test_symmetries_of_the_pentominoes() -> None:
    square = get_lattice("square")
    found = [
        sum(is_chosen(form, square, symmetric=n) for form in generate(square, 5)) for n in (1, 2, 4)
    ]
    assert found == [12, 7, 2]  # all but F, L, N, P, Y; I and X
    assert sum(is_chosen(form, square, symmetric=8) for form in generate(square, 5)) == 1


@pytest.mark.parametrize("name", lattice_names())
def test_a_form_has_fewer_positions_by_its_symmetries(name: str) -> None:
    lattice = get_lattice(name)
    size = len(lattice.group)
    for order in (1, 2):
        free = generate(lattice, order)
        fixed = generate(lattice, order, Freedom.FIXED)
        assert sum(size // symmetries(form, lattice) for form in free) == len(fixed)


def test_files_and_commands_choose(cli: Cli) -> None:
    pieces = {"orders": [7], "holes": False, "symmetric": 4}
    chosen = exactile.make_puzzle(pieces, lattice="square", box=(7, 4)).pieces
    code, out, err = cli("pieces", "square", "7", "--no-holes", "--symmetric", "4")
    assert (code, err) == (
        0,
        "4 free polyominoes of order 7 without holes, with 4 symmetries or more\n",
    )
    assert [line.split()[0] for line in out.splitlines()] == [piece.name for piece in chosen]
    assert cli("pieces", "square", "7", "--holes", "--count")[1] == "1\n"
    answer = json.loads(cli("pieces", "square", "7", "--holes", "--json")[1])
    assert (answer["count"], answer["holes"], answer["symmetric"]) == (1, True, 1)


def test_nothing_is_not_drawn(cli: Cli, tmp_path: Path) -> None:
    code, _, err = cli("pieces", "square", "5", "--holes", "-o", str(tmp_path / "x.svg"))
    assert code == 1
    assert "nothing to draw: 0 free polyominoes of order 5 with holes." in err
    assert not list(tmp_path.iterdir())


def test_what_has_no_holes_is_refused() -> None:
    for name in ("square-edges", "cube-faces"):
        lattice = get_lattice(name)
        with pytest.raises(PieceError, match="no cells that could enclose a hole"):
            has_holes(generate(lattice, 2)[0], lattice)
    with pytest.raises(PieceError, match="No piece is left"):
        exactile.make_puzzle({"set": "pentominoes", "holes": True}, box=(6, 10))
