"""A census of tilings: search, and output as a table, as CSV or as JSON."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import rich_click as click

from exactile.answers import CensusEntry, TilingCensus
from exactile.cli.common import UNFINISHED
from exactile.cli.lines import Line
from exactile.cli.output import SHEETS, form_of, print_json
from exactile.errors import Interrupted

if TYPE_CHECKING:
    from exactile.runs.store import Store
    from exactile.search.limits import Limits
    from exactile.surveys.tiling.census import Census

COLUMNS = {
    "order": "order",
    "forms": "forms",
    "holes": "holes",
    "tiles": "tile",
    "translation": "translates",
    "half_turn": "half-turns",
    "isohedral": "isohedral",
    "anisohedral": "anisohedral",
    "does_not_tile": "do-not",
    "open": "open",
}
"""The numbers of a census that are columns of its table, with their heads: 78 characters in all."""


def orders_of(text: str) -> list[int]:
    """Return the orders of a text such as ``9`` or ``1..9``.

    Raise click.BadParameter if the text is not one.

    >>> orders_of("3..5")
    [3, 4, 5]
    """
    match = re.fullmatch(r"([1-9]\d?)(?:\.\.([1-9]\d?))?", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if last < first:
        raise click.BadParameter(f"{text!r}: write 9, or 1..9 for several orders.")
    return list(range(first, last + 1))


def take_census(
    censuses: Sequence[Census], given: dict[str, Any], limits: Limits, store: Store | None = None
) -> int:
    """Make censuses, report them, and return the exit code."""
    from exactile.surveys.tiling.survey import survey

    line = Line(enabled=not given["quiet"])
    answers: list[TilingCensus] = []
    name = getattr(given["output"], "name", "-")
    form = form_of(name, ("text", "csv", *SHEETS), default="text")
    code = 0
    try:
        for census in censuses:
            answer = survey(
                census,
                store,
                workers=given["workers"],
                share=given["share"] or (1, 1),
                entries=given["as_json"] or form != "text",
                limits=limits,
                watch=lambda done, of: line.show(f"{done:,} of {of:,} forms"),
            )
            answers += [answer]
    except Interrupted as stop:
        answers.append(stop.answer)
        code = 130
    finally:
        line.clear()
    _report(answers, given, form)
    lacking = any(answer.done < answer.forms for answer in answers) and not given["share"]
    if code == 0 and (lacking or any(answer.stopped for answer in answers)):
        code = UNFINISHED
    return code


def _report(answers: Sequence[TilingCensus], given: dict[str, Any], form: str | None) -> None:
    """Print censuses, or write them to a file."""
    if given["as_json"]:
        print_json(answers[0])
    elif form == "csv":
        given["output"].write(csv_text(answers))
    elif form in SHEETS:
        from exactile.render.pictures import write_sheet
        from exactile.render.tilings import census_pictures

        pictures = [picture for answer in answers for picture in census_pictures(answer)]
        if pictures:  # perhaps nothing is known
            write_sheet(pictures, given["output"], form)
    else:
        given["output"].write("\n".join([*table_lines(answers), ""]))
        return
    if not (given["as_json"] or given["quiet"]):
        for answer in answers:
            for words in _lacking(answer):
                click.echo(words, err=True)


def table_lines(answers: Sequence[TilingCensus]) -> Iterator[str]:
    """Yield censuses of several orders as a table, and what is not in it."""
    yield from _rows(answers)
    for answer in answers:
        yield from _lacking(answer)
        yield from _numbers(answer)


def _rows(answers: Sequence[TilingCensus]) -> Iterator[str]:
    """Yield the lines of the table."""
    rows = [list(COLUMNS.values())]
    rows += [[f"{getattr(answer, name):,}" for name in COLUMNS] for answer in answers]
    widths = [max(len(row[k]) for row in rows) for k in range(len(COLUMNS))]
    for row in rows:
        yield " ".join(word.rjust(width) for word, width in zip(row, widths, strict=True))


def _lacking(answer: TilingCensus) -> Iterator[str]:
    """Yield how much is known, and why not all, if it is not all."""
    if answer.done < answer.forms:
        why = f": {answer.stopped}" if answer.stopped else ""
        yield f"order {answer.order}: {answer.done:,} of {answer.forms:,} forms are known{why}"


def _numbers(answer: TilingCensus) -> Iterator[str]:
    """Yield the numbers of forms with each least period and each Heesch number."""
    tallies = {
        "least copies in a period": answer.least_copies,
        "Heesch numbers, without holes": answer.solid,
        "Heesch numbers, holes in the last corona": answer.holed,
    }
    for what, numbers in tallies.items():
        if numbers:
            words = ", ".join(f"{number}: {count:,}" for number, count in numbers.items())
            yield f"order {answer.order}, {what}: {words}"


def csv_text(answers: Sequence[TilingCensus]) -> str:
    """Return what is known about each polyform as CSV, one on each line."""
    names = [n for n in CensusEntry.__struct_fields__ if n != "units"]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["lattice", "order", *names, "units"])
    for answer in answers:
        for entry in answer.entries:
            units = " ".join(",".join(map(str, unit)) for unit in entry.units)
            values = [getattr(entry, name) for name in names]
            row = ["" if value is None else value for value in values]
            writer.writerow([answer.lattice, answer.order, *row, units])
    return stream.getvalue()


def holds_census(path: str) -> bool:
    """Return whether a file is a store with a census."""
    import sqlite3
    from contextlib import closing
    from pathlib import Path

    if not Path(path).is_file():
        return False
    try:
        with closing(sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)) as base:
            return base.execute("SELECT 1 FROM census").fetchone() is not None
    except (sqlite3.Error, UnicodeDecodeError):  # opening it reports the fault
        return False


def resume_census(
    path: str, workers: int | None, time_limit: float | None, *, quiet: bool, as_json: bool
) -> int:
    """Continue the census in a store; return the exit code."""
    from exactile.backends.base import cores
    from exactile.runs.store import Store, may_be_written
    from exactile.search.limits import Limits
    from exactile.surveys.tiling.survey import CensusStore

    with Store(path, write=may_be_written(path)) as store:
        found = CensusStore(store).census
        assert found is not None
        given = {
            "quiet": quiet,
            "as_json": as_json,
            "output": sys.stdout,
            "workers": workers or cores(),
            "share": None,
        }
        return take_census([found[0]], given, Limits(time_limit), store)


def print_census(path: str, *, as_json: bool) -> None:
    """Print the census of a store."""
    from exactile.surveys.tiling.survey import census_of

    answer = census_of(path)
    if as_json:
        print_json(answer)
        return
    click.echo(
        f"Census of order {answer.order} on the {answer.lattice} lattice ({answer.freedom}): "
        f"{answer.done:,} of {answer.forms:,} forms are known"
    )
    click.echo("\n".join([*_rows([answer]), *_numbers(answer)]))
