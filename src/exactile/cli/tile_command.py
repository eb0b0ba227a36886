"""`exactile tile`: decide whether pieces tile the plane or space.

A table of the answers for all polyforms of an order is called a census. A store can keep it.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import rich_click as click

from exactile.answers import (
    INTERRUPTED,
    CensusEntry,
    Status,
    TilingAnswer,
    TilingCensus,
    UncoverableUnits,
)
from exactile.cli import options, words
from exactile.cli.common import UNFINISHED, exit_code
from exactile.cli.inline import may_cross
from exactile.cli.output import SHEETS, NewDirectory, form_of, print_json
from exactile.cli.table import options_of
from exactile.cli.words import Line, plural
from exactile.errors import Interrupted

if TYPE_CHECKING:
    from exactile.puzzle.pieces.piece import Piece
    from exactile.runs.store import Store
    from exactile.search.limits import Limits
    from exactile.surveys.tiling.census import Census

STATUS = {"tiles": Status.SOLVABLE, "does not tile": Status.UNSOLVABLE, "open": Status.UNKNOWN}

_RUN = r"-?\d+(?:\.\.-?\d+)?"
_UNIT = rf"{_RUN}(?:,{_RUN})+"

UNITS = re.compile(rf"{_UNIT}(?:\s+{_UNIT})*")
"""Pattern of units as text, such as ``0..2,0 1,1``: coordinates are numbers or ranges."""

METHODS = {
    "translation": "by translates alone",
    "half-turn": "by half turns",
    "isohedral": "isohedrally",
    "period": "with a period",
    "refutation": "refuted in {steps}, verified",
    "balance": "its types of unit are not as frequent as in the lattice",
}


@options_of("tile")
@click.argument("pieces", metavar="PIECE|SET|FILE", required=False)
@click.option(
    "--units",
    metavar="UNITS",
    help="Units of the piece that is to tile, in place of PIECE, such as '0..2,0 1,1'; needs "
    "--lattice.",
)
@click.option(
    "--lattice",
    metavar="NAME",
    shell_complete=words.lattices,
    help="Lattice, such as square, if the names of the pieces do not determine it.",
)
@click.option(
    "--freedom",
    type=click.Choice(["free", "one-sided", "fixed"]),
    help="How copies may be placed. free: turned and reflected; one-sided: turned; fixed: only "
    "translated. By default, named pieces keep their own freedom; others are free in the plane, "
    "and one-sided in space.",
)
@click.option(
    "--each", is_flag=True, help="With several pieces, require that each of them is used."
)
@click.option("--least", is_flag=True, help="Find a period with the fewest copies of the piece.")
@click.option("--heesch", is_flag=True, help="If the piece does not tile, find its Heesch number.")
@click.option(
    "--disc",
    is_flag=True,
    help="If the piece does not tile, find cells around a copy that cannot all be covered.",
)
@click.option(
    "--proofs",
    type=NewDirectory(),
    metavar="DIR",
    help="Write a certificate that pieces do not tile, with proofs for other checkers, into a new "
    "directory.",
)
@options.number("--copies", default=32, help="Largest number of copies in a period.")
@options.option(
    "--coronas",
    type=click.IntRange(1, 14),
    default=8,
    metavar="N",
    help="Largest number of coronas of a patch.",
)
@click.option(
    "--effort",
    type=options.Whole(),
    metavar="NODES",
    help="Largest number of nodes; by default 2,000,000, or unlimited with --time-limit; for each "
    "polyform of a census, 5,000,000.",
)
@click.option(
    "--color",
    type=click.Choice(["orientation", "class", "copy", "corona"]),
    help="Meaning of the colors of tiles in a drawing.",
)
@click.option(
    "--order",
    metavar="N",
    help="In place of PIECE, make a census of all polyforms of order N on --lattice. A range such "
    "as 1..8 makes several; --store and --json take only one order.",
)
@click.option(
    "--store",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Keep the results of a census in FILE; if FILE exists, continue its census.",
)
@click.option(
    "--shard",
    type=options.Shard(),
    metavar="I/N",
    help="Only a share of a census: 3/200 is the third of 200.",
)
@options.workers("Number of processes for a census.", default=1)
@options.output
@options.time_limit()
@options.certificate
@options.exit_code
@options.quiet()
def command(**given: Any) -> int:
    """Decide whether copies of a piece, or of several, tile the plane or space, and show why.

    PIECE is the name of a piece, or several names such as F,X. SET is a name such as tetrominoes.
    FILE.toml stands for the pieces of its puzzle. The evidence is checked by separate code.

    A tiling is given by its period: translations, and the copies that they repeat. If a piece does
    not tile, its Heesch number is the largest number of complete rings of copies, called coronas,
    that can surround a copy.

    With --order, the answer is a census: which polyforms tile, with which periods, and the Heesch
    numbers of the others.

    -o draws the tiling, or else a copy with its coronas, as .svg, .png or .pdf. With --order, it
    draws all polyforms; with --disc, the best attempt to cover the cells around a copy.
    """
    if given["order"] is not None:
        return _census(given)
    from exactile.search.limits import Limits
    from exactile.surveys.tiling.verbs import tile

    output = given["output"]
    form = None if output.name == "-" else form_of(output.name, SHEETS, default="svg")
    line = Line(enabled=not given["quiet"])
    limits = Limits(given["time_limit"])
    limits.begin()
    prototiles = _prototiles(given)
    try:
        answer = tile(
            prototiles,
            freedom=given["freedom"],
            crossing=not may_cross(),
            each=given["each"],
            least=given["least"],
            heesch=given["heesch"],
            copies=given["copies"],
            coronas=given["coronas"],
            effort=given["effort"],
            disc=given["disc"],
            certificate=given["certificate"],
            proofs=given["proofs"],
            limits=limits,
            watch=lambda: line.show("searching"),
        )
    except Interrupted as stop:
        answer = stop.answer
    finally:
        line.clear()
    if given["as_json"]:
        print_json(answer)
    else:
        click.echo("\n".join(answer_lines(answer)))
    if given["proofs"] is not None and not (answer.proofs or answer.stopped or given["quiet"]):
        why = "there is no refutation to prove, or it is too large"
        click.echo(f"{given['proofs']} is not written: {why}.", err=True)
    if form is not None:
        from exactile.render.pictures import write_svg
        from exactile.render.tilings import draw_tiling

        write_svg(draw_tiling(answer, color=given["color"]), output, form)
    stopped = answer.stopped if answer.verdict == "open" or answer.stopped == INTERRUPTED else None
    return exit_code(STATUS[answer.verdict], stopped)


def _census(given: dict[str, Any]) -> int:
    """Make and print the censuses that --order requests; return the exit code.

    `given`: the options of the command. Raise click.UsageError if --lattice is missing, or if
    several orders come with --store or --json.
    """
    from exactile.geometry import get_lattice
    from exactile.puzzle.pieces.piece import customary_freedom
    from exactile.runs.store import store_to_fill
    from exactile.search.limits import Limits
    from exactile.surveys.tiling.census import EFFORT, Census

    orders = orders_of(given["order"])
    if given["lattice"] is None:
        raise click.UsageError("--order needs --lattice, such as --lattice square --order 8.")
    if len(orders) > 1 and (given["store"] is not None or given["as_json"]):
        raise click.UsageError("--store and --json are for a single order.")
    lattice = get_lattice(given["lattice"])
    censuses = [
        Census(
            lattice.name,
            order,
            given["freedom"] or customary_freedom(lattice).value,
            crossing=not may_cross(),
            effort=given["effort"] or EFFORT,
            most_copies=given["copies"],
            most_coronas=given["coronas"],
        )
        for order in orders
    ]
    limits = Limits(given["time_limit"])
    limits.begin()
    if given["store"] is None:
        return take_census(censuses, given, limits)
    with store_to_fill(given["store"]) as store:
        return take_census(censuses, given, limits, store)


def _prototiles(given: dict[str, Any]) -> tuple[Piece, ...]:
    """Return the prototiles (pieces that are to tile) that PIECE|SET|FILE or --units states.

    `given`: the options of the command. Raise click.UsageError unless exactly one of the two is
    given, if --units lacks --lattice, if FILE comes with --lattice, or if the region of its puzzle
    wraps around.
    """
    from exactile.files.puzzles.units import parse_units
    from exactile.files.reading import is_puzzle_file
    from exactile.surveys.tiling.verbs import prototiles_of

    if (given["pieces"] is None) == (given["units"] is None):
        raise click.UsageError("Give either PIECE|SET|FILE or --units.")
    if given["units"] is not None:
        if given["lattice"] is None:
            raise click.UsageError("--units needs --lattice, which gives units their meaning.")
        return prototiles_of(parse_units(given["units"]), given["lattice"], given["freedom"])
    if UNITS.fullmatch(given["pieces"]):
        usual = "square" if given["pieces"].split()[0].count(",") == 1 else "cube"
        raise click.UsageError(
            f"Units go with --units: --lattice {given['lattice'] or usual} "
            f"--units '{given['pieces']}'."
        )
    if is_puzzle_file(given["pieces"].partition("#")[0]):
        from exactile.files import load

        if given["lattice"] is not None:
            raise click.UsageError(
                f"--lattice is for PIECE, SET and --units: {given['pieces']} states its lattice."
            )
        puzzle = load(given["pieces"])
        if puzzle.region.wrap is not None:
            raise click.UsageError(
                "The region of this puzzle wraps around, but `tile` finds periods itself: name the "
                "pieces alone."
            )
        return prototiles_of(puzzle.pieces, None, given["freedom"])
    return prototiles_of(given["pieces"], given["lattice"], given["freedom"])


def answer_lines(answer: TilingAnswer) -> list[str]:
    """Return the lines that are printed for an answer."""
    names = " ".join(prototile.name for prototile in answer.prototiles)
    if len(names) > 40:
        names = f"{len(answer.prototiles)} prototiles"
    where = "space" if len(answer.prototiles[0].units[0]) > 2 and _is_solid(answer) else "the plane"
    steps = plural(answer.refutation_steps, "step")
    how = METHODS.get(answer.method or "", "").format(steps=steps)
    verb = {"tiles": f"tiles {where}", "does not tile": f"does not tile {where}"}
    lines = [f"{names}: {verb.get(answer.verdict, 'open')}{f' ({how})' if how else ''}"]
    if answer.tiling is not None:
        vectors = ", ".join(" ".join(map(str, vector)) for vector in answer.tiling.vectors)
        orbits = "isohedral" if answer.tiling.orbits == 1 else f"{answer.tiling.orbits} orbits"
        copies = plural(len(answer.tiling.copies), "copy", "copies") + _uses(answer)
        lines.append(f"  period {vectors}: {copies}, {orbits}")
        if answer.tiling.orbits > 1 and answer.isohedral is not None:
            way = {"one-sided": " by proper isometries", "fixed": " by translations"}
            how = "" if answer.isohedral else way.get(answer.freedom, "")
            lines.append(f"  {'an' if answer.isohedral else 'no'} isohedral tiling{how} exists")
    lines += _periods(answer)
    if answer.verdict == "open":
        lines.append(f"  a patch with {plural(answer.coronas, 'complete corona')} was found")
        lines.append(f"  the search stopped: {answer.stopped}")
    if answer.heesch is not None:
        solid, holed = answer.heesch.solid, answer.heesch.holed
        lines.append(f"  Heesch number {_bound(solid, answer.heesch.solid_at_least)}")
        lines.append(
            f"  with holes in the last corona {_bound(holed, answer.heesch.holed_at_least)}"
        )
    if answer.uncoverable is not None:
        lines += _uncoverable(answer.uncoverable)
    if answer.verdict != "open" and answer.stopped is not None:
        lines.append(f"  the search for more stopped: {answer.stopped}")
    if answer.proofs:
        lines.append(f"  proofs, verified: {' '.join(answer.proofs)}")
    if answer.certificate is not None:
        lines.append(f"  certificate, verified: {answer.certificate}")
    return lines


def _uncoverable(found: UncoverableUnits) -> list[str]:
    """Return lines about units that cannot all be covered around a tile."""
    few = "none to spare" if found.minimal else "perhaps some to spare"
    return [
        f"  within distance {found.distance}, {plural(len(found.units), 'unit')} cannot all be "
        f"covered, {few}",
        f"  the best attempt covers all but {len(found.missed)}",
    ]


def _is_solid(answer: TilingAnswer | TilingCensus) -> bool:
    from exactile.geometry import get_lattice

    return get_lattice(answer.lattice).dimension == 3


def _bound(number: int | None, least: int) -> str:
    return f"at least {least}" if number is None else str(number)


def _uses(answer: TilingAnswer) -> str:
    """Return how often a period uses each prototile, such as `` (2×F X)``.

    The text is empty if there is no tiling, or only one prototile.
    """
    if answer.tiling is None or len(answer.prototiles) == 1:
        return ""
    numbers = Counter(name for name, _ in answer.tiling.copies)
    uses = (f"{number}×{name}" if number > 1 else name for name, number in numbers.items())
    return f" ({' '.join(uses)})"


def _periods(answer: TilingAnswer) -> list[str]:
    """Return a line with the least number of copies in a period, or with a lower bound above 1.

    Return no line if the least number is 1, if no bound above 1 is known, if there are several
    prototiles, or if the prototile does not tile.
    """
    if len(answer.prototiles) > 1 or answer.verdict == "does not tile":
        return []
    excluded = plural(answer.periods_excluded, "period") + " excluded"
    if answer.least_copies is not None:
        if answer.least_copies == 1:
            return []
        return [f"  no period has fewer than {answer.least_copies} copies ({excluded})"]
    if answer.copies_at_least > 1:
        return [f"  no period has fewer than {answer.copies_at_least} copies ({excluded})"]
    return []


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
"""The columns of the table of a census, by field of the answer, with their headings."""


def orders_of(text: str) -> list[int]:
    """Return the orders of a text such as ``9`` or ``1..9``.

    Raise click.BadParameter for any other text.

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
    """Make or continue censuses, print or write them, and return the exit code.

    `given`: the options of the command. `store`: the store that keeps the results; None for none.
    """
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
                shard=given["shard"] or (1, 1),
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
    lacking = any(answer.done < answer.forms for answer in answers) and not given["shard"]
    if code == 0 and (lacking or any(answer.stopped for answer in answers)):
        code = UNFINISHED
    return code


