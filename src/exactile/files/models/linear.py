"""A model as linear constraints over variables 0..1, for the formats of linear programming.

One variable for each option, then one for each color of an item, which is 1 exactly if an option
with that color is chosen. Solutions of the model and of the constraints correspond one to one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import IO

import numpy as np

from exactile.files.models.exact_cover import option_texts
from exactile.model.model import Ints, Longs, Model


@dataclass(frozen=True, eq=False)
class Rows:
    """Constraints: row r says that ``lower[r] <= sum of variables <= upper[r]``."""

    variables: int  # number of variables: options first, then colors
    # first, members: row r has the variables `members[first[r]:first[r + 1]]`, counted from 0
    first: Longs
    members: Longs
    signs: Longs  # the coefficient of each member, 1 or -1
    lower: Longs  # bounds
    upper: Longs  # `NO_BOUND` below and above where there is none
    # The name of each row: `i3` for the third item, `c1`, `c2` ... for the meaning of colors.
    names: list[str]

    def __len__(self) -> int:
        return len(self.lower)


NO_BOUND = 2**40
"""Stands for infinity; no bound of an item is as large."""


@dataclass(frozen=True, eq=False)
class Uses:
    """The items of a model that exclude something, as sums of variables."""

    items: Longs  # their numbers
    first: Longs  # the variables of the k-th of them: `members[first[k]:first[k + 1]]`
    members: Longs  # those from `model.options` on are colors
    lower: Longs  # their bounds
    upper: Longs  # an upper bound that cannot be exceeded is `NO_BOUND`
    # color_first, color_options: the options of color k:
    # `color_options[color_first[k]:color_first[k + 1]]`
    color_first: Longs
    color_options: Longs

    @property
    def colors(self) -> int:
        """Number of colors of items."""
        return len(self.color_first) - 1


def uses(model: Model) -> Uses:
    """Return the items of a model as sums, without those whose bounds exclude nothing.

    >>> model = Model.of_options([[0], [0, 1], [0]], [0, 0], [1, 9], colors=[{0: 1}, {}, {0: 1}])
    >>> found = uses(model)  # item 1 excludes nothing; of item 0, option 1 or the color
    >>> found.items.tolist(), found.members.tolist(), found.color_options.tolist()
    ([0], [1, 3], [0, 2])
    """
    painted = model.colors > 0
    width = int(model.colors.max(initial=0)) + 1
    keys = model.members[painted].astype(np.int64) * width + model.colors[painted]
    kinds, kind = np.unique(keys, return_inverse=True)
    owners = np.concatenate([model.members[~painted].astype(np.int64), kinds // width])
    variables = np.concatenate([model.option_of[~painted], model.options + np.arange(len(kinds))])
    order = np.lexsort((variables, owners))
    owners, variables = owners[order], variables[order]
    counts = np.bincount(owners, minlength=model.items)
    lower, upper = model.lower.astype(np.int64), model.upper.astype(np.int64)
    kept = (lower > 0) | (upper < counts)
    upper[(upper >= counts) & (lower < upper)] = NO_BOUND
    by_kind = np.argsort(kind, kind="stable")
    return Uses(
        items=np.flatnonzero(kept),
        first=_starts(counts[kept]),
        members=variables[kept[owners]],
        lower=lower[kept],
        upper=upper[kept],
        color_first=_starts(np.bincount(kind, minlength=len(kinds))),
        color_options=model.option_of[painted][by_kind],
    )


def linear_rows(model: Model) -> Rows:
    """Return a model as linear constraints: its items, then the meaning of colors.

    A color is at least each of its options, and at most their sum. An item that must be covered but
    has no options becomes two contradicting rows on a variable of their own.

    >>> rows = linear_rows(Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1]))
    >>> rows.names, rows.members.tolist(), rows.lower.tolist(), rows.upper.tolist()
    (['i1'], [0, 1], [1], [1])
    """
    found = uses(model)
    number = np.diff(found.color_first)
    color = model.options + np.repeat(np.arange(found.colors), number)
    pairs = len(color)
    parts = [
        (np.diff(found.first), found.members, np.ones(len(found.members), dtype=np.int64)),
        # color - option >= 0, for each option of the color
        (
            np.full(pairs, 2),
            np.column_stack([color, found.color_options]).ravel(),
            np.tile([1, -1], pairs),
        ),
        # sum of options - color >= 0
        (
            number + 1,
            np.insert(
                found.color_options, found.color_first[1:], model.options + np.arange(found.colors)
            ),
            np.insert(np.ones(pairs, dtype=np.int64), found.color_first[1:], -1),
        ),
    ]
    lengths, members, signs = (np.concatenate(p) for p in zip(*parts, strict=True))
    meanings = pairs + found.colors
    rows = Rows(
        variables=model.options + found.colors,
        first=_starts(lengths),
        members=members,
        signs=signs,
        lower=np.concatenate([found.lower, np.zeros(meanings, dtype=np.int64)]),
        upper=np.concatenate([found.upper, np.full(meanings, NO_BOUND)]),
        names=[
            *(f"i{item + 1}" for item in found.items.tolist()),
            *(f"c{k}" for k in range(1, meanings + 1)),
        ],
    )
    return _without_empty(rows)


def _without_empty(rows: Rows) -> Rows:
    """Give rows without variables one that a further row fixes at 0."""
    empty = np.flatnonzero(np.diff(rows.first) == 0)
    if not len(empty):
        return rows
    places = np.append(rows.first[empty], len(rows.members))
    return Rows(
        variables=rows.variables + 1,
        first=_starts(np.append(np.maximum(np.diff(rows.first), 1), 1)),
        members=np.insert(rows.members, places, rows.variables),
        signs=np.insert(rows.signs, places, 1),
        lower=np.append(rows.lower, 0),
        upper=np.append(rows.upper, 0),
        names=[*rows.names, "never"],
    )


def _starts(lengths: Longs | Ints) -> Longs:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


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

    Fixed MPS: names have up to eight characters and stand in the columns that the format gives
    them; as no name has spaces, readers of free MPS read it too. Variable ``x1`` is option 0, row
    ``i1`` item 0; comments say what they are. Rows with two bounds have a range.

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
"""Lines are shorter than this: some readers take 255 characters."""


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
    output.writelines(f"  {_string(text)},\n" for text in option_texts(model, colors))
    output.write("];\n")
    output.write("array[1..options] of var 0..1: x;  % x[o] is 1 where option o is taken\n")
    found = uses(model)
    output.writelines(_colors(found))
    output.writelines(_sums(model, found))
    output.write("solve satisfy;\n")
    output.write('output [name[o] ++ "\\n" | o in 1..options where fix(x[o]) = 1];\n')


def _string(text: str) -> str:
    """Return a string of MiniZinc; of the characters that JSON escapes, only two occur."""
    return json.dumps(text, ensure_ascii=False)


def _colors(found: Uses) -> Iterator[str]:
    """Define when an item has a color: when a chosen option gives it."""
    if found.colors:
        yield f"array[1..{found.colors}] of var 0..1: c;  % colors of items\n"
    options = (found.color_options + 1).tolist()
    starts = found.color_first.tolist()
    for k, (start, end) in enumerate(pairwise(starts), start=1):
        yield f"constraint c[{k}] = max(o in {_set(options[start:end])})(x[o]);\n"


def _sums(model: Model, found: Uses) -> Iterator[str]:
    members = found.members.tolist()
    starts = found.first.tolist()
    bounds = zip(found.items.tolist(), found.lower.tolist(), found.upper.tolist(), strict=True)
    for k, (item, low, high) in enumerate(bounds):
        here = members[starts[k] : starts[k + 1]]
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
