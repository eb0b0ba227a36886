"""Files of BurrTools: read, written, and refused."""

from __future__ import annotations

import gzip
import random
from dataclasses import replace

import numpy as np
import pytest

import exactile
from exactile.errors import FileError, PuzzleError
from exactile.files.foreign.xmpuzzle import parse_xmpuzzle
from exactile.files.foreign.xmpuzzle_parts import GRIDS
from exactile.files.foreign.xmpuzzle_writer import packed, xmpuzzle_text
from exactile.files.puzzles.writer import document_text
from exactile.geometry import get_lattice
from exactile.geometry.isometry import as_tuples
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, Piece, customary_freedom

PLAIN = """<?xml version="1.0"?>
<puzzle version="2">
 <gridType type="0"/>
 <colors><color red="1" green="2" blue="3"/><color red="1" green="2" blue="3"/></colors>
 <shapes>
  <voxel x="2" y="2" z="1" type="0" name="small L">##
    #_</voxel>
  <voxel x="1" y="1" z="2" type="0">#1#1</voxel>
  <voxel x="2" y="2" z="2" type="0" name="box" weight="2">####+###2</voxel>
 </shapes>
 <problems>
  <problem name="all of it" state="2" assemblies="3">
   <shapes><shape id="0" count="2" group="1"/><shape id="1" min="0" max="1"/></shapes>
   <result id="2"/>
   <bitmap><pair piece="0" result="1"/></bitmap>
   <solutions><solution asmNum="0"/></solutions>
  </problem>
 </problems>
 <comment>Made by hand.</comment>
</puzzle>
"""


def read(text: str) -> Puzzle:
    [puzzle] = parse_xmpuzzle("folder/My box.xmpuzzle", text.encode()).puzzles
    return puzzle


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1"])
def test_names_with_umlauts_are_read_in_either_encoding(encoding: str) -> None:
    text = PLAIN.replace("Made by hand", "Designed by Markus Götz")
    foreign = parse_xmpuzzle("a.xmpuzzle", text.encode(encoding))
    assert foreign.comment == "Designed by Markus Götz."


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        gzip.compress(PLAIN.encode()),
        b"".join(gzip.compress(part.encode()) for part in (PLAIN[:99], PLAIN[99:])),
    ],
)
def test_all_parts_are_read(data: bytes) -> None:
    foreign = parse_xmpuzzle("folder/My box.xmpuzzle", data)
    [puzzle] = foreign.puzzles
    assert (puzzle.name, puzzle.title, foreign.comment) == ("my-box", "all of it", "Made by hand.")
    assert foreign.notes == [
        "colors that forbid no placement ignored",
        "stored solution 1 of my-box left out: folder/My box.xmpuzzle: line 16: <solution>: "
        "it has 0 elements <assembly>: there must be one.",
        "weights of shapes ignored: in animations the heaviest piece stays at rest",
    ]
    assert [(p.name, p.units, p.freedom, p.lower, p.upper) for p in puzzle.pieces] == [
        ("small-L", ((0, 0, 0), (0, 1, 0), (1, 0, 0)), Freedom.ONE_SIDED, 2, 2),
        ("S2", ((0, 0, 0), (0, 0, 1)), Freedom.ONE_SIDED, 0, 1),
    ]
    assert puzzle.lattice.name == "cube"
    assert puzzle.region.units[puzzle.region.optional].tolist() == [[0, 0, 1]]
    assert len(puzzle.region) == 8


def test_x_runs_first_then_y_then_z() -> None:
    text = PLAIN.replace(
        'x="2" y="2" z="2" type="0" name="box" weight="2">####+###2', 'x="4" y="3" z="2">'
    )
    text = text.replace("></voxel>", ">" + "#" * 4 + "____" + "#___" + "__##" * 2 + "___+</voxel>")
    units = {tuple(u) for u in read(text).region.units.tolist()}
    first = {(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0), (0, 2, 0)}
    assert units == first | {(2, 0, 1), (3, 0, 1), (2, 1, 1), (3, 1, 1), (3, 2, 1)}


