"""Several puzzles in one command: an answer for each, and a table of them all."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import rich_click as click

from exactile.answers import (
    INTERRUPTED,
    SOLUTION_LIMIT,
    Answer,
    Count,
    CountTable,
    FailedPuzzle,
    SolutionList,
    SolutionTable,
    Status,
    Verdict,
    VerdictTable,
)
from exactile.backends import get_backend
from exactile.cli.common import UNFINISHED, Settings, is_given
from exactile.cli.lines import EachProgress
from exactile.cli.output import Output, print_json
from exactile.cli.signals import undisturbed
from exactile.cli.words import plural
from exactile.clock import CLOCK
from exactile.errors import ExactileError, UnfinishedError, clipped
from exactile.files.several import NamedPuzzle, expanded, means_several

FORMS = ("text", "csv", "jsonl")
"""Formats of tables."""

NAME = "{name}"
"""Stands for the name of each puzzle in the name of its file."""

HEADS: dict[type[Answer], tuple[str, ...]] = {
    CountTable: ("all", "rotation", "symmetry"),
    SolutionTable: ("solutions",),
    VerdictTable: ("by",),
}
"""The columns of each table besides those that all have."""

WORST_FIRST = (130, 1, UNFINISHED, 0)
"""Exit codes; that of a table is the first of these that a row has."""

Told = tuple[Count | SolutionList | Verdict, int]
"""An answer, and the number of solutions found for it."""


def meant(puzzle: str | Sequence[str], *, table: bool) -> str | list[NamedPuzzle]:
    """Return the puzzles that are named; the name itself if it is that of a single puzzle.

    `table`: whether a single puzzle is to be in a table, too.
    """
    if puzzle == "--pieces":  # which is stated by options
        return [NamedPuzzle(puzzle, puzzle)] if table else puzzle
    words = [puzzle] if isinstance(puzzle, str) else puzzle
    return expanded(words) if table or words[1:] or means_several(words[0]) else words[0]


def require_different(puzzles: Sequence[NamedPuzzle], output: Output) -> None:
    """Raise click.UsageError if two puzzles would be written to the same file."""
    names: set[str] = set()
    for named in puzzles:
        if named.name in names:
            raise click.UsageError(
                f"{output.name}: two puzzles are called {named.name}, and would be the same file: "
                "name them in two commands."
            )
        names.add(named.name)


@dataclass(frozen=True)
class TableRow:
    """A line of a table.

    - `puzzle`: the name.
    - `seconds`: all that it took.
    - `answer`, `found`: the answer, and how many solutions were found.
    - `error`: why there is no answer, in words. `late`: whether only a time limit came too early.
    """

    puzzle: str
    seconds: float
    answer: Count | SolutionList | Verdict | None = None
    found: int = 0
    error: str | None = None
    late: bool = False

    @property
    def stopped(self) -> str | None:
        """Why the search was not finished, if it was not."""
        why = self.answer.stopped if self.answer else None
        return None if why == SOLUTION_LIMIT else why

    @property
    def outcome(self) -> str:
        """The status, or why there is none, in a word or two."""
        if self.answer is None:
            return "unfinished" if self.late else "error"
        return self.stopped or self.answer.status.value

    @property
    def code(self) -> int:
        """The exit code of a command for this puzzle alone."""
        if self.answer is None:
            return UNFINISHED if self.late else 1
        if self.stopped == INTERRUPTED:
            return 130
        unknown = self.answer.status is Status.UNKNOWN
        return UNFINISHED if unknown or self.stopped is not None else 0

    @property
    def values(self) -> dict[str, Any]:
        """All values, by column; None if unknown."""
        answer = self.answer
        numbers: Mapping[str, Any] = {}
        if isinstance(answer, Count):
            numbers = {"all": answer.raw} | {
                name: getattr(answer, name) for name in ("rotation", "symmetry")
            }
        elif isinstance(answer, Verdict):
            numbers = {"by": answer.by}
        elif answer is not None:
            numbers = {"solutions": self.found}
        return {
            "puzzle": self.puzzle,
            "outcome": self.outcome,
            **numbers,
            "found": self.found if answer else None,
            "seconds": round(self.seconds, 3),
            "reason": answer.reason if answer else None,
            "error": self.error,
        }


class AnswerTable:
    """A table that is printed row by row, or at the end if it is to be sorted.

    - `heads`: its own columns. `form`: one of `FORMS`. `sort`: a column.
    - `width`: the length of the longest name. `write`: takes the text.
    - `late`: whether it is printed at the end in any case.
    """

    def __init__(
        self,
        heads: Sequence[str],
        form: str,
        sort: str | None,
        width: int,
        write: Callable[[str], object],
        *,
        late: bool = False,
    ) -> None:
        self.rows: list[TableRow] = []
        self._heads, self._form, self._sort, self._write = heads, form, sort, write
        self._width = max(width, len("puzzle"))
        self._late = late or sort is not None

    def add(self, row: TableRow) -> None:
        """Add a row."""
        self.rows.append(row)
        if not self._late:
            self._write(("" if self.rows[1:] else self._top()) + self._line(row))

    def end(self) -> None:
        """Print all rows, if they were not printed before."""
        if self._late and self.rows:
            self._write(self._top() + "".join(map(self._line, self._sorted())))

    def _sorted(self) -> list[TableRow]:
        """Return the rows, those with the least values first and those without last."""
        column = self._sort
        if column is None:
            return self.rows
        known = [row for row in self.rows if row.values.get(column) is not None]
        unknown = [row for row in self.rows if row.values.get(column) is None]
        return sorted(known, key=lambda row: row.values[column]) + unknown

    def _top(self) -> str:
        """Return the line of the heads, if the format has one."""
        if self._form == "csv":
            return _csv_line(self._columns())
        if self._form == "jsonl":
            return ""
        return self._text("puzzle", self._shown(), "seconds", "outcome")

    def _columns(self) -> list[str]:
        return ["puzzle", "outcome", *self._heads, "found", "seconds", "reason", "error"]

    def _shown(self) -> list[str]:
        """Return the columns of a text, which leaves one out to fit 80 characters."""
        return [head for head in self._heads if head != "rotation"]

    def _line(self, row: TableRow) -> str:
        """Return a row in the format."""
        if self._form == "jsonl":
            return f"{(row.answer or failed(row)).to_json()}\n"
        values = row.values
        if self._form == "csv":
            return _csv_line([values.get(name) for name in self._columns()])
        numbers = [_number(row, head) for head in self._shown()]
        return self._text(row.puzzle, numbers, f"{row.seconds:.2f}", row.outcome)

    def _text(self, puzzle: str, numbers: Sequence[str], seconds: str, outcome: str) -> str:
        cells = "".join(f" {number:>13}" for number in numbers)
        return f"{puzzle:{self._width}}{cells} {seconds:>9}  {outcome}\n"


def _number(row: TableRow, head: str) -> str:
    """Return a value as text; a lower bound if the number itself is unknown."""
    value = row.values.get(head)
    if value is None:
        return f">={row.found:,}" if head == "all" and row.found else "?"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _csv_line(values: Sequence[Any]) -> str:
    """Return a line of a CSV file."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(values)
    return stream.getvalue()


