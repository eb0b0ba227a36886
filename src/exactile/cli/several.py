"""Several puzzles in one command: an answer for each puzzle, and a table of all answers."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import rich_click as click

from exactile.answers import (
    INTERRUPTED,
    SOLUTION_LIMIT,
    Answer,
    Count,
    CountTable,
    FactsTable,
    FailedPuzzle,
    PuzzleFacts,
    SolutionList,
    SolutionTable,
    Status,
    Verdict,
    VerdictTable,
)
from exactile.cli import inline
from exactile.cli.common import UNFINISHED, Settings, is_given
from exactile.cli.main import undisturbed
from exactile.cli.output import FITTING, print_json
from exactile.cli.words import EachProgress, about, plural
from exactile.clock import CLOCK
from exactile.errors import ExactileError, UnfinishedError, clipped

if TYPE_CHECKING:
    from exactile.files.reading import NamedPuzzle
    from exactile.puzzle import Puzzle

FORMS = ("text", "csv", "jsonl")
"""Formats of tables."""

NAME = "{name}"
"""Placeholder for the name of each puzzle in the name of its file."""


class Columns(NamedTuple):
    """The columns of a table of answers, besides the names of the puzzles.

    - `own`: the columns of this kind of table, with their least widths in the format ``text``. That
      format leaves out columns of width 0, so that a line fits 80 characters.
    - `searched`: whether the answers come from searches, so that the table also has columns such as
      ``seconds`` and ``outcome``.
    """

    own: dict[str, int]
    searched: bool = True

    @property
    def names(self) -> list[str]:
        """The names of all columns, in the order of a CSV file."""
        if not self.searched:
            return ["puzzle", *self.own, "reason", "error"]
        return ["puzzle", "outcome", *self.own, "found", "seconds", "reason", "error"]


Table = CountTable | SolutionTable | VerdictTable | FactsTable

COLUMNS: dict[type[Table] | None, Columns] = {
    CountTable: Columns({"all": 13, "rotation": 0, "symmetry": 13}),
    SolutionTable: Columns({"solutions": 13}),
    VerdictTable: Columns({"by": 13}),
    FactsTable: Columns({"lattice": 15, "units": 9, "options": 10, "symmetries": 11}, False),
    None: Columns({}),
}
"""The columns of each kind of table; None is for commands that only write files of puzzles."""

LINE = 80
"""Largest width of a line of a table in the format ``text``, unless numbers are very long."""

OUTCOME = len("  interrupted")
"""Width of the column ``outcome``: that of the longest outcome, after two spaces."""

SHORTEST = 12
"""Least width to which a name is clipped."""

WORST_FIRST = (130, 1, UNFINISHED, 0)
"""Exit codes, the worst first. A command for several puzzles exits with the worst one."""

Told = tuple[Count | SolutionList | Verdict | PuzzleFacts | None, int]
"""The result for one puzzle: an answer, and the number of solutions found.

