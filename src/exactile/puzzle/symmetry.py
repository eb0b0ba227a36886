"""The symmetries of a puzzle: isometries that preserve the region, the pieces and the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactile.doors import door
from exactile.geometry.isometry import Matrices, Points, determinant
from exactile.geometry.lattice import Lattice
from exactile.geometry.wrap import Wrap
from exactile.puzzle.paint import key, oriented
from exactile.puzzle.pieces.piece import Freedom, is_flat, motions
from exactile.puzzle.puzzle import Placement, Puzzle, require_puzzle
from exactile.puzzle.region import Region

Permutation = npt.NDArray[np.int64]

UNITS_AT_ONCE = 1 << 16
"""Largest number of units moved at once, unless the region itself has more."""


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A symmetry of a puzzle, as permutations of its units and of its pieces.

    Unit i goes to unit ``units[i]``; placements of piece k become placements of piece
    ``pieces[k]``. `proper`: whether a rotation or translation has the same effect.
    """

    units: Permutation
    pieces: Permutation
    proper: bool


@door
def symmetries(puzzle: Puzzle, pulse: Callable[[], None] = lambda: None) -> list[Symmetry]:
    """Return the symmetries of a puzzle: the identity, other proper ones, then improper ones.

    An isometry is a symmetry if it maps units to units with the same paint, optional units to
    optional ones, each piece to one with the same bounds, paint and rules, omittable pieces to
    omittable ones, and fixed placements to fixed placements. (On lattices whose units can be cut
    anew, only isometries that map units to units count.) It must also map the units of each
    rule about open units to those of a rule with the same bounds, and the places of each rule about
    used pieces to those of a rule with the same pieces and bounds. Isometries with the same effect
    on units and pieces count once.

    `pulse` is called repeatedly during the work; an exception that it raises ends the work.

    Examples
    --------
    >>> import exactile
    >>> [s.proper for s in symmetries(exactile.load("pentominoes-6x10"))]
    [True, True, False, False]
    """
    require_puzzle(puzzle)
    found: dict[bytes, Symmetry] = {}
    matrices = puzzle.lattice.group
    carried = [
        (m, p) for m, p in zip(matrices, _piece_actions(puzzle), strict=True) if p is not None
    ]
    all_units = _unit_actions(puzzle.region, np.array([m for m, _ in carried]), pulse)
    colors = _colors(puzzle)
    turns_over = _turns_over(puzzle.region)
    for (matrix, pieces), actions in zip(carried, all_units, strict=True):
        proper = turns_over or determinant(matrix) > 0
        for units in actions:
            if not (
                (colors[units] == colors).all()
                and _keeps_fixed(puzzle, units, pieces)
                and _keeps_open(puzzle, units)
                and _keeps_places(puzzle, units)
            ):
                continue
            key = units.tobytes() + pieces.tobytes()
            found.setdefault(key, Symmetry(units, pieces, proper))  # proper matrices come first
    # Among the actions the identity comes first: its matrix leads the point group, and among the
    # translations that a wrap allows, the least unit's own place is tried first.
    return list(found.values())


def _turns_over(region: Region) -> bool:
    """Return whether every reflection of a region is the effect of a rotation in space.

    So it is for balls in one plane, although the rotation may not map their lattice to itself.
    """
    vectors = np.array(region.wrap.vectors if region.wrap else (), dtype=np.int64)
    ends = region.units[0] + vectors.reshape(-1, region.lattice.dimension)
    return region.lattice.balls and is_flat(np.concatenate([region.units, ends]))


def _piece_actions(puzzle: Puzzle) -> Iterator[Permutation | None]:
    """Yield, for each matrix of the point group, the piece that each piece is mapped to.

    Yield None if some piece has no image, or an image that does not match it: see `_permutation`.
    """
    kinds = [puzzle.kind(piece) for piece in puzzle.pieces]
    by_kind = {kind: k for k, kind in enumerate(kinds)}
    cosets = {f: _cosets(puzzle.lattice, f) for f in {piece.freedom for piece in puzzle.pieces}}
    goals: dict[tuple[int, int], int | None] = {
        (k, cosets[piece.freedom][0]): k for k, piece in enumerate(puzzle.pieces)
    }
    for number, matrix in enumerate(puzzle.lattice.group):
        targets = []
        for k, (piece, (_, rules)) in enumerate(zip(puzzle.pieces, kinds, strict=True)):
            coset = k, cosets[piece.freedom][number]
            if coset not in goals:
                images = oriented(*puzzle.paint.aspects(piece), matrix[None], puzzle.lattice.period)
                goals[coset] = by_kind.get((key(images), rules))
            if (goal := goals[coset]) is None:
                break
            targets.append(goal)
        yield _permutation(puzzle, targets) if len(targets) == len(kinds) else None


