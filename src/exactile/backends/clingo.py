"""clingo: an answer-set program with a choice for each option and a cardinality for each item.

clingo enumerates all solutions in one search, without blocking clauses. Workers are threads; each
searches the whole problem in its own way.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from exactile.backends.base import Request, refuse_choice, require_package
from exactile.backends.child import Found, PackageBackend
from exactile.model.linear import NO_BOUND, uses
from exactile.model.model import Model
from exactile.work import Tell


def backend(choice: str | None) -> PackageBackend:
    """Return the backend.

    Raise BackendMissingError if clingo is not installed, BackendNotFoundError if `choice`, a
    solver, is not None.
    """
    require_package("clingo", "clingo")
    refuse_choice("clingo", choice)
    return PackageBackend("clingo", "clingo", "clingo", ClingoSearch, takes_workers=True)


@dataclass(frozen=True, eq=False)
class ClingoSearch:
    """The task of finding all solutions by clingo; see `exactile.backends.child`."""

    model: Model
    request: Request

    def run(self, tell: Tell[Found]) -> None:
        """Report every solution once, and the counters after each prefix."""
        clingo: Any = import_module("clingo")
        control = clingo.Control([f"--seed={self.request.seed}", "--models=0"], message_limit=0)
        threads = 1 if self.request.ordered else self.request.workers or 1
        if threads > 1:
            control.configuration.solve.parallel_mode = f"{min(threads, 64)},compete"
        with control.backend() as program:
            atoms = build(self.model, program)
        stats = {"solves": 0, "conflicts": 0, "decisions": 0, "restarts": 0}
        for prefix in self.request.prefixes:
            assumed = [atoms[m] if m >= 0 else -atoms[~m] for m in prefix]
            with control.solve(assumptions=assumed, yield_=True) as found:
                for answer in found:
                    options = [s.arguments[0].number for s in answer.symbols(atoms=True)]
                    tell(Found(sorted(options), dict(stats)))
            counted = control.statistics["solving"]["solvers"]
            stats["solves"] += 1
            for ours, theirs in THEIRS.items():
                stats[ours] += int(counted[theirs])
            tell(Found(None, dict(stats)))


THEIRS = {"conflicts": "conflicts", "decisions": "choices", "restarts": "restarts"}
"""Names of counters in our results, each with the name that clingo uses."""


def build(model: Model, program: Any) -> list[int]:
    """Add the rules of a model to a program; return the atom of each option."""
    clingo: Any = import_module("clingo")
    number, name = clingo.Number, clingo.Function
    atoms = [program.add_atom(name("x", [number(o)])) for o in range(model.options)]
    if atoms:
        program.add_rule(atoms, choice=True)
    found = uses(model)
    every = list(atoms)
    for options in found.painting():
        color = program.add_atom()
        every.append(color)
        for option in options:
            program.add_rule([color], [atoms[option]])
    for members, low, high in found.sums():
        here = [every[v] for v in members]
        if low == 1:
            program.add_rule([], [-atom for atom in here])
        elif low > 1:
            enough = program.add_atom()
            program.add_weight_rule([enough], low, [(atom, 1) for atom in here])
            program.add_rule([], [-enough])
        if high < min(NO_BOUND, len(here)):
            program.add_weight_rule(
                [(enough := program.add_atom())], high + 1, [(a, 1) for a in here]
            )
            program.add_rule([], [enough])
    return atoms
