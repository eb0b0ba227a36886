"""Checkers of proofs that a formula, or a set of linear constraints, has no solution.

These checkers find no proofs themselves. The checker for formulas is native. The one for
constraints reads refutations by cutting planes, in a part of VeriPB's format.

The constraints are in an OPB file: lines ``+1 x1 -2 x2 >= 1 ;``. A line with ``=`` stands for two
constraints, first the one with ``>=``, then the one with ``<=``. Constraints have the numbers
1, 2, ... A proof has these lines:

``pseudo-Boolean proof version 2.0``
    The first line.
``f N``
    The OPB file has N constraints.
``pol 1 3 * 2 + 2 d``
    A new constraint, computed in reverse Polish notation. A number stands for the constraint with
    this number, ``k *`` multiplies by k, ``+`` adds, and ``k d`` divides by k. The constraint gets
    the next number.
``output NONE``, ``conclusion UNSAT : N``, ``end pseudo-Boolean proof``
    The last lines: constraint N cannot be satisfied.

Lines that begin with ``*`` are comments. For a division, a constraint is written with literals x
and 1 - x so that all coefficients are positive; quotients are then rounded up [1]. All other rules
of VeriPB's format are refused. Nothing here is shared with the code that writes proofs.

Sources: [1] W. Cook, C. Coullard, G. Turán, "On the complexity of cutting-plane proofs", Discrete
Applied Mathematics 18 (1987).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn

from exactile import _native
from exactile.certificate.reading import lines, paced
from exactile.errors import CertificateError, ProofRefusedError


class Checked(NamedTuple):
    """Statistics of a proof that holds.

    `lemmas`: number of lemmas (added clauses), up to the empty clause. `deletions`: number of
    clauses deleted before it. `propagations`: number of literals that unit propagation made true
    or, in a proof with hints, number of hints used.
    """

    lemmas: int
    deletions: int
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
    r"""Check a proof that a formula has no solution, and return its statistics.

    - `cnf`: the formula, in the DIMACS format, one clause on each line.
    - `proof`: the proof, one step on each line. A lemma that does not follow by unit propagation is
      refused, even if it preserves satisfiability (RAT).
    - `assume`: literals assumed to be true. The proof then shows that no solution has all of them.
      The hints of an LRAT proof refer to them by the numbers that follow those of the clauses.
    - `kind`: ``"drup"`` for lemmas and deletions, ``"lrat"`` for lemmas with hints. The proof must
      contain the empty clause; some solvers omit it if unit propagation finds it.
    - `lrat`: file to which a DRUP proof is also written as LRAT, if given. Literals that unit
      propagation derives from the formula become lemmas of one literal.
    - `heartbeat`: called at the beginning, and then many times a second, with the number of lemmas
      so far; an exception that it raises stops the check.

    Raise ProofRefusedError if the proof does not hold, or a file cannot be read; the message names
    the line. Raise CertificateError if there is no such kind of proof, or too little memory.

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
        reason = f"{error}."
        raise ProofRefusedError(f"The proof {proof} is refused: {reason}", reason) from None
    except MemoryError:
        raise CertificateError(
            f"The proof {proof} cannot be checked: there is not enough memory for the "
            "clauses. Check it on a larger machine, or make a proof of smaller parts."
        ) from None
    return Checked(*counts)


NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
VARIABLE = re.compile(r"x[1-9][0-9]{0,8}")
HEADER = "pseudo-Boolean proof version 2.0"
OUTPUT = "output NONE"
CONCLUSION = "conclusion UNSAT :"
END = "end pseudo-Boolean proof"


