"""`exactile show` and `pieces`: a description of puzzles, and the polyforms of an order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np
import rich_click as click
from msgspec.structs import replace

from exactile.answers import (
    Coordinates,
    FactsTable,
    LedgerFacts,
    Polyform,
    PolyformList,
    PuzzleFacts,
    SymmetryNumbers,
)
from exactile.cli import options, words
from exactile.cli.common import is_given
from exactile.cli.inline import read_puzzle
from exactile.cli.output import SHEETS, Output, print_json, require_file
from exactile.cli.several import FORMS, Told, answer_each
from exactile.cli.table import options_of
from exactile.cli.words import Line, Progress, plural
from exactile.errors import ExactileError, NotFoundError, PieceError
from exactile.files.puzzles.catalogue import LedgerEntry, ledger
from exactile.files.puzzles.units import write_units
from exactile.files.reading import NamedPuzzle
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice
from exactile.geometry.wrap import wrap_words
from exactile.puzzle import Known, OpenRule, Puzzle, UseRule
from exactile.puzzle.paint import Paint
from exactile.puzzle.pieces.generate import count_forms, generate, is_chosen
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.puzzle.pieces.sets import names_of
from exactile.puzzle.puzzle import OURS
from exactile.render import draw_text
from exactile.render.text import SYMBOLS, draw_marks
from exactile.search.case import Case
from exactile.search.search import facts

if TYPE_CHECKING:
    from exactile.render.layout import Colors

OPTIONS = {"holes": "holes/--no-holes"}
"""Names of options, for messages, by the name of the parameter if the two differ."""

MOST_TO_CUT = 10_000
"""Largest number of pieces that --cell draws at actual size, to be cut out."""

UP_TO = {"raw": "in all", "rotation": "up to rotation", "symmetry": "up to symmetry"}


@options_of("show")
@options.table_form(*FORMS)
@options.sort("puzzle", "lattice", "units", "options", "symmetries")
def show_command(
    puzzle: Puzzle | list[NamedPuzzle], table: str | None, sort: str | None, as_json: bool
) -> int:
    """Show the pieces, region and symmetries of a puzzle, and its known numbers of solutions.

    For a table of several puzzles, name them one after the other, or write FILE.toml for all
    puzzles of a file, or a pattern such as 'FILE.toml#day-*'.
    """
    if isinstance(puzzle, list):

        def facts_of(named: NamedPuzzle, _: Progress) -> Told:
            return _described(named.load())[0], 0

        return answer_each(puzzle, facts_of, FactsTable, sort=sort, form=table, as_json=as_json)
    described, known = _described(puzzle)
    if as_json:
        print_json(described)
        return 0
    optional = f", {described.optional_units} of them optional" if described.optional_units else ""
    lines = [
        ("id", described.puzzle),
        ("aliases", ", ".join(described.aliases)),
        ("lattice", described.lattice),
        ("pieces", " ".join(_use(p) for p in puzzle.pieces)),
        ("omitted", _choice(puzzle)),
        *((rule.kind, rule.text) for rule in puzzle.color_rules),
        *(("open", _opened(puzzle, rule)) for rule in puzzle.open_rules),
        *(("used", _used(puzzle, rule)) for rule in puzzle.use_rules),
        ("paint", described.paint or ""),
        *(("given", f"{piece}@{write_units(list(units))}") for piece, units in described.fixed),
        ("crossing", "pieces may cross" if described.crossing is False else ""),
        ("units", f"{described.units}{optional}"),
        ("wrap", wrap_words(described.wrap, described.glide)),
        ("symmetries", _symmetries(described.symmetries)),
        ("model", f"{plural(described.items, 'item')}, {plural(described.options, 'option')}"),
        *(("counted" if k.source == OURS else "published", _published(k)) for k in puzzle.known),
        ("source", described.source),
        ("unsolvable", described.unsolvable_because or ""),
        ("ledger", _words(known) if known else ""),
    ]
    click.echo(puzzle.title or puzzle.name)
    for label, text in lines:
        if text:
            click.echo(fill(text, 79, initial_indent=f"  {label:12}", subsequent_indent=" " * 14))
    click.echo()
    click.echo(draw_text(puzzle, puzzle.fixed), nl=False)
    if puzzle.paint:
        click.echo(f"\n{_painted(puzzle)}", nl=False)
    return 0


def _described(puzzle: Puzzle) -> tuple[PuzzleFacts, LedgerEntry | None]:
    """Return facts about a puzzle, and its record in the ledger of counts, or None."""
    case = Case(puzzle)
    known = next((e for e in ledger().values() if e.digest == case.digest), None)
    return replace(facts(case), ledger=None if known is None else _facts(known)), known


def _facts(known: LedgerEntry) -> LedgerFacts:
    numbers = known.numbers
    return LedgerFacts(
        id=known.id,
        status=known.status,
        method=known.method,
        reason=known.reason,
        raw=numbers.raw if numbers else None,
        rotation=numbers.rotation if numbers else None,
        symmetry=numbers.symmetry if numbers else None,
        at_least=known.at_least,
        sampled=known.sampled,
    )


def _words(known: LedgerEntry) -> str:
    """Return a record of the ledger in words, such as ``5 solutions, 2 up to symmetry``."""
    if known.numbers is None:
        estimate = f"; {known.sampled.words} (estimate, all)" if known.sampled else ""
        return f"open; {plural(known.at_least, 'solution')} known{estimate}"
    if not known.numbers.raw:
        return f"no solution: {known.reason}"
    how = f" ({known.method})" if known.method else ""
    found = plural(known.numbers.raw, "solution")
    return f"{found}, {known.numbers.symmetry:,} up to symmetry{how}"


def _symmetries(numbers: SymmetryNumbers) -> str:
    """Return the number of symmetries in words, such as ``4, 2 of them rotations``."""
    if numbers.all == 1:
        return "1 (none but the identity)"
    if numbers.proper == 1:
        return f"{numbers.all}, of which only the identity is a rotation"
    return f"{numbers.all}, {numbers.proper} of them rotations"


def _painted(puzzle: Puzzle) -> str:
    """Return a drawing of the region with a letter for the paint of each unit, and the legend."""
    names = sorted(set(puzzle.paint.units.values()))
    initials = [name[0] for name in names]
    letters = initials if len(set(initials)) == len(names) else SYMBOLS
    signs = dict(zip(names, letters, strict=False))
    marks = [
        signs.get(puzzle.paint.units.get(tuple(u), ""), "") for u in puzzle.region.units.tolist()
    ]
    legend = "  ".join(f"{sign}: {name}" for name, sign in signs.items() if name != sign)
    return draw_marks(puzzle, marks) + (f"\n{legend}\n" if legend else "")


def _use(piece: Piece) -> str:
    if (piece.lower, piece.upper) == (1, 1):
        return piece.name
    if piece.lower == piece.upper:
        return f"{piece.lower}×{piece.name}"
    return f"{piece.lower}..{piece.upper}×{piece.name}"


def _choice(puzzle: Puzzle) -> str:
    omission = puzzle.omission
    return f"{omission.count} of {' '.join(omission.names)}" if omission else ""


def _opened(puzzle: Puzzle, rule: OpenRule) -> str:
    """Return in words how many of some units stay uncovered, such as ``exactly 1 of 0,0 1,0``."""
    units = puzzle.lattice.coordinates(np.array(rule.units, dtype=np.int64))
    return f"{rule.bounds} of {write_units(units)}"


def _used(puzzle: Puzzle, rule: UseRule) -> str:
    """Return in words how many of some pieces must be used, such as ``at least 1 of F X``.

    If the rule has places, they follow, as in ``at least 1 of X on 0,0 1,0 or 2,0 3,0``.
    """
    places = (puzzle.lattice.coordinates(np.array(p, dtype=np.int64)) for p in rule.places)
    where = " or ".join(map(write_units, places))
    return f"{rule.bounds} of {' '.join(rule.pieces)}" + (f" on {where}" if where else "")


def _published(known: Known) -> str:
    """Return a published number with its source; if it is known to be wrong, add the reason."""
    text = f"{known.count:,} {UP_TO[known.up_to]} ({known.source})"
    return f"{text}, wrong: {known.refuted}" if known.refuted else text


@options_of("pieces")
@click.argument("lattice", metavar="LATTICE|SET|PUZZLE", shell_complete=words.lattices)
@click.argument("order", type=options.Whole(), required=False)
@click.option("--one-sided", is_flag=True, help="Count mirror images as different polyforms.")
@click.option("--fixed", is_flag=True, help="Count all orientations as different polyforms.")
@click.option(
    "--quasi",
    is_flag=True,
    help="Also list polyforms whose units are joined across a gap of one unit.",
)
@click.option(
    "--holes/--no-holes",
    default=None,
    help="--holes: only polyforms with holes; --no-holes: only those without. By default, both.",
)
@options.symmetric("Only polyforms with at least N symmetries, the identity included.")
@options.counted("Print only the number of polyforms.")
@options.form("text", *SHEETS, default="text")
@options.columns
@options.cell(" The pieces are laid out on pages (.pdf, .svg, .png), to be cut out.")
@options.paper(default=None, help="With --cell, page size; by default, a4.")
@options.colors
@options.output
@options.as_json
def pieces_command(
    lattice: str,
    order: int | None,
    one_sided: bool,
    fixed: bool,
    quasi: bool,
    holes: bool | None,
    symmetric: int,
    counted: bool,
    form: str,
    columns: int | None,
    cell: float | None,
    paper: str | None,
    colors: Colors,
    output: Output,
    as_json: bool,
) -> None:
    """List or draw all polyforms of ORDER units on LATTICE: `square 5` lists the pentominoes.

    By default, turned and reflected copies count as equal. A common name may replace LATTICE and
    ORDER: `pentominoes` is short for `square 5`. The pieces of a PUZZLE, or of a SET such as
    one-sided-tetrominoes, are listed and drawn in the same way, but without --json and the options
    that choose or distinguish polyforms.

    --cell draws the pieces at actual size on pages of paper, with all copies that a puzzle uses.
    In the formats svg and png, each page has its own file: -o 'page-{page}.svg'.
    """
    if cell is not None and form not in SHEETS:
        raise click.UsageError("--cell draws pieces: name a file, -o pieces.pdf.")
    sheet = partial(_write_pieces, form, output, columns, cell, paper or "a4", colors)
    if order is None:
        stated = _stated_pieces(lattice)
        if stated is not None:
            _require_order(as_json=as_json)
            _report_pieces(*stated, sheet, form, output, counted=counted)
            return
        lattice, order = _named(lattice)
    grid = get_lattice(lattice)
    freedom = Freedom.FIXED if fixed else Freedom.ONE_SIDED if one_sided else Freedom.FREE
    chosen = partial(is_chosen, lattice=grid, holes=holes, symmetric=symmetric)
    if counted and holes is None and symmetric == 1:
        with Line() as line:
            total = count_forms(grid, order, freedom, quasi=quasi, watch=line.show)
    else:
        forms = generate(grid, order, freedom, quasi=quasi)
        kept = np.flatnonzero([chosen(form) for form in forms])
        total = len(kept)
    if counted and not as_json:
        output.write(f"{total}\n")
        return
    made = [] if counted else _named_forms(forms, kept, grid, freedom, quasi=quasi)
    if as_json:
        answer = PolyformList(
            lattice=grid.name,
            order=order,
            freedom=freedom.value,
            quasi=quasi,
            holes=holes,
            symmetric=symmetric,
            count=total,
            pieces=tuple(Polyform(name=n, units=u) for n, u in made),
        )
        print_json(answer)
        return
    kind = "quasi-" if quasi else ""
    number = plural(
        total, f"{freedom.value} {kind}{grid.polyform}", f"{freedom.value} {kind}{grid.plural}"
    )
    title = f"{number} of order {order}"
    title += "" if holes is None else " with holes" if holes else " without holes"
    title += f", with {symmetric} symmetries or more" * (symmetric > 1)
    if form in SHEETS and not made:
        raise PieceError(f"There is nothing to draw: {title}.")
    if form in SHEETS:
        drawn = [
            Piece(name or "-", grid, tuple(map(tuple, points)), freedom)
            for (name, _), points in zip(made, forms[kept].tolist(), strict=True)
        ]
        sheet(drawn, [1] * len(drawn), title, Paint())
    else:
        for name, where in made:
            output.write(f"{name or '-'}  {' '.join(','.join(map(str, u)) for u in where)}\n")
    click.echo(title, err=True)


def _named_forms(
    forms: Points, kept: Points, grid: Lattice, freedom: Freedom, *, quasi: bool
) -> list[tuple[str | None, tuple[Coordinates, ...]]]:
    """Return for each chosen polyform its name, or None, and its units in customary coordinates.

    `forms`: polyforms of an order. `kept`: indices of the chosen ones.
    """
    names = names_of(forms, grid, freedom, quasi=quasi)
    units = (map(tuple, grid.coordinates(forms[k])) for k in kept)
    return [(names[k], tuple(own)) for k, own in zip(kept, units, strict=True)]


def _write_pieces(
    form: str,
    output: Output,
    columns: int | None,
    cell: float | None,
    paper: str,
    colors: Colors,
    pieces: Sequence[Piece],
    copies: Sequence[int],
    title: str,
    paint: Paint,
) -> None:
    """Draw each piece once; with --cell, draw pages with all copies of the pieces at actual size.

    `cell`: the value of --cell; None for no pages. `copies`: number of copies of each piece.
    `paint`: the paint of the puzzle. Raise click.UsageError if pages would have more than
    `MOST_TO_CUT` pieces, or if the output does not go with the format or the number of pages.
    """
    require_file(form, output)
    if cell is None:
        from exactile.render.pictures import write_pieces

        write_pieces(pieces, output, form, title, columns, paint)
        return
    from exactile.cli.drawing_commands import write_each
    from exactile.render.sheets import draw_cutouts

    if sum(copies) > MOST_TO_CUT:
        raise click.UsageError(
            f"These are {sum(copies):,} pieces to cut out: the limit is {MOST_TO_CUT:,}."
        )
    every = [p for p, number in zip(pieces, copies, strict=True) for _ in range(number)]
    pages = draw_cutouts(every, cell=cell, paper=paper, title=title, colors=colors, paint=paint)
    write_each(pages, form, output)


def _stated_pieces(reference: str) -> tuple[str, tuple[Piece, ...], list[int], Paint] | None:
    """Return the title of a puzzle or set, its pieces, and the numbers of copies and the paint.

    The numbers are the largest for each piece.

    Return None if `reference` names a lattice, such as ``square``, or all polyforms of an order,
    such as ``pentominoes``. Raise NotFoundError if there is no such puzzle, set or piece,
    click.UsageError if a piece of a set has no upper bound.
    """
    from exactile.files.puzzles.piece_groups import WITHOUT_LIMIT, lattice_of, read_pieces
    from exactile.files.sources import Place

    with suppress(click.UsageError, NotFoundError, PieceError):
        _named(reference)
        return None
    if reference in lattice_names():
        return None
    try:
        puzzle = read_puzzle(reference)
    except NotFoundError as unknown:
        try:
            grid = get_lattice(lattice_of(reference))
            pieces, _ = read_pieces(reference, grid, Place("pieces"))
        except ExactileError as error:
            raise (error if "Did you mean" in str(error) else unknown) from None
        for piece in pieces:
            if piece.upper == WITHOUT_LIMIT:
                raise click.UsageError(
                    f"Without a region, {piece.name} has no limit: say how many there are at most, "
                    f"such as 0..8x{piece.name}."
                ) from None
        return reference, pieces, [piece.upper for piece in pieces], Paint()
    units = len(puzzle.region)
    copies = [min(piece.upper, units // len(piece.units)) for piece in puzzle.pieces]
    return puzzle.title or puzzle.name, puzzle.pieces, copies, puzzle.paint


def _require_order(*, as_json: bool) -> None:
    """Raise click.UsageError if an option is given that needs all polyforms of an order."""
    own = ("one_sided", "fixed", "quasi", "holes", "symmetric")
    given = [name for name in own if is_given(name)]
    if given or as_json:
        name = "json" if as_json else OPTIONS.get(given[0], given[0].replace("_", "-"))
        raise click.UsageError(
            f"--{name} is for LATTICE ORDER, or a complete order such as pentominoes."
        )


def _report_pieces(
    title: str,
    pieces: Sequence[Piece],
    copies: Sequence[int],
    paint: Paint,
    sheet: Callable[[Sequence[Piece], Sequence[int], str, Paint], None],
    form: str,
    output: Output,
    *,
    counted: bool,
) -> None:
    """Draw or list the pieces of a puzzle; if `counted`, only print the number of all copies.

    `title`: the name of the puzzle. `copies`: number of copies of each piece. `sheet`: draws pieces
    with their numbers of copies, a title, and the paint of the puzzle.
    """
    if counted:
        output.write(f"{sum(copies)}\n")
        return
    if form in SHEETS:
        sheet(pieces, copies, title, paint)
    else:
        for piece in pieces:
            units = piece.lattice.coordinates(np.array(piece.units))
            output.write(f"{_use(piece)}  {' '.join(','.join(map(str, u)) for u in units)}\n")
    click.echo(f"{title}: {plural(sum(copies), 'piece')}", err=True)


def _named(name: str) -> tuple[str, int]:
    """Return the lattice and the order of a complete set: ("square", 5) for ``pentominoes``.

    Raise click.UsageError for a lattice, or for a set that is not complete; NotFoundError if the
    name is unknown; PieceError if it is malformed or belongs to several lattices.
    """
    from exactile.files.puzzles.piece_groups import lattice_of
    from exactile.puzzle.pieces.sets import simplified, singular

    if name in lattice_names():
        raise click.UsageError(f"Give an order, too: exactile pieces {name} 4.")
    grid = get_lattice(lattice_of(name))
    for each, order in grid.sets.items():
        if singular(simplified(each)) == singular(simplified(name)):
            return grid.name, order
    raise click.UsageError(
        f"'{name}' is not a complete order: write LATTICE ORDER, such as {grid.name} 4; with "
        "--one-sided, mirror images count as different."
    )