The answer is None if only a file was written.
"""


def meant(puzzle: str | Sequence[str], *, table: bool) -> str | list[NamedPuzzle]:
    """Return the puzzles as a list if PUZZLE means several, or else the name of the only one.

    --fix and --allow-crossing are applied to the puzzles of a list. `puzzle`: the values of PUZZLE,
    or ``"--pieces"`` if options state the puzzles. `table`: whether to return a list even for one
    puzzle. Errors are those of `exactile.files.reading.expanded` and `inline.puzzles`.
    """
    from exactile.files.reading import expanded, means_several

    if puzzle == "--pieces":  # stated by options
        named = inline.puzzles()
        if not table and named[0].name == puzzle:
            return puzzle
    else:
        words = [puzzle] if isinstance(puzzle, str) else puzzle
        if not (table or words[1:] or means_several(words[0])):
            return words[0]
        named = expanded(words)
    return [each.then(inline.changed) for each in named]


def each_file(form: str) -> str:
    """Return advice, for messages, on how to write a file for each puzzle.

    >>> each_file("svg")
    "write -o 'FOLDER/{name}.svg'"
    """
    ending = f".{form}" if f".{form}" in FITTING else ".txt"
    return f"write -o 'FOLDER/{NAME}{ending}'"


def require_different(puzzles: Sequence[NamedPuzzle], output: str, what: str, form: str) -> None:
    """Raise click.UsageError unless each puzzle has an output file of its own.

    `output`: the name of the files, which must contain ``{name}``. `what`: their contents, such as
    ``Pictures``, and `form`: their format, for the message.
    """
    if NAME not in output:
        raise click.UsageError(
            f"{what} of several puzzles as {form} need a file for each: {each_file(form)}."
        )
    names: set[str] = set()
    for named in puzzles:
        name = named.name.casefold()  # some file systems ignore the case
        if name in names:
            raise click.UsageError(
                f"{output}: two puzzles are called {named.name}, and would be the same file: "
                "write them by two commands."
            )
        names.add(name)


def own_file(output: str, named: NamedPuzzle, puzzle: Puzzle) -> str:
    """Return the name of a puzzle's output file: `output` with ``{name}`` replaced.

    The placeholder becomes ``named.name``, the name that `require_different` compares. If options
    such as --pieces state the puzzle, it becomes ``puzzle.name``.
    """
    return output.replace(NAME, puzzle.name if named.name == "--pieces" else named.name)


@dataclass(frozen=True)
class TableRow:
    """A row of a table: the result for one puzzle.

    - `puzzle`: the name.
    - `seconds`: the duration.
    - `answer`: the answer; None if there was an error, or if only a file was written.
    - `found`: the number of solutions found.
    - `error`: the message of the error; None if there was none.
    - `late`: whether the error means that a limit was reached or a solver gave up.
    """

    puzzle: str
    seconds: float
    answer: Count | SolutionList | Verdict | PuzzleFacts | None = None
    found: int = 0
    error: str | None = None
    late: bool = False

    @property
    def stopped(self) -> str | None:
        """Why the search ended early, such as ``time limit``; None also at a solution limit."""
        why = getattr(self.answer, "stopped", None)
        return None if why == SOLUTION_LIMIT else why

    @property
    def outcome(self) -> str:
        """The text of the column ``outcome``, such as ``complete``, ``error`` or ``time limit``."""
        if self.error is not None:
            return "unfinished" if self.late else "error"
        if self.answer is None:
            return "written"
        if isinstance(self.answer, PuzzleFacts):
            return "described"
        return self.stopped or self.answer.status.value

    @property
    def code(self) -> int:
        """The exit code of a command for this puzzle alone."""
        if self.error is not None:
            return UNFINISHED if self.late else 1
        if self.stopped == INTERRUPTED:
            return 130
        unknown = getattr(self.answer, "status", None) is Status.UNKNOWN
        return UNFINISHED if unknown or self.stopped is not None else 0

    @property
    def values(self) -> dict[str, Any]:
        """The values of the row by column; None for unknown ones."""
        return {
            "puzzle": self.puzzle,
            "outcome": self.outcome,
            **self._numbers,
            "found": self.found if self.answer else None,
            "seconds": round(self.seconds, 3),
            "error": self.error,
        }

    @property
    def _numbers(self) -> dict[str, Any]:
        """The values of the columns that not every table has, such as ``all`` for counts."""
        match self.answer:
            case None:
                return {}
            case Count(raw=raw, rotation=rotation, symmetry=symmetry):
                numbers: dict[str, Any] = {"all": raw, "rotation": rotation, "symmetry": symmetry}
            case Verdict(by=by):
                numbers = {"by": by}
            case SolutionList():
                numbers = {"solutions": self.found}
            case PuzzleFacts(lattice=lattice, units=units, options=options, symmetries=symmetries):
                numbers = {"lattice": lattice, "units": units, "options": options}
                numbers |= {"symmetries": symmetries.all}
                return numbers | {"reason": self.answer.unsolvable_because}
        return numbers | {"reason": self.answer.reason}


class AnswerTable:
    """A table of answers that is printed row by row, or at the end if it is to be sorted.

    - `columns`: the columns.
    - `form`: one of `FORMS`.
    - `sort`: the column to sort by, or None.
    - `width`: the length of the longest name of a puzzle.
    - `write`: called with each text to be printed.
    - `late`: whether the table is printed at the end even if it is not sorted.
    """

    def __init__(
        self,
        columns: Columns,
        form: str,
        sort: str | None,
        width: int,
        write: Callable[[str], object],
        *,
        late: bool = False,
    ) -> None:
        self.rows: list[TableRow] = []
        self._columns, self._form, self._sort, self._write = columns, form, sort, write
        self._widths = {name: least for name, least in columns.own.items() if least}
        self._width = max(width, len("puzzle"))
        self._late = late or sort is not None

    def add(self, row: TableRow) -> None:
        """Add a row, and print it unless the table is printed at the end."""
        self.rows.append(row)
        if not self._late:
            self._write(("" if self.rows[1:] else self._top()) + self._line(row))

    def end(self) -> None:
        """Print the whole table, unless its rows were printed when they were added."""
        if self._late and self.rows:
            for row in self.rows:
                self._widen(row)
            self._write(self._top() + "".join(map(self._line, self.ordered)))

    @property
    def ordered(self) -> list[TableRow]:
        """The rows, sorted by the requested column if there is one.

        Smallest values come first, unknown ones last.
        """
        column = self._sort
        if column is None:
            return self.rows
        known = [row for row in self.rows if row.values.get(column) is not None]
        unknown = [row for row in self.rows if row.values.get(column) is None]
        return sorted(known, key=lambda row: row.values[column]) + unknown

    def _top(self) -> str:
        """Return the line with the names of the columns; ``""`` if the format has no such line."""
        if self._form == "csv":
            return _csv_line(self._columns.names)
        if self._form == "jsonl":
            return ""
        return self._text({name: name for name in self._columns.names})

    def _line(self, row: TableRow) -> str:
        """Return a row as a line in the format of the table."""
        if self._form == "jsonl":
            return f"{(row.answer or failed(row)).to_json()}\n"
        if self._form == "csv":
            return _csv_line([row.values.get(name) for name in self._columns.names])
        self._widen(row)
        numbers = {name: _number(row, name) for name in self._widths}
        rest = {"seconds": f"{row.seconds:.2f}", "outcome": row.outcome}
        return self._text({"puzzle": row.puzzle, **numbers, **rest})

    def _widen(self, row: TableRow) -> None:
        """Make the columns as wide as the numbers of a row need, for this line and later ones."""
        for name, width in self._widths.items():
            self._widths[name] = max(width, len(_number(row, name)))

    def _text(self, words: Mapping[str, str]) -> str:
        """Return a line of a table in the format ``text``, in which long names are clipped.

        `words`: the texts by column.
        """
        cells = "".join(f" {words[name]:>{width}}" for name, width in self._widths.items())
        if self._columns.searched:
            cells += f" {words['seconds']:>9}"
        end = f"  {words['outcome']}" if self._columns.searched else ""
        room = LINE - len(cells) - (OUTCOME if end else 0)
        width = min(self._width, max(room, SHORTEST))
        return f"{_clipped(words['puzzle'], width):{width}}{cells}{end}\n"


def _clipped(name: str, width: int) -> str:
    """Return a name; if it is longer than `width`, replace its middle by an ellipsis.

    >>> _clipped("calendar-of-a-leap-year-02-29", 15)
    'calenda…r-02-29'
    """
    if len(name) <= width:
        return name
    behind = (width - 1) // 2
    return f"{name[: width - 1 - behind]}…{name[len(name) - behind :]}"


def _number(row: TableRow, head: str) -> str:
    """Return the value of a row in the column `head` as text.

    An unknown value is ``?``; but if solutions were found, an unknown value in the column ``all``
    is a lower bound, such as ``>=12``.
    """
    value = row.values.get(head)
    if value is None:
        return f">={row.found:,}" if head == "all" and row.found else "?"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _csv_line(values: Sequence[Any]) -> str:
    """Return a line of a CSV file."""
    import csv  # here: tables of another form do not need it

    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(values)
    return stream.getvalue()


def failed(row: TableRow) -> FailedPuzzle:
    """Return the entry of a JSON table for a puzzle with an error."""
    return FailedPuzzle(puzzle=row.puzzle, error=row.error or "")


def answer_each(
    puzzles: Sequence[NamedPuzzle],
    verb: Callable[[NamedPuzzle, EachProgress], Told],
    kind: type[Table] | None,
    settings: Settings | None = None,
    *,
    sort: str | None = None,
    form: str | None = None,
    as_json: bool = False,
    write: Callable[[str], object] | None = None,
    late: bool = False,
) -> int:
    """Call a function for each puzzle, print a table of the answers, and return the exit code.

    The exit code is the worst one among those of the puzzles. A puzzle with an error also has a
    row. After Ctrl-C, the table has the rows so far. If --backend is given and there is no such
    backend, the error is raised before the first call.

    - `verb`: the function, which returns the answer for one puzzle and the number of solutions
      found.
    - `kind`: the class of the document that ``--json`` prints; None if the function only writes a
      file for each puzzle, so that no table is printed.
    - `settings`: the options of the search, if the function searches.
    - `as_json`: whether to print the document in place of the table.
    - `sort`, `form`, `write`, `late`: see `AnswerTable`; by default, `write` prints.
    """
    quiet = settings is not None and settings.quiet
    if settings is not None and is_given("backend"):
        from exactile.backends import get_backend

        get_backend(settings.backend)  # one error, not one for each puzzle
    silent = as_json or kind is None
    sheet = AnswerTable(
        COLUMNS[kind],
        form or "text",
        sort,
        max(len(named.name) for named in puzzles),
        (lambda _: None) if silent else write or (lambda text: click.echo(text, nl=False)),
        late=late,
    )
    line = EachProgress(len(puzzles), enabled=not quiet)
    interrupted = False
    try:
        for row in _rows(puzzles, verb, line):
            line.clear()
            with undisturbed():
                sheet.add(row)
                if row.error is not None and not as_json:
                    click.echo(about(row.puzzle, row.error or ""), err=True)
            if settings is not None and isinstance(row.answer, Count | SolutionList | Verdict):
                settings.report_counters(row.answer.stats, default=False)
            interrupted = row.stopped == INTERRUPTED
            if interrupted:
                break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        line.clear()
        with undisturbed():
            if as_json and kind is not None:
                print_json(_document(kind, sheet.ordered, finished=not interrupted))
            sheet.end()
            if not (quiet or as_json):
                click.echo(_summary(sheet.rows, len(puzzles)), err=True)
    codes = {row.code for row in sheet.rows} | ({130} if interrupted else set())
    return next(code for code in WORST_FIRST if code in codes)


def _rows(
    puzzles: Sequence[NamedPuzzle],
    verb: Callable[[NamedPuzzle, EachProgress], Told],
    line: EachProgress,
) -> Iterator[TableRow]:
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
            name = named.name if answer is None else answer.puzzle
            yield TableRow(name, CLOCK.now() - began, answer, found)


def _document(
    kind: type[Table],
    rows: Sequence[TableRow],
    *,
    finished: bool,
) -> Answer:
    """Return all answers and errors as one document; `finished`: False after Ctrl-C."""
    answers: Any = tuple(row.answer for row in rows if row.answer is not None)
    errors = tuple(failed(row) for row in rows if row.error is not None)
    return kind(finished=finished, answers=answers, failed=errors)


def _summary(rows: Sequence[TableRow], number: int) -> str:
    """Return the last line of a table: how many puzzles have each outcome.

    If all rows have the outcome ``described``, the line has only the number of puzzles. If there
    are several rows, all with complete counts, it also has the total, the smallest and the largest
    number of solutions. `number`: number of puzzles, including those that have no row after Ctrl-C.
    """
    outcomes = [row.outcome for row in rows]
    numbers = {word: outcomes.count(word) for word in outcomes}
    parts = ", ".join(
        plural(number, word) if word == "error" else f"{number:,} {word}"
        for word, number in numbers.items()
    )
    if {*numbers} == {"described"}:
        parts = ""
    begun = f"{len(rows):,} of " if len(rows) < number else ""
    words = f"{begun}{plural(number, 'puzzle')}{parts and f': {parts}'}"
    counts = [row.answer.raw for row in rows if isinstance(row.answer, Count)]
    known = [raw for raw in counts if raw is not None]
    if len(known) < 2 or len(known) < len(rows):
        return words
    low, high = min(known), max(known)
    each = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return f"{words}; {plural(sum(known), 'solution')}, {each} each"
