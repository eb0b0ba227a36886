"""Tasks that prove whether there is a solution: colorings, explanations, certificates."""

from __future__ import annotations

import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from exactile.answers import Explanation, Status
from exactile.errors import CertificateError
from exactile.puzzle.coordinates import from_coordinates, units_from_coordinates
from exactile.reasons.colorings import find_linear
from exactile.reasons.explain import explain as explain_puzzle
from exactile.reasons.verdict import prove as prove_puzzle
from exactile.render.board import in_numbers
from exactile.render.coloring import draw_coloring_svg
from exactile.render.svg import draw_svg, exhibit
from exactile.search.case import Case, area_reason
from exactile.search.limits import Limits
from exactile.serve.tasks.puzzles import Tell
from exactile.serve.tasks.searching import Searched, paced

MOST_BYTES = 32 << 20
"""Largest number of bytes of a certificate that is sent."""


def prove(asked: Searched, tell: Tell) -> None:
    """Report a `Verdict`.

    If a solution, or a coloring that excludes all solutions, is found, it is reported first.
    """
    case = asked.case
    verdict = prove_puzzle(case, time_limit=asked.time_limit, watch=paced(tell))
    if verdict.solution:
        shown = from_coordinates(case.puzzle, verdict.solution)
        tell("solutions", [in_numbers(case.puzzle, shown)])
    if verdict.coloring:
        _tell_coloring(case, asked.time_limit, tell)
    tell("answer", verdict)


def explain(asked: Searched, tell: Tell) -> None:
    """Report an `Explanation`; before it, if there is no solution, a picture that shows why."""

    def watch(words: str) -> None:
        if words:
            tell("progress", {"doing": words})

    found = explain_puzzle(asked.case, limits=Limits(asked.time_limit), watch=watch)
    _tell_explanation(asked.case, found, tell)
    tell("answer", found)


def why(asked: Searched, tell: Tell) -> None:
    """Report in words why there is no solution, or None if no reason is found.

    If the reason is a coloring or an explanation, a picture is reported as well. Raise PuzzleError
    if the puzzle has rules that `exactile.explain` refuses, and no other reason is found.
    """
    case = asked.case
    if (reason := area_reason(case.puzzle)) is not None:
        tell("why", {"words": f"It has no solution: {reason}."})
        return
    if _tell_coloring(case, asked.time_limit / 2, tell):
        tell("why", {"words": "Its coloring shows that it has no solution."})
        return
    found = explain_puzzle(case, limits=Limits(asked.time_limit / 2))
    if _tell_explanation(case, found, tell):
        tell("why", {"words": found.sentence})
        return
    tell("why", {"words": None})


def certificate(asked: Searched, tell: Tell) -> None:
    """Report a certificate that there is no solution: a directory packed by tar and gzip.

    Raise CertificateError if there is a solution, if no certificate is made in time, if it has more
    than `MOST_BYTES`, or if certificates do not support the puzzle.
    """
    with TemporaryDirectory() as folder:
        made = Path(folder) / f"{asked.case.puzzle.name}-certificate"
        verdict = prove_puzzle(
            asked.case, certificate=made, time_limit=asked.time_limit, watch=paced(tell)
        )
        if not made.exists():
            solvable = verdict.status is Status.SOLVABLE
            raise CertificateError(
                "There is a solution, so there is nothing to certify."
                if solvable
                else "No certificate was made in time."
            )
        packed = BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            archive.add(made, made.name)
    if packed.tell() > MOST_BYTES:
        raise CertificateError(
            f"The certificate has {packed.tell():,} bytes, too many for the page: "
            "`exactile prove --certificate` writes it."
        )
    tell("file", {"name": f"{made.name}.tar.gz", "content": packed.getvalue()})
    tell("answer", verdict)


def _tell_coloring(case: Case, seconds: float, tell: Tell) -> bool:
    """Search for a coloring and report its picture; return whether one was found."""
    found = find_linear(case.puzzle, limits=Limits(seconds)).certificate
    if found is not None:
        tell("picture", {"svg": draw_coloring_svg(case.puzzle, found)})
    return found is not None


def _tell_explanation(case: Case, found: Explanation, tell: Tell) -> bool:
    """If an explanation rules out all solutions, report its picture; return whether it does so."""
    if found.status is not Status.UNSOLVABLE:
        return False
    units = units_from_coordinates(case.puzzle, found.units)
    pieces = [name for name, times in found.pieces.items() for _ in range(times)]
    tell("picture", {"svg": draw_svg(*exhibit(case.puzzle, units, pieces))})
    return True
