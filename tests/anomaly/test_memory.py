"""Too little memory ends in one error, and the process goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.waiting import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")

BEGIN = """
import pathlib, resource, sys
import numpy as np
from exactile import lower
from exactile.backends.exploration import Exploration
from exactile.errors import BackendError
from exactile.model import Model
from support.small import dominoes

def limit_to(megabytes):
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[0])
    size = pages * resource.getpagesize() + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))

def refuse(model, limit=None, **how):
    try:
        Exploration(model, **how).run(limit=limit)
    except BackendError as error:
        print(error)

def go_on():
    print(len(Exploration(lower(dominoes(4, 4)), workers=2).run()))
"""

TOO_WIDE = """
# 40,000 items in 160,000 options: 800 MB of masks.
options, items = 160_000, 40_000
members = np.arange(options, dtype=np.int32) % items
model = Model(
    lower=np.ones(items, np.int32), upper=np.ones(items, np.int32),
    first=np.arange(options + 1), members=members,
)
limit_to(200)
refuse(model, kernel="bits")
refuse(model, kernel="bits", workers=3)
go_on()
"""

TOO_MANY = """
# 12,988,816 solutions of 32 options each.
model = lower(dominoes(8, 8))
limit_to({megabytes})
refuse(model, workers=1)
refuse(model, workers=3)
refuse(model, workers=3, limit={limit})
go_on()
"""


def output_of(code: str) -> list[str]:
    folder = str(Path(__file__).parents[1])
    begin = f"import sys; sys.path.insert(0, {folder!r})\n" + BEGIN
    result = subprocess.run(
        [sys.executable, "-c", begin + code], capture_output=True, text=True, timeout=PATIENCE
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def test_a_model_that_does_not_fit() -> None:
    message = (
        "There is not enough memory for the native search of a model with 160,000 options and "
        "40,000 items by the kernel 'bits'."
    )
    assert output_of(TOO_WIDE) == [message, message, "36"]


@pytest.mark.parametrize(("megabytes", "limit"), [(100, 700_000), (200, 200_000), (250, 500_000)])
def test_solutions_that_do_not_fit(megabytes: int, limit: int) -> None:
    """Memory runs out while workers find them, or only where theirs are put together."""
    *messages, rest = output_of(TOO_MANY.format(megabytes=megabytes, limit=limit))
    assert len(messages) in (2, 3)  # all solutions never fit, some of them might
    assert messages[0].startswith("There is not enough memory for the native search of a model")
    assert len(set(messages)) == 1
    assert rest == "36"
