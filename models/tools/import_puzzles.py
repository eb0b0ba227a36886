"""Write puzzle files of the catalogue from a folder of published puzzle data.

The folder holds ``regions.json`` (puzzle: cells, piece set, in customary coordinates) and
``catalogue.tsv`` (published and recounted numbers). Run rarely; the files are committed and may be
edited, so look at the difference afterwards. Files that are not listed here are written by hand.

    python models/tools/import_puzzles.py FOLDER
"""

from __future__ import annotations

import csv
import json
import re
import sys
from pathlib import Path

from describe import region_lines
from exactile.geometry import get_lattice

MODELS = Path(__file__).parents[1]

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
    "polyomino/pentominoes": """
        Pentominoes6x10 Pentominoes5x12 Pentominoes4x15 Pentominoes3x20
        Pentominoes8x8CenterHole Pentominoes8x8WithoutCorners Pentominoes8x8FourHoles1
        Pentominoes8x8FourHoles3 Pentominoes8x8FourHoles4 PentominoesCross3
        PentominoesCross5 PentominoesEye PentominoesSpinner1 PentominoesTriangle2
        PentominoesDiamond PentominoesSkewed20x3 PentominoesSkewed15x4 PentominoesFlower1
        PentominoesYinYang PentominoesAztecDiamond_x PentominoesChevron_X
        PentominoesCross_X1 PentominoesCross_X3""",
    "polyomino/pentominoes-plus": """
        PentominoesPlusSquareTetrominoCross3 PentominoesPlusSquareTetrominoCross4
        PentominoesPlusSquareTetrominoTriangle PentominoesPlusMonominoDiamond
        PentominoesPlusSquareTetrominoDiamond_x1 PentominoesPlusSquareTetrominoDiamond_x2""",
    "polyomino/one-sided-pentominoes": "OneSidedPentominoes3x30",
    "polyomino/polyominoes-1234": """
        Polyominoes1234_7x3Plus Polyominoes1234_7x5CrossHole Polyominoes1234Cross_x
        OneSidedPolyominoes234Octagon""",
    "polyomino/polyominoes-45": "Polyominoes45X_x1",
    "polycube/soma": """
        Soma3x3x3 SomaCastle2 SomaCornerstone SomaPyramid SomaScrew SomaSofa SomaSteps SomaTunnel
        SomaSquareWall Soma_W""",
    "polycube/tetracubes": "Tetracubes2x4x4",
    "polycube/solid-pentominoes": """
        SolidPentominoes3x4x5 SolidPentominoes2x5x6 SolidPentominoes2x3x10
        SolidPentominoes3x3x9Ring SolidPentominoesSquareTower1 SolidPentominoesTower1
        SolidPentominoesSpinnerBlock SolidPentominoes3x6x6Ring SolidPentominoes3x3x12Tower
        SolidPentominoes6x6x6CrystalX2 SolidPentominoesCrossBlock_x1""",
    "polycube/polycubes": """
        Polycubes1234DiamondMound_x Polycubes234Steps10x3x2_x Pentacubes11x11x6Pyramid""",
    "polyiamond/hexiamonds": """
        Hexiamonds6x6 Hexiamonds4x9 Hexiamonds3x12 HexiamondsNotchedHexagon1 HexiamondsRing2
        HexiamondsSpinner6 HexiamondsTrefoil3 HexiamondsRing HexiamondsHexagon3
        HexiamondsHexagon4 HexiamondsHexagon5 Hexiamonds3Hexagons HexiamondsV_9x9
        HexiamondsTwoTriangles HexiamondsX_x2 HexiamondsSpikedHexagon_x1
        HexiamondsSpinner_x3 HexiamondsHexgridHexagramRing_x""",
    "polyiamond/one-sided-hexiamonds": """
        OneSidedHexiamonds19x3 OneSidedHexiamondsTriangle_x1 OneSidedHexiamondsTriangleRing1
        OneSidedHexiamondsTrefoil_x2 OneSidedHexiamondsTrefoil_x7
        OneSidedHexiamondsKnobbedHexagon_x1""",
    "polyiamond/polyiamonds-12345": """
        Polyiamonds12345X1 Polyiamonds12345Snowflake3 Polyiamonds12345Snowflake_x1""",
    "polyhex/tetrahexes": """
        Tetrahexes4x7 Tetrahexes7x7Triangle TetrahexesBumpyTriangle
        TetrahexesElongatedHexagon9x2 TetrahexesFlower1 TetrahexesFlower2 TetrahexesFlower3
        TetrahexesHoleyStar1 TetrahexesStaggeredRectangle7x4 TetrahexesTrefoil_x2
        TetrahexesTrefoil_x3 TetrahexesTrefoil_x4""",
    "polyhex/polyhexes-34": "Polyhexes34Hexagram Polyhexes34TrilobedCrown1",
    "polystick/polysticks-123": """
        Polysticks123_4x4ClippedCorners1 Polysticks123_4x4ClippedCorners2""",
    "polytrig/tritrigs": """
        TritrigsHeart1 TritrigsHeart2 TritrigsHexagon1 TritrigsHexagon3
        TritrigsParallelogram5x2 TritrigsTrapezoid6x2 TritrigsTriangle1 TritrigsTriangle4
        TritrigsTrefoil1 TritrigsWhorl TritrigsHex2Ring TritrigsSpikedTriangle2""",
    "polytrig/one-sided-tritrigs": "OneSidedTritrigsTrilobedCuboid",
    "polytrig/polytrigs-23": """
        Polytrigs23ThreeCongruent_x4 Polytrigs23ThreeCongruent_x12
        Polytrigs23ThreeCongruent_x14 Polytrigs23ThreeCongruent_x15""",
    "polytrig/quasi-ditrigs": "QuasiDitrigsTriangle QuasiDitrigsTwoTriangles3",
    "polytwig/pentatwigs": """
        Pentatwigs5x3 PentatwigsButterfly1 PentatwigsTrefoil PentatwigsTriangle PentatwigsX1
        PentatwigsSnowflake PentatwigsButterfly_X PentatwigsTrefoil_x1
        PentatwigsTrefoilRing_x PentatwigsTwoHexagons PentatwigsHexagram_x""",
    "polytwig/one-sided-tetratwigs": """
        OneSidedTetratwigsTriangle_1 OneSidedTetratwigsTriangle_3 OneSidedTetratwigsArch_1
        OneSidedTetratwigs3x2_2 OneSidedTetratwigsButterfly OneSidedTetratwigsTriangle_5""",
    "polytwig/polytwigs-1234": "Polytwigs1234Hex1 Polytwigs1234UnborderedTrapezoid5x4",
    "polytwig/polytwigs-45": "Polytwigs45FourCongruent_x2 Polytwigs45FourCongruent_x5",
    "polytwig/quasi-tritwigs": "QuasiTritwigsSnowflake3",
}
"""File to the names of its puzzles in the data."""

