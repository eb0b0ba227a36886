"""Write the tables of piece names in src/exactile/puzzle/pieces/tables from a file of piece data.

The data is JSON: {family: {set: {piece: [[customary coordinates], ...]}}}. Run once; the tables are
committed and read by the package, and tests compare them with the generated polyforms.

    python benchmarks/catalogue/import_pieces.py pieces.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

TABLES = Path(__file__).parents[2] / "src" / "exactile" / "pieces" / "tables"

Units = list[list[int]]
Pieces = dict[str, Units]

ORDERS = {
    "polyomino": ("square", "Monomino Domino Trominoes Tetrominoes Pentominoes Hexominoes"),
    "polycube": ("cube", "Monocube Dicube Tricubes Tetracubes Pentacubes Hexacubes"),
    "polyiamond": (
        "triangle",
        "Moniamond Diamond Triamond Tetriamonds Pentiamonds Hexiamonds Heptiamonds",
    ),
    "polyhex": ("hexagon", "Monohex Dihex Trihexes Tetrahexes Pentahexes Hexahexes"),
    "polystick": ("square-edges", "Polysticks123:1 Polysticks123:2 Polysticks123:3 Tetrasticks"),
    "polytrig": ("triangle-edges", "Monotrigs Ditrigs Tritrigs Tetratrigs"),
    "polytwig": ("hexagon-edges", "Monotwigs Ditwigs Tritwigs Tetratwigs Pentatwigs Hexatwigs"),
}
"""Family to lattice and, for each order from 1, the set that names its pieces."""

QUASI = {
    "polytrig": {2: "QuasiDitrigs"},
    "polytwig": {2: "QuasiDitwigs", 3: "QuasiTritwigs"},
}

SPECIAL: dict[str, dict[str, dict[str, object]]] = {
    "polyomino": {
        "pentominoes-plus-monomino": {"sets": ["pentominoes"], "set": "PentominoesPlusMonomino"},
        "pentominoes-plus-square-tetromino": {
            "sets": ["pentominoes"],
            "set": "PentominoesPlusSquareTetromino",
        },
        "pentominoes-plus-tetrominoes": {
            "sets": ["tetrominoes", "pentominoes"],
            "set": "PentominoesPlusTetrominoes",
        },
        "cornucopia": {"some": "hexominoes", "set": "Cornucopia"},
        "hexominoes-plus": {"sets": ["hexominoes"], "set": "HexominoesPlus"},
    },
    "polycube": {
        "soma-cubes": {"aliases": ["soma"], "set": "SomaCubes"},
        "solid-pentominoes": {"set": "SolidPentominoes"},
        "digit-cubes": {"set": "DigitCubes"},
        "pentacubes-3x3x3": {"sets": ["pentacubes"], "set": "Pentacubes3x3x3"},
        "non-convex-pentacubes": {"sets": ["pentacubes"], "set": "NonConvexPentacubes"},
        "pentacubes-plus": {"sets": ["pentacubes"], "set": "PentacubesPlus"},
        "solid-hexominoes": {"some": "hexacubes", "set": "SolidHexominoes"},
        "solid-hexominoes-plus": {"sets": ["solid-hexominoes"], "set": "SolidHexominoesPlus"},
        "polycubes-12345-p6": {
            "sets": ["polycubes-12345"],
            "some": "hexacubes",
            "set": "Polycubes12345p6",
        },
    },
    "polystick": {"seven-segment-digits": {"set": "SevenSegmentDigits"}},
}


def unit_text(units: Units) -> str:
    """Return units as the tables write them."""
    return " ".join(",".join(map(str, unit)) for unit in sorted(units))


def order_pieces(sets: dict[str, Pieces], source: str) -> Pieces:
    """Return the pieces of one order; ``Set:n`` takes those of order n from a mixed set."""
    name, _, order = source.partition(":")
    return {
        piece: units
        for piece, units in sorted(sets[name].items())
        if not order or len(units) == int(order)
    }


def base_names(entry: dict[str, object], family: str, sets: dict[str, Pieces]) -> Pieces:
    """Return the pieces that the sets named in an entry bring."""
    _, orders = ORDERS[family]
    regular = {name.lower(): order_pieces(sets, name) for name in orders.split()}
    special = {key: sets[str(value["set"])] for key, value in SPECIAL.get(family, {}).items()}
    pieces: Pieces = {}
    for base in entry.get("sets", []):  # type: ignore[attr-defined]
        if base == "polycubes-12345":
            for name in list(regular)[:5]:
                pieces |= regular[name]
        else:
            pieces |= regular.get(base) or special[base]
    return pieces


def special_lines(key: str, entry: dict[str, object], family: str, sets: dict[str, Pieces]) -> str:
    """Return one ``[set.key]`` section."""
    target = sets[str(entry["set"])]
    base = base_names(entry, family, sets)
    lines = [f"[set.{key}]"]
    if "aliases" in entry:
        lines.append(f"aliases = {json.dumps(entry['aliases'])}")
    if base:
        lines.append(f"sets = {json.dumps(entry['sets'])}")
    missing = sorted(set(base) - set(target))
    if missing:
        lines.append(f'without = "{" ".join(missing)}"')
    extra = {name: units for name, units in sorted(target.items()) if name not in base}
    if "some" in entry:
        lines.append(f'some = {{ {entry["some"]} = "{" ".join(extra)}" }}')
    elif extra:
        lines.append(f"\n[set.{key}.add]")
        lines += [f'{name} = "{unit_text(units)}"' for name, units in extra.items()]
    if len(lines) > 1 and lines[1].startswith("\n"):  # the section is implied by its subsection
        lines = [lines[1].lstrip(), *lines[2:]]
    return "\n".join(lines) + "\n"


def main(path: str) -> None:
    """Write one table for each family of the file."""
    data: dict[str, dict[str, Pieces]] = json.loads(Path(path).read_text("utf-8"))
    TABLES.mkdir(exist_ok=True)
    for family, (lattice, orders) in ORDERS.items():
        sets = data[family]
        parts = [
            f"# Customary names of the {family} pieces: units in customary coordinates, as\n"
            "# Polyform Puzzler and its sources name them. See exactile/puzzle/pieces/sets.py.\n"
        ]
        for order, source in enumerate(orders.split(), start=1):
            body = [f'{n} = "{unit_text(u)}"' for n, u in order_pieces(sets, source).items()]
            parts.append(f"[order.{order}]\n" + "\n".join(body) + "\n")
        for order, source in QUASI.get(family, {}).items():
            body = [f'{n} = "{unit_text(u)}"' for n, u in sorted(sets[source].items())]
            parts.append(f"[quasi.{order}]\n" + "\n".join(body) + "\n")
        parts += [
            special_lines(key, entry, family, sets)
            for key, entry in SPECIAL.get(family, {}).items()
        ]
        (TABLES / f"{lattice}.toml").write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
