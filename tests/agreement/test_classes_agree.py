"""Transformations of solutions, found again from their definition: every set, every isometry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import exactile
from exactile.files import Document
from exactile.geometry import get_lattice
from exactile.geometry.isometry import Points
from exactile.geometry.wrap import Wrap
from exactile.puzzle import Puzzle, Region, Solution
from exactile.puzzle.pieces.sets import piece_set
from exactile.puzzle.puzzle import Omission
from exactile.puzzle.symmetry import symmetries
from exactile.surveys.classes import Kind, Solutions, classify
from exactile.surveys.classes.isometries import _shifts
from exactile.surveys.classes.transformations import transformations, usable_isometries
from support.small import box_puzzle

Units = frozenset[int]
Placed = frozenset[tuple[int, Units]]
Maps = list[dict[int, int]]

PUZZLES = [
    "tetrahexes-4x7",
    "tetrominoes-5x4-tube",
    "tetrominoes-torus-5x4",
    "tetrominoes-twisted-torus",
    "polyominoes-123-square",
    "dominoes-4x4",
    "dominoids-two-cubes",
    pytest.param("soma-castle-2", marks=pytest.mark.slow),
    pytest.param("diabolical-cube", marks=pytest.mark.slow),
    pytest.param("tritrigs-triangle-2", marks=pytest.mark.slow),
]
"""With copies, wraps, symmetric solutions, solids, faces, edges."""


def placed(puzzle: Puzzle, solution: Solution) -> Placed:
    """Return a solution by numbers of pieces and units."""
    number = {tuple(p): u for u, p in enumerate(puzzle.region.units.tolist())}
    names = [piece.name for piece in puzzle.pieces]
    return frozenset(
        (names.index(p.piece), frozenset(number[u] for u in p.units)) for p in solution
    )


def all_maps(puzzle: Puzzle) -> Maps:
    """Return what every isometry does to units, those that leave the region left out."""
    region = puzzle.region
    found: dict[tuple[tuple[int, int], ...], dict[int, int]] = {}
    for matrix in region.lattice.group:
        if region.wrap is not None and not region.wrap.kept_by(matrix):
            continue
        turned = region.units @ matrix.T
        for target in region.units:
            for source in turned:
                if ((target - source) % region.lattice.period).any():
                    continue
                images = region.index(turned + (target - source)).tolist()
                pairs = tuple((u, v) for u, v in enumerate(images) if v >= 0)
                found.setdefault(pairs, dict(pairs))
    return list(found.values())


def image(units: Units, moved_by: dict[int, int]) -> Units | None:
    """Return where units go, None if some leave the region."""
    if not all(u in moved_by for u in units):
        return None
    return frozenset(moved_by[u] for u in units)


def union(placements: tuple[tuple[int, Units], ...]) -> Units:
    return frozenset(u for _, units in placements for u in units)


def changes(solution: Placed, maps: Maps) -> Iterator[tuple[Kind, Placed]]:
    """Yield everything that a block move, an exchange or a rearranged pair may lead to."""
    placements = sorted(solution, key=lambda p: sorted(p[1]))
    inverses = [{v: u for u, v in m.items()} for m in maps]
    subsets = [s for n in range(1, len(placements) + 1) for s in combinations(placements, n)]
    by_union = {union(s): s for s in subsets}
    for subset in subsets:
        here = union(subset)
        for moved_by, back in zip(maps, inverses, strict=True):
            there = image(here, moved_by)
            other = by_union.get(there) if there is not None else None
            if other is None:
                continue
            moved = {(k, frozenset(moved_by[u] for u in units)) for k, units in subset}
            if there == here:
                yield Kind.BLOCK, frozenset(solution - set(subset) | moved)
            elif not set(subset) & set(other):
                swapped = {(k, frozenset(back[u] for u in units)) for k, units in other}
                rest = solution - set(subset) - set(other)
                yield Kind.EXCHANGE, frozenset(rest | moved | swapped)


def images(puzzle: Puzzle, solution: Placed) -> list[Placed]:
    return [
        frozenset(
            (int(s.pieces[k]), frozenset(int(s.units[u]) for u in units)) for k, units in solution
        )
        for s in symmetries(puzzle)
    ]


def by_definition(
    puzzle: Puzzle, solutions: Solutions
) -> Counter[tuple[int, int, frozenset[Kind]]]:
    """Return how many transformations of which kinds there are between any two solutions."""
    kept = [placed(puzzle, solutions[k]) for k in range(len(solutions))]
    number = {i: k for k, solution in enumerate(kept) for i in images(puzzle, solution)}
    maps = all_maps(puzzle)
    found: dict[tuple[int, Placed], set[Kind]] = {}
    for k, solution in enumerate(kept):
        for kind, changed in changes(solution, maps):
            if len(solution & changed) >= 2 and number.get(changed, -1) > k:
                found.setdefault((k, changed), set()).add(kind)
        for other, j in number.items():
            old, new = solution - other, other - solution
            alike = sorted(p for p, _ in old) == sorted(p for p, _ in new)
            whole = union(tuple(old)) == union(tuple(new))
            if j > k and len(old) == len(new) == 2 <= len(solution & other) and alike and whole:
                found.setdefault((k, other), set()).add(Kind.PAIR)
    # Those that a symmetry of the first solution carries into each other count once.
    counted: set[tuple[int, frozenset[Placed]]] = set()
    result: Counter[tuple[int, int, frozenset[Kind]]] = Counter()
    for (k, changed), kinds in found.items():
        own = [n for n, i in enumerate(images(puzzle, kept[k])) if i == kept[k]]
        orbit = frozenset(images(puzzle, changed)[n] for n in own)
        if (k, orbit) not in counted:
            counted.add((k, orbit))
            every = frozenset(x for other in orbit for x in found[k, other])
            result[k, number[changed], every] += 1
        assert all(found[k, other] == kinds for other in orbit)
    return result


TUBE = """
format = 1

