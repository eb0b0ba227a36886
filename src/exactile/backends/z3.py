"""Z3, an SMT solver: a Boolean for each option, a pseudo-Boolean constraint for each item."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from exactile.backends.base import Request, refuse_choice, require_package
from exactile.backends.child import Blocking, PackageBackend
from exactile.model.linear import NO_BOUND, uses
from exactile.model.model import Model


def backend(choice: str | None) -> PackageBackend:
    """Return the backend.

    Raise BackendMissingError if Z3 is not installed, BackendNotFoundError if `choice`, a solver, is
    not None.
    """
    require_package("z3", "z3")
    refuse_choice("z3", choice)
    return PackageBackend("z3", "Z3", "z3-solver", partial(Blocking, start=Z3Session))


class Z3Session:
    """A Z3 solver with a model; see `exactile.backends.child.SolverSession`."""

    def __init__(self, model: Model, request: Request) -> None:
        z3: Any = import_module("z3")
        self._z3 = z3
        self._solver = z3.SolverFor("QF_FD")
        self._solver.set("random_seed", request.seed)
        self._x = [z3.Bool(f"x{o}") for o in range(model.options)]
        found = uses(model)
        every = list(self._x)
        for options in found.painting():
            color = z3.Bool(f"c{len(every)}")
            every.append(color)
            self._solver.add(color == z3.Or([self._x[o] for o in options]))
        for members, low, high in found.sums():
            self._bound([every[v] for v in members], low, high)

    def _bound(self, here: list[Any], low: int, high: int) -> None:
        """Require that at least `low` and at most `high` of the variables `here` are true."""
        z3 = self._z3
        if low > len(here):
            self._solver.add(z3.BoolVal(False))
        elif low == high:
            self._solver.add(z3.PbEq([(x, 1) for x in here], low))
        else:
            if low:
                self._solver.add(z3.AtLeast(*here, low))
            if high < min(NO_BOUND, len(here)):
                self._solver.add(z3.AtMost(*here, high))

    def solve(self, prefix: tuple[int, ...]) -> list[int] | None:
        """Return the options of a solution that extends a prefix; None if there are no more.

        Raise RuntimeError if Z3 stops without an answer.
        """
        z3 = self._z3
        assumed = [self._x[m] if m >= 0 else z3.Not(self._x[~m]) for m in prefix]
        answer = self._solver.check(*assumed)
        if answer == z3.unknown:
            raise RuntimeError(f"Z3 stopped: {self._solver.reason_unknown()}")
        if answer == z3.unsat:
            return None
        values = self._solver.model()
        return [o for o, x in enumerate(self._x) if z3.is_true(values[x])]

    def forbid(self, taken: list[int], others: list[int]) -> None:
        """Forbid solutions that contain all options in `taken` and none in `others`."""
        z3 = self._z3
        self._solver.add(z3.Or([z3.Not(self._x[o]) for o in taken] + [self._x[o] for o in others]))

    def stats(self) -> dict[str, int]:
        """Return the counters of Z3."""
        counted = self._solver.statistics()
        found = {key: counted.get_key_value(key) for key in counted.keys()}  # noqa: SIM118
        return {ours: int(found[key]) for key, ours in THEIRS.items() if key in found}


THEIRS = {
    "sat conflicts": "conflicts",
    "sat decisions": "decisions",
    "sat propagations ary": "propagations",
    "sat restarts": "restarts",
}
"""Z3's names of counters, each with the name in our results."""
