"""Puzzle files: pieces, their bounds and freedom, rules, the schema."""

from __future__ import annotations

import json

import pytest

from exactile.errors import FileError, NotFoundError
from exactile.files import Document, load, schema
from exactile.puzzle import Known, Omission, Puzzle
from exactile.puzzle.pieces.piece import Freedom


def puzzle(
    pieces: str, *, region: str = "{ box = [10, 6] }", lattice: str = "square", more: str = ""
) -> Puzzle:
    text = (
        f'format = 1\n[puzzle.a]\nlattice = "{lattice}"\npieces = {pieces}\n'
        f"region = {region}\n{more}\n"
    )
    return Document("my.toml", text).puzzle("a")


def bounds(stated: Puzzle) -> dict[str, tuple[int, int]]:
    return {p.name: (p.lower, p.upper) for p in stated.pieces}


def test_integers_of_any_length_are_wrong_in_any_place() -> None:
    with pytest.raises(FileError, match="got a list: a value with an integer of thousands"):
        Document("my.toml", f"format = 1\n[puzzle.a]\nlattice = [0x{'f' * 5000}]\n").puzzle("a")


def test_only_omit_copies_and_ranges() -> None:
    assert list(bounds(puzzle('{ set = "pentominoes", omit = ["X"] }'))) == list("FILNPTUVWYZ")
    assert bounds(puzzle('{ set = "pentominoes", only = ["I", "F"], copies = 2 }')) == {
        "F": (2, 2),
        "I": (2, 2),
    }
    found = puzzle(
        '{ set = "pentominoes", only = ["F", "I", "Y"], copies = { Y = 45 }, '
        'ranges = { F = [0, 3], I = "1..2" } }'
    )
    assert bounds(found) == {"F": (0, 3), "I": (1, 2), "Y": (45, 45)}
    assert set(bounds(puzzle('{ set = "pentominoes", ranges = "0..1" }')).values()) == {(0, 1)}
    assert bounds(puzzle('{ set = "domino", copies = 0 }')) == {"I2": (0, 0)}


def test_orders_groups_and_quasi() -> None:
    assert len(puzzle("{ orders = [1, 2, 3, 4] }").pieces) == 9
    assert len(puzzle('[{ orders = [4] }, { set = "pentominoes" }]').pieces) == 17
    sticks = puzzle("{ orders = [2], quasi = true }", lattice="square-edges")
    assert len(sticks.pieces) == 6


def test_freedom() -> None:
    kinds = {p.freedom for p in puzzle('{ set = "pentominoes" }').pieces}
    assert kinds == {Freedom.FREE}
    fixed = puzzle('{ set = "pentominoes", freedom = "fixed", only = ["L"] }')
    assert [len(p.aspects) for p in fixed.pieces] == [1]
    turned = puzzle('{ set = "pentominoes", freedom = "one-sided", only = ["L"] }')
    assert [len(p.aspects) for p in turned.pieces] == [4]


def test_own_pieces() -> None:
    found = puzzle(
        '{ cells = { A = "0..2,0 0,1", B = "##\\n#.", C = [[5, 5]] }, copies = { B = 3 } }'
    )
    assert {p.name: p.order for p in found.pieces} == {"A": 4, "B": 3, "C": 1}
    assert bounds(found)["B"] == (3, 3)
    gap = puzzle('{ cells = { A = "0,0 2,0" }, quasi = true }')
    assert gap.pieces[0].order == 2


def test_omissions() -> None:
    found = puzzle('{ set = "pentominoes", choose_omitted = ["X", "Y"] }')
    assert found.omission == Omission(("X", "Y"), 1)
    found = puzzle('{ set = "pentominoes", choose_omitted = { from = ["X", "Y"], count = 2 } }')
    assert found.omission == Omission(("X", "Y"), 2)


def test_rules_and_facts() -> None:
    found = puzzle(
        '{ set = "tetrasticks" }',
        lattice="square-edges",
        region="{ box = [5, 5] }",
        more='crossing = false\ntitle = "Sticks"\naliases = ["b"]\nsource = "me"\n'
        'known = [{ count = 5, up_to = "raw", source = "x" }]',
    )
    assert not found.crossing
    assert (found.title, found.aliases, found.source) == ("Sticks", ("b",), "me")
    assert found.known == (Known(5, "raw", "x"),)
    assert puzzle('{ set = "pentominoes" }').title == "a"


def test_fixed_placements_follow_the_wrap() -> None:
    found = puzzle(
        '{ set = "pentominoes", only = ["I", "X"] }',
        region="{ box = [5, 2], wrap = [[5, 0]] }",
        more='fixed = [{ piece = "I", units = "3..7,0" }]',
    )
    assert found.fixed[0].units == ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0))


def test_puzzles_of_a_file_by_identifier_and_alias() -> None:
    table = 'lattice = "square"\npieces = { set = "domino" }\nregion = { box = [2, 1] }\n'
    document = Document(
        "my.toml", f'format = 1\n[puzzle.a]\naliases = ["First"]\n{table}\n[puzzle.b]\n{table}'
    )
    assert document.ids == ["a", "b"]
    assert document.puzzle("FIRST").name == "a"
    with pytest.raises(NotFoundError, match=r"my\.toml: there is no puzzle 'c' in it"):
        document.puzzle("c")


def test_a_text_with_several_puzzles_has_to_become_a_file() -> None:
    table = 'lattice = "square"\npieces = { set = "domino" }\nregion = { box = [2, 1] }\n'
    text = f"format = 1\n[puzzle.a]\n{table}\n[puzzle.b]\n{table}"
    with pytest.raises(FileError, match=r"2 puzzles, .* save it as a file.* such as FILE\.toml#a"):
        load(text)


def test_one_wrong_puzzle_does_not_spoil_the_others() -> None:
    table = 'lattice = "square"\npieces = { set = "domino" }\nregion = { box = [2, 1] }\n'
    document = Document("my.toml", f"format = 1\n[puzzle.a]\n{table}\n[puzzle.b]\nlattice = 3")
    assert len(document.puzzle("a").region) == 2


def test_the_schema_knows_all_builders_and_is_json() -> None:
    found = json.loads(json.dumps(schema()))
    assert found["$ref"] == "#/$defs/DocumentTable"
    properties = found["$defs"]["RegionTable"]["properties"]
    assert {"box", "hexagon", "aztec_diamond", "drawing", "wrap"} <= set(properties)
    assert properties["plus"]["items"] == {"$ref": "#/$defs/DraftTable"}
    assert "wrap" not in found["$defs"]["DraftTable"]["properties"]