def test_flat_puzzles_are_puzzles_of_squares() -> None:
    text = PLAIN.replace('x="1" y="1" z="2" type="0">#1#1', 'x="1" y="2" z="1" type="0">##')
    text = text.replace(
        'x="2" y="2" z="2" type="0" name="box" weight="2">####+###2', 'x="4" y="2" z="1">########'
    )
    text = text.replace('min="0" max="1"', 'count="1"')
    puzzle = read(text)
    assert puzzle.lattice.name == "square"
    assert {p.freedom for p in puzzle.pieces} == {Freedom.FREE}
    assert puzzle.region.units.tolist() == [[x, y] for x in range(4) for y in range(2)]


def test_several_problems_share_shapes() -> None:
    second = (
        '<problem><shapes><shape id="1" count="4"/></shapes><result id="2"/></problem></problems>'
    )
    text = PLAIN.replace("</problems>", second).replace("+###2", "####")
    foreign = parse_xmpuzzle("two.xmpuzzle", text.encode())
    assert [p.name for p in foreign.puzzles] == ["all-of-it", "two"]
    assert exactile.count(foreign.puzzles[1]).raw == 9  # domino packings of 2 x 2 x 2


def test_a_limit_of_holes_that_always_holds_is_no_limit() -> None:
    assert not read(PLAIN.replace('state="2"', 'maxHoles="1"')).open_rules
    [rule] = read(PLAIN.replace('state="2"', 'maxHoles="0"')).open_rules
    assert (rule.units, rule.lower, rule.upper) == (((0, 0, 1),), 0, 0)


HOLES = """<puzzle version="2"><gridType type="0"/><shapes>
<voxel x="2" y="2" z="1" type="0">###_</voxel><voxel x="1" y="1" z="2" type="0">##</voxel>
<voxel x="3" y="2" z="2" type="0">+#+#+#+#++##</voxel></shapes><problems>
<problem maxHoles="LIMIT"><shapes>PIECES</shapes><result id="2"/></problem></problems></puzzle>"""

RANGES = '<shape id="0" min="0" max="6"/><shape id="1" min="0" max="2"/>'
GROUPED = """<shape id="0" min="1" max="2" group="1"/>
<shape id="1" min="1" max="3"><group group="2" count="3"/></shape>"""
FIXED = '<shape id="0" count="2"/><shape id="1" count="1"/>'


@pytest.mark.parametrize(
    ("pieces", "limit", "assemblies"),
    [
        *((RANGES, limit, n) for limit, n in enumerate([44, 472, 1079, 1163, 1232, 1242, 1242])),
        *((GROUPED, limit, n) for limit, n in enumerate([336, 336, 943, 1164, 1233])),
        *((FIXED, limit, 69) for limit in (0, 3, 6)),  # then BurrTools ignores the limit
    ],
)
def test_limits_of_holes_have_the_effect_they_have_in_burrtools(
    pieces: str, limit: int, assemblies: int
) -> None:
    puzzle = read(HOLES.replace("LIMIT", str(limit)).replace("PIECES", pieces))
    [again] = parse_xmpuzzle("x", xmpuzzle_text(puzzle).encode()).puzzles
    assert exactile.count(puzzle).symmetry == exactile.count(again).symmetry == assemblies
    assert (again.open_rules, again.together) == (puzzle.open_rules, puzzle.together)
    assert len(puzzle.together) == pieces.count("group=")


def test_a_limit_without_effect_is_named() -> None:
    text = HOLES.replace("LIMIT", "3").replace("PIECES", FIXED)
    assert (
        "limit of 3 empty cells ignored: the pieces leave 4"
        in parse_xmpuzzle("x", text.encode()).notes
    )


