"""A checker of solutions and of proofs of impossibility; it shares no code with the searches.

The checker knows where the holes are, plays the moves jump by jump on a set of points, and
compares the pegs that are left. It does not use the jumps of `Board`.

A proof that a position cannot be reached puts integer weights on holes; the weight of a position is
the sum over its pegs. There are two kinds:

parity
    The weights are 0 or 1, and an even number of the three holes of each jump have weight 1.
    Therefore no jump changes whether the weight of the position is odd. (This is called the rule of
    three.)
pagoda
    For each jump from a over b to c, c weighs at most as much as a and b together. Therefore no
    jump makes the position heavier.

A goal is out of reach if its weight and that of the start differ in parity (first kind), or if the
goal is heavier than the start (second kind).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from exactile.classics.peg.board import Board
from exactile.errors import CertificateError, CheckFailedError
from exactile.geometry.lattice import Point

Move = tuple[int, ...]
"""The holes that a peg visits in a move, from the hole where it begins to that where it ends."""

Solution = tuple[Move, ...]

JUMPS = {
    "square": {(2, 0), (-2, 0), (0, 2), (0, -2)},
    "triangle": {(2, 0), (-2, 0), (0, 2), (0, -2), (2, -2), (-2, 2)},
}
"""The differences between the last and the first point of a jump, for each grid."""


def fault(board: Board, start: int, goals: Sequence[int], solution: Solution) -> str | None:
    """Return the first fault of a solution, in words; None if there is none.

    `start`: the position at the start. `goals`: positions, one of which must be reached.
    `solution`: the moves. Two successive moves of the same peg are a fault: they are one move.

    >>> from exactile.classics.peg import load_board
    >>> board = load_board("triangle-3")
    >>> fault(board, 0b011110, [0b010010], ((3, 1, 0),))
    'move 1, from 4 to 2: the jump is not two steps in a straight line'
    >>> fault(board, 0b011010, [0b010001], ((3, 0),))
    """
    pegs = {p for h, p in enumerate(board.holes) if start >> h & 1}
    last = None
    for number, move in enumerate(solution, start=1):
        if len(move) < 2:
            return f"move {number} is not a jump"
        if move[0] == last:
            return f"move {number} goes on with the peg of move {number - 1}: they are one move"
        for begin, end in pairwise(move):
            wrong = _jump(board, pegs, begin, end)
            if wrong:
                return f"move {number}, from {begin + 1} to {end + 1}: {wrong}"
        last = move[-1]
    left = sum(1 << h for h, p in enumerate(board.holes) if p in pegs)
    return None if left in goals else "the pegs that are left are not where they should be"


def _jump(board: Board, pegs: set[Point], begin: int, end: int) -> str | None:
    """Make a jump, which changes the set `pegs`, and return None.

    If the jump is impossible, return the reason in words. `begin`, `end`: its first and last hole.
    """
    holes = board.holes
    if not (0 <= begin < len(holes) and 0 <= end < len(holes)):
        return "there is no such hole"
    (x, y), (v, w) = holes[begin], holes[end]
    if (v - x, w - y) not in JUMPS[board.grid.name]:
        return "the jump is not two steps in a straight line"
    over = ((x + v) // 2, (y + w) // 2)
    if (x, y) not in pegs:
        return "there is no peg to jump"
    if over not in pegs:
        return "there is no peg to jump over"
    if (v, w) in pegs or (v, w) not in holes:
        return "the jump ends on a peg"
    pegs -= {(x, y), over}
    pegs.add((v, w))
    return None


def require(board: Board, start: int, goals: Sequence[int], solution: Solution) -> None:
    """Raise CheckFailedError if a solution is wrong; for the parameters see `fault`."""
    wrong = fault(board, start, goals, solution)
    if wrong:
        raise CheckFailedError(
            f"A search on the board {board.name} returned a wrong solution: {wrong}. "
            "This is a bug in Exactile: please report it."
        )


Kind = Literal["parity", "pagoda"]


@dataclass(frozen=True)
class Certificate:
    """Weights that prove that some goals cannot be reached from a start.

    >>> from exactile.classics.peg import load_board
    >>> board = load_board("triangle-4")
    >>> parity = Certificate("parity", (1, 0, 1, 1, 1, 0, 1, 0, 1, 1), (0b1,))
    >>> verify(board, 0b1111111110, parity)
    >>> verify(board, 0b1111111101, parity)
    Traceback (most recent call last):
    ...
    exactile.errors.CertificateError: The weights prove nothing: start 7, goal 1.
    """

    kind: Kind  # the argument
    weights: tuple[int, ...]  # the weight of each hole
    goals: tuple[int, ...]  # the positions that are out of reach

    def to_json(self) -> dict[str, Any]:
        """Return the certificate as a JSON document; goals are lists of holes from 1."""
        goals = [[h + 1 for h in range(len(self.weights)) if g >> h & 1] for g in self.goals]
        return {"kind": self.kind, "weights": list(self.weights), "goals": goals}


def weight(weights: Sequence[int], position: int) -> int:
    """Return the weight of a position: the sum of the weights of its holes with pegs."""
    return sum(w for h, w in enumerate(weights) if position >> h & 1)


def verify(board: Board, start: int, certificate: Certificate) -> None:
    """Raise CertificateError, naming the first fault, if a certificate does not prove its claim."""
    weights, parity = certificate.weights, certificate.kind == "parity"
    if len(weights) != board.size:
        raise CertificateError(f"The board has {board.size} holes, and {len(weights)} weights.")
    if parity and not set(weights) <= {0, 1}:
        raise CertificateError("In an argument of parity weights are 0 or 1.")
    for a, b, c in _jumps(board):
        change = weights[c] - weights[a] - weights[b]
        if change % 2 if parity else change > 0:
            raise CertificateError(
                f"The jump from {a + 1} over {b + 1} to {c + 1} changes the weight by {change}."
            )
    before = weight(weights, start)
    for goal in certificate.goals:
        after = weight(weights, goal)
        if not ((after - before) % 2 if parity else after > before):
            raise CertificateError(f"The weights prove nothing: start {before}, goal {after}.")


def _jumps(board: Board) -> Iterator[tuple[int, int, int]]:
    """Yield the first, the middle and the last hole of every jump, without using `Board.jumps`."""
    number: dict[Point, int] = {p: h for h, p in enumerate(board.holes)}
    for x, y in board.holes:
        for dx, dy in JUMPS[board.grid.name]:
            over, end = (x + dx // 2, y + dy // 2), (x + dx, y + dy)
            if over in number and end in number:
                yield number[x, y], number[over], number[end]
