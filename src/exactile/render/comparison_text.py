"""Scores of backends, and comparisons of backends as Markdown tables that fit a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from statistics import fmean, median
from textwrap import fill
from typing import NamedTuple

from exactile.answers import ComparedRun, ComparisonAnswer

WIDTH = 80


def table(head: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = WIDTH) -> str:
    """Return a table in Markdown, with the first column aligned left and all others right.

    `width`: largest number of characters in a line, or None for no limit. Columns that do not fit
    move to further tables below, which repeat the first column.

    >>> print(table(["puzzle", "dlx", "sat"], [["pentominoes-6x10", "0.1", "2.5"]]))
    | puzzle           | dlx | sat |
    | ---------------- | --: | --: |
    | pentominoes-6x10 | 0.1 | 2.5 |
    """
    head, *rows = [[cell.replace("|", r"\|") for cell in row] for row in (head, *rows)]
    widths = [max(3, *(len(row[c]) for row in [head, *rows])) for c in range(len(head))]
    if width is None:
        return _block(head, rows, widths, range(1, len(widths)))
    return "\n\n".join(_block(head, rows, widths, each) for each in _blocks(widths, width))


def _blocks(widths: Sequence[int], width: int) -> Iterator[list[int]]:
    """Yield the indices of the columns of each table, without column 0, which every table has."""
    room = width - 4 - widths[0]
    columns: list[int] = []
    for c in range(1, len(widths)):
        if columns and sum(widths[k] + 3 for k in [*columns, c]) > room:
            yield columns
            columns = []
        columns.append(c)
    yield columns


def _block(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    widths: Sequence[int],
    columns: Sequence[int],
) -> str:
    first = widths[0]
    lines = []
    for row in [head, *rows]:
        cells = [row[0].ljust(first), *(row[c].rjust(widths[c]) for c in columns)]
        lines.append("| " + " | ".join(cells) + " |")
    rule = ["-" * first, *("-" * (widths[c] - 1) + ":" for c in columns)]
    lines.insert(1, "| " + " | ".join(rule) + " |")
    return "\n".join(lines)


VIRTUAL_BEST = "virtual best"

Times = Mapping[str, Sequence[float | None]]
"""For each backend, its median seconds on each puzzle; None if at most half of its runs finished.

