"""Writing models as constraints, for pseudo-Boolean, integer, constraint and ASP solvers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import IO

import numpy as np

from exactile.backends.cpsat import build
from exactile.files.models.exact_cover import option_texts
from exactile.model.linear import NO_BOUND, Rows, Uses, linear_rows, uses
from exactile.model.model import Model


def write_opb(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write a model in the format OPB.

    An item has a constraint for each bound that does not always hold, or one equation if its bounds
    are equal. Variable ``x1`` is option 0; comments list the items of each option. Colors have
    further variables: see `exactile.model.linear`.

    The parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

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

    The format is fixed MPS: names have up to eight characters and stand in fixed columns. The names
    have no spaces, so that readers of free MPS also accept the file. Variable ``x1`` is option 0,
    row ``i1`` item 0; comments name them. If the bounds of an item differ and neither always holds,
    its row has a range. Colors have further variables: see `exactile.model.linear`.

    The parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

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
    """Yield the lines of the section COLUMNS: the coefficients of each variable in turn.

    A variable that is in no row has the coefficient 0 in the objective.
    """
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
    """Yield the section RANGES: the difference of the bounds of each row.

    Left out are rows with equal bounds, and those with a bound that always holds. If no row is
    left, yield nothing.
    """
    both = (rows.lower > 0) & (rows.lower < rows.upper) & (rows.upper < NO_BOUND)
    if both.any():
        yield "RANGES\n"
    for r in np.flatnonzero(both).tolist():
        yield f"    rng       {rows.names[r]:<8}  {int(rows.upper[r] - rows.lower[r])}\n"


WIDTH = 240
"""Lines of LP files are shorter than this: some readers accept at most 255 characters."""


def write_lp(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    r"""Write a model as an integer program without an objective.

    The format is LP. Variable ``x1`` is option 0, row ``i1`` item 0; comments name them. If the
    bounds of an item differ and neither always holds, there are two rows: ``i1`` for the lower
    bound, ``i1u`` for the upper. Items whose bounds always hold have no row. Colors have further
    variables: see `exactile.model.linear`.

    The parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

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
    """Yield lines shorter than `WIDTH` that contain the words; a word that is too long is cut.

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
    r"""Write a model for MiniZinc: an array of 0-1 variables, and a constraint for each item.

    Variable ``x[o]`` is 1 if option o is chosen; options are counted from 1. ``c`` has a variable
    for each color of an item. Items whose bounds always hold have no constraint. Solutions are
    printed as the names of the chosen options, one on each line. If options are equal, all but the
    first get numbers after their names, because MiniZinc skips a solution that is printed like an
    earlier one.

    The parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

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
    names: dict[str, None] = {}
    for option, text in enumerate(option_texts(model, colors), start=1):
        while text in names:
            text = f"{text} ({option})"
        names[text] = None
    output.writelines(f"  {json.dumps(name, ensure_ascii=False)},\n" for name in names)
    output.write("];\n")
    output.write("array[1..options] of var 0..1: x;  % x[o] is 1 where option o is taken\n")
    found = uses(model)
    output.writelines(_colors(found))
    output.writelines(_sums(model, found))
    output.write("solve satisfy;\n")
    output.write('output [name[o] ++ "\\n" | o in 1..options where fix(x[o]) = 1];\n')


def _colors(found: Uses) -> Iterator[str]:
    """Yield lines that define colors: variables that are 1 if a chosen option gives the color."""
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


