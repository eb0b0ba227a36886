"""Any SAT solver program that reads DIMACS CNF and answers as in the SAT competitions.

``external:CMD`` runs the command with the name of a CNF file at its end, or in place of ``{cnf}``.
If there is a solution, the command prints a line ``s SATISFIABLE``, then lines ``v`` with the
literals and a 0 at the end, and exits with code 10. If there is none, it prints ``s UNSATISFIABLE``
and exits with 20. If it gives up, it exits with 0 and prints neither line. Code 0 is also accepted
with an answer. Each further solution takes another run, with clauses that forbid those already
found.

``{proof}`` stands for a file to which the command writes a proof. If there are no (further)
solutions, the proof is kept, with the formula that it refutes. ``{seed}``, ``{time}`` and
``{threads}`` stand for the seed, the seconds that are left, and the number of threads.
"""

from __future__ import annotations

import math
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exactile.atomic import drafted, naming_disk
from exactile.backends.base import HEARTBEAT, Backend, Batch, Request, cores, no_solutions
from exactile.clock import CLOCK
from exactile.errors import (
    BackendCrashedError,
    BackendError,
    BackendMissingError,
    BackendNotFoundError,
)
from exactile.model.encode import Formula, clause_lines, default_encoding, encode, header
from exactile.model.model import Ints, Model
from exactile.work import Group, ended, last_lines

NO_LIMIT = 10_000_000
"""Seconds for which ``{time}`` stands if there is no time limit."""