An unfinished run counts as twice the time limit.
"""


class Cell(NamedTuple):
    """The runs of one backend on one puzzle, and the median of their seconds.

    `penalized`: the median, where an unfinished run counts as twice the time limit. `seconds`: the
    same, but None if at most half of the runs finished. Both are None if there are no runs, or the
    backend is not installed.
    """

    runs: tuple[ComparedRun, ...]
    penalized: float | None
    seconds: float | None


class Score(NamedTuple):
    """The score of a backend.

    - `puzzles`: number of puzzles on which it ran. `solved`: number of puzzles on which most of its
      runs finished.
    - `par2`: mean, over these puzzles, of its median seconds, where an unfinished run counts as
      twice the time limit; None if it never ran.
    - `fastest`: number of puzzles on which it was fastest. `alone`: number of puzzles that only it
      solved.
    - `margin`: seconds by which PAR2 of the virtual best would be greater without this backend. The
      virtual best has the time of the fastest backend on each puzzle.
    """

    backend: str
    puzzles: int
    solved: int
    par2: float | None
    fastest: int = 0
    alone: int = 0
    margin: float = 0.0


class Scores:
    """The scores of the backends of a comparison, on the puzzles that all of them ran.

    `backends` are those that ran at all, and `puzzles` the puzzles that each of them ran.

    Examples
    --------
    >>> import exactile
    >>> answer = exactile.compare([exactile.load("dominoes-4x4")], ["dlx", "reference"], task="all")
    >>> scores = Scores(answer)
    >>> sorted((score.backend, score.solved) for score in scores.ranking)
    [('dlx', 1), ('reference', 1), ('virtual best', 1)]
    """

    def __init__(self, answer: ComparisonAnswer) -> None:
        self.answer = answer
        given: dict[tuple[str, str], list[ComparedRun]] = {}
        self.family: dict[str, str] = {}  # of puzzles that have runs
        for run in answer.runs:
            given.setdefault((run.puzzle, run.backend), []).append(run)
            self.family[run.puzzle] = run.family or "others"
        self.cells = {
            (puzzle, backend): self._cell(given.get((puzzle, backend), []))
            for puzzle in answer.puzzles
            for backend in answer.backends
        }
        ran = {backend for (_, backend), cell in self.cells.items() if cell.penalized is not None}
        self.backends = [backend for backend in answer.backends if backend in ran]
        self.puzzles = [
            puzzle
            for puzzle in answer.puzzles
            if all(self.cells[puzzle, backend].penalized is not None for backend in self.backends)
        ]

    def _cell(self, runs: list[ComparedRun]) -> Cell:
        ran = [run for run in runs if run.end != "missing"]
        if not ran:
            return Cell(tuple(runs), None, None)
        limit = self.answer.time_limit
        penalized = median(
            run.seconds if run.end == "finished" and run.seconds is not None else 2 * limit
            for run in ran
        )
        solved = 2 * sum(run.end == "finished" for run in ran) > len(ran)
        return Cell(tuple(runs), penalized, penalized if solved else None)

    @cached_property
    def times(self) -> Times:
        """The seconds of each of `backends` on each of `puzzles`: see `Times`."""
        return {
            backend: [self.cells[puzzle, backend].seconds for puzzle in self.puzzles]
            for backend in self.backends
        }

    @property
    def families(self) -> dict[str, list[str]]:
        """The `puzzles`, by family."""
        found: dict[str, list[str]] = {}
        for puzzle in self.puzzles:
            found.setdefault(self.family.get(puzzle, "others"), []).append(puzzle)
        return found

    def score(self, backend: str, puzzles: Iterable[str] | None = None) -> Score:
        """Return the score of a backend on some puzzles.

        `puzzles`: names of the puzzles; None for all in the attribute `puzzles`. The fields
        `fastest`, `alone` and `margin` of the result are 0: see `ranking`.
        """
        cells = [self.cells[puzzle, backend] for puzzle in puzzles or self.puzzles]
        return _score(backend, cells)

    def best(self, puzzles: Iterable[str] | None = None, without: str = "") -> Score:
        """Return the score of the virtual best: on each puzzle, the backend with the best result.

        `puzzles`: as in `score`. `without`: a backend that does not take part, empty for none.
        """
        backends = [backend for backend in self.answer.backends if backend != without]
        cells = []
        for puzzle in puzzles or self.puzzles:
            own = [self.cells[puzzle, backend] for backend in backends]
            ran = [cell for cell in own if cell.penalized is not None]
            if ran:
                cells.append(min(ran, key=lambda c: (c.seconds is None, c.penalized)))
        return _score(VIRTUAL_BEST, cells)

    @cached_property
    def ranking(self) -> list[Score]:
        """The scores of the backends by increasing PAR2; the last one is that of the virtual best.

        Backends without runs come after the others.
        """
        best = self.best()
        found = [self._contributed(self.score(name), best) for name in self.answer.backends]
        found.sort(key=lambda s: (s.backend not in self.backends, s.par2 or 0.0))
        return [*found, best]

    def _contributed(self, score: Score, best: Score) -> Score:
        """Return a backend's score with `fastest`, `alone` and `margin` filled in.

        `best`: the score of the virtual best.
        """
        fastest = alone = 0
        for puzzle in self.puzzles:
            times = {b: self.cells[puzzle, b].seconds for b in self.answer.backends}
            known = [t for t in times.values() if t is not None]
            mine = times[score.backend]
            fastest += mine is not None and mine == min(known)
            alone += mine is not None and len(known) == 1
        rest = self.best(without=score.backend)
        margin = 0.0
        if best.par2 is not None and rest.par2 is not None and rest.puzzles == best.puzzles:
            margin = rest.par2 - best.par2
        return score._replace(fastest=fastest, alone=alone, margin=margin)


def _score(backend: str, cells: Sequence[Cell]) -> Score:
    ran = [cell.penalized for cell in cells if cell.penalized is not None]
    solved = sum(cell.seconds is not None for cell in cells)
    return Score(backend, len(ran), solved, fmean(ran) if ran else None)


LONGEST_HEAD = 40
"""Largest length of a backend's name at the head of a column, in characters.

