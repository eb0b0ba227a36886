"""The results of a comparison: contradictions between runs, and files.

The files are tables, JSON, Markdown, an HTML page and plots.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from exactile.answers import ComparedRun, ComparisonAnswer, Status
from exactile.atomic import written
from exactile.counting.plan import METHODS
from exactile.errors import FileError
from exactile.files.sources import parquet_modules
from exactile.render.comparison_page import comparison_page, plots
from exactile.render.comparison_text import Scores, comparison_text

SOLVED = {Status.SOLVABLE.value, Status.COMPLETE.value}


def disagreements(outcomes: Iterable[ComparedRun]) -> list[str]:
    """Return sentences about contradictions between outcomes, and about wrong outcomes.

    `outcomes`: all for the same puzzle. Runs that were stopped are compared as well: they must not
    have found more solutions than the number that a finished run reports.

    Examples
    --------
    >>> ran = {"puzzle": "p", "end": "finished", "answer": "complete"}
    >>> one = ComparedRun(**ran, backend="dlx", found=8, distinct=8, number=8)
    >>> two = ComparedRun(**ran, backend="cpsat", found=3, distinct=3, number=3)
    >>> disagreements([one, two])
    ['p: dlx found 8 solutions and cpsat 3, and both say that these are all']
    """
    given = list(outcomes)
    faults = [f"{o.puzzle}: {_called(o)}: {o.message}" for o in given if o.end == "wrong"]
    faults += [f"{o.puzzle}: {_called(o)}: {fault}" for o in given if (fault := _own_fault(o))]
    for a, b in combinations(given, 2):
        fault = _contradiction(a, b) or _contradiction(b, a)
        if fault:
            faults.append(f"{a.puzzle}: {fault}")
    return faults


def _called(run: ComparedRun) -> str:
    return run.backend if run.repeat == 1 else f"{run.backend} (run {run.repeat})"


def _contradiction(a: ComparedRun, b: ComparedRun) -> str | None:
    one, two = _called(a), _called(b)
    if a.answer in SOLVED and b.answer == Status.UNSOLVABLE.value:
        return f"{one} has a solution, but {two} says that there is none"
    if a.number is not None and b.number is not None:
        if a.number != b.number:
            return (
                f"{one} found {a.number} solutions and {two} {b.number}, "
                "and both say that these are all"
            )
        if _differ(a, b):
            return f"{one} and {two} found {a.number} solutions each, not the same"
    if a.value is not None and b.bound is not None and a.value > b.bound:
        if a.task == "tile":
            return f"{one} covers a disc of radius {a.value}, but {two} none beyond {b.bound}"
        return f"{one} packs {a.value} units, but {two} says that {b.bound} is the most"
    if a.number and b.number is None and b.distinct > a.number:
        return f"{one} says that there are {a.number} solutions, but {two} found {b.distinct}"
    return None


def judged(outcomes: Iterable[ComparedRun]) -> list[ComparedRun]:
    """Return outcomes, with ``"wrong"`` as the end of each run that is known to be wrong.

    `outcomes`: all for the same puzzle. A run is wrong if its proof is refused, if it returned a
    solution twice, or if its answer excludes checked solutions of another run. If two runs count
    different numbers without a list of solutions, it is not known which one is wrong, and neither
    is changed.

    Examples
    --------
    >>> one = ComparedRun(puzzle="p", backend="dlx", end="finished", found=1, distinct=1)
    >>> two = ComparedRun(puzzle="p", backend="liar", end="finished", answer="unsolvable", number=0)
    >>> [run.end for run in judged([one, two])]
    ['finished', 'wrong']
    """
    given = list(outcomes)
    found = []
    for run in given:
        rivals = (_called(other) for other in given if _refutes(other, run))
        others = (f"{rival} has solutions that this answer excludes" for rival in rivals)
        fault = _own_fault(run) or next(others, None)
        known = fault is None or run.end == "wrong"
        found.append(run if known else replace(run, end="wrong", message=fault))
    return found


def _own_fault(run: ComparedRun) -> str | None:
    """Return why a run is wrong, whatever the other runs say; None if it is not."""
    if run.proof == "refused":
        return f"its proof is refused: {run.message}"
    if run.found != run.distinct:
        return f"it returned {run.found} solutions, but only {run.distinct} different"
    return None


def _refutes(a: ComparedRun, b: ComparedRun) -> bool:
    """Return whether checked solutions of run `a` show that the answer of run `b` is wrong."""
    if a.value is not None and b.bound is not None:
        return a.value > b.bound
    if b.number is None:
        return False
    if a.task == "count":  # only lists are checked, and not whether their solutions differ
        return b.number == 0 and a.found > 0 and a.settled_by not in METHODS
    return a.distinct > b.number or _differ(a, b)


def _differ(a: ComparedRun, b: ComparedRun) -> bool:
    """Return whether two runs found the same number of solutions of a model, but different ones."""
    both = a.number == b.number and a.digest and b.digest and a.model == b.model
    return bool(both) and a.digest != b.digest


FORMS = (".csv", ".html", ".json", ".jsonl", ".md", ".parquet")
"""Suffixes of the single files that a comparison can be written to."""


def require_output(path: Path) -> None:
    """Raise FileError if `write_comparison` would refuse a path; make a missing directory."""
    if path.suffix in FORMS or path.is_dir():
        if path.suffix == ".parquet":
            parquet_modules()
        return
    if path.suffix:
        raise FileError(
            f"{path}: unknown ending '{path.suffix}': use one of {', '.join(FORMS)}, or name a "
            "directory without an ending, or one that exists."
        )
    path.mkdir(parents=True, exist_ok=True)


def write_comparison(answer: ComparisonAnswer, path: str | PathLike[str]) -> None:
    """Write a comparison to a file, in the format that the extension names, or to a directory.

    The directory is made if it is missing, and gets ``runs.csv`` (and ``runs.parquet`` if pyarrow
    is installed), ``compare.json``, ``compare.md``, ``report.html``, ``cactus.svg`` and, if there
    are several backends, ``scatter.svg``. Raise FileError if the extension is unknown, or is
    ``.parquet`` and pyarrow is not installed; OSError if a file cannot be written.
    """
    path = Path(path)
    if path.suffix in FORMS and not path.is_dir():
        _write(answer, path)
        return
    require_output(path)
    for name in ("runs.csv", "compare.json", "compare.md", "report.html"):
        _write(answer, path / name)
    for name, text in plots(Scores(answer)).items():
        _written(path / f"{name}.svg", text)
    try:
        parquet_modules()
    except FileError:
        return
    _write(answer, path / "runs.parquet")


def _write(answer: ComparisonAnswer, path: Path) -> None:
    match path.suffix:
        case ".csv":
            _written(path, as_csv(answer.runs))
        case ".html":
            _written(path, comparison_page(answer))
        case ".json":
            _written(path, answer.to_json(indent=1) + "\n")
        case ".jsonl":
            _written(path, "".join(run.to_json() + "\n" for run in answer.runs))
        case ".md":
            _written(path, comparison_text(answer, width=None))
        case _:
            _write_parquet(answer.runs, path)


def _written(path: Path, text: str) -> None:
    with written(path) as stream:  # completely or not at all, even after Ctrl-C
        stream.write(text)


def rows(runs: Sequence[ComparedRun]) -> list[dict[str, Any]]:
    """Return runs as rows of a table: dictionaries that all have the same keys.

    Each counter has a key of its own, such as ``stats_nodes``. Parameters are a JSON text. Missing
    values are None.

    Examples
    --------
    >>> from exactile.answers import Stats
    >>> run = ComparedRun(puzzle="p", backend="b", end="finished", stats=Stats(nodes=7))
    >>> row, other = rows([run, ComparedRun(puzzle="p", backend="c", end="crash")])
    >>> row["stats_nodes"], other["stats_nodes"], row["parameters"]
    (7, None, '{}')
    """
    found = []
    for run in runs:
        row = msgspec.to_builtins(run)
        del row["stats"]
        row["parameters"] = json.dumps(row["parameters"])
        for name, value in run.stats.by_name().items():
            row[f"stats_{name}"] = value if isinstance(value, int | float) else json.dumps(value)
        found.append(row)
    names = list(dict.fromkeys(name for row in found for name in row))
    return [{name: row.get(name) for name in names} for row in found]


def as_csv(runs: Sequence[ComparedRun]) -> str:
    """Return runs as CSV, with a header and a record for each run; unknown values are empty."""
    table = rows(runs)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(table[0]) if table else ["puzzle"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return stream.getvalue()


def _write_parquet(runs: Sequence[ComparedRun], path: Path) -> None:
    pa, parquet = parquet_modules()
    table = pa.Table.from_pylist(rows(runs))
    with written(path, "wb") as stream:
        parquet.write_table(table, stream)
