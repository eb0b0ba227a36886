"""The answers of SAT solvers, written as in the SAT competitions: read and checked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exactile.model.model import Ints

EXIT_CODES = {"SATISFIABLE": 10, "UNSATISFIABLE": 20, "UNKNOWN": 0, "INDETERMINATE": 0}
"""What may follow ``s``, and the exit code that goes with it."""


class SolverAnswer(NamedTuple):
    """What a solver says."""

    satisfiable: bool | None  # None if it does not know
    literals: list[int]  # those that are true, if it found an assignment


def read_answer(code: int, text: str, variables: int) -> SolverAnswer:
    r"""Read the output of a solver.

    `code`: its exit code: 0, 10 or 20. `text`: what it wrote: lines with ``c`` are comments, one
    with ``s`` has the result, those with ``v`` have the literals. Other lines are passed over.
    `variables`: variables of the formula. Raise ValueError if the text contradicts itself or the
    exit code, or the assignment is not complete.

    Examples
    --------
    >>> read_answer(10, "c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n", 3)
    SolverAnswer(satisfiable=True, literals=[1, -2, 3])
    >>> read_answer(10, "s UNSATISFIABLE\n", 3)
    Traceback (most recent call last):
    ...
    ValueError: it says UNSATISFIABLE, but its exit code is 10
    """
    lines = text.splitlines()
    said = list(dict.fromkeys(line[2:].strip() for line in lines if line.startswith("s ")))
    if len(said) > 1:
        raise ValueError(f"it says both {said[0]} and {said[1]}")
    if not said:
        if code:
            raise ValueError(
                f"its exit code is {code}, but it has no line that begins with 's '; it must write "
                "its answer as in the SAT competitions"
            )
        return SolverAnswer(None, [])
    if said[0] not in EXIT_CODES:
        raise ValueError(f"'s {said[0]}' has no meaning: it is {', '.join(EXIT_CODES)}")
    meant = EXIT_CODES[said[0]]
    if code not in (0, meant):
        raise ValueError(f"it says {said[0]}, but its exit code is {code}")
    if meant != 10:
        return SolverAnswer(False if meant == 20 else None, [])
    return SolverAnswer(True, _literals(lines, variables))


def _literals(lines: list[str], variables: int) -> list[int]:
    """Return the literals of all lines with ``v``, which the last one ends with 0."""
    words = [word for line in lines if line[:2] in ("v", "v ") for word in line[1:].split()]
    try:
        literals = list(map(int, words))
    except ValueError:
        wrong = next(w for w in words if not w.lstrip("-").isdigit())
        raise ValueError(f"'{wrong[:20]}' in a line with 'v' is no literal") from None
    if not literals or literals[-1] != 0:
        raise ValueError("its assignment is cut off: the last line with 'v' must end with 0")
    literals.pop()
    seen = set(literals)
    for x in literals:
        if not 0 < abs(x) <= variables:
            raise ValueError(f"{x} is no literal: there are {variables} variables")
        if -x in seen:
            raise ValueError(f"its assignment has both {abs(x)} and {-abs(x)}")
    return literals


def unsatisfied(literals: Ints, true: list[int]) -> list[int] | None:
    """Return the first clause of which no literal is true; None if there is none.

    `literals`: clauses one after the other, each ended by 0. `true`: the true literals; a literal
    that is absent is not true, nor is its negation.

    Examples
    --------
    >>> formula = np.array([1, 2, 0, -1, -2, 0], dtype=np.int32)
    >>> unsatisfied(formula, [1, -2]) is None
    True
    >>> unsatisfied(formula, [1, 2]), unsatisfied(formula, [1])
    ([-1, -2], [-1, -2])
    """
    top = max(int(np.abs(literals).max(initial=0)), *map(abs, true), 0)
    holds = np.zeros(2 * top + 1, dtype=bool)  # literal x at x, counted from the end if negative
    holds[true] = True
    ends = np.flatnonzero(literals == 0)
    total = np.concatenate([[0], np.cumsum(holds[literals])])
    starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64)
    wrong = np.flatnonzero(total[ends] == total[starts[: len(ends)]])
    if not len(wrong):
        return None
    clause: list[int] = literals[starts[wrong[0]] : ends[wrong[0]]].tolist()
    return clause
