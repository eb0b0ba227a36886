"""Taking apart with quarter turns against a search written apart: every set of pieces, every axis.

It shares the checker's test of single cells, which `tests/unit/assembly/test_turning.py` compares
with a dense simulation of turns, and nothing with the search.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import chain, count, islice, product

import numpy as np
import pytest

import exactile
from exactile import Freedom, Piece, Placement, Puzzle, Region, Solution
from exactile.answers import Disassembly, Move
from exactile.assembly.disassemble import Disassembler
from exactile.assembly.replay import overlap, replay
from support.few import few

Cell = tuple[int, ...]
Cells = frozenset[Cell]
State = tuple[Cells, ...]

CUBE = exactile.get_lattice("cube")
WAYS = [tuple(sign * (k == axis) for k in range(3)) for axis in range(3) for sign in (1, -1)]

CAGES = [
    *[((6, 6, 3), (2,)), ((6, 6, 3), (3,)), ((3, 6, 7), (3,)), ((5, 4, 6), (2,))],
    *[((5, 5, 3), (2, 1)), ((5, 5, 3), (3, 1)), ((4, 4, 5), (2, 1))],
]
"""Sizes of closed cages, and of the pieces in them."""

FAR = 14
"""Steps after which pieces of these boxes have left each other."""


def assembly(rng: random.Random) -> Solution:
    """Return 3 or 4 pieces: in a block that is carved out on a random way of one of them."""
    sizes = rng.choice([(3, 3, 3), (4, 3, 3), (4, 4, 3), (4, 4, 4), (5, 4, 3), (5, 5, 3)])
    free = {*product(*map(range, sizes))}
    inner = {c for c in free if all(0 < x < size - 1 for x, size in zip(c, sizes, strict=True))}
    mover = grown(rng, rng.choice(sorted(inner)), free, rng.randint(2, 4))
    free -= mover
    here = frozenset(mover)
    for _ in range(rng.randint(1, 2)):
        met, here = way(here, rng)
        free -= met
    others = [mover]
    for _ in range(rng.randint(1, 2)):
        if free:
            others.append(grown(rng, rng.choice(sorted(free)), free, rng.randint(1, 3)))
            free -= others[-1]
    pieces = [connected(free), *others] if free else others
    return tuple(Placement(f"P{k}", tuple(sorted(piece))) for k, piece in enumerate(pieces))


def cage(rng: random.Random) -> Solution:
    """Return one or two loose pieces in a closed cage."""
    sizes, orders = rng.choice(CAGES)
    box = {*product(*map(range, sizes))}
    free = {c for c in box if all(0 < x < size - 1 for x, size in zip(c, sizes, strict=True))}
    pieces = [box - free]
    for order in orders:
        pieces.append(grown(rng, rng.choice(sorted(free)), free, order))
        free -= pieces[-1]
    return tuple(Placement(f"P{k}", tuple(sorted(piece))) for k, piece in enumerate(pieces))


def grown(rng: random.Random, start: Cell, free: set[Cell], order: int) -> set[Cell]:
    """Return a piece that grows from a cell."""
    piece = {start}
    while len(piece) < order:
        near = sorted({c for cell in piece for c in neighbors(cell)} & free - piece)
        if not near:
            break
        piece.add(rng.choice(near))
    return piece


def way(piece: Cells, rng: random.Random) -> tuple[set[Cell], Cells]:
    """Return the cells on a random way of a piece, and where it ends."""
    if rng.random() < 0.25:
        along, far = rng.choice(WAYS), rng.randint(1, 3)
        met = {add(cell, along, steps) for cell in piece for steps in range(1, far + 1)}
        return met, frozenset(add(cell, along, far) for cell in piece)
    first, second = rng.sample(range(3), 2)
    axis = rng.choice(sorted(axes_through(piece, first, second)))
    places = [[*turn(cell, first, second, axis)] for cell in piece]
    return {c for each in places for c in each}, frozenset(each[0] for each in places)


def neighbors(cell: Cell) -> list[Cell]:
    return [add(cell, way, 1) for way in WAYS]


def add(cell: Cell, way: tuple[int, ...], steps: int) -> Cell:
    return tuple(c + steps * d for c, d in zip(cell, way, strict=True))


def connected(cells: set[Cell]) -> set[Cell]:
    """Return the largest connected part of some cells."""
    parts = []
    while cells:
        part, waiting = set(), [cells.pop()]
        while waiting:
            cell = waiting.pop()
            part.add(cell)
            waiting += {*neighbors(cell)} & cells
            cells -= {*neighbors(cell)}
        parts.append(part)
    return max(parts, key=len)


def puzzle_of(solution: Solution) -> Puzzle:
    """Return a puzzle with a solution."""
    units = np.array([u for placement in solution for u in placement.units])
    pieces = tuple(Piece(p.piece, CUBE, p.units, Freedom.FIXED) for p in solution)
    return Puzzle("assembly", Region(CUBE, units), pieces)


@cache
def swept(cell: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the squares that one meets in a quarter turn, in half units from the axis."""
    far = 3 * max(map(abs, cell)) // 2 + 4
    near = [range(-far - (far + c) % 2, far + 1, 2) for c in cell]
    return [(x, y) for x, y in product(*near) if overlap(cell, (x, y))]


