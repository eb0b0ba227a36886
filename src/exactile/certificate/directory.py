"""The files of a certificate, which is a directory; reads and writes the small ones.

``certificate.json`` is a `Manifest`. A certificate by clauses has three more files, and proofs:

``formula.cnf``
    The formula that has no model: DIMACS. See `exactile.certificate.verify`.
``variables.txt``
    A line ``7 F 0,0 0,1 1,1`` for each variable of a placement: its number, its piece, its units
    as points; no units if the variable says that the piece is left out.
``solutions.txt``
    A line for each solution, one of each orbit: the variables of its placements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from exactile.atomic import written
from exactile.certificate.reading import document, lines
from exactile.certificate.symmetry import Motion
from exactile.errors import CertificateError
from exactile.puzzle.puzzle import Placement
from exactile.puzzle.statement import Statement

FORMAT = 1

MANIFEST = "certificate.json"
FORMULA = "formula.cnf"
VARIABLES = "variables.txt"
SOLUTIONS = "solutions.txt"

FILES = (MANIFEST, FORMULA, VARIABLES, SOLUTIONS)


class Branch(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Placements of which every solution contains one, up to symmetry: all others are excluded.

    Either of a piece that is used exactly once, or at a unit that must be covered. `kept` are the
    variables of the placements that the formula allows there.
    """

    kept: tuple[int, ...]
    piece: str | None = None
    unit: tuple[int, ...] | None = None


class ProofFile(msgspec.Struct, forbid_unknown_fields=True):
    """A proof that the formula has no model: a file, ``"drup"`` or ``"lrat"``, and who wrote it."""

    file: str
    kind: str
    by: str


class Manifest(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The claim of a certificate and its contents.

    The claim: the puzzle that it states has exactly `raw` solutions. Up to rotation these are
    `rotation`, up to all symmetries `symmetry`. The argument is either `coloring` (no solution), or
    `proof`, optionally with a `branch`. The `name` is that of the puzzle when the certificate was
    made, and not part of the claim.
    """

    format: int
    made_by: str
    name: str
    puzzle: Statement
    raw: int
    rotation: int
    symmetry: int
    symmetries: tuple[Motion, ...] = ()
    coloring: dict[str, Any] | None = None
    branch: Branch | None = None
    proof: ProofFile | None = None


def write_manifest(directory: Path, manifest: Manifest) -> None:
    """Write the manifest."""
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    with written(directory / MANIFEST, "wb") as stream:
        stream.write(text + b"\n")


def read_manifest(directory: Path) -> Manifest:
    """Read the manifest; raise CertificateError if there is none, or it is damaged."""
    path = directory / MANIFEST
    read = document(path, FORMAT)
    try:
        return msgspec.convert(read, Manifest)
    except msgspec.ValidationError as error:
        raise CertificateError(f"{path}: it is damaged: {error}.") from None


def variable_lines(placements: Iterable[Placement]) -> Iterator[str]:
    """Yield the lines of the file of variables.

    >>> list(variable_lines([Placement("I2", ((0, 0), (1, 0))), Placement("T", ())]))
    ['1 I2 0,0 1,0', '2 T']
    """
    for number, placement in enumerate(placements, 1):
        units = (",".join(map(str, unit)) for unit in placement.units)
        yield " ".join((str(number), placement.piece, *units))


def read_solutions(directory: Path, variables: int) -> Iterator[tuple[int, ...]]:
    """Yield the solutions, each a tuple of variables.

    Raise CertificateError if a line is not a solution.
    """
    path = directory / SOLUTIONS
    for number, line in enumerate(lines(path), 1):
        words = line.split(" ") if line else []
        if not all(w.isascii() and w.isdecimal() and len(w) < 10 for w in words):
            raise CertificateError(f"{path}, line {number}: a solution is a list of numbers.")
        solution = tuple(map(int, words))
        if not all(0 < v <= variables for v in solution):
            raise CertificateError(f"{path}, line {number}: it names a variable without a meaning.")
        if list(solution) != sorted(set(solution)):
            raise CertificateError(f"{path}, line {number}: the variables are not in order.")
        yield solution
