"""Refutations: a solver of PySAT proves that a formula is unsatisfiable, and writes the proof.

The proof is text in the format DRUP. Each line is a clause, ended by 0, that follows from the
formula and the earlier lines by unit propagation. A line that begins with d deletes a clause; the
last line is 0, the empty clause.
"""

from __future__ import annotations

import ctypes
import errno
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from exactile.atomic import drafted
from exactile.backends.sat import DEFAULT, PROOFS
from exactile.errors import BackendCrashedError, BackendError
from exactile.model.model import Longs
from exactile.work import Job, Tell

CHUNK = 1 << 20
"""Number of bytes of a proof that are read at a time."""


def write_refutation(
    cnf: Path,
    proof: Path,
    solver: str = DEFAULT,
    stopped: Callable[[], str | None] = lambda: None,
) -> bool | None:
    r"""Refute the formula in a DIMACS file by a solver, and write the proof once it is complete.

    Return True if the formula is refuted, False if it has a solution, and None if `stopped`, which
    is called at every heartbeat, returned a reason to stop. Raise BackendError if the solver writes
    no valid proofs, the formula cannot be read, or the proof cannot be written,
    BackendCrashedError if the process dies.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "cnf").write_text("p cnf 2 4\n1 2 0 -1 2 0 1 -2 0 -1 -2 0\n")
    >>> write_refutation(folder / "cnf", folder / "proof")
    True
    >>> print((folder / "proof").read_text().splitlines()[-1])
    0
    """
    if solver not in PROOFS:
        raise BackendError(
            f"The solver '{solver}' writes no valid proofs: take {', '.join(PROOFS)}."
        )
    try:
        with drafted(proof) as draft, Job(WriteRefutation(cnf, draft, solver)) as job:
            for answer in job:
                if answer is not None:
                    if answer.refuted:
                        draft.replace(proof)
                    return answer.refuted
                if stopped() is not None:
                    return None
            assert job.death is not None
    except OSError as error:
        raise _unwritten(proof, error) from error
    if not job.death.again:
        raise BackendError(job.death.cause)
    raise BackendCrashedError(
        f"The process of {solver} died ({job.death.cause}) while it looked for a proof; nothing is "
        f"written. Try another solver, or more memory.{job.death.tail}"
    )


class RefutationAnswer(NamedTuple):
    """The answer of a process that solves a formula: whether the formula is refuted."""

    refuted: bool


@dataclass(frozen=True)
class WriteRefutation:
    """The task of refuting a formula, for a process of its own; see `refute`."""

    cnf: Path
    proof: Path
    solver: str

    def run(self, tell: Tell[RefutationAnswer]) -> None:
        """Write the proof, and report whether the formula is refuted.

        Raise BackendError if the formula cannot be read, or the proof cannot be written.
        """
        try:
            tell(RefutationAnswer(refute(self.cnf, self.proof, self.solver)))
        except OSError as error:
            raise _unwritten(self.proof.with_suffix(""), error) from error
        except ValueError as error:
            raise BackendError(f"The formula cannot be read: {error}.") from error


def _unwritten(proof: Path, error: OSError) -> BackendError:
    where = error.filename or proof
    return BackendError(f"The proof cannot be written ({where}): {error.strerror}.")


def refute(cnf: Path, proof: Path, solver: str) -> bool:
    """Solve a formula in this process; return whether it has no solution.

    If so, write the proof. All further temporary files of this process go to the folder of the
    proof. Raise OSError if a file cannot be read or written, ValueError if the formula is not in
    the format DIMACS.
    """
    from pysat.solvers import Solver

    tempfile.tempdir = str(proof.parent)  # the solver's own file goes to the same disk
    clauses = read_dimacs(cnf)
    if [] in clauses:
        return _write(proof, iter(()))
    with Solver(name=solver, bootstrap_with=clauses, with_proof=True) as running:
        if running.solve():
            return False
        inner = running.solver
        raw: IO[bytes] = inner.prfile
        _flush(inner.prfp)
        raw.seek(0)
        lines = _binary(raw) if solver.startswith("cadical") else _text(raw)
        return _write(proof, lines)


