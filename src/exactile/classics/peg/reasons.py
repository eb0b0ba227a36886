"""Reasons why goals cannot be reached: weights that prove it, or searches that found nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from exactile.answers import PegReason
from exactile.backends.farkas import farkas
from exactile.classics.peg.board import Board, Longs, holes_of
from exactile.classics.peg.check import Certificate, verify, weight
from exactile.classics.peg.problem import PegProblem, image
from exactile.classics.peg.search import PegLimits
from exactile.errors import CertificateError
from exactile.model.model import Model
from exactile.search.limits import Limits

Kind = Literal["pegs", "parity", "pagoda", "search", "model"]


@dataclass(frozen=True)
class Reason:
    """Why some goals are out of reach; `by` is the search that found nothing, if there was one."""

    # "pegs": they have too many pegs. "parity" and "pagoda": see the certificate. "search": all
    # positions that can be reached were searched. "model": a backend found the Boolean model to
    # have no solution.
    kind: Kind
    goals: tuple[int, ...]
    certificate: Certificate | None = None  # verified weights, if the kind has any
    by: str = ""  # the search, with its size

    def moved(self, symmetry: Longs) -> Reason:
        """Return the reason for the images of the start and the goals under a symmetry."""
        goals = tuple(sorted(image(symmetry, g) for g in self.goals))
        if self.certificate is None:
            return replace(self, goals=goals)
        weights = np.empty(len(symmetry), dtype=np.int64)
        weights[symmetry] = self.certificate.weights
        certificate = Certificate(self.certificate.kind, tuple(weights.tolist()), goals)
        return replace(self, goals=goals, certificate=certificate)

    @property
    def answer(self) -> PegReason:
        """The reason in the form that is printed as JSON; holes are counted from 1."""
        return PegReason(
            kind=self.kind,
            goals=tuple(tuple(h + 1 for h in holes_of(g)) for g in self.goals),
            weights=None if self.certificate is None else self.certificate.weights,
            by=self.by or None,
        )

    def text(self, board: Board, start: int) -> str:
        """Return the reason in words, with a drawing of the weights if there are any."""
        goals = _goals(self.goals, board)
        if self.kind == "pegs":
            return "Each jump takes a peg away: there are too few of them at the start."
        if self.certificate is None:
            return f"{goals}: {self.by}."
        weights = self.certificate.weights
        drawing = "\n".join(
            "  " + line for line in board.with_words([str(w) for w in weights]).splitlines()
        )
        before = weight(weights, start)
        after = " or ".join(map(str, sorted({weight(weights, g) for g in self.goals})))
        both = f"At the start it is {before}, at the end it would be {after}.\n{drawing}"
        if self.kind == "parity":
            return (
                f"{goals}: look at the number of pegs in holes marked 1.\n"
                f"Each jump changes it by 0 or 2. {both}"
            )
        return (
            f"{goals}: add up the numbers of the holes with pegs.\n"
            f"No jump makes the sum larger. {both}"
        )


def _goals(goals: Iterable[int], board: Board) -> str:
    goals = list(goals)
    if goals[0].bit_count() > 1:
        return "The goal"
    if len(goals) == board.size:
        return "A last peg anywhere"
    holes = ", ".join(str(g.bit_length()) for g in goals)
    return f"A last peg in {'hole' if len(goals) == 1 else 'one of the holes'} {holes}"


def excluded_by_pagodas(problem: PegProblem, limits: PegLimits) -> list[Reason]:
    """Return the reasons, by pagoda functions, why goals are out of reach.

    For pagoda functions see `exactile.classics.peg.check`. If a limit is reached, goals that are
    not examined yet are left out.

    >>> from exactile.classics.peg import load_board
    >>> problem = PegProblem.vacancy(load_board("diamond-4"), 13)
    >>> some = PegProblem(problem.board, problem.start, problem.goals[12:13])
    >>> [reason.kind for reason in excluded_by_pagodas(some, PegLimits())]
    ['pagoda']
    """
    start, left = problem.start, list(problem.goals)
    keep = [s for s in problem.board.symmetries if image(s, start) == start]
    reasons: list[Reason] = []
    while left and limits.reached() is None:
        try:
            found = pagoda(problem, left[0], limits)
        except TimeoutError:
            break
        images = {image(symmetry, left[0]) for symmetry in keep}
        if found is not None:
            heavier = weight(found.weights, start)
            images |= {g for g in left if weight(found.weights, g) > heavier}
            reasons += _images(problem, found, images.intersection(left), keep)
        left = [goal for goal in left if goal not in images]
    return reasons


def _images(
    problem: PegProblem, found: Certificate, goals: set[int], keep: list[Longs]
) -> list[Reason]:
    """Return verified reasons: images of a certificate under symmetries.

    `keep`: the symmetries to use, which map the start to itself. Each of the `goals` belongs to the
    first reason whose weights rule it out. Reasons to which no goal belongs are left out.
    """
    reasons = []
    for symmetry in keep:  # the identity first
        turned = Reason("pagoda", found.goals, found).moved(symmetry).certificate
        assert turned is not None
        heavier = weight(turned.weights, problem.start)
        out = tuple(sorted(g for g in goals if weight(turned.weights, g) > heavier))
        if out:
            certificate = replace(turned, goals=out)
            verify(problem.board, problem.start, certificate)
            reasons.append(Reason("pagoda", out, certificate))
            goals = goals.difference(out)
    return reasons


def pagoda(problem: PegProblem, goal: int, limits: Limits | None = None) -> Certificate | None:
    """Return a pagoda function that proves that a goal cannot be reached; None if none is found.

    Its weights of holes are verified: no jump makes a position heavier, but the goal is heavier
    than the start. `limits`: None for no limit. Raise TimeoutError if a limit is reached.

    >>> from exactile.classics.peg import load_board
    >>> from exactile.classics.peg.check import weight
    >>> problem = PegProblem.vacancy(load_board("triangle-4"), 5, end=5)
    >>> found = pagoda(problem, problem.goals[0])
    >>> weight(found.weights, problem.start) < weight(found.weights, problem.goals[0])
    True
    """
    model = flow_model(problem, goal)
    if model is None:
        return None
    found = None
    for weights in farkas(model):
        if limits is not None:
            limits.require()
        found = weights
    if found is None:
        return None
    n = problem.board.size
    gains, losses = found[:n].tolist(), found[n:].tolist()
    # No hole has a positive gain + loss, and their sum over all holes is -slack. With `slack` added
    # to every weight, no jump makes a position heavier, and the goal stays heavier than the start.
    slack = -sum(gain + loss for gain, loss in zip(gains, losses, strict=True))
    certificate = Certificate("pagoda", tuple(gain + slack for gain in gains), (goal,))
    try:
        verify(problem.board, problem.start, certificate)
    except CertificateError:  # because of rounding: nothing is claimed
        return None
    return certificate


def flow_model(problem: PegProblem, goal: int) -> Model | None:
    """Return a model whose solutions state how often each jump is made on the way to a goal.

    The order of the jumps is ignored. If there is no solution even with fractional numbers of
    jumps, a pagoda function proves that the goal cannot be reached. Return None if the goal does
    not have fewer pegs than the start.
    """
    board, start = problem.board, problem.start
    n, length = board.size, start.bit_count() - goal.bit_count()
    if length < 1:
        return None
    options = [[c, n + a, n + b] for a, b, c in board.jumps.tolist()]
    options += [[h, n + h] for h in range(n)]
    bounds = [length + (goal >> h & 1) - (start >> h & 1) for h in range(n)] + [length] * n
    return Model.of_options(options, lower=bounds, upper=bounds)


MOST_COMBINED = 10
"""If `even_sets` returns at most this many sets, all sums of these sets are also tried."""


def even_sets(board: Board) -> list[int]:
    """Return a basis, modulo 2, of the even sets of holes; in a set, bit h stands for hole h.

    An even set contains an even number of the three holes of each jump.

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
    """Return verified certificates for all goals that an even set rules out: see `even_sets`.

    Each certificate rules out as many of the remaining goals as any set that is tried: see
    `MOST_COMBINED`.

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
    """Return all sums, modulo 2, of one or more of the given sets.

    If there are more than `MOST_COMBINED` sets, return only the sets themselves. A set is an
    integer whose bit h stands for hole h.
    """
    sets = list(sets)
    if len(sets) > MOST_COMBINED:
        return sets
    sums = [0]
    for one in sets:
        sums += [one ^ other for other in sums]
    return sums[1:]
