"""Models in XCSP3, the format of constraint solver competitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from exactile.files.models.exact_cover import option_texts
from exactile.model.linear import NO_BOUND, Uses, uses
from exactile.model.model import Model


def write_xcsp(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write an instance: a variable 0..1 for each option, and a sum for each item.

    Variable ``x[0]`` is option 0; comments say what each places. ``c[0]``, ``c[1]`` ... are colors
    of items: the maximum of the options that give them. Items that exclude nothing have no
    constraint.

    Parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

    >>> import sys
    >>> write_xcsp(Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1]), sys.stdout)
    <instance format="XCSP3" type="CSP">
    <!-- x[0] item0 -->
    <!-- x[1] item0 item1 -->
    <variables>
    <array id="x" size="[2]"> 0 1 </array>
    </variables>
    <constraints>
    <sum> <list> x[0] x[1] </list> <condition> (eq,1) </condition> </sum>
    </constraints>
    </instance>
    """
    found = uses(model)
    output.write('<instance format="XCSP3" type="CSP">\n')
    output.writelines(map(_comment, comments))
    texts = enumerate(option_texts(model, colors))
    output.writelines(_comment(f"x[{option}] {text}") for option, text in texts)
    output.write("<variables>\n")
    for name, number in (("x", model.options), ("c", found.colors)):
        if number:
            output.write(f'<array id="{name}" size="[{number}]"> 0 1 </array>\n')
    lonely = (found.first[1:] == found.first[:-1]).any() or not model.options
    if lonely:  # in the sum of an item without options
        output.write('<var id="never"> 0 </var>\n')
    output.write("</variables>\n<constraints>\n")
    output.writelines(_constraints(model, found))
    if lonely:
        output.write("<sum> <list> never </list> <condition> (eq,0) </condition> </sum>\n")
    output.write("</constraints>\n</instance>\n")


def _comment(text: str) -> str:
    """Return a comment of XML, which cannot contain two hyphens in a row."""
    return f"<!-- {' '.join(text.split()).replace('--', '- -').replace('--', '- -')} -->\n"


def _constraints(model: Model, found: Uses) -> Iterator[str]:
    for color, options in enumerate(found.painting()):
        named = " ".join(f"x[{o}]" for o in options)
        yield (
            f"<maximum> <list> {named} </list> <condition> (eq,c[{color}]) </condition>"
            " </maximum>\n"
        )
    for here, low, high in found.sums():
        terms = [f"x[{v}]" if v < model.options else f"c[{v - model.options}]" for v in here]
        named = " ".join(terms) or "never"
        bounds = _condition(low, high)
        yield f"<sum> <list> {named} </list> <condition> {bounds} </condition> </sum>\n"


def _condition(low: int, high: int) -> str:
    """Return the condition on a sum.

    >>> _condition(1, 1), _condition(0, 2), _condition(1, NO_BOUND), _condition(1, 2)
    ('(eq,1)', '(le,2)', '(ge,1)', '(in,1..2)')
    """
    if low == high:
        return f"(eq,{low})"
    if high == NO_BOUND:
        return f"(ge,{low})"
    return f"(in,{low}..{high})" if low else f"(le,{high})"
