"""Models in MiniZinc, written to be readable."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import IO

from exactile.files.models.rows import NO_BOUND, Uses, uses
from exactile.files.models.words import option_texts
from exactile.model.model import Model


def write_minizinc(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    r"""Write a model: an array of options, chosen or not, and one constraint for each item.

    Items that exclude nothing have no constraint. Solutions are printed as the names of the chosen
    options, one on each line.

    Parameters are those of `exactile.files.models.exact_cover_writer.write_exact_cover`.

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
    output.writelines(_constraints(model, found))
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


def _constraints(model: Model, found: Uses) -> Iterator[str]:
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
