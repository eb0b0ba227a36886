"""`exactile verify-certificate`: whether a certificate proves what it claims."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import rich_click as click

from exactile.answers import Prototile, VerifiedClaim, VerifiedTilingClaim
from exactile.certificate import tilings
from exactile.certificate.verify import Verified, verify
from exactile.cli.census_report import holds_census, tell_census
from exactile.cli.common import plural, read_puzzle
from exactile.cli.lines import Line
from exactile.cli.options import quiet_option
from exactile.cli.output import print_json
from exactile.cli.table import options_of
from exactile.errors import CertificateError
from exactile.files import entries
from exactile.geometry import get_lattice
from exactile.puzzle import Puzzle


@options_of("verify-certificate")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "--puzzle",
    metavar="PUZZLE",
    help="What the certificate must be about; its own name in the catalogue if left out.",
)
@quiet_option()
def command(directory: Path, puzzle: str | None, *, quiet: bool, as_json: bool) -> int:
    """Verify a certificate of `prove`, `count` or `tile`, by code that had no part in making it."""
    if (directory / tilings.NAME).exists() or holds_census(str(directory)):
        if puzzle is not None:
            raise click.UsageError("--puzzle is not for certificates about tilings.")
        verify_it = _verify_tiling if directory.is_dir() else _verify_census
        return verify_it(directory, as_json=as_json)
    progress = Line(enabled=not quiet)
    try:
        result = verify(directory, lambda steps: progress.show(f"{steps:,} steps checked"))
    finally:
        progress.clear()
    compared = _compared(result, puzzle)
    if as_json:
        answer = VerifiedClaim(
            verified=True,
            puzzle=compared,
            digest=result.puzzle.digest,
            crossing=not _may_cross(result.puzzle),
            calls_itself=result.puzzle.name,
            raw=result.raw,
            rotation=result.rotation,
            symmetry=result.symmetry,
            argument=result.argument,
        )
        print_json(answer)
        return 0
    click.echo(f"Verified, by {result.argument}: {claim(result, compared)}.")
    click.echo(f"Digest of the puzzle: {result.puzzle.digest}")
    if compared is None:
        click.echo(
            f"It calls itself {result.puzzle.name}, but no puzzle of the catalogue is called so:\n"
            "see the statement in the certificate, or name a puzzle file with --puzzle."
        )
    return 0


def _verify_tiling(directory: Path, *, as_json: bool) -> int:
    """Verify a certificate about tilings, and report what it proves."""
    given = tilings.read_certificate(directory)
    result = tilings.verify_tiling(given)
    lattice = get_lattice(given.lattice)
    claimed = VerifiedTilingClaim(
        verified=True,
        lattice=given.lattice,
        crossing=given.crossing,
        prototiles=tuple(
            Prototile(name=str(k), units=tuple(lattice.coordinates(np.array(points))))
            for k, points in enumerate(given.prototiles, 1)
        ),
        each=given.each,
        verdict=result.verdict,
        copies=len(given.tiling.copies) if given.tiling else None,
        coronas=given.coronas or None,
        solid=given.heesch.solid if given.heesch else None,
        holed=given.heesch.holed if given.heesch else None,
        argument=result.argument,
    )
    if as_json:
        print_json(claimed)
        return 0
    click.echo(f"Verified, by {result.argument}: {tiling_claim(claimed)}.")
    for prototile in claimed.prototiles:
        units = " ".join(",".join(map(str, unit)) for unit in prototile.units)
        click.echo(f"Prototile {prototile.name}, {given.lattice}: {units}")
    return 0


def _verify_census(path: Path, *, as_json: bool) -> int:
    """Verify the proof of each entry of a census, and report the entries."""
    from exactile.runs.store import Store
    from exactile.tiling.survey import CensusStore, verify_all

    progress = Line()
    done = 0
    try:
        with Store(path) as store:
            for done, of in verify_all(CensusStore(store)):
                progress.show(f"{done:,} of {of:,} forms")
    finally:
        progress.clear()
    if not as_json:
        click.echo(f"Verified, form by form: {plural(done, 'entry', 'entries')}.")
    tell_census(str(path), as_json=as_json)
    return 0


def tiling_claim(claimed: VerifiedTilingClaim) -> str:
    """Return in words what a certificate proves of its prototiles."""
    several = len(claimed.prototiles) > 1
    subject = f"these {len(claimed.prototiles)} prototiles" if several else "this prototile"
    rule = (
        ""
        if claimed.crossing or get_lattice(claimed.lattice).crossing is None
        else (", where copies may cross,")
    )
    words = []
    if claimed.verdict == "tiles":
        words.append(f"tile{'' if several else 's'} with a period of {claimed.copies} copies")
    elif claimed.verdict is not None:
        words.append("do not tile" if several else "does not tile")
    elif claimed.coronas is not None:
        words.append(f"can have {plural(claimed.coronas, 'complete corona')}")
    if claimed.solid is not None:
        words.append(
            f"has the Heesch number {claimed.solid}, {claimed.holed} with holes in the last corona"
        )
    return f"{subject}{rule} {' and '.join(words)}"


def claim(result: Verified, name: str | None) -> str:
    """Return in words what a certificate proves of the puzzle that it was compared with."""
    subject = "the puzzle that it states" if name is None else name
    if _may_cross(result.puzzle):
        subject += ", where pieces may cross,"
    if result.raw == 0:
        return f"{subject} has no solution"
    return (
        f"{subject} has exactly {plural(result.raw, 'solution')}, "
        f"{result.rotation:,} up to rotation, {result.symmetry:,} up to symmetry"
    )


def _may_cross(puzzle: Puzzle) -> bool:
    return puzzle.lattice.crossing is not None and not puzzle.crossing


def _compared(result: Verified, reference: str | None) -> str | None:
    """Return which puzzle the stated one is, by its digest; None if there is none to compare.

    Raises
    ------
    CertificateError
        If it differs.
    """
    if reference is None and all(
        result.puzzle.name not in (entry.id, *entry.aliases) for entry in entries()
    ):
        return None
    other = read_puzzle(reference or result.puzzle.name)
    if result.puzzle == other:
        return other.name
    why = f"the puzzle that it states is another, with the digest {result.puzzle.digest}"
    if result.puzzle == replace(other, crossing=not other.crossing):
        may, say = ("may", "say") if other.crossing else ("must not", "leave out")
        why = f"in the puzzle that it states pieces {may} cross: {say} --set allow_crossing=yes"
    raise CertificateError(
        f"The certificate holds, but not for {reference or result.puzzle.name}: {why}."
    )
