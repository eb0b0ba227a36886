"""`exactile check` and `verify-certificate`: check solutions and certificates in files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import rich_click as click

from exactile.answers import FileCheck, Prototile, VerifiedClaim, VerifiedTilingClaim, WrongSolution
from exactile.certificate import tilings
from exactile.certificate.verify import Verified, verify
from exactile.cli import options
from exactile.cli.inline import by_options, changed, read_puzzle
from exactile.cli.output import NewDirectory, print_json
from exactile.cli.table import options_of
from exactile.cli.tile_command import holds_census, print_census
from exactile.cli.words import Line, plural
from exactile.errors import CertificateError, CheckFailedError
from exactile.files import entries
from exactile.files.foreign.conversion import named_solutions
from exactile.files.solution_files import COMPLETE, UNSTATED, read_solutions
from exactile.files.sources import decoded, file_bytes
from exactile.geometry import get_lattice
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.check import faults_of_each

FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)

MOST_SHOWN = 10

REPEATED = "it repeats an earlier solution"


@options_of("check")
@click.argument("names", nargs=-1, metavar="[PUZZLE] FILE")
@click.option(
    "--reproducer",
    type=click.Path(),
    metavar="FILE",
    help="Check the wrong answer of a solver that is recorded in FILE, and run the solver again.",
)
def check_command(names: tuple[str, ...], reproducer: str | None, as_json: bool) -> int:
    """Check every solution in FILE (formats jsonl, puzzler and letters; - is standard input).

    PUZZLE may be left out if the first line of FILE names a puzzle of the catalogue. A truncated
    jsonl file is refused. If the search that wrote FILE was stopped, or if FILE does not say
    whether there are more solutions, the report says so. The exit code is 1 if a solution is wrong
    or repeats an earlier one.

    --reproducer is for errors of solvers. Exactile checks every answer of a solver, and writes a
    wrong one to a file that the error message names. --reproducer FILE, with nothing else, checks
    that answer and, if the solver is installed and not an external program, runs it again. The exit
    code is 1 if the solver gives a wrong answer again.
    """
    if reproducer is not None:
        if names or as_json or by_options():
            raise click.UsageError("--reproducer FILE takes no other arguments.")
        return _repeated(reproducer)
    if not names:
        raise click.UsageError("Missing argument '[PUZZLE] FILE'.")
    if by_options():
        if len(names) == 2:
            raise click.UsageError("PUZZLE and --pieces exclude each other: leave one of them out.")
        names = ("--pieces", *names)
    if len(names) > 2:
        raise click.UsageError(f"Got unexpected extra argument ({names[2]})")
    return _checked(names, as_json)


def _checked(names: tuple[str, ...], as_json: bool) -> int:
    """Check every solution in a file and print the result; return the exit code.

    `names`: the file, or a puzzle and the file. Raise CheckFailedError if a solution is wrong or
    repeats an earlier one; with --json, return 1 instead. Raise FileError if the file cannot be
    read, or if no puzzle is given and the file names no puzzle of the catalogue.
    """
    file = str(FILE.convert(names[-1], None, None))
    if len(names) == 2:
        stated = read_puzzle(names[0])
        solutions = read_solutions(file, stated)
    else:
        name, data = file_bytes(file)
        named, solutions = named_solutions(name, decoded(name, data))
        stated = changed(named)
    repeated: list[bool] = []
    wrong: list[tuple[int, list[str]]] = []
    for number, faults in enumerate(faults_of_each(stated, _noted(solutions, repeated))):
        if repeated[number]:
            faults = [*faults, REPEATED]
        if faults:
            wrong.append((number + 1, faults))
    total = len(repeated)
    if as_json:
        listed = (WrongSolution(solution=n, faults=tuple(faults)) for n, faults in wrong)
        answer = FileCheck(
            puzzle=stated.name, solutions=total, wrong=tuple(listed), end=solutions.end
        )
        print_json(answer)
        return 1 if wrong else 0
    if wrong:
        raise _refused(file, stated.name, total, wrong)
    praise = "right" if total == 1 else "all right and all different"
    found = f"{plural(total, 'solution')} of {stated.name}, {praise}"
    click.echo(found if total else f"{file} has no solutions: nothing to check")
    if solutions.end != COMPLETE:
        click.echo(_doubt(solutions.end))
    return 0


def _noted(solutions: Iterable[Solution], repeated: list[bool]) -> Iterator[Solution]:
    """Yield solutions; before each, append to `repeated` whether an equal one came earlier."""
    seen = set()
    for solution in solutions:
        repeated.append(solution in seen)
        seen.add(solution)
        yield solution


def _repeated(file: str) -> int:
    """Check the wrong answer that a file records, repeat its search, and report the results.

    The search is not repeated if its solver is missing or an external program. Return the exit
    code: 1 if the solver gives a wrong answer again, else 0. Raise FileError or CertificateError if
    the file is wrong.
    """
    from exactile.search.reproducer import repeat

    found = repeat(file)
    wrong = f"not a solution: {'; '.join(found.faults)}"
    words = wrong if found.faults else "a solution after all"
    click.echo(f"{file}: the recorded answer is {words}")
    if found.skipped:
        click.echo(f"Not searched again: {found.skipped}")
    elif found.again:
        which = "the same wrong answer" if found.same else "another wrong answer"
        click.echo(f"Searched again: {which}: {'; '.join(found.again)}")
    else:
        click.echo(f"Searched again: no wrong answer among {found.answers:,}")
    return 1 if found.again else 0


def _doubt(end: str | None) -> str:
    """Return a sentence that warns that a file may lack solutions.

    `end`: how the search that wrote the file ended; None if unknown.
    """
    if end in (None, UNSTATED):
        return "The file does not say whether there are more."
    return f"There may be more: the search was {end}."


def _refused(
    file: str, puzzle: str, total: int, wrong: list[tuple[int, list[str]]]
) -> CheckFailedError:
    """Return the error about a file with wrong or repeated solutions.

    `total`: number of solutions in the file. `wrong`: for each wrong or repeated solution, its
    number in the file, from 1, and its faults in words.
    """
    only_repeated = all(faults == [REPEATED] for _, faults in wrong)
    one, many = ("repeats", "repeat") if only_repeated else ("is", "are")
    what = "an earlier one" if only_repeated else "wrong"
    lines = [f"  solution {number}: {'; '.join(faults)}" for number, faults in wrong[:MOST_SHOWN]]
    more = [f"  and {len(wrong) - MOST_SHOWN} more"] if len(wrong) > MOST_SHOWN else []
    return CheckFailedError(
        f"{file}: {len(wrong):,} of {plural(total, 'solution')} of {puzzle} "
        f"{one if len(wrong) == 1 else many} {what}:\n" + "\n".join([*lines, *more])
    )


@options_of("verify-certificate")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "--puzzle",
    metavar="PUZZLE",
    help="Puzzle that the certificate must be about; by default, the puzzle of the catalogue that "
    "the certificate names, if there is one.",
)
@click.option(
    "--formulas",
    type=NewDirectory(),
    metavar="DIR",
    help="Also write the formulas of a certificate of `tile`, for SAT solvers, into a new "
    "directory.",
)
@options.quiet()
def verify_certificate_command(
    directory: Path, puzzle: str | None, formulas: str | None, *, quiet: bool, as_json: bool
) -> int:
    """Verify a certificate that `prove`, `count` or `tile` wrote with --certificate.

    A certificate is a directory with a claim, such as "this puzzle has no solution", and its proof.
    The verification uses none of the code that searched. DIRECTORY may also be the store of a
    census, a file that `tile --order --store` wrote.
    """
    if (directory / tilings.NAME).exists() or holds_census(str(directory)):
        if puzzle is not None:
            raise click.UsageError("--puzzle is not for certificates about tilings.")
        if directory.is_dir():
            return _verify_tiling(directory, formulas, quiet=quiet, as_json=as_json)
        if formulas is None:
            return _verify_census(directory, quiet=quiet, as_json=as_json)
    if formulas is not None:
        raise click.UsageError(
            "--formulas is for certificates of `tile`: others already contain theirs."
        )
    with Line(enabled=not quiet) as progress:
        result = verify(directory, lambda steps: progress.show(f"{steps:,} steps checked"))
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
    click.echo(f"Verified, by {result.argument}:\n{claim(result, compared)}.")
    click.echo(f"Digest: {result.puzzle.digest}")
    if compared is None:
        click.echo(
            f"It calls itself {result.puzzle.name}, but no puzzle of the catalogue has that name:\n"
            "see the statement in the certificate, or name a puzzle file with --puzzle."
        )
    return 0


def _verify_tiling(directory: Path, formulas: str | None, *, quiet: bool, as_json: bool) -> int:
    """Verify a certificate about tilings, and print its claim; return the exit code, 0.

    `formulas`: the directory into which the formulas of its proofs are also written; None for none.
    Raise CertificateError if the certificate is wrong.
    """
    given = tilings.read_certificate(directory)
    with Line(enabled=not quiet) as progress:
        result = tilings.verify_tiling(
            given, directory, lambda steps: progress.show(f"{steps:,} lemmas checked")
        )
    if formulas is not None:
        tilings.write_formulas(Path(formulas), given)
    lattice = get_lattice(given.lattice)
    claimed = VerifiedTilingClaim(
        verified=True,
        lattice=given.lattice,
        crossing=given.crossing,
        prototiles=tuple(
            Prototile(name=str(k), units=tuple(lattice.coordinates(np.array(points))))
            for k, points in enumerate(given.prototiles, 1)
        ),
        motions=len(given.motions),
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
    click.echo(f"Verified, by {result.argument}:\n{tiling_claim(claimed)}.")
    for prototile in claimed.prototiles:
        units = " ".join(",".join(map(str, unit)) for unit in prototile.units)
        click.echo(f"Prototile {prototile.name}, {given.lattice}: {units}")
    return 0


def _verify_census(path: Path, *, quiet: bool, as_json: bool) -> int:
    """Verify a stored census of how polyforms tile, and print it; return the exit code, 0.

    Raise CheckFailedError if a claim in it is wrong.
    """
    from exactile.runs.store import Store
    from exactile.surveys.tiling.survey import CensusStore, verify_all

    done = 0
    with Line(enabled=not quiet) as progress, Store(path) as store:
        for done, of in verify_all(CensusStore(store)):
            progress.show(f"{done:,} of {of:,} forms")
    if not as_json:
        click.echo(f"Verified, form by form: {plural(done, 'entry', 'entries')}.")
        click.echo(
            "Not verified: how forms tile, that numbers of copies are the least, and Heesch\n"
            "numbers with a plus, such as 1+."
        )
    print_census(str(path), as_json=as_json)
    return 0


def tiling_claim(claimed: VerifiedTilingClaim) -> str:
    """Return in words the claim of a certificate about prototiles, the pieces that are to tile."""
    several, lattice = len(claimed.prototiles) > 1, get_lattice(claimed.lattice)
    subject = f"these {len(claimed.prototiles)} prototiles" if several else "this prototile"
    limits = []
    if claimed.motions < len(lattice.group):
        limits.append(f"turned in {claimed.motions} of {len(lattice.group)} ways")
    if several and claimed.each:
        limits.append("each of them used")
    if not claimed.crossing and lattice.crossing is not None:
        limits.append("where copies may cross")
    rule = f", {', '.join(limits)}," if limits else ""
    words = []
    if claimed.verdict == "tiles":
        copies = plural(claimed.copies or 0, "copy", "copies")
        words.append(f"tile{'' if several else 's'} with a period of {copies}")
    elif claimed.verdict is not None:
        words.append("do not tile" if several else "does not tile")
    elif claimed.coronas is not None:
        words.append(f"can have {plural(claimed.coronas, 'complete corona')}")
    if claimed.solid is not None:
        words.append(
            f"has the Heesch number {claimed.solid}, {claimed.holed} with holes in the last corona"
        )
    return f"{subject}{rule} " + "\nand ".join(words)


def claim(result: Verified, name: str | None) -> str:
    """Return in words what a certificate proves: how many solutions a puzzle has.

    `name`: the name of the puzzle; None if only the certificate itself states the puzzle.
    """
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
    """Check that a certificate is about the expected puzzle, and return the name of the puzzle.

    `reference`: the expected puzzle; None for the puzzle of the catalogue that the certificate
    names. If it is None and the catalogue has no such puzzle, return None. Raise CertificateError
    if the certificate is about a different puzzle.
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
