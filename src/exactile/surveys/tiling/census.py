"""A census: whether and how each polyform of an order tiles the plane or space.

A *form* is one of these polyforms. Its *rank* is its number, from 1, in a fixed order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from exactile import __version__, _native
from exactile.answers import CensusEntry, Stats, TilingCensus
from exactile.certificate.tilings import FORMAT, Heesch, Period, TilingCertificate, verify_tiling
from exactile.errors import CertificateError, CheckFailedError
from exactile.geometry import get_lattice
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, motions_of
from exactile.surveys.tiling.decide import COPIES, WORDS, heesch_claim, rows_of
from exactile.surveys.tiling.prototiles import (
    Units,
    as_points,
    as_units,
    decided,
    decider,
    encloses,
    is_flat,
    to_place,
    ways,
)
from exactile.work.worker import Tell

EFFORT = 5_000_000
"""Largest number of nodes of the searches for one polyform."""


class Census(msgspec.Struct, frozen=True):
    """The settings that identify a census: everything that its entries depend on.

    Attributes
    ----------
    lattice, order, freedom
        Which polyforms: the name of their lattice, their number of units (of cells, if a cell is
        several units), and their freedom.
    crossing
        Whether copies must not cross at vertices.
    effort, most_copies, most_coronas
        Limits of the searches for each polyform: see
        `exactile.surveys.tiling.decide.TilingSettings`.
    """

    lattice: str
    order: int
    freedom: str
    crossing: bool = True
    effort: int = EFFORT
    most_copies: int = 32
    most_coronas: int = 8

    @property
    def grid(self) -> Lattice:
        """The lattice as an object; `lattice` is its name."""
        return get_lattice(self.lattice)

    @property
    def rule(self) -> bool:
        """Whether the crossing rule applies: it is requested, and the lattice has one."""
        return self.crossing and self.grid.crossing is not None

    def forms(self) -> Units:
        """Return the units of all polyforms of the census, in a fixed order.

        Each polyform is moved so that its least coordinates are 0. Raise PieceError if the order is
        out of range or has too many polyforms.
        """
        found = generate(self.grid, self.order, Freedom(self.freedom))
        return to_place(as_units(self.grid, found))

    def ways(self, units: Units) -> list[Units]:
        """Return all sets of units that have the shape of the polyform `units`.

        See `exactile.surveys.tiling.prototiles.ways`.
        """
        return ways(self.grid, units, self.matrices(units))

    def matrices(self, units: Units) -> Points:
        """Return the matrices by which copies of the polyform `units` may be turned."""
        return motions_of(as_points(self.grid, units), self.grid, Freedom(self.freedom))

    @property
    def wishes(self) -> _native.TilingWishes:
        """The questions about each polyform and the limits of searches, for the native module."""
        wishes = _native.TilingWishes()
        wishes.least = wishes.half_turns = wishes.heesch = wishes.proofs = True
        wishes.holes = is_flat(self.grid)
        wishes.most_copies = min(self.most_copies, COPIES)
        wishes.most_coronas = self.most_coronas
        wishes.nodes = self.effort
        return wishes


class Claim(msgspec.Struct, frozen=True, omit_defaults=True):
    """The part of a polyform's certificate that a census stores.

    The rest follows from the settings of the census and from the units of the polyform.
    """

    tiling: Period | None = None
    refutation: str = ""
    unbalanced: bool = False
    heesch: Heesch | None = None
    patch: tuple[tuple[int, ...], ...] = ()
    coronas: int = 0

    def certificate(self, census: Census, units: Units) -> TilingCertificate | None:
        """Return the whole certificate of the polyform `units`; None if the claim is empty."""
        if self == Claim():
            return None
        grid = census.grid
        return TilingCertificate(
            format=FORMAT,
            made_by=f"exactile {__version__}",
            lattice=census.lattice,
            motions=tuple(tuple(map(tuple, m)) for m in census.matrices(units).tolist()),
            prototiles=tuple(
                tuple(map(tuple, as_points(grid, each).tolist())) for each in census.ways(units)
            ),
            crossing=census.rule,
            tiling=self.tiling,
            refutation=self.refutation or None,
            unbalanced=self.unbalanced,
            patch=self.patch,
            coronas=self.coronas,
            heesch=self.heesch,
        )


class Judged(msgspec.Struct, frozen=True):
    """A polyform's result, the claim that proves it, and the number of nodes of the searches."""

    entry: CensusEntry
    claim: Claim
    nodes: int