def failed(row: TableRow) -> FailedPuzzle:
    """Return a puzzle without an answer, as an answer."""
    return FailedPuzzle(puzzle=row.puzzle, error=row.error or "")


def answer_each(
    puzzles: Sequence[NamedPuzzle],
    verb: Callable[[NamedPuzzle, EachProgress], Told],
    kind: type[CountTable] | type[SolutionTable] | type[VerdictTable],
    settings: Settings,
    *,
    sort: str | None = None,
    form: str | None = None,
    as_json: bool = False,
    write: Callable[[str], object] | None = None,
    late: bool = False,
) -> int:
    """Answer a question about each puzzle, print the table, and return the exit code.

    A puzzle that is wrong is a row like any other. After Ctrl-C, the table has the rows so far.

    - `verb`: answers it for one puzzle.
    - `kind`: the answer that ``--json`` prints.
    - `sort`, `form`, `write`, `late`: see `AnswerTable`; by default, it goes to standard output.
    """
    if is_given("backend"):
        get_backend(settings.backend)  # one error, not one for each puzzle
    sheet = AnswerTable(
        HEADS[kind],
        form or "text",
        sort,
        max(len(named.name) for named in puzzles),
        (lambda _: None) if as_json else write or (lambda text: click.echo(text, nl=False)),
        late=late,
    )
    line = EachProgress(len(puzzles), enabled=not settings.quiet)
    interrupted = False
    try:
        for row in _rows(puzzles, verb, line):
            line.clear()
            with undisturbed():
                sheet.add(row)
                if row.error is not None and not as_json:
                    click.echo(f"{row.puzzle}: {row.error}", err=True)
            if row.answer is not None:
                settings.report_counters(row.answer.stats, default=False)
            interrupted = row.stopped == INTERRUPTED
            if interrupted:
                break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        line.clear()
        with undisturbed():
            if as_json:
                print_json(_document(kind, sheet.rows, finished=not interrupted))
            sheet.end()
            if not (settings.quiet or as_json):
                click.echo(_summary(sheet.rows, len(puzzles)), err=True)
    codes = {row.code for row in sheet.rows} | ({130} if interrupted else set())
    return next(code for code in WORST_FIRST if code in codes)


def _rows(
    puzzles: Sequence[NamedPuzzle],
    verb: Callable[[NamedPuzzle, EachProgress], Told],
    line: EachProgress,
) -> Iterator[TableRow]:
    """Yield a row for each puzzle."""
    for named in puzzles:
        line.begin(named.name)
        began = CLOCK.now()
        try:
            answer, found = verb(named, line)
        except (ExactileError, MemoryError) as error:
            words = clipped(str(error)) or "Out of memory: it has too many placements."
            late = isinstance(error, UnfinishedError)
            yield TableRow(named.name, CLOCK.now() - began, error=words, late=late)
        else:
            yield TableRow(answer.puzzle, CLOCK.now() - began, answer, found)


def _document(
    kind: type[CountTable] | type[SolutionTable] | type[VerdictTable],
    rows: Sequence[TableRow],
    *,
    finished: bool,
) -> Answer:
    """Return all answers as one."""
    answers: Any = tuple(row.answer for row in rows if row.answer is not None)
    errors = tuple(failed(row) for row in rows if row.answer is None)
    return kind(finished=finished, answers=answers, failed=errors)


def _summary(rows: Sequence[TableRow], number: int) -> str:
    """Return how many puzzles came out how, and how many solutions they have."""
    outcomes = [row.outcome for row in rows]
    parts = ", ".join(f"{outcomes.count(word):,} {word}" for word in dict.fromkeys(outcomes))
    begun = f"{len(rows):,} of " if len(rows) < number else ""
    words = f"{begun}{plural(number, 'puzzle')}: {parts or 'none was finished'}"
    counts = [row.answer.raw for row in rows if isinstance(row.answer, Count)]
    known = [raw for raw in counts if raw is not None]
    if len(known) < 2 or len(known) < len(rows):
        return words
    low, high = min(known), max(known)
    return f"{words}; {plural(sum(known), 'solution')}, {low:,} to {high:,} each"