class ExternalBackend(Backend):
    """A SAT solver that the user gives as a command.

    `command`: program and arguments, as on a command line, but without a shell.
    """

    takes_prefixes = True
    takes_colors = True

    def __init__(self, command: str) -> None:
        self.command = command
        self.name = f"external:{command}"
        self.takes_seed = "{seed}" in command
        self.takes_workers = "{threads}" in command
        self._words = shlex.split(command)

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`."""
        formula = below(encode(model, default_encoding(model)), request.prefixes)
        text = "".join(clause_lines(formula.literals))
        forbidden: list[list[int]] = []
        solves = 0
        with tempfile.TemporaryDirectory(prefix="exactile-") as name:
            folder = Path(name)
            while True:
                extra = _flat(forbidden)
                path = folder / "formula.cnf"
                with naming_disk(path), path.open("w", encoding="ascii") as file:
                    file.writelines([header(formula, more=len(forbidden)), text])
                    file.writelines(clause_lines(extra))
                answer = yield from self._run(folder, formula.variables, solves, request)
                solves += 1
                stats = {"solves": solves, "clauses": formula.size}
                if answer.satisfiable is None:
                    yield Batch(no_solutions(), stats, stopped="the solver gave up")
                    return
                if not answer.satisfiable:
                    yield Batch(no_solutions(), stats, 1.0, proof=self._kept(folder))
                    return
                self._check(answer, np.concatenate([formula.literals, extra]))
                chosen = [x - 1 for x in answer.literals if 0 < x <= model.options]
                yield Batch(np.array([chosen], dtype=np.int32).reshape(1, -1), stats)
                taken = set(chosen)
                others = (o + 1 for o in range(model.options) if o not in taken)
                clause = [-o - 1 for o in chosen] + ([] if model.pinned else list(others))
                if not clause:  # the empty solution of a model without options is the only one
                    return
                forbidden.append(clause)

    def _run(
        self, folder: Path, variables: int, solves: int, request: Request
    ) -> Generator[Batch, None, SolverAnswer]:
        """Run the program on the file ``formula.cnf`` in a folder, and return its answer.

        Until the program ends, yield an empty batch at every heartbeat. `variables`: number of
        variables of the formula. `solves`: the value of the counter ``solves`` in the batches.

        Raise BackendNotFoundError if the command is empty or has a null character,
        BackendMissingError if the program cannot be run, BackendCrashedError if its exit code is
        not 0, 10 or 20, BackendError if its answer cannot be read.
        """
        seconds: float = NO_LIMIT
        if request.deadline is not None:
            seconds = CLOCK.lasting(request.deadline - CLOCK.now())
        values = {
            "{cnf}": str(folder / "formula.cnf"),
            "{proof}": str(folder / "proof"),
            "{seed}": str(request.seed),
            "{time}": str(max(1, math.ceil(seconds))),
            "{threads}": str(request.workers or cores()),
        }
        if not self._words:
            raise BackendNotFoundError(
                "Which program? Write external:CMD, such as external:cadical."
            )
        if "\0" in self.command:
            raise BackendNotFoundError("A command cannot contain a null character.")
        words = self._words if "{cnf}" in self.command else [*self._words, "{cnf}"]
        for sign, value in values.items():
            words = [word.replace(sign, value) for word in words]
        with (
            (folder / "out").open("wb") as out,
            (folder / "err").open("wb") as err,
            Group() as group,
        ):
            try:
                process = group.start(words, stdout=out, stderr=err)
            except OSError as error:
                raise BackendMissingError(
                    f"'{words[0]}' cannot be run: {error.strerror or error}."
                ) from None
            while True:
                with suppress(subprocess.TimeoutExpired):
                    code = process.wait(CLOCK.lasting(HEARTBEAT))
                    break
                yield Batch(no_solutions(), {"solves": solves})
        written = (folder / "out").read_bytes().decode("utf-8", "replace")
        complaints = (folder / "err").read_bytes().decode("utf-8", "replace")
        if code not in (0, 10, 20):
            raise self._crashed(code, complaints or written)
        try:
            return read_answer(code, written, variables)
        except ValueError as error:
            raise BackendError(f"The answer of '{self.command}' is wrong: {error}.") from None

    def _crashed(self, code: int, written: str) -> BackendCrashedError:
        return BackendCrashedError(
            f"'{self.command}' ended with {ended(code)}, not with 10 (solvable), 20 (unsolvable) "
            f"or 0 (not known); solutions found before it are kept.{last_lines(written)}"
        )

    def _check(self, answer: SolverAnswer, literals: Ints) -> None:
        """Raise BackendError if the assignment of an answer does not satisfy every clause.

        `literals`: the clauses one after the other, each ended by 0.
        """
        wrong = unsatisfied(literals, answer.literals)
        if wrong is not None:
            raise BackendError(
                f"The answer of '{self.command}' is wrong: no literal of the clause "
                f"{' '.join(map(str, wrong))} is true in its assignment."
            )

    def _kept(self, folder: Path) -> str | None:
        """Move the formula and its proof to a new folder that is kept, and return its path.

        The new folder is in the working directory or, if nothing can be written there, among the
        temporary files. Return None if the command wrote no proof.
        """
        if "{proof}" not in self.command or not (folder / "proof").exists():
            return None
        home = Path.cwd() if os.access(Path.cwd(), os.W_OK) else None
        kept = Path(tempfile.mkdtemp(prefix="exactile-proof-", dir=home))
        try:
            with drafted(kept, directory=True) as draft:
                for name in ("formula.cnf", "proof"):
                    shutil.move(folder / name, draft / name)
                draft.replace(kept)
        except BaseException:
            with suppress(OSError):  # not empty: all had arrived
                kept.rmdir()
            raise
        return str(kept)

    def version(self) -> str:
        """Return the command; without a command, a description."""
        return self.command or "any SAT solver that is a program: external:CMD"


def below(formula: Formula, prefixes: tuple[tuple[int, ...], ...]) -> Formula:
    """Return a formula with more clauses, so that all its solutions extend one of the prefixes.

    Examples
    --------
    >>> formula = Formula(3, np.array([1, 2, 3, 0], dtype=np.int32))
    >>> below(formula, ((0,), (1,))).clauses()  # option 0 or option 1
    [[1, 2, 3], [1, 2]]
    >>> below(formula, ((0, ~1), (1,))).clauses()  # the first prefix has a variable, 4
    [[1, 2, 3], [-4, 1], [-4, -2], [4, 2]]
    """
    if () in prefixes:
        return formula
    top = formula.variables
    clauses = []
    some = []
    for prefix in prefixes:
        literals = [move + 1 if move >= 0 else move for move in prefix]
        if len(literals) > 1:
            top += 1
            clauses += [[-top, x] for x in literals]
            literals = [top]
        some += literals
    flat = np.concatenate([formula.literals, _flat([*clauses, some])])
    return replace(formula, variables=top, literals=flat)


def _flat(clauses: list[list[int]]) -> Ints:
    """Return clauses as one array, one after the other, each ended by 0."""
    return np.array([x for clause in clauses for x in (*clause, 0)], dtype=np.int32)


def backend(choice: str | None) -> ExternalBackend:
    """Return the backend for a command; for None, one that can be listed, but cannot search.

    Raise BackendNotFoundError if the command cannot be read, BackendMissingError if there is no
    such program.
    """
    try:
        words = shlex.split(choice or "")
    except ValueError as error:
        raise BackendNotFoundError(f"The command '{choice}' cannot be read: {error}.") from None
    if words and shutil.which(words[0]) is None:
        raise BackendMissingError(
            f"There is no program '{words[0]}': give the name of one on the search path, or a path."
        )
    return ExternalBackend(choice or "")


EXIT_CODES = {"SATISFIABLE": 10, "UNSATISFIABLE": 20, "UNKNOWN": 0, "INDETERMINATE": 0}
"""Words that a solver prints after ``s``, each with its exit code."""


class SolverAnswer(NamedTuple):
    """The answer of a SAT solver to one formula."""

    satisfiable: bool | None  # None if it does not know
    literals: list[int]  # the true ones, if it found an assignment


def read_answer(code: int, text: str, variables: int) -> SolverAnswer:
    r"""Return the answer in the exit code and the output of a solver, as in the SAT competitions.

    The line that begins with ``s`` has the result; lines with ``v`` have the literals. Other lines
    are ignored. `variables`: number of variables of the formula. Raise ValueError if the text
    contradicts itself or the exit code, has an unknown result or wrong or missing literals, or has
    no result although the exit code is not 0.

    Examples
    --------
    >>> read_answer(10, "c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n", 3)
    SolverAnswer(satisfiable=True, literals=[1, -2, 3])
    >>> read_answer(10, "s UNSATISFIABLE\n", 3)
    Traceback (most recent call last):
    ...
    ValueError: it says UNSATISFIABLE, but its exit code is 10
    """
    lines = text.splitlines()
    said = list(dict.fromkeys(line[2:].strip() for line in lines if line.startswith("s ")))
    if len(said) > 1:
        raise ValueError(f"it says both {said[0]} and {said[1]}")
    if not said:
        if code:
            raise ValueError(
                f"its exit code is {code}, but it has no line that begins with 's '; it must write "
                "its answer as in the SAT competitions"
            )
        return SolverAnswer(None, [])
    if said[0] not in EXIT_CODES:
        raise ValueError(f"'s {said[0]}' has no meaning: it is {', '.join(EXIT_CODES)}")
    meant = EXIT_CODES[said[0]]
    if code not in (0, meant):
        raise ValueError(f"it says {said[0]}, but its exit code is {code}")
    if meant != 10:
        return SolverAnswer(False if meant == 20 else None, [])
    return SolverAnswer(True, _literals(lines, variables))


def _literals(lines: list[str], variables: int) -> list[int]:
    """Return the literals in the lines that begin with ``v``; the last of these must end with 0.

    Raise ValueError for anything else, and for a literal that contradicts another one or does not
    exist.
    """
    literals = []
    for word in (word for line in lines if line[:2] in ("v", "v ") for word in line[1:].split()):
        try:
            literals.append(int(word))
        except ValueError:
            raise ValueError(f"'{word[:20]}' in a line with 'v' is not a literal") from None
    if not literals or literals[-1] != 0:
        raise ValueError("its assignment is cut off: the last line with 'v' must end with 0")
    literals.pop()
    seen = set(literals)
    for x in literals:
        if not 0 < abs(x) <= variables:
            raise ValueError(f"{x} is not a literal: there are {variables} variables")
        if -x in seen:
            raise ValueError(f"its assignment has both {abs(x)} and {-abs(x)}")
    return literals


def unsatisfied(literals: Ints, true: list[int]) -> list[int] | None:
    """Return the first clause without a true literal; None if each clause has one.

    `literals`: the clauses, each ended by 0. `true`: the true literals.

    Examples
    --------
    >>> formula = np.array([1, 2, 0, -1, -2, 0], dtype=np.int32)
    >>> unsatisfied(formula, [1, -2]) is None
    True
    >>> unsatisfied(formula, [1, 2]), unsatisfied(formula, [1])
    ([-1, -2], [-1, -2])
    """
    top = max(int(np.abs(literals).max(initial=0)), *map(abs, true), 0)
    holds = np.zeros(2 * top + 1, dtype=bool)  # literal x at x, counted from the end if negative
    holds[true] = True
    ends = np.flatnonzero(literals == 0)
    total = np.concatenate([[0], np.cumsum(holds[literals])])
    starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64)
    wrong = np.flatnonzero(total[ends] == total[starts[: len(ends)]])
    if not len(wrong):
        return None
    clause: list[int] = literals[starts[wrong[0]] : ends[wrong[0]]].tolist()
    return clause
