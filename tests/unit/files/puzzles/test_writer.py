"""Puzzles written as TOML: read again they are the same, and a person can read them."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

import exactile
from exactile.errors import FileError
from exactile.files import Document, entries, load
from exactile.files.puzzles.region_writer import region_table, same_region
from exactile.files.puzzles.writer import document_text, puzzle_text, write_puzzles
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.wrap import Wrap
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, Piece
from support.random_puzzles import PUZZLE_LATTICES, random_puzzle


def again(puzzle: Puzzle) -> Puzzle:
    """Return what a written puzzle is read as."""
    return Document("again.toml", document_text([puzzle])).puzzle(puzzle.name)


def differences(one: Puzzle, other: Puzzle) -> list[str]:
    """Return which parts of two puzzles differ; parts added later are compared as well."""
    names = [f.name for f in fields(Puzzle) if f.name != "region"]
    changed = [name for name in names if getattr(one, name) != getattr(other, name)]
    return changed + ([] if same_region(one.region, other.region) else ["region"])


def parsed(text: str) -> Puzzle:
    return Document("my.toml", f"format = 1\n[puzzle.my]\n{text}").puzzle("my")


def table(puzzle: Puzzle) -> dict[str, object]:
    tables: dict[str, dict[str, object]] = tomllib.loads(puzzle_text(puzzle))["puzzle"]
    return tables[puzzle.name]


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 12])
def test_puzzles_of_the_catalogue_are_read_as_they_were_written(
    monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    # The search for builders, which takes most of the time, ends early: other words are as right.
    monkeypatch.setattr("exactile.files.puzzles.region_writer.LONGEST", (12, 4, 1, 1, 1))
    wrong = {}
    chosen = entries()[::step]
    for entry in chosen:
        puzzle = load(entry.id)
        found = differences(puzzle, again(puzzle))
        if found:
            wrong[entry.id] = found
    assert wrong == {}
    assert len(chosen) > 1200 // step


@pytest.mark.parametrize("lattice", range(len(PUZZLE_LATTICES)))
def test_random_puzzles_are_read_as_they_were_written(lattice: int) -> None:
    for seed in range(lattice, 72, len(PUZZLE_LATTICES)):
        puzzle = replace(random_puzzle(seed), title="Random")
        assert differences(puzzle, again(puzzle)) == []


SQUARE = 'lattice = "square"\n'
STICKS = 'lattice = "square-edges"\n'
STATEMENTS = {
    "two sets and own cells": SQUARE
    + """region.box = [6, 5]
