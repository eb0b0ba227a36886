"""`list` and `show` tell what the ledger knows; `--fix` asks for solutions with a placement."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.command_line import Cli


def told(cli: Cli, *words: str) -> Any:
    code, out, err = cli(*words, "--json")
    assert code == 0, err
    return json.loads(out)


def test_open_puzzles_of_a_lattice_and_a_source_are_listed_in_order(cli: Cli) -> None:
    found = told(cli, "list", "--open", "--lattice", "hexagon", "--sort", "units")["puzzles"]
    assert len(found) > 10
    assert {p["status"] for p in found} == {"open"}
    assert {p["lattice"] for p in found} == {"hexagon"}
    found = told(cli, "list", "--source", "barwell", "--sort", "solutions")["puzzles"]
    numbers = [p["solutions"] for p in found if p["solutions"] is not None]
    assert numbers == sorted(numbers)
    assert numbers
    assert all("Barwell" in " ".join(p["sources"]) for p in found)


def test_show_tells_what_the_ledger_knows_of_a_puzzle_by_what_it_says(cli: Cli) -> None:
    known = told(cli, "show", "--pieces", "pentominoes", "--box", "10x6")["ledger"]
    assert (known["id"], known["symmetry"]) == ("pentominoes-6x10", 2339)
    assert told(cli, "show", "--pieces", "pentominoes", "--box", "30x2")["ledger"] is None
    shown = cli("show", "pentominoes-3x20")[1]
    assert "ledger      8 solutions, 2 up to symmetry" in shown


def test_solutions_with_a_placement_are_counted(cli: Cli) -> None:
    placed = "X@2,0 1..3,1 2,2"
    found = told(cli, "count", "pentominoes-3x20", "--fix", placed)
    assert 0 < found["raw"] < 8
    code, _, err = cli("count", "pentominoes-3x20", "--fix", "Q@0,0")
    assert code == 1
    assert "no piece 'Q'" in err


@pytest.mark.parametrize("text", ["X", ""])
def test_a_placement_has_a_piece_and_units(cli: Cli, text: str) -> None:
    code, _, err = cli("count", "pentominoes-3x20", "--fix", text)
    assert code == 2
    assert "PIECE@UNITS" in err
