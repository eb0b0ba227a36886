"""Puzzle files: making puzzles from a TOML text. Errors name the file, the key and a remedy."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from exactile.doors import door
from exactile.errors import NotFoundError, PieceError, PuzzleError, suggestion
from exactile.files.puzzles.piece_groups import lattice_of, limited, listed, read_pieces
from exactile.files.puzzles.regions import read_region, region_keys
from exactile.files.puzzles.rules import (
    read_color_rules,
    read_labels,
    read_open,
    read_paint,
    read_use,
)
from exactile.files.puzzles.structure import FORMAT, DocumentHeader, FixedTable, PuzzleTable
from exactile.files.puzzles.units import internal
from exactile.files.sources import (
    MOST_CHARACTERS,
    STANDARD_INPUT,
    Place,
    decoded,
    file_bytes,
    parsed,
    shown,
)
from exactile.geometry import Lattice, get_lattice
from exactile.puzzle import Known, Placement, Puzzle
from exactile.puzzle.pieces.piece import Piece
from exactile.puzzle.puzzle import IDENTIFIER
from exactile.wanted import seen, wanted


class Document:
    r"""A puzzle file: its TOML is parsed at once, and a puzzle is built when it is requested.

    Parameters
    ----------
    path
        Path of the file, also for messages.
    text
        Contents of the file; by default, they are read.

    Raises
    ------
    NotFoundError
        If there is no such file.
    FileError
        If it cannot be read or is not a puzzle file.

    Examples
    --------
    >>> text = 'format = 1\n[puzzle.a]\nlattice = "square"\nregion = {box = [4, 5]}\n'
    >>> document = Document("my.toml", text + 'pieces = {set = "tetrominoes"}')
    >>> document.ids, len(document.puzzle("a").region)
    (['a'], 20)
    """

    def __init__(self, path: str | os.PathLike[str], text: str | None = None) -> None:
        self.path = Path(path)
        self.place = Place(str(path))
        if text is None:
            text = decoded(*file_bytes(self.path, 4 * MOST_CHARACTERS))  # up to four bytes each
        data = parsed(text, self.place)
        if data.get("format", FORMAT) != FORMAT or isinstance(data.get("format"), bool):
            raise (self.place / "format").error(
                f"this version reads format {FORMAT}, not {shown(data['format'])}."
            )
        self.tables = self.place.convert(data, DocumentHeader).puzzle
        if not self.tables:
            raise self.place.error("it has no puzzle: write a table [puzzle.NAME].")
        for name in self.tables:
            if not IDENTIFIER.fullmatch(name):
                raise (self.place / "puzzle").error(
                    f"'{name}' is not an identifier: use letters, digits, or one of . - _."
                )
        self._check_names()

    @property
    def ids(self) -> list[str]:
        """The identifiers of the puzzles, in the order of the file."""
        return list(self.tables)

    def header(self, name: str) -> PuzzleTable:
        """Return the table of a puzzle, with its keys and types checked.

        `name`: the identifier. Raise FileError if the table is wrong, KeyError if there is none.
        The region is checked only when the puzzle is built.
        """
        return self._place(name).convert(self.tables[name], PuzzleTable)

    def puzzle(self, name: str | None = None) -> Puzzle:
        """Build and return a puzzle of the file.

        `name`: identifier or alias, in upper or lower case; None for the only puzzle.

        Raises
        ------
        NotFoundError
            If the file has no such puzzle.
        PuzzleError
            If the puzzle's table is wrong, or `name` is None and there are several puzzles.
        """
        identifier = self.identifier(name)
        return built(identifier, self.header(identifier), self._place(identifier))

    def identifier(self, name: str | None = None) -> str:
        """Return the identifier of a puzzle; for the parameter and the errors see `puzzle`."""
        named = self._index.get(name.casefold(), name) if name is not None else None
        return chosen(self.ids, named, self.place)

    def _place(self, name: str) -> Place:
        return self.place / "puzzle" / name

    @cached_property
    def _index(self) -> dict[str, str]:
        """The identifier of each puzzle, by the puzzle's identifier and aliases in lower case."""
        index = {name.casefold(): name for name in self.tables}
        for name in self.tables:
            index |= {alias.casefold(): name for alias in self._aliases(name)}
        return index

    def _aliases(self, name: str) -> list[str]:
        aliases = self.tables[name].get("aliases", [])
        return [a for a in aliases if isinstance(a, str)] if isinstance(aliases, list) else []

    def _check_names(self) -> None:
        owner: dict[str, str] = {}
        for name in self.tables:
            for word in (name, *self._aliases(name)):
                other = owner.setdefault(word.casefold(), name)
                if other != name or (word != name and word.casefold() == name.casefold()):
                    raise self._place(name).error(
                        f"the name '{word}' is taken by puzzle '{other}': every identifier and "
                        "alias must be unique."
                    )


def chosen(names: list[str], name: str | None, place: Place) -> str:
    """Return the name of one puzzle of a file: `name`, or the only name if `name` is None.

    `names`: the names of all puzzles of the file. `place`: the file, for messages. Raise
    NotFoundError if `name` is not in `names`, FileError if it is None and there are several names.
    """
    known = f"Its puzzles: {', '.join(names)}."
    if name is None and len(names) > 1:
        such = f"{place}#{names[0]}"
        if place.file == STANDARD_INPUT:  # -#NAME alone looks like an option
            such = f"-#{names[0]} (in a command at its end, behind --)"
        raise place.error(
            f"the file has {len(names)} puzzles: name one of them, such as {such}. {known}"
        )
    if name is not None and name not in names:
        raise place.error(
            f"there is no puzzle '{name}' in it.{suggestion(name, names)} {known}", NotFoundError
        )
    return name or names[0]