@pytest.mark.parametrize("name", [n for g in GRIDS for n in (g.lattice_name, g.flat) if n])
@pytest.mark.parametrize("seed", range(4))
def test_puzzles_on_every_grid_go_there_and_back(name: str, seed: int) -> None:
    rng = random.Random(seed)
    lattice = get_lattice(name)
    start = np.array(lattice.origins[seed % len(lattice.origins)])
    start += lattice.period * np.array([rng.randint(-9, 9) for _ in range(lattice.dimension)])
    cells = {tuple(start.tolist())}
    while len(cells) < 12:
        cell = np.array(rng.choice(sorted(cells)))
        kind = int(lattice.types(cell[None])[0])
        cells.add(tuple((cell + np.array(rng.choice(lattice.neighbors[kind]))).tolist()))
    region = Region(lattice, np.array(sorted(cells)), np.arange(12) < 4)
    freedom = customary_freedom(lattice)
    pieces = [
        Piece(f"P{k}", lattice, as_tuples(points), freedom, 0, 12)
        for k, points in enumerate([*generate(lattice, 2), *generate(lattice, 3)[:3]])
    ]
    puzzle = Puzzle("there", region, tuple(pieces))
    [again] = parse_xmpuzzle("there", xmpuzzle_text(puzzle).encode()).puzzles
    assert again.lattice.name == name
    assert [p.shape for p in again.pieces] == [p.shape for p in puzzle.pieces]
    moved = again.region.units[0] - puzzle.region.units[0]
    assert not (moved % lattice.period).any()
    assert np.array_equal(again.region.units, puzzle.region.units + moved)
    assert np.array_equal(again.region.optional, puzzle.region.optional)
    assert exactile.count(again).raw == exactile.count(puzzle).raw