pieces = [
  { set = "pentominoes", only = ["X", "Y"], copies = { Y = 2 } },
  { orders = [3], ranges = "0..2" },
  { cells = { Dot = "0,0", Gap = "0,0 2,0" }, quasi = true, ranges = { Dot = "0..2" } },
  { set = "one-sided-tetrominoes", only = ["L4", "l4"] },
]""",
    "omissions": SQUARE + 'region.box = [5, 10]\npieces = { set = "pentominoes", '
    'choose_omitted = { from = ["X", "P", "I"], count = 2 } }',
    "freedom": SQUARE
    + 'region.box = [5, 4]\npieces = [{ set = "tetrominoes", freedom = "fixed" }, '
    '{ cells = { L = "0..2,0 0,1" }, freedom = "one-sided" }]',
    "a large own piece": SQUARE
    + 'region.box = [5, 4]\npieces.cells."a b" = """\n.#.\n###\n.#.\n##.\n"""\npieces.copies = 3',
    "many ranges": SQUARE
    + """region.box = [5, 4]
pieces.set = "pentominoes"
pieces.ranges = { F = "0..1", X = "2..999999", I = [0, 1000000] }
pieces.copies = { P = 0, Z = 7, Y = 5, W = 3, V = 2 }""",
    "fixed": SQUARE + 'region.box = [10, 6]\npieces = { set = "pentominoes" }\n'
    'fixed = [{ piece = "X", units = "1,0 0..2,1 1,2" }, { piece = "I", units = "5..9,0" }]',
    "optional cells outside a box": SQUARE
    + 'region = { box = [5, 4], optional = "5..6,0 4,3" }\npieces = { set = "tetrominoes" }',
    "optional cells in a drawing": SQUARE
    + 'region.drawing = """\n.##+\n####\n+##.\n"""\nregion.shift = [-3, 7]\n'
    'pieces = { set = "tetrominoes", ranges = "0..2" }',
    "only optional cells": SQUARE
    + 'region.drawing = """\n++\n.+\n"""\npieces = { set = "monomino", ranges = "0..3" }',
    "far apart": SQUARE
    + 'region.units = "0..3,0 90000,-5..-2"\npieces = { cells = { I = "0..3,0" }, copies = 2 }',
    "a twisted torus": SQUARE
    + 'region = { box = [5, 4], wrap = [[5, 2], [0, 4]] }\npieces = { set = "tetrominoes" }',
    "a torus with a hole": SQUARE
    + 'region = { box = [5, 4], minus = [{ units = "1,1" }], wrap = [[5, 0], [1, 4]] }\n'
    'pieces = { set = "tetrominoes", ranges = "0..1" }',
    "a tube that begins elsewhere": SQUARE
    + "region = { box = [5, 4], shift = [3, 0], wrap = [[5, 0]] }\n"
    'pieces = { set = "tetrominoes" }',
    "crossing sticks": STICKS
    + 'crossing = false\nregion = { box = [2, 2], minus = [{ units = "1,1,0" }], '
    'plus = [{ units = "2,0,0" }], optional = "0,2,0" }\n'
    'pieces = { set = "tetrasticks", ranges = "0..1" }',
    "sticks on a torus with one less": STICKS
    + 'region = { box = [5, 2], minus = [{ units = "0,0,1" }], wrap = [[5, 0], [0, 2]] }\n'
    'pieces = { set = "polysticks-123", ranges = "0..2" }',
    "a single stick": STICKS + 'region.units = "7,3,1"\npieces = { cells = { I = "0,0,0" } }',
    "faces of cubes": 'lattice = "cube-faces"\nregion = { box = [2, 1, 1], shift = [1, 0, 3] }\n'
    'pieces = { cells = { I = "0,1,1" }, copies = 11 }',
    "triangles": 'lattice = "triangle"\nregion = { triangle = 4, minus = [{ triangle = 1 }], '
    'plus = [{ units = "1,2,1" }] }\npieces = { set = "one-sided-hexiamonds", ranges = "0..1" }',
    "generated and quasi": 'lattice = "hexagon"\n'
    + """region.hexagon = 3
pieces = [
  { set = "quasi-dihex", ranges = "0..4" },
  { set = "polyhexes-7", only = ["P7x005"] },
]""",
    "sticks without border": STICKS
    + """region = { box = [3, 2], border = false, shift = [1, 0] }
pieces = { set = "disticks", ranges = "0..4" }""",
    "a turned shape": SQUARE
    + """region = { trapezoid = [5, 2], turn = 1, shift = [0, 3] }
pieces = { set = "trominoes", ranges = "0..4" }""",
    "a prism": 'lattice = "cube"\n'
    + """region = { prism = { diamond = 2, height = 3 }, shift = [0, 2, 0] }
pieces = { set = "tricubes", ranges = "0..4" }""",
    "a beam with a profile": 'lattice = "cube"\n'
    + """region.prism_x = { drawing = "##.#\\n####", length = 5 }
pieces = { set = "pentacubes", only = ["L35"], copies = 7 }""",
    "colored pieces": SQUARE
    + """region.box = [5, 5]
pieces = { set = "pentominoes", ranges = "0..1", freedom = "one-sided" }
separated = { red = ["X", "I"], "light blue" = ["V", "W"] }""",
    "joined pieces": SQUARE
    + """region.box = [3, 3]
pieces = { set = "polyominoes-123" }
joined = { red = ["O1", "I3"] }
separated = { red = ["I2", "V3"] }""",
    "letters as paint": SQUARE
    + """region.box = [4, 2]
pieces = { cells = { black = "0..2,0 1,1", white = "0..2,0 1,1" } }
paint.region = \"\"\"
wbwb
bw#b
\"\"\"
paint.pieces.black = \"\"\"
.w.
wb#
\"\"\"
paint.pieces.white = { b = "0,0 2,0" }
paint.fits = { b = ["b", "w"], w = [] }""",
    "words as paint": SQUARE
    + """region = { box = [4, 1], shift = [7, 7] }
pieces = { set = "domino", copies = 2 }
paint.region = { red = "7,7", "sky blue" = "8..9,7" }
paint.pieces = {}""",
    "tans": 'lattice = "quarter-squares"\n'
    + """pieces = { set = "tetraboloes", ranges = "0..1" }
region = { box = [4, 4], minus = [{ units = "0,0,2..3 3,0,0 3,0,3 3,3,0..1 0,3,1..2" }] }""",
    "kites": 'lattice = "kites"\n'
    + """pieces = { set = "trikites", ranges = "0..3" }
region = { hexagon = 2, minus = [{ units = "1,1,0" }] }""",
    "texts": SQUARE
    + r"""title = "\"Quoted\" \\ \u007f \u0001 ü"
aliases = ["a b", "[x]"]
source = "A, 'B'\n"
region.box = [2, 1]
pieces = { set = "domino" }
known = [{ count = 2, up_to = "raw", refuted = "it is 1" },
  { count = 1, up_to = "rotation", source = "me" }]""",
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_all_that_a_file_can_say_is_kept(name: str) -> None:
    puzzle = parsed(STATEMENTS[name])
    assert differences(puzzle, again(puzzle)) == []
    assert puzzle_text(puzzle) == puzzle_text(again(puzzle))


