"""The program that the backend ``cpsat`` solves, as a protocol buffer in text form."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import IO

from exactile.backends.cpsat import build
from exactile.files.models.exact_cover import option_texts
from exactile.model.model import Model


def write_cpsat(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write a `CpModelProto`: a Boolean for each option, and a constraint for each item.

    ``exactly_one`` for the bounds 1..1, ``at_most_one`` for 0..1, else ``linear``. Items whose
    bounds always hold have no constraint. Variable ``x1`` is option 0; comments say what each
    option places. Constraints have the names of items.

    Parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

    >>> import sys
    >>> write_cpsat(Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1]), sys.stdout)
    variables { name: "x1" domain: [0, 1] }  # item0
    variables { name: "x2" domain: [0, 1] }  # item0 item1
    constraints { name: "item0" exactly_one { literals: [0, 1] } }
    constraints { name: "item1" at_most_one { literals: [1] } }
    """
    output.writelines(f"# {' '.join(text.split())}\n" for text in comments)
    program, _ = build(model)
    texts = list(option_texts(model, colors))
    for number, variable in enumerate(program.proto.variables):
        own = number < model.options
        variable.name = f"x{number + 1}" if own else f"c{number + 1 - model.options}"
        comment = f"  # {texts[number]}" if own else ""
        output.write(f"variables {{ {_line(str(variable))} }}{comment}\n")
    for constraint in program.proto.constraints:
        if constraint.name:
            constraint.name = model.meaning.short_labels[int(constraint.name)]
        output.write(f"constraints {{ {_line(str(constraint))} }}\n")


def _line(text: str) -> str:
    r"""Return a message in one line, with repeated fields as lists.

    >>> _line('name: "a"\nlinear {\n  vars: 1\n  vars: 2\n  domain: 0\n  domain: 1\n}\n')
    'name: "a" linear { vars: [1, 2] domain: [0, 1] }'
    """
    words = []
    for field, lines in groupby(text.splitlines(), lambda line: line.strip().partition(": ")[0]):
        values = [line.partition(": ")[2] for line in lines]
        if field in REPEATED:
            words.append(f"{field}: [{', '.join(values)}]")
        else:
            words.append(f"{field}: {values[0]}" if values[0] else field)
    return " ".join(words)


REPEATED = ("domain", "literals", "vars", "coeffs", "enforcement_literal")
"""Fields that may be repeated."""
