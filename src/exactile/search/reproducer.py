"""Files that record a wrong answer of a backend, and code that repeats its search."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from exactile.atomic import written
from exactile.backends import Request, get_backend
from exactile.backends.external import ExternalBackend
from exactile.backends.registry import VariedBackend
from exactile.certificate.reading import LARGEST_DOCUMENT, opened
from exactile.errors import ExactileError, FileError
from exactile.model.sweeps import places
from exactile.puzzle.check import faults
from exactile.puzzle.statement import Statement, puzzle_of, stated
from exactile.search.case import Case, first_fault
from exactile.tuning import TUNING


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The recorded fields of a backend's `Request`; its other fields follow from the puzzle.

    `images`: whether the backend was given the symmetries of the puzzle. `expanded`: whether only
    one branch of each orbit was searched, and images were added. `spared`: whether bounds that
    follow from others were left out.
    """

    limit: int | None
    seed: int
    workers: int | None
    ordered: bool
    prefixes: tuple[tuple[int, ...], ...]
    hint: tuple[int, ...]
    encoding: str | None
    at_once: int
    images: bool
    expanded: bool
    spared: bool


SHARED = Asked.__struct_fields__[:8]
"""Names of the fields that `Asked` has in common with `Request`."""


class Reproducer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a file: a wrong answer, and the search that returned it.

    `options`: the answer, as options of the model that has the digest `model`.
    """

    format: Literal["exactile-wrong-answer-1"]
    name: str
    statement: Statement
    model: str
    backend: str
    asked: Asked
    options: tuple[int, ...]
    faults: tuple[str, ...]


class Repeated(NamedTuple):
    """The result of checking a recorded wrong answer, and of repeating its search.

    `faults`: the faults of the recorded answer; none if it is a solution. `again`: the faults of
    the first wrong answer of the new search; none if all were right. `same`: whether this answer
    equals the recorded one. `answers`: number of answers of the new search, the wrong one included.
    `skipped`: why there was no new search, or ``""``.
    """

    faults: list[str]
    again: list[str]
    same: bool
    answers: int
    skipped: str


def write_reproducer(
    case: Case,
    backend: str,
    request: Request,
    options: list[int],
    faults: list[str],
    *,
    expanded: bool = False,
    spared: bool = False,
) -> Path:
    """Record a wrong answer in a file, and return the path of the file.

    The file is written into the current folder; if that fails, into the folder for temporary files.
    If that fails as well, the result is a remark in place of a path. `options`: the wrong answer.
    `faults`: what is wrong, in words. For `expanded` and `spared` see `Asked`.
    """
    asked = Asked(
        **{name: getattr(request, name) for name in SHARED},
        images=request.images is not None,
        expanded=expanded,
        spared=spared,
    )
    data = msgspec.json.encode(
        Reproducer(
            "exactile-wrong-answer-1",
            case.puzzle.name,
            stated(case.puzzle),
            case.digest,
            backend,
            asked,
            tuple(o for o in options if o >= 0),
            tuple(faults),
        ),
        enc_hook=int,  # integers of NumPy
    )
    name = f"exactile-wrong-answer-{hashlib.sha256(data).hexdigest()[:12]}.json"
    for folder in (Path.cwd(), Path(tempfile.gettempdir())):
        try:
            with written(folder / name, "wb") as stream:
                stream.write(data)
        except OSError:
            continue
        return folder / name
    return Path("(no place to write it: neither the current nor the temporary folder)")


def read_reproducer(path: str | os.PathLike[str]) -> Reproducer:
    """Return the wrong answer that `write_reproducer` has recorded in a file.

    Raise CertificateError or FileError if the file cannot be read or is of another kind.
    """
    try:
        with opened(Path(path), LARGEST_DOCUMENT) as stream:
            return msgspec.json.decode(stream.read(), type=Reproducer)
    except OSError as error:
        raise FileError(f"{path}: it cannot be read: {error.strerror}.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FileError(
            f"{path}: it does not hold a wrong answer that exactile recorded: {error}."
        ) from None


def repeat(path: str | os.PathLike[str]) -> Repeated:
    """Check the wrong answer in a file, and search again to see whether it recurs.

    The search is not repeated if its backend is not available or runs an external program. There is
    no time limit. Raise CertificateError or FileError if the file cannot be read, its puzzle is
    wrong, or its options belong to another model; also raise the errors of the backend.
    """
    found = read_reproducer(path)
    asked = found.asked
    try:
        case = Case(puzzle_of(found.statement, found.name))
        if case.digest != found.model:
            raise FileError("$.model: its options are not those of this version of exactile.")
        moves = [*found.options, *asked.hint]
        moves += [m if m >= 0 else ~m for prefix in asked.prefixes for m in prefix]
        wrong = [m for m in moves if not 0 <= m < case.model.options]
        if wrong:
            raise FileError(f"there are {case.model.options} options, but it names {wrong[0]}.")
    except ExactileError as error:
        raise FileError(f"{path}: {error}") from None
    given = faults(case.puzzle, case.decoder.solution(list(found.options)))
    try:
        backend = get_backend(found.backend)
    except ExactileError as error:
        return Repeated(given, [], False, 0, str(error))
    inner = backend.inner if isinstance(backend, VariedBackend) else backend
    if isinstance(inner, ExternalBackend):
        return Repeated(given, [], False, 0, f"'{found.backend}' is a program named by the file.")
    request = Request(
        **{name: getattr(asked, name) for name in SHARED},
        images=case.action.table(TUNING.backend_images) if asked.images else None,
        places=places(case.puzzle, case.model),
    )
    branches = case.branches if asked.expanded else None
    answers = 0
    with closing(backend.search(case.asked if asked.spared else case.model, request)) as batches:
        for batch in batches:
            rows = batch.assignments
            if not len(rows):
                continue
            rows = rows if branches is None else branches.expanded(rows)
            fault = first_fault(case.checker, case.decoder, rows)
            if fault is not None:
                row = sorted(np.unique(rows[fault[0]][rows[fault[0]] >= 0]).tolist())
                same = row == sorted(found.options)
                return Repeated(given, fault[1], same, answers + fault[0] + 1, "")
            answers += len(rows)
            if asked.limit is not None and answers >= asked.limit:
                break
    return Repeated(given, [], False, answers, "")