def built(name: str, table: PuzzleTable, place: Place) -> Puzzle:
    """Return the puzzle that a table describes.

    `name`: its identifier. Raise PuzzleError if the table is wrong; the message names `place`,
    where the table stands.
    """
    with (place / "lattice").errors():
        lattice = get_lattice(table.lattice)
    with place.errors():
        pieces, omission = read_pieces(table.pieces, lattice, place / "pieces")
        region = read_region(table.region, lattice, place / "region")
        pieces = limited(pieces, region)
        opened, region = read_open(table.open, region, place)
        fixed = [
            _fixed(entry, pieces, lattice, place / f"fixed[{i}]")
            for i, entry in enumerate(table.fixed)
        ]
        return Puzzle(
            name,
            region,
            pieces,
            tuple(fixed),
            omission,
            table.crossing,
            table.title or name,
            tuple(table.aliases),
            tuple(Known(k.count, k.up_to, k.source, k.refuted) for k in table.known),
            table.source,
            read_color_rules(table),
            read_paint(table.paint, pieces, region, place / "paint"),
            tuple(map(tuple, table.together)),
            opened,
            read_use(table.use, lattice, place),
            read_labels(table.labels, region, place / "labels"),
        )


def _fixed(
    table: FixedTable, pieces: tuple[Piece, ...], lattice: Lattice, place: Place
) -> Placement:
    with place.errors():
        by_name = {piece.name: piece for piece in pieces}
        if table.piece not in by_name:
            raise PieceError(
                f"The puzzle has no piece '{table.piece}'.{suggestion(table.piece, by_name)} "
                f"Its pieces: {listed(by_name)}."
            )
        return Placement(table.piece, tuple(internal(table.units, lattice)))


KEYS = {field.encode_name for field in msgspec.structs.fields(PuzzleTable)}


@door
def make_puzzle(
    pieces: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
    *,
    lattice: str | None = None,
    name: str = "puzzle",
    **keys: Any,
) -> Puzzle:
    """Return a puzzle from the keys and values of puzzle files, in customary coordinates.

    Parameters
    ----------
    pieces
        The value of ``pieces`` in puzzle files, such as the name of a set, or ``"30xdomino, X"``.
    lattice
        By default, ``square``, or ``cube`` for a box with three sizes; if that lattice does not
        have the pieces, the only lattice that has them. Required if pieces are stated by ``cells``
        or ``orders``.
    name
        Identifier of the puzzle.
    **keys
        Keys of a puzzle, such as ``fixed`` and ``title``, and keys of its region: ``box``,
        ``drawing``, ``minus``, ``wrap`` and so on.

    Raises
    ------
    PuzzleError
        If a key or a value is wrong; the message names the key.

    Examples
    --------
    >>> import exactile
    >>> exactile.count(make_puzzle("pentominoes", box=(20, 3))).raw
    8
    >>> exactile.count(make_puzzle("30xdomino", box=(10, 6))).raw
    4213133
    >>> board = make_puzzle("polyominoes-12", box=(4, 4), minus=[{"box": (1, 1)}])
    >>> len(board.region)
    15
    """
    place = Place(name)
    table = {key: keys.pop(key) for key in KEYS & set(keys)}
    region = wanted(table.pop("region", {}), dict, "A region")
    for key in region.keys() & keys.keys():
        raise place.error(
            f"the key '{key}' is in `region` and also given by itself: write it once."
        )
    region = {**region, **keys}
    table |= {"lattice": lattice or "square", "pieces": pieces, "region": region}
    try:
        plain = msgspec.to_builtins(table, enc_hook=_plain)
    except RecursionError:
        raise place.error("it is nested too deep.") from None
    stated = place.convert(plain, PuzzleTable)
    if lattice is None:
        box = stated.region.get("box")
        with place.errors():
            found = lattice_of(_sets(stated, place), len(box) if isinstance(box, Sequence) else 2)
        stated = msgspec.structs.replace(stated, lattice=found)
    with (place / "lattice").errors():
        regions = region_keys(get_lattice(stated.lattice))
    for key in keys:
        if key not in regions:
            raise place.error(
                f"unknown key '{key}'.{suggestion(key, [*KEYS, *regions])} Those of a puzzle are "
                f"{', '.join(sorted(KEYS))}; those of its region {', '.join(regions)}."
            )
    return built(name, stated, place)


def _plain(value: Any) -> Any:
    """Return a NumPy number or array as a Python number or list; raise PuzzleError otherwise."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise PuzzleError(f"{seen(value)} cannot stand in a puzzle.")


def _sets(stated: PuzzleTable, place: Place) -> str:
    """Return the sets and pieces that a puzzle's table names, as a text: ``pentominoes,I4``.

    The lattice is inferred from these names. Raise FileError if a group of pieces names no set.
    """
    groups = stated.pieces if isinstance(stated.pieces, list) else [stated.pieces]
    texts = (group if isinstance(group, str) else group.set for group in groups)
    sets = [text for text in texts if text is not None]
    if not sets or len(sets) < len(groups):
        raise place.error("give the lattice: lattice='square', or another.")
    return ",".join(sets)