WRONG = {
    "no XML": ("<puzzle", "<puzzle <", "line 2: bad XML: "),
    "another document": ("puzzle", "nothing", "line 2: <nothing>: a BurrTools file begins with"),
    "an old version": ('version="2"', 'version="1"', 'reads version 2 of the format, not "1"'),
    "a voxel between spheres": (
        'gridType type="0"',
        'gridType type="2"',
        r"line 6: <voxel>: the voxel \[1, 0, 0\] is not a cell of a grid of spheres",
    ),
    "an unknown grid": ('gridType type="0"', 'gridType type="9"', "a grid of type 9 is not known"),
    "other voxels": ('type="0">#1', 'type="1">#1', "line 8: <voxel>: voxels of type 1"),
    "no size": ('x="1" y="1"', 'x="1"', "line 8: <voxel>: the attribute y is missing"),
    "a bad size": ('x="1"', 'x="-1"', 'line 8: <voxel>: x="-1" is not an integer'),
    "a huge size": ('x="1"', 'x="9999999"', "voxels are too many"),
    "few voxels": ("#1#1", "#1", "line 8: <voxel>: there are 1 voxels in it, not 1 x 1 x 2"),
    "strange voxels": ("#1#1", "#1?1", 'line 8: <voxel>: "\\?" is not a voxel'),
    "a color of many digits": (
        "#1#1",
        "#1#" + "1" * 5000,
        "<voxel>: the number of a color is too long",
    ),
    "an optional cell in a piece": ("#1#1", "#1+1", "shape S2 is a piece and must have no"),
    "an empty piece": ("#1#1", "__", "shape S2 is a piece and must not be empty"),
    "no such shape": ('shape id="1"', 'shape id="7"', "line 13: <shape>: there is no shape 7"),
    "no result": ('result id="2"', 'result id="4294967295"', "problem 'all of it' has no result"),
    "no such result": ('result id="2"', 'result id="3"', "line 14: <result>: there is no shape 3"),
    "turned bounds": ('min="0" max="1"', 'min="2" max="1"', "S2 cannot be used 2 to 1 times"),
    "a million pieces": ('count="2"', 'count="2000000"', "cannot be used 2,000,000 times"),
    "too many pieces": ('count="2"', 'count="2000000"', "cannot be used 2,000,000 times"),
    "nothing to pack": (
        'count="2" group="1"/><shape id="1" min="0" max="1"',
        'count="0"',
        "it uses no shape as a piece",
    ),
    "two results": ("<bitmap>", '<result id="2"/><bitmap>', "it has 2 elements <result>"),
    "no problem": ("<problems>", "<problems/><p>", "it has no problem"),
    "entities": (
        "<puzzle v",
        '<!DOCTYPE a [<!ENTITY b "c">]><puzzle v',
        "line 2: it declares a document type",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_files_get_one_clear_error(name: str) -> None:
    old, new, message = WRONG[name]
    text = PLAIN.replace(old, new)
    if name == "no problem":
        text = text.replace("</problems>", "</p>")
    assert text != PLAIN
    with pytest.raises(PuzzleError, match=f"^folder/My box.xmpuzzle: .*{message}"):
        read(text)


def test_more_elements_than_memory_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    read(PLAIN)
    monkeypatch.setattr("exactile.files.foreign.xmpuzzle_parts.MOST_ELEMENTS", 10)
    with pytest.raises(PuzzleError, match="there are more than 10 elements: too many"):
        read(PLAIN)


def test_only_some_of_very_many_stored_solutions_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = "<solution><assembly>0 0 0 0 0 0 1 0 x</assembly></solution>" * 3
    text = PLAIN.replace('<solution asmNum="0"/>', stored).encode()
    [found] = parse_xmpuzzle("x", text).solutions
    low, high = [[(0, 0, z), (0, 1, z), (1, 0, z)] for z in (0, 1)]
    assert [[[*p.units] for p in solution] for solution in found] == [[low, high]] * 3
    limits = "exactile.files.foreign.xmpuzzle."
    monkeypatch.setattr(limits + "MOST_COPIES", 7)
    foreign = parse_xmpuzzle("x", text)
    assert len(foreign.solutions[0]) == 2
    assert "only 2 of 3 stored solutions read" in foreign.notes
    monkeypatch.setattr(limits + "MOST_PLACES", 1)
    foreign = parse_xmpuzzle("x", text)
    assert foreign.solutions == [[]]
    assert any("the pieces have more than 1 places in all" in note for note in foreign.notes)


def test_texts_that_xml_cannot_contain_are_written_as_blanks() -> None:
    domino = Piece("I\x01", get_lattice("square"), ((0, 0), (1, 0)), Freedom.FREE, 2, 2)
    box = exactile.load("dominoes-4x4").region
    puzzle = Puzzle("a", box, (replace(domino, lower=8, upper=8),), title="two\x02", source="\x03")
    again = read(xmpuzzle_text(puzzle))
    assert (again.title, again.pieces[0].name) == ("two ", "I")


def test_damaged_packed_files(monkeypatch: pytest.MonkeyPatch) -> None:
    data = gzip.compress(PLAIN.encode())
    with pytest.raises(FileError, match="x: the packed file is cut off"):
        parse_xmpuzzle("x", data[:-12])
    with pytest.raises(FileError, match="x: the packed file is damaged"):
        parse_xmpuzzle("x", data[:30] + b"\xff" * 20 + data[50:])
    monkeypatch.setattr("exactile.files.foreign.xmpuzzle.MOST_BYTES", 5000)
    with pytest.raises(FileError, match="more than 5,000 bytes are packed in it: too many"):
        parse_xmpuzzle("x", gzip.compress(b" " * 6000))


@pytest.mark.parametrize(
    "name", ["soma-cube", "soma-castle-2", "pentominoes-3x20", "tetracubes-2x4x4"]
)
def test_what_is_written_is_read_as_the_same_puzzle(name: str) -> None:
    puzzle = exactile.load(name)
    data = packed(xmpuzzle_text(puzzle))
    assert data == packed(xmpuzzle_text(puzzle))
    [again] = parse_xmpuzzle(f"{name}.xmpuzzle", data).puzzles
    assert (again.name, again.title) == (puzzle.name, puzzle.title)
    assert [(p.name, p.shape, p.lower, p.upper) for p in again.pieces] == [
        (p.name, p.shape, p.lower, p.upper) for p in puzzle.pieces
    ]
    low = puzzle.region.units.min(axis=0)
    assert np.array_equal(again.region.units, puzzle.region.units - low)
    assert np.array_equal(again.region.optional, puzzle.region.optional)


def test_a_lower_corner_anywhere_on_a_grid_that_repeats_after_six_voxels() -> None:
    grid = get_lattice("tetrahedra-octants")
    units = [(-3, 13, 9), (-1, 11, 11), (1, 5, 13), (2, 10, 10), (3, 7, 11), (5, 5, 9)]
    points = grid.points(units)
    piece = Piece("bent", grid, as_tuples(points), customary_freedom(grid))
    found = read(xmpuzzle_text(Puzzle("bent", Region(grid, points), (piece,))))
    assert exactile.count(found).raw == 1


def test_a_choice_that_areas_settle_is_a_range() -> None:
    puzzle = exactile.load("pentominoes-3x20")
    omission = exactile.puzzle.Omission(("X", "I"), 1)
    region = exactile.puzzle.Region(puzzle.lattice, puzzle.region.units[:55])
    chosen = replace(puzzle, region=region, omission=omission, name="chosen")
    [again] = parse_xmpuzzle("chosen", xmpuzzle_text(chosen).encode()).puzzles
    assert {p.name: p.lower for p in again.pieces if p.lower != 1} == {"I": 0, "X": 0}
    assert exactile.count(again).raw == exactile.count(chosen).raw


def test_names_are_escaped() -> None:
    puzzle = replace(exactile.load("soma-cube"), title='<"A" & B>')
    [again] = parse_xmpuzzle("x", xmpuzzle_text(puzzle).encode()).puzzles
    assert again.title == '<"A" & B>'


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("tetrahexes-4x7", "octants, not hexagon"),
        ("tetrominoes-torus-5x4", "the format has no regions that wrap around"),
        ("one-sided-pentominoes-3x30", "all pieces move as solid ones do; piece F does not"),
    ],
)
def test_what_burrtools_cannot_have_is_refused(name: str, reason: str) -> None:
    with pytest.raises(FileError, match=f"{name} cannot be written as xmpuzzle: .*{reason}"):
        xmpuzzle_text(exactile.load(name))


