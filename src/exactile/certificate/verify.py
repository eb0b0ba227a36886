"""Verifies a certificate: regenerates its files, compares them, and checks the proof.

A certificate by clauses claims that there are no solutions except those that it lists and their
images under the puzzle's symmetries. Its formula consists of the puzzle's clauses; clauses that
forbid each listed solution and each image; and possibly clauses that allow only some placements of
one piece, or at one unit. The proof shows that the formula has no model.

From this the claim follows. Suppose that a solution is missing: it is neither listed nor an image.
A symmetry maps it to a solution with one of the allowed placements. This solution is also missing,
because symmetries map listed solutions and images to each other. Thus it is a model of the formula,
which has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import tee, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import IO

from exactile.atomic import naming_disk
from exactile.certificate import reading as files
from exactile.certificate.checker import check_cutting_planes, check_proof
from exactile.certificate.formula import Clause, Clauses, LinearFormula
from exactile.certificate.linear import LinearCertificate
from exactile.certificate.linear import verify as verify_linear
from exactile.certificate.placements import Symmetries, remainder
from exactile.certificate.reading import (
    Branch,
    Manifest,
    ProofFile,
    lines,
    opened,
    paced,
    read_manifest,
)
from exactile.doors import door
from exactile.errors import CertificateError, PuzzleError
from exactile.puzzle.check import faults_of_each
from exactile.puzzle.puzzle import IDENTIFIER, Puzzle
from exactile.puzzle.statement import puzzle_of
from exactile.wanted import plural

PROOF_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""Matches the names that a file with a proof may have; paths are excluded."""

MOST_SOLUTIONS = 20_000_000
"""Largest number of solutions, with their images, that are held in memory."""

Solutions = set[tuple[int, ...]]
"""Solutions, each as the sorted variables of its placements."""


@dataclass(frozen=True)
class Verified:
    """The facts that a certificate proves.

    Attributes
    ----------
    puzzle
        The puzzle that the certificate states. Its digest identifies it; its name in the
        certificate proves nothing.
    raw, rotation, symmetry
        The numbers of solutions: all, up to rotation, up to symmetry.
    argument
        The kind of proof in words, such as "a coloring".
    lemmas
        The number of lemmas of a proof by clauses, else 0.
    """

    puzzle: Puzzle
    raw: int
    rotation: int
    symmetry: int
    argument: str
    lemmas: int = 0


@door
def verify(directory: Path | str, heartbeat: Callable[[int], None] | None = None) -> Verified:
    """Verify a certificate and return the facts that it proves.

    Parameters
    ----------
    directory
        The directory of the certificate.
    heartbeat
        Called many times a second with the number of lemmas checked so far: 0 until the check of a
        proof by clauses begins.

    Raises
    ------
    CertificateError
        If anything in the certificate is wrong, or the puzzle has too many placements or
        symmetries; the message names the first fault.
    """
    directory = Path(directory)

    def pulse() -> None:
        if heartbeat is not None:
            heartbeat(0)

    manifest = read_manifest(directory)
    puzzle = _stated(manifest)
    numbers = (manifest.raw, manifest.rotation, manifest.symmetry)
    if manifest.coloring is not None:
        if numbers != (0, 0, 0):
            raise CertificateError(
                f"A coloring shows that there is no solution, but {manifest.raw} are claimed."
            )
        verify_linear(puzzle, LinearCertificate.from_json(manifest.coloring), pulse)
        if manifest.proof is None:
            return Verified(puzzle, 0, 0, 0, "a coloring")
        steps = _verify_cutting_planes(directory, manifest.proof, puzzle, pulse)
        return Verified(
            puzzle, 0, 0, 0, f"a coloring and {plural(steps, 'step')} of cutting planes"
        )
    if manifest.proof is None:
        raise CertificateError(f"{directory / files.MANIFEST}: it names no proof.")
    formula = Clauses(puzzle, pulse)
    _compare(
        directory / files.VARIABLES,
        paced((f"{line}\n" for line in files.variable_lines(formula.placements)), pulse),
    )
    group = Symmetries(puzzle)
    if set(manifest.symmetries) != set(group.motions):
        raise CertificateError("The symmetries that are listed are not those of the puzzle.")
    listed = files.read_solutions(directory, len(formula.placements))
    found = _Orbits(formula, group, paced(listed, pulse), most=manifest.raw)
    if (found.raw, found.rotation, found.symmetry) != numbers:
        raise CertificateError(
            f"The solutions that are listed are {found.raw} in all, {found.rotation} up to "
            f"rotation, {found.symmetry} up to symmetry; claimed are {numbers}."
        )
    name = _proof_name(directory, manifest.proof, "drup", "lrat")
    # The proof is checked against the text that was compared with the file, not against the file,
    # which may have changed since.
    with naming_disk(gettempdir()), TemporaryDirectory(prefix="exactile-") as private:
        copy = Path(private, files.FORMULA)
        with copy.open("w", encoding="ascii", newline="\n") as stream:
            text = formula_text(formula, manifest, group, found.images)
            _compare(directory / files.FORMULA, paced(text, pulse), stream)
        checked = check_proof(
            copy,
            directory / name,
            kind="drup" if manifest.proof.kind == "drup" else "lrat",
            heartbeat=heartbeat,
        )
    argument = f"a proof of {plural(checked.lemmas, 'lemma')}"
    return Verified(puzzle, *numbers, argument, checked.lemmas)


