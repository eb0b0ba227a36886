"""Models in the MPS format, which every program for integer programs reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

import numpy as np

from exactile.files.models.rows import NO_BOUND, Rows, linear_rows
from exactile.files.models.words import option_texts
from exactile.model.model import Model


def write_mps(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write a model as an integer program with an empty objective.

    Fixed MPS: names have up to eight characters and stand in the columns that the format gives
    them; as no name has spaces, readers of free MPS read it too. Variable ``x1`` is option 0, row
    ``i1`` item 0; comments say what they are. Rows with two bounds have a range.

    Parameters are those of `exactile.files.models.exact_cover_writer.write_exact_cover`.

    >>> import sys
    >>> write_mps(Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1]), sys.stdout)
    * x1 item0
    * x2 item0 item1
    * i1 item0
    NAME          EXACTILE
    ROWS
     N  obj
     E  i1
    COLUMNS
        MARKER    'MARKER'                 'INTORG'
        x1        i1        1
        x2        i1        1
        MARKER    'MARKER'                 'INTEND'
    RHS
        rhs       i1        1
    BOUNDS
     BV bnd       x1
     BV bnd       x2
    ENDATA
    """
    rows = linear_rows(model)
    output.writelines(f"* {' '.join(text.split())}\n" for text in comments)
    for variable, text in enumerate(option_texts(model, colors), start=1):
        output.write(f"* x{variable} {text}\n")
    for name in rows.names:
        if name[0] == "i":
            output.write(f"* {name} {model.meaning.short_labels[int(name[1:]) - 1]}\n")
    output.write("NAME          EXACTILE\nROWS\n N  obj\n")
    output.writelines(f" {kind}  {name}\n" for kind, name in _kinds(rows))
    output.write("COLUMNS\n    MARKER    'MARKER'                 'INTORG'\n")
    output.writelines(_columns(rows))
    output.write("    MARKER    'MARKER'                 'INTEND'\nRHS\n")
    output.writelines(_right_sides(rows))
    output.writelines(_ranges(rows))
    output.write("BOUNDS\n")
    output.writelines(f" BV bnd       x{v}\n" for v in range(1, rows.variables + 1))
    output.write("ENDATA\n")


def _kinds(rows: Rows) -> Iterator[tuple[str, str]]:
    for name, low, high in zip(rows.names, rows.lower.tolist(), rows.upper.tolist(), strict=True):
        yield "E" if low == high else "G" if high == NO_BOUND else "L", name


def _columns(rows: Rows) -> Iterator[str]:
    """Yield the coefficients, by variable; a variable without any gets one in the objective."""
    row = np.repeat(np.arange(len(rows)), np.diff(rows.first))
    idle = np.setdiff1d(np.arange(rows.variables), rows.members)
    members = np.concatenate([rows.members, idle])
    signs = np.concatenate([rows.signs, np.zeros_like(idle)])
    row = np.concatenate([row, np.full_like(idle, len(rows))])
    order = np.lexsort((row, members))
    names = [*rows.names, "obj"]
    columns = (members[order] + 1, row[order], signs[order])
    for variable, r, sign in zip(*(c.tolist() for c in columns), strict=True):
        yield f"    {f'x{variable}':<8}  {names[r]:<8}  {sign}\n"


def _right_sides(rows: Rows) -> Iterator[str]:
    sides = np.where(rows.upper < NO_BOUND, rows.upper, rows.lower)
    for name, side in zip(rows.names, sides.tolist(), strict=True):
        if side:
            yield f"    rhs       {name:<8}  {side}\n"


def _ranges(rows: Rows) -> Iterator[str]:
    """Yield the range of each row with two bounds."""
    both = (rows.lower > 0) & (rows.lower < rows.upper) & (rows.upper < NO_BOUND)
    if both.any():
        yield "RANGES\n"
    for r in np.flatnonzero(both).tolist():
        yield f"    rng       {rows.names[r]:<8}  {int(rows.upper[r] - rows.lower[r])}\n"
