"""Proofs written by the CDCL solvers of PySAT, each in a process of its own.

Run as a module, this file is the process: it reads a formula, solves it, writes the proof, and
leaves with 20 if there is no model, with 10 if there is one.
"""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from exactile.errors import BackendCrashedError, BackendNotFoundError, suggestion

PROOFS = (
    "cadical103",
    "cadical153",
    "cadical195",
    "glucose3",
    "glucose4",
    "glucose42",
    "gluecard3",
    "gluecard4",
    "lingeling",
    "maplechrono",
    "maplecm",
)
"""The solvers whose proofs hold. Others write none, or like maplesat one that never does."""

WORDS = ("-m", "exactile.backends.sat_proof")
"""What Python is told to be the process."""

SATISFIABLE, UNSATISFIABLE = 10, 20
"""Exit codes, as in SAT competitions."""


def prover(spec: str) -> str:
    """Return the solver of a backend ``sat`` or ``sat:NAME`` if it writes proofs that hold.

    Raises
    ------
    BackendNotFoundError
        If it does not, or is another backend.

    Examples
    --------
    >>> prover("sat"), prover("sat:glucose4")
    ('cadical195', 'glucose4')
    """
    name, _, solver = spec.partition(":")
    solver = solver or "cadical195"
    if name != "sat" or solver not in PROOFS:
        raise BackendNotFoundError(
            f"The backend '{spec}' writes no proofs that can be checked."
            f"{suggestion(solver, PROOFS)} Use dlx, or sat with one of: {', '.join(PROOFS)}."
        )
    return solver


def write_refutation(
    cnf: Path, proof: Path, solver: str = "cadical195", time_limit: float | None = None
) -> bool | None:
    """Have a solver refute a formula and write the proof, as text in the format DRUP.

    Parameters
    ----------
    cnf
        The formula, in the DIMACS format.
    proof
        The file to write. It appears when the proof is complete, and not before.
    solver
        One of `PROOFS`.
    time_limit
        In seconds.

    Returns
    -------
    bool or None
        True if there is a proof, False if the formula has a model, None if time was up.

    Raises
    ------
    BackendCrashedError
        If the process dies; the message has the end of what it wrote.
    OSError
        If the proof cannot be written.
    """
    part = proof.with_name(f"{proof.name}.part")
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [sys.executable, "-P", *WORDS, solver, str(cnf), str(part)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C is for us to notice; we then kill the process
        )
        try:
            code = process.wait(time_limit)
            if code == UNSATISFIABLE:
                part.replace(proof)
            elif code != SATISFIABLE:
                log.seek(0)
                raise _failed(solver, code, log.read().decode("utf-8", "replace"))
        except subprocess.TimeoutExpired:
            return None
        finally:
            process.kill()
            process.wait()
            part.unlink(missing_ok=True)
    return code == UNSATISFIABLE


def _failed(solver: str, code: int, log: str) -> BackendCrashedError | OSError:
    lines = log.strip().splitlines()[-1:]
    if lines and lines[0].startswith("OSError "):
        _, number, *text = lines[0].split(" ")
        return OSError(int(number), " ".join(text))
    cause = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return BackendCrashedError(
        f"The process of {solver} that was to write a proof died ({cause}): try another solver, or "
        f"more memory. {''.join(lines)}"
    )


def main(name: str, cnf: str, proof: str) -> int:
    """Be the process: solve a formula and write the proof."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    if sys.platform == "linux":  # die with the parent, even when it is killed
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    formula = CNF(from_file=cnf)
    if [] in formula.clauses:  # no solver needed; and some do not take it
        Path(proof).write_text("0\n", "ascii")
        return UNSATISFIABLE
    with Solver(name=name, bootstrap_with=formula, with_proof=True) as solver:
        if solver.solve():
            return SATISFIABLE
        steps = solver.get_proof()
    try:
        with Path(proof).open("w", encoding="ascii") as stream:
            stream.writelines(f"{step}\n" for step in steps)
            if not steps or steps[-1].strip() != "0":
                stream.write("0\n")
    except OSError as error:
        print(f"OSError {error.errno} {error.strerror}", file=sys.stderr)
        return 1
    return UNSATISFIABLE


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