def _proof_name(directory: Path, proof: ProofFile, *kinds: str) -> str:
    """Return the name of the file of a proof.

    Raise CertificateError if the kind of the proof is not among `kinds`, the name is not allowed,
    or there is no such file.
    """
    plain = PROOF_NAME.fullmatch(proof.file) and proof.file not in files.FILES
    if not plain or proof.kind not in kinds:
        raise CertificateError(f"{directory / files.MANIFEST}: it names no proof.")
    opened(directory / proof.file).close()
    return proof.file


def _verify_cutting_planes(
    directory: Path, proof: ProofFile, puzzle: Puzzle, pulse: Callable[[], None]
) -> int:
    """Verify the proof by cutting planes of a certificate that also has a coloring.

    Return the number of constraints that the proof computes.
    """
    name = _proof_name(directory, proof, "pbp")
    formula = LinearFormula(remainder(puzzle, pulse))
    meanings = (f"{line}\n" for line in files.variable_lines(formula.placements))
    _compare(directory / files.VARIABLES, paced(meanings, pulse))
    with naming_disk(gettempdir()), TemporaryDirectory(prefix="exactile-") as private:
        copy = Path(private, files.CONSTRAINTS)
        with copy.open("w", encoding="ascii", newline="\n") as stream:
            _compare(directory / files.CONSTRAINTS, paced(formula.lines(), pulse), stream)
        return check_cutting_planes(copy, directory / name, pulse)


def _stated(manifest: Manifest) -> Puzzle:
    if not IDENTIFIER.fullmatch(manifest.name):
        raise CertificateError(
            f"The certificate gives the puzzle no plain name: {manifest.name!r}."
        )
    try:
        puzzle = puzzle_of(manifest.puzzle, manifest.name)
    except PuzzleError as error:
        raise CertificateError(f"The certificate does not state a puzzle: {error}") from None
    require_certifiable(puzzle)
    return puzzle


def require_certifiable(puzzle: Puzzle) -> None:
    """Raise CertificateError if a puzzle has a rule that some pieces must be joined.

    The formulas of certificates cannot express such a rule.
    """
    if any(rule.kind == "joined" for rule in puzzle.color_rules):
        raise CertificateError(
            f"{puzzle.name} has pieces that must be joined, which certificates do not support: "
            "count or prove it without a certificate."
        )


def formula_text(
    formula: Clauses, manifest: Manifest, group: Symmetries, solutions: Solutions
) -> Iterator[str]:
    """Yield the lines of the formula of a certificate, in the DIMACS format.

    `formula`: the clauses of the puzzle. `manifest`: its branch, if any, excludes placements; see
    `Branch`. `group`: the symmetries of the puzzle. `solutions`: the listed solutions and all their
    images, which further clauses forbid. Raise CertificateError if the branch is invalid: see
    `_excluded`.
    """
    clauses = list(_blocking(formula, solutions))
    if manifest.branch is not None:
        clauses = [(-v,) for v in _excluded(formula, manifest.branch, group)] + clauses
    total = len(clauses) + formula.size
    yield f"p cnf {formula.variables} {total}\n"
    yield from map(_line, formula.clauses())
    yield from map(_line, clauses)


def _line(clause: Clause) -> str:
    return " ".join(map(str, (*clause, 0))) + "\n"


