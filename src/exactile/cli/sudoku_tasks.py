"""What `exactile sudoku` does with each sudoku, and how it tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import rich_click as click

from exactile.answers import INTERRUPTED, Stats, Status, SudokuAnswer, SudokuFile
from exactile.cli.common import exit_code, plural
from exactile.cli.lines import Progress
from exactile.errors import PuzzleError
from exactile.files.models.exact_cover_writer import write_exact_cover
from exactile.grids.count import count_sudoku
from exactile.grids.lower import sudoku_model
from exactile.grids.proof import prove_solutions
from exactile.grids.reasons import where
from exactile.grids.search import SudokuSearch, SudokuVerdict, judge, superfluous
from exactile.grids.sudoku import Grid, Sudoku
from exactile.grids.svg import svg_grid
from exactile.grids.text import draw_grid

MOST_LISTED = 12
"""So many cells in which solutions differ are listed."""


@dataclass
class SudokuSession:
    """What the command was told, and what it has found out."""

    name: str
    output: IO[str]
    form: str | None
    as_json: bool
    minimal: bool
    proof: Path | None
    settings: dict[str, Any]
    progress: Progress
    kinds: Counter[str] = field(default_factory=Counter)
    answers: list[SudokuAnswer] = field(default_factory=list)
    stopped: str | None = None

    def take(self, sudoku: Sudoku, kind: str, text: str, **found: Any) -> None:
        """Write what was found out about a sudoku, or keep it for the answer."""
        self.kinds[kind] += 1
        self.stopped = found.get("stopped") or self.stopped
        self.progress.clear()
        if self.as_json:
            givens = sudoku.text(sudoku.givens)
            self.answers.append(SudokuAnswer(line=sudoku.line, status=kind, givens=givens, **found))
        else:
            self.write(text)

    def write(self, text: str) -> None:
        """Write a text at once."""
        self.output.write(text)
        self.output.flush()

    @property
    def exit_code(self) -> int:
        """The exit code for all sudokus: unsolvable if one is, solvable if all are."""
        status = Status.UNKNOWN if "unknown" in self.kinds else Status.SOLVABLE
        status = Status.UNSOLVABLE if "contradictory" in self.kinds else status
        return exit_code(status, self.stopped)


def judge_sudoku(session: SudokuSession, sudoku: Sudoku) -> None:
    """Tell whether a sudoku is unique, ambiguous or contradictory."""
    settings = session.settings
    verdict = judge(sudoku, watch=session.progress, **settings)
    spare = lemmas = None
    if session.proof is not None:
        lemmas = _prove(session, verdict)
    if session.minimal and verdict.kind == "unique":
        spare = superfluous(sudoku, **settings)
    session.take(
        sudoku,
        verdict.kind,
        _told(session.form or "", verdict, spare),
        solutions=tuple(sudoku.text(grid) for grid in verdict.solutions),
        differing=tuple(_place(sudoku, cell) for cell in verdict.differing),
        reason=verdict.reason,
        lemmas=lemmas,
        superfluous=None if spare is None else tuple(_place(sudoku, cell) for cell in spare),
        stopped=verdict.stopped if verdict.kind in ("solvable", "unknown") else None,
        stats=verdict.stats,
    )


def _prove(session: SudokuSession, verdict: SudokuVerdict) -> int | None:
    """Leave a proof that a sudoku has no other solution; return its length."""
    if verdict.kind == "ambiguous":
        raise PuzzleError("There is nothing to prove: the sudoku has more than one solution.")
    assert session.proof is not None
    proven = prove_solutions(verdict.sudoku, session.proof, seconds=session.settings["time_limit"])
    if proven is None:
        raise PuzzleError("The time is over before the proof is complete: allow it more.")
    if not session.as_json:
        click.echo(
            f"{session.proof}: a proof of {plural(proven.lemmas, 'lemma')}, checked", err=True
        )
    return proven.lemmas


def _place(sudoku: Sudoku, cell: int) -> tuple[int, int]:
    """Return row and column, from 1."""
    row, column = divmod(cell, sudoku.layout.size)
    return row + 1, column + 1


def _told(form: str, verdict: SudokuVerdict, spare: list[int] | None) -> str:
    """Return what is printed of a verdict."""
    sudoku = verdict.sudoku
    grid = verdict.solutions[0] if verdict.solutions else sudoku.givens
    if form == "svg":
        return svg_grid(sudoku, grid, verdict.differing)
    remarks = list(_remarks(verdict, spare))
    if form == "line":
        return sudoku.text(grid) + "".join(f"  # {r}" for r in remarks) + "\n"
    grids = verdict.solutions or (sudoku.givens,)
    drawn = "\n".join(draw_grid(sudoku, g) for g in grids)
    return drawn + "".join(f"# {remark}\n" for remark in remarks)


def _remarks(verdict: SudokuVerdict, spare: list[int] | None) -> Iterator[str]:
    """Yield what is said beside a grid; nothing of a solution that is unique."""
    sudoku = verdict.sudoku
    if verdict.kind == "contradictory":
        yield f"contradictory: {verdict.reason}"
    elif verdict.kind == "ambiguous":
        one, two = verdict.solutions
        cells = [
            f"{where(sudoku, c)} ({sudoku.symbols[one[c] - 1]} or {sudoku.symbols[two[c] - 1]})"
            for c in verdict.differing[:MOST_LISTED]
        ]
        more = "; ..." if len(verdict.differing) > MOST_LISTED else ""
        number = plural(len(verdict.differing), "cell")
        yield f"ambiguous: two solutions differ in {number}: {'; '.join(cells)}{more}"
    elif verdict.kind != "unique":
        yield f"{verdict.kind}: not all was searched ({verdict.stopped})"
    if spare is not None and not spare:
        yield "minimal: no given is superfluous"
    elif spare:
        cells = [f"{where(sudoku, c)} ({sudoku.symbols[sudoku.givens[c] - 1]})" for c in spare]
        yield f"{plural(len(spare), 'given')} superfluous, each by itself: {'; '.join(cells)}"


def list_solutions(session: SudokuSession, sudoku: Sudoku, limit: int | None) -> None:
    """Print solutions as they are found."""
    search = SudokuSearch(sudoku, limit=limit, watch=session.progress, **session.settings)
    kept: list[str] = []

    def take() -> None:
        found = search.found
        session.take(
            sudoku,
            search.kind,
            "" if found else _written(session.form or "", sudoku, sudoku.givens, f"{search.kind}"),
            found=found,
            solutions=tuple(kept),
            stopped=search.stopped,
            stats=search.stats,
        )

    try:
        for grid in search:
            session.progress.clear()
            if session.as_json:
                kept.append(sudoku.text(grid))
            else:
                before = "\n" if session.form == "text" and search.found > 1 else ""
                session.write(before + _written(session.form or "", sudoku, grid))
    except KeyboardInterrupt:  # what was found is not lost
        take()
        raise
    take()


def _written(form: str, sudoku: Sudoku, grid: Grid, remark: str = "") -> str:
    """Return a grid, drawn or on a line."""
    if form == "text":
        return draw_grid(sudoku, grid) + (f"# {remark}\n" if remark else "")
    return sudoku.text(grid) + (f"  # {remark}" if remark else "") + "\n"


def count_solutions(session: SudokuSession, sudoku: Sudoku) -> None:
    """Print the number of solutions."""
    counted = count_sudoku(sudoku, time_limit=session.settings["time_limit"])
    number = counted.number
    kind = "unknown" if number is None else ("contradictory", "unique", "ambiguous")[min(number, 2)]
    text = "not counted in this time" if number is None else str(number)
    session.take(
        sudoku,
        kind,
        text + "\n",
        raw=number,
        method=counted.method,
        factor=counted.factor,
        stopped="time limit" if number is None else None,
        stats=Stats.of({"nodes" if counted.method == "search" else "states": counted.work}),
    )


def export_model(session: SudokuSession, sudoku: Sudoku) -> int:
    """Write the model as an exact-cover file."""
    size = sudoku.layout.size
    comments = [f"sudoku of {size} by {size}: {sudoku.text(sudoku.givens)}"]
    write_exact_cover(sudoku_model(sudoku).model, session.output, comments=comments)
    return 0


def finish(session: SudokuSession, *, quiet: bool) -> None:
    """Print the document, or say on stderr what was found."""
    if session.as_json:
        names = ("unique", "ambiguous", "contradictory", "solvable", "unknown")
        answer = SudokuFile(
            file=session.name,
            backend=session.settings["backend"],
            **{name: session.kinds[name] for name in names},
            stopped=INTERRUPTED if session.stopped == INTERRUPTED else None,
            sudokus=tuple(session.answers),
        )
        click.echo(answer.to_json())
    elif not quiet and session.kinds:
        number = plural(session.kinds.total(), "sudoku")
        told = ", ".join(f"{count:,} {kind}" for kind, count in sorted(session.kinds.items()))
        told = next(iter(session.kinds)) if session.kinds.total() == 1 else f"{number}: {told}"
        click.echo(f"{session.name}, {session.settings['backend']}: {told}", err=True)
