"""`exactile verify-certificate`: whether a certificate proves what it claims."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import rich_click as click

from exactile.answers import VerifiedClaim
from exactile.certificate.verify import Verified, verify
from exactile.cli.common import plural, read_puzzle
from exactile.cli.lines import Line
from exactile.cli.options import quiet_option
from exactile.cli.output import print_json
from exactile.cli.table import options_of
from exactile.errors import CertificateError
from exactile.files import entries
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
    """Verify a certificate of `prove` or `count`, by code that took no part in making it."""
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
