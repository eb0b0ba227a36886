"""Decides puzzles: options are excluded by weights, and the rest of the model is searched.

    linear_pruning.py [--rounds N] PUZZLE...

An option is in no solution if the items can be given weights such that no option has a negative
weight, this option has at least weight 1, and all items together have less than 1, however often
they are covered: the weights of the options of a solution add up to those of the covered items.
HiGHS finds such weights as the dual solution
of a linear program. They are rounded to integers and then checked exactly, for every option that is
not yet excluded. The images of an excluded option under the symmetries of the puzzle are excluded
with it. In each further round, all options that are left are tried again.

Then the piece with the fewest orbits of placements is placed in one way of each orbit, and the
native search looks for a solution of the rest. A line of JSON for each puzzle is added to
``results/linear-pruning.jsonl``. This needs highspy, and a quarter of an hour or more for each
thousand orbits of options. It is not for puzzles with rules about colors.
"""

from __future__ import annotations

import argparse
import json
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import exactile
from exactile.model.model import Longs, Model
from exactile.search.case import Case

highspy: Any = import_module("highspy")

RESULTS = Path(__file__).parent / "results" / "linear-pruning.jsonl"

SCALE = 10**9
"""The integer that stands for the weight 1."""


class Pruning:
    """Excludes options of a model by weights of its items.

    Attributes
    ----------
    left
        Mask of the options that are not excluded.
    """

    def __init__(self, case: Case) -> None:
        model = case.model
        if model.colored:
            raise SystemExit(f"{case.puzzle.name}: its model has colors.")
        self.model, self.action = model, case.action
        self.left = np.ones(model.options, dtype=bool)
        self._program = highspy.Highs()
        self._program.setOptionValue("output_flag", False)
        self._program.passModel(program(model))

    def excludes(self, option: int) -> bool:
        """Look for weights that exclude an option and its images; exclude them if there are any."""
        self._program.changeColCost(option, -1.0)
        self._program.run()
        weights = -np.array(self._program.getSolution().row_dual)
        self._program.changeColCost(option, 0.0)
        images = self.images(option)
        if not proves(self.model, self.left, weights, option):
            return False
        self.left[images] = False
        for image in images.tolist():
            self._program.changeColBounds(image, 0.0, 0.0)
        return True

    def images(self, option: int) -> Longs:
        """Return the images of an option under all symmetries, in increasing order."""
        every = [self.action.images(s, np.array([option])) for s in range(self.action.order)]
        return np.unique(np.concatenate(every)).astype(np.int64)


def program(model: Model) -> Any:
    """Return the linear program of covering the items, with no objective."""
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = model.options, model.items
    lp.col_cost_ = lp.col_lower_ = np.zeros(model.options)
    lp.col_upper_ = np.full(model.options, highspy.kHighsInf)
    lp.row_lower_, lp.row_upper_ = model.lower.astype(float), model.upper.astype(float)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = model.first, model.members
    lp.a_matrix_.value_ = np.ones(len(model.members))
    return lp


def proves(model: Model, left: Any, weights: Any, option: int) -> bool:
    """Return whether weights exclude an option; they are rounded, and checked as integers.

    `left`: mask of the options whose weights must not be negative.
    """
    rounded = np.round(weights * SCALE).astype(np.int64)
    sums = np.add.reduceat(rounded[model.members], model.first[:-1])
    size = int(np.diff(model.first).min())
    lacking = max(0, -int(sums[left].min()), SCALE - int(sums[option]))
    rounded += -(-lacking // size)  # so that rounding leaves no option below what it needs
    sums = np.add.reduceat(rounded[model.members], model.first[:-1])
    most = np.maximum(rounded * model.lower, rounded * model.upper).sum()
    return bool((sums[left] >= 0).all() and sums[option] >= SCALE and most < SCALE)


def searched(case: Case, pruning: Pruning) -> tuple[bool, int, int]:
    """Search what is left; return whether there is a solution, and numbers of cases and nodes."""
    model = case.model
    options = np.flatnonzero(pruning.left)
    least = {int(o): int(pruning.images(int(o))[0]) for o in options}
    pieces: dict[int, dict[int, int]] = {}  # for each piece, an option of each orbit
    for o in least:
        if case.puzzle.pieces[model.piece_of[o]].lower == 0:
            continue
        pieces.setdefault(int(model.piece_of[o]), {}).setdefault(least[o], o)
    nodes, cases = 0, min(pieces.values(), key=len)
    for o in cases.values():
        taken = [i for i in model.option(o) if model.upper[i] == 1]
        apart = np.array([not np.isin(model.option(int(q)), taken).any() for q in options])
        kept = [o, *options[apart].tolist()]
        rows = [model.option(q).tolist() for q in kept]
        rest = Model.of_options(rows, model.lower.tolist(), model.upper.tolist())
        with exactile.CoverSearch(rest) as search:
            found = next(iter(search), None)
        nodes += search.stats.nodes or 0
        if found is not None:
            return True, len(cases), nodes
    return False, len(cases), nodes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("puzzles", nargs="+", metavar="PUZZLE")
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    for name in given.puzzles:
        begun = time.perf_counter()
        case = Case.of(exactile.load(name))
        pruning = Pruning(case)
        for number in range(given.rounds):
            for option in range(case.model.options):
                if pruning.left[option] and pruning.images(option)[0] == option:
                    pruning.excludes(option)
            print(f"{name}, round {number + 1}: {pruning.left.sum():,} options left", flush=True)
        found, cases, nodes = searched(case, pruning)
        line = {
            "puzzle": name,
            "options": case.model.options,
            "left": int(pruning.left.sum()),
            "cases": cases,
            "nodes": nodes,
            "solvable": found,
            "seconds": round(time.perf_counter() - begun),
        }
        with RESULTS.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
