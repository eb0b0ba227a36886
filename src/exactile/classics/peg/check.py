"""Checks solutions by the rules of the game alone, with code that no search shares.

The checker knows the positions of the holes, plays the moves jump by jump on a set of points, and
compares the pegs that are left. It uses neither the jumps of `Board` nor positions as integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from exactile.classics.peg.board import Board
from exactile.errors import CheckFailedError
from exactile.geometry.lattice import Point

Move = tuple[int, ...]
"""The holes that a moving peg visits, first and last ones included."""

Solution = tuple[Move, ...]

JUMPS = {
    "square": {(2, 0), (-2, 0), (0, 2), (0, -2)},
    "triangle": {(2, 0), (-2, 0), (0, 2), (0, -2), (2, -2), (-2, 2)},
}
"""The vectors of a jump on each grid: along a row, a column or a slanting line."""


def fault(board: Board, start: int, goals: Sequence[int], solution: Solution) -> str | None:
    """Return the first fault of a solution, None if there is none.

    `start`: the position at the beginning. `goals`: the positions, one of which must be reached.
    `solution`: the moves. A peg that moves twice in a row would be one move.

    >>> from exactile.classics.peg import load_board
    >>> board = load_board("triangle-3")
    >>> fault(board, 0b011110, [0b010010], ((3, 1, 0),))
    'move 1, from 4 to 2: the jump is no two steps in a straight line'
    >>> fault(board, 0b011010, [0b010001], ((3, 0),))
    """
    pegs = {p for h, p in enumerate(board.holes) if start >> h & 1}
    last = None
    for number, move in enumerate(solution, start=1):
        if len(move) < 2:
            return f"move {number} is no jump"
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
    """Make a jump in a set of pegs; return what is wrong with it."""
    holes = board.holes
    if not (0 <= begin < len(holes) and 0 <= end < len(holes)):
        return "there is no such hole"
    (x, y), (v, w) = holes[begin], holes[end]
    if (v - x, w - y) not in JUMPS[board.grid.name]:
        return "the jump is no two steps in a straight line"
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
    """Raise unless a solution is right."""
    wrong = fault(board, start, goals, solution)
    if wrong:
        raise CheckFailedError(
            f"A search on the board {board.name} returned a wrong solution: {wrong}. "
            "This is a bug in Exactile: please report it."
        )