SPECIAL = {"Soma3x3x3": ("soma-cube", ["SomaCube", "Soma3x3x3"])}
"""Identifiers and aliases of puzzles with names of their own."""

PREFIXES = {"soma-cubes": "soma"}
"""What the identifiers start with where it is not the name of the piece set."""

FURTHER = {
    "Pentominoes5x12": ("1010", "symmetry", "C. B. and J. Haselgrove, 1960"),
    "Pentominoes4x15": ("368", "symmetry", "C. B. and J. Haselgrove, 1960"),
    "Pentominoes8x8CenterHole": ("65", "symmetry", "Dana Scott, 1958"),
    "SolidPentominoes2x3x10": ("12", "symmetry", "C. J. Bouwkamp, 1969"),
    "Hexiamonds6x6": ("156", "symmetry", "Polyform Puzzler"),
    "SolidPentominoesSpinnerBlock": ("56", "symmetry", "recount of the published region"),
    "OneSidedPolyominoes234Octagon": ("1194", "symmetry", "recount of the published region"),
    "OneSidedTetratwigsTriangle_3": ("2", "symmetry", "Polyform Puzzler"),
    "Soma3x3x3": ("480", "rotation", "recount of the published region"),
}
"""Numbers that the table lacks, and corrections of wrong ones."""

Row = dict[str, str]


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
    return f"{words[0].upper()}{words[1:]}, {rest}"


def known(row: Row) -> list[str]:
    """Return the published number if it agrees with the recount, and the recount."""
    full, published = row["full_count"], row["published_solutions"]
    entries = []
    if published and row["published_status"].startswith("complete"):
        proper, whole = int(row["region_sym_proper"]), int(row["region_sym_full"])
        if not full or int(full) == int(published) * whole or not int(published):
            kind = "symmetry"
        elif int(full) == int(published) * proper:
            kind = "rotation"
        else:
            kind = ""
        if kind:
            entries.append((published, kind, "Polyform Puzzler"))
    if full and int(full):
        entries.append((full, "raw", "recount of the published region"))
    entries += [FURTHER[row["id"]]] if row["id"] in FURTHER else []
    return [
        f'{{ count = {count}, up_to = "{kind}", source = "{source}" }}'
        for count, kind, source in entries
    ]


def puzzle_text(name: str, region: dict[str, object], row: Row) -> str:
    """Return one ``[puzzle.NAME]`` section."""
    lattice = get_lattice(LATTICES[row["family"]])
    raw_cells = region["cells"]
    assert isinstance(raw_cells, list)
    cells = sorted(tuple(cell) for cell in raw_cells)
    piece_set = kebab(row["piece_set"])
    identifier, aliases = SPECIAL.get(name, (kebab(name), [name]))
    design = re.search(r"design/source: ([^;|]*)", row["note"])
    lines = [
        f"[puzzle.{identifier}]",
        f'title = "{title(identifier, piece_set)}"',
        f"aliases = {json.dumps(aliases)}",
        *([f'source = "{design[1].strip()}"'] if design else []),
        f'lattice = "{lattice.name}"',
        f'pieces = {{ set = "{piece_set}" }}',
        *region_lines(cells, lattice),
    ]
    entries = known(row)
    if entries:
        lines += ["known = [", *(f"  {entry}," for entry in entries), "]"]
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    """Write all files."""
    regions = json.loads((folder / "regions.json").read_text("utf-8"))
    with (folder / "catalogue.tsv").open(encoding="utf-8") as stream:
        rows = {row["id"]: row for row in csv.DictReader(stream, delimiter="\t")}
    for file, names in FILES.items():
        path = MODELS / f"{file}.toml"
        path.parent.mkdir(exist_ok=True)
        parts = [puzzle_text(name, regions[name], rows[name]) for name in names.split()]
        path.write_text("\n".join(["format = 1\n", *parts]), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
