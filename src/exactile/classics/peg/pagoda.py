"""Pagoda functions (J. H. Conway and others), found by linear programming, verified in integers.

Let x be the number of times that each jump is made. A hole h gets as many pegs as jumps end there,
and loses as many as jumps begin there or go over it:

    ends(h) - leaves(h) = goal(h) - start(h).

If no x of nonnegative numbers, integer or not, satisfies this, Farkas' lemma gives weights of the
holes: a pagoda function that makes the goal heavier than the start.

The program is given as a model whose options are jumps, for `exactile.reasons.adapters.farkas`.
Models can only add, so each hole has two items. One is contained in the jumps that end there, the
other one in those that take its peg, and both in an option that fills them up to their bounds: L
jumps are made in total, and the second item is contained exactly L times in jumps and fillings.
"""

from __future__ import annotations

from exactile.classics.peg.certificates import Certificate, verify
from exactile.classics.peg.problem import PegProblem
from exactile.errors import CertificateError
from exactile.model.model import Model
from exactile.reasons.adapters.farkas import farkas
from exactile.search.limits import Limits


def pagoda(problem: PegProblem, goal: int, limits: Limits | None = None) -> Certificate | None:
    """Return a verified pagoda function that rules out a goal, None if there is none.

    Parameters
    ----------
    problem
        The problem.
    goal
        One of its goals.
    limits
        When to stop.

    Raises
    ------
    TimeoutError
        If a limit is reached.
    BackendCrashedError
        If the process of the solver dies.

    Examples
    --------
    >>> from exactile.classics.peg import load_board
    >>> from exactile.classics.peg.certificates import weight
    >>> problem = PegProblem.vacancy(load_board("triangle-4"), 5, end=5)
    >>> found = pagoda(problem, problem.goals[0])
    >>> weight(found.weights, problem.start) < weight(found.weights, problem.goals[0])
    True
    """
    model = flow_model(problem, goal)
    if model is None:
        return None
    found = farkas(model, limits)
    if found is None:
        return None
    n = problem.board.size
    gains, losses = found[:n].tolist(), found[n:].tolist()
    # A hole may get less for a peg than it costs there, in all by `slack`. That much more weight
    # for every hole makes up for it: of the constant function each of the L jumps takes 1 away.
    slack = -sum(gain + loss for gain, loss in zip(gains, losses, strict=True))
    certificate = Certificate("pagoda", tuple(gain + slack for gain in gains), (goal,))
    try:
        verify(problem.board, problem.start, certificate)
    except CertificateError:  # rounded numbers: nothing is claimed
        return None
    return certificate


def flow_model(problem: PegProblem, goal: int) -> Model | None:
    """Return the model of jumps, None if the goal does not have fewer pegs than the start."""
    board, start = problem.board, problem.start
    n, length = board.size, start.bit_count() - goal.bit_count()
    if length < 1:
        return None
    options = [[c, n + a, n + b] for a, b, c in board.jumps.tolist()]
    options += [[h, n + h] for h in range(n)]
    bounds = [length + (goal >> h & 1) - (start >> h & 1) for h in range(n)] + [length] * n
    return Model.of_options(options, lower=bounds, upper=bounds)
