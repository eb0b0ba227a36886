"""`exactile pieces`: all polyforms of an order on a lattice."""

from __future__ import annotations

import rich_click as click

from exactile.answers import Polyform, PolyformList
from exactile.cli import words
from exactile.cli.common import plural
from exactile.cli.options import (
    Whole,
    columns_option,
    count_option,
    format_option,
    json_option,
    output_option,
)
from exactile.cli.output import Output, print_json
from exactile.cli.pictures import SHEETS, require_file
from exactile.cli.table import options_of
from exactile.geometry import get_lattice, lattice_names
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.names import names_of
from exactile.puzzle.pieces.piece import Freedom, Piece


@options_of("pieces")
@click.argument("lattice", metavar="LATTICE|SET", shell_complete=words.lattices)
@click.argument("order", type=Whole(), required=False)
@click.option("--one-sided", is_flag=True, help="Count mirror images as different.")
@click.option("--fixed", is_flag=True, help="Count all orientations as different.")
@click.option("--quasi", is_flag=True, help="Units may be joined across a gap of one unit.")
@count_option("Print the number alone.")
@format_option("text", *SHEETS, default="text")
@columns_option
@output_option
@json_option
def command(
    lattice: str,
    order: int | None,
    one_sided: bool,
    fixed: bool,
    quasi: bool,
    counted: bool,
    form: str,
    columns: int | None,
    output: Output,
    as_json: bool,
) -> None:
    """Generate all polyforms of ORDER units on LATTICE; free ones by default.

    The customary name of all of them does in place of both: pentominoes for square 5.
    """
    if order is None:
        lattice, order = _named(lattice)
    grid = get_lattice(lattice)
    freedom = Freedom.FIXED if fixed else Freedom.ONE_SIDED if one_sided else Freedom.FREE
    forms = generate(grid, order, freedom, quasi=quasi)
    if counted and not as_json:
        output.write(f"{len(forms)}\n")
        return
    names = names_of(forms, grid, freedom, quasi=quasi)
    flat = grid.coordinates(forms.reshape(-1, grid.dimension))
    each = forms.shape[1]  # where a cell is several units, more than the order
    units = [flat[k : k + each] for k in range(0, len(flat), each)]
    if as_json:
        forms_named = zip(names, units, strict=True) if not counted else ()
        answer = PolyformList(
            lattice=grid.name,
            order=order,
            freedom=freedom.value,
            quasi=quasi,
            count=len(forms),
            pieces=tuple(Polyform(name=n, units=tuple(u)) for n, u in forms_named),
        )
        print_json(answer)
        return
    kind = "quasi-" if quasi else ""
    number = plural(
        len(forms), f"{freedom.value} {kind}{grid.polyform}", f"{freedom.value} {kind}{grid.plural}"
    )
    title = f"{number} of order {order}"
    if form in SHEETS:
        from exactile.render.pictures import write_pieces

        require_file(form, output)
        pieces = [
            Piece(name or "-", grid, tuple(map(tuple, points)), freedom)
            for name, points in zip(names, forms.tolist(), strict=True)
        ]
        write_pieces(pieces, output, form, title, columns)
    else:
        for name, where in zip(names, units, strict=True):
            output.write(f"{name or '-'}  {' '.join(','.join(map(str, u)) for u in where)}\n")
    click.echo(title, err=True)


def _named(name: str) -> tuple[str, int]:
    """Return the lattice and the order of a set."""
    from exactile.files.puzzles.piece_text import lattice_of
    from exactile.puzzle.pieces.sets import simplified, singular

    if name in lattice_names():
        raise click.UsageError(f"Say of which order, too: exactile pieces {name} 4.")
    grid = get_lattice(lattice_of(name))
    for each, order in grid.sets.items():
        if singular(simplified(each)) == singular(simplified(name)):
            return grid.name, order
    raise click.UsageError(
        f"'{name}' is no complete order: write LATTICE ORDER, such as {grid.name} 4; with "
        "--one-sided mirror images count as different."
    )
