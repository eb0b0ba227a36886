"""Verbs for a puzzle: solutions, one solution, and a description."""

from __future__ import annotations

from dataclasses import asdict
from typing import Unpack

from exactile.answers import (
    OpenNumber,
    PieceColors,
    PieceUse,
    PublishedNumber,
    PuzzleFacts,
    SolutionList,
    SymmetryNumbers,
    UseNumber,
)
from exactile.doors import door
from exactile.puzzle.coordinates import in_coordinates, units_in_coordinates
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.search.case import Case
from exactile.search.search import Options, Search


@door
def solve_one(puzzle: Puzzle | Case, **options: Unpack[Options]) -> Solution | None:
    """Return a solution, or None if none was found; `prove` decides whether there is any.

    Examples
    --------
    >>> import exactile
    >>> len(exactile.solve_one(exactile.load("pentominoes-6x10")))
    12
    """
    with Search(puzzle, limit=1, **options) as search:
        return next(search, None)


@door
def find_solutions(
    puzzle: Puzzle | Case,
    *,
    limit: int | None = None,
    up_to: str | None = None,
    **options: Unpack[Options],
) -> SolutionList:
    """Return solutions in customary coordinates, with all that is known about the search.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    limit
        Stop after this number of solutions; None finds all.
    up_to
        ``"rotation"`` or ``"symmetry"``: give only the first solution of each orbit.
    options
        See `Search`.

    Examples
    --------
    >>> import exactile
    >>> found = exactile.find_solutions(exactile.load("tetrahexes-4x7"), up_to="symmetry")
    >>> len(found.solutions), found.status.value
    (9, 'complete')
    """
    with Search(puzzle, limit=limit, up_to=up_to, **options) as search:
        return search.answer(list(search), up_to)


def facts(puzzle: Puzzle | Case) -> PuzzleFacts:
    """Return a description of a puzzle.

    Examples
    --------
    >>> import exactile
    >>> soma = facts(exactile.load("soma-cube"))
    >>> soma.units, soma.symmetries.all, soma.options
    (27, 48, 688)
    """
    case = Case.of(puzzle)
    stated, group = case.puzzle, case.symmetries
    wrap, period = stated.region.wrap, stated.lattice.period
    return PuzzleFacts(
        puzzle=stated.name,
        title=stated.title,
        aliases=tuple(stated.aliases),
        lattice=stated.lattice.name,
        pieces=tuple(
            PieceUse(name=p.name, order=p.order, min=p.lower, max=p.upper) for p in stated.pieces
        ),
        color_rules=tuple(PieceColors(**asdict(rule)) for rule in stated.color_rules),
        open_rules=tuple(
            OpenNumber(
                units=units_in_coordinates(stated, rule.units),
                min=rule.lower,
                max=rule.most(stated.region),
            )
            for rule in stated.open_rules
        ),
        use_rules=tuple(
            UseNumber(
                pieces=rule.pieces,
                min=rule.lower,
                max=rule.most(stated.pieces),
                places=tuple(units_in_coordinates(stated, place) for place in rule.places),
            )
            for rule in stated.use_rules
        ),
        paint=paint_in_words(stated) or None,
        fixed=in_coordinates(stated, stated.fixed),
        crossing=stated.crossing if stated.lattice.crossing is not None else None,
        units=len(stated.region),
        optional_units=int(stated.region.optional.sum()),
        wrap=tuple(tuple(c // period for c in v) for v in wrap.vectors) if wrap else (),
        glide=wrap.glide.texts(period) if wrap and wrap.glide else (),
        symmetries=SymmetryNumbers(all=len(group), proper=sum(s.proper for s in group)),
        items=case.model.items,
        options=case.model.options,
        known=tuple(PublishedNumber(**asdict(k)) for k in stated.known),
        unsolvable_because=case.reason,
        source=stated.source,
    )


def paint_in_words(puzzle: Puzzle) -> str:
    """Return the paint of a puzzle in words, an empty text if there is none."""
    paint = puzzle.paint
    painted = sorted({p for own in paint.pieces.values() for p in own.values()})
    fits = [f"{p} on {' '.join(sorted(paint.fits.get(p, [p])))}" for p in painted]
    return f"{len(paint.units)} units of the region; {', '.join(fits)}" if paint else ""