If a name is longer, all columns are numbered, and a legend explains the numbers.
"""

SHORT = {"out of memory": "memory", "wrong": "WRONG"}

FAMILIES = "PAR2 in seconds, and in parentheses the number of puzzles solved."
"""Explanation of the cells in the table of families."""

Rows = list[list[str]]
"""A table: the head, then the rows."""


def comparison_text(answer: ComparisonAnswer, width: int | None = WIDTH) -> str:
    """Return the tables of a comparison with explanations, disagreements first.

    `width`: largest number of characters in a line of a table, or None for no limit.

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
        *(fill(text, WIDTH) for text in explanations(scores)),
        *([fill(f"Families: {FAMILIES}", WIDTH)] if len(scores.families) > 1 else []),
        "",
        *(fill(f"- {text}", WIDTH, subsequent_indent="  ") for text in remarks(answer)),
    ]
    return "\n".join(lines) + "\n"


def times(scores: Scores) -> Rows:
    """Return the table of times: for each puzzle, its answer and the seconds of each backend."""
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
    """Return the table of families: PAR2 and number of solved puzzles by family and backend."""
    rows = [["family", *scores.answer.backends, "best"]]
    for family, puzzles in scores.families.items():
        own = [scores.score(backend, puzzles) for backend in scores.answer.backends]
        shown = [*own, scores.best(puzzles)]
        cells = (f"{in_seconds(s.par2)} ({s.solved})" if s.par2 is not None else "" for s in shown)
        rows.append([f"{family}, {plural(len(puzzles), 'puzzle')}", *cells])
    return rows


def plural(number: int, name: str) -> str:
    """Return a number and a noun, with a plural s unless the number is 1.

    >>> plural(1, "puzzle"), plural(40, "puzzle")
    ('1 puzzle', '40 puzzles')
    """
    return f"{number} {name}{'s' * (number != 1)}"


def explanations(scores: Scores) -> Iterator[str]:
    """Yield explanations of the tables, and the settings, in words."""
    answer = scores.answer
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
            "PAR2: mean of the seconds, twice the limit where there is no answer or a wrong one. "
            "Margin: seconds by which PAR2 of the virtual best would be longer without it."
        )
    if len(scores.puzzles) < len(answer.puzzles):
        yield (
            f"Scores and plots are for {len(scores.puzzles)} of "
            f"{plural(len(answer.puzzles), 'puzzle')}: those that all solvers ran."
        )


def remarks(answer: ComparisonAnswer) -> Iterator[str]:
    """Yield remarks on versions of backends, several machines, checked proofs, and failed runs."""
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
    """Return the versions of each backend that ran, each as ``1.9.5`` or ``1.9.5 (seed=1)``."""
    known: dict[str, list[str]] = {}
    for run in runs:
        if run.version:
            given = ", ".join(f"{k}={v}" for k, v in run.parameters.items())
            text = run.version + (f" ({given})" if given else "")
            if text not in known.setdefault(run.backend, []):
                known[run.backend].append(text)
    return known


def solutions(runs: Sequence[ComparedRun]) -> str:
    """Return the result of runs on a puzzle: a number of solutions, ``none``, ``some`` or ``?``.

    If the runs disagree, and it is not known which are wrong, the result is ``disputed``. For
    packings, it is the number of units that the best packing covers; for tilings, the radius of the
    largest disc covered. Such a number has the prefix ``≥`` unless a run finished.
    """
    packed = [run for run in runs if run.value is not None]
    if packed:
        best = max(run.value or 0 for run in packed)
        return f"{best:,}" if any(run.end == "finished" for run in packed) else f"≥ {best:,}"
    numbers = {run.number for run in runs if run.number is not None and run.end != "wrong"}
    found = any(run.found for run in runs)
    if len(numbers) > 1 or (0 in numbers and found):
        return "disputed"
    for known in numbers:
        return f"{known:,}" if known else "none"
    return "some" if found else "?"


def in_seconds(seconds: float) -> str:
    """Return a number of seconds as text, with at most three decimals.

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
