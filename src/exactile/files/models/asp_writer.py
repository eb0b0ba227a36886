"""Models as answer-set programs, in the language of clingo (ASP-Core-2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from exactile.files.models.exact_cover import option_texts
from exactile.model.linear import NO_BOUND, uses
from exactile.model.model import Model


def write_asp(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write a program whose answer sets are the solutions: facts, and one constraint for all items.

    ``has(O,I)``: option O, from 1 on, contains item I. ``item(I,L,U)``: the bounds of the item.
    ``paint(O,I,C)``: the option gives the item color C. ``x(O)``: the option is taken. Items that
    exclude nothing are omitted.

    Parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

    >>> import sys
    >>> write_asp(Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1]), sys.stdout)
    option(1).  % item0
    option(2).  % item0 item1
    item(1,1,1).  has(1..2,1).  % item0
    { x(O) : option(O) }.
    :- item(I,L,U), not L <= #count { O : x(O), has(O,I) } <= U.
    #show x/1.
    """
    output.writelines(f"% {' '.join(text.split())}\n" for text in comments)
    for option, text in enumerate(option_texts(model, colors), start=1):
        output.write(f"option({option}).  % {text}\n")
    found = uses(model)
    painting = found.painting()
    for item, (here, low, high) in zip(found.items.tolist(), found.sums(), strict=True):
        facts = [f"item({item + 1},{low},{high if high < NO_BOUND else '#sup'})."]
        if options := [v + 1 for v in here if v < model.options]:
            facts.append(f"has({_pool(options)},{item + 1}).")
        for color in [v - model.options for v in here if v >= model.options]:
            painted = [option + 1 for option in painting[color]]
            facts.append(f"paint({_pool(painted)},{item + 1},{color + 1}).")
        output.write(f"{'  '.join(facts)}  % {model.meaning.short_labels[item]}\n")
    if not model.options:
        output.write("#defined option/1.\n")
    if not (found.members < model.options).any():
        output.write("#defined has/2.\n")
    output.write("{ x(O) : option(O) }.\n")
    counted = "O : x(O), has(O,I)"
    if (found.members >= model.options).any():
        counted = "O,0 : x(O), has(O,I); C,1 : x(O), paint(O,I,C)"
    if len(found.items):
        output.write(f":- item(I,L,U), not L <= #count {{ {counted} }} <= U.\n")
    output.write("#show x/1.\n")


def _pool(numbers: list[int]) -> str:
    """Return numbers as a pool of terms, with intervals.

    >>> _pool([1, 2, 3, 7])
    '(1..3;7)'
    >>> _pool([1, 2, 3])
    '1..3'
    """
    words = [str(a) if a == b else f"{a}..{b}" for a, b in _runs(numbers)]
    return words[0] if len(words) == 1 else f"({';'.join(words)})"


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last number of each run of successive numbers."""
    first = last = numbers[0]
    for number in numbers[1:]:
        if number != last + 1:
            yield first, last
            first = number
        last = number
    yield first, last
