"""Write puzzle files of the catalogue from a folder of published puzzle data.

The folder holds ``regions.json`` (puzzle: cells, piece set, in customary coordinates) and
``catalogue.tsv`` (published and recounted numbers). Puzzles that are in the files already stay as
they are; with ``--again`` they are written anew, so look at the difference afterwards.

    python benchmarks/catalogue/import_puzzles.py FOLDER [--again | --regions]

With ``--regions`` only the lines of their regions are written anew, where those become shorter.
"""

from __future__ import annotations

import csv
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from describe import region_lines
from exactile.files.puzzles.document import Document
from exactile.files.puzzles.units import write_units
from exactile.geometry import get_lattice
from exactile.geometry.lattice import Lattice
from exactile.puzzle.pieces.sets import piece_set

MODELS = Path(__file__).parents[2] / "models"

LATTICES = {
    "polyomino": "square",
    "polycube": "cube",
    "polyiamond": "triangle",
    "polyhex": "hexagon",
    "polystick": "square-edges",
    "polytrig": "triangle-edges",
    "polytwig": "hexagon-edges",
}

FILES = {
    "soma-cubes": "soma",
    "pentominoes-plus-monomino": "pentominoes-plus",
    "pentominoes-plus-square-tetromino": "pentominoes-plus",
    "hexominoes-plus": "hexominoes",
    "pentacubes-plus": "pentacubes",
    "pentacubes-3x3x3": "pentacubes",
    "solid-hexominoes-plus": "solid-hexominoes",
}
"""Files of piece sets, where they are not called like the set."""

SPECIAL = {"Soma3x3x3": ("soma-cube", ["SomaCube", "Soma3x3x3"])}
"""Identifiers and aliases of puzzles with names of their own."""

PREFIXES = {"soma-cubes": "soma"}
"""What the identifiers start with where it is not the name of the piece set."""

SETS = {
    "NonConvexPentacubes4x4x14Steps": "NonConvexPentacubes",
    "NonConvexPentacubes7x7x5Steps": "NonConvexPentacubes",
}
"""Piece sets, where the data names one that does not have the region's number of units."""

WRAPS = {
    "Pentominoes3x20Loop": "[[20, 0]]",
    "Pentominoes3x20Tube": "[[0, 3]]",
    "Tetrominoes5x4Tube": "[[5, 0]]",
}
"""Puzzles that wrap around; the data has flat regions for them."""

CHOICES = {"HexiamondsChoose9Hexagon": 3}
"""How many pieces are left out by choice, where it is not one."""

LOOSE = {"DigitCubes5x5x5": '"0..4,0..4,0..4"'}
"""Units that may stay uncovered."""

ELSEWHERE = {
    "HexiamondsIamondHexSeparatedColors",
    "HexiamondsIamondHexJoinedColors",
    "PuzzleBits56",
    "PuzzleBitsA",
    "PuzzleBits25",
    "PuzzleBits9",
}
"""Puzzles with rules of their own, which are written by hand."""

WHOLE = {
    "OneSidedHexiamondsOBeirnesHexagon": "124519",
    "OneSidedHexiamonds_TestHexagon": "",
    "OneSidedTetrasticks5x5DiamondLattice": "107",
}
"""Puzzles that the table has only in parts, and their published numbers."""

IN_PARTS = "it holds only if every piece stays in one of the three parts"

