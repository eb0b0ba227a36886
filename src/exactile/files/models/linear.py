"""Models as linear constraints, in formats of pseudo-Boolean, integer and constraint solvers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import IO

import numpy as np

from exactile.files.models.exact_cover import option_texts
from exactile.model.linear import NO_BOUND, Rows, Uses, linear_rows, uses
from exactile.model.model import Model


def write_opb(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write a model: one constraint for each item, two if its bounds differ and both matter.

    Variable ``x1`` is option 0; comments say what each places. Items that exclude nothing have no
    constraint.

    Parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

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


def write_mps(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write a model as an integer program with an empty objective.

    Fixed MPS: names have up to eight characters, in fixed columns; without spaces in names, it is
    also free MPS. Variable ``x1`` is option 0, row ``i1`` item 0; comments say what they are. Rows
    with two bounds have a range.

    Parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

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


WIDTH = 240
"""Lines have fewer characters: some readers accept only 255."""


def write_lp(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    r"""Write a model as an integer program without objective.

    Variable ``x1`` is option 0, row ``i1`` item 0; comments say what they are. An item whose bounds
    differ has a second row, ``i1u``, if both matter; one that excludes nothing has none.

    Parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

    >>> import sys
    >>> write_lp(Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1]), sys.stdout)
    \ x1 item0
    \ x2 item0 item1
    \ i1 item0
    Minimize
     obj: 0 x1
    Subject To
     i1: x1 + x2 = 1
    Binary
     x1 x2
    End
    """
    rows = linear_rows(model)
    for text in _comments(model, rows, colors, comments):
        output.writelines(f"\\ {line}\n" for line in wrapped(text.split(" ")))
    output.write(f"Minimize\n obj:{' 0 x1' if rows.variables else ''}\nSubject To\n")
    for line in _lp_rows(rows):
        output.write(f" {line}\n")
    output.write("Binary\n")
    for line in wrapped(f"x{v}" for v in range(1, rows.variables + 1)):
        output.write(f" {line}\n")
    output.write("End\n")


def wrapped(words: Iterator[str] | list[str]) -> Iterator[str]:
    """Yield words in lines shorter than `WIDTH`; a longer word is cut.

    >>> [len(line) for line in wrapped(["x" * 100] * 5 + ["y" * 500])]
    [201, 201, 100, 239, 239, 22]
    """
    line = ""
    for whole in words:
        word = whole
        if line and len(line) + len(word) + 1 >= WIDTH:
            yield line
            line = ""
        while len(word) >= WIDTH:
            yield word[: WIDTH - 1]
            word = word[WIDTH - 1 :]
        line = f"{line} {word}" if line else word
    if line:
        yield line


def _comments(
    model: Model, rows: Rows, colors: Sequence[str], comments: Sequence[str]
) -> Iterator[str]:
    yield from (" ".join(text.split()) for text in comments)
    for variable, text in enumerate(option_texts(model, colors), start=1):
        yield f"x{variable} {text}"
    for name in rows.names:
        if name[0] == "i":
            yield f"{name} {model.meaning.short_labels[int(name[1:]) - 1]}"


def _lp_rows(rows: Rows) -> Iterator[str]:
    words = [
        f"{'+' if sign > 0 else '-'} x{v}"
        for sign, v in zip(rows.signs.tolist(), (rows.members + 1).tolist(), strict=True)
    ]
    starts = rows.first.tolist()
    for r, name in enumerate(rows.names):
        terms = words[starts[r] : starts[r + 1]]
        terms[0] = terms[0].removeprefix("+ ")
        low, high = int(rows.lower[r]), int(rows.upper[r])
        if low == high:
            yield from wrapped([f"{name}:", *terms, f"= {low}"])
            continue
        if low > 0 or high == NO_BOUND:
            yield from wrapped([f"{name}:", *terms, f">= {low}"])
        if high < NO_BOUND:
            yield from wrapped([f"{name}{'u' if low > 0 else ''}:", *terms, f"<= {high}"])


def write_minizinc(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    r"""Write a model: an array of options, chosen or not, and one constraint for each item.

    Items that exclude nothing have no constraint. Solutions are printed as the names of the chosen
    options, one on each line.

    Parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

    >>> import sys
    >>> write_minizinc(Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1]), sys.stdout)
    int: options = 2;
    array[1..options] of string: name = [
      "item0",
      "item0 item1",
    ];
    array[1..options] of var 0..1: x;  % x[o] is 1 where option o is taken
    constraint sum(o in {1, 2})(x[o]) = 1;  % item0
    solve satisfy;
    output [name[o] ++ "\n" | o in 1..options where fix(x[o]) = 1];
    """
    output.writelines(f"% {' '.join(text.split())}\n" for text in comments)
    output.write(f"int: options = {model.options};\narray[1..options] of string: name = [\n")
    # Strings of MiniZinc: of the characters that JSON escapes, only two occur.
    names = (json.dumps(text, ensure_ascii=False) for text in option_texts(model, colors))
    output.writelines(f"  {name},\n" for name in names)
    output.write("];\n")
    output.write("array[1..options] of var 0..1: x;  % x[o] is 1 where option o is taken\n")
    found = uses(model)
    output.writelines(_colors(found))
    output.writelines(_sums(model, found))
    output.write("solve satisfy;\n")
    output.write('output [name[o] ++ "\\n" | o in 1..options where fix(x[o]) = 1];\n')


def _colors(found: Uses) -> Iterator[str]:
    """Yield the definition of each color of an item: whether a chosen option gives it."""
    if found.colors:
        yield f"array[1..{found.colors}] of var 0..1: c;  % colors of items\n"
    for k, options in enumerate(found.painting(), start=1):
        yield f"constraint c[{k}] = max(o in {_set([o + 1 for o in options])})(x[o]);\n"


def _sums(model: Model, found: Uses) -> Iterator[str]:
    for item, (here, low, high) in zip(found.items.tolist(), found.sums(), strict=True):
        options = [v + 1 for v in here if v < model.options]
        colors = [v - model.options + 1 for v in here if v >= model.options]
        sums = [f"sum(o in {_set(options)})(x[o])"] if options or not colors else []
        sums += [f"sum(k in {_set(colors)})(c[k])"] if colors else []
        yield (
            f"constraint {' + '.join(sums)} {_relation(low, high)};"
            f"  % {model.meaning.short_labels[item]}\n"
        )


def _set(numbers: list[int]) -> str:
    return "{" + ", ".join(map(str, numbers)) + "}"


def _relation(low: int, high: int) -> str:
    if low == high:
        return f"= {low}"
    if high == NO_BOUND:
        return f">= {low}"
    return f"in {low}..{high}" if low else f"<= {high}"
