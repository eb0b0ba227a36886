"""`exactile list` and `instances`: list the catalogue, and problems to compare solvers on."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from shlex import quote
from shutil import get_terminal_size
from typing import Any, NamedTuple

import rich_click as click
from msgspec import structs

from exactile.answers import InstanceEntry, InstanceList, PuzzleEntry, PuzzleList
from exactile.cli import options
from exactile.cli.output import print_json
from exactile.cli.words import Line, plural
from exactile.errors import suggestion
from exactile.files.puzzles.catalogue import Entry, LedgerEntry, entries, folded, ledger

LEAST_ID = 18
"""Least width of the column of ids or names, in characters."""


def _cut(line: str) -> str:
    """Return a line clipped to the width of the terminal; unchanged for a file or a pipe."""
    columns = get_terminal_size().columns
    if not sys.stdout.isatty() or len(line) <= columns:
        return line
    return line[: columns - 1] + "…"


class _Row(NamedTuple):
    """A puzzle of the catalogue, and its record in the ledger of counts, or None."""

    entry: Entry
    known: LedgerEntry | None

    @property
    def status(self) -> str | None:
        return self.known.status if self.known else None

    @property
    def solutions(self) -> int | None:
        return self.known.numbers.symmetry if self.known and self.known.numbers else None


ORDERS: dict[str, Callable[[_Row], Any]] = {
    "id": lambda row: row.entry.id,
    "lattice": lambda row: row.entry.lattice,
    "pieces": lambda row: row.known.pieces if row.known else inf,
    "units": lambda row: row.known.units if row.known else inf,
    "solutions": lambda row: inf if row.solutions is None else row.solutions,
}
"""The sort key for each value of --sort; unknown values come last."""


@click.command("list")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@options.lattice
@click.option("--source", metavar="WORD", help="Only puzzles whose sources contain WORD.")
@click.option(
    "--status",
    type=click.Choice(["exact", "unsolvable", "open"]),
    help="Only puzzles whose number of solutions is known and not 0 (exact), is 0 (unsolvable), or "
    "is unknown (open).",
)
@click.option("--open", "status", flag_value="open", help="The same as --status open.")
@options.option(
    "--sort",
    type=click.Choice(list(ORDERS)),
    help="Sort by this, smallest first; by default, in the order of the catalogue.",
)
@click.option("--reverse", is_flag=True, help="Reverse the order.")
@options.as_json
def list_command(
    words: tuple[str, ...],
    lattice: str | None,
    source: str | None,
    status: str | None,
    sort: str | None,
    reverse: bool,
    as_json: bool,
) -> None:
    """List the puzzles of the catalogue, or those whose id, alias or title contains every WORD.

    Each line shows the id, the lattice, the number of pieces available, the number of solutions up
    to symmetry, the title and the first source. If the number of solutions is unknown, the line
    shows ≥ and the number of solutions found so far (not up to symmetry), or ? if none is known.
    """
    if lattice is not None:
        from exactile.geometry import get_lattice

        get_lattice(lattice)  # raises if there is none with this name
    known = ledger()
    found = [
        row
        for row in (_Row(entry, known.get(entry.id)) for entry in entries())
        if lattice in (None, row.entry.lattice)
        and status in (None, row.status)
        and (source is None or source.casefold() in " ".join(row.entry.sources).casefold())
        and _has(row.entry, words)
    ]
    if sort is not None:
        found.sort(key=ORDERS[sort])
    if reverse:
        found.reverse()
    if as_json:
        print_json(PuzzleList(puzzles=tuple(map(_entry, found))))
        return
    for line in _lines(found):
        click.echo(_cut(line))
    click.echo(plural(len(found), "puzzle") + ("" if found else _hint(words)), err=True)


def _hint(words: tuple[str, ...]) -> str:
    """Return a hint to append to the message that no puzzle was found; empty if there is none.

    If a word is the name of a file, the hint says so. Otherwise, if some word occurs in no puzzle,
    the hint suggests a similar word of a title.
    """
    from exactile.files.reading import exists

    for word in words:
        if exists(word):
            return f": {word} is a file; `exactile show {quote(word)}` describes it."
    known = {word for entry in entries() for word in re.findall(r"\w+", entry.title.lower())}
    missing = [word for word in words if not any(_has(entry, (word,)) for entry in entries())]
    return next((f".{hint}" for word in missing if (hint := suggestion(word.lower(), known))), "")


def _has(entry: Entry, words: tuple[str, ...]) -> bool:
    """Return whether every word is part of the id, an alias or the title of a puzzle."""
    texts = [folded(text) for text in (entry.id, entry.title, *entry.aliases)]
    return all(any(folded(word) in text for text in texts) for word in words)


def _entry(row: _Row) -> PuzzleEntry:
    entry, known = row
    return PuzzleEntry(
        id=entry.id,
        title=entry.title,
        lattice=entry.lattice,
        aliases=entry.aliases,
        sources=entry.sources,
        pieces=known.pieces if known else None,
        status=row.status,
        solutions=row.solutions,
        at_least=known.at_least if known else 0,
    )


def _lines(rows: list[_Row]) -> Iterator[str]:
    """Yield a line for each puzzle, in columns.

    On a terminal, a heading comes first, and a long id has a line of its own.
    """
    cells = [("id", "lattice", "pieces", "solutions", "title")] if sys.stdout.isatty() else []
    for entry, known in rows:
        numbers = (str(known.pieces), known.solutions) if known else ("", "")
        title = entry.title + "".join(f" [{source}]" for source in entry.sources[:1])
        cells.append((entry.id, entry.lattice, *numbers, title))
    a, b, c, d = ([max(map(len, column)) for column in zip(*cells, strict=True)] or [0] * 5)[:4]
    if sys.stdout.isatty():  # a longer id has a line of its own, and the numbers stay in sight
        a = min(a, max(LEAST_ID, get_terminal_size().columns - b - c - d - 8))
    for name, lattice, pieces, solutions, title in cells:
        if len(name) > a:
            yield name
            name = ""
        yield f"{name:{a}}  {lattice:{b}}  {pieces:>{c}}  {solutions:>{d}}  {title}"


@click.group("instances")
def instances_command() -> None:
    """List or write a library of instances: puzzles and models for comparing solvers."""


words_argument = click.argument("words", nargs=-1, metavar="[WORD]...")


@instances_command.command("list")
@words_argument
@click.option(
    "--answer",
    type=click.Choice(["counted", "satisfiable", "unsatisfiable", "open"]),
    metavar="ANSWER",
    help="Only instances with this answer: counted (there are solutions, and their number is "
    "known), satisfiable (the number is unknown), unsatisfiable, or open (unknown).",
)
@options.as_json
def listed(words: tuple[str, ...], answer: str | None, as_json: bool) -> None:
    """List the instances of the library, or only those that match one of the WORDs.

    An instance is a puzzle or an exact-cover model for comparing solvers. WORD is the name of an
    instance or a family, or a pattern such as 'planted-*'.

    Each line shows the name, the answer (with the number of solutions, if it is known), the numbers
    of units, options and symmetries, the density, and the source of the answer. The density is the
    average number of items in an option, as a percentage of all items.
    """
    from exactile.surveys.instances.library import list_instances

    library = list_instances(words)
    families = [
        structs.replace(
            family, instances=tuple(i for i in family.instances if answer in (None, i.answer))
        )
        for family in library.families
    ]
    found = InstanceList(families=tuple(family for family in families if family.instances))
    if as_json:
        print_json(found)
        return
    rows = [HEAD, *(_row(each) for family in found.families for each in family.instances)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sys.stdout.isatty():  # a longer name has a line of its own, and the numbers stay in sight
        room = get_terminal_size().columns - sum(widths[1:6]) - 10
        widths[0] = min(widths[0], max(LEAST_ID, room))
    if found.families:
        _print_row(HEAD, widths)
    for family in found.families:
        click.echo(f"{family.name}: {family.about}")
        for each in family.instances:
            _print_row(_row(each), widths)
        click.echo()
    total = sum(len(family.instances) for family in found.families)
    click.echo(
        f"{plural(total, 'instance')} in {plural(len(found.families), 'family', 'families')}",
        err=True,
    )


HEAD = ("name", "answer", "units", "options", "symmetries", "density", "source")


def _row(each: InstanceEntry) -> tuple[str, ...]:
    number = "" if each.number is None or not each.number else f" {each.number:,}"
    if len(number) > 20:
        number = f" {float(each.number or 0):.3g}"
    units = "" if each.units is None else f"{each.units:,}"
    symmetries = "" if each.symmetries is None else str(each.symmetries)
    sizes = (units, f"{each.options:,}", symmetries, f"{each.density:.2%}")
    return each.name, each.answer + number, *sizes, each.source


def _print_row(row: tuple[str, ...], widths: list[int]) -> None:
    """Print a row of the table of instances; a name that is too wide has a line of its own.

    `widths`: the widths of the columns.
    """
    name, answer, *sizes, source = row
    if len(name) > widths[0]:
        click.echo(f"  {name}")
        name = ""
    numbers = (size.rjust(width) for size, width in zip(sizes, widths[2:], strict=False))
    line = f"  {name:{widths[0]}}  {answer:{widths[1]}}  {' '.join(numbers)}  {source}"
    click.echo(_cut(line.rstrip()))


@instances_command.command("make")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@words_argument
@click.option(
    "--format",
    "form",
    metavar="NAME",
    help="Write all instances as models in this format of `exactile export`, such as cnf, or "
    "cnf.xz to compress them; by default, as puzzle files and .xcc.",
)
@options.quiet()
@options.as_json
def make(
    directory: Path, words: tuple[str, ...], form: str | None, quiet: bool, as_json: bool
) -> None:
    """Write the instances of the library, or only those that match one of the WORDs, into DIR.

    An instance is a puzzle or an exact-cover model for comparing solvers. WORD is the name of an
    instance or a family, or a pattern such as 'planted-*'. Each family has its own folder.
    By default, puzzles become puzzle files, and models become model files (.xcc).

    The file instances.tsv lists the instances with their known answers, their sizes and the SHA-256
    of their files; lines about other files in DIR are kept. The files are the same on every
    machine. `exactile compare DIR` runs solvers on them.
    """
    from exactile.surveys.instances.library import make_instances

    line = Line(enabled=not quiet)
    with line:
        made = make_instances(directory, words, form=form, watch=line.show)
    if as_json:
        print_json(made)
    elif not quiet:
        total = sum(len(family.instances) for family in made.families)
        click.echo(f"{directory}: {plural(total, 'instance')}", err=True)
