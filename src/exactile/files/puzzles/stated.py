"""A puzzle in one line of Python, by the keys of puzzle files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from exactile.errors import NotFoundError, PieceError
from exactile.files.io.place import Place
from exactile.files.puzzles.document import built
from exactile.files.puzzles.structure import PuzzleTable
from exactile.geometry import get_lattice, lattice_names
from exactile.pieces.sets import piece_set
from exactile.puzzle import Puzzle

KEYS = {field.encode_name for field in msgspec.structs.fields(PuzzleTable)}


def make_puzzle(
    pieces: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
    *,
    lattice: str | None = None,
    name: str = "puzzle",
    **keys: Any,
) -> Puzzle:
    """State a puzzle with the keys of puzzle files, and in their coordinates.

    Parameters
    ----------
    pieces
        The name of a set, or what stands behind ``pieces`` in puzzle files.
    lattice
        May be left out where only one lattice has a set of that name.
    name
        Its identifier.
    **keys
        Keys of a puzzle, such as ``fixed`` and ``title``; all others are keys of its region:
        ``box``, ``drawing``, ``minus``, ``wrap`` and so on.

    Raises
    ------
    PuzzleError
        If the statement is wrong; the message names the key.

    Examples
    --------
    >>> import exactile
    >>> exactile.count(make_puzzle("pentominoes", box=(20, 3))).raw
    8
    >>> board = make_puzzle("polyominoes-12", box=(4, 4), minus=[{"box": (1, 1)}])
    >>> len(board.region)
    15
    """
    place = Place(name)
    if isinstance(pieces, str):
        lattice = lattice or _lattice_of(pieces, place)
        pieces = {"set": pieces}
    elif lattice is None:
        sets = {group.get("set") for group in ([pieces] if isinstance(pieces, Mapping) else pieces)}
        (only,) = sets if len(sets) == 1 else (None,)
        if not isinstance(only, str):
            raise place.error("say on which lattice: lattice='square', or another.")
        lattice = _lattice_of(only, place)
    table = {key: keys.pop(key) for key in KEYS & set(keys)}
    region = {**table.pop("region", {}), **keys}
    table |= {"lattice": lattice, "pieces": pieces, "region": region}
    return built(name, place.convert(msgspec.to_builtins(table), PuzzleTable), place)


def _lattice_of(name: str, place: Place) -> str:
    found = []
    for lattice in lattice_names():
        with suppress(NotFoundError, PieceError):
            piece_set(name, get_lattice(lattice))
            found.append(lattice)
    if len(found) != 1:
        if not found:
            raise place.error(f"pieces: no lattice has a set '{name}', see docs/puzzle-files.md.")
        raise place.error(f"several lattices have a set '{name}': say lattice='{found[0]}', ...")
    return found[0]
