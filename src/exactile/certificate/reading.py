"""Reading and writing the files of a certificate.

The files are not trusted: only regular files of limited size are read. ``certificate.json`` is a
`Manifest`. A certificate by clauses has a proof and three more files:

``formula.cnf``
    The formula that has no model, in the format DIMACS; see `exactile.certificate.verify`.
``variables.txt``
    A line such as ``7 F 0,0 0,1 1,1`` for each variable that has a meaning in the puzzle: the
    number of the variable, the piece, and its units as points. Without units, the variable means
    that the piece is left out; without a piece, that the unit stays uncovered.
``solutions.txt``
    A line for each listed solution, one of each orbit: the variables of its placements.

A certificate by a coloring may also have a proof by cutting planes. Then it has the file of this
proof, ``variables.txt`` and

``formula.opb``
    The linear constraints that have no solution, in the format OPB; see
    `exactile.certificate.formula`.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from exactile.atomic import written
from exactile.certificate.placements import Motion
from exactile.errors import CertificateError
from exactile.puzzle.puzzle import Placement
from exactile.puzzle.statement import Statement

T = TypeVar("T")

AT_ONCE = 1000
"""Default number of items between two calls of `pulse`."""

LARGEST_DOCUMENT = 1 << 24
"""Largest size of a JSON document in bytes: 16 MiB."""

LARGEST = 1 << 36
"""Largest size of any other file in bytes: 64 GiB."""

LONGEST_LINE = 1 << 24
"""Largest length of a line in bytes."""


def opened(path: Path, most: int = LARGEST) -> IO[bytes]:
    """Open a regular file of at most `most` bytes for reading; the caller closes it.

    Raise CertificateError if it is not a regular file, is too large, or cannot be read.
    """
    try:
        # Without O_NONBLOCK the opening of a pipe would wait for a writer.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        found = os.fstat(descriptor)
    except NotADirectoryError:
        raise CertificateError(
            f"{path.parent}: this is a file, and not a census that can be read: name the directory "
            "of a certificate, or the store of a census."
        ) from None
    except OSError as error:
        raise CertificateError(f"{path}: it cannot be read: {error.strerror}.") from None
    if stat.S_ISREG(found.st_mode) and found.st_size <= most:
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISREG(found.st_mode):
        raise CertificateError(
            f"{path}: it is too large: {found.st_size:,} bytes; the limit is {most:,}."
        )
    raise CertificateError(f"{path}: it is not a regular file.")


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file without their line ends.

    Raise CertificateError if the file cannot be read, is not UTF-8, has a line that is too long, or
    does not end with a line end.
    """
    number = 0
    try:
        with opened(path) as stream:
            while line := stream.readline(LONGEST_LINE):
                number += 1
                if not line.endswith(b"\n"):
                    why = "is too long" if len(line) == LONGEST_LINE else "has no end: it is cut"
                    raise CertificateError(f"{path}, line {number}: the line {why}.")
                yield line[:-1].decode("utf-8")
    except OSError as error:
        raise CertificateError(f"{path}: it cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CertificateError(f"{path}, line {number}: it is damaged: it is not text.") from None


def document(path: Path, form: int | None = None) -> Any:
    """Return the contents of a JSON document.

    `form`: the expected value of ``format``; None if any is accepted. Raise CertificateError if
    ``format`` is a different integer, or if the file cannot be read, is not valid JSON, or has a
    key twice in one object.
    """
    try:
        with opened(path, LARGEST_DOCUMENT) as stream:
            text = stream.read(LARGEST_DOCUMENT + 1)  # it may have grown meanwhile
        if len(text) > LARGEST_DOCUMENT:
            raise CertificateError(f"{path}: it is too large.")
        read = json.loads(text.decode(), object_pairs_hook=_unique)
        msgspec.json.encode(read)  # raises for a lone surrogate, which JSON can escape
    except OSError as error:
        raise CertificateError(f"{path}: it cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, CertificateError):
            raise
        raise CertificateError(f"{path}: it is damaged: {error}.") from None
    found = read.get("format") if isinstance(read, dict) else None
    if form is not None and isinstance(found, int) and found != form:
        raise CertificateError(f"{path}: it has format {found}; this version reads {form}.")
    return read


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for k, (key, _) in enumerate(pairs) if key in dict(pairs[:k]))
        raise ValueError(f"the key {twice!r} occurs twice")
    return found


def paced(items: Iterable[T], pulse: Callable[[], None], at_once: int = AT_ONCE) -> Iterator[T]:
    """Yield items; call `pulse` before every group of `at_once` items.

    An exception that `pulse` raises is passed on, so that the work can be interrupted.
    """
    for number, item in enumerate(items):
        if number % at_once == 0:
            pulse()
        yield item


FORMAT = 1

MANIFEST = "certificate.json"
FORMULA = "formula.cnf"
CONSTRAINTS = "formula.opb"
VARIABLES = "variables.txt"
SOLUTIONS = "solutions.txt"

FILES = (MANIFEST, FORMULA, CONSTRAINTS, VARIABLES, SOLUTIONS)


class Branch(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A restriction of a formula by symmetry: only some placements of a piece, or at a unit, stay.

    The piece is used exactly once, or the unit must be covered. The formula excludes all placements
    of this piece, or at this unit, except those whose variables are in `kept`. Up to symmetry,
    every solution contains one of the kept placements.
    """

    kept: tuple[int, ...]
    piece: str | None = None
    unit: tuple[int, ...] | None = None


class ProofFile(msgspec.Struct, forbid_unknown_fields=True):
    """A proof that the formula has no model: its file, its kind, and the program that wrote it.

    The kind is ``"drup"`` or ``"lrat"`` for clauses, ``"pbp"`` for a proof by cutting planes.
    """

    file: str
    kind: str
    by: str


class Manifest(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The claim of a certificate and its contents.

    The claim is that the puzzle has exactly `raw` solutions, `rotation` up to rotation, and
    `symmetry` up to all symmetries. If there is a `coloring`, it is the argument that there is no
    solution, and `proof`, if given, is a proof by cutting planes. Otherwise the argument is a
    `proof` by clauses, whose formula a `branch` may restrict. The `name` of the puzzle is not part
    of the claim.
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
    """Write the file ``certificate.json`` of a certificate."""
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    with written(directory / MANIFEST, "wb") as stream:
        stream.write(text + b"\n")


def read_manifest(directory: Path) -> Manifest:
    """Return the manifest in a directory.

    Raise CertificateError if it is missing, damaged, or in a different format.
    """
    path = directory / MANIFEST
    read = document(path, FORMAT)
    try:
        return msgspec.convert(read, Manifest)
    except msgspec.ValidationError as error:
        raise CertificateError(f"{path}: it is damaged: {error}.") from None


def variable_lines(placements: Iterable[Placement]) -> Iterator[str]:
    """Yield the lines of the file ``variables.txt``, one for each placement.

    >>> list(variable_lines([Placement("I2", ((0, 0), (1, 0))), Placement("T", ())]))
    ['1 I2 0,0 1,0', '2 T']
    """
    for number, placement in enumerate(placements, 1):
        units = (",".join(map(str, unit)) for unit in placement.units)
        yield " ".join((str(number), placement.piece, *units))


def read_solutions(directory: Path, variables: int) -> Iterator[tuple[int, ...]]:
    """Yield the solutions of the file ``solutions.txt``, each as an ascending tuple of variables.

    `variables`: the number of variables. Raise CertificateError if a line is not an ascending list
    of variables up to this number, or as `lines` does.
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
