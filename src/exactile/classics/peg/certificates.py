"""Arguments that a position cannot be reached, and their verification from the rules alone.

Both put integer weights on holes; the weight of a position is the sum over its pegs.

parity
    The weights are 0 or 1, and of the three holes of a jump an even number have weight 1. So no
    jump changes whether the weight of the position is odd. (The rule of three is this argument.)
pagoda
    For each jump from a over b to c, c weighs at most as much as a and b together. Therefore no
    jump makes the position heavier.

A goal is out of reach if its weight is of the other parity, or greater than that of the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from exactile.classics.peg.board import Board
from exactile.classics.peg.check import JUMPS
from exactile.errors import CertificateError
from exactile.geometry.lattice import Point

Kind = Literal["parity", "pagoda"]


@dataclass(frozen=True)
class Certificate:
    """Weights that show that some goals cannot be reached from a start.

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
    """Return the weight of a position."""
    return sum(w for h, w in enumerate(weights) if position >> h & 1)


def verify(board: Board, start: int, certificate: Certificate) -> None:
    """Verify every jump and every goal.

    Raise CertificateError if the certificate does not prove what it claims; the message names the
    first fault.
    """
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
    """Yield every jump: two holes of the board at the distance of a jump, and the hole between."""
    number: dict[Point, int] = {p: h for h, p in enumerate(board.holes)}
    for x, y in board.holes:
        for dx, dy in JUMPS[board.grid.name]:
            over, end = (x + dx // 2, y + dy // 2), (x + dx, y + dy)
            if over in number and end in number:
                yield number[x, y], number[over], number[end]