REFUTED = {
    "OneSidedPolyominoes234Octagon": "one place of I4 was forgotten",
    "SolidPentominoesSpinnerBlock": "the published search missed some",
    "SolidPentominoesThreeWalls": "F was restricted too much where it lies in the wall",
    "Polytrigs23ThreeCongruent_x13": "places that reach out of the bounding box were forgotten",
    "Polytwigs1234Hex3": "a restriction belongs to a puzzle with more symmetry",
    "Polytwigs1234Hex4": "a restriction belongs to a puzzle with more symmetry",
    "Polytwigs1234Hex5": "a restriction belongs to a puzzle with more symmetry",
    "Polytwigs1234Hex6": "a restriction belongs to a puzzle with more symmetry",
    "Polyhexes12345HexagonRing_X1": "it was believed to be impossible",
    "Polyhexes12345HexagonRing_X2": "it was believed to be impossible",
    "Polytrigs23ThreeCongruent1Combined1": IN_PARTS,
    "Polytrigs23ThreeCongruent1Combined2": IN_PARTS,
    "Polytrigs23Trefoil_x1": IN_PARTS,
    "Polytwigs45FourCongruent1": "it takes the four equal parts as interchangeable: 456 / 24",
    "Polytwigs45FourCongruent2": "it takes the four equal parts as interchangeable: 912 / 24",
    "Polytwigs45FourCongruent3Combined": IN_PARTS.replace("three", "four"),
    "Polyhexes1234_4x10": "P4 has a quarter of its aspects there",
    "Polyhexes1234_5x8": "P4 has a quarter of its aspects there",
    "OneSidedHexiamondsHexagram": "it counts some mirror images apart: 33 + 86",
    "SevenSegmentDigits6x5": "its pieces may cross where one of them has two crossings",
}
"""Published numbers that are wrong for the puzzle as it stands, and why."""

FURTHER = {
    "Pentominoes5x12": ("1010", "symmetry", "C. B. and J. Haselgrove, 1960"),
    "Pentominoes4x15": ("368", "symmetry", "C. B. and J. Haselgrove, 1960"),
    "Pentominoes8x8CenterHole": ("65", "symmetry", "Dana Scott, 1958"),
    "SolidPentominoes2x3x10": ("12", "symmetry", "C. J. Bouwkamp, 1969"),
    "Hexiamonds6x6": ("156", "symmetry", "Polyform Puzzler"),
    "SolidPentominoesSpinnerBlock": ("56", "symmetry", "counted by us"),
    "OneSidedPolyominoes234Octagon": ("1194", "symmetry", "counted by us"),
    "OneSidedTetratwigsTriangle_3": ("2", "symmetry", "Polyform Puzzler"),
    "Soma3x3x3": ("480", "rotation", "counted by us"),
}
"""Numbers that the table lacks, and corrections of wrong ones."""

PERSONS = ("O'Beirne's", "Dorian", "Sheldon's", "Möbius")
"""Names in titles; the data has them without apostrophe."""

Row = dict[str, str]
Region = dict[str, Any]


def kebab(name: str) -> str:
    """Turn a name of the data into an identifier.

    Examples
    --------
    >>> kebab("OneSidedPentominoes3x30"), kebab("Polyiamonds12345Snowflake_x1")
    ('one-sided-pentominoes-3x30', 'polyiamonds-12345-snowflake-x1')
    """
    stem, cross, number = re.fullmatch(r"(.*?)(_x)?(\d*)", name).groups()  # type: ignore[union-attr]
    if not cross:
        stem, number = name, ""
    stem = re.sub(r"(?<=[a-z])(?=[A-Z0-9])|(?<=\d)(?=[A-Z])", "-", stem.replace("_", "-"))
    stem = re.sub(r"(?<=\dx)-(?=\d)|-(?=-)", "", stem.lower())
    return stem + (f"-x{number}" if cross else "")


def title(identifier: str, piece_set: str) -> str:
    """Return a title.

    Examples
    --------
    >>> title("one-sided-pentominoes-3x30", "one-sided-pentominoes")
    'One-sided pentominoes, 3 by 30'
    """
    prefix = PREFIXES.get(piece_set, piece_set)
    rest = identifier.removeprefix(prefix).removeprefix("-").replace("-", " ")
    rest = re.sub(r"(?<=\d)x(?=\d)", " by ", rest)
    rest = re.sub(r"(by \d+) (?!by)(?=\w)", r"\1, ", rest)
    words = re.sub(r"(one|quasi) ?", r"\1-", prefix.replace("-", " "), count=1)
    words = re.sub(r"(?<= )\d{2,}(?=p|$)", lambda found: orders(found[0]), words)
    words = words.replace("p 6", " and five hexacubes")
    for name in PERSONS:
        rest = rest.replace(name.lower().replace("'", ""), name)
    return f"{words[0].upper()}{words[1:]}, {rest}"