def turn(cell: Cell, first: int, second: int, axis: tuple[int, int]) -> Iterator[Cell]:
    """Yield where a cell is after a quarter turn from one axis to another, and what it meets."""
    flat = (2 * cell[first] - axis[0], 2 * cell[second] - axis[1])
    for x, y in [(-flat[1], flat[0]), *swept(flat)]:
        place = [*cell]
        place[first], place[second] = (x + axis[0]) // 2, (y + axis[1]) // 2
        yield tuple(place)


def after_turn(
    moving: State, others: Cells, first: int, second: int, axis: tuple[int, int]
) -> State | None:
    """Return pieces after a turn; None if they meet others."""
    found = []
    for piece in moving:
        turned = set()
        for cell in piece:
            places = turn(cell, first, second, axis)
            turned.add(next(places))
            if not others.isdisjoint(places):
                return None
        found.append(frozenset(turned))
    return tuple(found)


def axes_through(cells: Cells, first: int, second: int) -> set[tuple[int, int]]:
    """Return the axes across a plane that pass through the box around some cells."""
    ranges = []
    for k in (first, second):
        along = [cell[k] for cell in cells]
        ranges.append(range(2 * min(along) - 1, 2 * max(along) + 2))
    return {(p, q) for p, q in product(*ranges) if (p + q) % 2 == 0}


def after_moves(state: State, *, lines: bool) -> Iterator[State | None]:
    """Yield the states after one move; None if it leads away. The first piece stays in place."""
    for way in WAYS:
        waiting: list[State] = [state]
        known: set[State | None] = {state}
        while waiting:
            here = waiting.pop()
            for there in chain(*(slides(here, group, way) for group in groups(state))):
                if there not in known:
                    known.add(there)
                    waiting += [there] if lines and there else []
        yield from known
    yield from after_turns(state)


def groups(state: State) -> list[list[int]]:
    """Return all sets of pieces without the first one."""
    return [
        [k for k in range(1, len(state)) if bits >> k & 1] for bits in range(2, 1 << len(state), 2)
    ]


def after_turns(state: State) -> Iterator[State]:
    """Yield the states after one quarter turn."""
    for group in groups(state):
        moving = tuple(state[k] for k in group)
        others = frozenset().union(*(p for k, p in enumerate(state) if k not in group))
        everything = frozenset().union(*moving)
        for first, second in ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)):
            axes = axes_through(everything, first, second) | axes_through(others, first, second)
            for axis in sorted(axes):
                turned = after_turn(moving, others, first, second, axis)
                if turned is not None:
                    yield changed(state, group, turned)


def changed(state: State, group: list[int], pieces: State) -> State:
    """Return a state with other places of a group."""
    result = [*state]
    for k, piece in zip(group, pieces, strict=True):
        result[k] = piece
    return tuple(result)


def slides(state: State, group: list[int], way: tuple[int, ...]) -> Iterator[State | None]:
    """Yield the states after 1, 2 ... steps of a group, until it meets others; None if never."""
    others = frozenset().union(*(p for k, p in enumerate(state) if k not in group))
    for steps in range(1, FAR + 1):
        moved = tuple(frozenset(add(cell, way, steps) for cell in state[k]) for k in group)
        if any(not piece.isdisjoint(others) for piece in moved):
            return
        yield changed(state, group, moved) if steps < FAR else None


