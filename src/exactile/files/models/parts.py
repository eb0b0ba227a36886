"""Models with some options chosen and others excluded: one of each orbit, or cubes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from exactile.backends.exploration import Exploration
from exactile.files.models.exact_cover import OrbitOptions
from exactile.model.meaning import ItemKind
from exactile.model.model import Model
from exactile.model.orbits import Action, branches
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.symmetry import symmetries

Path = tuple[int, ...]
"""A prefix: o for an option that is chosen, ~o for one that is excluded."""


def restricted(model: Model, path: Path, name: str) -> Model:
    """Return the model of the solutions that extend a prefix, with the same options.

    An additional item contains the chosen options, and another one the excluded options: every
    format can express this. `name`: the beginning of their labels.

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
    """Return a model with one more item, which some options have: exactly `bound` are chosen."""
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
    """Return the model without most symmetric images of solutions, and the options it keeps.

    Of one item, which every symmetry maps to itself and every solution uses once, the model keeps
    one option of each orbit: every solution has an image with one of these options. The number of
    solutions of the puzzle is the sum, over these options, of the size of the orbit times the
    number of solutions in the file with the option.

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
    """Cut the search into about `number` cubes; each solution extends exactly one of them.

    A solution that is found during the cutting is a cube, too.

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
