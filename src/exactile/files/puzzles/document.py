"""Puzzle files: from a TOML text to puzzles, with errors that name file, key and remedy."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path

from exactile.errors import FileError, NotFoundError, PieceError, suggestion
from exactile.files.io.place import Place, shown
from exactile.files.io.toml import MOST_CHARACTERS, parsed
from exactile.files.puzzles.paints import read_color_rules, read_paint
from exactile.files.puzzles.piece_groups import listed, read_pieces
from exactile.files.puzzles.regions import read_region
from exactile.files.puzzles.structure import FORMAT, DocumentHeader, FixedTable, PuzzleTable
from exactile.files.puzzles.units import internal
from exactile.geometry import Lattice, get_lattice
from exactile.puzzle import Known, Placement, Puzzle
from exactile.puzzle.pieces.piece import Piece
from exactile.puzzle.puzzle import IDENTIFIER


class Document:
    r"""A puzzle file: parsed at once, its puzzles built on demand.

    Parameters
    ----------
    path
        The file.
    text
        Its text, if it has been read already.

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
        data = parsed(_text(self.path, self.place) if text is None else text, self.place)
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
        """Return the checked table of a puzzle; its region is checked when it is built."""
        return self._place(name).convert(self.tables[name], PuzzleTable)

    def puzzle(self, name: str | None = None) -> Puzzle:
        """Build a puzzle, by identifier or alias, or the only one; case does not matter.

        Raises
        ------
        NotFoundError
            If the file has no such puzzle.
        PuzzleError
            If its statement is wrong, or there are several and no name is given.
        """
        named = self._index.get(name.casefold(), name) if name is not None else None
        identifier = chosen(self.ids, named, self.place)
        return built(identifier, self.header(identifier), self._place(identifier))

    def _place(self, name: str) -> Place:
        return self.place / "puzzle" / name

    @cached_property
    def _index(self) -> dict[str, str]:
        """Identifier by lower-case identifier or alias."""
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
    """Return the puzzle of a file with a given name, or the only one.

    Raise NotFoundError if there is no such puzzle, FileError if there are several and no name is
    given.
    """
    known = f"Its puzzles: {', '.join(names)}."
    if name is None and len(names) > 1:
        raise place.error(
            f"the file has {len(names)} puzzles: name one of them, such as {place}#{names[0]}. "
            f"{known}"
        )
    if name is not None and name not in names:
        raise place.error(
            f"there is no puzzle '{name}' in it.{suggestion(name, names)} {known}", NotFoundError
        )
    return name or names[0]


def _text(path: Path, place: Place) -> str:
    try:
        if path.stat().st_size > 4 * MOST_CHARACTERS:  # of at most four bytes
            raise place.error(f"it is too long: the limit is {MOST_CHARACTERS:,} characters.")
        data = path.read_bytes()
    except FileError:
        raise
    except FileNotFoundError:
        raise place.error("there is no such file.", NotFoundError) from None
    except IsADirectoryError:
        raise place.error("this is a directory: name a file in it.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise place.error(f"the file cannot be read: {reason}.") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise place.error(
            f"the file is not UTF-8: byte 0x{data[error.start]:02x} in line {line}. "
            "Save it as UTF-8."
        ) from None


def built(name: str, table: PuzzleTable, place: Place) -> Puzzle:
    """Return the puzzle of a table; messages name the place."""
    with (place / "lattice").errors():
        lattice = get_lattice(table.lattice)
    with place.errors():
        pieces, omission = read_pieces(table.pieces, lattice, place / "pieces")
        region = read_region(table.region, lattice, place / "region")
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