def test_the_reader_finds_sets_and_builders_not_cells() -> None:
    mixed = table(parsed(STATEMENTS["two sets and own cells"]))
    assert mixed["region"] == {"box": [6, 5]}
    assert mixed["pieces"] == [
        {"set": "pentominoes", "only": ["X", "Y"], "copies": {"Y": 2}},
        {"set": "trominoes", "ranges": "0..2"},
        {"cells": {"Dot": "0,0", "Gap": "0,0 2,0"}, "quasi": True, "ranges": {"Dot": "0..2"}},
        {"set": "one-sided-tetrominoes", "only": ["L4", "l4"]},
    ]
    torus = table(parsed(STATEMENTS["a twisted torus"]))
    assert torus["region"] == {"box": [5, 4], "wrap": [[5, 2], [0, 4]]}
    hole = table(parsed(STATEMENTS["a torus with a hole"]))
    assert hole["region"] == {
        "drawing": "#####\n#####\n#.###\n#####\n",
        "wrap": [[5, 0], [1, 4]],
    }
    shifted = table(parsed(STATEMENTS["a tube that begins elsewhere"]))
    assert shifted["region"] == {"box": [5, 4], "shift": [3, 0], "wrap": [[5, 0]]}
    less = table(parsed(STATEMENTS["sticks on a torus with one less"]))
    assert less["region"] == {
        "box": [5, 2],
        "minus": [{"units": "0,0,1"}],
        "wrap": [[5, 0], [0, 2]],
    }
    sticks = table(parsed(STATEMENTS["crossing sticks"]))
    assert sticks["crossing"] is False
    assert sticks["region"] == {
        "box": [2, 2],
        "plus": [{"units": "2,0,0"}],
        "minus": [{"units": "1,1,0"}],
        "optional": "0,2,0",
    }
    drawn = table(parsed(STATEMENTS["optional cells in a drawing"]))
    assert drawn["region"] == {"drawing": ".##+\n####\n+##\n", "shift": [-3, 7]}
    own = table(parsed(STATEMENTS["a large own piece"]))
    assert own["pieces"] == {"cells": {"a b": ".#\n###\n.#\n##\n"}, "copies": 3}


