"""How runs on one instance contradict each other."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from exactile.answers import ComparedRun, Status

SOLVED = {Status.SOLVABLE.value, Status.COMPLETE.value}


def disagreements(outcomes: Iterable[ComparedRun]) -> list[str]:
    """Return how outcomes for one puzzle contradict each other, in words.

    Stopped runs count, too: they must not have found more solutions than there are.

    Examples
    --------
    >>> ran = {"puzzle": "p", "end": "finished", "answer": "complete"}
    >>> one = ComparedRun(**ran, backend="dlx", found=8, distinct=8, number=8)
    >>> two = ComparedRun(**ran, backend="cpsat", found=3, distinct=3, number=3)
    >>> disagreements([one, two])
    ['p: dlx found 8 solutions and cpsat 3, and both say that these are all']
    """
    given = list(outcomes)
    faults = [f"{o.puzzle}: {_called(o)}: {o.message}" for o in given if o.end == "wrong"]
    faults += [
        f"{o.puzzle}: {_called(o)}: its proof is refused: {o.message}"
        for o in given
        if o.proof == "refused"
    ]
    faults += [
        f"{o.puzzle}: {_called(o)} returned {o.found} solutions, but only {o.distinct} different"
        for o in given
        if o.found != o.distinct
    ]
    for a, b in combinations(given, 2):
        fault = _contradiction(a, b) or _contradiction(b, a)
        if fault:
            faults.append(f"{a.puzzle}: {fault}")
    return faults


def _called(run: ComparedRun) -> str:
    return run.backend if run.repeat == 1 else f"{run.backend} (run {run.repeat})"


def _contradiction(a: ComparedRun, b: ComparedRun) -> str | None:
    one, two = _called(a), _called(b)
    if a.answer in SOLVED and b.answer == Status.UNSOLVABLE.value:
        return f"{one} has a solution, but {two} says that there is none"
    if a.number is not None and b.number is not None:
        if a.number != b.number:
            return (
                f"{one} found {a.number} solutions and {two} {b.number}, "
                "and both say that these are all"
            )
        if a.digest and b.digest and a.model == b.model and a.digest != b.digest:
            return f"{one} and {two} found {a.number} solutions each, not the same"
    if a.value is not None and b.bound is not None and a.value > b.bound:
        return f"{one} packs {a.value} units, but {two} says that {b.bound} is the most"
    if a.number and b.number is None and b.distinct > a.number:
        return f"{one} says that there are {a.number} solutions, but {two} found {b.distinct}"
    return None
