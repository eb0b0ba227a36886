"""Models as linear pseudo-Boolean constraints, in the format of the PB competitions (OPB)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from exactile.files.models.rows import NO_BOUND, Rows, linear_rows
from exactile.files.models.words import option_texts
from exactile.model.model import Model


def write_opb(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write a model: one constraint for each item, two if its bounds differ and both matter.

    Variable ``x1`` is option 0; comments say what each places. Items that exclude nothing have no
    constraint.

    Parameters are those of `exactile.files.models.exact_cover_writer.write_exact_cover`.

    >>> import sys
    >>> write_opb(Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1]), sys.stdout)
    * #variable= 2 #constraint= 1
    * x1 item0
    * x2 item0 item1
    * item0
    +1 x1 +1 x2 = 1 ;
    """
    rows = linear_rows(model)
    lower, upper = rows.lower.tolist(), rows.upper.tolist()
    number = sum(
        1 if a == b else (a > 0 or b == NO_BOUND) + (b < NO_BOUND)
        for a, b in zip(lower, upper, strict=True)
    )
    output.write(f"* #variable= {rows.variables} #constraint= {number}\n")
    output.writelines(f"* {' '.join(text.split())}\n" for text in comments)
    for variable, text in enumerate(option_texts(model, colors), start=1):
        output.write(f"* x{variable} {text}\n")
    output.writelines(_constraints(model, rows))


def _constraints(model: Model, rows: Rows) -> Iterator[str]:
    variables = (rows.members + 1).tolist()
    signs = rows.signs.tolist()
    starts = rows.first.tolist()
    for r, name in enumerate(rows.names):
        span = slice(starts[r], starts[r + 1])
        low, high = int(rows.lower[r]), int(rows.upper[r])
        terms = list(zip(signs[span], variables[span], strict=True))
        if name[0] == "i":
            yield f"* {model.meaning.short_labels[int(name[1:]) - 1]}\n"
        text = " ".join(f"{sign:+d} x{v}" for sign, v in terms)
        if low == high:
            yield f"{text} = {low} ;\n"
            continue
        if low > 0 or high == NO_BOUND:
            yield f"{text} >= {low} ;\n"
        if high < NO_BOUND:
            yield f"{' '.join(f'{-sign:+d} x{v}' for sign, v in terms)} >= {-high} ;\n"