[puzzle.tube]
lattice = "hexagon"
pieces = { cells = { A = "0,0 1,0 2,-1", B = "0,0" }, copies = { A = 2, B = 2 } }
region = { box = [4, 2], wrap = [[0, 2]] }
"""
"""A tube has isometries that carry its first unit out of it."""


def test_transformations_on_a_tube_are_those_of_the_definition() -> None:
    puzzle = Document("tube.toml", TUBE).puzzle("tube")
    solutions = Solutions.of_search(exactile.Search(puzzle))
    found = Counter(
        (change.first, change.second, change.kinds) for change in transformations(solutions)
    )
    assert found == by_definition(puzzle, solutions)


def test_large_tubes_take_no_longer_than_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Translations are tried once each, not once for each unit."""
    grid = exactile.get_lattice("square")
    reduce, rows = Wrap.reduce, []

    def counting(wrap: Wrap, points: Points) -> Points:
        rows.append(np.size(points) // 2)
        return reduce(wrap, points)

    region = Region(grid, grid.points(list(grid.builders["box"](10, 8))), None, Wrap([(10, 0)]))
    monkeypatch.setattr(Wrap, "reduce", counting)
    shifts = _shifts(region, region.units)
    assert len(shifts) == 10 * 15
    assert sum(rows) <= 4 * len(region)


@pytest.mark.parametrize("name", ["tetrominoes-twisted-torus", "pentominoes-torus-5x5"])
def test_silhouettes_do_not_hang_on_which_solutions_stand_for_their_images(name: str) -> None:
    solutions = Solutions.of_search(exactile.Search(exactile.load(name)))
    random = np.random.default_rng(1)
    some = random.integers(len(solutions.images), size=len(solutions))
    images = solutions.images[some, random.permutation(len(solutions))]
    others = Solutions(solutions.case, [images])
    assert len(others) == len(solutions)
    assert silhouettes(others) == silhouettes(solutions)


def silhouettes(solutions: Solutions) -> dict[tuple[object, ...], Counter[str]]:
    """Return how often which pieces moved as which silhouette."""
    return {(s.kind, s.points): s.pieces for s in classify(solutions).silhouettes or ()}


@pytest.mark.parametrize("name", PUZZLES)
def test_transformations_are_those_of_the_definition(name: str) -> None:
    puzzle = exactile.load(name)
    solutions = Solutions.of_search(exactile.Search(puzzle))
    found = Counter(
        (change.first, change.second, change.kinds) for change in transformations(solutions)
    )
    assert found == by_definition(puzzle, solutions)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [("pentominoes-4x15", set(Kind)), ("dominoes-4x4", {Kind.BLOCK, Kind.EXCHANGE})],
)
def test_what_is_said_to_move_does(name: str, kinds: set[Kind]) -> None:
    """Isometry, block and halves of each transformation lead to the second solution.

    Some solutions with dominoes are symmetric, so that a change has several images.
    """
    solutions = Solutions.of_search(exactile.Search(exactile.load(name)))
    known = usable_isometries(solutions)
    found = transformations(solutions, moved_by=known)
    assert {change.kind for change in found} == kinds
    for change in found:
        first = set(solutions.rows[change.first].tolist())
        second = set(solutions.images[change.element][change.second].tolist())
        assert set(change.moved) == first - second
        if change.isometry is None:
            continue
        there = known.images[change.isometry].tolist()
        back = known.inverses[change.isometry].tolist()
        if Kind.BLOCK in change.kinds:
            ways = [(option, there) for option in change.moved]
        else:
            one, other = change.halves
            assert {*one, *other} == set(change.moved)
            ways = [(option, there) for option in one] + [(option, back) for option in other]
        moved = {
            (pieces(solutions, o), frozenset(m[u] for u in units(solutions, o))) for o, m in ways
        }
        assert moved == {
            (pieces(solutions, o), frozenset(units(solutions, o))) for o in second - first
        }


def pieces(solutions: Solutions, option: int) -> tuple[int, ...]:
    return (int(solutions.model.piece_of[option]),)


def units(solutions: Solutions, option: int) -> list[int]:
    return solutions.model.units_of(option)


def test_pieces_left_out_are_no_placements() -> None:
    pentominoes = piece_set("pentominoes", get_lattice("square"))
    puzzle = replace(
        box_puzzle("pentominoes", 5, 4), omission=Omission(tuple(pentominoes.pieces), 8)
    )
    solutions = Solutions.of_search(exactile.Search(puzzle))
    assert {int((row >= 0).sum()) for row in solutions.rows} == {4}
    found = transformations(solutions)
    assert found
    assert all(4 - len(change.moved) >= 2 for change in found)


def test_a_search_of_all_solutions_and_one_of_orbits_give_the_same() -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    one = Solutions.of_search(exactile.Search(puzzle))
    other = Solutions.of_search(exactile.Search(puzzle, up_to="symmetry", use_symmetry=False))
    assert sorted(map(tuple, np.sort(one.images, axis=2).reshape(-1, 7).tolist())) == sorted(
        map(tuple, np.sort(other.images, axis=2).reshape(-1, 7).tolist())
    )