Natives = dict[int, _native.TilingDecider]
"""Native objects that decide whether polyforms tile, by the number of their matrices."""


@dataclass(frozen=True)
class Judging:
    """The task of workers that decide which polyforms of a census tile: see `exactile.work.Pool`.

    Attributes
    ----------
    census
        The census.
    verify
        Whether each certificate is verified.
    """

    census: Census
    verify: bool = False

    def start(self) -> Callable[[Sequence[int], Tell[list[Judged]]], None]:
        """Return a function that decides whether polyforms tile.

        It gets the ranks of the polyforms, and a callback to which it passes the list of results.
        """
        forms = self.census.forms()
        natives: Natives = {}

        def judge(ranks: Sequence[int], tell: Tell[list[Judged]]) -> None:
            tell(list(judged(self.census, forms, ranks, verify=self.verify, natives=natives)))

        return judge


def judged(
    census: Census,
    forms: Units,
    ranks: Iterable[int],
    *,
    verify: bool = False,
    goes_on: Callable[[], bool] = lambda: True,
    natives: Natives | None = None,
) -> Iterator[Judged]:
    """Yield the result for each polyform in `ranks`, until `goes_on` returns False.

    Parameters
    ----------
    census, forms
        The census, and all of its polyforms.
    ranks
        The numbers, from 1, of the polyforms to decide.
    verify
        Whether each certificate is verified.
    goes_on
        Called many times a second; returns whether to continue.
    natives
        Native objects of this census to reuse; others are added.

    Raises
    ------
    CheckFailedError
        If a certificate does not hold, with `verify`: a bug.
    KeyboardInterrupt
        After Ctrl-C.

    Examples
    --------
    >>> census = Census("square", 5, "free")
    >>> [j.entry.method for j in judged(census, census.forms(), [4, 5])]
    ['translation', 'half-turn']
    """
    natives = {} if natives is None else natives
    wishes = census.wishes
    for rank in ranks:
        matrices = census.matrices(forms[rank - 1])
        if len(matrices) not in natives:
            natives[len(matrices)] = decider(census.grid, matrices, census.rule)
        native = natives[len(matrices)]
        found = decided(native, census.ways(forms[rank - 1]), wishes, goes_on)
        if found["error"] is not None:
            raise found["error"]
        if found["stopped"]:
            return
        result = Judged(_entry(census, rank, forms[rank - 1], found), _claim(found), found["nodes"])
        if verify:
            verified(census, result, forms[rank - 1])
        yield result


def verified(census: Census, result: Judged, units: Units) -> None:
    """Verify the claim of a result, and that the result states what the claim proves.

    A claim does not prove that a number of copies is the least, or that a form is not isohedral, so
    these statements are not verified.

    Raises
    ------
    CheckFailedError
        If the claim does not hold, or the result states something else: a bug.
    """
    certificate = result.claim.certificate(census, units)
    try:
        verdict = None if certificate is None else verify_tiling(certificate).verdict
        _require_same(census, result, units, verdict or "open")
    except CertificateError as error:
        raise CheckFailedError(
            f"What was found about form {result.entry.rank} of order {census.order} on the "
            f"{census.lattice} lattice is wrong: {error} This is a bug in Exactile: please report "
            "it."
        ) from None


def _require_same(census: Census, result: Judged, units: Units, verdict: str) -> None:
    """Raise CertificateError unless a result states what its claim proves.

    `verdict`: the proved verdict, such as ``"tiles"``.
    """
    entry, claim = result.entry, result.claim
    copies = len(claim.tiling.copies) if claim.tiling is not None else 0
    least = entry.copies if verdict == "tiles" else 0
    heesch = None if claim.heesch is None else (claim.heesch.solid, claim.heesch.holed)
    exact = entry.solid_exact or entry.holed_exact
    if (
        (entry.verdict, entry.units) != (verdict, _placed(census, units))
        or entry.holes != _holes(census, units, verdict)
        or (copies != least if entry.exact else copies < least)
        or (exact and heesch != (entry.solid, entry.holed))
        or entry.coronas != (claim.coronas if verdict == "open" else 0)
    ):
        raise CertificateError("It is not what its evidence shows.")