def test_the_reader_finds_borders_turns_prisms_and_paint() -> None:
    regions = {
        "sticks without border": {"box": [3, 2], "shift": [1, 0], "border": False},
        "a turned shape": {"trapezoid": [5, 2], "turn": 1, "shift": [0, 3]},
        "a prism": {"prism": {"diamond": 2, "height": 3}, "shift": [0, 2, 0]},
        "a beam with a profile": {"prism_x": {"drawing": "##.#\n####\n", "length": 5}},
    }
    for name, region in regions.items():
        assert table(parsed(STATEMENTS[name]))["region"] == region
    painted = table(parsed(STATEMENTS["letters as paint"]))["paint"]
    assert isinstance(painted, dict)
    assert painted["region"] == "wbwb\nbw#b\n"
    tans = table(parsed(STATEMENTS["tans"]))
    assert tans["pieces"] == {"set": "tetraboloes", "ranges": "0..1"}


def test_names_and_titles_are_written_so_that_toml_reads_them(tmp_path: Path) -> None:
    puzzle = replace(load("pentominoes-6x10"), name="a.b-c_1", title="a.b-c_1", aliases=())
    comment = "Two puzzles.\n\nOf two\x7fsets."
    write_puzzles(tmp_path / "x.toml", [puzzle, load("soma-cube")], comment)
    text = (tmp_path / "x.toml").read_text("utf-8")
    assert text.startswith(
        '# Two puzzles.\n#\n# Of two sets.\n\nformat = 1\n\n[puzzle."a.b-c_1"]\nlat'
    )
    assert Document(tmp_path / "x.toml").ids == ["a.b-c_1", "soma-cube"]
    assert differences(puzzle, load(f"{tmp_path / 'x.toml'}#a.b-c_1")) == []


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    puzzle = load("pentominoes-6x10")
    with pytest.raises(FileError, match='name "x y" is not an identifier'):
        puzzle_text(replace(puzzle, name="x y"))
    with pytest.raises(FileError, match="Two puzzles are called 'pentominoes-6x10'"):
        write_puzzles(tmp_path / "x.toml", [puzzle, puzzle])
    other = replace(puzzle, name="other")
    with pytest.raises(FileError, match="the name 'Pentominoes6x10' is taken"):
        write_puzzles(tmp_path / "x.toml", [puzzle, other])
    assert list(tmp_path.iterdir()) == []
    square = get_lattice("square")
    apart = Piece("Far", square, ((0, 0), (5, 0)), Freedom.FREE)
    with pytest.raises(FileError, match="Piece Far cannot be written: its parts"):
        puzzle_text(replace(puzzle, pieces=(apart,)))
    distant = Region(square, np.array([[0, 0], [10**6, 0]]))
    with pytest.raises(FileError, match="units too far from the origin"):
        puzzle_text(replace(puzzle, region=distant))


def test_solutions_stay_the_same() -> None:
    puzzle = parsed(STATEMENTS["a twisted torus"])
    counts = [exactile.count(p).raw for p in (puzzle, again(puzzle))]
    assert counts[0] == counts[1] != 0


def test_regions_differ_by_units_marks_and_wraps() -> None:
    square = get_lattice("square")
    units = np.array([[0, 0], [1, 0]])
    plain = Region(square, units)
    assert same_region(plain, Region(square, units[::-1]))
    assert not same_region(plain, Region(square, units + 1))
    assert not same_region(plain, Region(square, units, np.array([True, False])))
    assert not same_region(plain, Region(square, units, wrap=Wrap([(5, 0)])))
    assert not same_region(plain, Region(get_lattice("hexagon"), units))


@pytest.mark.parametrize("name", [n for n in lattice_names() if get_lattice(n).expansions])
def test_small_regions_on_every_lattice_with_layers(name: str) -> None:
    """`region_table` reads what it wrote."""
    lattice, random = get_lattice(name), np.random.default_rng(0)
    for form in random.permutation(generate(lattice, 4))[:20]:
        units = form + random.integers(-3, 4, lattice.dimension) * lattice.period
        assert region_table(Region(lattice, units))
