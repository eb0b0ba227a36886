"""`exactile verify-certificate`: whether a certificate proves what it claims."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from exactile.answers import VerifiedClaim
from exactile.certificate.statement import stated
from exactile.certificate.verify import Verified, verify
from exactile.cli.common import json_option, plural, read_puzzle
from exactile.cli.lines import Line
from exactile.errors import CertificateError
from exactile.files import entries


@click.command("verify-certificate")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "--puzzle",
    metavar="PUZZLE",
    help="What the certificate must be about; its own name in the catalogue if left out.",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but the result.")
@json_option
def command(directory: Path, puzzle: str | None, *, quiet: bool, as_json: bool) -> int:
    """Verify a certificate of `prove` or `count`, by code that took no part in making it."""
    progress = Line(enabled=not quiet)
    try:
        result = verify(directory, lambda steps: progress.show(f"{steps:,} steps checked"))
    finally:
        progress.clear()
    source = _compare(result, puzzle)
    if as_json:
        answer = VerifiedClaim(
            verified=True,
            puzzle=result.puzzle.name,
            compared_with=source,
            raw=result.raw,
            rotation=result.rotation,
            symmetry=result.symmetry,
            argument=result.argument,
        )
        click.echo(answer.to_json())
        return 0
    if source is None:
        click.echo(
            f"No puzzle of the catalogue is called {result.puzzle.name}: see the statement in the\n"
            "certificate, or name a puzzle file with --puzzle."
        )
    click.echo(f"Verified, by {result.argument}: {claim(result)}.")
    return 0


def claim(result: Verified) -> str:
    """Return what a certificate proves, in words."""
    subject = result.puzzle.name
    if result.puzzle.lattice.crossing is not None and not result.puzzle.crossing:
        subject += ", where pieces may cross,"
    if result.raw == 0:
        return f"{subject} has no solution"
    return (
        f"{subject} has exactly {plural(result.raw, 'solution')}, "
        f"{result.rotation:,} up to rotation, {result.symmetry:,} up to symmetry"
    )


def _compare(result: Verified, reference: str | None) -> str | None:
    """Return with which puzzle the stated one agrees, None if it is in no catalogue.

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
    ours, theirs = stated(result.puzzle), stated(other)
    theirs.puzzle = ours.puzzle
    theirs.crossing = theirs.crossing and ours.crossing  # the claim says it if pieces may cross
    if ours != theirs:
        raise CertificateError(
            f"The certificate holds, but not for {reference or result.puzzle.name}: the puzzle "
            "that it states is another."
        )
    return other.name
