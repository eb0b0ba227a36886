"""Colored items: what a model accepts."""

import pytest

from exactile.errors import ModelError
from exactile.model.model import Model


def test_colors_lie_beside_the_members() -> None:
    model = Model.of_options(
        [[0, 2], [1, 2]], lower=[1, 1, 0], upper=[1, 1, 1], colors=[{2: 5}, {2: 7}]
    )
    assert model.colored
    assert model.colors.tolist() == [0, 5, 0, 7]


def test_without_colors_there_are_none() -> None:
    assert not Model.of_options([[0]], lower=[1], upper=[1]).colored


def test_only_secondary_items_are_colored() -> None:
    with pytest.raises(
        ModelError, match=r"Item 0 \(item 0\) is colored, but its bounds are 1\.\.1"
    ):
        Model.of_options([[0]], lower=[1], upper=[1], colors=[{0: 1}])


def test_a_color_is_not_negative() -> None:
    with pytest.raises(ModelError, match="There must be a color"):
        Model.of_options([[0]], lower=[0], upper=[1], colors=[{0: -1}])


def test_a_color_is_on_an_item_of_its_option() -> None:
    with pytest.raises(ModelError, match="Option 1 gives a color to an item that it does not"):
        Model.of_options([[0], [0]], lower=[0, 0], upper=[1, 1], colors=[{0: 1}, {1: 1}])
