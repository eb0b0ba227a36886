"""Writing models as CNF, iCNF and WCNF for SAT solvers, and dividing a model into cubes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import IO

import numpy as np

from exactile.backends.exploration import Exploration
from exactile.errors import ModelError
from exactile.files.models.exact_cover import OrbitOptions, option_texts
from exactile.model.encode import ENCODINGS, Formula, clause_lines, default_encoding, encode, header
from exactile.model.model import ItemKind, Longs, Model
from exactile.model.orbits import Action, branches
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.symmetry import symmetries

Path = tuple[int, ...]
"""A prefix of the search: o for each option that is chosen, ~o for each that is excluded."""


def restricted(model: Model, path: Path, name: str) -> Model:
    """Return a model whose solutions are those of `model` that extend a prefix.

    The result has the same options and up to two more items, which every format can express. One
    item is in all options that the prefix chooses, and its bounds are their number, so all must be
    chosen. The other item is in all options that the prefix excludes, and its bounds are 0. `name`:
    the first word of the new labels.

    Examples
    --------
    >>> model = Model.of_options([[0], [0], [1], [1]], lower=[1, 0], upper=[1, 1])
    >>> part = restricted(model, (0, ~2), "cube")
    >>> part.meaning.labels[2:], part.lower.tolist(), part.upper.tolist()
    (('cube taken', 'cube left out'), [1, 0, 1, 0], [1, 1, 1, 0])
    >>> part.option(0).tolist(), part.option(2).tolist()
    ([0, 2], [1, 3])
    """
    taken = sorted({o for o in path if o >= 0})
    left_out = sorted({~o for o in path if o < 0})
    for label, here, bound in (("taken", taken, len(taken)), ("left out", left_out, 0)):
        if here:
            model = _with_item(model, here, bound, f"{name} {label}")
    return model


def _with_item(model: Model, options: list[int], bound: int, label: str) -> Model:
    """Return the model with one more item, so that exactly `bound` of `options` are chosen.

    `options`: ascending indices. `label`: the label of the item; a number is added if an item has
    this label already, as in a part of a part of a search.
    """
    names = (label if n == 1 else f"{label} {n}" for n in count(1))
    label = next(name for name in names if name not in model.meaning.labels)
    ends = model.first[np.array(options) + 1]
    meaning = model.meaning
    return replace(
        model,
        lower=np.append(model.lower, np.int32(bound)),
        upper=np.append(model.upper, np.int32(bound)),
        first=model.first + np.searchsorted(options, np.arange(model.options + 1)),
        members=np.insert(model.members, ends, np.int32(model.items)),
        colors=np.insert(model.colors, ends, np.int32(0)),
        meaning=replace(
            meaning,
            labels=(*meaning.labels, label),
            kinds=np.append(meaning.kinds, np.int8(ItemKind.OTHER)),
        ),
    )


def without_images(puzzle: Puzzle, model: Model) -> tuple[Model, OrbitOptions]:
    """Exclude most symmetric images of solutions; return the model and one option of each orbit.

    Suppose that there is an item that every symmetry maps to itself and that every solution covers
    once. The symmetries then permute the options with this item. The new model allows one option of
    each orbit, its representative, and excludes the others. Every solution has an image with a
    representative. The raw number of solutions is a sum over the representatives: the size of the
    orbit times the number of solutions of the new model with this representative.

    If there is no such item, or no symmetry moves its options, return the model unchanged, and no
    representatives.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrahexes-4x7")
    >>> without_images(puzzle, exactile.lower(puzzle))[1].options[:2]
    (468, 469)
    """
    found = branches(model, Action(model, symmetries(puzzle)))
    if found is None:
        return model, OrbitOptions()
    name = model.meaning.short_labels[found.item]
    sizes = tuple(map(len, found.elements))
    kept = OrbitOptions(name, tuple(found.options), sizes)
    return restricted(model, found.spared, "symmetry"), kept


def cubes_of(model: Model, number: int) -> list[Path]:
    """Divide the search into `number` or more prefixes: each solution extends exactly one of them.

    The prefixes are called cubes. A small search has fewer cubes. A solution found during the
    division becomes a cube of its own.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0], [0]], lower=[1, 1], upper=[1, 1])
    >>> cubes_of(model, 2)
    [(0,), (1,)]
    """
    if not model.options:
        return [()]
    exploration = Exploration(model)
    opened: Sequence[Path] = [prefix.path for prefix in exploration.split(number)]
    exploration.prefixes = []
    found = []
    for row in exploration.run().tolist():
        chosen = [o for o in row if o >= 0]
        others = set() if model.pinned else set(range(model.options)) - set(chosen)
        found.append((*chosen, *(~o for o in sorted(others))))
    return [*found, *opened] or [()]


WRITABLE = tuple(e for e in ENCODINGS if e != "native")
"""Names of the encodings of models as clauses."""


def write_cnf(
    model: Model,
    output: IO[str],
    *,
    colors: Sequence[str] = (),
    comments: Sequence[str] = (),
    encoding: str | None = None,
) -> None:
    """Write a model as a formula with exactly one satisfying assignment for each solution.

    Variable v stands for option v - 1; comments list the items of each option. Further variables
    belong to the encoding, and are determined by the options. The headers are those of the model
    counting competitions: ``c t mc``; if there are further variables, ``c t pmc``, and ``c p show``
    with the options. This projection to the options does not change the number of assignments.

    `model`, `output`, `colors`, `comments`: as in
    `exactile.files.models.exact_cover.write_exact_cover`. `encoding`: one of
    `exactile.model.encode.ENCODINGS` except ``"native"``; by default, the size of the model
    decides. Raise ModelError if there is no such encoding, the formula is too large, or a color has
    no usable name.

    >>> import sys
    >>> write_cnf(Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1]), sys.stdout)
    c encoding: pairwise; variables 1 to 2 are the options:
    c 1 item0
    c 2 item0 item1
    c t mc
    p cnf 2 2
    1 2 0
    -1 -2 0
    """
    encoding, formula = _formula(model, encoding)
    output.writelines(_comments(model, colors, comments, encoding))
    projected = formula.variables > model.options
    output.write(f"c t {'pmc' if projected else 'mc'}\n{header(formula)}")
    if projected:
        shown = " ".join(map(str, range(1, model.options + 1)))
        output.write(f"c p show {shown} 0\n")
    output.writelines(clause_lines(formula.literals))


def write_icnf(
    model: Model,
    output: IO[str],
    *,
    colors: Sequence[str] = (),
    comments: Sequence[str] = (),
    encoding: str | None = None,
    cubes: int = 1,
) -> None:
    """Write a formula with cubes, for cube-and-conquer by incremental solvers.

    The file has a line ``p inccnf``, the clauses of `write_cnf`, and a line for each cube: ``a``,
    then the literals that the cube assumes. Each solution is in exactly one cube.

    `cubes`: least number of cubes; a small search has fewer. The other parameters are those of
    `write_cnf`.

    >>> import sys
    >>> model = Model.of_options([[0], [0, 1]], lower=[1, 0], upper=[1, 1])
    >>> write_icnf(model, sys.stdout, cubes=2)
    c encoding: pairwise; variables 1 to 2 are the options:
    c 1 item0
    c 2 item0 item1
    p inccnf
    1 2 0
    -1 -2 0
    a 1 0
    a 2 0
    """
    encoding, formula = _formula(model, encoding)
    output.writelines(_comments(model, colors, comments, encoding))
    output.write("p inccnf\n")
    output.writelines(clause_lines(formula.literals))
    for cube in cubes_of(model, cubes):
        output.write(" ".join(["a", *(str(o + 1 if o >= 0 else o) for o in cube), "0\n"]))


def write_wcnf(
    model: Model,
    output: IO[str],
    *,
    colors: Sequence[str] = (),
    comments: Sequence[str] = (),
    encoding: str | None = None,
) -> None:
    """Write the problem of covering as much as possible, for MaxSAT solvers.

    The format is that of the MaxSAT evaluations since 2022: a hard clause begins with ``h``, a soft
    clause with its weight, and no line begins with ``p``. Hard clauses state the upper bound of
    each item, and rules (omissions, fixed placements). There is a soft clause, with weight 1, for
    each unit that must be covered, or, in a model without a puzzle, for each item whose lower bound
    is not 0. Items without options have no clause: not all solvers accept empty clauses.

    The parameters are those of `write_cnf`.

    >>> import sys
    >>> write_wcnf(Model.of_options([[0], [0, 1]], lower=[1, 1], upper=[1, 1]), sys.stdout)
    c encoding: pairwise; variables 1 to 2 are the options:
    c 1 item0
    c 2 item0 item1
    c most that can be gained: 2
    h -1 -2 0
    1 1 2 0
    1 2 0
    """
    wanted = wanted_items(model)
    encoding, formula = _formula(relaxed(model), encoding)
    soft = _soft_clauses(model, wanted)
    output.writelines(_comments(model, colors, comments, encoding))
    output.write(f"c most that can be gained: {len(wanted)}\n")
    output.writelines(clause_lines(formula.literals, "h "))
    output.writelines(clause_lines(soft, "1 "))


def wanted_items(model: Model) -> Longs:
    """Return the indices of the items that have soft clauses in a WCNF file: see `write_wcnf`."""
    required = (model.lower > 0) & (model.uses > 0)
    if model.meaning.units:
        required &= model.meaning.is_unit
    return np.flatnonzero(required)


def relaxed(model: Model) -> Model:
    """Return the model with lower bounds of 0; if it has units, its rules keep their bounds."""
    kept = model.meaning.is_rule if model.meaning.units else False
    return replace(model, lower=np.where(kept, model.lower, 0).astype(np.int32))


def _soft_clauses(model: Model, wanted: Longs) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return a clause for each item in `wanted`: at least one option with the item is chosen.

    The result is one array of literals, with a 0 after each clause.
    """
    clauses = [np.append(model.options_with(i) + 1, 0) for i in wanted.tolist()]
    return np.concatenate([np.zeros(0, dtype=np.int64), *clauses]).astype(np.int32)


def _formula(model: Model, encoding: str | None) -> tuple[str, Formula]:
    chosen = encoding or default_encoding(model)
    if chosen == "native":
        raise ModelError(
            f"The encoding 'native' has no clauses to write: take {', '.join(WRITABLE)}."
        )
    return chosen, encode(model, chosen)


def _comments(
    model: Model, colors: Sequence[str], comments: Sequence[str], encoding: str
) -> Iterator[str]:
    for text in comments:
        words = text.split()
        if words[:1] in (["p"], ["t"], ["ind"]):  # counters obey such comments
            words[0] = f"'{words[0]}'"
        yield f"c {' '.join(words)}\n"
    yield f"c encoding: {encoding}; variables 1 to {model.options} are the options:\n"
    for variable, text in enumerate(option_texts(model, colors), start=1):
        yield f"c {variable} {text}\n"
