"""Models in the LP format that CPLEX, HiGHS, Gurobi, SCIP and others read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from exactile.files.models.rows import NO_BOUND, Rows, linear_rows
from exactile.files.models.words import option_texts
from exactile.model.model import Model

WIDTH = 240
"""Lines are shorter than this: some readers take 255 characters."""


def write_lp(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    r"""Write a model as an integer program without objective.

    Variable ``x1`` is option 0, row ``i1`` item 0; comments say what they are. An item whose bounds
    differ has a second row, ``i1u``, if both matter; one that excludes nothing has none.

    Parameters are those of `exactile.files.models.exact_cover_writer.write_exact_cover`.

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
    for line in _constraints(rows):
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


def _constraints(rows: Rows) -> Iterator[str]:
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
