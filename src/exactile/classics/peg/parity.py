"""Sets of holes whose parity every jump keeps: linear algebra modulo 2.

A set of holes is an integer, as a position is. It is *even* if every jump has an even number of its
three holes in it. The even sets are the kernel of the matrix of jumps; two positions that differ in
an odd number of holes of an even set cannot be reached from each other.
"""

from __future__ import annotations

from collections.abc import Iterable

from exactile.classics.peg.board import Board
from exactile.classics.peg.certificates import Certificate, verify
from exactile.classics.peg.problem import PegProblem

MOST_COMBINED = 10
"""Up to this number of independent even sets, all sums are tried for the simplest one."""


def even_sets(board: Board) -> list[int]:
    """Return independent even sets that span all of them.

    Examples
    --------
    >>> from exactile.classics.peg import load_board
    >>> [len(even_sets(load_board(name))) for name in ("english", "triangle-5", "wiegleb")]
    [4, 2, 4]
    """
    pivots: dict[int, int] = {}  # by leading hole: reduced rows, each with zeros at other pivots
    for a, b, c in board.jumps.tolist():
        row = 1 << a | 1 << b | 1 << c
        for lead, other in pivots.items():
            if row >> lead & 1:
                row ^= other
        if row:
            lead = row.bit_length() - 1
            pivots = {k: r ^ row if r >> lead & 1 else r for k, r in pivots.items()}
            pivots[lead] = row
    free = [h for h in range(board.size) if h not in pivots]
    return [1 << h | sum(1 << lead for lead, row in pivots.items() if row >> h & 1) for h in free]


def excluded_by_parity(problem: PegProblem) -> list[Certificate]:
    """Return verified certificates for all goals that an even set rules out.

    Each certificate rules out as many of the remaining goals as possible.

    Examples
    --------
    >>> from exactile.classics.peg import load_board
    >>> found = excluded_by_parity(PegProblem.vacancy(load_board("european"), 19))
    >>> sum(len(certificate.goals) for certificate in found)
    37
    """
    left, certificates = list(problem.goals), []
    board, start = problem.board, problem.start
    sets = _sums(even_sets(board))
    while left and sets:
        odd = {s: [g for g in left if ((start ^ g) & s).bit_count() % 2] for s in sets}
        best = max(sets, key=lambda s: (len(odd[s]), -s.bit_count(), s))
        if not odd[best]:
            break
        weights = tuple(best >> h & 1 for h in range(board.size))
        certificates.append(Certificate("parity", weights, tuple(odd[best])))
        verify(board, start, certificates[-1])
        left = [g for g in left if g not in odd[best]]
    return certificates


def _sums(sets: Iterable[int]) -> list[int]:
    """Return the sums of sets, or the sets themselves if they are many."""
    sets = list(sets)
    if len(sets) > MOST_COMBINED:
        return sets
    sums = [0]
    for one in sets:
        sums += [one ^ other for other in sums]
    return sums[1:]
