"""A comparison as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill

from exactile.answers import ComparedRun, ComparisonAnswer
from exactile.render.comparison.scores import Cell, Score, Scores
from exactile.render.tables import WIDTH, table

LONGEST_HEAD = 40
"""Longest name of a column; if one is longer, columns have numbers and a legend."""

SHORT = {"out of memory": "memory", "wrong": "WRONG"}

FAMILIES = "PAR2 in seconds, and in parentheses the number of puzzles solved."
"""The numbers in the table of families, in words."""

Rows = list[list[str]]
"""A table: the head, then the rows."""


def comparison_text(answer: ComparisonAnswer, width: int | None = WIDTH) -> str:
    """Return the tables of a comparison with explanations, disagreements first.

    With a width, columns that do not fit move to further tables below.

    >>> import exactile
    >>> puzzles = [exactile.load("dominoes-4x4")]
    >>> answer = exactile.compare(puzzles, ["dlx", "reference"], task="all")
    >>> row = comparison_text(answer).splitlines()[2]
    >>> [cell.strip() for cell in row.split("|")[1:3]]
    ['dominoes-4x4', '36']
    """
    scores = Scores(answer)
    heads, legend = list(answer.backends), []
    if max(map(len, heads), default=0) > LONGEST_HEAD:
        heads = [str(number) for number in range(1, len(heads) + 1)]
        legend = [*(f"{n}: {name}" for n, name in zip(heads, answer.backends, strict=True)), ""]
    tables = [
        [["puzzle", "answer", *heads], *times(scores)[1:]],
        *([ranks(scores)] if len(answer.backends) > 1 else []),
        *(
            [[["family", *heads, "best"], *families(scores)[1:]]]
            if len(scores.families) > 1
            else []
        ),
    ]
    faults = [fill(f"DISAGREEMENT: {fault}", WIDTH) for fault in answer.disagreements]
    lines = [
        *([*faults, ""] if faults else []),
        *(text for head, *rows in tables for text in (table(head, rows, width), "")),
        *legend,
        *(fill(text, WIDTH) for text in explanations(answer)),
        *([fill(f"Families: {FAMILIES}", WIDTH)] if len(scores.families) > 1 else []),
        "",
        *(fill(f"- {text}", WIDTH, subsequent_indent="  ") for text in remarks(answer)),
    ]
    return "\n".join(lines) + "\n"


def times(scores: Scores) -> Rows:
    """Return the table of seconds: puzzle, answer, and each backend."""
    answer = scores.answer
    rows = [["puzzle", "answer", *answer.backends]]
    for puzzle in answer.puzzles:
        cells = [scores.cells[puzzle, backend] for backend in answer.backends]
        runs = [run for cell in cells for run in cell.runs]
        rows.append([puzzle, solutions(runs), *(_cell(cell, answer.time_limit) for cell in cells)])
    return rows


def ranks(scores: Scores) -> Rows:
    """Return the table of scores, the best backend first."""
    head = ["backend", "solved", "PAR2", "fastest", "alone", "margin"]
    return [head, *(_rank(score, virtual=score is scores.ranking[-1]) for score in scores.ranking)]


def _rank(score: Score, *, virtual: bool) -> list[str]:
    par2 = "?" if score.par2 is None else in_seconds(score.par2)
    shown = [score.backend, f"{score.solved}/{score.puzzles}", par2]
    if virtual:
        return [*shown, "", "", ""]
    margin = in_seconds(score.margin) if score.margin else ""
    return [*shown, str(score.fastest or ""), str(score.alone or ""), margin]


def families(scores: Scores) -> Rows:
    """Return the table of families: PAR2 of each backend in each, and how many it solved."""
    rows = [["family", *scores.answer.backends, "best"]]
    for family, puzzles in scores.families.items():
        own = [scores.score(backend, puzzles) for backend in scores.answer.backends]
        shown = [*own, scores.best(puzzles)]
        cells = (f"{in_seconds(s.par2)} ({s.solved})" if s.par2 is not None else "" for s in shown)
        rows.append([f"{family}, {plural(len(puzzles), 'puzzle')}", *cells])
    return rows


def plural(number: int, name: str) -> str:
    """Return a number of things in words.

    >>> plural(1, "puzzle"), plural(40, "puzzle")
    ('1 puzzle', '40 puzzles')
    """
    return f"{number} {name}{'s' * (number != 1)}"


def explanations(answer: ComparisonAnswer) -> Iterator[str]:
    """Yield explanations of the tables, and the settings, in words."""
    yield (
        f"Task: {answer.task}. Seconds of search, including the start of the solver and writing "
        "the model for it, but not building the model, which is the same for all."
    )
    if answer.repeats > 1:
        yield f"Each run {answer.repeats} times: medians."
    memory = f", {answer.memory_limit} MB" if answer.memory_limit else ""
    yield f"Limits: {answer.time_limit:g} s{memory}."
    yield "'>' means stopped by the time limit, '?' not run."
    seeds = sorted({run.seed for run in answer.runs if run.seed is not None})
    words = f"Seeds: {', '.join(map(str, seeds))}" if seeds else "Seed: none"
    if seeds and any(run.seed is None for run in answer.runs):
        words += ", where solvers take one"
    yield f"Threads: {answer.threads}. {words}."
    if len(answer.backends) > 1:
        yield (
            "PAR2: mean of the seconds, twice the limit where there is no answer. Margin: seconds "
            "by which PAR2 of the virtual best would be longer without it."
        )


def remarks(answer: ComparisonAnswer) -> Iterator[str]:
    """Yield versions, proofs and failures, in words."""
    for name, versions in _versions(answer.runs).items():
        yield f"{name}: {' and '.join(versions)}"
    machines = dict.fromkeys(run.machine for run in answer.runs if run.machine)
    if len(machines) > 1:
        yield f"Runs of {len(machines)} machines, whose times differ: {', '.join(machines)}"
    for backend in answer.backends:
        proved = [r for r in answer.runs if r.backend == backend and r.proof_bytes is not None]
        if proved:
            size = sum(run.proof_bytes or 0 for run in proved)
            seconds = sum(run.proof_seconds or 0.0 for run in proved)
            yield (
                f"{backend}: {plural(len(proved), 'certificate')} made and checked in "
                f"{in_seconds(seconds)} s, proofs of {size:,} bytes"
            )
    for run in answer.runs:
        if run.message and run.end != "time limit":
            yield f"{run.puzzle}, {run.backend}: {run.end}: {' '.join(run.message.split())}"


def _versions(runs: Iterable[ComparedRun]) -> dict[str, list[str]]:
    """Return versions and parameters of each backend that ran."""
    known: dict[str, list[str]] = {}
    for run in runs:
        if run.version:
            given = ", ".join(f"{k}={v}" for k, v in run.parameters.items())
            text = run.version + (f" ({given})" if given else "")
            if text not in known.setdefault(run.backend, []):
                known[run.backend].append(text)
    return known


def solutions(runs: Sequence[ComparedRun]) -> str:
    """Return the known answer for a puzzle: a number, yes, no, disputed, or nothing.

    For packings, the number of units that the best one covers; "at least" if none is proven
    optimal.
    """
    packed = [run for run in runs if run.value is not None]
    if packed:
        best = max(run.value or 0 for run in packed)
        return f"{best:,}" if any(run.end == "finished" for run in packed) else f"≥ {best:,}"
    numbers = {run.number for run in runs if run.number is not None}
    found = any(run.found for run in runs)
    if len(numbers) > 1 or (0 in numbers and found):
        return "disputed"
    for known in numbers:
        return f"{known:,}" if known else "none"
    return "some" if found else "?"


def in_seconds(seconds: float) -> str:
    """Return a time with as many digits as are meaningful.

    >>> in_seconds(0.0002), in_seconds(0.0123), in_seconds(1.234), in_seconds(4321.0)
    ('<0.001', '0.012', '1.23', '4321')
    """
    if seconds < 0.001:
        return "<0.001"
    digits = 3 if seconds < 0.1 else 2 if seconds < 100 else 0
    return f"{seconds:.{digits}f}"


def _cell(cell: Cell, time_limit: float) -> str:
    if cell.seconds is not None:
        return in_seconds(cell.seconds)
    if not cell.runs:
        return "?"
    end = next(run.end for run in cell.runs if run.end != "finished")
    return f"> {time_limit:g}" if end == "time limit" else SHORT.get(end, end)
