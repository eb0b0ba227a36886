"""The steps of a grade in words: hints for a person who solves the puzzle."""

from __future__ import annotations

from collections.abc import Iterator

from exactile.answers import Grade, GradeStep
from exactile.files.puzzles.units import write_units

KINDS = ("exclude", "refute", "place")
"""Steps that rule a placement out, and the one that is right."""


def hints(grade: Grade) -> Iterator[str]:
    r"""Yield a sentence for each step, indented by the number of assumed placements.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrahexes-4x7")
    >>> challenge = exactile.design_challenges(puzzle, open_pieces=2).challenges[0]
    >>> found = exactile.grade(exactile.challenge_puzzle(puzzle, challenge))
    >>> print(*hints(found), sep="\n")
    1. I4 on 0..3,3: no other placement reaches cell 0,3.
    2. Y4 on 5,1 3..4,2 4,3: no other placement reaches cell 3,2.
    """
    for number, step in enumerate(grade.steps, 1):
        yield f"{number}. {'  ' * step.depth}{hint(step)}"


def brief_hints(grade: Grade) -> Iterator[str]:
    """Yield a sentence for each placed piece, with the number of placements excluded before it.

    Examples
    --------
    >>> from exactile.answers import GradeStep
    >>> piece = ("I3", ((0, 0), (1, 0), (2, 0)))
    >>> steps = [GradeStep(kind=k, reason="cell", placement=piece, cell=(0, 0)) for k in KINDS]
    >>> list(brief_hints(Grade(puzzle="a", steps=tuple(steps))))
    ['1. I3 on 0..2,0: no other placement reaches cell 0,0 (after 2 exclusions).']
    """
    excluded = number = 0
    for step in grade.steps:
        if step.kind == "place" and not step.depth:
            number += 1
            after = f" (after {excluded} exclusion{'s' * (excluded > 1)})" if excluded else ""
            yield f"{number}. {hint(step).removesuffix('.')}{after}."
            excluded = 0
        elif step.kind in KINDS[:2]:
            excluded += 1


def hint(step: GradeStep) -> str:
    """Return a step and its reason as a sentence."""
    assert step.placement is not None
    piece, units = step.placement
    where = f"{piece} on {write_units(list(units))}"
    need = f"cell {','.join(map(str, step.cell))}" if step.cell else f"piece {step.piece}"
    if step.kind == "place":
        why = f"no other placement reaches {need}" if step.cell else "it has no other place"
        return f"{where}: {why}."
    if step.kind == "assume":
        return f"Try {where}."
    cells = "cell" if len(step.units) == 1 else "cells"
    hole = f"{len(step.units)} {cells}, {write_units(list(step.units))}"
    dead = f"no placement reaches {need}" if step.cell else f"{need} has no place"
    if step.kind == "refute":
        why = f"{hole}, cut off: no pieces left have that size" if step.units else dead
        return f"That fails: {why}. Not {where}."
    why = {
        "hole": f"it cuts off {hole}: no pieces left have that size",
        "claim": f"it takes what each placement on {need} needs"
        if step.cell
        else f"it takes what each place of {step.piece} needs",
        "ahead": f"then {dead}",
    }[step.reason]
    return f"Not {where}: {why}."
