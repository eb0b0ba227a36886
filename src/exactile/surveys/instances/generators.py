"""Small generators of instances: the same parameters and seed always give the same problem.

A generator takes the name of the instance and its parameters. It returns the problem, and the
number of solutions if a formula gives it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import permutations, product
from math import prod
from random import Random
from typing import Any, NamedTuple

import numpy as np

from exactile.certificate.copies import Copies, units_within
from exactile.files.models.exact_cover import ExactCover
from exactile.files.puzzles.document import make_puzzle
from exactile.geometry import get_lattice
from exactile.geometry.lattice import Lattice, Point
from exactile.model.model import Meaning
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.puzzle.pieces.sets import piece_set
from exactile.surveys.tiling.disc import Disc


class Generated(NamedTuple):
    """A problem, and the number of its solutions if a formula gives it."""

    problem: Puzzle | ExactCover
    number: int | None = None


def copies(
    name: str, *, piece: str, size: int, box: str, lattice: str = "square", minus: str = ""
) -> Generated:
    """Copies of one piece in a box such as ``"6x10"``, perhaps without some cells.

    `size`: number of cells of the piece. `minus`: the cells to leave out, such as ``"0,0 5,5"``.

    >>> len(copies("t", piece="T4", size=4, box="6x6").problem.region)
    36
    """
    sides = list(map(int, box.split("x")))
    number = (prod(sides) - len(minus.split())) // size
    more: dict[str, Any] = {"minus": [{"units": minus}]} if minus else {}
    return Generated(
        make_puzzle(f"{number}x{piece}", lattice=lattice, name=name, box=sides, **more)
    )


def dominoes(name: str, *, width: int, height: int) -> Generated:
    """Dominoes on a rectangle; a sweep over its cells counts the solutions.

    >>> dominoes("d", width=8, height=8).number
    12988816
    """
    ways = {0: 1}  # by the cells that are covered already: one bit for each row
    for _, y in product(range(width), range(height)):
        new: dict[int, int] = {}
        bit, above = 1 << y, 1 << y + 1
        for covered, number in ways.items():
            nexts = [covered ^ bit]  # covered already, or by a domino that covers the next column
            if not covered & bit and y + 1 < height and not covered & above:
                nexts.append(covered | above)
            for state in nexts:
                new[state] = new.get(state, 0) + number
        ways = new
    board = copies(name, piece="I2", size=2, box=f"{width}x{height}")
    return Generated(board.problem, ways.get(0, 0))


def bricks(name: str, *, brick: str, box: str) -> Generated:
    """Bricks such as ``"1x2x4"``, each side a multiple of the one before, in a box.

    The bricks fill the box if and only if parallel bricks do.

    >>> bricks("no", brick="1x2x4", box="6x6x6").number
    0
    """
    sides, room = (list(map(int, text.split("x"))) for text in (brick, box))
    lattice = "cube" if len(sides) == 3 else "square"
    copies = prod(room) // prod(sides)
    cells = {"B": tuple(product(*map(range, sides)))}
    pieces = {"cells": cells, "copies": copies}
    stated = make_puzzle(pieces, lattice=lattice, name=name, box=room)
    orders = permutations(room)
    fits = any(all(r % s == 0 for s, r in zip(sides, order, strict=True)) for order in orders)
    return Generated(stated, None if fits else 0)


def mutilated(name: str, *, side: int, dimension: int = 2) -> Generated:
    """Dominoes, or bricks of two cubes, on a board without some cells of one color: no solution.

    A square of even side loses two opposite corners. A cube of odd side loses a cell of the
    less frequent color, next to a corner.

    >>> len(mutilated("m", side=3, dimension=3).problem.region)
    26
    """
    box = "x".join([str(side)] * dimension)
    if dimension == 2:
        minus = f"0,0 {side - 1},{side - 1}"
        return Generated(copies(name, piece="I2", size=2, box=box, minus=minus).problem, 0)
    brick = copies(name, lattice="cube", piece="dicubes", size=2, box=box, minus="1,0,0")
    return Generated(brick.problem, 0)


def two_holes(name: str, *, side: int, seed: int) -> Generated:
    """Dominoes on a square of even side without two random cells of one color: no solution."""
    random = Random(f"two holes {side} {seed}")  # noqa: S311
    cells = [(x, y) for x in range(side) for y in range(side) if (x + y) % 2]
    holes = sorted(cells, key=lambda _: random.random())[:2]
    board = copies(name, piece="I2", size=2, box=f"{side}x{side}", minus=_text(holes))
    return Generated(board.problem, 0)


def aztec(name: str, *, order: int) -> Generated:
    """Dominoes on an Aztec diamond of order n: 2 to the power n (n + 1) / 2 solutions.

    >>> aztec("a", order=4).number
    1024
    """
    number = order * (order + 1)
    stated = make_puzzle(f"{number}xI2", lattice="square", name=name, aztec_diamond=order)
    return Generated(stated, 1 << number // 2)


def lozenges(name: str, *, side: int, shape: str = "hexagon") -> Generated:
    """Lozenges, which are pairs of triangles, in a hexagon or in a triangle.

    For a hexagon, MacMahon's formula gives the number of solutions. A triangle has no solution.

    >>> lozenges("l", side=3).number, lozenges("t", side=4, shape="triangle").number
    (980, 0)
    """
    units = 6 * side**2 if shape == "hexagon" else side**2
    number = 0
    if shape == "hexagon":
        sides = list(product(range(1, side + 1), repeat=3))
        number = prod(sum(s) - 1 for s in sides) // prod(sum(s) - 2 for s in sides)
    pieces = f"{units // 2}xpolyiamonds-2"
    stated = make_puzzle(pieces, lattice="triangle", name=name, region={shape: side})
    return Generated(stated, number)


def trihexes(name: str, *, piece: str, side: int) -> Generated:
    """Trihexes in a triangle of hexagons: straight ones, ``"I3"``, or triangular ones, ``"A3"``.

    Straight trihexes never fill the region. Triangular ones fill it if and only if the side is 0,
    2, 9 or 11 modulo 12.

    >>> trihexes("t", piece="A3", side=8).number
    0
    """
    area = side * (side + 1) // 2
    pieces = f"{area // 3}x{piece}"
    stated = make_puzzle(pieces, lattice="hexagon", name=name, region={"triangle": side})
    fits = piece == "A3" and side % 12 in (0, 2, 9, 11)
    return Generated(stated, None if fits else 0)


def pockets(name: str, *, holes: int) -> Generated:
    """A pigeonhole problem: `holes` columns of four cells, and `holes` - 1 bars of four cells.

    The other pieces are three L tetrominoes, which fit only into a separate block of 2x4 cells. The
    block has room for two, so there is no solution, although the pieces have the area of the
    region.

    >>> pockets("p", holes=3).problem.pieces[0].upper
    2
    """
    cells = [(2 * k, y) for k in range(holes) for y in range(4)]
    cells += product((-4, -3), range(4))
    pieces = f"{holes - 1}xI4, 3xL4"
    stated = make_puzzle(pieces, lattice="square", name=name, region={"units": _text(cells)})
    return Generated(stated, 0)


def replica(name: str, *, piece: str, size: int, factor: int) -> Generated:
    """A polyomino enlarged by `factor`, to be covered by copies of the polyomino itself.

    >>> len(replica("r", piece="L", size=5, factor=2).problem.region)
    20
    """
    square = get_lattice("square")
    form = piece_set(f"polyominoes-{size}", square).piece(piece)
    steps = list(product(range(factor), repeat=2))
    cells = [(factor * x + i, factor * y + j) for x, y in form.units for i, j in steps]
    pieces = f"{factor**2}x{piece}"
    region = {"units": _text(cells)}
    return Generated(make_puzzle(pieces, lattice="square", name=name, region=region))


def _text(cells: Iterable[Sequence[int]]) -> str:
    """Return cells as in puzzle files, such as ``0,0 1,0``."""
    return " ".join(",".join(map(str, cell)) for cell in cells)


def chosen(name: str, *, lattice: str, order: int, number: int, box: str, seed: int) -> Generated:
    """A box, to be covered by `number` different random polyforms of order `order`."""
    random = Random(f"{lattice} {order} {number} {seed}")  # noqa: S311
    known = piece_set(f"{get_lattice(lattice).plural}-{order}", lattice)
    picked = sorted(sorted(known.pieces, key=lambda _: random.random())[:number])
    sides = list(map(int, box.split("x")))
    return Generated(make_puzzle(", ".join(picked), lattice=lattice, name=name, box=sides))


def planted(
    name: str,
    *,
    lattice: str,
    order: int,
    copies: int = 1,
    most: int = 40,
    seed: int,
    moved: int = 0,
) -> Generated:
    """Pieces of order `order` placed side by side at random; the region is their union.

    So there is a solution if `moved` is 0. Otherwise, `moved` random units of the region are
    exchanged for units next to the region. `copies`: number of copies of each piece. `most`:
    largest number of pieces, copies counted.

    >>> puzzle = planted("p", lattice="square", order=4, seed=1).problem
    >>> len(puzzle.pieces), len(puzzle.region)
    (5, 20)
    """
    grid = get_lattice(lattice)
    random = Random(f"{lattice} {order} {copies} {most} {seed}")  # noqa: S311
    forms = sorted(generate(grid, order), key=lambda _: random.random())[: most // copies]
    pieces = [
        Piece(f"P{k}", grid, tuple(map(tuple, form.tolist())), Freedom.FREE, copies, copies)
        for k, form in enumerate(forms)
    ]
    while (filled := _filled(grid, pieces * copies, random)) is None:
        pass
    for _ in range(moved):
        inside = sorted(filled)
        filled.remove(inside[int(random.random() * len(inside))])
        outside = sorted(_border(grid, filled))
        filled.add(outside[int(random.random() * len(outside))])
    region = Region(grid, np.array(sorted(filled), dtype=np.int64))
    return Generated(Puzzle(name, region, tuple(pieces)))


def _filled(grid: Lattice, pieces: list[Piece], random: Random) -> set[Point] | None:
    """Return the units of all pieces, placed side by side at random; None if one does not fit."""
    start = grid.origins[0]
    taken: set[Point] = set()
    crossings: set[tuple[Point, int]] = set()
    border = {tuple(start)}
    for piece in sorted(pieces, key=lambda _: random.random()):
        near = {u: _square(u, start) + random.random() for u in sorted(border)}
        targets = sorted(border, key=near.__getitem__)
        placed = _placed(grid, piece, targets, taken, crossings, random)
        if placed is None:
            return None
        taken |= placed
        crossings |= _crossings(grid, placed)
        border = _border(grid, taken)
    return taken


def _placed(
    grid: Lattice,
    piece: Piece,
    targets: Iterable[Point],
    taken: set[Point],
    crossings: set[tuple[Point, int]],
    random: Random,
) -> set[Point] | None:
    """Return the units of a random placement that covers the first possible one of `targets`.

    The placement does not cover units in `taken`, and does not cross the pieces that have these
    `crossings`. The result is None if no placement covers any of the targets.
    """
    for target in targets:
        ways = [(a, np.subtract(target, unit)) for a in piece.aspects for unit in a]
        for aspect, shift in sorted(ways, key=lambda _: random.random()):
            units = {tuple(u) for u in (aspect + shift).tolist()}
            fits = not (shift % grid.period).any() and not units & taken
            if fits and not _crossings(grid, units) & crossings:
                return units
    return None


def _crossings(grid: Lattice, units: set[Point]) -> set[tuple[Point, int]]:
    """Return the items of the crossing rule that a piece with these units uses, by vertex."""
    if grid.crossing is None:
        return set()
    rays: defaultdict[Point, int] = defaultdict(int)
    for number, ray in enumerate(grid.crossing.rays):
        for unit in units:
            vertex = tuple(np.subtract(unit, ray).tolist())
            if not any(c % grid.period for c in vertex):
                rays[vertex] |= 1 << number
    return {(vertex, item) for vertex, mask in rays.items() for item in grid.crossing.items(mask)}


def _border(grid: Lattice, units: set[Point]) -> set[Point]:
    """Return the units outside a set that are next to one of its units."""
    return {
        tuple(np.add(unit, step).tolist())
        for unit in units
        for step in grid.neighbors[int(grid.types(np.array(unit)))]
    } - units


def _square(one: Point, other: Point) -> int:
    """Return the square of the distance between two points."""
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def disc(name: str, *, lattice: str, cells: str, distance: int) -> Generated:
    """The units within a distance of a tile, to be covered by copies of the tile.

    The copies may also cover units farther away. `cells`: the tile, such as ``"0,0 1,0"``. For a
    tile that does not tile the plane, there is no solution if the distance is large enough.

    >>> disc("d", lattice="square", cells="0,0 1,0", distance=1).problem.model.items
    24
    """
    grid = get_lattice(lattice)
    points = grid.points([list(map(int, c.split(","))) for c in cells.split()])
    every = Copies(grid, grid.group.tolist(), [points.tolist()])
    tile = every.copy(0, 0, (0,) * grid.dimension)
    problem = Disc(every, [tile], units_within(every, [tile], distance))
    number = problem.model.items
    labels = [f"c{k}" for k in range(len(problem.needed))]  # to be covered
    labels += [f"f{k}" for k in range(number - len(labels))]  # free
    model = replace(problem.model, meaning=Meaning.of_labels(labels))
    return Generated(ExactCover(model, title=f"{name}: cells within {distance} of {cells}"))


GENERATORS: dict[str, Callable[..., Generated]] = {
    "aztec": aztec,
    "bricks": bricks,
    "chosen": chosen,
    "copies": copies,
    "disc": disc,
    "dominoes": dominoes,
    "lozenges": lozenges,
    "mutilated": mutilated,
    "planted": planted,
    "pockets": pockets,
    "replica": replica,
    "trihexes": trihexes,
    "two_holes": two_holes,
}
"""The generators, by the names that ``families.toml`` uses."""
