"""Decides whether a puzzle has a solution, by a coloring or a search, and writes certificates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from msgspec.structs import replace

from exactile.answers import Status, Verdict
from exactile.answers.base import passed_on
from exactile.backends import Backend, get_backend
from exactile.backends.registry import racers
from exactile.certificate.linear import LinearCertificate
from exactile.certificate.verify import require_certifiable
from exactile.clock import CLOCK
from exactile.doors import door
from exactile.errors import CertificateError, CheckFailedError, Interrupted
from exactile.plugins import DEFAULT_BACKEND, RACING_BACKEND
from exactile.puzzle.coordinates import in_coordinates
from exactile.puzzle.puzzle import Puzzle
from exactile.reasons.certify import (
    Heartbeat,
    ProofFormat,
    certify,
    certify_coloring,
    require_new,
)
from exactile.reasons.colorings import find_linear, weights_of
from exactile.search.case import AT_SIGHT, Case, area_reason, forbidden
from exactile.search.limits import INTERRUPTED, Limits
from exactile.search.search import Options, Search
from exactile.tuning import TUNING
from exactile.wanted import plural


@door
def prove(
    puzzle: Puzzle | Case,
    *,
    certificate: Path | str | None = None,
    proof_format: ProofFormat | None = None,
    watch: Callable[[Search], None] | None = None,
    heartbeat: Heartbeat | None = None,
    memory: int | None = None,
    **options: Unpack[Options],
) -> Verdict:
    """Decide whether a puzzle has a solution.

    `prove` first looks for an obvious reason, which may be a coloring that is found quickly. Then
    it searches thoroughly for a coloring, unless a backend is named or `proof_format` is ``"drup"``
    or ``"lrat"``. Then the backend searches, by default ``"auto"``.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    certificate
        A new directory for a certificate, which is written if the puzzle is unsolvable. Unless a
        coloring shows that, the puzzle is then searched again by code that writes a proof.
    proof_format
        Format of the certificate's proof: ``"drup"`` or ``"lrat"`` for clauses, even if there is a
        coloring; ``"pbp"`` for cutting planes that express a coloring. By default, a coloring comes
        without a further proof; without a coloring, the format is ``"drup"``.
    watch, heartbeat
        Called many times a second: `watch` during the search, `heartbeat` while the certificate is
        made; see `Search` and `exactile.reasons.certify.Heartbeat`.
    memory
        Bytes for the search for a coloring; see `exactile.reasons.colorings.find_linear`.
    options
        See `Search`. If `use_reasons` is False, neither reasons nor colorings are tried. The time
        limit includes the certificate, which is not written if it is not finished in time.

    Raises
    ------
    CertificateError
        If the directory exists already, a format is given without a directory, or a certificate is
        asked for and the puzzle is too large or has pieces that must be joined. With ``"pbp"``,
        also if no coloring is found, the coloring is a balance, a backend is named, or
        `use_reasons` is False.
    PuzzleError, BackendError, ModelError
        See `Search`.
    CheckFailedError
        If a solution or a coloring is wrong, or the certificate shows that the backend is wrong.
    Interrupted
        After Ctrl-C; it has the answer so far.

    Examples
    --------
    >>> import exactile
    >>> verdict = exactile.prove(exactile.load("tetrominoes-5x4"))
    >>> verdict.status, verdict.method
    (<Status.UNSOLVABLE: 'unsolvable'>, 'coloring')
    """
    limits = Limits(options.pop("time_limit", None), memory_limit=memory).rest(1)
    case = Case.of(puzzle)
    given = options.get("backend")
    reasons = options.get("use_reasons", True)
    if proof_format is not None and certificate is None:
        raise CertificateError(
            f"The format {proof_format} is that of a certificate's proof: name a directory for it."
        )
    if certificate is not None:
        certificate = Path(certificate)
        require_new(certificate)
        require_certifiable(case.puzzle)
    elif reasons and (reason := area_reason(case.puzzle)) is not None:
        return _at_sight(case.puzzle, reason)
    if proof_format == "pbp" and not (given is None and reasons):
        raise CertificateError(
            "A proof by cutting planes expresses a coloring, but none is looked for: leave out "
            "backend and use_reasons."
        )
    options["backend"] = RACING_BACKEND if given is None else given
    begun = CLOCK.now()
    with Search(case, watch=watch, limits=limits, **options) as search:
        verdict = coloring = None
        if given is None and reasons and proof_format not in ("drup", "lrat"):
            coloring = _coloring(search, limits)
            verdict = coloring and _by_coloring(search, coloring)
        if proof_format == "pbp" and coloring is None:
            if limits.reached() is not None:  # not all colorings were tried
                return passed_on(prove_search(search))
            raise CertificateError(
                f"No coloring of {case.puzzle.name} was found for a proof by cutting planes: "
                "choose a proof by clauses, drup or lrat."
            )
        verdict = verdict or prove_search(search)
        stats = verdict.stats.lasting(CLOCK.now() - begun)  # also looking for a coloring
        verdict = replace(verdict, stats=stats).of(case.puzzle)
    if certificate is None or verdict.status is not Status.UNSOLVABLE:
        return passed_on(verdict)
    may_color = given is not None and proof_format is None
    try:
        coloring, verdict = _colored(case, verdict, coloring, limits if may_color else None)
        return _certified(search, verdict, coloring, certificate, proof_format, heartbeat, limits)
    except KeyboardInterrupt:
        raise Interrupted(replace(verdict, stopped=INTERRUPTED)) from None


def _at_sight(puzzle: Puzzle, reason: str) -> Verdict:
    """Return the verdict that a puzzle is unsolvable, for a reason that is obvious."""
    return Verdict(
        puzzle=puzzle.name,
        backend=None,
        method=AT_SIGHT,
        status=Status.UNSOLVABLE,
        reason=reason,
        crossing=puzzle.crossing,
    )


def _colored(
    case: Case, verdict: Verdict, coloring: LinearCertificate | None, limits: Limits | None
) -> tuple[LinearCertificate | None, Verdict]:
    """Search for a coloring if a verdict has an obvious reason; return both.

    The given coloring and verdict are returned if the reason is not obvious, if `limits` is None,
    or if a limit is reached.
    """
    if limits is None or verdict.method != AT_SIGHT or limits.reached() is not None:
        return coloring, verdict
    coloring = find_linear(case.puzzle, case.model, limits=limits).certificate
    return coloring, replace(verdict, coloring=coloring and weights_of(coloring))


def prove_search(search: Search) -> Verdict:
    """Return the verdict of a search for one solution; after Ctrl-C, the verdict contains none."""
    solution = None
    interrupted = False
    try:
        solution = next(search, None)
    except KeyboardInterrupt:
        interrupted = True  # perhaps just after a solution was found
        search.close(INTERRUPTED)
    stopped = INTERRUPTED if interrupted else search.stopped
    reason = None
    if search.status is Status.UNSOLVABLE:
        reason = search.reason or f"{search.backend.name} searched everything"
    return Verdict(
        puzzle=search.puzzle.name,
        backend=None if search.reason else search.backend.name,
        method=AT_SIGHT if search.reason else "search",
        status=search.status,
        reason=reason,
        crossing=search.puzzle.crossing,
        solution=None if solution is None else in_coordinates(search.puzzle, solution),
        stopped=stopped if solution is None else None,
        done=1.0 if search.status is Status.UNSOLVABLE else search.done,
        stats=search.stats,
        proof=search.proof,
    ).of(search.puzzle)


def _coloring(search: Search, limits: Limits) -> LinearCertificate | None:
    """Return a coloring if one is found in time, else None.

    After Ctrl-C, the search that would follow does not begin.
    """
    if limits.reached() is not None:  # perhaps before there was a model
        return None
    case, seconds = search.case, TUNING.coloring_seconds
    if limits.seconds is not None:
        seconds = min(seconds, TUNING.coloring_share * limits.seconds)
    try:
        return find_linear(case.puzzle, case.model, limits=limits.within(seconds)).certificate
    except KeyboardInterrupt:
        search.close(INTERRUPTED)
        limits.cancel()  # no certificate is made, either
        return None


def _by_coloring(search: Search, coloring: LinearCertificate) -> Verdict:
    return Verdict(
        puzzle=search.puzzle.name,
        backend=None,
        method="coloring",
        status=Status.UNSOLVABLE,
        reason=search.reason or forbidden(coloring.modulus),
        crossing=search.puzzle.crossing,
        stats=search.stats,
        coloring=weights_of(coloring),
    )


def _writer(search: Search) -> Backend:
    """Return the backend that writes the proof: that of the search if it can, else one that can."""
    able = [search.backend, *([] if search.reason else racers("later"))]
    return next((backend for backend in able if backend.refuter), get_backend(DEFAULT_BACKEND))


def _certified(
    search: Search,
    verdict: Verdict,
    coloring: LinearCertificate | None,
    directory: Path,
    proof_format: ProofFormat | None,
    heartbeat: Heartbeat | None,
    limits: Limits,
) -> Verdict:
    """Write a certificate if time allows; return the verdict, which then names the certificate.

    `coloring`: the argument of the certificate; None for a proof by clauses. Raise CheckFailedError
    if the certificate shows that there is a solution.
    """
    if coloring is not None:
        made = certify_coloring(search.puzzle, coloring, directory, planes=proof_format == "pbp")
        words = forbidden(coloring.modulus) if proof_format is None else made.argument
        return replace(verdict, certificate=str(directory), argument=words)
    writer = _writer(search)
    answer = certify(
        search.case,
        directory,
        backend=writer,
        proof_format="lrat" if proof_format == "lrat" else "drup",
        limits=limits,
        heartbeat=heartbeat,
    )
    if answer.raw:
        raise CheckFailedError(
            f"{verdict.by} says that {answer.puzzle} has no solution, but it has "
            f"{answer.raw}, as the certificate in {directory} shows. This is a bug of ours or of "
            "the solver: please report it."
        )
    if answer.raw is None:
        return verdict
    words = f"a proof of {plural(answer.stats.lemmas or 0, 'lemma')}"
    if writer is not search.backend:
        words += f" by {writer.name}"
    return replace(verdict, certificate=answer.certificate, argument=words)
