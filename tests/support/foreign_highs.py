"""Run as a program: reads LP or MPS with HiGHS and prints all solutions as JSON.

Arguments: a file and its number of options, and so on.

HiGHS and OR-Tools cannot be loaded into one process.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any


def solutions(path: str, options: int) -> list[list[int]]:
    """Enumerate with a cut for each solution."""
    highspy: Any = import_module("highspy")
    model = highspy.Highs()
    model.silent()
    assert model.readModel(path) == highspy.HighsStatus.kOk
    names = [model.getColName(k)[1] for k in range(model.getNumCol())]
    column = {name: k for k, name in enumerate(names)}
    x = [column[f"x{o + 1}"] for o in range(options)]
    lp = model.getLp()
    assert all(kind == highspy.HighsVarType.kInteger for kind in lp.integrality_)
    assert list(lp.col_lower_) == [0] * len(names)
    assert list(lp.col_upper_) == [1] * len(names)
    found: list[list[int]] = []
    while True:
        model.run()
        if model.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
            break
        assert model.getModelStatus() in (
            highspy.HighsModelStatus.kOptimal,
            highspy.HighsModelStatus.kModelEmpty,
        )
        values = list(model.getSolution().col_value)
        taken = [o for o, k in enumerate(x) if values[k] > 0.5]
        found.append(taken)
        if not options:
            break
        signs = [-1.0 if values[k] > 0.5 else 1.0 for k in x]
        model.addRow(1.0 - len(taken), highspy.kHighsInf, options, x, signs)
    assert len({tuple(row) for row in found}) == len(found)
    return found


files = zip(sys.argv[1::2], map(int, sys.argv[2::2]), strict=True)
print(json.dumps([solutions(path, options) for path, options in files]))