def _flush(stream: object) -> None:
    """Flush a ``FILE*`` of the C library; raise OSError if not everything could be written to it.

    `stream`: a capsule with the pointer.
    """
    api = ctypes.pythonapi
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    pointer = ctypes.c_void_p(api.PyCapsule_GetPointer(stream, None))
    libc = ctypes.CDLL(None)
    if libc.fflush(pointer) or libc.ferror(pointer):
        raise OSError(errno.ENOSPC, "the solver could not write all of it; is the disk full?")


def _write(proof: Path, lines: Iterator[str]) -> bool:
    """Write the lines of a proof, and then the empty clause, which they lack; return True."""
    with proof.open("w", encoding="ascii") as file:
        for block in lines:
            file.write(block)
        file.write("0\n")
    return True


def _text(raw: IO[bytes]) -> Iterator[str]:
    """Yield the lines of a proof in text format that come before the empty clause."""
    for line in raw:
        text = line.decode("ascii").strip()
        if text == "0":
            return
        if text:
            yield text + "\n"


def _binary(raw: IO[bytes]) -> Iterator[str]:
    """Yield a proof in binary format as text, many lines at a time, without the empty clause."""
    rest = b""
    while data := raw.read(CHUNK):
        data = rest + data
        end = data.rfind(b"\0") + 1
        rest = data[end:]
        numbers = _numbers(np.frombuffer(data[:end], dtype=np.uint8))
        text, whole = _lines(numbers)
        yield text
        if whole:
            return


def _numbers(data: np.ndarray[Any, np.dtype[np.uint8]]) -> Longs:
    """Return the numbers in a binary proof.

    Each byte has seven bits of a number; the lowest bits come first. The highest bit of the byte is
    0 only in the last byte of the number.
    """
    ends = np.flatnonzero(data < 128)
    starts = np.concatenate([[0], ends[:-1] + 1])
    lengths = ends - starts + 1
    numbers = np.zeros(len(ends), dtype=np.int64)
    for k in range(int(lengths.max(initial=0))):
        here = lengths > k
        numbers[here] |= (data[starts[here] + k] & 127).astype(np.int64) << 7 * k
    return numbers


def _lines(numbers: Longs) -> tuple[str, bool]:
    """Return the clauses before the empty one as lines of text, and whether there is an empty one.

    In `numbers`, a clause is the letter a (added) or d (deleted), its literals, and 0. A literal is
    twice its variable, plus 1 if it is negative.
    """
    ends = np.flatnonzero(numbers == 0)
    starts = np.concatenate([[0], ends[:-1] + 1])
    empty = np.flatnonzero((numbers[starts] == ord("a")) & (ends == starts + 1))
    stop = int(empty[0]) if len(empty) else len(ends)
    literals = np.where(numbers % 2 == 0, numbers // 2, -(numbers // 2)).tolist()
    deletes = (numbers[starts] == ord("d")).tolist()
    bounds = [-1, *ends[:stop].tolist()]
    lines = [
        f"{'d ' if gone else ''}{' '.join(map(str, literals[a + 2 : b]))} 0\n"
        for gone, (a, b) in zip(deletes, pairwise(bounds), strict=False)
    ]
    return "".join(lines), bool(len(empty))


def read_dimacs(path: Path) -> list[list[int]]:
    """Return the clauses of a DIMACS file; raise ValueError if the file is not in this format."""
    lines = path.read_text("ascii").splitlines()
    words = " ".join(line for line in lines if line[:1] not in ("c", "p", "%"))
    flat = np.array(words.split(), dtype=np.int64)
    if len(flat) and flat[-1] != 0:
        raise ValueError(f"the last clause of {path} has no 0 at its end")
    values = flat.tolist()
    ends = [-1, *np.flatnonzero(flat == 0).tolist()]
    return [values[a + 1 : b] for a, b in pairwise(ends)]
