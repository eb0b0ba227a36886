"""Peg solitaire by trying everything, from the rules alone: for small boards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from exactile.classics.peg import Board, PegProblem, Solution
from exactile.classics.peg.problem import merged

STEPS = {
    "square": [(1, 0), (-1, 0), (0, 1), (0, -1)],
    "triangle": [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)],
}


def sequences(problem: PegProblem) -> Iterator[Solution]:
    """Yield every sequence of jumps from the start to a goal, as moves."""
    board = problem.board
    holes = set(board.holes)
    number = {p: h for h, p in enumerate(board.holes)}
    goals = {frozenset(p for p in holes if g >> number[p] & 1) for g in problem.goals}
    made: list[tuple[int, int]] = []

    def play(pegs: frozenset[tuple[int, ...]]) -> Iterator[Solution]:
        if pegs in goals:
            yield merged(made)
        if len(pegs) <= problem.goals[0].bit_count():
            return
        for x, y in sorted(pegs):
            for dx, dy in STEPS[board.grid.name]:
                over, end = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
                if over in pegs and end in holes and end not in pegs:
                    made.append((number[x, y], number[end]))
                    yield from play(pegs - {(x, y), over} | {end})
                    made.pop()

    yield from play(frozenset(p for p in holes if problem.start >> number[p] & 1))


def by_moves(problem: PegProblem) -> Counter[int]:
    """Return how many sequences there are of each number of moves."""
    return Counter(len(solution) for solution in sequences(problem))


def random_problem(seed: int) -> PegProblem:
    """Return a small board with a start, and goals of one or two pegs."""
    rng = random.Random(seed)
    grid = rng.choice(["square", "triangle"])
    cells = [(x, y) for x in range(4) for y in range(4)]
    board = Board.of(f"random-{seed}", grid, rng.sample(cells, rng.randint(9, 12)))
    start = board.full
    for hole in rng.sample(range(board.size), rng.randint(1, 4)):
        start ^= 1 << hole
    if rng.random() < 0.5:
        return PegProblem(board, start, tuple(1 << h for h in range(board.size)))
    goal = sum(1 << h for h in rng.sample(range(board.size), rng.randint(1, 3)))
    return PegProblem(board, start, (goal,))