def _cosets(lattice: Lattice, freedom: Freedom) -> list[int]:
    """Return a number for each matrix of the point group.

    Two matrices that differ by a motion that the freedom allows have the same number. They act
    alike on pieces of this freedom.
    """
    products = lattice.group[:, None] @ motions(lattice, freedom)
    codes = products.reshape(*products.shape[:2], -1) @ (64 ** np.arange(lattice.dimension**2))
    return [int(code) for code in codes.min(axis=1)]


def _permutation(puzzle: Puzzle, targets: list[int]) -> Permutation | None:
    """Return the images of the pieces as an array; None if an image does not match its piece.

    `targets`: the piece that each piece is mapped to. A piece and its image must have the same
    bounds, and if one of them may be omitted, so may the other.
    """
    choice = set(puzzle.omission.names) if puzzle.omission else set()
    for piece, target in zip(puzzle.pieces, targets, strict=True):
        twin = puzzle.pieces[target]
        if (twin.lower, twin.upper) != (piece.lower, piece.upper) or (
            (twin.name in choice) != (piece.name in choice)
        ):
            return None
    return np.array(targets, dtype=np.int64)


def _unit_actions(
    region: Region, matrices: Matrices, pulse: Callable[[], None]
) -> Iterator[Iterable[Permutation]]:
    """Yield, for each matrix, all permutations of the units that it and a translation produce.

    Without a wrap, at most one translation fits: it moves the least coordinates of the image to
    those of the region. With a wrap, the image of unit 0 may be any unit.
    """
    if region.wrap is not None:
        yield from (_wrapped_actions(region, region.wrap, matrix, pulse) for matrix in matrices)
        return
    at_once = max(1, UNITS_AT_ONCE // len(region))
    for begin in range(0, len(matrices), at_once):
        pulse()
        images = region.units @ matrices[begin : begin + at_once].transpose(0, 2, 1)
        shifts = region.units.min(axis=0) - images.min(axis=1)
        units = region.index(images + shifts[:, None])
        kept = (shifts % region.lattice.period == 0).all(axis=1) & (units >= 0).all(axis=1)
        kept &= (region.optional[units] == region.optional).all(axis=1)
        for own, keeps in zip(units, kept.tolist(), strict=True):
            yield [own] if keeps else []


def _wrapped_actions(
    region: Region, wrap: Wrap, matrix: Matrices, pulse: Callable[[], None]
) -> Iterator[Permutation]:
    if not wrap.kept_by(matrix):
        return
    images = region.units @ matrix.T
    shifts: Points = wrap.kept_shifts(matrix, wrap.sheets(region.units) - images[0])
    shifts = shifts[(shifts % region.lattice.period == 0).all(axis=1)]
    for shift in shifts:
        pulse()
        units = region.index(images + shift)
        if (units >= 0).all() and (region.optional[units] == region.optional).all():
            yield units


def _colors(puzzle: Puzzle) -> npt.NDArray[np.int64]:
    """Return the paint of each unit of the region as a number.

    Units with the same number have the same paint.
    """
    if not puzzle.paint:
        return np.zeros(len(puzzle.region), dtype=np.int64)
    return puzzle.paint.of(puzzle.region.units)[1]


def _keeps_fixed(puzzle: Puzzle, units: Permutation, pieces: Permutation) -> bool:
    region = puzzle.region
    images = set()
    for placement in puzzle.fixed:
        places = units[region.index(np.array(placement.units, dtype=np.int64))]
        name = puzzle.pieces[pieces[puzzle.piece_index[placement.piece]]].name
        points = sorted(tuple(p) for p in region.units[np.sort(places)].tolist())
        images.add(Placement(name, tuple(points)))
    return images == set(puzzle.fixed)


def _keeps_open(puzzle: Puzzle, units: Permutation) -> bool:
    """Return whether a permutation of units maps the rules about open units to themselves."""
    before, after = [], []
    for rule in puzzle.open_rules:
        numbers = puzzle.region.index(np.array(rule.units, dtype=np.int64))
        bounds = rule.lower, rule.most(puzzle.region)
        before.append((*bounds, sorted(numbers.tolist())))
        after.append((*bounds, sorted(units[numbers].tolist())))
    return sorted(before) == sorted(after)


def _keeps_places(puzzle: Puzzle, units: Permutation) -> bool:
    """Return whether a permutation of units maps the rules about used pieces to themselves."""
    before, after = [], []
    for rule in puzzle.use_rules:
        numbers = [puzzle.region.index(np.array(place, dtype=np.int64)) for place in rule.places]
        about = sorted(rule.pieces), rule.lower, rule.most(puzzle.pieces)
        before.append((*about, sorted(sorted(place.tolist()) for place in numbers)))
        after.append((*about, sorted(sorted(units[place].tolist()) for place in numbers)))
    return sorted(before) == sorted(after)
