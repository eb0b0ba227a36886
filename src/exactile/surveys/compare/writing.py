"""Writes the results of a comparison to files: tables, JSON, Markdown, an HTML page and plots."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from exactile.answers import ComparedRun, ComparisonAnswer
from exactile.atomic import written
from exactile.errors import FileError
from exactile.render.comparison_page import comparison_page, plots
from exactile.render.comparison_text import Scores, comparison_text

FORMS = (".csv", ".html", ".json", ".jsonl", ".md", ".parquet")
"""Suffixes of the single files that a comparison can be written to."""


def require_output(path: Path) -> None:
    """Raise FileError if `write_comparison` would refuse a path; make a missing directory."""
    if path.suffix in FORMS or path.is_dir():
        if path.suffix == ".parquet":
            _arrow()
        return
    if path.suffix:
        raise FileError(
            f"{path}: unknown ending '{path.suffix}': use one of {', '.join(FORMS)}, or name a "
            "directory without an ending, or one that exists."
        )
    path.mkdir(parents=True, exist_ok=True)


def write_comparison(answer: ComparisonAnswer, path: str | PathLike[str]) -> None:
    """Write a comparison to a file, in the format that the extension names, or to a directory.

    The directory gets ``runs.csv`` (and ``runs.parquet`` if pyarrow is installed),
    ``compare.json``, ``compare.md``, ``report.html``, ``cactus.svg`` and ``scatter.svg``.
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
        _arrow()
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
    """Return runs as CSV, with a header and a line for each run; unknown values are empty."""
    table = rows(runs)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(table[0]) if table else ["puzzle"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return stream.getvalue()


def _arrow() -> Any:
    """Return pyarrow; raise FileError if it is not installed."""
    try:
        import pyarrow as pa
    except ImportError:
        raise FileError(
            "Parquet files need the package pyarrow: pip install 'exactile[parquet]'."
        ) from None
    return pa


def _write_parquet(runs: Sequence[ComparedRun], path: Path) -> None:
    arrow = _arrow()
    from pyarrow import parquet

    table = arrow.Table.from_pylist(rows(runs))
    with written(path, "wb") as stream:
        parquet.write_table(table, stream)
