"""`exactile new`: a puzzle file to begin with."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from exactile.atomic import written
from exactile.cli.output import OutputPath
from exactile.errors import FileError

TEMPLATE = """\
# A puzzle file. Try:
#   exactile show {file}     what it is
#   exactile solve {file}    a solution
#   exactile count {file}    how many there are
# The documentation of puzzle files explains every key.
format = 1

[puzzle.{name}]
title = "Pentominoes, 6 by 10"

# square, cube, hexagon, triangle, kites, square-edges, triangle-edges, hexagon-edges, cube-faces,
# cube-edges, quarter-squares or sixth-triangles
lattice = "square"

# A set by its name. "only" and "omit" choose pieces, "copies" says how often each is used.
pieces = {{ set = "pentominoes" }}
# pieces = "30xdomino, X"
# pieces = {{ set = "pentominoes", omit = ["X"], copies = {{ Y = 2 }} }}
# Pieces of your own, in coordinates:
# pieces = {{ cells = {{ A = "0,0 1,0 2,0", B = "0,0 1,0 1,1" }} }}

# The region: a box, or a drawing, where # is a cell to be covered and + one that may stay empty.
region.box = [10, 6]
# region.drawing = '''
# .####.
# ######
# .####.
# '''

# Placements that every solution has:
# fixed = [{{ piece = "X", units = "2,1 1..3,2 2,3" }}]
"""


@click.command("new")
@click.argument("file", type=OutputPath("toml"), default="-", metavar="[FILE.toml]")
def command(file: str) -> None:
    """Write a puzzle file to begin with, which explains itself; to standard output without FILE."""
    if file != "-" and Path(file).suffix != ".toml":
        raise click.UsageError(f"A puzzle file ends with .toml: write {file}.toml.")
    if file != "-" and Path(file).exists():
        raise FileError(f"{file} already exists; choose another name.")
    with written(file) as stream:
        name = "mine" if file == "-" else file
        stream.write(TEMPLATE.format(file=name, name="mine"))
    if file != "-":
        click.echo(f"{file}: change it as you like, then: exactile solve {file}", err=True)
