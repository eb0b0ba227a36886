"""Run as a program: a SAT solver with the output of the competitions, which fails as it is told.

Arguments: what to do, the CNF file, and perhaps a file for a proof.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path


def answer(path: str, proof: str | None) -> tuple[int, list[str]]:
    """Solve, and return exit code and lines."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    with Solver("glucose4", CNF(from_file=path).clauses, with_proof=proof is not None) as solver:
        if not solver.solve():
            if proof is not None:
                Path(proof).write_text("\n".join(solver.get_proof()) + "\n", "utf-8")
            return 20, ["s UNSATISFIABLE"]
        literals = [*map(str, solver.get_model()), "0"]
    lines = [" ".join(["v", *literals[k : k + 5]]) for k in range(0, len(literals), 5)]
    return 10, ["s SATISFIABLE", *lines]


def main(mode: str, path: str, proof: str | None = None) -> None:
    """Answer, or do something else."""
    if mode == "crash":
        print("out of luck", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    if mode == "fail":
        print("c parse error: I only read DNF")
        sys.exit(1)
    if mode == "hang":
        Path("pid").write_text(str(os.getpid()), "utf-8")
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            signal.pause()
    if mode.startswith("seed-"):
        with Path("seeds").open("a", encoding="utf-8") as file:
            file.write(f"{mode}\n")
    if mode == "give-up":
        print("c time is up")
        sys.exit(0)
    if mode == "unknown":
        print("s UNKNOWN")
        sys.exit(0)
    code, lines = answer(path, proof)
    changed = {
        "wrong-code": (30 - code, lines),
        "silent": (code, []),
        "both": (code, [*lines, "s UNSATISFIABLE", "s SATISFIABLE"]),
        "nonsense": (code, ["s MAYBE"]),
        "no-values": (code, lines[:1]),
        "cut": (code, lines[:-1]),
        "words": (code, [*lines[:1], "v 1 two 0"]),
        "too-large": (code, [*lines[:1], "v 1 -2 999999 0"]),
        "contradiction": (code, [*lines[:1], "v 1 -1 0"]),
        "exit-0": (0, lines),
        "chatty": (code, ["c 1 2 3", "progress: s v 5", *lines, "c the end"]),
    }
    if mode == "all-false" and code == 10:
        number = sum(len(line.split()) - 1 for line in lines[1:]) - 1
        values = " ".join(str(-v) for v in range(1, number + 1))
        changed[mode] = (code, [lines[0], f"v {values} 0"])
    code, lines = changed.get(mode, (code, lines))
    print("\n".join(lines))
    sys.exit(code)


main(*sys.argv[1:])
