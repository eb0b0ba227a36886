"""The solutions that a run has kept: checked, filtered and decoded, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.answers import Coordinates
from exactile.doors import door
from exactile.errors import FileError
from exactile.model.orbits import Assignments, Representatives
from exactile.puzzle.coordinates import units_from_coordinates
from exactile.puzzle.puzzle import Solution
from exactile.runs.run import StoredRun
from exactile.search.case import Case, first_fault

AT_ONCE = 4096
"""Number of stored solutions that are checked, and expanded to their images, at a time."""


class Having(NamedTuple):
    """A condition on a solution: one placement of `piece` covers all of `units`.

    The units are in customary coordinates. Without units, any placement of the piece will do.
    """

    piece: str
    units: tuple[Coordinates, ...]


@door
def found_solutions(
    run: StoredRun, *, up_to: str | None = None, having: Sequence[Having] = ()
) -> Iterator[Solution]:
    """Yield the solutions that a run has kept, and their images, always in the same order.

    If the run takes solutions apart (`RunSettings.apart`), it keeps one of each orbit, and images
    are not added.

    Parameters
    ----------
    run
        The run; it must keep solutions.
    up_to
        ``"rotation"`` or ``"symmetry"``: of solutions that meet the conditions and are equal up to
        proper symmetries or up to all symmetries, yield only the first one. None: all.
    having
        Conditions, all of which a solution must meet to be yielded.

    Raises
    ------
    FileError
        If the run keeps no solutions, or one is wrong, because the store is damaged or another
        version of exactile began the run.
    PuzzleError
        If a condition names a piece or a unit that the puzzle does not have, or `up_to` has another
        value.
    """
    case = run.case
    first = None if up_to is None else Representatives(case.action, up_to)
    masks = [_options(case, each) for each in having]
    for rows in found_rows(run):
        for mask in masks:
            rows = rows[mask[rows].any(axis=1)]
        if first is not None:
            rows = rows[first.new(rows)]
        yield from case.decoder.solutions(rows)


def found_rows(run: StoredRun, *, images: bool = True) -> Iterator[Assignments]:
    """Yield the stored solutions in batches: arrays with a row of options for each solution.

    Each solution is checked. `images`: whether to add the images that the search left out; they are
    not added if the run takes solutions apart (`RunSettings.apart`). Raise FileError if the run
    keeps no solutions, or one is wrong.
    """
    if not run.settings.keep:
        raise FileError(
            f"{run.store.path}: run {run.number} only counts: keep solutions by `exactile solve "
            "--all --store`."
        )
    images = images and run.settings.symmetric and not run.settings.apart
    branches = run.case.branches if images else None
    for kept in run.store.solutions(run.number):
        for start in range(0, len(kept), AT_ONCE):
            rows = kept[start : start + AT_ONCE]
            _require_right(run, rows)
            yield rows if branches is None else branches.expanded(rows)


def _options(case: Case, having: Having) -> npt.NDArray[np.bool_]:
    """Return a mask of the options that meet a condition: its piece covers all of its units.

    The mask has an additional last entry, False, for the -1 that pads solutions.
    """
    puzzle, model = case.puzzle, case.model
    puzzle.piece(having.piece)
    mask = np.zeros(model.options + 1, dtype=bool)
    mask[model.options_with(puzzle.piece_index[having.piece])] = True
    units = units_from_coordinates(puzzle, having.units)  # if none, all options of the piece
    points = np.array(units, dtype=np.int64).reshape(-1, puzzle.lattice.dimension)
    for item in model.meaning.items_of(puzzle.region.index(points)).tolist():
        lies = np.zeros_like(mask)
        lies[model.options_with(item)] = True
        mask &= lies
    return mask


def _require_right(run: StoredRun, rows: Assignments) -> None:
    try:
        wrong = first_fault(run.case.checker, run.case.decoder, rows)
    except IndexError:
        wrong = 0, ["it has an option that does not exist"]
    if wrong is not None and run.record.model != run.case.digest:
        raise FileError(
            f"{run.store.path}: run {run.number} was begun with another model of its puzzle, by "
            "another version of exactile: search again."
        )
    if wrong is not None:
        raise FileError(
            f"{run.store.path}: the store is damaged: a solution of run {run.number} is wrong: "
            f"{'; '.join(wrong[1])}."
        )
