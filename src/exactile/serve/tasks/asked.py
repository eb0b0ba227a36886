"""The puzzle of a request: from the catalogue or a text, with pieces left out or placed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import msgspec

from exactile.backends.registry import usable
from exactile.errors import NotFoundError, PuzzleError
from exactile.files.puzzles import catalogue
from exactile.files.reading import load
from exactile.plugins import DEFAULT_BACKEND
from exactile.puzzle import Placement, Puzzle, Solution
from exactile.puzzle.puzzle import Omission, sorted_solution, with_pieces
from exactile.render.board import Numbered
from exactile.search import Search
from exactile.search.case import Case

Tell = Callable[[str, object], None]
"""Called with the kind of an event and its content."""


class PuzzleAsked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The puzzle of a request, with what is placed or left out."""

    # Name or alias of a puzzle of the catalogue, or the text of a puzzle file of several lines
    puzzle: str
    omit: tuple[str, ...] = ()  # pieces that are left out
    placed: tuple[Numbered, ...] = ()  # placements that every solution should contain

    @property
    def case(self) -> Case:
        """The puzzle as a case, shared with recent requests for the same."""
        return _case(self.puzzle, self.omit, self.placed)


def offered() -> list[str]:
    """Return the names of the backends that the page offers.

    These are installed and do nothing but search. `external` would run any command, and a choice
    after a colon might do so, too. `first` is left out because it may miss solutions.

    >>> "dlx" in offered(), "external" in offered()
    (True, False)
    """
    names = (backend.name.partition(":")[0] for backend in usable())
    return [name for name in names if name not in ("external", "first")]


def require_offered(backend: str) -> None:
    """Raise PuzzleError if the page does not offer a backend."""
    if backend not in offered():
        raise PuzzleError(f"The page has no backend '{backend}': it offers {', '.join(offered())}.")


class SearchAsked(PuzzleAsked, frozen=True, kw_only=True):
    """A puzzle to be searched by a backend, which must be one of those offered."""

    backend: str = DEFAULT_BACKEND

    def __post_init__(self) -> None:
        """Raise PuzzleError if the backend is not offered."""
        require_offered(self.backend)


@lru_cache(maxsize=4)
def _case(name: str, omit: tuple[str, ...], placed: tuple[Numbered, ...]) -> Case:
    if not omit and not placed:
        if "\n" not in name and not catalogue.has(name):  # `load` would read files, too
            raise NotFoundError(f"There is no puzzle '{name}' in the catalogue.")
        return Case(load(name))
    if not placed:
        return Case(without(_case(name, (), ()).puzzle, omit))
    puzzle = _case(name, omit, ()).puzzle
    return Case(replace(puzzle, fixed=(*puzzle.fixed, *from_numbers(puzzle, placed))))


def without(puzzle: Puzzle, omit: Iterable[str]) -> Puzzle:
    """Return a puzzle with some of its pieces left out; they count among those omitted by choice.

    Raise PuzzleError if it has no such piece, or none is left.

    >>> import exactile
    >>> exactile.count(without(exactile.load("tetrasticks-5x5"), ["H"])).symmetry
    72
    """
    names = {puzzle.piece(name).name for name in omit}
    omission = puzzle.omission
    if omission is not None:
        chosen = tuple(n for n in omission.names if n not in names)
        count = omission.count - (len(omission.names) - len(chosen))
        omission = Omission(chosen, min(count, len(chosen))) if count > 0 and chosen else None
    pieces = tuple(p for p in puzzle.pieces if p.name not in names)
    return with_pieces(puzzle, pieces, omission, puzzle.use_rules)


def from_numbers(puzzle: Puzzle, placed: Iterable[Numbered]) -> Solution:
    """Return placements of the page as placements of the puzzle.

    Raise PuzzleError if the region has no such unit.
    """
    points = puzzle.region.units
    found = []
    for piece, units in placed:
        if any(not 0 <= u < len(points) for u in units):
            raise PuzzleError(f"The region has {len(points)} units, and {piece} refers to others.")
        found.append(Placement(piece, tuple(sorted(map(tuple, points[list(units)].tolist())))))
    return sorted_solution(found, puzzle.piece_index)


def news(search: Search) -> dict[str, Any]:
    """Return the progress of a search."""
    stats = search.stats
    return {
        "found": search.found,
        "done": search.done,
        "left": search.seconds_left,
        "nodes": stats["nodes"],
        "seconds": stats["seconds"],
        "doing": search.doing,
        "counters": {k: v for k, v in search.counters.items() if isinstance(v, (int, float))},
    }