def orders(digits: str) -> str:
    """Return orders in words.

    Examples
    --------
    >>> orders("1234"), orders("45")
    ('1 to 4', '4 and 5')
    """
    return f"{digits[0]} {'to' if len(digits) > 2 else 'and'} {digits[-1]}"


def known(name: str, row: Row) -> list[str]:
    """Return the published number and the recount."""
    full, published = row["full_count"], row["published_solutions"]
    flat = name in WRAPS  # the recount is of the flat region
    entries = []
    if published and row["published_status"].startswith("complete"):
        proper, whole = int(row["region_sym_proper"]), int(row["region_sym_full"])
        turned = full and not flat and int(full) not in (int(published) * whole, 0)
        kind = "rotation" if turned and int(full) == int(published) * proper else "symmetry"
        why = f', refuted = "{REFUTED[name]}"' if name in REFUTED else ""
        entries.append((published, kind, f'"Polyform Puzzler"{why}'))
    if full and int(full) and not flat:
        entries.append((full, "raw", '"counted by us"'))
    if name in FURTHER:
        count, kind, source = FURTHER[name]
        entries.append((count, kind, f'"{source}"'))
    return [
        f'{{ count = {n}, up_to = "{kind}", source = {source} }}' for n, kind, source in entries
    ]


def piece_lines(name: str, region: Region, pieces: str) -> list[str]:
    """Return the lines that say which pieces there are.

    Where one of them is left out by choice the data has further units, on which it is placed.
    """
    lattice = get_lattice(LATTICES[region["family"]])
    own = region.get("piece_cells") or {}
    names = region.get("pieces") or []
    if own and len(own) == len(names):
        table = ", ".join(f'{piece} = "{text(own[piece])}"' for piece in names)
        return [f"pieces.cells = {{ {table} }}"]
    if own:
        extra = set(names) - set(names_of(pieces, lattice))
        table = ", ".join(f'{piece} = "{text(own[piece])}"' for piece in sorted(extra))
        return [f'pieces = [{{ set = "{pieces}" }}, {{ cells = {{ {table} }} }}]']
    if region.get("optional_cells") or name in CHOICES:
        listed = json.dumps(names or names_of(pieces, lattice))
        if name in CHOICES:
            listed = f"{{ from = {listed}, count = {CHOICES[name]} }}"
        return [f'pieces.set = "{pieces}"', f"pieces.choose_omitted = {listed}"]
    only = f", only = {json.dumps(names)}" if names else ""
    return [f'pieces = {{ set = "{pieces}"{only} }}']


def names_of(pieces: str, lattice: Lattice) -> list[str]:
    """Return the names of the pieces of a set."""
    return list(piece_set(pieces, lattice).pieces)


def text(cells: list[list[int]]) -> str:
    """Return units as words."""
    return write_units([tuple(c) for c in cells])


def puzzle_text(name: str, region: Region, row: Row, aliases: list[str]) -> str:
    """Return one ``[puzzle.NAME]`` section."""
    lattice = get_lattice(LATTICES[row["family"]])
    cells = sorted(tuple(cell) for cell in region["cells"])
    pieces = kebab(SETS.get(name, row["piece_set"]))
    identifier, own = SPECIAL.get(name, (kebab(name), [name]))
    design = re.search(r"design/source: ([^;|]*)", row["note"])
    lines = [
        f"[puzzle.{identifier}]",
        f'title = "{title(identifier, pieces)}"',
        f"aliases = {json.dumps(own + aliases)}",
        *([f'source = "{design[1].strip()}"'] if design else []),
        f'lattice = "{lattice.name}"',
        *piece_lines(name, region, pieces),
        *region_lines(cells, lattice),
        *([f"region.wrap = {WRAPS[name]}"] if name in WRAPS else []),
        *([f"region.optional = {LOOSE[name]}"] if name in LOOSE else []),
    ]
    entries = known(name, row)
    if entries:
        lines += ["known = [", *(f"  {entry}," for entry in entries), "]"]
    return "\n".join(lines) + "\n"


