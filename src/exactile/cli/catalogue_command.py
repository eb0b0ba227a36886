"""`exactile catalogue`: count the solutions of all puzzles, and keep and export the results.

The results are in the ledger, a database with a record for each puzzle that was searched: its
numbers of solutions, or for an open puzzle a lower bound and perhaps an estimate.
"""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import rich_click as click

from exactile.answers import Difference, LedgerSummary
from exactile.backends.base import cores
from exactile.cli import options
from exactile.cli.output import print_json
from exactile.cli.table import options_of
from exactile.cli.words import Line, plural
from exactile.errors import FileError, NotFoundError
from exactile.files.puzzles.catalogue import Entry, entries
from exactile.runs.ledger.estimates import Estimates
from exactile.runs.ledger.export import catalogued, export, read_document, read_export
from exactile.runs.ledger.pages import publish
from exactile.runs.ledger.record import Record
from exactile.runs.ledger.run import LedgerProgress, Run
from exactile.runs.ledger.store import Ledger

ledger_option = options.option(
    "--ledger",
    "path",
    default="ledger.sqlite",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Database of the results.",
)
family_option = click.option(
    "--family", metavar="F", help="Only puzzles in this folder of the catalogue, such as polyhex."
)


@click.group("catalogue")
def command() -> None:
    """Count the solutions of the catalogue's puzzles, and keep the results in a database."""


puzzles_option = click.option(
    "--puzzle", "names", multiple=True, metavar="PUZZLE", help="Only this puzzle; may be repeated."
)
known_option = click.option(
    "--known",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="JSON",
    help="Start with the results in this file, a ledger.json written by `exactile catalogue "
    "export`, except for puzzles whose models have changed since.",
)