def write_cpsat(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write a `CpModelProto` as text: a Boolean for each option, and a constraint for each item.

    The constraint has the name of the item. It is ``exactly_one`` for the bounds 1..1, and
    ``at_most_one`` for 0..1. For other bounds it is ``linear``, or left out if they always hold.
    Variable ``x1`` is option 0; comments list the items of each option. ``c1`` is a color of an
    item.

    The parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

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
        output.write(f"variables {{ {_proto_line(str(variable))} }}{comment}\n")
    for constraint in program.proto.constraints:
        if constraint.name:
            constraint.name = model.meaning.short_labels[int(constraint.name)]
        output.write(f"constraints {{ {_proto_line(str(constraint))} }}\n")


def _proto_line(text: str) -> str:
    r"""Return the text of a protocol buffer in one line, with repeated fields as lists.

    >>> _proto_line('name: "a"\nlinear {\n  vars: 1\n  vars: 2\n  domain: 0\n  domain: 1\n}\n')
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
"""Names of the fields of CP-SAT's constraints that may be repeated."""


def write_xcsp(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write an XCSP3 instance: a variable 0..1 for each option, and a sum for each item.

    Variable ``x[0]`` is option 0; comments list the items of each option. There is a variable
    ``c[0]``, ``c[1]`` ... for each color of an item: the maximum of the options that give the item
    this color. Items whose bounds always hold have no constraint.

    The parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

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
    output.writelines(map(_xcsp_comment, comments))
    texts = enumerate(option_texts(model, colors))
    output.writelines(_xcsp_comment(f"x[{option}] {text}") for option, text in texts)
    output.write("<variables>\n")
    for name, number in (("x", model.options), ("c", found.colors)):
        if number:
            output.write(f'<array id="{name}" size="[{number}]"> 0 1 </array>\n')
    lonely = (found.first[1:] == found.first[:-1]).any() or not model.options
    if lonely:  # in the sum of an item without options
        output.write('<var id="never"> 0 </var>\n')
    output.write("</variables>\n<constraints>\n")
    output.writelines(_xcsp_constraints(model, found))
    if lonely:
        output.write("<sum> <list> never </list> <condition> (eq,0) </condition> </sum>\n")
    output.write("</constraints>\n</instance>\n")


def _xcsp_comment(text: str) -> str:
    r"""Return a text as an XML comment: printable, with blanks between successive hyphens.

    >>> _xcsp_comment("a\x01 --- b")
    '<!-- a - - - b -->\n'
    """
    words = "".join(c if c.isprintable() else " " for c in text).split()
    return f"<!-- {' '.join(words).replace('--', '- -').replace('--', '- -')} -->\n"


def _xcsp_constraints(model: Model, found: Uses) -> Iterator[str]:
    for color, options in enumerate(found.painting()):
        named = " ".join(f"x[{o}]" for o in options)
        yield (
            f"<maximum> <list> {named} </list> <condition> (eq,c[{color}]) </condition>"
            " </maximum>\n"
        )
    for here, low, high in found.sums():
        terms = [f"x[{v}]" if v < model.options else f"c[{v - model.options}]" for v in here]
        named = " ".join(terms) or "never"
        bounds = _xcsp_condition(low, high)
        yield f"<sum> <list> {named} </list> <condition> {bounds} </condition> </sum>\n"


def _xcsp_condition(low: int, high: int) -> str:
    """Return the bounds of a sum as a condition of XCSP3.

    >>> [_xcsp_condition(low, high) for low, high in ((1, 1), (0, 2), (1, NO_BOUND), (1, 2))]
    ['(eq,1)', '(le,2)', '(ge,1)', '(in,1..2)']
    """
    if low == high:
        return f"(eq,{low})"
    if high == NO_BOUND:
        return f"(ge,{low})"
    return f"(in,{low}..{high})" if low else f"(le,{high})"


def write_asp(
    model: Model, output: IO[str], *, colors: Sequence[str] = (), comments: Sequence[str] = ()
) -> None:
    """Write an ASP program whose answer sets are the solutions.

    The program has facts about options and items, a choice rule, and one constraint for all items.
    ``has(O,I)``: option O contains item I but gives it no color; O and I count from 1.
    ``paint(O,I,C)``: the option gives the item color C. ``item(I,L,U)``: the bounds of the item are
    L and U. ``x(O)``: the option is chosen. Items whose bounds always hold are omitted.

    The parameters are those of `exactile.files.models.exact_cover.write_exact_cover`.

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
    """Return ascending numbers as a term of ASP, with intervals.

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
