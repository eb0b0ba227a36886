"""A puzzle in one line of Python, with the keys of puzzle files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from exactile.doors import door
from exactile.errors import PuzzleError, suggestion
from exactile.files.io.place import Place
from exactile.files.puzzles.document import built
from exactile.files.puzzles.piece_text import lattice_of
from exactile.files.puzzles.regions import region_keys
from exactile.files.puzzles.structure import PuzzleTable
from exactile.geometry import get_lattice
from exactile.puzzle import Puzzle
from exactile.wanted import seen, wanted

KEYS = {field.encode_name for field in msgspec.structs.fields(PuzzleTable)}


@door
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
        The value of ``pieces`` in puzzle files, such as the name of a set, or ``"30xdomino, X"``.
    lattice
        Optional if only one lattice has such pieces. If several have, it is that of squares, or of
        cubes for a box of three sides.
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
    table = {key: keys.pop(key) for key in KEYS & set(keys)}
    region = {**wanted(table.pop("region", {}), dict, "A region"), **keys}
    table |= {"lattice": lattice or "square", "pieces": pieces, "region": region}
    try:
        plain = msgspec.to_builtins(table, enc_hook=_plain)
    except RecursionError:
        raise place.error("it is nested too deep.") from None
    stated = place.convert(plain, PuzzleTable)
    if lattice is None:
        box = region.get("box")
        with place.errors():
            found = lattice_of(_text(stated, place), len(box) if isinstance(box, Sequence) else 2)
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
    """Return numbers and arrays of numpy as Python's numbers and lists."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise PuzzleError(f"{seen(value)} cannot stand in a puzzle.")


def _text(stated: PuzzleTable, place: Place) -> str:
    """Return the lattice of the named sets, if they determine it."""
    if isinstance(stated.pieces, str):
        return stated.pieces
    groups = stated.pieces if isinstance(stated.pieces, list) else [stated.pieces]
    sets = [group.set for group in groups if group.set is not None]
    if not sets or len(sets) < len(groups):
        raise place.error("give the lattice: lattice='square', or another.")
    return ",".join(sets)