def _blocking(formula: Clauses, solutions: Solutions) -> Iterator[Clause]:
    """Yield, for each solution in increasing order, a clause that forbids only this solution.

    The clause negates the solution's placements. This is enough if every unit must be covered,
    because then no solution is a part of another. Otherwise the clause also has all other
    placements as positive literals.
    """
    everything: set[int] = set()
    if formula.puzzle.region.optional.any():
        everything = {v for v, p in enumerate(formula.placements, 1) if p.piece and p.units}
    for solution in sorted(solutions):
        yield (*(-v for v in solution), *sorted(everything - set(solution)))


def _excluded(formula: Clauses, branch: Branch, group: Symmetries) -> list[int]:
    """Return the variables that a branch excludes.

    Raise CertificateError unless every solution has exactly one placement of the branch's piece, or
    at its unit, and symmetries map each excluded placement to one that is kept.
    """
    puzzle = formula.puzzle
    if branch.unit is not None and branch.piece is None:
        good = branch.unit in formula.required
        choices = [v for v, p in enumerate(formula.placements, 1) if branch.unit in p.units]
    else:
        good = branch.unit is None and any(
            p.name == branch.piece and p.lower == p.upper == 1 for p in puzzle.pieces
        )
        choices = [v for v, p in enumerate(formula.placements, 1) if p.piece == branch.piece]
    if not good or not set(branch.kept) <= set(choices):
        raise CertificateError("The branch is of no piece or unit that every solution has once.")
    kept = {formula.placements[v - 1] for v in branch.kept}
    for variable in choices:
        placement = formula.placements[variable - 1]
        if not any(group.image(g, placement) in kept for g in range(len(group.motions))):
            raise CertificateError(
                f"No symmetry carries placement {variable} to one that the branch keeps."
            )
    return sorted(set(choices) - set(branch.kept))


class _Orbits:
    """Checks the listed solutions of a certificate, and counts them with their images.

    Afterwards, `images` has the solutions and their images; `raw`, `rotation` and `symmetry` are
    the three numbers of solutions. Raise CertificateError if a listed solution is wrong, or is
    equal to an earlier one or to an image of one; also if the solutions and images are more than
    `MOST_SOLUTIONS`, or more than `most`, the number that is claimed.
    """

    def __init__(
        self, formula: Clauses, group: Symmetries, listed: Iterable[tuple[int, ...]], most: int
    ) -> None:
        number = {p: v for v, p in enumerate(formula.placements, 1)}
        solutions, again = tee(listed)
        each = (tuple(formula.placements[v - 1] for v in solution) for solution in again)
        faults = faults_of_each(formula.puzzle, each)
        self.images: Solutions = set()
        self.symmetry = 0
        self.rotation = 0
        for line, (solution, wrong) in enumerate(zip(solutions, faults, strict=False), 1):
            if wrong:
                raise CertificateError(f"Solution {line} of the list is wrong: {'; '.join(wrong)}.")
            placements = [formula.placements[v - 1] for v in solution]
            orbit = [
                tuple(sorted(number[group.image(g, p)] for p in placements))
                for g in range(len(group.motions))
            ]
            if solution in self.images:
                raise CertificateError(
                    f"Solution {line} of the list is an image of an earlier one, or equal to it."
                )
            self.symmetry = line
            self.images.update(orbit)
            if len(self.images) > min(most, MOST_SOLUTIONS):
                many = f"more than the {most:,} claimed" if most < MOST_SOLUTIONS else "too many"
                raise CertificateError(f"The solutions that are listed are {many}.")
            # Proper motions carry the solution to its whole orbit or to one half of it.
            proper = {image for image, p in zip(orbit, group.proper, strict=True) if p}
            self.rotation += 1 if proper == set(orbit) else 2
        self.raw = len(self.images)


def _compare(path: Path, expected: Iterator[str], copy: IO[str] | None = None) -> None:
    """Raise CertificateError unless a file consists of the expected lines.

    If `copy` is given, the expected lines are also written to it.
    """
    for number, (line, wanted) in enumerate(zip_longest(lines(path), expected), 1):
        if line is None or wanted is None or line != wanted[:-1]:
            raise CertificateError(
                f"{path}, line {number}: it differs from what the puzzle requires: "
                f"{_short(line)} instead of {_short(wanted and wanted[:-1])}."
            )
        if copy is not None:
            copy.write(wanted)


def _short(line: str | None) -> str:
    if line is None:
        return "the end"
    return f"'{line}'" if len(line) <= 60 else f"'{line[:57]}...'"
