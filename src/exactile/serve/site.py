"""Writes a site without a server: the page of `exactile serve`, and the data that it needs.

The data are the gallery, the lattices, the puzzles, the sets of pieces, and the boards of pegs.
``python -m exactile.serve.site FOLDER`` writes the site; `make site` adds the engine in
WebAssembly. In the browser, a worker makes models from the data, so that lattices and puzzles are
defined in only one place.
"""

from __future__ import annotations

import shutil
import sys
import zlib
from collections.abc import Container, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from exactile.atomic import written
from exactile.classics.peg.board import holes_of, load_board, named_boards
from exactile.classics.peg.reasons import even_sets
from exactile.files.puzzles import catalogue
from exactile.files.puzzles.catalogue import ledger_folder
from exactile.files.puzzles.writer import document_text
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import Puzzle
from exactile.puzzle.pieces.sets import piece_set
from exactile.puzzle.rules import ColorRule
from exactile.render.board import Numbered, in_numbers, lattice_data
from exactile.runs.ledger.export import LedgerLine, read_document
from exactile.runs.ledger.pages import example
from exactile.serve.app import STATIC, Exhibit, gallery, picture
from exactile.serve.tasks.playing import SIZED, board_view
from exactile.serve.tasks.puzzles import BoardData, board_data, is_shown

MARK = '<html lang="en"', '<html lang="en" data-site'
"""The opening tag of the page, and its replacement, which states that there is no server."""


KEPT = (".css", ".html", ".js", ".json", ".wasm")
"""Suffixes of the files that a browser keeps for use without a network."""


class CrossingData(msgspec.Struct, frozen=True):
    """A crossing rule: see `exactile.geometry.lattice.Crossing`.

    `items[m]`: the items of a piece whose rays at a vertex are the bits of `m`.
    """

    rays: tuple[Point, ...]
    items: list[tuple[int, ...]]


class UnitsOpen(msgspec.Struct, frozen=True):
    """Bounds on how many of some units, given as indices, stay uncovered."""

    units: list[int]
    lower: int
    upper: int


class PiecesUsed(msgspec.Struct, frozen=True):
    """Bounds on the total number of uses of some pieces."""

    pieces: tuple[str, ...]
    lower: int
    upper: int
    placed: bool  # whether it is about uses in some places


class SitePuzzle(BoardData, frozen=True, kw_only=True):
    """A puzzle with all data for its model, and with its known results from the ledger."""

    name: str
    title: str
    source: str
    lattice: str
    open_rules: list[UnitsOpen]
    use_rules: list[PiecesUsed]
    color_rules: tuple[ColorRule, ...]
    known: list[dict[str, str | int]]
    text: str  # the puzzle as a file
    # From the ledger: sizes of the model and the group, and the digest of the model
    items: int = 0
    options: int = 0
    symmetries: int = 0
    proper: int = 0
    digest: str = ""
    reason: str = ""  # why there is no solution, if there is none
    solution: tuple[Numbered, ...] = ()  # a known solution; empty if none is known


def statement(puzzle: Puzzle, line: LedgerLine | None = None) -> SitePuzzle:
    """Return the data of a puzzle for the site.

    `line`: the puzzle in the ledger, with its known results; None if it is not there.

    >>> line = next(line for line in ledger_lines() if line.id == "soma-cube")
    >>> found = statement(catalogue.load("soma-cube"), line)
    >>> found.symmetries, found.options, len(found.solution)
    (48, 688, 7)
    """
    region = puzzle.region
    number = {tuple(unit): k for k, unit in enumerate(region.units.tolist())}
    return SitePuzzle(
        name=puzzle.name,
        title=puzzle.title,
        source=puzzle.source,
        lattice=puzzle.lattice.name,
        **board_data(puzzle),
        open_rules=[
            UnitsOpen([number[unit] for unit in rule.units], rule.lower, rule.most(region))
            for rule in puzzle.open_rules
        ],
        use_rules=[
            PiecesUsed(rule.pieces, rule.lower, rule.most(puzzle.pieces), bool(rule.places))
            for rule in puzzle.use_rules
        ],
        color_rules=puzzle.color_rules,
        known=[msgspec.to_builtins(known) for known in puzzle.known],
        **({} if line is None else _known(puzzle, line)),
        text=document_text([puzzle]),
    )


def _known(puzzle: Puzzle, line: LedgerLine) -> dict[str, Any]:
    names = ("items", "options", "symmetries", "proper", "digest")
    return {
        **{name: getattr(line, name) for name in names},
        "reason": line.reason if line.status == "unsolvable" else "",
        "solution": tuple(in_numbers(puzzle, example(puzzle, line))),
    }


def ledger_lines() -> tuple[LedgerLine, ...]:
    """Return the lines of the ledger of known results, one for each puzzle."""
    return tuple(read_document(ledger_folder() / "ledger.json").puzzles)


def full_lattice(lattice: Lattice) -> dict[str, object]:
    """Return the data of a lattice that the page needs to draw puzzles and to make models.

    >>> sorted(set(full_lattice(get_lattice("square"))) - set(msgspec.to_builtins(
    ...     lattice_data(get_lattice("square")))))
    ['crossing', 'customary']
    """
    crossing = lattice.crossing
    return {
        **msgspec.to_builtins(lattice_data(lattice)),
        "customary": lattice.customary,
        "crossing": crossing
        and CrossingData(
            crossing.rays, [crossing.items(mask) for mask in range(1 << len(crossing.rays))]
        ),
    }


