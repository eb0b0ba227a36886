"""The structure of puzzle files, as types that msgspec checks and publishes as a JSON schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from exactile.geometry import get_lattice, lattice_names

FORMAT = 1

Coordinate = Annotated[int, Meta(ge=-100_000, le=100_000)]
Size = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Uses = Annotated[int, Meta(ge=0, le=1_000_000)]
Turn = Annotated[int, Meta(ge=0, le=5)]
Name = Annotated[str, Meta(min_length=1)]
Units = str | list[list[Coordinate]]
"""Units as a text such as ``"0,0 1..3,0"``, or as lists of coordinates."""

Range = Annotated[list[Uses], Meta(min_length=2, max_length=2)] | str
"""Least and largest number of uses, ``[0, 3]`` or ``"0..3"``; ``"3.."`` has no upper bound."""

Sizes = Size | list[Size]
"""The sizes of a region such as a box or a hexagon: one integer, or a list."""


class DraftTable(msgspec.Struct, forbid_unknown_fields=True):
    """A part of a region: a base, turned and moved, then additions and removals.

    The base is exactly one of `drawing`, `units` and the builders of the lattice, which are keys
    such as ``box``. If `border` is false, units that do not have cells on all sides are left out.
    """

    drawing: str | None = None
    units: Units | None = None
    turn: Turn = 0
    shift: list[Coordinate] | None = None
    plus: list[dict[str, Any]] = []
    minus: list[dict[str, Any]] = []
    border: bool = True


class RegionTable(DraftTable, forbid_unknown_fields=True):
    """A region: a base with changes, its optional units, and how it wraps around."""

    optional: Units | None = None
    wrap: list[list[Coordinate | str]] | None = None


class ChoiceTable(msgspec.Struct, forbid_unknown_fields=True):
    """A rule that every solution omits `count` of the named pieces."""

    names: list[Name] = msgspec.field(name="from")
    count: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


class PieceTable(msgspec.Struct, forbid_unknown_fields=True):
    """A group of pieces.

    Exactly one of `set`, `orders` and `cells` states where the pieces come from. The other keys
    select some of these pieces, and state their freedom, numbers of uses, and omissions.
    """

    set: str | None = None
    orders: list[Annotated[int, Meta(ge=1, le=16)]] | None = None
    cells: dict[str, Units] | None = None
    only: list[Name] | None = None
    omit: list[Name] = []
    holes: bool | None = None
    symmetric: Annotated[int, Meta(ge=1, le=100)] = 1
    copies: Uses | dict[str, Uses] = {}
    ranges: Range | dict[str, Range] = {}
    freedom: Literal["free", "one-sided", "fixed"] | None = None
    quasi: bool = False
    choose_omitted: list[Name] | ChoiceTable | None = None


class FixedTable(msgspec.Struct, forbid_unknown_fields=True):
    """A placement that every solution contains."""

    piece: Name
    units: Units


class PaintTable(msgspec.Struct, forbid_unknown_fields=True):
    """The paint of the region's units and of the pieces' units.

    Paint is stated by a drawing, in which letters are paints, or by lists of units under the names
    of paints. `fits` maps a paint of pieces to the paints of the region on which it may lie; by
    default, it may lie only on the same paint.
    """

    region: str | dict[str, Units]
    pieces: dict[str, str | dict[str, Units]]
    fits: dict[str, list[Name]] = {}


class NumberTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Bounds of a number: `exactly` alone, or one or both of `at_least` and `at_most`."""

    exactly: Uses | None = None
    at_least: Uses | None = None
    at_most: Uses | None = None


class OpenTable(NumberTable, forbid_unknown_fields=True, kw_only=True):
    """A rule about how many of the given units stay uncovered."""

    units: Units


class UseTable(NumberTable, forbid_unknown_fields=True, kw_only=True):
    """A rule about how often the named pieces are used in total.

    If there are `places`, each a set of units, only placements that fill one of them count.
    """

    pieces: list[Name]
    places: list[Units] = []


class KnownTable(msgspec.Struct, forbid_unknown_fields=True):
    """A published number of solutions; if the number is wrong, `refuted` states the reason."""

    count: Annotated[int, Meta(ge=0)]
    up_to: Literal["raw", "rotation", "symmetry"]
    source: str = ""
    refuted: str = ""


class PuzzleTable(msgspec.Struct, forbid_unknown_fields=True):
    """The table ``[puzzle.ID]`` of a puzzle in a puzzle file."""

    lattice: str
    pieces: str | PieceTable | list[PieceTable | str]
    region: dict[str, Any]
    title: str = ""
    aliases: list[Name] = []
    source: str = ""
    fixed: list[FixedTable] = []
    crossing: bool = True
    separated: dict[str, list[Name]] = {}
    joined: dict[str, list[Name]] = {}
    open: list[OpenTable] = []
    use: list[UseTable] = []
    paint: PaintTable | None = None
    together: list[list[Name]] = []
    labels: str | dict[str, Units] = {}
    known: list[KnownTable] = []


class DocumentTable(msgspec.Struct, forbid_unknown_fields=True):
    """A puzzle file: its format and its puzzles by identifier."""

    format: int
    puzzle: dict[str, PuzzleTable]


class DocumentHeader(msgspec.Struct, forbid_unknown_fields=True):
    """A puzzle file whose puzzles, by identifier, are not checked yet."""

    format: int
    puzzle: dict[str, dict[str, Any]]


def schema() -> dict[str, Any]:
    """Return the JSON schema of puzzle files.

    Editors use it to complete and check TOML files. It allows the builders of all lattices in every
    region, since a schema does not know the lattice of a puzzle.

    >>> sorted(schema()["$defs"]["RegionTable"]["properties"])[:4]
    ['aztec_diamond', 'border', 'box', 'butterfly']
    """
    kinds = [DocumentTable, Sizes, RegionTable, DraftTable]
    (document, sizes, *_), parts = msgspec.json.schema_components(
        kinds, ref_template="#/$defs/{name}"
    )
    lattices = [get_lattice(name) for name in lattice_names()]
    builders = {b for lattice in lattices for b in lattice.builders}
    expansions = {n: e for lattice in lattices for n, e in lattice.expansions.items()}
    for name in ("RegionTable", "DraftTable"):
        properties = parts[name]["properties"]
        for key in ("plus", "minus"):
            properties[key]["items"] = {"$ref": "#/$defs/DraftTable"}
        properties.update(dict.fromkeys(sorted(builders), sizes))
        properties.update((n, {"$ref": f"#/$defs/{n}"}) for n in sorted(expansions))
    for name, expansion in sorted(expansions.items()):
        shape = parts["DraftTable"]
        properties = {**shape["properties"], expansion.size: {"type": "integer"}}
        parts[name] = {**shape, "properties": properties, "required": [expansion.size]}
    parts["PuzzleTable"]["properties"]["region"] = {"$ref": "#/$defs/RegionTable"}
    parts["DocumentTable"]["properties"]["format"] = {"const": FORMAT}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Exactile puzzle file",
        **document,
        "$defs": parts,
    }
