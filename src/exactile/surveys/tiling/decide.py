"""Decides whether prototiles tile: the native module searches, separate code checks the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from exactile import __version__, _native
from exactile.answers import (
    INTERRUPTED,
    TIME_LIMIT,
    HeeschNumbers,
    PeriodicTiling,
    Placed,
    Prototile,
    Stats,
    TilingAnswer,
    TilingPatch,
)
from exactile.certificate.tilings import (
    FORMAT,
    Heesch,
    Period,
    TilingCertificate,
    verify_tiling,
    write_certificate,
)
from exactile.errors import CertificateError, CheckFailedError, PieceError
from exactile.search.limits import Limits
from exactile.surveys.tiling.prototiles import Prototiles, as_points, decided, is_flat

WORDS = {"tiles": "tiles", "does-not-tile": "does not tile", "open": "open"}
"""The verdicts of the native module, and their wording in answers."""

COPIES = 2**31 - 1
"""Largest number of copies in a period that the native module accepts; no search gets that far."""

Rows = Sequence[Sequence[int]]


@dataclass(frozen=True)
class TilingSettings:
    """The questions about prototiles, and the limits of searches.

    Attributes
    ----------
    least
        Whether to find the least number of copies in a period of a tiling.
    heesch
        Whether to find the Heesch numbers of a prototile that does not tile: how many coronas
        (complete layers of copies) can surround it.
    most_copies
        Largest number of copies in the periods that are searched.
    most_coronas
        Largest number of coronas in the patches that are searched.
    effort
        Largest number of nodes of all searches together; None for no limit.
    """

    least: bool = False
    heesch: bool = False
    most_copies: int = 32
    most_coronas: int = 8
    effort: int | None = 2_000_000

    def wishes(self, prototiles: Prototiles) -> _native.TilingWishes:
        """Return the questions and limits in the form that the native module takes.

        Raises
        ------
        PieceError
            If Heesch numbers are requested but not defined for these prototiles, or if the least
            number of copies is requested for several prototiles.
        """
        if self.least and len(prototiles.pieces) > 1:
            raise PieceError(
                "The least number of copies is found for a single prototile: ask about one, or "
                "leave out the least number."
            )
        if self.heesch and not prototiles.has_heesch_numbers:
            raise PieceError(
                "Only a connected prototile that can lie on the lattice in a single way has Heesch "
                "numbers: ask about one such at a time."
            )
        wishes = _native.TilingWishes()
        wishes.all = prototiles.each
        wishes.least, wishes.heesch = self.least, self.heesch
        wishes.holes = is_flat(prototiles.lattice)
        wishes.proofs = True
        wishes.most_copies = min(self.most_copies, COPIES)
        wishes.most_coronas = self.most_coronas
        wishes.nodes = 2**62 if self.effort is None else self.effort
        return wishes


class Decision:
    """The results of the native module about some prototiles.

    Attributes
    ----------
    prototiles
        The prototiles.
    found
        The results that the native module returned.
    limit
        The limit that was reached; None if none was.
    """

    def __init__(
        self, prototiles: Prototiles, found: dict[str, Any], limit: str | None = None
    ) -> None:
        self.prototiles = prototiles
        self.found = found
        self.limit = limit

    @property
    def verdict(self) -> str:
        """``"tiles"``, ``"does not tile"`` or ``"open"``."""
        return WORDS[self.found["verdict"]]

    @property
    def claims(self) -> bool:
        """Whether the results contain anything that a certificate can prove."""
        return (
            self.verdict != "open"
            or self.found["coronas"] > 0
            or heesch_claim(self.found) is not None
        )

    @property
    def certificate(self) -> TilingCertificate:
        """The certificate that proves the results; other programs can check it."""
        found = self.found
        holds = self.verdict == "tiles"
        refuted = self.verdict == "does not tile"
        lattice = self.prototiles.lattice
        return TilingCertificate(
            format=FORMAT,
            made_by=f"exactile {__version__}",
            lattice=lattice.name,
            motions=tuple(tuple(map(tuple, m)) for m in self.prototiles.matrices.tolist()),
            prototiles=tuple(
                tuple(map(tuple, as_points(lattice, units).tolist()))
                for units in self.prototiles.units
            ),
            crossing=self.prototiles.rule,
            each=self.prototiles.each,
            tiling=Period(rows_of(found["period"]), rows_of(found["copies"])) if holds else None,
            refutation=found["refutation"] if refuted and found["refutation"] else None,
            unbalanced=refuted and found["method"] == "balance",
            patch=rows_of(found["patch"], -1) if self.verdict == "open" else (),
            coronas=found["coronas"] if self.verdict == "open" else 0,
            heesch=heesch_claim(found),
        )

    def answer(self, steps: int = 0, certificate: Path | None = None) -> TilingAnswer:
        """Return the results as an answer.

        `steps`: number of steps of the certificate's refutations. `certificate`: the directory to
        which the certificate was written; None if it was not.
        """
        found, prototiles = self.found, self.prototiles
        least, exact = found["least"]
        return TilingAnswer(
            lattice=prototiles.lattice.name,
            freedom=prototiles.freedom.value,
            crossing=prototiles.rule,
            prototiles=tuple(
                Prototile(
                    name=p.name, units=tuple(p.lattice.coordinates(np.array(sorted(p.units))))
                )
                for p in prototiles.pieces
            ),
            each=prototiles.each,
            verdict=self.verdict,
            method=found["method"] or None,
            tiling=self._tiling() if self.verdict == "tiles" else None,
            isohedral=found["isohedral"],
            least_copies=least if exact else None,
            copies_at_least=self._copies_at_least(max(1, least)),
            periods_excluded=found["periods_excluded"],
            coronas=found["coronas"] if self.verdict == "open" else 0,
            patch=self._patch("patch", found["coronas"]) if self.verdict == "open" else None,
            heesch=self._heesch(),
            refutation_steps=steps,
            certificate=None if certificate is None else str(certificate),
            stopped=self.stopped,
            stats=Stats.of({"nodes": found["nodes"]}),
        )

    @property
    def stopped(self) -> str | None:
        """Why the results are incomplete, such as ``"time limit"``; None if they are complete."""
        if isinstance(self.found["error"], KeyboardInterrupt):
            return INTERRUPTED
        if self.found["stopped"]:
            return self.limit or TIME_LIMIT
        return "effort" if self.found["exhausted"] else None

    def _copies_at_least(self, number: int) -> int:
        """Return a lower bound for the number of copies in a period.

        `number`: the native module's lower bound for the area of a period, as a multiple of a basic
        area, rounded up. The basic area is that of the smallest prototile or, if each prototile
        must be used, that of all together.
        """
        orders = [piece.order for piece in self.prototiles.pieces]
        room = sum(orders) if self.prototiles.each else min(orders)
        return (number - 1) * room // max(orders) + 1

    def _placed(self, row: Sequence[int]) -> Placed:
        """Return a copy of a prototile as its name and customary coordinates.

        `row`: an index in `prototiles.units`, an index in `prototiles.matrices`, and then the
        translation in periods.
        """
        lattice = self.prototiles.lattice
        prototile, turn, *by = row[: 2 + lattice.dimension]
        points = as_points(lattice, self.prototiles.units[prototile])
        points = points @ self.prototiles.matrices[turn].T + lattice.period * np.array(by)
        order = np.lexsort(points.T[::-1])
        return Placed(
            self.prototiles.owners[prototile].name, tuple(lattice.coordinates(points[order]))
        )

    def _tiling(self) -> PeriodicTiling:
        return PeriodicTiling(
            vectors=rows_of(self.found["period"]),
            copies=tuple(self._placed(row) for row in self.found["copies"]),
            orbits=max(self.found["orbits"]) + 1,
            classes=tuple(self.found["orbits"]),
        )

    def _patch(self, name: str, coronas: int) -> TilingPatch | None:
        rows = self.found[name]
        if not rows:
            return None
        return TilingPatch(
            coronas=coronas,
            tiles=tuple(self._placed(row) for row in rows),
            levels=tuple(coronas - row[-1] for row in rows),
        )

    def _heesch(self) -> HeeschNumbers | None:
        if "solid" not in self.found:
            return None
        (solid, solid_known), (holed, holed_known) = self.found["solid"], self.found["holed"]
        return HeeschNumbers(
            solid=solid if solid_known else None,
            holed=holed if holed_known else None,
            solid_at_least=solid,
            holed_at_least=holed,
            solid_patch=self._patch("solid_patch", solid),
            holed_patch=self._patch("holed_patch", holed),
        )


def heesch_claim(found: dict[str, Any]) -> Heesch | None:
    """Return the proof of the Heesch numbers in results of the native module.

    The result is None unless the numbers of coronas without and with holes are both known exactly.
    """
    if not ("solid" in found and found["solid"][1] and found["holed"][1]):
        return None
    return Heesch(
        solid=found["solid"][0],
        holed=found["holed"][0],
        solid_patch=rows_of(found["solid_patch"], -1),
        holed_patch=rows_of(found["holed_patch"], -1),
        solid_refutation=found["solid_refutation"],
        holed_refutation=found["holed_refutation"],
    )


def rows_of(rows: Rows, end: int | None = None) -> tuple[tuple[int, ...], ...]:
    """Return rows as tuples, cut before index `end`; None keeps whole rows."""
    return tuple(tuple(row[:end]) for row in rows)


def decide(
    prototiles: Prototiles,
    settings: TilingSettings,
    limits: Limits | None = None,
    watch: Callable[[], None] | None = None,
) -> Decision:
    """Decide whether copies of prototiles tile; after a limit or Ctrl-C, return what is known.

    Parameters
    ----------
    prototiles
        The prototiles.
    settings
        The questions and limits.
    limits
        When to stop; None for no limits besides those of `settings`.
    watch
        Called many times a second; None for no calls.

    Raises
    ------
    PieceError
        See `TilingSettings.wishes`.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> from exactile.puzzle.pieces.piece import Piece
    >>> domino = Piece("I2", get_lattice("square"), ((0, 0), (1, 0)), "free")
    >>> decide(Prototiles((domino,)), TilingSettings()).verdict
    'tiles'
    """
    limits = limits or Limits()
    limits.begin()

    def goes_on() -> bool:
        if watch is not None:
            watch()
        return limits.reached() is None

    wishes, native, units = settings.wishes(prototiles), prototiles.native, prototiles.units
    alone = len(prototiles.pieces) == 1
    found = (decided if alone else _native.TilingDecider.decide)(native, units, wishes, goes_on)
    error = found["error"]
    if error is not None and not isinstance(error, KeyboardInterrupt):
        raise error
    return Decision(prototiles, found, limits.reached())


def verified(decision: Decision) -> int:
    """Check the certificate of a decision; return the number of steps of its refutations.

    The result is 0 if there is nothing to certify.

    Raises
    ------
    CheckFailedError
        If the certificate does not hold: a bug.
    """
    if not decision.claims:
        return 0
    try:
        return verify_tiling(decision.certificate).steps
    except CertificateError as error:
        raise CheckFailedError(
            f"The search for tilings returned a wrong certificate: {error} This is a bug in "
            f"Exactile: please report it. {prototiles_text(decision.prototiles)}"
        ) from None


def prototiles_text(prototiles: Prototiles) -> str:
    """Return prototiles as a line of text, for messages."""
    words = (
        f"{piece.name}: {' '.join(','.join(map(str, unit)) for unit in units)}"
        for piece in prototiles.pieces
        for units in [piece.lattice.coordinates(np.array(piece.units))]
    )
    return f"{prototiles.lattice.name}, {'; '.join(words)}"


def save(decision: Decision, directory: Path) -> None:
    """Write the certificate of a decision into a directory, which is made if it is missing."""
    directory.mkdir(parents=True, exist_ok=True)
    write_certificate(directory, decision.certificate)