def fewest(state: State, *, lines: bool, known: set[State] | None = None) -> int | None:
    """Return the least number of moves that separates some pieces; None if none does.

    `known` receives the states.
    """
    known = set() if known is None else known
    known.add(state)
    layer = [state]
    moves = 0
    while layer:
        moves += 1
        if any(separable(each) for each in layer):
            return moves
        found = []
        for each in layer:
            for there in after_moves(each, lines=lines):
                if there is not None and there not in known:
                    known.add(there)
                    found.append(there)
        layer = found
        assert len(known) < 20_000
    return None


def separable(state: State) -> bool:
    """Return whether a group can leave by one translation."""
    return any(None in slides(state, group, way) for group in groups(state) for way in WAYS)


def moved(piece: Cells, move: Move) -> Cells:
    """Return where a piece is after a move."""
    if move.about is None:
        return frozenset(add(cell, move.direction, move.steps or 0) for cell in piece)
    along = next(k for k in range(3) if move.direction[k])
    first, second = (along + 1) % 3, (along + 2) % 3
    if move.direction[along] < 0:
        first, second = second, first
    axis = (int(2 * move.about[first]), int(2 * move.about[second]))
    return frozenset(next(turn(cell, first, second, axis)) for cell in piece)


def agree(seed: int) -> Disassembly:
    """Compare one random assembly; return what was found."""
    solution = assembly(random.Random(seed))
    puzzle = puzzle_of(solution)
    answer = exactile.take_apart(puzzle, solution, rotations=True)
    replay(puzzle, answer)
    at = [frozenset(p.units) for p in solution]
    if not answer.separations:
        assert fewest(tuple(at), lines=False) is None
    elif answer.outcome == "apart":
        by_lines = int(answer.level_by_lines.split(".")[0])
        assert by_lines == fewest(tuple(at), lines=True)
    for separation in answer.separations:
        state = tuple(at[k] for k in separation.pieces)
        assert len(separation.moves) == fewest(state, lines=False)
        for move in separation.moves:
            for k in move.pieces:
                at[k] = moved(at[k], move)
    if answer.outcome == "locked":
        assert fewest(tuple(at[k] for k in answer.locked), lines=False) is None
    else:
        assert answer.outcome == "apart"
    return answer


CHOSEN = (961, 1722, 4102, 5088, 8212, 9338)
"""Seeds of assemblies that only come apart by a turn, or in fewer moves with one."""

LOCKED = (30, 151, 189, 219)
"""Seeds of assemblies that are locked even so."""


def seeds() -> Iterator[int]:
    """Yield seeds of assemblies that are not taken apart piece by piece."""
    for seed in count():
        solution = assembly(random.Random(seed))
        answer = exactile.take_apart(puzzle_of(solution), solution)
        if answer.outcome == "locked" or {*answer.level.split(".")} != {"1"}:
            yield seed


def test_a_search_from_the_definition_agrees() -> None:
    for seed in CHOSEN:
        answer = agree(seed)
        assert answer.outcome == "apart"
        assert any(m.about is not None for s in answer.separations for m in s.moves)
        solution = assembly(random.Random(seed))
        without = exactile.take_apart(puzzle_of(solution), solution)
        assert without.outcome == "locked" or (without.moves or 0) > (answer.moves or 0)
    for seed in LOCKED:
        assert agree(seed).outcome == "locked"


@pytest.mark.slow
def test_a_search_from_the_definition_agrees_on_60_assemblies() -> None:
    answers = [agree(seed) for seed in islice(seeds(), 60)]
    assert {answer.outcome for answer in answers} == {"apart", "locked"}


@pytest.mark.parametrize("seed", few(range(40), 8))
def test_the_same_states_are_reached(seed: int) -> None:
    solution = cage(random.Random(seed))
    puzzle = puzzle_of(solution)
    answer = exactile.take_apart(puzzle, solution, rotations=True)
    known: set[State] = set()
    assert fewest(tuple(frozenset(p.units) for p in solution), lines=False, known=known) is None
    assert (answer.outcome, answer.stats["states"]) == ("locked", len(known))
    by_lines = Disassembler(puzzle, lines=True, rotations=True)
    by_lines.learn(solution)
    assert by_lines.run(np.arange(len(solution))[None, :], seconds=60).states == len(known)