def _claim(found: dict[str, Any]) -> Claim:
    verdict = WORDS[found["verdict"]]
    if verdict == "tiles":
        return Claim(tiling=Period(rows_of(found["period"]), rows_of(found["copies"])))
    if verdict == "open":
        return Claim(patch=rows_of(found["patch"], -1), coronas=found["coronas"])
    return Claim(
        refutation=found["refutation"],
        unbalanced=found["method"] == "balance",
        heesch=heesch_claim(found),
    )


def _placed(census: Census, units: Units) -> tuple[Point, ...]:
    """Return units in customary coordinates."""
    return tuple(census.grid.coordinates(as_points(census.grid, units)))


def _holes(census: Census, units: Units, verdict: str) -> bool:
    """Return whether a form encloses units; one that tiles does not: copies cannot fill a hole."""
    return verdict != "tiles" and encloses(
        census.grid, list(map(tuple, as_points(census.grid, units).tolist()))
    )


def _entry(census: Census, rank: int, units: Units, found: dict[str, Any]) -> CensusEntry:
    verdict = WORDS[found["verdict"]]
    (solid, solid_exact), (holed, holed_exact) = (
        found.get(key, (None, False)) for key in ("solid", "holed")
    )
    copies, exact = found["least"]
    return CensusEntry(
        rank=rank,
        units=_placed(census, units),
        holes=_holes(census, units, verdict),
        verdict=verdict,
        method=found["method"],
        half_turn=found["half_turn"] if census.grid.dimension == 2 else None,
        isohedral=found["isohedral"],
        orbits=max(found["orbits"], default=-1) + 1,
        copies=max(1, copies) if verdict != "does not tile" else 0,
        exact=exact,
        solid=solid,
        solid_exact=solid_exact,
        holed=holed,
        holed_exact=holed_exact,
        coronas=found["coronas"] if verdict == "open" else 0,
    )


def summary(
    census: Census,
    forms: int,
    entries: Sequence[CensusEntry],
    *,
    stopped: str | None = None,
    nodes: int = 0,
    with_entries: bool = False,
) -> TilingCensus:
    """Return the statistics of a census.

    Parameters
    ----------
    census, forms
        The census, and its number of forms (polyforms).
    entries
        The results for the forms that are decided.
    stopped
        Why the census ended early; None if it did not.
    nodes
        Number of nodes of all searches.
    with_entries
        Whether to include the entries in the answer.
    """
    tilers = [e for e in entries if e.verdict == "tiles"]
    others = [e for e in entries if e.verdict == "does not tile"]
    plain = [e for e in others if not e.holes]

    def heesch(name: str) -> dict[str, int]:
        numbers = Counter(
            f"{getattr(e, name)}{'' if getattr(e, f'{name}_exact') else '+'}" for e in plain
        )
        return dict(sorted(numbers.items()))

    copies = Counter((e.copies, e.exact) for e in tilers)
    return TilingCensus(
        lattice=census.lattice,
        order=census.order,
        freedom=census.freedom,
        crossing=census.rule,
        forms=forms,
        done=len(entries),
        holes=sum(e.holes for e in entries),
        tiles=len(tilers),
        translation=sum(e.method == "translation" for e in tilers),
        half_turn=sum(bool(e.half_turn) for e in tilers),
        both=sum(e.method == "translation" and bool(e.half_turn) for e in tilers),
        isohedral=sum(bool(e.isohedral) for e in tilers),
        anisohedral=sum(e.isohedral is False for e in tilers),
        least_copies={
            f"{number}{'' if exact else '+'}": count
            for (number, exact), count in sorted(copies.items())
        },
        does_not_tile=len(others),
        holed_non_tilers=sum(e.holes for e in others),
        solid=heesch("solid"),
        holed=heesch("holed"),
        open=len(entries) - len(tilers) - len(others),
        entries=tuple(entries) if with_entries else (),
        stopped=stopped,
        stats=Stats.of({"nodes": nodes}),
    )
