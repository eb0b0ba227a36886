"""Models made of lists."""

from __future__ import annotations

from typing import Any

import pytest

from exactile.errors import ModelError
from exactile.model import Model


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"options": [[0], [1, 0, 1]]}, "Option 1 contains item 1 twice"),
        ({"lower": [2**40, 0], "upper": [2**40, 1]}, "`lower` of a model has integers that are"),
        ({"upper": [1, 2**31]}, "`upper` of a model has integers that are too large"),
        ({"options": [[0], [2**40]]}, "`members` of a model has integers that are too large"),
        ({"colors": [{}, {1: 2**31}]}, "`colors` of a model has integers that are too large"),
    ],
)
def test_lists_that_are_no_model(changed: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"options": [[0], [1]], "lower": [1, 0], "upper": [1, 1]}
    assert Model.of_options(**given).options == 2
    with pytest.raises(ModelError, match=message):
        Model.of_options(**(given | changed))
