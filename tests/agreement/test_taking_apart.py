"""Taking apart against a search written apart: every set of pieces, every distance, state by state.

It shares the checker's test of single steps, which `tests/unit/assembly/test_replay.py` compares
with dense sampling, and nothing with the search.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import count, islice, product

import numpy as np
import pytest

import exactile
from exactile import Freedom, Piece, Placement, Puzzle, Region, Solution
from exactile.answers import Disassembly
from exactile.assembly.replay import Meetings, replay
from exactile.geometry.lattice import Lattice

LATTICES = {"square": (6, 6), "cube": (4, 4, 4), "triangle-prisms": (4, 4, 3), "spheres": (4, 4, 4)}
"""Lattices, and sizes of the boxes that assemblies are made in."""

FAR = 12
"""Steps after which pieces of these boxes have left each other."""

MOST_STATES = 1000
"""Assemblies with more states would take the search from the definition minutes."""

Unit = tuple[int, ...]
State = tuple[Unit, ...]


def assembly(name: str, rng: random.Random) -> Solution:
    """Return 3 to 6 pieces that do not overlap; one of them is often a cage with an opening."""
    lattice = exactile.get_lattice(name)
    sizes = LATTICES[name]
    places = {
        tuple(lattice.period * p + o for p, o in zip(place, origin, strict=True)): place
        for place in product(*map(range, sizes))
        for origin in lattice.origins
    }
    shell = {
        unit
        for unit, place in places.items()
        if any(p in (0, size - 1) for p, size in zip(place, sizes, strict=True))
    }
    free = {*places} - shell
    pieces: list[list[Unit]] = []
    if rng.random() < 0.8:
        opening = {rng.choice(sorted(shell))}
        for _ in range(rng.randint(0, lattice.dimension - 1)):
            opening |= {u for unit in opening for u in neighbors(lattice, unit)}
        pieces.append(sorted(shell - opening))
    else:
        free |= shell
    starts = rng.sample(sorted(free), min(len(free), rng.randint(3, 6) - len(pieces)))
    grown = [[start] for start in starts]
    free -= {*starts}
    for _ in range(int(rng.uniform(0.1, 0.6) * len(free))):
        options = [
            (k, unit)
            for k, units in enumerate(grown)
            for unit in sorted({u for v in units for u in neighbors(lattice, v)} & free)
        ]
        if not options:
            break
        k, unit = rng.choice(options)
        grown[k].append(unit)
        free.remove(unit)
    pieces += map(sorted, grown)
    return tuple(Placement(f"P{k}", tuple(units)) for k, units in enumerate(pieces))


@cache
def neighbors(lattice: Lattice, unit: Unit) -> list[Unit]:
    """Return the neighbors of a unit."""
    kind = int(lattice.types(np.array([unit]))[0])
    return [tuple(u + s for u, s in zip(unit, o, strict=True)) for o in lattice.neighbors[kind]]


def puzzle_of(name: str, solution: Solution) -> Puzzle:
    """Return a puzzle with a solution."""
    lattice = exactile.get_lattice(name)
    units = np.array([u for placement in solution for u in placement.units])
    pieces = tuple(Piece(p.piece, lattice, p.units, Freedom.FIXED) for p in solution)
    return Puzzle("assembly", Region(lattice, units), pieces)


class BruteForce:
    """The least number of moves of every separation, from the definition."""

    def __init__(self, lattice: Lattice, solution: Solution) -> None:
        self.lattice = lattice
        self.units = [np.array(p.units) for p in solution]
        self.ways = Meetings(lattice)
        vectors = {tuple(c) for m in lattice.group for c in m.T.tolist()}
        self.directions = sorted(vectors)
        self.start = ((0,) * lattice.dimension,) * len(solution)
        self.step = cache(self._step)

    def _step(self, i: int, j: int, apart: tuple[int, ...], direction: tuple[int, ...]) -> bool:
        """Whether i, and j displaced from it, meet when i makes a step."""
        other = self.units[j] + np.array(apart) * self.lattice.period
        return self.ways.meet(self.units[i], other, np.array(direction) * self.lattice.period)

    def fewest(self, pieces: tuple[int, ...], start: State, *, lines: bool) -> int | None:
        """Return the least number of moves that separates some pieces; None if none does."""
        known, layer = {start}, [start]
        moves = 0
        while layer:
            moves += 1
            if any(self.separable(pieces, state) for state in layer):
                return moves
            found = []
            for state in layer:
                reached = self.along(pieces, state, lines=lines)
                found += sorted(reached - known)
                known |= reached
            layer = found
            assert len(known) < 50_000
        return None

    def separable(self, pieces: tuple[int, ...], state: State) -> bool:
        return any(
            len(list(self.slides(pieces, state, moving, direction))) == FAR
            for moving in subsets(len(pieces))
            for direction in self.directions
        )

    def along(self, pieces: tuple[int, ...], state: State, *, lines: bool) -> set[State]:
        """Return the states after one move."""
        reached = set()
        for direction in self.directions:
            line, waiting = {state}, [state]
            while waiting:
                here = waiting.pop()
                for moving in subsets(len(pieces)):
                    for there in self.slides(pieces, here, moving, direction):
                        if there not in line:
                            line.add(there)
                            waiting += [there] if lines else []
            reached |= line
        return reached

    def slides(
        self, pieces: tuple[int, ...], state: State, moving: tuple[int, ...], direction: Unit
    ) -> Iterator[State]:
        """Yield the states after 1, 2 ... steps of some pieces, until they meet others."""
        here = state
        for _ in range(FAR):
            for a in moving:
                for b in set(range(len(pieces))) - set(moving):
                    apart = tuple(y - x for x, y in zip(here[a], here[b], strict=True))
                    if self.step(pieces[a], pieces[b], apart, direction):
                        return
            here = tuple(
                tuple(x + d for x, d in zip(at, direction, strict=True)) if k in moving else at
                for k, at in enumerate(here)
            )
            first = here[0]
            yield tuple(tuple(x - f for x, f in zip(at, first, strict=True)) for at in here)


def subsets(pieces: int) -> list[tuple[int, ...]]:
    """Return all sets of pieces but none and all."""
    return [
        tuple(k for k in range(pieces) if bits >> k & 1) for bits in range(1, (1 << pieces) - 1)
    ]


def agree(name: str, seed: int) -> Disassembly:
    """Compare one random assembly; return what was found."""
    solution = assembly(name, random.Random(seed))
    puzzle = puzzle_of(name, solution)
    answer = exactile.take_apart(puzzle, solution)
    replay(puzzle, answer)
    brute = BruteForce(puzzle.lattice, solution)
    at = [*brute.start]  # where earlier separations left the pieces
    first = answer.separations[0] if answer.separations else None
    everything = tuple(range(len(solution)))
    assert (first is None) == (brute.fewest(everything, tuple(at), lines=False) is None)
    for separation in answer.separations:
        state = tuple(at[k] for k in separation.pieces)
        assert len(separation.moves) == brute.fewest(separation.pieces, state, lines=False)
        for move in separation.moves:
            for k in move.pieces:
                steps = move.steps or 0
                at[k] = tuple(x + steps * d for x, d in zip(at[k], move.direction, strict=True))
    if answer.outcome == "locked":
        state = tuple(at[k] for k in answer.locked)
        assert brute.fewest(answer.locked, state, lines=False) is None
    else:
        assert answer.outcome == "apart"
        assert answer.moves == sum(len(s.moves) for s in answer.separations)
        by_lines = int(answer.level_by_lines.split(".")[0])
        assert by_lines == brute.fewest(everything, brute.start, lines=True)
    return answer


CHOSEN = {
    "square": (0, 5, 7, 10, 18, 19),
    "cube": (3, 7, 8, 10, 16, 17),
    "triangle-prisms": (1, 15),
    "spheres": (0, 2, 4, 14),
}
"""Seeds of assemblies of all kinds that are searched quickly."""

OF_FIVE = {"square": (3, 4, 5, 11, 14, 21, 26, 33, 37), "cube": (0, 1, 3, 6, 11, 17, 21, 27, 32)}
"""Seeds of such assemblies of five or six pieces."""


@pytest.mark.parametrize("name", LATTICES)
def test_a_search_from_the_definition_agrees(name: str) -> None:
    assert {agree(name, seed).outcome for seed in CHOSEN[name]} == {"apart", "locked"}


def filled(solution: Solution, dimension: int, *, fillers: bool) -> Solution:
    """Return an assembly three times as large; fillers are cells inside the pieces."""
    block = np.array([*product(range(3), repeat=dimension)])
    middle = (1,) * dimension
    pieces = []
    for placement in solution:
        units = {tuple(u) for unit in placement.units for u in 3 * np.array(unit) + block}
        inside = tuple(int(c) for c in 3 * np.array(placement.units[0]) + middle)
        pieces.append(Placement(placement.piece, tuple(sorted(units - {inside}))))
        if fillers:
            pieces.append(Placement(f"{placement.piece}F", (inside,)))
    return tuple(pieces)


@pytest.mark.parametrize("name", OF_FIVE)
def test_sets_of_more_than_eight_pieces_are_separated_like_small_ones(name: str) -> None:
    """A filler goes where its piece goes, so that all sets of pieces are twice as large.

    Code for up to eight pieces is compared with that for more. Only first separations are: a piece
    and its filler are locked, which ends the larger search.
    """
    dimension = len(LATTICES[name])
    moves = []
    for seed in OF_FIVE[name]:
        solution = assembly(name, random.Random(seed))
        few, many = (
            exactile.take_apart(puzzle_of(name, whole), whole)
            for whole in (filled(solution, dimension, fillers=f) for f in (False, True))
        )
        assert many.outcome == "locked"
        if few.separations:
            moves.append(len(few.separations[0].moves))
            assert len(many.separations[0].moves) == moves[-1]
        else:
            assert not many.separations
            assert many.stats["states"] == few.stats["states"]
            moves.append(0)
    assert len({*moves}) > 2


def seeds(name: str) -> Iterator[int]:
    """Yield seeds of assemblies with few enough states for a search of all sets of pieces."""
    for seed in count():
        solution = assembly(name, random.Random(seed))
        if exactile.take_apart(puzzle_of(name, solution), solution).stats["states"] < MOST_STATES:
            yield seed


@pytest.mark.slow
@pytest.mark.parametrize("name", LATTICES)
def test_a_search_from_the_definition_agrees_on_125_assemblies(name: str) -> None:
    answers = [agree(name, seed) for seed in islice(seeds(name), 125)]
    assert {answer.outcome for answer in answers} == {"apart", "locked"}
