"""Some of the cases of a test are enough for `make test`; `make test-all` tries them all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def few(cases: Iterable[Any], every: int) -> list[Any]:
    """Return the cases, all but each `every`-th of them marked as slow."""
    return [
        pytest.param(case, marks=[pytest.mark.slow] * (k % every > 0))
        for k, case in enumerate(cases)
    ]
