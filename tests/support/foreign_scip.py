"""Run as a program: reads OPB, LP or MPS with SCIP and prints the number of solutions.

SCIP is left to a process of its own as it prints on its own.
"""

from __future__ import annotations

import sys


def main(path: str) -> None:
    """Count."""
    from pyscipopt import Model

    model = Model()
    model.hideOutput()
    model.readProblem(path)
    assert all(v.vtype() == "BINARY" for v in model.getVars())
    model.setParamsCountsols()
    model.count()
    print(model.getNCountedSols())


main(sys.argv[1])
