"""Models of known size and content."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import exactile
from exactile.errors import ModelError
from exactile.geometry import get_lattice
from exactile.geometry.wrap import Wrap
from exactile.model import Model, decode
from exactile.model.lower import lower
from exactile.puzzle import Omission, Placement, Puzzle, Region
from exactile.search.case import obvious_reason
from exactile.tuning import TUNING
from support.small import box_puzzle, dominoes, mutilated, stick_puzzle


def test_pentominoes() -> None:
    model = lower(box_puzzle("pentominoes", 10, 6))
    assert (model.items, model.options) == (72, 2056)
    assert (model.lower == 1).all()
    assert (model.upper == 1).all()
    assert model.pinned


def test_members_are_sorted_and_labelled() -> None:
    model = lower(stick_puzzle("I2", "L3", "T3", width=2, height=2))
    for o in range(model.options):
        assert (np.diff(model.option(o)) > 0).all()
    assert model.meaning.labels[0] == "piece I2"
    assert "unit 0,0,0" in model.meaning.labels
    assert "crossing 1,1" in model.meaning.labels


def test_domino_on_a_square_by_hand() -> None:
    model = lower(dominoes(2, 2))
    assert [model.option(o).tolist() for o in range(4)] == [
        [0, 1, 2],
        [0, 3, 4],
        [0, 1, 3],
        [0, 2, 4],
    ]
    assert model.lower.tolist() == [2, 1, 1, 1, 1]


def test_a_piece_that_is_never_used_has_no_placements() -> None:
    """Else the search would begin with one of them, on the way from a symmetric unit."""
    never = {"cells": {"V": [[0, 0], [1, 0], [0, 1]]}, "copies": 0}
    puzzle = exactile.make_puzzle([never, "9xmonomino"], lattice="square", box=(3, 3))
    model = lower(puzzle)
    assert (model.options, model.meaning.pieces) == (9, 2)
    answer = exactile.count(puzzle, method="list")
    assert (answer.raw, answer.symmetry) == (1, 1)


def test_crossing_off_means_no_items() -> None:
    puzzle = stick_puzzle("I2", "I3", width=2, height=2)
    assert lower(puzzle).items == lower(replace(puzzle, crossing=False)).items + 1


def test_omission_and_fixed_items() -> None:
    puzzle = box_puzzle("tetrominoes", 4, 4)
    choice = replace(
        puzzle,
        omission=Omission(("I4", "T4"), 1),
        fixed=(Placement("O4", ((0, 0), (0, 1), (1, 0), (1, 1))),),
    )
    plain, model = lower(puzzle), lower(choice)
    assert model.items == plain.items + 2
    assert model.options == plain.options + 2
    assert model.meaning.labels[-2:] == ("omitted pieces", "fixed placement 1")
    assert model.option(model.options - 1).tolist() == [3, 21]
    assert decode(choice, model, [model.options - 1]) == ()


def test_wrapped_placements_are_distinct_and_do_not_overlap_themselves() -> None:
    square = get_lattice("square")
    region = Region(square, square.points(square.builders["box"](3, 1)), wrap=Wrap([(3, 0)]))
    pieces = box_puzzle("polyominoes-4", 4, 1).pieces
    straight = next(p for p in pieces if p.name == "I4")
    three = next(p for p in box_puzzle("trominoes", 3, 1).pieces if p.name == "I3")
    assert lower(Puzzle("ring", region, (straight,))).options == 0
    assert lower(Puzzle("ring", region, (three,))).options == 1


def test_too_large_models_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "model_options", 2000)
    with pytest.raises(ModelError, match="60 units and 12 pieces have more than 2,000 placements"):
        lower(box_puzzle("pentominoes", 10, 6))
    monkeypatch.setattr(TUNING, "model_options", 1000)
    with pytest.raises(ModelError, match="3,780 places to try, too many for 1,000 placements"):
        lower(box_puzzle("pentominoes", 10, 6))


def test_only_units_of_its_type_are_tried_for_a_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit of 1,200 refused these 817 placements, as if they were more."""
    monkeypatch.setattr(TUNING, "model_options", 1200)
    assert lower(exactile.load("tetraboloes-14x2")).places.sum() == 817


def test_bad_models_are_refused() -> None:
    with pytest.raises(ModelError, match=r"impossible bounds 2\.\.1"):
        Model.of_options([[0]], [2], [1])
    with pytest.raises(ModelError, match="Option 1 has no items"):
        Model.of_options([[0], []], [1], [1])
    with pytest.raises(ModelError, match="does not exist"):
        Model.of_options([[7]], [1], [1])


def test_obvious_reasons() -> None:
    assert obvious_reason(dominoes(4, 4), lower(dominoes(4, 4))) is None
    balance = "no choice of placements balances the region by the parity of x + y"
    assert obvious_reason(mutilated(4), lower(mutilated(4))) == balance
    small = box_puzzle("tetrominoes", 4, 4)
    assert obvious_reason(small, lower(small)) == "the pieces have 20 units, the region has 16"
    flat = box_puzzle("tetrominoes", 20, 1)
    assert obvious_reason(flat, lower(flat)) == "piece L4 fits nowhere"


@pytest.mark.parametrize(
    ("name", "loops"), [("pentominoes-6x10", 1), ("tetrasticks-5x5", 2), ("soma-cube", 1)]
)
def test_limits_are_looked_at_between_pieces(name: str, loops: int) -> None:
    """Placements and crossings of a piece may take a second."""
    looks: list[None] = []
    puzzle = exactile.load(name)
    lower(puzzle, lambda: looks.append(None))
    assert len(looks) >= loops * len(puzzle.pieces)
