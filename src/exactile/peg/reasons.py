"""Why goals cannot be reached: certificates and finished searches, and their words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from exactile.backends.base import HEARTBEAT
from exactile.peg.board import Board, Longs, holes_of
from exactile.peg.certificates import Certificate, weight
from exactile.peg.limits import Limits
from exactile.peg.pagoda import pagoda
from exactile.peg.problem import Problem, image

Kind = Literal["pegs", "parity", "pagoda", "search", "model"]


@dataclass(frozen=True)
class Reason:
    """Why some goals are out of reach.

    Attributes
    ----------
    kind
        ``"pegs"``: they have too many. ``"parity"`` and ``"pagoda"``: see the certificate.
        ``"search"``: all positions that can be reached were searched. ``"model"``: a backend found
        the Boolean model to have no solution.
    goals
        The goals.
    certificate
        The weights, where there are any; verified.
    by
        Who searched, and how much.
    """

    kind: Kind
    goals: tuple[int, ...]
    certificate: Certificate | None = None
    by: str = ""

    def moved(self, symmetry: Longs) -> Reason:
        """Return the reason that a symmetry of the board makes of it."""
        goals = tuple(sorted(image(symmetry, g) for g in self.goals))
        if self.certificate is None:
            return replace(self, goals=goals)
        weights = np.empty(len(symmetry), dtype=np.int64)
        weights[symmetry] = self.certificate.weights
        certificate = Certificate(self.certificate.kind, tuple(weights.tolist()), goals)
        return replace(self, goals=goals, certificate=certificate)

    def to_json(self) -> dict[str, Any]:
        """Return the reason as a JSON document; holes are counted from 1."""
        goals = [[h + 1 for h in holes_of(g)] for g in self.goals]
        document: dict[str, Any] = {"kind": self.kind, "goals": goals}
        if self.certificate is not None:
            document["weights"] = list(self.certificate.weights)
        return document | ({"by": self.by} if self.by else {})

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
        after = sorted({weight(weights, g) for g in self.goals})
        told = f"At the start it is {before}, at the end it would be {after[0]}.\n{drawing}"
        if self.kind == "parity":
            return (
                f"{goals}: look at the number of pegs in holes marked 1.\n"
                f"Each jump changes it by 0 or 2. {told}"
            )
        return (
            f"{goals}: add up the numbers of the holes with pegs.\n"
            f"No jump makes the sum larger. {told}"
        )


def _goals(goals: Iterable[int], board: Board) -> str:
    """Return goals in words."""
    goals = list(goals)
    if goals[0].bit_count() > 1:
        return "The goal"
    if len(goals) == board.size:
        return "A last peg anywhere"
    holes = ", ".join(str(g.bit_length()) for g in goals)
    return f"A last peg in {'hole' if len(goals) == 1 else 'one of the holes'} {holes}"


def excluded_by_pagodas(problem: Problem, limits: Limits) -> list[Reason]:
    """Return reasons for all goals that a pagoda function rules out, as long as there is time."""
    keep = [s for s in problem.board.symmetries if image(s, problem.start) == problem.start]
    reasons: list[Reason] = []
    looked_at: set[int] = set()
    for goal in problem.goals:
        if goal in looked_at or limits.stopped:
            continue
        left = limits.left
        try:
            found = pagoda(problem, goal, None if left is None else max(left, HEARTBEAT))
        except TimeoutError:
            break
        for symmetry in keep:
            other = image(symmetry, goal)
            if found is not None and other not in looked_at and other in problem.goals:
                reasons.append(Reason("pagoda", (goal,), found).moved(symmetry))
            looked_at.add(other)
    return reasons
