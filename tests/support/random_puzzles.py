"""Small random puzzles on every lattice, with every rule.

`random_puzzle` makes the same puzzle from the same seed, for tests that go over many or compare
runs; `puzzles` draws them for hypothesis, which makes a failing one smaller.
"""

from __future__ import annotations

import random

import numpy as np
from hypothesis import assume, reject
from hypothesis import strategies as st

from exactile.errors import PuzzleError
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice, Point
from exactile.geometry.wrap import Wrap
from exactile.model.decoder import Decoder
from exactile.model.lower import lower
from exactile.puzzle import Omission, Puzzle, Region
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, Piece

MOST_OPTIONS = 160

PUZZLE_LATTICES = [
    *("cube", "cube-edges", "cube-faces", "hexagon", "hexagon-edges", "kites"),
    *("quarter-squares", "sixth-triangles", "square", "square-edges", "triangle"),
    "triangle-edges",
]
"""The lattices that puzzles of the catalogue are on; `puzzles` draws from all there are."""


def random_puzzle(seed: int) -> Puzzle:
    """Return a puzzle on `PUZZLE_LATTICES`, number ``seed`` modulo their number."""
    rng = random.Random(seed)
    names = PUZZLE_LATTICES
    lattice = get_lattice(names[seed % len(names)])
    while True:
        try:
            puzzle = _attempt(seed, lattice, rng)
        except PuzzleError:
            continue  # for instance a wrap that identifies two units
        if 0 < lower(puzzle).options <= MOST_OPTIONS:
            return puzzle


@st.composite
def puzzles(draw: st.DrawFn, lattices: tuple[str, ...] = ()) -> Puzzle:
    """Draw a puzzle on one of some lattices, by default on any."""
    lattice = get_lattice(draw(st.sampled_from(lattices or lattice_names())))
    try:
        puzzle = _attempt(0, lattice, draw(st.randoms(use_true_random=False)))
    except PuzzleError:
        reject()
    assume(0 < lower(puzzle).options <= MOST_OPTIONS)
    return puzzle


def _attempt(seed: int, lattice: Lattice, rng: random.Random) -> Puzzle:
    freedom = rng.choice(list(Freedom))
    pieces = _pieces(lattice, freedom, rng)
    if rng.random() < 0.6:
        units = _planted(lattice, pieces, rng)
    else:
        units = _grown(lattice, sum(p.order * p.upper for p in pieces), rng)
    wrap = None
    if rng.random() < 0.3:
        span = np.ptp(units, axis=0) // lattice.period + 1
        axis = rng.randrange(lattice.dimension)
        vector = [0] * lattice.dimension
        vector[axis] = int(span[axis] + rng.choice([0, 0, 1])) * lattice.period
        wrap = Wrap([vector])
    optional = np.array([rng.random() < 0.1 for _ in units])
    if rng.random() < 0.5:
        optional[:] = False
    region = Region(lattice, units, optional, wrap)
    omission = None
    single = [p.name for p in pieces if (p.lower, p.upper) == (1, 1)]
    if len(single) > 1 and rng.random() < 0.25:
        omission = Omission(tuple(single), rng.randint(1, len(single) - 1))
    crossing = rng.random() < 0.7
    puzzle = Puzzle(f"random-{seed}", region, pieces, (), omission, crossing)
    if rng.random() < 0.2:
        return _with_fixed(puzzle, rng)
    return puzzle


def _pieces(lattice: Lattice, freedom: Freedom, rng: random.Random) -> tuple[Piece, ...]:
    pieces: dict[bytes, Piece] = {}
    for number in range(rng.randint(2, 4)):
        order = rng.choice([1, 2, 2, 3, 3, 4] if lattice.dimension == 2 else [1, 2, 2, 3])
        forms = generate(lattice, order, freedom, quasi=rng.random() < 0.1)
        units = tuple(tuple(u) for u in rng.choice(list(forms)).tolist())
        low, high = rng.choice([(1, 1), (1, 1), (1, 1), (2, 2), (0, 2), (1, 2)])
        piece = Piece(f"{'ABCD'[number]}", lattice, units, freedom, low, high)
        pieces.setdefault(piece.shape, piece)
    return tuple(pieces.values())


def _planted(lattice: Lattice, pieces: tuple[Piece, ...], rng: random.Random) -> Points:
    """Return the units of pieces that were put side by side, so that the puzzle has a solution."""
    chosen: list[Point] = []
    for piece in pieces:
        for _ in range(piece.upper):
            aspect = rng.choice(list(piece.aspects))
            kind = int(lattice.types(aspect[0]))
            goals = _near(lattice, chosen) if chosen else [lattice.origins[kind]]
            shifts = [np.subtract(g, a) for g in goals for a in aspect]
            placed = [
                [tuple(u) for u in (aspect + s).tolist()]
                for s in shifts
                if not (s % lattice.period).any()
            ]
            fitting = [p for p in placed if not set(p) & set(chosen)]
            chosen += rng.choice(fitting) if fitting else []
    return np.array(chosen, dtype=np.int64).reshape(-1, lattice.dimension)


def _near(lattice: Lattice, chosen: list[Point]) -> list[Point]:
    """Return the units next to the chosen ones."""
    return sorted(
        {
            tuple(c + s for c, s in zip(unit, step, strict=True))
            for unit in chosen
            for step in lattice.neighbors[int(lattice.types(np.array(unit)))]
        }
        - set(chosen)
    )


def _grown(lattice: Lattice, size: int, rng: random.Random) -> Points:
    """Return a random connected set of units that stays near its beginning."""
    start = rng.choice(lattice.origins)
    chosen: list[Point] = [start]
    while len(chosen) < min(size, 12):
        near = _near(lattice, chosen)
        near.sort(key=lambda p: sum((c - s) ** 2 for c, s in zip(p, start, strict=True)))
        chosen.append(rng.choice(near[:3]))
    return np.array(chosen, dtype=np.int64)


def _with_fixed(puzzle: Puzzle, rng: random.Random) -> Puzzle:
    model = lower(puzzle)
    decoder = Decoder(puzzle, model)
    placed = [p for o in range(model.options) if (p := decoder.placement(o)) is not None]
    if not placed:
        return puzzle
    return Puzzle(
        puzzle.name,
        puzzle.region,
        puzzle.pieces,
        (rng.choice(placed),),
        puzzle.omission,
        puzzle.crossing,
    )
