"""A native checker of proofs that a formula has no solution; it finds no proofs itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from exactile import _native
from exactile.errors import CertificateError


class Checked(NamedTuple):
    """Statistics of a proof that holds."""

    lemmas: int  # lemmas up to the empty one
    deletions: int  # clauses deleted before that
    # Literals that unit propagation made true; in a proof with hints, the hints used
    propagations: int


def check_proof(
    cnf: Path,
    proof: Path,
    *,
    assume: Sequence[int] = (),
    kind: Literal["drup", "lrat"] = "drup",
    lrat: Path | None = None,
    heartbeat: Callable[[int], None] | None = None,
) -> Checked:
    r"""Check a proof that a formula has no solution.

    - `cnf`: the formula, in the DIMACS format, one clause on each line.
    - `proof`: the proof, one step on each line. A lemma that does not follow by unit propagation is
      refused, also if it keeps the formula satisfiable (RAT).
    - `assume`: literals assumed to be true. The proof then shows that no solution has all of them.
      In a proof with hints their numbers follow those of the clauses.
    - `kind`: ``"drup"`` for lemmas and deletions, ``"lrat"`` for lemmas with hints. The empty
      clause must be present, as the line ``0``; some solvers omit it where it is obvious.
    - `lrat`: where to write a DRUP proof as LRAT. Literals that
      follow from the clauses alone become lemmas of one literal.
    - `heartbeat`: called at the beginning and many times a second with the number of lemmas so far;
      an exception that it raises stops the check.

    Raise CertificateError if the proof does not hold, or a file cannot be read. The message names
    the line.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     cnf, proof = Path(folder, "formula.cnf"), Path(folder, "proof.drup")
    ...     _ = cnf.write_text("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n")
    ...     _ = proof.write_text("1 0\n0\n")
    ...     check_proof(cnf, proof)
    Checked(lemmas=2, deletions=0, propagations=4)
    """
    if kind not in ("drup", "lrat"):
        raise CertificateError(f"There are no proofs of the kind '{kind}': take 'drup' or 'lrat'.")
    try:
        counts = _native.check_proof(
            *(os.fsencode(cnf), os.fsencode(proof), kind == "lrat", list(assume), heartbeat),
            None if lrat is None else os.fsencode(lrat),
        )
    except _native.ProofRefusedError as error:
        raise CertificateError(f"The proof {proof} of {cnf} is refused: {error}.") from None
    except MemoryError:
        raise CertificateError(
            f"The proof {proof} of {cnf} cannot be checked: there is not enough memory for the "
            "clauses. Check it on a larger machine, or make a proof of smaller parts."
        ) from None
    return Checked(*counts)
