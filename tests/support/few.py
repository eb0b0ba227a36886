"""What `make test` leaves to `make test-all`: most cases of long tests, most random examples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

ALL_EXAMPLES = 100
"""What hypothesis tries in `make test-all`."""


def few(cases: Iterable[Any], every: int) -> list[Any]:
    """Return the cases, all but each `every`-th of them marked as slow."""
    return [
        pytest.param(case, marks=[pytest.mark.slow] * (k % every > 0))
        for k, case in enumerate(cases)
    ]


def examples(number: int) -> int:
    """Return how many random examples to try: so many in `make test-all`, an eighth otherwise."""
    return max(number * settings().max_examples // ALL_EXAMPLES, 1)