class Constraint(NamedTuple):
    """A linear constraint: the sum of the variables times their coefficients is at least `degree`.

    `terms`: the coefficient of each variable.
    """

    terms: dict[str, int]
    degree: int

    def plus(self, other: Constraint) -> Constraint:
        """Return the sum of this constraint and `other`.

        For speed, the terms of this constraint are changed: it must not be used again.
        """
        for variable, factor in other.terms.items():
            self.terms[variable] = self.terms.get(variable, 0) + factor
        return Constraint(self.terms, self.degree + other.degree)

    def times(self, factor: int) -> Constraint:
        """Return the constraint with its coefficients and degree multiplied by `factor`."""
        return Constraint({v: factor * c for v, c in self.terms.items()}, factor * self.degree)

    def over(self, divisor: int) -> Constraint:
        """Return the constraint divided by `divisor`, with its coefficients and degree rounded up.

        The constraint is first written with literals x and 1 - x, so that all coefficients are
        positive.
        """
        terms = {v: -(-abs(c) // divisor) * (1 if c > 0 else -1) for v, c in self.terms.items()}
        degree = -(-(self.degree + self.negated) // divisor)
        return Constraint(terms, degree - sum(-c for c in terms.values() if c < 0))

    @property
    def negated(self) -> int:
        """Sum of the absolute values of the negative coefficients."""
        return sum(-c for c in self.terms.values() if c < 0)

    @property
    def most(self) -> int:
        """The largest value of the left side, over all values 0 and 1 of the variables."""
        return sum(c for c in self.terms.values() if c > 0)


class _Proof:
    """The constraints read or computed so far, and the current line for error messages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 0
        self.constraints: list[Constraint] = []

    def refuse(self, why: str) -> NoReturn:
        raise CertificateError(f"{self.path}, line {self.line}: {why}.")

    def read(self, pulse: Callable[[], None]) -> Iterator[str]:
        """Yield the lines of the file except empty ones and comments, then "" for the end."""
        for number, line in enumerate(paced(lines(self.path), pulse), 1):
            self.line = number
            if line and not line.startswith("*"):
                yield line
        self.line += 1
        yield ""

    def expect(self, line: str, wanted: str) -> None:
        if line != wanted:
            self.refuse(f"it is not {wanted!r}" if wanted else "something follows the end")

    def number(self, word: str, least: int | None = None) -> int:
        if not NUMBER.fullmatch(word) or (least is not None and int(word) < least):
            self.refuse(f"{word[:20]!r} is not a number that can stand there")
        return int(word)

    def row(self, line: str) -> None:
        words = line.split(" ")
        relation, degree, end = words[-3:] if len(words) > 2 else ("", "", "")
        del words[-3:]
        if end != ";" or relation not in ("=", ">=") or len(words) % 2:
            self.refuse("it is not a constraint")
        terms: dict[str, int] = {}
        for factor, variable in zip(words[::2], words[1::2], strict=True):
            if not VARIABLE.fullmatch(variable) or variable in terms:
                self.refuse(f"{variable[:20]!r} is not a variable that can stand there")
            terms[variable] = self.number(factor)
        self.constraints.append(Constraint(terms, self.number(degree)))
        if relation == "=":
            self.constraints.append(self.constraints[-1].times(-1))

    def constraint(self, word: str) -> Constraint:
        number = self.number(word, 1)
        if number > len(self.constraints):
            self.refuse(f"there is no constraint {number} yet")
        return self.constraints[number - 1]

    def computed(self, words: list[str]) -> Constraint:
        """Return the constraint that the words after ``pol`` compute."""
        stack: list[Constraint] = []
        following = [*words[1:], ""]
        steps = zip(words, following, strict=True)
        for word, operator in steps:
            if operator in ("*", "d") and stack:
                number = self.number(word, 1)
                top = stack.pop()
                stack.append(top.times(number) if operator == "*" else top.over(number))
                next(steps)
            elif word == "+" and len(stack) > 1:
                other = stack.pop()
                stack.append(stack.pop().plus(other))
            else:
                stack.append(self.constraint(word).times(1))
        if len(stack) != 1:
            self.refuse("it does not compute one constraint")
        return stack[0]


def check_cutting_planes(
    formula: Path, proof: Path, pulse: Callable[[], None] = lambda: None
) -> int:
    r"""Check a cutting-planes proof that linear constraints have no solution in zeros and ones.

    Return the number of constraints that the proof computes.

    `formula`: the OPB file with the constraints. `proof`: the file with the proof. `pulse`: called
    repeatedly; an exception that it raises ends the check. Raise CertificateError if the proof does
    not hold, or a file cannot be read; the message names the line.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     opb, pbp = Path(folder, "formula.opb"), Path(folder, "proof.pbp")
    ...     _ = opb.write_text("* #variable= 2 #constraint= 1\n+2 x1 +2 x2 = 1 ;\n")
    ...     _ = pbp.write_text(
    ...         "pseudo-Boolean proof version 2.0\nf 2\npol 1 2 d\npol 2 2 d\npol 3 4 +\n"
    ...         "output NONE\nconclusion UNSAT : 5\nend pseudo-Boolean proof\n"
    ...     )
    ...     check_cutting_planes(opb, pbp)
    3
    """
    state = _Proof(formula)
    for line in filter(None, state.read(pulse)):
        state.row(line)
    given = len(state.constraints)
    state.path = proof
    text = state.read(pulse)
    state.expect(next(text), HEADER)
    state.expect(next(text), f"f {given}")
    while (line := next(text)).startswith("pol "):
        state.constraints.append(state.computed(line.split(" ")[1:]))
    state.expect(line, OUTPUT)
    conclusion, _, number = next(text).rpartition(" ")
    state.expect(conclusion, CONCLUSION)
    last = state.constraint(number)
    if last.most >= last.degree:
        state.refuse("the constraint can be satisfied")
    state.expect(next(text), END)
    state.expect(next(text), "")
    return len(state.constraints) - given