def read_sections(path: Path) -> dict[str, str]:
    """Return the text of each puzzle of a file by identifier, with the comments before it.

    What stands before the first puzzle has the identifier ``""``.
    """
    sections: dict[str, str] = {}
    if path.exists():
        head, sign, body = path.read_text("utf-8").partition("format = 1\n")
        sections[""] = head + sign
        comments, last = "", ""
        for line in body.splitlines(keepends=True):
            found = re.fullmatch(r"\[puzzle\.([^.\]]+)\]\n", line)
            if found:
                last = found[1]
                sections[last] = comments + line
            elif line.startswith("#"):
                comments += line
                continue
            elif last:
                sections[last] += comments + line
            comments = ""
        sections = {name: part.rstrip("\n") + "\n" for name, part in sections.items()}
    return sections


def main(folder: Path, *, again: bool) -> None:
    """Add the puzzles that are missing; `again` also writes those again that are there."""
    regions = json.loads((folder / "regions.json").read_text("utf-8"))
    with (folder / "catalogue.tsv").open(encoding="utf-8") as stream:
        rows = {row["id"]: row for row in csv.DictReader(stream, delimiter="\t")}
    parts: dict[str, list[str]] = {}
    for name, row in list(rows.items()):
        kind, _, whole = row["role"].partition(":")
        if kind == "component":
            parts.setdefault(whole, []).append(name)
            if whole in WHOLE and whole not in rows:
                rows[whole] = row | {"published_solutions": WHOLE[whole], "full_count": ""}
                rows[whole]["published_status"] = "complete"
    files = {path: read_sections(path) for path in sorted(MODELS.glob("*/*.toml"))}
    there = {i: path for path, sections in files.items() for i in sections}
    aliases = {
        alias: identifier
        for path in files
        for identifier, table in tomllib.loads(path.read_text("utf-8"))["puzzle"].items()
        for alias in table.get("aliases", [])
    }
    for name, row in rows.items():
        identifier = aliases.get(name) or SPECIAL.get(name, (kebab(name), []))[0]
        part = row["role"].startswith("component") and name not in WHOLE
        if part or name in ELSEWHERE or name not in regions or (identifier in there and not again):
            continue
        pieces = kebab(SETS.get(name, row["piece_set"]))
        path = MODELS / row["family"] / f"{FILES.get(pieces, pieces)}.toml"
        if identifier in there:
            del files[there[identifier]][identifier]
        section = puzzle_text(name, regions[name], row, parts.get(name, []))
        files.setdefault(path, {"": "format = 1\n"})[identifier] = section
        print(identifier, flush=True)
    for path, sections in files.items():
        path.write_text("\n".join(sections.values()), "utf-8")


def describe_again() -> None:
    """Write the regions anew that are described in more words than needed."""
    for path in sorted(MODELS.glob("*/*.toml")):
        document = Document(path)
        sections = read_sections(path)
        for identifier in document.ids:
            lines = sections[identifier].split("\n")
            start, end = region_place(lines)
            region = document.puzzle(identifier).region
            if start < end and region.wrap is None and not region.optional.any():
                new = region_lines(sorted(region.coordinates), region.lattice)
                if len("\n".join(new)) < len("\n".join(lines[start:end])):
                    sections[identifier] = "\n".join([*lines[:start], *new, *lines[end:]])
                    print(identifier, flush=True)
        path.write_text("\n".join(sections.values()), "utf-8")
        for old, new_puzzle in (
            (document.puzzle(i), Document(path).puzzle(i)) for i in document.ids
        ):
            assert (old.region.units == new_puzzle.region.units).all(), old.name


def region_place(lines: list[str]) -> tuple[int, int]:
    """Return where the lines of the region begin and end; nowhere if they are not lines of ours."""
    inside = [k for k, line in enumerate(lines) if line.startswith("region.")]
    if not inside or any(line.startswith("region =") for line in lines):
        return 0, 0
    end = inside[-1] + 1
    if lines[inside[-1]].endswith('"""'):
        end = lines.index('"""', inside[-1]) + 1
    within = lines[inside[0] : end]
    drawn = within[1 : within.index('"""')] if '"""' in within else []
    others = [line for line in within if line not in drawn and not line.startswith("region.")]
    return (inside[0], end) if others in ([], ['"""']) else (0, 0)


if __name__ == "__main__":
    if "--regions" in sys.argv:
        describe_again()
    else:
        main(Path(sys.argv[1]), again="--again" in sys.argv)