def _report(answers: Sequence[TilingCensus], given: dict[str, Any], form: str | None) -> None:
    """Print a single census as JSON, or write censuses to the output as a table, CSV or pictures.

    A table names unfinished censuses; with CSV or pictures, they are reported on stderr, unless
    --quiet is given.
    """
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
    """Yield the lines of a table with a row for each census, then lines with details."""
    yield from _rows(answers)
    for answer in answers:
        yield from _lacking(answer)
        yield from _numbers(answer)


def _rows(answers: Sequence[TilingCensus]) -> Iterator[str]:
    rows = [list(COLUMNS.values())]
    for answer in answers:
        untried = "half_turn" if _is_solid(answer) else ""
        rows.append(["-" if n == untried else f"{getattr(answer, n):,}" for n in COLUMNS])
    widths = [max(len(row[k]) for row in rows) for k in range(len(COLUMNS))]
    for row in rows:
        yield " ".join(word.rjust(width) for word, width in zip(row, widths, strict=True))


def _lacking(answer: TilingCensus) -> Iterator[str]:
    """Yield a line if a census is unfinished: how many polyforms are done, and why not all."""
    if answer.done < answer.forms:
        why = f": {answer.stopped}" if answer.stopped else ""
        yield f"order {answer.order}: {answer.done:,} of {answer.forms:,} forms are known{why}"


def _numbers(answer: TilingCensus) -> Iterator[str]:
    """Yield lines with the number of polyforms for each least period and each Heesch number."""
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
    """Return censuses as CSV, with a line for each polyform."""
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

    from exactile.runs.store.opening import reader

    if not Path(path).is_file():
        return False
    try:
        with closing(reader(path)) as base:
            return base.execute("SELECT 1 FROM census").fetchone() is not None
    except (sqlite3.Error, UnicodeDecodeError):  # opening it reports the fault
        return False


def resume_census(
    path: str, workers: int | None, time_limit: float | None, *, quiet: bool, as_json: bool
) -> int:
    """Continue the census in a store, and print it; return the exit code.

    `workers`: number of processes; by default, one for each processor. `time_limit`: in seconds;
    None for no limit.
    """
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
            "shard": None,
        }
        return take_census([found[0]], given, Limits(time_limit), store)


def print_census(path: str, *, as_json: bool) -> None:
    """Print the census that a store keeps, as a table or as JSON."""
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
