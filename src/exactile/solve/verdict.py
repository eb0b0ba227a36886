"""Decides whether a puzzle has a solution: a coloring, then searches; leaves a certificate."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from exactile.certificate.linear import LinearCertificate
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.solve.certify import Heartbeat, certify, certify_coloring, require_new
from exactile.solve.coloring import find_linear
from exactile.solve.search import Search, Status
from exactile.solve.verbs import Options

SEARCHES = "auto"
"""The backend that searches where none is named."""

COLORING_SECONDS = 20.0
COLORING_SHARE = 0.25
"""A coloring is looked for so long at most, and during this part of the time limit."""


@dataclass(frozen=True)
class Verdict:
    """The answer of `prove`.

    Attributes
    ----------
    puzzle
        Its name.
    backend
        What settled it: ``"coloring"``, or a backend.
    status
        ``UNSOLVABLE``, ``SOLVABLE`` or ``UNKNOWN``.
    reason
        How an unsolvable puzzle was found to be so, in words.
    solution
        A solution, if there is one.
    stopped
        Why the search ended without an answer, if it did.
    stats
        See `Search.stats`.
    coloring
        Weights that show the puzzle to be unsolvable, if that settled it.
    certificate
        What the certificate argues with, in words; None if none was written.
    proof
        See `Search.proof`.
    """

    puzzle: str
    backend: str
    status: Status
    reason: str | None
    solution: Solution | None
    stopped: str | None
    stats: dict[str, Any]
    coloring: LinearCertificate | None = None
    certificate: str | None = None
    proof: str | None = None


def prove(
    puzzle: Puzzle,
    *,
    certificate: Path | None = None,
    watch: Callable[[Search], None] | None = None,
    heartbeat: Heartbeat | None = None,
    **options: Unpack[Options],
) -> Verdict:
    """Decide whether a puzzle has a solution.

    First comes what can be seen at once, then a coloring, then a search by the backend ``"auto"``.
    If a backend is named there is no coloring and no other search.

    Parameters
    ----------
    puzzle
        The puzzle.
    certificate
        A directory to be made, for a certificate if the puzzle is unsolvable. If a search settled
        it, it is searched again by code that writes a proof.
    watch, heartbeat
        Called many times a second: the first while it is searched, the second while the
        certificate is made; see `Search` and `exactile.solve.certify.Heartbeat`.
    options
        See `Search`. Without `use_reasons` only searches count. The time limit holds once for the
        search and once for the certificate.

    Raises
    ------
    CertificateError
        If the directory for the certificate exists already.

    Examples
    --------
    >>> import exactile
    >>> verdict = exactile.prove(exactile.load("tetrominoes-5x4"))
    >>> verdict.status, verdict.backend
    (<Status.UNSOLVABLE: 'unsolvable'>, 'coloring')
    """
    if certificate is not None:
        require_new(certificate)
    given = options.get("backend")
    options["backend"] = SEARCHES if given is None else given
    with Search(puzzle, limit=1, watch=watch, **options) as search:
        verdict = None
        if given is None and options.get("use_reasons", True):
            verdict = _by_coloring(search, options.get("time_limit"))
        verdict = verdict or prove_search(search)
    if certificate is None or verdict.status is not Status.UNSOLVABLE:
        return verdict
    return _certified(puzzle, verdict, certificate, heartbeat, options)


def prove_search(search: Search) -> Verdict:
    """Decide with a search of limit 1; Ctrl-C ends it without an answer."""
    solution = None
    try:
        solution = next(search, None)
    except KeyboardInterrupt:
        search.close("interrupted")
    reason = None
    if search.status is Status.UNSOLVABLE:
        reason = search.reason or f"{search.backend.name} searched everything"
    return Verdict(
        puzzle=search.puzzle.name,
        backend=search.backend.name,
        status=search.status,
        reason=reason,
        solution=solution,
        stopped=search.stopped if solution is None else None,
        stats=search.stats,
        proof=search.proof,
    )


def _by_coloring(search: Search, time_limit: float | None) -> Verdict | None:
    """Return a verdict if there is a coloring, or if the search for one was interrupted."""
    seconds = COLORING_SECONDS
    if time_limit is not None:
        seconds = min(seconds, COLORING_SHARE * time_limit)
    try:
        found = find_linear(search.puzzle, search.model, time_limit=seconds)
    except KeyboardInterrupt:
        search.close("interrupted")
        return None
    if found.certificate is None:
        return None
    return Verdict(
        puzzle=search.puzzle.name,
        backend="coloring",
        status=Status.UNSOLVABLE,
        reason=search.reason or _kind(found.certificate),
        solution=None,
        stopped=None,
        stats=search.stats,
        coloring=found.certificate,
    )


def _kind(coloring: LinearCertificate) -> str:
    """Return what a coloring shows, in few words."""
    if coloring.kind == "congruence":
        return f"a coloring forbids it, modulo {coloring.modulus}"
    return "a coloring forbids it"


def _certified(
    puzzle: Puzzle,
    verdict: Verdict,
    directory: Path,
    heartbeat: Heartbeat | None,
    options: Options,
) -> Verdict:
    """Return the verdict after a certificate has been written, if time suffices."""
    limit = options.get("time_limit")
    coloring = verdict.coloring
    if coloring is None and options.get("use_reasons", True):
        coloring = find_linear(puzzle, time_limit=COLORING_SECONDS).certificate
    if coloring is not None:
        certify_coloring(puzzle, coloring, directory)
        return replace(verdict, certificate=_kind(coloring))
    solver = re.search(r"sat:\w+", verdict.backend)
    backend = solver[0] if solver else "dlx"
    answer = certify(puzzle, directory, backend=backend, time_limit=limit, heartbeat=heartbeat)
    words = f"a proof of {answer.stats.get('lemmas', 0):,} lemmas"
    return replace(verdict, certificate=words if answer.raw == 0 else None)
