"""Writes down all that is needed to repeat a wrong answer."""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path

from exactile.backends import Request
from exactile.model.model import Model
from exactile.puzzle.puzzle import Puzzle


def write_reproducer(
    puzzle: Puzzle,
    model: Model,
    backend: str,
    request: Request,
    options: list[int],
    faults: list[str],
) -> Path:
    """Write a JSON file into the current folder, or a temporary one, and return its path.

    It holds the model, the request, the options that were returned and what is wrong with them.
    """
    text = json.dumps(
        {
            "puzzle": puzzle.name,
            "lattice": puzzle.lattice.name,
            "backend": backend,
            "seed": request.seed,
            "workers": request.workers,
            "limit": request.limit,
            "prefixes": request.prefixes,
            "encoding": request.encoding,
            "symmetries": 0 if request.images is None else len(request.images),
            "faults": faults,
            "returned_options": [o for o in options if o >= 0],
            "pieces": {p.name: p.units for p in puzzle.pieces},
            "units": puzzle.region.units.tolist(),
            "model": {
                "lower": model.lower.tolist(),
                "upper": model.upper.tolist(),
                "options": [model.option(o).tolist() for o in range(model.options)],
                "colors": model.colors.tolist(),
            },
        }
    )
    name = f"exactile-wrong-answer-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    for folder in (Path.cwd(), Path(tempfile.gettempdir())):
        try:
            path = folder / name
            path.write_text(text, "utf-8")
        except OSError:
            continue
        return path
    return Path("(no place to write it: neither the current nor the temporary folder)")
