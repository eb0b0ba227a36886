"""The function `tile`, which decides whether prototiles tile the plane or space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from msgspec.structs import replace as changed

from exactile.answers import INTERRUPTED, TilingAnswer
from exactile.doors import Positive, Within, door
from exactile.errors import Interrupted, PieceError
from exactile.files.puzzles.piece_groups import lattice_of, read_pieces
from exactile.files.sources import Place
from exactile.geometry import as_lattice
from exactile.geometry.lattice import Lattice
from exactile.puzzle.pieces.piece import Freedom, Piece, as_freedom, customary_freedom
from exactile.reasons.certify import require_new
from exactile.search.limits import Limits
from exactile.surveys.tiling.decide import TilingSettings, decide, save, verified
from exactile.surveys.tiling.disc import DiscSearch, write_proofs
from exactile.surveys.tiling.prototiles import Prototiles


@door
def tile(
    pieces: str | Piece | Sequence[Piece] | Sequence[Sequence[int]],
    *,
    lattice: Lattice | str | None = None,
    freedom: Freedom | str | None = None,
    crossing: bool = True,
    each: bool = False,
    least: bool = False,
    heesch: bool = False,
    copies: Positive = TilingSettings.most_copies,
    coronas: Annotated[int, Within(1, 14)] = TilingSettings.most_coronas,
    effort: Positive | None = None,
    time_limit: float | None = None,
    disc: bool = False,
    certificate: Path | str | None = None,
    proofs: Path | str | None = None,
    limits: Limits | None = None,
    watch: Callable[[], None] | None = None,
) -> TilingAnswer:
    """Decide whether copies of prototiles tile the plane or space.

    Parameters
    ----------
    pieces
        The prototiles: a piece set or pieces by name, such as ``"X"``; `Piece` objects; or the
        units of one prototile in customary coordinates.
    lattice
        The lattice, for pieces that are given by names or units. By default, the one that has all
        named pieces.
    freedom
        How prototiles may be turned. By default, pieces keep their freedom; a prototile given by
        units is free if it is flat, and one-sided if it is solid.
    crossing
        Whether copies must not cross at vertices of stick and trig grids.
    each
        Whether each of several prototiles must be used; by default, some may be unused.
    least
        Whether to find the least number of copies of a single prototile in a period of a tiling.
    heesch
        Whether to find the Heesch numbers of a prototile that does not tile: how many coronas
        (complete layers of copies) can surround it.
    copies
        Periods of up to this number of copies are searched.
    coronas
        Patches with up to this number of coronas are searched.
    effort
        Largest number of nodes of all searches: by default 2,000,000, or unlimited if there is a
        time limit.
    time_limit
        Seconds. If a limit is reached before the decision, the verdict is ``"open"``.
    disc
        Whether to find, around a prototile that does not tile, units that cannot all be covered.
        They are found only if the method of the answer is ``"refutation"``.
    certificate
        A new directory for a certificate, see `exactile.certificate.tilings`; None for none.
    proofs
        A new directory for a certificate, formulas, and proofs that checkers of other projects
        accept, see `exactile.surveys.tiling.disc.write_proofs`; None for none. They are written
        under the same condition as for `disc`.
    limits
        Limits shared with other calls, in place of `time_limit`.
    watch
        Called many times a second.

    Returns
    -------
    TilingAnswer
        The answer, checked by separate code.

    Raises
    ------
    PieceError
        If the arguments do not describe prototiles, if these are too large, or if `each`, `least`
        or `heesch` is impossible for them.
    NotFoundError
        If there is no such set, piece or lattice.
    PuzzleError
        If units do not lie on the lattice, or if `time_limit` is not positive or is given together
        with `limits`.
    CertificateError
        If a directory that must be new already exists, or a proof is refused, which is a bug.
    CheckFailedError
        If the certificate does not hold: a bug.
    Interrupted
        After Ctrl-C, with what is known.

    Examples
    --------
    >>> tile("X").method
    'translation'
    >>> ring = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)]
    >>> tile(ring, lattice="square").verdict
    'does not tile'
    """
    for directory in (certificate, proofs):
        if directory is not None:
            require_new(Path(directory))
    given = prototiles_of(pieces, lattice, freedom)
    prototiles = Prototiles(given, crossing, each)
    limits = Limits.chosen(limits, time_limit)
    if effort is None and limits.seconds is None:
        effort = TilingSettings.effort
    settings = TilingSettings(least, heesch, copies, coronas, effort)
    decision = decide(prototiles, settings, limits, watch)
    steps = verified(decision)
    kept = Path(certificate) if certificate is not None and decision.claims else None
    if kept is not None:
        save(decision, kept)
    answer = decision.answer(steps, kept)
    if answer.stopped == INTERRUPTED:
        raise Interrupted(answer)
    if answer.method != "refutation" or not (disc or proofs):
        return answer
    try:
        search = DiscSearch(decision.certificate, limits, watch)
        if disc and search.found:
            answer = changed(answer, uncoverable=search.units(prototiles))
        if proofs is not None and search.found:
            files = write_proofs(Path(proofs), decision.certificate, search, limits)
            answer = changed(answer, proofs=tuple(map(str, files)))
    except KeyboardInterrupt:
        raise Interrupted(changed(answer, stopped=INTERRUPTED)) from None
    return changed(answer, stopped=limits.reached() or answer.stopped)


def prototiles_of(
    pieces: str | Piece | Sequence[Piece] | Sequence[Sequence[int]],
    lattice: Lattice | str | None,
    freedom: Freedom | str | None,
) -> tuple[Piece, ...]:
    """Return the prototiles that the arguments of `tile` describe by names, pieces or units.

    Raise PieceError, NotFoundError or PuzzleError as `tile` does.
    """
    found = _named(pieces, lattice) if isinstance(pieces, str) else _listed(pieces, lattice)
    if freedom is None:
        return found
    return tuple(replace(piece, freedom=as_freedom(freedom)) for piece in found)


def _named(text: str, lattice: Lattice | str | None) -> tuple[Piece, ...]:
    grid = as_lattice(lattice_of(text) if lattice is None else lattice)
    found, _ = read_pieces(text, grid, Place("PIECE", text))
    return found


def _listed(
    pieces: Piece | Sequence[Piece] | Sequence[Sequence[int]], lattice: Lattice | str | None
) -> tuple[Piece, ...]:
    found: list[Any] = [pieces] if isinstance(pieces, Piece) else list(pieces)
    made = tuple(piece for piece in found if isinstance(piece, Piece))
    if len(made) == len(found):
        return made
    if made or lattice is None:
        raise PieceError("Give pieces, or the units of one prototile and their lattice.")
    grid = as_lattice(lattice)
    points = grid.points([unit for unit in found if not isinstance(unit, Piece)])
    return (Piece("tile", grid, tuple(map(tuple, points.tolist())), customary_freedom(grid)),)
