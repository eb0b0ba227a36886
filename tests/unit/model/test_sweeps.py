"""Which units are neighbors, by their places."""

from __future__ import annotations

import numpy as np
import pytest

from exactile.model.sweeps import _close


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("number", [0, 1, 40])
def test_neighbors_are_all_that_is_near(axes: int, number: int) -> None:
    rng = np.random.default_rng(axes)
    points = np.where(rng.random((number, 1)) < 0.1, np.nan, rng.uniform(-3, 3, (number, axes)))
    for reach in (0.0, 0.4, 1.1, 20.0):
        first, others = _close(points, reach)
        for k in range(number):
            distance = np.linalg.norm(points - points[k], axis=1)
            near = [j for j in range(number) if j != k and distance[j] <= reach]
            assert others[first[k] : first[k + 1]].tolist() == near
