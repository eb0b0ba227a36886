"""`exactile instances`: the library of instances for comparisons of solvers."""

from __future__ import annotations

from pathlib import Path

import rich_click as click
from msgspec import structs

from exactile.answers import InstanceEntry, InstanceList
from exactile.cli import options
from exactile.cli.output import print_json
from exactile.cli.words import Line, plural


@click.group("instances")
def command() -> None:
    """List or write a library of instances for comparing solvers."""


words_argument = click.argument("words", nargs=-1, metavar="[WORD]...")


@command.command("list")
@words_argument
@click.option(
    "--answer",
    type=click.Choice(["counted", "satisfiable", "unsatisfiable", "open"]),
    metavar="ANSWER",
    help="Only instances that are counted, satisfiable, unsatisfiable or open.",
)
@options.as_json
def listed(words: tuple[str, ...], answer: str | None, as_json: bool) -> None:
    """List the instances of the library, or only those that match a WORD.

    WORD is the name of an instance or a family, or a pattern such as 'planted-*'. Each line shows
    the name, the answer (with the number of solutions, if it is known), the numbers of units,
    options and symmetries, the density of the model, and the source of the answer.
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
    lines = (_line(row, widths) for row in rows)
    if found.families:
        click.echo(next(lines))
    for family in found.families:
        click.echo(f"{family.name}: {family.about}")
        for _ in family.instances:
            click.echo(next(lines))
        click.echo()
    total = sum(len(family.instances) for family in found.families)
    click.echo(
        f"{plural(total, 'instance')} in {plural(len(found.families), 'family', 'families')}",
        err=True,
    )


HEAD = ("name", "answer", "units", "options", "symmetries", "density", "source")


def _row(each: InstanceEntry) -> tuple[str, ...]:
    """Return the words about an instance."""
    number = "" if each.number is None or not each.number else f" {each.number:,}"
    if len(number) > 20:
        number = f" {float(each.number or 0):.3g}"
    units = "" if each.units is None else f"{each.units:,}"
    symmetries = "" if each.symmetries is None else str(each.symmetries)
    sizes = (units, f"{each.options:,}", symmetries, f"{each.density:.2%}")
    return each.name, each.answer + number, *sizes, each.source


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    """Return the line of an instance: its name and answer, its sizes, the source of the answer."""
    name, answer, *sizes, source = row
    numbers = (size.rjust(width) for size, width in zip(sizes, widths[2:], strict=False))
    return f"  {name:{widths[0]}}  {answer:{widths[1]}}  {' '.join(numbers)}  {source}".rstrip()


@command.command("make")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@words_argument
@click.option(
    "--format",
    "form",
    metavar="NAME",
    help="Write models in this format of `exactile export`, such as cnf, or cnf.xz if compressed.",
)
@options.quiet()
@options.as_json
def make(
    directory: Path, words: tuple[str, ...], form: str | None, quiet: bool, as_json: bool
) -> None:
    """Write the instances of the library, or only those that match a WORD, as files in DIR.

    Each family has its own folder. Puzzles become puzzle files, other instances model files (.xcc).
    instances.tsv lists each with its known answer, its features, and the SHA-256 of its file. The
    files are the same on every machine. `exactile compare DIR` runs solvers on them.
    """
    from exactile.surveys.instances.writing import make_instances

    line = Line(enabled=not quiet)
    with line:
        made = make_instances(directory, words, form=form, watch=line.show)
    if as_json:
        print_json(made)
    elif not quiet:
        total = sum(len(family.instances) for family in made.families)
        click.echo(f"{directory}: {plural(total, 'instance')}", err=True)
