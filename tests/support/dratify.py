"""`dratify`, a checker of proofs by other people."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from support.waiting import PATIENCE


def dratify_accepts(cnf: Path, proof: Path, engine: str = "native") -> bool:
    """Return the verdict of dratify, in a process of its own."""
    if not all(importlib.util.find_spec(name) for name in ("cdclkit", "dratify")):
        pytest.skip("dratify is not installed")
    program = (
        "import pathlib, sys, cdclkit, dratify\n"
        "formula = dratify.parse_dimacs_file(sys.argv[1])\n"
        "text = pathlib.Path(sys.argv[2]).read_text()\n"
        "print(dratify.check_proof(formula, text, check_rat=False, engine=sys.argv[3]).ok)\n"
    )
    arguments: list[str | Path] = [
        sys.executable,
        "-W",
        "ignore",
        "-c",
        program,
        cnf,
        proof,
        engine,
    ]
    output = subprocess.run(
        arguments, check=True, capture_output=True, text=True, timeout=PATIENCE
    ).stdout
    return {"True\n": True, "False\n": False}[output]
