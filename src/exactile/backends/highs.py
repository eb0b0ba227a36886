"""HiGHS, an integer programming solver: a constraint for each item, and for each solution found."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from exactile.backends.base import Request, refuse_choice, require_package
from exactile.backends.child import Blocking, PackageBackend
from exactile.model.linear import NO_BOUND, linear_rows
from exactile.model.model import Model


def backend(choice: str | None) -> PackageBackend:
    """Return the backend.

    Raise BackendMissingError if HiGHS is not installed, BackendNotFoundError if `choice`, a solver,
    is not None.
    """
    require_package("highs", "highspy")
    refuse_choice("highs", choice)
    return PackageBackend(
        "highs", "HiGHS", "highspy", partial(Blocking, start=HighsSession), takes_workers=True
    )


class HighsSession:
    """A HiGHS solver with a model; see `exactile.backends.child.SolverSession`."""

    def __init__(self, model: Model, request: Request) -> None:
        highspy: Any = import_module("highspy")
        self._highspy = highspy
        self._highs = highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("random_seed", request.seed)
        if request.workers:
            highs.setOptionValue("threads", request.workers)
        self._options = model.options
        rows = linear_rows(model)
        highs.addVars(rows.variables, np.zeros(rows.variables), np.ones(rows.variables))
        every = np.arange(rows.variables, dtype=np.int32)
        whole = np.full(rows.variables, highspy.HighsVarType.kInteger)
        highs.changeColsIntegrality(rows.variables, every, whole)
        upper = np.where(rows.upper == NO_BOUND, highspy.kHighsInf, rows.upper.astype(float))
        for r in range(len(rows)):
            span = slice(rows.first[r], rows.first[r + 1])
            members = rows.members[span].astype(np.int32)
            signs = rows.signs[span].astype(float)
            highs.addRow(float(rows.lower[r]), upper[r], len(members), members, signs)
        self._fixed: list[int] = []
        self._nodes = 0

    def solve(self, prefix: tuple[int, ...]) -> list[int] | None:
        """Return the options of a solution that extends a prefix; None if there are no more.

        Raise RuntimeError if HiGHS stops without an answer.
        """
        status = self._highspy.HighsModelStatus
        for option in self._fixed:
            self._highs.changeColBounds(option, 0.0, 1.0)
        self._fixed = [m if m >= 0 else ~m for m in prefix]
        for move in prefix:
            value = float(move >= 0)
            self._highs.changeColBounds(move if move >= 0 else ~move, value, value)
        self._highs.run()
        found = self._highs.getModelStatus()
        self._nodes += max(self._highs.getInfo().mip_node_count, 0)
        if found == status.kInfeasible:
            return None
        if found not in (status.kOptimal, status.kModelEmpty):
            raise RuntimeError(f"HiGHS stopped: {self._highs.modelStatusToString(found)}")
        values = list(self._highs.getSolution().col_value)
        return [o for o in range(self._options) if values[o] > 0.5]

    def forbid(self, taken: list[int], others: list[int]) -> None:
        """Forbid solutions that contain all options in `taken` and none in `others`."""
        named = np.array([*taken, *others], dtype=np.int32)
        signs = np.array([1.0] * len(taken) + [-1.0] * len(others))
        most = len(taken) - 1.0
        self._highs.addRow(-self._highspy.kHighsInf, most, len(named), named, signs)

    def stats(self) -> dict[str, int]:
        """Return the counters of HiGHS."""
        return {"nodes": self._nodes}