@options_of("verify")
@family_option
@puzzles_option
@options.option(
    "--budget",
    default=60,
    type=options.Number(min=0, min_open=True),
    metavar="SECONDS",
    help="Processor time for the search of each puzzle. The rounds allow 1, 4, 16, ... seconds, "
    "the last one all of this time. Methods that count without listing solutions have limits of "
    "their own.",
)
@click.option("--resume", is_flag=True, help="Continue with an existing ledger.")
@known_option
@ledger_option
@options.workers("Number of processes; by default, one for each processor.", most=256)
@options.quiet()
@options.verbose()
def verify(
    family: str | None,
    names: tuple[str, ...],
    budget: float,
    resume: bool,
    known: Path | None,
    path: Path,
    workers: int | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Count the solutions of the catalogue's puzzles.

    In the first round, each puzzle gets little time. In each further round, the puzzles that are
    not finished get more. Each result is written at once to a database, the ledger, so that
    --resume can continue even if the process was killed. Puzzles with errors are reported (exit
    code 1), and so are published numbers that differ from the result, unless the puzzle's file
    marks them as wrong.
    """
    if path.exists() and not resume:
        raise FileError(
            f"{path}: the ledger already exists. Continue it with --resume, or name another file."
        )
    chosen = selected(family, names)
    line = Line(enabled=not quiet)

    def watch(record: Record, progress: LedgerProgress) -> None:
        if verbose:
            click.echo(record_line(record), err=True)
        line.show(
            f"{progress.budget:g} s each: {progress.done:,} of {progress.of:,} puzzles, "
            f"{progress.settled:,} settled; at {record.id}"
        )

    settled = read_export(known) if known else []
    with Ledger(path, write=True) as ledger:
        take_over(settled, ledger)
        run = Run(ledger, budget, workers or cores(), watch)
        stopped = None
        try:
            run.settle(chosen)
        except KeyboardInterrupt:
            stopped = "interrupted"
        finally:
            line.clear()
        found = catalogued(ledger, chosen)
    differences = unexplained(found)
    if as_json:
        print_json(_summary(found, len(chosen), run.errors, stopped, differences))
    else:
        _print(found if names and not verbose else [], run.errors, stopped, path, differences)
        click.echo(_totals(found, len(chosen)))
    if stopped:
        return 130
    return 1 if run.errors or differences else 0


command.add_command(verify)


@command.command("estimate")
@family_option
@puzzles_option
@options.option(
    "--budget",
    default=60,
    type=options.Number(min=0, min_open=True),
    metavar="SECONDS",
    help="Time limit of each estimate, counted from when the puzzle's model is complete.",
)
@click.option(
    "--to",
    type=options.Percentage(),
    default="20%",
    metavar="FRACTION",
    help="Stop when the number of solutions is known to within this fraction, up or down; by "
    "default, 20%.",
)
@known_option
@ledger_option
@options.memory("Memory for the estimate of one puzzle", " (default 4G).")
@options.quiet()
def estimate_open(
    family: str | None,
    names: tuple[str, ...],
    budget: float,
    to: float,
    known: Path | None,
    path: Path,
    memory: int | None,
    quiet: bool,
) -> int:
    """Estimate the numbers of solutions of open puzzles, those whose exact numbers are unknown.

    An estimate is the average of several random runs, with an interval that probably contains the
    true number. More and larger runs are made until the interval is as narrow as --to says, or time
    is up. Each estimate is written at once to the ledger, a database; after an interruption, the
    same command continues. Only puzzles with a record in the ledger are estimated: `exactile
    catalogue verify` makes the records.
    """
    chosen = selected(family, names)
    settled = read_export(known) if known else []
    if known is None:
        _require_ledger(path)

    def watch(record: Record) -> None:
        if not quiet and record.sampled is not None:
            click.echo(f"{record.id}: {record.sampled.words}", err=True)

    with Ledger(path, write=True) as ledger:
        take_over(settled, ledger)
        work = Estimates(ledger, budget, to, memory, watch)
        stopped = False
        try:
            work.make(chosen)
        except KeyboardInterrupt:
            stopped = True
        records = catalogued(ledger, chosen)
    found = [record for record in records if not record.settled]
    for name, error in work.errors.items():
        click.echo(f"  {name}: {error}", err=True)
    if not stopped and len(records) < len(chosen):
        new = plural(len(chosen) - len(records), "puzzle")
        click.echo(
            f"{new} not estimated, because {path} has no record of them yet: `exactile catalogue "
            "verify` with a small --budget makes one of each.",
            err=True,
        )
    if not found and not stopped:
        if records:
            click.echo("None of these puzzles is open: their exact numbers are known.")
        return 0 if records else 1
    halves = [record.sampled.half_width for record in found if record.sampled is not None]
    good = sum(half is not None and half <= to for half in halves)
    click.echo(
        f"{plural(len(found), 'open puzzle')}: {len(halves) - halves.count(None):,} with an "
        f"estimate, {good:,} with a half-width of at most {to:.0%}, {halves.count(None):,} "
        f"without, {len(found) - len(halves):,} not tried."
    )
    return 130 if stopped else 0


def _require_ledger(path: Path) -> None:
    if not path.exists():
        raise NotFoundError(
            f"{path}: there is no such ledger: make one by `exactile catalogue verify`."
        )


def take_over(records: list[Record], ledger: Ledger) -> None:
    """Write records to a ledger, except those of puzzles that it already has."""
    there = {record.id for record in ledger}
    for record in records:
        if record.id not in there and ledger.read(record.id, record.puzzle) is None:
            ledger.write(record)


def unexplained(records: list[Record]) -> list[Difference]:
    """Return the published numbers that contradict records of the ledger.

    Numbers that the file of the puzzle marks as refuted are left out.
    """
    return [
        Difference(
            puzzle=line.id,
            count=published.count,
            up_to=published.up_to,
            source=published.source,
        )
        for line in export(records).puzzles
        for published in line.published
        if published.agrees is False and not published.refuted
    ]


@command.command("export")
@ledger_option
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
def export_ledger(path: Path, directory: Path) -> None:
    """Write the ledger, a database of results, as JSON and as Markdown pages with pictures.

    Each family of puzzles has a page with pictures and tables. A further page lists the published
    numbers that turned out to be wrong. If there is a file DIRECTORY/missed/PUZZLE.jsonl, this page
    also shows the solutions in it, which are missing from the published number.

    The JSON file is DIRECTORY/ledger.json. --ledger may also name such a file of an earlier export.
    """
    _require_ledger(path)
    if path.suffix == ".json":
        document = read_document(path)
    else:
        with Ledger(path) as ledger:
            document = export(catalogued(ledger, [entry.id for entry in entries()]))
    publish(document, directory)
    click.echo(f"{plural(len(document.puzzles), 'puzzle')} written to {directory}")
    absent = len(entries()) - len(document.puzzles)
    if absent:
        click.echo(f"{plural(absent, 'puzzle')} of the catalogue not in the ledger")


def selected(family: str | None, names: tuple[str, ...]) -> list[str]:
    """Return the ids of puzzles, selected by folder and by name, in the order of the catalogue.

    `family`: the folder; None for all. `names`: ids or aliases; empty for all puzzles. Raise
    FileError if there is no such folder or name.
    """
    everything = entries()
    known = {word.casefold(): e for e in everything for word in (e.id, *e.aliases)}
    families = sorted({family_of(e) for e in everything})
    if family is not None and family not in families:
        raise FileError(f"There is no family '{family}': take one of {', '.join(families)}.")
    for name in names:
        if name.casefold() not in known:
            raise FileError(f"There is no puzzle '{name}' in the catalogue: see `exactile list`.")
    named = {known[name.casefold()].id for name in names}
    return [
        e.id
        for e in everything
        if (not named or e.id in named) and (family is None or family_of(e) == family)
    ]


def family_of(entry: Entry) -> str:
    """Return the family of a puzzle: the folder of its file."""
    return entry.path.parent.name


def record_line(record: Record) -> str:
    """Return a record of the ledger as one line of text.

    It has the numbers, the method and the duration; for an open puzzle, a lower bound and the
    duration.
    """
    if record.numbers is not None:
        n = record.numbers
        return (
            f"{record.id}: {record.status}, {n.raw:,} raw, {n.rotation:,} up to rotation, "
            f"{n.symmetry:,} up to symmetry ({record.method}, {record.seconds:.1f} s)"
        )
    return f"{record.id}: open, at least {record.at_least:,} raw ({record.seconds:.1f} s)"


def _summary(
    found: list[Record],
    number: int,
    errors: dict[str, str],
    stopped: str | None,
    differences: list[Difference],
) -> LedgerSummary:
    by_status = {s: sum(r.status == s for r in found) for s in ("exact", "unsolvable", "open")}
    return LedgerSummary(
        puzzles=number,
        **by_status,
        solutions_checked=sum(r.checked for r in found),
        nodes=sum(r.nodes for r in found),
        seconds=round(sum(r.seconds for r in found), 1),
        differences=tuple(differences),
        errors=errors,
        stopped=stopped,
    )


def _print(
    shown: list[Record],
    errors: dict[str, str],
    stopped: str | None,
    path: Path,
    differences: list[Difference],
) -> None:
    for record in shown:
        click.echo(record_line(record))
    for d in differences:
        click.echo(f"  {d.puzzle}: {d.source} has {d.count:,}, which differs", err=True)
    for name, error in errors.items():
        click.echo(f"  {name}: {error}", err=True)
    if stopped:
        click.echo(f"Interrupted: continue with --resume --ledger {quote(str(path))}.", err=True)


def _totals(found: list[Record], number: int) -> str:
    numbers = {s: sum(r.status == s for r in found) for s in ("exact", "unsolvable", "open")}
    return (
        f"{len(found):,} of {plural(number, 'puzzle')} in the ledger: "
        f"{numbers['exact']:,} counted, "
        f"{numbers['unsolvable']:,} unsolvable, {numbers['open']:,} open."
    )
