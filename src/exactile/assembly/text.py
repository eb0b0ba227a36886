"""Sequences of moves as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from exactile.answers.assembly import Disassembly, Move
from exactile.puzzle.puzzle import Puzzle


def sequence_lines(puzzle: Puzzle, disassembly: Disassembly) -> Iterator[str]:
    """Yield a sequence line by line: what each separation frees, and its moves.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("soma-cube")
    >>> answer = exactile.take_apart(puzzle, exactile.solve_one(puzzle))
    >>> print(next(sequence_lines(puzzle, answer)))
    comes apart: level 1, 6 moves
    """
    yield outcome_words(disassembly)
    labels = piece_labels(disassembly)
    width = max(
        (len(piece_words(labels, m.pieces)) for s in disassembly.separations for m in s.moves),
        default=0,
    )
    number = 0
    for separation in disassembly.separations:
        rest = [k for k in separation.pieces if k not in separation.removed]
        yield f"{piece_words(labels, separation.removed)} from {piece_words(labels, rest)}:"
        for move in separation.moves:
            number += 1
            pieces = piece_words(labels, move.pieces)
            yield f"  {number:>3}. {pieces:{width}}  {way_words(puzzle.lattice.axes, move)}"
    if disassembly.locked:
        yield f"{piece_words(labels, disassembly.locked)}: no sequence of moves separates them"


def outcome_words(disassembly: Disassembly) -> str:
    """Return the outcome in words, with the level by steps and, if it differs, by lines."""
    if disassembly.outcome == "locked":
        return "locked"
    if disassembly.outcome == "unknown":
        return f"unknown ({disassembly.stopped})"
    words = f"comes apart: level {disassembly.level}, {_moves(disassembly.moves)}"
    if disassembly.level_by_lines in ("", disassembly.level):
        return words
    lines = f"level {disassembly.level_by_lines}, {_moves(disassembly.moves_by_lines)}"
    return f"{words}; {lines} if a line counts once"


def _moves(number: int | None) -> str:
    return f"{number} move{'s' * (number != 1)}"


def piece_labels(disassembly: Disassembly) -> list[str]:
    """Return a label for each placement: the name of its piece, with a number if it has copies."""
    times = Counter(placed.piece for placed in disassembly.solution)
    seen: Counter[str] = Counter()
    labels = []
    for placed in disassembly.solution:
        seen[placed.piece] += 1
        many = times[placed.piece] > 1
        labels.append(f"{placed.piece}({seen[placed.piece]})" if many else placed.piece)
    return labels


def piece_words(labels: Sequence[str], pieces: Iterable[int]) -> str:
    """Return the labels of some placements in one line."""
    return " ".join(labels[k] for k in pieces)


def way_words(axes: tuple[str, ...], move: Move) -> str:
    """Return a move in words: its direction and number of steps, or a turn and its axis.

    >>> way_words(("x", "y"), Move(pieces=(0,), direction=(1, -2), steps=3))
    '+x-2y 3'
    >>> turn = Move(pieces=(0,), direction=(0, 0, -1), steps=1, about=(2.5, 1.5, 0.0))
    >>> way_words(("x", "y", "z"), turn)
    'quarter turn from +y to +x about the line x = 2.5, y = 1.5'
    """
    if move.about is not None:
        along = next(k for k, c in enumerate(move.direction) if c)
        first, second = (axes[(along + k * move.direction[along]) % 3] for k in (1, 2))
        line = ", ".join(f"{axes[k]} = {c:g}" for k, c in enumerate(move.about) if k != along)
        return f"quarter turn from +{first} to +{second} about the line {line}"
    parts = zip(axes, move.direction, strict=False)
    terms = (("-" if c < 0 else "+", abs(c), axis) for axis, c in parts if c)
    way = "".join(f"{sign}{c if c > 1 else ''}{axis}" for sign, c, axis in terms)
    return f"{way} {'away' if move.steps is None else move.steps}"