def peg_data(name: str) -> dict[str, object]:
    """Return the data of a peg solitaire board, with its symmetries and a basis of `even_sets`.

    >>> board = peg_data("english")
    >>> len(board["symmetries"]), len(board["even"])
    (8, 4)
    """
    board = load_board(name)
    return {
        **board_view(board),
        "symmetries": board.symmetries.tolist(),
        "even": [[*holes_of(even)] for even in even_sets(board)],
    }


def gallery_table() -> bytes:
    """Return the gallery as JSON: the names of the fields, and a row of values for each puzzle.

    A list of objects would be twice as long.

    >>> table = msgspec.json.decode(gallery_table())
    >>> table["fields"][:2], "soma-cube" in [row[0] for row in table["rows"]]
    (['id', 'title'], True)
    """
    exhibits = msgspec.json.decode(gallery(), type=list[Exhibit])
    rows = [msgspec.structs.astuple(exhibit) for exhibit in exhibits]
    return msgspec.json.encode({"fields": Exhibit.__struct_fields__, "rows": rows})


def set_texts(name: str) -> str:
    """Return as JSON the sets of pieces in `Lattice.sets`, and the one-sided version of each.

    `name`: name of the lattice.
    """
    found = {}
    for text in get_lattice(name).sets:
        for word in (text, f"one-sided-{text}"):
            own = piece_set(word, name)
            pieces = {piece: as_tuples(units) for piece, units in own.pieces.items()}
            found[word] = {"freedom": own.freedom.value, "pieces": pieces}
    return msgspec.json.encode(found).decode()


def write_site(
    site: Path, chosen: Container[str] | None = None, sets: Sequence[str] | None = None
) -> int:
    """Write all files of the site except the engine; return the number of puzzles.

    `chosen`: names of the puzzles that can be opened; by default, all in the ledger. Puzzles that
    the page cannot show are left out. `sets`: names of the lattices whose sets of pieces are
    written; by default, all.
    """
    for name in ("puzzles", "pictures", "sets", "lattices"):
        (site / name).mkdir(parents=True, exist_ok=True)
    for path in STATIC.iterdir():
        shutil.copyfile(path, site / path.name)
    page = (STATIC / "index.html").read_text("utf-8")
    _write(site / "index.html", page.replace(*MARK).encode())
    shutil.copyfile(STATIC.parents[1] / "render" / "built" / "solid.js", site / "solid.js")
    _write(site / "gallery.json", gallery_table())
    lattices = {name: full_lattice(get_lattice(name)) for name in lattice_names()}
    _write(site / "lattices.json", msgspec.json.encode(lattices))
    pegs = {name: peg_data(name) for name in (*named_boards(), *SIZED)}
    _write(site / "pegs.json", msgspec.json.encode(pegs))
    named = lattice_names() if sets is None else sets
    bundles: dict[str, dict[str, str]] = {
        "puzzles": {},
        "pictures": {},
        # with a file for each lattice, since a puzzle needs only one of them
        "sets": {f"sets/{name}.json": set_texts(name) for name in named}
        | {f"lattices/{n}.json": msgspec.json.encode(x).decode() for n, x in lattices.items()},
    }
    lines = [line for line in ledger_lines() if chosen is None or line.id in chosen]
    for line in lines:
        puzzle = catalogue.load(line.id)
        if not is_shown(puzzle):
            continue
        text = msgspec.json.encode(statement(puzzle, line)).decode()
        bundles["puzzles"][f"puzzles/{line.id}.json"] = text
        bundles["pictures"][f"pictures/{line.id}.svg"] = picture(line.id)
    for name, files in bundles.items():
        for place, text in files.items():
            _write(site / place, text.encode())
        _write(site / f"{name}.bundle", zlib.compress(msgspec.json.encode(files), 9))
    _write_offline(site)
    return len(bundles["puzzles"])


def _write_offline(site: Path) -> None:
    """Write the script that keeps files for use without a network; it contains their names."""
    script = (STATIC / "offline.js").read_text("utf-8")
    kept = [site / f"{name}.bundle" for name in ("puzzles", "sets", "pictures")]
    files = sorted(p for p in site.iterdir() if p.is_file() and p.suffix in KEPT)
    files = [p for p in files if p.name != "offline.js"]
    digest = sha256(script.encode())
    for path in (*files, *kept):
        digest.update(path.name.encode() + path.read_bytes())
    contents = {
        "version": digest.hexdigest()[:12],
        "files": ["./", *(p.name for p in files)],
        "bundles": [p.name for p in kept],
    }
    text = f"const SITE={msgspec.json.encode(contents).decode()};\n{script}"
    _write(site / "offline.js", text.encode())


def _write(path: Path, content: bytes) -> None:
    """Write a file, unless it already has this content."""
    if not path.exists() or path.read_bytes() != content:
        with written(path, "wb") as stream:
            stream.write(content)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m exactile.serve.site FOLDER")
    print(f"{write_site(Path(sys.argv[1])):,} puzzles written to {sys.argv[1]}")
