"""A puzzle in one line of Python, by the keys of puzzle files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from exactile.files.io.place import Place
from exactile.files.puzzles.document import built
from exactile.files.puzzles.piece_text import lattice_of
from exactile.files.puzzles.structure import PuzzleTable
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
        What stands behind ``pieces`` in puzzle files, such as the name of a set, or
        ``"30xdomino, X"``.
    lattice
        May be left out where only one lattice has such pieces. If several have, it is that of
        squares, or of cubes for a box of three sides.
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
    >>> exactile.count(make_puzzle("30xdomino", box=(10, 6))).raw
    4213133
    >>> board = make_puzzle("polyominoes-12", box=(4, 4), minus=[{"box": (1, 1)}])
    >>> len(board.region)
    15
    """
    place = Place(name)
    if lattice is None:
        with place.errors():
            lattice = lattice_of(_text(pieces, place), len(keys.get("box") or ()))
    table = {key: keys.pop(key) for key in KEYS & set(keys)}
    region = {**table.pop("region", {}), **keys}
    table |= {"lattice": lattice, "pieces": pieces, "region": region}
    return built(name, place.convert(msgspec.to_builtins(table), PuzzleTable), place)


def _text(pieces: str | Mapping[str, Any] | Sequence[Mapping[str, Any]], place: Place) -> str:
    """Return which sets there are, if these tell the lattice."""
    if isinstance(pieces, str):
        return pieces
    sets = [group.get("set") for group in ([pieces] if isinstance(pieces, Mapping) else pieces)]
    if not sets or not all(isinstance(name, str) for name in sets):
        raise place.error("say on which lattice: lattice='square', or another.")
    return ",".join(map(str, sets))
