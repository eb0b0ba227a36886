"""Run as a program: reads CNF, OPB, LP or MPS with SCIP and prints all solutions as JSON."""

from __future__ import annotations

import json
import sys


def main(path: str, options: int) -> None:
    """Enumerate with a cut for each solution."""
    from pyscipopt import Model, quicksum

    model = Model()
    model.hideOutput()
    model.readProblem(path)
    found = []
    named = {v.name: v for v in model.getVars()}
    x = [named.get(f"x{o + 1}") for o in range(options)]
    assert all(v is None or v.vtype() == "BINARY" for v in x)
    idle = [o for o, v in enumerate(x) if v is None]  # SCIP drops variables without constraints
    assert not idle
    while True:
        model.optimize()
        if model.getStatus() == "infeasible":
            break
        assert model.getStatus() == "optimal"
        taken = [o for o, v in enumerate(x) if model.getVal(v) > 0.5]
        found.append(taken)
        if not options:
            break
        chosen = set(taken)
        model.freeTransform()
        model.addCons(quicksum((1 - v) if o in chosen else v for o, v in enumerate(x)) >= 1)
    print(json.dumps(found))


main(sys.argv[1], int(sys.argv[2]))
