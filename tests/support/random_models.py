"""Small random models with every kind of item.

`random_model` makes the same model from the same seed; `models` draws them for hypothesis, which
makes a failing one smaller.
"""

from __future__ import annotations

import random

import numpy as np
from hypothesis import strategies as st

from exactile.model import Model

EXACT = [(1, 1), (1, 1), (1, 1), (2, 2)]
LOOSE = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (0, 0), (2, 2), (1, 1)]

Solutions = set[frozenset[int]]


def random_model(seed: int, *, colored: bool = True, most_options: int = 12) -> Model:
    """Return a model: primary items with any bounds, secondary items, and colored ones.

    Its items are in random order. Odd seeds have looser bounds than even ones. It often has
    solutions, because its options are few and small.

    Parameters
    ----------
    seed
        Any number.
    colored
        Whether some items may have colors.
    most_options
        A model has at most so many options; up to 12 can be tried out by `brute_force`.
    """
    return _model(random.Random(seed), seed, colored, most_options)


@st.composite
def models(draw: st.DrawFn, *, colored: bool = True, most_options: int = 12) -> Model:
    """Draw a model; see `random_model`."""
    rng = draw(st.randoms(use_true_random=False))
    return _model(rng, draw(st.integers(0, 9)), colored, most_options)


def _model(rng: random.Random, seed: int, colored: bool, most_options: int) -> Model:
    primary = rng.randint(1, 6)
    secondary = rng.randint(0, 3)
    painted = rng.randint(0, 3) if colored else 0
    kinds = ["primary"] * primary + ["secondary"] * secondary + ["painted"] * painted
    rng.shuffle(kinds)
    choice = LOOSE if seed % 2 else EXACT
    bounds = [rng.choice(choice) if kind == "primary" else (0, 1) for kind in kinds]
    palette = rng.randint(1, 3)
    options: list[list[int]] = []
    colors: list[dict[int, int]] = []
    for _ in range(rng.randint(0 if seed % 10 == 0 else 2, most_options)):
        size = rng.randint(1, min(4, len(kinds)))
        chosen = rng.sample(range(len(kinds)), size)
        if options and rng.random() < 0.05:  # the same option twice is two options
            options.append(options[-1])
            colors.append(colors[-1])
            continue
        options.append(chosen)
        colors.append(
            {i: rng.randint(rng.random() > 0.2, palette) for i in chosen if kinds[i] == "painted"}
        )
    return Model.of_options(options, [b[0] for b in bounds], [b[1] for b in bounds], colors)


def brute_force(model: Model) -> Solutions:
    """Return all solutions by trying every set of options, from the definition of a model."""
    sets = np.arange(1 << model.options)[:, None] >> np.arange(model.options) & 1
    good = np.ones(len(sets), dtype=bool)
    colors = model.colors.tolist()
    members = model.members.tolist()
    owners = model.option_of.tolist()
    for item in range(model.items):
        uses = {o: c for o, i, c in zip(owners, members, colors, strict=True) if i == item}
        count = sets[:, list(uses)].sum(axis=1)
        fits = (count >= model.lower[item]) & (count <= model.upper[item])
        for color in set(uses.values()) - {0}:
            same = sets[:, [o for o in uses if uses[o] == color]].sum(axis=1)
            fits |= same == count
        good &= fits
    return {frozenset(np.flatnonzero(row).tolist()) for row in sets[good]}