def test_fixed_placements_and_open_choices_are_refused() -> None:
    puzzle = exactile.load("pentominoes-3x20")
    [solution] = exactile.Search(puzzle, limit=1)
    with pytest.raises(FileError, match="no fixed placements"):
        xmpuzzle_text(replace(puzzle, fixed=solution[:1]))
    omission = exactile.puzzle.Omission(("X", "I"), 1)
    loose = exactile.puzzle.Region(
        get_lattice("square"), puzzle.region.units, np.ones(60, dtype=bool)
    )
    for region in (loose, puzzle.region):  # the twelve pieces would cover the second one
        with pytest.raises(FileError, match="how many of some pieces are left out"):
            xmpuzzle_text(replace(puzzle, region=region, omission=omission))


def test_pieces_that_only_paint_distinguishes_from_their_mirror_images_are_refused() -> None:
    puzzle = exactile.make_puzzle(
        [{"cells": {"T": "0..2,0 1,1"}, "freedom": "one-sided"}],
        lattice="square",
        box=(3, 2),
        optional="0,1 2,1",
        paint={"region": {"red": "0,0"}, "pieces": {"T": {"red": "0,0", "blue": "2,0"}}},
    )
    assert exactile.count(puzzle).raw == 1
    with pytest.raises(FileError, match="all pieces move as solid ones do; piece T does not"):
        xmpuzzle_text(puzzle)


