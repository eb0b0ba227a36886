"""Comparisons of backends as text, and as a folder with tables and plots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from textwrap import fill

from exactile.answers import ComparedRun, ComparisonAnswer
from exactile.atomic import written
from exactile.render.plots import cactus_plot, scatter_plot
from exactile.render.tables import WIDTH, table

LONGEST_HEAD = 40
"""Where a column's name is longer, columns have numbers and a legend."""

SHORT = {"out of memory": "memory", "missing": "missing", "wrong": "WRONG"}


def comparison_text(answer: ComparisonAnswer, width: int | None = WIDTH) -> str:
    """Return the table of a comparison with explanations.

    Without a width nothing is shortened; see `exactile.render.tables.table`.

    >>> import exactile
    >>> puzzles = [exactile.load("dominoes-4x4")]
    >>> answer = exactile.compare(puzzles, ["dlx", "reference"], task="all")
    >>> row = comparison_text(answer).splitlines()[2]
    >>> [cell.strip() for cell in row.split("|")[1:3]]
    ['dominoes-4x4', '36']
    """
    rows = [
        [puzzle, _solutions(mine), *(_cell(run, answer.time_limit) for run in mine)]
        for puzzle, mine in _by_puzzle(answer)
    ]
    memory = f", {answer.memory_limit} MB" if answer.memory_limit else ""
    remarks = [
        *(f"{name}: {text}" for name, text in _versions(answer.runs).items()),
        *(
            f"{run.puzzle}, {run.backend}: {run.end}: {' '.join(run.message.split())}"
            for run in answer.runs
            if run.message and run.end != "time limit"
        ),
        *(f"DISAGREEMENT: {fault}" for fault in answer.disagreements),
    ]
    heads, legend = list(answer.backends), []
    if max(map(len, heads), default=0) > LONGEST_HEAD:
        heads = [str(number) for number in range(1, len(heads) + 1)]
        legend = [*(f"{n}: {name}" for n, name in zip(heads, answer.backends, strict=True)), ""]
    lines = [
        table(["puzzle", "answer", *heads], rows, width),
        "",
        *legend,
        f"Task: {answer.task}. Seconds of searching, with starting the solver and writing",
        "the model for it, without building the model, which is the same for all.",
        f"Limits: {answer.time_limit:g} s{memory}.",
        "'>' means stopped by the time limit, '?' not run.",
        f"Workers: {answer.workers}. Seed: {answer.seed}{_elsewhere(answer)}.",
        "",
        *(fill(f"- {text}", WIDTH, subsequent_indent="  ") for text in remarks),
    ]
    return "\n".join(lines) + "\n"


def write_comparison(answer: ComparisonAnswer, folder: str | PathLike[str]) -> None:
    """Write a comparison to a folder: compare.json, compare.md, cactus.svg and scatter.svg."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "compare.json": answer.to_json(indent=1) + "\n",
        "compare.md": comparison_text(answer, width=None),
    }
    columns = zip(*(map(_time, mine) for _, mine in _by_puzzle(answer)), strict=True)
    times = {name: list(column) for name, column in zip(answer.backends, columns, strict=True)}
    for name, draw in (("cactus", cactus_plot), ("scatter", scatter_plot)):
        texts[f"{name}.svg"] = draw(times, answer.time_limit, f"{answer.task}: {name} plot")
    for name, text in texts.items():  # a file is never half written, not even after Ctrl-C
        with written(folder / name) as stream:
            stream.write(text)


def _by_puzzle(answer: ComparisonAnswer) -> Iterator[tuple[str, list[ComparedRun | None]]]:
    """Yield each puzzle with its results, backend by backend; None for one that has not run yet."""
    given = {(run.puzzle, run.backend): run for run in answer.runs}
    for puzzle in answer.puzzles:
        yield puzzle, [given.get((puzzle, backend)) for backend in answer.backends]


def _elsewhere(answer: ComparisonAnswer) -> str:
    """Return the exception for columns with their own seed, in words."""
    named = any("+seed=" in name for name in answer.backends)
    return ", where a column names no other" if named else ""


def _versions(runs: Iterable[ComparedRun]) -> dict[str, str]:
    """Return version and parameters of each backend that ran."""
    known: dict[str, str] = {}
    for run in runs:
        if run.version:
            told = ", ".join(f"{k}={v}" for k, v in run.parameters.items())
            known.setdefault(run.backend, run.version + (f" ({told})" if told else ""))
    return known


def _solutions(mine: list[ComparedRun | None]) -> str:
    """Return the known answer for a puzzle: a number, yes, no, disputed, or nothing."""
    done = [run for run in mine if run is not None]
    numbers = {run.digest: run.distinct for run in done if run.digest is not None}
    refuted = 0 in numbers.values()
    if len(numbers) > 1 or (refuted and any(run.found for run in done)):
        return "disputed"
    for number in numbers.values():
        return f"{number:,}" if number else "none"
    return "some" if any(run.found for run in done) else "?"


def in_seconds(seconds: float) -> str:
    """Return a time with as many digits as are meaningful.

    >>> in_seconds(0.0002), in_seconds(0.0123), in_seconds(1.234), in_seconds(4321.0)
    ('<0.001', '0.012', '1.23', '4321')
    """
    if seconds < 0.001:
        return "<0.001"
    digits = 3 if seconds < 0.1 else 2 if seconds < 100 else 0
    return f"{seconds:.{digits}f}"


def _cell(run: ComparedRun | None, time_limit: float) -> str:
    seconds = _time(run)
    if run is None:
        return "?"
    if seconds is not None:
        return in_seconds(seconds)
    return f"> {time_limit:g}" if run.end == "time limit" else SHORT.get(run.end, run.end)


def _time(run: ComparedRun | None) -> float | None:
    return run.seconds if run is not None and run.end == "finished" else None
