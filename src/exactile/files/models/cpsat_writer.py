"""Models as the text form of CP-SAT's protocol buffer, written without OR-Tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import IO

from exactile.files.models.rows import Uses, uses
from exactile.files.models.words import option_texts
from exactile.model.model import Model


def write_cpsat(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write a `CpModelProto`: a Boolean an option, and one constraint an item.

    ``exactly_one`` and ``at_most_one`` where the bounds are 1..1 and 0..1, else ``linear``. Items
    that exclude nothing have no constraint. Variable ``x1`` is option 0; comments say what each
    places. Constraints have the names of items.

    Parameters are those of `exactile.files.models.exact_cover_writer.write_exact_cover`.

    Examples
    --------
    >>> import sys
    >>> write_cpsat(Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1]), sys.stdout)
    variables { name: "x1" domain: [0, 1] }  # item0
    variables { name: "x2" domain: [0, 1] }  # item0 item1
    constraints { name: "item0" exactly_one { literals: [0, 1] } }
    """
    output.writelines(f"# {' '.join(text.split())}\n" for text in comments)
    for variable, text in enumerate(option_texts(model, colors), start=1):
        output.write(f'variables {{ name: "x{variable}" domain: [0, 1] }}  # {text}\n')
    found = uses(model)
    output.writelines(
        f'variables {{ name: "c{k}" domain: [0, 1] }}\n' for k in range(1, found.colors + 1)
    )
    output.writelines(_items(model, found))
    output.writelines(_colors(model, found))


def _items(model: Model, found: Uses) -> Iterator[str]:
    members = found.members.tolist()
    starts = found.first.tolist()
    bounds = zip(found.items.tolist(), found.lower.tolist(), found.upper.tolist(), strict=True)
    for k, (item, low, high) in enumerate(bounds):
        here = members[starts[k] : starts[k + 1]]
        name = model.meaning.short_labels[item].replace("\\", "\\\\").replace('"', '\\"')
        if high == 1:
            kind = "exactly_one" if low else "at_most_one"
            body = f"{kind} {{ literals: {here} }}"
        else:
            ones = [1] * len(here)
            body = f"linear {{ vars: {here} coeffs: {ones} domain: [{low}, {high}] }}"
        yield f'constraints {{ name: "{name}" {body} }}\n'


def _colors(model: Model, found: Uses) -> Iterator[str]:
    """Say that a color is there exactly if one of its options is taken; -v - 1 is "not v"."""
    options = found.color_options.tolist()
    starts = found.color_first.tolist()
    for k, (start, end) in enumerate(pairwise(starts)):
        color = model.options + k
        clauses = [[-o - 1, color] for o in options[start:end]]
        for literals in [*clauses, [*options[start:end], -color - 1]]:
            yield f"constraints {{ bool_or {{ literals: {literals} }} }}\n"