COLORED = """<puzzle version="2"><gridType type="0"/><colors><color/><color/></colors><shapes>
<voxel x="2" y="1" z="1" type="0">#1#</voxel><voxel x="2" y="2" z="1" type="0">#1#1#2#2</voxel>
</shapes><problems><problem><shapes><shape id="0" count="2"/></shapes><result id="1"/>
<bitmap>PAIRS</bitmap></problem></problems></puzzle>"""


@pytest.mark.parametrize(
    ("pairs", "solutions"),
    [
        ("", 0),  # the colored half of a domino lies nowhere
        ('<pair piece="0" result="0"/>', 1),  # only in the first row: both dominoes stand
        ('<pair piece="0" result="0"/><pair piece="0" result="1"/>', 2),
        ('<pair piece="1" result="0"/>', 0),  # a pair of a color that no piece has
    ],
)
def test_colors_that_forbid_placements_are_paint(pairs: str, solutions: int) -> None:
    puzzle = read(COLORED.replace("PAIRS", pairs))
    assert exactile.count(puzzle).raw == solutions
    assert bool(puzzle.paint) == (pairs.count("/>") < 2)
    [again] = parse_xmpuzzle("x", xmpuzzle_text(puzzle).encode()).puzzles
    assert exactile.count(again).raw == solutions
    assert again.paint.pieces == puzzle.paint.pieces


def test_colors_are_part_of_puzzle_files() -> None:
    puzzle = read(COLORED.replace("PAIRS", '<pair piece="0" result="0"/>'))
    text = document_text([puzzle])
    assert 'paint.region = """\nbb\naa\n"""' in text
    assert exactile.files.Document("x", text).puzzle(puzzle.name).paint == puzzle.paint


def test_painted_puzzles_of_the_catalogue_go_there_and_back() -> None:
    puzzle = exactile.load("checkered-pentominoes-8x8")
    [again] = parse_xmpuzzle("x", xmpuzzle_text(puzzle).encode()).puzzles
    first = dict(zip(sorted(puzzle.paint.fits or {"b": (), "w": ()}), "ab", strict=True))
    assert {u: first[p] for u, p in puzzle.paint.units.items()} == dict(again.paint.units)
    assert exactile.lower(again).options == exactile.lower(puzzle).options


def test_color_rules_are_refused() -> None:
    puzzle = exactile.load("pentominoes-3x20")
    rule = exactile.puzzle.ColorRule("separated", "red", ("X", "I"))
    with pytest.raises(FileError, match="no rules about the colors of whole pieces"):
        xmpuzzle_text(replace(puzzle, color_rules=(rule,)))


def test_stored_solutions_distinguish_pieces_by_their_colors() -> None:
    foreign = parse_xmpuzzle("x", TWO_COLORS.encode())
    [puzzle], [[solution]] = foreign.puzzles, foreign.solutions
    assert [placed.piece for placed in solution] == ["red", "blue"]
    exactile.check(puzzle, solution)


def test_a_group_of_one_of_two_congruent_shapes_is_reported() -> None:
    text = (
        TWO_COLORS.replace("#1", "#").replace("#2", "#").replace('"0" count="1"', '"0" group="1"')
    )
    foreign = parse_xmpuzzle("x", text.encode())
    assert not any(foreign.puzzles[0].together)
    assert foreign.notes == [
        "shape red is in a group, shape blue of the same form is not: neither is now"
    ]


TWO_COLORS = """<puzzle version="2"><gridType type="0"/><shapes>
<voxel x="2" y="1" z="1" type="0" name="red">#1#1</voxel>
<voxel x="2" y="1" z="1" type="0" name="blue">#2#2</voxel>
<voxel x="2" y="2" z="1" type="0">#1#1#2#2</voxel>
</shapes><problems><problem><shapes><shape id="0" count="1"/><shape id="1" count="1"/></shapes>
<result id="2"/><bitmap><pair piece="0" result="0"/><pair piece="1" result="1"/></bitmap>
<solutions><solution><assembly>0 0 0 0 0 1 0 0</assembly></solution></solutions>
</problem></problems></puzzle>"""
